/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Two D2D devices beside a Wi-Fi network: what does each lose by the other?
 *
 * A station sends to its access point on channel 6 of the 2.4 GHz band (2427 to 2447 MHz), one
 * packet after the other. Next to them one D2D device sends fragments to another one in a band of 1
 * MHz, without listening before. A D2dSpectrumBridge connects the D2D channel with the
 * SpectrumChannel of ns-3's Wi-Fi. The program prints the fraction of the D2D fragments that are
 * lost, and what the station brings through, alone and with the other at work, for a carrier inside
 * Wi-Fi's channel and one outside.
 */

#include "ns3/collab-module.h"
#include "ns3/core-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"
#include "ns3/spectrum-module.h"
#include "ns3/spectrum-wifi-helper.h"
#include "ns3/wifi-helper.h"
#include "ns3/wifi-mac-helper.h"
#include "ns3/wifi-mac.h"
#include "ns3/wifi-net-device.h"

#include <functional>
#include <iomanip>
#include <iostream>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// Who sends, and for how long
struct Load
{
    double carrierMhz = 0; //!< middle of the D2D band [MHz]
    bool d2d = false;      //!< whether the D2D device sends
    bool wifi = false;     //!< whether the station sends
    double durationS = 0;  //!< how long it is counted what arrives [s]
};

/// What has arrived
struct Yield
{
    uint32_t sent = 0;      //!< D2D fragments that were sent
    uint32_t received = 0;  //!< those of them that arrived
    uint64_t wifiBytes = 0; //!< what the station has brought through [byte]
};

/// When all are at work: the station has found its access point by then [s]
constexpr double BEGIN_S = 1;
/// D2D fragments and Wi-Fi's packets
constexpr uint32_t PACKET_BYTES = 1000;

/// @param places where nodes stand
/// @return the nodes
NodeContainer
MakeNodes(const std::vector<Vector>& places)
{
    NodeContainer nodes(static_cast<uint32_t>(places.size()));
    Ptr<ListPositionAllocator> allocator = CreateObject<ListPositionAllocator>();
    for (const auto& place : places)
    {
        allocator->Add(place);
    }
    MobilityHelper mobility;
    mobility.SetPositionAllocator(allocator);
    mobility.Install(nodes);
    return nodes;
}

/// @param spectrum where they send
/// @return an access point, and a station 10 m from it
NetDeviceContainer
MakeWifi(Ptr<SpectrumChannel> spectrum)
{
    const NodeContainer nodes = MakeNodes({Vector(0, 0, 1.5), Vector(10, 0, 1.5)});
    SpectrumWifiPhyHelper phy;
    phy.SetChannel(spectrum);
    phy.Set("ChannelSettings", StringValue("{6, 20, BAND_2_4GHZ, 0}"));
    WifiHelper wifi;
    wifi.SetStandard(WIFI_STANDARD_80211g);
    wifi.SetRemoteStationManager(
        "ns3::ConstantRateWifiManager", "DataMode", StringValue("ErpOfdmRate24Mbps"));
    WifiMacHelper mac;
    mac.SetType("ns3::ApWifiMac", "Ssid", SsidValue(Ssid("beside")));
    NetDeviceContainer devices = wifi.Install(phy, mac, nodes.Get(0));
    mac.SetType("ns3::StaWifiMac", "Ssid", SsidValue(Ssid("beside")));
    devices.Add(wifi.Install(phy, mac, nodes.Get(1)));
    wifi.AssignStreams(devices, 1000);
    return devices;
}

/// @param spectrum where others send
/// @param carrierMhz middle of the devices' band [MHz]
/// @return two D2D devices, the first 28 m from the access point, the second 11 m from the station
NetDeviceContainer
MakeD2d(Ptr<SpectrumChannel> spectrum, double carrierMhz)
{
    D2dHelper d2d;
    d2d.SetDeviceAttribute("TxPower", DoubleValue(10));
    d2d.AddPropagationLossModel("ns3::FriisPropagationLossModel", "Frequency", DoubleValue(2.44e9));
    const NetDeviceContainer radios =
        d2d.Install(MakeNodes({Vector(-20, 20, 1.5), Vector(15, 10, 1.5)}));
    D2dHelper::AssignStreams(radios, 0);
    Ptr<D2dSpectrumBridge> bridge = CreateObject<D2dSpectrumBridge>();
    bridge->SetAttribute("CarrierFrequency", DoubleValue(carrierMhz * 1e6));
    bridge->Connect(DynamicCast<D2dChannel>(radios.Get(0)->GetChannel()), spectrum);
    return radios;
}

