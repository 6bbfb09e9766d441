/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-kept-links.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

D2dKeptLinks::D2dKeptLinks(const uint64_t& budget)
    : m_budget(budget)
{
}

void
D2dKeptLinks::AddDevice()
{
    m_devices.emplace_back();
}

D2dKeptLinks::OfDevice&
D2dKeptLinks::Of(uint32_t device)
{
    return m_devices[device];
}

void
D2dKeptLinks::Use(Kept& kept)
{
    kept.used = ++m_uses;
}

void
D2dKeptLinks::Keep(Kept& kept, std::vector<D2dLink> links, std::vector<D2dLink> faint)
{
    const auto count = [&kept]() {
        return kept.audience ? kept.audience->links.size() + kept.audience->faint.size() : 0;
    };
    m_links -= count();
    links.shrink_to_fit(); // there may be millions
    auto audience = std::make_shared<D2dAudience>(std::move(links));
    audience->faint = std::move(faint);
    kept.audience = std::move(audience);
    m_links += count();
    if (m_links > m_budget)
    {
        ForgetLeastUsed(kept);
    }
}

void
D2dKeptLinks::ForgetLeastUsed(const Kept& recent)
{
    std::vector<Kept*> all;
    for (auto& device : m_devices)
    {
        for (Kept* kept : {&device.inRange, &device.toGroup})
        {
            if (kept->audience && kept != &recent)
            {
                all.push_back(kept);
            }
        }
    }
    std::sort(
        all.begin(), all.end(), [](const Kept* a, const Kept* b) { return a->used < b->used; });
    // A quarter at once, so that this is not done each time
    const uint64_t enough = m_budget - m_budget / 4;
    for (auto next = all.begin(); next != all.end() && m_links > enough; ++next)
    {
        m_links -= (*next)->audience->links.size() + (*next)->audience->faint.size();
        (*next)->audience.reset();
        (*next)->version = 0;
    }
}

} // namespace ns3::collab
