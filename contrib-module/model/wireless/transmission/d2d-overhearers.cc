/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-overhearers.h"

#include "ns3/d2d-audience.h"
#include "ns3/d2d-phy.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iterator>
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
        const D2dOverhearing overhearing = link.receiver->GetOverhearing();
        if (link.inRange && overhearing != D2dOverhearing::NONE &&
            meant.count(link.receiverIndex) == 0)
        {
            m_devices.push_back({link.receiver, overhearing == D2dOverhearing::WHOLE});
        }
    }
}

D2dOverhearers::~D2dOverhearers()
{
    m_headerEnd.Cancel();
}

void
D2dOverhearers::Begin(Time header)
{
    if (m_devices.empty())
    {
        return;
    }
    m_headerEnd = Simulator::Schedule(header, &D2dOverhearers::EndHeaders, this);
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
D2dOverhearers::EndHeaders()
{
    const auto others = std::stable_partition(
        m_devices.begin(), m_devices.end(), [](const Overhearer& device) { return device.whole; });
    const std::vector<Overhearer> done(std::make_move_iterator(others),
                                       std::make_move_iterator(m_devices.end()));
    m_devices.erase(others, m_devices.end());
    Stop(done);
}

void
D2dOverhearers::End()
{
    m_headerEnd.Cancel();
    Stop(std::exchange(m_devices, {}));
}

void
D2dOverhearers::EndRun()
{
    m_headerEnd.Cancel();
}

void
D2dOverhearers::Stop(const std::vector<Overhearer>& devices)
{
    for (const auto& device : devices)
    {
        if (device.begun)
        {
            device.radio->GetState().EndOverhearing(device.epoch);
        }
    }
}

} // namespace ns3::collab
