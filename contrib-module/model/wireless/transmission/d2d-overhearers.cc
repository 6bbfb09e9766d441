/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-overhearers.h"

#include "ns3/d2d-audience.h"
#include "ns3/d2d-phy.h"

#include <set>
#include <utility>

namespace ns3::collab
{

D2dOverhearers::D2dOverhearers(const std::vector<D2dLink>& reach, const D2dAudience& audience)
{
    std::set<uint32_t> meant;
    for (const auto& link : audience.links)
    {
        meant.insert(link.receiverIndex);
    }
    for (const auto& link : reach)
    {
        const bool listens = link.receiver->GetUser().GetOverhearing() == D2dOverhearing::WHOLE;
        if (link.inRange && listens && meant.count(link.receiverIndex) == 0)
        {
            m_devices.push_back({link.receiver});
        }
    }
}

void
D2dOverhearers::Begin()
{
    for (std::size_t i = 0; i < m_devices.size(); ++i) // who is told of one may end all
    {
        Overhearer& device = m_devices[i];
        if (device.radio->GetState().CanOverhear())
        {
            device.begun = true;
            device.epoch = device.radio->GetState().GetOverhearingEpoch();
            device.radio->GetState().BeginOverhearing();
        }
    }
}

void
D2dOverhearers::End()
{
    for (const auto& device : std::exchange(m_devices, {}))
    {
        if (device.begun)
        {
            device.radio->GetState().EndOverhearing(device.epoch);
        }
    }
}

} // namespace ns3::collab
