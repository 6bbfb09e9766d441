/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-reuse.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3
{
namespace collab
{

D2dReuse::D2dReuse(std::function<D2dGraph()> findLinks)
    : m_findLinks(std::move(findLinks))
{
}

void
D2dReuse::SetRules(uint32_t colors, uint32_t hops, Time period)
{
    m_isValid = m_isValid && colors == m_colors && hops == m_hops;
    m_colors = colors;
    m_hops = hops;
    m_period = period;
}

void
D2dReuse::Invalidate()
{
    m_isValid = false;
}

const std::vector<uint32_t>&
D2dReuse::GetColors()
{
    const bool isDue = m_period.IsStrictlyPositive() && Simulator::Now() - m_foundAt >= m_period;
    if (!m_isValid || isDue)
    {
        const D2dGraph graph = MakeD2dGraph(m_findLinks());
        m_colorOf = ColorGreedily(m_hops > 1 ? SquareD2dGraph(graph) : graph, m_colors);
        m_foundAt = Simulator::Now();
        m_isValid = true;
        ++m_found;
    }
    return m_colorOf;
}

uint64_t
D2dReuse::CountFound() const
{
    return m_found;
}

} // namespace collab
} // namespace ns3
