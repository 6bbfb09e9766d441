/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-test-support.h"

#include "ns3/boolean.h"
#include "ns3/d2d-subchannels.h"
#include "ns3/double.h"
#include "ns3/propagation-delay-model.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;

constexpr auto ARQ = D2dReliability::ARQ;
constexpr auto BEST_EFFORT = D2dReliability::BEST_EFFORT;
constexpr uint32_t UNIT = 1250 - 34; //!< bytes that take 10 ms on the air, a fragment each
constexpr uint32_t SHORT = 1;        //!< bytes that take 0.28 ms
/// A fragment, an acknowledgment of 1 ms, and an AcknowledgmentTurnaround of 20 us
const Time PERIOD = MicroSeconds(11020);

/**
 * Stop-and-wait of device 0, which 2 and 3 do not hear, in both fidelities; nobody backs off
 */
class StreakTest : public SimulatorTest, public testing::WithParamInterface<const char*>
{
  protected:
    StreakTest()
        : network(4,
                  {{"Bandwidth", "5e5"},
                   {"SpectralEfficiency", "2"},
                   {"ContentionWindow", "1"},
                   {"FragmentSize", std::to_string(UNIT)},
                   {"AcknowledgmentSize", "125"},
                   {"RetryBackoff", "0ms"},
                   {"MaxAttempts", "4"}},
                  {{"Access", "Shared"}, {"Locking", "First"}, {"Fidelity", GetParam()}})
    {
        for (const uint32_t other : {2, 3})
        {
            network.SetOutOfRange(0, other);
            network.SetOutOfRange(other, 0);
        }
        // Whatever meets device 2 at device 1 does not get through
        network.SetOutage(0, 1, 1e-9);
        network.SetOutage(2, 1, 1e-25);
    }

    /**
     * @brief Let device 2 send to device 3.
     *
     * @param moments when, in milliseconds
     * @param bytes size of each message
     */
    void
    Disturb(const std::vector<double>& moments, uint32_t bytes)
    {
        for (const double moment : moments)
        {
            Simulator::Schedule(MicroSeconds(static_cast<uint64_t>(1000 * moment)),
                                [this, bytes]() { network.Send(2, 3, bytes, BEST_EFFORT); });
        }
    }

    /// Give each device one of two subchannels, by its number
    void
    UseTwoSubchannels()
    {
        network.Channel()->SetAttribute("Access", StringValue("Ofdma"));
        network.Channel()->SetAttribute("Subchannels", UintegerValue(2));
        network.Channel()->SetAttribute("SubchannelAllocation", StringValue("ById"));
    }

    /// @param seconds that everything is on its way, as text
    void
    SetDelay(const std::string& seconds)
    {
        auto delay = CreateObject<RandomPropagationDelayModel>();
        delay->SetAttribute("Variable",
                            StringValue("ns3::ConstantRandomVariable[Constant=" + seconds + "]"));
        network.Channel()->SetPropagationDelayModel(delay);
    }

    /**
     * @param device index of a device
     * @param kind a kind of energy
     * @return joules that it has spent on that
     */
    double
    GetJoules(uint32_t device, EnergyKind kind) const
    {
        return network.Energy(device)[static_cast<std::size_t>(kind)];
    }

    /// @return the report of the burst of device 0
    D2dBurstReport
    GetReport()
    {
        for (const auto& report : network.Reports())
        {
            if (report.senderNode == network.NodeId(0))
            {
                return report;
            }
        }
        ADD_FAILURE() << "there is no report";
        return {};
    }

    TestNetwork network; //!< with the devices
};

INSTANTIATE_TEST_SUITE_P(Fidelities, StreakTest, testing::Values("Packet", "Burst"));

TEST_P(StreakTest, ALongMessageTakesFewEvents)
{
    network.Send(0, 1, 1000 * UNIT, ARQ);
    Simulator::Run();
    EXPECT_EQ(GetReport().attempts, 1000U);
    EXPECT_EQ(GetReport().end - GetReport().start, 1000 * PERIOD);
    EXPECT_TRUE(GetReport().outcomes.at(0).acknowledged);
    EXPECT_EQ(Simulator::GetEventCount() < 50, std::string(GetParam()) == "Burst");
}

