/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery/discovery-network.h"

#include "ns3/collab-processor.h"

#include <algorithm>
#include <gmock/gmock.h>

using namespace ns3;
using namespace ns3::collab;
using namespace tests;
using ::testing::Each;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

namespace
{

using Peers = std::vector<std::optional<uint32_t>>;

/// @return four devices that can give each other something, with full trust
DiscoveryCase
MakeFour(bool isLatent = false)
{
    DiscoveryCase c;
    c.isLatent = isLatent;
    c.held = {{30, 30, 0, 0, 4}, {0, 30, 30, 0, 4}, {0, 0, 30, 30, 4}, {30, 0, 0, 30, 4}};
    c.trust = DrawTrust(4, 5, {TrustStructure::FULL, 0, 0}, 1);
    c.outage.assign(4, std::vector<double>(4, 0.0));
    return c;
}

/// Records the times at which devices ask, by slot
std::map<uint32_t, std::set<int64_t>>
RunAndFindAskTimes(DiscoveryNetwork& network, uint32_t* count = nullptr)
{
    std::map<uint32_t, std::set<int64_t>> times;
    network.Listen([&](const SentMessage& message) {
        if (message.kind == LINK || message.kind == CLUSTER_REQUEST)
        {
            times[message.round].insert(Simulator::Now().GetTimeStep());
            if (count)
            {
                ++*count;
            }
        }
    });
    network.Run();
    return times;
}

/// @return edges of a pass, by device: peers, -1 for none
std::vector<int>
FindPeers(const DiscoveryNetwork& network, uint32_t pass)
{
    std::vector<int> peers(network.m_nodes.GetN(), -2);
    for (const auto& edge : network.edges)
    {
        if (edge.round == pass)
        {
            peers[edge.device] = edge.peer ? static_cast<int>(*edge.peer) : -1;
        }
    }
    return peers;
}

/// @param flops operations of a partitioner for each sample
/// @param[out] charged these operations, by device
/// @return joules that each device has computed for, in three passes with such partitioners
std::vector<double>
RunWithPartitioners(uint64_t flops, std::vector<uint64_t>& charged)
{
    DiscoveryCase c = MakeFour();
    c.held[1] = {5, 5, 5, 5, 5};
    c.attributes = {{"Rounds", "3"}, {"Iterations", "8"}};
    DiscoveryNetwork network(c);
    charged.assign(4, 0);
    for (uint32_t i = 0; i < 4; ++i)
    {
        LabelPartitioner partitioner;
        partitioner.find = [](DataView& samples, const Matrix<float>&) {
            return std::vector<uint32_t>(samples.labels.begin(), samples.labels.end());
        };
        partitioner.flops = [=, &charged](const DataView& samples) {
            charged[i] += flops * samples.Size();
            return flops * samples.Size();
        };
        partitioner.plannedFlops = [=](uint64_t samples) { return flops * samples; };
        DynamicCast<LabelDiscoveryApplication>(network.Get(i))->SetPartitioner(partitioner);
    }
    EXPECT_THAT(RunAndFindAskTimes(network), Each(Pair(::testing::_, SizeIs(1))));
    std::vector<double> joules;
    for (uint32_t i = 0; i < 4; ++i)
    {
        joules.push_back(network.FindJoules(i, EnergyKind::COMPUTE));
    }
    return joules;
}

} // namespace

TEST(DiscoveryTimingTest, PartitionersCostWhatTheyComputeAndNotWhatIsPlanned)
{
    std::vector<uint64_t> charged;
    const auto without = RunWithPartitioners(0, charged);
    const auto with = RunWithPartitioners(1000000, charged);
    const double each = (with[0] - without[0]) / static_cast<double>(charged[0]);
    EXPECT_GT(each, 0);
    EXPECT_LT(charged[1], charged[0] / 2);
    for (uint32_t i = 1; i < 4; ++i)
    {
        EXPECT_NEAR((with[i] - without[i]) / static_cast<double>(charged[i]), each, 1e-6 * each);
    }
}

TEST(DiscoveryTimingTest, SlotsBeginTogetherOnUnequalDevices)
{
    for (const bool isLatent : {false, true})
    {
        DiscoveryCase c = MakeFour(isLatent);
        c.held[1] = {5, 5, 5, 5, 5};
        c.attributes = {{"Rounds", "3"}, {"Iterations", "8"}, {"CountBits", "16"}};
        if (isLatent)
        {
            c.attributes["RequestShare"] = "0.6";
        }
        c.flopsPerCycle = {{3, 0.01}};
        DiscoveryNetwork network(c);
        uint32_t asked = 0;
        const auto times = RunAndFindAskTimes(network, &asked);
        EXPECT_EQ(asked, 4U * 3 * 9);
        EXPECT_THAT(times, SizeIs(3 * 9));
        EXPECT_THAT(times, Each(Pair(::testing::_, SizeIs(1))));
        EXPECT_THAT(network.records, SizeIs(4 * 3 * 8));
        EXPECT_THAT(network.m_ends, Each(Pair(::testing::_, true)));
        EXPECT_EQ(network.Get(0)->GetPlan().GetPassDuration(),
                  network.Get(3)->GetPlan().GetPassDuration());
        EXPECT_EQ(network.Get(0)->GetPlan().GetSlotsBegin(),
                  network.Get(1)->GetPlan().GetSlotsBegin());
        EXPECT_LE(Simulator::Now(),
                  network.Get(0)->GetPlan().GetPassBegin(network.Get(0)->GetRounds()));
    }
}

