/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-tdma-schedule.h"

#include "ns3/simulator.h"

#include <algorithm>
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
      m_turns(static_cast<uint32_t>(devices))
{
}

D2dTdmaSchedule::~D2dTdmaSchedule()
{
    m_event.Cancel();
}

void
D2dTdmaSchedule::SetGuard(Time guard)
{
    m_guard = guard;
}

void
D2dTdmaSchedule::SetDevices(std::size_t devices)
{
    ChangeTurns({}, static_cast<uint32_t>(devices));
}

void
D2dTdmaSchedule::SetTurns(std::vector<uint32_t> turnOf)
{
    const uint32_t last = *std::max_element(turnOf.begin(), turnOf.end());
    ChangeTurns(std::move(turnOf), last + 1);
}

void
D2dTdmaSchedule::ChangeTurns(std::vector<uint32_t> turnOf, uint32_t turns)
{
    const Time idle = Simulator::Now() - m_since;
    if (m_slot.IsStrictlyPositive() && idle.IsStrictlyPositive())
    {
        // Slots that are over were those of the turns until now
        const int64_t passed = idle.GetTimeStep() / m_slot.GetTimeStep();
        m_turn = static_cast<uint32_t>((m_turn + passed) % m_turns);
        m_since += m_slot * passed;
    }
    m_turnOf = std::move(turnOf);
    m_turns = turns;
    for (const auto& [turn, devices] : std::exchange(m_waiting, {}))
    {
        for (const uint32_t device : devices)
        {
            m_waiting[FindTurn(device)].insert(device);
        }
    }
    if (m_holders == 0 && !m_waiting.empty())
    {
        Plan();
    }
}

uint32_t
D2dTdmaSchedule::FindTurn(uint32_t device) const
{
    return m_turnOf.empty() ? device : m_turnOf[device];
}

void
D2dTdmaSchedule::Request(uint32_t device)
{
    const bool added = m_waiting[FindTurn(device)].insert(device).second;
    if (added && m_holders == 0)
    {
        Plan();
    }
}

void
D2dTdmaSchedule::Release(uint32_t)
{
    if (--m_holders == 0)
    {
        EndTurn(m_present + 1, m_guard);
    }
}

void
D2dTdmaSchedule::EndTurn(uint32_t next, Time guard)
{
    m_turn = next % m_turns;
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
    const auto turn = static_cast<uint32_t>((m_turn + passed) % m_turns);
    auto next = m_waiting.lower_bound(turn);
    if (next == m_waiting.end())
    {
        next = m_waiting.begin();
    }
    const uint32_t skipped = (next->first + m_turns - turn) % m_turns;
    const Time start = m_slot * (passed + skipped) - idle;
    m_event = Simulator::Schedule(
        start.IsNegative() ? Time() : start, &D2dTdmaSchedule::Grant, this, next->first);
}

void
D2dTdmaSchedule::Grant(uint32_t turn)
{
    const std::set<uint32_t> devices = std::move(m_waiting.at(turn));
    m_waiting.erase(turn);
    m_present = turn;
    ++m_holders; // one who is done at once does not end the turn of those behind it
    bool any = false;
    for (const uint32_t device : devices)
    {
        ++m_holders;
        const bool sends = m_grant(device);
        m_holders -= sends ? 0 : 1;
        any = any || sends;
    }
    if (--m_holders == 0)
    {
        // Where nobody sends, the slot stays empty
        EndTurn(any ? turn + 1 : turn, any ? m_guard : Time());
    }
}

} // namespace collab
} // namespace ns3
