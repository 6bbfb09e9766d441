/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-test-support.h"

#include "ns3/boolean.h"
#include "ns3/constant-position-mobility-model.h"
#include "ns3/d2d-helper.h"
#include "ns3/d2d-tdma-schedule.h"
#include "ns3/double.h"
#include "ns3/node.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <gmock/gmock.h>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr auto BEST_EFFORT = D2dReliability::BEST_EFFORT;
constexpr auto ARQ = D2dReliability::ARQ;

/// Data rate 1 Mbit/s, and no back-off, so that times can be told by hand.
const Settings EXACT = {
    {"Bandwidth", "5e5"}, {"SpectralEfficiency", "2"}, {"ContentionWindow", "1"}};

constexpr uint32_t MILLISECOND = 125 - 34; //!< bytes that take 1 ms on the air then

/**
 * @param more attributes
 * @return EXACT with them
 */
Settings
ExactWith(Settings more)
{
    more.insert(EXACT.begin(), EXACT.end());
    return more;
}

/// A schedule of 5 devices with slots of 10 us, and a record of its grants
class TdmaScheduleTest : public SimulatorTest
{
  protected:
    /**
     * @param us when [us]
     * @param device that asks for the medium then
     */
    void
    RequestAt(int64_t us, uint32_t device)
    {
        Simulator::Schedule(MicroSeconds(us), [this, device]() { schedule.Request(device); });
    }

    /**
     * @param us when [us]
     * @param device that is done then
     */
    void
    ReleaseAt(int64_t us, uint32_t device)
    {
        Simulator::Schedule(MicroSeconds(us), [this, device]() { schedule.Release(device); });
    }

    /// Who got the medium, and when [us]
    std::vector<std::pair<int64_t, uint32_t>> grants;
    std::set<uint32_t> refuse; //!< who does not take its turn
    /// Under test
    D2dTdmaSchedule schedule{MicroSeconds(10), 5, [this](uint32_t device) {
                                 grants.emplace_back(Simulator::Now().GetMicroSeconds(), device);
                                 return refuse.count(device) == 0;
                             }};
};

TEST_F(TdmaScheduleTest, EmptySlotsByHand)
{
    RequestAt(0, 3); // after the empty slots of 0, 1 and 2
    RequestAt(50, 1);
    ReleaseAt(130, 3); // 4 at 130, 0 at 140
    ReleaseAt(250, 1);
    RequestAt(307, 2); // slots have been 2, 3, 4, 0, 1, and 2 from 300 on: missed
    Simulator::Run();
    EXPECT_THAT(grants, ElementsAre(std::pair(30, 3), std::pair(150, 1), std::pair(350, 2)));
}

TEST_F(TdmaScheduleTest, WhoAsksAtTheBeginningOfItsSlotGetsIt)
{
    RequestAt(70, 2); // slots 0, 1, 2, 3, 4, 0, 1, 2
    Simulator::Run();
    EXPECT_THAT(grants, ElementsAre(std::pair(70, 2)));
}

TEST_F(TdmaScheduleTest, WhoseTurnIsSoonerComesFirst)
{
    RequestAt(1, 1);
    RequestAt(2, 0); // its slot has begun, and comes again at 50
    RequestAt(3, 4);
    ReleaseAt(25, 1);
    ReleaseAt(60, 4);
    Simulator::Run();
    EXPECT_THAT(grants, ElementsAre(std::pair(10, 1), std::pair(45, 4), std::pair(60, 0)));
}

TEST_F(TdmaScheduleTest, TheSlotOfWhoDoesNotTakeItStaysEmpty)
{
    refuse = {1, 2};
    for (const uint32_t device : {1, 2, 4})
    {
        RequestAt(0, device);
    }
    Simulator::Run();
    EXPECT_THAT(grants, ElementsAre(std::pair(10, 1), std::pair(20, 2), std::pair(40, 4)));
}

