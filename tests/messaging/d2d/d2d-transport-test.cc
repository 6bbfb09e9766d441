/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging/test-payloads.h"
#include "support/device-network.h"

#include "ns3/collab-message-header.h"
#include "ns3/d2d-channel.h"
#include "ns3/d2d-transport.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <map>

using namespace ns3;
using namespace ns3::collab;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::tests::KIND;
using ::tests::NumberedUnits;
using ::tests::RunFor;

namespace
{

class D2dTransportTest : public ::tests::DeviceNetwork
{
  protected:
    /// Let devices with units of 100 bytes hear each other.
    void
    Make(const Options& options)
    {
        MakeDevices(options);
        m_arrivals.clear();
        m_reports.clear();
        for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
        {
            GetTransport(i)->RegisterKind(
                KIND, "units", NumberedUnits::ParserFor(100), [this](const Message& message) {
                    m_arrivals.push_back(message);
                });
        }
        WatchTransports();
    }

    void
    TearDown() override
    {
        EXPECT_THAT(GetReasons(), IsEmpty());
        DeviceNetwork::TearDown();
    }

    /// @return how to send, and to keep the report
    SendOptions
    ReportedOptions(LossPolicy policy)
    {
        return {policy, [this](const DeliveryReport& report) { m_reports.push_back(report); }};
    }

    std::vector<Message> m_arrivals;       //!< messages that arrived
    std::vector<DeliveryReport> m_reports; //!< what the senders were told
};

/// What must hold in both fidelities
class D2dTransportFidelityTest : public D2dTransportTest,
                                 public ::testing::WithParamInterface<const char*>
{
  protected:
    void
    Make(double outage = 0, uint32_t devices = Options().devices)
    {
        Options options;
        options.fidelity = GetParam();
        options.outage = outage;
        options.devices = devices;
        D2dTransportTest::Make(options);
    }

    /// Let the first device send to the second.
    uint32_t
    SendUnits(uint32_t units, const SendOptions& how)
    {
        return GetTransport(0)->Send(
            GetTransport(1)->GetDeviceId(), {KIND, 0, NumberedUnits::Make(units, 100)}, how);
    }

    /// Let the first device send to all, and keep the report
    uint32_t
    BroadcastUnits(uint32_t units, LossPolicy policy)
    {
        return GetTransport(0)->Broadcast({KIND, 0, NumberedUnits::Make(units, 100)},
                                          ReportedOptions(policy));
    }

    /// Cancel a message of the first device while it is on air, and go on for long enough
    void
    CancelAndRun(uint32_t sequence)
    {
        Simulator::Schedule(MilliSeconds(50),
                            [this, sequence]() { EXPECT_TRUE(GetTransport(0)->Cancel(sequence)); });
        RunFor(Seconds(10));
    }
};

INSTANTIATE_TEST_SUITE_P(Fidelities,
                         D2dTransportFidelityTest,
                         ::testing::Values("Packet", "Burst"));

} // namespace

TEST_P(D2dTransportFidelityTest, WhatIsKnownToHaveArrivedHasArrived)
{
    Make(0.4);
    GetRadio(0)->GetPhy()->SetAttribute("FragmentSize", UintegerValue(330)); // 3 units
    GetRadio(0)->GetMac()->SetAttribute("MaxAttempts", UintegerValue(2));
    for (int i = 0; i < 50; ++i)
    {
        SendUnits(30, ReportedOptions(LossPolicy::PARTIAL_RELIABLE));
    }
    RunFor(Seconds(100));
    ASSERT_EQ(m_reports.size(), 50U);
    std::map<uint32_t, std::vector<uint32_t>> arrived;
    for (const auto& arrival : m_arrivals)
    {
        arrived[arrival.sequence] = arrival.units;
    }
    std::size_t known = 0;
    std::size_t all = 0;
    for (const auto& report : m_reports)
    {
        const auto& units = arrived[report.sequence];
        const auto& acknowledged = report.acknowledgedUnits;
        EXPECT_TRUE(
            std::includes(units.begin(), units.end(), acknowledged.begin(), acknowledged.end()));
        EXPECT_EQ(report.acknowledged.size(), acknowledged.size() == 30 ? 1U : 0U);
        known += acknowledged.size();
        all += units.size();
    }
    // Of 1500 units P(arrived) = 1 - 0.16, P(known) = 1 - (1 - 0.36)^2 = 0.59; 3 a fragment
    EXPECT_NEAR(all, 1500 * 0.84, 4 * std::sqrt(1500 * 3 * 0.84 * 0.16));
    EXPECT_NEAR(known, 1500 * 0.5904, 4 * std::sqrt(1500 * 3 * 0.5904 * 0.4096));
}

