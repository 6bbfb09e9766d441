/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-ranges.h"

#include "d2d-greatest-range.h"

#include "ns3/d2d-model-knowledge.h"
#include "ns3/d2d-phy.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace ns3::collab
{

D2dRanges::D2dRanges(const std::vector<D2dLinkEnd>& ends)
    : m_ends(ends)
{
}

void
D2dRanges::Find(Ptr<PropagationLossModel> model, double leastDbm, bool anyMoves)
{
    m_model = model;
    m_heightMatters = DependsOnD2dHeight(model);
    m_heightM = 0;
    m_leastDbm = leastDbm;
    for (const auto& end : m_ends)
    {
        m_leastDbm = std::min(m_leastDbm, end.phy->GetRxSensitivityDbm());
        if (m_heightMatters)
        {
            m_heightM = std::max(m_heightM, end.mobility->GetPosition().z);
        }
    }
    m_rangeM.clear();
    m_rangeOfM.clear();
    if (!anyMoves || !m_heightMatters) // who flies may climb
    {
        MakeIndex();
    }
    if (m_rangeM.empty())
    {
        m_index.reset();
    }
}

void
D2dRanges::HandleChange(uint32_t device)
{
    if (m_index)
    {
        m_rangeM[device] = std::numeric_limits<double>::quiet_NaN();
    }
}

bool
D2dRanges::IsMoreSensitive(double dbm) const
{
    return dbm < m_leastDbm;
}

bool
D2dRanges::IsHigher(double heightM) const
{
    return m_heightMatters && heightM > m_heightM;
}

void
D2dRanges::MakeIndex()
{
    double cell = 1e-3;
    for (const auto& end : m_ends)
    {
        m_rangeM.push_back(FindRangeM(end.txPowerDbm));
        cell = std::max(cell, m_rangeM.back());
        if (!std::isfinite(cell))
        {
            m_rangeM.clear();
            return;
        }
    }
    if (m_index && m_indexed == m_ends.size() && m_cell == cell)
    {
        return; // it follows those that are placed elsewhere
    }
    m_index = std::make_unique<D2dSpatialIndex>(cell);
    m_indexed = m_ends.size();
    m_cell = cell;
    for (const auto& end : m_ends)
    {
        m_index->Add(end.mobility);
    }
}

double
D2dRanges::FindRangeM(double txPowerDbm)
{
    const auto [found, isNew] = m_rangeOfM.emplace(txPowerDbm, 0.0);
    if (isNew)
    {
        found->second = FindD2dGreatestRange(m_model, txPowerDbm, m_leastDbm, m_heightM)
                            .value_or(std::numeric_limits<double>::infinity());
    }
    return found->second;
}

double
D2dRanges::GetRangeM(uint32_t transmitter)
{
    // Ranges take long to find: powers that are set anew and again share those of a few steps
    constexpr double STEPS_PER_DB = 4;
    double& range = m_rangeM[transmitter];
    if (std::isnan(range))
    {
        const double powerDbm = m_ends[transmitter].txPowerDbm;
        range = FindRangeM(std::ceil(powerDbm * STEPS_PER_DB) / STEPS_PER_DB);
    }
    return range * (1 + 1e-9); // a hair more, against rounding in the search for the range
}

std::vector<uint32_t>
D2dRanges::FindCandidates(uint32_t transmitter)
{
    if (m_index)
    {
        return m_index->FindWithin(m_ends[transmitter].mobility->GetPosition(),
                                   GetRangeM(transmitter));
    }
    std::vector<uint32_t> candidates(m_ends.size());
    std::iota(candidates.begin(), candidates.end(), 0);
    return candidates;
}

bool
D2dRanges::IsCandidate(uint32_t transmitter, uint32_t receiver)
{
    const D2dLinkEnd& from = m_ends[transmitter];
    const D2dLinkEnd& to = m_ends[receiver];
    return from.mobility != to.mobility && // not of the same node
           (!m_index || CalculateDistance(to.mobility->GetPosition(),
                                          from.mobility->GetPosition()) <= GetRangeM(transmitter));
}

} // namespace ns3::collab