TEST_F(TdmaScheduleTest, WithoutSlotsTurnsTakeNoTime)
{
    std::vector<std::pair<int64_t, uint32_t>> granted;
    D2dTdmaSchedule instant(Time(), 5, [&granted](uint32_t device) {
        granted.emplace_back(Simulator::Now().GetMicroSeconds(), device);
        return device != 2;
    });
    for (const uint32_t device : {4, 3, 2, 1})
    {
        Simulator::Schedule(MicroSeconds(5), [&instant, device]() { instant.Request(device); });
    }
    for (const uint32_t device : {1, 3, 4})
    {
        Simulator::Schedule(MicroSeconds(10 * device),
                            [&instant, device]() { instant.Release(device); });
    }
    Simulator::Run();
    EXPECT_THAT(granted,
                ElementsAre(std::pair(5, 1), std::pair(10, 2), std::pair(10, 3), std::pair(30, 4)));
}

/// Medium in turns, in both fidelities
class TdmaTest : public SimulatorTest, public testing::WithParamInterface<const char*>
{
  protected:
    /**
     * @param network what has run
     * @return sender and start [us] of all bursts that went on air
     */
    static std::vector<std::pair<uint32_t, int64_t>>
    Turns(const TestNetwork& network)
    {
        std::vector<std::pair<uint32_t, int64_t>> turns;
        for (const auto& report : network.Reports())
        {
            if (report.attempts > 0)
            {
                turns.emplace_back(report.senderNode - network.NodeId(0),
                                   report.start.GetMicroSeconds());
            }
        }
        return turns;
    }

    /// Attributes of the channel
    const Settings m_channel = {{"Fidelity", GetParam()}, {"Access", "Tdma"}, {"TdmaSlot", "10us"}};
};

INSTANTIATE_TEST_SUITE_P(Fidelities, TdmaTest, testing::Values("Packet", "Burst"));

TEST_P(TdmaTest, DevicesTakeTurnsInTheirOrder)
{
    TestNetwork network(3, EXACT, m_channel);
    for (const uint32_t from : {2, 1, 0, 0, 1, 2})
    {
        network.Send(from, (from + 1) % 3, MILLISECOND, BEST_EFFORT);
    }
    Simulator::Run();
    EXPECT_THAT(Turns(network),
                ElementsAre(std::pair(0, 0),
                            std::pair(1, 1000),
                            std::pair(2, 2000),
                            std::pair(0, 3000),
                            std::pair(1, 4000),
                            std::pair(2, 5000)));
    EXPECT_EQ(network.Receptions().size(), 6U) << "half duplex loses nothing";
}

TEST_P(TdmaTest, WhoHasNothingToSendCostsASlot)
{
    TestNetwork network(4, EXACT, m_channel);
    network.Send(1, 0, MILLISECOND, BEST_EFFORT);
    network.Send(3, 0, MILLISECOND, BEST_EFFORT);
    network.Send(3, 0, MILLISECOND, BEST_EFFORT);
    Simulator::Run();
    EXPECT_THAT(Turns(network),
                ElementsAre(std::pair(1, 10), std::pair(3, 1020), std::pair(3, 2050)));
}

TEST_P(TdmaTest, AckedBurstHoldsTheMediumToItsEnd)
{
    TestNetwork network(2, EXACT, m_channel);
    network.Send(0, 1, MILLISECOND, ARQ);
    network.Send(1, 0, MILLISECOND, ARQ);
    Simulator::Run();
    EXPECT_THAT(Turns(network), ElementsAre(std::pair(0, 0), std::pair(1, 1000 + 112 + 20)));
}

TEST_P(TdmaTest, WhoIsOffOrAsleepInItsTurnIsSkipped)
{
    TestNetwork network(4, EXACT, m_channel);
    for (const uint32_t from : {0, 1, 2, 3})
    {
        network.Send(from, (from + 3) % 4, MILLISECOND, BEST_EFFORT);
    }
    Simulator::Schedule(MicroSeconds(500), [&network]() {
        network.Device(1)->GetMac()->SwitchOff();
        network.Device(2)->GetMac()->Sleep();
    });
    Simulator::Schedule(MilliSeconds(10), [&network]() { network.Device(2)->GetMac()->Wake(); });
    Simulator::Run();
    // From 2020 us on slots of 10 us begin with device 0's: that of 2 at 10000 us begins at once
    EXPECT_THAT(Turns(network),
                ElementsAre(std::pair(0, 0), std::pair(3, 1020), std::pair(2, 10000)));
}

