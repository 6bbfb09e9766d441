/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * A given number of subchannels that devices share, and turns that they share.
 */

#include "wireless/wireless-test-support.h"

#include "ns3/collab-error.h"
#include "ns3/constant-position-mobility-model.h"
#include "ns3/constant-velocity-mobility-model.h"
#include "ns3/d2d-helper.h"
#include "ns3/d2d-subchannels.h"
#include "ns3/d2d-tdma-schedule.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <set>
#include <utility>
#include <vector>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;
using testing::ElementsAre;

constexpr auto BEST_EFFORT = D2dReliability::BEST_EFFORT;

/// Data rate 1 Mbit/s, full duplex and no back-off: who may send, sends
const Settings EXACT = {{"Bandwidth", "5e5"},
                        {"SpectralEfficiency", "2"},
                        {"ContentionWindow", "1"},
                        {"Duplex", "Full"}};

TEST(SubchannelSignalsTest, OnlyWhatLeaksDisturbsTheNextOnes)
{
    D2dSubchannels subchannels;
    subchannels.SetDivision(4, 0.01);
    std::vector<uint64_t> signals;
    for (uint32_t i = 0; i < 4; ++i)
    {
        signals.push_back(subchannels.Begin(i, {{0, std::pow(10.0, i)}}, {{0, 0}}, Seconds(1)));
    }
    const auto end = [&](uint32_t i) {
        return subchannels.End(i, signals[i]).at(0).value_or(D2dDisturbance{-1}).powerW;
    };
    EXPECT_DOUBLE_EQ(end(0), 0.01 * 10);
    EXPECT_DOUBLE_EQ(end(1), 0.01 * 1 + 0.01 * 100);
    EXPECT_DOUBLE_EQ(end(2), 0.01 * 10 + 0.01 * 1000);
    EXPECT_DOUBLE_EQ(end(3), 0.01 * 100);
    const uint64_t later = subchannels.Begin(1, {{0, 1}}, {{0, 0}}, Seconds(1));
    EXPECT_EQ(subchannels.End(1, later).at(0)->powerW, 0) << "nothing is left";
}

/// In both fidelities, of which this access plays every fragment whatever is asked for
class FiniteOfdmaTest : public SimulatorTest, public testing::WithParamInterface<const char*>
{
  protected:
    /**
     * @param more attributes of the channel
     * @return those of finite OFDMA with them
     */
    static Settings
    ChannelWith(Settings more)
    {
        more.insert({{"Access", "Ofdma"}, {"Fidelity", GetParam()}});
        return more;
    }

    /**
     * @brief Devices 0 and 2 send to 1 at the same time, hidden from each other.
     *
     * @param network three devices
     * @return for each of the two, whether device 1 got it
     */
    static std::pair<bool, bool>
    SendBoth(TestNetwork& network)
    {
        network.SetOutOfRange(0, 2);
        network.SetOutOfRange(2, 0);
        network.Send(0, 1, 1000, BEST_EFFORT);
        network.Send(2, 1, 1000, BEST_EFFORT);
        Simulator::Run();
        std::pair<bool, bool> delivered;
        for (const auto& report : network.Reports())
        {
            (report.senderNode == network.NodeId(0) ? delivered.first : delivered.second) =
                report.outcomes.at(0).delivered;
        }
        return delivered;
    }
};

INSTANTIATE_TEST_SUITE_P(Fidelities, FiniteOfdmaTest, testing::Values("Packet", "Burst"));

TEST_P(FiniteOfdmaTest, SendersOnOneSubchannelCollideAndOthersDoNot)
{
    {
        TestNetwork network(3, EXACT, ChannelWith({{"Subchannels", "2"}}));
        EXPECT_EQ(SendBoth(network), std::pair(false, false)) << "0 and 2 modulo 2: equally strong";
    }
    Simulator::Destroy();
    {
        TestNetwork network(3, EXACT, ChannelWith({{"Subchannels", "3"}}));
        EXPECT_EQ(SendBoth(network), std::pair(true, true));
    }
    Simulator::Destroy();
    {
        TestNetwork network(3, EXACT, ChannelWith({}));
        EXPECT_EQ(SendBoth(network), std::pair(true, true)) << "each has its own";
    }
}

