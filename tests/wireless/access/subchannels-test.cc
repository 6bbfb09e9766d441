/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * A given number of subchannels that devices share, and turns that they share.
 */

#include "wireless/wireless-bench.h"

#include "ns3/d2d-subchannels.h"
#include "ns3/d2d-tdma-schedule.h"

namespace ns3::collab::tests
{
namespace
{

/// EXACT, and full duplex: who may send, sends
const Settings EXACT_FULL = With({{"Duplex", "Full"}});

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
class FiniteOfdmaTest : public FidelitiesTest
{
  protected:
    /// @return attributes of the channel with finite OFDMA
    Settings
    Ofdma(const Settings& more) const
    {
        return Channel(With({{"Access", "Ofdma"}}, more));
    }
};

INSTANTIATE_TEST_SUITE_P(Fidelities, FiniteOfdmaTest, FIDELITIES);

TEST_P(FiniteOfdmaTest, SendersOnOneSubchannelCollideAndOthersDoNot)
{
    // Devices 0 and 2, hidden from each other and equally strong: the same modulo 2
    for (const auto& [subchannels, delivered] :
         {std::pair("2", false), std::pair("3", true), std::pair("0", true)})
    {
        TestNetwork network(3, EXACT_FULL, Ofdma({{"Subchannels", subchannels}}));
        network.Hide(0, 2);
        network.Send(0, 1, 1000);
        network.Send(2, 1, 1000);
        Simulator::Run();
        EXPECT_EQ(network.Outcome(0).delivered, delivered) << subchannels;
        EXPECT_EQ(network.Outcome(1).delivered, delivered) << subchannels;
        Simulator::Destroy();
    }
}

TEST_P(FiniteOfdmaTest, OneSubchannelIsASharedChannel)
{
    std::vector<std::string> descriptions;
    for (const Settings& channel : {Channel({{"Access", "Shared"}}), Ofdma({{"Subchannels", "1"}})})
    {
        TestNetwork network(6, {{"Duplex", "Full"}}, channel);
        for (uint32_t from = 0; from < 6; ++from)
        {
            for (uint32_t to = 0; to < 6; ++to)
            {
                network.SetOutage(from, to, 0.02 + 0.05 * (from + to));
            }
            network.SetOutOfRange(from, (from + 3) % 6);
        }
        for (uint32_t i = 0; i < 300; ++i)
        {
            network.SendAt(MilliSeconds(7 * i), i % 6, BROADCAST, 1000 + i);
            network.SendAt(MilliSeconds(7 * i), (i + 3) % 6, (i + 4) % 6, 2000, ARQ);
        }
        Simulator::Run();
        EXPECT_EQ(network.Reports().size(), 600);
        descriptions.push_back(network.DescribeBursts());
        Simulator::Destroy();
    }
    EXPECT_EQ(descriptions[0], descriptions[1]);
}

TEST_P(FiniteOfdmaTest, WhoSharesASubchannelDefers)
{
    // All in range of each other: 0 and 2 share a subchannel, 1 has its own
    TestNetwork network(3, EXACT_FULL, Ofdma({{"Subchannels", "2"}}));
    for (uint32_t i = 0; i < 3; ++i)
    {
        network.Send(i, (i + 1) % 3, 1000);
    }
    Simulator::Run();
    EXPECT_EQ(network.Starts(), "0@0 1@0 2@8272");
    EXPECT_THAT(network.Hearers(), UnorderedElementsAre(1, 2, 0));
}

/// @return subchannels of all devices
std::vector<uint32_t>
FindSubchannels(const TestNetwork& network)
{
    std::vector<uint32_t> subchannels;
    for (uint32_t i = 0; i < network.Size(); ++i)
    {
        subchannels.push_back(network.Channel()->GetSubchannel(*network.Phy(i)));
    }
    return subchannels;
}

TEST_P(FiniteOfdmaTest, SubchannelsAreAllocatedAsTheAttributeSays)
{
    const auto find = [this](const std::string& allocation, uint32_t given) {
        Simulator::Destroy();
        TestNetwork network(
            40, EXACT_FULL, Ofdma({{"Subchannels", "7"}, {"SubchannelAllocation", allocation}}));
        network.Phy(5)->SetAttribute("Subchannel", UintegerValue(given));
        return FindSubchannels(network);
    };
    std::vector<uint32_t> byIndex;
    for (uint32_t i = 0; i < 40; ++i)
    {
        byIndex.push_back(i % 7);
    }
    EXPECT_EQ(find("Fixed", D2dPhy::ANY_SUBCHANNEL), byIndex);
    byIndex[5] = 2;
    EXPECT_EQ(find("Fixed", 2), byIndex);
    EXPECT_THROW(find("Fixed", 7), UserError);
    const auto drawn = find("Random", 2);
    EXPECT_EQ(std::set<uint32_t>(drawn.begin(), drawn.end()).size(), 7U);
    EXPECT_NE(drawn, byIndex);
    EXPECT_EQ(find("Random", 2), drawn) << "the same seed draws the same";
    const auto byId = find("ById", 2);
    for (uint32_t i = 1; i < 40; ++i)
    {
        EXPECT_EQ((byId[i] + 7 - byId[i - 1]) % 7, 1U);
    }
}

/*
 * Device 0 sends 3000 fragments to 1, and 2, hidden from it, sends at the same time on the next
 * subchannel. With Rayleigh fading on all of them, theta = 2^2 - 1 and a part c of the power that
 * leaks, the loss is 1 - exp(-theta N / W) / (1 + theta c I / W), with theta N / W = -ln 0.95 and
 * theta N / I = -ln 0.99: 0.63 and 0.05. 3 standard errors; the seed is fixed.
 */
TEST_P(FiniteOfdmaTest, LeakageByItsClosedForm)
{
    for (const double leakageDb : {10.0, 1000.0})
    {
        TestNetwork network(
            3,
            EXACT_FULL,
            Ofdma({{"Subchannels", "3"}, {"AdjacentLeakage", std::to_string(leakageDb)}}));
        network.Set(2, "Subchannel", "1");
        network.SetOutage(0, 1, 0.05);
        network.SetOutage(2, 1, 0.01);
        network.Hide(0, 2);
        for (int i = 0; i < 3000; ++i)
        {
            network.SendAt(MilliSeconds(20 * i), 2, 1, 1000);
            network.SendAt(MilliSeconds(20 * i), 0, 1, 1000);
        }
        Simulator::Run();
        ASSERT_THAT(network.Losses(0), SizeIs(3000));
        const double leaked = FromDb(-leakageDb) * 3 * std::log(0.95) / std::log(0.99);
        ExpectMean(network.Losses(0), 1 - 0.95 / (1 + leaked));
        Simulator::Destroy();
    }
}

/// Devices on a line, 100 m apart, that reach 150 m
class ReuseTest : public SimulatorTest
{
  protected:
    /// Makes devices, of which the last may drive away, at 1 km/s.
    void
    Install(uint32_t count, const Settings& channel, bool lastMoves = false)
    {
        Simulator::Destroy();
        std::vector<Ptr<MobilityModel>> places;
        for (uint32_t i = 0; i < count; ++i)
        {
            const bool moves = lastMoves && i + 1 == count;
            places.push_back(moves ? Moving(Vector(100.0 * i, 0, 0), Vector(1000, 0, 0))
                                   : Standing(100.0 * i));
        }
        m_network.emplace(places,
                          std::vector<std::string>{"ns3::FixedRssLossModel[Rss=-50]",
                                                   "ns3::RangePropagationLossModel[MaxRange=150]"},
                          EXACT_FULL,
                          With({{"OutageModel", "ns3::collab::D2dFixedOutageModel"}}, channel));
    }