TEST_P(TdmaTest, WhoGoesOffInItsTurnGivesTheMediumFree)
{
    TestNetwork network(3, EXACT, m_channel);
    network.Send(0, 1, MILLISECOND, BEST_EFFORT);
    network.Send(1, 2, MILLISECOND, BEST_EFFORT);
    Simulator::Schedule(MicroSeconds(300),
                        [&network]() { network.Device(0)->GetMac()->SwitchOff(); });
    Simulator::Run();
    EXPECT_THAT(Turns(network), ElementsAre(std::pair(0, 0), std::pair(1, 300)));
}

TEST_P(TdmaTest, DeviceThatJoinsLaterDisturbsNobody)
{
    TestNetwork network(3, EXACT, m_channel);
    network.Send(0, 1, MILLISECOND, BEST_EFFORT);
    network.Send(1, 0, MILLISECOND, BEST_EFFORT);
    network.Send(2, 0, MILLISECOND, BEST_EFFORT);
    Simulator::Schedule(MicroSeconds(300), [&network]() {
        Ptr<Node> node = CreateObject<Node>();
        node->AggregateObject(CreateObject<ConstantPositionMobilityModel>());
        Ptr<D2dNetDevice> device = CreateObject<D2dNetDevice>();
        node->AddDevice(device);
        device->SetChannel(network.Channel());
        network.Send(0, 2, MILLISECOND, BEST_EFFORT);
    });
    Simulator::Run();
    EXPECT_THAT(
        Turns(network),
        ElementsAre(std::pair(0, 0), std::pair(1, 1000), std::pair(2, 2000), std::pair(0, 3010)));
}

TEST_P(TdmaTest, EverybodyGetsAsManyTurns)
{
    constexpr uint32_t DEVICES = 5;
    TestNetwork network(
        DEVICES, {{"TxQueue", "ns3::DropTailQueue<Packet>[MaxSize=1000p]"}}, m_channel);
    for (uint32_t i = 0; i < 200; ++i)
    {
        for (uint32_t from = 0; from < DEVICES; ++from)
        {
            network.Send(from, (from + 1) % DEVICES, 100 * (from + 1), BEST_EFFORT);
        }
    }
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    std::map<uint32_t, int> turns;
    Time end;
    for (const auto& report : network.Reports())
    {
        ++turns[report.senderNode];
        EXPECT_GE(report.start, end);
        end = report.end;
        EXPECT_TRUE(report.outcomes.at(0).delivered);
    }
    EXPECT_EQ(turns.size(), DEVICES);
    for (const auto& [node, count] : turns)
    {
        EXPECT_GT(count, 20);
        EXPECT_NEAR(count, turns.begin()->second, 1) << node;
    }
}

/// One channel for all
class SharedTest : public SimulatorTest, public testing::WithParamInterface<const char*>
{
  protected:
    /// Attributes of the channel
    const Settings m_channel = {{"Fidelity", GetParam()}, {"Access", "Shared"}};
    /// With devices that decode whatever overlaps
    const Settings m_unlocked = {
        {"Fidelity", GetParam()}, {"Access", "Shared"}, {"Locking", "None"}};
    /// With interference besides that does not fade
    const Settings m_steady = {
        {"Fidelity", GetParam()},
        {"Access", "Shared"},
        {"Locking", "None"},
        {"OutageModel", "ns3::collab::D2dRayleighOutageModel[InterferenceFading=Constant]"}};
};

INSTANTIATE_TEST_SUITE_P(Fidelities, SharedTest, testing::Values("Packet", "Burst"));

/**
 * @brief Put the senders 0 and 2 out of each other's range; both are heard by device 1.
 *
 * @param network with 3 devices
 * @param outage of the first link without interference
 * @param otherOutage of the second one
 */
