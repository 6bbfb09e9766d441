/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-bench.h"

#include "ns3/d2d-subchannels.h"
#include "ns3/propagation-delay-model.h"

namespace ns3::collab::tests
{
namespace
{

constexpr uint32_t SHORT = 1; //!< bytes that take 0.28 ms
/// A fragment, an acknowledgment of 1 ms, and an AcknowledgmentTurnaround of 20 us
const Time PERIOD = MicroSeconds(11020);

/// Stop-and-wait of device 0, which 2 and 3 do not hear, in both fidelities; nobody backs off
class StreakTest : public FidelitiesTest
{
  protected:
    StreakTest()
        : network(4,
                  With({{"FragmentSize", std::to_string(TEN_MILLISECONDS)},
                        {"AcknowledgmentSize", "125"},
                        {"RetryBackoff", "0ms"},
                        {"MaxAttempts", "4"}}),
                  Channel({{"Access", "Shared"}, {"Locking", "First"}}))
    {
        network.Hide(0, 2);
        network.Hide(0, 3);
        // Whatever meets device 2 at device 1 does not get through
        network.SetOutage(0, 1, LOSSLESS);
        network.SetOutage(2, 1, OVERWHELMING);
    }

    /// Let device 2 send to device 3.
    void
    Disturb(const std::vector<double>& moments, uint32_t bytes)
    {
        for (const double moment : moments)
        {
            network.SendAt(MicroSeconds(std::llround(1000 * moment)), 2, 3, bytes);
        }
    }

    /// Give each device one of two subchannels, by its index
    void
    UseTwoSubchannels()
    {
        network.SetChannel("Access", "Ofdma");
        network.SetChannel("Subchannels", "2");
    }

    /// @param seconds that everything is on its way, as text
    void
    SetDelay(const std::string& seconds)
    {
        network.Channel()->SetPropagationDelayModel(
            CreateObjectWithAttributes<RandomPropagationDelayModel>(
                "Variable", StringValue("ns3::ConstantRandomVariable[Constant=" + seconds + "]")));
    }

    /// @return the end of the burst of device 0
    const D2dBurstReport&
    GetReport() const
    {
        return network.ReportOf(0);
    }

    /// Expects that a burst of device 0 took so many attempts, one after the other.
    void
    ExpectAttempts(uint32_t attempts) const
    {
        EXPECT_EQ(GetReport().attempts, attempts);
        EXPECT_EQ(GetReport().end - GetReport().start, attempts * PERIOD);
    }

