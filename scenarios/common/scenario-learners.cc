/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scenario-learners.h"

#include "ns3/collab-stub-learner.h"

#include <utility>

using namespace ns3::collab;

TorchLearnerConfig
MakeLearnerConfig(const CommonParameters& p, const ScenarioSamples& samples, uint32_t device)
{
    TorchLearnerConfig config;
    config.model = p.model;
    config.device = p.device;
    config.trainData = samples.train[device];
    config.learningRate = p.learningRate;
    config.batchSize = p.batchSize;
    config.optimizer = p.GetOptimizer(OptimizerKind::ADAM);
    config.labelSmoothing = p.labelSmoothing;
    config.balancesClasses = p.classWeights == "balanced";
    config.initializationSeed = SeedFor(RandomPurpose::INITIALIZATION, device);
    config.shuffleSeed = SeedFor(RandomPurpose::SHUFFLE, device);
    return config;
}

void
UseSgd(const CommonParameters& p, double learningRate, TorchLearnerConfig& config)
{
    config.learningRate = learningRate;
    config.optimizer = p.GetOptimizer(OptimizerKind::SGD);
}

FlatVector
DrawWeights(const TorchLearnerConfig& config)
{
    return IsStub(config.model) ? MakeStubWeights(config.model) : DrawInitialWeights(config);
}

std::unique_ptr<Learner>
MakeLearner(TorchLearnerConfig config, FlatVector weights)
{
    if (!IsStub(config.model))
    {
        return MakeTorchLearner(std::move(config), std::move(weights));
    }
    StubLearnerConfig stub;
    stub.model = config.model;
    stub.samples = static_cast<uint32_t>(config.trainData.Size());
    stub.batchSize = config.batchSize;
    stub.learningRate = config.learningRate;
    stub.seed = config.shuffleSeed;
    return MakeStubLearner(std::move(stub), std::move(weights));
}
