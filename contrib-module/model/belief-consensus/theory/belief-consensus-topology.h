/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_TOPOLOGY_H
#define BELIEF_CONSENSUS_TOPOLOGY_H

#include <array>
#include <cstdint>
#include <vector>

namespace ns3::collab
{

/**
 * @file
 * @ingroup collab
 * Who hears whom: graphs of users for Lalitha et al., "Fully Decentralized Federated Learning"
 * (NeurIPS 2018 workshop on Bayesian Deep Learning), section 2. std::invalid_argument if there are
 * no users.
 */

/// @ingroup collab
/// @brief By user i, ascending: N(i), the users j with an edge from j to i, whom i hears; without
/// i.
using Neighborhoods = std::vector<std::vector<uint32_t>>;

/// @ingroup collab
/// @brief Where a user is: x, y, z [m].
using UserPosition = std::array<double, 3>;

/// @param users how many
/// @return everybody hears everybody else
Neighborhoods MakeCompleteNeighborhoods(uint32_t users);

/// @param users how many
/// @return user i hears i - 1 and i + 1, modulo the number of users
Neighborhoods MakeRingNeighborhoods(uint32_t users);

/// @param users how many
/// @return user 0, the center, hears all others, and each of them hears it alone
Neighborhoods MakeStarNeighborhoods(uint32_t users);

/// @ingroup collab
/// @brief Rows and columns of a grid.
struct GridShape
{
    uint32_t rows = 0;    //!< at most as many as columns
    uint32_t columns = 0; //!< rows * columns users
};

/// @param users how many
/// @return the most square of the grids without a gap: a line if their number is prime
GridShape ComputeGridShape(uint32_t users);

/// @param users how many; user i is in row i / columns and column i % columns of ComputeGridShape()
/// @return everybody hears the users beside, above and below it; a grid of one row is a line
Neighborhoods MakeGridNeighborhoods(uint32_t users);

/// @param positions of the users
/// @param radius greatest distance at which users hear each other [m], not negative
/// @return a geometric graph, random if positions are
Neighborhoods MakeGeometricNeighborhoods(const std::vector<UserPosition>& positions, double radius);

/// @param positions of the users
/// @return the least radius at which MakeGeometricNeighborhoods() connects them all [m]: the
/// longest edge of their minimum spanning tree; 0 for one user
double ComputeConnectingRadius(const std::vector<UserPosition>& positions);

/// @param positions of the users
/// @param count how many others each user hears; fewer than there are users
/// @param symmetric whether those whom it hears hear it too, so that some hear more
/// @return everybody hears those nearest to it, of equally near ones those with lower indices. The
/// graph may be in several parts; see CheckGraph()
Neighborhoods MakeNearestNeighborhoods(const std::vector<UserPosition>& positions,
                                       uint32_t count,
                                       bool symmetric);

/// @param neighborhoods by user
/// @return whether all who hear each other do so in both directions
bool IsUndirected(const Neighborhoods& neighborhoods);

/// @param neighborhoods by user
/// @return whether they are MakeStarNeighborhoods(): two users are a star, too
bool IsStar(const Neighborhoods& neighborhoods);

/// @brief Check that neighborhoods are what the type promises.
/// @param neighborhoods by user
/// @throws std::invalid_argument that says which user has an index that is its own, too large, or
/// not greater than the one before; or that there are no users
void CheckNeighborhoods(const Neighborhoods& neighborhoods);

} // namespace ns3::collab

#endif /* BELIEF_CONSENSUS_TOPOLOGY_H */
