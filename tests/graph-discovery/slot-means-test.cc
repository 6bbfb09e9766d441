/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How long a slot of learning takes, and what the recorder writes of it.

#include "graph-discovery/discovery-network.h"
#include "support/memory-store.h"

#include "ns3/graph-discovery-recorder.h"

#include <gmock/gmock.h>
#include <map>

using namespace ns3;
using namespace ns3::collab;
using namespace tests;
using ::testing::DoubleNear;
using ::testing::ElementsAre;

namespace
{

/// @return three devices that can give each other something
DiscoveryCase
MakeThree(bool isLatent)
{
    DiscoveryCase c;
    c.isLatent = isLatent;
    c.held = {{30, 30, 0, 4}, {0, 30, 30, 4}, {30, 0, 30, 4}};
    c.trust = DrawTrust(3, 4, {TrustStructure::FULL, 0, 0}, 1);
    c.outage.assign(3, std::vector<double>(3, 0.1));
    c.attributes = {{"Rounds", "1"}, {"Iterations", "4"}, {"GlobalWeight", "0.5"}};
    return c;
}

/// @return time from one slot to the next
Time
FindSlotTime(const std::string& countBits)
{
    DiscoveryCase c = MakeThree(true);
    c.attributes["CountBits"] = countBits;
    c.attributes["Components"] = "1";
    DiscoveryNetwork network(c);
    std::map<uint32_t, Time> begins;
    network.Listen([&](const SentMessage& message) {
        if (message.kind == CLUSTER_REQUEST)
        {
            begins.emplace(message.round, Simulator::Now());
        }
    });
    network.Run();
    return begins.at(2) - begins.at(1);
}

} // namespace

TEST(LearningSlots, HaveTimeForTheBytesOfCounts)
{
    EXPECT_GT(FindSlotTime("16"), FindSlotTime("8"));
}

TEST(LearningSlots, AreRecordedAsMeansOfTheirWindow)
{
    DiscoveryCase c = MakeThree(false);
    c.attributes["LeastLabels"] = "1";
    DiscoveryNetwork network(c);
    MemoryStore store;
    const auto& labels = network.data->labels;
    GraphDiscoveryRecorder recorder(
        store, network.m_applications, c.trust, {labels.begin(), labels.end()}, 2);
    network.Run();
    recorder.Finish();
    const auto& rows = store.tables.at("discovery")->rows;
    ASSERT_EQ(rows.size(), 2U);
    for (const auto& row : rows)
    {
        DiscoveryRecord sum;
        double granted = 0;
        double count = 0;
        for (const auto& record : network.records)
        {
            if (record.iteration / 2 == row[1] / 2)
            {
                ++count;
                granted += record.granted ? 1 : 0;
                sum.score += record.score;
                sum.outage += record.outage;
                sum.localReward += record.localReward;
                sum.globalReward += record.globalReward;
                sum.reward += record.reward;
            }
        }
        const auto mean = [count](double value) { return DoubleNear(value / count, 1e-12); };
        EXPECT_NE(sum.score, 0);
        EXPECT_NE(sum.globalReward, 0);
        EXPECT_THAT(row,
                    ElementsAre(0,
                                row[1],
                                count,
                                mean(granted),
                                mean(sum.score),
                                mean(count - sum.outage),
                                mean(sum.localReward),
                                mean(sum.globalReward),
                                mean(sum.reward)));
    }
}
