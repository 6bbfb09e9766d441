/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated/federated-network.h"

#include "ns3/federated-client-application.h"

#include <gmock/gmock.h>
#include <random>

using namespace ns3;
using namespace ns3::collab;
using ::testing::Each;
using ::testing::FloatNear;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

namespace
{

constexpr uint32_t DEVICES = 5;
constexpr float MEAN = 3; //!< of the devices' targets, where all losses together are least

/// Devices that remember their updates, on links that lose them
class FederatedMemoryTest : public tests::FederatedNetwork
{
  protected:
    /// @param algorithm of the devices
    /// @param attributes besides that
    /// @param outage of all links
    void
    Make(const std::string& algorithm, tests::Attributes attributes = {}, double outage = 0)
    {
        Options options;
        options.devices = DEVICES;
        options.outage = outage;
        MakeNetwork(options);
        attributes.insert(attributes.begin(),
                          {{"Algorithm", algorithm},
                           {"Alpha", "0.5"},
                           {"LocalSteps", "5"},
                           {"Rounds", "150"},
                           {"LossPolicy", "BestEffort"}});
        std::vector<uint64_t> flops;
        for (uint32_t k = 0; k < DEVICES; ++k)
        {
            flops.push_back((k + 1) * 600000000); // 0.1 s, 0.2 s, ...
        }
        MakeApplications(attributes, flops);
    }

    /// @brief Let the server hear nothing while some of the devices upload, drawn at random.
    void
    LoseUploads()
    {
        for (uint32_t k = 0; k < DEVICES; ++k)
        {
            m_clients.Get(k)->TraceConnectWithoutContext(
                "Model", Callback<void, uint32_t, uint32_t>([this, k](uint32_t, uint32_t) {
                    if (m_draw(m_generator))
                    {
                        const Time upload = MilliSeconds(100 * (k + 1));
                        Simulator::Schedule(upload - MilliSeconds(10),
                                            [this]() { Deafen(DEVICES); });
                        Simulator::Schedule(upload + MilliSeconds(50), [this]() { Hear(DEVICES); });
                    }
                }));
        }
    }

    /// @return updates that the server has used, of all that it has asked for
    double
    GetShare() const
    {
        double used = 0;
        double sampled = 0;
        for (const auto& record : m_participation)
        {
            used += static_cast<double>(record.uploaded.size());
            sampled += static_cast<double>(record.sampled.size());
        }
        return used / sampled;
    }

    /// @param round in which all devices have trained
    /// @return sum of their corrections: of c - c_k in SCAFFOLD, which is 0 if c is the mean c_k
    std::vector<float>
    SumCorrections(std::size_t round) const
    {
        std::vector<float> sum(DIMENSION, 0.0F);
        for (const auto& learner : m_learners)
        {
            for (std::size_t i = 0; i < DIMENSION; ++i)
            {
                sum[i] += (*learner->tasks.at(round).correction)[i];
            }
        }
        return sum;
    }

    std::mt19937 m_generator{7};             //!< of lost updates
    std::bernoulli_distribution m_draw{0.4}; //!< whether one is lost
};

} // namespace

TEST_F(FederatedMemoryTest, LostUpdatesAreNotRemembered)
{
    for (const std::string algorithm : {"Scaffold", "FedDyn"})
    {
        Make(algorithm);
        LoseUploads();
        Run();
        EXPECT_GT(GetShare(), 0.5);
        EXPECT_LT(GetShare(), 0.7);
        for (std::size_t round = 0; round < m_participation.size(); ++round)
        {
            if (algorithm == "Scaffold")
            {
                EXPECT_THAT(SumCorrections(round), Each(FloatNear(0, 2e-5F))) << round;
            }
        }
        EXPECT_THAT(*m_server->GetModel(), Each(FloatNear(MEAN, 1e-4F))) << algorithm;
    }
}

TEST_F(FederatedMemoryTest, LostModelsLeaveWhatIsProvisional)
{
    for (const std::string algorithm : {"Scaffold", "FedDyn"})
    {
        for (const std::string policy : {"BestEffort", "Reliable"})
        {
            Make(algorithm,
                 {{"LossPolicy", policy}, {"Participation", "0.7"}, {"Rounds", "400"}},
                 0.5);
            Run();
            EXPECT_LT(GetShare(), 0.99);
            EXPECT_THAT(*m_server->GetModel(), Each(FloatNear(MEAN, 1e-3F))) << algorithm << policy;
        }
    }
}

TEST_F(FederatedMemoryTest, LateUpdatesAreNotRemembered)
{
    Make("Scaffold",
         {{"Downlink", "Unicast"}, {"Participation", "0.4"}, {"RoundDeadline", "0.05s"}});
    Run();
    EXPECT_THAT(m_late, Not(IsEmpty()));
    EXPECT_THAT(*m_server->GetModel(), Each(0.0F));
    for (const auto& learner : m_learners)
    {
        for (const auto& task : learner->tasks)
        {
            EXPECT_THAT(*task.correction, Each(0.0F));
        }
    }
}

TEST_F(FederatedMemoryTest, UnusedUpdatesAreNotRemembered)
{
    Make("Scaffold", {{"AggregationRule", "krum:f=2"}, {"Rounds", "5"}}); // needs seven
    Run();
    EXPECT_EQ(GetShare(), 1); // all were there
    for (const auto& learner : m_learners)
    {
        ASSERT_THAT(learner->tasks, SizeIs(5));
        EXPECT_THAT(*learner->tasks.back().correction, Each(0.0F));
    }
}

TEST_F(FederatedMemoryTest, WhatCompressionDropsIsNotRemembered)
{
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"Scaffold", "false"}, {"Scaffold", "true"}, {"FedDyn", "false"}};
    for (const auto& [algorithm, feedback] : cases)
    {
        Make(algorithm, {{"Rounds", "400"}});
        for (uint32_t k = 0; k < DEVICES; ++k)
        {
            m_clients.Get(k)->SetAttribute("Compression", StringValue("top-k:fraction=0.2"));
            m_clients.Get(k)->SetAttribute("ErrorFeedback", StringValue(feedback));
        }
        Run();
        EXPECT_THAT(*m_server->GetModel(), Each(FloatNear(MEAN, 1e-3F))) << algorithm << feedback;
    }
}

TEST_F(FederatedMemoryTest, ModelsCarryABitForEachParticipant)
{
    std::map<std::string, uint64_t> bytes;
    for (const std::string algorithm : {"FedAvg", "FedDyn"})
    {
        Make(algorithm, {{"Rounds", "1"}});
        Run();
        bytes[algorithm] = m_outcomes.front().bytes;
    }
    EXPECT_EQ(bytes.at("FedDyn"), bytes.at("FedAvg") + 1); // 5 bits
}
