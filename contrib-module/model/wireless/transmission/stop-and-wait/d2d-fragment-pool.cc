/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-fragment-pool.h"

#include <algorithm>

namespace ns3::collab
{

D2dFragmentPool::D2dFragmentPool(D2dArqSampler& sampler)
    : m_sampler(sampler)
{
}

void
D2dFragmentPool::Fill(const std::vector<D2dFragmentCounts>& stretches, D2dFragmentCounts all)
{
    m_stretches.assign(stretches.begin(), stretches.end());
    for (const auto& stretch : stretches)
    {
        all -= stretch;
    }
    m_stretches.push_back(all); // what was not sent to it before
    FindLastMissing();
}

void
D2dFragmentPool::FindLastMissing()
{
    const auto last = std::find_if(m_stretches.rbegin(),
                                   m_stretches.rend(),
                                   [](const auto& stretch) { return stretch.missing > 0; });
    if (last == m_stretches.rend())
    {
        return;
    }
    D2dFragmentCounts behind;
    while (m_sampler.DrawHypergeometric(
               1, last->missing, last->unacknowledged - behind.unacknowledged) == 0)
    {
        ++behind.unacknowledged;
    }
    const D2dFragmentCounts decisive = {1, 0};
    *last -= decisive;
    *last -= behind;
    const auto place = m_stretches.insert(last.base(), behind);
    m_stretches.insert(place, decisive);
}

std::optional<uint32_t>
D2dFragmentPool::CountBeforeLastMissing() const
{
    std::optional<uint32_t> before;
    uint32_t fragments = 0;
    for (const auto& stretch : m_stretches)
    {
        if (stretch.missing > 0)
        {
            before = fragments;
        }
        fragments += stretch.Outstanding();
    }
    return before;
}

D2dFragmentCounts
D2dFragmentPool::Take(uint32_t fragments)
{
    D2dFragmentCounts taken;
    while (fragments > 0)
    {
        D2dFragmentCounts& first = m_stretches.front();
        const uint32_t some = std::min(fragments, first.Outstanding());
        D2dFragmentCounts sample;
        sample.missing = m_sampler.DrawHypergeometric(some, first.missing, first.unacknowledged);
        sample.unacknowledged = some - sample.missing;
        taken += sample;
        fragments -= some;
        first -= sample;
        if (first.Outstanding() == 0)
        {
            m_stretches.pop_front();
        }
    }
    return taken;
}

} // namespace ns3::collab
