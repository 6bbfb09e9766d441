/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated/federated-network.h"

#include "ns3/collab-analog-port.h"
#include "ns3/collab-error.h"
#include "ns3/collab-message-header.h"
#include "ns3/d2d-channel.h"
#include "ns3/federated-analog-messages.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>

using namespace ns3;
using namespace ns3::collab;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

namespace
{

/// Three devices and a server, the last node, with the uplink Analog
class FederatedAnalogTest : public tests::FederatedNetwork
{
  protected:
    /// @param attributes of the applications
    /// @param trainFlops operations of a training job, by device
    /// @param model of outages, and so of fading
    /// @param options of the network
    void
    Make(tests::Attributes attributes = {},
         const std::vector<uint64_t>& trainFlops = {},
         const std::string& model = "ns3::collab::D2dThresholdOutageModel",
         const Options& options = {})
    {
        MakeNetwork(options);
        const Ptr<D2dChannel> channel = GetRadio(0)->GetD2dChannel();
        channel->SetAttribute("OutageModel", StringValue(model));
        channel->SetAttribute("NoisePower", StringValue("1e-20"));
        attributes.insert(attributes.begin(), {"Uplink", "Analog"});
        MakeApplications(attributes, trainFlops);
        m_air = D2dAnalogAir::Of(channel);
    }

    /// @param x the model, all of its elements
    /// @param devices that take part
    /// @return what FedAvg makes of it: see MakeApplications()
    static double
    Average(double x, const std::vector<uint32_t>& devices)
    {
        double sum = 0;
        double samples = 0;
        for (const uint32_t k : devices)
        {
            sum += 10.0 * (k + 1) * (x - 0.1 * (x - (k + 1)));
            samples += 10.0 * (k + 1);
        }
        return sum / samples;
    }

    /// @param device a device
    /// @param phase of its first round
    /// @return how long it was in it
    Time
    FindPhase(uint32_t device, const std::string& phase) const
    {
        for (const auto& record : m_phases)
        {
            if (record.device == device && record.phase == phase)
            {
                return record.end - record.start;
            }
        }
        return {};
    }

    Ptr<D2dAnalogAir> m_air; //!< of the channel
};

using FederatedAnalogDeathTest = FederatedAnalogTest;

} // namespace

TEST_F(FederatedAnalogTest, TheModelIsTheWeightedMean)
{
    for (const std::string downlink : {"Broadcast", "Unicast"})
    {
        Make({{"Downlink", downlink}});
        Run();
        EXPECT_THAT(m_participation, SizeIs(ROUNDS));
        double x = 0;
        for (const auto& record : m_participation)
        {
            EXPECT_THAT(record.uploaded, ElementsAre(0, 1, 2));
            x = Average(x, {0, 1, 2});
        }
        EXPECT_THAT(*m_server->GetModel(), Each(FloatNear(x, 1e-4)));
        EXPECT_THAT(MetricOf(0, "sent"), ElementsAre(1, 1, 1));
        EXPECT_THAT(MetricOf(CLIENTS, "aggregated"), ElementsAre(3, 3, 3));
        EXPECT_THAT(GetReasons(), IsEmpty());
        for (const auto& outcome : m_outcomes)
        {
            EXPECT_NE(outcome.kindName, "update"); // nothing of it travels as a message
        }
    }
}

TEST_F(FederatedAnalogTest, ARoundHasHeadsASlotMessageAndTheSlot)
{
    Make();
    Run();
    std::map<std::string, std::pair<uint64_t, uint32_t>> kinds; // bytes, and how many
    Time announced;
    for (const auto& outcome : m_outcomes)
    {
        kinds[outcome.kindName].first = outcome.bytes;
        ++kinds[outcome.kindName].second;
    }
    EXPECT_EQ(kinds["analog-head"], std::pair(uint64_t{MessageHeader::SIZE + 4 + 4}, ROUNDS * 3));
    EXPECT_EQ(kinds["analog-slot"],
              std::pair(uint64_t{MessageHeader::SIZE + 4 + 4 + 3 * 4}, ROUNDS * 3));
    // 25 symbols, and pilots of 32 of the server and of three devices, at 1 MHz
    const Time slot = MicroSeconds(25 + 4 * 32);
    const Time message = GetRadio(CLIENTS)->GetPhy()->GetAirtime(MessageHeader::SIZE + 20);
    const Time superposed = FindPhase(CLIENTS, "superpose");
    EXPECT_GT(superposed, slot + message);
    EXPECT_LT(superposed, slot + message + MilliSeconds(1)); // acknowledgments
}

