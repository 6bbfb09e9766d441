/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-bench.h"

#include "ns3/d2d-tdma-schedule.h"

#include <random>

namespace ns3::collab::tests
{
namespace
{

/// A schedule of 5 devices with slots of 10 us, and a record of its grants
class TdmaScheduleTest : public SimulatorTest
{
  protected:
    void
    RequestAt(int64_t us, uint32_t device)
    {
        At(MicroSeconds(us), [=] { schedule.Request(device); });
    }

    void
    ReleaseAt(int64_t us)
    {
        At(MicroSeconds(us), [this] { schedule.Release(); });
    }

    /// Notes that a device got the medium.
    void
    Note(uint32_t device)
    {
        grants +=
            " " + std::to_string(device) + "@" + std::to_string(Simulator::Now().GetMicroSeconds());
    }

    std::string grants;        //!< who got the medium, and when [us]
    std::set<uint32_t> refuse; //!< who does not take its turn
    bool releases = false;     //!< whether who gets the medium is done at once
    /// Under test
    D2dTdmaSchedule schedule{MicroSeconds(10), 5, [this](uint32_t device) {
                                 Note(device);
                                 if (releases)
                                 {
                                     schedule.Release();
                                 }
                                 return refuse.count(device) == 0;
                             }};
};

TEST_F(TdmaScheduleTest, EmptySlotsByHand)
{
    RequestAt(0, 3); // after the empty slots of 0, 1 and 2
    RequestAt(50, 1);
    ReleaseAt(130); // 4 at 130, 0 at 140
    ReleaseAt(250);
    RequestAt(307, 2); // slots have been 2, 3, 4, 0, 1, and 2 from 300 on: missed
    Simulator::Run();
    EXPECT_EQ(grants, " 3@30 1@150 2@350");
}

TEST_F(TdmaScheduleTest, WhoAsksAtTheBeginningOfItsSlotGetsIt)
{
    RequestAt(70, 2); // slots 0, 1, 2, 3, 4, 0, 1, 2
    Simulator::Run();
    EXPECT_EQ(grants, " 2@70");
}

TEST_F(TdmaScheduleTest, WhoseTurnIsSoonerComesFirst)
{
    RequestAt(1, 1);
    RequestAt(2, 0); // its slot has begun, and comes again at 50
    RequestAt(3, 4);
    ReleaseAt(25);
    ReleaseAt(60);
    Simulator::Run();
    EXPECT_EQ(grants, " 1@10 4@45 0@60");
}

TEST_F(TdmaScheduleTest, TheSlotOfWhoDoesNotTakeItStaysEmpty)
{
    refuse = {1, 2};
    RequestAt(0, 1);
    RequestAt(0, 2);
    RequestAt(0, 4);
    Simulator::Run();
    EXPECT_EQ(grants, " 1@10 2@20 4@40");
}

TEST_F(TdmaScheduleTest, WithoutSlotsTurnsTakeNoTime)
{
    D2dTdmaSchedule instant(Time(), 5, [this](uint32_t device) {
        Note(device);
        return device != 2;
    });
    for (const uint32_t device : {4, 3, 2, 1})
    {
        At(MicroSeconds(5), [&, device] { instant.Request(device); });
    }
    for (const uint32_t device : {1, 3, 4})
    {
        At(MicroSeconds(10 * device), [&] { instant.Release(); });
    }
    Simulator::Run();
    EXPECT_EQ(grants, " 1@5 2@10 3@10 4@30");
}

TEST_F(TdmaScheduleTest, AGuardTimeLiesBetweenTurnsAndNotBehindEmptySlots)
{
    schedule.SetGuard(MicroSeconds(5));
    refuse = {1};
    for (const uint32_t device : {0, 1, 2})
    {
        RequestAt(0, device);
    }
    ReleaseAt(100);
    Simulator::Run();
    EXPECT_EQ(grants, " 0@0 1@105 2@115");
}

TEST_F(TdmaScheduleTest, WhoIsDoneAtOnceHasHadItsTurn)
{
    releases = true;
    schedule.SetGuard(MicroSeconds(5));
    for (const uint32_t device : {0, 1, 2})
    {
        RequestAt(0, device);
    }
    Simulator::Run();
    EXPECT_EQ(grants, " 0@0 1@5 2@10");
}

TEST_F(TdmaScheduleTest, WhoWaitsKeepsWaitingWhenDevicesJoin)
{
    RequestAt(0, 0);
    RequestAt(50, 3);
    At(MicroSeconds(60), [this] { schedule.SetDevices(7); });
    RequestAt(70, 6);
    ReleaseAt(100);
    ReleaseAt(200);
    Simulator::Run();
    EXPECT_EQ(grants, " 0@0 3@120 6@220");
}

/// Medium in turns
class TdmaTest : public FidelitiesTest
{
  protected:
    /// Attributes of the channel
    const Settings m_turns = Channel({{"Access", "Tdma"}, {"TdmaSlot", "10us"}});
};

INSTANTIATE_TEST_SUITE_P(Fidelities, TdmaTest, FIDELITIES);

TEST_P(TdmaTest, DevicesTakeTurnsInTheirOrder)
{
    TestNetwork network(3, EXACT, m_turns);
    for (const uint32_t from : {2, 1, 0, 0, 1, 2})
    {
        network.Send(from, (from + 1) % 3, MILLISECOND);
    }
    Simulator::Run();
    EXPECT_EQ(network.Starts(), "0@0 1@1000 2@2000 0@3000 1@4000 2@5000");
    EXPECT_EQ(network.Receptions().size(), 6U) << "half duplex loses nothing";
}

TEST_P(TdmaTest, AckedBurstHoldsTheMediumToItsEnd)
{
    TestNetwork network(2, EXACT, m_turns);
    network.Send(0, 1, MILLISECOND, ARQ);
    network.Send(1, 0, MILLISECOND, ARQ);
    Simulator::Run();
    EXPECT_EQ(network.Starts(), "0@0 1@1132");
}

TEST_P(TdmaTest, WhoIsOffInItsTurnIsSkipped)
{
    TestNetwork network(4, EXACT, m_turns);
    for (const uint32_t from : {0, 1, 2, 3})
    {
        network.Send(from, (from + 3) % 4, MILLISECOND);
    }
    network.SwitchOffAt(MicroSeconds(500), 1);
    Simulator::Run();
    EXPECT_EQ(network.Starts(), "0@0 2@1010 3@2010");
}

TEST_P(TdmaTest, WhoGoesOffInItsTurnReleasesTheMedium)
{
    TestNetwork network(3, EXACT, m_turns);
    network.Send(0, 1, MILLISECOND);
    network.Send(1, 2, MILLISECOND);
    network.SwitchOffAt(MicroSeconds(300), 0);
    Simulator::Run();
    EXPECT_EQ(network.Starts(), "0@0 1@300");
}

TEST_P(TdmaTest, DeviceThatJoinsLaterDisturbsNobody)
{
    TestNetwork network(3, EXACT, m_turns);
    network.Send(0, 1, MILLISECOND);
    network.Send(1, 0, MILLISECOND);
    network.Send(2, 0, MILLISECOND);
    At(MicroSeconds(300), [&] {
        network.Join(Standing(0));
        network.Send(0, 2, MILLISECOND);
    });
    Simulator::Run();
    EXPECT_EQ(network.Starts(), "0@0 1@1000 2@2000 0@3010");
}

/// One channel for all
class SharedTest : public FidelitiesTest
{
  protected:
    /// Attributes of the channel
    const Settings m_shared = Channel({{"Access", "Shared"}});
    /// With devices that decode whatever overlaps
    const Settings m_unlocked = With({{"Locking", "None"}}, m_shared);
    /// With interference besides that does not fade
    const Settings m_steady =
        With({{"OutageModel", "ns3::collab::D2dRayleighOutageModel[InterferenceFading=Constant]"}},
             m_unlocked);
    /// With fragments that are lost by locks alone
    const Settings m_lossless =
        With({{"OutageModel", "ns3::collab::D2dFixedOutageModel"}}, m_shared);
};

INSTANTIATE_TEST_SUITE_P(Fidelities, SharedTest, FIDELITIES);

/// Puts the senders 0 and 2 out of each other's range; device 1 hears both, with these outages
void
HideSenders(TestNetwork& network, double outage, double otherOutage)
{
    network.SetOutage(0, 1, outage);
    network.SetOutage(2, 1, otherOutage);
    network.Hide(0, 2);
}

constexpr int HIDDEN_BURSTS = 2000; //!< of each sender that is hidden from the other

/// @brief Expect that two hidden senders lose bursts of one fragment by the outages as given.
/// @param channel attributes
/// @param offset how long after the first the second sends
/// @param bytes of the first's bursts
/// @param expected outages of both, within 3 standard errors
void
ExpectHiddenLosses(const Settings& channel,
                   Time offset,
                   uint32_t bytes,
                   std::pair<double, double> expected)
{
    TestNetwork network(3, {{"ContentionWindow", "1"}, {"SpectralEfficiency", "0.5"}}, channel);
    HideSenders(network, 0.05, 0.2);
    for (int i = 0; i < HIDDEN_BURSTS; ++i)
    {
        network.SendAt(MilliSeconds(50 * i), 0, 1, bytes);
        network.SendAt(MilliSeconds(50 * i) + offset, 2, 1, 100);
    }
    Simulator::Run();
    ASSERT_EQ(network.Reports().size(), 2U * HIDDEN_BURSTS);
    ExpectMean(network.Losses(0), expected.first);
    ExpectMean(network.Losses(2), expected.second);
}

// In units of the noise, with the SNR threshold 2^0.5 - 1: outage 0.05 and 0.2 without interference
const double THRESHOLD = std::sqrt(2.0) - 1;
const double POWER = THRESHOLD / -std::log(0.95);
const double OTHER_POWER = THRESHOLD / -std::log(0.8);
const std::pair<double, double> ALONE = {0.05, 0.2};
// With the mean power of the other as noise: 0.136 and 0.868
const std::pair<double, double> STEADY = {1 - std::exp(-THRESHOLD * (1 + OTHER_POWER) / POWER),
                                          1 - std::exp(-THRESHOLD*(1 + POWER) / OTHER_POWER)};
// With the other fading as well: 0.132 and 0.714
const std::pair<double, double> FADED = {1 - 0.95 / (1 + THRESHOLD * OTHER_POWER / POWER),
                                         1 - 0.8 / (1 + THRESHOLD * POWER / OTHER_POWER)};

TEST_P(SharedTest, HiddenSendersInterfere)
{
    ExpectHiddenLosses(m_steady, Time(), 100, STEADY);
    ExpectHiddenLosses(m_unlocked, Time(), 100, FADED);
}

TEST_P(SharedTest, TheWorstMomentOfAFragmentCounts)
{
    ExpectHiddenLosses(m_steady, MilliSeconds(8), 1000, STEADY);
    ExpectHiddenLosses(m_unlocked, MilliSeconds(8), 1000, FADED);
}

TEST_P(SharedTest, NoInterferenceWithoutOverlapOrWithSubchannels)
{
    ExpectHiddenLosses(m_shared, MilliSeconds(25), 1000, ALONE);
    ExpectHiddenLosses(Channel({{"Access", "Ofdma"}}), Time(), 100, ALONE);
}

TEST_P(SharedTest, OnlyTheFragmentsThatOverlapAreDisturbed)
{
    TestNetwork network(3, EXACT, m_unlocked);
    HideSenders(network, LOSSLESS, 0); // the other is as strong as can be
    network.Send(0, 1, 5 * 1500);
    // From the middle of the second fragment to the middle of the third
    network.SendAt(FRAGMENT_TIME * 3 / 2, 2, 1, 1500);
    Simulator::Run();
    EXPECT_THAT(network.Fates(0), ElementsAre("1 delivered"));
    EXPECT_THAT(network.Fates(1), ElementsAre("1 outage"));
    EXPECT_EQ(network.Outcome(1).lostFragments, 2U);
}

TEST_P(SharedTest, RetransmissionsMeetNoInterferenceThatIsOver)
{
    for (const std::string& arq : ARQS)
    {
        TestNetwork network(3, With({{"Arq", arq}}), m_shared);
        HideSenders(network, LOSSLESS, 0);
        network.Send(0, 1, 5 * 1500, ARQ);
        network.Send(2, 1, 1500);
        Simulator::Run();
        EXPECT_THAT(network.Fates(1), ElementsAre("1 acknowledged")) << arq;
        EXPECT_EQ(network.Report(1).attempts, 6U) << arq << ": the first was lost once";
    }
}

TEST_P(SharedTest, BackoffPartsSendersThatMet)
{
    // At 8 bit/s/Hz two equally strong signals destroy each other
    for (const auto& [backoff, expected] : {std::pair("0ms", 0), std::pair("10ms", 40)})
    {
        int delivered = 0;
        for (int run = 1; run <= 20; ++run)
        {
            RngSeedManager::SetRun(run);
            TestNetwork network(
                3,
                {{"ContentionWindow", "1"}, {"SpectralEfficiency", "8"}, {"RetryBackoff", backoff}},
                m_shared);
            HideSenders(network, LOSSLESS, LOSSLESS);
            network.Send(0, 1, 1000, ARQ);
            network.Send(2, 1, 1000, ARQ);
            Simulator::Run();
            delivered += network.Outcome(0).delivered + network.Outcome(1).delivered;
        }
        EXPECT_EQ(delivered, expected);
    }
}

TEST_P(SharedTest, CarrierSenseDefersToWhatIsHeard)
{
    TestNetwork network(4, EXACT, m_shared);
    network.Send(0, 1, 10 * 125 - 34);
    network.SendAt(MilliSeconds(1), 2, 3, MILLISECOND);
    Simulator::Run();
    EXPECT_EQ(network.Starts(), "0@0 2@10000");
    EXPECT_THAT(network.Hearers(), ElementsAre(1, 3));
}

TEST_P(SharedTest, WhoDoesNotListenCollides)
{
    TestNetwork network(4, EXACT, m_shared);
    network.Set(2, "CarrierSense", "false");
    network.SetOutage(0, 1, LOSSLESS);
    network.SetOutage(2, 3, LOSSLESS);
    network.Send(0, 1, 10 * 125 - 34);
    network.SendAt(MilliSeconds(1), 2, 3, MILLISECOND);
    Simulator::Run();
    EXPECT_EQ(network.Starts(), "0@0 2@1000");
    EXPECT_THAT(network.Receptions(), IsEmpty()) << "0 is as strong at 3, and 2 at 1, as can be";
}

TEST_P(SharedTest, ExposedSenderDefersInVainUnlessItsThresholdIsHigh)
{
    for (const auto& [threshold, start] : {std::pair("-100", 10000), std::pair("50", 1000)})
    {
        TestNetwork network(4, EXACT, m_shared);
        network.SetOutOfRange(1, 3);
        network.SetOutOfRange(2, 0);
        network.SetOutage(1, 2, LOSSLESS); // some -10 dBm
        network.Set(2, "CcaThreshold", threshold);
        network.Send(1, 0, 10 * 125 - 34);
        network.SendAt(MilliSeconds(1), 2, 3, MILLISECOND);
        Simulator::Run();
        EXPECT_EQ(network.Starts(), "1@0 2@" + std::to_string(start));
        EXPECT_THAT(network.Hearers(), UnorderedElementsAre(0, 3));
    }
}

TEST_P(SharedTest, CancelledBurstNeitherInterferesNorHoldsTheMedium)
{
    TestNetwork network(4, EXACT, m_shared);
    network.SetOutage(2, 3, LOSSLESS);
    const uint32_t burst = network.Send(0, 1, 100 * 125 - 34);
    network.SendAt(MilliSeconds(1), 2, 3, MILLISECOND);
    network.CancelAt(MilliSeconds(3), 0, burst);
    Simulator::Run();
    EXPECT_EQ(network.Starts(), "0@0 2@3000");
    EXPECT_THAT(network.Hearers(), ElementsAre(3));
}

TEST_P(SharedTest, LockedReceiverMissesTheOtherFragments)
{
    TestNetwork network(3, EXACT, m_lossless);
    HideSenders(network, 1e-3, 1e-3); // equally strong
    network.Send(0, 1, 5 * 1500);
    network.SendAt(FRAGMENT_TIME / 2, 2, 1, 7 * 1500);
    Simulator::Run();
    EXPECT_THAT(network.Fates(0), ElementsAre("1 delivered"));
    EXPECT_THAT(network.Fates(1), ElementsAre("1 collision"));
    EXPECT_EQ(network.Outcome(1).lostFragments, 5U) << "two begin when the first burst is over";
}

TEST_P(SharedTest, CaptureIsAChoice)
{
    for (const bool captures : {true, false})
    {
        TestNetwork network(
            3, EXACT, With({{"Locking", captures ? "Capture" : "First"}}, m_lossless));
        HideSenders(network, 1e-3, 1e-5); // 20 dB
        network.Send(0, 1, 5 * 1500);
        network.SendAt(FRAGMENT_TIME / 2, 2, 1, 2 * 1500);
        Simulator::Run();
        ASSERT_EQ(network.Reports().size(), 2U);
        EXPECT_EQ(network.Outcome(0).lostFragments, captures ? 0U : 2U) << "of the strong one";
        EXPECT_EQ(network.Outcome(1).lostFragments, captures ? 3U : 0U) << "in its middle";
    }
}

TEST_P(SharedTest, OneBurstOfAStormIsHeard)
{
    constexpr uint32_t SENDERS = 10;
    for (const bool locks : {true, false})
    {
        TestNetwork network(SENDERS + 2,
                            With({{"CarrierSense", "false"}, {"Duplex", "Full"}}),
                            With({{"Locking", locks ? "First" : "None"}}, m_lossless));
        for (uint32_t from = 0; from < SENDERS; ++from)
        {
            network.Send(from, BROADCAST, 1000);
        }
        Simulator::Run();
        std::size_t collisions = 0;
        for (const auto& report : network.Reports())
        {
            for (const auto& outcome : report.outcomes)
            {
                collisions += outcome.reason == D2dLossReason::COLLISION;
            }
        }
        // Each of twelve devices hears one of the others who send, or all of them
        constexpr uint32_t ALL = SENDERS * (SENDERS + 1);
        EXPECT_EQ(network.Receptions().size(), locks ? SENDERS + 2 : ALL);
        EXPECT_EQ(collisions, locks ? ALL - (SENDERS + 2) : 0U);
    }
}

/*
 * A sends 2000 fragments of 10 ms, each 45 ms after the beginning of its window of 100 ms. Hidden
 * from it, B begins one of 10 ms for the same receiver uniformly in [0, 90] ms of the window: it
 * overlaps with probability 20 / 90, and began before A's with half of that. Then the receiver is
 * locked to B's; otherwise A's is lost with the outage among interferers that fade. 3 standard
 * errors; the seed is fixed.
 */
TEST_P(SharedTest, HiddenTerminalByItsClosedForm)
{
    TestNetwork network(3, EXACT, m_shared);
    HideSenders(network, 0.05, 0.02);
    std::mt19937_64 generator(3);
    std::uniform_int_distribution<int64_t> begin(0, 90000);
    for (int i = 0; i < HIDDEN_BURSTS; ++i)
    {
        const Time window = MilliSeconds(100 * i);
        network.SendAt(window + MilliSeconds(45), 0, 1, 1250 - 34);
        network.SendAt(window + MicroSeconds(begin(generator)), 2, 1, 1250 - 34);
    }
    Simulator::Run();
    const double power = 3 / -std::log(0.95); // over the noise, with a threshold of 2^2 - 1
    const double otherPower = 3 / -std::log(0.98);
    const double among = 0.95 / (1 + 3 * otherPower / power);
    const double overlap = 20.0 / 90;
    ASSERT_THAT(network.Losses(0), SizeIs(HIDDEN_BURSTS));
    ExpectMean(network.Losses(0), 1 - ((1 - overlap) * 0.95 + overlap / 2 * among)); // 0.249
}

using CaptureTest = SimulatorTest;

TEST_F(CaptureTest, CaptureByDistance)
{
    // 10 dB of 30 dB a decade: from 100 / 10^(1/3) = 46.4 m on
    for (const double distanceM : {30.0, 46.3, 46.6, 80.0})
    {
        TestNetwork network(
            {Standing(0), Standing(100), Standing(-distanceM)},
            {},
            {{"CarrierSense", "false"}, {"ContentionWindow", "1"}},
            {{"Access", "Shared"}, {"OutageModel", "ns3::collab::D2dFixedOutageModel"}});
        network.Send(1, 0, 1000);
        network.SendAt(MilliSeconds(3), 2, 0, 1000);
        Simulator::Run();
        EXPECT_EQ(network.ReportOf(1).outcomes.at(0).delivered, distanceM > 46.4) << distanceM;
        EXPECT_EQ(network.ReportOf(2).outcomes.at(0).delivered, distanceM < 46.4) << distanceM;
    }
}

TEST_P(SharedTest, SignalsBelowTheSensitivityDisturbFromTheCutoffOn)
{
    // (2^2 - 1) I / W = ln(0.95) / ln(0.37) x 3
    const double among = 1 - 0.95 / (1 + 3 * std::log(0.95) / std::log(0.37));
    for (const auto& [cutoffDbm, expected] : {std::pair("-120", among), std::pair("-60", 0.05)})
    {
        // The other sender has an outage of 63 % at device 1, 15 dB over -120 dBm, and device
        // 1 is not sensitive enough to hear it
        TestNetwork network(4, EXACT, With({{"InterferenceCutoff", cutoffDbm}}, m_unlocked));
        HideSenders(network, 0.05, 0.63);
        network.Hide(0, 3);
        network.Set(1, "RxSensitivity", "-100");
        ASSERT_LT(network.RssW(2, 1), 1e-13);
        for (int i = 0; i < 2000; ++i)
        {
            network.SendAt(MilliSeconds(50 * i), 0, 1, 1000);
            network.SendAt(MilliSeconds(50 * i), 2, 3, 1000);
        }
        Simulator::Run();
        ASSERT_THAT(network.Losses(0), SizeIs(2000U));
        ExpectMean(network.Losses(0), expected);
    }
}

} // namespace
} // namespace ns3::collab::tests