void
HideSenders(TestNetwork& network, double outage, double otherOutage)
{
    network.SetOutage(0, 1, outage);
    network.SetOutage(2, 1, otherOutage);
    network.SetOutOfRange(0, 2);
    network.SetOutOfRange(2, 0);
}

/// Losses of two hidden senders that send at the same time
struct HiddenLosses
{
    std::vector<double> lost;      //!< 1 for each burst of the first that was lost, 0 for others
    std::vector<double> lostOther; //!< of the second
};

/**
 * @param channel attributes
 * @param offset how long after the first the second sends
 * @param bytes of the first's bursts
 * @return losses of many bursts of one fragment
 */
HiddenLosses
PlayHiddenSenders(const Settings& channel, Time offset, uint32_t bytes)
{
    TestNetwork network(3, {{"ContentionWindow", "1"}, {"SpectralEfficiency", "0.5"}}, channel);
    HideSenders(network, 0.05, 0.2);
    for (int i = 0; i < 5000; ++i)
    {
        Simulator::Schedule(MilliSeconds(50 * i),
                            [&network, bytes]() { network.Send(0, 1, bytes, BEST_EFFORT); });
        Simulator::Schedule(MilliSeconds(50 * i) + offset,
                            [&network]() { network.Send(2, 1, 100, BEST_EFFORT); });
    }
    Simulator::Run();
    HiddenLosses losses;
    for (const auto& report : network.Reports())
    {
        const bool isFirst = report.senderNode == network.NodeId(0);
        (isFirst ? losses.lost : losses.lostOther).push_back(!report.outcomes.at(0).delivered);
    }
    return losses;
}

/// @param losses of bursts, which must be as frequent as an outage probability says
void
ExpectLosses(const std::vector<double>& losses, double outage)
{
    ASSERT_EQ(losses.size(), 5000U);
    const Moments moments = Describe(losses);
    EXPECT_NEAR(moments.mean, outage, 3 * moments.standardError);
}

// In units of the noise, with the SNR threshold 2^0.5 - 1: outage 0.05 and 0.2 without interference
const double THRESHOLD = std::sqrt(2.0) - 1;
const double POWER = THRESHOLD / -std::log(0.95);
const double OTHER_POWER = THRESHOLD / -std::log(0.8);
// With the mean power of the other as noise
const double OUTAGE = 1 - std::exp(-THRESHOLD * (1 + OTHER_POWER) / POWER);
const double OTHER_OUTAGE = 1 - std::exp(-THRESHOLD * (1 + POWER) / OTHER_POWER);
// With the other fading as well
const double FADED_OUTAGE = 1 - 0.95 / (1 + THRESHOLD * OTHER_POWER / POWER);
const double FADED_OTHER_OUTAGE = 1 - 0.8 / (1 + THRESHOLD * POWER / OTHER_POWER);

TEST_P(SharedTest, HiddenSendersInterfere)
{
    const HiddenLosses losses = PlayHiddenSenders(m_steady, Time(), 100);
    ExpectLosses(losses.lost, OUTAGE);            // 0.136
    ExpectLosses(losses.lostOther, OTHER_OUTAGE); // 0.868
}

TEST_P(SharedTest, HiddenSendersFade)
{
    const HiddenLosses losses = PlayHiddenSenders(m_unlocked, Time(), 100);
    ExpectLosses(losses.lost, FADED_OUTAGE);            // 0.132
    ExpectLosses(losses.lostOther, FADED_OTHER_OUTAGE); // 0.714
}

TEST_P(SharedTest, TheWorstMomentOfAFragmentCounts)
{
    const HiddenLosses losses = PlayHiddenSenders(m_steady, MilliSeconds(8), 1000);
    ExpectLosses(losses.lost, OUTAGE);
    ExpectLosses(losses.lostOther, OTHER_OUTAGE);
    Simulator::Destroy();
    const HiddenLosses faded = PlayHiddenSenders(m_unlocked, MilliSeconds(8), 1000);
    ExpectLosses(faded.lost, FADED_OUTAGE);
    ExpectLosses(faded.lostOther, FADED_OTHER_OUTAGE);
}

