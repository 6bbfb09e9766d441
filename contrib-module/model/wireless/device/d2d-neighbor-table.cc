/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-neighbor-table.h"

#include "ns3/simulator.h"

namespace ns3::collab
{

void
D2dNeighborTable::Hear(uint32_t node, double rssW)
{
    m_entries[node] = {rssW, Simulator::Now()};
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
