/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_UDP_TRANSPORT_H
#define COLLAB_UDP_TRANSPORT_H

#include "collab-datagram-header.h"
#include "collab-datagram-layout.h"
#include "collab-datagram-path.h"
#include "collab-datagram-receiver.h"
#include "collab-datagram-transfer.h"

#include "ns3/collab-socket-transport.h"
#include "ns3/data-rate.h"
#include "ns3/socket.h"

#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-messaging
 * @brief Messages in UDP datagrams over any ns-3 IPv4 or IPv6 stack.
 *
 * A message is cut into datagrams (DatagramLayout). Best-effort ones are sent once; a broadcast of
 * them goes once to the subnet, with IPv6 to all nodes of the link. With ARQ (the reliable
 * policies) a datagram is acknowledged and sent again by selective repeat, with a measured
 * round-trip time (RFC 6298) for each peer and binary exponential back-off; a broadcast then is a
 * unicast to each peer. The window of a peer grows by one with each acknowledged datagram, up to
 * the attribute Window, and is halved with each timeout, so that many devices that share a medium
 * do not bury each other in repetitions.
 */
class UdpTransport : public SocketTransport
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    /// @param bytes size of a message, header and payload
    /// @param receiver number of the device that it is for; changes nothing
    /// @return time that its datagrams take at the attribute PacingRate, with the headers of UDP
    /// and IP; 0 if the rate is not limited, since the stack's is not known
    Time GetAirtime(uint64_t bytes, std::optional<uint32_t> receiver = std::nullopt) const override;

  protected:
    void OpenSockets() override;
    void CloseSockets() override;
    uint32_t CountParts(const Sending& sending) const override;
    void StartSending(std::shared_ptr<Sending> sending) override;
    bool CancelSending(std::shared_ptr<Sending> sending) override;

  private:
    /// Number of a message and the device that it goes to, or BROADCAST
    using TransferKey = std::pair<uint32_t, uint32_t>;

    /// A message on its way to one destination
    struct Transfer
    {
        std::shared_ptr<Sending> sending;        //!< the message
        DatagramLayout layout;                   //!< how it is cut
        Address destination;                     //!< socket where it goes
        std::vector<uint32_t> receivers;         //!< devices that it is meant for there
        std::unique_ptr<DatagramTransfer> parts; //!< its parts
    };

    /// @param sending a message
    /// @return how it is cut
    DatagramLayout MakeLayout(const Sending& sending) const;
    /// @param address where to receive
    /// @return a socket that is bound to it and this transport's port
    Ptr<Socket> OpenSocket(const Address& address);
    /// @brief Put a message among those that are being sent.
    /// @param sending the message
    /// @param device where it goes, or BROADCAST
    /// @param destination its socket
    /// @param receivers devices that it is meant for there
    void AddTransfer(const std::shared_ptr<Sending>& sending,
                     uint32_t device,
                     const Address& destination,
                     std::vector<uint32_t> receivers);
    /// @brief Send what can be sent now: the message without acknowledgments that has begun, whose
    /// receivers wait for its next part alone, then those of higher priority and older ones.
    void SendParts();
    /// @brief Send what can be sent now of one message.
    /// @param key key of the transfer
    /// @return false if the pacing makes all wait from now on
    bool SendPartsOf(const TransferKey& key);
    /// @param key key of a transfer
    /// @param index number of its part to send, or their count to say that no more will come
    void SendPart(const TransferKey& key, uint32_t index);
    /// @brief No acknowledgment has come in time.
    /// @param key key of the transfer
    /// @param index number of the part
    void HandleTimeout(TransferKey key, uint32_t index);
    /// @brief If all parts of a transfer are settled, finish it.
    /// @param key key of the transfer
    void CheckTransfer(const TransferKey& key);
    /// @brief Tell what became of a transfer, and send no more of it than a notice of that.
    /// @param key key of the transfer
    /// @param reason why it may not have arrived
    void FinishTransfer(const TransferKey& key, const std::string& reason);
    /// @param key key of a transfer with nothing left to send
    void EraseTransfer(const TransferKey& key);

    /// @param socket the socket, from which datagrams can be read
    void HandleRead(Ptr<Socket> socket);
    /// @param sender device that sent it
    /// @param packet a part of a message
    void HandlePart(uint32_t sender, Ptr<Packet> packet);
    /// @param sender device that sent it
    /// @param packet an acknowledgment
    void HandleAcknowledgment(uint32_t sender, Ptr<Packet> packet);
    /// @brief No more of a message will be received: hand up what is there.
    /// @param sender the device that sent it
    /// @param sequence the message's number
    /// @param assembly what has arrived
    void HandleReceptionEnd(uint32_t sender, uint32_t sequence, const DatagramAssembly& assembly);

    uint32_t m_datagramSize;  //!< attribute DatagramSize [byte]
    Time m_reassemblyTimeout; //!< attribute ReassemblyTimeout
    Time m_initialTimeout;    //!< attribute RetransmissionTimeout
    Time m_minTimeout;        //!< attribute MinRetransmissionTimeout
    Time m_maxTimeout;        //!< attribute MaxRetransmissionTimeout
    uint32_t m_maxAttempts;   //!< attribute MaxAttempts
    uint32_t m_window;        //!< attribute Window
    DataRate m_pacingRate;    //!< attribute PacingRate

    Ptr<Socket> m_socket;               //!< sends all, and receives what is for this device alone
    Ptr<Socket> m_broadcastSocket;      //!< receives broadcasts
    EventId m_pacingEvent;              //!< when the next datagram may be sent
    std::optional<TransferKey> m_begun; //!< what is sent without acknowledgments, in part so far
    std::map<TransferKey, Transfer> m_transfers; //!< what is being sent
    /// Transfers in the order of sending: 255 - priority, number of the message, device
    std::set<std::tuple<uint32_t, uint32_t, uint32_t>> m_order;
    std::map<uint32_t, DatagramPath> m_paths;     //!< by peer
    std::unique_ptr<DatagramReceiver> m_receiver; //!< what is being received
};

} // namespace ns3::collab

#endif /* COLLAB_UDP_TRANSPORT_H */
