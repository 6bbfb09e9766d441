/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_CHECKS_H
#define GRAPH_DISCOVERY_CHECKS_H

#include "graph-discovery-reward.h"

#include <cstddef>

namespace ns3::collab
{

/// @param name of what it is
/// @param value that is to be from 0 to 1
/// @throws std::invalid_argument if it is not
void CheckProbability(const char* name, double value);

/// @param name of what it is
/// @param value that is to be finite and not negative
/// @throws std::invalid_argument if it is not
void CheckNotNegative(const char* name, double value);

/// @param name of what has the entries
/// @param needed number of entries
/// @param given number of entries
/// @throws std::invalid_argument if they differ
void CheckSize(const char* name, std::size_t needed, std::size_t given);

/// @param options weights that are to be finite and not negative
/// @throws std::invalid_argument if one is not
void CheckRewardWeights(const RewardOptions& options);

} // namespace ns3::collab

#endif /* GRAPH_DISCOVERY_CHECKS_H */
