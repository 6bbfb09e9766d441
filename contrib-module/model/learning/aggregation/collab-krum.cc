/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-krum.h"

#include "collab-coordinate-aggregation.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-vector-kernels.h"

#include <algorithm>
#include <numeric>

namespace ns3::collab
{

namespace
{

// Sums are of at most 16 pieces, of 4 for many vectors: other pieces would round otherwise
constexpr std::size_t LEAST_COLUMNS = 16384;         //!< least of one piece of work
constexpr std::size_t MOST_KRUM_PIECES = 16;         //!< of few vectors
constexpr std::size_t LEAST_PIECES = 4;              //!< of many vectors
constexpr std::size_t BYTES_OF_MATRICES = 1UL << 26; //!< of all pieces, if that leaves enough

/// @param vectors n vectors
/// @param byzantine f
/// @return indices of the vectors by ascending Krum score, of equals the lowest first
std::vector<std::size_t>
RankByKrum(const VectorStack& vectors, std::size_t byzantine)
{
    CheckKrumCount(vectors.Count(), byzantine);
    const std::vector<double> scores = KrumScores(SquaredDistances(vectors), byzantine);
    std::vector<std::size_t> order(vectors.Count());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return scores[a] < scores[b];
    });
    return order;
}

} // namespace

Matrix<double>
SquaredDistances(const VectorStack& vectors)
{
    const std::size_t n = vectors.Count();
    const std::size_t padded = (n + DISTANCE_TILE - 1) / DISTANCE_TILE * DISTANCE_TILE;
    const std::size_t fitting = BYTES_OF_MATRICES / (padded * padded * sizeof(double));
    const auto ranges = SplitRange(vectors.Dimension(),
                                   LEAST_COLUMNS,
                                   std::min(std::max(fitting, LEAST_PIECES), MOST_KRUM_PIECES));
    const VectorKernels& kernels = GetVectorKernels();
    Matrix<double> distances(n, n);
    for (const IndexRange& range : ranges)
    {
        Matrix<double> part(padded, padded);
        kernels.addSquaredDistances(vectors.Rows().data(), n, range, part.values.data());
        for (std::size_t i = 0; i < n; ++i)
        {
            for (std::size_t j = 0; j <= i; ++j)
            {
                distances(i, j) += part(i, j);
            }
        }
    }
    for (std::size_t i = 0; i < n; ++i)
    {
        for (std::size_t j = 0; j < i; ++j)
        {
            distances(j, i) = distances(i, j);
        }
        if (distances(i, i) != 0)
        {
            vectors.CheckFinite();
        }
    }
    return distances;
}

void
CheckKrumCount(std::size_t count, std::size_t byzantine)
{
    CheckArgument(count >= 3 && byzantine <= (count - 3) / 2,
                  "Krum of {} vectors with f = {}, but at least 2 f + 3 are needed",
                  count,
                  byzantine);
}

std::vector<double>
KrumScores(const Matrix<double>& squaredDistances, std::size_t byzantine)
{
    const std::size_t n = squaredDistances.rows;
    CheckKrumCount(n, byzantine);
    const auto near = static_cast<std::ptrdiff_t>(n - byzantine - 2);
    std::vector<double> scores(n);
    for (std::size_t i = 0; i < n; ++i)
    {
        std::vector<double> others(squaredDistances.Row(i), squaredDistances.Row(i) + n);
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        // Sorted before they are added up: the score does not depend on the order of the vectors.
        std::partial_sort(others.begin(), others.begin() + near, others.end());
        scores[i] = std::accumulate(others.begin(), others.begin() + near, 0.0);
    }
    return scores;
}

std::size_t
Krum(const VectorStack& vectors, std::size_t byzantine, float* result)
{
    const std::size_t best = RankByKrum(vectors, byzantine).front();
    std::copy_n(vectors.Row(best), vectors.Dimension(), result);
    return best;
}

std::vector<std::size_t>
MultiKrum(const VectorStack& vectors, std::size_t byzantine, std::size_t selected, float* result)
{
    const std::size_t n = vectors.Count();
    CheckKrumCount(n, byzantine);
    CheckArgument(selected != 0 && selected <= n - byzantine,
                  "Multi-Krum of {} vectors with f = {} and m = {}, allowed are m from 1 to {}",
                  n,
                  byzantine,
                  selected,
                  n - byzantine);
    std::vector<std::size_t> chosen = RankByKrum(vectors, byzantine);
    chosen.resize(selected);
    std::sort(chosen.begin(), chosen.end());
    WeightedMean(vectors.Select(chosen), std::vector<double>(selected, 1), result);
    return chosen;
}

} // namespace ns3::collab
