/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_DEVICES_H
#define GRAPH_DISCOVERY_DEVICES_H

#include "common/scenario.h"
#include "graph-discovery-scenario.h"

#include "ns3/graph-discovery-helper.h"
#include "ns3/graph-discovery-trust.h"

/// @return L
uint32_t CountPartitions(const GraphDiscoveryParameters& p, const ScenarioSamples& samples);

/// @return T_j of all devices
ns3::collab::TrustMatrices MakeTrust(const GraphDiscoveryParameters& p, uint32_t partitions);

/// @brief Say what each device begins with.
/// @param[out] labeling semi-supervised: part of the labels that each device has found rightly,
/// once it has
/// @return the agents, without peers
std::vector<ns3::collab::DiscoveryAgent> MakeDiscoveryAgents(
    const GraphDiscoveryParameters& p,
    const ScenarioSamples& samples,
    std::vector<std::shared_ptr<double>>& labeling);

/// @return the part with labels that it knows, and the rest
ns3::collab::SemiSupervisedViews HidePart(const GraphDiscoveryParameters& p,
                                          const ns3::collab::DataView& samples,
                                          uint32_t device);

/// @brief Install the devices' applications, which start at time 0 or soon after.
/// @param trust T_j of all devices
/// @return the applications
ns3::ApplicationContainer InstallDiscovery(const GraphDiscoveryParameters& p,
                                           const ns3::NodeContainer& nodes,
                                           const std::vector<ns3::collab::DiscoveryAgent>& agents,
                                           const ns3::collab::TrustMatrices& trust,
                                           ns3::Ptr<ns3::collab::LearnerPool> pool);

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

#endif /* GRAPH_DISCOVERY_DEVICES_H */
