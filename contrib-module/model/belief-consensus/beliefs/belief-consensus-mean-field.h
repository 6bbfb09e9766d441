/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_MEAN_FIELD_H
#define BELIEF_CONSENSUS_MEAN_FIELD_H

#include "belief-consensus-network.h"

#include <memory>

namespace ns3::collab
{

/**
 * @brief Make a user that believes in independent Gaussians, one for each weight of a network.
 *
 * A belief is all means mu, then all standard deviations s. The update makes (5) small,
 * F = -sum_batch E_q log l + KL(q || rho^(k-1)), by so many steps of the learner's optimizer. With
 * the precision tau = 1 / s^2, a weight's pool is, in double precision,
 * - LOGARITHMIC, CLIPPED: tau_i = sum_j W_ij tau_j, mu_i = sum_j W_ij tau_j mu_j / tau_i, which is
 *   (3) exactly: products of Gaussians are Gaussian;
 * - MOMENT: mean and variance of the mixture, sum_j W_ij N(mu_j, s_j^2);
 * - WASSERSTEIN: mu_i = sum_j W_ij mu_j, s_i = sum_j W_ij s_j;
 * - COVARIANCE_INTERSECTION is refused.
 *
 * A distance is the root of the Jeffreys divergence KL(p || q) + KL(q || p), summed over weights.
 * Of lies it tells WRONG (means of the opposite sign), OVERCONFIDENT (s over the root of the
 * strength), NOT_A_NUMBER (nothing else) and NEGATIVE_PRECISION (-s). If training diverges, an
 * update is an improper belief, and the optimizer's moments are forgotten before the next one.
 *
 * Beside scores on the test samples, predicted by averages over weights drawn from the belief, it
 * measures how far the deviations are from those of rho^(0): where they are not, (3) is the average
 * of weights that D-PSGD makes; see MakePointBelief().
 *
 * @param config what to build; its learner is variational, see TorchLearnerConfig
 * @return the user
 * @throws std::invalid_argument if a value is not allowed
 */
std::unique_ptr<BeliefModel> MakeMeanFieldBelief(NetworkBeliefConfig config);

} // namespace ns3::collab

#endif /* BELIEF_CONSENSUS_MEAN_FIELD_H */