// Device 2 meets the fragment from 22 to 32 ms, and the repetition of that from 33 to 43 ms
TEST_P(StreakTest, AFragmentOnAirMeetsWhoBegins)
{
    network.Send(0, 1, 10 * UNIT, ARQ);
    Disturb({25}, UNIT);
    Simulator::Run();
    EXPECT_EQ(GetReport().attempts, 12U);
    EXPECT_EQ(GetReport().end - GetReport().start, 12 * PERIOD);
    EXPECT_TRUE(GetReport().outcomes.at(0).acknowledged);
}

// Of fragments that begin at 0, 11, 22 ms and so on device 2 meets none
TEST_P(StreakTest, AWindowMeetsNobody)
{
    network.Send(0, 1, 10 * UNIT, ARQ);
    Disturb({21.2, 65.5}, SHORT);
    Simulator::Run();
    EXPECT_EQ(GetReport().attempts, 10U);
    EXPECT_EQ(GetReport().end - GetReport().start, 10 * PERIOD);
}

// Device 2 meets the fragments that begin at 22 ms, at 121 ms, and while it sends, at 132 ms
TEST_P(StreakTest, GoesOnInStreaksAfterwards)
{
    network.Send(0, 1, 20 * UNIT, ARQ);
    Disturb({25, 130.9, 132}, SHORT);
    Simulator::Run();
    EXPECT_EQ(GetReport().attempts, 23U);
    EXPECT_EQ(GetReport().end - GetReport().start, 23 * PERIOD);
}

// Device 1 is locked to the fragment from 22 to 32 ms, although it will not get it, and so does not
// hear a stronger one that begins later
TEST_P(StreakTest, AFragmentOnAirHoldsItsReceiver)
{
    network.Send(0, 1, 10 * UNIT, ARQ);
    Simulator::Schedule(MilliSeconds(25), [this]() { network.Send(2, 1, SHORT, BEST_EFFORT); });
    Simulator::Run();
    EXPECT_EQ(GetReport().attempts, 11U);
    for (const auto& report : network.Reports())
    {
        if (report.senderNode == network.NodeId(2))
        {
            EXPECT_EQ(report.outcomes.at(0).reason, D2dLossReason::COLLISION);
        }
    }
}

// Two fragments are acknowledged; the third has its four attempts
TEST_P(StreakTest, AReceiverThatGoesOffHearsNoMore)
{
    network.Send(0, 1, 10 * UNIT, ARQ);
    Simulator::Schedule(MilliSeconds(25), [this]() { network.Device(1)->GetMac()->SwitchOff(); });
    Simulator::Run();
    EXPECT_EQ(GetReport().attempts, 6U);
    EXPECT_EQ(GetReport().end - GetReport().start, 6 * PERIOD);
    EXPECT_EQ(GetReport().outcomes.at(0).lostFragments, 8U);
    EXPECT_EQ(GetReport().outcomes.at(0).reason, D2dLossReason::RECEIVER_OFF);
}

TEST_P(StreakTest, ACancelledMessageWasSentUpToNow)
{
    const uint32_t burst = network.Send(0, 1, 10 * UNIT, ARQ);
    Simulator::Schedule(MilliSeconds(25),
                        [this, burst]() { network.Device(0)->GetMac()->CancelBurst(burst); });
    Simulator::Run();
    EXPECT_EQ(GetReport().airtime, MilliSeconds(45) - 2 * PERIOD);
    EXPECT_EQ(GetReport().attempts, 3U);
    EXPECT_EQ(GetReport().outcomes.at(0).lostFragments, 8U);
}

