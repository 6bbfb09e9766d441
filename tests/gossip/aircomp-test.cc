/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/device-network.h"
#include "support/quadratic-learner.h"

#include "ns3/d2d-analog-air.h"
#include "ns3/d2d-channel.h"
#include "ns3/gossip-application.h"
#include "ns3/gossip-averaging.h"
#include "ns3/gossip-helper.h"
#include "ns3/mobility-model.h"
#include "ns3/propagation-loss-model.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>
#include <gmock/gmock.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::collab;
using ::testing::ElementsAre;

namespace
{

/// Four devices that learn over the air
class AirCompTest : public tests::DeviceNetwork
{
  protected:
    static constexpr uint32_t DEVICES = 4;
    static constexpr uint32_t DIMENSION = 50; //!< numbers of a model
    static constexpr uint32_t ROUNDS = 3;

    /// Install the algorithm; device k learns k + 1
    /// @param attributes of the applications
    /// @param options of the network
    /// @param model of outages, and so of fading
    void
    Make(const tests::Attributes& attributes = {},
         Options options = {},
         const std::string& model = "ns3::collab::D2dThresholdOutageModel")
    {
        options.devices = DEVICES;
        options.duplex = "Full";
        MakeDevices(options);
        const Ptr<D2dChannel> channel = GetRadio(0)->GetD2dChannel();
        channel->SetAttribute("OutageModel", StringValue(model));
        channel->SetAttribute("NoisePower", StringValue("1e-20"));
        std::vector<GossipAgent> agents;
        for (uint32_t k = 0; k < DEVICES; ++k)
        {
            GossipAgent agent;
            agent.learner = std::make_shared<tests::QuadraticLearner>(
                std::vector<float>(DIMENSION, static_cast<float>(k + 1)), 1, 0.1, 60000000);
            agent.samples = 10 * (k + 1); // which does not matter
            agent.evaluations = {{"global", std::make_shared<const DataView>()}};
            agents.push_back(agent);
        }
        GossipHelper helper("ns3::collab::AirCompGossipApplication", MakePool(), 11);
        SetAttributes(helper,
                      {{"Rounds", std::to_string(ROUNDS)},
                       {"LocalSteps", "1"},
                       {"MixTimeout", "2s"},
                       {"LossPolicy", "Reliable"}});
        SetAttributes(helper, attributes);
        Watch(helper.Install(m_nodes, agents));
        m_air = D2dAnalogAir::Of(channel);
    }

    /// @return the model of a device
    std::vector<float>
    GetModel(uint32_t device) const
    {
        return *DynamicCast<GossipApplication>(m_applications.Get(device))->GetModel();
    }

    /// @param links whether two devices hear each other
    /// @return by device, what decentralized SGD with the weights of Metropolis makes of 0
    static std::vector<double>
    Average(const std::function<bool(uint32_t, uint32_t)>& links)
    {
        std::vector<uint32_t> degrees(DEVICES);
        for (uint32_t i = 0; i < DEVICES; ++i)
        {
            for (uint32_t k = 0; k < DEVICES; ++k)
            {
                degrees[i] += i != k && links(i, k) ? 1 : 0;
            }
        }
        std::vector<double> x(DEVICES);
        for (uint32_t round = 0; round < ROUNDS; ++round)
        {
            std::vector<double> z(DEVICES);
            for (uint32_t k = 0; k < DEVICES; ++k)
            {
                z[k] = x[k] - 0.1 * (x[k] - (k + 1));
            }
            x = z;
            for (uint32_t i = 0; i < DEVICES; ++i)
            {
                for (uint32_t k = 0; k < DEVICES; ++k)
                {
                    const bool isNeighbor = i != k && links(i, k);
                    x[i] += isNeighbor ? (z[k] - z[i]) / (1 + std::max(degrees[i], degrees[k])) : 0;
                }
            }
        }
        return x;
    }

    Ptr<D2dAnalogAir> m_air; //!< of the channel
};

using AirCompDeathTest = AirCompTest;

} // namespace

