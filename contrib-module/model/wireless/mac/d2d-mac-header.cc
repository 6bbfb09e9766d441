/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-mac-header.h"

#include "ns3/address-utils.h"

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(D2dMacHeader);

TypeId
D2dMacHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::collab::D2dMacHeader")
                            .SetParent<Header>()
                            .SetGroupName("Collab")
                            .AddConstructor<D2dMacHeader>();
    return tid;
}

TypeId
D2dMacHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
D2dMacHeader::Print(std::ostream& os) const
{
    os << source << " > " << destination << " protocol=0x" << std::hex << protocol << std::dec
       << " burst=" << burst << " fragment=" << fragment + 1 << "/" << fragments
       << " bytes=" << packetBytes;
}

uint32_t
D2dMacHeader::GetSerializedSize() const
{
    return SIZE;
}

void
D2dMacHeader::Serialize(Buffer::Iterator start) const
{
    WriteTo(start, destination);
    WriteTo(start, source);
    start.WriteHtonU16(protocol);
    start.WriteHtonU32(burst);
    start.WriteHtonU32(fragment);
    start.WriteHtonU32(fragments);
    start.WriteHtonU32(packetBytes);
}

uint32_t
D2dMacHeader::Deserialize(Buffer::Iterator start)
{
    ReadFrom(start, destination);
    ReadFrom(start, source);
    protocol = start.ReadNtohU16();
    burst = start.ReadNtohU32();
    fragment = start.ReadNtohU32();
    fragments = start.ReadNtohU32();
    packetBytes = start.ReadNtohU32();
    return SIZE;
}

} // namespace ns3::collab
