/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-test-support.h"

#include "ns3/d2d-subchannels.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;

constexpr auto BEST_EFFORT = D2dReliability::BEST_EFFORT;
constexpr uint32_t UNIT = 1250 - 34; //!< bytes that take 10 ms on the air, a fragment each

/// Two senders, 0 and 2, which do not hear each other, in both fidelities; device 1 hears both
class DisturbedBurstTest : public SimulatorTest, public testing::WithParamInterface<const char*>
{
  protected:
    DisturbedBurstTest()
        : network(4,
                  {{"Bandwidth", "5e5"},
                   {"SpectralEfficiency", "2"},
                   {"ContentionWindow", "1"},
                   {"FragmentSize", std::to_string(UNIT)}},
                  {{"Access", "Shared"}, {"Locking", "First"}, {"Fidelity", GetParam()}})
    {
        for (const uint32_t other : {2, 3})
        {
            network.SetOutOfRange(0, other);
            network.SetOutOfRange(other, 0);
        }
    }

    /**
     * @brief Send units, a fragment each.
     *
     * @param from index of the sender
     * @param to index of the receiver
     * @param units how many
     */
    void
    SendUnits(uint32_t from, uint32_t to, uint32_t units)
    {
        D2dBurst burst(
            Create<Packet>(units * UNIT), network.Address(to), TestNetwork::PROTOCOL, BEST_EFFORT);
        burst.division.units = units;
        burst.division.unitBytes = UNIT;
        network.Device(from)->GetMac()->SendBurst(std::move(burst));
    }

    /**
     * @param from index of a sender
     * @return the report of its burst
     */
    D2dBurstReport
    ReportOf(uint32_t from)
    {
        for (const auto& report : network.Reports())
        {
            if (report.senderNode == network.NodeId(from))
            {
                return report;
            }
        }
        return {};
    }

    TestNetwork network; //!< with the devices
};

INSTANTIATE_TEST_SUITE_P(Fidelities, DisturbedBurstTest, testing::Values("Packet", "Burst"));

// Device 2 is on air from 35 to 65 ms, and so strong at device 1 that nothing else gets through:
// of fragments of 10 ms it meets those that begin at 30, 40, 50 and 60 ms
TEST_P(DisturbedBurstTest, LosesTheFragmentsThatMeetAnotherSignal)
{
    network.SetOutage(0, 1, 1e-9);
    network.SetOutage(2, 1, 1e-25);
    SendUnits(0, 1, 10);
    Simulator::Schedule(MilliSeconds(35), [this]() { SendUnits(2, 3, 3); });
    Simulator::Run();
    EXPECT_EQ(ReportOf(0).end - ReportOf(0).start, MilliSeconds(100));
    EXPECT_EQ(ReportOf(0).outcomes.at(0).lostUnits, 4U);
    EXPECT_EQ(ReportOf(0).outcomes.at(0).reason, D2dLossReason::OUTAGE);
    EXPECT_EQ(ReportOf(2).outcomes.at(0).lostUnits, 0U);
}

// Device 1 is locked to device 0 up to 100 ms, and then gets what is left of the other burst: its
// fragments from 105 ms on
TEST_P(DisturbedBurstTest, ALockLastsUntilTheOtherBurstEnds)
{
    network.SetOutage(0, 1, 1e-13);
    network.SetOutage(2, 1, 1e-6);
    SendUnits(0, 1, 10);
    Simulator::Schedule(MilliSeconds(35), [this]() { SendUnits(2, 1, 10); });
    Simulator::Run();
    EXPECT_EQ(ReportOf(0).outcomes.at(0).lostUnits, 0U);
    EXPECT_EQ(ReportOf(2).outcomes.at(0).lostUnits, 7U);
    EXPECT_EQ(ReportOf(2).outcomes.at(0).reason, D2dLossReason::COLLISION);
}

