/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-neighbor-table.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>

namespace ns3::collab
{

void
D2dNeighborTable::Hear(uint32_t node, double rssW, Time memory)
{
    const Time now = Simulator::Now();
    const auto [entry, isNew] = m_entries.try_emplace(node);
    Entry& known = entry->second;
    const double kept =
        isNew || memory.IsZero() ? 0 : std::exp(-((now - known.heard) / memory).GetDouble());
    known.rssW = kept * known.rssW + (1 - kept) * rssW;
    known.heard = now;
}

void
D2dNeighborTable::HearBeacon(uint32_t node, Time window)
{
    auto& beacons = m_entries[node].beacons;
    beacons.push_back(Simulator::Now());
    while (Simulator::Now() - beacons.front() >= window)
    {
        beacons.pop_front();
    }
}

uint32_t
D2dNeighborTable::CountBeacons(uint32_t node, Time window) const
{
    const auto found = m_entries.find(node);
    if (found == m_entries.end())
    {
        return 0;
    }
    const auto& beacons = found->second.beacons;
    return static_cast<uint32_t>(
        std::count_if(beacons.begin(), beacons.end(), [window](const Time& heard) {
            return Simulator::Now() - heard < window;
        }));
}

std::optional<double>
D2dNeighborTable::GetRssW(uint32_t node, Time timeout) const
{
    const auto found = m_entries.find(node);
    if (found == m_entries.end() || Simulator::Now() - found->second.heard > timeout)
    {
        return std::nullopt;
    }
    return found->second.rssW;
}

std::vector<uint32_t>
D2dNeighborTable::GetNodes(Time timeout) const
{
    std::vector<uint32_t> nodes;
    for (const auto& [node, entry] : m_entries)
    {
        if (Simulator::Now() - entry.heard <= timeout)
        {
            nodes.push_back(node);
        }
    }
    return nodes;
}

} // namespace ns3::collab
