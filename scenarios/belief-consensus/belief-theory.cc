/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-theory.h"

#include "belief-users.h"

#include "ns3/belief-consensus-linear-theory.h"
#include "ns3/belief-consensus-loss-rates.h"
#include "ns3/belief-consensus-sample-bound.h"
#include "ns3/belief-consensus-weights.h"
#include "ns3/collab-given-attributes.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

using namespace ns3;
using namespace ns3::collab;

namespace
{

using Rows = std::vector<BeliefTheoryRow>;

/**
 * @param p parameters of the run
 * @return what it does about neighbors that were not heard
 */
MissingBeliefPolicy
GetPolicy(const BeliefParameters& p)
{
    static const std::map<std::string, MissingBeliefPolicy> POLICIES = {
        {"self", MissingBeliefPolicy::SELF},
        {"renormalize", MissingBeliefPolicy::RENORMALIZE},
        {"stale", MissingBeliefPolicy::STALE}};
    return POLICIES.at(p.missing);
}

/**
 * @param observer of a user
 * @return what it may see
 */
SampleTable
MakeSampleTable(const DiscreteObserver& observer)
{
    SampleTable table;
    for (std::size_t x = 0; x < observer.inputs.size(); ++x)
    {
        const Matrix<double>& likelihood = observer.likelihoods[x];
        for (std::size_t y = 0; y < likelihood.columns; ++y)
        {
            SampleOutcome outcome;
            outcome.inputProbability = observer.inputs[x];
            outcome.logTruth = std::log(observer.truth(x, y));
            for (std::size_t theta = 0; theta < likelihood.rows; ++theta)
            {
                outcome.logLikelihoods.push_back(std::log(likelihood(theta, y)));
            }
            table.push_back(std::move(outcome));
        }
    }
    return table;
}

/// Users of the family discrete, as theory has them
struct DiscreteTheory
{
    std::vector<SampleTable> users;  //!< outcomes by user
    std::vector<SampleTable> groups; //!< outcomes by samples that are independent of one another
    std::vector<uint32_t> groupOf;   //!< by user
};

/**
 * @param p parameters of the run
 * @return its users
 */
DiscreteTheory
MakeDiscreteTheory(const BeliefParameters& p)
{
    const BitProblem problem = MakeBitProblem(p);
    DiscreteTheory theory;
    std::map<uint64_t, uint32_t> groups;
    for (uint32_t user = 0; user < p.devices; ++user)
    {
        theory.users.push_back(MakeSampleTable(*problem.observers[user]));
        const auto [group, isNew] =
            groups.emplace(problem.seeds[user], static_cast<uint32_t>(groups.size()));
        theory.groupOf.push_back(group->second);
        if (isNew)
        {
            theory.groups.push_back(theory.users.back());
        }
    }
    return theory;
}

/**
 * @param p parameters of the run
 * @param v influence of each user
 * @return the weight that each user's log-likelihoods have in the end
 */
std::vector<double>
GetEvidenceWeights(const BeliefParameters& p, const std::vector<double>& v)
{
    return p.evidencePower == "network" ? std::vector<double>(v.size(), 1.0) : v;
}

/**
 * @param theory of the users
 * @param weights by user
 * @return the same by group
 */
std::vector<double>
SumByGroup(const DiscreteTheory& theory, const std::vector<double>& weights)
{
    std::vector<double> sums(theory.groups.size(), 0.0);
    for (std::size_t user = 0; user < weights.size(); ++user)
    {
        sums[theory.groupOf[user]] += weights[user];
    }
    return sums;
}

/**
 * @param inputs of the run
 * @param[in,out] rows gets what is known of W appended
 */
void
AddMixing(const BeliefTheoryInputs& inputs, Rows& rows)
{
    const MixingReport& mixing = inputs.mixing;
    const GraphReport graph = CheckGraph(inputs.w);
    rows.push_back({"users", -1, -1, static_cast<double>(inputs.w.rows), "", "N"});
    rows.push_back({"components",
                    -1,
                    -1,
                    static_cast<double>(graph.components),
                    "",
                    "strongly connected components of the graph of W; 1 by Assumption 2"});
    rows.push_back({"period",
                    -1,
                    -1,
                    static_cast<double>(graph.period),
                    "",
                    "of the graph of W; 1 by Assumption 2"});
    if (mixing.influence.empty())
    {
        return; // nobody influences all users
    }
    rows.push_back({"lambda_max",
                    -1,
                    -1,
                    mixing.eigenvalues.lambdaMax,
                    "1",
                    "lambda_max(W) as printed: greatest eigenvalue beside 1"});
    rows.push_back({"lambda_second",
                    -1,
                    -1,
                    mixing.eigenvalues.secondModulus,
                    "1",
                    "second greatest modulus of W's eigenvalues, which decides"});
    rows.push_back(
        {"mixing_sum", -1, -1, mixing.mixingSum, "", "S = max_i sum_k sum_j |(W^k)_ij - v_j|"});
    rows.push_back({"mixing_sum_bound",
                    -1,
                    -1,
                    mixing.mixingSumBound,
                    "",
                    "Lemma 1: 4 log N / (1 - lambda), with the second modulus"});
    for (std::size_t user = 0; user < mixing.influence.size(); ++user)
    {
        rows.push_back({"influence",
                        static_cast<int64_t>(user),
                        -1,
                        mixing.influence[user],
                        "1",
                        "v_j, the stationary distribution of W"});
    }
    double greatest = 0;
    for (const double loss : inputs.losses.values)
    {
        greatest = std::max(greatest, loss);
    }
    rows.push_back({"message_loss",
                    -1,
                    -1,
                    greatest,
                    "1",
                    "greatest probability that a belief is lost on a link"});
}

/**
 * @param name of the bound
 * @param source where it is from
 * @param bound the bound
 * @param[in,out] rows gets its terms appended
 */
void
AddBound(const std::string& name, const std::string& source, const SampleBound& bound, Rows& rows)
{
    const std::string unit = "instant";
    rows.push_back({name, -1, -1, bound.instants, unit, source + ": instants that are enough"});
    rows.push_back(
        {name + "_mixing", -1, -1, bound.mixing, unit, source + ": until information has spread"});
    rows.push_back(
        {name + "_evidence", -1, -1, bound.evidence, unit, source + ": until chance is ruled out"});
    rows.push_back({name + "_confidence",
                    -1,
                    -1,
                    bound.confidence,
                    unit,
                    source + ": until the prior is forgotten"});
}

/**
 * @param inputs of the run
 * @param information I_j(theta*, psi)
 * @return how fast users learn by gossip
 * @throws std::invalid_argument if nobody is heard by all, or times of updates are of any law
 */
PredictedRates
PredictGossip(const BeliefTheoryInputs& inputs, const Matrix<double>& information)
{
    const std::string gossip = "ns3::collab::BeliefGossipApplication::";
    if (IsAttributeGiven(gossip + "UpdateInterval") || IsAttributeGiven(gossip + "UpdateRate"))
    {
        throw std::invalid_argument("rates of updates are not those of --updateRate");
    }
    const auto updates = inputs.p.GetUpdateRates();
    auto samples = updates;
    Matrix<double> arrivals(inputs.w.rows, inputs.w.columns);
    for (std::size_t i = 0; i < arrivals.rows; ++i)
    {
        for (std::size_t j = 0; j < arrivals.columns; ++j)
        {
            arrivals(i, j) = i == j ? 0 : updates[j] * (1 - inputs.losses(i, j));
            // What is told is a belief right after an update, with one sample more than it has on
            // average: the neighbor's pool takes in a share of that sample at once.
            samples[i] += inputs.w(i, j) * arrivals(i, j);
        }
    }
    return PredictGossipRates(inputs.w, arrivals, samples, information);
}

/**
 * @param inputs of the run
 * @param information I_j(theta*, psi)
 * @param[in,out] rows gets the predicted learning rates appended
 */
void
AddRates(const BeliefTheoryInputs& inputs, const Matrix<double>& information, Rows& rows)
{
    const BeliefParameters& p = inputs.p;
    const bool isGossip = p.method == "gossip";
    PredictedRates predicted;
    try
    {
        predicted = isGossip ? PredictGossip(inputs, information)
                             : PredictRates(inputs.w, inputs.losses, GetPolicy(p), information);
    }
    catch (const std::invalid_argument& error)
    {
        rows.push_back(
            {"predicted_rate", -1, -1, std::numeric_limits<double>::quiet_NaN(), "", error.what()});
        return;
    }
    const std::string unit = isGossip ? "nat/s" : "nat/instant";
    for (std::size_t psi = 0; psi < predicted.rates.size(); ++psi)
    {
        rows.push_back({"predicted_rate",
                        -1,
                        static_cast<int64_t>(psi),
                        predicted.rates[psi],
                        unit,
                        "rate at which the log belief in a hypothesis falls behind, with losses"});
    }
    for (std::size_t user = 0; user < predicted.influence.size(); ++user)
    {
        rows.push_back({"influence_with_losses",
                        static_cast<int64_t>(user),
                        -1,
                        predicted.influence[user],
                        "1",
                        isGossip ? "v-bar with v-bar Q = 0" : "v-bar of E[W_t]"});
    }
}

/**
 * @param inputs of the run
 * @param theory of the users
 * @param learnable Theta*_M
 * @param speed K
 * @param[in,out] rows gets bounds and exponents appended
 */
void
AddDiscreteBounds(const BeliefTheoryInputs& inputs,
                  const DiscreteTheory& theory,
                  const LearnableHypotheses& learnable,
                  const LearningSpeed& speed,
                  Rows& rows)
{
    const LikelihoodRange range = ComputeLikelihoodRange(theory.users);
    rows.push_back({"alpha", -1, -1, range.least, "1", "least likelihood"});
    rows.push_back({"L", -1, -1, range.greatest, "1", "greatest likelihood"});
    rows.push_back({"C", -1, -1, range.ratio, "1", "L / alpha"});
    rows.push_back({"R", -1, -1, range.greatestLogRatio, "nat", "greatest log-likelihood ratio"});
    SampleBoundInputs bound;
    bound.users = theory.users.size();
    bound.hypotheses = theory.users[0][0].logLikelihoods.size();
    bound.delta = inputs.p.delta;
    bound.speed = speed.rate;
    bound.range = range;
    bound.lambda = inputs.mixing.eigenvalues.secondModulus;
    bound.mixingSum = inputs.mixing.mixingSum;
    AddBound("bound", "(4)", ComputePaperBound(bound), rows);
    AddBound("sharper_bound", "Hoeffding", ComputeSharperBound(bound), rows);
    const auto shares = SumByGroup(theory, inputs.mixing.influence);
    bound.varianceShare = 0;
    for (const double share : shares)
    {
        bound.varianceShare += share * share;
    }
    AddBound(
        "independent_bound", "Hoeffding, independent samples", ComputeSharperBound(bound), rows);
    const auto exponent = FindWorstExponent(theory.groups, shares, learnable);
    rows.push_back({"error_exponent",
                    -1,
                    exponent.rival,
                    exponent.exponent,
                    "nat/instant",
                    "of the probability of an error"});
    const auto central =
        FindWorstExponent(theory.groups, std::vector<double>(theory.groups.size(), 1.0), learnable);
    rows.push_back({"central_error_exponent",
                    -1,
                    central.rival,
                    central.exponent,
                    "nat/instant",
                    "of a user with all samples"});
    const RiskBounds risk = ComputeRiskBounds(theory.users, learnable.hypotheses[0], 1);
    rows.push_back({"risk_total_variation",
                    -1,
                    -1,
                    risk.totalVariation,
                    "1",
                    "Corollary 1: mean E |l - l'|_1, for risks of at most 1"});
    rows.push_back({"risk_divergence",
                    -1,
                    -1,
                    risk.divergence,
                    "1",
                    "Corollary 1: sqrt(2 mean KL), for risks of at most 1"});
}

/**
 * @param inputs of the run
 * @param[in,out] rows gets what is known of the family discrete appended
 */
void
AddDiscrete(const BeliefTheoryInputs& inputs, Rows& rows)
{
    const DiscreteTheory theory = MakeDiscreteTheory(inputs.p);
    const Matrix<double> divergences = ComputeDivergences(theory.users);
    const auto weights = GetEvidenceWeights(inputs.p, inputs.mixing.influence);
    const LearnableHypotheses learnable = FindLearnable(divergences, weights);
    for (const uint32_t theta : learnable.hypotheses)
    {
        rows.push_back({"learnable", -1, theta, 1, "", "in Theta*_M"});
    }
    const AssumptionReport assumptions = CheckAssumptions(theory.users, learnable, inputs.w);
    rows.push_back({"assumptions",
                    -1,
                    -1,
                    assumptions.All() ? 1.0 : 0.0,
                    "",
                    "1 if Assumptions 1 to 3 hold" +
                        (assumptions.All() ? std::string() : "; " + assumptions.problem)});
    const auto information = ComputeInformation(divergences, learnable.hypotheses[0]);
    const LearningSpeed speed =
        FindLearningSpeed(ComputeLearningRates(information, weights), learnable);
    rows.push_back({"K",
                    -1,
                    speed.rival,
                    speed.rate,
                    "nat/instant",
                    "least rate outside Theta*_M, without losses"});
    if (inputs.p.evidencePower == "paper")
    {
        AddDiscreteBounds(inputs, theory, learnable, speed, rows);
        AddRates(inputs, information, rows);
    }
}

/**
 * @param inputs of the run
 * @param[in,out] rows gets what is known of the family gaussian appended
 */
void
AddLinear(const BeliefTheoryInputs& inputs, Rows& rows)
{
    const auto ranges = inputs.p.GetInputRange();
    const std::size_t size = ranges.size() + 1;
    Matrix<double> test(size, size);
    test(0, 0) = 1;
    std::vector<LinearUser> users(inputs.p.devices);
    for (std::size_t user = 0; user < users.size(); ++user)
    {
        const std::size_t feature = user % ranges.size();
        users[user].noise = inputs.p.noise;
        users[user].secondMoment = Matrix<double>(size, size);
        users[user].secondMoment(0, 0) = 1;
        users[user].secondMoment(feature + 1, feature + 1) = ranges[feature] * ranges[feature] / 3;
    }
    for (std::size_t feature = 0; feature < ranges.size(); ++feature)
    {
        test(feature + 1, feature + 1) = ranges[feature] * ranges[feature] / 3;
    }
    const auto weights = GetEvidenceWeights(inputs.p, inputs.mixing.influence);
    const LinearLimits limits = ComputeLinearLimits(users, weights, test);
    const std::string unit = "instant";
    rows.push_back({"excess_limit",
                    -1,
                    -1,
                    limits.cooperating,
                    unit,
                    "what n times the excess MSE of cooperating users tends to"});
    rows.push_back({"central_excess_limit",
                    -1,
                    -1,
                    limits.central,
                    unit,
                    "what n times the excess MSE of a user with all samples tends to"});
    rows.push_back({"excess_ratio", -1, -1, limits.ratio, "1", "cooperating : central"});
}

} // namespace

