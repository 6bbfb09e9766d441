/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging/ip/socket-network.h"
#include "support/refusals.h"

#include "ns3/ipv4-global-routing-helper.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <numeric>
#include <tuple>

using namespace ns3;
using namespace ns3::collab;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

namespace
{

using ::tests::BytesOf;
using ::tests::BytesPayload;
using ::tests::KIND;
using ::tests::NumberedUnits;
using ::tests::SocketNetwork;

/// Bytes of a message's header, which stands before the payload
constexpr uint64_t HEADER = 23;

using SocketTransportTest = SocketNetwork;

/// Transport, payload bytes, probability of loss
using SizeCase = std::tuple<std::string, uint32_t, double>;

class SocketTransportSizeTest : public SocketNetwork, public ::testing::WithParamInterface<SizeCase>
{
};

/// Of a message's units, which arrived according to the outcome and to the receiver
void
ExpectSameUnits(const MessageOutcome& outcome, const Message& message)
{
    EXPECT_EQ(outcome.units, message.unitsSent);
    EXPECT_EQ(outcome.units - outcome.lostUnits, message.units.size());
}

} // namespace

TEST_P(SocketTransportSizeTest, ReliableArrivesIntactOrIsCountedAsLost)
{
    const auto& [transport, size, loss] = GetParam();
    MakeDevices(fmt::format("transport={} loss={}", transport, loss));
    const auto payload = BytesPayload::Make(size);
    Send(payload, LossPolicy::RELIABLE);
    ::tests::RunFor(Seconds(3000));
    ASSERT_EQ(m_outcomes.size(), 1U);
    const MessageOutcome& outcome = m_outcomes[0];
    EXPECT_EQ(outcome.bytes, size + HEADER);
    ASSERT_EQ(m_arrivals.size(), outcome.delivered ? 1U : 0U);
    ASSERT_EQ(m_reports.size(), 1U);
    EXPECT_FALSE(m_reports[0].cancelled);
    if (outcome.delivered)
    {
        EXPECT_EQ(BytesOf(*m_arrivals[0].message.payload), BytesOf(*payload));
        EXPECT_EQ(outcome.lostFragments, 0U);
        EXPECT_EQ(outcome.reason, "");
    }
    // Up to 5 % no part can fail ten times in a row, nor can TCP give up.
    EXPECT_TRUE(outcome.delivered || loss > 0.05);
    if (transport == "udp")
    {
        EXPECT_TRUE(outcome.delivered) << "0.3^10 is 6e-6";
        EXPECT_EQ(outcome.fragments, (size + HEADER + 1399) / 1400);
        EXPECT_GE(outcome.attempts, outcome.fragments);
    }
    // What the sender knows is true.
    EXPECT_TRUE(m_reports[0].acknowledged.empty() || outcome.delivered);
    if (loss == 0)
    {
        EXPECT_THAT(m_reports[0].acknowledged, ElementsAre(GetId(1)));
        EXPECT_EQ(outcome.attempts, outcome.fragments);
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes,
                         SocketTransportSizeTest,
                         ::testing::Combine(::testing::Values("udp", "tcp"),
                                            ::testing::Values(0U, 1U, 1400U, 100000U, 1000000U),
                                            ::testing::Values(0.0, 0.05, 0.3)));

TEST_F(SocketTransportTest, BestEffortIsLostWithAnyOfItsDatagrams)
{
    for (const double loss : {0.05, 0.3})
    {
        for (const uint32_t fragments : {1U, 3U, 8U})
        {
            constexpr uint32_t RUNS = 400;
            uint32_t delivered = 0;
            for (uint32_t run = 1; run <= RUNS; ++run)
            {
                MakeDevices(fmt::format("loss={} run={}", loss, run));
                Send(BytesPayload::Make(1400 * fragments - HEADER), LossPolicy::BEST_EFFORT);
                Simulator::Run();
                ASSERT_EQ(m_outcomes.size(), 1U);
                ASSERT_EQ(m_outcomes[0].fragments, fragments);
                EXPECT_EQ(m_outcomes[0].attempts, fragments);
                EXPECT_EQ(m_outcomes[0].delivered, m_outcomes[0].lostFragments == 0);
                EXPECT_EQ(m_outcomes[0].reason, m_outcomes[0].delivered ? "" : "lost");
                EXPECT_EQ(m_arrivals.size(), m_outcomes[0].delivered ? 1U : 0U);
                delivered += m_outcomes[0].delivered ? 1 : 0;
                EXPECT_THAT(m_reports, SizeIs(1));
            }
            const double expected = std::pow(1 - loss, fragments);
            EXPECT_NEAR(static_cast<double>(delivered) / RUNS,
                        expected,
                        3 * std::sqrt(expected * (1 - expected) / RUNS))
                << "loss " << loss << ", " << fragments << " datagrams";
        }
    }
}

TEST_F(SocketTransportTest, OneTransmissionBroadcastsToTheSubnet)
{
    MakeDevices("devices=4");
    GetTransport(0)->Broadcast({KIND, 0, BytesPayload::Make(3000)}, LossPolicy::BEST_EFFORT);
    Simulator::Run();
    EXPECT_EQ(m_arrivals.size(), 3U);
    ASSERT_EQ(m_outcomes.size(), 3U);
    for (uint32_t i = 0; i < 3; ++i)
    {
        EXPECT_EQ(m_outcomes[i].receiver, GetId(i + 1));
        EXPECT_EQ(m_outcomes[i].attempts, 3U) << "once for all";
        EXPECT_TRUE(m_outcomes[i].delivered);
    }
}

TEST_F(SocketTransportTest, Ipv6CarriesWhatIpv4DoesAsOften)
{
    for (const std::string transport : {"udp", "tcp"})
    {
        for (const std::string resolves : {"false", "true"})
        {
            std::vector<std::vector<uint32_t>> attempts;
            for (const std::string ip : {"4", "6"})
            {
                MakeDevices(fmt::format(
                    "devices=4 transport={} resolves={} ip={}", transport, resolves, ip));
                Simulator::Schedule(Seconds(3), [this]() { // addresses are no longer tentative
                    const MessageContent message = {KIND, 0, BytesPayload::Make(3000)};
                    GetTransport(0)->Broadcast(message, LossPolicy::BEST_EFFORT);
                    GetTransport(1)->Broadcast(message, LossPolicy::RELIABLE);
                    GetTransport(2)->Send(GetId(3), message, LossPolicy::RELIABLE);
                });
                ::tests::RunFor(Seconds(30));
                EXPECT_THAT(m_arrivals, SizeIs(7)) << transport << resolves << ip;
                EXPECT_THAT(m_rejections, IsEmpty());
                std::vector<uint32_t>& counts = attempts.emplace_back();
                for (const auto& outcome : m_outcomes)
                {
                    EXPECT_TRUE(outcome.delivered) << outcome.reason;
                    counts.push_back(outcome.attempts);
                }
                std::sort(counts.begin(), counts.end());
            }
            EXPECT_EQ(attempts[0], attempts[1]) << transport << resolves;
        }
    }
}

TEST_F(SocketTransportTest, ReliableBroadcastIsAUnicastToEach)
{
    for (const std::string transport : {"udp", "tcp"})
    {
        MakeDevices(fmt::format("transport={} devices=4 loss=0.05", transport));
        std::vector<DeliveryReport> reports;
        GetTransport(2)->Broadcast({KIND, 0, BytesPayload::Make(30000)},
                                   {LossPolicy::RELIABLE, [&reports](const DeliveryReport& report) {
                                        reports.push_back(report);
                                    }});
        Simulator::Run();
        EXPECT_EQ(m_arrivals.size(), 3U) << transport;
        ASSERT_EQ(reports.size(), 1U) << transport;
        EXPECT_THAT(reports[0].acknowledged, ElementsAre(GetId(0), GetId(1), GetId(3)));
        ASSERT_EQ(m_outcomes.size(), 3U);
        EXPECT_TRUE(m_outcomes[0].delivered && m_outcomes[1].delivered && m_outcomes[2].delivered);
    }
}

TEST_F(SocketTransportTest, LostAcknowledgmentsMakeNoSecondArrival)
{
    MakeDevices("loss=0.2");
    for (uint32_t i = 0; i < 200; ++i)
    {
        Send(BytesPayload::Make(100), LossPolicy::RELIABLE);
    }
    Simulator::Run();
    ASSERT_EQ(m_reports.size(), 200U);
    for (const auto& report : m_reports)
    {
        EXPECT_THAT(report.acknowledged, ElementsAre(GetId(1)));
    }
    EXPECT_EQ(m_arrivals.size(), 200U);
}

TEST_F(SocketTransportTest, ATimeoutIsDoubledUpToItsMaximum)
{
    MakeDevices();
    m_nodes.Get(1)->GetObject<Ipv4>()->SetDown(1);
    Send(BytesPayload::Make(100), LossPolicy::RELIABLE);
    SendOptions thrice(LossPolicy::RELIABLE);
    thrice.maxAttempts = 3;
    Send(BytesPayload::Make(100), thrice);
    Simulator::Run();
    ASSERT_EQ(m_reports.size(), 2U);
    EXPECT_EQ(m_reports[0].finished, MilliSeconds(200 + 400 + 800));
    EXPECT_EQ(m_reports[1].finished, MilliSeconds(200 + 400 + 800 + 1600 + 6 * 2000));
    ASSERT_EQ(m_outcomes.size(), 2U);
    EXPECT_EQ(m_outcomes[0].attempts, 3U);
    EXPECT_EQ(m_outcomes[1].attempts, 10U);
    EXPECT_EQ(m_outcomes[1].end - m_reports[1].finished, Seconds(2) + TimeStep(1))
        << "until nothing of it can be in the network";
}

TEST_F(SocketTransportTest, APatientReceiverIsWaitedFor)
{
    // more than PacketLifetime
    MakeDevices("loss=0.3 ReassemblyTimeout=6s");
    Send(NumberedUnits::Make(100, 700), LossPolicy::PARTIAL);
    Simulator::Run();
    ASSERT_EQ(m_outcomes.size(), 1U);
    ASSERT_EQ(m_arrivals.size(), 1U);
    EXPECT_GT(m_arrivals[0].time, Seconds(6));
    EXPECT_EQ(m_outcomes[0].end, m_arrivals[0].time);
    EXPECT_TRUE(m_outcomes[0].delivered);
    ExpectSameUnits(m_outcomes[0], m_arrivals[0].message);
}

TEST_F(SocketTransportTest, DivisibleDeliversExactlyTheUnitsThatArrived)
{
    // Units of 100 bytes share datagrams of 13; those of 3000 bytes have 3 datagrams each.
    for (const uint32_t unitSize : {100U, 3000U})
    {
        uint32_t lostUnits = 0;
        for (uint32_t run = 1; run <= 40; ++run)
        {
            MakeDevices(fmt::format("loss=0.1 run={}", run));
            const auto payload = NumberedUnits::Make(50, unitSize);
            Send(payload, LossPolicy::PARTIAL);
            Simulator::Run();
            ASSERT_EQ(m_outcomes.size(), 1U);
            EXPECT_EQ(m_outcomes[0].fragments, unitSize == 100 ? 4U : 150U);
            EXPECT_EQ(m_outcomes[0].attempts, m_outcomes[0].fragments);
            ASSERT_EQ(m_arrivals.size(), m_outcomes[0].delivered ? 1U : 0U);
            if (m_outcomes[0].delivered)
            {
                const Message& message = m_arrivals[0].message;
                ExpectSameUnits(m_outcomes[0], message);
                EXPECT_EQ(BytesOf(*message.payload), BytesOf(*payload->Select(message.units)));
                EXPECT_EQ(m_outcomes[0].reason, message.units.size() == 50 ? "" : "lost");
            }
            lostUnits += m_outcomes[0].lostUnits;
        }
        const double expected = unitSize == 100 ? 0.1 : 1 - std::pow(0.9, 3);
        const double samples = unitSize == 100 ? 4 * 40 : 50 * 40;
        EXPECT_NEAR(
            lostUnits / 2000.0, expected, 3.5 * std::sqrt(expected * (1 - expected) / samples));
    }
}

TEST_F(SocketTransportTest, DivisibleReliableDeliversAllOrWhatArrivedInTheAttemptsAllowed)
{
    MakeDevices("loss=0.3");
    const auto payload = NumberedUnits::Make(200, 700);
    Send(payload, LossPolicy::PARTIAL_RELIABLE);
    SendOptions twice(LossPolicy::PARTIAL_RELIABLE);
    twice.maxAttempts = 2;
    Send(payload, twice);
    Simulator::Run();
    ASSERT_EQ(m_arrivals.size(), 2U);
    ASSERT_EQ(m_outcomes.size(), 2U);
    ASSERT_EQ(m_reports.size(), 2U);
    EXPECT_THAT(m_arrivals[0].message.units, SizeIs(200));
    EXPECT_THAT(m_reports[0].acknowledged, ElementsAre(GetId(1)));
    EXPECT_THAT(m_reports[0].acknowledgedUnits, SizeIs(200));

    const std::vector<uint32_t>& arrived = m_arrivals[1].message.units;
    EXPECT_EQ(BytesOf(*m_arrivals[1].message.payload), BytesOf(*payload->Select(arrived)));
    // Units whose two transmissions are both lost: 9 %
    EXPECT_NEAR(arrived.size(), 182, 4 * std::sqrt(200 * 0.09 * 0.91));
    ExpectSameUnits(m_outcomes[1], m_arrivals[1].message);
    EXPECT_EQ(m_outcomes[1].reason, "attempts");
    EXPECT_THAT(m_reports[1].acknowledged, IsEmpty());
    EXPECT_LT(m_reports[1].acknowledgedUnits.size(), 200U);
    EXPECT_TRUE(std::includes(arrived.begin(),
                              arrived.end(),
                              m_reports[1].acknowledgedUnits.begin(),
                              m_reports[1].acknowledgedUnits.end()))
        << "what is acknowledged has arrived";
    // The sender's notice ends the reception, not the receiver's patience of 2 x 1 s + 2 s.
    EXPECT_LT(m_arrivals[1].time - m_reports[1].finished, Seconds(1));
}

TEST_F(SocketTransportTest, TcpDeliversDivisibleMessagesWhole)
{
    for (const std::string mode : {"Bytes", "Reference"})
    {
        MakeDevices("transport=tcp mode=" + mode);
        const auto payload = NumberedUnits::Make(20, 500);
        Send(payload, LossPolicy::PARTIAL_RELIABLE);
        Simulator::Run();
        ASSERT_EQ(m_arrivals.size(), 1U);
        EXPECT_EQ(m_arrivals[0].message.unitsSent, 20U);
        EXPECT_THAT(m_arrivals[0].message.units, SizeIs(20));
        EXPECT_EQ(BytesOf(*m_arrivals[0].message.payload), BytesOf(*payload));
        ASSERT_EQ(m_reports.size(), 1U);
        EXPECT_THAT(m_reports[0].acknowledgedUnits, SizeIs(20));
        EXPECT_EQ(m_outcomes[0].lostUnits, 0U);
    }
}

TEST_F(SocketTransportTest, HigherPriorityGoesFirst)
{
    for (const std::string transport : {"udp", "tcp"})
    {
        MakeDevices("transport=" + transport);
        SendOptions urgent(LossPolicy::RELIABLE);
        urgent.priority = 3;
        const uint32_t first = Send(BytesPayload::Make(300000), LossPolicy::RELIABLE);
        const uint32_t second = Send(BytesPayload::Make(50000), LossPolicy::RELIABLE);
        const uint32_t third = Send(BytesPayload::Make(50000), urgent);
        Simulator::Run();
        ASSERT_EQ(m_arrivals.size(), 3U);
        std::vector<uint32_t> order;
        for (const auto& arrival : m_arrivals)
        {
            order.push_back(arrival.message.sequence);
        }
        // TCP has no connection yet when the messages are queued, so none has begun.
        EXPECT_EQ(order, (std::vector<uint32_t>{third, first, second})) << transport;
    }
}

TEST_F(SocketTransportTest, WhatIsCancelledIsNotSent)
{
    for (const std::string transport : {"udp", "tcp"})
    {
        MakeDevices(fmt::format("transport={} rate=1Mbps", transport));
        Send(BytesPayload::Make(200000), LossPolicy::RELIABLE);
        const uint32_t second = Send(BytesPayload::Make(200000), LossPolicy::RELIABLE);
        bool cancelled = false;
        bool again = true;
        Simulator::Schedule(MilliSeconds(100), [&]() {
            cancelled = GetTransport(0)->Cancel(second);
            again = GetTransport(0)->Cancel(second);
        });
        Simulator::Run();
        EXPECT_TRUE(cancelled) << transport;
        EXPECT_FALSE(again) << transport;
        ASSERT_EQ(m_reports.size(), 2U);
        EXPECT_TRUE(m_reports[0].cancelled);
        EXPECT_EQ(m_reports[0].sequence, second);
        EXPECT_EQ(m_reports[0].finished, MilliSeconds(100));
        EXPECT_FALSE(m_reports[1].cancelled);
        EXPECT_EQ(m_arrivals.size(), 1U);
        ASSERT_EQ(m_outcomes.size(), 2U);
        for (const auto& outcome : m_outcomes)
        {
            EXPECT_EQ(outcome.delivered, outcome.sequence != second);
            EXPECT_EQ(outcome.reason, outcome.sequence == second ? "cancelled" : "");
            EXPECT_TRUE(outcome.delivered || outcome.attempts == 0);
        }
        EXPECT_FALSE(GetTransport(0)->Cancel(second)) << "it is over";
        EXPECT_FALSE(GetTransport(0)->Cancel(99)) << "there is none";
    }
}

TEST_F(SocketTransportTest, AMessageCanBeCancelledBeforeTheSimulationStarts)
{
    for (const std::string transport : {"udp", "tcp"})
    {
        MakeDevices("transport=" + transport);
        const uint32_t message = Send(BytesPayload::Make(5000), LossPolicy::BEST_EFFORT);
        EXPECT_TRUE(GetTransport(0)->Cancel(message));
        Simulator::Run();
        ASSERT_EQ(m_reports.size(), 1U);
        EXPECT_TRUE(m_reports[0].cancelled);
        EXPECT_THAT(m_arrivals, IsEmpty());
        ASSERT_EQ(m_outcomes.size(), 1U);
        EXPECT_EQ(m_outcomes[0].reason, "cancelled");
        EXPECT_EQ(m_outcomes[0].attempts, 0U);
    }
}

TEST_F(SocketTransportTest, ADeadlineCancelsInTheMiddle)
{
    MakeDevices("rate=1Mbps");
    SendOptions late(LossPolicy::RELIABLE);
    late.deadline = MilliSeconds(500);
    Send(BytesPayload::Make(200000), late);
    SendOptions divisible(LossPolicy::PARTIAL_RELIABLE);
    divisible.deadline = MilliSeconds(500);
    divisible.priority = 1;
    Send(NumberedUnits::Make(1000, 200), divisible);
    SendOptions past(LossPolicy::BEST_EFFORT);
    past.deadline = Seconds(0);
    Send(BytesPayload::Make(10), past);
    Simulator::Run();
    ASSERT_EQ(m_reports.size(), 3U);
    for (const auto& report : m_reports)
    {
        EXPECT_TRUE(report.cancelled);
        EXPECT_EQ(report.finished, report.sequence == 3 ? Seconds(0) : MilliSeconds(500));
    }
    ASSERT_EQ(m_arrivals.size(), 1U);
    const auto& units = m_arrivals[0].message.units;
    EXPECT_EQ(m_arrivals[0].message.sequence, 2U);
    // 500 ms at 1 Mbit/s are 62500 bytes, headers included
    EXPECT_GT(units.size(), 150U);
    EXPECT_LT(units.size(), 312U);
    EXPECT_LT(m_arrivals[0].time, MilliSeconds(800)) << "at the sender's notice";
    ASSERT_EQ(m_outcomes.size(), 3U);
    for (const auto& outcome : m_outcomes)
    {
        EXPECT_EQ(outcome.reason, "deadline");
        EXPECT_EQ(outcome.delivered, outcome.sequence == 2);
    }
}

TEST_F(SocketTransportTest, PacingLimitsTheRateAndGivesAnAirtime)
{
    MakeDevices("PacingRate=1Mbps");
    // 10 datagrams of 1400 bytes, 37 bytes of header, 28 of UDP and IP: 117.2 ms
    EXPECT_EQ(GetTransport(0)->GetAirtime(14000), MicroSeconds(117200));
    Send(BytesPayload::Make(14000 - HEADER), LossPolicy::BEST_EFFORT);
    Simulator::Run();
    ASSERT_EQ(m_reports.size(), 1U);
    EXPECT_EQ(m_reports[0].finished, MicroSeconds(117200));
    ASSERT_EQ(m_arrivals.size(), 1U);
    EXPECT_GT(m_arrivals[0].time, MicroSeconds(117200) * 9 / 10);
    MakeDevices();
    EXPECT_EQ(GetTransport(0)->GetAirtime(14000), Time());
}

TEST_F(SocketTransportTest, PacingMayBeSlowerThanReceiversArePatient)
{
    // 1.5 s a datagram
    MakeDevices("PacingRate=8kbps");
    Send(BytesPayload::Make(5000), LossPolicy::BEST_EFFORT);
    Send(NumberedUnits::Make(10, 700), LossPolicy::PARTIAL);
    Simulator::Run();
    ASSERT_EQ(m_arrivals.size(), 2U);
    EXPECT_THAT(m_arrivals[1].message.units, SizeIs(10));
    for (const auto& outcome : m_outcomes)
    {
        EXPECT_TRUE(outcome.delivered);
        EXPECT_EQ(outcome.lostUnits, 0U);
    }
}

TEST_F(SocketTransportTest, UrgentMessagesInterruptNoneThatCannotWait)
{
    // 117 ms a datagram
    MakeDevices("PacingRate=100kbps");
    SendOptions urgent(LossPolicy::BEST_EFFORT);
    urgent.priority = 3;
    const uint32_t first = Send(BytesPayload::Make(5000), LossPolicy::BEST_EFFORT);
    const uint32_t second = Send(BytesPayload::Make(1000), LossPolicy::BEST_EFFORT);
    const uint32_t cancelled = Send(BytesPayload::Make(1000), urgent);
    uint32_t third = 0;
    Simulator::Schedule(MilliSeconds(50), [&]() {
        GetTransport(0)->Cancel(cancelled);
        third = Send(BytesPayload::Make(20000), urgent);
    });
    Simulator::Run();
    std::vector<uint32_t> order;
    for (const auto& arrival : m_arrivals)
    {
        order.push_back(arrival.message.sequence);
    }
    EXPECT_EQ(order, (std::vector<uint32_t>{first, third, second}));
}

TEST_F(SocketTransportTest, NeighborsAreInTheBookOrWereHeard)
{
    MakeDevices("devices=3");
    EXPECT_THAT(GetTransport(0)->GetNeighbors(), ElementsAre(GetId(1), GetId(2)));
    MakeDevices("devices=3 NeighborTimeout=1s");
    EXPECT_THAT(GetTransport(1)->GetNeighbors(), IsEmpty());
    Send(BytesPayload::Make(10), LossPolicy::RELIABLE);
    Simulator::Schedule(MilliSeconds(500), [&]() {
        EXPECT_THAT(GetTransport(0)->GetNeighbors(), ElementsAre(GetId(1))) << "by its answer";
        EXPECT_THAT(GetTransport(1)->GetNeighbors(), ElementsAre(GetId(0)));
        EXPECT_THAT(GetTransport(2)->GetNeighbors(), IsEmpty());
    });
    Simulator::Schedule(MilliSeconds(1500),
                        [&]() { EXPECT_THAT(GetTransport(1)->GetNeighbors(), IsEmpty()); });
    Simulator::Run();
}

TEST_F(SocketTransportTest, APeerWhoseInterfaceIsDownIsLost)
{
    for (const std::string transport : {"udp", "tcp"})
    {
        for (const bool both : {false, true})
        {
            MakeDevices(fmt::format("transport={} devices=3", transport));
            m_nodes.Get(1)->GetObject<Ipv4>()->SetDown(1);
            if (both)
            {
                m_nodes.Get(0)->GetObject<Ipv4>()->SetDown(1);
            }
            Send(BytesPayload::Make(5000), LossPolicy::RELIABLE);
            Send(BytesPayload::Make(5000), LossPolicy::BEST_EFFORT);
            GetTransport(0)->Send(GetId(2), {KIND, 0, BytesPayload::Make(9)}, LossPolicy::RELIABLE);
            Simulator::Run();
            ASSERT_EQ(m_outcomes.size(), 3U) << transport << both;
            ASSERT_EQ(m_reports.size(), 2U) << transport << both;
            for (const auto& outcome : m_outcomes)
            {
                const bool isThird = outcome.receiver == GetId(2);
                EXPECT_EQ(outcome.delivered, isThird && !both) << transport;
                const bool isBestEffort = outcome.sequence == 2;
                const std::string reason = transport == "tcp" ? "connection"
                                           : isBestEffort     ? "lost"
                                                              : "attempts";
                EXPECT_EQ(outcome.reason, outcome.delivered ? "" : reason);
            }
        }
    }
}

TEST_F(SocketTransportTest, APeerWithoutTransportOrKindIsHandled)
{
    for (const std::string transport : {"udp", "tcp"})
    {
        MakeDevices("transport=" + transport);
        // A device of the book that has an IP stack and no transport
        NodeContainer nodes(2);
        SimpleNetDeviceHelper simple;
        const NetDeviceContainer devices = simple.Install(nodes);
        InternetStackHelper().Install(nodes);
        Ipv4AddressHelper addresses("10.1.0.0", "255.255.255.0");
        const auto interfaces = addresses.Assign(devices);
        auto book = std::make_shared<AddressBook>();
        book->Add(nodes.Get(0)->GetId(), interfaces.GetAddress(0));
        book->Add(nodes.Get(1)->GetId(), interfaces.GetAddress(1));
        ObjectFactory factory(transport == "tcp" ? "ns3::collab::TcpTransport"
                                                 : "ns3::collab::UdpTransport");
        auto alone = factory.Create<SocketTransport>();
        alone->Setup(nodes.Get(0), book);
        nodes.Get(0)->AggregateObject(alone);
        std::vector<MessageOutcome> outcomes;
        ::tests::CollectTrace(alone, "Outcome", outcomes);
        alone->RegisterKind(1, "one", nullptr, [](const Message&) {});
        alone->Send(nodes.Get(1)->GetId(), {1, 0, nullptr}, LossPolicy::RELIABLE);
        // A device whose peer does not know a kind
        GetTransport(0)->RegisterKind(9, "nine", BytesPayload::Parse, [](const Message&) {});
        GetTransport(0)->Send(GetId(1), {9, 0, BytesPayload::Make(4)}, LossPolicy::RELIABLE);
        Simulator::Run();
        ASSERT_EQ(outcomes.size(), 1U);
        EXPECT_FALSE(outcomes[0].delivered);
        EXPECT_EQ(outcomes[0].reason, transport == "tcp" ? "connection" : "attempts");
        EXPECT_THAT(m_rejections, ElementsAre("version, kind or length is not valid"));
        EXPECT_THAT(m_arrivals, IsEmpty());
    }
}

TEST_F(SocketTransportTest, BothPayloadModesAndEveryRerunDoTheSame)
{
    for (const std::string transport : {"udp", "tcp"})
    {
        std::vector<std::string> traces;
        for (const std::string mode : {"Reference", "Bytes", "Reference"})
        {
            MakeDevices(fmt::format("transport={} devices=4 loss=0.15 mode={}", transport, mode));
            for (uint32_t i = 0; i < 12; ++i)
            {
                Simulator::Schedule(MilliSeconds(37 * i), [this, i]() {
                    const LossPolicy policy = ::tests::POLICIES[i % 4];
                    std::shared_ptr<const Payload> payload = NumberedUnits::Make(60, 40 + 150 * i);
                    if (i % 3 == 0)
                    {
                        GetTransport(i % 4)->Broadcast({KIND, i, payload}, policy);
                    }
                    else
                    {
                        Send(payload, policy);
                    }
                });
            }
            Simulator::Run();
            EXPECT_THAT(m_rejections, IsEmpty());
            traces.push_back(Describe());
        }
        EXPECT_GT(traces[0].size(), 2000U);
        EXPECT_EQ(traces[0], traces[1]) << transport << ": payload mode";
        EXPECT_EQ(traces[0], traces[2]) << transport << ": rerun";
    }
}

TEST_F(SocketTransportTest, ReferenceModeForgetsMessagesThatAreOver)
{
    MakeDevices("mode=Reference loss=0.5");
    std::vector<std::weak_ptr<const Payload>> payloads;
    for (const LossPolicy policy :
         {LossPolicy::BEST_EFFORT, LossPolicy::RELIABLE, LossPolicy::PARTIAL})
    {
        const auto payload = NumberedUnits::Make(30, 400);
        payloads.emplace_back(payload);
        Send(payload, policy);
    }
    Simulator::Run();
    EXPECT_EQ(m_outcomes.size(), 3U);
    m_arrivals.clear();
    for (const auto& payload : payloads)
    {
        EXPECT_TRUE(payload.expired());
    }
}

TEST_F(SocketTransportTest, LinkAddressesAreToldUnlessTheyShallBeAskedFor)
{
    for (const bool resolves : {false, true})
    {
        MakeDevices(fmt::format("resolves={}", resolves));
        Send(BytesPayload::Make(1400 * 8 - HEADER), LossPolicy::BEST_EFFORT);
        Send(BytesPayload::Make(1400 * 8 - HEADER), LossPolicy::RELIABLE);
        Simulator::Run();
        ASSERT_EQ(m_outcomes.size(), 2U);
        // Either order of the two outcomes
        const auto& first = m_outcomes[m_outcomes[0].sequence == 1 ? 0 : 1];
        const auto& second = m_outcomes[m_outcomes[0].sequence == 1 ? 1 : 0];
        // ARP keeps the last three packets that wait for an address
        EXPECT_EQ(first.delivered, !resolves);
        EXPECT_EQ(first.lostFragments > 0, resolves);
        EXPECT_TRUE(second.delivered);
        EXPECT_EQ(second.attempts > second.fragments, resolves);
    }
}

TEST_F(SocketTransportTest, IpMayCutDatagramsFurther)
{
    for (const std::string mode : {"Bytes", "Reference"})
    {
        MakeDevices(fmt::format("mode={} loss=0.02 DatagramSize=9000", mode));
        for (uint32_t i = 0; i < 2; ++i)
        {
            m_devices.Get(i)->SetMtu(1500);
        }
        const auto payload = BytesPayload::Make(100000);
        Send(payload, LossPolicy::RELIABLE);
        Simulator::Run();
        ASSERT_EQ(m_arrivals.size(), 1U) << mode;
        EXPECT_EQ(BytesOf(*m_arrivals[0].message.payload), BytesOf(*payload));
        EXPECT_EQ(m_outcomes[0].fragments, 12U);
    }
}

TEST_F(SocketTransportTest, ABroadcastReachesPeersBehindARouter)
{
    NodeContainer nodes(3); // the second one is the router, and a device too
    InternetStackHelper().Install(nodes);
    SimpleNetDeviceHelper simple;
    const NetDeviceContainer near = simple.Install(NodeContainer(nodes.Get(0), nodes.Get(1)));
    const NetDeviceContainer far = simple.Install(NodeContainer(nodes.Get(1), nodes.Get(2)));
    Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(near);
    Ipv4AddressHelper("10.0.1.0", "255.255.255.0").Assign(far);
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    TransportHelper::Udp().Install(NetDeviceContainer(near, NetDeviceContainer(far.Get(1))));
    std::vector<uint32_t> reached;
    for (uint32_t i = 0; i < 3; ++i)
    {
        nodes.Get(i)->GetObject<Transport>()->RegisterKind(
            KIND, "test", BytesPayload::Parse, [&reached, i](const Message&) {
                reached.push_back(i);
            });
    }
    std::vector<MessageOutcome> outcomes;
    ::tests::CollectTrace(nodes.Get(0)->GetObject<Transport>(), "Outcome", outcomes);
    nodes.Get(0)->GetObject<Transport>()->Broadcast({KIND, 0, BytesPayload::Make(100)});
    Simulator::Run();
    EXPECT_THAT(reached, ::testing::UnorderedElementsAre(1, 2));
    ASSERT_EQ(outcomes.size(), 2U);
    EXPECT_EQ(outcomes[0].attempts, 2U) << "one to the subnet, one to the device behind it";
}

TEST_F(SocketTransportTest, HelperNamesWhatANodeLacks)
{
    NodeContainer nodes(2);
    const NetDeviceContainer devices = SimpleNetDeviceHelper().Install(nodes);
    const auto mistake = [&](const TransportHelper& helper) {
        return ::tests::ErrorOf<std::runtime_error>([&] { helper.Install(devices); });
    };
    EXPECT_THAT(mistake(TransportHelper::Udp()), ::testing::HasSubstr("node 0 has no IP stack"));
    EXPECT_THAT(mistake(TransportHelper::D2d()), ::testing::HasSubstr("is a ns3::SimpleNetDevice"));
    InternetStackHelper().Install(nodes);
    EXPECT_THAT(mistake(TransportHelper::Tcp()),
                ::testing::HasSubstr("device 0 of node 0 has no IP address"));
    Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
    addresses.Assign(devices);
    EXPECT_EQ(mistake(TransportHelper::Udp()), "");
    EXPECT_THAT(mistake(TransportHelper::Udp()),
                ::testing::HasSubstr("node 0 has a transport already"));
}
