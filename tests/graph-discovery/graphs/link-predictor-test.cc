/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery/graph-discovery-reference.h"
#include "graph-discovery/graphs/label-games.h"

#include "ns3/graph-discovery-link-network.h"
#include "ns3/graph-discovery-link-predictor.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <iterator>
#include <limits>
#include <set>
#include <stdexcept>

using namespace ns3::collab;
using namespace ns3::collab::test;
namespace reference = graph_discovery_reference;

namespace
{

constexpr uint32_t DEVICES = reference::DEVICES;

/// @return the system of the reference
LinkGraph
MakeGraph()
{
    LinkGraph graph{Matrix<float>(DEVICES, reference::FEATURES), {}};
    Matrix<double> edges(DEVICES, DEVICES);
    for (uint32_t i = 0; i < DEVICES; ++i)
    {
        for (uint32_t f = 0; f < reference::FEATURES; ++f)
        {
            graph.features(i, f) = static_cast<float>(std::sin(1.0 + 2 * i + 3 * f));
        }
        for (uint32_t j = 0; j < DEVICES; ++j)
        {
            edges(i, j) = 0.1 + ((i + j) % 4) / 5.0;
        }
    }
    graph.adjacency = NormalizeAdjacency(edges);
    return graph;
}

/// @return the network of the reference
LinkNetwork
MakeNetwork()
{
    LinkNetwork network(reference::FEATURES, 1);
    for (std::size_t k = 0; k < network.GetSize(); ++k)
    {
        const auto place = static_cast<double>(k);
        network.GetWeights()[k] = static_cast<float>(0.4 * std::sin(1 + place * place));
    }
    return network;
}

/// @return local rewards of all links of the game, each as the only one
Matrix<double>
RewardLinks(const LabelGame& game)
{
    const auto devices = static_cast<uint32_t>(game.held.size());
    Matrix<double> rewards(devices, devices, 0);
    for (uint32_t i = 0; i < devices; ++i)
    {
        for (uint32_t j = 0; j < devices; ++j)
        {
            std::vector<uint32_t> peers(devices, NO_PEER);
            peers[i] = j;
            rewards(i, j) = i == j ? 0 : PlayLabelGame(game, peers).localReward[i];
        }
    }
    return rewards;
}

/// @return part of pairs of one of the 10 best and another link of which the former scores higher
double
RankLinks(const Matrix<double>& rewards, const Matrix<float>& scores)
{
    std::vector<std::pair<double, float>> links; // by reward
    for (std::size_t k = 0; k < rewards.values.size(); ++k)
    {
        if (k % (rewards.rows + 1) != 0)
        {
            links.emplace_back(rewards.values[k], scores.values[k]);
        }
    }
    std::sort(links.begin(), links.end());
    double right = 0;
    const std::size_t bad = links.size() - 10;
    for (std::size_t low = 0; low < bad; ++low)
    {
        for (std::size_t high = bad; high < links.size(); ++high)
        {
            right += links[low].second < links[high].second ? 1 : 0;
        }
    }
    return right / static_cast<double>(bad * 10);
}

/// @return RankLinks() on the average of all subsets of 4 devices
double
RankSubsets(const LabelGame& game, const Matrix<double>& rss, const LinkPredictor& predictor)
{
    const Matrix<double> rewards = RewardLinks(game);
    double sum = 0;
    uint32_t count = 0;
    std::string isIn(game.held.size(), '0');
    std::fill_n(isIn.begin(), 4, '1');
    do
    {
        std::vector<uint32_t> subset;
        std::vector<PartitionCounts> held;
        for (uint32_t i = 0; i < isIn.size(); ++i)
        {
            if (isIn[i] == '1')
            {
                subset.push_back(i);
                held.push_back(game.held[i]);
            }
        }
        Matrix<double> own(4, 4);
        Matrix<double> powers(4, 4);
        for (uint32_t k = 0; k < 16; ++k)
        {
            own.values[k] = rewards(subset[k / 4], subset[k % 4]);
            powers.values[k] = rss(subset[k / 4], subset[k % 4]);
        }
        sum += RankLinks(own, predictor.Score(held, powers));
        ++count;
    } while (std::prev_permutation(isIn.begin(), isIn.end()));
    EXPECT_EQ(count, 210U);
    return sum / count;
}

} // namespace

TEST(GraphDiscoveryLinks, NetworkScoresAsNumpy)
{
    const LinkGraph graph = MakeGraph();
    for (std::size_t k = 0; k < graph.adjacency.values.size(); ++k)
    {
        EXPECT_NEAR(graph.adjacency.values[k], reference::ADJACENCY[k], 1e-6);
    }
    const Matrix<float> scores = MakeNetwork().Score(graph);
    for (uint32_t k = 0; k < DEVICES * DEVICES; ++k)
    {
        if (k % (DEVICES + 1) == 0)
        {
            EXPECT_EQ(scores.values[k], -std::numeric_limits<float>::infinity());
        }
        else
        {
            EXPECT_NEAR(scores.values[k], reference::SCORES[k], 2e-5);
        }
    }
}

