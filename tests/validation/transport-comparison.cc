/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What the transports make of one link that loses packets: a message from one device to another,
 * straight over the radio with its ARQ, and over IP by UdpTransport (reliable) and TcpTransport,
 * with and without ARQ of the radio below IP. Prints a table of reStructuredText: means over the
 * seeds of the time until the message was there, the bytes that both radios sent, and the energy of
 * sending and receiving of both. The radio's own acknowledgments are in the energy, not in the
 * bytes.
 */

#include "messaging/test-payloads.h"

#include "ns3/collab-depletion-watch.h"
#include "ns3/collab-transport-helper.h"
#include "ns3/collab-transport.h"
#include "ns3/command-line.h"
#include "ns3/d2d-burst.h"
#include "ns3/d2d-channel.h"
#include "ns3/d2d-helper.h"
#include "ns3/d2d-net-device.h"
#include "ns3/device-profile-helper.h"
#include "ns3/double.h"
#include "ns3/energy-source-container.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/mobility-helper.h"
#include "ns3/node-container.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <cmath>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace
{

using namespace ns3;
using namespace ns3::collab;

constexpr uint16_t KIND = 1;       //!< of the message
constexpr double LONGEST_S = 1000; //!< how long a message is waited for [s]

/// A way to carry messages
struct Way
{
    std::string name;     //!< in the table
    std::string network;  //!< d2d, udp or tcp
    std::string unicasts; //!< attribute UnicastReliability of the radios
};

/// What one message took
struct Cost
{
    bool arrived = false; //!< whether it was there in time
    double seconds = 0;   //!< until it was
    double bytes = 0;     //!< that both radios sent, acknowledgments of the radio left out
    double joules = 0;    //!< of sending and receiving, both radios
};

/// @param outage probability of losing a fragment
/// @param unicasts attribute UnicastReliability
/// @param nodes two nodes
/// @return full-duplex radios on them, with batteries
NetDeviceContainer
InstallRadios(double outage, const std::string& unicasts, const NodeContainer& nodes)
{
    MobilityHelper mobility;
    mobility.Install(nodes);
    constexpr double NOISE_W = 1e-12;
    const double snr = outage > 0 ? 1 / -std::log1p(-outage) : 1e30; // Rayleigh at 1 bit/s/Hz
    D2dHelper d2d;
    d2d.AddPropagationLossModel(
        "ns3::FixedRssLossModel", "Rss", DoubleValue(10 * std::log10(NOISE_W * snr) + 30));
    d2d.SetChannelAttribute("NoisePower", DoubleValue(NOISE_W));
    d2d.SetDeviceAttribute("SpectralEfficiency", DoubleValue(1));
    d2d.SetDeviceAttribute("RxSensitivity", DoubleValue(-1000));
    d2d.SetDeviceAttribute("Duplex", StringValue("Full"));
    d2d.SetDeviceAttribute("UnicastReliability", StringValue(unicasts));
    const NetDeviceContainer radios = d2d.InstallDevices(nodes);
    D2dHelper::AssignStreams(radios, 0);
    DeviceProfileHelper().Install(radios);
    return radios;
}

/// @param way how to carry the message
/// @param outage probability of losing a fragment
/// @param bytes size of the payload
/// @return what it took
Cost
Play(const Way& way, double outage, uint64_t bytes)
{
    const NodeContainer nodes(2);
    const NetDeviceContainer radios = InstallRadios(outage, way.unicasts, nodes);
    TransportHelper helper = TransportHelper::D2d();
    if (way.network != "d2d")
    {
        InternetStackHelper().Install(nodes);
        Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(radios);
        helper = way.network == "udp" ? TransportHelper::Udp() : TransportHelper::Tcp();
    }
    helper.Install(radios);
    TransportHelper::AssignStreams(radios, 100);

    Cost cost;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        nodes.Get(i)->GetObject<Transport>()->RegisterKind(
            KIND, "message", nullptr, [&cost](const Message&) {
                cost.arrived = true;
                cost.seconds = Simulator::Now().GetSeconds();
                Simulator::Stop(Seconds(5)); // for what still is under way
            });
        const Callback<void, const D2dBurstReport&> count([&cost](const D2dBurstReport& report) {
            cost.bytes += static_cast<double>(report.attempts) * report.fragmentBytes;
        });
        DynamicCast<D2dNetDevice>(radios.Get(i))
            ->GetMac()
            ->TraceConnectWithoutContext("BurstEnd", count);
    }
    nodes.Get(0)->GetObject<Transport>()->Send(
        nodes.Get(1)->GetId(), {KIND, 0, ::tests::BytesPayload::Make(bytes)}, LossPolicy::RELIABLE);
    Simulator::Stop(Seconds(LONGEST_S));
    Simulator::Run();
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        Ptr<EnergySource> battery = nodes.Get(i)->GetObject<EnergySourceContainer>()->Get(0);
        const EnergyByKind joules = DepletionWatch::Of(battery)->GetEnergyByKindJ();
        cost.joules += joules[static_cast<std::size_t>(EnergyKind::TX)] +
                       joules[static_cast<std::size_t>(EnergyKind::RX)];
    }
    Simulator::Destroy();
    return cost;
}

/// @brief Print a row of the table.
/// @param way how messages are carried
/// @param outage probability of losing a fragment
/// @param bytes size of the payload
/// @param seeds how many messages
void
PrintRow(const Way& way, double outage, uint64_t bytes, uint32_t seeds)
{
    Cost sum;
    uint32_t arrived = 0;
    for (uint32_t seed = 1; seed <= seeds; ++seed)
    {
        RngSeedManager::SetSeed(seed);
        const Cost cost = Play(way, outage, bytes);
        arrived += cost.arrived;
        sum.seconds += cost.arrived ? cost.seconds : 0;
        sum.bytes += cost.bytes;
        sum.joules += cost.joules;
    }
    const std::string seconds = arrived > 0 ? fmt::format("{:.2f}", sum.seconds / arrived) : "";
    std::cout << fmt::format("\"{}\",{:g},{},{},{:.2f},{:.3f}\n",
                             way.name,
                             outage,
                             arrived,
                             seconds,
                             sum.bytes / seeds / static_cast<double>(bytes),
                             sum.joules / seeds);
}

} // namespace

int
main(int argc, char* argv[])
{
    uint32_t seeds = 20;
    uint64_t bytes = 200000;
    CommandLine arguments(__FILE__);
    arguments.AddValue("seeds", "messages of each row, with the seeds from 1 on", seeds);
    arguments.AddValue("bytes", "size of a message's payload [byte]", bytes);
    arguments.Parse(argc, argv);

    const std::vector<Way> ways = {
        {"the radio alone, ARQ", "d2d", "BestEffort"},
        {"UDP", "udp", "BestEffort"},
        {"TCP", "tcp", "BestEffort"},
        {"UDP, ARQ of the radio below", "udp", "Arq"},
        {"TCP, ARQ of the radio below", "tcp", "Arq"},
    };
    std::cout << fmt::format(
        "# transport-comparison --seeds={0} --bytes={1}\n"
        "Way,Outage,\"Arrived, of {0}\",Time [s],Bytes sent / size,Energy [J]\n",
        seeds,
        bytes);
    for (const auto& way : ways)
    {
        for (const double outage : {0.0, 0.01, 0.05, 0.1, 0.2, 0.3})
        {
            PrintRow(way, outage, bytes, seeds);
        }
    }
    return 0;
}