// The third fragment ends at 32.04 ms, and arrives 4 us later, whatever its sender does
TEST_P(StreakTest, WhatIsInTheAirArrivesAfterACancel)
{
    SetDelay("4e-6");
    network.InstallBatteries();
    const uint32_t burst = network.Send(0, 1, 10 * UNIT, ARQ);
    Simulator::Schedule(MicroSeconds(32042),
                        [this, burst]() { network.Device(0)->GetMac()->CancelBurst(burst); });
    Simulator::Stop(Seconds(1)); // batteries go on for ever
    Simulator::Run();
    EXPECT_EQ(GetReport().airtime, MilliSeconds(30));
    EXPECT_EQ(GetReport().attempts, 3U);
    EXPECT_EQ(GetReport().outcomes.at(0).lostFragments, 7U);
    // Fragments of 10 ms, and acknowledgments of 1 ms by the same power
    EXPECT_GT(GetJoules(1, EnergyKind::TX), 0);
    // Duty cycles are of whole nanoseconds
    EXPECT_NEAR(GetJoules(1, EnergyKind::TX), GetJoules(0, EnergyKind::TX) / 10, 1e-9);
}

// The third fragment is out at 32.04 ms, and arrives at 32.044 ms; it has met the link of before
TEST_P(StreakTest, WhatIsInTheAirHasMetTheLinkAsItWas)
{
    SetDelay("4e-6");
    network.Channel()->SetAttribute("LinkUpdatePeriod", StringValue("32042us"));
    network.Send(0, 1, 10 * UNIT, ARQ);
    Simulator::Schedule(MicroSeconds(32041), [this]() { network.SetOutage(0, 1, 1 - 1e-9); });
    Simulator::Run();
    EXPECT_EQ(GetReport().attempts, 7U); // the fourth one has four
    EXPECT_EQ(GetReport().outcomes.at(0).lostFragments, 7U);
}

// Device 2 begins at the very instant at which the third fragment ends, or arrives
TEST_P(StreakTest, WhoBeginsAsAFragmentArrivesDoesNotMeetIt)
{
    for (const uint32_t delay : {0, 4})
    {
        SetDelay(std::to_string(delay) + "e-6");
        network.Send(0, 1, 10 * UNIT, ARQ);
        Simulator::Schedule(MicroSeconds(32040 + delay),
                            [this]() { network.Send(2, 3, SHORT, BEST_EFFORT); });
        Simulator::Run();
        EXPECT_EQ(network.Reports().back().attempts, 10U) << delay;
    }
}

// Device 1 sends to the sender from 25 to 35 ms, all of whose third window is in that
TEST_P(StreakTest, WhoListensToTwoPaysOnce)
{
    for (const uint32_t device : {0, 1})
    {
        network.Device(device)->GetPhy()->SetAttribute("Duplex", StringValue("Full"));
        network.Device(device)->GetMac()->SetAttribute("CarrierSense", BooleanValue(false));
    }
    SetDelay("0");
    network.InstallBatteries({}, {}, {{"IdlePower", "0"}});
    network.Send(0, 1, 10 * UNIT, ARQ);
    Simulator::Schedule(MilliSeconds(25), [this]() { network.Send(1, 0, UNIT, BEST_EFFORT); });
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    EXPECT_NEAR(GetJoules(0, EnergyKind::RX), 0.2 * (9 * 1.02e-3 + 10e-3), 1e-9);
    EXPECT_NEAR(GetJoules(0, EnergyKind::IDLE), 0.02 * (1 - 10 * PERIOD.GetSeconds()), 1e-9);
}

// What device 2 has begun, or, as a streak ends for it, is about to begin
TEST_P(StreakTest, WhatIsCancelledAsItBeginsIsNotOnAir)
{
    network.InstallBatteries();
    uint32_t other = 0;
    const std::function<void(const D2dRadioActivity&)> cancel = [&](const D2dRadioActivity&) {
        if (other > 0)
        {
            network.Device(2)->GetMac()->CancelBurst(std::exchange(other, 0));
        }
    };
    network.Device(0)->GetPhy()->TraceConnectWithoutContext(
        "Activity", Callback<void, const D2dRadioActivity&>(cancel));
    network.Send(0, 1, 10 * UNIT, ARQ);
    Simulator::Schedule(MilliSeconds(25), [&]() { other = network.Send(2, 3, UNIT, BEST_EFFORT); });
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    const D2dBurstReport& cancelled = network.Reports().front();
    EXPECT_EQ(cancelled.stopped, D2dLossReason::CANCELLED);
    EXPECT_EQ(network.Device(2)->GetPhy()->GetActivity().transmitting, 0U);
    constexpr double WATTS = 0.1 / 0.35 + 0.1; // 20 dBm
    EXPECT_NEAR(GetJoules(2, EnergyKind::TX), WATTS * cancelled.airtime.GetSeconds(), 1e-9);
    EXPECT_TRUE(network.Channel()->GetSubchannels()->Find(0).IsQuiet({0, 1, 2, 3}));
}

