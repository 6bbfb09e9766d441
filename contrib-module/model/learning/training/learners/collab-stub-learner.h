/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_STUB_LEARNER_H
#define COLLAB_STUB_LEARNER_H

#include "ns3/collab-learner.h"
#include "ns3/collab-stub-model.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3::collab
{

/// @ingroup collab-learning
/// @brief Everything that defines a learner that only has a size.
struct StubLearnerConfig
{
    std::string model = "stub:1000"; //!< name with options, see DescribeStub()
    uint32_t samples = 1;            //!< number of the device's own samples; at least 1
    uint32_t batchSize = 64;         //!< samples of a step; positive
    double learningRate = 0.01;      //!< of its steps; positive
    uint64_t seed = 1;               //!< of its gradients
};

/// @param model name of a stub with its options
/// @return weights of 0, to be shared by many learners
/// @throws std::invalid_argument if the options are not allowed
FlatVector MakeStubWeights(const std::string& model);

/**
 * @brief Make a learner that trains nothing, but has the size and the work of a model.
 *
 * It has at most 1000 weights in memory, each of which stands for as many parameters
 * (Learner::GetMultiplicity()). A step moves them against a "gradient" of random numbers between -1
 * and 1, so that no two devices have equal gradients. It cannot predict, its scores and losses are
 * NaN, and of a task only epochs, steps, learning rate, batch size and the number of
 * positions count.
 *
 * @param config what to build
 * @param weights weights as MakeStubWeights() gives them
 * @return the learner
 * @throws std::invalid_argument if a value is not allowed
 */
std::unique_ptr<Learner> MakeStubLearner(StubLearnerConfig config, FlatVector weights);

} // namespace ns3::collab

#endif /* COLLAB_STUB_LEARNER_H */
