/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-datagram-header.h"

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(DatagramHeader);
NS_OBJECT_ENSURE_REGISTERED(DatagramAcknowledgment);

TypeId
DatagramHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::collab::DatagramHeader")
                            .SetParent<Header>()
                            .SetGroupName("Collab")
                            .AddConstructor<DatagramHeader>();
    return tid;
}

TypeId
DatagramHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
DatagramHeader::Print(std::ostream& os) const
{
    os << "type=" << +type << " sender=" << sender << " sequence=" << sequence << " part=" << index
       << "/" << count << " message=" << messageBytes << " units=" << units
       << " datagram=" << datagramBytes << " attempts=" << maxAttempts
       << " sent=" << sent.As(Time::S);
}

uint32_t
DatagramHeader::GetSerializedSize() const
{
    return SIZE;
}

void
DatagramHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteU8(type);
    start.WriteHtonU32(sender);
    start.WriteHtonU32(sequence);
    start.WriteHtonU32(index);
    start.WriteHtonU32(count);
    start.WriteHtonU32(messageBytes);
    start.WriteHtonU32(units);
    start.WriteHtonU16(datagramBytes);
    start.WriteHtonU16(maxAttempts);
    start.WriteHtonU64(static_cast<uint64_t>(sent.GetNanoSeconds()));
}

uint32_t
DatagramHeader::Deserialize(Buffer::Iterator start)
{
    type = start.ReadU8();
    sender = start.ReadNtohU32();
    sequence = start.ReadNtohU32();
    index = start.ReadNtohU32();
    count = start.ReadNtohU32();
    messageBytes = start.ReadNtohU32();
    units = start.ReadNtohU32();
    datagramBytes = start.ReadNtohU16();
    maxAttempts = start.ReadNtohU16();
    sent = NanoSeconds(start.ReadNtohU64());
    return SIZE;
}

bool
DatagramHeader::IsAcknowledged() const
{
    return maxAttempts > 0;
}

TypeId
DatagramAcknowledgment::GetTypeId()
{
    static TypeId tid = TypeId("ns3::collab::DatagramAcknowledgment")
                            .SetParent<Header>()
                            .SetGroupName("Collab")
                            .AddConstructor<DatagramAcknowledgment>();
    return tid;
}

TypeId
DatagramAcknowledgment::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
DatagramAcknowledgment::Print(std::ostream& os) const
{
    os << "type=" << +type << " sender=" << sender << " sequence=" << sequence << " part=" << index
       << " base=" << base << " received=" << received << " echo=" << echo.As(Time::S);
}

uint32_t
DatagramAcknowledgment::GetSerializedSize() const
{
    return SIZE;
}

void
DatagramAcknowledgment::Serialize(Buffer::Iterator start) const
{
    start.WriteU8(type);
    start.WriteHtonU32(sender);
    start.WriteHtonU32(sequence);
    start.WriteHtonU32(index);
    start.WriteHtonU32(base);
    start.WriteHtonU64(received);
    start.WriteHtonU64(static_cast<uint64_t>(echo.GetNanoSeconds()));
}

uint32_t
DatagramAcknowledgment::Deserialize(Buffer::Iterator start)
{
    type = start.ReadU8();
    sender = start.ReadNtohU32();
    sequence = start.ReadNtohU32();
    index = start.ReadNtohU32();
    base = start.ReadNtohU32();
    received = start.ReadNtohU64();
    echo = NanoSeconds(start.ReadNtohU64());
    return SIZE;
}

} // namespace ns3::collab
