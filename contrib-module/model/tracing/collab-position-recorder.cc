/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-position-recorder.h"

#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

namespace ns3::collab
{

TableColumns<PositionRow>
PositionRow::GetTable()
{
    using Row = PositionRow;
    const auto of = [](double Vector::*axis) {
        return [axis](const Row& row) { return row.position.*axis; };
    };
    return {"positions",
            "where a device is that has moved since its last row; only of runs in which devices "
            "move",
            {{"time_s", "s", "when it is there", &Row::time},
             {"device", "", "the device, or the server behind all devices", &Row::device},
             {"x_m", "m", "where it is", of(&Vector::x)},
             {"y_m", "m", "where it is", of(&Vector::y)},
             {"z_m", "m", "how high it is", of(&Vector::z)}}};
}

PositionRecorder::PositionRecorder(TableStore& store, Time interval)
    : m_table(store.Add<PositionRow>()),
      m_interval(interval)
{
    for (uint32_t i = 0; i < NodeList::GetNNodes(); ++i)
    {
        if (const auto mobility = NodeList::GetNode(i)->GetObject<MobilityModel>())
        {
            Write(m_devices.emplace_back(Device{i, mobility, {}}), mobility->GetPosition());
        }
    }
    m_next = Simulator::Schedule(m_interval, &PositionRecorder::Look, this);
}

PositionRecorder::~PositionRecorder()
{
    m_next.Cancel();
}

void
PositionRecorder::Finish()
{
    m_next.Cancel();
    WriteMoved();
}

void
PositionRecorder::WriteMoved()
{
    for (Device& device : m_devices)
    {
        const Vector position = device.mobility->GetPosition();
        if (position != device.position)
        {
            Write(device, position);
        }
    }
}

void
PositionRecorder::Look()
{
    WriteMoved();
    m_next = Simulator::Schedule(m_interval, &PositionRecorder::Look, this);
}

void
PositionRecorder::Write(Device& device, const Vector& position)
{
    m_table.Write({Simulator::Now(), device.id, position});
    device.position = position;
}

} // namespace ns3::collab
