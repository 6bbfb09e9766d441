/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-partition.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace
{

using namespace ns3::collab;
using testing::HasSubstr;

constexpr uint32_t CLASSES = 10;

/// @return 5000 labels, 500 of each class
std::vector<int64_t>
MakeLabels()
{
    std::vector<int64_t> labels(5000);
    for (std::size_t i = 0; i < labels.size(); ++i)
    {
        labels[i] = static_cast<int64_t>(i * 7 % CLASSES);
    }
    return labels;
}

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

/**
 * @param partition to look at
 * @return all its indices, sorted
 */
std::vector<uint32_t>
Together(const Partition& partition)
{
    std::vector<uint32_t> all;
    for (const auto& part : partition)
    {
        all.insert(all.end(), part.begin(), part.end());
    }
    std::sort(all.begin(), all.end());
    return all;
}

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
}

TEST(PartitionIidTest, RefusesNoDevicesOrTooMany)
{
    EXPECT_THROW(PartitionIid(MakeCandidates(), 0, 1), std::invalid_argument);
    EXPECT_THROW(PartitionIid(MakeCandidates(), 2001, 1), std::invalid_argument);
}

TEST(PartitionDirichletTest, DealsEveryCandidateOnceWithTheMinimumSize)
{
    for (double alpha : {0.1, 1.0, 100.0})
    {
        const Partition partition =
            PartitionDirichlet(MakeLabels(), MakeCandidates(), CLASSES, 10, alpha, 40, 3);
        EXPECT_EQ(partition.size(), 10U);
        EXPECT_EQ(Together(partition), MakeCandidates());
        for (const auto& part : partition)
        {
            EXPECT_GE(part.size(), 40U);
            EXPECT_FALSE(std::is_sorted(part.begin(), part.end()));
        }
    }
}

TEST(PartitionDirichletTest, PartsAreNotOrderedByClass)
{
    const auto labels = MakeLabels();
    const Partition partition =
        PartitionDirichlet(labels, MakeCandidates(), CLASSES, 2, 100, 500, 3);
    std::vector<int64_t> ordered;
    for (uint32_t index : partition[0])
    {
        ordered.push_back(labels[index]);
    }
    EXPECT_FALSE(std::is_sorted(ordered.begin(), ordered.end()));
}

TEST(PartitionDirichletTest, ClassesAreNotCutInTheOrderOfTheCandidates)
{
    const std::vector<int64_t> labels(1000, 0);
    std::vector<uint32_t> candidates(labels.size());
    std::iota(candidates.begin(), candidates.end(), 0U);
    const Partition partition = PartitionDirichlet(labels, candidates, 1, 2, 100, 100, 3);
    EXPECT_GT(*std::max_element(partition[0].begin(), partition[0].end()),
              *std::min_element(partition[1].begin(), partition[1].end()));
}

TEST(PartitionDirichletTest, FollowsTheSeed)
{
    const auto draw = [](uint64_t seed) {
        return PartitionDirichlet(MakeLabels(), MakeCandidates(), CLASSES, 10, 1, 10, seed);
    };
    EXPECT_EQ(draw(1), draw(1));
    EXPECT_NE(draw(1), draw(2));
}

TEST(PartitionDirichletTest, SharesHaveTheMomentsOfTheDistribution)
{
    // One class of 500 samples, so that rounding to whole samples does not show. A share has mean
    // 1/K and variance (1/K)(1 - 1/K)/(K alpha + 1).
    constexpr uint32_t DEVICES = 4;
    constexpr int DRAWS = 4000;
    const std::vector<int64_t> labels(500, 0);
    std::vector<uint32_t> candidates(labels.size());
    std::iota(candidates.begin(), candidates.end(), 0U);
    for (double alpha : {0.1, 0.5, 1.0, 10.0})
    {
        std::vector<double> sum(DEVICES, 0);
        std::vector<double> squares(DEVICES, 0);
        for (uint64_t seed = 0; seed < DRAWS; ++seed)
        {
            const auto parts =
                PartitionDirichlet(labels, candidates, 1, DEVICES, alpha, 0, 1000 + seed);
            for (std::size_t device = 0; device < DEVICES; ++device)
            {
                const double share = static_cast<double>(parts[device].size()) / 500;
                sum[device] += share;
                squares[device] += share * share;
            }
        }
        const double variance = 0.25 * 0.75 / (DEVICES * alpha + 1);
        for (std::size_t device = 0; device < DEVICES; ++device)
        {
            const double mean = sum[device] / DRAWS;
            EXPECT_NEAR(mean, 0.25, 4 * std::sqrt(variance / DRAWS)) << "alpha " << alpha;
            // A sample variance's relative standard error is at most 2.3 % here: 5 of them.
            EXPECT_NEAR(squares[device] / DRAWS - mean * mean, variance, 0.115 * variance)
                << "alpha " << alpha;
        }
    }
}