    /// All devices broadcast 1 ms, now, and the simulation runs to its end.
    void
    BroadcastAll()
    {
        for (uint32_t i = 0; i < m_network->Size(); ++i)
        {
            m_network->Send(i, BROADCAST, MILLISECOND);
        }
        Simulator::Run();
    }

    /// @return receivers that were in range of bursts
    std::size_t
    CountIntended() const
    {
        std::size_t all = 0;
        for (const auto& report : m_network->Reports())
        {
            all += report.outcomes.size();
        }
        return all;
    }

    std::optional<TestNetwork> m_network; //!< the devices
};

TEST_F(ReuseTest, GreedyGivesNoTwoInRangeTheSameSubchannel)
{
    Install(12, {{"Subchannels", "4"}, {"SubchannelAllocation", "Greedy"}});
    const auto subchannels = FindSubchannels(*m_network);
    for (uint32_t i = 1; i < 12; ++i)
    {
        EXPECT_NE(subchannels[i], subchannels[i - 1]);
    }
    EXPECT_LE(*std::max_element(subchannels.begin(), subchannels.end()), 2U);
}

TEST_F(ReuseTest, TwoHopsKeepReceiversFromHearingTwoAtOnce)
{
    for (const std::string hops : {"1", "2"})
    {
        Install(12,
                {{"Subchannels", "4"}, {"SubchannelAllocation", "Greedy"}, {"ReuseHops", hops}});
        BroadcastAll();
        EXPECT_EQ(CountIntended(), 22U);
        // With one hop, neighbors on both sides are on one subchannel
        EXPECT_EQ(m_network->Receptions().size() == 22, hops == "2");
    }
}

TEST_F(ReuseTest, AMovingDeviceGetsAnotherSubchannelWhenThePeriodIsOver)
{
    for (const std::string period : {"1s", "0s"})
    {
        Install(3,
                {{"Subchannels", "3"}, {"SubchannelAllocation", "Greedy"}, {"ReusePeriod", period}},
                true);
        // The one in the middle has the largest degree; the car is alone later
        EXPECT_THAT(FindSubchannels(*m_network), ElementsAre(1, 0, 1));
        Simulator::Stop(Seconds(2));
        Simulator::Run();
        EXPECT_THAT(FindSubchannels(*m_network),
                    period == "1s" ? ElementsAre(0, 1, 0) : ElementsAre(1, 0, 1));
    }
}

TEST_F(ReuseTest, DevicesOutOfRangeShareATurn)
{
    Install(6, {{"Access", "Tdma"}, {"TdmaReuse", "true"}, {"ReuseHops", "2"}});
    BroadcastAll();
    // Degrees in two hops 2, 3, 4, 4, 3, 2: 2 gets color 0, 3 gets 1, 1 gets 2, 4 gets 2, 0 gets 1
    // and 5 gets 0
    EXPECT_EQ(m_network->Starts(), "2@0 5@0 0@1000 3@1000 1@2000 4@2000");
    EXPECT_EQ(CountIntended(), 10);
    EXPECT_EQ(m_network->Receptions().size(), 10);
}

TEST_F(ReuseTest, SharedTurnsCollideAtWhoIsInRangeOfTwo)
{
    Install(3, {{"Access", "Tdma"}, {"TdmaReuse", "true"}});
    BroadcastAll();
    EXPECT_EQ(m_network->Starts(), "1@0 0@1000 2@1000");
    EXPECT_EQ(m_network->ReportOf(1).outcomes.size(), 2U);
    EXPECT_EQ(CountIntended(), 4);
    EXPECT_EQ(m_network->Receptions().size(), 3) << "1 is locked to one of its two neighbors";
}

TEST_F(ReuseTest, GuardTimeBetweenTurns)
{
    Install(3, {{"Access", "Tdma"}, {"TdmaGuardTime", "30us"}, {"TdmaSlot", "10us"}});
    m_network->Send(0, BROADCAST, MILLISECOND);
    m_network->Send(2, BROADCAST, MILLISECOND);
    Simulator::Run();
    // Guard time, and the empty slot of 1
    EXPECT_EQ(m_network->Starts(), "0@0 2@1040");
}

/// A schedule of 5 devices of which 0 and 3, and 1 and 4, share turns; slots of 10 us
class SharedTurnsTest : public SimulatorTest
{
  protected:
    SharedTurnsTest()
    {
        schedule.SetTurns({0, 1, 2, 0, 1});
    }

