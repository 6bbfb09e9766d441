/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_MIXING_H
#define BELIEF_CONSENSUS_MIXING_H

#include "ns3/collab-matrix.h"

#include <cstddef>
#include <vector>

namespace ns3::collab
{

/**
 * @file
 * @ingroup collab
 * How fast information spreads: stationary distribution and eigenvalues of the W of Lalitha et al.,
 * Theorem 1 and Lemma 1. std::invalid_argument if W is not row-stochastic; see CheckWeights().
 */

/**
 * @brief The share that each user's data has in what all believe in the end.
 *
 * By elimination without subtractions (Grassmann, Taksar, Heyman, "Regenerative Analysis and Steady
 * State Distributions for Markov Chains", Operations Research 33, 1985), so that small shares have
 * as many correct digits as great ones.
 *
 * @param w row-stochastic matrix
 * @return v with v W = v and sum 1; 0 for users whom those who share information do not hear
 * @throws std::invalid_argument if there are several
 */
std::vector<double> ComputeInfluence(const Matrix<double>& w);

/// @ingroup collab
/// @brief The eigenvalues of W beside one that is 1.
struct MixingEigenvalues
{
    double lambdaMax = 0;     //!< greatest real part: lambda_max(W) as printed; N = 1: 0
    double secondModulus = 0; //!< greatest modulus: what decides; 1 if W is periodic
};

/// @param w row-stochastic matrix
/// @return its eigenvalues that decide how fast powers converge
MixingEigenvalues ComputeMixingEigenvalues(const Matrix<double>& w);

/// @param users N
/// @param lambda an eigenvalue of W, 1 at most
/// @return 4 log N / (1 - lambda), which Lemma 1 says is not less than S; infinity if lambda is 1.
/// It is less for some directed W, and for periodic ones if lambda is lambdaMax
double ComputeMixingSumBound(std::size_t users, double lambda);

/// @ingroup collab
/// @brief All that the theory says of W.
struct MixingReport
{
    std::vector<double> influence; //!< v
    MixingEigenvalues eigenvalues; //!< beside 1
    /// S = max_i sum_{k >= 1} sum_j |(W^k)_ij - v_j|, what Lemma 1 bounds, to about a thousandth;
    /// infinity if W is periodic. Powers are summed up until the sum with a geometric tail of the
    /// second modulus has changed by less than that for as many instants as it takes to mix.
    double mixingSum = 0;
    double mixingSumBound = 0; //!< Lemma 1 with the second modulus
    double sumOfSquares = 0;   //!< sum of v_j^2: 1 / N at least
};

/// @param w row-stochastic matrix
/// @return v, lambda, S and Lemma 1
/// @throws std::invalid_argument if v is not unique
MixingReport AnalyzeMixing(const Matrix<double>& w);

} // namespace ns3::collab

#endif /* BELIEF_CONSENSUS_MIXING_H */
