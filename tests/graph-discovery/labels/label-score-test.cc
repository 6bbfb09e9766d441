/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery/graph-discovery-reference.h"

#include "ns3/graph-discovery-label-score.h"

#include <gtest/gtest.h>
#include <stdexcept>

using namespace ns3::collab;
namespace reference = graph_discovery_reference;

TEST(GraphDiscoveryScore, IsTheDistanceOfScipy)
{
    LabelScoreOptions options;
    options.leastLabels = 0;
    auto expected = reference::DISTANCES.begin();
    for (uint32_t c = 0; c < reference::CASES; ++c)
    {
        for (const uint32_t labels : reference::LABELS)
        {
            PartitionCounts before(labels);
            std::vector<double> after(labels);
            for (uint32_t l = 0; l < labels; ++l)
            {
                before[l] = (l + c) % 3 == 0 ? 0 : (17 * c + 29 * l) % 50;
                after[l] = (l + c) % 4 == 1 ? 0 : 0.25 * ((31 * c + 13 * l * l) % 90);
            }
            for (const auto distance : {DiversityDistance::WASSERSTEIN,
                                        DiversityDistance::DISCRETE,
                                        DiversityDistance::JENSEN_SHANNON})
            {
                options.distance = distance;
                EXPECT_NEAR(ScoreLabels(before, after, before, options), *expected++, 1e-10);
            }
        }
    }
}

TEST(GraphDiscoveryScore, NeedsEnoughLabelsThatReachPartOfTheThreshold)
{
    const PartitionCounts thresholds{10, 10, 10, 10};
    EXPECT_EQ(CountReachedLabels({10, 8, 7.9, 0}, thresholds, 0.8), 2);
    EXPECT_EQ(CountReachedLabels({10, 8, 7.9, 0}, thresholds, 1), 1);
    EXPECT_EQ(CountReachedLabels({10, 8, 7.9, 0}, thresholds, 0.75), 3);
    LabelScoreOptions options;
    const PartitionCounts before{20, 0, 0, 10};
    EXPECT_EQ(ScoreLabels(before, {20, 8, 7.9, 0}, thresholds, options), 0);
    EXPECT_GT(ScoreLabels(before, {20, 8, 8, 0}, thresholds, options), 0);
    options.thresholdSlack = 1;
    EXPECT_EQ(ScoreLabels(before, {20, 8, 8, 0}, thresholds, options), 0);
    options.leastLabels = 1;
    // Cumulated: 2/3, 2/3, 2/3, 1 before; 1/2, 3/4, 3/4, 1 after
    EXPECT_DOUBLE_EQ(ScoreLabels(before, {20, 10, 0, 10}, thresholds, options),
                     1.0 / 6 + 1.0 / 12 + 1.0 / 12);
}

TEST(GraphDiscoveryScore, IsZeroWithoutDataOrChange)
{
    LabelScoreOptions options;
    options.leastLabels = 0;
    for (const auto distance : {DiversityDistance::WASSERSTEIN,
                                DiversityDistance::DISCRETE,
                                DiversityDistance::JENSEN_SHANNON})
    {
        options.distance = distance;
        EXPECT_EQ(ScoreLabels({0, 0}, {1, 2}, {1, 1}, options), 0);
        EXPECT_EQ(ScoreLabels({1, 2}, {0, 0}, {1, 1}, options), 0);
        EXPECT_NEAR(ScoreLabels({1, 2}, {2, 4}, {1, 1}, options), 0, 1e-7);
    }
}

TEST(GraphDiscoveryScore, RejectsSizesThatDiffer)
{
    EXPECT_THROW(CountReachedLabels({1}, {1, 1}, 1), std::invalid_argument);
    EXPECT_THROW(ScoreLabels({1}, {1, 1}, {1, 1}, LabelScoreOptions()), std::invalid_argument);
}
