/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-link-predictor.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-random.h"
#include "ns3/collab-torch-link-network.h"
#include "ns3/graph-discovery-checks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace ns3::collab
{

namespace
{

/// A pair that hears nothing has this RSS; less would make the scale of all others small
constexpr double LEAST_RSS_W = 1e-30;
constexpr uint32_t GRAPHS_PER_PAIR = 10; //!< of which a link's score is the mean

/// @param options of the training
/// @param devices of the training system
/// @throws std::invalid_argument if a value is not allowed
void
CheckOptions(const LinkPredictorOptions& options, std::size_t devices)
{
    CheckSize("training system", options.trainingDevices, devices);
    CheckArgument(options.subsetSize >= 2 && options.subsetSize <= options.trainingDevices,
                  "subsets of {} devices, allowed are 2 to {}",
                  options.subsetSize,
                  options.trainingDevices);
    const uint32_t pairs = options.subsetSize * (options.subsetSize - 1);
    CheckArgument(
        options.bestLinks <= pairs, "{} best links, allowed are 0 to {}", options.bestLinks, pairs);
}

/// @param devices of a system
/// @param size of subsets
/// @return all of them, in lexicographic order
std::vector<std::vector<uint32_t>>
ListSubsets(uint32_t devices, uint32_t size)
{
    std::vector<std::vector<uint32_t>> subsets;
    std::vector<uint8_t> isIn(devices, 0);
    std::fill_n(isIn.begin(), size, 1);
    do
    {
        subsets.emplace_back();
        for (uint32_t i = 0; i < devices; ++i)
        {
            if (isIn[i] != 0)
            {
                subsets.back().push_back(i);
            }
        }
    } while (std::prev_permutation(isIn.begin(), isIn.end()));
    return subsets;
}

/// @param game the training system
/// @return local reward of each link if it is the only one, receiver by transmitter
Matrix<double>
RewardLinks(const LabelGame& game)
{
    LabelPlay play(game);
    const auto devices = static_cast<uint32_t>(game.held.size());
    Matrix<double> rewards(devices, devices);
    for (uint32_t i = 0; i < devices; ++i)
    {
        for (uint32_t j = 0; j < devices; ++j)
        {
            if (i != j)
            {
                play.SetPeer(i, j);
                rewards(i, j) = play.GetLocalRewards()[i];
            }
        }
        play.SetPeer(i, NO_PEER);
    }
    return rewards;
}

/// @param rewards of all links of the training system
/// @param subset of its devices
/// @param count of links that are good
/// @return which of the subset are: those of the greatest rewards, of equal ones the first
Matrix<float>
MarkBest(const Matrix<double>& rewards, const std::vector<uint32_t>& subset, uint32_t count)
{
    const auto size = static_cast<uint32_t>(subset.size());
    std::vector<uint32_t> links; // receiver * size + transmitter
    for (uint32_t link = 0; link < size * size; ++link)
    {
        if (link / size != link % size)
        {
            links.push_back(link);
        }
    }
    const auto reward = [&](uint32_t link) {
        return rewards(subset[link / size], subset[link % size]);
    };
    std::stable_sort(links.begin(), links.end(), [&reward](uint32_t a, uint32_t b) {
        return reward(a) > reward(b);
    });
    Matrix<float> isLink(size, size, 0);
    for (uint32_t k = 0; k < count; ++k)
    {
        isLink.values[links[k]] = 1;
    }
    return isLink;
}

/// @param i a device
/// @param j another one
/// @param size of the graph
/// @param devices of the system
/// @return both, and others
std::vector<uint32_t>
DrawCompanions(uint32_t i, uint32_t j, uint32_t size, uint32_t devices, RandomGenerator& generator)
{
    std::vector<uint32_t> subset = {i, j};
    while (subset.size() < size)
    {
        const auto other = static_cast<uint32_t>(generator() % devices);
        if (std::find(subset.begin(), subset.end(), other) == subset.end())
        {
            subset.push_back(other);
        }
    }
    return subset;
}

} // namespace

/// @brief The network, and how a system becomes its input.
struct LinkPredictor::Network
{
    /// @param rssW RSS of the training system [W]
    /// @param nodes of a graph
    /// @param partitions L
    /// @param seed of weights
    Network(const Matrix<double>& rssW, uint32_t nodes, uint32_t partitions, uint64_t seed)
        : size(nodes),
          network(nodes + partitions, seed)
    {
        double sum = 0;
        double squares = 0;
        for (std::size_t i = 0; i < rssW.rows; ++i)
        {
            for (std::size_t j = 0; j < rssW.rows; ++j)
            {
                const double level = i == j ? 0 : GetLevel(rssW(i, j));
                sum += level;
                squares += level * level;
            }
        }
        const auto pairs = static_cast<double>(rssW.rows * (rssW.rows - 1));
        mean = sum / pairs;
        const double variance = squares / pairs - mean * mean;
        deviation = variance > 1e-9 ? std::sqrt(variance) : 1;
    }

    /// @param powerW RSS [W]
    /// @return its level [dBW]
    static double
    GetLevel(double powerW)
    {
        return 10 * std::log10(std::max(powerW, LEAST_RSS_W));
    }

    /// @param held D_i of all devices
    /// @param rssW RSS of all devices [W]
    /// @param subset of them
    /// @return what the network reads of the subset
    LinkGraph Describe(const std::vector<PartitionCounts>& held,
                       const Matrix<double>& rssW,
                       const std::vector<uint32_t>& subset) const;

    uint32_t size = 0;    //!< of graphs
    double mean = 0;      //!< of the levels of the training system [dBW]
    double deviation = 1; //!< of these [dB]
    LinkNetwork network;  //!< itself
};

LinkGraph
LinkPredictor::Network::Describe(const std::vector<PartitionCounts>& held,
                                 const Matrix<double>& rssW,
                                 const std::vector<uint32_t>& subset) const
{
    const std::size_t partitions = held[0].size();
    LinkGraph graph{Matrix<float>(size, size + partitions), {}, {}};
    Matrix<double> weights(size, size, 0);
    double greatest = LEAST_RSS_W;
    for (std::size_t i = 0; i < size; ++i)
    {
        for (std::size_t j = 0; j < size; ++j)
        {
            const double powerW = rssW(subset[i], subset[j]);
            if (i != j)
            {
                graph.features(i, j) = static_cast<float>((GetLevel(powerW) - mean) / deviation);
            }
            weights(i, j) = i == j ? 0 : (powerW + rssW(subset[j], subset[i])) / 2;
            greatest = std::max(greatest, weights(i, j));
        }
        const PartitionCounts& counts = held[subset[i]];
        const double sum = std::accumulate(counts.begin(), counts.end(), 0.0);
        for (std::size_t l = 0; l < partitions; ++l)
        {
            graph.features(i, size + l) = static_cast<float>(sum > 0 ? counts[l] / sum : 0);
        }
    }
    for (double& weight : weights.values)
    {
        weight /= greatest;
    }
    graph.adjacency = NormalizeAdjacency(weights);
    return graph;
}

LinkPredictor::LinkPredictor(const LinkPredictorOptions& options,
                             const LabelGame& game,
                             const Matrix<double>& rssW,
                             uint64_t seed)
    : m_seed(SplitMix64(seed))
{
    CheckOptions(options, game.held.size());
    CheckSize("RSS", options.trainingDevices, rssW.rows);
    CheckSize("RSS of a device", options.trainingDevices, rssW.columns);
    const Matrix<double> rewards = RewardLinks(game);
    const auto partitions = static_cast<uint32_t>(game.held[0].size());
    m_network = std::make_unique<Network>(rssW, options.subsetSize, partitions, m_seed);
    std::vector<LinkGraph> graphs;
    for (const auto& subset : ListSubsets(options.trainingDevices, options.subsetSize))
    {
        graphs.push_back(m_network->Describe(game.held, rssW, subset));
        graphs.back().isLink = MarkBest(rewards, subset, options.bestLinks);
    }
    LinkTraining training;
    training.epochs = options.epochs;
    m_network->network.Train(graphs, training, m_seed);
}

LinkPredictor::~LinkPredictor() = default;

Matrix<float>
LinkPredictor::Score(const std::vector<PartitionCounts>& held, const Matrix<double>& rssW) const
{
    const auto devices = static_cast<uint32_t>(held.size());
    CheckSize("RSS", devices, rssW.rows);
    CheckSize("RSS of a device", devices, rssW.columns);
    CheckArgument(
        devices >= m_network->size, "{} devices, but a graph has {}", devices, m_network->size);
    RandomGenerator generator(m_seed);
    Matrix<float> scores(devices, devices, 0);
    std::vector<std::vector<uint32_t>> subsets(GRAPHS_PER_PAIR);
    std::vector<LinkGraph> graphs(GRAPHS_PER_PAIR);
    for (uint32_t i = 0; i < devices; ++i)
    {
        scores(i, i) = -std::numeric_limits<float>::infinity();
        for (uint32_t j = i + 1; j < devices; ++j)
        {
            for (uint32_t k = 0; k < GRAPHS_PER_PAIR; ++k)
            {
                subsets[k] = DrawCompanions(i, j, m_network->size, devices, generator);
                graphs[k] = m_network->Describe(held, rssW, subsets[k]);
            }
            for (const Matrix<float>& some : m_network->network.Score(graphs))
            {
                scores(i, j) += some(0, 1) / GRAPHS_PER_PAIR;
                scores(j, i) += some(1, 0) / GRAPHS_PER_PAIR;
            }
        }
    }
    return scores;
}

} // namespace ns3::collab
