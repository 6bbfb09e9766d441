/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-distribution-distance.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-coordinate-aggregation.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::collab
{

namespace
{

/// @param p first distribution
/// @param q second distribution
/// @return both, so that they add up to 1
/// @throws std::invalid_argument if they differ in size or are no distributions
std::pair<std::vector<double>, std::vector<double>>
Normalize(const std::vector<double>& p, const std::vector<double>& q)
{
    CheckArgument(p.size() == q.size(), "distributions over {} and {} values", p.size(), q.size());
    return {NormalizeWeights(p, p.size()), NormalizeWeights(q, q.size())};
}

} // namespace

double
HistogramWassersteinDistance(const std::vector<double>& p, const std::vector<double>& q)
{
    const auto [first, second] = Normalize(p, q);
    double gap = 0;
    double area = 0;
    for (std::size_t i = 0; i + 1 < first.size(); ++i)
    {
        gap += first[i] - second[i];
        area += std::abs(gap);
    }
    return area;
}

double
JensenShannonDivergence(const std::vector<double>& p, const std::vector<double>& q)
{
    const auto [first, second] = Normalize(p, q);
    double divergence = 0;
    for (std::size_t i = 0; i < first.size(); ++i)
    {
        const double middle = (first[i] + second[i]) / 2;
        for (const double part : {first[i], second[i]})
        {
            divergence += part > 0 ? part * std::log2(part / middle) / 2 : 0;
        }
    }
    return std::min(std::max(divergence, 0.0), 1.0); // rounding may leave the range
}

double
TotalVariationDistance(const std::vector<double>& p, const std::vector<double>& q)
{
    const auto [first, second] = Normalize(p, q);
    double sum = 0;
    for (std::size_t i = 0; i < first.size(); ++i)
    {
        sum += std::abs(first[i] - second[i]);
    }
    return std::min(sum / 2, 1.0); // rounding may leave the range
}

} // namespace ns3::collab
