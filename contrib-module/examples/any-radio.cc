/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Devices learn together by prediction consensus, over the network of your choice:
 *
 *   --network=d2d      messages straight over D2D radios
 *   --network=d2d-ip   D2D radios under IPv4
 *   --network=wifi     802.11a ad hoc under IPv4
 *   --network=wifi-ax  802.11ax (Wi-Fi 6) ad hoc under IPv4
 *   --network=lr-wpan  IEEE 802.15.4 with 6LoWPAN under IPv6, if ns-3 has these modules
 *   --network=csma     a shared cable under IPv4
 *
 * The protocol and its set-up are the same; TransportHelper makes the difference. Over IP
 * --transport is udp or tcp, and FlowMonitor tells what the packets went through.
 */

#include "lr-wpan-devices.h"

#include "ns3/collab-module.h"
#include "ns3/core-module.h"
#include "ns3/csma-helper.h"
#include "ns3/energy-source-container.h"
#include "ns3/flow-monitor-helper.h"
#include "ns3/internet-module.h"
#include "ns3/mobility-helper.h"
#include "ns3/wifi-radio-energy-model-helper.h"
#include "ns3/yans-wifi-helper.h"

#include <iostream>
#include <numeric>

using namespace ns3;
using namespace ns3::collab;

/// @param node a node that DeviceProfileHelper has equipped
/// @return its battery
Ptr<EnergySource>
GetBattery(Ptr<Node> node)
{
    return node->GetObject<EnergySourceContainer>()->Get(0);
}

/// @param nodes nodes with mobility models and batteries
/// @param standard 802.11a or 802.11ax
/// @return radios in ad hoc mode at a moderate rate, which draw from the batteries
NetDeviceContainer
InstallWifi(const NodeContainer& nodes, WifiStandard standard)
{
    YansWifiPhyHelper phy;
    phy.SetChannel(YansWifiChannelHelper::Default().Create());
    WifiMacHelper mac;
    mac.SetType("ns3::AdhocWifiMac");
    WifiHelper wifi;
    wifi.SetStandard(standard);
    const std::string mode = standard == WIFI_STANDARD_80211ax ? "HeMcs1" : "OfdmRate12Mbps";
    wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager", "DataMode", StringValue(mode));
    NetDeviceContainer radios = wifi.Install(phy, mac, nodes);
    wifi.AssignStreams(radios, 0);
    EnergySourceContainer batteries;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        batteries.Add(GetBattery(nodes.Get(i)));
    }
    WifiRadioEnergyModelHelper().Install(radios, batteries);
    return radios;
}

/// @param network d2d, d2d-ip, wifi, wifi-ax, csma or lr-wpan
/// @param nodes the nodes
/// @return their devices on that network; each node has a battery and a processor then
NetDeviceContainer
InstallDevices(const std::string& network, const NodeContainer& nodes)
{
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
    if (network == "wifi" || network == "wifi-ax")
    {
        return InstallWifi(nodes, network == "wifi" ? WIFI_STANDARD_80211a : WIFI_STANDARD_80211ax);
    }
#ifdef COLLAB_LR_WPAN
    if (network == "lr-wpan")
    {
        return InstallLrWpan(nodes);
    }
#endif
    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", StringValue("10Mbps"));
    NetDeviceContainer cards = csma.Install(nodes);
    csma.AssignStreams(cards, 0);
    return cards;
}

/// @param network the network
/// @param devices what it consists of
void
AssignAddresses(const std::string& network, const NetDeviceContainer& devices)
{
    if (network == "lr-wpan")
    {
        Ipv6AddressHelper().AssignWithoutAddress(devices); // link-local: 6LoWPAN compresses them
        return;
    }
    Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
}

/// @param dataDir folder of the IDX files
/// @param devices number of agents
/// @return agents with some 200 labeled images each and 200 unlabeled ones that they share
std::vector<PredictionConsensusAgent>
MakeAgents(const std::string& dataDir, uint32_t devices)
{
    const auto data = LoadIdxDataSet(dataDir);
    IdxOptions testPart;
    testPart.train = false;
    std::vector<uint32_t> shared(200), own(devices * 200), test(1000);
    std::iota(shared.begin(), shared.end(), 0);
    std::iota(own.begin(), own.end(), shared.size());
    std::iota(test.begin(), test.end(), 0);
    const auto reference = std::make_shared<DataView>(MakeView(data, shared));
    const auto global =
        std::make_shared<DataView>(MakeView(LoadIdxDataSet(dataDir, testPart), test));
    DirichletOptions dealing;
    dealing.devices = devices;
    dealing.alpha = 0.5;
    dealing.minimumSize = 50;
    const auto parts =
        PartitionDirichlet(data->labels, own, 10, dealing, SeedFor(RandomPurpose::PARTITION));
    std::vector<PredictionConsensusAgent> agents;
    for (uint32_t i = 0; i < devices; ++i)
    {
        TorchLearnerConfig config; // of a multilayer perceptron, by default
        config.trainData = MakeView(data, parts[i]);
        config.initializationSeed = SeedFor(RandomPurpose::INITIALIZATION, i);
        config.shuffleSeed = SeedFor(RandomPurpose::SHUFFLE, i);
        agents.push_back({MakeTorchLearner(config), reference, {{"global", global}}});
    }
    return agents;
}

