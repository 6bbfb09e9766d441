/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * One transmission to a group of devices.
 */

#include "wireless/wireless-test-support.h"

#include "ns3/propagation-loss-model.h"
#include "ns3/simulator.h"

#include <array>
#include <cmath>
#include <gmock/gmock.h>
#include <sstream>
#include <tuple>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr auto BEST_EFFORT = D2dReliability::BEST_EFFORT;
constexpr auto ARQ = D2dReliability::ARQ;

/// Data rate 1 Mbit/s, and no back-off, so that times can be told by hand.
const Settings EXACT = {
    {"Bandwidth", "5e5"}, {"SpectralEfficiency", "2"}, {"ContentionWindow", "1"}};

/**
 * @param network devices
 * @param members indices of some of them, ascending
 * @return their nodes
 */
D2dGroup
MakeGroup(const TestNetwork& network, const std::vector<uint32_t>& members)
{
    std::vector<uint32_t> nodes;
    for (const uint32_t member : members)
    {
        nodes.push_back(network.NodeId(member));
    }
    return std::make_shared<const std::vector<uint32_t>>(std::move(nodes));
}

/**
 * @brief Send a packet of zeros to a group.
 *
 * @param network devices
 * @param from index of the sender
 * @param group nodes of the receivers; null for a broadcast
 * @param bytes size of the packet
 * @param reliability what to do about lost fragments
 * @return number of the burst, or 0
 */
uint32_t
SendToGroup(const TestNetwork& network,
            uint32_t from,
            const D2dGroup& group,
            uint32_t bytes,
            D2dReliability reliability)
{
    D2dBurst burst(Create<Packet>(bytes),
                   group ? D2dMac::GetGroupAddress() : Mac48Address::GetBroadcast(),
                   TestNetwork::PROTOCOL,
                   reliability);
    burst.group = group;
    return network.Device(from)->GetMac()->SendBurst(std::move(burst));
}

/**
 * @param network devices
 * @return indices of devices that have handed a packet up, in the order of that
 */
std::vector<uint32_t>
FindHearers(const TestNetwork& network)
{
    std::vector<uint32_t> indices;
    for (const auto& reception : network.Receptions())
    {
        indices.push_back(reception.node - network.NodeId(0));
    }
    return indices;
}

/// What must hold in both fidelities, with and without ARQ
class MulticastTest : public SimulatorTest,
                      public testing::WithParamInterface<std::tuple<const char*, D2dReliability>>
{
  protected:
    /// @return channel with the fidelity
    static Settings
    Channel()
    {
        return {{"Fidelity", std::get<0>(GetParam())}};
    }

    /// @return what to do about loss
    static D2dReliability
    Reliability()
    {
        return std::get<1>(GetParam());
    }
};

INSTANTIATE_TEST_SUITE_P(Fidelities,
                         MulticastTest,
                         testing::Combine(testing::Values("Packet", "Burst"),
                                          testing::Values(BEST_EFFORT, ARQ)));

TEST_P(MulticastTest, ReachesTheGroupAndNobodyElse)
{
    TestNetwork network(5, EXACT, Channel());
    SendToGroup(network, 1, MakeGroup(network, {0, 3}), 4000, Reliability());
    Simulator::Run();
    EXPECT_THAT(FindHearers(network), testing::UnorderedElementsAre(0, 3));
    ASSERT_EQ(network.Reports().size(), 1U);
    const D2dBurstReport& report = network.Reports()[0];
    EXPECT_EQ(report.attempts, 3U) << "one transmission for all";
    EXPECT_EQ(report.bytesSent, 4000U);
    ASSERT_EQ(report.outcomes.size(), 2U);
    EXPECT_EQ(report.outcomes[0].receiverNode, network.NodeId(0));
    EXPECT_EQ(report.outcomes[1].receiverNode, network.NodeId(3));
    for (const auto& outcome : report.outcomes)
    {
        EXPECT_TRUE(outcome.delivered);
        EXPECT_EQ(outcome.acknowledged, Reliability() == ARQ);
    }
}

TEST_P(MulticastTest, GroupsOfOneSenderMayDiffer)
{
    TestNetwork network(5, EXACT, Channel());
    // Whose links do not change, so that they are kept from burst to burst
    network.Channel()->SetPropagationLossModel(CreateObject<FriisPropagationLossModel>());
    const D2dGroup first = MakeGroup(network, {0, 3});
    for (const D2dGroup& group : {D2dGroup(), first, MakeGroup(network, {2}), first})
    {
        SendToGroup(network, 1, group, 100, BEST_EFFORT);
        Simulator::Run();
    }
    EXPECT_THAT(FindHearers(network), testing::UnorderedElementsAre(0, 2, 3, 4, 0, 3, 2, 0, 3));
}

