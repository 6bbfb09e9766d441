/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-receiver-access.h"

#include "ns3/d2d-medium.h"
#include "ns3/d2d-phy.h"

#include <algorithm>

namespace ns3::collab
{

D2dReceiverAccess::D2dReceiverAccess(D2dBurstQueue& queue)
    : m_queue(queue)
{
}

void
D2dReceiverAccess::SetPhy(D2dPhy* phy)
{
    m_phy = phy;
}

void
D2dReceiverAccess::SetMedium(D2dMedium* medium)
{
    m_medium = medium;
}

void
D2dReceiverAccess::SetMaxReceptions(uint32_t bursts)
{
    m_maxReceptions = bursts;
    NotifyLimits();
}

uint32_t
D2dReceiverAccess::GetMaxReceptions() const
{
    return m_maxReceptions;
}

void
D2dReceiverAccess::SetReceiverSensing(bool enabled)
{
    m_receiverSensing = enabled;
    NotifyLimits();
}

bool
D2dReceiverAccess::GetReceiverSensing() const
{
    return m_receiverSensing;
}

void
D2dReceiverAccess::NotifyLimits()
{
    if (m_medium)
    {
        m_medium->LimitReceptions(m_maxReceptions > 0 || m_receiverSensing);
        m_medium->NotifyPlace();
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
        m_medium->NotifyPlace();
    }
}

void
D2dReceiverAccess::Reset()
{
    m_closed = false;
}

void
D2dReceiverAccess::OfferPlace()
{
    if (m_medium && m_medium->LimitsReceptions())
    {
        m_medium->NotifyPlace();
    }
}

void
D2dReceiverAccess::AwaitPlace()
{
    Open(); // it is not held up by what it follows
    D2dAdmission& admission = m_medium->Admission();
    admission.Await(m_phy->GetChannelIndex());
    if (!m_medium->LimitsReceptions())
    {
        return;
    }
    const auto group =
        m_queue.FindNext([](const D2dBurst& burst) { return burst.destination.IsGroup(); });
    if (group)
    {
        admission.Claim(m_phy->GetChannelIndex(), m_medium->Links().DrawAudience(*m_phy, *group));
    }
}

void
D2dReceiverAccess::ReleaseClaim()
{
    if (m_medium && m_medium->Admission().Release(m_phy->GetChannelIndex()))
    {
        m_medium->NotifyPlace();
    }
}

bool
D2dReceiverAccess::IsReceivable(const D2dBurst& burst) const
{
    if (!burst.destination.IsGroup())
    {
        const D2dPhy* device = m_medium->Links().Find(burst.destination);
        if (!device)
        {
            return true;
        }
        const D2dAdmission& admission = m_medium->Admission();
        const uint32_t index = device->GetChannelIndex();
        const D2dReceiverAccess& receiver = admission.GetReceiver(index);
        return receiver.Takes(*this) && !receiver.IsDeafTo(*this) &&
               !admission.IsClaimed(index, m_phy->GetChannelIndex());
    }
    const auto audience = m_medium->Links().DrawAudience(*m_phy, burst);
    const D2dAdmission& admission = m_medium->Admission();
    return std::all_of(audience->links.begin(), audience->links.end(), [&](const D2dLink& link) {
        return !link.inRange || admission.GetReceiver(link.receiverIndex).Takes(*this);
    });
}

D2dBurstQueue::BurstFilter
D2dReceiverAccess::MakeFilter() const
{
    // A device that went on with what is behind a broadcast would never be done with it
    return [this, blocked = false](const D2dBurst& burst) mutable {
        const bool receivable = !blocked && IsReceivable(burst);
        blocked = blocked || (!receivable && burst.destination.IsGroup());
        return receivable;
    };
}

bool
D2dReceiverAccess::HasReceivable()
{
    return !m_medium->ChecksPlace() || m_queue.FindNext(MakeFilter());
}

std::shared_ptr<const D2dBurst>
D2dReceiverAccess::TakeNext()
{
    return m_medium->ChecksPlace() ? m_queue.Next(MakeFilter()) : m_queue.Next();
}

} // namespace ns3::collab
