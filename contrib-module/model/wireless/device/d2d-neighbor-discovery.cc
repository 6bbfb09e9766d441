/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-neighbor-discovery.h"

#include "ns3/collab-compat.h"
#include "ns3/collab-error.h"
#include "ns3/d2d-mac.h"
#include "ns3/d2d-medium.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("D2dNeighborDiscovery");
NS_OBJECT_ENSURE_REGISTERED(D2dNeighborDiscovery);

TypeId
D2dNeighborDiscovery::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::D2dNeighborDiscovery")
            .SetParent<Object>()
            .SetGroupName("Collab")
            .AddConstructor<D2dNeighborDiscovery>()
            .AddAttribute("NeighborDiscovery",
                          "How the device knows its neighbors and links: from the link budget "
                          "(Ideal), or from what it has received, for which it sends beacons: by "
                          "the mean power of its last burst (Measured), by powers with their "
                          "fading (Rss), or by these and the share of beacons missed (Beacons).",
                          compat::EnumAttribute(D2dDiscovery::IDEAL),
                          compat::EnumAccessor(&D2dNeighborDiscovery::SetDiscovery,
                                               &D2dNeighborDiscovery::GetDiscovery),
                          compat::EnumChecker(D2dDiscovery::IDEAL,
                                              "Ideal",
                                              D2dDiscovery::MEASURED,
                                              "Measured",
                                              D2dDiscovery::RSS,
                                              "Rss",
                                              D2dDiscovery::BEACONS,
                                              "Beacons"))
            .AddAttribute("NeighborTimeout",
                          "With measured neighbors, how long a device counts that was not heard "
                          "again, and a beacon.",
                          TimeValue(Seconds(5)),
                          MakeTimeAccessor(&D2dNeighborDiscovery::m_neighborTimeout),
                          MakeTimeChecker(Time()))
            .AddAttribute("BeaconInterval",
                          "With measured neighbors, time from one beacon to the next; 0 for none.",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&D2dNeighborDiscovery::m_beaconInterval),
                          MakeTimeChecker(Time()))
            .AddAttribute("BeaconSize",
                          "Size of a beacon, without the header of the radio [byte].",
                          UintegerValue(8),
                          MakeUintegerAccessor(&D2dNeighborDiscovery::m_beaconSize),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("RssMemory",
                          "With neighbors by Rss or Beacons, time constant of the exponential "
                          "moving average of received powers; 0 for the last one.",
                          TimeValue(Seconds(5)),
                          MakeTimeAccessor(&D2dNeighborDiscovery::m_rssMemory),
                          MakeTimeChecker(Time()));
    return tid;
}

D2dNeighborDiscovery::D2dNeighborDiscovery() = default;

D2dNeighborDiscovery::~D2dNeighborDiscovery() = default;

void
D2dNeighborDiscovery::SetMac(Ptr<D2dMac> mac)
{
    m_mac = mac;
    Listen();
}

D2dPhy&
D2dNeighborDiscovery::GetPhy() const
{
    return *m_mac->GetPhy();
}

void
D2dNeighborDiscovery::SetDiscovery(D2dDiscovery discovery)
{
    m_discovery = discovery;
    Listen();
}

Time
D2dNeighborDiscovery::GetListeningTime() const
{
    return IsMeasuring() && !IsSilent() ? m_neighborTimeout : Time();
}

bool
D2dNeighborDiscovery::IsSilent() const
{
    return IsMeasuring() && m_beaconInterval.IsZero();
}

bool
D2dNeighborDiscovery::IsMeasuring() const
{
    return m_discovery != D2dDiscovery::IDEAL;
}

void
D2dNeighborDiscovery::CheckAttributes() const
{
    const std::string name = GetInstanceTypeId().GetName() + "::";
    if (m_discovery == D2dDiscovery::BEACONS &&
        (IsSilent() || m_neighborTimeout < m_beaconInterval))
    {
        throw UserError(name +
                        "NeighborDiscovery=Beacons counts beacons; it needs a BeaconInterval "
                        "over 0 that is not longer than NeighborTimeout");
    }
    const Ptr<D2dOutageModel> model = m_mac->GetMedium()->Losses().GetOutageModel();
    if (m_discovery == D2dDiscovery::RSS && !model->IsFunctionOfSignal())
    {
        throw UserError(name +
                        "NeighborDiscovery=Rss needs the D2dRayleighOutageModel, as a "
                        "received power does not tell the losses of the " +
                        model->GetInstanceTypeId().GetName() + "; Beacons counts them");
    }
}

