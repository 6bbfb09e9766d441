/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-datagram-layout.h"

#include "ns3/collab-message-header.h"
#include "ns3/collab-message.h"

#include <algorithm>

namespace ns3::collab
{

static_assert(DatagramLayout::MIN_DATAGRAM_BYTES == MessageHeader::SIZE + 1,
              "the first datagram has the whole header");

DatagramLayout::DatagramLayout(uint64_t messageBytes, uint32_t units, uint32_t datagramBytes)
    : m_messageBytes(messageBytes),
      m_units(units),
      m_datagramBytes(datagramBytes)
{
    if (messageBytes < MessageHeader::SIZE || messageBytes > MAX_MESSAGE_BYTES ||
        datagramBytes < MIN_DATAGRAM_BYTES)
    {
        return;
    }
    if (units == 0)
    {
        m_count = (messageBytes + datagramBytes - 1) / datagramBytes;
        m_valid = true;
        return;
    }
    const uint64_t payload = messageBytes - MessageHeader::SIZE;
    const UnitLayout layout(payload, units);
    if (layout.unitBytes == 0 || MessageHeader::SIZE + layout.headBytes >= datagramBytes)
    {
        return;
    }
    m_unitBytes = layout.unitBytes;
    m_frontBytes = static_cast<uint32_t>(MessageHeader::SIZE + layout.headBytes);
    const uint32_t room = datagramBytes - m_frontBytes;
    if (m_unitBytes <= room)
    {
        m_unitsPerDatagram = static_cast<uint32_t>(room / m_unitBytes);
        m_count = (uint64_t{units} + m_unitsPerDatagram - 1) / m_unitsPerDatagram;
    }
    else
    {
        m_datagramsPerUnit = static_cast<uint32_t>((m_unitBytes + room - 1) / room);
        m_count = uint64_t{units} * m_datagramsPerUnit;
    }
    m_valid = true;
}

uint32_t
DatagramLayout::GetCount() const
{
    return static_cast<uint32_t>(m_count);
}

DatagramLayout::Piece
DatagramLayout::GetPiece(uint32_t index) const
{
    Piece piece;
    uint64_t end = 0;
    if (m_units == 0)
    {
        piece.offset = uint64_t{index} * m_datagramBytes;
        end = std::min(piece.offset + m_datagramBytes, m_messageBytes);
    }
    else if (m_unitsPerDatagram > 0)
    {
        const uint64_t first = uint64_t{index} * m_unitsPerDatagram;
        const uint64_t last = std::min<uint64_t>(first + m_unitsPerDatagram, m_units);
        piece.offset = m_frontBytes + first * m_unitBytes;
        end = m_frontBytes + last * m_unitBytes;
        piece.front = m_frontBytes;
    }
    else
    {
        const uint32_t room = m_datagramBytes - m_frontBytes;
        const uint64_t unit = m_frontBytes + index / m_datagramsPerUnit * m_unitBytes;
        piece.offset = unit + uint64_t{index % m_datagramsPerUnit} * room;
        end = std::min(piece.offset + room, unit + m_unitBytes);
        piece.front = m_frontBytes;
    }
    piece.bytes = static_cast<uint32_t>(end - piece.offset);
    return piece;
}

uint32_t
DatagramLayout::GetBodyBytes(uint32_t index) const
{
    const Piece piece = GetPiece(index);
    return piece.bytes + piece.front;
}

std::vector<uint32_t>
DatagramLayout::GetWholeUnits(const std::function<bool(uint32_t index)>& has) const
{
    std::vector<uint32_t> whole;
    for (uint32_t unit = 0; unit < m_units; ++unit)
    {
        bool isThere = true;
        if (m_unitsPerDatagram > 0)
        {
            isThere = has(unit / m_unitsPerDatagram);
        }
        for (uint32_t part = 0; part < m_datagramsPerUnit && isThere; ++part)
        {
            isThere = has(unit * m_datagramsPerUnit + part);
        }
        if (isThere)
        {
            whole.push_back(unit);
        }
    }
    return whole;
}

bool
DatagramLayout::operator==(const DatagramLayout& other) const
{
    return m_messageBytes == other.m_messageBytes && m_units == other.m_units &&
           m_datagramBytes == other.m_datagramBytes;
}

} // namespace ns3::collab
