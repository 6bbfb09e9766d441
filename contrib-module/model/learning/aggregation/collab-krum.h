/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_KRUM_H
#define COLLAB_KRUM_H

#include "ns3/collab-matrix.h"
#include "ns3/collab-vector-stack.h"

#include <cstddef>
#include <vector>

namespace ns3::collab
{

/**
 * @file
 * Krum and Multi-Krum: Blanchard, El Mhamdi, Guerraoui, Stainer, "Machine Learning with
 * Adversaries: Byzantine Tolerant Gradient Descent", NIPS 2017. If a rule throws, its result holds
 * nothing of use.
 */

/**
 * @brief Squared Euclidean distances between all vectors.
 *
 * Sums of squared differences, in float over at most 128 elements at a time and in double beyond
 * that: relative errors are about 1e-6 whatever the vectors' length, and equal vectors are at
 * distance 0. A distance that float cannot hold is infinite. O(n^2 d).
 *
 * @param vectors n vectors of d elements
 * @return symmetric matrix of n x n
 * @throws std::invalid_argument if an element is not finite
 */
Matrix<double> SquaredDistances(const VectorStack& vectors);

/// @param count n, number of vectors
/// @param byzantine f, number of vectors that may be anything
/// @throws std::invalid_argument if n < 2 f + 3
void CheckKrumCount(std::size_t count, std::size_t byzantine);

/**
 * @brief Krum's scores.
 *
 * s(i) is the sum of squared distances of vector i to its n - f - 2 nearest others.
 *
 * @param squaredDistances symmetric matrix of n x n
 * @param byzantine f
 * @return n scores, low for vectors with many near others
 * @throws std::invalid_argument if n < 2 f + 3
 */
std::vector<double> KrumScores(const Matrix<double>& squaredDistances, std::size_t byzantine);

/// @brief Select the vector with the lowest Krum score, of equals the one with the lowest index.
/// @param vectors n vectors of d elements
/// @param byzantine f
/// @param[out] result d elements: a copy of the selected vector
/// @return index of the selected vector
/// @throws std::invalid_argument if n < 2 f + 3 or if an element is not finite
std::size_t Krum(const VectorStack& vectors, std::size_t byzantine, float* result);

/**
 * @brief The mean of the m vectors with the lowest Krum scores.
 *
 * m = 1 is Krum. Proven to resist f Byzantine vectors for m <= n - f - 2 (El Mhamdi et al., ICML
 * 2018); with m > n - f a Byzantine vector would be selected for certain.
 *
 * @param vectors n vectors of d elements
 * @param byzantine f
 * @param selected m, from 1 to n - f
 * @param[out] result d elements
 * @return indices of the selected vectors, ascending
 * @throws std::invalid_argument if n < 2 f + 3, if m is out of range or if an element is not finite
 */
std::vector<std::size_t> MultiKrum(const VectorStack& vectors,
                                   std::size_t byzantine,
                                   std::size_t selected,
                                   float* result);

} // namespace ns3::collab

#endif /* COLLAB_KRUM_H */