    void
    RequestAll()
    {
        for (uint32_t i = 0; i < 5; ++i)
        {
            schedule.Request(i);
        }
    }

    void
    ReleaseAt(int64_t us, uint32_t device)
    {
        At(MicroSeconds(us), [=] { schedule.Release(device); });
    }

    std::string grants;        //!< who got the medium, and when [us]
    std::set<uint32_t> refuse; //!< who does not take its turn
    /// Under test
    D2dTdmaSchedule schedule{MicroSeconds(10), 5, [this](uint32_t device) {
                                 const auto now = Simulator::Now().GetMicroSeconds();
                                 grants += " " + std::to_string(device) + "@" + std::to_string(now);
                                 return refuse.count(device) == 0;
                             }};
};

TEST_F(SharedTurnsTest, ATurnLastsUntilAllAreDone)
{
    schedule.SetGuard(MicroSeconds(5));
    At(Time(), [this] { RequestAll(); });
    ReleaseAt(100, 3);
    ReleaseAt(150, 0);
    ReleaseAt(200, 1);
    ReleaseAt(210, 4);
    Simulator::Run();
    EXPECT_EQ(grants, " 0@0 3@0 1@155 4@155 2@215");
}

TEST_F(SharedTurnsTest, WhoDoesNotSendDoesNotHoldTheOthersUp)
{
    refuse = {0, 1, 4};
    At(Time(), [this] { RequestAll(); });
    ReleaseAt(100, 3);
    Simulator::Run();
    EXPECT_EQ(grants, " 0@0 3@0 1@100 4@100 2@110") << "a slot in which nobody sends is empty";
}

TEST_F(SharedTurnsTest, WhoWaitsKeepsWaitingWhenTurnsChange)
{
    At(Time(), [this] { schedule.Request(0); });
    At(Time(), [this] { schedule.Request(3); });
    At(MicroSeconds(50), [this] { schedule.Request(3); });
    At(MicroSeconds(60), [this] { schedule.SetTurns({0, 1, 2, 1, 1}); });
    ReleaseAt(100, 0);
    ReleaseAt(110, 3);
    Simulator::Run();
    EXPECT_EQ(grants, " 0@0 3@0 3@110");
}

} // namespace
} // namespace ns3::collab::tests
