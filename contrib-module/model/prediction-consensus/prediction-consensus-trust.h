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

namespace ns3
{
namespace collab
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

/**
 * @brief Confidence weights beta_i(x) = 1 / (H(f_i(x)) + offset), with H the entropy in nat.
 *
 * @param own class probabilities of agent i on X*, samples x classes
 * @param options how to weigh
 * @return one weight a sample
 */
std::vector<double> ComputeConfidence(const Matrix<float>& own, const TrustOptions& options);

/**
 * @brief Unnormalized trust gamma_ij of eq. (6): mean over x of beta_i(x) cos(f_i(x), f_j(x)).
 *
 * @param own class probabilities of agent i on X*, samples x classes
 * @param other class probabilities of agent j, same shape
 * @param confidence beta_i(x) of each sample
 * @return gamma_ij; not negative for probabilities
 */
double ComputeAffinity(const Matrix<float>& own,
                       const Matrix<float>& other,
                       const std::vector<double>& confidence);

/**
 * @brief Row i of the trust matrix, w_ij = gamma_ij / sum_j gamma_ij.
 *
 * @param affinities gamma_ij of every available agent j, the agent itself among them; their sum
 * positive
 * @return weights that add up to 1
 */
std::vector<double> NormalizeTrust(const std::vector<double>& affinities);

/**
 * @brief Pseudo-labels psi_i = sum_j w_ij y_j of eq. (1), each row then divided by its sum.
 *
 * @param weights w_ij of every available agent j
 * @param predictions class probabilities of the same agents on X*, all of one shape
 * @return soft labels, samples x classes
 */
Matrix<float> MixPredictions(const std::vector<double>& weights,
                             const std::vector<const Matrix<float>*>& predictions);

/**
 * @brief Operations of judging agents and mixing their predictions.
 *
 * A multiplication, addition, division, square root or logarithm counts as one operation.
 *
 * @param samples number of samples in X*
 * @param classes number of classes
 * @param judged number of agents whose affinity is computed
 * @param mixed number of agents whose predictions are mixed
 * @return floating-point operations
 */
uint64_t CountTrustFlops(std::size_t samples,
                         std::size_t classes,
                         std::size_t judged,
                         std::size_t mixed);

} // namespace collab
} // namespace ns3

#endif /* PREDICTION_CONSENSUS_TRUST_H */
