/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-receiver-access.h"

#include "ns3/d2d-audience.h"
#include "ns3/d2d-medium.h"
#include "ns3/d2d-phy.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

D2dReceiverAccess::D2dReceiverAccess(const Ptr<D2dPhy>& phy,
                                     const Ptr<D2dMedium>& medium,
                                     D2dBurstQueue& queue)
    : m_phy(phy),
      m_medium(medium),
      m_queue(queue)
{
}

void
D2dReceiverAccess::SetMaxReceptions(uint32_t bursts)
{
    m_maxReceptions = bursts;
    NotifyLimits();
}

void
D2dReceiverAccess::SetReceiverSensing(bool enabled)
{
    m_receiverSensing = enabled;
    NotifyLimits();
}

void
D2dReceiverAccess::NotifyLimits()
{
    if (m_medium)
    {
        m_medium->LimitReceptions(m_maxReceptions > 0 || m_receiverSensing);
        m_medium->NotifyLimits();
    }
}

bool
D2dReceiverAccess::Takes(const D2dReceiverAccess& sender) const
{
    const bool hasPlace =
        m_maxReceptions == 0 || m_phy->GetState().CountFollowed() < m_maxReceptions;
    // Devices that waited for each other would do so for ever
    return hasPlace && (!m_closed || sender.m_closed);
}

bool
D2dReceiverAccess::IsDeafTo(const D2dReceiverAccess& sender) const
{
    return sender.m_receiverSensing && m_phy->GetDuplex() == D2dDuplex::HALF &&
           m_phy->GetState().IsSending();
}

void
D2dReceiverAccess::Close()
{
    if (!m_closed)
    {
        m_closed = true;
        m_medium->Admission().CountClosed(true);
    }
}

void
D2dReceiverAccess::Open()
{
    if (m_closed)
    {
        m_closed = false;
        m_medium->Admission().CountClosed(false);
        m_medium->NotifyPlace(m_phy->GetChannelIndex());
    }
}

void
D2dReceiverAccess::OfferPlace()
{
    if (m_medium && m_medium->LimitsReceptions())
    {
        m_medium->NotifyPlace(m_phy->GetChannelIndex());
    }
}

void
D2dReceiverAccess::AwaitPlace()
{
    Open(); // it is not held up by what it follows
    m_medium->AwaitPlace(m_phy->GetChannelIndex(), m_awaited);
    if (!m_medium->LimitsReceptions())
    {
        return;
    }
    const auto group =
        m_queue.FindNext([](const D2dBurst& burst) { return burst.destination.IsGroup(); });
    if (group)
    {
        m_medium->Admission().Claim(m_phy->GetChannelIndex(), Draw(*group));
    }
}

void
D2dReceiverAccess::ReleaseClaim()
{
    if (m_medium)
    {
        m_medium->ReleaseClaim(m_phy->GetChannelIndex());
    }
}

bool
D2dReceiverAccess::SparesDeaf(const D2dBurst& burst) const
{
    return m_receiverSensing && m_medium->LimitsReceptions() && burst.destination.IsGroup() &&
           burst.reliability == D2dReliability::ARQ;
}

bool
D2dReceiverAccess::IsDeaf(const D2dAudience& audience) const
{
    const D2dAdmission& admission = m_medium->Admission();
    return !audience.links.empty() &&
           std::all_of(audience.links.begin(), audience.links.end(), [&](const D2dLink& link) {
               return admission.GetReceiver(link.receiverIndex).IsDeafTo(*this);
           });
}

bool
D2dReceiverAccess::IsHeard(const D2dBurst& burst)
{
    const auto hears = [this](const D2dPhy* device) {
        const bool isDeaf =
            device && m_medium->Admission().GetReceiver(device->GetChannelIndex()).IsDeafTo(*this);
        if (isDeaf)
        {
            m_awaited.push_back(device->GetChannelIndex());
        }
        return !isDeaf;
    };
    D2dLinks& links = m_medium->Links();
    if (!burst.destination.IsGroup())
    {
        return hears(links.Find(burst.destination));
    }
    const std::size_t before = m_awaited.size();
    const bool isHeard = !burst.group || !SparesDeaf(burst) ||
                         std::any_of(burst.group->begin(), burst.group->end(), [&](uint32_t node) {
                             return hears(links.FindOfNode(node));
                         });
    m_awaited.resize(isHeard ? before : m_awaited.size());
    return isHeard;
}

bool
D2dReceiverAccess::HasPlace(const D2dBurst& burst, const AudienceFinder& find)
{
    const D2dAdmission& admission = m_medium->Admission();
    if (!burst.destination.IsGroup())
    {
        const D2dPhy* device = m_medium->Links().Find(burst.destination);
        const bool hasPlace =
            !device || (admission.GetReceiver(device->GetChannelIndex()).Takes(*this) &&
                        !admission.IsClaimed(device->GetChannelIndex(), m_phy->GetChannelIndex()));
        if (!hasPlace)
        {
            m_awaited.push_back(device->GetChannelIndex());
        }
        return hasPlace;
    }
    const auto audience = find(burst);
    const auto full =
        std::find_if(audience->links.begin(), audience->links.end(), [&](const D2dLink& link) {
            return link.inRange && !admission.GetReceiver(link.receiverIndex).Takes(*this);
        });
    if (full != audience->links.end())
    {
        m_awaited.push_back(full->receiverIndex);
    }
    return full == audience->links.end();
}

D2dBurstQueue::BurstFilter
D2dReceiverAccess::MakeFilter(AudienceFinder find)
{
    m_awaited.clear();
    // A device that went on with what is behind a broadcast would never be done with it
    return [this, find = std::move(find), blocked = false](const D2dBurst& burst) mutable {
        if (blocked || !IsHeard(burst))
        {
            return false;
        }
        const bool hasPlace = HasPlace(burst, find);
        blocked = !hasPlace && burst.destination.IsGroup();
        return hasPlace;
    };
}

std::shared_ptr<const D2dAudience>
D2dReceiverAccess::Draw(const D2dBurst& burst) const
{
    return m_medium->Links().DrawAudience(*m_phy, burst);
}

bool
D2dReceiverAccess::HasReceivable()
{
    return !m_medium->ChecksPlace() ||
           m_queue.FindNext(MakeFilter([this](const D2dBurst& burst) { return Draw(burst); }));
}

D2dReceiverAccess::Next
D2dReceiverAccess::TakeNext()
{
    m_awaited.clear(); // if no place is checked
    Next next;
    const auto draw = [this, &next](const D2dBurst& burst) { return next.audience = Draw(burst); };
    next.burst = m_medium->ChecksPlace() ? m_queue.Next(MakeFilter(draw)) : m_queue.Next();
    if (next.burst && (!next.audience || !next.burst->destination.IsGroup()))
    {
        next.audience = Draw(*next.burst);
    }
    return next;
}

} // namespace ns3::collab
