/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/graph-discovery-baselines.h"
#include "ns3/graph-discovery-game.h"

#include <gtest/gtest.h>
#include <stdexcept>

using namespace ns3::collab;

TEST(GraphDiscoveryBaselines, ClosestHasTheLeastOutage)
{
    EXPECT_EQ(ChooseClosest({0, 0.3, 0.2, 0.2}, {1, 0, 0, 0}), 2);
    EXPECT_EQ(ChooseClosest({0, 0.3, 0.2, 0.2}, {1, 0, 1, 0}), 3);
    EXPECT_EQ(ChooseClosest({0, 0.3}, {1, 1}), NO_PEER);
    EXPECT_THROW(ChooseClosest({0}, {1, 1}), std::invalid_argument);
}

TEST(GraphDiscoveryBaselines, MostTrustedHasTheMostPartitionsThenTheLeastOutage)
{
    EXPECT_EQ(ChooseMostTrusted({9, 3, 4, 4}, {0, 0.1, 0.3, 0.2}, {1, 0, 0, 0}), 3);
    EXPECT_EQ(ChooseMostTrusted({9, 3, 4, 4}, {0, 0.1, 0.2, 0.2}, {1, 0, 0, 0}), 2);
    EXPECT_EQ(ChooseMostTrusted({9, 3, 4, 4}, {0, 0.1, 0.2, 0.2}, {1, 0, 1, 1}), 1);
    EXPECT_EQ(ChooseMostTrusted({9}, {0}, {1}), NO_PEER);
    EXPECT_THROW(ChooseMostTrusted({9}, {0, 0}, {1, 0}), std::invalid_argument);
}

TEST(GraphDiscoveryBaselines, UniformTakesEachOfTheOthersAsOften)
{
    RandomGenerator generator(1);
    std::vector<double> counts(5, 0);
    for (uint32_t k = 0; k < 30000; ++k)
    {
        counts.at(ChooseUniform({1, 0, 0, 1, 0}, generator)) += 1;
    }
    EXPECT_EQ(counts[0] + counts[3], 0);
    for (const uint32_t peer : {1, 2, 4})
    {
        EXPECT_NEAR(counts[peer] / 10000, 1, 0.03);
    }
    EXPECT_EQ(ChooseUniform({1, 1}, generator), NO_PEER);
}