TEST_P(MulticastTest, OutsidersSpendNothingOnIt)
{
    TestNetwork network(4, EXACT, Channel());
    network.InstallBatteries({}, {{"IdlePower", "0.02"}}, {{"IdlePower", "0.05"}});
    for (uint32_t member : {1, 2})
    {
        network.SetOutage(0, member, 0.5);
    }
    for (int i = 0; i < 20; ++i)
    {
        SendToGroup(network, 0, MakeGroup(network, {1, 2}), 20000, Reliability());
    }
    Simulator::Stop(Seconds(1000));
    Simulator::Run();
    const auto joules = [&network](uint32_t device, EnergyKind kind) {
        return network.Energy(device)[static_cast<std::size_t>(kind)];
    };
    EXPECT_GT(joules(1, EnergyKind::RX), 0);
    EXPECT_GT(joules(2, EnergyKind::RX), 0);
    EXPECT_EQ(joules(3, EnergyKind::RX), 0);
    EXPECT_EQ(joules(3, EnergyKind::TX), 0);
    EXPECT_NEAR(joules(3, EnergyKind::IDLE), 1000 * (0.02 + 0.05), 1e-9) << "idle all of the time";
}

/**
 * @param channel attributes
 * @param reliability what to do about loss
 * @param isBroadcast whether to broadcast, or to address all others by a group
 * @return what became of many bursts
 */
std::string
PlayToAll(const Settings& channel, D2dReliability reliability, bool isBroadcast)
{
    Simulator::Destroy(); // time begins anew
    TestNetwork network(4, EXACT, channel);
    for (uint32_t from = 0; from < 4; ++from)
    {
        for (uint32_t to = 0; to < 4; ++to)
        {
            network.SetOutage(from, to, from == to ? 0 : 0.1 * (from + to));
        }
        network.Device(from)->AssignStreams(from);
    }
    for (uint32_t i = 0; i < 40; ++i)
    {
        const uint32_t from = i % 4;
        std::vector<uint32_t> others = {0, 1, 2, 3};
        others.erase(others.begin() + from);
        const D2dGroup group = isBroadcast ? nullptr : MakeGroup(network, others);
        Simulator::Schedule(MilliSeconds(7 * i), [&network, from, group, reliability]() {
            SendToGroup(network, from, group, 5000, reliability);
        });
    }
    Simulator::Run();
    std::ostringstream text;
    for (const auto& report : network.Reports())
    {
        text << report.senderNode - network.NodeId(0) << ' ' << report.attempts << ' '
             << report.start << ' ' << report.end << ' ' << report.airtime << '\n';
        for (const auto& outcome : report.outcomes)
        {
            text << outcome.receiverNode - network.NodeId(0) << ' ' << outcome.lostFragments << ' '
                 << ToString(outcome.reason) << ' ' << outcome.acknowledged << ' ' << outcome.ended
                 << '\n';
        }
    }
    return text.str();
}

TEST_P(MulticastTest, ToAllIsABroadcast)
{
    const std::string broadcast = PlayToAll(Channel(), Reliability(), true);
    EXPECT_GT(broadcast.size(), 4000U);
    EXPECT_EQ(PlayToAll(Channel(), Reliability(), false), broadcast);
}

TEST_P(MulticastTest, NothingIsSentToNobody)
{
    TestNetwork network(3, EXACT, Channel());
    SendToGroup(network, 0, MakeGroup(network, {}), 4000, Reliability());
    network.Send(0, 1, 100, BEST_EFFORT);
    Simulator::Run();
    ASSERT_EQ(network.Reports().size(), 2U);
    EXPECT_EQ(network.Reports()[0].attempts, 0U);
    EXPECT_THAT(network.Reports()[0].outcomes, IsEmpty());
    EXPECT_TRUE(network.Reports()[1].start.IsZero()) << "the next one goes at once";
    EXPECT_THAT(FindHearers(network), ElementsAre(1));
}

