/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TCP_CONNECTION_H
#define COLLAB_TCP_CONNECTION_H

#include "ns3/address.h"
#include "ns3/event-id.h"
#include "ns3/packet.h"
#include "ns3/socket.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-messaging
/// @brief The sending end of a TCP connection: writes messages, one after the other, and finds out
/// which ones the peer's TCP has acknowledged.
class TcpConnection
{
  public:
    /// Whom to tell
    struct Callbacks
    {
        std::function<void(uint32_t sequence)> begun;        //!< its first byte was written
        std::function<void(uint32_t sequence)> acknowledged; //!< all its bytes are acknowledged
        std::function<void()> broken; //!< the connection could not be made, or has ended
    };

    /// @param socket a TCP socket that is bound
    /// @param peer where to connect it to
    /// @param callbacks whom to tell
    TcpConnection(Ptr<Socket> socket, const Address& peer, Callbacks callbacks);
    TcpConnection(const TcpConnection&) = delete;
    TcpConnection& operator=(const TcpConnection&) = delete;
    ~TcpConnection();

    /// @brief Write a message when those of higher priority, and earlier ones, are written.
    /// @param sequence number of the message
    /// @param priority its priority
    /// @param message the message on the wire
    void Enqueue(uint32_t sequence, uint8_t priority, Ptr<const Packet> message);
    /// @param sequence number of a message
    /// @return whether it was taken from the queue; false once its first byte is written
    bool Cancel(uint32_t sequence);
    /// @return messages that are not acknowledged, written or not, ascending
    std::vector<uint32_t> GetUnacknowledged() const;

  private:
    /// 255 - priority, and number of the message
    using Key = std::pair<uint32_t, uint32_t>;

    /// A message that is written, wholly or in part
    struct Written
    {
        uint32_t sequence = 0; //!< number of the message
        uint64_t end = 0;      //!< bytes of the stream up to its end
    };

    /// @param socket the socket, connected
    void HandleConnected(Ptr<Socket> socket);
    /// @param socket the socket, which the peer has closed
    void HandleClosed(Ptr<Socket> socket);
    /// @param socket the socket, which is of no more use
    void HandleBroken(Ptr<Socket> socket);
    /// @param socket the socket
    /// @param available room in its buffer [byte]
    void HandleRoom(Ptr<Socket> socket, uint32_t available);
    /// @brief Write as much as there is room for.
    void Write();
    /// @brief Write what there is room for of the present message.
    /// @return whether all of it is written
    bool WritePresent();

    Ptr<Socket> m_socket;                     //!< the socket
    Callbacks m_callbacks;                    //!< whom to tell
    uint32_t m_bufferBytes = 0;               //!< size of the socket's buffer [byte]
    bool m_connected = false;                 //!< whether the connection is there
    EventId m_brokenEvent;                    //!< tells of its end
    std::map<Key, Ptr<const Packet>> m_queue; //!< not begun
    Ptr<const Packet> m_present;              //!< being written, or null
    uint32_t m_presentBytes = 0;              //!< bytes of it that are written
    uint64_t m_writtenBytes = 0;              //!< bytes of the stream that are written
    std::deque<Written> m_written;            //!< begun and not acknowledged
};

} // namespace ns3::collab

#endif /* COLLAB_TCP_CONNECTION_H */
