/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BRIDGE_NETWORK_H
#define BRIDGE_NETWORK_H

#include "bridge-scenario.h"
#include "common/scenario-network.h"

/// @param p parameters of a run
/// @throws UserError for what its network does not have
void ValidateNetwork(const BridgeParameters& p);

/// @brief Place devices, and give each a radio, a transport, a processor and a battery.
/// @param p parameters of the run
/// @return the network of a protocol in Python
ScenarioNetwork MakeBridgeNetwork(const BridgeParameters& p);

#endif /* BRIDGE_NETWORK_H */
