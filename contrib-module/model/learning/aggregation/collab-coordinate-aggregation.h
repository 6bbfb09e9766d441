/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_COORDINATE_AGGREGATION_H
#define COLLAB_COORDINATE_AGGREGATION_H

#include "ns3/collab-vector-stack.h"

#include <cstddef>
#include <vector>

namespace ns3::collab
{

/**
 * @file
 * Aggregation rules that treat every coordinate by itself. If a rule throws, its result holds
 * nothing of use.
 */

/// @param weights weights to check, one a vector
/// @param count number of vectors
/// @return weights divided by their sum
/// @throws std::invalid_argument if there are not count of them, if one is negative or not finite,
/// or if all are 0
std::vector<double> NormalizeWeights(const std::vector<double>& weights, std::size_t count);

/// @param name of a rule that bears less than half of the vectors
/// @param count n
/// @param byzantine f
/// @throws std::invalid_argument if n < 2 f + 1
void CheckMajority(const char* name, std::size_t count, std::size_t byzantine);

/**
 * @brief The weighted mean, e.g. by numbers of samples (McMahan et al. 2017).
 *
 * Sums in double precision. O(nd).
 *
 * @param vectors n vectors of d elements
 * @param weights n weights, which need not add up to 1
 * @param[out] result d elements
 * @throws std::invalid_argument if an element is not finite or if weights are refused
 */
void WeightedMean(const VectorStack& vectors, const std::vector<double>& weights, float* result);

/**
 * @brief The coordinate-wise median (Yin et al., ICML 2018, definition 1).
 *
 * For even n the mean of the middle two. O(n log(n)^2 d) by a sorting network over columns.
 *
 * @param vectors n vectors of d elements
 * @param[out] result d elements
 * @throws std::invalid_argument if an element is not finite
 */
void CoordinateMedian(const VectorStack& vectors, float* result);

/**
 * @brief The coordinate-wise trimmed mean (Yin et al., ICML 2018, definition 2).
 *
 * In every coordinate the mean of what is left without the b greatest and the b least elements,
 * summed in double precision. O(n log(n)^2 d).
 *
 * @param vectors n vectors of d elements
 * @param trimmed b, elements dropped on each side; 2 b < n
 * @param[out] result d elements
 * @throws std::invalid_argument if an element is not finite or if n is not above 2 b
 */
void TrimmedMean(const VectorStack& vectors, std::size_t trimmed, float* result);

} // namespace ns3::collab

#endif /* COLLAB_COORDINATE_AGGREGATION_H */
