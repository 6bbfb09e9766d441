/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_NET_DEVICE_H
#define D2D_NET_DEVICE_H

#include "d2d-neighbor-discovery.h"

#include "ns3/d2d-mac.h"
#include "ns3/d2d-phy.h"
#include "ns3/net-device.h"
#include "ns3/traced-callback.h"

#include <bitset>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ns3::collab
{

class D2dChannel;

/**
 * @ingroup collab-wireless
 * @brief A radio for device-to-device links, as an ns-3 NetDevice.
 *
 * It makes a D2dPhy, a D2dMac and a D2dNeighborDiscovery, and connects them to the node's
 * protocols.
 *
 * A node may have several radios on one channel, each for itself: they hear and disturb each other
 * as those of two nodes in one place do, but what one of them broadcasts is for other nodes.
 */
class D2dNetDevice : public NetDevice
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    D2dNetDevice();
    ~D2dNetDevice() override;

    /// @param attribute name of an attribute of a D2D radio, such as TxPower
    /// @return type of the part that has it: D2dNetDevice, D2dPhy, D2dMac, or D2dNeighborDiscovery
    /// @throws UserError if none has it
    static TypeId FindPart(const std::string& attribute);
    /// @brief Set an attribute of this device or of the part that has it.
    /// @param name name of the attribute
    /// @param value its value
    /// @throws UserError if no part has it
    void SetPartAttribute(const std::string& name, const AttributeValue& value);

    /// @return the physical layer
    Ptr<D2dPhy>
    GetPhy() const
    {
        return m_phy;
    }
    /// @return the medium access
    Ptr<D2dMac>
    GetMac() const
    {
        return m_mac;
    }
    /// @return what it knows of its neighbors
    Ptr<D2dNeighborDiscovery>
    GetDiscovery() const
    {
        return m_discovery;
    }

    /// Receives a burst: the burst with the packet as it arrived, and the numbers of the units that
    /// did, ascending, for a divisible packet.
    using BurstReceiveCallback =
        std::function<void(const D2dBurst& burst, const std::vector<uint32_t>& units)>;
    /// @brief Take bursts of one protocol past the node's protocol handlers.
    /// @param protocol the protocol number
    /// @param callback called with each burst of that protocol
    void SetBurstReceiveCallback(uint16_t protocol, BurstReceiveCallback callback);

    /// @param channel the channel to use; the device must have its address by then
    void SetChannel(Ptr<D2dChannel> channel);
    /// @return the channel
    Ptr<D2dChannel> GetD2dChannel() const;
    /// @brief Assign a fixed stream to the device's random variable.
    /// @param stream stream index to use
    /// @return number of stream indices used (1)
    int64_t AssignStreams(int64_t stream);

    // From NetDevice
    void
    SetIfIndex(const uint32_t index) override
    {
        m_ifIndex = index;
    }
    uint32_t
    GetIfIndex() const override
    {
        return m_ifIndex;
    }
    Ptr<Channel> GetChannel() const override;
    void SetAddress(Address address) override;
    Address GetAddress() const override;
    bool SetMtu(const uint16_t mtu) override;
    uint16_t
    GetMtu() const override
    {
        return m_mtu;
    }
    bool IsLinkUp() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;
    bool
    IsBroadcast() const override
    {
        return true;
    }
    Address GetBroadcast() const override;
    bool
    IsMulticast() const override
    {
        return true;
    }
    Address GetMulticast(Ipv4Address multicastGroup) const override;
    Address GetMulticast(Ipv6Address addr) const override;
    bool
    IsBridge() const override
    {
        return false;
    }
    bool
    IsPointToPoint() const override
    {
        return false;
    }
    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber) override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocolNumber) override;
    Ptr<Node>
    GetNode() const override
    {
        return m_node;
    }
    void SetNode(Ptr<Node> node) override;
    bool
    NeedsArp() const override
    {
        return true;
    }
    void SetReceiveCallback(ReceiveCallback cb) override;
    void
    SetPromiscReceiveCallback(PromiscReceiveCallback cb) override
    {
        m_promiscCallback = cb;
    }
    bool
    SupportsSendFrom() const override
    {
        return false;
    }

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    /// @brief A burst has arrived.
    /// @param burst the burst
    /// @param source its source, as the node's protocols want to have it
    /// @param packet what was received of it
    /// @param units units that were received, for a divisible packet
    void Receive(const D2dBurst& burst,
                 const Address& source,
                 const Ptr<const Packet>& packet,
                 const std::vector<uint32_t>& units);
    /// @brief Hand a packet to the node's protocols.
    /// @param burst burst that brought it
    /// @param source its source, as they want to have it
    /// @param packet the packet
    void ForwardUp(const D2dBurst& burst, const Address& source, const Ptr<const Packet>& packet);

    // What is needed to hand up a packet comes first and together: see D2dPhy::SetMemoryAbove()
    ReceiveCallback m_rxCallback;             //!< see SetReceiveCallback()
    PromiscReceiveCallback m_promiscCallback; //!< see SetPromiscReceiveCallback()
    std::bitset<64> m_burstProtocols; //!< last bits of numbers in m_burstCallbacks: others need not
                                      //!< be looked for there, somewhere else in memory
    std::map<uint16_t, BurstReceiveCallback> m_burstCallbacks; //!< by protocol number

    Ptr<D2dPhy> m_phy;                      //!< attribute Phy
    Ptr<D2dMac> m_mac;                      //!< attribute Mac
    Ptr<D2dNeighborDiscovery> m_discovery;  //!< attribute Discovery
    Ptr<Node> m_node;                       //!< the node
    Ptr<D2dChannel> m_channel;              //!< the channel
    uint32_t m_ifIndex = 0;                 //!< index at the node
    uint16_t m_mtu;                         //!< attribute Mtu [byte]
    TracedCallback<> m_linkChangeCallbacks; //!< told when the radio goes on or off
};

} // namespace ns3::collab

#endif /* D2D_NET_DEVICE_H */
