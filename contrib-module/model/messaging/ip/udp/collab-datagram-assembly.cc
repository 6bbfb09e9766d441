/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-datagram-assembly.h"

#include "ns3/assert.h"
#include "ns3/collab-message-header.h"

#include <algorithm>

namespace ns3::collab
{

DatagramAssembly::DatagramAssembly(const DatagramLayout& layout, bool keepsBytes)
    : m_layout(layout),
      m_keepsBytes(keepsBytes)
{
}

bool
DatagramAssembly::Add(uint32_t index, Ptr<const Packet> body)
{
    NS_ASSERT(index < m_layout.GetCount() && body->GetSize() == m_layout.GetBodyBytes(index));
    if (Has(index))
    {
        return false;
    }
    m_arrived += boost::icl::interval<uint32_t>::right_open(index, index + 1);
    const DatagramLayout::Piece piece = m_layout.GetPiece(index);
    const bool hasHeader = m_header.empty() && (piece.front > 0 || index == 0);
    if (!m_keepsBytes && !hasHeader)
    {
        return true;
    }
    std::vector<uint8_t> bytes(body->GetSize());
    body->CopyData(bytes.data(), static_cast<uint32_t>(bytes.size()));
    if (hasHeader)
    {
        m_header.assign(bytes.begin(),
                        bytes.begin() + std::max<uint32_t>(piece.front, MessageHeader::SIZE));
    }
    if (m_keepsBytes)
    {
        m_pieces[index].assign(bytes.end() - piece.bytes, bytes.end());
    }
    return true;
}

bool
DatagramAssembly::IsComplete() const
{
    return GetBase() == m_layout.GetCount();
}

uint32_t
DatagramAssembly::GetBase() const
{
    const bool hasFirst = !m_arrived.empty() && m_arrived.begin()->lower() == 0;
    return hasFirst ? m_arrived.begin()->upper() : 0;
}

bool
DatagramAssembly::Has(uint32_t index) const
{
    return boost::icl::contains(m_arrived, index);
}

std::vector<uint32_t>
DatagramAssembly::GetWholeUnits() const
{
    return m_layout.GetWholeUnits([this](uint32_t index) { return Has(index); });
}

Ptr<Packet>
DatagramAssembly::MakePacket() const
{
    if (!m_keepsBytes)
    {
        Ptr<Packet> packet =
            Create<Packet>(static_cast<uint32_t>(m_layout.GetMessageBytes() - MessageHeader::SIZE));
        MessageHeader header;
        Ptr<Packet> front = Create<Packet>(m_header.data(), MessageHeader::SIZE);
        front->RemoveHeader(header);
        packet->AddHeader(header);
        return packet;
    }
    std::vector<uint8_t> bytes(m_layout.GetMessageBytes());
    std::copy(m_header.begin(), m_header.end(), bytes.begin());
    for (const auto& [index, piece] : m_pieces)
    {
        std::copy(piece.begin(),
                  piece.end(),
                  bytes.begin() + static_cast<std::ptrdiff_t>(m_layout.GetPiece(index).offset));
    }
    return Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
}

} // namespace ns3::collab
