/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-tcp-frame-reader.h"

#include "ns3/collab-message.h"

#include <algorithm>

namespace ns3
{
namespace collab
{

namespace
{

/// Bytes before a payload
constexpr uint32_t FRONT_BYTES = TcpFrameReader::PREFIX_BYTES + MessageHeader::SIZE;

} // namespace

std::vector<uint8_t>
TcpFrameReader::MakeFrame(uint32_t units, const std::vector<uint8_t>& message)
{
    std::vector<uint8_t> frame;
    frame.reserve(PREFIX_BYTES + message.size());
    for (int shift = 24; shift >= 0; shift -= 8)
    {
        frame.push_back(static_cast<uint8_t>(units >> shift));
    }
    frame.insert(frame.end(), message.begin(), message.end());
    return frame;
}

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
        if (m_front.size() < FRONT_BYTES)
        {
            const uint64_t taken = std::min<uint64_t>(left, FRONT_BYTES - m_front.size());
            m_front.insert(m_front.end(), next, next + static_cast<std::ptrdiff_t>(taken));
            next += static_cast<std::ptrdiff_t>(taken);
            if (m_front.size() < FRONT_BYTES)
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
    m_frame.units = 0;
    for (uint32_t i = 0; i < PREFIX_BYTES; ++i)
    {
        m_frame.units = m_frame.units << 8 | m_front[i];
    }
    Ptr<Packet> front = Create<Packet>(m_front.data() + PREFIX_BYTES, MessageHeader::SIZE);
    front->RemoveHeader(m_frame.header);
    const uint64_t payloadBytes = m_frame.header.payloadBytes;
    const bool hasUnits =
        m_frame.units == 0 || (payloadBytes > 0 && payloadBytes % m_frame.units == 0);
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
    const auto size = static_cast<uint32_t>(m_frame.header.payloadBytes);
    Ptr<Packet> packet =
        m_keepsBytes ? Create<Packet>(m_payload.data(), size) : Create<Packet>(size);
    packet->AddHeader(m_frame.header);
    return packet;
}

} // namespace collab
} // namespace ns3
