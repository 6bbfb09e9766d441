/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_DISTRIBUTION_DISTANCE_H
#define COLLAB_DISTRIBUTION_DISTANCE_H

#include <vector>

namespace ns3::collab
{

/// @brief The 1-Wasserstein distance between two distributions over equally spaced values, such as
/// bins of a histogram, at distance 1 from each other.
/// @param p first distribution; weights, which are divided by their sum
/// @param q second distribution, of the same size
/// @return the distance, in steps
/// @throws std::invalid_argument if they differ in size or if one is no distribution
double HistogramWassersteinDistance(const std::vector<double>& p, const std::vector<double>& q);

/**
 * @brief The Jensen-Shannon divergence between two distributions, with logarithms to base 2.
 *
 * (KL(p || m) + KL(q || m)) / 2 with m = (p + q) / 2 (Lin, IEEE Trans. Inf. Theory 1991). Its
 * square root is a metric.
 *
 * @param p first distribution; weights, which are divided by their sum
 * @param q second distribution, of the same size
 * @return the divergence, from 0 to 1 [bit]
 * @throws std::invalid_argument if they differ in size or if one is no distribution
 */
double JensenShannonDivergence(const std::vector<double>& p, const std::vector<double>& q);

/**
 * @brief The total variation distance between two distributions, the greatest difference of the
 * probabilities that they give to any set of values.
 *
 * sum_l |p_l - q_l| / 2. It is the 1-Wasserstein distance if all values are at distance 1 from each
 * other, as classes are whose order means nothing.
 *
 * @param p first distribution; weights, which are divided by their sum
 * @param q second distribution, of the same size
 * @return the distance, from 0 to 1
 * @throws std::invalid_argument if they differ in size or if one is no distribution
 */
double TotalVariationDistance(const std::vector<double>& p, const std::vector<double>& q);

} // namespace ns3::collab

#endif /* COLLAB_DISTRIBUTION_DISTANCE_H */
