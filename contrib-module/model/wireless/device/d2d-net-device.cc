/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-net-device.h"

#include "ns3/abort.h"
#include "ns3/collab-error.h"
#include "ns3/d2d-channel.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("D2dNetDevice");
NS_OBJECT_ENSURE_REGISTERED(D2dNetDevice);

TypeId
D2dNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::D2dNetDevice")
            .SetParent<NetDevice>()
            .SetGroupName("Collab")
            .AddConstructor<D2dNetDevice>()
            .AddAttribute("Mtu",
                          "Largest packet that the network layer may send [byte].",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&D2dNetDevice::m_mtu),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("Phy",
                          "The physical layer: power, band, rate, and what the radio is doing.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&D2dNetDevice::GetPhy),
                          MakePointerChecker<D2dPhy>())
            .AddAttribute("Mac",
                          "The medium access: queue, back-off, and acknowledgments.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&D2dNetDevice::GetMac),
                          MakePointerChecker<D2dMac>())
            .AddAttribute("Discovery",
                          "What the device knows of its neighbors.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&D2dNetDevice::GetDiscovery),
                          MakePointerChecker<D2dNeighborDiscovery>());
    return tid;
}

D2dNetDevice::D2dNetDevice()
    : m_phy(CreateObject<D2dPhy>()),
      m_mac(CreateObject<D2dMac>()),
      m_discovery(CreateObject<D2dNeighborDiscovery>())
{
    NS_LOG_FUNCTION(this);
    m_mac->SetPhy(m_phy);
    m_discovery->SetMac(m_mac);
    m_mac->SetPowerCallback([this]() { m_linkChangeCallbacks(); });
    m_mac->SetReceiveCallback(
        [this](const D2dBurst& burst,
               const Address& source,
               const Ptr<const Packet>& packet,
               const std::vector<uint32_t>& units) { Receive(burst, source, packet, units); });
    m_phy->SetMemoryAbove(1, this, &m_burstCallbacks + 1);
}

D2dNetDevice::~D2dNetDevice() = default;

void
D2dNetDevice::DoInitialize()
{
    NS_LOG_FUNCTION(this);
    m_phy->Initialize();
    m_mac->Initialize();
    m_discovery->Initialize();
    NetDevice::DoInitialize();
}

void
D2dNetDevice::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_discovery->Dispose();
    m_mac->Dispose();
    m_burstCallbacks.clear();
    m_rxCallback = ReceiveCallback();
    m_promiscCallback = PromiscReceiveCallback();
    m_phy->Dispose();
    m_node = nullptr;
    m_channel = nullptr;
    NetDevice::DoDispose();
}

TypeId
D2dNetDevice::FindPart(const std::string& attribute)
{
    for (const TypeId& part :
         {GetTypeId(), D2dPhy::GetTypeId(), D2dMac::GetTypeId(), D2dNeighborDiscovery::GetTypeId()})
    {
        TypeId::AttributeInformation found;
        if (part.LookupAttributeByName(attribute, &found))
        {
            return part;
        }
    }
    throw UserError("attribute \"" + attribute +
                    "\" of a D2D radio given; allowed: those of D2dNetDevice, D2dPhy, D2dMac and "
                    "D2dNeighborDiscovery");
}

void
D2dNetDevice::SetPartAttribute(const std::string& name, const AttributeValue& value)
{
    const TypeId part = FindPart(name);
    const std::vector<Ptr<Object>> objects = {this, m_phy, m_mac, m_discovery};
    const auto owner = std::find_if(objects.begin(), objects.end(), [part](const auto& object) {
        return object->GetInstanceTypeId() == part;
    });
    (*owner)->SetAttribute(name, value);
}

void
D2dNetDevice::SetChannel(Ptr<D2dChannel> channel)
{
    NS_LOG_FUNCTION(this << channel);
    m_channel = channel;
    channel->Add(this);
}

Ptr<D2dChannel>
D2dNetDevice::GetD2dChannel() const
{
    return m_channel;
}

void
D2dNetDevice::SetBurstReceiveCallback(uint16_t protocol, BurstReceiveCallback callback)
{
    m_burstCallbacks[protocol] = std::move(callback);
    m_burstProtocols.set(protocol % m_burstProtocols.size());
}

void
D2dNetDevice::Receive(const D2dBurst& burst,
                      const Address& source,
                      const Ptr<const Packet>& packet,
                      const std::vector<uint32_t>& units)
{
    if (m_burstProtocols.test(burst.protocol % m_burstProtocols.size()))
    {
        const auto direct = m_burstCallbacks.find(burst.protocol);
        if (direct != m_burstCallbacks.end())
        {
            D2dBurst received = burst;
            received.packet = packet;
            direct->second(received, units);
            return;
        }
    }
    // The node's protocols take whole packets only
    if (units.size() >= burst.division.units)
    {
        ForwardUp(burst, source, packet);
    }
}

void
D2dNetDevice::ForwardUp(const D2dBurst& burst,
                        const Address& source,
                        const Ptr<const Packet>& packet)
{
    if (!m_promiscCallback.IsNull())
    {
        PacketType type = PACKET_HOST;
        if (burst.destination.IsGroup())
        {
            type = burst.destination.IsBroadcast() ? PACKET_BROADCAST : PACKET_MULTICAST;
        }
        m_promiscCallback(this, packet, burst.protocol, source, burst.destination, type);
    }
    if (!m_rxCallback.IsNull())
    {
        m_rxCallback(this, packet, burst.protocol, source);
    }
}

int64_t
D2dNetDevice::AssignStreams(int64_t stream)
{
    return m_phy->AssignStreams(stream);
}

Ptr<Channel>
D2dNetDevice::GetChannel() const
{
    return m_channel;
}

void
D2dNetDevice::SetAddress(Address address)
{
    NS_ABORT_MSG_IF(m_channel, "D2dNetDevice::SetAddress: set the address before the channel");
    m_mac->SetAddress(Mac48Address::ConvertFrom(address));
}

Address
D2dNetDevice::GetAddress() const
{
    return m_mac->GetAddress();
}

bool
D2dNetDevice::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

bool
D2dNetDevice::IsLinkUp() const
{
    return m_channel && m_phy->IsOn();
}

void
D2dNetDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChangeCallbacks.ConnectWithoutContext(callback);
}

Address
D2dNetDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

Address
D2dNetDevice::GetMulticast(Ipv4Address multicastGroup) const
{
    return Mac48Address::GetMulticast(multicastGroup);
}

Address
D2dNetDevice::GetMulticast(Ipv6Address addr) const
{
    return Mac48Address::GetMulticast(addr);
}

bool
D2dNetDevice::Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber)
{
    NS_LOG_FUNCTION(this << packet << dest << protocolNumber);
    if (packet->GetSize() > m_mtu)
    {
        m_mac->RefusePacket(packet);
        return false;
    }
    return m_mac->SendPacket(packet, Mac48Address::ConvertFrom(dest), protocolNumber);
}

bool
D2dNetDevice::SendFrom(Ptr<Packet>, const Address&, const Address&, uint16_t)
{
    return false;
}

void
D2dNetDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
    m_phy->SetNode(node);
}

void
D2dNetDevice::SetReceiveCallback(ReceiveCallback cb)
{
    m_rxCallback = cb;
    const void* function = PeekPointer(cb.GetImpl());
    m_phy->SetMemoryAbove(2, function, function ? static_cast<const char*>(function) + 1 : nullptr);
}

} // namespace ns3::collab
