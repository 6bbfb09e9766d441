/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scenario-network.h"

#include "inputs/scenario-checks.h"
#include "inputs/scenario-links.h"
#include "inputs/scenario-presence.h"
#include "scenario-placement.h"

#include "ns3/basic-energy-source.h"
#include "ns3/collab-compat.h"
#include "ns3/collab-given-attributes.h"
#include "ns3/collab-processor.h"
#include "ns3/collab-rank-group.h"
#include "ns3/d2d-channel.h"
#include "ns3/d2d-helper.h"
#include "ns3/d2d-link-budget.h"
#include "ns3/d2d-mac.h"
#include "ns3/d2d-net-device.h"
#include "ns3/d2d-outer-places.h"
#include "ns3/d2d-phy.h"
#include "ns3/d2s-helper.h"
#include "ns3/device-profile-helper.h"
#include "ns3/double.h"
#include "ns3/mobility-model.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// More than this, 10 W, is told: LTE's devices send with 31 dBm at most (3GPP TS 36.101) [dBm]
constexpr double UNUSUAL_POWER_DBM = 40;

/// How far below the received power of the longest link the sensitivity is at the least [dB]
constexpr double SENSITIVITY_MARGIN_DB = 10;

/// Host threads that wait for answers of each other process of the run
constexpr uint32_t THREADS_PER_RANK = 4;

/// Host threads that a pool can have
constexpr uint32_t MOST_THREADS = 1024;

/// Outage probability that the longest of some links shall have
struct PromisedOutage
{
    std::string parameter; //!< that says so
    double probability;    //!< its value
};

/// Attribute that decides instead of the outage probability who is in range
constexpr const char* SENSITIVITY = "ns3::collab::D2dPhy::RxSensitivity";

/// Two radios
struct RadioPair
{
    Ptr<D2dNetDevice> sender;   //!< the one
    Ptr<D2dNetDevice> receiver; //!< the other
};

/// @return where the radios are
std::vector<Vector>
ListPlaces(const NetDeviceContainer& radios)
{
    std::vector<Vector> places;
    for (auto radio = radios.Begin(); radio != radios.End(); ++radio)
    {
        places.push_back((*radio)->GetNode()->GetObject<MobilityModel>()->GetPosition());
    }
    return places;
}

/// @param senders some radios
/// @param receiver the one at the other end, or null for any of the senders
/// @return the radios that are farthest apart
RadioPair
FindLongestPair(const NetDeviceContainer& senders, const Ptr<NetDevice>& receiver = nullptr)
{
    const NetDeviceContainer receivers = receiver ? NetDeviceContainer(receiver) : senders;
    const std::vector<Vector> from = ListPlaces(senders);
    const std::vector<Vector> to = ListPlaces(receivers);
    std::vector<std::size_t> first(from.size());
    std::iota(first.begin(), first.end(), 0);
    std::vector<std::size_t> second = {0};
    if (!receiver)
    {
        first = second = FindOuterPlaces(from);
    }
    RadioPair longest;
    double farthest = -1;
    for (const std::size_t i : first)
    {
        for (const std::size_t j : second)
        {
            const double distance = CalculateDistance(from[i], to[j]);
            if (distance > farthest)
            {
                farthest = distance;
                longest = {DynamicCast<D2dNetDevice>(senders.Get(static_cast<uint32_t>(i))),
                           DynamicCast<D2dNetDevice>(receivers.Get(static_cast<uint32_t>(j)))};
            }
        }
    }
    return longest;
}

/// @param promised outage probability that the link shall have
/// @return why the link has another one; empty if it has this one
std::string
FindOutageHint(const RadioPair& link, const PromisedOutage& promised)
{
    const std::string argument = fmt::format("--{}={}", promised.parameter, promised.probability);
    const Ptr<D2dPhy> phy = link.receiver->GetPhy();
    const auto channel = DynamicCast<D2dChannel>(link.sender->GetChannel());
    if (channel->GetRssW(link.sender, link.receiver) < phy->GetRxSensitivityW())
    {
        return fmt::format("the longest link is out of range by {}={}, whatever {} says",
                           SENSITIVITY,
                           phy->GetRxSensitivityDbm(),
                           argument);
    }
    StringValue control;
    link.sender->GetPhy()->GetAttribute("RateControl", control);
    if (control.Get() == "Adaptive")
    {
        return fmt::format("links have ns3::collab::D2dPhy::TargetOutage at rates of their own; {} "
                           "is that of the longest link at ns3::collab::D2dPhy::SpectralEfficiency",
                           argument);
    }
    const double outage = channel->GetOutageProbability(link.sender, link.receiver);
    const double tolerance = promised.probability / 100 + 1e-7;
    return std::abs(outage - promised.probability) < tolerance
               ? ""
               : fmt::format("the longest link has an outage probability of {:.3g}, and not {}, "
                             "which is for {} bit/s/Hz, Rayleigh fading, log-distance path loss "
                             "and the same noise for all",
                             outage,
                             argument,
                             link.sender->GetPhy()->GetSpectralEfficiency());
}

