/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-gaussian-factor.h"

#include "belief-consensus-belief.h"

#include "ns3/collab-check-argument.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3::collab
{

namespace
{

/// Elements as Matrix<double> has them
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// @param numbers h and a lower triangle
/// @param parameters p
/// @return the triangle, with zeros above it
Matrix<double>
UnpackTriangle(const std::vector<double>& numbers, std::size_t parameters)
{
    Matrix<double> lower(parameters, parameters);
    std::size_t next = parameters;
    for (std::size_t row = 0; row < parameters; ++row)
    {
        for (std::size_t column = 0; column <= row; ++column)
        {
            lower(row, column) = numbers[next++];
        }
    }
    return lower;
}

/// @param matrix any
/// @return the same one. A copy: how Eigen adds up depends on where its own memory begins.
RowMajor
ToRowMajor(const Matrix<double>& matrix)
{
    return Eigen::Map<const RowMajor>(matrix.values.data(), matrix.rows, matrix.columns);
}

/// @param matrix any
/// @return the same one
Matrix<double>
FromEigen(const RowMajor& matrix)
{
    Matrix<double> same(matrix.rows(), matrix.cols());
    std::copy_n(matrix.data(), same.values.size(), same.values.begin());
    return same;
}

/// @param numbers of a Gaussian
/// @param parameters p
/// @throws ImproperBelief if they are too many, too few or not finite
void
CheckNumbers(const std::vector<double>& numbers, std::size_t parameters)
{
    Require<ImproperBelief>(numbers.size() == CountGaussianNumbers(parameters),
                            "{} numbers for a Gaussian of {} parameters",
                            numbers.size(),
                            parameters);
    for (std::size_t i = 0; i < numbers.size(); ++i)
    {
        Require<ImproperBelief>(
            std::isfinite(numbers[i]), "number {} of a Gaussian is {}", i, numbers[i]);
    }
}

/// @param values any
/// @return the sum of their squares
double
SumSquares(const std::vector<double>& values)
{
    return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
}

/// @param lower L
/// @param vector v
/// @return L^T v
std::vector<double>
MultiplyTransposed(const Matrix<double>& lower, const std::vector<double>& vector)
{
    std::vector<double> product(vector.size(), 0.0);
    for (std::size_t row = 0; row < lower.rows; ++row)
    {
        for (std::size_t column = 0; column <= row; ++column)
        {
            product[column] += lower(row, column) * vector[row];
        }
    }
    return product;
}

} // namespace

FactoredGaussian
FactorGaussian(const std::vector<double>& numbers, std::size_t parameters)
{
    CheckNumbers(numbers, parameters);
    const RowMajor precision = ToRowMajor(UnpackTriangle(numbers, parameters));
    const Eigen::LLT<RowMajor> llt(precision); // reads the lower triangle only
    const RowMajor factor = llt.matrixL();
    // An overflow may leave NaN in the factor, which no pivot is compared with
    Require<ImproperBelief>(llt.info() == Eigen::Success && factor.allFinite(),
                            "the precision matrix is not positive definite");
    Eigen::VectorXd mean = Eigen::Map<const Eigen::VectorXd>(numbers.data(), parameters);
    llt.solveInPlace(mean);
    Require<ImproperBelief>(mean.allFinite(), "the mean is not finite");
    return {{mean.data(), mean.data() + mean.size()}, FromEigen(factor)};
}

Matrix<double>
SolveLower(const Matrix<double>& lower, const Matrix<double>& columns)
{
    RowMajor solution = ToRowMajor(columns);
    ToRowMajor(lower).triangularView<Eigen::Lower>().solveInPlace(solution);
    return FromEigen(solution);
}

Matrix<double>
GetCovariance(const FactoredGaussian& gaussian)
{
    const std::size_t parameters = gaussian.mean.size();
    const RowMajor identity = RowMajor::Identity(parameters, parameters);
    const RowMajor inverse = ToRowMajor(SolveLower(gaussian.factor, FromEigen(identity)));
    return FromEigen(inverse.transpose() * inverse);
}

double
ComputeJeffreys(const FactoredGaussian& first, const FactoredGaussian& second)
{
    std::vector<double> difference = first.mean;
    for (std::size_t i = 0; i < difference.size(); ++i)
    {
        difference[i] -= second.mean[i];
    }
    const double sum = SumSquares(SolveLower(first.factor, second.factor).values) +
                       SumSquares(SolveLower(second.factor, first.factor).values) +
                       SumSquares(MultiplyTransposed(first.factor, difference)) +
                       SumSquares(MultiplyTransposed(second.factor, difference));
    // Rounding may leave less than nothing between equal ones
    return std::max(0.0, (sum - 2.0 * difference.size()) / 2);
}

uint64_t
CountFactorFlops(uint64_t parameters)
{
    // Golub and Van Loan, section 4.2.5, exactly; and two triangular systems for the mean
    return parameters * (parameters + 1) * (2 * parameters + 1) / 6 + 2 * parameters * parameters;
}

uint64_t
CountSolveFlops(uint64_t parameters)
{
    return parameters * parameters * parameters;
}

uint64_t
CountJeffreysFlops(uint64_t parameters)
{
    const uint64_t squared = parameters * parameters;
    const uint64_t ratios = 2 * (CountSolveFlops(parameters) + 2 * squared);
    const uint64_t means = parameters + 2 * (squared + parameters) + 2 * (2 * parameters);
    return ratios + means + 7; // three sums, a product, a difference, a half, a comparison
}

} // namespace ns3::collab
