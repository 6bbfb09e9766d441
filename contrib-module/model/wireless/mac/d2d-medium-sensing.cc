/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-medium-sensing.h"

#include "ns3/d2d-phy.h"
#include "ns3/simulator.h"

namespace ns3::collab
{

void
D2dMediumSensing::Defer()
{
    ++m_deferring;
}

void
D2dMediumSensing::Resume()
{
    --m_deferring;
}

bool
D2dMediumSensing::IsDeferring() const
{
    return m_deferring > 0;
}

void
D2dMediumSensing::Listen(D2dPhy& phy, bool senses)
{
    if (senses == m_listens)
    {
        return;
    }
    m_listens = senses;
    if (senses)
    {
        m_epoch = phy.GetState().GetEpoch();
        phy.GetState().BeginListening(Simulator::Now());
    }
    else
    {
        phy.GetState().EndListening(m_epoch, Simulator::Now());
    }
}

} // namespace ns3::collab
