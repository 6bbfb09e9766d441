/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-mixing-aggregation.h"

#include "collab-coordinate-aggregation.h"
#include "collab-krum.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-vector-kernels.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace ns3::collab
{

namespace
{

/// @param distances of n vectors from one
/// @param n number of them
/// @param count how many of the nearest
/// @return their indices, ascending
std::vector<std::size_t>
FindNearest(const double* distances, std::size_t n, std::size_t count)
{
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [distances](std::size_t a, std::size_t b) {
        return distances[a] < distances[b];
    });
    order.resize(count);
    std::sort(order.begin(), order.end());
    return order;
}

/// @param vectors n vectors
/// @param indices of some of them
/// @param[out] mean of these, d elements
void
Average(const VectorStack& vectors, const std::vector<std::size_t>& indices, float* mean)
{
    WeightedMean(vectors.Select(indices), std::vector<double>(indices.size(), 1), mean);
}

} // namespace

std::vector<double>
GetDistances(const VectorStack& vectors, const float* center)
{
    const std::vector<double> point(center, center + vectors.Dimension());
    std::vector<double> distances;
    for (const float* row : vectors.Rows())
    {
        distances.push_back(std::sqrt(
            GetVectorKernels().squaredDistance(row, {0, vectors.Dimension()}, point.data())));
        if (!std::isfinite(distances.back()))
        {
            vectors.CheckFinite();
        }
    }
    return distances;
}

Matrix<float>
MixNearest(const VectorStack& vectors, std::size_t byzantine)
{
    const std::size_t n = vectors.Count();
    CheckMajority("nearest-neighbor mixing", n, byzantine);
    const Matrix<double> distances = SquaredDistances(vectors);
    Matrix<float> mixed(n, vectors.Dimension());
    for (std::size_t i = 0; i < n; ++i)
    {
        Average(vectors, FindNearest(distances.Row(i), n, n - byzantine), mixed.Row(i));
    }
    return mixed;
}

std::vector<float>
AverageNearest(const VectorStack& vectors, std::size_t own, std::size_t byzantine)
{
    const std::size_t n = vectors.Count();
    CheckArgument(
        byzantine < n, "the mean of the nearest {} - f vectors, with f = {}", n, byzantine);
    const auto distances = GetDistances(vectors, vectors.Row(own));
    std::vector<float> mean(vectors.Dimension());
    Average(vectors, FindNearest(distances.data(), n, n - byzantine), mean.data());
    return mean;
}

Matrix<float>
ClipAdaptively(const VectorStack& vectors, std::size_t byzantine)
{
    const std::size_t n = vectors.Count();
    CheckMajority("adaptive robust clipping", n, byzantine);
    const std::size_t clipped = 2 * byzantine * (n - byzantine) / n; // k, below n
    const std::vector<float> zero(vectors.Dimension());
    const std::vector<double> norms = GetDistances(vectors, zero.data());
    std::vector<double> sorted = norms;
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    const double longest = sorted[clipped];
    Matrix<float> result(n, vectors.Dimension());
    for (std::size_t i = 0; i < n; ++i)
    {
        const double factor = norms[i] > longest ? longest / norms[i] : 1;
        std::transform(vectors.Row(i),
                       vectors.Row(i) + vectors.Dimension(),
                       result.Row(i),
                       [factor](float value) { return static_cast<float>(factor * value); });
    }
    return result;
}

void
ClipAround(const VectorStack& vectors, double radius, uint32_t iterations, float* center)
{
    const auto n = static_cast<double>(vectors.Count());
    const IndexRange all = {0, vectors.Dimension()};
    std::vector<double> sum(vectors.Dimension());
    for (uint32_t iteration = 0; iteration < iterations; ++iteration)
    {
        const std::vector<double> distances = GetDistances(vectors, center);
        std::vector<double> weights;
        for (const double distance : distances)
        {
            weights.push_back((distance > radius ? radius / distance : 1) / n);
        }
        const double kept = 1 - std::accumulate(weights.begin(), weights.end(), 0.0);
        GetVectorKernels().weightedSum(
            vectors.Rows().data(), vectors.Count(), all, weights.data(), sum.data());
        for (std::size_t k = 0; k < sum.size(); ++k)
        {
            center[k] = static_cast<float>(kept * center[k] + sum[k]);
        }
    }
}

double
FindClippingRadius(std::vector<double> distances, std::size_t byzantine)
{
    if (distances.empty())
    {
        return 0;
    }
    std::sort(distances.begin(), distances.end(), std::greater<>());
    return distances[std::min(byzantine, distances.size() - 1)];
}

} // namespace ns3::collab
