/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_ORACLE_H
#define GRAPH_DISCOVERY_ORACLE_H

#include "common/scenario-samples.h"
#include "graph-discovery-parameters.h"

#include "ns3/application-container.h"
#include "ns3/graph-discovery-trust.h"

/**
 * @brief Tell devices whom to ask, by knowledge of all of them that no message has carried.
 *
 * Call it when the final slot begins: by the links as they are then.
 *
 * @param p parameters of a run with method gcn or optimum
 * @param trust T_j of all devices
 * @param applications the devices' applications, which have started
 */
void ConsultOracle(const GraphDiscoveryParameters& p,
                   const ScenarioSamples& samples,
                   const ns3::collab::TrustMatrices& trust,
                   const ns3::ApplicationContainer& applications);

#endif /* GRAPH_DISCOVERY_ORACLE_H */
