/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-gaussian-pooling.h"

#include "belief-consensus-gaussian-factor.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <limits>

namespace ns3::collab
{

namespace
{

constexpr double BARYCENTER_TOLERANCE = 1e-12;  //!< relative change at which it stops
constexpr uint32_t BARYCENTER_ITERATIONS = 100; //!< at most
constexpr double DETERMINANT_GAP = 1e-10;       //!< of log det, at which exchanges stop [nat]
constexpr uint32_t EXCHANGES = 200;             //!< at most
constexpr uint32_t ROOT_ITERATIONS = 100;       //!< of the step of an exchange, at most

/// @brief A Gaussian by its moments.
struct Moments
{
    Eigen::VectorXd mean;       //!< mu
    Eigen::MatrixXd covariance; //!< Sigma
};

/// @param belief a Gaussian
/// @param parameters p
/// @return its moments
Moments
ToMoments(const Belief& belief, std::size_t parameters)
{
    const FactoredGaussian gaussian = FactorGaussian(*belief, parameters);
    const Matrix<double> covariance = GetCovariance(gaussian);
    return {Eigen::Map<const Eigen::VectorXd>(gaussian.mean.data(), parameters),
            // The transpose, row by row, of a symmetric matrix
            Eigen::Map<const Eigen::MatrixXd>(covariance.values.data(), parameters, parameters)};
}

/// @param moments of a Gaussian
/// @return its numbers; NaN if the covariance is not positive definite
std::vector<double>
FromMoments(const Moments& moments)
{
    const Eigen::Index parameters = moments.mean.size();
    const Eigen::LLT<Eigen::MatrixXd> llt(moments.covariance);
    if (llt.info() != Eigen::Success)
    {
        return std::vector<double>(CountGaussianNumbers(parameters),
                                   std::numeric_limits<double>::quiet_NaN());
    }
    const Eigen::VectorXd h = llt.solve(moments.mean);
    const Eigen::MatrixXd precision = llt.solve(Eigen::MatrixXd::Identity(parameters, parameters));
    std::vector<double> numbers(h.data(), h.data() + parameters);
    for (Eigen::Index row = 0; row < parameters; ++row)
    {
        for (Eigen::Index column = 0; column <= row; ++column)
        {
            numbers.push_back(precision(row, column));
        }
    }
    return numbers;
}

/// @brief Several Gaussians by their moments.
struct WeightedMoments
{
    std::vector<Moments> parts;  //!< of each
    std::vector<double> weights; //!< of each
    Moments mean;                //!< the weighted means of mu and Sigma
};

/// @param beliefs Gaussians
/// @param parameters p
/// @return their moments
WeightedMoments
GetMoments(const std::vector<WeightedBelief>& beliefs, std::size_t parameters)
{
    WeightedMoments all;
    all.mean = {Eigen::VectorXd::Zero(parameters), Eigen::MatrixXd::Zero(parameters, parameters)};
    for (const auto& [belief, weight] : beliefs)
    {
        all.parts.push_back(ToMoments(belief, parameters));
        all.weights.push_back(weight);
        all.mean.mean += weight * all.parts.back().mean;
        all.mean.covariance += weight * all.parts.back().covariance;
    }
    return all;
}

/// @param all Gaussians
/// @return the moments of their mixture
Moments
MatchMoments(const WeightedMoments& all)
{
    Moments mixture = all.mean;
    for (std::size_t i = 0; i < all.parts.size(); ++i)
    {
        const Eigen::VectorXd difference = all.parts[i].mean - all.mean.mean;
        mixture.covariance += all.weights[i] * difference * difference.transpose();
    }
    return mixture;
}

/// @param all Gaussians
/// @return the moments of their Wasserstein barycenter
Moments
FindBarycenter(const WeightedMoments& all)
{
    Moments center = all.mean;
    Eigen::MatrixXd& covariance = center.covariance;
    for (uint32_t i = 0; i < BARYCENTER_ITERATIONS; ++i)
    {
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(covariance);
        const Eigen::MatrixXd root = solver.operatorSqrt();
        const Eigen::MatrixXd inverse = solver.operatorInverseSqrt();
        Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(covariance.rows(), covariance.cols());
        for (std::size_t j = 0; j < all.parts.size(); ++j)
        {
            const Eigen::MatrixXd seen = root * all.parts[j].covariance * root;
            sum += all.weights[j] *
                   Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(seen).operatorSqrt();
        }
        const Eigen::MatrixXd next = inverse * sum * sum * inverse;
        const double change = (next - covariance).norm();
        covariance = next;
        if (!(change > BARYCENTER_TOLERANCE * next.norm()))
        {
            break;
        }
    }
    return center;
}

/// @param numbers of a Gaussian
/// @param parameters p
/// @return its precision
Eigen::MatrixXd
GetPrecision(const std::vector<double>& numbers, std::size_t parameters)
{
    Eigen::MatrixXd precision(parameters, parameters);
    std::size_t next = parameters;
    for (std::size_t row = 0; row < parameters; ++row)
    {
        for (std::size_t column = 0; column <= row; ++column)
        {
            precision(row, column) = precision(column, row) = numbers[next++];
        }
    }
    return precision;
}

/**
 * @brief How much weight to move so that log det(Lambda + t D) is greatest.
 *
 * Its derivative is sum_k e_k / (1 + t e_k), with the eigenvalues e of D relative to Lambda, and it
 * falls.
 *
 * @param factored Lambda
 * @param direction D, in which log det rises at first
 * @param most that can be moved
 * @return t
 */
double
FindStep(const Eigen::LLT<Eigen::MatrixXd>& factored, const Eigen::MatrixXd& direction, double most)
{
    const Eigen::MatrixXd half = factored.matrixL().solve(direction);
    const Eigen::MatrixXd relative = factored.matrixL().solve(half.transpose());
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(relative, Eigen::EigenvaluesOnly);
    const Eigen::ArrayXd values = solver.eigenvalues().array();
    const auto derivative = [&values](double t) { return (values / (1 + t * values)).sum(); };
    const double first = derivative(0);
    const double last = derivative(most);
    if (!(first > 0) || !(last < 0))
    {
        return first > 0 ? most : 0;
    }
    std::uintmax_t iterations = ROOT_ITERATIONS;
    const auto [low, high] =
        boost::math::tools::toms748_solve(derivative,
                                          0.0,
                                          most,
                                          first,
                                          last,
                                          boost::math::tools::eps_tolerance<double>(),
                                          iterations);
    return (low + high) / 2;
}

/// @param parameters p
/// @return floating-point operations of a product of two matrices
uint64_t
CountProductFlops(uint64_t parameters)
{
    return parameters * parameters * (2 * parameters - 1);
}

/// @param beliefs number of beliefs
/// @param parameters p
/// @return floating-point operations of GetMoments() and FromMoments()
uint64_t
CountMomentsFlops(uint64_t beliefs, uint64_t parameters)
{
    const uint64_t each = CountFactorFlops(parameters) + CountSolveFlops(parameters) +
                          CountProductFlops(parameters) +
                          2 * (parameters + parameters * parameters);
    return beliefs * each + CountFactorFlops(parameters) + 2 * CountSolveFlops(parameters);
}

/// @param beliefs number of beliefs
/// @param parameters p
/// @return floating-point operations of an iteration of FindBarycenter()
uint64_t
CountBarycenterFlops(uint64_t beliefs, uint64_t parameters)
{
    const uint64_t squared = parameters * parameters;
    const uint64_t product = CountProductFlops(parameters);
    const uint64_t decomposition = 9 * squared * parameters;
    const uint64_t root = parameters + squared + product; // V diag(sqrt(e)) V^T
    const uint64_t each = 2 * product + decomposition + root + 2 * squared;
    // The inverse root has p divisions more; a difference, two norms, a product, a comparison
    return decomposition + 2 * root + parameters + beliefs * each + 3 * product + squared +
           2 * (2 * squared) + 2;
}

/// @param beliefs number of beliefs
/// @param parameters p
/// @return floating-point operations of an iteration of IntersectGaussians()
uint64_t
CountExchangeFlops(uint64_t beliefs, uint64_t parameters)
{
    const uint64_t squared = parameters * parameters;
    const uint64_t cubed = squared * parameters;
    const uint64_t sum = 2 * beliefs * CountGaussianNumbers(parameters);
    const uint64_t factor = CountFactorFlops(parameters) - 2 * squared; // no mean is asked for
    const uint64_t slopes = beliefs * (2 * squared - 1) + (beliefs - 1) + 2 + 2 * beliefs;
    // A difference, two triangular systems, eigenvalues, derivatives, their signs, a midpoint
    const uint64_t step = squared + 2 * CountSolveFlops(parameters) + 4 * cubed / 3 +
                          (ROOT_ITERATIONS + 2) * (4 * parameters - 1) + 2 + 2;
    return sum + factor + 2 * CountSolveFlops(parameters) + slopes + step + 3;
}

} // namespace

std::vector<WeightedBelief>
IntersectGaussians(std::vector<WeightedBelief> beliefs, std::size_t parameters)
{
    std::vector<Eigen::MatrixXd> precisions;
    for (const WeightedBelief& weighted : beliefs)
    {
        precisions.push_back(GetPrecision(*weighted.belief, parameters));
    }
    for (uint32_t i = 0; i < EXCHANGES; ++i)
    {
        const Eigen::LLT<Eigen::MatrixXd> llt(GetPrecision(SumBeliefs(beliefs), parameters));
        const Eigen::MatrixXd covariance =
            llt.solve(Eigen::MatrixXd::Identity(parameters, parameters));
        std::vector<double> slopes;
        for (const Eigen::MatrixXd& precision : precisions)
        {
            slopes.push_back(covariance.cwiseProduct(precision).sum());
        }
        // log det is concave and the weighted mean slope p: no weights are better by more
        const std::size_t to = std::max_element(slopes.begin(), slopes.end()) - slopes.begin();
        if (!(slopes[to] - static_cast<double>(parameters) > DETERMINANT_GAP))
        {
            break;
        }
        std::size_t from = to;
        for (std::size_t j = 0; j < slopes.size(); ++j)
        {
            from = beliefs[j].weight > 0 && slopes[j] < slopes[from] ? j : from;
        }
        const double step = FindStep(llt, precisions[to] - precisions[from], beliefs[from].weight);
        if (!(step > 0)) // the gap is as small as rounding lets it be
        {
            break;
        }
        beliefs[from].weight -= step;
        beliefs[to].weight += step;
    }
    return beliefs;
}

std::vector<double>
PoolGaussians(const std::vector<WeightedBelief>& beliefs,
              BeliefPooling pooling,
              std::size_t parameters)
{
    switch (pooling)
    {
    case BeliefPooling::MOMENT:
        return FromMoments(MatchMoments(GetMoments(beliefs, parameters)));
    case BeliefPooling::WASSERSTEIN:
        return FromMoments(FindBarycenter(GetMoments(beliefs, parameters)));
    case BeliefPooling::COVARIANCE_INTERSECTION:
        return SumBeliefs(IntersectGaussians(beliefs, parameters));
    case BeliefPooling::LOGARITHMIC:
    case BeliefPooling::CLIPPED:
        break;
    }
    return SumBeliefs(beliefs);
}

uint64_t
CountGaussianPoolFlops(uint64_t beliefs, BeliefPooling pooling, uint64_t parameters)
{
    const uint64_t sum = 2 * beliefs * CountGaussianNumbers(parameters);
    switch (pooling)
    {
    case BeliefPooling::MOMENT:
        return CountMomentsFlops(beliefs, parameters) +
               2 * beliefs * (parameters + parameters * parameters);
    case BeliefPooling::WASSERSTEIN:
        return CountMomentsFlops(beliefs, parameters) +
               BARYCENTER_ITERATIONS * CountBarycenterFlops(beliefs, parameters);
    case BeliefPooling::COVARIANCE_INTERSECTION:
        return sum + EXCHANGES * CountExchangeFlops(beliefs, parameters);
    case BeliefPooling::LOGARITHMIC:
    case BeliefPooling::CLIPPED:
        break;
    }
    return sum;
}

} // namespace ns3::collab
