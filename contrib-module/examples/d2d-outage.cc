/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Two devices, farther and farther apart: how often is a message lost?
 *
 * The radio loses a fragment with the outage probability P_D = 1 - exp(-(2^r - 1) sigma^2 / W) of a
 * Rayleigh-fading link, where W is the mean received signal strength, sigma^2 the noise power and r
 * the spectral efficiency. This program sends many one-fragment packets at each distance and prints
 * that probability beside the fraction of packets that were lost.
 */

#include "ns3/collab-module.h"
#include "ns3/core-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"

#include <cmath>
#include <iomanip>
#include <iostream>

using namespace ns3;
using namespace ns3::collab;

/// @brief Send packets over one distance and print a row of the table.
/// @param distance between the two devices [m]
/// @param packets number of packets
static void
Measure(double distance, uint32_t packets)
{
    // A device is a node that stands somewhere ...
    NodeContainer nodes(2);
    Ptr<ListPositionAllocator> places = CreateObject<ListPositionAllocator>();
    places->Add(Vector(0, 0, 1.5));
    places->Add(Vector(distance, 0, 1.5));
    MobilityHelper mobility;
    mobility.SetPositionAllocator(places);
    mobility.Install(nodes);

    // ... and has a radio. Any chain of ns-3's propagation loss models decides the received power.
    D2dHelper d2d;
    d2d.AddPropagationLossModel("ns3::LogDistancePropagationLossModel", "Exponent", DoubleValue(3));
    NetDeviceContainer radios = d2d.Install(nodes);
    D2dHelper::AssignStreams(radios, 0); // the same random numbers in every run of this program
    Ptr<D2dNetDevice> sender = DynamicCast<D2dNetDevice>(radios.Get(0));
    Ptr<D2dNetDevice> receiver = DynamicCast<D2dNetDevice>(radios.Get(1));

    uint32_t received = 0;
    const Callback<void, Ptr<const Packet>> count([&received](Ptr<const Packet>) { ++received; });
    receiver->GetMac()->TraceConnectWithoutContext("MacRx", count);
    for (uint32_t i = 0; i < packets; ++i)
    {
        Simulator::Schedule(MilliSeconds(10 * i), [sender, receiver]() {
            sender->Send(Create<Packet>(100), receiver->GetAddress(), D2dTransport::PROTOCOL + 1);
        });
    }
    Simulator::Run();

    Ptr<D2dChannel> channel = DynamicCast<D2dChannel>(sender->GetChannel());
    const double rssW = channel->GetRssW(sender, receiver);
    const double noiseW = channel->GetNoiseW(sender->GetPhy()->GetBandwidthHz());
    const double threshold = std::exp2(sender->GetPhy()->GetSpectralEfficiency()) - 1;
    const double outage = 1 - std::exp(-threshold * noiseW / rssW);
    const double measured = 1 - static_cast<double>(received) / packets;
    const double error = std::sqrt(outage * (1 - outage) / packets);
    std::cout << std::fixed << std::setprecision(3) << std::setw(12) << distance << std::setw(11)
              << 10 * std::log10(rssW) + 30 << std::setw(16) << outage << std::setw(17) << measured
              << std::setw(19) << error << std::endl;
    Simulator::Destroy();
}

int
main(int argc, char* argv[])
{
    return RunScenario("d2d-outage", [&]() {
        uint32_t packets = 2000;
        ParameterList list;
        list.Add("packets", packets, "packets to send at each distance").AtLeast(1);
        ScenarioArguments(__FILE__, "Outage of a link over its length.", list).Parse(argc, argv);
        std::cout << "distance [m] RSS [dBm] P_D formula [1] P_D measured [1] standard error [1]\n";
        for (const double distance : {100, 200, 300, 400, 500, 600, 800, 1000})
        {
            Measure(distance, packets);
        }
    });
}
