/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-message-header.h"

namespace ns3::collab
{

template class ListedHeader<MessageHeader>;
NS_OBJECT_ENSURE_REGISTERED(MessageHeader);

void
MessageHeader::Print(std::ostream& os) const
{
    os << "version=" << +version << " kind=" << kind << " round=" << round << " sender=" << sender
       << " sequence=" << sequence << " payload=" << payloadBytes << " units=" << units;
}

} // namespace ns3::collab