/// @param nodes nodes with transports and batteries
void
PrintCosts(const NodeContainer& nodes)
{
    uint64_t bytes = 0;
    double joules = 0;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        bytes += nodes.Get(i)->GetObject<Transport>()->GetBytesSent();
        Ptr<EnergySource> battery = GetBattery(nodes.Get(i));
        battery->UpdateEnergySource();
        joules += battery->GetInitialEnergy() - battery->GetRemainingEnergy();
    }
    std::cout << "bytes of messages " << bytes << ", simulated time [s] "
              << Simulator::Now().GetSeconds() << ", drawn from batteries [J] " << joules << "\n";
}

/// @param monitor what has watched all packets
void
PrintFlows(Ptr<FlowMonitor> monitor)
{
    monitor->CheckForLostPackets(Seconds(1));
    FlowMonitor::FlowStats sum{};
    for (const auto& [id, flow] : monitor->GetFlowStats())
    {
        sum.txPackets += flow.txPackets;
        sum.rxPackets += flow.rxPackets;
        sum.lostPackets += flow.lostPackets;
        sum.delaySum += flow.delaySum;
    }
    std::cout << "IP flows " << monitor->GetFlowStats().size() << ", packets sent " << sum.txPackets
              << ", lost " << sum.lostPackets << ", mean delay [ms] "
              << (sum.rxPackets > 0 ? sum.delaySum.GetSeconds() * 1e3 / sum.rxPackets : 0) << "\n";
}

int
main(int argc, char* argv[])
{
    return RunScenario("any-radio", [&]() {
        std::string network = "wifi";
        std::string transport = "udp";
        std::string dataDir = "/usr/share/datasets/fashion-mnist";
        ParameterList list;
        list.Add("network", network, "what carries the messages")
            .Choices({"d2d",
                      "d2d-ip",
                      "wifi",
                      "wifi-ax",
#ifdef COLLAB_LR_WPAN
                      "lr-wpan",
#endif
                      "csma"});
        list.Add("transport", transport, "unless the network is d2d").Choices({"udp", "tcp"});
        list.Take("rounds", "ns3::collab::CollaborationApplication::Rounds")
            .Help("rounds, the first one alone")
            .Default(5);
        list.Add("dataDir", dataDir, "folder of the IDX files");
        ScenarioArguments(__FILE__, "Prediction consensus over any network.", list)
            .Parse(argc, argv);
        const std::string consensusType = "ns3::collab::PredictionConsensusApplication::";
        SetDefaultUnlessGiven(consensusType + "PretrainingRounds", UintegerValue(1));
        SetDefaultUnlessGiven(consensusType + "LossPolicy", StringValue("Reliable"));
        ConfigureTorchProcess();

        NodeContainer nodes(5);
        const NetDeviceContainer devices = InstallDevices(network, nodes);
        FlowMonitorHelper flows;
        TransportHelper helper = TransportHelper::D2d();
        if (network != "d2d")
        {
            InternetStackHelper().Install(nodes);
            AssignAddresses(network, devices);
            helper = transport == "udp" ? TransportHelper::Udp() : TransportHelper::Tcp();
            flows.Install(nodes);
        }
        helper.Install(devices);
        TransportHelper::AssignStreams(devices, 100);

        PredictionConsensusHelper consensus(CreateObject<LearnerPool>());
        consensus.SetAttribute("Rounds", UintegerValue(list.Get<uint32_t>("rounds")));
        const ApplicationContainer agents =
            consensus.Install(nodes, MakeAgents(dataDir, nodes.GetN()));
        double accuracy = 0;
        const Callback<void, const RoundRecord&> record([&](const RoundRecord& ended) {
            for (const auto& [name, value] : ended.metrics)
            {
                const bool isLast =
                    ended.round == list.Get<uint32_t>("rounds") - 1 && name == "accuracy_global";
                accuracy += isLast ? value / agents.GetN() : 0;
            }
        });
        for (uint32_t i = 0; i < agents.GetN(); ++i)
        {
            agents.Get(i)->TraceConnectWithoutContext("Round", record);
        }
        StopWhenAllEnd(agents);
        Simulator::Run();

        std::cout << "mean accuracy [1] " << accuracy << "\n";
        PrintCosts(nodes);
        if (network != "d2d")
        {
            PrintFlows(flows.GetMonitor());
        }
        Simulator::Destroy();
    });
}
