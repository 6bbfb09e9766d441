/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BELIEF_CONSENSUS_GAUSSIAN_FACTOR_H
#define BELIEF_CONSENSUS_GAUSSIAN_FACTOR_H

#include "ns3/collab-matrix.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// @file
/// @ingroup collab
/// Gaussians in natural parameters: the p elements of h = Lambda mu, then the lower triangle of the
/// precision Lambda row by row.

/// @brief A Gaussian that can be asked something.
struct FactoredGaussian
{
    std::vector<double> mean; //!< L^-T L^-1 h
    Matrix<double> factor;    //!< L, with zeros above its diagonal: Lambda = L L^T
};

/// @param parameters p
/// @return count of the numbers of a Gaussian
constexpr std::size_t
CountGaussianNumbers(std::size_t parameters)
{
    return parameters + parameters * (parameters + 1) / 2;
}

/// @param numbers h and the lower triangle of Lambda
/// @param parameters p
/// @return the same Gaussian
/// @throws ImproperBelief that says what is wrong
FactoredGaussian FactorGaussian(const std::vector<double>& numbers, std::size_t parameters);

/// @param lower a lower triangular matrix L, p x p
/// @param columns p x any
/// @return L^-1 columns
Matrix<double> SolveLower(const Matrix<double>& lower, const Matrix<double>& columns);

/// @param gaussian with precision L L^T
/// @return its covariance (L^-1)^T L^-1
Matrix<double> GetCovariance(const FactoredGaussian& gaussian);

/**
 * @brief The Jeffreys divergence of two Gaussians, in which their determinants cancel.
 *
 * KL(a, b) = (|L_a^-1 L_b|^2 - p + |L_b^T (mu_a - mu_b)|^2 + log det Lambda_a / det Lambda_b) / 2
 *
 * @param first a Gaussian
 * @param second one of the same size
 * @return KL(first, second) + KL(second, first) [nat]
 */
double ComputeJeffreys(const FactoredGaussian& first, const FactoredGaussian& second);

/// @param parameters p
/// @return floating-point operations of FactorGaussian()
uint64_t CountFactorFlops(uint64_t parameters);

/// @param parameters p
/// @return floating-point operations of SolveLower() with p columns
uint64_t CountSolveFlops(uint64_t parameters);

/// @param parameters p
/// @return floating-point operations of ComputeJeffreys()
uint64_t CountJeffreysFlops(uint64_t parameters);

} // namespace ns3::collab

#endif /* BELIEF_CONSENSUS_GAUSSIAN_FACTOR_H */