TEST_P(SharedTest, NoInterferenceWithoutOverlap)
{
    const HiddenLosses losses = PlayHiddenSenders(m_channel, MilliSeconds(25), 1000);
    ExpectLosses(losses.lost, 0.05);
    ExpectLosses(losses.lostOther, 0.2);
}

TEST_P(SharedTest, NoInterferenceWithSubchannels)
{
    const HiddenLosses losses =
        PlayHiddenSenders({{"Fidelity", GetParam()}, {"Access", "Ofdma"}}, Time(), 100);
    ExpectLosses(losses.lost, 0.05);
    ExpectLosses(losses.lostOther, 0.2);
}

TEST_P(SharedTest, OnlyTheFragmentsThatOverlapAreDisturbed)
{
    TestNetwork network(3, EXACT, m_unlocked);
    HideSenders(network, 1e-9, 0); // the other is as strong as can be
    network.Send(0, 1, 5 * 1500, BEST_EFFORT);
    const Time fragment = MicroSeconds(8 * 1534);
    // From the middle of the second fragment to the middle of the third
    Simulator::Schedule(fragment + fragment / 2,
                        [&network]() { network.Send(2, 1, 1500, BEST_EFFORT); });
    Simulator::Run();
    ASSERT_EQ(network.Reports().size(), 2U);
    EXPECT_TRUE(network.Reports()[0].outcomes.at(0).delivered);
    EXPECT_EQ(network.Reports()[1].outcomes.at(0).lostFragments, 2U);
    EXPECT_EQ(network.Reports()[1].outcomes.at(0).reason, D2dLossReason::OUTAGE);
}

TEST_P(SharedTest, RepetitionsMeetNoInterferenceThatIsOver)
{
    for (const std::string arq : {"StopAndWait", "SelectiveRepeat"})
    {
        TestNetwork network(3, ExactWith({{"Arq", arq}}), m_channel);
        HideSenders(network, 1e-9, 0);
        network.Send(0, 1, 5 * 1500, ARQ);
        network.Send(2, 1, 1500, BEST_EFFORT);
        Simulator::Run();
        ASSERT_EQ(network.Reports().size(), 2U);
        const D2dBurstReport& report = network.Reports()[1];
        EXPECT_TRUE(report.outcomes.at(0).acknowledged) << arq;
        EXPECT_EQ(report.attempts, 6U) << arq << ": the first was lost once";
        Simulator::Destroy();
    }
}

TEST_P(SharedTest, BackoffPartsSendersThatMet)
{
    // At 8 bit/s/Hz two equally strong signals destroy each other
    int delivered = 0;
    for (const char* const backoff : {"0ms", "10ms"})
    {
        delivered = 0;
        for (int run = 1; run <= 20; ++run)
        {
            RngSeedManager::SetRun(run);
            TestNetwork network(
                3,
                {{"ContentionWindow", "1"}, {"SpectralEfficiency", "8"}, {"RetryBackoff", backoff}},
                m_channel);
            HideSenders(network, 1e-9, 1e-9);
            network.Send(0, 1, 1000, ARQ);
            network.Send(2, 1, 1000, ARQ);
            Simulator::Run();
            for (const auto& report : network.Reports())
            {
                delivered += report.outcomes.at(0).delivered;
            }
            Simulator::Destroy();
        }
        if (backoff == std::string("0ms"))
        {
            EXPECT_EQ(delivered, 0);
        }
    }
    EXPECT_EQ(delivered, 40);
}

TEST_P(SharedTest, CarrierSenseDefersToWhatIsHeard)
{
    TestNetwork network(4, EXACT, m_channel);
    network.Send(0, 1, 10 * 125 - 34, BEST_EFFORT);
    Simulator::Schedule(MilliSeconds(1),
                        [&network]() { network.Send(2, 3, MILLISECOND, BEST_EFFORT); });
    Simulator::Run();
    ASSERT_EQ(network.Reports().size(), 2U);
    EXPECT_EQ(network.Reports()[1].start, MilliSeconds(10));
    EXPECT_EQ(network.Receptions().size(), 2U);
}

