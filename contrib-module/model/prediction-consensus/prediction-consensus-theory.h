/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PREDICTION_CONSENSUS_THEORY_H
#define PREDICTION_CONSENSUS_THEORY_H

#include "ns3/collab-matrix.h"

#include <cstdint>
#include <set>
#include <vector>

namespace ns3::collab
{

/**
 * @file
 * @ingroup collab
 * What Fan, Mendler-Duenner, Jaggi, "Collaborative Learning via Prediction Consensus" (NeurIPS
 * 2023) prove of trust matrices, as checks. All matrices are square, agents x agents; row i holds
 * the weights that agent i gives. std::invalid_argument if one is empty or not square.
 */

/// @param w a trust matrix
/// @return whether every weight is positive
bool IsPositive(const Matrix<double>& w);

/// @param w a trust matrix
/// @return whether no agent trusts another one more than itself
bool IsSelfConfident(const Matrix<double>& w);

/// @param w a trust matrix
/// @return delta(W) = max_j max_{i,k} |w_ij - w_kj|, eq. (8): 0 if all rows are equal
double ComputeRowDifference(const Matrix<double>& w);

/// @param w a row-stochastic matrix
/// @return lambda(W) = 1 - min_{i,k} sum_j min(w_ij, w_kj), eq. (9): below 1 if W is scrambling
double ComputeScramblingCoefficient(const Matrix<double>& w);

/// @param w a trust matrix
/// @return its trace, the sum of the agents' self-confidences
double ComputeTrace(const Matrix<double>& w);

/// @param w a trust matrix
/// @return max_ij |w_ij - 1/N|, which Claim 3 says goes to 0
double ComputeDistanceFromUniform(const Matrix<double>& w);

/// @param w a trust matrix
/// @return sum of each column: the trust that each agent receives
std::vector<double> ComputeColumnSums(const Matrix<double>& w);

/// @param a a trust matrix
/// @param b another of the same size
/// @return the product a b
Matrix<double> MultiplyTrust(const Matrix<double>& a, const Matrix<double>& b);

/**
 * @ingroup collab
 * @brief By how much a trust matrix meets the conditions of Propositions 4, 7 and 8 for agents to
 * have the least importance; negative: how far they are from holding.
 *
 * R are the regular agents and B the bad ones. If B is one agent, (i) and (ii) of Proposition 8 are
 * the same number, and (i) and (iii) are (ii) and (i) of Proposition 4 and (i) and (ii) of
 * Proposition 7.
 */
struct LowImportanceMargins
{
    /// (i) min_{r in R} sum_n w_nr - max_{b in B} sum_n w_nb; must be above 0
    double columnSums = 0;
    /// (ii) min_{r, b} sum_{n in R} (w_nr - w_nb) - (w_bb - w_br); must be above 0
    double gap = 0;
    /// (iii) min_{r, b} min_{n != b} w_nr - w_nb; must not be below 0
    double rows = 0;

    /// @return whether the propositions apply
    bool
    All() const
    {
        return columnSums > 0 && gap > 0 && rows >= 0;
    }
};

/// @param w a trust matrix
/// @param bad indices of the agents with data of low quality; some, and not all
/// @return by how much it meets each condition
/// @throws std::invalid_argument if there is no bad or no regular agent, or an index is too large
LowImportanceMargins ComputeLowImportance(const Matrix<double>& w,
                                          const std::set<std::size_t>& bad);

/// @ingroup collab
/// @brief What Appendix F says of confidence weights, over all pairs of a regular and a bad agent.
struct ConfidenceEffect
{
    double premise = 0;    //!< part of the pairs for which eq. (20) holds
    double conclusion = 0; //!< part of the pairs for which w_ib < phi_ib
};

/**
 * @brief Compare trust with that without confidence weights, Appendix F.
 *
 * phi_i are the mean cosines of agent i with all agents, divided by their sum. Agent i's confident
 * region is the half of X* on which its entropies are the lowest.
 *
 * @param w a trust matrix
 * @param predictions of every agent on X*, which W is of
 * @param bad indices of the agents with data of low quality; some, and not all
 * @return how often premise and conclusion hold
 * @throws std::invalid_argument if there is no bad or no regular agent, or an index is too large
 */
ConfidenceEffect CompareWithoutConfidence(const Matrix<double>& w,
                                          const std::vector<const Matrix<float>*>& predictions,
                                          const std::set<std::size_t>& bad);

/// @ingroup collab
/// @brief How far predictions are from those of eq. (4).
struct UpdateResidual
{
    double norm = 0;     //!< |Psi(t) - W(t) Psi(t-1)|, Frobenius norm
    double relative = 0; //!< the same divided by |Psi(t)|
};

/**
 * @brief Compare predictions with Psi(t) = W(t) Psi(t-1), eq. (4).
 *
 * The equation is of agents whose training reaches their pseudo-labels on all of X*.
 *
 * @param w trust matrix W(t) of a round
 * @param before predictions of every agent on X* at the end of the round before, Psi(t-1); W(t) is
 * of them
 * @param after those at the end of the round, Psi(t), all of one shape
 * @return how far they are apart
 * @throws std::invalid_argument if numbers of agents or shapes differ
 */
UpdateResidual ComputeUpdateResidual(const Matrix<double>& w,
                                     const std::vector<const Matrix<float>*>& before,
                                     const std::vector<const Matrix<float>*>& after);

/// @ingroup collab
/// @brief How far agents are from a consensus on X*, over all pairs of agents.
struct PredictionDistance
{
    /// mean over pairs of the part of X* to which the two give different classes; NaN in regression
    double meanClasses = 0;
    double maxClasses = 0;    //!< the same, greatest of the pairs
    double meanDistance = 0;  //!< mean over pairs of the mean over X* of |f_i(x) - f_j(x)|_2
    double maxDistance = 0;   //!< the same, greatest of the pairs
    double maxDifference = 0; //!< greatest |f_i(x)_k - f_j(x)_k| of all pairs, samples and outputs
};

/// @param predictions of the agents on X*, all of one shape; at least two
/// @param isRegression whether they are values and not probabilities
/// @return how much they disagree; 0 in a consensus, eq. (5)
/// @throws std::invalid_argument if there are less than two or their shapes differ
PredictionDistance ComputeDisagreement(const std::vector<const Matrix<float>*>& predictions,
                                       bool isRegression);

/// @ingroup collab
/// @brief Follows the products of trust matrices over the rounds of a run.
struct ConsensusTracker
{
    /// @brief Multiply the product by the trust matrix of one more round from the left.
    /// @param w trust matrix; of the same size as the ones before
    void Add(const Matrix<double>& w);

    uint64_t rounds = 0;         //!< number of matrices added
    Matrix<double> product;      //!< W(t) ... W(1); its row difference is the left side of eq. (10)
    double bound = 1;            //!< product of all lambda(W(i)), right side of eq. (10)
    double trace = 0;            //!< of the last matrix
    uint64_t traceIncreases = 0; //!< rounds in which it was greater than before, against Claim 3
};

} // namespace ns3::collab

#endif /* PREDICTION_CONSENSUS_THEORY_H */
