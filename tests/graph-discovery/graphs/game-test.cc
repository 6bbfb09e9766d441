/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery/graphs/label-games.h"
#include "support/refusals.h"

#include "ns3/graph-discovery-coordinate-ascent.h"
#include "ns3/graph-discovery-game.h"

#include <algorithm>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <stdexcept>

using namespace ns3::collab;
using namespace ns3::collab::test;
using ::testing::HasSubstr;

namespace
{

/// @return example 1 of the paper's Appendix A: devices i, j, k
LabelGame
MakeExample()
{
    LabelGame game;
    game.held = {{20, 0, 0, 0, 20}, {20, 20, 20, 20, 20}, {0, 20, 0, 20, 0}};
    game.thresholds.assign(3, PartitionCounts(5, 10));
    game.trust.assign(3, Matrix<uint8_t>(3, 5, 0));
    const std::vector<uint8_t> trusted{1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0};
    game.trust[1].values = trusted;
    game.outage = Matrix<double>(3, 3, 0);
    game.cluster = {0, 0, 0};
    return game;
}

/// @return graphs of the game: any, and some devices have no edge
std::vector<uint32_t>
DrawPeers(uint32_t devices, RandomGenerator& generator)
{
    std::vector<uint32_t> peers(devices);
    for (uint32_t i = 0; i < devices; ++i)
    {
        peers[i] = static_cast<uint32_t>(generator() % devices);
        peers[i] = peers[i] == i ? NO_PEER : peers[i];
    }
    return peers;
}

/// @return mean local reward with everything computed as the messages say
double
PlayByMessages(const LabelGame& game, const std::vector<uint32_t>& peers)
{
    const auto devices = static_cast<uint32_t>(peers.size());
    std::vector<std::vector<double>> after;
    for (const auto& held : game.held)
    {
        after.emplace_back(held.begin(), held.end());
    }
    for (uint32_t j = 0; j < devices; ++j)
    {
        std::vector<uint32_t> receivers;
        std::vector<PartitionCounts> requests;
        for (uint32_t i = 0; i < devices; ++i)
        {
            if (peers[i] == j)
            {
                const uint8_t* row = game.trust[j].Row(i);
                const std::vector<uint8_t> trusted(row, row + game.trust[j].columns);
                const auto offer = OfferLabels(game.held[j], game.thresholds[j], trusted);
                receivers.push_back(i);
                requests.push_back(RequestLabels(game.held[i], game.thresholds[i], offer));
            }
        }
        const auto allotted = AllotLabels(game.held[j], game.thresholds[j], requests);
        for (std::size_t k = 0; k < receivers.size(); ++k)
        {
            for (std::size_t l = 0; l < game.held[j].size(); ++l)
            {
                after[j][l] -= allotted[k][l];
                after[receivers[k]][l] += (1 - game.outage(receivers[k], j)) * allotted[k][l];
            }
        }
    }
    double sum = 0;
    for (uint32_t i = 0; i < devices; ++i)
    {
        const double score = ScoreLabels(game.held[i], after[i], game.thresholds[i], game.score);
        const double outage = peers[i] == NO_PEER ? 0 : game.outage(i, peers[i]);
        sum += game.reward.diversity * score - game.reward.reliability * outage;
    }
    return sum / devices;
}

} // namespace

TEST(GraphDiscoveryGame, IsExampleOneOfThePaper)
{
    const LabelOutcome outcome = PlayLabelGame(MakeExample(), {1, NO_PEER, 1});
    EXPECT_EQ(outcome.after,
              (std::vector<std::vector<double>>{
                  {20, 0, 5, 10, 20}, {10, 20, 10, 10, 20}, {10, 20, 5, 20, 0}}));
    EXPECT_EQ(outcome.allotted,
              (std::vector<PartitionCounts>{{0, 0, 5, 10, 0}, {0, 0, 0, 0, 0}, {10, 0, 5, 0, 0}}));
    EXPECT_EQ(outcome.reached, (std::vector<uint32_t>{3, 5, 3}));
}

