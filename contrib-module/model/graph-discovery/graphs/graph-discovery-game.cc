/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-game.h"

#include "graph-discovery-baselines.h"
#include "graph-discovery-label-play.h"

#include "ns3/graph-discovery-checks.h"

#include <fmt/format.h>
#include <limits>
#include <stdexcept>

namespace ns3
{
namespace collab
{

namespace
{

/// @param options to check
/// @throws std::invalid_argument if a value is not allowed
void
CheckWeights(const RewardOptions& options)
{
    CheckNotNegative("weight of diversity", options.diversity);
    CheckNotNegative("weight of reliability", options.reliability);
    CheckNotNegative("weight of the budget", options.budget);
    CheckNotNegative("budget", options.budgetPoints);
    CheckNotNegative("weight of the global reward", options.global);
}

/**
 * @brief Let a device have the transmitter that is best for the mean of all.
 * @param[in,out] play the graph
 * @param device whose transmitter may change
 * @param[in,out] evaluations counts graphs that are played
 * @return whether it has changed
 */
bool
TakeBestPeer(LabelPlay& play, uint32_t device, uint32_t& evaluations)
{
    // Less is the order of sums: graphs that are as good must not be taken in turn forever
    constexpr double LEAST_GAIN = 1e-9;
    const uint32_t old = play.GetPeers()[device];
    uint32_t best = old;
    double greatest = old == NO_PEER ? -std::numeric_limits<double>::infinity()
                                     : play.GetMeanLocalReward() + LEAST_GAIN;
    const auto devices = static_cast<uint32_t>(play.GetPeers().size());
    for (uint32_t peer = 0; peer < devices; ++peer)
    {
        if (peer == device || peer == old)
        {
            continue;
        }
        play.SetPeer(device, peer);
        ++evaluations;
        if (play.GetMeanLocalReward() > greatest)
        {
            best = peer;
            greatest = play.GetMeanLocalReward() + LEAST_GAIN;
        }
    }
    play.SetPeer(device, best);
    return best != old;
}

/**
 * @brief Ascend from the present graph to one that no single device can better.
 * @param[in,out] play the graph
 * @param[in,out] evaluations counts graphs that are played
 */
void
Ascend(LabelPlay& play, uint32_t& evaluations)
{
    bool hasChanged = true;
    while (hasChanged)
    {
        hasChanged = false;
        for (uint32_t device = 0; device < play.GetPeers().size(); ++device)
        {
            hasChanged = TakeBestPeer(play, device, evaluations) || hasChanged;
        }
    }
}

/**
 * @param devices N
 * @param generator to draw with
 * @return a transmitter of each device, all others equally likely
 */
std::vector<uint32_t>
DrawGraph(uint32_t devices, RandomGenerator& generator)
{
    std::vector<uint32_t> peers(devices);
    for (uint32_t i = 0; i < devices; ++i)
    {
        std::vector<uint8_t> excluded(devices, 0);
        excluded[i] = 1;
        peers[i] = ChooseUniform(excluded, generator);
    }
    return peers;
}

} // namespace

void
LabelGame::Validate() const
{
    const std::size_t devices = held.size();
    if (devices == 0 || held[0].empty())
    {
        throw std::invalid_argument("a game of 0 devices or partitions");
    }
    CheckSize("thresholds", devices, thresholds.size());
    CheckSize("trust", devices, trust.size());
    CheckSize("clusters", devices, cluster.size());
    CheckSize("outage", devices, outage.rows);
    CheckSize("outage of a device", devices, outage.columns);
    for (std::size_t i = 0; i < devices; ++i)
    {
        CheckSize("counts", held[0].size(), held[i].size());
        CheckSize("thresholds of a device", held[0].size(), thresholds[i].size());
        CheckSize("trust in devices", devices, trust[i].rows);
        CheckSize("trust with partitions", held[0].size(), trust[i].columns);
        if (cluster[i] >= devices)
        {
            throw std::invalid_argument(
                fmt::format("cluster {}, allowed are 0 to {}", cluster[i], devices - 1));
        }
        for (std::size_t j = 0; j < devices; ++j)
        {
            CheckProbability("outage", i == j ? 0 : outage(i, j));
        }
    }
    if (!(score.thresholdSlack > 0 && score.thresholdSlack <= 1))
    {
        throw std::invalid_argument(
            fmt::format("slack {}, allowed are values above 0, up to 1", score.thresholdSlack));
    }
    CheckWeights(reward);
}

LabelOutcome
PlayLabelGame(const LabelGame& game, const std::vector<uint32_t>& peers)
{
    LabelPlay play(game);
    play.SetPeers(peers);
    LabelOutcome outcome;
    outcome.allotted = play.GetAllotted();
    outcome.after = play.GetAfter();
    outcome.score = play.GetScores();
    outcome.localReward = play.GetLocalRewards();
    outcome.reward = play.GetRewards();
    outcome.meanLocalReward = play.GetMeanLocalReward();
    for (std::size_t i = 0; i < peers.size(); ++i)
    {
        outcome.reached.push_back(
            CountReachedLabels(outcome.after[i], game.thresholds[i], game.score.thresholdSlack));
    }
    return outcome;
}

SearchedGraph
SearchByCoordinateAscent(const LabelGame& game, uint32_t starts, uint64_t seed)
{
    LabelPlay play(game);
    RandomGenerator generator(seed);
    const auto devices = static_cast<uint32_t>(game.held.size());
    SearchedGraph best{std::vector<uint32_t>(devices, NO_PEER), play.GetMeanLocalReward(), 0};
    for (uint32_t start = 0; start < starts && devices > 1; ++start)
    {
        play.SetPeers(start == 0 ? std::vector<uint32_t>(devices, NO_PEER)
                                 : DrawGraph(devices, generator));
        Ascend(play, best.evaluations);
        if (play.GetMeanLocalReward() > best.meanLocalReward)
        {
            best.peers = play.GetPeers();
            best.meanLocalReward = play.GetMeanLocalReward();
        }
    }
    return best;
}

} // namespace collab
} // namespace ns3
