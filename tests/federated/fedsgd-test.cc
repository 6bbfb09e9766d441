/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/device-network.h"

#include "ns3/collab-torch-learner.h"
#include "ns3/federated-helper.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

using namespace ns3;
using namespace ns3::collab;

namespace
{

constexpr double RATE = 0.5;       //!< of the steps
constexpr uint32_t SGD_ROUNDS = 4; //!< rounds
constexpr uint32_t SAMPLES = 48;   //!< of all devices together
constexpr uint32_t FEATURES = 6;   //!< numbers of a sample

/// @return some samples of three classes
std::shared_ptr<const DataSet>
MakeData()
{
    auto data = std::make_shared<DataSet>();
    data->classes = 3;
    data->sampleShape = {FEATURES};
    for (uint32_t i = 0; i < SAMPLES; ++i)
    {
        for (uint32_t k = 0; k < FEATURES; ++k)
        {
            data->features.push_back(static_cast<uint8_t>((37 * i + 101 * k + 13 * i * k) % 256));
        }
        data->labels.push_back((i + i / 5) % 3);
    }
    return data;
}

/// @return samples from one to before another
DataView
MakeView(const std::shared_ptr<const DataSet>& data, uint32_t first, uint32_t last)
{
    DataView view;
    view.data = data;
    for (uint32_t i = first; i < last; ++i)
    {
        view.indices.push_back(i);
        view.labels.push_back(data->labels[i]);
    }
    return view;
}

/// @return a learner with plain gradient descent in small batches
TorchLearnerConfig
MakeConfig(DataView view)
{
    TorchLearnerConfig config;
    config.model = "mlp:5";
    config.trainData = std::move(view);
    config.optimizer.kind = OptimizerKind::SGD;
    config.learningRate = RATE;
    config.batchSize = 4;
    config.initializationSeed = 3;
    config.shuffleSeed = 5;
    return config;
}

class FedSgdTest : public tests::DeviceNetwork
{
};

TEST_F(FedSgdTest, IsGradientDescentOnTheLossOfAllSamples)
{
    const auto data = MakeData();
    const TorchLearnerConfig whole = MakeConfig(MakeView(data, 0, SAMPLES));
    const FlatVector start = DrawInitialWeights(whole);
    Options options;
    options.devices = 4;
    MakeDevices(options);
    NodeContainer clients;
    std::vector<FederatedAgent> agents;
    const std::vector<uint32_t> bounds = {0, 7, 20, SAMPLES};
    for (uint32_t k = 0; k < 3; ++k)
    {
        clients.Add(m_nodes.Get(k));
        GetTransport(k)->SetServer(3);
        FederatedAgent agent;
        agent.learner =
            MakeTorchLearner(MakeConfig(MakeView(data, bounds[k], bounds[k + 1])), start);
        agent.samples = bounds[k + 1] - bounds[k];
        agents.push_back(agent);
    }
    FederatedHelper helper(MakePool());
    SetAttributes(helper,
                  {{"Algorithm", "FedSgd"},
                   {"LocalSteps", "20"}, // which FedSGD does not take
                   {"Rounds", std::to_string(SGD_ROUNDS)}});
    ApplicationContainer all = helper.Install(m_nodes.Get(3), start, clients, agents);
    all.Add(helper.GetServer());
    Watch(all);
    Run();

    const auto plain = MakeTorchLearner(whole, start);
    for (uint32_t round = 0; round < SGD_ROUNDS; ++round)
    {
        auto weights = *plain->GetWeights();
        const GradientReport report = plain->ComputeGradient({});
        for (std::size_t i = 0; i < weights.size(); ++i)
        {
            weights[i] -= static_cast<float>(RATE * (*report.gradient)[i]);
        }
        plain->SetWeights(std::make_shared<const std::vector<float>>(std::move(weights)));
    }
    const auto& got = *helper.GetServer()->GetModel();
    const auto& expected = *plain->GetWeights();
    ASSERT_EQ(got.size(), expected.size());
    double moved = 0;
    for (std::size_t i = 0; i < got.size(); ++i)
    {
        EXPECT_NEAR(got[i], expected[i], 2e-6);
        moved = std::max<double>(moved, std::abs(expected[i] - (*start)[i]));
    }
    EXPECT_GT(moved, 1e-2);
}

} // namespace