TEST_P(SharedTest, WhoDoesNotListenCollides)
{
    TestNetwork network(4, EXACT, m_channel);
    network.Device(2)->GetMac()->SetAttribute("CarrierSense", BooleanValue(false));
    network.SetOutage(0, 1, 1e-9);
    network.SetOutage(2, 3, 1e-9);
    network.Send(0, 1, 10 * 125 - 34, BEST_EFFORT);
    Simulator::Schedule(MilliSeconds(1),
                        [&network]() { network.Send(2, 3, MILLISECOND, BEST_EFFORT); });
    Simulator::Run();
    ASSERT_EQ(network.Reports().size(), 2U);
    EXPECT_EQ(network.Reports()[0].start, MilliSeconds(1));
    EXPECT_THAT(network.Receptions(), IsEmpty()) << "0 is as strong at 3, and 2 at 1, as can be";
}

TEST_P(SharedTest, ExposedSenderDefersInVainUnlessItsThresholdIsHigh)
{
    for (const double threshold : {-100.0, 50.0})
    {
        TestNetwork network(4, EXACT, m_channel);
        network.SetOutOfRange(1, 3);
        network.SetOutOfRange(2, 0);
        network.SetOutage(1, 2, 1e-9); // some -10 dBm
        network.Device(2)->GetMac()->SetAttribute("CcaThreshold", DoubleValue(threshold));
        network.Send(1, 0, 10 * 125 - 34, BEST_EFFORT);
        Simulator::Schedule(MilliSeconds(1),
                            [&network]() { network.Send(2, 3, MILLISECOND, BEST_EFFORT); });
        Simulator::Run();
        EXPECT_EQ(network.Receptions().size(), 2U);
        for (const auto& report : network.Reports())
        {
            if (report.senderNode == network.NodeId(2))
            {
                EXPECT_EQ(report.start, MilliSeconds(threshold > 0 ? 1 : 10));
            }
        }
        Simulator::Destroy();
    }
}

TEST_P(SharedTest, CancelledBurstNeitherInterferesNorHoldsTheMedium)
{
    TestNetwork network(4, EXACT, m_channel);
    network.SetOutage(2, 3, 1e-9);
    const uint32_t burst = network.Send(0, 1, 100 * 125 - 34, BEST_EFFORT);
    Simulator::Schedule(MilliSeconds(1),
                        [&network]() { network.Send(2, 3, MILLISECOND, BEST_EFFORT); });
    Simulator::Schedule(MilliSeconds(3),
                        [&network, burst]() { network.Device(0)->GetMac()->CancelBurst(burst); });
    Simulator::Run();
    ASSERT_EQ(network.Reports().size(), 2U);
    EXPECT_EQ(network.Reports()[1].start, MilliSeconds(3));
    EXPECT_EQ(network.Receptions().size(), 1U);
}

TEST_P(SharedTest, LockedReceiverMissesTheOtherFragments)
{
    // Equally strong and far apart in outage from what they do to each other: none is disturbed
    Settings channel = m_channel;
    channel["OutageModel"] = "ns3::collab::D2dFixedOutageModel";
    TestNetwork network(3, EXACT, channel);
    HideSenders(network, 1e-3, 1e-3);
    network.Send(0, 1, 5 * 1500, BEST_EFFORT);
    const Time fragment = MicroSeconds(8 * 1534);
    Simulator::Schedule(fragment / 2, [&network]() { network.Send(2, 1, 7 * 1500, BEST_EFFORT); });
    Simulator::Run();
    ASSERT_EQ(network.Reports().size(), 2U);
    EXPECT_TRUE(network.Reports()[0].outcomes.at(0).delivered);
    const D2dReceiverOutcome& other = network.Reports()[1].outcomes.at(0);
    EXPECT_EQ(other.lostFragments, 5U) << "its last two begin when the first burst is over";
    EXPECT_EQ(other.reason, D2dLossReason::COLLISION);
}

