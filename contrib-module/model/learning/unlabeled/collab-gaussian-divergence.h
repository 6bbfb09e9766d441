/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_GAUSSIAN_DIVERGENCE_H
#define COLLAB_GAUSSIAN_DIVERGENCE_H

#include "ns3/collab-matrix.h"
#include "ns3/collab-random.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// Added to the diagonal of covariances, so that those of few or flat samples can be inverted.
constexpr double COVARIANCE_RIDGE = 1e-6;

/// @ingroup collab-learning
/// @brief A cluster of samples as a Gaussian.
struct GaussianCluster
{
    std::vector<double> mean;  //!< of each of d features
    Matrix<double> covariance; //!< d x d, symmetric
    uint32_t count = 0;        //!< samples
};

/// @brief Describe samples by their mean and covariance / n + COVARIANCE_RIDGE I.
/// @param samples samples x features
/// @param rows which of them; all different
/// @return their mean, the covariance with divisor n, and how many they are
/// @throws std::invalid_argument if there are none, or one is no row
GaussianCluster DescribeCluster(const Matrix<float>& samples, const std::vector<uint32_t>& rows);

/**
 * @ingroup collab-learning
 * @brief A Gaussian that can be compared with others, with what that needs computed once.
 *
 * The Cholesky factor of the covariance costs d^3 / 3 operations, a divergence then O(d^2) only.
 */
class FactoredCluster
{
  public:
    /// @param cluster its mean and covariance, of which the lower triangle is read
    /// @throws std::invalid_argument if their sizes do not belong together, a number is not finite,
    /// or the covariance is not positive definite
    explicit FactoredCluster(const GaussianCluster& cluster);

    /// @return number of features
    std::size_t Size() const;

    /// @return logarithm of the covariance's determinant
    double GetLogDeterminant() const;

    /// @brief Draw samples from the Gaussian.
    /// @param count how many
    /// @param generator generator to draw with
    /// @return samples x features
    Matrix<float> Draw(uint32_t count, RandomGenerator& generator) const;

    /**
     * @brief Compute the Kullback-Leibler divergence of another Gaussian p from this one, q.
     *
     * KL(p || q) = (tr(S_q^-1 S_p) + (m_q - m_p)^T S_q^-1 (m_q - m_p) - d + log det S_q / det S_p)
     * / 2
     *
     * @param other p
     * @return KL(p || this), not negative [nat]
     * @throws std::invalid_argument if the sizes differ
     */
    double DivergenceOf(const FactoredCluster& other) const;

  private:
    std::vector<double> m_mean;  //!< of each feature
    Matrix<double> m_covariance; //!< symmetric
    Matrix<double> m_factor;     //!< L, with zeros above its diagonal: covariance = L L^T
    Matrix<double> m_precision;  //!< inverse of the covariance
    double m_logDeterminant = 0; //!< of the covariance
};

/// @param p a Gaussian
/// @param q another one of as many features
/// @return KL(p || q) [nat]
/// @throws std::invalid_argument as FactoredCluster does
double GaussianDivergence(const GaussianCluster& p, const GaussianCluster& q);

/// @param features d
/// @return floating-point operations to make a FactoredCluster, about: d^3 / 3 for the factor and
/// 2 d^3 for the inverse
uint64_t CountClusterFactorFlops(uint64_t features);

/// @param features d
/// @return floating-point operations of FactoredCluster::DivergenceOf(): 5 d^2 + 3 d + 5
uint64_t CountClusterDivergenceFlops(uint64_t features);

} // namespace ns3::collab

#endif /* COLLAB_GAUSSIAN_DIVERGENCE_H */
