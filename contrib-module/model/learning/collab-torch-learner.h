/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TORCH_LEARNER_H
#define COLLAB_TORCH_LEARNER_H

#include "collab-learner.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace collab
{

/// @ingroup collab
/// @brief Everything that defines a LibTorch learner.
struct TorchLearnerConfig
{
    std::string model = "mlp";  //!< a name that GetModelNames() lists
    DataView trainData;         //!< the device's own labelled samples; at least one
    double learningRate = 5e-3; //!< of Adam; positive
    uint32_t batchSize = 64;    //!< local samples a step; the last batch of an epoch may be smaller
    uint32_t referenceBatchSize =
        256;                         //!< X* samples a step, in fixed order, restarting every epoch
    uint64_t initializationSeed = 1; //!< of the initial parameters
    uint64_t shuffleSeed = 2;        //!< of the order of the local samples in every epoch
};

/**
 * @brief Make a learner with random initial parameters.
 *
 * A step takes a batch of local samples, in a new random order every epoch, and follows by Adam
 * (Kingma, Ba, ICLR 2015; betas 0.9 and 0.999, epsilon 1e-8) the gradient of the mean cross-entropy
 * on it, plus, if there are targets psi, lambda times the mean of -sum_c psi_c log(p_c + 1e-8) over
 * a batch of X*. One optimizer's state is kept for the learner's whole life.
 *
 * Initial weights and biases of a layer are uniform between -1/sqrt(n) and 1/sqrt(n), n being the
 * number of inputs that one of its outputs reads: what PyTorch does by default for these layers.
 *
 * Operations are counted as LayerCost does, and one for every division, square root, exponential
 * and logarithm as well. With C classes:
 * - prediction: 5 C - 2 a sample for the softmax (greatest logit, subtractions, exponentials, sum,
 *   divisions).
 * - cross-entropy: 6 C + 1 a local sample: softmax; logarithm of one probability and its addition
 * to the loss; gradient, C + 1 (probability minus label, divided by the size of the batch).
 * - distillation: 15 C - 3 a sample of X*: softmax; 4 C for the loss (adding 1e-8, logarithm,
 * product with the target, sum); 6 C - 1 for the gradient p_k (sum_c u_c p_c - u_k) with u = psi /
 * (p + 1e-8), times lambda over the size of the batch.
 * - Adam: 13 a parameter and step: 3 for the first moment, 4 for the second, 3 for the denominator,
 *   3 for the update.
 *
 * @param config what to build
 * @return a learner that computes with LibTorch on the calling thread
 * @throws std::invalid_argument if a value is not allowed; the text names it and what is allowed
 */
std::unique_ptr<Learner> MakeTorchLearner(TorchLearnerConfig config);

/**
 * @brief Make a learner that starts from given parameters instead of random ones.
 *
 * @param config what to build
 * @param parameters all trainable parameters: weights, then biases, layer by layer in the order of
 * the forward pass; weights row-major as outputs x inputs, or output channels x input channels x
 * height x width
 * @return the learner
 * @throws std::invalid_argument if a value is not allowed or their number is not the model's
 */
std::unique_ptr<Learner> MakeTorchLearner(TorchLearnerConfig config,
                                          const std::vector<float>& parameters);

} // namespace collab
} // namespace ns3

#endif /* COLLAB_TORCH_LEARNER_H */
