/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_DISCOVERY_DEADLINES_H
#define GRAPH_DISCOVERY_DEADLINES_H

#include "graph-discovery-parameters.h"

#include "ns3/application-container.h"
#include "ns3/collab-learner.h"
#include "ns3/federated-server-application.h"
#include "ns3/node-container.h"

#include <memory>

/**
 * @brief Let the server wait for devices as long as --roundDeadline says, and devices of sets for
 * each other as long as --setDeadline does.
 *
 * @param p parameters of the run; gets the deadlines that are in force
 * @param server application of the server
 * @param applications of all devices, with what they learn with if they have all datapoints
 */
void SetDownstreamDeadlines(GraphDiscoveryParameters& p,
                            ns3::Ptr<ns3::collab::FederatedServerApplication> server,
                            const ns3::ApplicationContainer& applications);

/**
 * @brief Work out how long devices without a server wait for each other's models, unless
 * --roundDeadline says so.
 *
 * @param p parameters of the run; gets the deadline that is in force
 * @param nodes the devices
 * @param learner what a device learns with if it has all datapoints
 */
void CompletePullDeadline(GraphDiscoveryParameters& p,
                          const ns3::NodeContainer& nodes,
                          const std::shared_ptr<ns3::collab::Learner>& learner);

#endif /* GRAPH_DISCOVERY_DEADLINES_H */
