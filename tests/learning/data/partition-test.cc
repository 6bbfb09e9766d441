/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/data/partition-test-support.h"
#include "learning/learning-test-support.h"

#include "ns3/collab-partition.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <set>
#include <stdexcept>

namespace partition_test
{

using namespace ns3::collab;
using namespace tests;

/// @return every other sample from 1000 on: 2000 candidates, as many of classes 0, 2, 4, 6, 8
std::vector<uint32_t>
MakeCandidates()
{
    std::vector<uint32_t> candidates;
    for (uint32_t i = 1000; i < 5000; i += 2)
    {
        candidates.push_back(i);
    }
    return candidates;
}

const std::vector<int64_t> LABELS = MakeLabels(5000);

TEST(PartitionIidTest, DealsEveryCandidateOnceInEqualParts)
{
    for (uint32_t devices : {1U, 3U, 7U, 2000U})
    {
        const Partition partition = PartitionIid(MakeCandidates(), devices, 1);
        EXPECT_EQ(partition.size(), devices);
        EXPECT_EQ(Together(partition), MakeCandidates());
        for (const auto& part : partition)
        {
            EXPECT_GE(part.size(), 2000 / devices);
            EXPECT_LE(part.size(), (2000 + devices - 1) / devices);
        }
    }
}

TEST(PartitionIidTest, FollowsTheSeedAndIsRandom)
{
    const Partition first = PartitionIid(MakeCandidates(), 5, 1);
    EXPECT_EQ(first, PartitionIid(MakeCandidates(), 5, 1));
    EXPECT_NE(first, PartitionIid(MakeCandidates(), 5, 2));
    for (const auto& part : first)
    {
        EXPECT_FALSE(std::is_sorted(part.begin(), part.end()));
    }
    EXPECT_THROW(PartitionIid(MakeCandidates(), 0, 1), std::invalid_argument);
    EXPECT_THROW(PartitionIid(MakeCandidates(), 2001, 1), std::invalid_argument);
}

TEST(PartitionDirichletTest, DealsEveryCandidateOnceWithTheMinimumSize)
{
    for (double alpha : {0.1, 1.0, 100.0})
    {
        const auto draw = [alpha](uint64_t seed) {
            return PartitionDirichlet(LABELS, MakeCandidates(), CLASSES, {10, alpha, 40}, seed);
        };
        const Partition partition = draw(3);
        EXPECT_EQ(partition.size(), 10U);
        EXPECT_EQ(Together(partition), MakeCandidates());
        EXPECT_EQ(partition, draw(3));
        EXPECT_NE(partition, draw(2));
        for (const auto& part : partition)
        {
            EXPECT_GE(part.size(), 40U);
            EXPECT_FALSE(std::is_sorted(part.begin(), part.end()));
        }
        std::vector<int64_t> ordered; // nor by class
        for (uint32_t index : partition[0])
        {
            ordered.push_back(LABELS[index]);
        }
        EXPECT_FALSE(std::is_sorted(ordered.begin(), ordered.end()));
    }
}

TEST(PartitionDirichletTest, ClassesAreNotCutInTheOrderOfTheCandidates)
{
    const std::vector<int64_t> labels(1000, 0);
    const Partition partition = PartitionDirichlet(labels, Range(1000), 1, {2, 100, 100}, 3);
    EXPECT_GT(*std::max_element(partition[0].begin(), partition[0].end()),
              *std::min_element(partition[1].begin(), partition[1].end()));
}

TEST(PartitionDirichletTest, SharesHaveTheMomentsOfTheDistribution)
{
    // One class of 500 samples, so that rounding to whole samples does not show. A share has mean
    // 1/K and variance (1/K)(1 - 1/K)/(K alpha + 1).
    constexpr uint32_t DEVICES = 4;
    constexpr int DRAWS = 4000;
    const std::vector<int64_t> labels(500, 0);
    const std::vector<uint32_t> candidates = Range(500);
    for (double alpha : {0.1, 0.5, 1.0, 10.0})
    {
        std::vector<std::vector<double>> shares(DEVICES);
        for (uint64_t seed = 0; seed < DRAWS; ++seed)
        {
            const auto parts =
                PartitionDirichlet(labels, candidates, 1, {DEVICES, alpha, 0}, 1000 + seed);
            for (std::size_t device = 0; device < DEVICES; ++device)
            {
                shares[device].push_back(static_cast<double>(parts[device].size()) / 500);
            }
        }
        const double variance = 0.25 * 0.75 / (DEVICES * alpha + 1);
        for (const auto& share : shares)
        {
            SCOPED_TRACE(alpha);
            const Moments found(share);
            EXPECT_NEAR(found.mean, 0.25, 4 * std::sqrt(variance / DRAWS));
            // A sample variance's relative standard error is at most 2.3 % here: 5 of them.
            EXPECT_NEAR(found.deviation * found.deviation, variance, 0.115 * variance);
        }
    }
}

TEST(PartitionDirichletTest, TinyAlphaGivesEachClassToOneDevice)
{
    const Partition partition =
        PartitionDirichlet(LABELS, MakeCandidates(), CLASSES, {3, 1e-6, 0}, 5);
    EXPECT_EQ(Together(partition), MakeCandidates());
    for (const auto& part : partition)
    {
        EXPECT_EQ(part.size() % 400, 0U); // 400 samples of each class
    }
}

TEST(PartitionDirichletTest, RefusesWhatIsNotAllowed)
{
    const auto draw = [](uint32_t devices, double alpha, uint32_t minimumSize) {
        PartitionDirichlet(LABELS, MakeCandidates(), CLASSES, {devices, alpha, minimumSize}, 1);
    };
    EXPECT_THROW(draw(0, 1, 1), std::invalid_argument);
    EXPECT_THROW(draw(10, 0, 1), std::invalid_argument);
    EXPECT_THROW(draw(10, -1, 1), std::invalid_argument);
    EXPECT_THROW(draw(10, std::numeric_limits<double>::infinity(), 1), std::invalid_argument);
    EXPECT_THROW(draw(10, std::numeric_limits<double>::quiet_NaN(), 1), std::invalid_argument);
    EXPECT_THROW(draw(10, 1, 201), std::invalid_argument);
    EXPECT_NO_THROW(draw(10, 1, 1));
}

TEST(PartitionDirichletTest, RefusesIndicesAndLabelsOutOfRange)
{
    const std::vector<int64_t> labels = {0, 1, 2};
    EXPECT_THROW(PartitionDirichlet(labels, {0, 3}, 3, {}, 1), std::invalid_argument);
    EXPECT_THROW(PartitionDirichlet(labels, {0, 2}, 2, {}, 1), std::invalid_argument);
}

TEST(PartitionDirichletTest, GivesUpOnAHopelessMinimum)
{
    ExpectRefused("10000 draws", [] {
        PartitionDirichlet({0, 0, 0, 0}, {0, 1, 2, 3}, 1, {4, 1e-3, 1}, 1);
    });
}

TEST(PartitionResampledTest, DrawsEachDevicesSamplesByItsOwnClasses)
{
    constexpr uint32_t SIZE = 8;
    const auto draw = [](uint32_t devices, uint64_t seed) {
        return PartitionResampled(LABELS, Range(1000), CLASSES, {devices, 1, SIZE}, seed);
    };
    const Partition parts = draw(2000, 1);
    double alike = 0; // pairs of a device's samples that are of one class
    for (const auto& part : parts)
    {
        EXPECT_EQ(std::set<uint32_t>(part.begin(), part.end()).size(), SIZE);
        EXPECT_LT(*std::max_element(part.begin(), part.end()), 1000U);
        for (std::size_t i = 0; i < SIZE; ++i)
        {
            alike +=
                std::count_if(part.begin(),
                              part.begin() + static_cast<std::ptrdiff_t>(i),
                              [&](uint32_t other) { return LABELS[other] == LABELS[part[i]]; });
        }
    }
    // E[sum of p^2] of Dirichlet(1, ..., 1) is 2 / (C + 1); less for samples that are not drawn
    // twice
    EXPECT_NEAR(alike / (2000 * SIZE * (SIZE - 1) / 2), 2.0 / (CLASSES + 1), 0.006);
    EXPECT_EQ(Partition(parts.begin(), parts.begin() + 10), draw(10, 1));
    EXPECT_NE(parts[0], draw(1, 2)[0]);
    EXPECT_NE(parts[0], parts[1]);
    EXPECT_THROW(PartitionResampled(LABELS, Range(1000), CLASSES, {2, 1, 101}, 1),
                 std::invalid_argument);
}

TEST(DrawBalancedTest, DrawsEquallyManyOfEachClass)
{
    const std::vector<uint32_t> candidates = Range(5000);
    const auto chosen = DrawBalanced(LABELS, candidates, CLASSES, 400, 9);
    std::vector<int64_t> ordered;
    for (uint32_t index : chosen)
    {
        ordered.push_back(LABELS[index]);
    }
    EXPECT_THAT(CountPartition(LABELS, {chosen}, CLASSES).at(0), testing::Each(40));
    EXPECT_FALSE(std::is_sorted(ordered.begin(), ordered.end()));
    const auto all = Together({chosen});
    EXPECT_EQ(all.size(), 400U);
    EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
    EXPECT_EQ(chosen, DrawBalanced(LABELS, candidates, CLASSES, 400, 9));
    EXPECT_NE(chosen, DrawBalanced(LABELS, candidates, CLASSES, 400, 10));
}

TEST(DrawBalancedTest, RefusesWhatCannotBeDrawn)
{
    EXPECT_THROW(DrawBalanced(LABELS, {0, 1, 2}, CLASSES, 15, 1), std::invalid_argument);
    // The candidates have no odd class.
    EXPECT_THROW(DrawBalanced(LABELS, MakeCandidates(), CLASSES, 10, 1), std::invalid_argument);
    EXPECT_THROW(DrawBalanced(LABELS, {5000}, CLASSES, 0, 1), std::invalid_argument);
    EXPECT_TRUE(DrawBalanced(LABELS, MakeCandidates(), CLASSES, 0, 1).empty());
}

TEST(DescribePartitionTest, PrintsCountsAndTotals)
{
    const std::string expected = " device      0      1      2  total\n"
                                 "      0      2      0      1      3\n"
                                 "      1      0      1      0      1\n"
                                 "  total      2      1      1      4\n";
    EXPECT_EQ(DescribePartition({0, 1, 2, 0}, {{0, 3, 2}, {1}}, 3), expected);
}

} // namespace partition_test
