/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-coordinate-aggregation.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-vector-kernels.h"

#include <cmath>
#include <limits>

namespace ns3::collab
{

namespace
{

constexpr std::size_t MEAN_COLUMNS = 16384; //!< of one piece of a mean: long runs of each vector
constexpr std::size_t SELECTION_COLUMNS = 4096; //!< of one piece of a selection
constexpr std::size_t UNLIMITED = std::numeric_limits<uint32_t>::max(); //!< no limit

/// @param vectors vectors to select from
/// @param network network that says which ranks count
/// @param[out] result means of the selected elements
/// @throws std::invalid_argument if an element is not finite
void
SelectedMean(const VectorStack& vectors, const SelectionNetwork& network, float* result)
{
    const VectorKernels& kernels = GetVectorKernels();
    const auto ranges = SplitRange(vectors.Dimension(), SELECTION_COLUMNS, UNLIMITED);
    bool finite = true;
    for (const IndexRange& range : ranges)
    {
        finite = kernels.selectedMean(vectors.Rows().data(), network, range, result) && finite;
    }
    if (!finite)
    {
        vectors.CheckFinite();
    }
}

} // namespace

void
CheckMajority(const char* name, std::size_t count, std::size_t byzantine)
{
    CheckArgument(count != 0 && byzantine <= (count - 1) / 2,
                  "{} of {} vectors with f = {}, but at least 2 f + 1 are needed",
                  name,
                  count,
                  byzantine);
}

std::vector<double>
NormalizeWeights(const std::vector<double>& weights, std::size_t count)
{
    CheckArgument(weights.size() == count, "{} weights for {} vectors", weights.size(), count);
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i)
    {
        CheckArgument(weights[i] >= 0 && std::isfinite(weights[i]),
                      "weight {} is {}, but must be finite and not negative",
                      i,
                      weights[i]);
        sum += weights[i];
    }
    CheckArgument(sum > 0 && std::isfinite(sum),
                  "the weights add up to {}, but must to a positive finite number",
                  sum);
    std::vector<double> normalized(weights);
    for (double& weight : normalized)
    {
        weight /= sum;
    }
    return normalized;
}

void
WeightedMean(const VectorStack& vectors, const std::vector<double>& weights, float* result)
{
    const std::vector<double> normalized = NormalizeWeights(weights, vectors.Count());
    const VectorKernels& kernels = GetVectorKernels();
    const auto ranges = SplitRange(vectors.Dimension(), MEAN_COLUMNS, UNLIMITED);
    bool finite = true;
    for (const IndexRange& range : ranges)
    {
        std::vector<double> sums(range.end - range.begin);
        kernels.weightedSum(
            vectors.Rows().data(), vectors.Count(), range, normalized.data(), sums.data());
        double notFinite = 0;
        for (std::size_t k = range.begin; k < range.end; ++k)
        {
            const double sum = sums[k - range.begin];
            result[k] = static_cast<float>(sum);
            notFinite += sum * 0; // NaN if an element is not finite, even if its weight is 0
        }
        finite = finite && notFinite == 0;
    }
    if (!finite)
    {
        vectors.CheckFinite();
    }
}

void
CoordinateMedian(const VectorStack& vectors, float* result)
{
    const std::size_t n = vectors.Count();
    SelectedMean(vectors, MakeSelectionNetwork(n, (n - 1) / 2, n / 2 + 1), result);
}

void
TrimmedMean(const VectorStack& vectors, std::size_t trimmed, float* result)
{
    const std::size_t n = vectors.Count();
    CheckArgument(trimmed <= (n - 1) / 2,
                  "trimmed mean of {} vectors with b = {}, but more than 2 b are needed",
                  n,
                  trimmed);
    SelectedMean(vectors, MakeSelectionNetwork(n, trimmed, n - trimmed), result);
}

} // namespace ns3::collab
