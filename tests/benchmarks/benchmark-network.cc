/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "benchmark-network.h"

#include "ns3/boolean.h"
#include "ns3/d2d-helper.h"
#include "ns3/device-profile-helper.h"
#include "ns3/double.h"
#include "ns3/mobility-helper.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/position-allocator.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simple-net-device-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/wifi-helper.h"
#include "ns3/wifi-mac-helper.h"
#include "ns3/yans-wifi-helper.h"

#include <cmath>

namespace ns3::collab
{
namespace benchmarks
{

namespace
{

/// Bytes of a packet that is sent in turns
constexpr uint32_t PACKET_BYTES = 1000;
/// Protocol number of what is sent: no protocol of a node takes it
constexpr uint16_t PROTOCOL = 0x88b4;

/// @return time from one turn to the next, longer than a packet at RATE_MBPS with its overhead
Time
GetTurn()
{
    return MilliSeconds(2);
}

/// @param sideM side of a square [m]
/// @return random places in it
Ptr<PositionAllocator>
MakePlaces(double sideM)
{
    auto places = CreateObject<RandomRectanglePositionAllocator>();
    auto coordinate = CreateObject<UniformRandomVariable>();
    coordinate->SetAttribute("Max", DoubleValue(sideM));
    places->SetX(coordinate);
    places->SetY(coordinate);
    places->AssignStreams(1);
    return places;
}

} // namespace

Simulation::Simulation()
{
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(1);
}

Simulation::~Simulation()
{
    Simulator::Destroy();
}

NodeContainer
MakeStillNodes(uint32_t count, double sideM)
{
    NodeContainer nodes;
    nodes.Create(count);
    MobilityHelper mobility;
    mobility.SetPositionAllocator(MakePlaces(sideM));
    mobility.Install(nodes);
    return nodes;
}

NodeContainer
MakeMovingNodes(uint32_t count, double sideM)
{
    NodeContainer nodes;
    nodes.Create(count);
    MobilityHelper mobility;
    Ptr<PositionAllocator> places = MakePlaces(sideM);
    mobility.SetPositionAllocator(places);
    mobility.SetMobilityModel(
        "ns3::RandomWaypointMobilityModel", "PositionAllocator", PointerValue(places));
    mobility.Install(nodes);
    mobility.AssignStreams(nodes, 10);
    return nodes;
}

double
GetSideM(uint32_t count)
{
    double least = 0; // range over side
    double greatest = 1;
    for (int i = 0; i < 60; ++i)
    {
        const double ratio = (least + greatest) / 2;
        // Probability that two random places in a unit square are within that distance
        const double within =
            M_PI * ratio * ratio - 8.0 / 3 * std::pow(ratio, 3) + std::pow(ratio, 4) / 2;
        ((count - 1) * within < RECEIVERS ? least : greatest) = ratio;
    }
    return RANGE_M / greatest;
}

NetDeviceContainer
InstallD2d(const NodeContainer& nodes, const D2dOptions& options)
{
    D2dHelper helper;
    helper.SetChannelAttribute("Fidelity", StringValue(options.fidelity));
    helper.SetDeviceAttribute("Bandwidth", DoubleValue(RATE_MBPS * 1e6));
    if (!options.delay)
    {
        helper.SetChannelAttribute("PropagationDelayModel", PointerValue());
    }
    if (options.outage >= 0)
    {
        helper.SetChannelAttribute("OutageModel",
                                   StringValue("ns3::collab::D2dFixedOutageModel[Probability=" +
                                               std::to_string(options.outage) + "]"));
    }
    if (options.shared)
    {
        helper.SetChannelAttribute("Access", StringValue("Shared"));
        helper.SetDeviceAttribute("CarrierSense", BooleanValue(false));
    }
    if (options.limited)
    {
        constexpr double TX_POWER_DBM = 20;
        constexpr double LOSS_AT_1_M_DB = 46.6777; // defaults of LogDistancePropagationLossModel
        helper.SetDeviceAttribute("TxPower", DoubleValue(TX_POWER_DBM));
        helper.SetDeviceAttribute(
            "RxSensitivity", DoubleValue(TX_POWER_DBM - LOSS_AT_1_M_DB - 30 * std::log10(RANGE_M)));
    }
    const NetDeviceContainer devices = helper.Install(nodes);
    D2dHelper::AssignStreams(devices, 100000);
    if (options.energy)
    {
        DeviceProfileHelper profile;
        profile.SetSourceAttribute("BasicEnergySourceInitialEnergyJ", DoubleValue(1e9));
        profile.Install(devices);
    }
    return devices;
}

NetDeviceContainer
InstallSimple(const NodeContainer& nodes)
{
    SimpleNetDeviceHelper helper;
    helper.SetDeviceAttribute("DataRate", StringValue(std::to_string(RATE_MBPS) + "Mbps"));
    return helper.Install(nodes);
}

NetDeviceContainer
InstallWifi(const NodeContainer& nodes)
{
    YansWifiChannelHelper channel;
    channel.AddPropagationLoss("ns3::LogDistancePropagationLossModel");
    channel.SetPropagationDelay("ns3::ConstantSpeedPropagationDelayModel");
    YansWifiPhyHelper phy;
    phy.SetChannel(channel.Create());
    WifiMacHelper mac;
    mac.SetType("ns3::AdhocWifiMac");
    WifiHelper wifi;
    wifi.SetStandard(WIFI_STANDARD_80211a);
    const StringValue mode("OfdmRate" + std::to_string(RATE_MBPS) + "Mbps");
    wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager", "DataMode", mode);
    return wifi.Install(phy, mac, nodes);
}

BroadcastTurns::BroadcastTurns(const NetDeviceContainer& devices)
    : m_devices(devices)
{
    for (uint32_t i = 0; i < devices.GetN(); ++i)
    {
        devices.Get(i)->SetReceiveCallback(MakeCallback(&BroadcastTurns::Receive, this));
    }
    Run();
    m_sends = 0;
    m_receptions = 0;
    m_events = 0;
}

void
BroadcastTurns::Run()
{
    const uint64_t eventsBefore = Simulator::GetEventCount();
    Simulator::ScheduleWithContext(0, Time(), [this]() { Send(0); });
    Simulator::Stop(GetTurn() * static_cast<int64_t>(m_devices.GetN()));
    Simulator::Run();
    m_events += Simulator::GetEventCount() - eventsBefore;
}

void
BroadcastTurns::Send(uint32_t index)
{
    Ptr<NetDevice> device = m_devices.Get(index);
    device->Send(Create<Packet>(PACKET_BYTES), device->GetBroadcast(), PROTOCOL);
    ++m_sends;
    if (index + 1 < m_devices.GetN())
    {
        Simulator::Schedule(GetTurn(), &BroadcastTurns::Send, this, index + 1);
    }
}

bool
BroadcastTurns::Receive(Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&)
{
    ++m_receptions;
    return true;
}

void
BroadcastTurns::Report(benchmark::State& state) const
{
    using benchmark::Counter;
    state.counters["sends/s"] = Counter(static_cast<double>(m_sends), Counter::kIsRate);
    state.counters["receptions/s"] = Counter(static_cast<double>(m_receptions), Counter::kIsRate);
    state.counters["events/s"] = Counter(static_cast<double>(m_events), Counter::kIsRate);
    state.counters["receivers"] = static_cast<double>(m_receptions) / static_cast<double>(m_sends);
}

void
RunTurns(benchmark::State& state, const NetDeviceContainer& devices)
{
    BroadcastTurns turns(devices);
    for (auto _ : state)
    {
        turns.Run();
    }
    turns.Report(state);
    state.SetItemsProcessed(state.iterations() * devices.GetN());
}

} // namespace benchmarks
} // namespace ns3::collab
