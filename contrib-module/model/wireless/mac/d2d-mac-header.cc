/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-mac-header.h"

namespace ns3::collab
{

template class ListedHeader<D2dMacHeader>;
NS_OBJECT_ENSURE_REGISTERED(D2dMacHeader);

void
D2dMacHeader::Print(std::ostream& os) const
{
    os << source << " > " << destination << " protocol=0x" << std::hex << protocol << std::dec
       << " burst=" << burst << " fragment=" << fragment + 1 << "/" << fragments
       << " bytes=" << packetBytes;
}

} // namespace ns3::collab