TEST_P(D2dTransportFidelityTest, SendersOfBroadcastsAndOfUnacknowledgedUnitsKnowOfNone)
{
    Make();
    BroadcastUnits(30, LossPolicy::PARTIAL_RELIABLE);
    SendUnits(30, ReportedOptions(LossPolicy::PARTIAL));
    RunFor(Seconds(10));
    ASSERT_EQ(m_reports.size(), 2U);
    EXPECT_THAT(m_reports[0].acknowledgedUnits, IsEmpty());
    EXPECT_EQ(m_reports[0].acknowledged.size(), 2U);
    EXPECT_THAT(m_reports[1].acknowledgedUnits, IsEmpty());
    EXPECT_THAT(m_reports[1].acknowledged, IsEmpty());
    EXPECT_EQ(m_arrivals.size(), 3U);
}

TEST_P(D2dTransportFidelityTest, CancelledMessagesAreReportedSo)
{
    Make();
    const auto send = [this](Time deadline) {
        SendOptions how = ReportedOptions(LossPolicy::PARTIAL);
        how.deadline = deadline;
        return SendUnits(100, how);
    };
    const uint32_t onAir = send(Time::Max()); // 7 fragments of 12 ms or so
    const uint32_t waiting = send(Time::Max());
    send(MilliSeconds(40));
    send(Time::Max());
    Simulator::Schedule(MilliSeconds(50), [&]() {
        EXPECT_TRUE(GetTransport(0)->Cancel(waiting));
        EXPECT_FALSE(GetTransport(0)->Cancel(waiting));
        EXPECT_TRUE(GetTransport(0)->Cancel(onAir));
        EXPECT_FALSE(GetTransport(0)->Cancel(onAir));
        EXPECT_FALSE(GetTransport(0)->Cancel(77));
    });
    RunFor(Seconds(10));
    ASSERT_EQ(m_reports.size(), 4U);
    std::map<uint32_t, bool> cancelled;
    for (const auto& report : m_reports)
    {
        cancelled[report.sequence] = report.cancelled;
    }
    EXPECT_EQ(cancelled, (std::map<uint32_t, bool>{{1, true}, {2, true}, {3, true}, {4, false}}));
    ASSERT_EQ(m_arrivals.size(), 2U) << "the first in part, the last in full";
    EXPECT_GT(m_arrivals[0].units.size(), 20U);
    EXPECT_LT(m_arrivals[0].units.size(), 80U);
    EXPECT_EQ(m_arrivals[1].units.size(), 100U);
}

/*
 * Whether its message was cancelled, a sender knows by itself. It must not depend on what became of
 * the message at receivers, of which no message has told.
 */
TEST_P(D2dTransportFidelityTest, ReportOfACancelledMessageSaysNothingOfTheReceivers)
{
    for (const bool isThere : {true, false})
    {
        Make();
        if (!isThere)
        {
            GetRadio(1)->GetMac()->SwitchOff();
        }
        CancelAndRun(SendUnits(100, ReportedOptions(LossPolicy::RELIABLE)));
        ASSERT_EQ(m_reports.size(), 1U);
        EXPECT_TRUE(m_reports[0].cancelled) << isThere;
    }
    // Nobody hears it
    Make(0, 1);
    CancelAndRun(BroadcastUnits(100, LossPolicy::BEST_EFFORT));
    ASSERT_EQ(m_reports.size(), 1U);
    EXPECT_TRUE(m_reports[0].cancelled);
    EXPECT_THAT(m_outcomes, IsEmpty());
}

TEST_P(D2dTransportFidelityTest, ADeviceThatIsOffIsToldNothing)
{
    Make();
    for (int i = 0; i < 2; ++i)
    {
        BroadcastUnits(100, LossPolicy::PARTIAL);
    }
    Simulator::Schedule(MilliSeconds(50), [this]() { GetRadio(0)->GetMac()->SwitchOff(); });
    RunFor(Seconds(10));
    EXPECT_THAT(m_reports, IsEmpty());
    ASSERT_EQ(m_outcomes.size(), 4U);
    for (const auto& outcome : m_outcomes)
    {
        EXPECT_EQ(outcome.reason, "transmitter-off");
    }
    EXPECT_EQ(m_arrivals.size(), 2U) << "what had arrived of the first is delivered";
}

