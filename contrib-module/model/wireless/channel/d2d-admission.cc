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
    m_receivers.push_back(&receiver);
}

const D2dReceiverAccess&
D2dAdmission::GetReceiver(uint32_t device) const
{
    return *m_receivers[device];
}

void
D2dAdmission::Await(uint32_t sender)
{
    m_waiting.insert(sender);
}

std::set<uint32_t>
D2dAdmission::TakeWaiting()
{
    return std::exchange(m_waiting, {});
}

void
D2dAdmission::Claim(uint32_t sender, std::shared_ptr<const D2dAudience> audience)
{
    Release(sender);
    for (const auto& link : audience->links)
    {
        if (link.receiverIndex >= m_claimsOf.size())
        {
            m_claimsOf.resize(link.receiverIndex + 1);
        }
        ++m_claimsOf[link.receiverIndex];
    }
    m_claims[sender] = std::move(audience);
}

bool
D2dAdmission::Release(uint32_t sender)
{
    const auto claim = m_claims.find(sender);
    if (claim == m_claims.end())
    {
        return false;
    }
    for (const auto& link : claim->second->links)
    {
        --m_claimsOf[link.receiverIndex];
    }
    m_claims.erase(claim);
    return true;
}

bool
D2dAdmission::IsClaimed(uint32_t receiver, uint32_t sender) const
{
    if (receiver >= m_claimsOf.size() || m_claimsOf[receiver] == 0)
    {
        return false;
    }
    const auto own = m_claims.find(sender);
    const bool claimsItself =
        own != m_claims.end() &&
        std::any_of(own->second->links.begin(),
                    own->second->links.end(),
                    [receiver](const D2dLink& link) { return link.receiverIndex == receiver; });
    return m_claimsOf[receiver] > (claimsItself ? 1U : 0U);
}

void
D2dAdmission::CountClosed(bool closed)
{
    m_closed += closed ? 1 : -1;
}

} // namespace ns3::collab
