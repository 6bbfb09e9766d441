/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-admission.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

void
D2dAdmission::AddReceiver(const D2dReceiverAccess& receiver)
{
    m_devices.emplace_back();
    m_devices.back().access = &receiver;
}

const D2dReceiverAccess&
D2dAdmission::GetReceiver(uint32_t device) const
{
    return *m_devices[device].access;
}

void
D2dAdmission::Await(uint32_t sender, const std::vector<uint32_t>& receivers)
{
    Leave(sender);
    m_waiting.Insert(sender);
    m_devices[sender].awaited = receivers;
    for (const uint32_t receiver : receivers)
    {
        m_devices[receiver].awaiting.push_back(sender);
    }
    if (receivers.empty())
    {
        m_loose.Insert(sender);
    }
}

void
D2dAdmission::Loosen(uint32_t sender)
{
    if (m_waiting.Contains(sender))
    {
        m_loose.Insert(sender);
    }
}

void
D2dAdmission::LoosenWaiting(uint32_t receiver)
{
    for (const uint32_t sender : m_devices[receiver].awaiting)
    {
        m_loose.Insert(sender);
    }
}

void
D2dAdmission::Leave(uint32_t sender)
{
    for (const uint32_t receiver : m_devices[sender].awaited)
    {
        auto& awaiting = m_devices[receiver].awaiting;
        *std::find(awaiting.begin(), awaiting.end(), sender) = awaiting.back();
        awaiting.pop_back();
    }
    m_devices[sender].awaited.clear();
    m_waiting.Erase(sender);
    m_loose.Erase(sender);
}

std::vector<uint32_t>
D2dAdmission::TakeWaiting(uint32_t receiver)
{
    std::vector<uint32_t> senders = m_loose.GetMembers();
    const auto& awaiting = m_devices[receiver].awaiting;
    senders.insert(senders.end(), awaiting.begin(), awaiting.end());
    return Take(std::move(senders));
}

std::vector<uint32_t>
D2dAdmission::TakeAllWaiting()
{
    return Take(m_waiting.GetMembers());
}

std::vector<uint32_t>
D2dAdmission::Take(std::vector<uint32_t> senders)
{
    std::sort(senders.begin(), senders.end());
    senders.erase(std::unique(senders.begin(), senders.end()), senders.end());
    for (const uint32_t sender : senders)
    {
        Leave(sender);
    }
    return senders;
}

void
D2dAdmission::Claim(uint32_t sender, std::shared_ptr<const D2dAudience> audience)
{
    Device& device = m_devices[sender];
    if (device.claimed == audience)
    {
        return;
    }
    if (const auto before = Release(sender))
    {
        for (const auto& link : before->links)
        {
            LoosenWaiting(link.receiverIndex);
        }
    }
    for (const auto& link : audience->links)
    {
        ++m_devices[link.receiverIndex].claims;
    }
    device.claimed = std::move(audience);
}

std::shared_ptr<const D2dAudience>
D2dAdmission::Release(uint32_t sender)
{
    auto released = std::exchange(m_devices[sender].claimed, nullptr);
    if (released)
    {
        for (const auto& link : released->links)
        {
            --m_devices[link.receiverIndex].claims;
        }
    }
    return released;
}

bool
D2dAdmission::IsClaimed(uint32_t receiver, uint32_t sender) const
{
    const uint32_t claims = m_devices[receiver].claims;
    if (claims == 0)
    {
        return false;
    }
    const auto& own = m_devices[sender].claimed;
    const bool claimsItself =
        own && std::any_of(own->links.begin(), own->links.end(), [receiver](const D2dLink& link) {
            return link.receiverIndex == receiver;
        });
    return claims > (claimsItself ? 1U : 0U);
}

void
D2dAdmission::CountClosed(bool closed)
{
    m_closed += closed ? 1 : -1;
}

} // namespace ns3::collab
