/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/device-network.h"
#include "support/quadratic-learner.h"

#include "ns3/collab-random.h"
#include "ns3/gossip-helper.h"
#include "ns3/gossip-merge.h"
#include "ns3/gossip-segmented-application.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::collab;
using tests::QuadraticLearner;

namespace
{

/// Fully decentralized learning: whole models of random peers, which is segmented gossip with one
/// segment
class DecentralizedTest : public tests::DeviceNetwork
{
  protected:
    static constexpr uint32_t DEVICES = 12;
    static constexpr uint32_t PEERS = 7; //!< from which each device takes models in a round
    static constexpr uint32_t ROUNDS = 5;
    static constexpr uint32_t DIMENSION = 20; //!< numbers of a model
    static constexpr uint64_t SEED = 17;

    /// Install it, device k with the target k + 1 in all elements and 10 (k + 1) samples; training
    /// takes 1 s, which is long for models to arrive.
    /// @param agents of the devices
    /// @param start of the applications
    void
    Make(const std::vector<GossipAgent>& agents, Time start = Time())
    {
        Options options;
        options.devices = DEVICES;
        MakeDevices(options);
        GossipHelper helper("ns3::collab::SegmentedGossipApplication", MakePool(), SEED);
        SetAttributes(helper,
                      {{"Segments", "1"},
                       {"Replicas", std::to_string(PEERS)},
                       {"Rounds", std::to_string(ROUNDS)},
                       {"LocalSteps", "1"}});
        Watch(helper.Install(m_nodes, agents));
        m_applications.Start(start);
    }

    /// @return agents, with or without learners
    std::vector<GossipAgent>
    MakeAgents(bool haveLearners) const
    {
        std::vector<GossipAgent> agents(DEVICES);
        for (uint32_t k = 0; k < DEVICES; ++k)
        {
            agents[k].evaluations = {{"global", std::make_shared<const DataView>()}};
            if (haveLearners)
            {
                agents[k].learner = std::make_shared<QuadraticLearner>(
                    std::vector<float>(DIMENSION, k + 1.0F), 1, 0.1, 6000000000);
                agents[k].samples = 10 * (k + 1);
            }
        }
        return agents;
    }

    /// Compare all rounds of all devices with the plain computation
    void
    ExpectPlain() const
    {
        ASSERT_EQ(m_rounds.size(), DEVICES * ROUNDS);
        std::vector<double> x(DEVICES, 0);
        for (uint32_t round = 0; round < ROUNDS; ++round)
        {
            for (uint32_t k = 0; k < DEVICES; ++k)
            {
                x[k] -= 0.1 * (x[k] - (k + 1.0));
            }
            const auto trained = x;
            for (uint32_t k = 0; k < DEVICES; ++k)
            {
                std::vector<uint32_t> peers = Ids();
                peers.erase(peers.begin() + k);
                const uint64_t seed = SplitMix64(SplitMix64(SEED + k) + round);
                const auto drawn = DrawSources(peers, 1, PEERS, seed)[0];
                EXPECT_EQ(drawn.size(), PEERS);
                double sum = 10.0 * (k + 1) * trained[k];
                double samples = 10.0 * (k + 1);
                for (const uint32_t other : drawn)
                {
                    sum += 10.0 * (other + 1) * trained[other];
                    samples += 10.0 * (other + 1);
                }
                x[k] = sum / samples;
            }
            for (uint32_t k = 0; k < DEVICES; ++k)
            {
                EXPECT_NEAR(MetricOf(k, "accuracy_global").at(round), x[k], 1e-5) << k << round;
                EXPECT_EQ(MetricOf(k, "merged").at(round), PEERS);
            }
        }
    }
};

} // namespace

TEST_F(DecentralizedTest, AveragesTheModelsOfRandomPeers)
{
    Make(MakeAgents(true));
    Run();
    ExpectPlain();
}

TEST_F(DecentralizedTest, LearnsLateWhatItLearns)
{
    Make(MakeAgents(false), Seconds(10));
    EXPECT_EQ(DynamicCast<GossipApplication>(m_applications.Get(0))->GetModel(), nullptr);
    Simulator::Schedule(Seconds(9.5),
                        [this]() { GossipHelper::SetLearners(m_applications, MakeAgents(true)); });
    Run();
    ExpectPlain();
    EXPECT_GE(m_rounds.front().start, Seconds(10));
}
