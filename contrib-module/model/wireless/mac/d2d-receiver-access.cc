/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-receiver-access.h"

#include "ns3/d2d-admission.h"
#include "ns3/d2d-channel.h"
#include "ns3/d2d-net-device.h"
#include "ns3/d2d-phy.h"

#include <algorithm>

namespace ns3
{
namespace collab
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

D2dChannel&
D2dReceiverAccess::GetChannel() const
{
    return *m_phy->GetChannel();
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
    if (m_phy && m_phy->GetChannel())
    {
        GetChannel().LimitReceptions(m_maxReceptions > 0 || m_receiverSensing);
        GetChannel().NotifyPlace();
    }
}

bool
D2dReceiverAccess::Takes(const D2dReceiverAccess& sender) const
{
    const bool hasPlace = m_maxReceptions == 0 || m_phy->CountFollowed() < m_maxReceptions;
    // Devices that waited for each other would do so for ever
    return hasPlace && (!m_closed || sender.m_closed);
}

bool
D2dReceiverAccess::IsDeafTo(const D2dReceiverAccess& sender) const
{
    return sender.m_receiverSensing && m_phy->GetDuplex() == D2dDuplex::HALF && m_phy->IsSending();
}

void
D2dReceiverAccess::Close()
{
    if (!m_closed)
    {
        m_closed = true;
        GetChannel().GetAdmission().CountClosed(true);
    }
}

void
D2dReceiverAccess::Open()
{
    if (m_closed)
    {
        m_closed = false;
        GetChannel().GetAdmission().CountClosed(false);
        GetChannel().NotifyPlace();
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
    if (m_phy->GetChannel() && GetChannel().LimitsReceptions())
    {
        GetChannel().NotifyPlace();
    }
}

void
D2dReceiverAccess::AwaitPlace()
{
    Open(); // it is not held up by what it follows
    D2dAdmission& admission = GetChannel().GetAdmission();
    admission.Await(m_phy->GetChannelIndex());
    if (!GetChannel().LimitsReceptions())
    {
        return;
    }
    const auto group =
        m_queue.FindNext([](const D2dBurst& burst) { return burst.destination.IsGroup(); });
    if (group)
    {
        admission.Claim(m_phy->GetChannelIndex(), GetChannel().DrawAudience(*m_phy, *group));
    }
}

void
D2dReceiverAccess::ReleaseClaim()
{
    if (m_phy->GetChannel() && GetChannel().GetAdmission().Release(m_phy->GetChannelIndex()))
    {
        GetChannel().NotifyPlace();
    }
}

bool
D2dReceiverAccess::IsReceivable(const D2dBurst& burst) const
{
    if (!burst.destination.IsGroup())
    {
        Ptr<D2dNetDevice> device = GetChannel().FindDevice(burst.destination);
        if (!device)
        {
            return true;
        }
        const D2dAdmission& admission = GetChannel().GetAdmission();
        const uint32_t index = device->GetPhy()->GetChannelIndex();
        const D2dReceiverAccess& receiver = admission.GetReceiver(index);
        return receiver.Takes(*this) && !receiver.IsDeafTo(*this) &&
               !admission.IsClaimed(index, m_phy->GetChannelIndex());
    }
    const auto audience = GetChannel().DrawAudience(*m_phy, burst);
    const D2dAdmission& admission = GetChannel().GetAdmission();
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
    return !GetChannel().ChecksPlace() || m_queue.FindNext(MakeFilter());
}

std::shared_ptr<const D2dBurst>
D2dReceiverAccess::TakeNext()
{
    return GetChannel().ChecksPlace() ? m_queue.Next(MakeFilter()) : m_queue.Next();
}

} // namespace collab
} // namespace ns3
