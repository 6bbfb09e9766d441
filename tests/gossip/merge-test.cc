/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/gossip-merge.h"

#include <gmock/gmock.h>
#include <map>
#include <set>
#include <stdexcept>

using namespace ns3::collab;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(GossipMergeTest, WholeModelsAreWeighedByDataSize)
{
    const std::vector<float> first = {4, 0};
    const std::vector<float> second = {1, 10};
    // (10 * 1 + 20 * 4 + 30 * 1) / 60 and (10 * 2 + 20 * 0 + 30 * 10) / 60
    EXPECT_THAT(MergeParts({1, 2}, 10, {{0, first.data(), 2, 20}, {0, second.data(), 2, 30}}),
                ElementsAre(2.0F, ::testing::FloatEq(320.0F / 60)));
    EXPECT_THAT(MergeParts({1, 2}, 10, {}), ElementsAre(1, 2));
    EXPECT_EQ(CountMergeFlops(2, 4), 3U * 4 + 2 * 2);
}

TEST(GossipMergeTest, PartsChangeTheirWeightsOnly)
{
    const std::vector<float> part = {8, 9};
    EXPECT_THAT(MergeParts({1, 2, 3, 4}, 10, {{1, part.data(), 2, 30}}),
                ElementsAre(1.0F, 6.5F, 7.5F, 4.0F));
    EXPECT_THROW(MergeParts({1, 2, 3, 4}, 10, {{3, part.data(), 2, 30}}), std::invalid_argument);
    // Of three weights from 1 on, the first and the last have come
    EXPECT_THAT(MergeParts({1, 2, 3, 4}, 10, {{1, part.data(), 3, 30, {{0, 2}, 3}}}),
                ElementsAre(1, (2 + 3 * part[0]) / 4, 3, (4 + 3 * part[1]) / 4));
    EXPECT_THAT(SelectArrived({3, 5, 8}, {{0, 2}, 3}), ElementsAre(3, 8));
    EXPECT_THAT(SelectArrived({3, 5, 8}, {}), ElementsAre(3, 5, 8));
    EXPECT_THROW(MergeParts({1, 2, 3, 4}, 10, {{0, part.data(), 2, 0}}), std::invalid_argument);
    EXPECT_THROW(MergeParts({1, 2, 3, 4}, 0, {{0, part.data(), 2, 1}}), std::invalid_argument);
}

TEST(GossipMergeTest, MaskedWeightsBecomeMeans)
{
    EXPECT_THAT(SelectMasked({1, 2, 3, 4}, {0, 3}), ElementsAre(1, 4));
    EXPECT_THAT(MergeMasked({1, 2, 3, 4}, {0, 3}, {5, 0}), ElementsAre(3, 2, 3, 2));
    EXPECT_THROW(MergeMasked({1, 2, 3, 4}, {0, 3}, {5}), std::invalid_argument);
    EXPECT_THROW(MergeMasked({1, 2, 3, 4}, {0, 4}, {5, 6}), std::invalid_argument);
    EXPECT_EQ(CountMasked(1000, 0.01), 10U);
    EXPECT_EQ(CountMasked(7, 0.01), 1U);
    EXPECT_EQ(CountMasked(7, 1), 7U);
    EXPECT_THROW(CountMasked(7, 0), std::invalid_argument);
    EXPECT_THROW(CountMasked(7, 1.5), std::invalid_argument);
}

TEST(GossipMergeTest, SegmentsCoverTheModelOnce)
{
    for (const uint32_t segments : {1, 3, 7, 10})
    {
        std::size_t next = 0;
        for (uint32_t index = 0; index < segments; ++index)
        {
            const GossipSegment segment = GetSegment(10, segments, index);
            EXPECT_EQ(segment.first, next);
            EXPECT_GE(segment.count, 10 / segments);
            EXPECT_LE(segment.count, 10 / segments + 1);
            next += segment.count;
        }
        EXPECT_EQ(next, 10U);
    }
}

TEST(GossipMergeTest, SourcesAreDifferentPeersThatAllComeUp)
{
    const std::vector<uint32_t> peers = {2, 3, 5, 8};
    std::map<uint32_t, uint32_t> counts;
    for (const auto& sources : DrawSources(peers, 400, 2, 7))
    {
        ASSERT_THAT(sources, SizeIs(2));
        EXPECT_LT(sources[0], sources[1]);
        ++counts[sources[0]];
        ++counts[sources[1]];
    }
    for (const uint32_t peer : peers)
    {
        EXPECT_NEAR(counts[peer], 200, 50) << peer;
    }
    EXPECT_THAT(DrawSources(peers, 3, 9, 7), Each(ElementsAre(2, 3, 5, 8)));
    EXPECT_NE(DrawSources(peers, 10, 1, 7), DrawSources(peers, 10, 1, 8));
}

TEST(GossipMergeTest, OnlyNewerVersionsAreWanted)
{
    VersionVector versions;
    EXPECT_THAT(versions.GetNewer({{1, 0}, {2, 1}, {4, 3}}), ElementsAre(2, 4));
    versions.Note(4, 3);
    versions.Note(2, 2);
    versions.Note(2, 1); // an older one that came late
    EXPECT_THAT(versions.GetNewer({{1, 0}, {2, 2}, {4, 3}}), IsEmpty());
    EXPECT_THAT(versions.GetNewer({{1, 1}, {2, 3}, {4, 3}}), ElementsAre(1, 2));
}

TEST(GossipMergeTest, AllDevicesAreDrawnAlike)
{
    std::map<uint32_t, uint32_t> counts;
    for (uint32_t round = 0; round < 3000; ++round)
    {
        ++counts[DrawDevice({3, 4, 9}, 5, round)];
    }
    EXPECT_THAT(counts, SizeIs(3));
    for (const auto& count : counts)
    {
        EXPECT_NEAR(count.second, 1000, 100) << count.first;
    }
    EXPECT_EQ(DrawDevice({3, 4, 9}, 5, 17), DrawDevice({3, 4, 9}, 5, 17));
}