/**
 * @param network two hidden senders 0 and 2, of which the first one is much weaker at device 1
 */
void
SendWeakThenStrong(TestNetwork& network)
{
    network.Send(0, 1, 5 * 1500, BEST_EFFORT);
    const Time fragment = MicroSeconds(8 * 1534);
    Simulator::Schedule(fragment / 2, [&network]() { network.Send(2, 1, 2 * 1500, BEST_EFFORT); });
    Simulator::Run();
    ASSERT_EQ(network.Reports().size(), 2U);
}

TEST_P(SharedTest, CaptureIsAChoice)
{
    for (const bool captures : {true, false})
    {
        Settings channel = m_channel;
        channel["OutageModel"] = "ns3::collab::D2dFixedOutageModel";
        channel["Locking"] = captures ? "Capture" : "First";
        TestNetwork network(3, EXACT, channel);
        HideSenders(network, 1e-3, 1e-5); // 20 dB
        SendWeakThenStrong(network);
        const D2dReceiverOutcome& strong = network.Reports()[0].outcomes.at(0);
        const D2dReceiverOutcome& weak = network.Reports()[1].outcomes.at(0);
        if (captures)
        {
            EXPECT_TRUE(strong.delivered);
            EXPECT_EQ(weak.lostFragments, 3U) << "in the middle of the first";
        }
        else
        {
            EXPECT_EQ(strong.lostFragments, 2U);
            EXPECT_TRUE(weak.delivered);
        }
        Simulator::Destroy();
    }
}

