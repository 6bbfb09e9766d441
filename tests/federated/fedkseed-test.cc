/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated/fedkseed-reference.h"
#include "support/device-network.h"

#include "ns3/collab-seed-learner.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/federated-helper.h"

#include <cmath>
#include <gmock/gmock.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::collab;
using ::testing::FloatNear;
using ::testing::Pointwise;

namespace
{

// As tests/reference/make-fedkseed-reference.py
constexpr uint32_t KSEED_SEEDS = 16;
constexpr uint64_t KSEED_ORIGIN = 77;
constexpr uint32_t KSEED_STEPS = 5;
constexpr uint32_t KSEED_FEATURES = 4;
constexpr uint32_t KSEED_CLASSES = 3;
const std::vector<uint32_t> KSEED_SAMPLES = {6, 10};

/// @return samples of a device
DataView
MakeOwn(uint32_t device)
{
    auto data = std::make_shared<DataSet>();
    std::vector<uint32_t> all;
    data->kind = FeatureKind::NUMBERS;
    data->sampleShape = {KSEED_FEATURES};
    data->classes = KSEED_CLASSES;
    for (uint32_t i = 0; i < KSEED_SAMPLES[device]; ++i)
    {
        for (uint32_t j = 0; j < KSEED_FEATURES; ++j)
        {
            data->numbers.push_back(static_cast<float>(std::sin(3.0 * device + 2 * i + 5 * j)));
        }
        data->labels.push_back((i + device) % KSEED_CLASSES);
        all.push_back(i);
    }
    return MakeView(data, all);
}

/// Two devices and a server, the last node
class FedKSeedTest : public tests::DeviceNetwork
{
  protected:
    FedKSeedTest()
    {
        auto first = std::make_shared<std::vector<float>>();
        for (uint32_t i = 0; i < KSEED_CLASSES * (KSEED_FEATURES + 1); ++i)
        {
            first->push_back(static_cast<float>(0.3 * std::sin(1.0 + 2 * i)));
        }
        m_first = first;
        m_model = std::make_shared<SeedModel>(m_first, m_first->size(), KSEED_SEEDS, KSEED_ORIGIN);
    }

    /// @return a learner along the seeds
    std::shared_ptr<Learner>
    MakeLearner(uint32_t device) const
    {
        TorchLearnerConfig config;
        config.model = "linear";
        config.trainData = MakeOwn(device);
        SeedSteps steps;
        steps.smoothing = 0.05;
        steps.learningRate = 0.05;
        steps.shuffleSeed = device + 1;
        return MakeSeedLearner(MakeTorchLearner(config, m_first), config.trainData, m_model, steps);
    }

    /// @brief Run three rounds.
    /// @param attributes of the applications, besides
    /// @param payloadMode Reference or Bytes
    void
    Play(const tests::Attributes& attributes, const std::string& payloadMode = "Reference")
    {
        Options options;
        options.devices = 3;
        options.payloadMode = payloadMode;
        MakeDevices(options);
        NodeContainer clients;
        std::vector<FederatedAgent> agents;
        m_learners.clear();
        for (uint32_t device = 0; device < 2; ++device)
        {
            clients.Add(m_nodes.Get(device));
            GetTransport(device)->SetServer(2);
            m_learners.push_back(MakeLearner(device));
            FederatedAgent agent;
            agent.learner = m_learners.back();
            agent.samples = KSEED_SAMPLES[device];
            agents.push_back(agent);
        }
        FederatedHelper helper(MakePool());
        SetAttributes(helper,
                      {{"Algorithm", "FedKSeed"},
                       {"Rounds", "3"},
                       {"LocalSteps", std::to_string(KSEED_STEPS)},
                       {"LearningRate", "0.05"}});
        for (const auto& [name, value] : attributes)
        {
            helper.SetClientAttribute(name, StringValue(value));
        }
        ApplicationContainer all =
            helper.Install(m_nodes.Get(2), m_learners[0]->GetWeights(), clients, agents);
        m_server = helper.GetServer();
        all.Add(m_server);
        Watch(all);
        Run();
    }

    FlatVector m_first;                                               //!< w_0
    std::shared_ptr<SeedModel> m_model;                               //!< of both devices
    std::vector<std::shared_ptr<Learner>> m_learners;                 //!< of the devices
    Ptr<FederatedServerApplication> m_server;                         //!< of the run
    const tests::Attributes m_pairs = {{"Compression", "top-k:k=5"}}; //!< of a seed and a scalar
};

TEST_F(FedKSeedTest, DirectionsAreThoseOfNumpy)
{
    const SeedModel small(
        std::make_shared<const std::vector<float>>(5, 0.0F), 5, KSEED_SEEDS, KSEED_ORIGIN);
    EXPECT_THAT(small.DrawDirection(3), Pointwise(FloatNear(1e-6F), EXPECTED_FEDKSEED_DIRECTION));
}

TEST_F(FedKSeedTest, ScalarsAndModelsAreThoseOfNumpy)
{
    Play(m_pairs);
    EXPECT_THAT(*m_server->GetModel(), Pointwise(FloatNear(3e-6F), EXPECTED_FEDKSEED_SCALARS));
    for (const auto& learner : m_learners)
    {
        EXPECT_THAT(*learner->GetAllWeights(),
                    Pointwise(FloatNear(1e-5F), EXPECTED_FEDKSEED_WEIGHTS));
    }
    EXPECT_THAT(GetReasons(), ::testing::IsEmpty());
}

TEST_F(FedKSeedTest, UpdatesArePairsAndModelsAreScalars)
{
    Play(m_pairs);
    std::map<std::string, uint64_t> bytes;
    for (const auto& outcome : m_outcomes)
    {
        bytes[outcome.kindName] = outcome.bytes;
    }
    // Samples; format, number of seeds and of pairs; which they are, a bit a seed; and scalars
    EXPECT_EQ(bytes.at("update"), 23 + 8 + 5 + 4 + 2 + KSEED_STEPS * 4);
    // Of the final one: no participants, length; format, number of seeds, scalars
    EXPECT_EQ(bytes.at("global-model"), 23 + 4 + 4 + 5 + KSEED_SEEDS * 4);
    const std::string trace = GetTrace();
    const std::vector<float> scalars = *m_server->GetModel();
    Play(m_pairs, "Bytes");
    EXPECT_EQ(GetTrace(), trace);
    EXPECT_EQ(*m_server->GetModel(), scalars);
    Play({}); // whole vectors, in which the other numbers are 0
    EXPECT_THAT(*m_server->GetModel(), Pointwise(FloatNear(1e-6F), scalars));
}

} // namespace