// Device 1 misses the fragment from 22 to 32 ms of the first pass, and gets it from 110 ms on
TEST_P(StreakTest, ABroadcastRepeatsWhatADeviceMissed)
{
    network.SetOutOfRange(2, 3);
    network.Send(0, TestNetwork::BROADCAST, 10 * UNIT, ARQ);
    Disturb({25}, SHORT);
    Simulator::Run();
    EXPECT_EQ(GetReport().attempts, 11U);
    EXPECT_EQ(GetReport().end - GetReport().start, 11 * PERIOD);
    EXPECT_TRUE(GetReport().outcomes.at(0).acknowledged);
}

// Device 3 is on the subchannel beside and meets the fragment from 22 to 32 ms
TEST_P(StreakTest, WhatLeaksFromBesideStirsToo)
{
    UseTwoSubchannels();
    network.Channel()->SetAttribute("AdjacentLeakage", DoubleValue(3));
    network.SetOutage(3, 1, 1e-25);
    network.Send(0, 1, 10 * UNIT, ARQ);
    Simulator::Schedule(MilliSeconds(25), [this]() { network.Send(3, 2, SHORT, BEST_EFFORT); });
    Simulator::Run();
    EXPECT_EQ(GetReport().attempts, 11U);
}

// Device 3's fragments, from 25 and 36.02 ms on, meet those from 22, 33, and 44 ms on
TEST_P(StreakTest, StreaksOnSubchannelsBesideEachOtherMeet)
{
    UseTwoSubchannels();
    network.Channel()->SetAttribute("AdjacentLeakage", DoubleValue(3));
    network.SetOutage(3, 1, 1e-25);
    network.Send(0, 1, 10 * UNIT, ARQ);
    Simulator::Schedule(MilliSeconds(25), [this]() { network.Send(3, 2, 2 * UNIT, ARQ); });
    Simulator::Run();
    EXPECT_EQ(GetReport().attempts, 13U);
    EXPECT_EQ(GetReport().end - GetReport().start, 13 * PERIOD);
}

// Device 1 gets nothing of a message in four streaks, and then two messages at once
TEST_P(StreakTest, NothingIsLeftOfDutyCycles)
{
    UseTwoSubchannels();
    network.SetOutage(0, 1, 1 - 1e-9);
    network.Send(0, 1, 10 * UNIT, ARQ);
    Simulator::Run();
    network.SetOutage(0, 1, 1e-9);
    network.Send(0, 1, 10 * UNIT, ARQ);
    network.Send(3, 1, 4500, ARQ); // another duty cycle, so that sums are rounded
    Simulator::Run();
    EXPECT_EQ(network.Reports().size(), 3U);
    EXPECT_FALSE(network.Device(1)->GetPhy()->GetActivity().cycle.IsAny());
}

// Links are read anew every 7 ms, and from 50 ms on nothing gets through
TEST_P(StreakTest, LinksThatChangeAreFollowed)
{
    network.Channel()->SetAttribute("LinkUpdatePeriod", StringValue("7ms"));
    network.Send(0, 1, 10 * UNIT, ARQ);
    Simulator::Schedule(MilliSeconds(50), [this]() { network.SetOutage(0, 1, 1 - 1e-9); });
    Simulator::Run();
    // That is read at 56 ms: five arrive, and the one that begins at 55 ms has four attempts
    EXPECT_EQ(GetReport().attempts, 9U);
    EXPECT_EQ(GetReport().outcomes.at(0).lostFragments, 5U);
}

} // namespace
