/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-tdma-schedule.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3
{
namespace collab
{

D2dTdmaSchedule::D2dTdmaSchedule(Time slot,
                                 std::size_t devices,
                                 std::function<bool(uint32_t)> grant)
    : m_grant(std::move(grant)),
      m_slot(slot),
      m_devices(static_cast<uint32_t>(devices))
{
}

D2dTdmaSchedule::~D2dTdmaSchedule()
{
    m_event.Cancel();
}

void
D2dTdmaSchedule::SetDevices(std::size_t devices)
{
    if (m_slot.IsStrictlyPositive())
    {
        // Slots that are over were those of fewer devices
        const int64_t passed = (Simulator::Now() - m_since).GetTimeStep() / m_slot.GetTimeStep();
        m_turn = static_cast<uint32_t>((m_turn + passed) % m_devices);
        m_since += m_slot * passed;
    }
    m_devices = static_cast<uint32_t>(devices);
    if (!m_busy && !m_waiting.empty())
    {
        Plan();
    }
}

void
D2dTdmaSchedule::Request(uint32_t device)
{
    const bool added = m_waiting.insert(device).second;
    if (added && !m_busy)
    {
        Plan();
    }
}

void
D2dTdmaSchedule::Release(uint32_t device)
{
    m_busy = false;
    m_turn = (device + 1) % m_devices;
    m_since = Simulator::Now();
    if (!m_waiting.empty())
    {
        Plan();
    }
}

void
D2dTdmaSchedule::Plan()
{
    m_event.Cancel();
    const Time idle = Simulator::Now() - m_since;
    // Slots that were over or under way when the medium was asked for are lost
    const int64_t slot = m_slot.GetTimeStep();
    const int64_t passed = slot > 0 ? (idle.GetTimeStep() + slot - 1) / slot : 0;
    const auto turn = static_cast<uint32_t>((m_turn + passed) % m_devices);
    auto next = m_waiting.lower_bound(turn);
    if (next == m_waiting.end())
    {
        next = m_waiting.begin();
    }
    const uint32_t skipped = (*next + m_devices - turn) % m_devices;
    const Time start = m_slot * (passed + skipped) - idle;
    m_event = Simulator::Schedule(
        start.IsNegative() ? Time() : start, &D2dTdmaSchedule::Grant, this, *next);
}

void
D2dTdmaSchedule::Grant(uint32_t device)
{
    m_waiting.erase(device);
    m_busy = true;
    if (m_grant(device))
    {
        return;
    }
    m_busy = false;
    m_turn = device; // its slot stays empty
    m_since = Simulator::Now();
    if (!m_waiting.empty())
    {
        Plan();
    }
}

} // namespace collab
} // namespace ns3
