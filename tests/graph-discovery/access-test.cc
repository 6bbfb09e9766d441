/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Parts of a pass have time for all devices together, however they share the medium and know each
 * other.
 */

#include "graph-discovery/discovery-network.h"

#include <gmock/gmock.h>

using namespace ns3;
using namespace ns3::collab;
using namespace tests;
using ::testing::Each;
using ::testing::Pair;
using ::testing::SizeIs;

namespace
{

/// @return devices of which each can give the others something, over links without loss
DiscoveryCase
MakeMany(uint32_t devices)
{
    DiscoveryCase c;
    for (uint32_t i = 0; i < devices; ++i)
    {
        PartitionCounts held(5, 0);
        held[i % 5] = held[(i + 1) % 5] = 30;
        c.held.push_back(held);
    }
    c.trust = DrawTrust(devices, 5, {TrustStructure::FULL, 0, 0}, 1);
    c.attributes = {{"Iterations", "20"}};
    return c;
}

/// @return part of the rows of other devices that devices have
double
FindHeardRows(const DiscoveryNetwork& network)
{
    const uint32_t n = network.m_nodes.GetN();
    uint32_t heard = 0;
    for (uint32_t i = 0; i < n; ++i)
    {
        for (uint32_t j = 0; j < n; ++j)
        {
            heard += i != j && network.Get(i)->HasRow(j) ? 1 : 0;
        }
    }
    return static_cast<double>(heard) / (n * (n - 1));
}

/// @return part of the slots in which a device that asked has been granted something
double
FindGrantRate(const DiscoveryNetwork& network)
{
    const auto granted = std::count_if(network.records.begin(),
                                       network.records.end(),
                                       [](const auto& record) { return record.granted; });
    return static_cast<double>(granted) / static_cast<double>(network.records.size());
}

} // namespace

TEST(DiscoveryAccessTest, AllAreHeardHoweverTheyShareTheMedium)
{
    double free = 0;
    {
        DiscoveryNetwork network(MakeMany(12));
        network.Run();
        EXPECT_EQ(FindHeardRows(network), 1);
        free = FindGrantRate(network);
        EXPECT_GT(free, 0.5);
    }
    const std::vector<std::pair<std::string, std::string>> ways = {
        {"Access", "Shared"}, {"Access", "Tdma"}, {"Subchannels", "2"}, {"MaxReceptions", "1"}};
    for (const auto& [attribute, value] : ways)
    {
        SCOPED_TRACE(attribute + "=" + value);
        DiscoveryCase c = MakeMany(12);
        (attribute == "MaxReceptions" ? c.radio : c.channel)[attribute] = value;
        DiscoveryNetwork network(c);
        network.Run();
        EXPECT_GT(FindHeardRows(network), 0.99);
        EXPECT_GT(FindGrantRate(network), 0.9 * free);
        EXPECT_THAT(network.m_ends, Each(Pair(::testing::_, true)));
    }
}

TEST(DiscoveryAccessTest, MeasuredLinksAreKnownBeforeTheyAreTold)
{
    for (const std::string method : {"Learned", "Closest"})
    {
        DiscoveryCase c = MakeMany(6);
        c.radio["NeighborDiscovery"] = "Measured";
        c.attributes["Method"] = method;
        DiscoveryNetwork network(c);
        uint32_t rewards = 0;
        network.Listen([&rewards](const SentMessage& m) { rewards += m.kind == REWARD ? 1 : 0; });
        network.Run();
        if (method == "Learned")
        {
            EXPECT_EQ(rewards, 6 * 20U);
            EXPECT_EQ(FindHeardRows(network), 1);
            const auto clusters = network.Get(0)->GetClusters();
            EXPECT_THAT(std::set<uint32_t>(clusters.begin(), clusters.end()), SizeIs(1));
        }
        for (const auto& edge : network.edges)
        {
            EXPECT_TRUE(edge.peer) << method;
        }
    }
}