    TestNetwork network; //!< with the devices
};

INSTANTIATE_TEST_SUITE_P(Fidelities, StreakTest, FIDELITIES);

TEST_P(StreakTest, ALongMessageTakesFewEvents)
{
    network.Send(0, 1, 1000 * TEN_MILLISECONDS, ARQ);
    Simulator::Run();
    ExpectAttempts(1000);
    EXPECT_TRUE(GetReport().outcomes.at(0).acknowledged);
    EXPECT_EQ(Simulator::GetEventCount() < 50, !m_isPacket);
}

// Device 2 meets the fragment from 22 to 32 ms, and the repetition of that from 33 to 43 ms
TEST_P(StreakTest, AFragmentOnAirMeetsWhoBegins)
{
    network.Send(0, 1, 10 * TEN_MILLISECONDS, ARQ);
    Disturb({25}, TEN_MILLISECONDS);
    Simulator::Run();
    ExpectAttempts(12);
    EXPECT_TRUE(GetReport().outcomes.at(0).acknowledged);
}

// Of fragments that begin at 0, 11, 22 ms and so on device 2 meets none
TEST_P(StreakTest, AWindowMeetsNobody)
{
    network.Send(0, 1, 10 * TEN_MILLISECONDS, ARQ);
    Disturb({21.2, 65.5}, SHORT);
    Simulator::Run();
    ExpectAttempts(10);
}

// Device 2 meets the fragments that begin at 22 ms, at 121 ms, and while it sends, at 132 ms
TEST_P(StreakTest, GoesOnInStreaksAfterwards)
{
    network.Send(0, 1, 20 * TEN_MILLISECONDS, ARQ);
    Disturb({25, 130.9, 132}, SHORT);
    Simulator::Run();
    ExpectAttempts(23);
}

// Device 1 is locked to the fragment from 22 to 32 ms, although it will not get it, and so does not
// hear a stronger one that begins later
TEST_P(StreakTest, AFragmentOnAirHoldsItsReceiver)
{
    network.Send(0, 1, 10 * TEN_MILLISECONDS, ARQ);
    network.SendAt(MilliSeconds(25), 2, 1, SHORT);
    Simulator::Run();
    EXPECT_EQ(GetReport().attempts, 11U);
    EXPECT_THAT(network.Fates(network.ReportOf(2)), ElementsAre("1 collision"));
}

// Two fragments are acknowledged; the third has its four attempts
TEST_P(StreakTest, AReceiverThatGoesOffHearsNoMore)
{
    network.Send(0, 1, 10 * TEN_MILLISECONDS, ARQ);
    network.SwitchOffAt(MilliSeconds(25), 1);
    Simulator::Run();
    ExpectAttempts(6);
    EXPECT_EQ(GetReport().outcomes.at(0).lostFragments, 8U);
    EXPECT_EQ(GetReport().outcomes.at(0).reason, D2dLossReason::RECEIVER_OFF);
}

TEST_P(StreakTest, ACancelledMessageWasSentUpToNow)
{
    const uint32_t burst = network.Send(0, 1, 10 * TEN_MILLISECONDS, ARQ);
    network.CancelAt(MilliSeconds(25), 0, burst);
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
    const uint32_t burst = network.Send(0, 1, 10 * TEN_MILLISECONDS, ARQ);
    network.CancelAt(MicroSeconds(32042), 0, burst);
    RunFor(Seconds(1)); // batteries go on for ever
    EXPECT_EQ(GetReport().airtime, MilliSeconds(30));
    EXPECT_EQ(GetReport().attempts, 3U);
    EXPECT_EQ(GetReport().outcomes.at(0).lostFragments, 7U);
    // Fragments of 10 ms, and acknowledgments of 1 ms by the same power
    EXPECT_GT(network.Joules(1, EnergyKind::TX), 0);
    // Duty cycles are of whole nanoseconds
    EXPECT_NEAR(network.Joules(1, EnergyKind::TX), network.Joules(0, EnergyKind::TX) / 10, 1e-9);
}

// The third fragment is out at 32.04 ms, and arrives at 32.044 ms; it has met the link of before
TEST_P(StreakTest, WhatIsInTheAirHasMetTheLinkAsItWas)
{
    SetDelay("4e-6");
    network.SetChannel("LinkUpdatePeriod", "32042us");
    network.Send(0, 1, 10 * TEN_MILLISECONDS, ARQ);
    At(MicroSeconds(32041), [this] { network.SetOutage(0, 1, LOST); });
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
        network.Send(0, 1, 10 * TEN_MILLISECONDS, ARQ);
        network.SendAt(MicroSeconds(32040 + delay), 2, 3, SHORT);
        Simulator::Run();
        EXPECT_EQ(network.Reports().back().attempts, 10U) << delay;
    }
}

// Device 1 sends to the sender from 25 to 35 ms, all of whose third window is in that
TEST_P(StreakTest, WhoListensToTwoPaysOnce)
{
    for (const uint32_t device : {0, 1})
    {
        network.Set(device, "Duplex", "Full");
        network.Set(device, "CarrierSense", "false");
    }
    SetDelay("0");
    network.InstallBatteries({}, {}, {{"IdlePower", "0"}});
    network.Send(0, 1, 10 * TEN_MILLISECONDS, ARQ);
    network.SendAt(MilliSeconds(25), 1, 0, TEN_MILLISECONDS);
    RunFor(Seconds(1));
    EXPECT_NEAR(network.Joules(0, EnergyKind::RX), 0.2 * (9 * 1.02e-3 + 10e-3), 1e-9);
    EXPECT_NEAR(network.Joules(0, EnergyKind::IDLE), 0.02 * (1 - 10 * PERIOD.GetSeconds()), 1e-9);
}

// What device 2 has begun, or, as a streak ends for it, is about to begin
TEST_P(StreakTest, WhatIsCancelledAsItBeginsIsNotOnAir)
{
    network.InstallBatteries();
    uint32_t other = 0;
    OnActivity(network.Phy(0), [&](const auto&) {
        if (other > 0)
        {
            network.Mac(2)->CancelBurst(std::exchange(other, 0));
        }
    });
    network.Send(0, 1, 10 * TEN_MILLISECONDS, ARQ);
    At(MilliSeconds(25), [&] { other = network.Send(2, 3, TEN_MILLISECONDS); });
    RunFor(Seconds(1));
    const D2dBurstReport& cancelled = network.Reports().front();
    EXPECT_EQ(cancelled.stopped, D2dLossReason::CANCELLED);
    EXPECT_EQ(network.Phy(2)->GetActivity().transmitting, 0U);
    constexpr double WATTS = 0.1 / 0.35 + 0.1; // 20 dBm
    EXPECT_NEAR(network.Joules(2, EnergyKind::TX), WATTS * cancelled.airtime.GetSeconds(), 1e-9);
    EXPECT_TRUE(
        network.Channel()->GetMedium()->Signals().GetSubchannels()->Find(0).IsQuiet({0, 1, 2, 3}));
}

// Device 1 misses the fragment from 22 to 32 ms of the first pass, and gets it from 110 ms on
TEST_P(StreakTest, ABroadcastRepeatsWhatADeviceMissed)
{
    network.SetOutOfRange(2, 3);
    network.Send(0, BROADCAST, 10 * TEN_MILLISECONDS, ARQ);
    Disturb({25}, SHORT);
    Simulator::Run();
    ExpectAttempts(11);
    EXPECT_TRUE(GetReport().outcomes.at(0).acknowledged);
}

// Device 3 is on the subchannel beside and meets the fragment from 22 to 32 ms
TEST_P(StreakTest, WhatLeaksFromBesideStirsToo)
{
    UseTwoSubchannels();
    network.SetChannel("AdjacentLeakage", "3");
    network.SetOutage(3, 1, OVERWHELMING);
    network.Send(0, 1, 10 * TEN_MILLISECONDS, ARQ);
    network.SendAt(MilliSeconds(25), 3, 2, SHORT);
    Simulator::Run();
    EXPECT_EQ(GetReport().attempts, 11U);
}

// Device 3's fragments, from 25 and 36.02 ms on, meet those from 22, 33, and 44 ms on
TEST_P(StreakTest, StreaksOnSubchannelsBesideEachOtherMeet)
{
    UseTwoSubchannels();
    network.SetChannel("AdjacentLeakage", "3");
    network.SetOutage(3, 1, OVERWHELMING);
    network.Send(0, 1, 10 * TEN_MILLISECONDS, ARQ);
    network.SendAt(MilliSeconds(25), 3, 2, 2 * TEN_MILLISECONDS, ARQ);
    Simulator::Run();
    ExpectAttempts(13);
}

// Device 1 gets nothing of a message in four streaks, and then two messages at once
TEST_P(StreakTest, NothingIsLeftOfDutyCycles)
{
    UseTwoSubchannels();
    network.SetOutage(0, 1, LOST);
    network.Send(0, 1, 10 * TEN_MILLISECONDS, ARQ);
    Simulator::Run();
    network.SetOutage(0, 1, LOSSLESS);
    network.Send(0, 1, 10 * TEN_MILLISECONDS, ARQ);
    network.Send(3, 1, 4500, ARQ); // another duty cycle, so that sums are rounded
    Simulator::Run();
    EXPECT_EQ(network.Reports().size(), 3U);
    EXPECT_FALSE(network.Phy(1)->GetActivity().cycle.IsAny());
}

// Links are read anew every 7 ms, and from 50 ms on nothing gets through
TEST_P(StreakTest, LinksThatChangeAreFollowed)
{
    network.SetChannel("LinkUpdatePeriod", "7ms");
    network.Send(0, 1, 10 * TEN_MILLISECONDS, ARQ);
    At(MilliSeconds(50), [this] { network.SetOutage(0, 1, LOST); });
    Simulator::Run();
    // That is read at 56 ms: five arrive, and the one that begins at 55 ms has four attempts
    EXPECT_EQ(GetReport().attempts, 9U);
    EXPECT_EQ(GetReport().outcomes.at(0).lostFragments, 5U);
}

} // namespace
} // namespace ns3::collab::tests