TEST(PartitionDirichletTest, TinyAlphaGivesEachClassToOneDevice)
{
    const auto labels = MakeLabels();
    const Partition partition =
        PartitionDirichlet(labels, MakeCandidates(), CLASSES, 3, 1e-6, 0, 5);
    EXPECT_EQ(Together(partition), MakeCandidates());
    for (const auto& part : partition)
    {
        EXPECT_EQ(part.size() % 400, 0U); // 400 samples of each class
    }
}

TEST(PartitionDirichletTest, RefusesWhatIsNotAllowed)
{
    const auto draw = [](uint32_t devices, double alpha, uint32_t minimumSize) {
        PartitionDirichlet(MakeLabels(), MakeCandidates(), CLASSES, devices, alpha, minimumSize, 1);
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
    EXPECT_THROW(PartitionDirichlet(labels, {0, 3}, 3, 1, 1, 0, 1), std::invalid_argument);
    EXPECT_THROW(PartitionDirichlet(labels, {0, 2}, 2, 1, 1, 0, 1), std::invalid_argument);
}

TEST(PartitionDirichletTest, GivesUpOnAHopelessMinimum)
{
    try
    {
        PartitionDirichlet({0, 0, 0, 0}, {0, 1, 2, 3}, 1, 4, 1e-3, 1, 1);
        FAIL() << "four samples went to four devices each with nearly no chance";
    }
    catch (const std::invalid_argument& error)
    {
        EXPECT_THAT(error.what(), HasSubstr("10000 draws"));
    }
}

TEST(DrawBalancedTest, DrawsEquallyManyOfEachClass)
{
    const auto labels = MakeLabels();
    std::vector<uint32_t> candidates(labels.size());
    std::iota(candidates.begin(), candidates.end(), 0U);
    const auto chosen = DrawBalanced(labels, candidates, CLASSES, 400, 9);
    std::vector<int> counts(CLASSES, 0);
    std::vector<int64_t> ordered;
    for (uint32_t index : chosen)
    {
        ordered.push_back(labels[index]);
        ++counts[static_cast<std::size_t>(labels[index])];
    }
    EXPECT_THAT(counts, testing::Each(40));
    EXPECT_FALSE(std::is_sorted(ordered.begin(), ordered.end()));
    EXPECT_EQ(Together({chosen}).size(), 400U);
    const auto all = Together({chosen});
    EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
    EXPECT_EQ(chosen, DrawBalanced(labels, candidates, CLASSES, 400, 9));
    EXPECT_NE(chosen, DrawBalanced(labels, candidates, CLASSES, 400, 10));
}

TEST(DrawBalancedTest, RefusesWhatCannotBeDrawn)
{
    const auto labels = MakeLabels();
    EXPECT_THROW(DrawBalanced(labels, {0, 1, 2}, CLASSES, 15, 1), std::invalid_argument);
    // The candidates have no odd class.
    EXPECT_THROW(DrawBalanced(labels, MakeCandidates(), CLASSES, 10, 1), std::invalid_argument);
    EXPECT_THROW(DrawBalanced(labels, {5000}, CLASSES, 0, 1), std::invalid_argument);
    EXPECT_TRUE(DrawBalanced(labels, MakeCandidates(), CLASSES, 0, 1).empty());
}

TEST(DescribePartitionTest, PrintsCountsAndTotals)
{
    const std::string expected = " device      0      1      2  total\n"
                                 "      0      2      0      1      3\n"
                                 "      1      0      1      0      1\n"
                                 "  total      2      1      1      4\n";
    EXPECT_EQ(DescribePartition({0, 1, 2, 0}, {{0, 3, 2}, {1}}, 3), expected);
}

} // namespace
