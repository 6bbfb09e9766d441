/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-geometric-median.h"

#include "collab-coordinate-aggregation.h"
#include "collab-parallel-for.h"
#include "collab-vector-kernels.h"

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

constexpr std::size_t COLUMNS = 1024;    //!< of all vectors, which a step takes from the cache
constexpr std::size_t MOST_PIECES = 128; //!< each needs a row of distances of its own

/**
 * @brief A weighted mean of the vectors, and how far each of them is from it.
 *
 * @param vectors n vectors
 * @param weights of the mean; they add up to 1
 * @param[out] mean d elements
 * @param threads number of threads
 * @return n distances
 */
std::vector<double>
MeanAndDistances(const VectorStack& vectors,
                 const std::vector<double>& weights,
                 float* mean,
                 unsigned threads)
{
    const std::size_t n = vectors.Count();
    const VectorKernels& kernels = GetVectorKernels();
    const auto pieces = SplitRange(vectors.Dimension(), COLUMNS, MOST_PIECES);
    Matrix<double> partial(pieces.size(), n);
    ParallelFor(threads, pieces.size(), [&](std::size_t piece) {
        double sums[COLUMNS];
        for (std::size_t begin = pieces[piece].begin; begin < pieces[piece].end; begin += COLUMNS)
        {
            const IndexRange range{begin, std::min(begin + COLUMNS, pieces[piece].end)};
            kernels.weightedSum(vectors.Rows().data(), n, range, weights.data(), sums);
            std::copy_n(sums, range.end - range.begin, mean + begin);
            for (std::size_t i = 0; i < n; ++i)
            {
                partial(piece, i) += kernels.squaredDistance(vectors.Row(i), range, sums);
            }
        }
    });
    std::vector<double> distances(n);
    for (std::size_t i = 0; i < n; ++i)
    {
        double sum = 0;
        for (std::size_t piece = 0; piece < pieces.size(); ++piece)
        {
            sum += partial(piece, i);
        }
        distances[i] = std::sqrt(sum);
    }
    return distances;
}

/**
 * @param options to check
 * @throws std::invalid_argument if one is not allowed
 */
void
CheckOptions(const GeometricMedianOptions& options)
{
    if (!(options.smoothing > 0) || !std::isfinite(options.smoothing) ||
        !(options.tolerance >= 0) || options.iterations == 0)
    {
        throw std::invalid_argument(fmt::format(
            "geometric median with smoothing {}, tolerance {} and {} iterations; allowed "
            "are a positive smoothing, a tolerance from 0 and at least 1 iteration",
            options.smoothing,
            options.tolerance,
            options.iterations));
    }
}

} // namespace

GeometricMedianReport
GeometricMedian(const VectorStack& vectors,
                const std::vector<double>& weights,
                const GeometricMedianOptions& options,
                float* result,
                unsigned threads)
{
    CheckOptions(options);
    const std::vector<double> normalized = NormalizeWeights(weights, vectors.Count());
    std::vector<double> distances = MeanAndDistances(vectors, normalized, result, threads);
    GeometricMedianReport report;
    while (report.iterations < options.iterations)
    {
        double objective = 0;
        std::vector<double> factors(normalized);
        for (std::size_t i = 0; i < factors.size(); ++i)
        {
            objective += normalized[i] * distances[i];
            factors[i] /= std::max(options.smoothing, distances[i]);
        }
        if (!std::isfinite(objective))
        {
            vectors.CheckFinite();
        }
        const bool first = report.iterations == 0;
        report.converged =
            !first && !(report.objective - objective > options.tolerance * objective);
        report.objective = objective;
        if (report.converged || objective == 0)
        {
            report.converged = true;
            break;
        }
        distances =
            MeanAndDistances(vectors, NormalizeWeights(factors, factors.size()), result, threads);
        ++report.iterations;
    }
    return report;
}

} // namespace collab
} // namespace ns3
