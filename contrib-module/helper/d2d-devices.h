/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_DEVICES_H
#define D2D_DEVICES_H

#include "ns3/node-container.h"

#include <cstdint>

namespace ns3::collab
{

/// @ingroup collab-helper
/// @brief Make devices in rows of ten, each with a D2D radio, a battery and a processor, as the
/// defaults of their attributes are, and fix their random streams.
/// @param devices number of devices
/// @param spacingM distance between neighbors in a row or a column [m]
/// @return their nodes
NodeContainer MakeD2dDevices(uint32_t devices, double spacingM = 100);

} // namespace ns3::collab

#endif /* D2D_DEVICES_H */
