/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PREDICTION_CONSENSUS_TRUST_H
#define PREDICTION_CONSENSUS_TRUST_H

#include "ns3/collab-matrix.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/**
 * @file
 * @ingroup collab
 * The mathematics of trust in Fan, Mendler-Duenner, Jaggi, "Collaborative Learning via Prediction
 * Consensus" (NeurIPS 2023), section 4. It knows neither of the network nor of LibTorch.
 */

/// @ingroup collab
/// @brief How an agent weighs its own confidence when it judges others.
struct TrustOptions
{
    bool confidenceWeighting = true; //!< false for beta = 1
    /// Added to the entropy: beta = 1 / (H + offset). 1 is the authors' code, 0 the paper's formula
    double entropyOffset = 1.0;
    double entropyFloor = 1e-3; //!< least value of H + offset, so that beta stays finite
};

/// @brief Confidence weights beta_i(x) = 1 / (H(f_i(x)) + offset), with H the entropy in nat.
/// @param own class probabilities of agent i on X*, samples x classes
/// @param options how to weigh
/// @return one weight a sample
std::vector<double> ComputeConfidence(const Matrix<float>& own, const TrustOptions& options);

/// @brief Unnormalized trust gamma_ij of eq. (6): mean over x of beta_i(x) cos(f_i(x), f_j(x)).
/// @param own class probabilities of agent i on X*, samples x classes
/// @param other class probabilities of agent j, same shape
/// @param confidence beta_i(x) of each sample
/// @return gamma_ij; not negative for probabilities
double ComputeAffinity(const Matrix<float>& own,
                       const Matrix<float>& other,
                       const std::vector<double>& confidence);

/**
 * @brief Unnormalized trust of eq. (6) in a regression, taken literally.
 *
 * The mean over x of cos(f_i(x), f_j(x)) with beta = 1, as an output has no entropy; a cosine below
 * 0 counts as 0. With one output it is 1 where both have the same sign and else 0.
 *
 * @param own outputs of agent i on X*, samples x outputs
 * @param other outputs of agent j, same shape
 * @return gamma_ij, 0 to 1
 */
double ComputeValueCosine(const Matrix<float>& own, const Matrix<float>& other);

/**
 * @brief Unnormalized trust in a regression by the distance of outputs.
 *
 * The mean over x of 1 / (1 + |f_i(x) - f_j(x)|^2 / (outputs scale^2)). Like eq. (6) for
 * probabilities it is positive, greatest for the agent itself, and 1 where two agents agree, which
 * is what Theorem 1 and Claim 3 need; and no x can outweigh the others, however far a model
 * extrapolates there.
 *
 * @param own outputs of agent i on X*, samples x outputs
 * @param other outputs of agent j, same shape
 * @param scale difference at which two outputs are half alike; positive
 * @return gamma_ij, above 0 and at most 1
 */
double ComputeValueAffinity(const Matrix<float>& own, const Matrix<float>& other, double scale);

/// @brief Row i of the trust matrix, w_ij = gamma_ij / sum_j gamma_ij.
/// @param affinities gamma_ij of every available agent j, the agent itself among them; their sum
/// positive
/// @return weights that add up to 1
std::vector<double> NormalizeTrust(const std::vector<double>& affinities);

/// @brief Pseudo-labels psi_i = sum_j w_ij y_j of eq. (1), each row then divided by its sum.
/// @param weights w_ij of every available agent j
/// @param predictions class probabilities of the same agents on X*, all of one shape
/// @return soft labels, samples x classes
Matrix<float> MixPredictions(const std::vector<double>& weights,
                             const std::vector<const Matrix<float>*>& predictions);

/// @brief Pseudo-labels psi_i = sum_j w_ij y_j of eq. (1) in a regression.
/// @param weights w_ij of every available agent j
/// @param predictions outputs of the same agents on X*, all of one shape
/// @return outputs, samples x outputs
Matrix<float> MixValues(const std::vector<double>& weights,
                        const std::vector<const Matrix<float>*>& predictions);

/**
 * @brief Pseudo-labels that a minority of the weight cannot move beyond what the others say.
 *
 * The weighted median of every class probability: the lowest one such that at least half of the
 * weight is for it or a lower one; divided by their sum over the classes. Where all medians are 0
 * it is MixPredictions().
 *
 * @param weights w_ij of every available agent j
 * @param predictions class probabilities of the same agents on X*, all of one shape
 * @return soft labels, samples x classes
 */
Matrix<float> TakeMedian(const std::vector<double>& weights,
                         const std::vector<const Matrix<float>*>& predictions);

/**
 * @brief The ideal trust of section 4.3, a Metropolis chain: w_jb = min(phi_jb, phi_bj pi(b) /
 * pi(j)).
 *
 * What is left of a row is self-confidence, eq. (13). The product of such matrices tends to rows
 * pi.
 *
 * @param similarities of all pairs of agents, symmetric, positive; phi are its rows, each divided
 * by its sum
 * @param importance pi of each agent, up to a common factor; positive
 * @param agent j
 * @return its row of W
 */
std::vector<double> ComputeIdealTrust(const Matrix<double>& similarities,
                                      const std::vector<double>& importance,
                                      std::size_t agent);

/**
 * @brief Pseudo-labels by weighted majority vote.
 *
 * Every agent votes for its most probable class with its weight. With equal weights it is AIMHI
 * (Abourayya et al., NeurIPS 2022 workshop on federated learning).
 *
 * @param weights w_ij of every available agent j
 * @param predictions class probabilities of the same agents on X*, all of one shape
 * @return 1 for the class with the greatest weight of votes, of equals the lowest one, and 0 for
 * the others; samples x classes
 */
Matrix<float> VoteByMajority(const std::vector<double>& weights,
                             const std::vector<const Matrix<float>*>& predictions);

/**
 * @brief Operations of judging agents.
 *
 * A multiplication, addition, division, comparison, square root or logarithm counts as one
 * operation, here and in the functions below.
 *
 * @param samples number of samples in X*
 * @param classes number of classes
 * @param judged number of agents whose affinity is computed
 * @return floating-point operations
 */
uint64_t CountJudgingFlops(std::size_t samples, std::size_t classes, std::size_t judged);

/// @param samples number of samples in X*
/// @param classes number of classes
/// @param mixed number of agents whose predictions are mixed
/// @return operations of MixPredictions()
uint64_t CountMixingFlops(std::size_t samples, std::size_t classes, std::size_t mixed);

/// @param samples number of samples in X*
/// @param classes number of classes
/// @param mixed number of agents whose predictions are sorted
/// @return operations of TakeMedian()
uint64_t CountMedianFlops(std::size_t samples, std::size_t classes, std::size_t mixed);

/// @param samples number of samples in X*
/// @param classes number of classes
/// @param voters number of agents that vote
/// @return operations of VoteByMajority()
uint64_t CountVotingFlops(std::size_t samples, std::size_t classes, std::size_t voters);

/// @brief Operations of judging agents and mixing their outputs in a regression.
/// @param samples number of samples in X*
/// @param outputs number of outputs
/// @param judged number of agents whose affinity is computed
/// @param mixed number of agents whose outputs are mixed
/// @return floating-point operations
uint64_t CountValueTrustFlops(std::size_t samples,
                              std::size_t outputs,
                              std::size_t judged,
                              std::size_t mixed);

} // namespace ns3::collab

#endif /* PREDICTION_CONSENSUS_TRUST_H */
