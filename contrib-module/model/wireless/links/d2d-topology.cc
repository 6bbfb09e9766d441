/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-topology.h"

#include "ns3/collab-error.h"
#include "ns3/constant-position-mobility-model.h"
#include "ns3/d2d-phy.h"
#include "ns3/d2d-prefetch.h"
#include "ns3/log.h"
#include "ns3/node.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <utility>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("D2dTopology");

namespace
{

/// @param dbm a power [dBm]
/// @return the same [W]
double
DbmToW(double dbm)
{
    return std::pow(10.0, (dbm - 30) / 10);
}

/// @param a a link
/// @param b another one of the same sender
/// @return whether the first one's receiver has a lower index
bool
ComesBefore(const D2dLink& a, const D2dLink& b)
{
    return a.receiverIndex < b.receiverIndex;
}

/// @param links links, by ascending index of their receivers
/// @param receiver index of a device
/// @return whether one of them is to it
bool
Contains(const std::vector<D2dLink>& links, uint32_t receiver)
{
    const auto found = std::lower_bound(
        links.begin(), links.end(), receiver, [](const D2dLink& link, uint32_t index) {
            return link.receiverIndex < index;
        });
    return found != links.end() && found->receiverIndex == receiver;
}

/// @param links links, by ascending index of their receivers
/// @param stale indices of receivers whose links are no longer valid, ascending
/// @param fresh links to some of them, ascending
/// @return the links with these in place of those
std::vector<D2dLink>
Replace(const std::vector<D2dLink>& links,
        const std::vector<uint32_t>& stale,
        std::vector<D2dLink> fresh)
{
    std::vector<D2dLink> valid;
    valid.reserve(links.size() + fresh.size());
    std::copy_if(
        links.begin(), links.end(), std::back_inserter(valid), [&stale](const D2dLink& link) {
            return !std::binary_search(stale.begin(), stale.end(), link.receiverIndex);
        });
    const auto middle = static_cast<std::ptrdiff_t>(valid.size());
    std::move(fresh.begin(), fresh.end(), std::back_inserter(valid));
    std::inplace_merge(valid.begin(), valid.begin() + middle, valid.end(), ComesBefore);
    return valid;
}

/// @param node number of a node
/// @param mobility its mobility model
void
RequireMobility(uint32_t node, Ptr<MobilityModel> mobility)
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

} // namespace

D2dTopology::D2dTopology(const D2dChannelSettings& settings)
    : m_propagation(settings),
      m_ranges(m_ends),
      m_kept(settings.keptLinks),
      m_settings(settings)
{
}

D2dTopology::~D2dTopology()
{
    for (uint32_t i = 0; i < m_entries.size(); ++i)
    {
        if (m_entries[i].still)
        {
            m_ends[i].mobility->TraceDisconnectWithoutContext(
                "CourseChange", MakeBoundCallback(&D2dTopology::HandleCourseChange, this, i));
        }
    }
}

void
D2dTopology::Add(Ptr<D2dPhy> phy)
{
    Entry entry;
    entry.phy = phy;
    m_entries.push_back(std::move(entry));
    D2dLinkEnd end;
    end.phy = PeekPointer(phy);
    m_ends.push_back(std::move(end));
    m_kept.AddDevice();
    Invalidate();
}

void
D2dTopology::SetLossModel(Ptr<PropagationLossModel> model)
{
    m_propagation.SetLossModel(model);
    Invalidate();
}

void
D2dTopology::SetDelayModel(Ptr<PropagationDelayModel> model)
{
    m_propagation.SetDelayModel(model);
    Invalidate();
}

