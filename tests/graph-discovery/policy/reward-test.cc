/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/graph-discovery-reward.h"

#include <gtest/gtest.h>

using namespace ns3::collab;

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