/// @return whether acknowledgments come back too late over a link, whatever they are heard with
bool
IsTooLongToAcknowledge(const RadioPair& link)
{
    const auto channel = DynamicCast<D2dChannel>(link.sender->GetChannel());
    const Time way = channel->GetLink(link.sender, link.receiver).delay;
    const Time turnaround = link.sender->GetMac()->GetArqRules().turnaround;
    return turnaround.IsStrictlyPositive() && way * 4 >= turnaround;
}

/// @brief Let radios notice bursts over the longest link, unless the attribute RxSensitivity is
/// given: in a narrow band that has little noise, and a given outage little power.
void
LowerSensitivity(double outage, D2dHelper& helper)
{
    const Ptr<D2dPhy> phy = CreateObject<D2dPhy>();
    const double rssDbm = phy->GetTxPowerDbm() - GetLossForOutage(outage);
    const double neededDbm = rssDbm - SENSITIVITY_MARGIN_DB;
    if (!IsAttributeGiven(SENSITIVITY) && neededDbm < phy->GetRxSensitivityDbm())
    {
        helper.SetDeviceAttribute("RxSensitivity", DoubleValue(neededDbm));
    }
}

/// Let radios have links as the parameter links says, and notice bursts over them
void
SetLinks(const CommonParameters& p, D2dHelper& helper)
{
    if (p.linkTrace)
    {
        p.Require(p.linkTrace->HasPairs(),
                  "links",
                  "a file with links between devices, and not to the server alone");
        UseLinkTrace(p.linkTrace, helper);
    }
    else if (p.places.AreByOutage())
    {
        LowerSensitivity(p.maxOutage, helper);
    }
}

/**
 * @brief Say where links are not as a parameter has them.
 *
 * Parameters assume Rayleigh fading, log-distance path loss and a fixed rate, whatever attributes
 * make of the channel.
 *
 * @param longest radios that are farthest apart
 * @param promised outage probability that the link between them shall have
 * @return a line for each thing to know; none if links are so
 */
std::vector<std::string>
FindOutageHints(const RadioPair& longest, const PromisedOutage& promised)
{
    std::vector<std::string> hints;
    const double sensitivityDbm = longest.receiver->GetPhy()->GetRxSensitivityDbm();
    if (sensitivityDbm != CreateObject<D2dPhy>()->GetRxSensitivityDbm())
    {
        hints.push_back(fmt::format("{} is {:.1f}, so that links of --{}={} are in range",
                                    SENSITIVITY,
                                    sensitivityDbm,
                                    promised.parameter,
                                    promised.probability));
    }
    if (IsTooLongToAcknowledge(longest))
    {
        hints.push_back(fmt::format("acknowledgments come too late over the longest link, of "
                                    "--{}={}; ns3::collab::D2dMac::AcknowledgmentTurnaround=0 is "
                                    "as long as the way",
                                    promised.parameter,
                                    promised.probability));
    }
    const std::string hint = FindOutageHint(longest, promised);
    if (!hint.empty())
    {
        hints.push_back(hint);
    }
    return hints;
}

