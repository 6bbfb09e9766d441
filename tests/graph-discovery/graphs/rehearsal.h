/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REHEARSAL_H
#define REHEARSAL_H

#include "ns3/collab-random.h"
#include "ns3/graph-discovery-game.h"
#include "ns3/graph-discovery-policy.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{
namespace test
{

/// How devices learn without a network
struct RehearsalOptions
{
    PolicyOptions policy;
    uint32_t iterations = 5000;
    uint64_t seed = 1; //!< of the devices' draws
};

/// What devices have learned without a network
struct RehearsedGraph
{
    std::vector<uint32_t> peers;         //!< most probable transmitter of each device, or NO_PEER
    std::vector<double> meanLocalReward; //!< over all devices, of the graph of each iteration
};

/// Play the whole learning for one edge as if no message were ever lost or late: in each iteration
/// all devices draw a transmitter, Algorithm 1 runs, and each learns its reward
inline RehearsedGraph
Rehearse(const LabelGame& game, const RehearsalOptions& options)
{
    static_assert(NO_PEER == GraphDiscoveryPolicy::NOBODY, "a choice is a peer of a graph");
    LabelPlay play(game);
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
            result.peers[i] = policies[i].Draw({}, generators[i]);
        }
        play.SetPeers(result.peers);
        result.meanLocalReward.push_back(play.GetMeanLocalReward());
        const std::vector<double> rewards = play.GetRewards();
        for (uint32_t i = 0; i < devices; ++i)
        {
            if (result.peers[i] != NO_PEER)
            {
                policies[i].Learn({}, result.peers[i], rewards[i]);
            }
        }
    }
    for (uint32_t i = 0; i < devices; ++i)
    {
        result.peers[i] = policies[i].GetBest({});
    }
    return result;
}

} // namespace test
} // namespace ns3::collab

#endif /* REHEARSAL_H */
