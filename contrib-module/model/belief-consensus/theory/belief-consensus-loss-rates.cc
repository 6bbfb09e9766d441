/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-loss-rates.h"

#include "belief-consensus-mixing.h"
#include "belief-consensus-sample-bound.h"
#include "belief-consensus-weights.h"

#include "ns3/collab-check-argument.h"

#include <algorithm>
#include <boost/math/quadrature/tanh_sinh.hpp>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace ns3::collab
{

namespace
{

constexpr double QUADRATURE_TOLERANCE = 1e-12; //!< relative

/// A neighbor's weight and the probability that it is missed.
using NeighborKind = std::pair<double, double>;

/// How many neighbors there are of each kind: users with equal ones share an integral.
using NeighborKinds = std::map<NeighborKind, uint32_t>;

/// @param matrix any
/// @param like one of the size that it must have
/// @param name of the matrix
void
CheckSize(const Matrix<double>& matrix, const Matrix<double>& like, const char* name)
{
    CheckArgument(matrix.rows == like.rows && matrix.columns == like.columns,
                  "{} are {} x {}: {} x {} is expected",
                  name,
                  matrix.rows,
                  matrix.columns,
                  like.rows,
                  like.columns);
}

/// @param w row-stochastic matrix
/// @param missing probabilities of its size, 0 on the diagonal
void
CheckMissing(const Matrix<double>& w, const Matrix<double>& missing)
{
    CheckWeights(w);
    CheckSize(missing, w, "probabilities of loss");
    for (std::size_t i = 0; i < w.rows; ++i)
    {
        for (std::size_t j = 0; j < w.columns; ++j)
        {
            const double p = missing(i, j);
            CheckArgument(p >= 0 && p <= (i == j ? 0 : 1),
                          "user {} misses user {} with probability {}: from 0 to 1, and 0 of "
                          "itself, is expected",
                          i,
                          j,
                          p);
        }
    }
}

/**
 * @brief E[w / (own + w + weights of the others that are heard)] of one that is heard.
 *
 * With a = own + w, it is w times the integral of t^(a - 1) times the product of all
 * p + (1 - p) t^weight over [0, 1]; u = t^a does away with the pole at 0.
 *
 * @param own W_ii
 * @param kinds of all neighbors
 * @param kind that of the one, which is among them
 * @return the mean
 */
double
ComputeMeanShare(double own, const NeighborKinds& kinds, const NeighborKind& kind)
{
    const double a = own + kind.first;
    const auto integrand = [&](double u) {
        double product = 1;
        for (const auto& [other, count] : kinds)
        {
            const double arrived = std::pow(u, other.first / a);
            const double factor = other.second + (1 - other.second) * arrived;
            product *= std::pow(factor, count - (other == kind ? 1 : 0));
        }
        return product;
    };
    boost::math::quadrature::tanh_sinh<double> quadrature;
    return kind.first / a * quadrature.integrate(integrand, 0.0, 1.0, QUADRATURE_TOLERANCE);
}

/// @param w row-stochastic matrix
/// @param missing p
/// @param i a user
/// @param expected its row becomes that of E[W_t] with RENORMALIZE, but for the diagonal
void
RenormalizeRow(const Matrix<double>& w,
               const Matrix<double>& missing,
               std::size_t i,
               Matrix<double>& expected)
{
    NeighborKinds kinds;
    for (std::size_t j = 0; j < w.columns; ++j)
    {
        if (j != i && w(i, j) > 0)
        {
            ++kinds[{w(i, j), missing(i, j)}];
        }
    }
    std::map<NeighborKind, double> shares;
    for (const auto& [kind, count] : kinds)
    {
        shares[kind] = (1 - kind.second) * ComputeMeanShare(w(i, i), kinds, kind);
    }
    for (std::size_t j = 0; j < w.columns; ++j)
    {
        if (j != i && w(i, j) > 0)
        {
            expected(i, j) = shares[{w(i, j), missing(i, j)}];
        }
    }
}

/// @param w row-stochastic matrix
/// @param missing p
/// @param influence v of W
/// @return sum_ij v_i W_ij p_ij / (1 - p_ij): mean number of instants by which beliefs are old
double
ComputeMeanAge(const Matrix<double>& w,
               const Matrix<double>& missing,
               const std::vector<double>& influence)
{
    double age = 0;
    for (std::size_t i = 0; i < w.rows; ++i)
    {
        for (std::size_t j = 0; j < w.columns; ++j)
        {
            const double weight = influence[i] * w(i, j);
            if (weight > 0)
            {
                age += weight * missing(i, j) / (1 - missing(i, j));
            }
        }
    }
    return age;
}

/// @param w row-stochastic matrix
/// @param missing p
/// @return W of users who pool without neighbors of whom nothing ever comes
Matrix<double>
DropUnheard(Matrix<double> w, const Matrix<double>& missing)
{
    for (std::size_t i = 0; i < w.rows; ++i)
    {
        double sum = 0;
        for (std::size_t j = 0; j < w.columns; ++j)
        {
            w(i, j) = missing(i, j) < 1 ? w(i, j) : 0;
            sum += w(i, j);
        }
        w(i, i) = sum > 0 ? w(i, i) : 1; // what a user has then is its own belief
        for (std::size_t j = 0; sum > 0 && j < w.columns; ++j)
        {
            w(i, j) /= sum;
        }
    }
    return w;
}

/// @param pairWeights w_ij
/// @param arrivalRates a_ij [1/s], of the same size
/// @return Q_ij = w_ij a_ij [1/s], with 0 for its diagonal
Matrix<double>
MakeGossipRates(const Matrix<double>& pairWeights, const Matrix<double>& arrivalRates)
{
    Matrix<double> rates(pairWeights.rows, pairWeights.columns);
    for (std::size_t i = 0; i < rates.rows; ++i)
    {
        for (std::size_t j = 0; j < rates.columns; ++j)
        {
            if (j == i)
            {
                continue;
            }
            const double weight = pairWeights(i, j);
            const double arrivals = arrivalRates(i, j);
            CheckArgument(weight >= 0 && weight <= 1 && arrivals >= 0 && std::isfinite(arrivals),
                          "user {} hears user {} {} times a second with weight {}",
                          i,
                          j,
                          arrivals,
                          weight);
            rates(i, j) = weight * arrivals;
        }
    }
    return rates;
}

/// @param rates Q with 0 for its diagonal [1/s]
/// @return I + Q / c, the chain with the same v-bar; c is Q's greatest sum of a row
Matrix<double>
MakeGossipChain(Matrix<double> rates)
{
    std::vector<double> sums;
    for (std::size_t i = 0; i < rates.rows; ++i)
    {
        sums.push_back(std::accumulate(rates.Row(i), rates.Row(i) + rates.columns, 0.0));
    }
    const double greatest = *std::max_element(sums.begin(), sums.end());
    const double scale = greatest > 0 ? 1 / greatest : 0;
    for (double& rate : rates.values)
    {
        rate *= scale;
    }
    for (std::size_t i = 0; i < rates.rows; ++i)
    {
        rates(i, i) = std::max(0.0, 1 - sums[i] * scale);
    }
    return rates;
}

} // namespace

Matrix<double>
ComputeExpectedWeights(const Matrix<double>& w,
                       const Matrix<double>& missing,
                       MissingBeliefPolicy policy)
{
    CheckMissing(w, missing);
    CheckArgument(policy != MissingBeliefPolicy::STALE,
                  "users who pool old beliefs have no weights of an instant");
    Matrix<double> expected(w.rows, w.columns);
    for (std::size_t i = 0; i < w.rows; ++i)
    {
        if (policy == MissingBeliefPolicy::RENORMALIZE)
        {
            RenormalizeRow(w, missing, i, expected);
        }
        double others = 0;
        for (std::size_t j = 0; j < w.columns; ++j)
        {
            if (j != i && policy == MissingBeliefPolicy::SELF)
            {
                expected(i, j) = w(i, j) * (1 - missing(i, j));
            }
            others += expected(i, j);
        }
        // Lost weight, or all of it if nobody was heard
        expected(i, i) = std::max(0.0, 1 - others);
    }
    return expected;
}

PredictedRates
PredictRates(const Matrix<double>& w,
             const Matrix<double>& missing,
             MissingBeliefPolicy policy,
             const Matrix<double>& information)
{
    CheckMissing(w, missing);
    PredictedRates predicted;
    if (policy != MissingBeliefPolicy::STALE)
    {
        predicted.influence = ComputeInfluence(ComputeExpectedWeights(w, missing, policy));
        predicted.rates = ComputeLearningRates(information, predicted.influence);
        return predicted;
    }
    const Matrix<double> heard = DropUnheard(w, missing);
    predicted.influence = ComputeInfluence(heard);
    predicted.rates = ComputeLearningRates(information, predicted.influence);
    const double age = ComputeMeanAge(heard, missing, predicted.influence);
    for (double& rate : predicted.rates)
    {
        rate /= 1 + age;
    }
    return predicted;
}

PredictedRates
PredictGossipRates(const Matrix<double>& pairWeights,
                   const Matrix<double>& arrivalRates,
                   const std::vector<double>& updateRates,
                   const Matrix<double>& information)
{
    CheckSize(arrivalRates, pairWeights, "rates of arrivals");
    CheckArgument(pairWeights.rows != 0 && pairWeights.rows == pairWeights.columns &&
                      updateRates.size() == pairWeights.rows,
                  "{} rates of updates, {} x {} weights",
                  updateRates.size(),
                  pairWeights.rows,
                  pairWeights.columns);
    PredictedRates predicted;
    predicted.influence =
        ComputeInfluence(MakeGossipChain(MakeGossipRates(pairWeights, arrivalRates)));
    std::vector<double> weights;
    for (std::size_t j = 0; j < updateRates.size(); ++j)
    {
        CheckArgument(updateRates[j] >= 0 && std::isfinite(updateRates[j]),
                      "user {} has {} samples a second",
                      j,
                      updateRates[j]);
        weights.push_back(predicted.influence[j] * updateRates[j]);
    }
    predicted.rates = ComputeLearningRates(information, weights);
    return predicted;
}

double
ComputeToldAge(double airtime, double rate)
{
    const double load = airtime * rate;
    CheckArgument(load < 1,
                  "a belief takes {:.4g} s on air, more than the {:.4g} s from one update of "
                  "its user to the next",
                  airtime,
                  1 / rate);
    return airtime + load * airtime / (2 * (1 - load));
}

double
ComputeGossipSlowdown(const Matrix<double>& pairWeights,
                      const Matrix<double>& arrivalRates,
                      const std::vector<double>& influence,
                      const std::vector<double>& ages)
{
    CheckSize(arrivalRates, pairWeights, "rates of arrivals");
    double slowdown = 1;
    for (std::size_t i = 0; i < pairWeights.rows; ++i)
    {
        for (std::size_t j = 0; j < pairWeights.columns; ++j)
        {
            slowdown += influence[i] * pairWeights(i, j) * arrivalRates(i, j) * ages[j];
        }
    }
    return slowdown;
}

} // namespace ns3::collab
