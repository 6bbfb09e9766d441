/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/data/partition-test-support.h"
#include "learning/learning-test-support.h"

#include "ns3/collab-data-set.h"
#include "ns3/collab-partition-skew.h"
#include "ns3/collab-partition.h"
#include "ns3/collab-random.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>

namespace partition_skew_test
{

using namespace ns3::collab;
using namespace tests;
using testing::Each;
using testing::ElementsAre;

const std::vector<int64_t> LABELS = MakeLabels(10000);

/// @return indices of all parts, each once
std::set<uint32_t>
TogetherOnce(const Partition& partition)
{
    const auto all = Together(partition);
    return {all.begin(), all.end()};
}

/// @return sizes of its parts
std::vector<std::size_t>
SizesOf(const Partition& partition)
{
    std::vector<std::size_t> sizes;
    for (const auto& part : partition)
    {
        sizes.push_back(part.size());
    }
    return sizes;
}

// --- Shards --------------------------------------------------------------------------------------

TEST(PartitionShardsTest, DevicesHaveTheirLabelsInProportion)
{
    ShardOptions options;
    options.devices = 25;
    options.samplesPerDevice = 200;
    const Partition parts = PartitionShards(LABELS, Range(10000), CLASSES, options, 1);
    EXPECT_EQ(parts, PartitionShards(LABELS, Range(10000), CLASSES, options, 1));
    EXPECT_NE(parts, PartitionShards(LABELS, Range(10000), CLASSES, options, 2));
    EXPECT_THAT(SizesOf(parts), Each(200));
    EXPECT_EQ(TogetherOnce(parts).size(), 25 * 200U); // no sample twice
    std::map<std::size_t, std::map<uint32_t, int>> holders;
    for (auto counts : CountPartition(LABELS, parts, CLASSES))
    {
        for (uint32_t label = 0; label < CLASSES; ++label)
        {
            ++holders[counts[label]][label];
        }
        std::sort(counts.rbegin(), counts.rend());
        EXPECT_THAT(counts, ElementsAre(140, 40, 20, 0, 0, 0, 0, 0, 0, 0));
    }
    for (std::size_t count : {140U, 40U, 20U}) // 25 devices: each class 2 or 3 times
    {
        EXPECT_EQ(holders[count].size(), CLASSES);
        for (const auto& [label, times] : holders[count])
        {
            EXPECT_GE(times, 2);
            EXPECT_LE(times, 3);
        }
    }
    EXPECT_FALSE(std::is_sorted(parts[0].begin(), parts[0].end()));
}

TEST(PartitionShardsTest, TakesTheMostThatAllCanHave)
{
    ShardOptions options;
    options.devices = 10;
    const Partition parts = PartitionShards(LABELS, Range(10000), CLASSES, options, 1);
    EXPECT_THAT(SizesOf(parts), Each(1000)); // every class is used up
    EXPECT_EQ(TogetherOnce(parts).size(), 10000U);
    options.devices = 3;
    options.proportions = {1};
    EXPECT_THAT(SizesOf(PartitionShards(LABELS, Range(5000), CLASSES, options, 1)), Each(500));
    options.proportions = {0.5, 0.5};
    options.devices = 7;
    const Partition odd = PartitionShards(LABELS, Range(999), CLASSES, options, 3);
    EXPECT_EQ(TogetherOnce(odd).size(), 7 * odd[0].size());
    EXPECT_GE(odd[0].size(), 98U);
}

TEST(PartitionShardsTest, RoundsToTheRightSum)
{
    ShardOptions options;
    options.devices = 1;
    options.samplesPerDevice = 7;
    const Partition parts = PartitionShards(LABELS, Range(10000), CLASSES, options, 1);
    auto counts = CountPartition(LABELS, parts, CLASSES).at(0);
    std::sort(counts.rbegin(), counts.rend());
    counts.resize(3);
    EXPECT_THAT(counts, ElementsAre(5, 1, 1)); // 4.9, 1.4, 0.7: the sum of the floors is 5
}

TEST(PartitionShardsTest, RefusesWhatCannotBe)
{
    const auto draw = [](const ShardOptions& options) {
        PartitionShards(LABELS, Range(10000), CLASSES, options, 1);
    };
    ShardOptions options;
    options.devices = 0;
    EXPECT_THROW(draw(options), std::invalid_argument);
    for (const std::vector<double>& proportions :
         {std::vector<double>{0.7, 0.2}, {}, {1.5, -0.5}, std::vector<double>(11, 1.0 / 11)})
    {
        options = {};
        options.proportions = proportions;
        EXPECT_THROW(draw(options), std::invalid_argument) << proportions.size();
    }
    options = {};
    options.samplesPerDevice = 1001;
    ExpectRefused("has 1000 samples, 1001 are needed", [&] { draw(options); });
    // Only even classes are there.
    EXPECT_THROW(PartitionShards(std::vector<int64_t>(100, 0), Range(100), 2, ShardOptions(), 1),
                 std::invalid_argument);
}

// --- Quantity ------------------------------------------------------------------------------------

TEST(PartitionQuantityTest, SizesFollowAPowerLaw)
{
    const auto proportions = MakePowerLawProportions(4, 1);
    EXPECT_NEAR(proportions[0], 12.0 / 25, 1e-12);
    EXPECT_NEAR(proportions[3], 3.0 / 25, 1e-12);
    const Partition parts = PartitionQuantity(Range(1000), proportions, 0, 1);
    EXPECT_THAT(SizesOf(parts), ElementsAre(480, 240, 160, 120));
    EXPECT_EQ(TogetherOnce(parts).size(), 1000U);
    EXPECT_FALSE(std::is_sorted(parts[0].begin(), parts[0].end()));
    EXPECT_THAT(MakePowerLawProportions(5, 0), Each(testing::DoubleNear(0.2, 1e-12)));
}

TEST(PartitionQuantityTest, RoundsByTheLargestRemainderAndKeepsTheMinimum)
{
    EXPECT_THAT(SizesOf(PartitionQuantity(Range(10), {1, 1, 1}, 0, 1)), ElementsAre(4, 3, 3));
    EXPECT_THAT(SizesOf(PartitionQuantity(Range(100), {97, 2, 1, 0}, 5, 1)),
                ElementsAre(85, 5, 5, 5));
    EXPECT_THAT(SizesOf(PartitionQuantity(Range(4), {1, 0, 0, 0}, 1, 1)), Each(1));
}

TEST(PartitionQuantityTest, LabelsStayAsTheyAre)
{
    RandomGenerator generator(7);
    const auto proportions = DrawDirichlet(5, 2, generator);
    EXPECT_NEAR(std::accumulate(proportions.begin(), proportions.end(), 0.0), 1, 1e-12);
    const Partition parts = PartitionQuantity(Range(10000), proportions, 100, 1);
    for (const auto& counts : CountPartition(LABELS, parts, CLASSES))
    {
        const double size = std::accumulate(counts.begin(), counts.end(), 0.0);
        for (const std::size_t count : counts)
        {
            // Hypergeometric: deviation below sqrt(n p (1 - p))
            EXPECT_NEAR(static_cast<double>(count), size / 10, 4.5 * std::sqrt(size * 0.09));
        }
    }
}

TEST(PartitionQuantityTest, RefusesWhatCannotBe)
{
    EXPECT_THROW(PartitionQuantity(Range(10), {}, 0, 1), std::invalid_argument);
    EXPECT_THROW(PartitionQuantity(Range(10), {0, 0}, 0, 1), std::invalid_argument);
    EXPECT_THROW(PartitionQuantity(Range(10), {1, -1}, 0, 1), std::invalid_argument);
    EXPECT_THROW(PartitionQuantity(Range(10), {1, 1}, 6, 1), std::invalid_argument);
    EXPECT_THROW(MakePowerLawProportions(0, 1), std::invalid_argument);
    EXPECT_THROW(MakePowerLawProportions(2, -1), std::invalid_argument);
}

// --- Users ---------------------------------------------------------------------------------------

TEST(PartitionByUserTest, ADeviceIsAUserOrSeveral)
{
    const std::vector<uint32_t> users = {0, 0, 0, 1, 2, 2, 3, 3, 4, 4};
    const Partition one = PartitionByUser(users, Range(10), 3, 1, 2, 1);
    EXPECT_EQ(one.size(), 3U);
    for (const auto& part : one)
    {
        std::set<uint32_t> own;
        for (uint32_t index : part)
        {
            own.insert(users[index]);
        }
        EXPECT_EQ(own.size(), 1U);
        EXPECT_EQ(own.count(1), 0U); // too small
        EXPECT_EQ(part.size(), *own.begin() == 0 ? 3U : 2U);
    }
    const Partition all = PartitionByUser(users, Range(10), 2, 0, 0, 1);
    EXPECT_EQ(TogetherOnce(all).size(), 10U);
    const Partition two = PartitionByUser(users, Range(10), 2, 2, 2, 1);
    EXPECT_EQ(two[0].size() + two[1].size(), 9U);
    std::set<std::vector<std::size_t>> seen;
    for (uint64_t seed = 0; seed < 20; ++seed)
    {
        seen.insert(SizesOf(PartitionByUser(users, Range(10), 1, 1, 0, seed)));
    }
    EXPECT_EQ(seen.size(), 3U); // users of 1, 2 and 3 samples are all chosen
}

TEST(PartitionByUserTest, RefusesWhatCannotBe)
{
    const std::vector<uint32_t> users = {0, 0, 1};
    EXPECT_THROW(PartitionByUser(users, Range(3), 0, 1, 0, 1), std::invalid_argument);
    EXPECT_THROW(PartitionByUser(users, Range(3), 3, 1, 0, 1), std::invalid_argument);
    EXPECT_THROW(PartitionByUser(users, Range(3), 2, 1, 2, 1), std::invalid_argument);
    EXPECT_THROW(PartitionByUser(users, Range(3), 3, 0, 0, 1), std::invalid_argument);
    EXPECT_THROW(PartitionByUser(users, Range(4), 1, 1, 0, 1), std::invalid_argument);
}

// --- Features and targets ------------------------------------------------------------------------

TEST(FeatureSkewTest, DevicesTurnAndAreNoisyInTheirOrder)
{
    FeatureSkewOptions options;
    options.rotations = {0, 90, 180};
    options.noise = 0.4;
    const auto transforms = MakeFeatureSkew(4, options, 1);
    ASSERT_EQ(transforms.size(), 4U);
    EXPECT_EQ(transforms[3]->rotation, 0);
    EXPECT_EQ(transforms[2]->rotation, 180);
    EXPECT_DOUBLE_EQ(transforms[0]->noise, 0.2); // variance 0.16 / 4
    EXPECT_DOUBLE_EQ(transforms[3]->noise, 0.4);
    EXPECT_NE(transforms[0]->seed, transforms[1]->seed);
    EXPECT_EQ(transforms[1]->seed, MakeFeatureSkew(4, options, 1)[1]->seed);
    EXPECT_NE(transforms[1]->seed, MakeFeatureSkew(4, options, 2)[1]->seed);
    options.noise = -1;
    EXPECT_THROW(MakeFeatureSkew(4, options, 1), std::invalid_argument);
    options.noise = 0;
    options.rotations = {NAN};
    EXPECT_THROW(MakeFeatureSkew(4, options, 1), std::invalid_argument);
}

TEST(GroupTargetsTest, CutsAtTheGreatestGaps)
{
    EXPECT_THAT(GroupTargetsByGaps({10, 1, 2, 20, 11, 1}, 3), ElementsAre(1, 0, 0, 2, 1, 0));
    EXPECT_THAT(GroupTargetsByGaps({1, 2, 3}, 2), ElementsAre(0, 1, 1)); // of equal ones the first
    EXPECT_THAT(GroupTargetsByGaps({5, 5}, 1), ElementsAre(0, 0));
    EXPECT_THROW(GroupTargetsByGaps({5, 5}, 2), std::invalid_argument);
    EXPECT_THROW(GroupTargetsByGaps({5}, 0), std::invalid_argument);
}

// --- Tables --------------------------------------------------------------------------------------

TEST(CountPartitionTest, HasARowForEachDeviceAndAColumnForEachClass)
{
    EXPECT_THAT(CountPartition({0, 1, 1, 0}, {{0, 3, 2}, {1}}, 2),
                ElementsAre(ElementsAre(2, 1), ElementsAre(0, 1)));
}

// --- Labels --------------------------------------------------------------------------------------

/// @return a view of 10 000 samples, 1000 of each class
DataView
MakeLabeledView()
{
    return ViewAll(
        MakeDataSet(FeatureKind::BYTES, {1}, 10000, CLASSES, [](auto, auto) { return 0; }));
}

TEST(LabelCorruptionTest, ChangesAFractionToAnyOtherClass)
{
    DataView view = MakeLabeledView();
    CorruptLabels(view, 0.3, 5);
    std::map<int64_t, int> shifts;
    for (std::size_t i = 0; i < view.Size(); ++i)
    {
        ++shifts[(view.labels[i] - view.data->labels[i] + CLASSES) % CLASSES];
    }
    EXPECT_EQ(shifts[0], 7000);
    for (int64_t shift = 1; shift < CLASSES; ++shift)
    {
        EXPECT_NEAR(shifts[shift], 3000.0 / 9, 4 * std::sqrt(3000.0 / 9)) << shift;
    }
    DataView same = MakeLabeledView();
    CorruptLabels(same, 0.3, 5);
    EXPECT_EQ(same.labels, view.labels);
    CorruptLabels(same, 0, 5);
    EXPECT_EQ(same.labels, view.labels);
    EXPECT_THROW(CorruptLabels(view, 1.1, 1), std::invalid_argument);
    EXPECT_THROW(CorruptLabels(view, -0.1, 1), std::invalid_argument);
}

TEST(SplitLabeledTest, KeepsLabelsOfAFractionOfEachClass)
{
    DataView view = MakeLabeledView();
    view.transform = std::make_shared<const SampleTransform>();
    ShiftLabels(view, 1);
    const SemiSupervisedViews views = SplitLabeled(view, 0.15, 2);
    EXPECT_EQ(views.labeled.Size(), 1500U);
    EXPECT_EQ(views.unlabeled.Size(), 8500U);
    EXPECT_TRUE(views.unlabeled.labels.empty());
    EXPECT_EQ(views.labeled.transform, view.transform);
    std::map<int64_t, int> counts;
    for (std::size_t i = 0; i < views.labeled.Size(); ++i)
    {
        ++counts[views.labeled.labels[i]];
        EXPECT_EQ(views.labeled.labels[i], view.labels[views.labeled.indices[i]]);
    }
    for (const auto& [label, count] : counts)
    {
        EXPECT_EQ(count, 150);
    }
    EXPECT_EQ(TogetherOnce({views.labeled.indices, views.unlabeled.indices}).size(), 10000U);
    ASSERT_EQ(views.isLabeled.size(), 10000U);
    std::vector<uint32_t> labeled;
    for (std::size_t i = 0; i < view.Size(); ++i)
    {
        if (views.isLabeled[i])
        {
            labeled.push_back(view.indices[i]);
        }
    }
    EXPECT_EQ(labeled, views.labeled.indices);
    EXPECT_TRUE(std::is_sorted(views.labeled.indices.begin(), views.labeled.indices.end()));
    EXPECT_EQ(SplitLabeled(view, 0, 2).labeled.Size(), 0U);
    EXPECT_EQ(SplitLabeled(view, 1e-9, 2).labeled.Size(), 10U); // one of each class
    EXPECT_EQ(SplitLabeled(view, 1, 2).unlabeled.Size(), 0U);
    EXPECT_NE(SplitLabeled(view, 0.15, 3).labeled.indices, views.labeled.indices);
    EXPECT_THROW(SplitLabeled(view, 2, 1), std::invalid_argument);
    EXPECT_THROW(SplitLabeled(views.unlabeled, 0.5, 1), std::invalid_argument);
}

TEST(PartitionWritersTest, WritersHaveTasteAndSizesOfTheirOwn)
{
    const std::vector<int64_t> labels = MakeLabels(20000);
    const std::vector<uint32_t> candidates = Range(20000);
    WriterOptions options;
    options.writers = 100;
    options.meanSize = 100;
    options.minimumSize = 20;
    options.concentration = 0.1;
    const Partition parts = PartitionWriters(labels, candidates, 10, options, 3);
    ASSERT_EQ(parts.size(), 100U);
    std::set<uint32_t> dealt;
    std::vector<std::size_t> sizes;
    double favorites = 0;
    for (const auto& part : parts)
    {
        EXPECT_GE(part.size(), 20U);
        sizes.push_back(part.size());
        std::map<int64_t, double> counts;
        for (const uint32_t index : part)
        {
            EXPECT_TRUE(dealt.insert(index).second);
            counts[labels[index]] += 1;
        }
        favorites += std::max_element(counts.begin(),
                                      counts.end(),
                                      [](auto& a, auto& b) { return a.second < b.second; })
                         ->second /
                     static_cast<double>(part.size());
    }
    EXPECT_NEAR(Moments(sizes).mean, 100, 3 * 40 / 10.0);
    EXPECT_NEAR(Moments(sizes).deviation, 40, 10);
    EXPECT_GT(favorites / 100, 0.5); // 0.1 were all classes equally likely
    EXPECT_EQ(PartitionWriters(labels, candidates, 10, options, 3), parts);
    EXPECT_NE(PartitionWriters(labels, candidates, 10, options, 4), parts);
}

TEST(PartitionWritersTest, SizesShrinkWhereThereIsTooLittle)
{
    const std::vector<int64_t> labels(60, 0);
    const std::vector<uint32_t> candidates = Range(60);
    WriterOptions options;
    options.writers = 6;
    options.meanSize = 50;
    options.minimumSize = 10;
    for (const auto& part : PartitionWriters(labels, candidates, 2, options, 1))
    {
        EXPECT_EQ(part.size(), 10U);
    }
    options.minimumSize = 11;
    EXPECT_THROW(PartitionWriters(labels, candidates, 2, options, 1), std::invalid_argument);
    options.minimumSize = 0;
    EXPECT_THROW(PartitionWriters(labels, candidates, 2, options, 1), std::invalid_argument);
}

TEST(PartitionWritersTest, StylesAreSlantsAndNoise)
{
    WriterOptions options;
    options.writers = 400;
    options.rotationDegrees = 10;
    options.greatestNoise = 0.5;
    const auto styles = MakeWriterStyles(options, 5);
    ASSERT_EQ(styles.size(), 400U);
    double squares = 0;
    double noise = 0;
    std::set<uint64_t> seeds;
    for (const auto& style : styles)
    {
        squares += style->rotation * style->rotation / 400;
        noise += style->noise / 400;
        EXPECT_LE(style->noise, 0.5);
        seeds.insert(style->seed);
    }
    EXPECT_NEAR(std::sqrt(squares), 10, 1.5);
    EXPECT_NEAR(noise, 0.25, 0.03);
    EXPECT_EQ(seeds.size(), 400U);
}

} // namespace partition_skew_test
