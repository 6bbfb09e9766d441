/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-bench.h"

#include "ns3/collab-error.h"
#include "ns3/d2d-neighbor-table.h"

#include <cmath>
#include <set>

namespace ns3::collab::tests
{
namespace
{

void
RunUntil(double seconds)
{
    RunFor(Seconds(seconds) - Simulator::Now());
}

/// What devices know of each other, in both fidelities
class DiscoveryTest : public FidelitiesTest
{
  protected:
    /// @return them with measured neighbors, which count for 2.5 s
    static Settings
    Measured(Settings more = {})
    {
        return With(std::move(more),
                    {{"NeighborDiscovery", "Measured"}, {"NeighborTimeout", "2.5s"}});
    }

    /// @return them with links known by readings
    static Settings
    Readings(const std::string& discovery, const Settings& more)
    {
        return With({{"NeighborDiscovery", discovery}}, more);
    }

    /// @return indices of the neighbors that it knows
    static std::vector<uint32_t>
    Neighbors(const TestNetwork& network, uint32_t index)
    {
        std::vector<uint32_t> indices;
        for (const uint32_t node : network.Discovery(index)->GetNeighbors())
        {
            indices.push_back(node - network.NodeId(0));
        }
        return indices;
    }

    /// @return received power of the other one, as the first has measured it [W]
    static std::optional<double>
    MeasuredRssW(const TestNetwork& network, uint32_t index, uint32_t other)
    {
        return network.Discovery(index)->GetMeasuredRssW(network.NodeId(other));
    }
};

using DiscoveryAttributesTest = SimulatorTest;
using NeighborTableTest = SimulatorTest;

INSTANTIATE_TEST_SUITE_P(Fidelities, DiscoveryTest, FIDELITIES);

TEST_P(DiscoveryTest, NeighborsAppearByTheirBeaconsAndVanish)
{
    TestNetwork network(3, Measured(), m_channel);
    EXPECT_THAT(Neighbors(network, 0), IsEmpty()) << "nothing was received yet";
    EXPECT_FALSE(MeasuredRssW(network, 0, 1));
    EXPECT_EQ(network.Discovery(0)->GetMeasuredOutage(network.NodeId(1)), 1);
    RunUntil(1.1); // the first beacons come within the first interval of 1 s
    EXPECT_THAT(Neighbors(network, 0), ElementsAre(1, 2));
    EXPECT_THAT(Neighbors(network, 1), ElementsAre(0, 2));
    EXPECT_THAT(Neighbors(network, 2), ElementsAre(0, 1));
    network.Mac(1)->SwitchOff(); // its last beacon was between 0.1 and 1.1 s
    RunUntil(2.5);
    EXPECT_THAT(Neighbors(network, 0), ElementsAre(1, 2)) << "not timed out before 2.6 s";
    RunUntil(3.7);
    EXPECT_THAT(Neighbors(network, 0), ElementsAre(2));
    EXPECT_FALSE(MeasuredRssW(network, 0, 1));
    network.Mac(1)->SwitchOn();
    RunUntil(4.8);
    EXPECT_THAT(Neighbors(network, 0), ElementsAre(1, 2));
}

TEST_P(DiscoveryTest, BeaconsCostAirtimeAndEnergy)
{
    TestNetwork network(
        2, Measured({{"BeaconInterval", "100ms"}, {"BeaconSize", "66"}}), m_channel);
    TestNetwork silent(2, Measured({{"BeaconInterval", "0s"}}), m_channel);
    for (TestNetwork* const each : {&network, &silent})
    {
        each->InstallBatteries({},
                               {{"AmplifierEfficiency", "0.5"},
                                {"CircuitPower", "0.3"},
                                {"RxPower", "0.2"},
                                {"IdlePower", "0"}},
                               {{"IdlePower", "0"}});
    }
    RunUntil(10);
    EXPECT_THAT(silent.Reports(), IsEmpty());
    EXPECT_EQ(GetTotal(silent.Energy(0)), 0);
    EXPECT_NEAR(network.Reports().size(), 2 * 100, 2) << "one might be on air, or wait";
    const Time airtime = MicroSeconds(8 * (66 + 34));
    for (const auto& report : network.Reports())
    {
        EXPECT_EQ(report.burst->protocol, D2dNeighborDiscovery::BEACON_PROTOCOL);
        EXPECT_TRUE(report.burst->destination.IsBroadcast());
        EXPECT_EQ(report.airtime, airtime);
    }
    // 20 dBm with efficiency 0.5 and 0.3 W: 0.5 W
    EXPECT_NEAR(network.Joules(0, EnergyKind::TX),
                0.5 * 100 * airtime.GetSeconds(),
                0.5 * airtime.GetSeconds() + 1e-9);
    EXPECT_NEAR(network.Joules(0, EnergyKind::RX),
                0.2 * 100 * airtime.GetSeconds(),
                0.2 * airtime.GetSeconds() + 1e-4);
}

TEST_P(DiscoveryTest, MeasuresTheLinkTowardsItself)
{
    TestNetwork network(2, Measured(), m_channel);
    network.SetOutage(0, 1, 0.01);
    network.SetOutage(1, 0, 0.02);
    RunUntil(1.5);
    for (const auto& [to, from, outage] : {std::tuple(1, 0, 0.01), std::tuple(0, 1, 0.02)})
    {
        EXPECT_EQ(MeasuredRssW(network, to, from), network.RssW(from, to));
        EXPECT_NEAR(
            network.Discovery(to)->GetMeasuredOutage(network.NodeId(from)), outage, 1e-9 * outage);
    }
}

TEST_P(DiscoveryTest, KnowsTheLinkAtTheRateOfWhoAdaptsIt)
{
    TestNetwork network(3,
                        {{"RateControl", "Adaptive"},
                         {"TargetOutage", "0.3"},
                         {"MinSpectralEfficiency", "1"},
                         {"MaxSpectralEfficiency", "8"}},
                        m_channel);
    // Of 1 bit/s/Hz: the second link misses the target even at that, its lowest rate
    for (const auto& [other, outage] : {std::pair(1, 0.01), std::pair(2, 0.5)})
    {
        network.SetOutage(0, other, outage);
        network.SetOutage(other, 0, outage);
    }
    const Ptr<D2dNeighborDiscovery> discovery = network.Discovery(0);
    EXPECT_NEAR(discovery->GetMeasuredOutage(network.NodeId(1)), 0.3, 1e-9);
    EXPECT_NEAR(discovery->GetMeasuredOutage(network.NodeId(2)), 0.5, 1e-9);
}

TEST_P(DiscoveryTest, RemembersWhatItHeardLast)
{
    TestNetwork network(2, Measured({{"BeaconInterval", "0s"}}), m_channel);
    network.SetOutage(0, 1, 0.01);
    network.Send(0, 1, 100);
    RunUntil(1);
    const std::optional<double> before = MeasuredRssW(network, 1, 0);
    ASSERT_TRUE(before);
    EXPECT_THAT(Neighbors(network, 1), ElementsAre(0)) << "data counts as a beacon does";
    EXPECT_THAT(Neighbors(network, 0), IsEmpty()) << "it has received nothing";
    network.SetOutage(0, 1, 0.001);
    EXPECT_EQ(MeasuredRssW(network, 1, 0), before);
    network.Send(0, 1, 100);
    RunUntil(2);
    EXPECT_GT(MeasuredRssW(network, 1, 0), before);
}

TEST_P(DiscoveryTest, NothingIsKnownOfWhoWasNeverHeard)
{
    TestNetwork network(4, Measured(), m_channel);
    network.SetOutOfRange(1, 0);   // 0 hears nothing of 1, which hears it
    network.SetOutage(2, 0, LOST); // nor of 2, whose fragments are all lost
    RunUntil(20);
    EXPECT_THAT(Neighbors(network, 0), ElementsAre(3));
    EXPECT_THAT(Neighbors(network, 1), ElementsAre(0, 2, 3));
    for (const uint32_t other : {1, 2})
    {
        EXPECT_FALSE(MeasuredRssW(network, 0, other));
        EXPECT_EQ(network.Discovery(0)->GetMeasuredOutage(network.NodeId(other)), 1);
    }
    EXPECT_FALSE(network.Discovery(0)->GetMeasuredRssW(12345)) << "no such node";
}

TEST_P(DiscoveryTest, BystandersLearnNothingFromAUnicast)
{
    TestNetwork network(3, Measured({{"BeaconInterval", "0s"}}), m_channel);
    network.Send(0, 1, 100, ARQ);
    RunUntil(1);
    EXPECT_THAT(Neighbors(network, 1), ElementsAre(0));
    EXPECT_THAT(Neighbors(network, 2), IsEmpty());
}

TEST_P(DiscoveryTest, WhoIsOffSendsNoBeacons)
{
    TestNetwork network(2, Measured(), m_channel);
    network.SwitchOffAt(Seconds(2), 1);
    RunUntil(10);
    EXPECT_THAT(Neighbors(network, 0), IsEmpty());
    EXPECT_THAT(Neighbors(network, 1), IsEmpty()) << "it heard nothing either";
    EXPECT_NEAR(network.Reports().size(), 10 + 2, 1);
}

TEST_P(DiscoveryTest, IdealKnowledgeIsTheLinkBudget)
{
    TestNetwork network(4, {}, m_channel);
    network.SetOutage(1, 0, 0.1);
    network.SetOutOfRange(2, 0);
    network.SetOutOfRange(0, 3);
    EXPECT_THAT(Neighbors(network, 0), ElementsAre(1)) << "in range both ways";
    EXPECT_NEAR(network.Discovery(0)->GetMeasuredOutage(network.NodeId(1)), 0.1, 1e-9);
    EXPECT_EQ(MeasuredRssW(network, 0, 1), network.RssW(1, 0));
    EXPECT_FALSE(MeasuredRssW(network, 0, 2));
    EXPECT_TRUE(MeasuredRssW(network, 0, 3)) << "it is heard, whether it hears or not";
    EXPECT_FALSE(MeasuredRssW(network, 0, 0)) << "not of itself";
    RunUntil(10);
    EXPECT_THAT(network.Reports(), IsEmpty()) << "costs nothing";
}

TEST_P(DiscoveryTest, ReadsPowersWithTheFadingOfWhatArrived)
{
    TestNetwork network(
        2, Readings("Rss", {{"RssMemory", "0s"}, {"BeaconInterval", "10ms"}}), m_channel);
    constexpr double OUTAGE = 0.2;
    network.SetOutage(0, 1, OUTAGE);
    double sum = 0;
    uint32_t readings = 0;
    for (uint32_t i = 10; i < 4000; ++i)
    {
        At(MilliSeconds(10 * i), [&] {
            sum += MeasuredRssW(network, 1, 0).value_or(0);
            ++readings;
        });
    }
    RunUntil(40);
    // What arrived is over the least power that does, and exponential from there
    const double rssW = network.RssW(0, 1);
    EXPECT_NEAR(sum / readings / rssW, 1 - std::log1p(-OUTAGE), 4.0 / std::sqrt(4000 * 0.8 / 1.2));
}

TEST_P(DiscoveryTest, AveragesReadings)
{
    TestNetwork network(
        2, Readings("Rss", {{"RssMemory", "10s"}, {"BeaconInterval", "10ms"}}), m_channel);
    network.SetOutage(0, 1, 0.05);
    RunUntil(60);
    EXPECT_NEAR(*MeasuredRssW(network, 1, 0) / network.RssW(0, 1), 1 - std::log(0.95), 0.15);
    EXPECT_NEAR(network.Discovery(1)->GetMeasuredOutage(network.NodeId(0)), 0.05, 0.008);
}

TEST_P(DiscoveryTest, ReadsThePresentPowerOfLinksThatFadeForAWhile)
{
    TestNetwork network(
        2,
        Readings("Rss", {{"RssMemory", "0s"}, {"BeaconInterval", "100ms"}}),
        With(m_channel,
             {{"OutageModel", "ns3::collab::D2dRayleighOutageModel[CoherenceTime=10s]"}}));
    network.SetOutage(0, 1, 0.001);
    std::set<double> powers;
    for (uint32_t i = 5; i < 400; ++i)
    {
        At(MilliSeconds(100 * i), [&] { powers.insert(*MeasuredRssW(network, 1, 0)); });
    }
    RunUntil(40);
    EXPECT_THAT(powers, ::testing::SizeIs(4)) << "one an interval";
}

TEST_P(DiscoveryTest, CountsMissedBeacons)
{
    TestNetwork network(
        2,
        Readings("Beacons", {{"NeighborTimeout", "20s"}, {"BeaconInterval", "10ms"}}),
        m_channel);
    network.SetOutage(0, 1, 0.3);
    RunUntil(5); // beacons of before the begin are not missed
    EXPECT_NEAR(network.Discovery(0)->GetMeasuredOutage(network.NodeId(1)), 0, 0.01);
    RunUntil(40);
    const auto outage = network.Discovery(1)->GetMeasuredOutage(network.NodeId(0));
    EXPECT_NEAR(outage, 0.3, 4 * std::sqrt(0.3 * 0.7 / 2000));
    EXPECT_EQ(network.Discovery(0)->GetMeasuredOutage(network.NodeId(1)), 0);
    network.SetOutage(0, 1, 0.05); // which is known when the old ones do not count any more
    RunUntil(60);
    EXPECT_NEAR(network.Discovery(1)->GetMeasuredOutage(network.NodeId(0)),
                0.05,
                4 * std::sqrt(0.05 * 0.95 / 2000));
}

TEST_P(DiscoveryTest, RatesFollowWhatTheSenderHasMeasured)
{
    TestNetwork network(2,
                        Measured({{"RateControl", "Adaptive"},
                                  {"TargetOutage", "0.01"},
                                  {"BeaconInterval", "0s"},
                                  {"MinSpectralEfficiency", "1"},
                                  {"MaxSpectralEfficiency", "8"}}),
                        m_channel);
    const auto rate = [&network] {
        const auto links = network.Channel()->GetLink(network.Device(0), network.Device(1));
        return network.Phy(0)->ChooseSpectralEfficiency({links});
    };
    EXPECT_EQ(rate(), 1) << "it has heard nothing";
    network.Send(1, 0, 100);
    RunUntil(1);
    EXPECT_EQ(rate(), 8);
    network.SetOutage(0, 1, 0.1);
    network.SetOutage(1, 0, 0.1);
    EXPECT_EQ(rate(), 8) << "nothing has come since";
    RunUntil(4);
    EXPECT_EQ(rate(), 1) << "too long ago";
}

TEST_F(DiscoveryAttributesTest, WhatCannotBeMeasuredIsRefused)
{
    const auto check = [](const Settings& device, const Settings& channel = {}) {
        TestNetwork network(2, device, channel);
        network.Discovery(0)->CheckAttributes();
    };
    const Settings matrix = {{"OutageModel", "ns3::collab::D2dNakagamiOutageModel"}};
    EXPECT_THROW(check({{"NeighborDiscovery", "Rss"}}, matrix), UserError);
    EXPECT_NO_THROW(check({{"NeighborDiscovery", "Beacons"}}, matrix));
    EXPECT_NO_THROW(check({{"NeighborDiscovery", "Rss"}}));
    EXPECT_THROW(check({{"NeighborDiscovery", "Beacons"}, {"BeaconInterval", "0s"}}), UserError);
    EXPECT_THROW(check({{"NeighborDiscovery", "Beacons"}, {"BeaconInterval", "6s"}}), UserError);
}

TEST_F(NeighborTableTest, AveragesAndCountsBeacons)
{
    D2dNeighborTable table;
    At(Seconds(1), [&table] { table.Hear(7, 1, Seconds(2)); });
    At(Seconds(2), [&table] {
        table.Hear(7, 0, Seconds(2));
        EXPECT_NEAR(*table.GetRssW(7, Seconds(9)), std::exp(-0.5), 1e-15);
        table.HearBeacon(7, Seconds(3));
        EXPECT_EQ(table.CountBeacons(7, Seconds(3)), 1);
        EXPECT_EQ(table.CountBeacons(8, Seconds(3)), 0);
    });
    At(Seconds(4), [&table] { table.HearBeacon(7, Seconds(3)); });
    At(Seconds(5), [&table] { EXPECT_EQ(table.CountBeacons(7, Seconds(3)), 1); });
    Simulator::Run();
}

TEST_F(NeighborTableTest, CountsUpToTheTimeout)
{
    D2dNeighborTable table;
    At(Seconds(1), [&table] { table.Hear(7, 0.5); });
    At(Seconds(2), [&table] { table.Hear(3, 0.25); });
    At(Seconds(3), [&table] {
        EXPECT_THAT(table.GetNodes(Seconds(2)), ElementsAre(3, 7)) << "ascending";
        EXPECT_THAT(table.GetNodes(Seconds(1)), ElementsAre(3));
        EXPECT_THAT(table.GetNodes(Seconds(0)), IsEmpty());
        EXPECT_EQ(table.GetRssW(7, Seconds(2)), 0.5);
        EXPECT_FALSE(table.GetRssW(7, Seconds(2) - NanoSeconds(1)));
        EXPECT_FALSE(table.GetRssW(4, Seconds(100)));
        table.Hear(7, 0.125);
        EXPECT_EQ(table.GetRssW(7, Time()), 0.125);
    });
    Simulator::Run();
}

} // namespace
} // namespace ns3::collab::tests
