/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_DATAGRAM_LAYOUT_H
#define COLLAB_DATAGRAM_LAYOUT_H

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-messaging
 * @brief How a message is cut into datagrams.
 *
 * A message that is not divisible is cut every datagramBytes bytes. Each datagram of a divisible
 * message begins with the message's header, so that it can do without the others, and has as many
 * whole units behind it as fit; a unit that does not fit in one datagram has datagrams of its own.
 */
class DatagramLayout
{
  public:
    /// Bytes of the message that one datagram carries
    struct Piece
    {
        uint64_t offset = 0; //!< of the first byte in the message
        uint32_t bytes = 0;  //!< number of bytes
        uint32_t front = 0;  //!< bytes of the message's beginning that are sent before them
    };

    /// Least value of datagramBytes: a message's header and one byte
    static constexpr uint32_t MIN_DATAGRAM_BYTES = 24;
    /// Largest value of messageBytes
    static constexpr uint64_t MAX_MESSAGE_BYTES = INT32_MAX;

    /// @param messageBytes size of the message, header and payload
    /// @param units number of its units; 0 if it is not divisible
    /// @param datagramBytes bytes of a message that a datagram can hold, its header included
    DatagramLayout(uint64_t messageBytes, uint32_t units, uint32_t datagramBytes);

    /// @return whether there is such a message and such a datagram, and the units are of one size
    bool
    IsValid() const
    {
        return m_valid;
    }
    /// @return number of datagrams; only if valid, as all below
    uint32_t GetCount() const;
    /// @return number of units; 0 if the message is not divisible
    uint32_t
    GetUnits() const
    {
        return m_units;
    }
    /// @return size of the message [byte]
    uint64_t
    GetMessageBytes() const
    {
        return m_messageBytes;
    }
    /// @return bytes of a message that a datagram can hold
    uint32_t
    GetDatagramBytes() const
    {
        return m_datagramBytes;
    }
    /// @param index index of a datagram
    /// @return what it carries
    Piece GetPiece(uint32_t index) const;
    /// @param index index of a datagram
    /// @return bytes of the message in it, those of its beginning included
    uint32_t GetBodyBytes(uint32_t index) const;
    /// @param has function that tells whether the datagram of an index is there
    /// @return numbers of the units that are there whole, ascending
    std::vector<uint32_t> GetWholeUnits(const std::function<bool(uint32_t index)>& has) const;

    /// @param other another layout
    /// @return whether it is the same
    bool operator==(const DatagramLayout& other) const;

  private:
    uint64_t m_messageBytes;         //!< size of the message
    uint32_t m_units;                //!< number of units
    uint32_t m_datagramBytes;        //!< bytes of a message in one datagram
    bool m_valid = false;            //!< see IsValid()
    uint32_t m_frontBytes = 0;       //!< before the first unit, which each datagram has
    uint64_t m_unitBytes = 0;        //!< size of a unit
    uint32_t m_unitsPerDatagram = 0; //!< units in one datagram; 0 if a unit needs several
    uint32_t m_datagramsPerUnit = 0; //!< datagrams of one unit; 0 if units share them
    uint64_t m_count = 0;            //!< number of datagrams
};

} // namespace ns3::collab

#endif /* COLLAB_DATAGRAM_LAYOUT_H */
