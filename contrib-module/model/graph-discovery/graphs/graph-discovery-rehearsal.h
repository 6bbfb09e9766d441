/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_REHEARSAL_H
#define GRAPH_DISCOVERY_REHEARSAL_H

#include "graph-discovery-game.h"

#include "ns3/graph-discovery-policy.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace collab
{

/// @ingroup collab
/// @brief How devices learn without a network.
struct RehearsalOptions
{
    PolicyOptions policy;       //!< of each device; of one level: nothing fades
    uint32_t iterations = 5000; //!< of the learning
    uint64_t seed = 1;          //!< of the devices' draws
};

/// @ingroup collab
/// @brief What devices have learned without a network.
struct RehearsedGraph
{
    std::vector<uint32_t> peers;         //!< most probable transmitter of each device; or NO_PEER
    std::vector<double> meanLocalReward; //!< over all devices, of the graph of each iteration
};

/**
 * @brief Play the whole multi-agent learning for one edge without a network: as if no message were
 * ever lost or late, and with expected losses of data.
 *
 * In each iteration all devices draw a transmitter, Algorithm 1 runs, and each learns its reward.
 *
 * @param game the devices
 * @param options how they learn
 * @return the graph that they have found
 * @throws std::invalid_argument if a value is not allowed
 */
RehearsedGraph Rehearse(const LabelGame& game, const RehearsalOptions& options);

} // namespace collab
} // namespace ns3

#endif /* GRAPH_DISCOVERY_REHEARSAL_H */
