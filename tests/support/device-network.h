/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SUPPORT_DEVICE_NETWORK_H
#define SUPPORT_DEVICE_NETWORK_H

#include "support/device-installation.h"

#include "ns3/collab-transport.h"
#include "ns3/d2d-net-device.h"
#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>

namespace tests
{

/// Devices that all hear each other, every link with one and the same outage probability
class DeviceNetwork : public ::testing::Test
{
  protected:
    using Options = DeviceOptions; //!< how to make the devices

    /// @param options how to make the devices
    void
    MakeDevices(const Options& options)
    {
        m_nodes = ns3::NodeContainer(options.devices);
        m_devices = InstallDevices(options, m_nodes);
    }

    /**
     * @param device number of a device in this network
     * @return its transport
     */
    ns3::Ptr<ns3::collab::Transport>
    GetTransport(uint32_t device) const
    {
        return m_nodes.Get(device)->GetObject<ns3::collab::Transport>();
    }

    /**
     * @param device number of a device in this network
     * @return its radio
     */
    ns3::Ptr<ns3::collab::D2dNetDevice>
    GetRadio(uint32_t device) const
    {
        return ns3::DynamicCast<ns3::collab::D2dNetDevice>(m_devices.Get(device));
    }

    void
    TearDown() override
    {
        m_devices = ns3::NetDeviceContainer();
        m_nodes = ns3::NodeContainer();
        ns3::Simulator::Destroy();
    }

    ns3::NodeContainer m_nodes;        //!< the nodes
    ns3::NetDeviceContainer m_devices; //!< their radios
};

} // namespace tests

#endif /* SUPPORT_DEVICE_NETWORK_H */
