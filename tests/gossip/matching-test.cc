/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/gossip-matching.h"

#include <gmock/gmock.h>
#include <numeric>
#include <set>

using namespace ns3::collab;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

namespace
{

/// Devices 0 to n - 1
std::vector<uint32_t>
Devices(uint32_t count)
{
    std::vector<uint32_t> devices(count);
    std::iota(devices.begin(), devices.end(), 0);
    return devices;
}

/// Rates of all links between devices that a function gives
template <typename F>
LinkRates
Rates(uint32_t count, F rate)
{
    LinkRates rates;
    for (uint32_t a = 0; a < count; ++a)
    {
        for (uint32_t b = 0; b < count; ++b)
        {
            if (a != b)
            {
                rates.Set(a, b, rate(a, b));
            }
        }
    }
    return rates;
}

/// Every device at most once
void
ExpectMatching(const std::vector<GossipPair>& pairs)
{
    std::set<uint32_t> seen;
    for (const auto& [first, second] : pairs)
    {
        EXPECT_LT(first, second);
        EXPECT_TRUE(seen.insert(first).second);
        EXPECT_TRUE(seen.insert(second).second);
    }
}

} // namespace

TEST(GossipMatchingTest, ALinkIsAsGoodAsItsWorseDirection)
{
    LinkRates rates;
    rates.Set(1, 2, 5e6);
    EXPECT_EQ(rates.Get(1, 2), 5e6);
    EXPECT_EQ(rates.Get(2, 1), 5e6);
    rates.Set(2, 1, 3e6);
    EXPECT_EQ(rates.Get(1, 2), 3e6);
    EXPECT_EQ(rates.Get(1, 3), 0);
}

TEST(GossipMatchingTest, MatchesAllOrAllButOne)
{
    for (const uint32_t count : {2, 7, 20})
    {
        const auto pairs = MatchPeers(
            Devices(count), Rates(count, [](auto, auto) { return 1e6; }), RecentPairs(), 0, {}, 3);
        ExpectMatching(pairs);
        EXPECT_THAT(pairs, SizeIs(count / 2));
    }
}

TEST(GossipMatchingTest, FastLinksComeFirst)
{
    // Fast within {0, 1, 2, 3} and within {4, 5, 6, 7}: 12 of 28 links
    const auto rates = Rates(8, [](auto a, auto b) { return a / 4 == b / 4 ? 9e6 : 1e6; });
    MatchOptions options;
    options.quantile = 0.6;
    for (uint64_t seed = 0; seed < 20; ++seed)
    {
        const auto pairs = MatchPeers(Devices(8), rates, RecentPairs(), 0, options, seed);
        EXPECT_THAT(pairs, SizeIs(4));
        for (const auto& [first, second] : pairs)
        {
            EXPECT_EQ(first / 4, second / 4);
        }
    }
}

TEST(GossipMatchingTest, MaximumNotMaximalMatching)
{
    // A path 0 - 1 - 2 - 3: only {0 1, 2 3} matches all
    const auto rates =
        Rates(4, [](auto a, auto b) { return a + 1 == b || b + 1 == a ? 1e6 : 0.0; });
    for (uint64_t seed = 0; seed < 20; ++seed)
    {
        EXPECT_THAT(MatchPeers(Devices(4), rates, RecentPairs(), 0, {}, seed),
                    ElementsAre(Pair(0, 1), Pair(2, 3)));
    }
}

TEST(GossipMatchingTest, SlowLinksBridgePartsInTime)
{
    const auto rates = Rates(8, [](auto a, auto b) { return a / 4 == b / 4 ? 9e6 : 1e6; });
    MatchOptions options;
    options.quantile = 0.6;
    options.window = 4;
    RecentPairs recent;
    uint32_t bridges = 0;
    for (uint32_t round = 0; round < 100; ++round)
    {
        const auto pairs = MatchPeers(Devices(8), rates, recent, round, options, round);
        ExpectMatching(pairs);
        for (const auto& [first, second] : pairs)
        {
            bridges += first / 4 != second / 4 ? 1 : 0;
        }
        recent.Note(round, pairs);
        // Over twice the window all have exchanged with all, directly or by others
        if (round >= 2 * options.window)
        {
            EXPECT_THAT(std::set<std::size_t>([&]() {
                            const auto parts =
                                recent.GetParts(Devices(8), round + 1, 2 * options.window);
                            return std::set<std::size_t>(parts.begin(), parts.end());
                        }()),
                        SizeIs(1))
                << round;
        }
    }
    EXPECT_GT(bridges, 10U);
    EXPECT_LT(bridges, 200U); // of 400 pairs
}

TEST(GossipMatchingTest, PartsAreThoseOfTheLastRounds)
{
    RecentPairs recent;
    recent.Note(3, {{0, 1}});
    recent.Note(5, {{1, 2}});
    EXPECT_THAT(recent.GetParts({0, 1, 2, 7}, 6, 3), ElementsAre(0, 0, 0, 1));
    EXPECT_THAT(recent.GetParts({0, 1, 2, 7}, 7, 3), ElementsAre(0, 1, 1, 2));
    EXPECT_THAT(recent.GetParts({0, 1, 2, 7}, 9, 3), ElementsAre(0, 1, 2, 3));
}

TEST(GossipMatchingTest, UnknownLinksAreNotUsed)
{
    EXPECT_THAT(MatchPeers(Devices(4), LinkRates(), RecentPairs(), 0, {}, 1), IsEmpty());
    LinkRates rates;
    rates.Set(0, 3, 1e6);
    rates.Set(1, 2, 0);
    EXPECT_THAT(MatchPeers(Devices(4), rates, RecentPairs(), 0, {}, 1),
                UnorderedElementsAre(Pair(0, 3)));
}

TEST(GossipMatchingTest, SeedsChangeTheMatching)
{
    const auto rates = Rates(10, [](auto, auto) { return 1e6; });
    std::set<std::vector<GossipPair>> matchings;
    for (uint64_t seed = 0; seed < 20; ++seed)
    {
        const auto pairs = MatchPeers(Devices(10), rates, RecentPairs(), 0, {}, seed);
        EXPECT_EQ(pairs, MatchPeers(Devices(10), rates, RecentPairs(), 0, {}, seed));
        matchings.insert(pairs);
    }
    EXPECT_GT(matchings.size(), 15U);
}
