/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_APPLICATION_HELPER_H
#define COLLAB_APPLICATION_HELPER_H

#include "ns3/application-container.h"
#include "ns3/collab-application.h"
#include "ns3/node-container.h"

#include <functional>

namespace ns3::collab
{

/// @ingroup collab-helper
/// @brief Install an algorithm: an application on each node, all with one new LearnerPool.
/// @param nodes the nodes; they need a Transport and a Processor when the simulation begins
/// @param make function that gives the application of the node with this number among them, from 0
/// @return the applications
ApplicationContainer InstallApplications(
    const NodeContainer& nodes, const std::function<Ptr<CollaborationApplication>(uint32_t)>& make);

} // namespace ns3::collab

#endif /* COLLAB_APPLICATION_HELPER_H */
