/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-phy-state.h"

#include "ns3/d2d-burst.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::collab
{

D2dPhyState::D2dPhyState(const TracedCallback<const D2dRadioActivity&>& trace)
    : m_trace(trace)
{
}

void
D2dPhyState::RegisterListener(D2dPhyListener* listener)
{
    m_listeners.push_back(listener);
}

void
D2dPhyState::UnregisterListener(D2dPhyListener* listener)
{
    m_listeners.erase(std::remove(m_listeners.begin(), m_listeners.end(), listener),
                      m_listeners.end());
}

void
D2dPhyState::TurnOn()
{
    m_activity.on = true;
    NotifyActivity();
}

void
D2dPhyState::TurnOff()
{
    m_activity.on = false;
}

void
D2dPhyState::ChangePower(const std::function<void()>& change)
{
    const auto followed = m_followed; // who is told may end bursts
    for (const auto& burst : followed)
    {
        burst->HandlePowerChange();
    }
    if (m_activity.transmitting > 0)
    {
        NotifyActivity(); // an acknowledgment, up to now with what it began with
    }
    change();
    for (const auto& burst : followed)
    {
        burst->HandleNewPower();
    }
}

void
D2dPhyState::BeginEpoch()
{
    ++m_epoch;
    m_reservations = 0;
    m_listening = 0;
    m_overheard = 0;
    ++m_overhearingEpoch;
    m_activity.transmitting = 0;
    m_activity.analogPowerW = 0;
    m_activity.cycle = {};
    m_cycles = 0;
    for (const auto& burst : std::exchange(m_followed, {}))
    {
        burst->HandleGone(*this);
    }
}

void
D2dPhyState::NotifyActivity()
{
    NotifyActivity(Simulator::Now());
}

void
D2dPhyState::NotifyCorrection(const D2dCorrection& correction)
{
    // Who is told may make the radio act again, of which all are told before others hear of this
    const D2dCorrection outer = std::exchange(m_activity.correction, correction);
    const bool corrected = std::exchange(m_corrects, true);
    TellActivity(Simulator::Now());
    m_activity.correction = outer;
    m_corrects = corrected;
}

void
D2dPhyState::TellListeners(const Time& now)
{
    for (D2dPhyListener* listener : m_listeners)
    {
        listener->HandleActivity(m_activity, now);
    }
    if (!m_trace.IsEmpty())
    {
        m_trace(m_activity);
    }
}

void
D2dPhyState::InterruptCycle()
{
    m_user->HandleListening();
}

void
D2dPhyState::SetSending(bool sending)
{
    m_sending = sending;
    if (sending && m_overheard > 0 && m_duplex == D2dDuplex::HALF)
    {
        m_overheard = 0; // as all are told when it begins to transmit, now
        ++m_overhearingEpoch;
    }
}

D2dLossReason
D2dPhyState::BeginBurst()
{
    if (!IsOn())
    {
        return D2dLossReason::RECEIVER_OFF;
    }
    if (m_duplex == D2dDuplex::HALF && (m_sending || m_activity.analogPowerW > 0))
    {
        return D2dLossReason::HALF_DUPLEX;
    }
    ++m_reservations;
    return D2dLossReason::NONE;
}

void
D2dPhyState::EndBurst(uint64_t epoch)
{
    if (epoch == m_epoch)
    {
        --m_reservations;
        if (m_tellsBurstEnds)
        {
            m_user->HandleBurstEnd();
        }
    }
}

void
D2dPhyState::AddFollowed(Ptr<D2dFollowed> burst)
{
    m_followed.push_back(std::move(burst));
}

void
D2dPhyState::RemoveFollowed(const D2dFollowed& burst)
{
    const auto found =
        std::find_if(m_followed.begin(), m_followed.end(), [&burst](const Ptr<D2dFollowed>& other) {
            return PeekPointer(other) == &burst;
        });
    if (found != m_followed.end())
    {
        std::swap(*found, m_followed.back());
        m_followed.pop_back();
    }
}

void
D2dPhyState::BeginCycle(const D2dDutyCycle& cycle)
{
    if (IsOn())
    {
        ++m_cycles;
        m_activity.cycle.transmitting += cycle.transmitting;
        m_activity.cycle.listening += cycle.listening;
        NotifyActivity();
    }
}

void
D2dPhyState::EndCycle(const D2dDutyCycle& cycle, const D2dCorrection& correction, uint64_t epoch)
{
    if (epoch == m_epoch && m_cycles > 0)
    {
        m_activity.cycle.transmitting -= cycle.transmitting;
        m_activity.cycle.listening -= cycle.listening;
        if (--m_cycles == 0)
        {
            m_activity.cycle = {}; // not a rounding error of it
        }
    }
    NotifyCorrection(correction);
}

bool
D2dPhyState::CanOverhear() const
{
    return IsOn() && !(m_duplex == D2dDuplex::HALF && m_sending);
}

void
D2dPhyState::BeginOverhearing()
{
    ++m_overheard;
    NotifyActivity();
}

void
D2dPhyState::EndOverhearing(uint64_t epoch)
{
    if (epoch == m_overhearingEpoch)
    {
        --m_overheard;
        NotifyActivity();
    }
}

bool
D2dPhyState::TransmitAcknowledgments(Time duration)
{
    if (!IsOn())
    {
        return false;
    }
    ++m_activity.transmitting;
    const uint64_t epoch = m_epoch; // who is told of it may switch the device off
    NotifyActivity();
    Simulator::Schedule(duration, &D2dPhyState::EndAcknowledgments, this, epoch);
    return epoch == m_epoch;
}

void
D2dPhyState::EndAcknowledgments(uint64_t epoch)
{
    if (epoch == m_epoch)
    {
        --m_activity.transmitting;
        NotifyActivity();
    }
}

void
D2dPhyState::SetTransmitting(bool transmitting)
{
    if (IsOn())
    {
        m_activity.transmitting += transmitting ? 1 : -1;
        NotifyActivity();
    }
}

void
D2dPhyState::SetAnalogPower(double powerW)
{
    if (IsOn() && m_activity.analogPowerW != powerW)
    {
        m_activity.analogPowerW = powerW;
        NotifyActivity();
    }
}

} // namespace ns3::collab
