/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-geometric-median.h"

#include "collab-coordinate-aggregation.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-vector-kernels.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace ns3::collab
{

namespace
{

constexpr std::size_t CACHED_COLUMNS = 1024; //!< of all vectors, which a step takes from the cache
constexpr std::size_t MOST_ROWS = 128;       //!< each needs a row of distances of its own

/// What one pass over the vectors has found
struct Pass
{
    std::vector<double> distances; //!< of each vector to the point
    double step = 0;               //!< how far the point has moved
};

/// @brief Move a point to a weighted mean of the vectors, and measure how far each of them is.
/// @param vectors n vectors
/// @param weights weights of the mean, which add up to 1; null to leave the point where it is
/// @param[in,out] point d elements
/// @return distances to the point after the move
Pass
MoveAndMeasure(const VectorStack& vectors,
               const std::vector<double>* weights,
               std::vector<double>& point)
{
    const std::size_t n = vectors.Count();
    const VectorKernels& kernels = GetVectorKernels();
    const auto pieces = SplitRange(vectors.Dimension(), CACHED_COLUMNS, MOST_ROWS);
    std::vector<double> distances(n + 1); // the last one is that of the step
    for (const IndexRange& piece : pieces)
    {
        std::vector<double> squares(n + 1);
        double moved[CACHED_COLUMNS];
        for (std::size_t begin = piece.begin; begin < piece.end; begin += CACHED_COLUMNS)
        {
            const IndexRange range{begin, std::min(begin + CACHED_COLUMNS, piece.end)};
            double* here = point.data() + begin;
            if (weights)
            {
                kernels.weightedSum(vectors.Rows().data(), n, range, weights->data(), moved);
                for (std::size_t k = 0; k < range.end - range.begin; ++k)
                {
                    squares[n] += (moved[k] - here[k]) * (moved[k] - here[k]);
                    here[k] = moved[k];
                }
            }
            for (std::size_t i = 0; i < n; ++i)
            {
                squares[i] += kernels.squaredDistance(vectors.Row(i), range, here);
            }
        }
        std::transform(
            distances.begin(), distances.end(), squares.begin(), distances.begin(), std::plus<>());
    }
    for (double& distance : distances)
    {
        distance = std::sqrt(distance);
    }
    const double step = distances.back();
    distances.pop_back();
    return {std::move(distances), step};
}

/// @param values values to choose from
/// @return the greater one of the middle two
double
Median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// @param options options to check
/// @throws std::invalid_argument if one is not allowed
void
CheckOptions(const GeometricMedianOptions& options)
{
    CheckArgument(options.smoothing > 0 && std::isfinite(options.smoothing) &&
                      options.tolerance >= 0 && options.iterations != 0,
                  "geometric median with smoothing {}, tolerance {} and {} iterations; allowed are "
                  "a positive smoothing, a tolerance from 0 and at least 1 iteration",
                  options.smoothing,
                  options.tolerance,
                  options.iterations);
}

} // namespace

GeometricMedianReport
GeometricMedian(const VectorStack& vectors,
                const std::vector<double>& weights,
                const GeometricMedianOptions& options,
                float* result)
{
    CheckOptions(options);
    const std::vector<double> normalized = NormalizeWeights(weights, vectors.Count());
    CoordinateMedian(vectors, result);
    std::vector<double> point(result, result + vectors.Dimension());
    Pass pass = MoveAndMeasure(vectors, nullptr, point);
    GeometricMedianReport report;
    while (!report.converged && report.iterations < options.iterations)
    {
        std::vector<double> factors(normalized);
        for (std::size_t i = 0; i < factors.size(); ++i)
        {
            factors[i] /= std::max(options.smoothing, pass.distances[i]);
        }
        const std::vector<double> weightsOfStep = NormalizeWeights(factors, factors.size());
        pass = MoveAndMeasure(vectors, &weightsOfStep, point);
        ++report.iterations;
        const double scale = std::max(options.smoothing, Median(pass.distances));
        report.converged = pass.step <= options.tolerance * scale;
    }
    report.objective =
        std::inner_product(normalized.begin(), normalized.end(), pass.distances.begin(), 0.0);
    std::copy(point.begin(), point.end(), result);
    return report;
}

} // namespace ns3::collab
