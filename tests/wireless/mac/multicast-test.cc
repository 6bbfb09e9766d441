/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * One transmission to a group of devices.
 */

#include "wireless/wireless-bench.h"

namespace ns3::collab::tests
{
namespace
{

/// With and without ARQ
class MulticastTest : public WithParameter<std::tuple<const char*, D2dReliability>>
{
  protected:
    const Settings m_channel = {{"Fidelity", std::get<0>(GetParam())}}; //!< of the channel
    const D2dReliability m_reliability = std::get<1>(GetParam());       //!< of bursts
    /// What becomes of a burst that is delivered
    const std::string m_delivered = m_reliability == ARQ ? " acknowledged" : " delivered";
};

INSTANTIATE_TEST_SUITE_P(Fidelities,
                         MulticastTest,
                         testing::Combine(FIDELITIES, testing::Values(BEST_EFFORT, ARQ)));

TEST_P(MulticastTest, ReachesTheGroupAndNobodyElse)
{
    TestNetwork network(5, EXACT, m_channel);
    network.SendBurst(1, network.GroupBurst({0, 3}, 4000, m_reliability));
    Simulator::Run();
    EXPECT_THAT(network.Hearers(), UnorderedElementsAre(0, 3));
    EXPECT_THAT(network.Fates(), ElementsAre("0" + m_delivered, "3" + m_delivered));
    EXPECT_EQ(network.Report().attempts, 3U) << "one transmission for all";
    EXPECT_EQ(network.Report().bytesSent, 4000U);
}

TEST_P(MulticastTest, GroupsOfOneSenderMayDiffer)
{
    TestNetwork network(5, EXACT, m_channel);
    // Whose links do not change, so that they are kept from burst to burst
    network.Channel()->SetPropagationLossModel(CreateObject<FriisPropagationLossModel>());
    const D2dBurst first = network.GroupBurst({0, 3}, 100);
    for (const D2dBurst& burst :
         {network.Burst(BROADCAST, 100), first, network.GroupBurst({2}, 100), first})
    {
        network.SendBurst(1, burst);
        Simulator::Run();
    }
    EXPECT_THAT(network.Hearers(), UnorderedElementsAre(0, 2, 3, 4, 0, 3, 2, 0, 3));
}

TEST_P(MulticastTest, OutsidersSpendNothingOnIt)
{
    TestNetwork network(4, EXACT, m_channel);
    network.InstallBatteries({}, {{"IdlePower", "0.02"}}, {{"IdlePower", "0.05"}});
    network.SetOutage(0, 1, 0.5);
    network.SetOutage(0, 2, 0.5);
    for (int i = 0; i < 20; ++i)
    {
        network.SendBurst(0, network.GroupBurst({1, 2}, 20000, m_reliability));
    }
    RunFor(Seconds(1000));
    EXPECT_GT(network.Joules(1, EnergyKind::RX), 0);
    EXPECT_GT(network.Joules(2, EnergyKind::RX), 0);
    EXPECT_EQ(network.Joules(3, EnergyKind::RX), 0);
    EXPECT_EQ(network.Joules(3, EnergyKind::TX), 0);
    EXPECT_NEAR(network.Joules(3, EnergyKind::IDLE), 1000 * (0.02 + 0.05), 1e-9) << "all the time";
}

TEST_P(MulticastTest, ToAllIsABroadcast)
{
    std::vector<std::string> descriptions;
    for (const bool isBroadcast : {true, false})
    {
        TestNetwork network(4, EXACT, m_channel);
        for (uint32_t from = 0; from < 4; ++from)
        {
            for (uint32_t to = 0; to < 4; ++to)
            {
                network.SetOutage(from, to, from == to ? 0 : 0.1 * (from + to));
            }
        }
        for (uint32_t i = 0; i < 40; ++i)
        {
            std::vector<uint32_t> others = {0, 1, 2, 3};
            others.erase(others.begin() + i % 4);
            const D2dBurst burst = isBroadcast ? network.Burst(BROADCAST, 5000, m_reliability)
                                               : network.GroupBurst(others, 5000, m_reliability);
            At(MilliSeconds(7 * i), [&, i, burst] { network.SendBurst(i % 4, burst); });
        }
        Simulator::Run();
        EXPECT_THAT(network.Reports(), SizeIs(40));
        descriptions.push_back(network.DescribeBursts());
    }
    EXPECT_EQ(descriptions[0], descriptions[1]);
}

TEST_P(MulticastTest, NothingIsSentToNobody)
{
    TestNetwork network(3, EXACT, m_channel);
    network.SendBurst(0, network.GroupBurst({}, 4000, m_reliability));
    network.Send(0, 1, 100);
    Simulator::Run();
    EXPECT_EQ(network.Report(0).attempts, 0U);
    EXPECT_THAT(network.Fates(0), IsEmpty());
    EXPECT_EQ(network.Starts(), "0@0") << "the next one goes at once";
    EXPECT_THAT(network.Hearers(), ElementsAre(1));
}

TEST_P(MulticastTest, MembersThatHearNothingHaveAnOutcome)
{
    TestNetwork network(5, EXACT, m_channel);
    network.SetOutOfRange(0, 2);
    network.Mac(3)->SwitchOff();
    network.SendBurst(0, network.GroupBurst({1, 2, 3}, 4000, m_reliability));
    Simulator::Run();
    EXPECT_THAT(network.Fates(),
                ElementsAre("1" + m_delivered, "2 out-of-range", "3 receiver-off"));
    EXPECT_THAT(network.Hearers(), ElementsAre(1));
}

TEST_P(MulticastTest, ThatIsDroppedHasAnOutcomeForEachMember)
{
    TestNetwork network(5, EXACT, m_channel);
    network.SetOutOfRange(0, 4);
    network.Mac(0)->SwitchOff();
    network.SendBurst(0, network.GroupBurst({2, 4}, 4000, m_reliability));
    EXPECT_THAT(network.Fates(), ElementsAre("2 transmitter-off", testing::StartsWith("4 ")));
}

TEST_P(MulticastTest, DoesNotDisturbOutsiders)
{
    TestNetwork network(5, EXACT, m_channel);
    network.SendBurst(0, network.GroupBurst({1}, 40000, m_reliability)); // for 0.3 s and more
    network.SendAt(MilliSeconds(1), 2, 3, 4000);
    network.SendAt(MilliSeconds(1), 1, 4, 4000);
    Simulator::Run();
    EXPECT_EQ(network.Report(0).start, MilliSeconds(1)) << "it follows nothing to wait for";
    EXPECT_THAT(network.Fates(0), ElementsAre("3 delivered"));
    EXPECT_EQ(network.Report(2).senderNode, network.NodeId(1));
    EXPECT_GE(network.Report(2).start, network.Report(1).end) << "who is addressed waits";
}

TEST_P(MulticastTest, IsMissedByAMemberThatTransmits)
{
    TestNetwork network(4, EXACT, m_channel);
    network.Send(2, 3, 40000);
    At(MilliSeconds(1), [&] {
        network.SendBurst(0, network.GroupBurst({1, 2}, 4000, m_reliability));
    });
    Simulator::Run();
    EXPECT_THAT(network.Fates(network.ReportOf(0)),
                ElementsAre("1" + m_delivered, "2 half-duplex"));
}

TEST_P(MulticastTest, LossesOfMembersAreIndependent)
{
    constexpr int BURSTS = 3000;
    constexpr double OUTAGES[] = {0.2, 0.5};
    TestNetwork network(4, {{"MaxAttempts", "1"}}, m_channel);
    network.SetOutage(0, 1, OUTAGES[0]);
    network.SetOutage(0, 3, OUTAGES[1]);
    const D2dBurst burst = network.GroupBurst({1, 3}, 100, m_reliability);
    for (int i = 0; i < BURSTS; ++i)
    {
        network.SendBurst(0, burst);
        Simulator::Run();
    }
    int counts[2][2] = {};
    for (int i = 0; i < BURSTS; ++i)
    {
        ++counts[!network.Outcome(i, 0).delivered][!network.Outcome(i, 1).delivered];
    }
    // Chi-square with 3 degrees of freedom: over 21.1 with probability 1e-4
    double statistic = 0;
    for (int lost = 0; lost < 4; ++lost)
    {
        const double expected = BURSTS * (lost & 1 ? OUTAGES[0] : 1 - OUTAGES[0]) *
                                (lost & 2 ? OUTAGES[1] : 1 - OUTAGES[1]);
        statistic += std::pow(counts[lost & 1][lost >> 1] - expected, 2) / expected;
    }
    EXPECT_LT(statistic, 21.1);
}

using MulticastArqTest = FidelitiesTest;

INSTANTIATE_TEST_SUITE_P(Fidelities, MulticastArqTest, FIDELITIES);

TEST_P(MulticastArqTest, RetransmitsForThoseMembersThatNeedIt)
{
    TestNetwork network(5, {{"MaxAttempts", "100"}}, m_channel);
    network.SetOutage(0, 1, 0.5);
    network.SetOutage(0, 3, 0.5);
    network.SendBurst(0, network.GroupBurst({1, 2, 3}, 100000, ARQ));
    Simulator::Run();
    EXPECT_THAT(network.Fates(), ElementsAre("1 acknowledged", "2 acknowledged", "3 acknowledged"));
    // Once to all, then half of them 2 times on average to each of two: 3 times the fragments
    const double fragments = network.Report().fragments;
    EXPECT_NEAR(network.Report().attempts, 3 * fragments, 8 * std::sqrt(fragments));
    EXPECT_LT(network.Outcome(0, 0).ended, network.Outcome(0, 2).ended) << "one after the other";
}

TEST_P(MulticastArqTest, GivesUpOnAMemberAfterMaxAttempts)
{
    TestNetwork network(4, {{"MaxAttempts", "4"}}, m_channel);
    network.Mac(1)->SwitchOff();
    network.SendBurst(0, network.GroupBurst({1, 2}, 100, ARQ));
    Simulator::Run();
    EXPECT_EQ(network.Report().attempts, 4U);
    EXPECT_THAT(network.Fates(), ElementsAre("1 receiver-off", "2 acknowledged"));
}

using MulticastMediumTest = SimulatorTest;

TEST_F(MulticastMediumTest, OnASharedChannelOutsidersDeferToWhatTheySense)
{
    TestNetwork network(4, EXACT, {{"Access", "Shared"}});
    network.SendBurst(0, network.GroupBurst({1}, 4000));
    network.SendAt(MilliSeconds(1), 2, 3, 100);
    Simulator::Run();
    EXPECT_GE(network.ReportOf(2).start, network.ReportOf(0).end);
}

TEST_F(MulticastMediumTest, GroupsHaveToBeOnTheChannel)
{
    TestNetwork network(2, EXACT);
    for (const uint32_t node : {network.NodeId(0), network.NodeId(1) + 1})
    {
        D2dBurst burst = network.GroupBurst({}, 100);
        burst.group = std::make_shared<const std::vector<uint32_t>>(std::vector{node});
        EXPECT_DEATH(network.SendBurst(0, burst);
                     Simulator::Run(), "has no other device on the channel");
    }
}

TEST_F(MulticastMediumTest, AGroupIsNoDevice)
{
    TestNetwork network(2, EXACT);
    D2dBurst burst = network.GroupBurst({1}, 10);
    burst.destination = network.Address(1);
    EXPECT_DEATH(network.SendBurst(0, burst), "is a device");
}

} // namespace
} // namespace ns3::collab::tests
