/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_COLORING_H
#define D2D_COLORING_H

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{
namespace collab
{

/// The neighbors of each vertex of a graph, ascending, without itself
using D2dGraph = std::vector<std::vector<uint32_t>>;

/**
 * @ingroup collab-wireless
 * @param links vertices to which there is a link from each vertex, in any order
 * @return the graph in which two vertices are neighbors if there is a link between them, either way
 */
D2dGraph MakeD2dGraph(const D2dGraph& links);

/**
 * @ingroup collab-wireless
 * @param graph a graph
 * @return the graph in which two vertices are neighbors if they are at most two steps apart
 */
D2dGraph SquareD2dGraph(const D2dGraph& graph);

/**
 * @ingroup collab-wireless
 * @brief Color a graph greedily, vertices of the largest degree first [Welsh67].
 *
 * D. J. A. Welsh, M. B. Powell, "An upper bound for the chromatic number of a graph and its
 * application to timetabling problems," The Computer Journal, vol. 10, no. 1, 1967.
 *
 * Each vertex gets the least color that no neighbor has; if all colors are taken, the one that
 * fewest neighbors have, and of these the least. Vertices of one degree follow in their order.
 *
 * @param graph a graph
 * @param colors greatest number of colors, not 0
 * @return color of each vertex, from 0 on; at most one more than the largest degree if there are
 * as many colors
 */
std::vector<uint32_t> ColorGreedily(const D2dGraph& graph,
                                    uint32_t colors = std::numeric_limits<uint32_t>::max());

} // namespace collab
} // namespace ns3

#endif /* D2D_COLORING_H */
