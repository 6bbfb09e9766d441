/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Devices that exchange a part of their models, which are linear with a loss in closed form

#include "support/device-network.h"
#include "support/quadratic-learner.h"

#include "ns3/collab-compression.h"
#include "ns3/collab-personal-learner.h"
#include "ns3/federated-helper.h"

#include <cmath>
#include <gmock/gmock.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::collab;
using ::testing::Each;
using ::testing::FloatNear;
using ::testing::SizeIs;

namespace
{

constexpr uint32_t PARTIAL_DEVICES = 3; //!< without the server
constexpr double PARTIAL_RATE = 0.1; //!< of steps of gradient descent on |w - t|^2 / 2, one a round

/// Models of 10 numbers; device k has the target k + 1 in all, and 10 (k + 1) samples
class PartialModelsTest : public tests::DeviceNetwork
{
  protected:
    /// @brief Run some rounds.
    /// @param places that are shared; none for all
    /// @param rounds number of rounds
    /// @param options of the devices
    /// @param algorithm attribute Algorithm
    void
    Play(const std::vector<std::size_t>& places,
         uint32_t rounds,
         Options options = {},
         const std::string& algorithm = "FedAvg")
    {
        constexpr std::size_t SIZE = 10;
        options.devices = PARTIAL_DEVICES + 1;
        MakeDevices(options);
        NodeContainer clients;
        std::vector<FederatedAgent> agents;
        m_learners.clear();
        for (uint32_t k = 0; k < PARTIAL_DEVICES; ++k)
        {
            clients.Add(m_nodes.Get(k));
            GetTransport(k)->SetServer(PARTIAL_DEVICES);
            std::unique_ptr<Learner> learner = std::make_unique<tests::QuadraticLearner>(
                std::vector<float>(SIZE, static_cast<float>(k + 1)), 1, PARTIAL_RATE);
            if (!places.empty())
            {
                learner = MakePersonalLearner(std::move(learner), {places, places.size()});
            }
            m_learners.push_back(std::move(learner));
            FederatedAgent agent;
            agent.learner = m_learners.back();
            agent.samples = 10 * (k + 1);
            agents.push_back(agent);
        }
        FederatedHelper helper(MakePool());
        SetAttributes(helper,
                      {{"Algorithm", algorithm},
                       {"Rounds", std::to_string(rounds)},
                       {"LocalEpochs", "1"},
                       {"LearningRate", "0.1"},
                       {"RoundDeadline", "2s"}});
        ApplicationContainer all = helper.Install(
            m_nodes.Get(PARTIAL_DEVICES), m_learners[0]->GetWeights(), clients, agents);
        m_server = helper.GetServer();
        all.Add(m_server);
        Watch(all);
        Run();
        EXPECT_THAT(GetReasons(), ::testing::IsEmpty());
    }

    /// @return bytes of the last message of a kind
    uint64_t
    SizeOf(const std::string& kind) const
    {
        uint64_t bytes = 0;
        for (const auto& outcome : m_outcomes)
        {
            bytes = outcome.kindName == kind ? outcome.bytes : bytes;
        }
        return bytes;
    }

    const std::vector<std::size_t> BODY = {0, 1, 2, 3, 4, 5}; //!< what is shared
    std::vector<std::shared_ptr<Learner>> m_learners;         //!< of the devices
    Ptr<FederatedServerApplication> m_server;                 //!< of the run
};

} // namespace

TEST_F(PartialModelsTest, FedPerAveragesTheSharedPartAndEachKeepsTheRest)
{
    constexpr uint32_t ROUNDS = 4;
    Play(BODY, ROUNDS);
    double x = 0; // of the shared numbers: the mean of w - 0.1 (w - t), weighted 1 : 2 : 3
    for (uint32_t round = 0; round < ROUNDS; ++round)
    {
        x += PARTIAL_RATE * ((1 * 1 + 2 * 2 + 3 * 3) / 6.0 - x);
    }
    EXPECT_THAT(*m_server->GetModel(), SizeIs(6));
    EXPECT_THAT(*m_server->GetModel(), Each(FloatNear(static_cast<float>(x), 1e-6F)));
    for (uint32_t k = 0; k < PARTIAL_DEVICES; ++k)
    {
        const auto all = *m_learners[k]->GetAllWeights();
        // The own numbers have gone towards the own target all the time
        const auto own = static_cast<float>((k + 1) * (1 - std::pow(1 - PARTIAL_RATE, ROUNDS)));
        EXPECT_THAT(std::vector<float>(all.begin(), all.begin() + 6),
                    Each(FloatNear(static_cast<float>(x), 1e-6F)));
        EXPECT_THAT(std::vector<float>(all.begin() + 6, all.end()), Each(FloatNear(own, 1e-6F)));
    }
}

TEST_F(PartialModelsTest, OnlyTheSharedPartIsOnAir)
{
    Play({}, 1);
    const uint64_t whole = SizeOf("update");
    const double joules = GetJoules(0).at(static_cast<std::size_t>(EnergyKind::TX));
    Play(BODY, 1);
    EXPECT_EQ(whole, 23 + 8 + 5 + 10 * 4); // header; samples; format, number; numbers
    EXPECT_EQ(SizeOf("update"), 23 + 8 + 5 + 6 * 4);
    EXPECT_EQ(SizeOf("global-model"), 23 + 4 + 4 + 5 + 6 * 4); // the final one names nobody
    EXPECT_LT(GetJoules(0).at(static_cast<std::size_t>(EnergyKind::TX)), joules);
}

TEST_F(PartialModelsTest, IsTheSameInBytesAndByAnyAlgorithm)
{
    for (const std::string algorithm : {"FedAvg", "FedProx", "Scaffold", "FedAvgM", "FedNova"})
    {
        Play(BODY, 3, {}, algorithm);
        const std::string trace = GetTrace();
        const std::vector<float> model = *m_server->GetModel();
        EXPECT_THAT(model, SizeIs(6));
        EXPECT_GT(model[0], 0.1) << algorithm;
        Options options;
        options.payloadMode = "Bytes";
        Play(BODY, 3, options, algorithm);
        EXPECT_EQ(GetTrace(), trace) << algorithm;
        EXPECT_EQ(*m_server->GetModel(), model) << algorithm;
    }
}
