/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-topology.h"

#include "d2d-greatest-range.h"
#include "d2d-spatial-index.h"

#include "ns3/collab-error.h"
#include "ns3/constant-position-mobility-model.h"
#include "ns3/d2d-channel.h"
#include "ns3/d2d-phy.h"
#include "ns3/log.h"
#include "ns3/node.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("D2dTopology");

namespace
{

/**
 * @param model a model
 * @return whether the power that it gives between two places changes with its attributes alone
 */
bool
IsTimeInvariant(const PropagationLossModel& model)
{
    // ns-3's models do not say so themselves
    static const std::set<std::string> INVARIANT = {
        "ns3::Cost231PropagationLossModel",
        "ns3::FixedRssLossModel",
        "ns3::FriisPropagationLossModel",
        "ns3::ItuR1411LosPropagationLossModel",
        "ns3::ItuR1411NlosOverRooftopPropagationLossModel",
        "ns3::Kun2600MhzPropagationLossModel",
        "ns3::LogDistancePropagationLossModel",
        "ns3::OkumuraHataPropagationLossModel",
        "ns3::RangePropagationLossModel",
        "ns3::ThreeLogDistancePropagationLossModel",
        "ns3::TwoRayGroundPropagationLossModel",
    };
    const TypeId type = model.GetInstanceTypeId();
    TypeId::AttributeInformation changes;
    return type.LookupAttributeByName("Changes", &changes) || INVARIANT.count(type.GetName());
}

/**
 * @param chain head of a chain of models
 * @return the first of them of which it is not known whether it gives the same power for ever; null
 * if there is none
 */
Ptr<PropagationLossModel>
FindUnknown(Ptr<PropagationLossModel> chain)
{
    while (chain && IsTimeInvariant(*chain))
    {
        chain = chain->GetNext();
    }
    return chain;
}

/**
 * @param chain head of a chain of models
 * @return whether power reaches farther over the ground if antennas stand higher
 */
bool
DependsOnHeight(Ptr<PropagationLossModel> chain)
{
    for (; chain; chain = chain->GetNext())
    {
        if (chain->GetInstanceTypeId() == TwoRayGroundPropagationLossModel::GetTypeId())
        {
            return true;
        }
    }
    return false;
}

/**
 * @param model gives a delay; may be null
 * @return whether the delay between two places is always the same
 */
bool
IsTimeInvariant(Ptr<PropagationDelayModel> model)
{
    return !model || model->GetInstanceTypeId() == ConstantSpeedPropagationDelayModel::GetTypeId();
}

/**
 * @param delay a time
 * @param resolution another one; 0 for none
 * @return the least multiple of the resolution that is not less than the delay
 */
Time
RoundUp(Time delay, Time resolution)
{
    const int64_t step = resolution.GetTimeStep();
    return step > 0 ? TimeStep((delay.GetTimeStep() + step - 1) / step * step) : delay;
}

/**
 * @param dbm a power [dBm]
 * @return the same [W]
 */
double
DbmToW(double dbm)
{
    return std::pow(10.0, (dbm - 30) / 10);
}

} // namespace

D2dTopology::D2dTopology(const D2dLinkKeeping& keeping)
    : m_keeping(keeping),
      m_preparedFor(D2dLinkKeeping::AUTO)
{
}

D2dTopology::~D2dTopology()
{
    for (auto& entry : m_entries)
    {
        if (entry.mobility)
        {
            entry.mobility->TraceDisconnectWithoutContext(
                "CourseChange", MakeCallback(&D2dTopology::HandleCourseChange, this));
        }
    }
}

void
D2dTopology::Add(Ptr<D2dPhy> phy)
{
    Entry entry;
    entry.phy = phy;
    m_entries.push_back(std::move(entry));
    Invalidate();
}

void
D2dTopology::SetLossModel(Ptr<PropagationLossModel> model)
{
    m_lossModel = model;
    Invalidate();
}

void
D2dTopology::SetDelayModel(Ptr<PropagationDelayModel> model)
{
    m_delayModel = model;
    Invalidate();
}

std::string
D2dTopology::ExplainUnkept()
{
    if (!m_prepared || m_preparedFor != m_keeping)
    {
        Prepare();
    }
    return m_doubt;
}