void
D2dNeighborDiscovery::Listen()
{
    if (m_mac)
    {
        GetPhy().SetHeardCallback(IsMeasuring()
                                      ? [this](const D2dPhy::Heard& heard) { HandleHeard(heard); }
                                      : D2dPhy::HeardCallback());
        GetPhy().SetKnownRssCallback(IsMeasuring()
                                         ? [this](uint32_t node) { return GetMeasuredRssW(node); }
                                         : D2dPhy::KnownRssCallback());
    }
}

void
D2dNeighborDiscovery::HandleHeard(const D2dPhy::Heard& heard)
{
    const uint32_t node = heard.sender.GetNode()->GetId();
    if (m_discovery == D2dDiscovery::MEASURED)
    {
        m_neighbors.Hear(node, heard.link.rssW);
        return;
    }
    const double rssW = m_mac->GetMedium()->Losses().ReadRssW(
        heard.sender, heard.link, heard.spectralEfficiency, heard.fragments, *GetPhy().GetRandom());
    m_neighbors.Hear(node, rssW, m_rssMemory);
    if (heard.protocol == BEACON_PROTOCOL)
    {
        m_neighbors.HearBeacon(node, m_neighborTimeout);
    }
}

void
D2dNeighborDiscovery::DoInitialize()
{
    NS_LOG_FUNCTION(this);
    m_begin = Simulator::Now();
    if (IsMeasuring() && m_beaconInterval.IsStrictlyPositive())
    {
        const double phase = GetPhy().GetRandom()->GetValue();
        m_beaconEvent =
            Simulator::Schedule(m_beaconInterval * phase, &D2dNeighborDiscovery::SendBeacon, this);
    }
    Object::DoInitialize();
}

void
D2dNeighborDiscovery::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_beaconEvent.Cancel();
    m_mac = nullptr;
    Object::DoDispose();
}

void
D2dNeighborDiscovery::SendBeacon()
{
    NS_LOG_FUNCTION(this);
    m_beaconEvent = Simulator::Schedule(m_beaconInterval, &D2dNeighborDiscovery::SendBeacon, this);
    if (GetPhy().IsOn())
    {
        D2dBurst beacon(
            Create<Packet>(m_beaconSize), Mac48Address::GetBroadcast(), BEACON_PROTOCOL);
        beacon.priority = UINT8_MAX;
        m_mac->SendBurst(std::move(beacon));
    }
}

std::vector<uint32_t>
D2dNeighborDiscovery::GetNeighbors() const
{
    if (IsMeasuring())
    {
        return m_neighbors.GetNodes(m_neighborTimeout);
    }
    std::vector<uint32_t> nodes;
    for (const auto& link : m_mac->GetMedium()->Links().GetLinks(GetPhy()))
    {
        if (link.returnInRange)
        {
            nodes.push_back(link.receiverNode);
        }
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end()); // one may have two radios
    return nodes;
}

std::optional<double>
D2dNeighborDiscovery::GetMeasuredRssW(uint32_t node) const
{
    if (IsMeasuring())
    {
        return m_neighbors.GetRssW(node, m_neighborTimeout);
    }
    const D2dPhy& phy = GetPhy();
    D2dLinks& links = m_mac->GetMedium()->Links();
    const D2dPhy* other = links.FindOfNode(node);
    if (!other || node == phy.GetNode()->GetId())
    {
        return std::nullopt;
    }
    const double rssW = links.GetRssW(*other, phy);
    return rssW >= phy.GetRxSensitivityW() ? std::optional<double>(rssW) : std::nullopt;
}

double
D2dNeighborDiscovery::GetMeasuredOutage(uint32_t node) const
{
    const D2dPhy& phy = GetPhy();
    const std::optional<double> rssW = GetMeasuredRssW(node);
    if (!rssW)
    {
        return 1.0;
    }
    if (m_discovery == D2dDiscovery::BEACONS)
    {
        return GetMissedBeacons(node);
    }
    D2dSignal signal;
    signal.transmitter = node;
    signal.receiver = phy.GetNode()->GetId();
    signal.rssW = *rssW;
    signal.noiseW = phy.GetNoiseW();
    signal.fragmentBytes = phy.GetFragmentBytes();
    signal.spectralEfficiency = phy.ChooseSpectralEfficiency(signal);
    return m_mac->GetMedium()->Losses().GetOutageProbability(signal);
}

double
D2dNeighborDiscovery::GetMissedBeacons(uint32_t node) const
{
    const Time window = std::min(m_neighborTimeout, Simulator::Now() - m_begin);
    const double sent = std::max(1.0, std::floor((window / m_beaconInterval).GetDouble()));
    return std::max(0.0, 1 - m_neighbors.CountBeacons(node, m_neighborTimeout) / sent);
}

} // namespace ns3::collab
