/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FEDERATED_DEADLINES_H
#define FEDERATED_DEADLINES_H

#include "federated-scenario.h"

#include "ns3/application-container.h"
#include "ns3/federated-server-application.h"

/// @brief Let the server wait for devices as long as --roundDeadline says, and devices of sets for
/// each other as long as --setDeadline does.
/// @param p parameters of the run; gets the deadlines that are in force
void SetFederatedDeadlines(FederatedParameters& p,
                           ns3::Ptr<ns3::collab::FederatedServerApplication> server,
                           const ns3::ApplicationContainer& applications);

#endif /* FEDERATED_DEADLINES_H */
