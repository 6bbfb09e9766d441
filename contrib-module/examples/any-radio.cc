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
 *   --network=csma     a shared cable under IPv4
 *
 * The protocol and its set-up are the same; TransportHelper makes the difference. Over IPv4
 * --transport is udp or tcp, and FlowMonitor tells what the packets went through.
 */

#include "any-radio-agents.h"
#include "any-radio-devices.h"
#include "any-radio-report.h"

#include "ns3/core-module.h"
#include "ns3/flow-monitor-helper.h"
#include "ns3/internet-module.h"

#include <iostream>

using namespace ns3;
using namespace ns3::collab;

int
main(int argc, char* argv[])
{
    return RunScenario("any-radio", [&]() {
        std::string network = "wifi";
        std::string transport = "udp";
        std::string dataDir = "/usr/share/datasets/fashion-mnist";
        ParameterList list;
        list.Add("network", network, "d2d, d2d-ip, wifi or csma");
        list.Add("transport", transport, "udp or tcp, unless the network is d2d");
        list.Take("rounds", "ns3::collab::CollaborationApplication::Rounds")
            .Help("rounds, the first one alone")
            .Default(5);
        list.Add("dataDir", dataDir, "folder of the IDX files");
        ScenarioArguments(__FILE__, "Prediction consensus over any network.", list)
            .Parse(argc, argv);
        const std::string consensusType = "ns3::collab::PredictionConsensusApplication::";
        SetDefaultUnlessGiven(consensusType + "PretrainingRounds", UintegerValue(1));
        SetDefaultUnlessGiven(consensusType + "LossPolicy", StringValue("Reliable"));
        if (transport != "udp" && transport != "tcp")
        {
            throw UserError("--transport=" + transport + " is none of udp and tcp");
        }
        ConfigureTorchProcess();

        NodeContainer nodes(5);
        const NetDeviceContainer devices = InstallDevices(network, nodes);
        FlowMonitorHelper flows;
        TransportHelper helper = TransportHelper::D2d();
        if (network != "d2d")
        {
            InternetStackHelper().Install(nodes);
            Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
            helper = transport == "udp" ? TransportHelper::Udp() : TransportHelper::Tcp();
            flows.Install(nodes);
        }
        helper.Install(devices);
        helper.AssignStreams(devices, 100);

        PredictionConsensusHelper consensus(CreateObject<LearnerPool>());
        consensus.SetAttribute("Rounds", UintegerValue(list.Get<uint32_t>("rounds")));
        const ApplicationContainer agents =
            consensus.Install(nodes, MakeAgents(dataDir, nodes.GetN()));
        const auto accuracy = MeasureAccuracy(agents, list.Get<uint32_t>("rounds") - 1);
        StopWhenAllEnd(agents);
        Simulator::Run();

        std::cout << "mean accuracy [1] " << *accuracy << ", bytes of messages "
                  << CountBytesSent(nodes) << ", simulated time [s] "
                  << Simulator::Now().GetSeconds() << "\n";
        PrintEnergy(nodes);
        if (network != "d2d")
        {
            PrintFlows(flows.GetMonitor());
        }
        Simulator::Destroy();
    });
}