/// @brief Simulate both networks.
/// @param load who sends
/// @return what has arrived
Yield
Measure(const Load& load)
{
    Ptr<MultiModelSpectrumChannel> spectrum = CreateObject<MultiModelSpectrumChannel>();
    Ptr<FriisPropagationLossModel> friis = CreateObject<FriisPropagationLossModel>();
    friis->SetFrequency(2.44e9);
    spectrum->AddPropagationLossModel(friis);
    spectrum->SetPropagationDelayModel(CreateObject<ConstantSpeedPropagationDelayModel>());
    const NetDeviceContainer wifi = MakeWifi(spectrum);
    const NetDeviceContainer radios = MakeD2d(spectrum, load.carrierMhz);
    Ptr<D2dNetDevice> sender = DynamicCast<D2dNetDevice>(radios.Get(0));
    Ptr<D2dNetDevice> receiver = DynamicCast<D2dNetDevice>(radios.Get(1));

    Yield yield;
    const Callback<void, Ptr<const Packet>> countD2d(
        [&yield](Ptr<const Packet>) { ++yield.received; });
    receiver->GetMac()->TraceConnectWithoutContext("MacRx", countD2d);
    const Callback<void, Ptr<const Packet>> countWifi([&yield](Ptr<const Packet> packet) {
        yield.wifiBytes += packet->GetSize() > PACKET_BYTES ? PACKET_BYTES : 0;
    });
    DynamicCast<WifiNetDevice>(wifi.Get(0))
        ->GetMac()
        ->TraceConnectWithoutContext("MacRx", countWifi);
    // The station as fast as it can; the D2D device 8 ms of every 20
    const std::function<void()> sendD2d = [&]() {
        ++yield.sent;
        sender->Send(
            Create<Packet>(PACKET_BYTES), receiver->GetAddress(), D2dTransport::PROTOCOL + 1);
        Simulator::Schedule(MilliSeconds(20), [&]() { sendD2d(); });
    };
    const std::function<void()> sendWifi = [&]() {
        wifi.Get(1)->Send(
            Create<Packet>(PACKET_BYTES), wifi.Get(0)->GetAddress(), D2dTransport::PROTOCOL + 1);
        Simulator::Schedule(MicroSeconds(400), [&]() { sendWifi(); });
    };
    if (load.d2d)
    {
        Simulator::Schedule(Seconds(BEGIN_S), [&]() { sendD2d(); });
    }
    if (load.wifi)
    {
        Simulator::Schedule(Seconds(BEGIN_S), [&]() { sendWifi(); });
    }
    Simulator::Stop(Seconds(BEGIN_S + load.durationS));
    Simulator::Run();
    Simulator::Destroy();
    return yield;
}

/// @param load who sends, the D2D device at least
/// @return fraction of the fragments that are lost
double
MeasureOutage(const Load& load)
{
    const Yield yield = Measure(load);
    return 1 - static_cast<double>(yield.received) / yield.sent;
}

/// @param load who sends, the station at least
/// @return what the station brings through [Mbit/s]
double
MeasureThroughput(const Load& load)
{
    return 8e-6 * static_cast<double>(Measure(load).wifiBytes) / load.durationS;
}

} // namespace

int
main(int argc, char* argv[])
{
    return RunScenario("d2d-beside-wifi", [&]() {
        double durationS = 5;
        ParameterList list;
        list.Add("duration", durationS, "how long it is counted what arrives [s]").Above(0);
        ScenarioArguments(__FILE__, "Two D2D devices beside a Wi-Fi network.", list)
            .Parse(argc, argv);
        std::cout << "carrier [MHz] D2D outage alone, beside Wi-Fi [1] "
                     "Wi-Fi alone, beside D2D [Mbit/s]\n";
        for (const double carrierMhz : {2440, 2460})
        {
            std::cout << std::fixed << std::setprecision(0) << std::setw(13) << carrierMhz
                      << std::setprecision(3) << std::setw(19)
                      << MeasureOutage({carrierMhz, true, false, durationS}) << std::setw(18)
                      << MeasureOutage({carrierMhz, true, true, durationS}) << std::setw(12)
                      << MeasureThroughput({carrierMhz, false, true, durationS}) << std::setw(21)
                      << MeasureThroughput({carrierMhz, true, true, durationS}) << std::endl;
        }
    });
}
