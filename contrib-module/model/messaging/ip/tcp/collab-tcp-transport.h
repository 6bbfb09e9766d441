/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TCP_TRANSPORT_H
#define COLLAB_TCP_TRANSPORT_H

#include "collab-tcp-connection.h"
#include "collab-tcp-frame-reader.h"

#include "ns3/collab-socket-transport.h"
#include "ns3/socket.h"

#include <map>
#include <memory>

namespace ns3::collab
{

/**
 * @ingroup collab-messaging
 * @brief Messages over TCP connections of any ns-3 IPv4 stack.
 *
 * A device opens a connection to a peer with its first message to it, and uses it for all later
 * ones; what the peer sends goes over a connection that the peer opens. All messages are sent
 * reliably and whole, whatever their policy. A message is acknowledged when the peer's TCP has
 * acknowledged its last byte.
 */
class TcpTransport : public SocketTransport
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    /// @param bytes size of a message, header and payload
    /// @param receiver number of the device that it is for; changes nothing
    /// @return 0, since the stack's rate is not known
    Time GetAirtime(uint64_t bytes, std::optional<uint32_t> receiver = std::nullopt) const override;

  protected:
    void OpenSockets() override;
    void CloseSockets() override;
    uint32_t
    CountParts(const Sending&) const override
    {
        return 1;
    }
    void StartSending(std::shared_ptr<Sending> sending) override;
    bool CancelSending(std::shared_ptr<Sending> sending) override;

  private:
    /// A connection that a peer has opened
    struct Inlet
    {
        Ptr<Socket> socket;    //!< this end of it
        TcpFrameReader reader; //!< finds the messages in it
    };

    /// @param peer a device
    /// @return the connection to it, a new one if there is none
    TcpConnection& GetConnection(uint32_t peer);
    /// @return a TCP socket of the node with this transport's attributes
    Ptr<Socket> MakeSocket() const;
    /// @param peer a device
    /// @param sequence number of a message of which it has acknowledged the last byte
    void HandleAcknowledged(uint32_t peer, uint32_t sequence);
    /// @param peer a device to which the connection has ended
    void HandleBroken(uint32_t peer);
    /// @param socket the listening socket
    /// @param from who wants to connect
    /// @return whether it may
    bool HandleRequest(Ptr<Socket> socket, const Address& from);
    /// @param socket this end of a new connection
    /// @param from who has opened it
    void HandleAccept(Ptr<Socket> socket, const Address& from);
    /// @param peer who opened a connection
    /// @param socket this end of it, from which bytes can be read
    void HandleRead(uint32_t peer, Ptr<Socket> socket);
    /// @param peer who opened a connection
    /// @param socket this end of it, which is to be closed
    void HandleClose(uint32_t peer, Ptr<Socket> socket);
    /// @param sender device that a message comes from
    /// @param frame the message
    void HandleMessage(uint32_t sender, const TcpFrameReader::Frame& frame);
    /// @param socket this end of a connection of which nothing more shall be heard
    static void Silence(Ptr<Socket> socket);

    uint32_t m_segmentSize; //!< attribute SegmentSize [byte]

    Ptr<Socket> m_listener;                                           //!< the listening socket
    std::map<uint32_t, std::unique_ptr<TcpConnection>> m_connections; //!< by peer
    std::map<uint32_t, Inlet> m_inlets;                               //!< by peer
};

} // namespace ns3::collab

#endif /* COLLAB_TCP_TRANSPORT_H */
