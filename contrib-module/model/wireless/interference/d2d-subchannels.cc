/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-subchannels.h"

#include <algorithm>

namespace ns3::collab
{

void
D2dSubchannels::SetLocking(D2dLocking locking, double captureRatio)
{
    m_locking = locking;
    m_captureRatio = captureRatio;
}

void
D2dSubchannels::SetDivision(uint32_t count, double leakage)
{
    m_count = count;
    m_leakage = leakage;
}

D2dInterference&
D2dSubchannels::Find(uint32_t subchannel)
{
    while (m_interference.size() <= subchannel)
    {
        m_interference.emplace_back();
    }
    m_interference[subchannel].SetLocking(m_locking, m_captureRatio);
    return m_interference[subchannel];
}

uint64_t
D2dSubchannels::Begin(uint32_t subchannel,
                      const std::vector<D2dReach>& reach,
                      const std::vector<D2dReception>& receptions,
                      Time airtime,
                      uint32_t fragments,
                      Time elapsed)
{
    const uint64_t signal = Find(subchannel).Begin(reach, receptions, airtime, fragments, elapsed);
    const std::vector<uint32_t> neighbors = FindBeside(subchannel);
    if (!neighbors.empty())
    {
        std::vector<D2dReach> weaker = reach;
        for (auto& heard : weaker)
        {
            heard.powerW *= m_leakage;
        }
        std::vector<Place>& leaked = m_leaked[{subchannel, signal}];
        for (const uint32_t beside : neighbors)
        {
            leaked.emplace_back(beside, Find(beside).Begin(weaker, {}, airtime, 0, elapsed));
        }
    }
    return signal;
}

std::vector<uint32_t>
D2dSubchannels::FindBeside(uint32_t subchannel) const
{
    std::vector<uint32_t> found;
    for (const uint32_t beside : {subchannel - 1, subchannel + 1})
    {
        if (m_leakage > 0 && beside < m_count) // below the first one is none, which wraps around
        {
            found.push_back(beside);
        }
    }
    return found;
}

bool
D2dSubchannels::IsQuiet(uint32_t subchannel, const std::vector<uint32_t>& devices)
{
    const std::vector<uint32_t> neighbors = FindBeside(subchannel);
    return Find(subchannel).IsQuiet(devices) &&
           std::none_of(neighbors.begin(), neighbors.end(), [&](uint32_t beside) {
               return Find(beside).IsWatched(devices);
           });
}

std::vector<std::optional<D2dDisturbance>>
D2dSubchannels::End(uint32_t subchannel, uint64_t signal)
{
    const auto leaked = m_leaked.find({subchannel, signal});
    if (leaked != m_leaked.end())
    {
        for (const auto& [beside, part] : leaked->second)
        {
            m_interference[beside].End(part);
        }
        m_leaked.erase(leaked);
    }
    return m_interference[subchannel].End(signal);
}

} // namespace ns3::collab