TEST(DiscoveryTimingTest, DurationsAreKnownBeforeTheStart)
{
    for (const bool isLatent : {false, true})
    {
        for (const std::string globalWeight : {"0", "0.5"})
        {
            DiscoveryCase c = MakeFour(isLatent);
            c.attributes = {{"Rounds", "2"},
                            {"Iterations", "8"},
                            {"Components", "4"},
                            {"GlobalWeight", globalWeight}};
            c.flopsPerCycle = {{3, 1e-5}}; // a subspace takes long
            DiscoveryNetwork network(c);
            const auto first = network.Get(0);
            SCOPED_TRACE(::testing::Message() << isLatent << " " << globalWeight);
            const Time slots = first->GetPlan().GetSlotsBegin();
            const Time pass = first->GetPlan().GetPassBegin(1);
            const Time duration = first->GetPlan().GetPassBegin(first->GetRounds());
            bool isExchanging = false;
            EXPECT_LT(first->GetPlan().GetSlotsBegin(1), slots);
            Simulator::Schedule(pass + first->GetPlan().GetDataBegin(1) + MilliSeconds(1),
                                [&]() { isExchanging = first->IsExchanging(); });
            network.Run();
            EXPECT_EQ(first->GetPlan().GetSlotsBegin(), slots);
            EXPECT_EQ(first->GetPlan().GetPassBegin(1), pass);
            EXPECT_TRUE(isExchanging);
            EXPECT_FALSE(first->IsExchanging());
            EXPECT_EQ(Simulator::Now(), duration);
        }
    }
}

TEST(DiscoveryTimingTest, SlowDeviceSitsSlotsOutAndStaysInStep)
{
    for (const double frequency : {150.0, 30.0, 1.0})
    {
        DiscoveryCase c = MakeFour();
        c.attributes = {{"Rounds", "2"}, {"Iterations", "40"}, {"RewardDeadline", "2ms"}};
        DiscoveryNetwork network(c);
        // Slow once the setup is over
        Simulator::Schedule(network.Get(0)->GetPlan().GetSlotsBegin(), [&]() {
            network.m_nodes.Get(2)->GetObject<Processor>()->SetAttribute("Frequency",
                                                                         DoubleValue(frequency));
        });
        const auto times = RunAndFindAskTimes(network);
        std::map<uint32_t, uint32_t> counts;
        for (const auto& record : network.records)
        {
            ++counts[record.device];
        }
        EXPECT_EQ(counts[0], 2 * 40U);
        EXPECT_GT(counts[2], 0U);
        EXPECT_LT(counts[2], 2 * 40U * 3 / 4);
        for (const auto& [slot, when] : times)
        {
            if (slot % 41 != 40) // the last one may begin late
            {
                EXPECT_THAT(when, SizeIs(1)) << slot;
            }
        }
        EXPECT_THAT(network.m_ends, SizeIs(4));
        EXPECT_THAT(network.m_ends, Each(Pair(::testing::_, true)));
        EXPECT_THAT(network.edges, SizeIs(8));
    }
}

TEST(DiscoveryTimingTest, NobodyAsksWhoIsOutOfReach)
{
    DiscoveryCase c = MakeFour();
    c.SetOutOfReach(2);
    for (const std::string method : {"Learned", "Closest", "MostTrusted", "Uniform"})
    {
        c.attributes = {{"Method", method}, {"Iterations", "20"}, {"Rounds", "3"}};
        DiscoveryNetwork network(c);
        network.Run();
        EXPECT_THAT(network.m_ends, Each(Pair(::testing::_, true)));
        for (uint32_t pass = 0; pass < 3; ++pass)
        {
            const auto peers = FindPeers(network, pass);
            EXPECT_EQ(peers[2], -1);
            for (const uint32_t device : {0, 1, 3})
            {
                // There are two others, for two passes
                EXPECT_NE(peers[device], 2);
                EXPECT_EQ(peers[device] >= 0, pass < 2) << method << " " << pass;
            }
        }
    }
}

TEST(DiscoveryTimingTest, EveryDeviceAsksEachOtherOnceInAsManyPasses)
{
    for (const bool isLatent : {false, true})
    {
        DiscoveryCase c = MakeFour(isLatent);
        c.attributes = {{"Iterations", "6"}, {"Rounds", "4"}};
        DiscoveryNetwork network(c);
        network.Run();
        std::map<uint32_t, std::set<int>> peers;
        for (uint32_t pass = 0; pass < 4; ++pass)
        {
            const auto all = FindPeers(network, pass);
            for (uint32_t device = 0; device < 4; ++device)
            {
                EXPECT_TRUE(peers[device].insert(all[device]).second);
                EXPECT_EQ(all[device] == -1, pass == 3);
            }
        }
    }
}

