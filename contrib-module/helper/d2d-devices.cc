/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-devices.h"

#include "d2d-helper.h"
#include "device-profile-helper.h"

#include "ns3/double.h"
#include "ns3/mobility-helper.h"

namespace ns3::collab
{

NodeContainer
MakeD2dDevices(uint32_t devices, double spacingM)
{
    NodeContainer nodes(devices);
    MobilityHelper mobility;
    mobility.SetPositionAllocator("ns3::GridPositionAllocator",
                                  "DeltaX",
                                  DoubleValue(spacingM),
                                  "DeltaY",
                                  DoubleValue(spacingM));
    mobility.Install(nodes);
    const NetDeviceContainer radios = D2dHelper().Install(nodes);
    D2dHelper::AssignStreams(radios, 0);
    DeviceProfileHelper().Install(radios);
    return nodes;
}

} // namespace ns3::collab
