/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-node-id.h"

#include "ns3/collab-error.h"
#include "ns3/node.h"

#include <fmt/format.h>

namespace ns3::collab
{

uint32_t
GetD2dNodeId(Ptr<const MobilityModel> mobility, const PropagationLossModel& model)
{
    Ptr<const Node> node = mobility->GetObject<Node>();
    if (!node)
    {
        const Vector position = mobility->GetPosition();
        throw UserError(fmt::format("{}: the mobility model at ({}, {}, {}) belongs to no node; "
                                    "aggregate every mobility model to its node",
                                    model.GetInstanceTypeId().GetName(),
                                    position.x,
                                    position.y,
                                    position.z));
    }
    return node->GetId();
}

} // namespace ns3::collab
