/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LR_WPAN_DEVICES_H
#define LR_WPAN_DEVICES_H

#include "ns3/net-device-container.h"
#include "ns3/node-container.h"

/// @param nodes nodes with mobility models and batteries
/// @return 6LoWPAN devices over IEEE 802.15.4 radios, which draw from the batteries; IPv6 only
ns3::NetDeviceContainer InstallLrWpan(const ns3::NodeContainer& nodes);

#endif /* LR_WPAN_DEVICES_H */
