/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-mixing.h"

#include "belief-consensus-weights.h"

#include "ns3/collab-check-argument.h"

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

namespace ns3::collab
{

namespace
{

using DenseMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using SparseMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

constexpr double NEVER_MIXED = std::numeric_limits<double>::infinity();

/// Eigenvalues this close to 1 in modulus are 1 but for rounding.
constexpr double MODULUS_TOLERANCE = 1e-10;

/// S has settled when it changes by less than this share of it for a mixing time.
constexpr double SETTLED_SPREAD = 5e-4;

/// Of a smaller S rounding is too great a share.
constexpr double LEAST_SUM = 1e-6;

/// Products of elements for which single powers of W are summed during a mixing time.
constexpr double SINGLE_POWERS_EFFORT = 2e8;

/// Powers of W of which W mixes too slowly that are computed during a mixing time.
constexpr double STRIDES = 64;

/// @param w any matrix
/// @return the same for Eigen, without a copy
Eigen::Map<const DenseMatrix>
MapToEigen(const Matrix<double>& w)
{
    return {
        w.values.data(), static_cast<Eigen::Index>(w.rows), static_cast<Eigen::Index>(w.columns)};
}

/// @brief Censor states of an irreducible chain one by one, from the last to the second.
/// @param chain transition probabilities; afterwards, above the diagonal, expected visits
void
Eliminate(DenseMatrix& chain)
{
    for (Eigen::Index n = chain.rows() - 1; n > 0; --n)
    {
        chain.col(n).head(n) /= chain.row(n).head(n).sum();
        chain.topLeftCorner(n, n) += chain.col(n).head(n) * chain.row(n).head(n);
    }
}

/// @param w row-stochastic matrix
/// @param states those of its closed component
/// @return the transition probabilities between them
DenseMatrix
Restrict(const Matrix<double>& w, const std::vector<uint32_t>& states)
{
    DenseMatrix chain(states.size(), states.size());
    for (std::size_t a = 0; a < states.size(); ++a)
    {
        for (std::size_t b = 0; b < states.size(); ++b)
        {
            chain(a, b) = w(states[a], states[b]);
        }
    }
    return chain;
}

/// @param mixingTime 1 / (1 - second modulus) [instants]
/// @param w row-stochastic matrix
/// @return number of instants between powers of W that are computed
uint64_t
ChooseStride(double mixingTime, const Matrix<double>& w)
{
    const auto others = std::count(w.values.begin(), w.values.end(), 0.0);
    const double effort = mixingTime * static_cast<double>((w.values.size() - others) * w.rows);
    return effort <= SINGLE_POWERS_EFFORT ? 1
                                          : static_cast<uint64_t>(std::ceil(mixingTime / STRIDES));
}

/// @param matrix a square one
/// @param exponent at least 1
/// @return its power, by squaring
DenseMatrix
RaiseToPower(DenseMatrix matrix, uint64_t exponent)
{
    DenseMatrix result = DenseMatrix::Identity(matrix.rows(), matrix.cols());
    for (; exponent > 1; exponent /= 2)
    {
        result = exponent % 2 == 1 ? DenseMatrix(result * matrix) : result;
        matrix = matrix * matrix;
    }
    return result * matrix;
}

/// W^k - 1 v' for k = 1, 1 + stride, 1 + 2 stride, ...
class PowerSequence
{
  public:
    /// @param w row-stochastic matrix
    /// @param v its influence
    /// @param stride see ChooseStride()
    PowerSequence(const Matrix<double>& w, const Eigen::RowVectorXd& v, uint64_t stride)
        : m_distance(MapToEigen(w).rowwise() - v)
    {
        if (stride == 1)
        {
            m_sparse = DenseMatrix(MapToEigen(w)).sparseView();
            return;
        }
        // What has not mixed after a stride are a few modes: a product of two narrow matrices
        const DenseMatrix power = RaiseToPower(MapToEigen(w), stride).rowwise() - v;
        const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(power);
        const Eigen::Index rank = qr.rank();
        m_left = qr.householderQ() * Eigen::MatrixXd::Identity(power.rows(), rank);
        const Eigen::MatrixXd right = qr.matrixQR().topRows(rank).triangularView<Eigen::Upper>();
        const Eigen::MatrixXd modes = right * qr.colsPermutation().transpose();
        m_core = modes * m_left;
        m_image = modes * m_distance;
    }

    /// @return the present one
    const DenseMatrix&
    Get() const
    {
        return m_distance;
    }

