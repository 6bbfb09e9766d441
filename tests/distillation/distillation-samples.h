/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DISTILLATION_SAMPLES_H
#define DISTILLATION_SAMPLES_H

#include "distillation/distillation-reference.h"

#include "ns3/collab-torch-learner.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

/// The samples and models of make-distillation-reference.py
namespace tests::distillation
{

constexpr uint32_t DEVICES = 3;   //!< devices
constexpr uint32_t FEATURES = 4;  //!< of a sample
constexpr uint32_t CLASSES = 3;   //!< classes
constexpr uint32_t OWN = 5;       //!< samples of a device
constexpr uint32_t REFERENCE = 6; //!< samples of X*

/// @param first number of the first sample
/// @param count how many
/// @param bundle bundle of each of them, by its place
/// @param shift of all labels
/// @return samples whose labels begin with the first one's bundle
template <typename B>
std::shared_ptr<const ns3::collab::DataView>
MakeSamples(uint32_t first, uint32_t count, B bundle, uint32_t shift = 0)
{
    using namespace ns3::collab;
    auto data = std::make_shared<DataSet>();
    data->kind = FeatureKind::NUMBERS;
    data->sampleShape = {FEATURES};
    data->classes = CLASSES;
    for (uint32_t i = 0; i < count; ++i)
    {
        for (uint32_t f = 0; f < FEATURES; ++f)
        {
            data->numbers.push_back(static_cast<float>(0.3 * std::sin(7.0 * (first + i) + 3.0 * f) +
                                                       2 * std::cos(2.0 * bundle(i) + f)));
        }
        data->labels.push_back((i + bundle(0) + shift) % CLASSES);
    }
    std::vector<uint32_t> all(count);
    std::iota(all.begin(), all.end(), 0);
    return std::make_shared<const DataView>(MakeView(data, all));
}

/// @param shift of all labels
/// @return X*
inline std::shared_ptr<const ns3::collab::DataView>
MakeReference(uint32_t shift = 0)
{
    return MakeSamples(
        100, REFERENCE, [](uint32_t i) { return i % DEVICES; }, shift);
}

/// @param device a device
/// @return its own samples
inline std::shared_ptr<const ns3::collab::DataView>
MakeOwn(uint32_t device)
{
    return MakeSamples(10 * device, OWN, [device](uint32_t) { return device; });
}

/// @param samples of its own
/// @param device whose weights it has
/// @return a linear classifier that takes steps of gradient descent on all samples
inline std::shared_ptr<ns3::collab::Learner>
MakeClassifier(const ns3::collab::DataView& samples, uint32_t device)
{
    using namespace ns3::collab;
    TorchLearnerConfig config;
    config.model = "linear";
    config.trainData = samples;
    config.learningRate = 0.5;
    config.optimizer.kind = OptimizerKind::SGD;
    std::vector<float> weights(CLASSES * FEATURES + CLASSES);
    for (std::size_t i = 0; i < weights.size(); ++i)
    {
        weights[i] = static_cast<float>(0.5 * std::sin(static_cast<double>(i) + 3.0 * device));
    }
    return MakeTorchLearner(config, weights);
}

} // namespace tests::distillation

#endif /* DISTILLATION_SAMPLES_H */
