/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ANY_RADIO_DEVICES_H
#define ANY_RADIO_DEVICES_H

#include "ns3/collab-module.h"
#include "ns3/csma-helper.h"
#include "ns3/double.h"
#include "ns3/energy-source-container.h"
#include "ns3/mobility-helper.h"
#include "ns3/node.h"
#include "ns3/string.h"
#include "ns3/wifi-radio-energy-model-helper.h"
#include "ns3/yans-wifi-helper.h"

#include <string>

/**
 * @param nodes nodes with mobility models and batteries
 * @return 802.11a radios in ad hoc mode, which draw from the batteries
 */
inline ns3::NetDeviceContainer
InstallWifi(const ns3::NodeContainer& nodes)
{
    using namespace ns3;
    YansWifiPhyHelper phy;
    phy.SetChannel(YansWifiChannelHelper::Default().Create());
    WifiMacHelper mac;
    mac.SetType("ns3::AdhocWifiMac");
    WifiHelper wifi;
    wifi.SetStandard(WIFI_STANDARD_80211a);
    wifi.SetRemoteStationManager(
        "ns3::ConstantRateWifiManager", "DataMode", StringValue("OfdmRate12Mbps"));
    NetDeviceContainer radios = wifi.Install(phy, mac, nodes);
    wifi.AssignStreams(radios, 0);
    EnergySourceContainer batteries;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        batteries.Add(nodes.Get(i)->GetObject<EnergySourceContainer>()->Get(0));
    }
    WifiRadioEnergyModelHelper().Install(radios, batteries);
    return radios;
}

/**
 * @param network d2d, d2d-ip, wifi or csma
 * @param nodes the nodes
 * @return their devices on that network; each node has a battery and a processor then
 */
inline ns3::NetDeviceContainer
InstallDevices(const std::string& network, const ns3::NodeContainer& nodes)
{
    using namespace ns3;
    using namespace ns3::collab;
    MobilityHelper mobility;
    mobility.SetPositionAllocator("ns3::GridPositionAllocator", "DeltaX", DoubleValue(10));
    mobility.Install(nodes);
    if (network == "d2d" || network == "d2d-ip")
    {
        NetDeviceContainer radios = D2dHelper().InstallDevices(nodes);
        D2dHelper::AssignStreams(radios, 0);
        DeviceProfileHelper().Install(radios);
        return radios;
    }
    DeviceProfileHelper().InstallProcessors(nodes); // so that computing costs the same energy
    if (network == "wifi")
    {
        return InstallWifi(nodes);
    }
    if (network != "csma")
    {
        throw UserError("--network=" + network + " is none of d2d, d2d-ip, wifi and csma");
    }
    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", StringValue("10Mbps"));
    NetDeviceContainer cards = csma.Install(nodes);
    csma.AssignStreams(cards, 0);
    return cards;
}

#endif /* ANY_RADIO_DEVICES_H */
