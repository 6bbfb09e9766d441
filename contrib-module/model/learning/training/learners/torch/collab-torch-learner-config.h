/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TORCH_LEARNER_CONFIG_H
#define COLLAB_TORCH_LEARNER_CONFIG_H

#include "ns3/collab-augmentation.h"
#include "ns3/collab-data-set.h"
#include "ns3/collab-dp-sgd.h"
#include "ns3/collab-model-description.h"
#include "ns3/collab-optimizer.h"
#include "ns3/collab-reference-order.h"
#include "ns3/collab-variational.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief What a learner makes small on its own samples.
enum class LossKind : uint8_t
{
    SUPERVISED, //!< cross-entropy on labels, or in regression the squared error on targets
    TRIPLET,    //!< without labels: distances of embeddings, see TripletOptions
};

/**
 * @ingroup collab-learning
 * @brief Learning without labels: a sample is to be nearer to itself changed than to another one.
 *
 * Loss of an anchor a: max(0, |f(a) - f(p)| - |f(a) - f(n)| + margin) with p the anchor changed at
 * random and n the next anchor of the batch, the first one being next to the last.
 */
struct TripletOptions
{
    double margin = 1;         //!< positive
    Augmentation augmentation; //!< how samples are changed
};

/// @ingroup collab-learning
/// @brief Everything that defines a LibTorch learner.
struct TorchLearnerConfig
{
    std::string model = "mlp"; //!< a name that GetModelNames() lists, with options or without
    /// where the learner computes, as CheckTorchDevice() allows; on "host" small networks compute
    /// without LibTorch. Weights come and go as flat vectors on the host; a belief stays there
    std::string device = "host";
    DataView trainData;         //!< the device's own labelled samples; at least one
    double learningRate = 5e-3; //!< positive
    /// local samples a step; the last batch of an epoch may be smaller. In models that mix samples,
    /// by batch normalization, a last batch of one joins the batch before it
    uint32_t batchSize = 64;
    /// X* samples a step; fewer at the end of X* if the order is RESTARTED
    uint32_t referenceBatchSize = 256;
    ReferenceOrder referenceOrder = ReferenceOrder::SHUFFLED; //!< of X*, step by step
    uint64_t initializationSeed = 1;                          //!< of the initial parameters
    /// of the order of the local samples in every epoch, and, apart from it, of dropout's masks,
    /// changed samples, lots and noise of dpSgd, and weights drawn from a belief: each device needs
    /// one of its own
    uint64_t shuffleSeed = 2;
    /// of the local samples in the learner's first passes over them, counted through all its jobs,
    /// each a permutation of positions in trainData: to take the very steps of another program.
    /// Passes of jobs with positions of their own are not counted and in random order. Later passes
    /// are in random order, the first of them as the first one of shuffleSeed
    std::vector<std::vector<uint32_t>> sampleOrders;
    /// whether local and X* samples of a step go through the model in one pass: faster, with the
    /// same gradient but for rounding; models that mix samples make two passes anyway
    bool joinsBatches = true;
    /// whether convolutions keep images in memory with their channels last: faster, mostly so with
    /// one input channel, with the same results but for rounding; not with group normalization, nor
    /// on a GPU
    bool channelsLast = true;
    OptimizerOptions optimizer; //!< constants of Adam or SGD
    /// part of a label that all classes share equally (Szegedy et al., CVPR 2016); 0 to below 1
    double labelSmoothing = 0;
    /// of the classes in the mean of the cross-entropies of local samples, which is divided by the
    /// sum of its samples' weights; not negative; empty for none
    std::vector<float> classWeights;
    /// whether classWeights are made by BalanceClasses() from trainData
    bool balancesClasses = false;
    LossKind loss = LossKind::SUPERVISED; //!< on the local samples
    TripletOptions triplet;               //!< of LossKind::TRIPLET
    /// of LossKind::TRIPLET: labelled samples by which Evaluate() fits a logistic regression to
    /// embeddings (EvaluateLinearly()); without them an encoder cannot be scored
    std::shared_ptr<const DataView> probe;
    std::optional<VariationalOptions> variational; //!< if set, the learner has a belief
    /// how local samples are changed at random whenever a step takes them; drawn like dropout's
    /// masks
    std::optional<Augmentation> augmentation;
    /// if set, steps are private; not for models that mix samples, triplets or beliefs, nor with
    /// class weights or sampleOrders
    std::optional<DpSgdOptions> dpSgd;
    /// whether chains of small linear layers are trained without LibTorch, many times as fast and
    /// with the same results to rounding
    bool nativeSmallNetworks = true;
    /// given rows of tokens, for some models; by default the data set's own
    std::shared_ptr<const Matrix<float>> embedding;
    std::shared_ptr<const GraphInput> graph; //!< whose nodes samples name, for some models
};

/// @param samples samples with labels
/// @return a weight for each class, as scikit-learn's "balanced": number of samples over the number
/// of their classes and the class's own samples; 1 for a class without samples
std::vector<float> BalanceClasses(const DataView& samples);

/// @param data a data set
/// @return what a model for it reads and makes
ModelInput MakeModelInput(const DataSet& data);

/// @param config configuration of a learner, with a data set
/// @return what its model reads
ModelInput MakeModelInput(const TorchLearnerConfig& config);

/// @param config what to build
/// @return whether its cross-entropy is another one than -log p of the label
bool ChangesCrossEntropy(const TorchLearnerConfig& config);

/// @param config what to build
/// @return whether the model's outputs are no logits of classes
bool HasRawOutputs(const TorchLearnerConfig& config);

/// @param config what to build
/// @return the same, with the class weights that it asks for
/// @throws std::invalid_argument if a value is not allowed
TorchLearnerConfig CheckTorchLearnerConfig(TorchLearnerConfig config);

/// @param config what to build, already checked
/// @param outputs number of outputs of the model
/// @throws std::invalid_argument if the loss needs others
void CheckOutputs(const TorchLearnerConfig& config, std::size_t outputs);

} // namespace ns3::collab

#endif /* COLLAB_TORCH_LEARNER_CONFIG_H */
