/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SUPPORT_DEVICE_NETWORK_H
#define SUPPORT_DEVICE_NETWORK_H

#include "ns3/collab-transport.h"
#include "ns3/d2d-helper.h"
#include "ns3/d2d-net-device.h"
#include "ns3/device-profile-helper.h"
#include "ns3/double.h"
#include "ns3/mobility-helper.h"
#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <gtest/gtest.h>

namespace tests
{

/// Devices that all hear each other, every link with one and the same outage probability
class DeviceNetwork : public ::testing::Test
{
  protected:
    /// How to make the devices
    struct Options
    {
        uint32_t devices = 3;                  //!< number of devices
        double outage = 0;                     //!< of every link
        std::string fidelity = "Burst";        //!< attribute Fidelity
        std::string payloadMode = "Reference"; //!< attribute PayloadMode
        double batteryJ = 1e4;                 //!< charge of every device
        uint32_t run = 1;                      //!< ns-3's run number
    };

    /// @param options how to make the devices
    void
    MakeDevices(const Options& options)
    {
        ns3::RngSeedManager::SetSeed(7);
        ns3::RngSeedManager::SetRun(options.run);
        m_nodes = ns3::NodeContainer();
        m_nodes.Create(options.devices);
        ns3::MobilityHelper mobility;
        mobility.Install(m_nodes);
        ns3::collab::D2dHelper d2d;
        d2d.AddPropagationLossModel("ns3::FixedRssLossModel", "Rss", ns3::DoubleValue(-60.0));
        d2d.SetChannelAttribute("Fidelity", ns3::StringValue(options.fidelity));
        d2d.SetChannelAttribute("OutageModel",
                                ns3::StringValue("ns3::collab::D2dFixedOutageModel[Probability=" +
                                                 std::to_string(options.outage) + "]"));
        d2d.SetTransportAttribute("PayloadMode", ns3::StringValue(options.payloadMode));
        m_devices = d2d.Install(m_nodes);
        ns3::collab::D2dHelper::AssignStreams(m_devices, 0);
        ns3::collab::DeviceProfileHelper profile;
        profile.SetSourceAttribute("BasicEnergySourceInitialEnergyJ",
                                   ns3::DoubleValue(options.batteryJ));
        profile.Install(m_devices);
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
