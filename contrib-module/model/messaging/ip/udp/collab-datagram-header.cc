/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-datagram-header.h"

namespace ns3::collab
{

template class ListedHeader<DatagramHeader>;
NS_OBJECT_ENSURE_REGISTERED(DatagramHeader);
template class ListedHeader<DatagramAcknowledgment>;
NS_OBJECT_ENSURE_REGISTERED(DatagramAcknowledgment);

void
DatagramHeader::Print(std::ostream& os) const
{
    os << "type=" << +type << " sender=" << sender << " sequence=" << sequence << " part=" << index
       << "/" << count << " message=" << messageBytes << " units=" << units
       << " datagram=" << datagramBytes << " attempts=" << maxAttempts
       << " sent=" << sent.As(Time::S);
}

bool
DatagramHeader::IsAcknowledged() const
{
    return maxAttempts > 0;
}

void
DatagramAcknowledgment::Print(std::ostream& os) const
{
    os << "type=" << +type << " sender=" << sender << " sequence=" << sequence << " part=" << index
       << " base=" << base << " received=" << received << " echo=" << echo.As(Time::S);
}

} // namespace ns3::collab