TEST_P(D2dTransportFidelityTest, PriorityAndAttemptsReachTheRadio)
{
    Make(1); // so that all attempts are made
    for (const uint8_t priority : {0, 1, 2})
    {
        SendOptions how = ReportedOptions(LossPolicy::RELIABLE);
        how.priority = priority;
        how.maxAttempts = 3 + priority;
        SendUnits(1, how);
    }
    RunFor(Seconds(10));
    ASSERT_EQ(m_outcomes.size(), 3U);
    // All wait for the first back-off
    EXPECT_EQ(m_outcomes[0].sequence, 3U);
    EXPECT_EQ(m_outcomes[0].attempts, 5U);
    EXPECT_EQ(m_outcomes[1].sequence, 2U);
    EXPECT_EQ(m_outcomes[1].attempts, 4U);
    EXPECT_EQ(m_outcomes[2].sequence, 1U);
    EXPECT_EQ(m_outcomes[2].attempts, 3U);
}

TEST_F(D2dTransportTest, UnitsTravelInAsManyPartsAsTheyHaveNoRoomInOne)
{
    MakeDevices({});
    GetRadio(0)->GetPhy()->SetAttribute("FragmentSize", UintegerValue(MessageHeader::SIZE + 100));
    EXPECT_EQ(GetTransport(0)->CountUnitParts(1), 1U);
    EXPECT_EQ(GetTransport(0)->CountUnitParts(100), 1U);
    EXPECT_EQ(GetTransport(0)->CountUnitParts(101), 2U);
    EXPECT_EQ(GetTransport(0)->CountUnitParts(300), 3U);
}

TEST_F(D2dTransportTest, WhoSharesAMediumTakesItInTurn)
{
    MakeDevices({});
    const auto channel = GetRadio(0)->GetD2dChannel();
    const auto transport = GetTransport(0);
    const Time once = transport->GetAirtime(1000);
    EXPECT_EQ(transport->GetContendedAirtime(1000, 25), once);
    GetRadio(0)->GetMac()->SetAttribute("MaxReceptions", UintegerValue(2));
    EXPECT_EQ(transport->GetContendedAirtime(1000, 25), once * 13);
    channel->SetAttribute("Access", StringValue("Tdma"));
    channel->SetAttribute("TdmaGuardTime", TimeValue(MicroSeconds(2)));
    EXPECT_EQ(transport->GetContendedAirtime(1000, 25), (once + MicroSeconds(9 + 2)) * 25);
    channel->SetAttribute("Access", StringValue("Shared"));
    const Time contended = (once + MicroSeconds(16 * 9)) * 25;
    EXPECT_EQ(transport->GetContendedAirtime(1000, 25), contended);
    channel->SetAttribute("Access", StringValue("Ofdma"));
    channel->SetAttribute("Subchannels", UintegerValue(5));
    EXPECT_EQ(transport->GetContendedAirtime(1000, 25) * 5, contended);
}

TEST_F(D2dTransportTest, HalfDuplexDevicesHearOneAfterTheOther)
{
    MakeDevices({});
    const auto transport = GetTransport(0);
    GetRadio(0)->GetPhy()->SetAttribute("Duplex", StringValue("Full"));
    EXPECT_TRUE(transport->HearsWhileSending());
    EXPECT_EQ(transport->GetBroadcastTime(1000, 25), transport->GetAirtime(1000));
    GetRadio(0)->GetPhy()->SetAttribute("Duplex", StringValue("Half"));
    EXPECT_FALSE(transport->HearsWhileSending());
    EXPECT_EQ(transport->GetBroadcastTime(1000, 25), transport->GetAirtime(1000) * 25);
    GetRadio(0)->GetD2dChannel()->SetAttribute("Access", StringValue("Shared"));
    EXPECT_EQ(transport->GetBroadcastTime(1000, 25), transport->GetContendedAirtime(1000, 25));
}

TEST_F(D2dTransportTest, WhoMeasuresListensUntilItHasHeardWhoCounts)
{
    MakeDevices({});
    const auto discovery = GetRadio(0)->GetDiscovery();
    EXPECT_EQ(GetTransport(0)->GetListeningTime(), Time());
    discovery->SetAttribute("NeighborDiscovery", StringValue("Measured"));
    discovery->SetAttribute("NeighborTimeout", TimeValue(Seconds(3)));
    EXPECT_EQ(GetTransport(0)->GetListeningTime(), Seconds(3));
    discovery->SetAttribute("BeaconInterval", TimeValue(Time())); // nobody can be heard
    EXPECT_EQ(GetTransport(0)->GetListeningTime(), Time());
}