TEST_P(FiniteOfdmaTest, OneSubchannelIsASharedChannel)
{
    std::vector<std::vector<std::tuple<uint32_t, Time, uint32_t>>> became;
    for (const Settings& channel : {Settings{{"Access", "Shared"}, {"Fidelity", GetParam()}},
                                    ChannelWith({{"Subchannels", "1"}})})
    {
        TestNetwork network(6, {{"Duplex", "Full"}}, channel);
        for (uint32_t from = 0; from < 6; ++from)
        {
            for (uint32_t to = 0; to < 6; ++to)
            {
                if (from != to)
                {
                    network.SetOutage(from, to, 0.02 + 0.05 * (from + to));
                }
            }
            network.SetOutOfRange(from, (from + 3) % 6);
        }
        for (uint32_t i = 0; i < 300; ++i)
        {
            Simulator::Schedule(MilliSeconds(7 * i), [&network, i]() {
                network.Send(i % 6, TestNetwork::BROADCAST, 1000 + i, BEST_EFFORT);
                network.Send((i + 3) % 6, (i + 4) % 6, 2000, D2dReliability::ARQ);
            });
        }
        Simulator::Run();
        became.emplace_back();
        for (const auto& report : network.Reports())
        {
            for (const auto& outcome : report.outcomes)
            {
                became.back().emplace_back(
                    outcome.receiverNode - network.NodeId(0), outcome.ended, outcome.lostFragments);
            }
        }
        Simulator::Destroy();
    }
    EXPECT_GT(became[0].size(), 600U);
    EXPECT_EQ(became[0], became[1]);
}

TEST_P(FiniteOfdmaTest, WhoSharesASubchannelDefers)
{
    // All in range of each other: 0 and 2 share a subchannel, 1 has its own
    TestNetwork network(3, EXACT, ChannelWith({{"Subchannels", "2"}}));
    for (uint32_t i = 0; i < 3; ++i)
    {
        network.Send(i, (i + 1) % 3, 1000, BEST_EFFORT);
    }
    Simulator::Run();
    std::vector<Time> starts(3);
    for (const auto& report : network.Reports())
    {
        EXPECT_TRUE(report.outcomes.at(0).delivered);
        starts[report.senderNode - network.NodeId(0)] = report.start;
    }
    EXPECT_EQ(starts[0], Time());
    EXPECT_EQ(starts[1], Time());
    EXPECT_EQ(starts[2], MicroSeconds(8 * 1034)) << "when the first one is over";
}

TEST_P(FiniteOfdmaTest, SubchannelsAreGivenOutAsTheAttributeSays)
{
    const auto find = [](const std::string& allocation, uint32_t given) {
        TestNetwork network(
            40, EXACT, ChannelWith({{"Subchannels", "7"}, {"SubchannelAllocation", allocation}}));
        network.Device(5)->GetPhy()->SetAttribute("Subchannel", UintegerValue(given));
        std::vector<uint32_t> subchannels;
        for (uint32_t i = 0; i < 40; ++i)
        {
            subchannels.push_back(network.Channel()->GetSubchannel(*network.Device(i)->GetPhy()));
        }
        return subchannels;
    };
    std::vector<uint32_t> byIndex(40);
    for (uint32_t i = 0; i < 40; ++i)
    {
        byIndex[i] = i % 7;
    }
    EXPECT_EQ(find("Fixed", D2dPhy::ANY_SUBCHANNEL), byIndex);
    byIndex[5] = 2;
    EXPECT_EQ(find("Fixed", 2), byIndex);
    EXPECT_THROW(find("Fixed", 7), UserError);
    Simulator::Destroy();
    const auto drawn = find("Random", 2);
    EXPECT_EQ(std::set<uint32_t>(drawn.begin(), drawn.end()).size(), 7U);
    EXPECT_NE(drawn, byIndex);
    Simulator::Destroy();
    EXPECT_EQ(find("Random", 2), drawn) << "the same seed draws the same";
    Simulator::Destroy();
    const auto byId = find("ById", 2);
    for (uint32_t i = 1; i < 40; ++i)
    {
        EXPECT_EQ((byId[i] + 7 - byId[i - 1]) % 7, 1U);
    }
}