TEST_P(MulticastTest, MembersThatHearNothingHaveAnOutcome)
{
    TestNetwork network(6, EXACT, Channel());
    network.SetOutOfRange(0, 2);
    network.Device(3)->GetMac()->SwitchOff();
    network.Device(4)->GetMac()->Sleep();
    SendToGroup(network, 0, MakeGroup(network, {1, 2, 3, 4}), 4000, Reliability());
    Simulator::Run();
    ASSERT_EQ(network.Reports().size(), 1U);
    const auto& outcomes = network.Reports()[0].outcomes;
    ASSERT_EQ(outcomes.size(), 4U);
    EXPECT_TRUE(outcomes[0].delivered);
    EXPECT_EQ(outcomes[1].reason, D2dLossReason::OUT_OF_RANGE);
    EXPECT_EQ(outcomes[2].reason, D2dLossReason::RECEIVER_OFF);
    EXPECT_EQ(outcomes[3].reason, D2dLossReason::ASLEEP);
    EXPECT_THAT(FindHearers(network), ElementsAre(1));
}

TEST_P(MulticastTest, ThatIsDroppedHasAnOutcomeForEachMember)
{
    TestNetwork network(5, EXACT, Channel());
    network.SetOutOfRange(0, 4);
    network.Device(0)->GetMac()->SwitchOff();
    SendToGroup(network, 0, MakeGroup(network, {2, 4}), 4000, Reliability());
    ASSERT_EQ(network.Reports().size(), 1U);
    const auto& outcomes = network.Reports()[0].outcomes;
    ASSERT_EQ(outcomes.size(), 2U);
    EXPECT_EQ(outcomes[0].receiverNode, network.NodeId(2));
    EXPECT_EQ(outcomes[1].receiverNode, network.NodeId(4));
    EXPECT_EQ(outcomes[0].reason, D2dLossReason::TRANSMITTER_OFF);
}

TEST_P(MulticastTest, DoesNotDisturbOutsiders)
{
    TestNetwork network(5, EXACT, Channel());
    SendToGroup(network, 0, MakeGroup(network, {1}), 40000, Reliability()); // for 0.3 s and more
    Simulator::Schedule(MilliSeconds(1), [&network]() { network.Send(2, 3, 4000, BEST_EFFORT); });
    Simulator::Schedule(MilliSeconds(1), [&network]() { network.Send(1, 4, 4000, BEST_EFFORT); });
    Simulator::Run();
    ASSERT_EQ(network.Reports().size(), 3U);
    const D2dBurstReport& outsider = network.Reports()[0];
    EXPECT_EQ(outsider.senderNode, network.NodeId(2));
    EXPECT_EQ(outsider.start, MilliSeconds(1)) << "it follows nothing that it would wait for";
    EXPECT_TRUE(outsider.outcomes.at(0).delivered);
    const D2dBurstReport& member = network.Reports()[2];
    EXPECT_EQ(member.senderNode, network.NodeId(1));
    EXPECT_GE(member.start, network.Reports()[1].end) << "who is addressed waits";
}

TEST_P(MulticastTest, IsMissedByAMemberThatTransmits)
{
    TestNetwork network(4, EXACT, Channel());
    network.Send(2, 3, 40000, BEST_EFFORT);
    Simulator::Schedule(MilliSeconds(1), [&network]() {
        SendToGroup(network, 0, MakeGroup(network, {1, 2}), 4000, Reliability());
    });
    Simulator::Run();
    const D2dBurstReport* multicast = nullptr;
    for (const auto& report : network.Reports())
    {
        multicast = report.senderNode == network.NodeId(0) ? &report : multicast;
    }
    ASSERT_NE(multicast, nullptr);
    EXPECT_TRUE(multicast->outcomes.at(0).delivered);
    EXPECT_EQ(multicast->outcomes.at(1).reason, D2dLossReason::HALF_DUPLEX);
}

TEST_P(MulticastTest, LossesOfMembersAreIndependent)
{
    constexpr int BURSTS = 4000;
    constexpr double OUTAGE_1 = 0.2;
    constexpr double OUTAGE_2 = 0.5;
    TestNetwork network(4, {{"MaxAttempts", "1"}}, Channel());
    network.SetOutage(0, 1, OUTAGE_1);
    network.SetOutage(0, 3, OUTAGE_2);
    const D2dGroup group = MakeGroup(network, {1, 3});
    for (int i = 0; i < BURSTS; ++i)
    {
        SendToGroup(network, 0, group, 100, Reliability());
        Simulator::Run();
    }
    ASSERT_EQ(network.Reports().size(), std::size_t{BURSTS});
    std::array<std::array<int, 2>, 2> counts{};
    for (const auto& report : network.Reports())
    {
        ++counts[report.outcomes.at(0).delivered ? 0 : 1][report.outcomes.at(1).delivered ? 0 : 1];
    }
    // Chi-square with 3 degrees of freedom: over 21.1 with probability 1e-4
    double statistic = 0;
    for (int lost1 : {0, 1})
    {
        for (int lost2 : {0, 1})
        {
            const double expected =
                BURSTS * (lost1 ? OUTAGE_1 : 1 - OUTAGE_1) * (lost2 ? OUTAGE_2 : 1 - OUTAGE_2);
            statistic += std::pow(counts[lost1][lost2] - expected, 2) / expected;
        }
    }
    EXPECT_LT(statistic, 21.1);
}

