/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bridge-network.h"

#include "common/scenario-network.h"
#include "common/scenario-placement.h"
#include "inputs/scenario-checks.h"
#include "inputs/scenario-presence.h"

#include "ns3/collab-transport-helper.h"
#include "ns3/energy-source-container.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/string.h"
#include "ns3/wifi-radio-energy-model-helper.h"
#include "ns3/yans-wifi-helper.h"

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// @return where devices are at the start [m]: with Wi-Fi by default on a grid
std::vector<Vector>
FindPositions(const BridgeParameters& p)
{
    if (p.network == "d2d" || p.places.area > 0 || p.places.GetGiven(p.devices))
    {
        return FindPlaces(p);
    }
    constexpr uint32_t ROW = 10;
    constexpr double SPACING = 10; // [m]
    std::vector<Vector> positions;
    for (uint32_t i = 0; i < p.devices; ++i)
    {
        positions.emplace_back(SPACING * (i % ROW), SPACING * (i / ROW), 0);
    }
    return positions;
}

/// Give devices 802.11a radios in ad hoc mode, which draw from their batteries
void
InstallWifi(const BridgeParameters& p, const NodeContainer& nodes)
{
    MakeProfile(p).InstallProcessors(nodes);
    YansWifiPhyHelper phy;
    phy.SetChannel(YansWifiChannelHelper::Default().Create());
    WifiMacHelper mac;
    mac.SetType("ns3::AdhocWifiMac");
    WifiHelper wifi;
    wifi.SetStandard(WIFI_STANDARD_80211a);
    wifi.SetRemoteStationManager(
        "ns3::ConstantRateWifiManager", "DataMode", StringValue("OfdmRate12Mbps"));
    const NetDeviceContainer radios = wifi.Install(phy, mac, nodes);
    wifi.AssignStreams(radios, 0);
    EnergySourceContainer batteries;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        batteries.Add(nodes.Get(i)->GetObject<EnergySourceContainer>()->Get(0));
    }
    WifiRadioEnergyModelHelper().Install(radios, batteries);
    InternetStackHelper().Install(nodes);
    Ipv4AddressHelper("10.0.0.0", "255.255.0.0").Assign(radios);
    (p.transport == "udp" ? TransportHelper::Udp() : TransportHelper::Tcp()).Install(radios);
    constexpr int64_t STACK_STREAM = 1LL << 20; // after those of the radios
    TransportHelper::AssignStreams(radios, STACK_STREAM);
}

} // namespace

void
ValidateNetwork(const BridgeParameters& p)
{
    const bool isD2d = p.network == "d2d";
    Require(isD2d || p.faults.partitions == "none",
            "partitions",
            p.faults.partitions,
            "none with --network=" + p.network + ", which has no D2D channel");
    Require(isD2d || p.presence == "always",
            "presence",
            p.presence,
            "always with --network=" + p.network + ", whose radios stay on");
    Require(isD2d || !p.linkTrace,
            "links",
            p.links,
            "radio with --network=" + p.network + ", which has no D2D channel");
    p.Require(isD2d || p.places.area == 0 || p.Find("area")->IsGiven(),
              "area",
              "given with --network=" + p.network + ", whose links have no maxOutage");
}

ScenarioNetwork
MakeBridgeNetwork(const BridgeParameters& p)
{
    ScenarioNetwork network;
    network.nodes.Create(p.devices);
    network.positions = PlaceDevices(p, network.nodes, FindPositions(p));
    if (p.network == "d2d")
    {
        InstallNetwork(p, network);
    }
    else
    {
        InstallWifi(p, network.nodes);
    }
    SlowDown(p, network.nodes);
    SchedulePresence(Presence(p.presence, p.devices), network.nodes);
    return network;
}
