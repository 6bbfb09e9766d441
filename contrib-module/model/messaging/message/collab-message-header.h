/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_MESSAGE_HEADER_H
#define COLLAB_MESSAGE_HEADER_H

#include "ns3/collab-listed-header.h"

namespace ns3::collab
{

/// @ingroup collab-messaging
/// @brief The header before every payload, in network byte order.
class MessageHeader : public ListedHeader<MessageHeader>
{
  public:
    /// Name of the TypeId
    static constexpr const char* TYPE_NAME = "ns3::collab::MessageHeader";
    /// Version of the format
    static constexpr uint8_t VERSION = 2;
    /// Bytes of the header, fixed
    static constexpr uint32_t SIZE = 23;

    /// @param visit called with each field, in their order on the wire
    template <typename V>
    void
    Fields(V visit)
    {
        visit(version);
        visit(kind);
        visit(round);
        visit(sender);
        visit(sequence);
        visit(payloadBytes);
        visit(units);
    }

    void Print(std::ostream& os) const override;

    uint8_t version = VERSION; //!< version of the format
    uint16_t kind = 0;         //!< what the message is
    uint32_t round = 0;        //!< round of the protocol
    uint32_t sender = 0;       //!< device that sent it
    uint32_t sequence = 0;     //!< number of the message at its sender
    uint32_t payloadBytes = 0; //!< bytes behind the header
    uint32_t units = 0;        //!< units in them; 0 if the message is not divisible
};

extern template class ListedHeader<MessageHeader>;

} // namespace ns3::collab

#endif /* COLLAB_MESSAGE_HEADER_H */
