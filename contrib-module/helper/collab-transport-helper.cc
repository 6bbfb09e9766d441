/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-transport-helper.h"

#include "d2d-helper.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-error.h"
#include "ns3/collab-ip-link.h"
#include "ns3/collab-tcp-transport.h"
#include "ns3/collab-udp-transport.h"
#include "ns3/d2d-transport.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6.h"
#include "ns3/node-container.h"

#include <memory>

namespace ns3::collab
{

namespace
{

/// @param device a device to install a transport on
/// @return its node
/// @throws UserError if there is none, or it has a transport
Ptr<Node>
GetFreeNode(Ptr<NetDevice> device)
{
    Ptr<Node> node = device->GetNode();
    Require<UserError>(node, "TransportHelper: a device is on no node; add it to one first");
    Require<UserError>(!node->GetObject<Transport>(),
                       "TransportHelper: node {} has a transport already; one a node is allowed "
                       "(D2dHelper::Install() adds one, InstallDevices() does not)",
                       node->GetId());
    return node;
}

/// @param device a device
/// @return its IP address
/// @throws UserError if it has none
Address
GetAddress(Ptr<NetDevice> device)
{
    const uint32_t node = device->GetNode()->GetId();
    Require<UserError>(device->GetNode()->GetObject<Ipv4>() || device->GetNode()->GetObject<Ipv6>(),
                       "TransportHelper: node {} has no IP stack; use InternetStackHelper first",
                       node);
    const std::optional<Address> address = IpLink::FindAddress(device);
    Require<UserError>(address,
                       "TransportHelper: device {} of node {} has no IP address; use "
                       "Ipv4AddressHelper or Ipv6AddressHelper first",
                       device->GetIfIndex(),
                       node);
    return *address;
}

} // namespace

TransportHelper::TransportHelper(const std::string& type)
    : m_factory(type)
{
}

TransportHelper
TransportHelper::D2d()
{
    return TransportHelper("ns3::collab::D2dTransport");
}

TransportHelper
TransportHelper::Udp()
{
    return TransportHelper("ns3::collab::UdpTransport");
}

TransportHelper
TransportHelper::Tcp()
{
    return TransportHelper("ns3::collab::TcpTransport");
}

void
TransportHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    m_factory.Set(name, value);
}

void
TransportHelper::SetAddressResolution(bool resolves)
{
    m_resolvesAddresses = resolves;
}

bool
TransportHelper::IsD2d() const
{
    return m_factory.GetTypeId() == D2dTransport::GetTypeId();
}

void
TransportHelper::Install(const NetDeviceContainer& devices) const
{
    IsD2d() ? InstallD2d(devices) : InstallIp(devices);
}

void
TransportHelper::InstallD2d(const NetDeviceContainer& devices) const
{
    for (uint32_t i = 0; i < devices.GetN(); ++i)
    {
        Ptr<Node> node = GetFreeNode(devices.Get(i));
        Ptr<D2dNetDevice> radio = DynamicCast<D2dNetDevice>(devices.Get(i));
        Require<UserError>(radio,
                           "TransportHelper: device {} of node {} is a {}; messages straight over "
                           "the radio need a D2dNetDevice",
                           devices.Get(i)->GetIfIndex(),
                           node->GetId(),
                           devices.Get(i)->GetInstanceTypeId().GetName());
        Ptr<D2dTransport> transport = m_factory.Create<D2dTransport>();
        transport->AddDevice(radio);
        node->AggregateObject(transport);
    }
}

void
TransportHelper::InstallIp(const NetDeviceContainer& devices) const
{
    auto book = std::make_shared<AddressBook>();
    for (uint32_t i = 0; i < devices.GetN(); ++i)
    {
        const uint32_t node = GetFreeNode(devices.Get(i))->GetId();
        const Address address = GetAddress(devices.Get(i));
        Require<UserError>(!book->FindAddress(node),
                           "TransportHelper: node {} has two of the devices; one a node is allowed",
                           node);
        book->Add(node, address, m_resolvesAddresses ? nullptr : devices.Get(i));
    }
    for (uint32_t i = 0; i < devices.GetN(); ++i)
    {
        Ptr<SocketTransport> transport = m_factory.Create<SocketTransport>();
        transport->Setup(devices.Get(i)->GetNode(), book);
        devices.Get(i)->GetNode()->AggregateObject(transport);
    }
}

int64_t
TransportHelper::AssignStreams(const NetDeviceContainer& devices, int64_t stream)
{
    NodeContainer nodes;
    for (uint32_t i = 0; i < devices.GetN(); ++i)
    {
        nodes.Add(devices.Get(i)->GetNode());
    }
    if (nodes.GetN() > 0 && nodes.Get(0)->GetObject<D2dTransport>())
    {
        return D2dHelper::AssignStreams(devices, stream);
    }
    return InternetStackHelper().AssignStreams(nodes, stream);
}

} // namespace ns3::collab
