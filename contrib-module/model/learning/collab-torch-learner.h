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
 * @param config what to build
 * @return a learner that computes with LibTorch on the calling thread
 * @throws std::invalid_argument if a value is not allowed; the text names it and what is allowed
 */
std::unique_ptr<Learner> MakeTorchLearner(TorchLearnerConfig config);

/**
 * @brief Make a learner that starts from given parameters instead of random ones.
 *
 * @param config what to build
 * @param parameters all trainable parameters, in the order of the model's registration
 * @return the learner
 * @throws std::invalid_argument if their number is not the model's
 */
std::unique_ptr<Learner> MakeTorchLearner(TorchLearnerConfig config,
                                          const std::vector<float>& parameters);

} // namespace collab
} // namespace ns3

#endif /* COLLAB_TORCH_LEARNER_H */
