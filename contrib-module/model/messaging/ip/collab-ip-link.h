/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_IP_LINK_H
#define COLLAB_IP_LINK_H

#include "ns3/address.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/socket.h"
#include "ns3/type-id.h"

#include <optional>
#include <string>

namespace ns3::collab
{

/**
 * @ingroup collab-messaging
 * @brief The link that a device's IP address is on: what IPv4 and IPv6 do differently.
 *
 * An IP address is an Address that holds an Ipv4Address or an Ipv6Address. IPv6 has no broadcast;
 * the multicast to all nodes of the link (ff02::1) takes its place.
 */
class IpLink
{
  public:
    /// @param node a node
    /// @param own an IP address of it; it aborts if the node does not have that
    IpLink(Ptr<Node> node, const Address& own);

    /// @param protocol TypeId of a socket factory
    /// @return a socket of the node; with IPv6 it sends over this link alone
    Ptr<Socket> MakeSocket(TypeId protocol) const;
    /// @return address to which a socket has to be bound to receive broadcasts
    Address GetListenAddress() const;
    /// @return address of all nodes of the link
    Address GetBroadcastAddress() const;
    /// @param address an IP address
    /// @return whether it is on this link, as its prefix says
    bool Has(const Address& address) const;
    /// @brief Enter a neighbor's link-layer address into the node's cache, for good.
    /// @param address IP address of the neighbor
    /// @param linkAddress its link-layer address
    void SetLinkAddress(const Address& address, const Address& linkAddress) const;

    /// @param device a network device
    /// @return its first IPv4 address; without one its first global IPv6 address, or else its
    /// link-local one; nothing if it has no IP address
    static std::optional<Address> FindAddress(Ptr<NetDevice> device);
    /// @param address an IP address
    /// @param port a port
    /// @return the address of a socket
    static Address MakeSocketAddress(const Address& address, uint16_t port);
    /// @param socketAddress the address of a socket
    /// @return its IP address; an invalid one if it has none
    static Address GetHost(const Address& socketAddress);
    /// @param address an IP address
    /// @return how it is written
    static std::string Format(const Address& address);

  private:
    Ptr<Node> m_node;     //!< the node
    Address m_own;        //!< its address
    uint32_t m_interface; //!< number of the interface that has it, in IPv4 or IPv6
    uint32_t m_index;     //!< number of the address there
};

} // namespace ns3::collab

#endif /* COLLAB_IP_LINK_H */