std::string
D2dTopology::ExplainUnkept()
{
    if (!m_prepared || !IsPreparedForSettings())
    {
        Prepare();
    }
    return m_doubt.empty() ? NameMovers() : m_doubt;
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
D2dTopology::HandleCourseChange(D2dTopology* topology,
                                uint32_t device,
                                Ptr<const MobilityModel> model)
{
    topology->NoteChange(device);
    if (topology->m_ranges.IsHigher(model->GetPosition().z))
    {
        topology->Invalidate(); // antennas that stand higher may reach farther
    }
}

void
D2dTopology::NotifyRadioChange(uint32_t device)
{
    NoteChange(device);
    ReadRadio(device);
    if (m_prepared)
    {
        m_ranges.HandleChange(device);
    }
    if (m_ranges.IsMoreSensitive(m_entries[device].phy->GetRxSensitivityDbm()))
    {
        Invalidate(); // all reach farther
    }
}

void
D2dTopology::NoteChange(uint32_t device)
{
    // Who looks so seldom that more has changed finds all anew
    constexpr std::size_t MOST_CHANGES = 4096;
    if (m_changed.size() == MOST_CHANGES)
    {
        m_changesBefore += MOST_CHANGES;
        m_changed.clear();
    }
    m_changed.push_back(device);
    m_kept.Of(device).inRange.version = 0;
    m_kept.Of(device).toGroup.version = 0;
}

void
D2dTopology::Prepare()
{
    NS_LOG_FUNCTION(this);
    if (!m_propagation.GetLossModel())
    {
        throw UserError(
            "D2dChannel has no PropagationLossModel; use D2dHelper or set the attribute");
    }
    m_prepared = true;
    m_preparedFor = m_settings;
    m_movers.clear();
    for (uint32_t i = 0; i < m_entries.size(); ++i)
    {
        FindMobility(i);
        ReadRadio(i);
        if (!m_entries[i].still)
        {
            m_movers.push_back(i);
        }
    }
    m_doubt = m_propagation.FindDoubt();
    const std::string unkept = m_doubt.empty() ? NameMovers() : m_doubt;
    if (!unkept.empty())
    {
        NS_LOG_WARN("links are computed anew at each send: " << unkept);
    }
    FindSiblings();
    m_propagation.Watch(m_doubt.empty());
    m_ranges.Find(m_propagation.GetLossModel(), m_interferenceCutoffDbm, !m_movers.empty());
}

bool
D2dTopology::IsPreparedForSettings() const
{
    return m_preparedFor.keeping == m_settings.keeping &&
           m_preparedFor.delayResolution == m_settings.delayResolution;
}

void
D2dTopology::ReadRadio(uint32_t index)
{
    D2dLinkEnd& end = m_ends[index];
    end.txPowerDbm = end.phy->GetTxPowerDbm();
    end.rxSensitivityW = end.phy->GetRxSensitivityW();
}

void
D2dTopology::FindMobility(uint32_t index)
{
    D2dLinkEnd& end = m_ends[index];
    if (end.mobility)
    {
        return;
    }
    Ptr<Node> node = end.phy->GetNode();
    end.mobility = node->GetObject<MobilityModel>();
    end.node = node->GetId();
    RequireMobility(end.node, end.mobility);
    const TypeId type = end.mobility->GetInstanceTypeId();
    m_entries[index].still = type == ConstantPositionMobilityModel::GetTypeId();
    if (m_entries[index].still)
    {
        end.mobility->TraceConnectWithoutContext(
            "CourseChange", MakeBoundCallback(&D2dTopology::HandleCourseChange, this, index));
    }
}

std::string
D2dTopology::NameMovers() const
{
    if (m_movers.empty())
    {
        return "";
    }
    const std::string first =
        "node " + std::to_string(m_entries[m_movers[0]].phy->GetNode()->GetId());
    return m_movers.size() == 1
               ? first + " moves by itself"
               : first + " and " + std::to_string(m_movers.size() - 1) + " more move by themselves";
}

void
D2dTopology::FindSiblings()
{
    if (m_withSiblings == m_entries.size())
    {
        return;
    }
    m_withSiblings = m_entries.size();
    std::vector<std::pair<uint32_t, uint32_t>> devices; // by node
    for (uint32_t i = 0; i < m_entries.size(); ++i)
    {
        devices.emplace_back(m_ends[i].node, i);
        m_entries[i].siblings.clear();
    }
    std::sort(devices.begin(), devices.end());
    for (std::size_t first = 0, last = 0; first < devices.size(); first = last)
    {
        while (last < devices.size() && devices[last].first == devices[first].first)
        {
            ++last;
        }
        for (std::size_t i = first; i < last; ++i)
        {
            for (std::size_t j = first; j < last; ++j)
            {
                if (i != j)
                {
                    m_entries[devices[i].second].siblings.push_back(devices[j].second);
                }
            }
        }
    }
}

D2dLink
D2dTopology::MakeLink(uint32_t transmitter, uint32_t receiver) const
{
    const D2dLinkEnd& from = m_ends[transmitter];
    const D2dLinkEnd& to = m_ends[receiver];
    D2dLink link;
    link.receiver = to.phy;
    link.receiverNode = to.node;
    link.receiverIndex = receiver;
    link.rssW = m_propagation.FindRssW(from, to);
    link.inRange = link.rssW >= to.rxSensitivityW;
    link.returnRssW = m_propagation.FindRssW(to, from);
    link.returnInRange = link.returnRssW >= from.rxSensitivityW;
    link.delay = m_propagation.FindDelay(from, to);
    return link;
}

D2dLink
D2dTopology::GetLink(uint32_t transmitter, uint32_t receiver)
{
    if (!m_prepared)
    {
        Prepare();
    }
    return MakeLink(transmitter, receiver);
}

double
D2dTopology::GetRssW(uint32_t transmitter, uint32_t receiver)
{
    if (!m_prepared)
    {
        Prepare();
    }
    return m_propagation.FindRssW(m_ends[transmitter], m_ends[receiver]);
}

bool
D2dTopology::Holds(uint32_t transmitter, Kept& kept)
{
    m_kept.Use(kept);
    if (m_prepared && (!IsPreparedForSettings() || m_propagation.HasChanged()))
    {
        Invalidate();
    }
    if (m_prepared && m_doubt.empty() && kept.version == m_version && PutRight(transmitter, kept))
    {
        if (m_propagation.ShowsChanges() || ProbeHolds(transmitter, kept))
        {
            return true;
        }
        Invalidate(); // a model has changed, and with it ranges
    }
    if (!m_prepared)
    {
        Prepare();
    }
    return false;
}

bool
D2dTopology::ProbeHolds(uint32_t transmitter, Kept& kept) const
{
    const std::vector<D2dLink>& links = kept.audience->links;
    for (std::size_t i = 0; i < links.size(); ++i)
    {
        kept.probe = (kept.probe + 1) % links.size();
        const D2dLink& link = links[kept.probe];
        if (m_movers.empty() || m_entries[link.receiverIndex].still)
        {
            return m_propagation.FindRssW(m_ends[transmitter], m_ends[link.receiverIndex]) ==
                   link.rssW;
        }
    }
    return true;
}

bool
D2dTopology::FindStale(const Kept& kept, std::vector<uint32_t>& stale) const
{
    constexpr std::size_t CHANGES_PER_LINK = 4;
    constexpr std::size_t LEAST_CHANGES = 16;
    const std::size_t links = kept.audience->links.size() + kept.audience->faint.size();
    const uint64_t missed = CountChanges() - kept.changes;
    if (missed > m_changed.size() || missed > links * CHANGES_PER_LINK + LEAST_CHANGES)
    {
        return false;
    }
    stale = m_movers;
    if (missed > 0)
    {
        stale.insert(stale.end(), m_changed.end() - missed, m_changed.end());
        std::sort(stale.begin(), stale.end());
        stale.erase(std::unique(stale.begin(), stale.end()), stale.end());
    }
    return true;
}

bool
D2dTopology::PutRight(uint32_t transmitter, Kept& kept)
{
    if (m_movers.empty() && kept.changes == CountChanges())
    {
        return true;
    }
    std::vector<uint32_t> stale;
    if (!FindStale(kept, stale))
    {
        return false;
    }
    kept.changes = CountChanges();
    const D2dAudience& audience = *kept.audience;
    const bool isGroup = &kept == &m_kept.Of(transmitter).toGroup;
    std::vector<D2dLink> links;
    std::vector<D2dLink> faint;
    bool concerned = false;
    for (const uint32_t other : stale)
    {
        const bool isMember = Contains(audience.links, other);
        concerned = concerned || isMember || Contains(audience.faint, other);
        if (isGroup ? isMember : m_ranges.IsCandidate(transmitter, other))
        {
            const D2dLink link = MakeLink(transmitter, other);
            if (isGroup || Disturbs(link))
            {
                (isGroup || link.inRange ? links : faint).push_back(link);
            }
        }
    }
    if (concerned || !links.empty() || !faint.empty())
    {
        Keep(transmitter,
             kept,
             Replace(audience.links, stale, std::move(links)),
             Replace(audience.faint, stale, std::move(faint)));
    }
    return true;
}

void
D2dTopology::Keep(uint32_t transmitter,
                  Kept& kept,
                  std::vector<D2dLink> links,
                  std::vector<D2dLink> faint)
{
    m_kept.Keep(kept, std::move(links), std::move(faint));
    kept.version = m_doubt.empty() && m_entries[transmitter].still ? m_version : 0;
    kept.changes = CountChanges();
}

const std::shared_ptr<const D2dAudience>&
D2dTopology::GetAudience(uint32_t transmitter)
{
    auto& inRange = m_kept.Of(transmitter).inRange;
    if (Holds(transmitter, inRange))
    {
        return inRange.audience;
    }
    std::vector<D2dLink> faint;
    std::vector<D2dLink> links;
    links.reserve(inRange.audience ? inRange.audience->links.size() : 0);
    const std::vector<uint32_t> candidates = m_ranges.FindCandidates(transmitter);
    for (const uint32_t candidate : candidates)
    {
        // Mostly of that class, which is as large as a place takes
        const void* mobility = PeekPointer(m_ends[candidate].mobility);
        PrefetchD2d(mobility,
                    static_cast<const char*>(mobility) + sizeof(ConstantPositionMobilityModel));
    }
    for (const uint32_t candidate : candidates)
    {
        if (m_ends[candidate].mobility == m_ends[transmitter].mobility)
        {
            continue; // of the same node
        }
        D2dLink link = MakeLink(transmitter, candidate);
        if (Disturbs(link))
        {
            (link.inRange ? links : faint).push_back(std::move(link));
        }
    }
    Keep(transmitter, inRange, std::move(links), std::move(faint));
    return inRange.audience;
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
        add(MakeLink(transmitter, sibling));
    }
    std::sort(reach.begin(), reach.end(), ComesBefore);
    return reach;
}

const std::shared_ptr<const D2dAudience>&
D2dTopology::GetGroupAudience(uint32_t transmitter,
                              const D2dGroup& group,
                              const std::function<uint32_t(uint32_t node)>& findIndex)
{
    D2dKeptLinks::OfDevice& entry = m_kept.Of(transmitter);
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
        links.push_back(MakeLink(transmitter, receiver));
    }
    // The order of broadcasts, so that a group of all is served as they are
    std::sort(links.begin(), links.end(), ComesBefore);
    Keep(transmitter, entry.toGroup, std::move(links));
    return entry.toGroup.audience;
}

} // namespace ns3::collab
