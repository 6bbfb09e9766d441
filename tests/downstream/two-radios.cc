/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-module.h"
#include "ns3/mobility-helper.h"
#include "ns3/node-container.h"
#include "ns3/position-allocator.h"

#include <iostream>

using namespace ns3;
using namespace ns3::collab;

/// Prints the outage probability between two radios, 100 m apart.
int
main()
{
    NodeContainer nodes(2);
    MobilityHelper mobility;
    mobility.SetPositionAllocator("ns3::GridPositionAllocator", "DeltaX", DoubleValue(100));
    mobility.Install(nodes);
    NetDeviceContainer radios = D2dHelper().Install(nodes);
    Ptr<D2dNetDevice> first = DynamicCast<D2dNetDevice>(radios.Get(0));
    Ptr<D2dNetDevice> second = DynamicCast<D2dNetDevice>(radios.Get(1));
    const double outage =
        DynamicCast<D2dChannel>(first->GetChannel())->GetOutageProbability(first, second);
    std::cout << "outage " << outage << "\n";
    return outage > 0 && outage < 1 ? 0 : 1;
}