TEST_P(SharedTest, OneBurstOfAStormIsHeard)
{
    constexpr uint32_t SENDERS = 10;
    for (const bool locks : {true, false})
    {
        Settings channel = m_channel;
        channel["OutageModel"] = "ns3::collab::D2dFixedOutageModel";
        channel["Locking"] = locks ? "First" : "None";
        TestNetwork network(
            SENDERS + 2, ExactWith({{"CarrierSense", "false"}, {"Duplex", "Full"}}), channel);
        for (uint32_t from = 0; from < SENDERS; ++from)
        {
            network.Send(from, TestNetwork::BROADCAST, 1000, BEST_EFFORT);
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
        Simulator::Destroy();
    }
}

/*
 * A sends 5000 fragments of 10 ms, each 45 ms after the beginning of its window of 100 ms. Hidden
 * from it, B begins one of 10 ms for the same receiver uniformly in [0, 90] ms of the window: it
 * overlaps with probability 20 / 90, and began before A's with half of that. Then the receiver is
 * locked to B's; otherwise A's is lost with the outage among interferers that fade. 3 standard
 * errors; the seed is fixed.
 */
TEST_P(SharedTest, HiddenTerminalByItsClosedForm)
{
    constexpr int WINDOWS = 5000;
    TestNetwork network(3, EXACT, m_channel);
    HideSenders(network, 0.05, 0.02);
    std::mt19937_64 generator(3);
    std::uniform_int_distribution<int64_t> begin(0, 90000);
    for (int i = 0; i < WINDOWS; ++i)
    {
        const Time window = MilliSeconds(100 * i);
        Simulator::Schedule(window + MilliSeconds(45),
                            [&network]() { network.Send(0, 1, 1250 - 34, BEST_EFFORT); });
        Simulator::Schedule(window + MicroSeconds(begin(generator)),
                            [&network]() { network.Send(2, 1, 1250 - 34, BEST_EFFORT); });
    }
    Simulator::Run();
    std::vector<double> lost;
    for (const auto& report : network.Reports())
    {
        if (report.senderNode == network.NodeId(0))
        {
            lost.push_back(!report.outcomes.at(0).delivered);
        }
    }
    const double power = 3 / -std::log(0.95); // over the noise, with a threshold of 2^2 - 1
    const double otherPower = 3 / -std::log(0.98);
    const double among = 0.95 / (1 + 3 * otherPower / power);
    const double overlap = 20.0 / 90;
    const double expected = 1 - ((1 - overlap) * 0.95 + overlap / 2 * among);
    ASSERT_EQ(lost.size(), static_cast<std::size_t>(WINDOWS));
    const Moments moments = Describe(lost);
    EXPECT_NEAR(moments.mean, expected, 3 * moments.standardError); // 0.249
}

/// Devices on a line: a receiver at 0, a sender at 100 m and another one nearer
class CaptureTest : public SimulatorTest
{
};

TEST_F(CaptureTest, CaptureByDistance)
{
    // 10 dB of 30 dB a decade: from 100 / 10^(1/3) = 46.4 m on
    for (const double distanceM : {30.0, 46.3, 46.6, 80.0})
    {
        NodeContainer nodes;
        nodes.Create(3);
        const std::vector<double> places = {0, 100, -distanceM};
        for (uint32_t i = 0; i < nodes.GetN(); ++i)
        {
            Ptr<MobilityModel> mobility = CreateObject<ConstantPositionMobilityModel>();
            mobility->SetPosition(Vector(places[i], 0, 0));
            nodes.Get(i)->AggregateObject(mobility);
        }
        D2dHelper helper;
        helper.SetChannelAttribute("Access", StringValue("Shared"));
        helper.SetChannelAttribute("OutageModel", StringValue("ns3::collab::D2dFixedOutageModel"));
        helper.SetDeviceAttribute("CarrierSense", BooleanValue(false));
        helper.SetDeviceAttribute("ContentionWindow", UintegerValue(1));
        const NetDeviceContainer devices = helper.Install(nodes);
        std::set<Address> heard;
        devices.Get(0)->SetReceiveCallback(
            [&heard](Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address& from) {
                heard.insert(from);
                return true;
            });
        const auto send = [&devices](uint32_t from) {
            devices.Get(from)->Send(Create<Packet>(1000), devices.Get(0)->GetAddress(), 0x88b6);
        };
        Simulator::Schedule(MilliSeconds(0), [&send]() { send(1); });
        Simulator::Schedule(MilliSeconds(3), [&send]() { send(2); });
        Simulator::Run();
        EXPECT_THAT(heard, ElementsAre(devices.Get(distanceM < 46.4 ? 2 : 1)->GetAddress()))
            << distanceM << " m";
        Simulator::Destroy();
    }
}

TEST_P(SharedTest, SignalsBelowTheSensitivityDisturbFromTheCutoffOn)
{
    for (const double cutoffDbm : {-120.0, -60.0})
    {
        Settings channel = m_unlocked;
        channel["InterferenceCutoff"] = std::to_string(cutoffDbm);
        // The other sender has an outage of 63 % at device 1, 15 dB over -120 dBm, and device
        // 1 is not sensitive enough to hear it
        TestNetwork network(4, EXACT, channel);
        HideSenders(network, 0.05, 0.63);
        network.SetOutOfRange(0, 3);
        network.SetOutOfRange(3, 0);
        network.Device(1)->GetPhy()->SetAttribute("RxSensitivity", DoubleValue(-100.0));
        ASSERT_LT(network.Channel()->GetRssW(network.Device(2), network.Device(1)), 1e-13);
        for (int i = 0; i < 2000; ++i)
        {
            Simulator::Schedule(MilliSeconds(50 * i), [&network]() {
                network.Send(0, 1, 1000, BEST_EFFORT);
                network.Send(2, 3, 1000, BEST_EFFORT);
            });
        }
        Simulator::Run();
        std::vector<double> lost;
        for (const auto& report : network.Reports())
        {
            if (report.senderNode == network.NodeId(0))
            {
                lost.push_back(!report.outcomes.at(0).delivered);
            }
        }
        ASSERT_EQ(lost.size(), 2000U);
        // (2^2 - 1) I / W = ln(0.95) / ln(0.37) x 3
        const double among = 1 - 0.95 / (1 + 3 * std::log(0.95) / std::log(0.37));
        const Moments moments = Describe(lost);
        EXPECT_NEAR(moments.mean, cutoffDbm < -100 ? among : 0.05, 3 * moments.standardError);
        Simulator::Destroy();
    }
}

} // namespace
