/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-random.h"
#include "ns3/graph-discovery-latent-game.h"
#include "ns3/graph-discovery-latent-play.h"

#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <stdexcept>

using namespace ns3::collab;

namespace
{

/**
 * @param devices N
 * @param seed of what differs between games
 * @return a game of clusters of 30 points of 2 numbers
 */
LatentGame
MakeLatentGame(uint32_t devices, uint64_t seed)
{
    constexpr uint32_t CLUSTERS = 3;
    RandomGenerator generator(seed);
    boost::random::normal_distribution<float> normal;
    LatentGame game;
    for (uint32_t i = 0; i < devices; ++i)
    {
        Matrix<float> points(CLUSTERS * 30, 2);
        std::vector<uint32_t> labels;
        for (uint32_t l = 0; l < CLUSTERS; ++l)
        {
            const float shift = 5 * normal(generator);
            for (int k = 0; k < 30; ++k)
            {
                points(labels.size(), 0) = shift + normal(generator);
                points(labels.size(), 1) = 2 * normal(generator) - shift;
                labels.push_back(l);
            }
        }
        game.clusters.push_back(SumClusters(points, labels, CLUSTERS));
        game.thresholds.emplace_back(CLUSTERS, 10);
        game.requested.push_back(18);
        game.cluster.push_back(i % 2);
    }
    game.trust = DrawTrust(devices, CLUSTERS, {}, seed);
    game.outage = Matrix<double>(devices, devices);
    boost::random::uniform_real_distribution<double> uniform(0, 0.5);
    std::generate(
        game.outage.values.begin(), game.outage.values.end(), [&] { return uniform(generator); });
    return game;
}

/**
 * @param devices N
 * @param seed of the graph
 * @return a transmitter of each device, or NO_PEER
 */
std::vector<uint32_t>
DrawLatentPeers(uint32_t devices, uint64_t seed)
{
    RandomGenerator generator(seed);
    boost::random::uniform_int_distribution<uint32_t> draw(0, devices - 1);
    std::vector<uint32_t> peers;
    for (uint32_t i = 0; i < devices; ++i)
    {
        const uint32_t peer = draw(generator);
        peers.push_back(peer == i ? NO_PEER : peer);
    }
    return peers;
}

/**
 * @param values any numbers
 * @return their sum
 */
uint32_t
SumOf(const std::vector<uint32_t>& values)
{
    return std::accumulate(values.begin(), values.end(), 0U);
}

TEST(LatentGame, FollowsAlgorithm2)
{
    LatentGame game = MakeLatentGame(4, 1);
    game.trust = DrawTrust(4, 3, {TrustStructure::FULL}, 1);
    game.trust[3](1, 2) = 0;
    game.trust[1](3, 0) = 0; // its centroid is not shown
    const LatentOutcome outcome = PlayLatentGame(game, {3, 3, NO_PEER, 2});
    Matrix<float> own(0, 2);
    Matrix<float> shown(0, 2);
    std::vector<GaussianCluster> sent;
    for (uint32_t l = 0; l < 3; ++l)
    {
        sent.push_back(MakeGaussian(game.clusters[3][l]));
        own.values.insert(own.values.end(), sent[l].mean.begin(), sent[l].mean.end());
        ++own.rows;
        if (l > 0)
        {
            const auto mean = MakeGaussian(game.clusters[1][l]).mean;
            shown.values.insert(shown.values.end(), mean.begin(), mean.end());
            ++shown.rows;
        }
    }
    const auto shares = ShareClusters({30, 30, 30}, {10, 10, 10}, {{1, 1, 1}, {1, 1, 0}});
    const auto requests = SplitRequest(18, own, shown);
    for (uint32_t l = 0; l < 3; ++l)
    {
        sent[l].count = std::min(shares[1][l], requests[l]);
        EXPECT_EQ(outcome.allotted[1][l], sent[l].count);
    }
    EXPECT_EQ(outcome.allotted[1][2], 0U);
    EXPECT_GT(SumOf(outcome.allotted[1]), 0U);
    const auto after = AddExpectedPoints(game.clusters[1], {sent[0], sent[1]});
    const double score = ScoreClusters(game.clusters[1], after);
    EXPECT_DOUBLE_EQ(outcome.score[1], score);
    EXPECT_DOUBLE_EQ(outcome.localReward[1], 20 * score - 10 * game.outage(1, 3));
    EXPECT_DOUBLE_EQ(outcome.localReward[2], 20 * 3.0);
    EXPECT_EQ(SumOf(outcome.allotted[2]), 0U);
}

TEST(LatentGame, RewardsHaveAgreementAndBudget)
{
    const LatentGame game = MakeLatentGame(4, 2);
    const std::vector<uint32_t> peers = {1, 3, 0, 2};
    const LatentOutcome outcome = PlayLatentGame(game, peers);
    SystemAgreement agreement(4, AgreementRule::RATIO_OF_MEANS);
    for (uint32_t i = 0; i < 4; ++i)
    {
        std::vector<GaussianCluster> before;
        for (const ClusterMoments& moments : game.clusters[i])
        {
            before.push_back(MakeGaussian(moments));
        }
        agreement.SetBefore(i, before);
    }
    for (uint32_t i = 0; i < 4; ++i)
    {
        std::vector<GaussianCluster> after;
        for (const ClusterMoments& moments : outcome.after[i])
        {
            after.push_back(MakeGaussian(moments));
        }
        agreement.SetAfter(i, after);
    }
    EXPECT_EQ(outcome.agreement, agreement.Get());
    EXPECT_NE(outcome.agreement, 0);
    // 0 and 3 have transmitters of the other cluster
    for (uint32_t i = 0; i < 4; ++i)
    {
        const double points = SumOf(outcome.allotted[i % 2 == 0 ? 0 : 3]);
        EXPECT_NEAR(outcome.reward[i],
                    outcome.localReward[i] + 0.5 * (outcome.agreement + 1e-3 * (100 - points)),
                    1e-12);
    }
    EXPECT_NEAR(outcome.meanLocalReward,
                std::accumulate(outcome.localReward.begin(), outcome.localReward.end(), 0.0) / 4,
                1e-12);
}

TEST(LatentGame, NothingOfAnUntrustedClusterIsAllotted)
{
    for (uint64_t seed = 0; seed < 2000; ++seed)
    {
        LatentGame game = MakeLatentGame(5, seed);
        game.showsAllCentroids = seed % 2 == 1;
        const std::vector<uint32_t> peers = DrawLatentPeers(5, seed);
        LatentPlay play(game);
        play.SetPeers(peers);
        std::vector<uint32_t> given(5 * 3, 0);
        for (uint32_t i = 0; i < 5; ++i)
        {
            for (uint32_t l = 0; l < 3; ++l)
            {
                const uint32_t allotted = play.GetAllotted()[i][l];
                ASSERT_TRUE(allotted == 0 ||
                            (peers[i] != NO_PEER && game.trust[peers[i]](i, l) != 0));
                if (allotted > 0)
                {
                    given[peers[i] * 3 + l] += allotted;
                }
            }
            ASSERT_LE(SumOf(play.GetAllotted()[i]), game.requested[i]);
        }
        ASSERT_LE(*std::max_element(given.begin(), given.end()), 20U);
    }
}

TEST(LatentGame, WhoAsksForNothingTakesNobodysShare)
{
    LatentGame game = MakeLatentGame(3, 4);
    game.trust = DrawTrust(3, 3, {TrustStructure::FULL, 0, 0}, 1);
    game.requested = {60, 0, 18};
    LatentPlay alone(game, std::nullopt);
    alone.SetPeers({2, NO_PEER, NO_PEER});
    LatentPlay beside(game, std::nullopt);
    beside.SetPeers({2, 2, NO_PEER});
    EXPECT_GT(SumOf(alone.GetAllotted()[0]), 30U); // half of what can be spared
    EXPECT_EQ(beside.GetAllotted()[0], alone.GetAllotted()[0]);
    EXPECT_EQ(SumOf(beside.GetAllotted()[1]), 0U);
}

TEST(LatentGame, EdgesThatChangeGiveWhatAllAnewGive)
{
    const LatentGame game = MakeLatentGame(5, 4);
    for (const std::optional<uint64_t> seed : {std::optional<uint64_t>(), {7}})
    {
        LatentPlay changed(game, seed);
        changed.SetPeers(DrawLatentPeers(5, 1));
        for (uint64_t graph = 2; graph < 40; ++graph)
        {
            const std::vector<uint32_t> peers = DrawLatentPeers(5, graph);
            for (uint32_t i = 0; i < 5; ++i)
            {
                changed.SetPeer(i, peers[i]);
            }
            LatentPlay anew(game, seed);
            anew.SetPeers(peers);
            ASSERT_EQ(changed.GetAllotted(), anew.GetAllotted());
            ASSERT_EQ(changed.GetLocalRewards(), anew.GetLocalRewards());
        }
    }
}

TEST(LatentGame, TheSearchFindsTheBestOfAllGraphsOfThree)
{
    for (uint64_t seed = 0; seed < 10; ++seed)
    {
        const LatentGame game = MakeLatentGame(3, seed);
        double greatest = 0;
        for (uint32_t graph = 0; graph < 8; ++graph)
        {
            const std::vector<uint32_t> peers = {
                1 + graph % 2, graph / 2 % 2 == 0 ? 0U : 2U, graph / 4};
            greatest = std::max(greatest, PlayLatentGame(game, peers).meanLocalReward);
        }
        const SearchedGraph found = SearchLatentGraph(game, 20, 1);
        EXPECT_NEAR(found.meanLocalReward, greatest, 1e-9);
        EXPECT_NEAR(PlayLatentGame(game, found.peers).meanLocalReward, greatest, 1e-9);
        EXPECT_GT(found.evaluations, 0U);
    }
}

TEST(LatentGame, NoSingleDeviceBettersWhatTheSearchFinds)
{
    for (uint64_t seed = 0; seed < 20; ++seed)
    {
        const LatentGame game = MakeLatentGame(7, seed);
        const SearchedGraph found = SearchLatentGraph(game, 1, 1);
        LatentPlay play(game);
        play.SetPeers(found.peers);
        for (uint32_t device = 0; device < 7; ++device)
        {
            ASSERT_NE(found.peers[device], NO_PEER);
            for (uint32_t peer = 0; peer < 7; ++peer)
            {
                play.SetPeer(device, peer == device ? found.peers[device] : peer);
                EXPECT_LE(play.GetMeanLocalReward(), found.meanLocalReward + 2e-9);
            }
            play.SetPeer(device, found.peers[device]);
        }
    }
}

TEST(LatentGame, RefusesWhatDoesNotFitTogether)
{
    const LatentGame game = MakeLatentGame(3, 1);
    EXPECT_THROW(PlayLatentGame(game, {1, 2}), std::invalid_argument);
    EXPECT_THROW(PlayLatentGame(game, {0, 2, 1}), std::invalid_argument);
    EXPECT_THROW(PlayLatentGame(game, {1, 3, 1}), std::invalid_argument);
    LatentGame wrong = game;
    wrong.thresholds[1].pop_back();
    EXPECT_THROW(PlayLatentGame(wrong, {1, 2, 0}), std::invalid_argument);
    wrong = game;
    wrong.outage(0, 1) = 2;
    EXPECT_THROW(PlayLatentGame(wrong, {1, 2, 0}), std::invalid_argument);
}

} // namespace
