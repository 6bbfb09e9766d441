/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DISTILLATION_DENSITY_RATIO_H
#define DISTILLATION_DENSITY_RATIO_H

#include "ns3/collab-matrix.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief Density ratio of a device's samples to uniform noise, by KuLSIF (Kanamori, Suzuki,
 * Sugiyama, Machine Learning 2012), as Selective-FD's client-side selector estimates it.
 *
 * With the Gaussian kernel k of some width, n auxiliary samples u_i that are uniform between the
 * least and the greatest number of the m own samples x_j, and lambda:
 * (K_uu / n + lambda I) alpha = -K_ux 1 / (n m lambda), and the ratio at z is
 * sum_i alpha_i k(z, u_i) + sum_j k(z, x_j) / (m lambda).
 */
class DensityRatio
{
  public:
    static constexpr uint32_t USUAL_AUXILIARY = 100; //!< n
    static constexpr double USUAL_LAMBDA = 1e-3;     //!< lambda

    /// @param own x, samples x features; at least two
    /// @param auxiliary u, samples x features
    /// @param lambda lambda; positive
    /// @param width of the kernel; 0 for the median distance of two own samples
    /// @throws std::invalid_argument if there are too few own samples
    DensityRatio(Matrix<double> own,
                 Matrix<double> auxiliary,
                 double lambda = USUAL_LAMBDA,
                 double width = 0);

    /// @param samples samples x features
    /// @return the ratio at each
    std::vector<double> Estimate(const Matrix<double>& samples) const;
    /// @return the ratio at each own sample, as it is without that sample among the x_j (but in
    /// alpha): its distance 0 from itself would else make it look likelier than any new one
    std::vector<double> EstimateOwn() const;
    /// @param own m
    /// @param auxiliary n
    /// @param samples samples to judge
    /// @param features of a sample
    /// @return floating-point operations of the estimate, of EstimateOwn() and of Estimate()
    static uint64_t CountFlops(std::size_t own,
                               std::size_t auxiliary,
                               std::size_t samples,
                               std::size_t features);

  private:
    Matrix<double> m_own;        //!< x
    Matrix<double> m_auxiliary;  //!< u
    double m_width;              //!< of the kernel
    double m_lambda;             //!< lambda
    std::vector<double> m_alpha; //!< of the auxiliary samples
};

/// @param own samples x features
/// @param count how many samples to draw
/// @param seed of the draws
/// @return samples whose numbers are uniform between the least and the greatest one of own samples
Matrix<double> DrawUniform(const Matrix<double>& own, uint32_t count, uint64_t seed);

/// @brief Find samples that are as likely as own ones.
/// @param own ratios of own samples; at least one
/// @param ratios of other samples
/// @param quantile part of the own samples whose ratios may be lower; 0 to 1
/// @return which of the others have at least the ratio of that quantile (nearest rank)
std::vector<bool> SelectLikely(std::vector<double> own,
                               const std::vector<double>& ratios,
                               double quantile);

} // namespace ns3::collab

#endif /* DISTILLATION_DENSITY_RATIO_H */
