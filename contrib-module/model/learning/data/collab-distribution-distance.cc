/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-distribution-distance.h"

#include "ns3/collab-coordinate-aggregation.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

namespace ns3
{
namespace collab
{

namespace
{

/**
 * @param[in,out] sample to sort
 * @throws std::invalid_argument if it is empty or not finite
 */
void
CheckAndSort(std::vector<double>& sample)
{
    if (sample.empty())
    {
        throw std::invalid_argument("a sample of 0 values, but at least 1 is needed");
    }
    for (const double value : sample)
    {
        if (!std::isfinite(value))
        {
            throw std::invalid_argument(
                fmt::format("a sample with the value {}, but all must be finite", value));
        }
    }
    std::sort(sample.begin(), sample.end());
}

/**
 * @param p first distribution
 * @param q second distribution
 * @throws std::invalid_argument if they differ in size
 */
void
CheckSizes(const std::vector<double>& p, const std::vector<double>& q)
{
    if (p.size() != q.size())
    {
        throw std::invalid_argument(
            fmt::format("distributions over {} and {} values", p.size(), q.size()));
    }
}

} // namespace

double
WassersteinDistance(std::vector<double> a, std::vector<double> b)
{
    CheckAndSort(a);
    CheckAndSort(b);
    const auto sizeA = static_cast<double>(a.size());
    const auto sizeB = static_cast<double>(b.size());
    std::size_t i = 0;
    std::size_t j = 0;
    double at = std::min(a[0], b[0]);
    double area = 0;
    while (i < a.size() || j < b.size())
    {
        const bool takeA = j == b.size() || (i < a.size() && a[i] <= b[j]);
        const double next = takeA ? a[i] : b[j];
        const double gap = static_cast<double>(i) / sizeA - static_cast<double>(j) / sizeB;
        area += std::abs(gap) * (next - at);
        at = next;
        ++(takeA ? i : j);
    }
    return area;
}

double
HistogramWassersteinDistance(const std::vector<double>& p, const std::vector<double>& q)
{
    CheckSizes(p, q);
    const std::vector<double> first = NormalizeWeights(p, p.size());
    const std::vector<double> second = NormalizeWeights(q, q.size());
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
    CheckSizes(p, q);
    const std::vector<double> first = NormalizeWeights(p, p.size());
    const std::vector<double> second = NormalizeWeights(q, q.size());
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
    CheckSizes(p, q);
    const std::vector<double> first = NormalizeWeights(p, p.size());
    const std::vector<double> second = NormalizeWeights(q, q.size());
    double sum = 0;
    for (std::size_t i = 0; i < first.size(); ++i)
    {
        sum += std::abs(first[i] - second[i]);
    }
    return std::min(sum / 2, 1.0); // rounding may leave the range
}

} // namespace collab
} // namespace ns3
