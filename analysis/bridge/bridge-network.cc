/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bridge-network.h"

#include "common/scenario-checks.h"
#include "common/scenario-network.h"
#include "common/scenario-presence.h"

#include "ns3/collab-given-attributes.h"
#include "ns3/collab-number.h"
#include "ns3/collab-transport-helper.h"
#include "ns3/energy-source-container.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/mobility-helper.h"
#include "ns3/mobility-model.h"
#include "ns3/string.h"
#include "ns3/wifi-radio-energy-model-helper.h"
#include "ns3/yans-wifi-helper.h"

#include <fmt/format.h>
#include <sstream>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// Of the random streams of the devices' movement, apart from those of the network
constexpr int64_t MOBILITY_STREAM = 1LL << 40;

/// @return the parts of a text between separators
std::vector<std::string>
Split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);)
    {
        parts.push_back(part);
    }
    return parts;
}

/// @param p parameters of a run with --positions
/// @return positions of all devices [m]
/// @throws UserError if there are not as many, or one is none
std::vector<Vector>
ReadPositions(const BridgeParameters& p)
{
    std::vector<Vector> positions;
    for (const std::string& place : Split(p.positions, ';'))
    {
        std::vector<double> coordinates;
        for (const std::string& coordinate : Split(place, ','))
        {
            const auto number = ParseNumber(coordinate);
            Require(number.has_value(), "positions", p.positions, "numbers as x,y;x,y;...");
            coordinates.push_back(*number);
        }
        const bool isPlace = coordinates.size() == 2 || coordinates.size() == 3;
        Require(isPlace, "positions", p.positions, "x,y or x,y,z for each device");
        constexpr double HEIGHT = 1.5; // at which a device is carried
        positions.emplace_back(
            coordinates[0], coordinates[1], coordinates.size() == 3 ? coordinates[2] : HEIGHT);
    }
    Require(positions.size() == p.devices,
            "positions",
            p.positions,
            fmt::format("of {} devices (--devices), not {}", p.devices, positions.size()));
    return positions;
}

/// @return where devices are at the start [m]
std::vector<Vector>
FindPositions(const BridgeParameters& p)
{
    if (!p.positions.empty())
    {
        return ReadPositions(p);
    }
    if (p.network == "d2d")
    {
        return ScatterDevices(p);
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

/// Put the devices in their places, from where they move if the user wants them to
void
Place(const BridgeParameters& p, const NodeContainer& nodes, const std::vector<Vector>& positions)
{
    ObjectFactory factory("ns3::ConstantPositionMobilityModel");
    if (!p.mobility.empty())
    {
        std::istringstream(p.mobility) >> factory;
    }
    int64_t stream = MOBILITY_STREAM;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const auto model = factory.Create<MobilityModel>();
        model->SetPosition(positions[i]);
        nodes.Get(i)->AggregateObject(model);
        stream += model->AssignStreams(stream);
    }
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
ValidatePlaces(const BridgeParameters& p)
{
    if (!p.positions.empty())
    {
        ReadPositions(p);
    }
    if (!p.mobility.empty())
    {
        const std::string fault = FindObjectFault(MobilityModel::GetTypeId(), p.mobility);
        Require(fault.empty(), "mobility", p.mobility, "a mobility model of ns-3: " + fault);
    }
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
}

BridgeNetwork
InstallBridgeNetwork(const BridgeParameters& p, const NodeContainer& nodes)
{
    BridgeNetwork network{FindPositions(p), {}};
    Place(p, nodes, network.positions);
    if (p.network == "d2d")
    {
        network.hints = InstallNetwork(p, nodes).hints;
    }
    else
    {
        InstallWifi(p, nodes);
    }
    SlowDown(p, nodes);
    SchedulePresence(Presence(p.presence, p.devices), nodes);
    return network;
}
