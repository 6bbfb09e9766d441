/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-tdma-schedule.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3::collab
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
    const Time idle = Simulator::Now() - m_since;
    if (m_slot.IsStrictlyPositive() && idle.IsStrictlyPositive())
    {
        // Slots that are over were those of the devices until now
        const int64_t passed = idle.GetTimeStep() / m_slot.GetTimeStep();
        m_turn = static_cast<uint32_t>((m_turn + passed) % m_devices);
        m_since += m_slot * passed;
    }
    m_devices = static_cast<uint32_t>(devices);
    if (!m_held && !m_waiting.empty())
    {
        Plan();
    }
}

void
D2dTdmaSchedule::Request(uint32_t device)
{
    const bool added = m_waiting.insert(device).second;
    if (added && !m_held && !m_granting)
    {
        Plan();
    }
}

void
D2dTdmaSchedule::Release()
{
    m_held = false;
    if (!m_granting) // else Grant() goes on
    {
        EndTurn(m_holder + 1, m_guard);
    }
}

void
D2dTdmaSchedule::EndTurn(uint32_t next, Time guard)
{
    m_turn = next % m_devices;
    m_since = Simulator::Now() + guard;
    if (!m_waiting.empty())
    {
        Plan();
    }
}

void
D2dTdmaSchedule::Plan()
{
    m_event.Cancel();
    const Time idle = Simulator::Now() - m_since; // negative while the guard time lasts
    // Slots that were over or under way when the medium was asked for are lost
    const int64_t slot = m_slot.GetTimeStep();
    const bool isLate = slot > 0 && idle.IsStrictlyPositive();
    const int64_t passed = isLate ? (idle.GetTimeStep() + slot - 1) / slot : 0;
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
    m_holder = device;
    m_held = true;
    m_granting = true;
    const bool sends = m_grant(device);
    m_granting = false;
    m_held = m_held && sends;
    if (!m_held)
    {
        // Where nobody sends, the slot stays empty
        EndTurn(sends ? device + 1 : device, sends ? m_guard : Time());
    }
}

} // namespace ns3::collab
