/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_BASELINES_H
#define GRAPH_DISCOVERY_BASELINES_H

#include "ns3/collab-random.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// Peer of a device without an edge
constexpr uint32_t NO_PEER = UINT32_MAX;

/// @brief The transmitter that a device hears best.
/// @param outage P_D(i, j) of each j as device i measures it
/// @param excluded whether each j may not be chosen: i itself, used ones
/// @return j of the least outage, of equal ones the lowest; NO_PEER if all are excluded
uint32_t ChooseClosest(const std::vector<double>& outage, const std::vector<uint8_t>& excluded);

/// @brief The transmitter that trusts a device with the most partitions.
/// @param trusted number of partitions with which each j trusts device i, as j has told it
/// @param outage P_D(i, j): breaks ties
/// @param excluded as in ChooseClosest()
/// @return j of the greatest number, of equal ones that of the least outage, then the lowest
uint32_t ChooseMostTrusted(const std::vector<uint32_t>& trusted,
                           const std::vector<double>& outage,
                           const std::vector<uint8_t>& excluded);

/// @param excluded as in ChooseClosest()
/// @param generator to draw with
/// @return one of the others, all equally likely
uint32_t ChooseUniform(const std::vector<uint8_t>& excluded, RandomGenerator& generator);

} // namespace ns3::collab

#endif /* GRAPH_DISCOVERY_BASELINES_H */
