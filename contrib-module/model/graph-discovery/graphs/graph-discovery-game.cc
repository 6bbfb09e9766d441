/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-game.h"

#include "graph-discovery-coordinate-ascent.h"
#include "graph-discovery-label-play.h"

#include "ns3/graph-discovery-checks.h"

#include <fmt/format.h>
#include <stdexcept>

namespace ns3
{
namespace collab
{

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
    CheckRewardWeights(reward);
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
    return CoordinateAscent<LabelPlay>(play).Search(starts, seed);
}

} // namespace collab
} // namespace ns3
