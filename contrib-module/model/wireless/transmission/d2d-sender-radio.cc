/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-sender-radio.h"

#include "ns3/simulator.h"

namespace ns3::collab
{

D2dSenderRadio::D2dSenderRadio(D2dPhyState& state)
    : m_state(state)
{
}

void
D2dSenderRadio::BeginTransmitting()
{
    m_transmitting = true;
    m_since = Simulator::Now();
    m_transmittingEpoch = m_state.GetEpoch();
    m_state.SetTransmitting(true);
}

void
D2dSenderRadio::EndTransmitting()
{
    if (!m_transmitting)
    {
        return; // who was told of the end has cut the burst off
    }
    m_airtime += GetPresentAirtime();
    m_transmitting = false;
    if (m_transmittingEpoch == m_state.GetEpoch())
    {
        m_state.SetTransmitting(false);
    }
}

void
D2dSenderRadio::BeginListening()
{
    m_listening = true;
    m_listeningEpoch = m_state.GetEpoch();
    m_state.BeginListening(Simulator::Now());
}

void
D2dSenderRadio::EndListening()
{
    if (m_listening)
    {
        m_listening = false;
        m_state.EndListening(m_listeningEpoch, Simulator::Now());
    }
}

Time
D2dSenderRadio::GetPresentAirtime() const
{
    return m_transmitting ? Simulator::Now() - m_since : Time();
}

void
D2dSenderRadio::EndRun(Time airtime)
{
    m_airtime = airtime;
    m_transmitting = false;
}

} // namespace ns3::collab
