/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "prediction-consensus-theory.h"

#include "prediction-consensus-trust.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-metrics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace ns3::collab
{

namespace
{

/// @param w must be square and not empty
void
CheckSquare(const Matrix<double>& w)
{
    CheckArgument(
        w.rows != 0 && w.rows == w.columns, "a {} x {} matrix is not square", w.rows, w.columns);
}

/// @param a a number
/// @param b another one
/// @return the greater one; NaN if one of them is
double
GreaterOf(double a, double b)
{
    return b > a || std::isnan(b) ? b : a;
}

/// @param a predictions of an agent
/// @param b those of another one, same shape
/// @param classesA predicted classes of a; empty in regression
/// @param classesB those of b
/// @return how much the two disagree, in meanClasses, meanDistance and maxDifference
PredictionDistance
Compare(const Matrix<float>& a,
        const Matrix<float>& b,
        const std::vector<int64_t>& classesA,
        const std::vector<int64_t>& classesB)
{
    PredictionDistance pair;
    for (std::size_t sample = 0; sample < a.rows; ++sample)
    {
        double square = 0;
        for (std::size_t k = 0; k < a.columns; ++k)
        {
            const double difference = static_cast<double>(a(sample, k)) - b(sample, k);
            square += difference * difference;
            pair.maxDifference = GreaterOf(pair.maxDifference, std::abs(difference));
        }
        pair.meanDistance += std::sqrt(square);
    }
    for (std::size_t sample = 0; sample < classesA.size(); ++sample)
    {
        pair.meanClasses += classesA[sample] != classesB[sample] ? 1 : 0;
    }
    pair.meanDistance /= static_cast<double>(a.rows);
    pair.meanClasses /= static_cast<double>(a.rows);
    return pair;
}

/// @param w a trust matrix
/// @param bad indices of some agents, and not all
void
CheckBadAgents(const Matrix<double>& w, const std::set<std::size_t>& bad)
{
    CheckArgument(!bad.empty() && bad.size() < w.rows && *bad.rbegin() < w.rows,
                  "{} bad agents, expected 1 to {}, each below {}",
                  bad.size(),
                  w.rows - 1,
                  w.rows);
}

/// @param predictions class probabilities of an agent
/// @return 1 for the half of the samples on which it has the lowest entropies, else 0
std::vector<double>
FindConfidentRegion(const Matrix<float>& predictions)
{
    // of classifiers confidence falls with entropy
    const std::vector<double> confidence = ComputeConfidence(predictions, {});
    std::vector<double> sorted(confidence);
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    std::vector<double> region;
    for (const double each : confidence)
    {
        region.push_back(each >= *middle ? 1 : 0);
    }
    return region;
}

} // namespace

bool
IsPositive(const Matrix<double>& w)
{
    CheckSquare(w);
    return std::all_of(w.values.begin(), w.values.end(), [](double x) { return x > 0; });
}

bool
IsSelfConfident(const Matrix<double>& w)
{
    CheckSquare(w);
    for (std::size_t i = 0; i < w.rows; ++i)
    {
        if (*std::max_element(w.Row(i), w.Row(i) + w.columns) > w(i, i))
        {
            return false;
        }
    }
    return true;
}

double
ComputeRowDifference(const Matrix<double>& w)
{
    CheckSquare(w);
    double difference = 0;
    for (std::size_t j = 0; j < w.columns; ++j)
    {
        double least = w(0, j);
        double greatest = w(0, j);
        for (std::size_t i = 1; i < w.rows; ++i)
        {
            least = std::min(least, w(i, j));
            greatest = std::max(greatest, w(i, j));
        }
        difference = std::max(difference, greatest - least);
    }
    return difference;
}

double
ComputeScramblingCoefficient(const Matrix<double>& w)
{
    CheckSquare(w);
    double leastOverlap = 1; // of a row with itself
    for (std::size_t i = 0; i < w.rows; ++i)
    {
        for (std::size_t k = i + 1; k < w.rows; ++k)
        {
            double overlap = 0;
            for (std::size_t j = 0; j < w.columns; ++j)
            {
                overlap += std::min(w(i, j), w(k, j));
            }
            leastOverlap = std::min(leastOverlap, overlap);
        }
    }
    return 1 - leastOverlap;
}

double
ComputeTrace(const Matrix<double>& w)
{
    CheckSquare(w);
    double trace = 0;
    for (std::size_t i = 0; i < w.rows; ++i)
    {
        trace += w(i, i);
    }
    return trace;
}

double
ComputeDistanceFromUniform(const Matrix<double>& w)
{
    CheckSquare(w);
    const double uniform = 1 / static_cast<double>(w.rows);
    double distance = 0;
    for (const double weight : w.values)
    {
        distance = std::max(distance, std::abs(weight - uniform));
    }
    return distance;
}

std::vector<double>
ComputeColumnSums(const Matrix<double>& w)
{
    CheckSquare(w);
    std::vector<double> sums(w.columns);
    for (std::size_t i = 0; i < w.rows; ++i)
    {
        std::transform(sums.begin(), sums.end(), w.Row(i), sums.begin(), std::plus<>());
    }
    return sums;
}

Matrix<double>
MultiplyTrust(const Matrix<double>& a, const Matrix<double>& b)
{
    CheckSquare(a);
    CheckSquare(b);
    CheckArgument(
        a.rows == b.rows, "matrices of {} and {} agents cannot be multiplied", a.rows, b.rows);
    Matrix<double> product(a.rows, a.columns);
    for (std::size_t i = 0; i < a.rows; ++i)
    {
        for (std::size_t k = 0; k < a.columns; ++k)
        {
            for (std::size_t j = 0; j < b.columns; ++j)
            {
                product(i, j) += a(i, k) * b(k, j);
            }
        }
    }
    return product;
}

LowImportanceMargins
ComputeLowImportance(const Matrix<double>& w, const std::set<std::size_t>& bad)
{
    const std::vector<double> sums = ComputeColumnSums(w);
    CheckBadAgents(w, bad);
    constexpr double INFINITE = std::numeric_limits<double>::infinity();
    LowImportanceMargins least{INFINITE, INFINITE, INFINITE};
    for (const std::size_t b : bad)
    {
        for (std::size_t r = 0; r < w.rows; ++r)
        {
            if (bad.count(r) > 0)
            {
                continue;
            }
            double gap = w(b, r) - w(b, b);
            for (std::size_t n = 0; n < w.rows; ++n)
            {
                const double preference = w(n, r) - w(n, b);
                gap += bad.count(n) > 0 ? 0 : preference;
                least.rows = n == b ? least.rows : std::min(least.rows, preference);
            }
            least.columnSums = std::min(least.columnSums, sums[r] - sums[b]);
            least.gap = std::min(least.gap, gap);
        }
    }
    return least;
}

ConfidenceEffect
CompareWithoutConfidence(const Matrix<double>& w,
                         const std::vector<const Matrix<float>*>& predictions,
                         const std::set<std::size_t>& bad)
{
    CheckBadAgents(w, bad);
    ConfidenceEffect held;
    for (std::size_t i = 0; i < w.rows; ++i)
    {
        if (bad.count(i) > 0)
        {
            continue;
        }
        const std::vector<double> inside = FindConfidentRegion(*predictions[i]);
        std::vector<double> outside(inside);
        for (double& flag : outside)
        {
            flag = 1 - flag;
        }
        std::vector<double> a;
        std::vector<double> b;
        for (const Matrix<float>* other : predictions)
        {
            a.push_back(ComputeAffinity(*predictions[i], *other, inside));
            b.push_back(ComputeAffinity(*predictions[i], *other, outside));
        }
        const double sumA = std::accumulate(a.begin(), a.end(), 0.0);
        const double sumB = std::accumulate(b.begin(), b.end(), 0.0);
        for (const std::size_t low : bad)
        {
            held.premise += a[low] / sumA < b[low] / sumB ? 1 : 0;
            held.conclusion += w(i, low) < (a[low] + b[low]) / (sumA + sumB) ? 1 : 0;
        }
    }
    const auto pairs = static_cast<double>((w.rows - bad.size()) * bad.size());
    return {held.premise / pairs, held.conclusion / pairs};
}

UpdateResidual
ComputeUpdateResidual(const Matrix<double>& w,
                      const std::vector<const Matrix<float>*>& before,
                      const std::vector<const Matrix<float>*>& after)
{
    CheckSquare(w);
    const auto differs = [&](const Matrix<float>* one) {
        return one->rows != after[0]->rows || one->columns != after[0]->columns;
    };
    CheckArgument(before.size() == w.rows && after.size() == w.rows &&
                      !std::any_of(before.begin(), before.end(), differs) &&
                      !std::any_of(after.begin(), after.end(), differs),
                  "predictions of {} and {} agents, expected {}, all of one shape",
                  before.size(),
                  after.size(),
                  w.rows);
    double difference = 0;
    double whole = 0;
    std::vector<double> mixed(after[0]->values.size());
    for (std::size_t i = 0; i < w.rows; ++i)
    {
        std::fill(mixed.begin(), mixed.end(), 0.0);
        for (std::size_t j = 0; j < w.rows; ++j)
        {
            for (std::size_t k = 0; k < mixed.size(); ++k)
            {
                mixed[k] += w(i, j) * before[j]->values[k];
            }
        }
        for (std::size_t k = 0; k < mixed.size(); ++k)
        {
            const double value = after[i]->values[k];
            difference += (value - mixed[k]) * (value - mixed[k]);
            whole += value * value;
        }
    }
    return {std::sqrt(difference), std::sqrt(difference / whole)};
}

PredictionDistance
ComputeDisagreement(const std::vector<const Matrix<float>*>& predictions, bool isRegression)
{
    const std::size_t agents = predictions.size();
    CheckArgument(agents >= 2, "disagreement needs the predictions of two agents or more");
    std::vector<std::vector<int64_t>> classes;
    for (const auto* one : predictions)
    {
        CheckArgument(one->rows == predictions[0]->rows && one->columns == predictions[0]->columns,
                      "predictions of agents differ in their shape");
        classes.push_back(isRegression ? std::vector<int64_t>() : PredictedClasses(*one));
    }
    PredictionDistance all;
    for (std::size_t i = 0; i < agents; ++i)
    {
        for (std::size_t j = 0; j < i; ++j)
        {
            const PredictionDistance pair =
                Compare(*predictions[i], *predictions[j], classes[i], classes[j]);
            all.meanClasses += pair.meanClasses;
            all.meanDistance += pair.meanDistance;
            all.maxClasses = std::max(all.maxClasses, pair.meanClasses);
            all.maxDistance = GreaterOf(all.maxDistance, pair.meanDistance);
            all.maxDifference = GreaterOf(all.maxDifference, pair.maxDifference);
        }
    }
    const auto pairs = static_cast<double>(agents * (agents - 1) / 2);
    all.meanClasses /= pairs;
    all.meanDistance /= pairs;
    if (isRegression)
    {
        all.meanClasses = all.maxClasses = std::numeric_limits<double>::quiet_NaN();
    }
    return all;
}

void
ConsensusTracker::Add(const Matrix<double>& w)
{
    const double before = std::exchange(trace, ComputeTrace(w));
    product = rounds == 0 ? w : MultiplyTrust(w, product);
    traceIncreases += rounds > 0 && trace > before ? 1 : 0;
    bound *= ComputeScramblingCoefficient(w);
    ++rounds;
}

} // namespace ns3::collab
