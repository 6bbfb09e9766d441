/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-linear-theory.h"

#include "ns3/collab-check-argument.h"

#include <Eigen/Dense>
#include <algorithm>

namespace ns3::collab
{

namespace
{

/// @param matrix any
/// @return the same for Eigen
Eigen::MatrixXd
CopyToEigen(const Matrix<double>& matrix)
{
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    return Eigen::Map<const RowMajor>(matrix.values.data(), matrix.rows, matrix.columns);
}

/// @param users by user
/// @param powers g_j
/// @param test T
void
CheckArguments(const std::vector<LinearUser>& users,
               const std::vector<double>& powers,
               const Matrix<double>& test)
{
    CheckArgument(!users.empty() && powers.size() == users.size() && test.rows != 0 &&
                      test.rows == test.columns,
                  "{} users, {} powers and a {} x {} test moment",
                  users.size(),
                  powers.size(),
                  test.rows,
                  test.columns);
    for (std::size_t j = 0; j < users.size(); ++j)
    {
        const Matrix<double>& moment = users[j].secondMoment;
        CheckArgument(moment.rows == test.rows && moment.columns == test.rows &&
                          users[j].noise > 0 && powers[j] > 0,
                      "user {} has a {} x {} moment, noise {} and power {}: {} x {} and "
                      "positive ones are expected",
                      j,
                      moment.rows,
                      moment.columns,
                      users[j].noise,
                      powers[j],
                      test.rows,
                      test.rows);
    }
}

/// @param users by user
/// @param powers g_j
/// @param test T
/// @return trace(T A^-1 B A^-1)
double
ComputeLimit(const std::vector<LinearUser>& users,
             const std::vector<double>& powers,
             const Eigen::MatrixXd& test)
{
    Eigen::MatrixXd precision = Eigen::MatrixXd::Zero(test.rows(), test.rows());
    Eigen::MatrixXd score = precision;
    for (std::size_t j = 0; j < users.size(); ++j)
    {
        const Eigen::MatrixXd information =
            CopyToEigen(users[j].secondMoment) / (users[j].noise * users[j].noise);
        precision += powers[j] * information;
        score += powers[j] * powers[j] * information;
    }
    constexpr double LEAST_CONDITION = 1e-14; // what rounding leaves of a singular matrix
    const Eigen::LLT<Eigen::MatrixXd> factor(precision);
    CheckArgument(factor.info() == Eigen::Success && factor.rcond() > LEAST_CONDITION,
                  "all users together cannot learn every parameter");
    return (factor.solve(test) * factor.solve(score)).trace();
}

} // namespace

LinearLimits
ComputeLinearLimits(const std::vector<LinearUser>& users,
                    const std::vector<double>& powers,
                    const Matrix<double>& test)
{
    CheckArguments(users, powers, test);
    const Eigen::MatrixXd moment = CopyToEigen(test);
    LinearLimits limits;
    limits.cooperating = ComputeLimit(users, powers, moment);
    limits.central = ComputeLimit(users, std::vector<double>(users.size(), 1), moment);
    limits.ratio = limits.cooperating / limits.central;
    return limits;
}

} // namespace ns3::collab