TEST(DiscoveryAccessTest, WhoAsksNobodySendsAndComputesNothing)
{
    for (const bool isLatent : {false, true})
    {
        DiscoveryCase c = MakeMany(4);
        c.isLatent = isLatent;
        c.attributes = {{"Method", "None"}, {"Rounds", "2"}};
        DiscoveryNetwork network(c);
        uint32_t sent = 0;
        network.Listen([&sent](const SentMessage&) { ++sent; });
        network.Run();
        EXPECT_EQ(sent, 0U);
        EXPECT_THAT(network.edges, SizeIs(4 * 2));
        EXPECT_THAT(network.m_ends, Each(Pair(::testing::_, true)));
        EXPECT_EQ(network.Get(0)->GetSamples().Size(), 60U);
        EXPECT_EQ(isLatent && network.FindJoules(0, EnergyKind::COMPUTE) > 0, false);
    }
}

TEST(DiscoveryAccessTest, WhatOnlyLearnedRewardsUseIsToldForThem)
{
    for (const std::string method : {"Learned", "Closest", "MostTrusted"})
    {
        DiscoveryCase c = MakeMany(4);
        c.attributes["Method"] = method;
        DiscoveryNetwork network(c);
        std::map<uint16_t, uint32_t> sent;
        network.Listen([&sent](const SentMessage& message) { ++sent[message.kind]; });
        network.Run();
        EXPECT_EQ(sent[ROW], method == "Learned" ? 4U : 0U);
        EXPECT_EQ(sent[TRUST], method == "MostTrusted" ? 4 * 3U : 0U);
    }
}

TEST(DiscoveryAccessTest, NobodyTellsItsTrustToWhomItCannotReach)
{
    DiscoveryCase c = MakeMany(4);
    c.attributes["Method"] = "MostTrusted";
    c.SetOutOfReach(2);
    DiscoveryNetwork network(c);
    std::set<std::pair<uint32_t, uint32_t>> told;
    network.Listen([&](const SentMessage& message) {
        if (message.kind == TRUST)
        {
            told.emplace(message.sender, message.receiver);
        }
    });
    network.Run();
    EXPECT_THAT(told,
                ::testing::ElementsAre(
                    Pair(0, 1), Pair(0, 3), Pair(1, 0), Pair(1, 3), Pair(3, 0), Pair(3, 1)));
}

TEST(DiscoveryAccessTest, SlotsInWhichNothingIsSharedAreShorterAndCostLess)
{
    std::map<std::string, Time> ends;
    std::map<std::string, double> joules;
    for (const std::string period : {"1", "4"})
    {
        DiscoveryCase c = MakeMany(5);
        c.isLatent = true;
        c.attributes = {{"Iterations", "9"}, {"AgreementPeriod", period}, {"Rounds", "2"}};
        DiscoveryNetwork network(c);
        std::map<uint32_t, std::set<Time>> asked;
        std::set<uint32_t> shared;
        network.Listen([&](const SentMessage& message) {
            if (message.kind == CLUSTER_REQUEST)
            {
                asked[message.round].insert(Simulator::Now());
            }
            if (message.kind == AFTER)
            {
                shared.insert(message.round);
            }
        });
        network.Run();
        ends[period] = network.Get(0)->GetPlan().GetFinalSlotBegin() -
                       network.Get(0)->GetPlan().GetSlotsBegin();
        joules[period] = network.FindJoules(0, EnergyKind::COMPUTE);
        EXPECT_THAT(asked, Each(Pair(::testing::_, SizeIs(1)))) << "in step";
        EXPECT_THAT(network.records, SizeIs(5 * 9 * 2)) << "nobody sits a slot out";
        EXPECT_THAT(shared, SizeIs(period == "1" ? 18 : 6)); // 0, 4 and 8 of each pass
    }
    EXPECT_LT(ends["4"], ends["1"] * 0.9);
    EXPECT_LT(joules["4"], joules["1"]);
}
