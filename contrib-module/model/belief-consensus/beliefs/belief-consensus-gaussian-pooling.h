/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_GAUSSIAN_POOLING_H
#define BELIEF_CONSENSUS_GAUSSIAN_POOLING_H

#include "belief-consensus-belief.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::collab
{

/**
 * @brief Merge Gaussians in natural parameters; see FactorGaussian().
 *
 * - LOGARITHMIC, CLIPPED: the weighted sums of h and Lambda, which are (3).
 * - MOMENT: the Gaussian with mean and covariance of the mixture.
 * - WASSERSTEIN: the barycenter; its covariance by the fixed point of Alvarez-Esteban et al.,
 *   J. Math. Anal. Appl. 441 (2016), until it changes by at most 1e-12 of itself or 100 times.
 * - COVARIANCE_INTERSECTION (Julier, Uhlmann, 1997): the weighted sums with those weights whose
 *   precision has the greatest determinant. From the given weights on, weight is moved from the
 *   belief of least to that of greatest derivative, each time as much as is best (vertex exchange,
 *   Boehning, 1986), until log det is at most 1e-10 nat under the greatest by its duality gap, or
 *   200 times.
 *
 * @param beliefs at least one, all proper
 * @param pooling the rule
 * @param parameters p
 * @return the pool's numbers; not finite if the pool's covariance cannot be inverted
 */
std::vector<double> PoolGaussians(const std::vector<WeightedBelief>& beliefs,
                                  BeliefPooling pooling,
                                  std::size_t parameters);

/// @param beliefs at least one, all proper
/// @param parameters p
/// @return the same ones with the weights of COVARIANCE_INTERSECTION; see PoolGaussians()
std::vector<WeightedBelief> IntersectGaussians(std::vector<WeightedBelief> beliefs,
                                               std::size_t parameters);

/**
 * @brief Count the floating-point operations of PoolGaussians().
 *
 * An eigendecomposition counts as 9 p^3 (Golub and Van Loan, section 8.3), eigenvalues alone as
 * 4 p^3 / 3; both depend on the numbers.
 *
 * @param beliefs number of beliefs
 * @param pooling the rule
 * @param parameters p
 * @return floating-point operations, of as many iterations as it makes at the most
 */
uint64_t CountGaussianPoolFlops(uint64_t beliefs, BeliefPooling pooling, uint64_t parameters);

} // namespace ns3::collab

#endif /* BELIEF_CONSENSUS_GAUSSIAN_POOLING_H */