void
D2dTopology::SetDelayResolution(Time resolution)
{
    m_delayResolution = resolution;
    Invalidate();
}

Time
D2dTopology::GetDelayResolution() const
{
    return m_delayResolution;
}

void
D2dTopology::SetInterferenceCutoffDbm(double cutoffDbm)
{
    if (cutoffDbm != m_interferenceCutoffDbm)
    {
        m_interferenceCutoffDbm = cutoffDbm;
        Invalidate();
    }
}

bool
D2dTopology::Disturbs(const D2dLink& link) const
{
    return link.inRange || link.rssW >= DbmToW(m_interferenceCutoffDbm);
}

void
D2dTopology::Invalidate()
{
    m_prepared = false;
    ++m_version;
}

void
D2dTopology::HandleCourseChange(Ptr<const MobilityModel> model)
{
    ++m_version;
    if (model->GetPosition().z > m_heightM)
    {
        m_prepared = false; // antennas that stand higher may reach farther
    }
}

void
D2dTopology::RequireMobility(uint32_t node, Ptr<MobilityModel> mobility)
{
    if (!mobility)
    {
        std::ostringstream message;
        message << "node " << node
                << " has a D2D radio but no MobilityModel; install one on every node "
                   "(MobilityHelper)";
        throw UserError(message.str());
    }
}

void
D2dTopology::Prepare()
{
    NS_LOG_FUNCTION(this);
    if (!m_lossModel)
    {
        throw UserError(
            "D2dChannel has no PropagationLossModel; use D2dHelper or set the attribute");
    }
    m_prepared = true;
    m_preparedFor = m_keeping;
    bool allStill = true;
    m_heightM = 0;
    double leastSensitivityDbm = m_interferenceCutoffDbm;
    for (auto& entry : m_entries)
    {
        Ptr<Node> node = entry.phy->GetNode();
        Ptr<MobilityModel> mobility = node->GetObject<MobilityModel>();
        RequireMobility(node->GetId(), mobility);
        if (entry.mobility != mobility)
        {
            entry.mobility = mobility;
            entry.still =
                mobility->GetInstanceTypeId() == ConstantPositionMobilityModel::GetTypeId();
            mobility->TraceConnectWithoutContext(
                "CourseChange", MakeCallback(&D2dTopology::HandleCourseChange, this));
        }
        allStill = allStill && entry.still;
        leastSensitivityDbm = std::min(leastSensitivityDbm, entry.phy->GetRxSensitivityDbm());
        m_heightM = std::max(m_heightM, mobility->GetPosition().z);
    }
    m_doubt = FindDoubt();
    if (!m_doubt.empty())
    {
        NS_LOG_WARN("links are computed anew at each send: " << m_doubt);
    }
    FindSiblings();
    WatchModels();
    m_index.reset();
    m_rangeM.clear();
    if (allStill || !DependsOnHeight(m_lossModel)) // who flies may climb
    {
        MakeIndex(leastSensitivityDbm);
    }
}

bool
D2dTopology::TrustsLossModel() const
{
    return m_keeping == D2dLinkKeeping::ALWAYS || !FindUnknown(m_lossModel);
}

std::string
D2dTopology::FindDoubt() const
{
    if (m_keeping == D2dLinkKeeping::NEVER)
    {
        return "KeepLinks is Never";
    }
    const auto moving = std::find_if(
        m_entries.begin(), m_entries.end(), [](const Entry& entry) { return !entry.still; });
    if (moving != m_entries.end())
    {
        return "node " + std::to_string(moving->phy->GetNode()->GetId()) + " moves by itself";
    }
    if (m_keeping == D2dLinkKeeping::ALWAYS)
    {
        return "";
    }
    const std::string unknown = " may depend on time or chance; if it does not, KeepLinks can be "
                                "Always";
    if (Ptr<PropagationLossModel> model = FindUnknown(m_lossModel))
    {
        return model->GetInstanceTypeId().GetName() + unknown;
    }
    return IsTimeInvariant(m_delayModel) ? ""
                                         : m_delayModel->GetInstanceTypeId().GetName() + unknown;
}

