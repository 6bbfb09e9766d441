/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-site.h"

#include "ns3/collab-check-argument.h"

#include <algorithm>
#include <cmath>

namespace ns3::collab
{

BeliefSite::BeliefSite(double influence, std::size_t weights)
    : m_products(weights),
      m_precisions(weights)
{
    SetInfluence(influence);
}

void
BeliefSite::SetInfluence(double influence)
{
    CheckArgument(influence > 0 && influence <= 1,
                  "influence {}, expected a number over 0 and at most 1",
                  influence);
    m_influence = influence;
}

double
BeliefSite::GetInfluence() const
{
    return m_influence;
}

std::vector<double>
BeliefSite::MakeCavity(const std::vector<double>& belief) const
{
    const std::size_t count = m_precisions.size();
    std::vector<double> cavity(2 * count);
    for (std::size_t i = 0; i < count; ++i)
    {
        const double precision = 1 / (belief[count + i] * belief[count + i]);
        const double left = std::max(precision - m_influence * m_precisions[i],
                                     LEAST_SHARE * precision);
        cavity[i] = (precision * belief[i] - m_influence * m_products[i]) / left;
        cavity[count + i] = 1 / std::sqrt(left);
    }
    return cavity;
}

void
BeliefSite::Add(const std::vector<double>& before, const std::vector<double>& after)
{
    const std::size_t count = m_precisions.size();
    for (std::size_t i = 0; i < count; ++i)
    {
        const double old = 1 / (before[count + i] * before[count + i]);
        const double next = 1 / (after[count + i] * after[count + i]);
        m_precisions[i] += next - old;
        m_products[i] += next * after[i] - old * before[i];
    }
}

} // namespace ns3::collab
