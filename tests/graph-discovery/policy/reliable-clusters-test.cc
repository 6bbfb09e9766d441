/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery/graph-discovery-reference.h"

#include "ns3/graph-discovery-reliable-clusters.h"
#include "ns3/graph-discovery-reward.h"

#include <cmath>
#include <gtest/gtest.h>
#include <stdexcept>

using namespace ns3::collab;
namespace reference = graph_discovery_reference;

namespace
{

Matrix<double>
MakeOutage(uint32_t devices)
{
    Matrix<double> outage(devices, devices);
    for (uint32_t i = 0; i < devices; ++i)
    {
        for (uint32_t j = 0; j < devices; ++j)
        {
            outage(i, j) = 0.5 + 0.5 * std::sin(1.0 + 3 * i + 7 * j + 2 * i * j);
        }
    }
    return outage;
}

} // namespace

TEST(GraphDiscoveryClusters, AreThoseOfScipy)
{
    auto expected = reference::CLUSTERS.begin();
    for (const uint32_t devices : reference::SIZES)
    {
        for (const double threshold : reference::THRESHOLDS)
        {
            const auto clusters = FindReliableClusters(MakeOutage(devices), threshold);
            EXPECT_EQ(clusters, (std::vector<uint32_t>{expected, expected + devices}));
            expected += devices;
        }
    }
    EXPECT_TRUE(expected == reference::CLUSTERS.end());
}

TEST(GraphDiscoveryClusters, HaveOnlyReliablePairs)
{
    const Matrix<double> outage = MakeOutage(30);
    const auto clusters = FindReliableClusters(outage, 0.85);
    for (uint32_t i = 0; i < 30; ++i)
    {
        for (uint32_t j = 0; j < 30; ++j)
        {
            EXPECT_TRUE(i == j || clusters[i] != clusters[j] || outage(i, j) <= 0.85);
        }
    }
}

TEST(GraphDiscoveryClusters, OfEqualPairsMergeTheLowest)
{
    Matrix<double> outage(4, 4, 0.2);
    outage(0, 2) = 0.5;
    outage(3, 0) = 0.5;
    EXPECT_EQ(FindReliableClusters(outage, 0.2), (std::vector<uint32_t>{0, 0, 1, 1}));
    EXPECT_EQ(FindReliableClusters(outage, 0.1), (std::vector<uint32_t>{0, 1, 2, 3}));
    EXPECT_EQ(FindReliableClusters(outage, 0.5), (std::vector<uint32_t>{0, 0, 0, 0}));
    EXPECT_TRUE(FindReliableClusters(Matrix<double>(), 0.5).empty());
}

TEST(GraphDiscoveryClusters, RejectWhatIsNoProbability)
{
    EXPECT_THROW(FindReliableClusters(Matrix<double>(2, 3), 0.1), std::invalid_argument);
    EXPECT_THROW(FindReliableClusters(Matrix<double>(2, 2, 1.1), 0.1), std::invalid_argument);
    EXPECT_THROW(FindReliableClusters(Matrix<double>(2, 2, 0.1), 1.1), std::invalid_argument);
}

TEST(GraphDiscoveryReward, IsAsByHand)
{
    RewardOptions options;
    options.diversity = 4;
    options.reliability = 3;
    options.budget = 0.5;
    options.budgetPoints = 10;
    EXPECT_DOUBLE_EQ(GetLocalReward(2, 0.5, options), 6.5);
    EXPECT_DOUBLE_EQ(GetBudgetReward(4, options), 3);
    EXPECT_DOUBLE_EQ(GetBudgetReward(30, options), -10); // beyond the budget
    EXPECT_DOUBLE_EQ(GetClusterReward({1, 2, 6}, 4, 9, 3, options), 4);
    options.dividesByCluster = true;
    EXPECT_DOUBLE_EQ(GetClusterReward({1, 2, 6}, 4, 9, 3, options), 6);
    EXPECT_DOUBLE_EQ(GetClusterReward({1, 2}, 4, 9, 3, options), 4); // one is not known
}