TEST(GraphDiscoveryGame, RewardsAreAsByHand)
{
    LabelGame game = MakeExample();
    game.cluster = {0, 1, 1};
    game.outage(0, 1) = 0.1;
    game.score.leastLabels = 3;
    game.reward.diversity = 10;
    game.reward.reliability = 4;
    game.reward.budget = 0.5;
    game.reward.budgetPoints = 20;
    game.reward.global = 0.25;
    const LabelOutcome outcome = PlayLabelGame(game, {1, NO_PEER, 1});
    EXPECT_THAT(outcome.after[0],
                testing::Pointwise(testing::DoubleNear(1e-12), {20.0, 0.0, 4.5, 9.0, 20.0}));
    // i before: 1/2 to the fourth label, then 1; after: 20, 20, 24.5, 33.5 of 53.5
    const double g =
        std::abs(0.5 - 20 / 53.5) * 2 + std::abs(0.5 - 24.5 / 53.5) + std::abs(0.5 - 33.5 / 53.5);
    EXPECT_NEAR(outcome.score[0], g, 1e-12);
    EXPECT_NEAR(outcome.localReward[0], 10 * g - 0.4, 1e-12);
    // j: 1/5 each before; 10, 30, 40, 50 of 70 after
    const double h = std::abs(0.2 - 1.0 / 7) + std::abs(0.4 - 3.0 / 7) + std::abs(0.6 - 4.0 / 7) +
                     std::abs(0.8 - 5.0 / 7);
    EXPECT_NEAR(outcome.localReward[1], 10 * h, 1e-12);
    // Device i alone gets 15 from outside of its cluster; k's come from inside of its own
    const double cluster = outcome.localReward[0] / 3 + 0.5 * (20 - 15);
    EXPECT_NEAR(outcome.reward[0], outcome.localReward[0] + 0.25 * cluster, 1e-12);
    const double other = (outcome.localReward[1] + outcome.localReward[2]) / 3 + 0.5 * 20;
    EXPECT_NEAR(outcome.reward[2], outcome.localReward[2] + 0.25 * other, 1e-12);
    EXPECT_NEAR(outcome.meanLocalReward,
                (outcome.localReward[0] + outcome.localReward[1] + outcome.localReward[2]) / 3,
                1e-12);
}

TEST(GraphDiscoveryGame, IsWhatMessagesSay)
{
    RandomGenerator generator(1);
    for (uint32_t seed = 0; seed < 20; ++seed)
    {
        const LabelGame game = MakeSkewedGame(9, seed);
        const auto peers = DrawPeers(9, generator);
        EXPECT_NEAR(PlayLabelGame(game, peers).meanLocalReward, PlayByMessages(game, peers), 1e-9);
    }
}

TEST(GraphDiscoveryGame, StaysTheSameHoweverEdgesHaveChanged)
{
    const LabelGame game = MakeSkewedGame(9, 3);
    LabelPlay play(game);
    RandomGenerator generator(2);
    std::vector<uint32_t> peers(9, NO_PEER);
    for (uint32_t step = 0; step < 500; ++step)
    {
        const auto device = static_cast<uint32_t>(generator() % 9);
        peers[device] = DrawPeers(9, generator)[device];
        play.SetPeer(device, peers[device]);
        const LabelOutcome anew = PlayLabelGame(game, peers);
        ASSERT_EQ(play.GetAllotted(), anew.allotted);
        ASSERT_EQ(play.GetAfter(), anew.after);
        ASSERT_EQ(play.GetLocalRewards(), anew.localReward);
        ASSERT_EQ(play.GetRewards(), anew.reward);
    }
}