TEST(GraphDiscoveryLinks, GradientsAreFiniteDifferences)
{
    Matrix<uint8_t> isLink(DEVICES, DEVICES);
    for (uint32_t i = 0; i < DEVICES; ++i)
    {
        for (uint32_t j = 0; j < DEVICES; ++j)
        {
            isLink(i, j) = (i + 2 * j) % 3 == 0 ? 1 : 0;
        }
    }
    std::vector<float> gradient;
    const double loss = MakeNetwork().Differentiate(MakeGraph(), isLink, gradient);
    EXPECT_NEAR(loss, reference::LOSS, 2e-5);
    ASSERT_EQ((gradient.size() + reference::STEP - 1) / reference::STEP,
              reference::GRADIENT.size());
    for (std::size_t k = 0; k < reference::GRADIENT.size(); ++k)
    {
        EXPECT_NEAR(gradient[k * reference::STEP], reference::GRADIENT[k], 2e-5) << k;
    }
}

TEST(GraphDiscoveryLinks, CostIsThatOfItsProducts)
{
    // Of 2 devices with 3 features: A X 12, W1 384, A relu 256, W2 2048; per pair 512 and 16
    EXPECT_EQ(LinkNetwork(3, 1).CountFlops(2), 2 * (12 + 384 + 256 + 2048 + 2 * 528));
}

TEST(GraphDiscoveryLinks, PredictorLearnsWhichLinksAreGood)
{
    Matrix<double> rss;
    const LabelGame game = MakeSkewedGame(10, 1, &rss);
    LinkPredictorOptions options;
    options.epochs = 0;
    const LinkPredictor before(options, game, rss, 10, 1);
    options.epochs = 100;
    const LinkPredictor after(options, game, rss, 10, 1);
    EXPECT_NEAR(RankSubsets(game, rss, before), 0.5, 0.2);
    EXPECT_GT(RankSubsets(game, rss, after), 0.8);
    EXPECT_EQ(before.CountTrainingFlops(), 0U);
    LinkNetwork network(10 + 10, 1);
    const uint64_t adam = 15 * network.GetSize(); // 13 operations a weight, 2 for its decay
    EXPECT_EQ(after.CountTrainingFlops(), 100 * 210 * (3 * network.CountFlops(4) + adam));
}

TEST(GraphDiscoveryLinks, PredictorReadsSystemsOfOtherSizes)
{
    Matrix<double> rss;
    const LabelGame game = MakeSkewedGame(10, 1, &rss);
    LinkPredictorOptions options;
    options.epochs = 1;
    const LinkPredictor predictor(options, game, rss, 15, 1);
    const LinkPredictor same(options, game, rss, 15, 1);
    const LinkPredictor other(options, game, rss, 15, 2);
    const LabelGame greater = MakeSkewedGame(25, 2, &rss);
    const Matrix<float> scores = predictor.Score(greater.held, rss);
    ASSERT_EQ(scores.rows, 25);
    EXPECT_TRUE(scores == same.Score(greater.held, rss));
    EXPECT_FALSE(scores == other.Score(greater.held, rss));
    const std::set<float> values(scores.values.begin(), scores.values.end());
    EXPECT_GT(values.size(), 500U); // devices are told apart
    EXPECT_EQ(*values.begin(), -std::numeric_limits<float>::infinity());
    EXPECT_TRUE(std::isfinite(*std::next(values.begin())));
}

TEST(GraphDiscoveryLinks, PredictorRejectsWhatDoesNotFit)
{
    Matrix<double> rss;
    const LabelGame game = MakeSkewedGame(6, 1, &rss);
    LinkPredictorOptions options;
    options.epochs = 0;
    EXPECT_THROW(LinkPredictor(options, game, rss, 6, 1), std::invalid_argument);
    options.trainingDevices = 6;
    const LinkPredictor predictor(options, game, rss, 6, 1);
    EXPECT_THROW(predictor.Score(game.held, Matrix<double>(5, 5, 1)), std::invalid_argument);
    EXPECT_THROW(LinkPredictor(options, game, Matrix<double>(5, 6), 6, 1), std::invalid_argument);
    options.bestLinks = 13;
    EXPECT_THROW(LinkPredictor(options, game, rss, 6, 1), std::invalid_argument);
    options.bestLinks = 10;
    options.subsetSize = 7;
    EXPECT_THROW(LinkPredictor(options, game, rss, 6, 1), std::invalid_argument);
}
