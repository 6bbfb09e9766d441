/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-learner-config.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-learner-checks.h"
#include "ns3/collab-torch-device.h"

#include <algorithm>
#include <cmath>

namespace ns3::collab
{

namespace
{

/// @param config configuration of a learner without labels
/// @throws std::invalid_argument if it has a probe by which embeddings cannot be scored
void
CheckProbe(const TorchLearnerConfig& config)
{
    if (!config.probe)
    {
        return;
    }
    const DataView& probe = *config.probe;
    CheckView(probe, "probe", *config.trainData.data);
    CheckArgument(
        probe.Size() != 0 && probe.labels.size() == probe.Size() && probe.data->classes != 0,
        "probe: {} samples with {} labels of {} classes, expected as many, and at least 1",
        probe.Size(),
        probe.labels.size(),
        probe.data->classes);
}

/// @param config configuration of a learner
/// @throws std::invalid_argument if its loss cannot be as it says
void
CheckClassLoss(const TorchLearnerConfig& config)
{
    const DataView& samples = config.trainData;
    CheckArgument(config.labelSmoothing >= 0 && config.labelSmoothing < 1,
                  "labelSmoothing {} is not from 0 to below 1",
                  config.labelSmoothing);
    CheckArgument(!ChangesCrossEntropy(config) ||
                      (config.loss == LossKind::SUPERVISED && samples.data->outputs == 0),
                  "label smoothing and class weights are for samples with labels");
    const auto& weights = config.classWeights;
    const auto isWrong = [](float weight) { return !(weight >= 0) || !std::isfinite(weight); };
    CheckArgument(weights.empty() || (weights.size() == samples.data->classes &&
                                      std::none_of(weights.begin(), weights.end(), isWrong)),
                  "classWeights: {} numbers for {} classes, expected as many, none negative",
                  weights.size(),
                  samples.data->classes);
    const auto isIgnored = [&](int64_t label) {
        return weights[static_cast<std::size_t>(label)] == 0;
    };
    CheckArgument(weights.empty() ||
                      std::none_of(samples.labels.begin(), samples.labels.end(), isIgnored),
                  "classWeights: a class of the samples has the weight 0");
}

/// @param config configuration of a learner
/// @throws std::invalid_argument if its steps cannot be private
void
CheckPrivacy(const TorchLearnerConfig& config)
{
    if (!config.dpSgd)
    {
        return;
    }
    CheckDpSgd(*config.dpSgd);
    CheckArgument(config.loss != LossKind::TRIPLET && !config.variational &&
                      config.classWeights.empty() && config.sampleOrders.empty(),
                  "DP-SGD with triplets, a belief, class weights or sampleOrders, for which it is "
                  "not defined");
}

} // namespace

std::vector<float>
BalanceClasses(const DataView& samples)
{
    std::vector<std::size_t> counts(samples.data->classes);
    for (const int64_t label : samples.labels)
    {
        ++counts.at(static_cast<std::size_t>(label));
    }
    const auto present = counts.size() - std::count(counts.begin(), counts.end(), 0);
    const double even = static_cast<double>(samples.Size()) / static_cast<double>(present);
    std::vector<float> weights;
    for (const std::size_t count : counts)
    {
        weights.push_back(count > 0 ? static_cast<float>(even / static_cast<double>(count)) : 1.0F);
    }
    return weights;
}

ModelInput
MakeModelInput(const DataSet& data)
{
    ModelInput input;
    input.sampleShape = data.sampleShape;
    input.outputs = data.outputs > 0 ? data.outputs : data.classes;
    input.vocabulary = data.kind == FeatureKind::TOKENS ? data.vocabulary : 0;
    input.embedding = data.tokenVectors;
    return input;
}

ModelInput
MakeModelInput(const TorchLearnerConfig& config)
{
    ModelInput input = MakeModelInput(*config.trainData.data);
    if (config.embedding)
    {
        input.embedding = config.embedding;
    }
    input.graph = config.graph;
    return input;
}

bool
ChangesCrossEntropy(const TorchLearnerConfig& config)
{
    return config.labelSmoothing > 0 || !config.classWeights.empty();
}

bool
HasRawOutputs(const TorchLearnerConfig& config)
{
    return config.loss == LossKind::TRIPLET || config.trainData.data->outputs > 0;
}

TorchLearnerConfig
CheckTorchLearnerConfig(TorchLearnerConfig config)
{
    CheckArgument(config.trainData.data, "trainData: there is no data set");
    const bool isTriplet = config.loss == LossKind::TRIPLET;
    CheckView(config.trainData, "trainData", *config.trainData.data);
    CheckTrainData(config.trainData, !isTriplet);
    CheckArgument(config.learningRate > 0 && std::isfinite(config.learningRate),
                  "learningRate {} is not positive and finite",
                  config.learningRate);
    CheckArgument(config.batchSize != 0 && config.referenceBatchSize != 0,
                  "batchSize {} and referenceBatchSize {} must be at least 1",
                  config.batchSize,
                  config.referenceBatchSize);
    CheckTorchDevice(config.device);
    CheckArgument(config.device == "host" || !config.variational,
                  "device {}, but a belief is drawn on the host",
                  config.device);
    CheckSampleOrders(config.sampleOrders, config.trainData.Size());
    CheckOptimizer(config.optimizer);
    if (config.balancesClasses)
    {
        config.classWeights = BalanceClasses(config.trainData);
    }
    CheckClassLoss(config);
    if (config.variational)
    {
        CheckVariational(*config.variational);
        const OptimizerOptions& steps = config.optimizer;
        CheckArgument(!config.variational->isNatural ||
                          (steps.weightDecay == 0 && steps.maxNorm == 0 && config.learningRate <= 1),
                      "natural steps with weightDecay {}, maxNorm {} and learningRate {}, expected "
                      "0, 0 and at most 1",
                      steps.weightDecay,
                      steps.maxNorm,
                      config.learningRate);
    }
    if (config.augmentation)
    {
        CheckAugmentation(*config.augmentation);
    }
    CheckArgument(!config.augmentation ||
                      (config.trainData.data->kind != FeatureKind::TOKENS && !isTriplet),
                  "augmentation of tokens, or beside that of triplets");
    CheckPrivacy(config);
    if (!isTriplet)
    {
        return config;
    }
    CheckAugmentation(config.triplet.augmentation);
    CheckProbe(config);
    const bool isTokens = config.trainData.data->kind == FeatureKind::TOKENS;
    CheckArgument(!isTokens && config.trainData.Size() >= 2 && config.batchSize >= 2 &&
                      config.triplet.margin > 0,
                  "triplets of {} samples of kind {} in batches of {} with the margin {}, expected "
                  "at least 2 and 2, no tokens, and a positive margin",
                  config.trainData.Size(),
                  ToString(config.trainData.data->kind),
                  config.batchSize,
                  config.triplet.margin);
    return config;
}

void
CheckOutputs(const TorchLearnerConfig& config, std::size_t outputs)
{
    const DataSet& data = *config.trainData.data;
    const std::size_t expected = data.outputs > 0 ? data.outputs : data.classes;
    CheckArgument(config.loss != LossKind::SUPERVISED || outputs == expected,
                  "model {} makes {} outputs, the data set has {} {}",
                  config.model,
                  outputs,
                  expected,
                  data.outputs > 0 ? "targets" : "classes");
}

} // namespace ns3::collab
