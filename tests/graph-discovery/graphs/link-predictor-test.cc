/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery/graph-discovery-reference.h"
#include "graph-discovery/graphs/label-games.h"

#include "ns3/collab-torch-link-network.h"
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

constexpr uint32_t LINK_FEATURES = 7;

/// @return features sin(1 + 2 i + 3 f), the edges of the reference, links where (i + 2 j) % 3 is 0
LinkGraph
MakeGraph()
{
    LinkGraph graph{Matrix<float>(DEVICES, LINK_FEATURES), {}, Matrix<float>(DEVICES, DEVICES)};
    Matrix<double> edges(DEVICES, DEVICES);
    for (uint32_t i = 0; i < DEVICES; ++i)
    {
        for (uint32_t f = 0; f < LINK_FEATURES; ++f)
        {
            graph.features(i, f) = static_cast<float>(std::sin(1.0 + 2 * i + 3 * f));
        }
        for (uint32_t j = 0; j < DEVICES; ++j)
        {
            edges(i, j) = 0.1 + ((i + j) % 4) / 5.0;
            graph.isLink(i, j) = (i + 2 * j) % 3 == 0 ? 1 : 0;
        }
    }
    graph.adjacency = NormalizeAdjacency(edges);
    return graph;
}

using Rows = std::vector<std::vector<double>>;

/// @return W x + c of each row x
Rows
ApplyLayer(const Rows& rows, const std::vector<float>& w, const std::vector<float>& c)
{
    Rows result;
    for (const auto& row : rows)
    {
        result.emplace_back(c.begin(), c.end());
        for (std::size_t k = 0; k < w.size(); ++k)
        {
            result.back()[k / row.size()] += w[k] * row[k % row.size()];
        }
    }
    return result;
}

/// @return relu(A rows)
Rows
Gather(const Matrix<float>& adjacency, const Rows& rows)
{
    Rows result(rows.size(), std::vector<double>(rows[0].size()));
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        for (std::size_t c = 0; c < rows[0].size(); ++c)
        {
            for (std::size_t j = 0; j < rows.size(); ++j)
            {
                result[i][c] += adjacency(i, j) * rows[j][c];
            }
            result[i][c] = std::max(result[i][c], 0.0);
        }
    }
    return result;
}

/// @return score of the pair by loops over the weights
double
ScoreByHand(const LinkGraph& graph,
            const std::vector<std::vector<float>>& weights,
            uint32_t i,
            uint32_t j)
{
    Rows rows(DEVICES);
    for (uint32_t k = 0; k < DEVICES; ++k)
    {
        rows[k].assign(graph.features.Row(k), graph.features.Row(k) + LINK_FEATURES);
    }
    rows = Gather(graph.adjacency, ApplyLayer(rows, weights[0], weights[1]));
    rows = Gather(graph.adjacency, ApplyLayer(rows, weights[2], weights[3]));
    Rows pair = {rows[i]};
    pair[0].insert(pair[0].end(), rows[j].begin(), rows[j].end());
    pair = ApplyLayer(pair, weights[4], weights[5]);
    for (double& value : pair[0])
    {
        value = std::max(value, 0.0);
    }
    return ApplyLayer(pair, weights[6], weights[7])[0][0];
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

TEST(GraphDiscoveryLinks, AdjacencyIsNormalizedAsByNumpy)
{
    const LinkGraph graph = MakeGraph();
    for (std::size_t k = 0; k < graph.adjacency.values.size(); ++k)
    {
        EXPECT_NEAR(graph.adjacency.values[k], reference::ADJACENCY[k], 1e-6);
    }
}

TEST(GraphDiscoveryLinks, NetworkScoresAsByHand)
{
    const LinkGraph graph = MakeGraph();
    LinkGraph other = graph;
    other.features.values[0] = 3;
    LinkNetwork network(LINK_FEATURES, 1);
    network.Train({graph}, {}, 1); // biases are not those of the beginning
    const auto scores = network.Score({graph, other});
    for (uint32_t k = 0; k < DEVICES * DEVICES; ++k)
    {
        for (const uint32_t g : {0, 1})
        {
            const double expected =
                ScoreByHand(g == 0 ? graph : other, network.GetWeights(), k / DEVICES, k % DEVICES);
            EXPECT_NEAR(scores[g].values[k], expected, 1e-4);
        }
    }
}

TEST(GraphDiscoveryLinks, NetworkLearnsDirectedLinks)
{
    // Each device has a feature of its own, and no neighbor
    LinkGraph graph{Matrix<float>(DEVICES, DEVICES, 0),
                    NormalizeAdjacency(Matrix<double>(DEVICES, DEVICES, 0)),
                    Matrix<float>(DEVICES, DEVICES, 0)};
    for (uint32_t i = 0; i < DEVICES; ++i)
    {
        graph.features(i, i) = 1;
        for (uint32_t j = 0; j < i; ++j)
        {
            graph.isLink(i, j) = 1;
        }
    }
    LinkNetwork network(DEVICES, 1);
    LinkTraining training;
    training.epochs = 1000;
    network.Train({graph}, training, 1);
    const auto scores = network.Score({graph})[0];
    for (uint32_t k = 0; k < DEVICES * DEVICES; ++k)
    {
        if (k % (DEVICES + 1) != 0)
        {
            EXPECT_EQ(scores.values[k] > 0, graph.isLink.values[k] == 1) << k;
        }
    }
}

TEST(GraphDiscoveryLinks, PredictorLearnsWhichLinksAreGood)
{
    Matrix<double> rss;
    const LabelGame game = MakeSkewedGame(10, 1, &rss);
    LinkPredictorOptions options;
    options.epochs = 0;
    const LinkPredictor before(options, game, rss, 1);
    options.epochs = 100;
    const LinkPredictor after(options, game, rss, 1);
    EXPECT_NEAR(RankSubsets(game, rss, before), 0.5, 0.2);
    EXPECT_GT(RankSubsets(game, rss, after), 0.8);
}

TEST(GraphDiscoveryLinks, PredictorReadsSystemsOfOtherSizes)
{
    Matrix<double> rss;
    const LabelGame game = MakeSkewedGame(10, 1, &rss);
    LinkPredictorOptions options;
    options.epochs = 1;
    const LinkPredictor predictor(options, game, rss, 1);
    const LinkPredictor same(options, game, rss, 1);
    const LinkPredictor other(options, game, rss, 2);
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
    EXPECT_THROW(LinkPredictor(options, game, rss, 1), std::invalid_argument);
    options.trainingDevices = 6;
    const LinkPredictor predictor(options, game, rss, 1);
    EXPECT_THROW(predictor.Score(game.held, Matrix<double>(5, 5, 1)), std::invalid_argument);
    EXPECT_THROW(LinkPredictor(options, game, Matrix<double>(5, 6), 1), std::invalid_argument);
    options.bestLinks = 13;
    EXPECT_THROW(LinkPredictor(options, game, rss, 1), std::invalid_argument);
    options.bestLinks = 10;
    options.subsetSize = 7;
    EXPECT_THROW(LinkPredictor(options, game, rss, 1), std::invalid_argument);
}
