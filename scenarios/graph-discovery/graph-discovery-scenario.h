/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_SCENARIO_H
#define GRAPH_DISCOVERY_SCENARIO_H

#include "graph-discovery-parameters.h"

#include <ostream>

/**
 * @brief Run graph discovery, the exchange of datapoints and the learning after it once, and write
 * the run folder.
 *
 * With the same common parameters, seed and run number, data, trust, positions and the learners'
 * generators are the same for all methods.
 */
void RunGraphDiscovery(GraphDiscoveryParameters& parameters, std::ostream& output);

#endif /* GRAPH_DISCOVERY_SCENARIO_H */
