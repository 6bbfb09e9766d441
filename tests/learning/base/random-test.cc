/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-random.h"

#include <gmock/gmock.h>
#include <map>
#include <set>

namespace random_test
{

using namespace ns3::collab;

constexpr RandomPurpose PURPOSES[] = {RandomPurpose::PARTITION,
                                      RandomPurpose::LABEL_CORRUPTION,
                                      RandomPurpose::INITIALIZATION,
                                      RandomPurpose::SHUFFLE,
                                      RandomPurpose::PLACEMENT,
                                      RandomPurpose::REFERENCE,
                                      RandomPurpose::SUBSET};

TEST(RandomTest, SplitMix64GivesThePublishedSequence)
{
    // The first outputs of the public-domain splitmix64.c (Vigna) from state 1234567.
    const uint64_t expected[] = {6457827717110365317U,
                                 3203168211198807973U,
                                 9817491932198370423U,
                                 4593380528125082431U,
                                 16408922859458223821U};
    uint64_t state = 1234567;
    for (uint64_t output : expected)
    {
        EXPECT_EQ(SplitMix64(state), output);
        state += 0x9e3779b97f4a7c15U;
    }
}

TEST(RandomTest, SeedsMixOneArgumentAfterTheOther)
{
    const uint64_t expected = SplitMix64(SplitMix64(SplitMix64(SplitMix64(11) ^ 2) ^ 5) ^ 4);
    EXPECT_EQ(DeriveSeed(11, 2, 5, RandomPurpose::SHUFFLE), expected);
}

TEST(RandomTest, NearArgumentsGiveDistinctSeeds)
{
    std::set<uint64_t> seeds;
    std::size_t count = 0;
    for (uint64_t seed = 0; seed < 8; ++seed)
    {
        for (uint64_t run = 0; run < 8; ++run)
        {
            for (uint64_t device = 0; device < 100; ++device)
            {
                for (RandomPurpose purpose : PURPOSES)
                {
                    seeds.insert(DeriveSeed(seed, run, device, purpose));
                    ++count;
                }
            }
        }
    }
    EXPECT_EQ(seeds.size(), count);
}

TEST(RandomTest, EveryArgumentChangesHalfOfTheBits)
{
    double changed = 0;
    for (uint64_t device = 0; device < 1000; ++device)
    {
        const uint64_t here = DeriveSeed(1, 1, device, RandomPurpose::SHUFFLE);
        const uint64_t next = DeriveSeed(1, 1, device + 1, RandomPurpose::SHUFFLE);
        changed += __builtin_popcountll(here ^ next);
    }
    EXPECT_NEAR(changed / 1000, 32, 0.6); // 4 standard errors, sqrt(64 / 4 / 1000) each
}

TEST(RandomTest, PermutationHoldsEveryIndexOnce)
{
    RandomGenerator generator(3);
    std::vector<uint32_t> expected;
    for (uint32_t size = 0; size < 50; ++size)
    {
        EXPECT_THAT(DrawPermutation(size, generator), testing::UnorderedElementsAreArray(expected));
        expected.push_back(size);
    }
}

TEST(RandomTest, EveryPermutationIsEquallyLikely)
{
    RandomGenerator generator(4);
    std::map<std::vector<uint32_t>, int> counts;
    constexpr int DRAWS = 24000;
    for (int i = 0; i < DRAWS; ++i)
    {
        ++counts[DrawPermutation(4, generator)];
    }
    EXPECT_EQ(counts.size(), 24U);
    for (const auto& [permutation, count] : counts)
    {
        EXPECT_NEAR(count, DRAWS / 24.0, 5 * 31); // 5 standard deviations
    }
}

TEST(RandomTest, PermutationFollowsTheGenerator)
{
    RandomGenerator first(5);
    RandomGenerator same(5);
    const auto permutation = DrawPermutation(100, first);
    EXPECT_EQ(permutation, DrawPermutation(100, same));
    EXPECT_NE(permutation, DrawPermutation(100, first));
}

} // namespace random_test
