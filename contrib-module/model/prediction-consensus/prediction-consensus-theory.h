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

namespace ns3
{
namespace collab
{

/**
 * @file
 * @ingroup collab
 * What Fan, Mendler-Duenner, Jaggi, "Collaborative Learning via Prediction Consensus" (NeurIPS
 * 2023) prove of trust matrices, as checks. All matrices are square, agents x agents; row i holds
 * the weights that agent i gives. std::invalid_argument if one is empty or not square.
 */

/**
 * @param w a trust matrix
 * @param tolerance largest distance of a row's sum from 1
 * @return whether every row adds up to 1 and no weight is negative
 */
bool IsRowStochastic(const Matrix<double>& w, double tolerance = 1e-9);

/**
 * @param w a trust matrix
 * @return whether every weight is positive
 */
bool IsPositive(const Matrix<double>& w);

/**
 * @param w a trust matrix
 * @return whether no agent trusts another one more than itself
 */
bool IsSelfConfident(const Matrix<double>& w);

/**
 * @param w a trust matrix
 * @return delta(W) = max_j max_{i,k} |w_ij - w_kj|, eq. (8): 0 if all rows are equal
 */
double ComputeRowDifference(const Matrix<double>& w);

/**
 * @param w a row-stochastic matrix
 * @return lambda(W) = 1 - min_{i,k} sum_j min(w_ij, w_kj), eq. (9): below 1 if W is scrambling
 */
double ComputeScramblingCoefficient(const Matrix<double>& w);

/**
 * @param w a trust matrix
 * @return its trace, the sum of the agents' self-confidences
 */
double ComputeTrace(const Matrix<double>& w);

/**
 * @param w a trust matrix
 * @return max_ij |w_ij - 1/N|, which Claim 3 says goes to 0
 */
double ComputeDistanceFromUniform(const Matrix<double>& w);

/**
 * @param w a trust matrix
 * @return sum of each column: the trust that each agent receives
 */
std::vector<double> ComputeColumnSums(const Matrix<double>& w);

/**
 * @param a a trust matrix
 * @param b another of the same size
 * @return the product a b
 */
Matrix<double> MultiplyTrust(const Matrix<double>& a, const Matrix<double>& b);

/**
 * @brief The weights that agents have in the consensus if the same trust is used for ever.
 *
 * @param w a row-stochastic matrix of which some power is positive
 * @return pi with pi = pi W, adding up to 1
 * @throws std::invalid_argument if w is not row-stochastic
 */
std::vector<double> ComputeStationaryDistribution(const Matrix<double>& w);

/**
 * @brief Change a transition matrix so that it leads to a given consensus (Proposition 2).
 *
 * p(x, y) = phi(x, y) min(1, pi(y) phi(y, x) / (pi(x) phi(x, y))) for x != y, and p(x, x) is what
 * remains to 1; eq. (12) and Example 2. If phi is self-confident and doubly stochastic, so that p
 * is self-confident too, this is the proof of Proposition 2.
 *
 * @param phi a row-stochastic matrix
 * @param pi the distribution that p shall have: positive, adding up to 1
 * @return p, whose stationary distribution is pi
 * @throws std::invalid_argument if an argument is not what it must be
 */
Matrix<double> MakeMetropolisChain(const Matrix<double>& phi, const std::vector<double>& pi);

/**
 * @brief Conditions of Proposition 4, and of Proposition 7, for one agent to have the least
 * importance.
 *
 * Every other agent trusts it least (i), and it receives the least trust altogether (ii). The
 * product of two row-stochastic positive matrices that both meet them meets them as well.
 *
 * @param w a trust matrix
 * @param agent index of the agent
 * @return whether both conditions hold
 */
bool HasLowestImportance(const Matrix<double>& w, std::size_t agent);

/// @ingroup collab
/// @brief Which conditions of Proposition 8 a trust matrix meets.
struct LowImportanceConditions
{
    bool columnSums = false; //!< (i) every regular agent receives more trust than every bad one
    bool gap = false;        //!< (ii) regular agents' preference outweighs a bad one's for itself
    bool rows = false;       //!< (iii) nobody else trusts a bad agent more than a regular one

    /// @return whether the proposition applies
    bool
    All() const
    {
        return columnSums && gap && rows;
    }
};

/**
 * @brief Conditions of Proposition 8 for several agents to have the least importance.
 *
 * @param w a trust matrix
 * @param bad indices of the agents with data of low quality; some, and not all
 * @return which conditions hold
 * @throws std::invalid_argument if there is no bad or no regular agent, or an index is too large
 */
LowImportanceConditions CheckLowImportance(const Matrix<double>& w,
                                           const std::set<std::size_t>& bad);

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

/**
 * @param predictions of the agents on X*, all of one shape; at least two
 * @param isRegression whether they are values and not probabilities
 * @return how much they disagree; 0 in a consensus, eq. (5)
 * @throws std::invalid_argument if there are less than two or their shapes differ
 */
PredictionDistance ComputeDisagreement(const std::vector<const Matrix<float>*>& predictions,
                                       bool isRegression);

/**
 * @ingroup collab
 * @brief Follows the products of trust matrices over the rounds of a run.
 */
class ConsensusTracker
{
  public:
    /**
     * @brief Multiply the product by the trust matrix of one more round from the left.
     * @param w trust matrix; of the same size as the ones before
     */
    void Add(const Matrix<double>& w);

    /// @return number of matrices added
    uint64_t CountRounds() const;
    /// @return W(t) ... W(1)
    const Matrix<double>& GetProduct() const;
    /// @return delta of the product, left side of eq. (10)
    double GetRowDifference() const;
    /// @return product of all lambda(W(i)), right side of eq. (10)
    double GetBound() const;
    /// @return rounds in which the trace was greater than in the round before, against Claim 3
    uint64_t CountTraceIncreases() const;

  private:
    Matrix<double> m_product;      //!< of all matrices
    double m_bound = 1;            //!< product of their lambda
    double m_trace = 0;            //!< of the last one
    uint64_t m_rounds = 0;         //!< number of matrices
    uint64_t m_traceIncreases = 0; //!< how often the trace grew
};

} // namespace collab
} // namespace ns3

#endif /* PREDICTION_CONSENSUS_THEORY_H */