TEST(DiscoveryTimingTest, MethodsChooseAsTheySay)
{
    DiscoveryCase c = MakeFour();
    c.outage = {{0, 0.3, 0.1, 0.2}, {0.1, 0, 0.2, 0.3}, {0.2, 0.1, 0, 0.3}, {0.2, 0.3, 0.1, 0}};
    for (uint32_t i = 0; i < 4; ++i)
    {
        for (uint32_t j = 0; j < 4; ++j)
        {
            for (uint32_t l = 0; l < 5; ++l)
            {
                c.trust[j](i, l) = l < (i + 2 * j) % 4 ? 1 : 0; // trusted partitions: (i + 2 j) % 4
            }
        }
    }
    c.peers = {{0, {3, 1}}, {1, {std::nullopt, 0}}, {2, {0}}, {3, {2, 2}}};
    const std::map<std::string, std::vector<int>> expected = {
        {"None", {-1, -1, -1, -1}},
        {"Closest", {2, 0, 1, 2}},
        {"MostTrusted", {3, 3, 0, 2}}, // (0, 2, 0, 2) + i modulo 4, equal ones by outage
        {"Given", {3, -1, 0, 2}}};
    for (const auto& [method, peers] : expected)
    {
        c.attributes = {{"Method", method}, {"Rounds", "2"}, {"ControlLossPolicy", "Reliable"}};
        DiscoveryNetwork network(c);
        uint32_t asked = 0;
        RunAndFindAskTimes(network, &asked);
        if (method != "MostTrusted") // which may lose what others tell of their trust
        {
            EXPECT_EQ(FindPeers(network, 0), peers) << method;
        }
        EXPECT_THAT(network.records, IsEmpty()); // nothing is learned
        if (method == "Given")
        {
            EXPECT_EQ(FindPeers(network, 1), (std::vector<int>{1, 0, -1, -1}));
            EXPECT_EQ(asked, 5U);
        }
        EXPECT_EQ(asked == 0, method == "None");
    }
}

TEST(DiscoveryTimingTest, BudgetIsKept)
{
    for (const bool isEnforced : {false, true})
    {
        DiscoveryCase c;
        c.held = {{40, 0, 0, 5, 5}, {40, 0, 0, 5, 5}, {5, 40, 40, 40, 40}};
        c.trust = DrawTrust(3, 5, {TrustStructure::FULL, 0, 0}, 1);
        c.outage = {{0, 0, 0.2}, {0, 0, 0.2}, {0.2, 0.2, 0}};
        c.attributes = {{"Method", "Given"},
                        {"ControlLossPolicy", "Reliable"},
                        {"Budget", "7"},
                        {"EnforceBudget", isEnforced ? "true" : "false"},
                        {"LinkDeadline", "1s"},
                        {"OfferDeadline", "1s"},
                        {"RequestDeadline", "1s"},
                        {"GrantDeadline", "1s"}};
        // Devices 0 and 1 are a cluster, and none of them tells the other what it draws
        c.peers = {{0, Peers{2}}, {1, Peers{2}}};
        DiscoveryNetwork network(c);
        network.Run();
        std::vector<uint32_t> granted(3);
        for (const auto& edge : network.edges)
        {
            granted[edge.device] = edge.granted;
        }
        if (isEnforced)
        {
            EXPECT_EQ(granted, (std::vector<uint32_t>{3, 3, 0}));
        }
        else
        {
            EXPECT_GT(granted[0] + granted[1], 7U);
        }
    }
}

TEST(DiscoveryTimingTest, LateMessagesCountAsNotSent)
{
    for (const std::string late : {"LinkDeadline", "GrantDeadline"})
    {
        DiscoveryCase c = MakeFour();
        c.attributes = {{late, "1us"}, {"Iterations", "20"}};
        DiscoveryNetwork network(c);
        network.Run();
        EXPECT_THAT(network.records, SizeIs(4 * 20));
        for (const auto& record : network.records)
        {
            EXPECT_FALSE(record.granted) << late;
        }
        EXPECT_THAT(network.m_refusals, IsEmpty());
    }
    DiscoveryCase c = MakeFour();
    c.attributes = {{"RewardDeadline", "1us"}, {"SetupDeadline", "1us"}, {"Iterations", "20"}};
    DiscoveryNetwork network(c);
    network.Run();
    EXPECT_THAT(network.records, SizeIs(4 * 20));
    for (uint32_t i = 0; i < 4; ++i)
    {
        // Rows that have not come count as 1: nobody is in a cluster with anybody
        const auto clusters = network.Get(i)->GetClusters();
        EXPECT_THAT(std::set<uint32_t>(clusters.begin(), clusters.end()), SizeIs(4));
    }
}
