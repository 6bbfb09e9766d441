/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BRIDGE_NETWORK_H
#define BRIDGE_NETWORK_H

#include "bridge-scenario.h"

#include "ns3/node-container.h"
#include "ns3/vector.h"

#include <string>
#include <vector>

/// The network of a protocol in Python
struct BridgeNetwork
{
    std::vector<ns3::Vector> positions; //!< of the devices at the start [m]
    std::vector<std::string> hints;     //!< what is to be known of it
};

/// @param p parameters of a run
/// @throws UserError for what its network does not have
void ValidateNetwork(const BridgeParameters& p);

/// @brief Place devices, and give each a radio, a transport, a processor and a battery.
/// @param p parameters of the run
/// @param nodes the devices
/// @return what is to be known of it
BridgeNetwork InstallBridgeNetwork(const BridgeParameters& p, const ns3::NodeContainer& nodes);

#endif /* BRIDGE_NETWORK_H */
