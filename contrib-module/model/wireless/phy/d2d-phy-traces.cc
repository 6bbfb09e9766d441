/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-phy-traces.h"

#include "ns3/d2d-burst.h"
#include "ns3/d2d-mac-header.h"
#include "ns3/d2d-mac-trailer.h"

namespace ns3::collab
{

namespace
{

/// @param trace a trace source that nobody looks at in most runs
/// @param packet what it shows
void
Show(const TracedCallback<Ptr<const Packet>>& trace, const Ptr<const Packet>& packet)
{
    if (!trace.IsEmpty())
    {
        trace(packet);
    }
}

} // namespace

void
D2dPhyTraces::NotifyTxBegin(const Ptr<const Packet>& fragment)
{
    Show(m_phyTxBeginTrace, fragment);
}

void
D2dPhyTraces::NotifyTxEnd(const Ptr<const Packet>& fragment)
{
    Show(m_phyTxEndTrace, fragment);
}

void
D2dPhyTraces::NotifyTxDrop(const Ptr<const Packet>& packet)
{
    Show(m_phyTxDropTrace, packet);
}

void
D2dPhyTraces::NotifyRxBegin(const Ptr<const Packet>& fragment)
{
    Show(m_phyRxBeginTrace, fragment);
}

void
D2dPhyTraces::NotifyRxEnd(const Ptr<const Packet>& fragment)
{
    Show(m_phyRxEndTrace, fragment);
}

void
D2dPhyTraces::NotifyRxDrop(const Ptr<const Packet>& fragment)
{
    Show(m_phyRxDropTrace, fragment);
}

void
D2dPhyTraces::Sniff(const Ptr<const Packet>& frame)
{
    Show(m_snifferTrace, frame);
}

void
D2dPhyTraces::SniffBurst(const D2dBurst& burst)
{
    if (m_snifferTrace.IsEmpty())
    {
        return;
    }
    Ptr<Packet> frame = burst.packet->Copy();
    frame->AddTrailer(D2dMacTrailer());
    D2dMacHeader header;
    header.source = burst.source;
    header.destination = burst.destination;
    header.protocol = burst.protocol;
    header.burst = burst.id;
    header.packetBytes = burst.packet->GetSize();
    frame->AddHeader(header);
    m_snifferTrace(frame);
}

} // namespace ns3::collab
