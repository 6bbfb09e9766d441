/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-tcp-frame-reader.h"

#include "ns3/collab-message.h"

#include <algorithm>

namespace ns3::collab
{

TcpFrameReader::TcpFrameReader(bool keepsBytes, uint64_t maxMessageSize)
    : m_keepsBytes(keepsBytes),
      m_maxMessageSize(maxMessageSize)
{
}

void
TcpFrameReader::Read(Ptr<const Packet> piece, const FrameCallback& complete)
{
    std::vector<uint8_t> bytes(piece->GetSize());
    piece->CopyData(bytes.data(), static_cast<uint32_t>(bytes.size()));
    auto next = bytes.begin();
    while (next != bytes.end())
    {
        const auto left = static_cast<uint64_t>(bytes.end() - next);
        if (m_front.size() < MessageHeader::SIZE)
        {
            const uint64_t taken = std::min<uint64_t>(left, MessageHeader::SIZE - m_front.size());
            m_front.insert(m_front.end(), next, next + static_cast<std::ptrdiff_t>(taken));
            next += static_cast<std::ptrdiff_t>(taken);
            if (m_front.size() < MessageHeader::SIZE)
            {
                return;
            }
            ParseFront();
        }
        else
        {
            const uint64_t taken = std::min(left, m_missing);
            if (m_keepsBytes)
            {
                m_payload.insert(m_payload.end(), next, next + static_cast<std::ptrdiff_t>(taken));
            }
            next += static_cast<std::ptrdiff_t>(taken);
            m_missing -= taken;
        }
        if (m_missing == 0)
        {
            m_frame.packet = MakePacket();
            m_front.clear();
            m_payload.clear();
            complete(m_frame);
        }
    }
}

void
TcpFrameReader::ParseFront()
{
    Ptr<Packet> front = Create<Packet>(m_front.data(), MessageHeader::SIZE);
    front->RemoveHeader(m_frame.header);
    const uint32_t payloadBytes = m_frame.header.payloadBytes;
    const uint32_t units = m_frame.header.units;
    const bool hasUnits = units == 0 || payloadBytes >= units;
    if (m_frame.header.version != MessageHeader::VERSION || !hasUnits ||
        payloadBytes > m_maxMessageSize - MessageHeader::SIZE)
    {
        throw PayloadError("is no message in a stream");
    }
    m_missing = payloadBytes;
}

Ptr<Packet>
TcpFrameReader::MakePacket() const
{
    const uint32_t size = m_frame.header.payloadBytes;
    Ptr<Packet> packet =
        m_keepsBytes ? Create<Packet>(m_payload.data(), size) : Create<Packet>(size);
    packet->AddHeader(m_frame.header);
    return packet;
}

} // namespace ns3::collab