/// @return how long links of devices can be, and what is to be known of the longest one; nothing
/// for those of a trace
std::vector<std::string>
FindPlaceHints(const CommonParameters& p, const NetDeviceContainer& devices)
{
    if (p.linkTrace)
    {
        return {};
    }
    const bool isDisc = p.places.positions == "disc" && p.places.area == 0;
    if (!p.places.Moves() && isDisc)
    {
        return FindOutageHints(FindLongestPair(devices), {"maxOutage", p.maxOutage});
    }
    if (!p.places.Moves())
    {
        const auto [sender, receiver] = FindLongestPair(devices);
        const double outage = sender->GetD2dChannel()->GetOutageProbability(sender, receiver);
        return {fmt::format("the longest link has an outage probability of {:.3g}", outage)};
    }
    const auto lengthM = FindLongestLink(p);
    if (!lengthM)
    {
        return {fmt::format("--mobility={} has no bounds that are known: computed waits are for "
                            "links barely in range",
                            p.places.mobility)};
    }
    return {fmt::format("devices move: links are {:.4g} m long at most, with an outage probability "
                        "of {:.3g} by log-distance path loss and Rayleigh fading",
                        *lengthM,
                        GetOutageForDistance(*lengthM, p.GetUsualRate()))};
}

/// Let bursts read their links ten times a second if devices move, unless the attribute is given
void
FollowMovement(const CommonParameters& p, D2dHelper& helper)
{
    if (p.places.Moves())
    {
        SetUnlessGiven(helper,
                       "ns3::collab::D2dChannel::LinkUpdatePeriod",
                       TimeValue(MilliSeconds(100)),
                       &D2dHelper::SetChannelAttribute);
    }
}

/// @brief Give the devices radios to a base station above them, with batteries and processors
/// unless they have them.
/// @param[in,out] network devices in place, and the base station; gets hints, but if the transmit
/// power is given, or links are of a trace
void
InstallServerLinks(const CommonParameters& p, double outage, ScenarioNetwork& network)
{
    const auto& [nodes, server] = std::tie(network.nodes, network.server);
    PlaceServer(p, server, nodes);
    const auto place = server->GetObject<MobilityModel>();
    double farthest = 0;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        farthest =
            std::max(farthest, nodes.Get(i)->GetObject<MobilityModel>()->GetDistanceFrom(place));
    }
    const auto longest = p.places.Moves() ? FindLongestLink(p, server) : std::nullopt;
    farthest = longest.value_or(farthest);
    D2sHelper d2s;
    UseFullDuplex(d2s); // up and down have own bands
    const bool isTraced = p.linkTrace && p.linkTrace->HasServer();
    if (isTraced)
    {
        UseLinkTrace(p.linkTrace, d2s, server->GetId());
    }
    else
    {
        LowerSensitivity(outage, d2s);
    }
    FollowMovement(p, d2s);
    const NetDeviceContainer radios = d2s.InstallServer(server, nodes);
    D2sHelper::AssignStreams(radios, network.streams);
    NetDeviceContainer devices;
    for (uint32_t i = 1; i < radios.GetN(); ++i)
    {
        devices.Add(radios.Get(i));
    }
    DeviceProfileHelper station("base-station");
    station.Install(NetDeviceContainer(radios.Get(0)));
    DeviceProfileHelper profile = MakeProfile(p);
    if (!IsAttributeGiven("ns3::collab::D2dRadioEnergyModel::Account"))
    {
        profile.SetRadioEnergyAttribute("Account", StringValue("D2s"));
    }
    const double powerDbm = GetPowerForOutage(outage, farthest);
    const bool isPowerGiven = isTraced || IsAttributeGiven(SERVER_POWER);
    if (!isPowerGiven)
    {
        Require(std::isfinite(powerDbm),
                "serverOutage",
                outage,
                "one that a finite power has, with less noise or a lower "
                "ns3::collab::D2dPhy::SpectralEfficiency");
        profile.SetDeviceAttribute("TxPower", DoubleValue(powerDbm));
    }
    profile.Install(devices);
    D2sHelper::CheckLinks(radios);
    if (isPowerGiven)
    {
        return;
    }
    auto& hints = network.hints;
    if (!p.places.Moves())
    {
        const auto found =
            FindOutageHints(FindLongestPair(devices, radios.Get(0)), {"serverOutage", outage});
        hints.insert(hints.end(), found.begin(), found.end());
    }
    else
    {
        hints.push_back(fmt::format(
            "devices move: --serverOutage={} is that of {}",
            outage,
            longest ? fmt::format("the longest link that there can be, of {:.4g} m", farthest)
                    : "the longest link at the start"));
    }
    if (powerDbm > UNUSUAL_POWER_DBM)
    {
        hints.push_back(fmt::format("devices send to the server with {:.1f} dBm, as "
                                    "--serverOutage={} asks for; {} sets the power instead",
                                    powerDbm,
                                    outage,
                                    SERVER_POWER));
    }
}

} // namespace

