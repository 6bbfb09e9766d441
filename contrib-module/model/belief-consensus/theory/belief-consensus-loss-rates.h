/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_LOSS_RATES_H
#define BELIEF_CONSENSUS_LOSS_RATES_H

#include "ns3/belief-consensus-effective-weights.h"
#include "ns3/collab-matrix.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/**
 * @file
 * @ingroup collab
 * How fast users learn if messages are lost, or if there are no rounds. In all matrices, row i is
 * the user who hears and column j the one who is heard. p_ij is the probability that i misses j's
 * belief, independent of everything else; its diagonal is 0.
 */

/**
 * @brief The mean of the weights with which users pool.
 *
 * Exact. RENORMALIZE: E[W_ij] = W_ij (1 - p_ij) E[1 / sum of weights heard], an integral over
 * [0, 1] since 1 / s is that of t^(s - 1).
 *
 * @param w row-stochastic matrix W
 * @param missing p, of the same size
 * @param policy SELF or RENORMALIZE
 * @return E[W_t], row-stochastic
 * @throws std::invalid_argument if W is not row-stochastic, p is no matrix of probabilities of its
 * size with a diagonal of 0, or for STALE, with which users pool what is older
 */
Matrix<double> ComputeExpectedWeights(const Matrix<double>& w,
                                      const Matrix<double>& missing,
                                      MissingBeliefPolicy policy);

/// @ingroup collab
/// @brief How fast users learn.
struct PredictedRates
{
    std::vector<double> influence; //!< by user; v-bar
    /// By psi: the speed at which its log belief falls behind [nat per instant; gossip: nat/s].
    std::vector<double> rates;
};

/**
 * @brief Learning rates of synchronous rounds with losses.
 *
 * SELF, RENORMALIZE: sum_j v-bar_j I_j with v-bar of E[W_t]. STALE: with v of W, divided by
 * 1 + sum_ij v_i W_ij p_ij / (1 - p_ij), the mean number of instants that a belief is on its way;
 * W without neighbors that are never heard, whose weights go to the others.
 *
 * @param w row-stochastic matrix W
 * @param missing p, of the same size
 * @param policy what users do
 * @param information I_j(theta*, psi): a row for each user; see ComputeInformation()
 * @return influence and rates
 * @throws std::invalid_argument as ComputeExpectedWeights() does; if v-bar is not unique; if
 * information has another number of rows
 */
PredictedRates PredictRates(const Matrix<double>& w,
                            const Matrix<double>& missing,
                            MissingBeliefPolicy policy,
                            const Matrix<double>& information);

/**
 * @brief Learning rates of asynchronous gossip: whenever i hears j, i's log belief becomes
 * (1 - w_ij) of its own and w_ij of j's.
 *
 * sum_j v-bar_j r_j I_j with v-bar Q = 0, Q_ij = w_ij a_ij and rows of Q of sum 0.
 *
 * Messages are taken to leave at times that have nothing to do with samples. If j speaks right
 * after each sample, as BeliefGossipApplication does, what it tells is I_j ahead of its mean: then
 * give r_j + sum_l w_jl a_jl for r_j.
 *
 * @param pairWeights w_ij, from 0 to 1; the diagonal is not used
 * @param arrivalRates a_ij: how often i hears j [1/s]; the diagonal is not used
 * @param updateRates r_j: how often j has a new sample [1/s]
 * @param information I_j(theta*, psi): a row for each user; see ComputeInformation()
 * @return v-bar and rates [nat/s]
 * @throws std::invalid_argument if sizes differ, a number is out of its range, or v-bar is not
 * unique
 */
PredictedRates PredictGossipRates(const Matrix<double>& pairWeights,
                                  const Matrix<double>& arrivalRates,
                                  const std::vector<double>& updateRates,
                                  const Matrix<double>& information);

/// @brief How old a belief is when it is heard that its user tells after each of its updates, which
/// come at random times: the mean of a queue with one length of service (M/D/1).
/// @param airtime of a belief [s]
/// @param rate of updates [1/s]
/// @return T + r T^2 / (2 (1 - r T)) [s]
/// @throws std::invalid_argument if a radio has more to tell than it can
double ComputeToldAge(double airtime, double rate);

/**
 * @brief By how much gossip is slower since beliefs take time.
 *
 * Each belief that is merged lacks what everybody has learned since it was told; the influence of
 * users weights what is lacking as it weights evidence.
 *
 * @param pairWeights w_ij
 * @param arrivalRates a_ij [1/s]
 * @param influence v-bar of PredictGossipRates()
 * @param ages d_j of user j's beliefs when they are heard [s]
 * @return 1 + sum_ij v-bar_i w_ij a_ij d_j, by which rates are to be divided
 */
double ComputeGossipSlowdown(const Matrix<double>& pairWeights,
                             const Matrix<double>& arrivalRates,
                             const std::vector<double>& influence,
                             const std::vector<double>& ages);

} // namespace ns3::collab

#endif /* BELIEF_CONSENSUS_LOSS_RATES_H */
