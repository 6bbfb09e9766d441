/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What there is to look at after a run.
 *
 * Four devices, one of which moves away, send each other messages for four seconds. The program
 * writes into an existing folder: frames for Wireshark (pcap), events as text (tr), an animation
 * for NetAnim (xml), and all attributes (txt), from which ns-3's ConfigStore can load them again.
 * It prints what became of each message, as a trace source tells it.
 */

#include "ns3/collab-module.h"
#include "ns3/config-store-module.h"
#include "ns3/core-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"

#include <iostream>

using namespace ns3;
using namespace ns3::collab;

/// @brief Print what became of a message at one device.
/// @param path Config path of the sender's trace source
/// @param outcome what became of it
static void
PrintOutcome(std::string path, const MessageOutcome& outcome)
{
    std::cout << outcome.end.As(Time::S) << " " << path << " to device " << outcome.receiver << ": "
              << (outcome.delivered ? "delivered" : outcome.reason) << std::endl;
}

int
main(int argc, char* argv[])
{
    return RunScenario("d2d-traces", [&]() {
        std::string folder = ".";
        ParameterList list;
        list.Add("folder", folder, "existing folder to write to");
        list.Take("fidelity", "ns3::collab::D2dChannel::Fidelity")
            .Choices({"Packet", "Burst"})
            .Default("Packet");
        ScenarioArguments(__FILE__, "Traces of radios and messages.", list).Parse(argc, argv);

        NodeContainer nodes(4);
        MobilityHelper mobility;
        mobility.SetPositionAllocator("ns3::GridPositionAllocator", "GridWidth", UintegerValue(2));
        mobility.SetMobilityModel("ns3::ConstantVelocityMobilityModel");
        mobility.Install(nodes);
        nodes.Get(3)->GetObject<ConstantVelocityMobilityModel>()->SetVelocity(Vector(100, 0, 0));

        D2dHelper d2d;
        d2d.SetChannelAttribute("Fidelity", StringValue(list.Get("fidelity")));
        d2d.SetTransportAttribute("PayloadMode", StringValue("Bytes"));
        NetDeviceContainer radios = d2d.Install(nodes);
        D2dHelper::AssignStreams(radios, 0);
        DeviceProfileHelper().Install(radios);

        NetAnimOptions options;
        options.links = true; // nothing of this propagation model is random
        NetAnimRecorder animation(folder + "/d2d-traces.xml", nodes, options);
        d2d.EnablePcap(folder + "/d2d-traces", radios);
        d2d.EnableAscii(AsciiTraceHelper().CreateFileStream(folder + "/d2d-traces.tr"), radios);
        Config::Connect("/NodeList/*/$ns3::collab::Transport/Outcome", MakeCallback(&PrintOutcome));

        Config::SetDefault("ns3::ConfigStore::Filename", StringValue(folder + "/d2d-traces.txt"));
        Config::SetDefault("ns3::ConfigStore::FileFormat", StringValue("RawText"));
        Config::SetDefault("ns3::ConfigStore::Mode", StringValue("Save"));
        ConfigStore().ConfigureAttributes();

        for (uint32_t i = 0; i < nodes.GetN(); ++i)
        {
            Ptr<Transport> transport = nodes.Get(i)->GetObject<Transport>();
            transport->RegisterKind(1, "hello", nullptr, [](const Message&) {});
            for (uint32_t round = 0; round < 4; ++round)
            {
                Simulator::Schedule(Seconds(round) + MilliSeconds(100 * i), [transport, round]() {
                    transport->Broadcast({1, round, nullptr});
                });
            }
        }
        Simulator::Stop(Seconds(4));
        Simulator::Run();
        Simulator::Destroy(); // closes the files of frames and events
    });
}