TEST_F(AirCompTest, ModelsAreMixedWithTheWeightsOfMetropolis)
{
    Make();
    Run();
    const auto expected = Average([](uint32_t, uint32_t) { return true; });
    std::map<std::string, uint32_t> kinds;
    for (const auto& outcome : m_outcomes)
    {
        ++kinds[outcome.kindName];
    }
    EXPECT_EQ(kinds, (std::map<std::string, uint32_t>{{"air-head", 36}, {"air-slot", 36}}));
    for (uint32_t k = 0; k < DEVICES; ++k)
    {
        EXPECT_NEAR(GetModel(k).front(), expected[k], 1e-4);
        EXPECT_NEAR(GetModel(k).back(), expected[k], 1e-4);
        EXPECT_THAT(MetricOf(k, "merged"), ElementsAre(3, 3, 3));
    }
}

TEST_F(AirCompTest, DevicesMixWithThoseThatTheyHear)
{
    Make();
    const auto isLink = [](uint32_t a, uint32_t b) { return std::max(a, b) - std::min(a, b) != 3; };
    const auto losses = CreateObject<MatrixPropagationLossModel>(); // transmit at 20 dBm
    losses->SetDefaultLoss(80);
    losses->SetLoss(m_nodes.Get(0)->GetObject<MobilityModel>(),
                    m_nodes.Get(3)->GetObject<MobilityModel>(),
                    500);
    GetRadio(0)->GetD2dChannel()->SetPropagationLossModel(losses);
    Run();
    const auto expected = Average(isLink);
    for (uint32_t k = 0; k < DEVICES; ++k)
    {
        EXPECT_NEAR(GetModel(k).front(), expected[k], 1e-4) << k;
    }
}

TEST_F(AirCompTest, ASlotTakesHalfASymbolForEachNumberWhateverTheNumberOfDevices)
{
    Make({{"Rounds", "1"}});
    Run();
    // 25 symbols, and pilots of 32 of the receiver and of three devices, at 1 MHz
    const Time slot = MicroSeconds(25 + 4 * 32);
    Time first = Time::Max();
    Time last;
    for (const auto& record : m_phases)
    {
        if (record.phase == "superpose")
        {
            first = std::min(first, record.end);
            last = std::max(last, record.end);
        }
    }
    EXPECT_EQ(last - first, slot * 3) << "one after the other";
}

TEST_F(AirCompTest, ModesOfPayloadAndNumbersOfThreadsChangeNothing)
{
    std::vector<std::string> traces;
    std::vector<std::vector<float>> models;
    for (const std::string mode : {"Reference", "Bytes", "Reference"})
    {
        Options options;
        options.payloadMode = mode;
        Make({}, options, "ns3::collab::D2dRayleighOutageModel");
        m_air->SetAttribute("Threshold", StringValue("0.7")); // half of them are silent
        m_air->SetAttribute("BlockSymbols", StringValue("5"));
        m_air->SetAttribute("PhaseError", StringValue("0.3"));
        m_pool->SetAttribute("Threads", UintegerValue(models.size() == 2 ? 3 : 1));
        Run();
        traces.push_back(GetTrace());
        models.push_back(GetModel(1));
    }
    EXPECT_EQ(traces[0], traces[1]);
    EXPECT_EQ(models[0], models[1]);
    EXPECT_EQ(traces[0], traces[2]);
    EXPECT_EQ(models[0], models[2]);
    EXPECT_NE(models[0][0], models[0][49]); // the first block, and another one
}

TEST_F(AirCompTest, WhoIsNotReceivedLeavesItsWeightToTheDevice)
{
    Make({{"Rounds", "1"}});
    Crash(3, MilliSeconds(1)); // in its training
    Run();
    for (uint32_t i = 0; i < 3; ++i)
    {
        double expected = 0.1 * (i + 1);
        for (uint32_t k = 0; k < 3; ++k)
        {
            expected += 0.1 * (static_cast<double>(k) - i) / 4; // three neighbors each
        }
        EXPECT_NEAR(GetModel(i).front(), expected, 1e-4);
        EXPECT_THAT(MetricOf(i, "missing"), ElementsAre(1));
    }
}

TEST_F(AirCompDeathTest, WhatDoesNotGoWithItIsRefused)
{
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto play = [this](const tests::Attributes& attributes) {
        Make(attributes);
        Run();
    };
    EXPECT_DEATH(play({{"LossPolicy", "BestEffort"}}), "needs the LossPolicy Reliable");
}

TEST(AirCompMixTest, EachBlockHasItsOwnWeight)
{
    const std::vector<float> mixed = MixSuperposed({1, 1, 1}, {3, 5, 9}, {0.5, 0}, 2);
    EXPECT_THAT(mixed, ElementsAre(2, 3, 1));
}
