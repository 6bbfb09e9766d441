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
