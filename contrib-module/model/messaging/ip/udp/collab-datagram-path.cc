/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-datagram-path.h"

#include <algorithm>

namespace ns3::collab
{

bool
DatagramPath::IsOpen(uint32_t greatest) const
{
    return m_outstanding < std::min(m_window, greatest);
}

void
DatagramPath::HalveWindow()
{
    m_window = std::max(m_window / 2, 1U);
}

void
DatagramPath::WidenWindow(uint32_t datagrams, uint32_t greatest)
{
    m_window = std::min(m_window + datagrams, greatest);
}

void
DatagramPath::Measure(Time roundTrip)
{
    if (!m_roundTrip)
    {
        m_roundTrip = CreateObject<RttMeanDeviation>();
    }
    m_roundTrip->Measurement(roundTrip);
}

Time
DatagramPath::GetTimeout(uint32_t attempts, Time initial, Time least, Time greatest) const
{
    Time timeout = initial;
    if (m_roundTrip)
    {
        timeout = Max(m_roundTrip->GetEstimate() + 4 * m_roundTrip->GetVariation(), least);
    }
    for (uint32_t i = 1; i < attempts && timeout < greatest; ++i)
    {
        timeout = 2 * timeout;
    }
    return Min(timeout, greatest);
}

} // namespace ns3::collab
