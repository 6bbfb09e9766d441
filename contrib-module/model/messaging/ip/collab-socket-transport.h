/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_SOCKET_TRANSPORT_H
#define COLLAB_SOCKET_TRANSPORT_H

#include "collab-address-book.h"
#include "collab-ip-link.h"
#include "collab-message-ledger.h"

#include "ns3/collab-transport.h"
#include "ns3/event-id.h"
#include "ns3/node.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-messaging
 * @brief Messages over the sockets of any ns-3 IPv4 or IPv6 stack.
 *
 * What UdpTransport and TcpTransport have in common: an address book that all devices were given in
 * advance, deadlines and cancellation, reports to the sender, and the account of outcomes.
 */
class SocketTransport : public Transport
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    SocketTransport();
    ~SocketTransport() override;

    /// @param node the node of this device, with an IP stack
    /// @param book addresses of all devices, this one included; all devices must have the same
    void Setup(Ptr<Node> node, std::shared_ptr<const AddressBook> book);

    /// @return all other devices of the address book or, if the attribute NeighborTimeout is not
    /// zero, those that were heard within it; ascending
    std::vector<uint32_t> GetNeighbors() const override;

  protected:
    void DoInitialize() override;
    void DoDispose() override;
    void DoSend(Destination to,
                Ptr<Packet> packet,
                std::shared_ptr<const Message> message,
                SendOptions options) override;
    bool DoCancel(uint32_t sequence) override;
    void DoEndRun() override;

    /// A message that this device is sending
    struct Sending
    {
        std::shared_ptr<const Message> message; //!< the message
        Ptr<const Packet> packet;               //!< the message on the wire
        SendOptions options;                    //!< how to send it
        std::vector<uint32_t> receivers;        //!< whom to, ascending
        bool isBroadcast = false;               //!< whether it is for all peers
        uint32_t unfinished = 0;                //!< receivers to which it is still being sent
        bool started = false;                   //!< whether StartSending() was called
        std::string stopped;   //!< why no more of it is sent; empty if nothing stopped it
        EventId deadlineEvent; //!< its deadline
        DeliveryReport report; //!< what the sender knows so far
    };

    /// @brief Open the sockets; called once.
    virtual void OpenSockets() = 0;
    /// @brief Close the sockets and drop what is under way.
    virtual void CloseSockets() = 0;
    /// @param sending a message that is about to be sent
    /// @return number of parts in which it will be sent
    virtual uint32_t CountParts(const Sending& sending) const = 0;
    /// @brief Begin to send a message.
    /// @param sending the message, with at least one receiver
    virtual void StartSending(std::shared_ptr<Sending> sending) = 0;
    /// @brief Send no more of a message, and call FinishSending() where it is not finished, with
    /// the reason that the message has by then.
    /// @param sending the message
    /// @return whether there was anything that will not be sent
    virtual bool CancelSending(std::shared_ptr<Sending> sending) = 0;

    /// @param sequence number of a message
    /// @return the message, which is still being sent
    std::shared_ptr<Sending> FindSending(uint32_t sequence) const;
    /// @brief No more of a message will be sent to one receiver.
    /// @param sending the message
    /// @param receiver the device
    /// @param acknowledged whether the device is known to have it all
    /// @param reason why the device has not got it, should it turn out so; empty if it was just
    /// lost
    void FinishSending(const std::shared_ptr<Sending>& sending,
                       uint32_t receiver,
                       bool acknowledged,
                       const std::string& reason);

    /**
     * @brief Hand a message up that has arrived.
     *
     * In PayloadMode::REFERENCE a message is dropped that its sender does not remember.
     *
     * @param packet the message on the wire
     * @param sender the device that it came from
     * @param sequence number of the message at its sender
     * @param unitsSent units that the message has; 0 if it is not divisible
     * @param units numbers of the units that arrived, ascending
     */
    void HandUp(Ptr<const Packet> packet,
                uint32_t sender,
                uint32_t sequence,
                uint32_t unitsSent,
                const std::vector<uint32_t>& units);
    /// @param sender a device
    /// @return its account of messages; null if it has none
    static MessageLedger* FindLedger(uint32_t sender);
    /// @brief A part of a message is sent now.
    /// @param sequence number of the message
    /// @param bytes bytes of the message in the part
    void NotifyAttempt(uint32_t sequence, uint64_t bytes);
    /// @param device a peer of which something has been heard
    void NotifyHeard(uint32_t device);
    /// @param address where something came from
    /// @return the device that has this address; nothing, after tracing it, if none has
    std::optional<uint32_t> IdentifySender(const Address& address);

    /// @return own address
    Address GetAddress() const;
    /// @param device a device of the address book
    /// @return its address
    Address GetAddress(uint32_t device) const;
    /// @brief Get ready to send to a device: from now on the link-layer address of a peer on the
    /// same channel is known, if the address book says it.
    /// @param device a device of the address book
    /// @return the address of its socket
    Address Approach(uint32_t device);
    /// @return the link that the own address is on
    IpLink GetLink() const;
    /// @return attribute Port
    uint16_t
    GetPort() const
    {
        return m_port;
    }
    /// @return attribute PacketLifetime
    Time
    GetPacketLifetime() const
    {
        return m_packetLifetime;
    }
    /// @return attribute MaxMessageSize [byte]
    uint64_t
    GetMaxMessageSize() const
    {
        return m_maxMessageSize;
    }

  private:
    /// @brief Start to send a message if it was not cancelled before.
    /// @param sequence number of the message
    void Start(uint32_t sequence);
    /// @brief Send no more of a message.
    /// @param sequence its number
    /// @param reason reason for that
    /// @return whether the network still had it
    bool Stop(uint32_t sequence, const std::string& reason);
    /// @brief Cancel a message before it is started.
    /// @param sending the message
    void CancelUnstarted(const std::shared_ptr<Sending>& sending);
    /// @brief Tell the node's IP stack the link-layer address of another device.
    /// @param device the device
    void TellLinkAddress(uint32_t device) const;
    /// @brief Open the sockets if they are not open.
    void EnsureOpen();
    /// @return all devices of the address book but this one, ascending
    std::vector<uint32_t> GetPeers() const;
    /// @param to whom a message is for
    /// @return numbers of these devices, ascending
    std::vector<uint32_t> FindReceivers(const Destination& to) const;
    /// @param sending a message with which the network is done
    void Report(Sending& sending);

    Ptr<Node> m_node;                                        //!< the node
    std::shared_ptr<const AddressBook> m_book;               //!< addresses of all devices
    uint16_t m_port;                                         //!< attribute Port
    Time m_neighborTimeout;                                  //!< attribute NeighborTimeout
    Time m_packetLifetime;                                   //!< attribute PacketLifetime
    uint32_t m_maxMessageSize;                               //!< attribute MaxMessageSize [byte]
    bool m_open = false;                                     //!< whether the sockets are open
    std::map<uint32_t, Time> m_heard;                        //!< when a device was last heard
    std::set<uint32_t> m_approached;                         //!< see Approach()
    std::map<uint32_t, std::shared_ptr<Sending>> m_sendings; //!< by number of the message
    std::unique_ptr<MessageLedger> m_ledger;                 //!< account of its messages
};

} // namespace ns3::collab

#endif /* COLLAB_SOCKET_TRANSPORT_H */
