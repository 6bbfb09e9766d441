/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_MESSAGE_HEADER_H
#define COLLAB_MESSAGE_HEADER_H

#include "ns3/header.h"

namespace ns3::collab
{

/// @ingroup collab-messaging
/// @brief The header before every payload, in network byte order.
class MessageHeader : public Header
{
  public:
    /// Version of the format
    static constexpr uint8_t VERSION = 2;
    /// Bytes of the header, fixed
    static constexpr uint32_t SIZE = 23;

    /// @return the object TypeId
    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;
    void Print(std::ostream& os) const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;

    uint8_t version = VERSION; //!< version of the format
    uint16_t kind = 0;         //!< what the message is
    uint32_t round = 0;        //!< round of the protocol
    uint32_t sender = 0;       //!< device that sent it
    uint32_t sequence = 0;     //!< number of the message at its sender
    uint32_t payloadBytes = 0; //!< bytes behind the header
    uint32_t units = 0;        //!< units in them; 0 if the message is not divisible
};

} // namespace ns3::collab

#endif /* COLLAB_MESSAGE_HEADER_H */
