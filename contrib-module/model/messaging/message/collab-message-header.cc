/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-message-header.h"

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(MessageHeader);

TypeId
MessageHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::collab::MessageHeader")
                            .SetParent<Header>()
                            .SetGroupName("Collab")
                            .AddConstructor<MessageHeader>();
    return tid;
}

TypeId
MessageHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
MessageHeader::Print(std::ostream& os) const
{
    os << "version=" << +version << " kind=" << kind << " round=" << round << " sender=" << sender
       << " sequence=" << sequence << " payload=" << payloadBytes << " units=" << units;
}

uint32_t
MessageHeader::GetSerializedSize() const
{
    return SIZE;
}

void
MessageHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteU8(version);
    start.WriteHtonU16(kind);
    start.WriteHtonU32(round);
    start.WriteHtonU32(sender);
    start.WriteHtonU32(sequence);
    start.WriteHtonU32(payloadBytes);
    start.WriteHtonU32(units);
}

uint32_t
MessageHeader::Deserialize(Buffer::Iterator start)
{
    version = start.ReadU8();
    kind = start.ReadNtohU16();
    round = start.ReadNtohU32();
    sender = start.ReadNtohU32();
    sequence = start.ReadNtohU32();
    payloadBytes = start.ReadNtohU32();
    units = start.ReadNtohU32();
    return SIZE;
}

} // namespace ns3::collab
