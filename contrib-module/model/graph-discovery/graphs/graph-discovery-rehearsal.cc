/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-rehearsal.h"

#include "graph-discovery-label-play.h"

#include "ns3/collab-random.h"

#include <fmt/format.h>
#include <stdexcept>

namespace ns3
{
namespace collab
{

static_assert(NO_PEER == GraphDiscoveryPolicy::NOBODY, "a policy's choice is a peer of a graph");

RehearsedGraph
Rehearse(const LabelGame& game, const RehearsalOptions& options)
{
    if (options.policy.levels != 1)
    {
        throw std::invalid_argument(
            fmt::format("{} levels, but without a network there is 1", options.policy.levels));
    }
    LabelPlay play(game);
    const std::vector<uint32_t> noLevels;
    const auto devices = static_cast<uint32_t>(game.held.size());
    std::vector<GraphDiscoveryPolicy> policies;
    std::vector<RandomGenerator> generators;
    for (uint32_t i = 0; i < devices; ++i)
    {
        policies.emplace_back(devices, options.policy);
        policies[i].Mask(i);
        generators.emplace_back(SplitMix64(SplitMix64(options.seed) ^ i));
    }
    RehearsedGraph result;
    result.peers.resize(devices);
    for (uint32_t iteration = 0; iteration < options.iterations; ++iteration)
    {
        for (uint32_t i = 0; i < devices; ++i)
        {
            result.peers[i] = policies[i].Draw(noLevels, generators[i]);
        }
        play.SetPeers(result.peers);
        result.meanLocalReward.push_back(play.GetMeanLocalReward());
        const std::vector<double> rewards = play.GetRewards();
        for (uint32_t i = 0; i < devices; ++i)
        {
            if (result.peers[i] != NO_PEER)
            {
                policies[i].Learn(noLevels, result.peers[i], rewards[i]);
            }
        }
    }
    for (uint32_t i = 0; i < devices; ++i)
    {
        result.peers[i] = policies[i].GetBest(noLevels);
    }
    return result;
}

} // namespace collab
} // namespace ns3
