/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-population-metrics.h"

#include "ns3/collab-coordinate-aggregation.h"
#include "ns3/collab-parallel-for.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace ns3
{
namespace collab
{

namespace
{

constexpr double NONE = std::numeric_limits<double>::quiet_NaN(); //!< no value

} // namespace

double
Disagreement(const std::vector<int64_t>& a, const std::vector<int64_t>& b)
{
    if (a.size() != b.size())
    {
        throw std::invalid_argument(
            fmt::format("predictions of {} and of {} samples", a.size(), b.size()));
    }
    std::size_t different = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        different += a[i] != b[i] ? 1 : 0;
    }
    return a.empty() ? NONE : static_cast<double>(different) / static_cast<double>(a.size());
}

double
MeanDisagreement(const std::vector<std::vector<int64_t>>& predictions)
{
    double sum = 0;
    for (std::size_t i = 0; i < predictions.size(); ++i)
    {
        for (std::size_t j = 0; j < i; ++j)
        {
            sum += Disagreement(predictions[i], predictions[j]);
        }
    }
    const auto models = static_cast<double>(predictions.size());
    return predictions.size() < 2 ? NONE : sum / (models * (models - 1) / 2);
}

ConsensusDistance
GetConsensusDistance(const VectorStack& parameters, unsigned threads)
{
    const std::size_t n = parameters.Count();
    const std::size_t d = parameters.Dimension();
    std::vector<float> mean(d);
    WeightedMean(parameters, std::vector<double>(n, 1), mean.data(), threads);
    std::vector<double> squares(n, 0);
    ParallelFor(threads, n, [&](std::size_t i) {
        for (std::size_t k = 0; k < d; ++k)
        {
            const double difference = static_cast<double>(parameters.Row(i)[k]) - mean[k];
            squares[i] += difference * difference;
        }
    });
    ConsensusDistance distance;
    distance.meanSquare =
        std::accumulate(squares.begin(), squares.end(), 0.0) / static_cast<double>(n);
    distance.rms = std::sqrt(distance.meanSquare);
    distance.greatest = std::sqrt(*std::max_element(squares.begin(), squares.end()));
    return distance;
}

double
WorstDecileMean(std::vector<double> values)
{
    const bool isKnown =
        std::none_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
    if (values.empty() || !isKnown)
    {
        return NONE;
    }
    const std::size_t worst = (values.size() + 9) / 10;
    std::sort(values.begin(), values.end());
    return std::accumulate(
               values.begin(), values.begin() + static_cast<std::ptrdiff_t>(worst), 0.0) /
           static_cast<double>(worst);
}

} // namespace collab
} // namespace ns3
