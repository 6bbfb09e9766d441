/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-sample-bound.h"

#include "belief-consensus-weights.h"

#include "ns3/collab-check-argument.h"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <map>

namespace ns3::collab
{

namespace
{

constexpr double UNBOUNDED = std::numeric_limits<double>::infinity();
constexpr double DIVERGENCE_TOLERANCE = 1e-12; //!< [nat] of equal ones
constexpr double PROBABILITY_TOLERANCE = 1e-9; //!< of the probabilities of a table

/// @param outcome of a table
/// @return its probability
double
GetProbability(const SampleOutcome& outcome)
{
    return outcome.inputProbability * std::exp(outcome.logTruth);
}

/// @param first log-likelihood, maybe minus infinity
/// @param second another one
/// @return first - second; 0 if they are equal
double
Subtract(double first, double second)
{
    return first == second ? 0 : first - second;
}

/// @param outcome of a table
/// @param hypotheses how many there are
/// @return whether it is one
bool
IsOutcome(const SampleOutcome& outcome, std::size_t hypotheses)
{
    const auto isLogarithm = [](double value) { return value < UNBOUNDED; };
    return outcome.inputProbability >= 0 && outcome.inputProbability <= 1 + PROBABILITY_TOLERANCE &&
           isLogarithm(outcome.logTruth) && outcome.logLikelihoods.size() == hypotheses &&
           std::all_of(outcome.logLikelihoods.begin(), outcome.logLikelihoods.end(), isLogarithm);
}

/// @param table outcomes of a user
/// @param theta index of a hypothesis
/// @return KL_j(theta) [nat]
double
ComputeDivergence(const SampleTable& table, std::size_t theta)
{
    double sum = 0;
    for (const SampleOutcome& outcome : table)
    {
        const double probability = GetProbability(outcome);
        if (probability > 0)
        {
            sum += probability * (outcome.logTruth - outcome.logLikelihoods[theta]);
        }
    }
    // Rounding may leave less than nothing of what is not negative
    return std::max(0.0, sum);
}

/// @param values numbers by hypothesis
/// @return whether each is the least one, or as good as that
std::vector<bool>
FindLeast(const std::vector<double>& values)
{
    const double least = *std::min_element(values.begin(), values.end());
    std::vector<bool> isLeast;
    for (const double value : values)
    {
        isLeast.push_back(value <= least + DIVERGENCE_TOLERANCE);
    }
    return isLeast;
}

/// @param isMember by hypothesis
/// @return those that are
std::vector<uint32_t>
CollectIndices(const std::vector<bool>& isMember)
{
    std::vector<uint32_t> indices;
    for (uint32_t i = 0; i < isMember.size(); ++i)
    {
        if (isMember[i])
        {
            indices.push_back(i);
        }
    }
    return indices;
}

/// @param values a row for each user
/// @param weights by user
/// @return by column: the weighted sum; an infinite element of weight 0 does not count
std::vector<double>
SumRows(const Matrix<double>& values, const std::vector<double>& weights)
{
    CheckArgument(
        weights.size() == values.rows, "{} weights for {} users", weights.size(), values.rows);
    std::vector<double> sums(values.columns, 0);
    for (std::size_t j = 0; j < values.rows; ++j)
    {
        for (std::size_t m = 0; weights[j] != 0 && m < values.columns; ++m)
        {
            sums[m] += weights[j] * values(j, m);
        }
    }
    return sums;
}

/// @param users by user: its outcomes
/// @param theta index of a hypothesis
/// @param psi index of another one
/// @return whether anybody may see anything of which they differ
bool
AreDistinguishable(const std::vector<SampleTable>& users, uint32_t theta, uint32_t psi)
{
    for (const SampleTable& table : users)
    {
        for (const SampleOutcome& outcome : table)
        {
            const auto& logs = outcome.logLikelihoods;
            const double difference = std::abs(Subtract(logs[theta], logs[psi]));
            if (GetProbability(outcome) > 0 && difference > DIVERGENCE_TOLERANCE)
            {
                return true;
            }
        }
    }
    return false;
}

/// @param inputs of a bound
/// @param mixing its first term
/// @param evidence its second term
/// @return the bound
SampleBound
MakeBound(const SampleBoundInputs& inputs, double mixing, double evidence)
{
    CheckArgument(inputs.delta > 0 && inputs.delta < 1,
                  "an error probability delta of {} is not between 0 and 1",
                  inputs.delta);
    if (inputs.speed == UNBOUNDED)
    {
        return {}; // nobody can err
    }
    SampleBound bound{UNBOUNDED, UNBOUNDED, UNBOUNDED, UNBOUNDED};
    if (inputs.speed > 0)
    {
        const double confidence = 2 * std::log(2.0 * inputs.hypotheses) / inputs.speed;
        bound = {mixing, evidence, confidence, std::ceil(std::max({mixing, evidence, confidence}))};
    }
    return bound;
}

/// @param table outcomes of a user
/// @param scale s times the user's weight
/// @param theta index of a hypothesis
/// @param psi index of a rival
/// @return log E exp(-scale z)
double
ComputeLogMoment(const SampleTable& table, double scale, uint32_t theta, uint32_t psi)
{
    std::vector<double> terms;
    for (const SampleOutcome& outcome : table)
    {
        const double probability = GetProbability(outcome);
        if (probability > 0)
        {
            const double z = Subtract(outcome.logLikelihoods[theta], outcome.logLikelihoods[psi]);
            terms.push_back(std::log(probability) - (scale == 0 ? 0 : scale * z));
        }
    }
    const double greatest = *std::max_element(terms.begin(), terms.end());
    if (std::isinf(greatest))
    {
        return greatest;
    }
    double sum = 0;
    for (const double term : terms)
    {
        sum += std::exp(term - greatest);
    }
    return greatest + std::log(sum);
}

/// @param table outcomes of a user
/// @param theta index of a hypothesis
/// @return E_{P_j} of the sum over labels of |l_j(y; theta*, x) - l_j(y; theta, x)|
double
ComputeAbsoluteDifference(const SampleTable& table, uint32_t theta)
{
    double sum = 0;
    for (const SampleOutcome& outcome : table)
    {
        sum += outcome.inputProbability *
               std::abs(std::exp(outcome.logTruth) - std::exp(outcome.logLikelihoods[theta]));
    }
    return sum;
}

/// @param table outcomes of a user, for every input with all labels
/// @param theta a hypothesis
/// @return |R(theta*) - R(theta)|, r being 1 for labels other than the likeliest by theta
double
ComputeLabelRisk(const SampleTable& table, uint32_t theta)
{
    std::map<uint32_t, const SampleOutcome*> likeliest;
    for (const SampleOutcome& outcome : table)
    {
        const SampleOutcome*& best = likeliest[outcome.input];
        if (!best || outcome.logLikelihoods[theta] > best->logLikelihoods[theta])
        {
            best = &outcome;
        }
    }
    double surplus = 0; // probability of the other labels by theta* less that by theta
    for (const auto& [input, outcome] : likeliest)
    {
        surplus += outcome->inputProbability *
                   (std::exp(outcome->logLikelihoods[theta]) - std::exp(outcome->logTruth));
    }
    return std::abs(surplus);
}

} // namespace

void
CheckSampleTables(const std::vector<SampleTable>& users)
{
    CheckArgument(!users.empty() && !users[0].empty() && !users[0][0].logLikelihoods.empty(),
                  "there are no users, outcomes or hypotheses");
    const std::size_t hypotheses = users[0][0].logLikelihoods.size();
    for (std::size_t j = 0; j < users.size(); ++j)
    {
        double sum = 0;
        for (std::size_t o = 0; o < users[j].size(); ++o)
        {
            CheckArgument(IsOutcome(users[j][o], hypotheses),
                          "outcome {} of user {} has not a probability and log-likelihoods "
                          "of {} hypotheses",
                          o,
                          j,
                          hypotheses);
            sum += GetProbability(users[j][o]);
        }
        CheckArgument(std::abs(sum - 1) <= PROBABILITY_TOLERANCE,
                      "probabilities of user {}'s outcomes sum to {}: 1 is expected",
                      j,
                      sum);
    }
}

Matrix<double>
ComputeDivergences(const std::vector<SampleTable>& users)
{
    CheckSampleTables(users);
    Matrix<double> divergences(users.size(), users[0][0].logLikelihoods.size());
    for (std::size_t j = 0; j < divergences.rows; ++j)
    {
        for (std::size_t m = 0; m < divergences.columns; ++m)
        {
            divergences(j, m) = ComputeDivergence(users[j], m);
        }
    }
    return divergences;
}

bool
LearnableHypotheses::Contains(uint32_t hypothesis) const
{
    return std::binary_search(hypotheses.begin(), hypotheses.end(), hypothesis);
}

LearnableHypotheses
FindLearnable(const Matrix<double>& divergences, const std::vector<double>& influence)
{
    const std::vector<double> sums = SumRows(divergences, influence);
    std::vector<bool> isCommon(divergences.columns, true);
    for (std::size_t j = 0; j < divergences.rows; ++j)
    {
        const double* row = divergences.Row(j);
        const std::vector<bool> isLeast = FindLeast({row, row + divergences.columns});
        for (std::size_t m = 0; m < divergences.columns; ++m)
        {
            isCommon[m] = isCommon[m] && isLeast[m];
        }
    }
    LearnableHypotheses learnable;
    learnable.hypotheses = CollectIndices(isCommon);
    learnable.areCommon = !learnable.hypotheses.empty();
    if (!learnable.areCommon)
    {
        learnable.hypotheses = CollectIndices(FindLeast(sums));
    }
    return learnable;
}

Matrix<double>
ComputeInformation(const Matrix<double>& divergences, uint32_t theta)
{
    CheckArgument(
        theta < divergences.columns, "of {} hypotheses none is {}", divergences.columns, theta);
    Matrix<double> information(divergences.rows, divergences.columns);
    for (std::size_t j = 0; j < divergences.rows; ++j)
    {
        for (std::size_t m = 0; m < divergences.columns; ++m)
        {
            information(j, m) = Subtract(divergences(j, m), divergences(j, theta));
        }
    }
    return information;
}

std::vector<double>
ComputeLearningRates(const Matrix<double>& information, const std::vector<double>& weights)
{
    return SumRows(information, weights);
}

LearningSpeed
FindLearningSpeed(const std::vector<double>& rates, const LearnableHypotheses& learnable)
{
    LearningSpeed speed{UNBOUNDED, static_cast<uint32_t>(rates.size())};
    for (uint32_t psi = 0; psi < rates.size(); ++psi)
    {
        if (!learnable.Contains(psi) && (speed.rival == rates.size() || rates[psi] < speed.rate))
        {
            speed = {rates[psi], psi};
        }
    }
    return speed;
}

LikelihoodRange
ComputeLikelihoodRange(const std::vector<SampleTable>& users)
{
    CheckSampleTables(users);
    double least = UNBOUNDED;
    double greatest = -UNBOUNDED;
    LikelihoodRange range;
    for (const SampleTable& table : users)
    {
        for (const SampleOutcome& outcome : table)
        {
            const auto& logs = outcome.logLikelihoods;
            const auto [low, high] = std::minmax_element(logs.begin(), logs.end());
            least = std::min(least, *low);
            greatest = std::max(greatest, *high);
            range.greatestLogRatio = std::max(range.greatestLogRatio, Subtract(*high, *low));
        }
    }
    range.least = std::exp(least);
    range.greatest = std::exp(greatest);
    range.ratio = std::exp(greatest - least);
    return range;
}

std::string
CheckAssumptions(const std::vector<SampleTable>& users,
                 const LearnableHypotheses& learnable,
                 const Matrix<double>& w)
{
    const LikelihoodRange range = ComputeLikelihoodRange(users);
    const GraphReport graph = CheckGraph(w);
    std::vector<std::string> problems;
    const uint32_t theta = learnable.hypotheses.front();
    for (uint32_t psi = 0; psi < users[0][0].logLikelihoods.size() && problems.empty(); ++psi)
    {
        if (!learnable.Contains(psi) && !AreDistinguishable(users, theta, psi))
        {
            problems.push_back(
                fmt::format("Assumption 1: nobody can tell hypothesis {} from {}", psi, theta));
        }
    }
    if (!graph.problem.empty())
    {
        problems.push_back("Assumption 2: " + graph.problem);
    }
    if (!(range.least > 0) || !std::isfinite(range.greatest))
    {
        problems.push_back(
            fmt::format("Assumption 3: likelihoods are from {} to {}, not positive and finite",
                        range.least,
                        range.greatest));
    }
    return fmt::format("{}", fmt::join(problems, "; "));
}

SampleBound
ComputePaperBound(const SampleBoundInputs& inputs)
{
    const double speed = inputs.speed;
    const auto users = static_cast<double>(inputs.users);
    const double scale = 16 * inputs.range.ratio;
    const double mixing =
        inputs.users == 1 ? 0 : scale * std::log(users) / (speed * (1 - inputs.lambda));
    const double evidence =
        scale * std::log(users * inputs.hypotheses / inputs.delta) / (speed * speed);
    return MakeBound(inputs, mixing, evidence);
}

SampleBound
ComputeSharperBound(const SampleBoundInputs& inputs)
{
    const double speed = inputs.speed;
    const double range = inputs.range.greatestLogRatio;
    const double rivals = static_cast<double>(inputs.hypotheses) - 1;
    const double mixing = inputs.mixingSum == 0 ? 0 : 4 * inputs.mixingSum * range / speed;
    const double evidence = 32 * range * range * inputs.varianceShare *
                            std::log(rivals / inputs.delta) / (speed * speed);
    return MakeBound(inputs, mixing, evidence);
}

double
ComputeErrorExponent(const std::vector<SampleTable>& users,
                     const std::vector<double>& weights,
                     uint32_t theta,
                     uint32_t psi)
{
    CheckSampleTables(users);
    const std::size_t hypotheses = users[0][0].logLikelihoods.size();
    CheckArgument(weights.size() == users.size() && theta < hypotheses && psi < hypotheses,
                  "{} weights of {} users; hypotheses {} and {} of {}",
                  weights.size(),
                  users.size(),
                  theta,
                  psi,
                  hypotheses);
    const auto negative = [&](double s) {
        double sum = 0;
        for (std::size_t j = 0; j < users.size(); ++j)
        {
            sum += ComputeLogMoment(users[j], s * weights[j], theta, psi);
        }
        return sum;
    };
    // The function is convex and 0 at 0: the greatest s is found by doubling
    constexpr double GREATEST = 1e12;
    double s = 1;
    while (s < GREATEST && negative(2 * s) < negative(s))
    {
        s *= 2;
    }
    if (negative(s) == -UNBOUNDED)
    {
        return UNBOUNDED;
    }
    constexpr int BITS = std::numeric_limits<double>::digits / 2;
    const auto least = boost::math::tools::brent_find_minima(negative, 0.0, 2 * s, BITS);
    return std::max(0.0, -std::min(least.second, negative(s)));
}

WorstExponent
FindWorstExponent(const std::vector<SampleTable>& users,
                  const std::vector<double>& weights,
                  const LearnableHypotheses& learnable)
{
    CheckSampleTables(users);
    const auto hypotheses = static_cast<uint32_t>(users[0][0].logLikelihoods.size());
    std::vector<double> exponents(hypotheses);
    for (uint32_t psi = 0; psi < hypotheses; ++psi)
    {
        if (!learnable.Contains(psi))
        {
            exponents[psi] =
                ComputeErrorExponent(users, weights, learnable.hypotheses.front(), psi);
        }
    }
    const LearningSpeed least = FindLearningSpeed(exponents, learnable);
    return {least.rate, least.rival};
}

RiskBounds
ComputeRiskBounds(const std::vector<SampleTable>& users, uint32_t theta, double greatestRisk)
{
    const Matrix<double> divergences = ComputeDivergences(users);
    double labelRisk = 0;
    double difference = 0;
    double divergence = 0;
    for (std::size_t j = 0; j < users.size(); ++j)
    {
        labelRisk += ComputeLabelRisk(users[j], theta);
        difference += ComputeAbsoluteDifference(users[j], theta);
        divergence += divergences(j, theta);
    }
    const auto count = static_cast<double>(users.size());
    return {labelRisk / count,
            greatestRisk * difference / count,
            greatestRisk * std::sqrt(2 * divergence / count),
            greatestRisk * std::sqrt(divergence / count) / 2};
}

} // namespace ns3::collab
