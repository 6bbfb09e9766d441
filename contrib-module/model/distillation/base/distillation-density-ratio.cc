/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "distillation-density-ratio.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-random.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace ns3::collab
{

namespace
{

/// @param a d numbers
/// @param b d numbers
/// @param d how many
/// @return squared distance
double
SquaredDistance(const double* a, const double* b, std::size_t d)
{
    return std::inner_product(
        a, a + d, b, 0.0, std::plus<>(), [](double x, double y) { return (x - y) * (x - y); });
}

/// @param samples samples x features
/// @return median distance of two of them, of an even number the greater middle one
double
FindMedianDistance(const Matrix<double>& samples)
{
    std::vector<double> distances;
    for (std::size_t i = 0; i < samples.rows; ++i)
    {
        for (std::size_t j = 0; j < i; ++j)
        {
            distances.push_back(SquaredDistance(samples.Row(i), samples.Row(j), samples.columns));
        }
    }
    const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
    std::nth_element(distances.begin(), middle, distances.end());
    return std::sqrt(*middle);
}

/// @param a samples x features
/// @param b samples x features
/// @param width of the kernel
/// @return kernel of each of a and each of b
Eigen::MatrixXd
ComputeKernel(const Matrix<double>& a, const Matrix<double>& b, double width)
{
    Eigen::MatrixXd kernel(a.rows, b.rows);
    for (std::size_t i = 0; i < a.rows; ++i)
    {
        for (std::size_t j = 0; j < b.rows; ++j)
        {
            kernel(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
                std::exp(-SquaredDistance(a.Row(i), b.Row(j), a.columns) / (2 * width * width));
        }
    }
    return kernel;
}

} // namespace

DensityRatio::DensityRatio(Matrix<double> own,
                           Matrix<double> auxiliary,
                           double lambda,
                           double width)
    : m_own(std::move(own)),
      m_auxiliary(std::move(auxiliary)),
      m_width(1),
      m_lambda(lambda),
      m_alpha(m_auxiliary.rows)
{
    CheckArgument(m_own.rows > 1, "density ratio of {} samples, expected at least 2", m_own.rows);
    const double usual = width > 0 ? width : FindMedianDistance(m_own);
    m_width = usual > 0 ? usual : 1; // samples that are all alike have no scale of their own
    const auto n = static_cast<double>(m_auxiliary.rows);
    const auto m = static_cast<double>(m_own.rows);
    Eigen::MatrixXd left = ComputeKernel(m_auxiliary, m_auxiliary, m_width) / n;
    left.diagonal().array() += m_lambda;
    const Eigen::VectorXd right =
        -ComputeKernel(m_auxiliary, m_own, m_width).rowwise().sum() / (n * m * m_lambda);
    Eigen::Map<Eigen::VectorXd>(m_alpha.data(), static_cast<Eigen::Index>(m_alpha.size())) =
        left.llt().solve(right);
}

std::vector<double>
DensityRatio::Estimate(const Matrix<double>& samples) const
{
    const Eigen::Map<const Eigen::VectorXd> alpha(m_alpha.data(),
                                                  static_cast<Eigen::Index>(m_alpha.size()));
    const Eigen::VectorXd ratios =
        ComputeKernel(samples, m_auxiliary, m_width) * alpha +
        ComputeKernel(samples, m_own, m_width).rowwise().mean() / m_lambda;
    return {ratios.data(), ratios.data() + ratios.size()};
}

std::vector<double>
DensityRatio::EstimateOwn() const
{
    const Eigen::Map<const Eigen::VectorXd> alpha(m_alpha.data(),
                                                  static_cast<Eigen::Index>(m_alpha.size()));
    const Eigen::VectorXd others = // each is at distance 0 from itself
        ComputeKernel(m_own, m_own, m_width).rowwise().sum().array() - 1;
    const Eigen::VectorXd ratios = ComputeKernel(m_own, m_auxiliary, m_width) * alpha +
                                   others / (static_cast<double>(m_own.rows - 1) * m_lambda);
    return {ratios.data(), ratios.data() + ratios.size()};
}

uint64_t
DensityRatio::CountFlops(std::size_t own,
                         std::size_t auxiliary,
                         std::size_t samples,
                         std::size_t features)
{
    // Median, K_uu, K_ux and its use at x, K_xx, and both kernels at the samples
    const uint64_t pairs = own * (own - 1) / 2 + auxiliary * auxiliary + 2 * auxiliary * own +
                           own * own + samples * (auxiliary + own);
    const uint64_t solution = auxiliary * auxiliary * auxiliary / 3 + 2 * auxiliary * auxiliary;
    return pairs * (3 * features + 4) + solution;
}

Matrix<double>
DrawUniform(const Matrix<double>& own, uint32_t count, uint64_t seed)
{
    const auto [least, greatest] = std::minmax_element(own.values.begin(), own.values.end());
    RandomGenerator generator(seed);
    boost::random::uniform_real_distribution<double> draw(0, 1); // of no width it would not end
    const double width = *greatest - *least;
    Matrix<double> samples(count, own.columns);
    std::generate(samples.values.begin(), samples.values.end(), [&, low = *least]() {
        return low + width * draw(generator);
    });
    return samples;
}

std::vector<bool>
SelectLikely(std::vector<double> own, const std::vector<double>& ratios, double quantile)
{
    const auto rank = static_cast<std::ptrdiff_t>(quantile * static_cast<double>(own.size() - 1));
    std::nth_element(own.begin(), own.begin() + rank, own.end());
    const double least = own[static_cast<std::size_t>(rank)];
    std::vector<bool> likely(ratios.size());
    std::transform(ratios.begin(), ratios.end(), likely.begin(), [least](double ratio) {
        return ratio >= least;
    });
    return likely;
}

} // namespace ns3::collab
