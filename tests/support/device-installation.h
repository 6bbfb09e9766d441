/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SUPPORT_DEVICE_INSTALLATION_H
#define SUPPORT_DEVICE_INSTALLATION_H

#include "ns3/d2d-helper.h"
#include "ns3/d2d-matrix-outage-model.h"
#include "ns3/d2d-matrix-rss-model.h"
#include "ns3/device-profile-helper.h"
#include "ns3/double.h"
#include "ns3/mobility-helper.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/pointer.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"

#include <map>
#include <string>
#include <vector>

namespace tests
{

/// Devices that all hear each other, every link with one and the same outage probability
struct DeviceOptions
{
    uint32_t devices = 3;                          //!< number of devices
    double outage = 0;                             //!< of every link
    std::string fidelity = "Burst";                //!< attribute Fidelity
    std::string payloadMode = "Reference";         //!< attribute PayloadMode
    double batteryJ = 1e4;                         //!< charge of every device but those below
    uint32_t run = 1;                              //!< ns-3's run number
    double rssDbm = -60;                           //!< received power of every link [dBm]
    std::string duplex = {};                       //!< attribute Duplex; empty for its default
    std::map<uint32_t, double> ownBatteriesJ = {}; //!< charges of some devices
};

/// @param options how to make the devices
/// @param nodes as many of them
/// @return their radios
inline ns3::NetDeviceContainer
InstallDevices(const DeviceOptions& options, const ns3::NodeContainer& nodes)
{
    ns3::RngSeedManager::SetSeed(7);
    ns3::RngSeedManager::SetRun(options.run);
    ns3::MobilityHelper mobility;
    mobility.Install(nodes);
    ns3::collab::D2dHelper d2d;
    d2d.AddPropagationLossModel("ns3::FixedRssLossModel", "Rss", ns3::DoubleValue(options.rssDbm));
    d2d.SetChannelAttribute("Fidelity", ns3::StringValue(options.fidelity));
    d2d.SetChannelAttribute("OutageModel",
                            ns3::StringValue("ns3::collab::D2dFixedOutageModel[Probability=" +
                                             std::to_string(options.outage) + "]"));
    if (!options.duplex.empty())
    {
        d2d.SetDeviceAttribute("Duplex", ns3::StringValue(options.duplex));
    }
    d2d.SetTransportAttribute("PayloadMode", ns3::StringValue(options.payloadMode));
    const ns3::NetDeviceContainer devices = d2d.Install(nodes);
    ns3::collab::D2dHelper::AssignStreams(devices, 0);
    ns3::collab::DeviceProfileHelper profile;
    for (uint32_t i = 0; i < devices.GetN(); ++i)
    {
        const auto own = options.ownBatteriesJ.find(i);
        const double charge = own == options.ownBatteriesJ.end() ? options.batteryJ : own->second;
        profile.SetSourceAttribute("BasicEnergySourceInitialEnergyJ", ns3::DoubleValue(charge));
        profile.Install(ns3::NetDeviceContainer(devices.Get(i)));
    }
    return devices;
}

/// @param nodes get full-duplex radios, batteries and processors
/// @param rssW received powers; the row is the receiver
/// @param outage probabilities
inline void
InstallMatrixDevices(const ns3::NodeContainer& nodes,
                     const std::vector<std::vector<double>>& rssW,
                     const std::vector<std::vector<double>>& outage)
{
    const auto rssModel = ns3::CreateObject<ns3::collab::D2dMatrixRssModel>();
    rssModel->SetMatrix(rssW);
    const auto outageModel = ns3::CreateObject<ns3::collab::D2dMatrixOutageModel>();
    outageModel->SetMatrix(outage);
    ns3::collab::D2dHelper d2d;
    d2d.SetChannelAttribute("PropagationLossModel", ns3::PointerValue(rssModel));
    d2d.SetChannelAttribute("OutageModel", ns3::PointerValue(outageModel));
    d2d.SetDeviceAttribute("Duplex", ns3::StringValue("Full"));
    ns3::MobilityHelper().Install(nodes);
    const ns3::NetDeviceContainer radios = d2d.Install(nodes);
    ns3::collab::D2dHelper::AssignStreams(radios, 0);
    ns3::collab::DeviceProfileHelper().Install(radios);
}

} // namespace tests

#endif /* SUPPORT_DEVICE_INSTALLATION_H */