// It no longer follows device 0, which sends until 100 ms, once it was off
TEST_P(DisturbedBurstTest, ADeviceThatWasOffIsNotLockedToWhatItFollowedBefore)
{
    network.SetOutage(0, 1, 1e-3);
    SendUnits(0, 1, 10);
    Simulator::Schedule(MilliSeconds(15), [this]() { network.Device(1)->GetMac()->SwitchOff(); });
    Simulator::Schedule(MilliSeconds(16), [this]() { network.Device(1)->GetMac()->SwitchOn(); });
    Simulator::Schedule(MilliSeconds(35), [this]() { SendUnits(2, 1, 3); });
    Simulator::Run();
    EXPECT_EQ(ReportOf(0).outcomes.at(0).reason, D2dLossReason::RECEIVER_OFF);
    EXPECT_EQ(ReportOf(2).outcomes.at(0).lostUnits, 0U);
}

// Links are read again at each instant at which a fragment ends: device 2 reaches device 1 from 95
// ms on
TEST_P(DisturbedBurstTest, LinksThatAreReadWhenFragmentsEndAreFollowed)
{
    network.Channel()->SetAttribute("LinkUpdatePeriod", StringValue("10ms"));
    network.SetOutage(0, 1, 1e-9);
    network.SetOutOfRange(2, 1);
    SendUnits(2, 3, 30);
    Simulator::Schedule(MilliSeconds(95), [this]() { network.SetOutage(2, 1, 1e-25); });
    Simulator::Schedule(MilliSeconds(150), [this]() { SendUnits(0, 1, 3); });
    Simulator::Run();
    EXPECT_EQ(ReportOf(0).outcomes.at(0).lostUnits, 3U);
}

// A fragment for each event would be a thousand of them
TEST_P(DisturbedBurstTest, BurstsOnASharedChannelTakeFewEvents)
{
    network.Send(0, 1, 1000 * UNIT, BEST_EFFORT);
    Simulator::Schedule(Seconds(1), [this]() { network.Send(2, 3, 10 * UNIT, BEST_EFFORT); });
    Simulator::Run();
    EXPECT_EQ(Simulator::GetEventCount() < 100, std::string(GetParam()) == "Burst");
}

// What fragments of a long message met is not kept until its end
TEST_F(SimulatorTest, OthersThatSendOftenTakeLittleMemory)
{
    TestNetwork network(4,
                        {{"Bandwidth", "5e5"}, {"SpectralEfficiency", "2"}},
                        {{"Access", "Shared"}, {"Locking", "None"}, {"Fidelity", "Burst"}});
    network.SetOutage(0, 1, 0.1);
    network.SetOutage(2, 1, 0.9);
    network.SetOutOfRange(0, 2);
    network.SetOutOfRange(2, 0);
    network.SetOutOfRange(0, 3);
    network.Send(0, 1, 20000000, BEST_EFFORT);
    uint64_t most = 0;
    for (int i = 0; i < 5000; ++i)
    {
        Simulator::Schedule(MilliSeconds(30 * i), [&network, &most]() {
            network.Send(2, 3, 100, BEST_EFFORT);
            most = std::max(most, network.Channel()->GetSubchannels()->CountRuns(0));
        });
    }
    Simulator::Run();
    EXPECT_GT(most, 1000U);
    EXPECT_LT(most, 2500U);
    for (const auto& report : network.Reports())
    {
        const double lost = report.outcomes.at(0).lostFragments;
        if (report.senderNode == network.NodeId(0))
        {
            // A fragment is lost with 0.1, or with 1 - 0.9 / (1 + 3 ln(0.9) / ln(0.1)) = 0.2087 if
            // it meets a signal: in 150 of 163 s a part (12.27 + 1.07) / 30 of all does
            EXPECT_NEAR(lost / report.fragments, 0.1 + 0.1087 * 0.4447 * 150 / 163, 0.01);
        }
    }
}

} // namespace
