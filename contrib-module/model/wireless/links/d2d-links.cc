/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-links.h"

#include "ns3/abort.h"
#include "ns3/d2d-model-knowledge.h"
#include "ns3/d2d-phy.h"
#include "ns3/node.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::collab
{

namespace
{

/// Index of no device: greater than that of any
constexpr std::size_t NO_DEVICE = std::numeric_limits<std::size_t>::max();

} // namespace

D2dLinks::D2dLinks(const D2dChannelSettings& settings, int64_t questionStream)
    : m_settings(settings),
      m_topology(settings),
      m_questionStream(questionStream)
{
}

D2dQuestionStreams::Question
D2dLinks::Ask()
{
    if (!m_questions)
    {
        m_questions.emplace(m_questionStream);
    }
    const D2dPropagation& models = m_topology.GetPropagation();
    return {*m_questions, models.GetLossModel(), models.GetDelayModel()};
}

void
D2dLinks::Add(Ptr<D2dPhy> radio, Mac48Address address)
{
    m_indexOf.emplace(address, static_cast<uint32_t>(m_radios.size()));
    m_radios.push_back(radio);
    m_addresses.push_back(address);
    m_topology.Add(radio);
}

D2dPhy*
D2dLinks::Find(Mac48Address address) const
{
    const auto found = m_indexOf.find(address);
    return found == m_indexOf.end() ? nullptr : PeekPointer(m_radios[found->second]);
}

D2dPhy*
D2dLinks::FindOfNode(uint32_t node)
{
    for (; m_knownNodes < m_radios.size(); ++m_knownNodes)
    {
        const uint32_t added = m_radios[m_knownNodes]->GetNode()->GetId();
        if (added >= m_indexOfNode.size())
        {
            m_indexOfNode.resize(added + 1, NO_DEVICE);
        }
        m_indexOfNode[added] = std::min(m_indexOfNode[added], m_knownNodes);
    }
    const bool isKnown = node < m_indexOfNode.size() && m_indexOfNode[node] != NO_DEVICE;
    return isKnown ? PeekPointer(m_radios[m_indexOfNode[node]]) : nullptr;
}

Mac48Address
D2dLinks::GetAddress(uint32_t index) const
{
    return m_addresses[index];
}

double
D2dLinks::GetRssW(const D2dPhy& transmitter, const D2dPhy& receiver)
{
    const auto question = Ask();
    return m_topology.GetRssW(transmitter.GetChannelIndex(), receiver.GetChannelIndex());
}

D2dLink
D2dLinks::GetLink(const D2dPhy& transmitter, const D2dPhy& receiver)
{
    const auto question = Ask();
    return DrawLink(transmitter, receiver);
}

const std::vector<D2dLink>&
D2dLinks::GetLinks(const D2dPhy& transmitter)
{
    const auto question = Ask();
    return m_topology.GetLinks(transmitter.GetChannelIndex());
}

std::shared_ptr<const D2dAudience>
D2dLinks::GetAudience(const D2dPhy& transmitter, const D2dBurst& burst)
{
    const auto question = Ask();
    return DrawAudience(transmitter, burst);
}

std::shared_ptr<const D2dAudience>
D2dLinks::DrawAudience(const D2dPhy& transmitter, const D2dBurst& burst)
{
    const uint32_t index = transmitter.GetChannelIndex();
    m_topology.SetInterferenceCutoffDbm(m_settings.Interferes()
                                            ? m_settings.interferenceCutoffDbm
                                            : std::numeric_limits<double>::infinity());
    if (burst.group)
    {
        return m_topology.GetGroupAudience(
            index, burst.group, [&](uint32_t node) { return FindMember(transmitter, node); });
    }
    if (burst.destination.IsGroup())
    {
        return m_topology.GetAudience(index);
    }
    std::vector<D2dLink> single;
    const D2dPhy* receiver = Find(burst.destination);
    if (receiver && receiver != &transmitter)
    {
        single.push_back(DrawLink(transmitter, *receiver));
    }
    return std::make_shared<const D2dAudience>(std::move(single));
}

D2dLink
D2dLinks::DrawLink(const D2dPhy& transmitter, const D2dPhy& receiver)
{
    return m_topology.GetLink(transmitter.GetChannelIndex(), receiver.GetChannelIndex());
}

std::vector<D2dLink>
D2dLinks::DrawReach(const D2dPhy& transmitter, const D2dBurst& burst, const D2dAudience& audience)
{
    const bool isToAll = burst.destination.IsGroup() && !burst.group;
    return m_topology.GetReach(transmitter.GetChannelIndex(), audience, isToAll);
}

std::vector<D2dLink>
D2dLinks::DrawReach(const D2dPhy& transmitter, const D2dAudience& audience)
{
    return m_topology.GetReach(transmitter.GetChannelIndex(), audience, false);
}

Time
D2dLinks::GetTimeToUpdate() const
{
    const Time change = GetD2dTimeToChange(m_topology.GetPropagation().GetLossModel());
    const Time period = m_settings.linkUpdatePeriod;
    const bool both = change.IsStrictlyPositive() && period.IsStrictlyPositive();
    return both ? std::min(change, period) : std::max(change, period);
}

uint32_t
D2dLinks::FindMember(const D2dPhy& transmitter, uint32_t node)
{
    const D2dPhy* receiver = FindOfNode(node);
    NS_ABORT_MSG_UNLESS(receiver && receiver->GetNode() != transmitter.GetNode(),
                        "D2dChannel: node " << node << ", of the group of a burst, has "
                                            << "no other device on the channel");
    return receiver->GetChannelIndex();
}

} // namespace ns3::collab
