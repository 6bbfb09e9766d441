/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_COORDINATE_ASCENT_H
#define GRAPH_DISCOVERY_COORDINATE_ASCENT_H

#include "graph-discovery-game.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief A graph that was searched for with all knowledge.
struct SearchedGraph
{
    std::vector<uint32_t> peers; //!< transmitter of each device
    double meanLocalReward = 0;  //!< of it
    uint32_t evaluations = 0;    //!< graphs that were played
};

/**
 * @brief Search the graph of the greatest mean local reward by coordinate ascent.
 *
 * From each start, devices in turn take the transmitter that is best for the mean of all, until
 * none changes. Each has one, even if it brings nothing, as with the other ways to choose a graph.
 *
 * @param game the devices
 * @param starts number of starts, at least 1: the best response to nobody, then random graphs
 * @param seed of the random graphs
 * @return the best graph found
 */
SearchedGraph SearchByCoordinateAscent(const LabelGame& game, uint32_t starts, uint64_t seed);

} // namespace ns3::collab

#endif /* GRAPH_DISCOVERY_COORDINATE_ASCENT_H */
