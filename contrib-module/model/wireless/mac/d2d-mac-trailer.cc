/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-mac-trailer.h"

#include "d2d-mac-header.h"

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(D2dMacTrailer);

TypeId
D2dMacTrailer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::collab::D2dMacTrailer")
                            .SetParent<Trailer>()
                            .SetGroupName("Collab")
                            .AddConstructor<D2dMacTrailer>();
    return tid;
}

TypeId
D2dMacTrailer::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
D2dMacTrailer::Print(std::ostream& os) const
{
    os << "padding=" << paddingBytes;
}

uint32_t
D2dMacTrailer::GetSerializedSize() const
{
    return paddingBytes + D2dMacHeader::CHECK_SEQUENCE_SIZE;
}

void
D2dMacTrailer::Serialize(Buffer::Iterator end) const
{
    end.Prev(GetSerializedSize());
    end.WriteU8(0, GetSerializedSize());
}

uint32_t
D2dMacTrailer::Deserialize(Buffer::Iterator)
{
    return GetSerializedSize();
}

} // namespace ns3::collab
