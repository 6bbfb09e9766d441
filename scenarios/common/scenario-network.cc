/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scenario-network.h"

#include "scenario-checks.h"
#include "scenario-samples.h"

#include "ns3/basic-energy-source.h"
#include "ns3/channel-list.h"
#include "ns3/collab-compat.h"
#include "ns3/collab-given-attributes.h"
#include "ns3/collab-processor.h"
#include "ns3/d2d-channel.h"
#include "ns3/d2d-helper.h"
#include "ns3/d2d-mac.h"
#include "ns3/d2d-net-device.h"
#include "ns3/d2s-helper.h"
#include "ns3/device-profile-helper.h"
#include "ns3/double.h"
#include "ns3/mobility-module.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/propagation-loss-model.h"
#include "ns3/string.h"

#include <algorithm>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/**
 * @brief Path loss at which a link of default devices has a given outage probability.
 *
 * The inverse of eq. (18) of Wagle et al.
 *
 * @param outage the outage probability
 * @return the path loss [dB]
 */
double
GetLossForOutage(double outage)
{
    Ptr<D2dNetDevice> device = CreateObject<D2dNetDevice>();
    Ptr<D2dChannel> channel = CreateObject<D2dChannel>();
    const double noiseW = channel->GetNoiseW(device->GetPhy()->GetBandwidth());
    const double threshold = std::exp2(device->GetPhy()->GetSpectralEfficiency()) - 1;
    const double rssW = threshold * noiseW / -std::log1p(-outage);
    return device->GetPhy()->GetTxPowerDbm() - (10 * std::log10(rssW) + 30);
}

/// Log-distance path loss, which D2dHelper installs unless the channel's attributes name another
struct PathLoss
{
    PathLoss()
    {
        Ptr<PropagationLossModel> model = CreateObject<LogDistancePropagationLossModel>();
        DoubleValue value;
        model->GetAttribute("Exponent", value);
        exponent = value.Get();
        model->GetAttribute("ReferenceLoss", value);
        referenceDb = value.Get();
    }

    double exponent = 0;    //!< of the distance
    double referenceDb = 0; //!< at 1 m [dB]
};

/**
 * @param outage an outage probability
 * @return distance at which a link of default devices has it [m]
 */
double
DistanceForOutage(double outage)
{
    const PathLoss loss;
    return std::pow(10.0, (GetLossForOutage(outage) - loss.referenceDb) / (10 * loss.exponent));
}

} // namespace

std::vector<Vector>
PlaceDevices(const CommonParameters& p, const NodeContainer& nodes)
{
    constexpr double TWO_PI = 6.283185307179586;
    RandomGenerator generator(SeedFor(RandomPurpose::PLACEMENT));
    boost::random::uniform_real_distribution<double> uniform(0.0, 1.0);
    std::vector<Vector> positions;
    double farthest = 0;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const double r = std::sqrt(uniform(generator));
        const double angle = TWO_PI * uniform(generator);
        const Vector position(r * std::cos(angle), r * std::sin(angle), 0);
        for (const auto& other : positions)
        {
            farthest = std::max(farthest, CalculateDistance(position, other));
        }
        positions.push_back(position);
    }
    const double scale = DistanceForOutage(p.maxOutage) / farthest;
    Ptr<ListPositionAllocator> allocator = CreateObject<ListPositionAllocator>();
    for (auto& position : positions)
    {
        position = Vector(position.x * scale, position.y * scale, 1.5);
        allocator->Add(position);
    }
    MobilityHelper mobility;
    mobility.SetPositionAllocator(allocator);
    mobility.Install(nodes);
    return positions;
}

DeviceProfileHelper
MakeProfile(const ParameterList& parameters)
{
    DeviceProfileHelper profile;
    parameters.Apply(BasicEnergySource::GetTypeId(),
                     [&profile](const std::string& name, const AttributeValue& value) {
                         profile.SetSourceAttribute(name, value);
                     });
    return profile;
}

int64_t
InstallNetwork(const ParameterList& parameters,
               const NodeContainer& nodes,
               const std::function<void(D2dHelper&)>& configure)
{
    D2dHelper d2d;
    if (configure)
    {
        configure(d2d);
    }
    parameters.Apply(D2dMac::GetTypeId(),
                     [&d2d](const std::string& name, const AttributeValue& value) {
                         d2d.SetDeviceAttribute(name, value);
                     });
    const NetDeviceContainer devices = d2d.Install(nodes);
    const int64_t streams = D2dHelper::AssignStreams(devices, 0);
    D2dHelper::CheckLinks(devices);
    MakeProfile(parameters).Install(devices);
    return streams;
}