TEST(GraphDiscoveryGame, AscentFindsTheBestOfAllGraphs)
{
    constexpr uint32_t DEVICES = 5;
    for (uint32_t seed = 0; seed < 5; ++seed)
    {
        const LabelGame game = MakeSkewedGame(DEVICES, seed);
        double greatest = -1e9;
        for (uint32_t graph = 0; graph < 1024; ++graph) // 4^5
        {
            std::vector<uint32_t> peers(DEVICES);
            for (uint32_t i = 0, left = graph; i < DEVICES; ++i, left /= 4)
            {
                peers[i] = left % 4 < i ? left % 4 : left % 4 + 1;
            }
            greatest = std::max(greatest, PlayLabelGame(game, peers).meanLocalReward);
        }
        const SearchedGraph found = SearchByCoordinateAscent(game, 100, 1);
        EXPECT_NEAR(found.meanLocalReward, greatest, 1e-9);
        EXPECT_NEAR(PlayLabelGame(game, found.peers).meanLocalReward, greatest, 1e-9);
    }
}

TEST(GraphDiscoveryGame, AscentEndsWhereNoDeviceCanBetterTheMean)
{
    for (uint32_t seed = 1; seed <= 5; ++seed)
    {
        const LabelGame game = MakeSkewedGame(12, seed);
        const SearchedGraph found = SearchByCoordinateAscent(game, 1, 1);
        EXPECT_GE(found.evaluations, 12 * 10U);
        for (uint32_t i = 0; i < 12; ++i)
        {
            for (uint32_t j = 0; j < 12; ++j)
            {
                std::vector<uint32_t> peers = found.peers;
                peers[i] = j;
                if (i != j)
                {
                    EXPECT_LE(PlayLabelGame(game, peers).meanLocalReward,
                              found.meanLocalReward + 1e-8);
                }
            }
        }
        const SearchedGraph better = SearchByCoordinateAscent(game, 5, 1);
        EXPECT_GE(better.meanLocalReward, found.meanLocalReward);
        EXPECT_EQ(SearchByCoordinateAscent(game, 5, 1).peers, better.peers);
    }
}

TEST(GraphDiscoveryGame, RejectsWhatDoesNotFit)
{
    const LabelGame right = MakeExample();
    EXPECT_NO_THROW(right.Validate());
    EXPECT_THROW(LabelGame().Validate(), std::invalid_argument);
    const auto rejects = [&right](const std::function<void(LabelGame&)>& spoil) {
        LabelGame game = right;
        spoil(game);
        EXPECT_THROW(game.Validate(), std::invalid_argument);
    };
    rejects([](LabelGame& game) { game.thresholds.pop_back(); });
    rejects([](LabelGame& game) { game.thresholds[0].pop_back(); });
    rejects([](LabelGame& game) { game.held[2].push_back(1); });
    rejects([](LabelGame& game) { game.trust.pop_back(); });
    rejects([](LabelGame& game) { game.trust[1] = Matrix<uint8_t>(3, 4); });
    rejects([](LabelGame& game) { game.outage(0, 1) = 1.5; });
    rejects([](LabelGame& game) { game.outage = Matrix<double>(3, 2, 0); });
    rejects([](LabelGame& game) { game.cluster[0] = 3; });
    rejects([](LabelGame& game) { game.score.thresholdSlack = 0; });
    rejects([](LabelGame& game) { game.reward.budget = -1; });
    EXPECT_THROW(PlayLabelGame(right, {0, NO_PEER, 1}), std::invalid_argument);
    EXPECT_THROW(PlayLabelGame(right, {1, 3, 1}), std::invalid_argument);
    EXPECT_THROW(PlayLabelGame(right, {1, 2}), std::invalid_argument);
}

TEST(GraphDiscoveryGame, TellsWhichSizesDiffer)
{
    LabelGame game;
    game.held.assign(2, PartitionCounts(3, 10));
    game.thresholds.assign(2, PartitionCounts(3, 5));
    game.trust.assign(2, Matrix<uint8_t>(2, 3, 1));
    game.outage = Matrix<double>(2, 2, 0);
    game.cluster = {0, 0};
    EXPECT_NO_THROW(game.Validate());
    game.thresholds[1].push_back(5);
    tests::ExpectRefused("thresholds of a device with 4 entries, but 3 are needed",
                         [&] { game.Validate(); });
}