void
D2dTopology::FindSiblings()
{
    std::map<Ptr<MobilityModel>, std::vector<uint32_t>> devices;
    for (uint32_t i = 0; i < m_entries.size(); ++i)
    {
        devices[m_entries[i].mobility].push_back(i);
        m_entries[i].siblings.clear();
    }
    for (const auto& [mobility, together] : devices)
    {
        for (const uint32_t device : together)
        {
            std::copy_if(together.begin(),
                         together.end(),
                         std::back_inserter(m_entries[device].siblings),
                         [device](uint32_t other) { return other != device; });
        }
    }
}

void
D2dTopology::WatchModels()
{
    m_watch.Clear();
    if (!TrustsLossModel())
    {
        return; // neither links nor ranges are kept
    }
    for (Ptr<PropagationLossModel> model = m_lossModel; model; model = model->GetNext())
    {
        m_watch.Add(model);
    }
    if (m_doubt.empty() && m_delayModel)
    {
        m_watch.Add(m_delayModel);
    }
}

void
D2dTopology::MakeIndex(double leastSensitivityDbm)
{
    std::map<double, std::optional<double>> ranges; // by transmit power
    for (auto& entry : m_entries)
    {
        const double txPowerDbm = entry.phy->GetTxPowerDbm();
        auto found = ranges.find(txPowerDbm);
        if (found == ranges.end())
        {
            const auto range =
                FindD2dGreatestRange(m_lossModel, txPowerDbm, leastSensitivityDbm, m_heightM);
            found = ranges.emplace(txPowerDbm, range).first;
        }
        if (!found->second || !std::isfinite(*found->second))
        {
            m_rangeM.clear();
            return;
        }
        m_rangeM.push_back(*found->second);
    }
    const double cell = *std::max_element(m_rangeM.begin(), m_rangeM.end());
    m_index = std::make_unique<D2dSpatialIndex>(std::max(cell, 1e-3));
    for (auto& entry : m_entries)
    {
        m_index->Add(entry.mobility);
    }
}

std::vector<uint32_t>
D2dTopology::FindCandidates(uint32_t transmitter) const
{
    std::vector<uint32_t> candidates;
    if (m_index)
    {
        // A hair more, against rounding in the search for the range
        candidates = m_index->FindWithin(m_entries[transmitter].mobility->GetPosition(),
                                         m_rangeM[transmitter] * (1 + 1e-9));
    }
    else
    {
        candidates.resize(m_entries.size());
        for (uint32_t i = 0; i < candidates.size(); ++i)
        {
            candidates[i] = i;
        }
    }
    return candidates;
}

D2dLink
D2dTopology::MakeLink(const Entry& from, const Entry& to, uint32_t receiver) const
{
    D2dLink link;
    link.receiver = to.phy;
    link.receiverNode = to.phy->GetNode()->GetId();
    link.receiverIndex = receiver;
    link.rssW =
        DbmToW(m_lossModel->CalcRxPower(from.phy->GetTxPowerDbm(), from.mobility, to.mobility));
    link.inRange = link.rssW >= to.phy->GetRxSensitivityW();
    link.returnRssW =
        DbmToW(m_lossModel->CalcRxPower(to.phy->GetTxPowerDbm(), to.mobility, from.mobility));
    link.returnInRange = link.returnRssW >= from.phy->GetRxSensitivityW();
    if (m_delayModel)
    {
        link.delay = RoundUp(m_delayModel->GetDelay(from.mobility, to.mobility), m_delayResolution);
    }
    return link;
}

D2dLink
D2dTopology::GetLink(uint32_t transmitter, uint32_t receiver)
{
    if (!m_prepared)
    {
        Prepare();
    }
    return MakeLink(m_entries[transmitter], m_entries[receiver], receiver);
}

double
D2dTopology::GetRssW(uint32_t transmitter, uint32_t receiver)
{
    if (!m_prepared)
    {
        Prepare();
    }
    return DbmToW(m_lossModel->CalcRxPower(m_entries[transmitter].phy->GetTxPowerDbm(),
                                           m_entries[transmitter].mobility,
                                           m_entries[receiver].mobility));
}