void
DeclareReceiverSensing(ParameterList& list, bool& receiverSensing)
{
    list.Add("receiverSensing",
             receiverSensing,
             "whether what is for a half-duplex device waits until that one no longer transmits, "
             "and is not missed")
        .Sets("ns3::collab::D2dMac::ReceiverSensing");
}

bool
IsAnyChannelShared()
{
    for (uint32_t i = 0; i < ChannelList::GetNChannels(); ++i)
    {
        const auto channel = DynamicCast<D2dChannel>(ChannelList::GetChannel(i));
        if (channel && channel->GetAccess() != D2dAccess::OFDMA)
        {
            return true;
        }
    }
    return false;
}

void
UseFullDuplex(D2dHelper& helper)
{
    if (!IsAttributeGiven("ns3::collab::D2dPhy::Duplex"))
    {
        helper.SetDeviceAttribute("Duplex", StringValue("Full"));
    }
}

void
InstallServerLinks(const ParameterList& parameters,
                   Ptr<Node> server,
                   const NodeContainer& nodes,
                   double outage,
                   int64_t streams)
{
    D2sHelper::PlaceServer(server, nodes);
    Ptr<MobilityModel> place = server->GetObject<MobilityModel>();
    double farthest = 0;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        farthest =
            std::max(farthest, nodes.Get(i)->GetObject<MobilityModel>()->GetDistanceFrom(place));
    }
    D2sHelper d2s;
    UseFullDuplex(d2s); // up and down have own bands
    const NetDeviceContainer radios = d2s.InstallServer(server, nodes);
    D2sHelper::AssignStreams(radios, streams);
    NetDeviceContainer devices;
    for (uint32_t i = 1; i < radios.GetN(); ++i)
    {
        devices.Add(radios.Get(i));
    }
    DeviceProfileHelper station("base-station");
    station.Install(NetDeviceContainer(radios.Get(0)));
    DeviceProfileHelper profile = MakeProfile(parameters);
    if (!IsAttributeGiven("ns3::collab::D2dRadioEnergyModel::Account"))
    {
        profile.SetRadioAttribute("Account", StringValue("D2s"));
    }
    if (!IsAttributeGiven(SERVER_POWER))
    {
        profile.SetDeviceAttribute("TxPower", DoubleValue(GetPowerForOutage(outage, farthest)));
    }
    profile.Install(devices);
    D2sHelper::CheckLinks(radios);
}

void
SlowDown(const CommonParameters& p, const NodeContainer& nodes)
{
    for (const uint32_t slow : ParseDevices("slowDevices", p.slowDevices, p.devices))
    {
        Ptr<Processor> processor = nodes.Get(slow)->GetObject<Processor>();
        DoubleValue flops;
        processor->GetAttribute("FlopsPerCycle", flops);
        Require(
            processor->SetAttributeFailSafe("FlopsPerCycle", DoubleValue(flops.Get() / p.slowdown)),
            "slowdown",
            p.slowdown,
            "so little that ns3::collab::Processor::FlopsPerCycle stays at 1e-6 or more");
    }
}

Ptr<LearnerPool>
MakePool(const ParameterList& parameters)
{
    const auto attribute =
        GetAttributeInformation("ns3::collab::CollaborationApplication::LearnerPool");
    const auto* given = dynamic_cast<const PointerValue*>(PeekPointer(attribute.initialValue));
    if (const auto pool = given->Get<LearnerPool>())
    {
        return pool;
    }
    ObjectFactory factory("ns3::collab::LearnerPool");
    parameters.Apply(LearnerPool::GetTypeId(),
                     [&factory](const std::string& name, const AttributeValue& value) {
                         factory.Set(name, value);
                     });
    return factory.Create<LearnerPool>();
}

double
GetPowerForOutage(double outage, double distance)
{
    const PathLoss loss;
    const double lossDb = loss.referenceDb + 10 * loss.exponent * std::log10(distance);
    return CreateObject<D2dNetDevice>()->GetPhy()->GetTxPowerDbm() + lossDb -
           GetLossForOutage(outage);
}
