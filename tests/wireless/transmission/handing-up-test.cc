/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-test-support.h"

#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <string>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;

/// When packets are handed up that their senders may go on to repeat, by hand, in both fidelities
class HandingUpTest : public SimulatorTest, public testing::WithParamInterface<const char*>
{
  protected:
    /**
     * @param arq "StopAndWait" or "SelectiveRepeat"
     * @return three devices, with 4 attempts a fragment and 1 ms before the first repetition
     */
    TestNetwork
    MakeNetwork(const std::string& arq) const
    {
        return TestNetwork(3,
                           {{"Bandwidth", "5e5"},
                            {"SpectralEfficiency", "2"},
                            {"ContentionWindow", "1"},
                            {"RetryBackoff", "1ms"},
                            {"MaxAttempts", "4"},
                            {"Arq", arq}},
                           {{"Fidelity", GetParam()}});
    }

    /**
     * @brief Send with ARQ, and look at what becomes of it.
     *
     * @param network the network
     * @param to a device, or all
     * @param bytes size
     * @param deadline after which it is cut off; 0 for none
     * @return what became of it
     */
    static D2dBurstReport
    Send(TestNetwork& network, uint32_t to, uint32_t bytes, Time deadline = Time())
    {
        const Mac48Address address =
            to == TestNetwork::BROADCAST ? Mac48Address::GetBroadcast() : network.Address(to);
        D2dBurst burst(Create<Packet>(bytes), address, TestNetwork::PROTOCOL, D2dReliability::ARQ);
        if (deadline.IsStrictlyPositive())
        {
            burst.deadline = deadline;
        }
        network.Device(0)->GetMac()->SendBurst(std::move(burst));
        Simulator::Run();
        return network.Reports().at(0);
    }

    const Time FRAGMENT = MicroSeconds(8 * 1534);                //!< airtime at 1 Mbit/s
    const Time WINDOW = MicroSeconds(8 * 14) + MicroSeconds(20); //!< for an acknowledgment
    const Time DELAY = NanoSeconds(334);                         //!< over 100 m
    static constexpr double NEVER = 1 - 1e-9;                    //!< outage of what is not heard
};

INSTANTIATE_TEST_SUITE_P(Fidelities, HandingUpTest, testing::Values("Packet", "Burst"));

TEST_P(HandingUpTest, StopAndWaitWithTheLastFragment)
{
    TestNetwork network = MakeNetwork("StopAndWait");
    const D2dBurstReport report = Send(network, 1, 4500);
    EXPECT_EQ(report.outcomes.at(0).ended, (FRAGMENT + WINDOW) * 2 + FRAGMENT + DELAY);
    EXPECT_EQ(network.Receptions().at(0).time, report.outcomes.at(0).ended);
    EXPECT_EQ(report.end, (FRAGMENT + WINDOW) * 3);
}

TEST_P(HandingUpTest, SelectiveRepeatWithTheRound)
{
    TestNetwork network = MakeNetwork("SelectiveRepeat");
    network.SetOutage(1, 0, NEVER);
    const D2dBurstReport report = Send(network, 1, 4500);
    EXPECT_EQ(report.outcomes.at(0).ended, FRAGMENT * 3 + DELAY);
    EXPECT_EQ(report.attempts, 4 * 3) << "its sender has heard nothing";
    EXPECT_EQ(network.Receptions().size(), 1);
}

TEST_P(HandingUpTest, ThoughNoAcknowledgmentIsHeard)
{
    TestNetwork network = MakeNetwork("StopAndWait");
    network.SetOutage(1, 0, NEVER);
    const D2dBurstReport report = Send(network, 1, 1500);
    EXPECT_TRUE(report.outcomes.at(0).delivered);
    EXPECT_FALSE(report.outcomes.at(0).acknowledged);
    EXPECT_EQ(report.outcomes.at(0).ended, FRAGMENT + DELAY);
    EXPECT_EQ(report.attempts, 4);
    EXPECT_EQ(network.Receptions().size(), 1);
}

TEST_P(HandingUpTest, BroadcastInItsFirstPass)
{
    for (const std::string arq : {"StopAndWait", "SelectiveRepeat"})
    {
        TestNetwork network = MakeNetwork(arq);
        network.SetOutage(0, 2, NEVER);
        network.SetOutage(1, 0, NEVER);
        const D2dBurstReport report = Send(network, TestNetwork::BROADCAST, 3000);
        const Time between = arq == "StopAndWait" ? WINDOW : Time();
        EXPECT_EQ(report.outcomes.at(0).ended, FRAGMENT * 2 + between + DELAY) << arq;
        EXPECT_FALSE(report.outcomes.at(1).delivered);
        EXPECT_EQ(network.Receptions().size(), 1);
        Simulator::Destroy();
    }
}