bool
D2dTopology::Holds(uint32_t transmitter, Kept& kept)
{
    if (m_prepared && (m_preparedFor != m_keeping || m_watch.HasChanged()))
    {
        Invalidate();
    }
    if (m_prepared && m_doubt.empty() && kept.version == m_version)
    {
        const std::vector<D2dLink>& links = kept.audience->links;
        if (links.empty())
        {
            return true;
        }
        kept.probe = (kept.probe + 1) % links.size();
        const D2dLink& link = links[kept.probe];
        if (GetRssW(transmitter, link.receiverIndex) == link.rssW)
        {
            return true;
        }
    }
    if (kept.version == m_version)
    {
        Invalidate(); // a model has changed, and with it ranges
    }
    if (!m_prepared)
    {
        Prepare();
    }
    return false;
}

void
D2dTopology::Keep(Kept& kept, std::vector<D2dLink> links, std::vector<D2dLink> faint) const
{
    auto audience = std::make_shared<D2dAudience>(std::move(links));
    audience->faint = std::move(faint);
    kept.audience = std::move(audience);
    kept.version = m_doubt.empty() ? m_version : 0;
}

const std::vector<D2dLink>&
D2dTopology::GetLinks(uint32_t transmitter)
{
    return GetAudience(transmitter)->links;
}

const std::shared_ptr<const D2dAudience>&
D2dTopology::GetAudience(uint32_t transmitter)
{
    Entry& entry = m_entries[transmitter];
    if (Holds(transmitter, entry.inRange))
    {
        return entry.inRange.audience;
    }
    std::vector<D2dLink> faint;
    std::vector<D2dLink> links;
    links.reserve(entry.inRange.audience ? entry.inRange.audience->links.size() : 0);
    for (const uint32_t candidate : FindCandidates(transmitter))
    {
        if (m_entries[candidate].mobility == entry.mobility)
        {
            continue; // of the same node
        }
        D2dLink link = MakeLink(entry, m_entries[candidate], candidate);
        if (Disturbs(link))
        {
            (link.inRange ? links : faint).push_back(std::move(link));
        }
    }
    Keep(entry.inRange, std::move(links), std::move(faint));
    return entry.inRange.audience;
}

std::vector<D2dLink>
D2dTopology::GetReach(uint32_t transmitter, const D2dAudience& audience, bool isToAll)
{
    const Entry& entry = m_entries[transmitter];
    if (isToAll && entry.siblings.empty() && audience.faint.empty())
    {
        return audience.links;
    }
    std::vector<D2dLink> reach;
    std::set<uint32_t> found;
    const auto add = [&](const D2dLink& link) {
        const bool isNew = found.insert(link.receiverIndex).second;
        if (isNew && Disturbs(link))
        {
            reach.push_back(link);
        }
    };
    std::for_each(audience.links.begin(), audience.links.end(), add);
    const auto all = isToAll ? nullptr : GetAudience(transmitter);
    const D2dAudience& others = isToAll ? audience : *all;
    std::for_each(others.links.begin(), others.links.end(), add);
    std::for_each(others.faint.begin(), others.faint.end(), add);
    for (const uint32_t sibling : entry.siblings)
    {
        add(MakeLink(entry, m_entries[sibling], sibling));
    }
    std::sort(reach.begin(), reach.end(), [](const D2dLink& a, const D2dLink& b) {
        return a.receiverIndex < b.receiverIndex;
    });
    return reach;
}

const std::shared_ptr<const D2dAudience>&
D2dTopology::GetGroupAudience(uint32_t transmitter,
                              const D2dGroup& group,
                              const std::function<uint32_t(uint32_t node)>& findIndex)
{
    Entry& entry = m_entries[transmitter];
    if (entry.group != group)
    {
        entry.group = group;
        entry.toGroup.version = 0;
    }
    if (Holds(transmitter, entry.toGroup))
    {
        return entry.toGroup.audience;
    }
    std::vector<D2dLink> links;
    links.reserve(group->size());
    for (const uint32_t node : *group)
    {
        const uint32_t receiver = findIndex(node);
        links.push_back(MakeLink(entry, m_entries[receiver], receiver));
    }
    // The order of broadcasts, so that a group of all is served as they are
    std::sort(links.begin(), links.end(), [](const D2dLink& a, const D2dLink& b) {
        return a.receiverIndex < b.receiverIndex;
    });
    Keep(entry.toGroup, std::move(links));
    return entry.toGroup.audience;
}

} // namespace collab
} // namespace ns3
