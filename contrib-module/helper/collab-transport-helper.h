/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TRANSPORT_HELPER_H
#define COLLAB_TRANSPORT_HELPER_H

#include "ns3/net-device-container.h"
#include "ns3/object-factory.h"

#include <cstdint>
#include <string>

namespace ns3::collab
{

/**
 * @ingroup collab-helper
 * @brief Gives nodes a transport for messages: straight over D2D radios, or over IPv4 sockets.
 *
 * The kind of network is the one line in which scenarios differ.
 */
class TransportHelper
{
  public:
    /// @return a helper for messages straight over D2dNetDevices (D2dTransport)
    static TransportHelper D2d();
    /// @return a helper for messages in UDP datagrams (UdpTransport)
    static TransportHelper Udp();
    /// @return a helper for messages over TCP connections (TcpTransport)
    static TransportHelper Tcp();

    /// @param name name of an attribute of the transport
    /// @param value its value
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @brief Choose how nodes learn the link-layer addresses of the others.
     *
     * By default they are told in advance, as they are told IP addresses. ARP instead keeps three
     * packets a peer until it has an answer and drops the others, and gives a peer up for 100 s
     * that does not answer three times, as can happen where broadcasts collide or are lost.
     *
     * @param resolves whether they ask for them by ARP
     */
    void SetAddressResolution(bool resolves);

    /**
     * @brief Aggregate a transport to the node of each device; all of them can speak with each
     * other.
     *
     * For IP the first IPv4 address of each device goes in the address book that all of them get.
     * Call it before the simulation runs, at whose start sockets are opened.
     *
     * @param devices one a node; D2dNetDevices for D2d(), or else any with an IPv4 address
     * @throws UserError if a device lacks what the transport needs, or its node has a transport
     */
    void Install(const NetDeviceContainer& devices) const;

    /// @brief Assign fixed streams to the random variables beneath the transports that were
    /// installed: of D2D radios and their channel, or of the nodes' internet stacks.
    /// @param devices devices with transports, all of one kind; other radios have helpers of their
    /// own
    /// @param stream first stream index to use
    /// @return number of stream indices used
    static int64_t AssignStreams(const NetDeviceContainer& devices, int64_t stream);

  private:
    /// @param type TypeId name of the transport
    explicit TransportHelper(const std::string& type);

    /// @param devices D2dNetDevices
    void InstallD2d(const NetDeviceContainer& devices) const;
    /// @param devices devices with IPv4 addresses
    void InstallIp(const NetDeviceContainer& devices) const;
    /// @return whether the transport is a D2dTransport
    bool IsD2d() const;

    ObjectFactory m_factory;          //!< makes transports
    bool m_resolvesAddresses = false; //!< see SetAddressResolution()
};

} // namespace ns3::collab

#endif /* COLLAB_TRANSPORT_HELPER_H */