TEST_P(HandingUpTest, WhatIsWholeIsNotLostWhenItIsCutOff)
{
    for (const std::string arq : {"StopAndWait", "SelectiveRepeat"})
    {
        TestNetwork network = MakeNetwork(arq);
        network.SetOutage(1, 0, NEVER);
        const D2dBurstReport report = Send(network, 1, 1500, FRAGMENT + WINDOW / 2);
        EXPECT_EQ(report.stopped, D2dLossReason::DEADLINE);
        EXPECT_TRUE(report.outcomes.at(0).delivered) << arq;
        EXPECT_EQ(report.outcomes.at(0).ended, FRAGMENT + DELAY);
        Simulator::Destroy();
    }
}

TEST_P(HandingUpTest, WhatIsCutOffInAWindowIsNotAcknowledged)
{
    constexpr uint32_t UNITS = 6;
    for (const bool waits : {false, true})
    {
        TestNetwork network = MakeNetwork("SelectiveRepeat");
        D2dBurst burst(Create<Packet>(20 + UNITS * 700),
                       network.Address(1),
                       TestNetwork::PROTOCOL,
                       D2dReliability::ARQ);
        burst.division.headerBytes = 20;
        burst.division.unitBytes = 700;
        burst.division.units = UNITS;
        const Time fragment = MicroSeconds(8 * (20 + 2 * 700 + 34));
        const Time window = MicroSeconds(20) + MicroSeconds(8 * 14) * 3;
        burst.deadline = fragment * 3 + window + MicroSeconds(waits ? 1 : -1);
        network.Device(0)->GetMac()->SendBurst(std::move(burst));
        Simulator::Run();
        const D2dReceiverOutcome& outcome = network.Reports().at(0).outcomes.at(0);
        EXPECT_TRUE(outcome.delivered);
        EXPECT_EQ(outcome.lostUnits, 0);
        EXPECT_EQ(outcome.ended, fragment * 3 + DELAY);
        EXPECT_EQ(outcome.acknowledged, waits);
        EXPECT_EQ(outcome.acknowledgedUnits.size(), waits ? UNITS : 0);
        Simulator::Destroy();
    }
}

TEST_P(HandingUpTest, NothingIsKeptOfABurstThatIsOver)
{
    for (const std::string arq : {"StopAndWait", "SelectiveRepeat"})
    {
        for (const Time deadline : {Time(), FRAGMENT * 2, FRAGMENT * 3 + WINDOW * 3})
        {
            TestNetwork network(
                2, {{"Arq", arq}}, {{"Fidelity", GetParam()}, {"LinkUpdatePeriod", "5ms"}});
            network.SetOutage(0, 1, 0.3);
            network.SetOutage(1, 0, 0.3);
            Send(network, 1, 15000, deadline);
            ASSERT_EQ(network.Reports().size(), 1);
            EXPECT_EQ(network.Reports()[0].burst.use_count(), 1) << "the report's, " << arq;
            Simulator::Destroy();
        }
    }
}

/*
 * The first of up to 4 transmissions that arrives is the j-th with probability 0.4^(j-1) 0.6,
 * whatever is heard of it. 4 shares at 4 standard errors (two-sided 6.3e-5) in 3 cases: 8e-4 for a
 * seed drawn anew.
 */
TEST_P(HandingUpTest, MomentIsThatOfTheFirstArrival)
{
    constexpr int RUNS = 1500;
    constexpr double OUTAGE = 0.4;
    for (const double acknowledgmentLoss : {0.0, 0.6, NEVER})
    {
        std::map<Time, int> times;
        for (int run = 1; run <= RUNS; ++run)
        {
            RngSeedManager::SetRun(run);
            TestNetwork network = MakeNetwork("StopAndWait");
            network.SetOutage(0, 1, OUTAGE);
            network.SetOutage(1, 0, acknowledgmentLoss);
            const D2dBurstReport report = Send(network, 1, 1500);
            EXPECT_EQ(report.outcomes.at(0).delivered, report.outcomes.at(0).lostFragments == 0);
            times[report.outcomes.at(0).delivered ? report.outcomes.at(0).ended : Time()] += 1;
            Simulator::Destroy();
        }
        double probability = 1 - OUTAGE;
        Time time = FRAGMENT + DELAY;
        for (int attempt = 1; attempt <= 4; ++attempt)
        {
            const double error = std::sqrt(probability * (1 - probability) / RUNS);
            EXPECT_NEAR(times[time] / static_cast<double>(RUNS), probability, 4 * error)
                << attempt << ", " << acknowledgmentLoss;
            probability *= OUTAGE;
            time += WINDOW + MilliSeconds(1 << (attempt - 1)) + FRAGMENT;
        }
        EXPECT_EQ(times.size(), 5) << "four moments, and those that are lost";
    }
}

} // namespace
