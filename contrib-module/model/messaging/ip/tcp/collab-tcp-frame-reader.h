/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TCP_FRAME_READER_H
#define COLLAB_TCP_FRAME_READER_H

#include "ns3/collab-message-header.h"
#include "ns3/packet.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-messaging
 * @brief Finds the messages in a stream of bytes: each is its header and as many bytes as that
 * says.
 *
 * It takes as much memory as has arrived, whatever a header claims.
 */
class TcpFrameReader
{
  public:
    /// A message in the stream
    struct Frame
    {
        MessageHeader header; //!< its header
        Ptr<Packet> packet;   //!< the message on the wire
    };

    /// Told of each message
    using FrameCallback = std::function<void(const Frame& frame)>;

    /// @param keepsBytes whether the payload's bytes matter; if not, zeros stand for them
    /// @param maxMessageSize largest message that is accepted [byte]
    TcpFrameReader(bool keepsBytes, uint64_t maxMessageSize);

    /// @param piece the next bytes of the stream
    /// @param complete told of each message that is complete with them
    /// @throws PayloadError if the stream has no message where one should begin; nothing more can
    /// be read from it then
    void Read(Ptr<const Packet> piece, const FrameCallback& complete);

  private:
    /// @brief Read what is before the payload, which is there.
    void ParseFront();
    /// @return the message on the wire
    Ptr<Packet> MakePacket() const;

    bool m_keepsBytes;              //!< whether the payload's bytes matter
    uint64_t m_maxMessageSize;      //!< largest message that is accepted [byte]
    std::vector<uint8_t> m_front;   //!< bytes of the header that are there
    Frame m_frame;                  //!< the message, once all that is there
    std::vector<uint8_t> m_payload; //!< bytes of the payload that are there, if they matter
    uint64_t m_missing = 0;         //!< bytes of the payload that are not there
};

} // namespace ns3::collab

#endif /* COLLAB_TCP_FRAME_READER_H */