TEST_F(FederatedAnalogTest, WhoIsNotReadyInTimeIsLeftOut)
{
    Make({{"Rounds", "1"}}, {6000000, 30000000000, 6000000}); // 5 s, and the deadline is 2 s
    Run();
    EXPECT_THAT(m_participation.at(0).uploaded, ElementsAre(0, 2));
    EXPECT_THAT(*m_server->GetModel(), Each(FloatNear(Average(0, {0, 2}), 1e-4)));
    EXPECT_THAT(MetricOf(1, "sent"), ElementsAre(0));
}

TEST_F(FederatedAnalogTest, WhoGoesOffBeforeTheSlotIsLeftOut)
{
    Make({{"Rounds", "1"}}, {6000000, 6000000, 60000000}); // all wait for the last one, 10 ms
    Crash(0, MilliSeconds(8));
    Run();
    EXPECT_THAT(m_participation.at(0).uploaded, ElementsAre(1, 2));
    EXPECT_THAT(*m_server->GetModel(), Each(FloatNear(Average(0, {1, 2}), 1e-4)));
}

TEST_F(FederatedAnalogTest, ModesOfPayloadAndNumbersOfThreadsChangeNothing)
{
    std::vector<std::string> traces;
    std::vector<std::vector<float>> models;
    for (const std::string mode : {"Reference", "Bytes", "Reference"})
    {
        Options options;
        options.payloadMode = mode;
        Make({}, {}, "ns3::collab::D2dRayleighOutageModel", options);
        m_air->SetAttribute("Threshold", StringValue("0.7")); // half of them are silent
        m_air->SetAttribute("BlockSymbols", StringValue("5"));
        m_air->SetAttribute("PhaseError", StringValue("0.3"));
        m_pool->SetAttribute("Threads", UintegerValue(models.size() == 2 ? 3 : 1));
        Run();
        traces.push_back(GetTrace());
        models.push_back(*m_server->GetModel());
    }
    EXPECT_EQ(traces[0], traces[1]);
    EXPECT_EQ(models[0], models[1]);
    EXPECT_EQ(traces[0], traces[2]);
    EXPECT_EQ(models[0], models[2]);
    EXPECT_NE(models[0][0], models[0][49]); // the first block, and another one
}

TEST_F(FederatedAnalogTest, HeadsAndSlotsAreChecked)
{
    FederatedHead most;
    most.samples = 100;
    const auto check = [&most](uint32_t samples, float limit) {
        FederatedHead head;
        head.samples = samples;
        head.limit = limit;
        head.Check(most);
    };
    EXPECT_NO_THROW(check(100, 1));
    EXPECT_THROW(check(0, 1), PayloadError);
    EXPECT_THROW(check(101, 1), PayloadError);
    EXPECT_THROW(check(1, 0), PayloadError);
    FederatedSlot slot;
    EXPECT_THROW(slot.Check(), PayloadError);
    slot.amplitude = 1;
    EXPECT_NO_THROW(slot.Check());
}

TEST_F(FederatedAnalogTest, ChannelsWithoutFadingAndIpRefuse)
{
    Make({}, {}, "ns3::collab::D2dThresholdOutageModel");
    GetRadio(0)->GetD2dChannel()->SetAttribute("OutageModel",
                                               StringValue("ns3::collab::D2dFixedOutageModel"));
    EXPECT_THROW(Run(), UserError);
    Reset();
    MakeIpDevices({}, "Udp");
    try
    {
        GetTransport(0)->GetAnalogPort(1);
        ADD_FAILURE() << "nothing was thrown";
    }
    catch (const UserError& error)
    {
        EXPECT_THAT(error.what(), HasSubstr("UdpTransport has no analog aggregation"));
    }
}

TEST_F(FederatedAnalogDeathTest, WhatDoesNotGoWithItIsRefused)
{
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto play = [this](const tests::Attributes& attributes) {
        Make(attributes);
        Run();
    };
    for (const std::string algorithm : {"FedDyn", "Scaffold", "FedNova", "FedDf"})
    {
        EXPECT_DEATH(play({{"Algorithm", algorithm}}), "the Uplink Analog needs an Algorithm");
    }
    EXPECT_DEATH(play({{"LossPolicy", "BestEffort"}}), "needs the LossPolicy Reliable");
    EXPECT_DEATH(play({{"AggregationRule", "median"}}), "needs the AggregationRule mean");
    EXPECT_DEATH(play({{"Compression", "int8"}}), "needs the Compression float32");
    EXPECT_DEATH(play({{"ErrorFeedback", "true"}}), "no ErrorFeedback");
    EXPECT_DEATH(play({{"UpdatePrivacy", "clip=1,sigma=1"}}), "no UpdatePrivacy");
}
