/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery/graphs/label-games.h"
#include "graph-discovery/graphs/rehearsal.h"

#include "ns3/graph-discovery-baselines.h"
#include "ns3/graph-discovery-coordinate-ascent.h"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <iostream>

using namespace ns3::collab;
using namespace ns3::collab::test;

namespace
{

constexpr uint32_t REHEARSING = 25;

/// Graphs that devices choose without learning
struct Baselines
{
    std::vector<uint32_t> uniform;
    std::vector<uint32_t> closest;
    std::vector<uint32_t> mostTrusted;
};

Baselines
ChooseBaselines(const LabelGame& game, RandomGenerator& generator)
{
    Baselines graphs;
    for (uint32_t i = 0; i < REHEARSING; ++i)
    {
        std::vector<uint8_t> excluded(REHEARSING, 0);
        excluded[i] = 1;
        const std::vector<double> outage(game.outage.Row(i), game.outage.Row(i) + REHEARSING);
        std::vector<uint32_t> trusted;
        for (uint32_t j = 0; j < REHEARSING; ++j)
        {
            const uint8_t* row = game.trust[j].Row(i);
            trusted.push_back(
                static_cast<uint32_t>(std::count(row, row + game.trust[j].columns, 1)));
        }
        graphs.uniform.push_back(ChooseUniform(excluded, generator));
        graphs.closest.push_back(ChooseClosest(outage, excluded));
        graphs.mostTrusted.push_back(ChooseMostTrusted(trusted, outage, excluded));
    }
    return graphs;
}

} // namespace

TEST(GraphDiscoveryRehearsal, ReachesMostOfWhatASearchWithAllKnowledgeDoes)
{
    constexpr uint32_t GAMES = 20;
    double learned = 0;
    double least = 1;
    double uniform = 0;
    double closest = 0;
    double mostTrusted = 0;
    for (uint32_t seed = 1; seed <= GAMES; ++seed)
    {
        const LabelGame game = MakeSkewedGame(REHEARSING, seed);
        const double best = SearchByCoordinateAscent(game, 5, seed).meanLocalReward;
        const auto ratio = [&](const std::vector<uint32_t>& peers) {
            return PlayLabelGame(game, peers).meanLocalReward / best;
        };
        RehearsalOptions options;
        options.seed = seed;
        const RehearsedGraph graph = Rehearse(game, options);
        ASSERT_EQ(graph.meanLocalReward.size(), options.iterations);
        EXPECT_LT(graph.meanLocalReward[0] / best, 0.5);
        learned += ratio(graph.peers) / GAMES;
        least = std::min(least, ratio(graph.peers));
        RandomGenerator generator(seed);
        const Baselines baselines = ChooseBaselines(game, generator);
        uniform += ratio(baselines.uniform) / GAMES;
        closest += ratio(baselines.closest) / GAMES;
        mostTrusted += ratio(baselines.mostTrusted) / GAMES;
    }
    std::cout << fmt::format("Mean local reward over that of a search with all knowledge, mean of "
                             "{} games: learned {:.3f} (least {:.3f}), uniform {:.3f}, closest "
                             "{:.3f}, most trusted {:.3f}\n",
                             GAMES,
                             learned,
                             least,
                             uniform,
                             closest,
                             mostTrusted);
    EXPECT_GE(learned, 0.8);
    EXPECT_GE(least, 0.75);
    EXPECT_LT(std::max({uniform, closest, mostTrusted}), 0.5);
}

TEST(GraphDiscoveryRehearsal, OfPrintedRulesStaysWithUniformChoice)
{
    const LabelGame game = MakeSkewedGame(REHEARSING, 1);
    RehearsalOptions options;
    options.iterations = 2000;
    options.policy.psi = PsiRule::PRINTED;
    const auto means = Rehearse(game, options).meanLocalReward;
    const auto average = [&means](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t k = begin; k < end; ++k)
        {
            sum += means[k] / static_cast<double>(end - begin);
        }
        return sum;
    };
    EXPECT_NEAR(average(1500, 2000) / average(0, 500), 1, 0.1);
}

TEST(GraphDiscoveryRehearsal, DependsOnTheSeedAlone)
{
    const LabelGame game = MakeSkewedGame(8, 1);
    RehearsalOptions options;
    options.iterations = 100;
    const auto first = Rehearse(game, options);
    EXPECT_EQ(Rehearse(game, options).meanLocalReward, first.meanLocalReward);
    options.seed = 2;
    EXPECT_NE(Rehearse(game, options).meanLocalReward, first.meanLocalReward);
}

TEST(GraphDiscoveryRehearsal, OfOneDeviceHasNoEdge)
{
    EXPECT_EQ(Rehearse(MakeSkewedGame(1, 1), RehearsalOptions()).peers,
              std::vector<uint32_t>{NO_PEER});
}
