/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-gaussian-divergence.h"

#include "ns3/collab-check-argument.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

namespace ns3::collab
{

namespace
{

/// Elements as Matrix<double> has them
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// @param matrix any
/// @return the same one
Matrix<double>
FromEigen(const RowMajor& matrix)
{
    Matrix<double> same(matrix.rows(), matrix.cols());
    std::copy_n(matrix.data(), same.values.size(), same.values.begin());
    return same;
}

/// @param cluster cluster to factor
/// @return its covariance, made symmetric
/// @throws std::invalid_argument if it has no density
RowMajor
CheckCovariance(const GaussianCluster& cluster)
{
    const std::size_t size = cluster.mean.size();
    CheckArgument(size != 0 && cluster.covariance.rows == size &&
                      cluster.covariance.columns == size,
                  "a Gaussian with a mean of {} and a covariance of {} x {}, expected the same, "
                  "and at least 1",
                  size,
                  cluster.covariance.rows,
                  cluster.covariance.columns);
    const auto finite = [](double value) { return std::isfinite(value); };
    CheckArgument(
        std::all_of(cluster.mean.begin(), cluster.mean.end(), finite) &&
            std::all_of(cluster.covariance.values.begin(), cluster.covariance.values.end(), finite),
        "a Gaussian with a number that is not finite");
    // A copy: how Eigen adds up depends on where its own memory begins
    RowMajor covariance = Eigen::Map<const RowMajor>(cluster.covariance.values.data(),
                                                     static_cast<Eigen::Index>(size),
                                                     static_cast<Eigen::Index>(size));
    covariance.triangularView<Eigen::StrictlyUpper>() = covariance.transpose();
    return covariance;
}

} // namespace

GaussianCluster
DescribeCluster(const Matrix<float>& samples, const std::vector<uint32_t>& rows)
{
    const auto wrong = std::find_if(
        rows.begin(), rows.end(), [&samples](uint32_t row) { return row >= samples.rows; });
    if (rows.empty() || wrong != rows.end())
    {
        throw std::invalid_argument(
            rows.empty() ? std::string("a cluster of 0 samples")
                         : fmt::format("a cluster with sample {} of {}, counted from 0",
                                       *wrong,
                                       samples.rows));
    }
    Eigen::MatrixXd columns(samples.columns, rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        for (std::size_t j = 0; j < samples.columns; ++j)
        {
            columns(j, i) = samples(rows[i], j);
        }
    }
    const auto count = static_cast<double>(rows.size());
    const Eigen::VectorXd mean = columns.rowwise().sum() / count;
    columns.colwise() -= mean;
    RowMajor covariance = columns * columns.transpose() / count;
    covariance.diagonal().array() += COVARIANCE_RIDGE;
    return {{mean.data(), mean.data() + mean.size()},
            FromEigen(covariance),
            static_cast<uint32_t>(rows.size())};
}

FactoredCluster::FactoredCluster(const GaussianCluster& cluster)
    : m_mean(cluster.mean)
{
    const RowMajor covariance = CheckCovariance(cluster);
    const Eigen::LLT<RowMajor> llt(covariance);
    const RowMajor factor = llt.matrixL();
    const RowMajor precision = llt.solve(RowMajor::Identity(covariance.rows(), covariance.cols()));
    m_logDeterminant = 2 * factor.diagonal().array().log().sum();
    CheckArgument(llt.info() == Eigen::Success && precision.allFinite() &&
                      std::isfinite(m_logDeterminant),
                  "a Gaussian whose covariance of {} features is not positive definite",
                  m_mean.size());
    m_covariance = FromEigen(covariance);
    m_factor = FromEigen(factor);
    m_precision = FromEigen(precision);
}

std::size_t
FactoredCluster::Size() const
{
    return m_mean.size();
}

double
FactoredCluster::GetLogDeterminant() const
{
    return m_logDeterminant;
}

Matrix<float>
FactoredCluster::Draw(uint32_t count, RandomGenerator& generator) const
{
    boost::random::normal_distribution<double> draw;
    Matrix<float> samples(count, Size());
    std::vector<double> noise(Size());
    for (uint32_t row = 0; row < count; ++row)
    {
        std::generate(noise.begin(), noise.end(), [&] { return draw(generator); });
        for (std::size_t i = 0; i < Size(); ++i)
        {
            double element = m_mean[i];
            for (std::size_t j = 0; j <= i; ++j)
            {
                element += m_factor(i, j) * noise[j];
            }
            samples(row, i) = static_cast<float>(element);
        }
    }
    return samples;
}

double
FactoredCluster::DivergenceOf(const FactoredCluster& other) const
{
    const std::size_t size = Size();
    CheckArgument(other.Size() == size, "Gaussians of {} and {} features", other.Size(), size);
    double trace = 0;
    double square = 0;
    for (std::size_t i = 0; i < size; ++i)
    {
        const double* precision = m_precision.Row(i);
        const double* covariance = other.m_covariance.Row(i);
        double product = 0;
        for (std::size_t j = 0; j < size; ++j)
        {
            trace += precision[j] * covariance[j];
            product += precision[j] * (m_mean[j] - other.m_mean[j]);
        }
        square += product * (m_mean[i] - other.m_mean[i]);
    }
    const double divergence =
        (trace + square - static_cast<double>(size) + m_logDeterminant - other.m_logDeterminant) /
        2;
    return std::max(divergence, 0.0); // rounding may leave less between equal ones
}

double
GaussianDivergence(const GaussianCluster& p, const GaussianCluster& q)
{
    return FactoredCluster(q).DivergenceOf(FactoredCluster(p));
}

uint64_t
CountClusterFactorFlops(uint64_t features)
{
    return 7 * features * features * features / 3;
}

uint64_t
CountClusterDivergenceFlops(uint64_t features)
{
    return 5 * features * features + 3 * features + 5;
}

} // namespace ns3::collab