/*
 * Device 0 sends 4000 fragments to 1, and 2, hidden from it, sends at the same time on the next
 * subchannel. With Rayleigh fading on all of them, theta = 2^2 - 1 and a part c of the power that
 * leaks, the loss is 1 - exp(-theta N / W) / (1 + theta c I / W). 3 standard errors; the seed is
 * fixed.
 */
TEST_P(FiniteOfdmaTest, LeakageByItsClosedForm)
{
    constexpr int FRAGMENTS = 4000;
    for (const double leakageDb : {10.0, 1000.0})
    {
        TestNetwork network(
            3,
            EXACT,
            ChannelWith({{"Subchannels", "3"}, {"AdjacentLeakage", std::to_string(leakageDb)}}));
        network.Device(2)->GetPhy()->SetAttribute("Subchannel", UintegerValue(1));
        network.SetOutage(0, 1, 0.05);
        network.SetOutage(2, 1, 0.01);
        network.SetOutOfRange(0, 2);
        network.SetOutOfRange(2, 0);
        for (int i = 0; i < FRAGMENTS; ++i)
        {
            Simulator::Schedule(MilliSeconds(20 * i), [&network]() {
                network.Send(2, 1, 1000, BEST_EFFORT);
                network.Send(0, 1, 1000, BEST_EFFORT);
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
        ASSERT_EQ(lost.size(), static_cast<std::size_t>(FRAGMENTS));
        // theta N / W = -ln 0.95, and theta N / I = -ln 0.99
        const double leaked = std::pow(10.0, -leakageDb / 10) * 3 * std::log(0.95) / std::log(0.99);
        const Moments moments = Describe(lost);
        EXPECT_NEAR(moments.mean, 1 - 0.95 / (1 + leaked), 3 * moments.standardError); // 0.63, 0.05
        Simulator::Destroy();
    }
}

/// Devices on a line, 100 m apart, that reach 150 m
class ReuseTest : public SimulatorTest
{
  protected:
    /**
     * @param count how many
     * @param channel attributes of D2dChannel
     * @param lastMoves whether the last one drives away, at 1 km/s
     */
    void
    Install(uint32_t count, const Settings& channel, bool lastMoves = false)
    {
        NodeContainer nodes;
        nodes.Create(count);
        for (uint32_t i = 0; i < count; ++i)
        {
            Ptr<ConstantVelocityMobilityModel> car;
            Ptr<MobilityModel> mobility = CreateObject<ConstantPositionMobilityModel>();
            if (lastMoves && i + 1 == count)
            {
                car = CreateObject<ConstantVelocityMobilityModel>();
                mobility = car;
            }
            mobility->SetPosition(Vector(100.0 * i, 0, 0)); // which stops it
            if (car)
            {
                car->SetVelocity(Vector(1000, 0, 0));
            }
            nodes.Get(i)->AggregateObject(mobility);
        }
        D2dHelper helper;
        helper.AddPropagationLossModel("ns3::FixedRssLossModel", "Rss", StringValue("-50"));
        helper.AddPropagationLossModel(
            "ns3::RangePropagationLossModel", "MaxRange", StringValue("150"));
        helper.SetChannelAttribute("OutageModel", StringValue("ns3::collab::D2dFixedOutageModel"));
        for (const auto& [name, value] : channel)
        {
            helper.SetChannelAttribute(name, StringValue(value));
        }
        for (const auto& [name, value] : EXACT)
        {
            helper.SetDeviceAttribute(name, StringValue(value));
        }
        m_devices = helper.Install(nodes);
        D2dHelper::AssignStreams(m_devices, 10);
        m_channel = DynamicCast<D2dChannel>(m_devices.Get(0)->GetChannel());
        for (uint32_t i = 0; i < count; ++i)
        {
            Device(i)->GetMac()->TraceConnectWithoutContext("BurstEnd",
                                                            MakeCallback(&ReuseTest::Record, this));
        }
    }

    /// @return subchannels of the devices
    std::vector<uint32_t>
    FindSubchannels() const
    {
        std::vector<uint32_t> subchannels;
        for (uint32_t i = 0; i < m_devices.GetN(); ++i)
        {
            subchannels.push_back(m_channel->GetSubchannel(*Device(i)->GetPhy()));
        }
        return subchannels;
    }

    /// @brief All devices broadcast 1 ms, now, and the simulation runs to its end.
    void
    BroadcastAll()
    {
        for (uint32_t i = 0; i < m_devices.GetN(); ++i)
        {
            Device(i)->GetMac()->SendBurst(
                {Create<Packet>(91), Mac48Address::GetBroadcast(), TestNetwork::PROTOCOL});
        }
        Simulator::Run();
    }

    /**
     * @param index of a device
     * @return the device
     */
    Ptr<D2dNetDevice>
    Device(uint32_t index) const
    {
        return DynamicCast<D2dNetDevice>(m_devices.Get(index));
    }

    /**
     * @param index of a device
     * @return when its burst began [us]
     */
    int64_t
    StartUs(uint32_t index) const
    {
        return m_reports.at(Device(index)->GetNode()->GetId()).start.GetMicroSeconds();
    }

    /// @return receivers that got bursts, of all that were in range
    std::pair<std::size_t, std::size_t>
    CountDelivered() const
    {
        std::size_t delivered = 0;
        std::size_t all = 0;
        for (const auto& [node, report] : m_reports)
        {
            all += report.outcomes.size();
            delivered += std::count_if(report.outcomes.begin(),
                                       report.outcomes.end(),
                                       [](const auto& outcome) { return outcome.delivered; });
        }
        return {delivered, all};
    }

    /// @param report of a burst that is over
    void
    Record(const D2dBurstReport& report)
    {
        m_reports[report.senderNode] = report;
    }

    NetDeviceContainer m_devices;                 //!< the radios
    Ptr<D2dChannel> m_channel;                    //!< their channel
    std::map<uint32_t, D2dBurstReport> m_reports; //!< the last one of each node
};

TEST_F(ReuseTest, GreedyGivesNoTwoInRangeTheSameSubchannel)
{
    Install(12, {{"Subchannels", "4"}, {"SubchannelAllocation", "Greedy"}});
    const auto subchannels = FindSubchannels();
    for (uint32_t i = 1; i < 12; ++i)
    {
        EXPECT_NE(subchannels[i], subchannels[i - 1]);
    }
    EXPECT_LE(*std::max_element(subchannels.begin(), subchannels.end()), 2U) << "12 devices";
}

TEST_F(ReuseTest, TwoHopsKeepReceiversFromHearingTwoAtOnce)
{
    for (const uint32_t hops : {1, 2})
    {
        Install(12,
                {{"Subchannels", "4"},
                 {"SubchannelAllocation", "Greedy"},
                 {"ReuseHops", std::to_string(hops)}});
        BroadcastAll();
        const auto [delivered, all] = CountDelivered();
        EXPECT_EQ(all, 22U);
        if (hops == 1)
        {
            EXPECT_LT(delivered, all) << "neighbors on both sides, on one subchannel";
        }
        else
        {
            EXPECT_EQ(delivered, all);
        }
        Simulator::Destroy();
        m_reports.clear();
    }
}

TEST_F(ReuseTest, AMovingDeviceGetsAnotherSubchannelWhenThePeriodIsOver)
{
    for (const bool renews : {true, false})
    {
        Install(3,
                {{"Subchannels", "3"},
                 {"SubchannelAllocation", "Greedy"},
                 {"ReusePeriod", renews ? "1s" : "0s"}},
                true);
        // The one in the middle has the largest degree; the car is alone later
        EXPECT_THAT(FindSubchannels(), ElementsAre(1, 0, 1));
        std::vector<uint32_t> later;
        Simulator::Schedule(Seconds(2), [&]() { later = FindSubchannels(); });
        Simulator::Stop(Seconds(3));
        Simulator::Run();
        EXPECT_THAT(later, renews ? ElementsAre(0, 1, 0) : ElementsAre(1, 0, 1));
        Simulator::Destroy();
    }
}

TEST_F(ReuseTest, DevicesOutOfRangeShareATurn)
{
    Install(6, {{"Access", "Tdma"}, {"TdmaReuse", "true"}, {"ReuseHops", "2"}});
    BroadcastAll();
    // Degrees in two hops 2, 3, 4, 4, 3, 2: 2 gets color 0, 3 gets 1, 1 gets 2, 4 gets 2, 0 gets 1
    // and 5 gets 0
    EXPECT_EQ(StartUs(2), 0);
    EXPECT_EQ(StartUs(5), 0);
    EXPECT_EQ(StartUs(3), 1000);
    EXPECT_EQ(StartUs(0), 1000);
    EXPECT_EQ(StartUs(1), 2000);
    EXPECT_EQ(StartUs(4), 2000);
    EXPECT_EQ(CountDelivered(), std::pair(std::size_t{10}, std::size_t{10}));
}

TEST_F(ReuseTest, SharedTurnsCollideAtWhoIsInRangeOfTwo)
{
    Install(3, {{"Access", "Tdma"}, {"TdmaReuse", "true"}});
    BroadcastAll();
    EXPECT_EQ(StartUs(1), 0);
    EXPECT_EQ(StartUs(0), 1000);
    EXPECT_EQ(StartUs(2), 1000);
    EXPECT_EQ(m_reports.at(Device(1)->GetNode()->GetId()).outcomes.size(), 2U);
    EXPECT_EQ(CountDelivered(), std::pair(std::size_t{3}, std::size_t{4}))
        << "1 is locked to one of its two neighbors";
}

TEST_F(ReuseTest, GuardTimeBetweenTurns)
{
    Install(3, {{"Access", "Tdma"}, {"TdmaGuardTime", "30us"}, {"TdmaSlot", "10us"}});
    Device(0)->GetMac()->SendBurst(
        {Create<Packet>(91), Mac48Address::GetBroadcast(), TestNetwork::PROTOCOL});
    Device(2)->GetMac()->SendBurst(
        {Create<Packet>(91), Mac48Address::GetBroadcast(), TestNetwork::PROTOCOL});
    Simulator::Run();
    EXPECT_EQ(StartUs(0), 0);
    EXPECT_EQ(StartUs(2), 1000 + 30 + 10) << "guard time, and the empty slot of 1";
}

/// A schedule of 5 devices of which 0 and 3, and 1 and 4, share turns; slots of 10 us
class SharedTurnsTest : public SimulatorTest
{
  protected:
    SharedTurnsTest()
    {
        schedule.SetTurns({0, 1, 2, 0, 1});
    }

    /**
     * @param us when [us]
     * @param what happens then
     */
    static void
    At(int64_t us, const std::function<void()>& what)
    {
        Simulator::Schedule(MicroSeconds(us), what);
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

TEST_F(SharedTurnsTest, ATurnLastsUntilAllAreDone)
{
    schedule.SetGuard(MicroSeconds(5));
    At(0, [this]() {
        for (uint32_t i = 0; i < 5; ++i)
        {
            schedule.Request(i);
        }
    });
    At(100, [this]() { schedule.Release(3); });
    At(150, [this]() { schedule.Release(0); });
    At(200, [this]() { schedule.Release(1); });
    At(210, [this]() { schedule.Release(4); });
    Simulator::Run();
    EXPECT_THAT(grants,
                ElementsAre(std::pair(0, 0),
                            std::pair(0, 3),
                            std::pair(155, 1),
                            std::pair(155, 4),
                            std::pair(215, 2)));
}

TEST_F(SharedTurnsTest, WhoDoesNotSendDoesNotHoldTheOthersUp)
{
    refuse = {0, 1, 4};
    At(0, [this]() {
        for (uint32_t i = 0; i < 5; ++i)
        {
            schedule.Request(i);
        }
    });
    At(100, [this]() { schedule.Release(3); });
    Simulator::Run();
    EXPECT_THAT(grants,
                ElementsAre(std::pair(0, 0),
                            std::pair(0, 3),
                            std::pair(100, 1),
                            std::pair(100, 4),
                            std::pair(110, 2)))
        << "a slot in which nobody sends is empty";
}

TEST_F(SharedTurnsTest, WhoWaitsKeepsWaitingWhenTurnsChange)
{
    At(0, [this]() {
        schedule.Request(0);
        schedule.Request(3);
    });
    At(50, [this]() { schedule.Request(3); });
    At(60, [this]() { schedule.SetTurns({0, 1, 2, 1, 1}); });
    At(100, [this]() { schedule.Release(0); });
    At(110, [this]() { schedule.Release(3); });
    Simulator::Run();
    EXPECT_THAT(grants, ElementsAre(std::pair(0, 0), std::pair(0, 3), std::pair(110, 3)));
}

} // namespace