/// What must hold in both fidelities
class MulticastArqTest : public SimulatorTest, public testing::WithParamInterface<const char*>
{
};

INSTANTIATE_TEST_SUITE_P(Fidelities, MulticastArqTest, testing::Values("Packet", "Burst"));

TEST_P(MulticastArqTest, RepeatsForThoseMembersThatNeedIt)
{
    TestNetwork network(5, {{"MaxAttempts", "100"}}, {{"Fidelity", GetParam()}});
    network.SetOutage(0, 1, 0.5);
    network.SetOutage(0, 3, 0.5);
    SendToGroup(network, 0, MakeGroup(network, {1, 2, 3}), 100000, ARQ);
    Simulator::Run();
    ASSERT_EQ(network.Reports().size(), 1U);
    const D2dBurstReport& report = network.Reports()[0];
    ASSERT_EQ(report.outcomes.size(), 3U);
    for (const auto& outcome : report.outcomes)
    {
        EXPECT_TRUE(outcome.delivered);
        EXPECT_TRUE(outcome.acknowledged);
    }
    // Once to all, then half of them 2 times on average to each of two: 3 times the fragments
    const double fragments = report.fragments;
    EXPECT_NEAR(report.attempts, 3 * fragments, 8 * std::sqrt(fragments));
    EXPECT_LT(report.outcomes[0].ended, report.outcomes[2].ended) << "one after the other";
}

TEST_P(MulticastArqTest, GivesUpOnAMemberAfterMaxAttempts)
{
    TestNetwork network(4, {{"MaxAttempts", "4"}}, {{"Fidelity", GetParam()}});
    network.Device(1)->GetMac()->SwitchOff();
    SendToGroup(network, 0, MakeGroup(network, {1, 2}), 100, ARQ);
    Simulator::Run();
    ASSERT_EQ(network.Reports().size(), 1U);
    EXPECT_EQ(network.Reports()[0].attempts, 4U);
    EXPECT_FALSE(network.Reports()[0].outcomes.at(0).acknowledged);
    EXPECT_TRUE(network.Reports()[0].outcomes.at(1).acknowledged);
}

/// One device at a time speaks
class MulticastMediumTest : public SimulatorTest
{
};

TEST_F(MulticastMediumTest, OnASharedChannelOutsidersDeferToWhatTheySense)
{
    TestNetwork network(4, EXACT, {{"Access", "Shared"}});
    SendToGroup(network, 0, MakeGroup(network, {1}), 4000, BEST_EFFORT);
    Simulator::Schedule(MilliSeconds(1), [&network]() { network.Send(2, 3, 100, BEST_EFFORT); });
    Simulator::Run();
    ASSERT_EQ(network.Reports().size(), 2U);
    EXPECT_GE(network.Reports()[1].start, network.Reports()[0].end);
}

TEST_F(MulticastMediumTest, GroupsHaveToBeOnTheChannel)
{
    TestNetwork network(2, EXACT);
    const auto send = [&network](const std::vector<uint32_t>& nodes) {
        SendToGroup(
            network, 0, std::make_shared<const std::vector<uint32_t>>(nodes), 100, BEST_EFFORT);
        Simulator::Run();
    };
    EXPECT_DEATH(send({network.NodeId(0)}), "has no other device on the channel");
    EXPECT_DEATH(send({network.NodeId(1) + 1}), "has no other device on the channel");
}

TEST_F(MulticastMediumTest, AGroupIsNoDevice)
{
    TestNetwork network(2, EXACT);
    D2dBurst burst(Create<Packet>(10), network.Address(1), TestNetwork::PROTOCOL);
    burst.group = MakeGroup(network, {1});
    EXPECT_DEATH(network.Device(0)->GetMac()->SendBurst(burst), "is a device");
}

} // namespace
