/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-losses.h"

#include "common/scenario.h"

#include "ns3/d2d-audience.h"
#include "ns3/d2d-channel.h"
#include "ns3/d2d-link-trace.h"
#include "ns3/d2d-mac.h"
#include "ns3/d2d-medium.h"
#include "ns3/d2d-neighbor-discovery.h"
#include "ns3/d2d-phy.h"

#include <cmath>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// @return how probable it is that something happens in one of several trials
double
InOneOf(double probability, double trials)
{
    return -std::expm1(trials * std::log1p(-probability));
}

/// @return why losses are not known beforehand; empty if they are
std::string
FindReasonAgainstLosses(const BeliefParameters& p, const D2dNetDevice& radio)
{
    if (p.presence != "always")
    {
        return "not known: users leave and return (--presence), so that W is another one in each "
               "instant";
    }
    if (p.TellsDegrees())
    {
        return "not known: W is of who is heard in each instant (--weights)";
    }
    if (p.UsesParts())
    {
        return "not known: beliefs are lost in parts (--loss)";
    }
    if (p.places.Moves())
    {
        return "not known: devices move (--mobility)";
    }
    if (p.linkTrace && p.linkTrace->GetTimes().size() > 1)
    {
        return "not known: links change (--links)";
    }
    if (radio.GetD2dChannel()->GetMedium()->Losses().GetTimeToFading().IsStrictlyPositive())
    {
        return "not known: fragments and messages are not lost independently where links fade, or "
               "are good or bad, for a while";
    }
    StringValue control;
    StringValue discovery;
    radio.GetPhy()->GetAttribute("RateControl", control);
    radio.GetDiscovery()->GetAttribute("NeighborDiscovery", discovery);
    if (p.weights == "reliability" && (discovery.Get() == "Rss" || discovery.Get() == "Beacons"))
    {
        return "not known: W follows what users measure (--weights, --knowledge)";
    }
    return control.Get() == "Adaptive" && discovery.Get() != "Ideal"
               ? "not known: rates follow what users will have measured"
               : "";
}

/// @param w W
/// @param[in,out] losses gets the sender's column: those that listen to it
void
AddLosses(const BeliefParameters& p,
          const NodeContainer& nodes,
          uint32_t sender,
          uint64_t bytes,
          const Matrix<double>& w,
          Matrix<double>& losses)
{
    std::map<uint32_t, uint32_t> listeners; // by node
    std::vector<uint32_t> group;
    for (uint32_t i = 0; i < w.rows; ++i)
    {
        if (i != sender && w(i, sender) > 0)
        {
            group.push_back(nodes.Get(i)->GetId());
            listeners[group.back()] = i;
            losses(i, sender) = 1; // unless it is in range
        }
    }
    const auto radio = GetRadio(nodes.Get(sender));
    const auto medium = radio->GetD2dChannel()->GetMedium();
    const D2dPhy& phy = *radio->GetPhy();
    const bool isReliable = p.Get("loss") == "reliable";
    D2dBurst burst;
    burst.destination = isReliable ? D2dMac::GetGroupAddress() : Mac48Address::GetBroadcast();
    if (isReliable)
    {
        burst.group = std::make_shared<const std::vector<uint32_t>>(std::move(group));
    }
    const auto audience = medium->Links().GetAudience(phy, burst);
    const double rate = phy.ChooseSpectralEfficiency(audience->links);
    BeliefBurst seen;
    seen.fragments = phy.GetFragmentation(static_cast<uint32_t>(bytes)).fragments;
    const D2dArqRules rules = radio->GetMac()->GetArqRules();
    seen.attempts = isReliable ? rules.maxAttempts : 1;
    seen.arq = rules.arq;
    for (const D2dLink& link : audience->links)
    {
        const auto listener = listeners.find(link.receiverNode);
        if (listener != listeners.end())
        {
            seen.outage = medium->Losses().GetOutageProbability(phy, link, {}, rate);
            seen.acknowledgmentLoss = medium->GetAcknowledgmentLoss(phy, link, rules.turnaround);
            losses(listener->second, sender) = ComputeBurstLoss(seen);
        }
    }
}

} // namespace

double
ComputeBurstLoss(const BeliefBurst& burst)
{
    const double never = std::pow(burst.outage, burst.attempts);
    const auto fragments = static_cast<double>(burst.fragments);
    if (burst.attempts == 1 || burst.arq == D2dArq::SELECTIVE_REPEAT)
    {
        return InOneOf(never, fragments);
    }
    // Of a fragment: it is acknowledged in the end, or it is given up though the receiver has it
    const double inVain = 1 - (1 - burst.outage) * (1 - burst.acknowledgmentLoss);
    const double givenUp = std::pow(inVain, burst.attempts);
    const double had = std::max(givenUp - never, 0.0);
    if (never + had == 0)
    {
        return 0;
    }
    double before = 1; // that all fragments before this one were acknowledged
    double lost = 0;
    for (uint64_t i = 0; i < burst.fragments && before > 0; ++i)
    {
        const double after = InOneOf(burst.outage, fragments - 1 - static_cast<double>(i));
        lost += before * (never + had * after);
        before *= 1 - givenUp;
    }
    return lost;
}

double
BeliefLosses::GetGreatest() const
{
    return *std::max_element(probabilities.values.begin(), probabilities.values.end());
}

BeliefLosses
FindBeliefLosses(const BeliefParameters& p,
                 const Matrix<double>& w,
                 const NodeContainer& nodes,
                 uint64_t bytes)
{
    BeliefLosses losses = {Matrix<double>(w.rows, w.columns),
                           FindReasonAgainstLosses(p, *GetRadio(nodes.Get(0)))};
    for (uint32_t user = 0; user < w.columns && losses.unknown.empty(); ++user)
    {
        AddLosses(p, nodes, user, bytes, w, losses.probabilities);
    }
    losses.airtime = nodes.Get(0)->GetObject<Transport>()->GetAirtime(bytes).GetSeconds();
    constexpr double RARE = 0.01; // losses of a user in the whole run
    if (p.method == "consensus" && p.Get<double>("interval") == 0 && losses.unknown.empty() &&
        losses.GetGreatest() * p.Get<uint32_t>("instants") > RARE)
    {
        losses.unknown = "not known: without --interval users drift apart where messages are lost, "
                         "and beliefs come late besides";
        std::fill(losses.probabilities.values.begin(), losses.probabilities.values.end(), 0.0);
    }
    return losses;
}
