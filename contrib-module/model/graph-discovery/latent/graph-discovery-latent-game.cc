/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-latent-game.h"

#include "graph-discovery-latent-play.h"

#include "ns3/graph-discovery-checks.h"
#include "ns3/graph-discovery-coordinate-ascent.h"

#include <stdexcept>

namespace ns3
{
namespace collab
{

void
LatentGame::Validate() const
{
    const std::size_t devices = clusters.size();
    if (devices == 0 || clusters.front().empty())
    {
        throw std::invalid_argument("a game of 0 devices or clusters");
    }
    CheckSize("thresholds", devices, thresholds.size());
    CheckSize("requests", devices, requested.size());
    CheckSize("trust", devices, trust.size());
    CheckSize("clusters of devices", devices, cluster.size());
    CheckSize("outage", devices, outage.rows);
    CheckSize("outage of a device", devices, outage.columns);
    const std::size_t partitions = clusters.front().size();
    for (std::size_t i = 0; i < devices; ++i)
    {
        CheckSize("clusters of a device", partitions, clusters[i].size());
        CheckSize("thresholds of a device", partitions, thresholds[i].size());
        CheckSize("trust in devices", devices, trust[i].rows);
        CheckSize("trust with clusters", partitions, trust[i].columns);
        for (std::size_t j = 0; j < devices; ++j)
        {
            CheckProbability("outage", i == j ? 0 : outage(i, j));
        }
    }
    CheckRewardWeights(reward);
}

LatentOutcome
PlayLatentGame(const LatentGame& game,
               const std::vector<uint32_t>& peers,
               std::optional<uint64_t> seed)
{
    LatentPlay play(game, seed);
    play.SetPeers(peers);
    LatentOutcome outcome;
    outcome.allotted = play.GetAllotted();
    outcome.after = play.GetAfter();
    outcome.score = play.GetScores();
    outcome.localReward = play.GetLocalRewards();
    outcome.agreement = play.ComputeAgreement();
    outcome.reward = play.GetRewards(outcome.agreement);
    outcome.meanLocalReward = play.GetMeanLocalReward();
    return outcome;
}

SearchedGraph
SearchLatentGraph(const LatentGame& game, uint32_t starts, uint64_t seed)
{
    LatentPlay play(game);
    return CoordinateAscent<LatentPlay>(play).Search(starts, seed);
}

} // namespace collab
} // namespace ns3
