/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_DATAGRAM_HEADER_H
#define COLLAB_DATAGRAM_HEADER_H

#include "ns3/collab-listed-header.h"

namespace ns3::collab
{

/// @ingroup collab-messaging
/// @brief First byte of a datagram: its kind, and the version of its format.
enum class DatagramType : uint8_t
{
    DATA = 0x11,           //!< a part of a message behind a DatagramHeader
    ACKNOWLEDGMENT = 0x12, //!< a DatagramAcknowledgment and nothing more
};

/// @ingroup collab-messaging
/// @brief The header before a part of a message, in network byte order.
class DatagramHeader : public ListedHeader<DatagramHeader>
{
  public:
    /// Name of the TypeId
    static constexpr const char* TYPE_NAME = "ns3::collab::DatagramHeader";
    /// Bytes of the header, fixed
    static constexpr uint32_t SIZE = 37;

    /// @param visit called with each field, in their order on the wire
    template <typename V>
    void
    Fields(V visit)
    {
        visit(type);
        visit(sender);
        visit(sequence);
        visit(index);
        visit(count);
        visit(messageBytes);
        visit(units);
        visit(datagramBytes);
        visit(maxAttempts);
        visit(sent);
    }

    void Print(std::ostream& os) const override;

    /// @return whether the sender asks for acknowledgments
    bool IsAcknowledged() const;

    uint8_t type = static_cast<uint8_t>(DatagramType::DATA); //!< DatagramType::DATA
    uint32_t sender = 0;                                     //!< device that sent it
    uint32_t sequence = 0; //!< number of the message at its sender
    /// Number of this part, from 0; count itself says that no more parts will come
    uint32_t index = 0;
    uint32_t count = 0;         //!< number of parts
    uint32_t messageBytes = 0;  //!< size of the message, header and payload
    uint32_t units = 0;         //!< units of the message; 0 if it is not divisible
    uint16_t datagramBytes = 0; //!< bytes of a message that a part can hold; see DatagramLayout
    /// Transmissions that a part may have with acknowledgments; 0 if none are asked for
    uint16_t maxAttempts = 0;
    Time sent; //!< when this datagram was sent, to the nanosecond
};

/// @ingroup collab-messaging
/// @brief The acknowledgment of a part of a message, in network byte order.
class DatagramAcknowledgment : public ListedHeader<DatagramAcknowledgment>
{
  public:
    /// Name of the TypeId
    static constexpr const char* TYPE_NAME = "ns3::collab::DatagramAcknowledgment";
    /// Bytes of the header, fixed
    static constexpr uint32_t SIZE = 33;
    /// Parts that the bits of received stand for
    static constexpr uint32_t BITS = 64;

    /// @param visit called with each field, in their order on the wire
    template <typename V>
    void
    Fields(V visit)
    {
        visit(type);
        visit(sender);
        visit(sequence);
        visit(index);
        visit(base);
        visit(received);
        visit(echo);
    }

    void Print(std::ostream& os) const override;

    uint8_t type =
        static_cast<uint8_t>(DatagramType::ACKNOWLEDGMENT); //!< DatagramType::ACKNOWLEDGMENT
    uint32_t sender = 0;                                    //!< device that sends it
    uint32_t sequence = 0; //!< number of the message at the device that it is sent to
    uint32_t index = 0;    //!< part that it answers
    uint32_t base = 0;     //!< all parts before this one have been received
    uint64_t received = 0; //!< bit i (1 << i): the part base + i has been received
    Time echo;             //!< when the part that it answers was sent, as its header said
};

extern template class ListedHeader<DatagramHeader>;
extern template class ListedHeader<DatagramAcknowledgment>;

} // namespace ns3::collab

#endif /* COLLAB_DATAGRAM_HEADER_H */
