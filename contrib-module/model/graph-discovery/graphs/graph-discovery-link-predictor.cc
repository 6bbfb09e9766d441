/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-link-predictor.h"

#include "graph-discovery-link-network.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-flat-optimizer.h"
#include "ns3/collab-random.h"
#include "ns3/graph-discovery-checks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3::collab
{

namespace
{

/// A pair that hears nothing has this RSS; less would make the scale of all others small
constexpr double LEAST_RSS_W = 1e-30;

/// @brief A training graph.
struct Example
{
    LinkGraph graph;        //!< what the network reads
    Matrix<uint8_t> isLink; //!< what it is to say
};

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
    CheckNotNegative("learning rate", options.learningRate);
    CheckNotNegative("weight decay", options.weightDecay);
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
Matrix<uint8_t>
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
    Matrix<uint8_t> isLink(size, size, 0);
    for (uint32_t k = 0; k < count; ++k)
    {
        isLink.values[links[k]] = 1;
    }
    return isLink;
}

} // namespace

/// @brief The network, and how a system becomes its input.
struct LinkPredictor::Network
{
    /// @param rssW RSS of the training system [W]
    /// @param readColumns columns of RSS rows that the network reads
    /// @param partitions L
    /// @param seed of weights
    Network(const Matrix<double>& rssW, uint32_t readColumns, uint32_t partitions, uint64_t seed)
        : width(readColumns),
          network(readColumns + partitions, seed)
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

    /// @param held D_i of some devices
    /// @param rssW RSS of all devices [W]
    /// @param subset places of those devices in rssW
    /// @return what the network reads of them
    LinkGraph Describe(const std::vector<PartitionCounts>& held,
                       const Matrix<double>& rssW,
                       const std::vector<uint32_t>& subset) const;

    uint32_t width = 0;         //!< columns of RSS rows that are read
    double mean = 0;            //!< of the levels of the training system [dBW]
    double deviation = 1;       //!< of these [dB]
    LinkNetwork network;        //!< itself
    uint64_t trainingFlops = 0; //!< operations of its training
};

LinkGraph
LinkPredictor::Network::Describe(const std::vector<PartitionCounts>& held,
                                 const Matrix<double>& rssW,
                                 const std::vector<uint32_t>& subset) const
{
    const std::size_t size = subset.size();
    const std::size_t partitions = held[0].size();
    LinkGraph graph{Matrix<float>(size, width + partitions), {}};
    Matrix<double> weights(size, size, 0);
    double greatest = LEAST_RSS_W;
    for (std::size_t i = 0; i < size; ++i)
    {
        for (std::size_t j = 0; j < size; ++j)
        {
            const double powerW = rssW(subset[i], subset[j]);
            if (i != j && j < width)
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
            graph.features(i, width + l) = static_cast<float>(sum > 0 ? counts[l] / sum : 0);
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
                             uint32_t width,
                             uint64_t seed)
{
    CheckOptions(options, game.held.size());
    CheckSize("RSS", options.trainingDevices, rssW.rows);
    CheckSize("RSS of a device", options.trainingDevices, rssW.columns);
    const Matrix<double> rewards = RewardLinks(game);
    const auto partitions = static_cast<uint32_t>(game.held[0].size());
    RandomGenerator generator(SplitMix64(seed));
    m_network = std::make_unique<Network>(rssW, width, partitions, generator());
    std::vector<Example> examples;
    for (const auto& subset : ListSubsets(options.trainingDevices, options.subsetSize))
    {
        examples.push_back({m_network->Describe(game.held, rssW, subset),
                            MarkBest(rewards, subset, options.bestLinks)});
    }
    OptimizerOptions adam;
    adam.weightDecay = options.weightDecay;
    FlatOptimizer optimizer(adam);
    LinkNetwork& network = m_network->network;
    std::vector<float> gradient;
    for (uint32_t epoch = 0; epoch < options.epochs; ++epoch)
    {
        for (const uint32_t k : DrawPermutation(static_cast<uint32_t>(examples.size()), generator))
        {
            network.Differentiate(examples[k].graph, examples[k].isLink, gradient);
            optimizer.Step(options.learningRate, gradient, network.GetWeights());
        }
    }
    const uint64_t stepFlops = 3 * network.CountFlops(options.subsetSize) + // gradients cost two
                               CountOptimizerFlops(adam) * network.GetSize();
    m_network->trainingFlops = stepFlops * examples.size() * options.epochs;
}

LinkPredictor::~LinkPredictor() = default;

Matrix<float>
LinkPredictor::Score(const std::vector<PartitionCounts>& held, const Matrix<double>& rssW) const
{
    CheckSize("RSS", held.size(), rssW.rows);
    CheckSize("RSS of a device", held.size(), rssW.columns);
    if (held.empty())
    {
        return {};
    }
    std::vector<uint32_t> all(held.size());
    std::iota(all.begin(), all.end(), 0U);
    return m_network->network.Score(m_network->Describe(held, rssW, all));
}

uint64_t
LinkPredictor::CountTrainingFlops() const
{
    return m_network->trainingFlops;
}

} // namespace ns3::collab