Rows
ComputeBeliefTheory(const BeliefTheoryInputs& inputs)
{
    Rows rows;
    AddMixing(inputs, rows);
    const auto& v = inputs.mixing.influence;
    const bool isCommon = !v.empty() && *std::min_element(v.begin(), v.end()) > 0;
    if (isCommon && inputs.p.family == "discrete") // what is known of families needs everybody
    {
        AddDiscrete(inputs, rows);
    }
    else if (isCommon && inputs.p.family == "gaussian")
    {
        AddLinear(inputs, rows);
    }
    return rows;
}

double
ComputeHonestRadius(const BeliefTheoryInputs& inputs)
{
    const auto range = ComputeLikelihoodRange(MakeDiscreteTheory(inputs.p).users);
    double power = 1;
    if (inputs.p.evidencePower == "network" && !inputs.mixing.influence.empty())
    {
        const auto& v = inputs.mixing.influence;
        power = 1 / *std::min_element(v.begin(), v.end());
    }
    return 2 * power * range.greatestLogRatio * (1 + inputs.mixing.mixingSum);
}

void
PrintBeliefTheory(const Rows& rows, std::ostream& output)
{
    for (const auto& row : rows)
    {
        if (row.user < 0 && row.quantity != "learnable")
        {
            output << fmt::format("{:<28} {:>12.6g} {:<12} {}{}\n",
                                  row.quantity,
                                  row.value,
                                  row.unit,
                                  row.other < 0 ? "" : fmt::format("hypothesis {}: ", row.other),
                                  row.meaning);
        }
    }
    output << std::flush;
}