    /// @brief Go on to the next one.
    void
    Advance()
    {
        if (m_sparse.size() > 0)
        {
            m_distance = m_sparse * m_distance;
            return;
        }
        m_distance = m_left * m_image;
        m_image = m_core * m_image;
    }

  private:
    DenseMatrix m_distance;  //!< the present one
    SparseMatrix m_sparse;   //!< W; empty if there is a stride
    Eigen::MatrixXd m_left;  //!< of W^stride - 1 v', left of its modes
    Eigen::MatrixXd m_core;  //!< what a stride does to modes
    Eigen::MatrixXd m_image; //!< modes of the next one
};

} // namespace

std::vector<double>
ComputeInfluence(const Matrix<double>& w)
{
    const GraphReport graph = CheckGraph(w);
    CheckArgument(graph.closed == 1,
                  "W has {} groups of users who hear nobody else: none influences all users",
                  graph.closed);
    DenseMatrix chain = Restrict(w, graph.sources);
    Eliminate(chain);
    Eigen::VectorXd visits(chain.rows());
    visits(0) = 1;
    for (Eigen::Index n = 1; n < chain.rows(); ++n)
    {
        visits(n) = visits.head(n).dot(chain.col(n).head(n));
    }
    visits /= visits.sum();
    std::vector<double> influence(w.rows, 0);
    for (std::size_t a = 0; a < graph.sources.size(); ++a)
    {
        influence[graph.sources[a]] = visits(a);
    }
    return influence;
}

MixingEigenvalues
ComputeMixingEigenvalues(const Matrix<double>& w)
{
    CheckWeights(w);
    if (w.rows == 1)
    {
        return {};
    }
    const Eigen::MatrixXd dense = MapToEigen(w);
    const Eigen::VectorXcd all = Eigen::EigenSolver<Eigen::MatrixXd>(dense, false).eigenvalues();
    Eigen::Index one = 0;
    (all.array() - 1).abs().minCoeff(&one);
    MixingEigenvalues rest{-1, 0};
    for (Eigen::Index i = 0; i < all.size(); ++i)
    {
        if (i != one)
        {
            rest.lambdaMax = std::max(rest.lambdaMax, all(i).real());
            rest.secondModulus = std::max(rest.secondModulus, std::abs(all(i)));
        }
    }
    const auto round = [](double value) { return value > 1 - MODULUS_TOLERANCE ? 1 : value; };
    return {round(rest.lambdaMax), round(rest.secondModulus)};
}

namespace
{

/// @param w row-stochastic matrix
/// @param ratio its second modulus, below 1
/// @param influence v
/// @return S
double
SumPowers(const Matrix<double>& w, double ratio, const std::vector<double>& influence)
{
    const double mixingTime = std::max(8.0, 1 / (1 - ratio));
    const uint64_t stride = ChooseStride(mixingTime, w);
    PowerSequence distance(
        w, Eigen::Map<const Eigen::RowVectorXd>(influence.data(), influence.size()), stride);
    Eigen::VectorXd step = distance.Get().rowwise().lpNorm<1>();
    Eigen::VectorXd sums = step;
    for (;;)
    {
        double least = NEVER_MIXED;
        double greatest = 0;
        for (double passed = 0; passed < mixingTime; passed += stride)
        {
            const Eigen::VectorXd last = step;
            distance.Advance();
            step = distance.Get().rowwise().lpNorm<1>();
            // Euler and Maclaurin: the trapezoid, and half of what the ends differ by
            sums += stride * (last + step) / 2 + (step - last) / 2;
            const double total = (sums + ratio / (1 - ratio) * step).maxCoeff();
            least = std::min(least, total);
            greatest = std::max(greatest, total);
        }
        if (greatest - least <= SETTLED_SPREAD * std::max(greatest, LEAST_SUM))
        {
            return greatest;
        }
    }
}

} // namespace

double
ComputeMixingSumBound(std::size_t users, double lambda)
{
    if (users == 1)
    {
        return 0;
    }
    return 4 * std::log(static_cast<double>(users)) / (1 - lambda);
}

MixingReport
AnalyzeMixing(const Matrix<double>& w)
{
    MixingReport report;
    report.influence = ComputeInfluence(w);
    report.eigenvalues = ComputeMixingEigenvalues(w);
    const double ratio = report.eigenvalues.secondModulus;
    report.mixingSum = ratio == 1 ? NEVER_MIXED : SumPowers(w, ratio, report.influence);
    report.mixingSumBound = ComputeMixingSumBound(w.rows, report.eigenvalues.secondModulus);
    report.sumOfSquares = std::inner_product(
        report.influence.begin(), report.influence.end(), report.influence.begin(), 0.0);
    return report;
}

} // namespace ns3::collab