void
UseFullDuplex(D2dHelper& helper)
{
    SetUnlessGiven(
        helper, "ns3::collab::D2dPhy::Duplex", StringValue("Full"), &D2dHelper::SetDeviceAttribute);
}

DeviceProfileHelper
MakeProfile(const ParameterList& parameters)
{
    DeviceProfileHelper profile;
    SetAttributes(parameters,
                  BasicEnergySource::GetTypeId().GetName(),
                  profile,
                  &DeviceProfileHelper::SetSourceAttribute);
    return profile;
}

void
InstallNetwork(const CommonParameters& p,
               ScenarioNetwork& network,
               const std::function<void(D2dHelper&)>& configure)
{
    D2dHelper d2d;
    if (p.places.inUse)
    {
        SetLinks(p, d2d);
    }
    FollowMovement(p, d2d);
    if (configure)
    {
        configure(d2d);
    }
    for (const char* type : {"ns3::collab::D2dMac", "ns3::collab::D2dNeighborDiscovery"})
    {
        SetAttributes(p, type, d2d, &D2dHelper::SetDeviceAttribute);
    }
    const NetDeviceContainer devices = d2d.Install(network.nodes);
    network.streams = D2dHelper::AssignStreams(devices, 0);
    D2dHelper::CheckLinks(devices);
    MakeProfile(p).Install(devices);
    if (p.places.inUse)
    {
        network.hints = FindPlaceHints(p, devices);
    }
}

ScenarioNetwork
MakeNetwork(const CommonParameters& p, const RadioPlan& plan)
{
    p.Require(plan.hasD2d || !p.linkTrace || p.linkTrace->HasServer(),
              "links",
              "a file with links to the server, or radio");
    ScenarioNetwork network;
    network.nodes.Create(p.devices);
    network.positions = PlaceDevices(p, network.nodes);
    if (plan.hasD2d)
    {
        InstallNetwork(p, network, plan.configure);
    }
    if (plan.serverOutage)
    {
        network.server = CreateObject<Node>();
        InstallServerLinks(p, *plan.serverOutage, network);
    }
    SlowDown(p, network.nodes);
    SchedulePresence(Presence(p.presence, p.devices), network.nodes);
    return network;
}

Ptr<D2dNetDevice>
GetRadio(const Ptr<Node>& node)
{
    return DynamicCast<D2dNetDevice>(node->GetDevice(0));
}

WaitEstimator
MakeWaitEstimator(const ApplicationContainer& applications)
{
    NodeContainer nodes;
    for (auto it = applications.Begin(); it != applications.End(); ++it)
    {
        nodes.Add((*it)->GetNode());
    }
    StringValue loss;
    applications.Get(0)->GetAttribute("LossPolicy", loss);
    return {nodes, loss.Get() == "BestEffort" ? LossPolicy::BEST_EFFORT : LossPolicy::RELIABLE};
}

void
SetWait(const std::string& attribute,
        Time computed,
        double& seconds,
        const ApplicationContainer& applications)
{
    const Time wait = seconds > 0 ? Seconds(seconds) : computed;
    seconds = seconds > 0 ? seconds : wait.GetSeconds();
    for (auto it = applications.Begin(); it != applications.End(); ++it)
    {
        (*it)->SetAttribute(attribute, TimeValue(wait));
    }
}

void
SlowDown(const CommonParameters& p, const NodeContainer& nodes)
{
    for (const uint32_t slow : ParseDevices("slowDevices", p.slowDevices, p.devices))
    {
        Ptr<Processor> processor = nodes.Get(slow)->GetObject<Processor>();
        DoubleValue flops;
        processor->GetAttribute("FlopsPerCycle", flops);
        p.Require(
            processor->SetAttributeFailSafe("FlopsPerCycle", DoubleValue(flops.Get() / p.slowdown)),
            "slowdown",
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
    const auto pool = factory.Create<LearnerPool>();
    if (const auto group = GetRankGroup()) // threads only wait for the answers of other processes
    {
        const uint32_t waiting = std::min(THREADS_PER_RANK * group->CountWorkers(), MOST_THREADS);
        pool->SetAttribute("Threads", UintegerValue(std::max(pool->GetThreads(), waiting)));
    }
    return pool;
}
