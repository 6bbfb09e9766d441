/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-ip-link.h"

#include "ns3/abort.h"
#include "ns3/arp-cache.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv6-interface.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/ndisc-cache.h"

#include <sstream>

namespace ns3::collab
{

namespace
{

/// @param address an interface's address
/// @return the address itself
Address
GetLocal(const Ipv4InterfaceAddress& address)
{
    return address.GetLocal();
}

/// @param address an interface's address
/// @return the address itself
Address
GetLocal(const Ipv6InterfaceAddress& address)
{
    return address.GetAddress();
}

/// @param ip IPv4 or IPv6 of a node; may be null
/// @param own an address
/// @param interface gets the number of the interface that has it
/// @param index gets the number of the address there
/// @return whether one has it
template <typename Ip>
bool
FindOwn(Ptr<Ip> ip, const Address& own, uint32_t& interface, uint32_t& index)
{
    for (interface = 0; ip && interface < ip->GetNInterfaces(); ++interface)
    {
        for (index = 0; index < ip->GetNAddresses(interface); ++index)
        {
            if (GetLocal(ip->GetAddress(interface, index)) == own)
            {
                return true;
            }
        }
    }
    return false;
}

/// @param cache of neighbors; may be null
/// @param address IP address of a neighbor
/// @param linkAddress its link-layer address
template <typename Cache, typename IpAddress>
void
SetPermanent(Ptr<Cache> cache, IpAddress address, const Address& linkAddress)
{
    if (!cache)
    {
        return;
    }
    auto* entry = cache->Lookup(address); // another program of the node may have asked
    if (!entry)
    {
        entry = cache->Add(address);
    }
    entry->SetMacAddress(linkAddress);
    entry->MarkPermanent();
}

} // namespace

IpLink::IpLink(Ptr<Node> node, const Address& own)
    : m_node(node),
      m_own(own)
{
    NS_ABORT_MSG_UNLESS(FindOwn(node->GetObject<Ipv4>(), own, m_interface, m_index) ||
                            FindOwn(node->GetObject<Ipv6>(), own, m_interface, m_index),
                        "IpLink: node " << node->GetId() << " no longer has the address "
                                        << Format(own));
}

Ptr<Socket>
IpLink::MakeSocket(TypeId protocol) const
{
    Ptr<Socket> socket = Socket::CreateSocket(m_node, protocol);
    if (Ipv6Address::IsMatchingType(m_own)) // link-local addresses do not tell where they are
    {
        socket->BindToNetDevice(m_node->GetObject<Ipv6>()->GetNetDevice(m_interface));
    }
    return socket;
}

Address
IpLink::GetListenAddress() const
{
    if (Ipv6Address::IsMatchingType(m_own))
    {
        return GetBroadcastAddress();
    }
    const auto address = m_node->GetObject<Ipv4>()->GetAddress(m_interface, m_index);
    return address.GetLocal().CombineMask(address.GetMask());
}

Address
IpLink::GetBroadcastAddress() const
{
    if (Ipv6Address::IsMatchingType(m_own))
    {
        return Ipv6Address::GetAllNodesMulticast();
    }
    const auto address = m_node->GetObject<Ipv4>()->GetAddress(m_interface, m_index);
    return address.GetLocal().GetSubnetDirectedBroadcast(address.GetMask());
}

bool
IpLink::Has(const Address& address) const
{
    if (Ipv6Address::IsMatchingType(m_own))
    {
        const auto own = m_node->GetObject<Ipv6>()->GetAddress(m_interface, m_index);
        return Ipv6Address::IsMatchingType(address) &&
               own.GetPrefix().IsMatch(own.GetAddress(), Ipv6Address::ConvertFrom(address));
    }
    const auto own = m_node->GetObject<Ipv4>()->GetAddress(m_interface, m_index);
    return Ipv4Address::IsMatchingType(address) &&
           own.GetMask().IsMatch(own.GetLocal(), Ipv4Address::ConvertFrom(address));
}

void
IpLink::SetLinkAddress(const Address& address, const Address& linkAddress) const
{
    if (Ipv6Address::IsMatchingType(address))
    {
        const auto interface = m_node->GetObject<Ipv6L3Protocol>()->GetInterface(m_interface);
        SetPermanent(interface->GetNdiscCache(), Ipv6Address::ConvertFrom(address), linkAddress);
        return;
    }
    const auto interface = m_node->GetObject<Ipv4L3Protocol>()->GetInterface(m_interface);
    SetPermanent(interface->GetArpCache(), Ipv4Address::ConvertFrom(address), linkAddress);
}

std::optional<Address>
IpLink::FindAddress(Ptr<NetDevice> device)
{
    Ptr<Ipv4> ipv4 = device->GetNode()->GetObject<Ipv4>();
    const int32_t found = ipv4 ? ipv4->GetInterfaceForDevice(device) : -1;
    if (found >= 0 && ipv4->GetNAddresses(static_cast<uint32_t>(found)) > 0)
    {
        return ipv4->GetAddress(static_cast<uint32_t>(found), 0).GetLocal();
    }
    Ptr<Ipv6> ipv6 = device->GetNode()->GetObject<Ipv6>();
    const int32_t found6 = ipv6 ? ipv6->GetInterfaceForDevice(device) : -1;
    std::optional<Address> address;
    for (uint32_t i = 0; found6 >= 0 && i < ipv6->GetNAddresses(static_cast<uint32_t>(found6)); ++i)
    {
        const Ipv6Address own = ipv6->GetAddress(static_cast<uint32_t>(found6), i).GetAddress();
        if (!own.IsLinkLocal())
        {
            return own;
        }
        address = own;
    }
    return address;
}

Address
IpLink::MakeSocketAddress(const Address& address, uint16_t port)
{
    if (Ipv6Address::IsMatchingType(address))
    {
        return Inet6SocketAddress(Ipv6Address::ConvertFrom(address), port);
    }
    return InetSocketAddress(Ipv4Address::ConvertFrom(address), port);
}

Address
IpLink::GetHost(const Address& socketAddress)
{
    if (Inet6SocketAddress::IsMatchingType(socketAddress))
    {
        return Inet6SocketAddress::ConvertFrom(socketAddress).GetIpv6();
    }
    const bool isIpv4 = InetSocketAddress::IsMatchingType(socketAddress);
    return isIpv4 ? Address(InetSocketAddress::ConvertFrom(socketAddress).GetIpv4()) : Address();
}

std::string
IpLink::Format(const Address& address)
{
    std::ostringstream text;
    if (Ipv6Address::IsMatchingType(address))
    {
        text << Ipv6Address::ConvertFrom(address);
    }
    else
    {
        text << Ipv4Address::ConvertFrom(address);
    }
    return text.str();
}

} // namespace ns3::collab
