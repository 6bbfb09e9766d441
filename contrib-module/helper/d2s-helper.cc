/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2s-helper.h"

#include "ns3/collab-error.h"
#include "ns3/collab-transport.h"
#include "ns3/constant-position-mobility-model.h"
#include "ns3/d2s-position-allocator.h"

#include <sstream>
#include <vector>

namespace ns3::collab
{

void
D2sHelper::PlaceServer(Ptr<Node> server, const NodeContainer& devices)
{
    if (server->GetObject<MobilityModel>())
    {
        return;
    }
    std::vector<Vector> positions;
    for (uint32_t i = 0; i < devices.GetN(); ++i)
    {
        Ptr<MobilityModel> mobility = devices.Get(i)->GetObject<MobilityModel>();
        if (!mobility)
        {
            std::ostringstream message;
            message << "node " << devices.Get(i)->GetId()
                    << " has no MobilityModel; give every device one before the base station is "
                       "placed";
            throw UserError(message.str());
        }
        positions.push_back(mobility->GetPosition());
    }
    Ptr<D2sPositionAllocator> allocator = CreateObject<D2sPositionAllocator>();
    allocator->SetDevices(std::move(positions));
    Ptr<ConstantPositionMobilityModel> place = CreateObject<ConstantPositionMobilityModel>();
    place->SetPosition(allocator->GetNext());
    server->AggregateObject(place);
}

NetDeviceContainer
D2sHelper::InstallServer(Ptr<Node> server, const NodeContainer& devices)
{
    PlaceServer(server, devices);
    const NetDeviceContainer radios = Install(NodeContainer(NodeContainer(server), devices));
    for (uint32_t i = 0; i < devices.GetN(); ++i)
    {
        devices.Get(i)->GetObject<Transport>()->SetServer(server->GetId());
    }
    return radios;
}

} // namespace ns3::collab
