/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_RANK_MEMBERS_H
#define COLLAB_RANK_MEMBERS_H

#include "ns3/collab-learner.h"
#include "ns3/collab-torch-learner-config.h"

#include <tuple>

/**
 * @file
 * Members of what ranks send to each other, in the order in which they are written and read.
 *
 * Structured bindings name all members of a type: with a new member that is not listed here this
 * does not compile.
 */

namespace ns3::collab
{

/// A view without its data set, which many views share
struct RankSamples
{
    std::vector<uint32_t> indices;                    //!< DataView::indices
    std::vector<int64_t> labels;                      //!< DataView::labels
    std::shared_ptr<const SampleTransform> transform; //!< DataView::transform
};

/// @cond
inline auto
ListMembers(const RankSamples& value)
{
    const auto& [indices, labels, transform] = value;
    return std::tie(indices, labels, transform);
}

inline auto
ListMembers(const SampleTransform& value)
{
    const auto& [rotation, noise, seed] = value;
    return std::tie(rotation, noise, seed);
}

template <typename T>
auto
ListMembers(const Matrix<T>& value)
{
    const auto& [rows, columns, values] = value;
    return std::tie(rows, columns, values);
}

inline auto
ListMembers(const GraphInput& value)
{
    const auto& [features, edges] = value;
    return std::tie(features, edges);
}

inline auto
ListMembers(const DataSet& value)
{
    const auto& [name,
                 kind,
                 sampleShape,
                 classes,
                 outputs,
                 vocabulary,
                 tokenVectors,
                 features,
                 numbers,
                 tokens,
                 labels,
                 targets,
                 users,
                 userNames,
                 isMixed,
                 offset,
                 scale] = value;
    return std::tie(name,
                    kind,
                    sampleShape,
                    classes,
                    outputs,
                    vocabulary,
                    tokenVectors,
                    features,
                    numbers,
                    tokens,
                    labels,
                    targets,
                    users,
                    userNames,
                    isMixed,
                    offset,
                    scale);
}

inline auto
ListMembers(const Augmentation& value)
{
    const auto& [shift, flip, jitter, noise, rotation, crop, blur, blurRadius, outside, oneOf] =
        value;
    return std::tie(shift, flip, jitter, noise, rotation, crop, blur, blurRadius, outside, oneOf);
}

inline auto
ListMembers(const RateSchedule& value)
{
    const auto& [kind, warmup, every, gamma, steps, floor] = value;
    return std::tie(kind, warmup, every, gamma, steps, floor);
}

inline auto
ListMembers(const OptimizerOptions& value)
{
    const auto& [kind,
                 momentum,
                 isNesterov,
                 weightDecay,
                 beta1,
                 beta2,
                 epsilon,
                 decouplesDecay,
                 maxNorm,
                 schedule] = value;
    return std::tie(kind,
                    momentum,
                    isNesterov,
                    weightDecay,
                    beta1,
                    beta2,
                    epsilon,
                    decouplesDecay,
                    maxNorm,
                    schedule);
}

inline auto
ListMembers(const TripletOptions& value)
{
    const auto& [margin, augmentation] = value;
    return std::tie(margin, augmentation);
}

inline auto
ListMembers(const VariationalOptions& value)
{
    const auto& [initialDeviation, priorDeviation, klWeight, predictionDraws, isNatural] = value;
    return std::tie(initialDeviation, priorDeviation, klWeight, predictionDraws, isNatural);
}

inline auto
ListMembers(const DpSgdOptions& value)
{
    const auto& [clip, noise, delta] = value;
    return std::tie(clip, noise, delta);
}

inline auto
ListMembers(const TorchLearnerConfig& value)
{
    const auto& [model,
                 device,
                 trainData,
                 learningRate,
                 batchSize,
                 referenceBatchSize,
                 referenceOrder,
                 initializationSeed,
                 shuffleSeed,
                 sampleOrders,
                 joinsBatches,
                 channelsLast,
                 optimizer,
                 labelSmoothing,
                 classWeights,
                 balancesClasses,
                 loss,
                 triplet,
                 probe,
                 variational,
                 augmentation,
                 dpSgd,
                 nativeSmallNetworks,
                 embedding,
                 graph] = value;
    return std::tie(model,
                    device,
                    trainData,
                    learningRate,
                    batchSize,
                    referenceBatchSize,
                    referenceOrder,
                    initializationSeed,
                    shuffleSeed,
                    sampleOrders,
                    joinsBatches,
                    channelsLast,
                    optimizer,
                    labelSmoothing,
                    classWeights,
                    balancesClasses,
                    loss,
                    triplet,
                    probe,
                    variational,
                    augmentation,
                    dpSgd,
                    nativeSmallNetworks,
                    embedding,
                    graph);
}

inline auto
ListMembers(const Distillation& value)
{
    const auto& [inputs, targets, lambda, loss, isAlone] = value;
    return std::tie(inputs, targets, lambda, loss, isAlone);
}

inline auto
ListMembers(const ObjectiveTerms& value)
{
    const auto& [distillation, l2, center, mu, correction, prior] = value;
    return std::tie(distillation, l2, center, mu, correction, prior);
}

/// A base that has members rules structured bindings out: a test compares all of them
inline auto
ListMembers(const TrainTask& value)
{
    return std::tie(static_cast<const ObjectiveTerms&>(value),
                    value.epochs,
                    value.steps,
                    value.learningRate,
                    value.batchSize,
                    value.resetsOptimizer,
                    value.dropsOptimizer,
                    value.returnsGradient,
                    value.positions,
                    value.klScale);
}

inline auto
ListMembers(const GradientTask& value)
{
    return std::tie(static_cast<const ObjectiveTerms&>(value), value.positions);
}

inline auto
ListMembers(const GradientReport& value)
{
    const auto& [gradient, localLoss, distillationLoss] = value;
    return std::tie(gradient, localLoss, distillationLoss);
}

inline auto
ListMembers(const TrainReport& value)
{
    const auto& [steps, localLoss, distillationLoss, lastGradient] = value;
    return std::tie(steps, localLoss, distillationLoss, lastGradient);
}

inline auto
ListMembers(const Score& value)
{
    const auto& [accuracy, balancedAccuracy, loss, determination] = value;
    return std::tie(accuracy, balancedAccuracy, loss, determination);
}

inline auto
ListMembers(const LearnerState& value)
{
    const auto& [vectors, values] = value;
    return std::tie(vectors, values);
}

/// @endcond

} // namespace ns3::collab

#endif /* COLLAB_RANK_MEMBERS_H */
