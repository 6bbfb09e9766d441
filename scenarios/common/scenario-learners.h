/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_LEARNERS_H
#define SCENARIO_LEARNERS_H

#include "scenario-samples.h"

#include "ns3/collab-torch-learner.h"

#include <memory>

/**
 * @param p parameters of the run
 * @param samples the samples of all devices
 * @param device number of a device
 * @return what it learns with, by Adam
 */
ns3::collab::TorchLearnerConfig MakeLearnerConfig(const CommonParameters& p,
                                                  const ScenarioSamples& samples,
                                                  uint32_t device);

/**
 * @param p parameters of the run
 * @param learningRate of stochastic gradient descent
 * @param config of a learner that shall take its steps by it
 */
void UseSgd(const CommonParameters& p,
            double learningRate,
            ns3::collab::TorchLearnerConfig& config);

/**
 * @param config of a learner; its model may be a stub
 * @return the weights that learners begin with, to be shared by them
 */
ns3::collab::FlatVector DrawWeights(const ns3::collab::TorchLearnerConfig& config);

/**
 * @brief Make a learner that trains, or a stub if that is its model.
 *
 * @param config of the learner
 * @param weights as DrawWeights() gives them
 * @return the learner
 */
std::unique_ptr<ns3::collab::Learner> MakeLearner(ns3::collab::TorchLearnerConfig config,
                                                  ns3::collab::FlatVector weights);

#endif /* SCENARIO_LEARNERS_H */
