/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-theory.h"

#include "belief-rates.h"
#include "belief-users.h"

#include "ns3/belief-consensus-linear-theory.h"
#include "ns3/belief-consensus-sample-bound.h"
#include "ns3/belief-consensus-weights.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <utility>

using namespace ns3;
using namespace ns3::collab;

namespace
{

using Rows = std::vector<BeliefTheoryRow>;

/// Unit of a quantity, and what it is
using Quantity = std::pair<std::string, std::string>;

const std::map<std::string, Quantity> QUANTITIES = {
    {"users", {"", "N"}},
    {"components", {"", "strongly connected components of the graph of W; 1 by Assumption 2"}},
    {"period", {"", "of the graph of W; 1 by Assumption 2"}},
    {"lambda_max", {"1", "lambda_max(W) as printed: greatest eigenvalue beside 1"}},
    {"lambda_second", {"1", "second greatest modulus of W's eigenvalues, which decides"}},
    {"mixing_sum", {"", "S = max_i sum_k sum_j |(W^k)_ij - v_j|"}},
    {"mixing_sum_bound", {"", "Lemma 1: 4 log N / (1 - lambda), with the second modulus"}},
    {"influence", {"1", "v_j, the stationary distribution of W"}},
    {"message_loss", {"1", "greatest probability that a belief is lost on a link"}},
    {"alpha", {"1", "least likelihood of an instant"}},
    {"L", {"1", "greatest likelihood of an instant"}},
    {"C", {"1", "L / alpha"}},
    {"R", {"nat", "greatest log-likelihood ratio of an instant"}},
    {"K", {"nat/instant", "least rate outside Theta*_M, without losses"}},
    {"error_exponent", {"nat/instant", "of the probability of an error"}},
    {"central_error_exponent", {"nat/instant", "of a user with all samples"}},
    {"risk_total_variation", {"1", "Corollary 1: mean E |l - l'|_1, for risks of at most 1"}},
    {"risk_divergence", {"1", "Corollary 1: sqrt(2 mean KL), for risks of at most 1"}},
    {"risk_label", {"1", "Corollary 1, left side: mean |R_i(theta*) - R_i(theta_M)| of wrong labels"}},
    {"risk_printed", {"1", "Corollary 1 as printed: sqrt(mean KL) / 2"}},
    {"learnable", {"", "in Theta*_M"}},
    {"assumptions", {"", "1 if Assumptions 1 to 3 hold"}},
    {"excess_limit",
     {"instant", "what n times the excess MSE of cooperating users tends to, without losses"}},
    {"central_excess_limit",
     {"instant", "what n times the excess MSE of a user with all samples tends to"}},
    {"excess_ratio", {"1", "cooperating : central"}},
    {"mean_lambda_second",
     {"1", "second greatest modulus of the eigenvalues of the mean of W_t in the run"}},
    {"mean_square_contraction",
     {"1", "of disagreement in an instant: greatest eigenvalue of the mean of W_t' (I - J) W_t"}},
    {"mean_influence", {"1", "v-bar of the mean of W_t"}},
    {"presence", {"1", "share of instants taken part in"}},
    {"mean_rate",
     {"nat/instant",
      "rate at which the log belief in a hypothesis falls behind by the mean of W_t, with samples "
      "of who took part"}},
    {"seen_rate",
     {"nat/instant", "rate of the run over its second half, over the strongest rival"}}};

/// Users and hypotheses that a number is of
struct Subject
{
    int64_t user = -1;  //!< -1 for all
    int64_t other = -1; //!< hypothesis; -1 for all
};

/// @brief Append a number.
/// @param more what there is to say beside what it is
void
Tell(Rows& rows,
     const std::string& name,
     double value,
     const Subject& subject = {},
     const std::string& more = "")
{
    const auto& [unit, meaning] = QUANTITIES.at(name);
    rows.push_back({name, subject.user, subject.other, value, unit, meaning + more});
}

/// @return what a user may see
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
            outcome.input = static_cast<uint32_t>(x);
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

/// @return the users of a run
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

/// @param v influence of each user
/// @return the weight that each user's log-likelihoods have in the end
std::vector<double>
GetEvidenceWeights(const BeliefParameters& p, const std::vector<double>& v)
{
    return p.evidencePower == "paper" ? v : std::vector<double>(v.size(), 1.0);
}

/// @return weights of users, summed by group
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

/// @param[in,out] rows gets what is known of W appended
void
AddMixing(const BeliefTrust& trust, Rows& rows)
{
    const MixingReport& mixing = trust.mixing;
    const GraphReport graph = CheckGraph(trust.w);
    Tell(rows, "users", static_cast<double>(trust.w.rows));
    Tell(rows, "components", static_cast<double>(graph.components));
    Tell(rows, "period", static_cast<double>(graph.period));
    if (mixing.influence.empty())
    {
        return; // nobody influences all users
    }
    Tell(rows, "lambda_max", mixing.eigenvalues.lambdaMax);
    Tell(rows, "lambda_second", mixing.eigenvalues.secondModulus);
    Tell(rows, "mixing_sum", mixing.mixingSum);
    Tell(rows, "mixing_sum_bound", mixing.mixingSumBound);
    for (std::size_t user = 0; user < mixing.influence.size(); ++user)
    {
        Tell(rows, "influence", mixing.influence[user], {static_cast<int64_t>(user)});
    }
    if (!trust.losses.unknown.empty())
    {
        rows.push_back(MakeUnknown("message_loss", trust.losses.unknown));
        return;
    }
    Tell(rows, "message_loss", trust.losses.GetGreatest());
}

/// @param[in,out] rows gets its terms appended
void
AddBound(const std::string& name, const std::string& source, const SampleBound& bound, Rows& rows)
{
    for (const auto& [part, instants, meaning] :
         {std::tuple("", bound.instants, "instants that are enough"),
          std::tuple("_mixing", bound.mixing, "until information has spread"),
          std::tuple("_evidence", bound.evidence, "until chance is ruled out"),
          std::tuple("_confidence", bound.confidence, "until the prior is forgotten")})
    {
        rows.push_back({name + part, -1, -1, instants, "instant", source + ": " + meaning});
    }
}

/// @return why users do not learn as (4) and the predicted rates say; empty if they do
std::string
FindReasonAgainstTheory(const BeliefParameters& p)
{
    if (!p.IsStream())
    {
        return "not known: the same samples count in every instant";
    }
    if (!p.GetLiars().empty())
    {
        return "not known: users lie";
    }
    return p.Get("pooling") == "logarithmic" ? "" : "not known with --pooling=" + p.Get("pooling");
}

/// @return alpha, L, C and R of all samples that a user has in an instant
LikelihoodRange
ComputeInstantRange(const BeliefParameters& p, const DiscreteTheory& theory)
{
    const double samples = p.CountInstantSamples();
    LikelihoodRange range = ComputeLikelihoodRange(theory.users);
    range.least = std::pow(range.least, samples);
    range.greatest = std::pow(range.greatest, samples);
    range.ratio = std::pow(range.ratio, samples);
    range.greatestLogRatio *= samples;
    return range;
}

/// @param[in,out] rows gets bounds and exponents appended
void
AddDiscreteBounds(const BeliefParameters& p,
                  const BeliefTrust& trust,
                  const DiscreteTheory& theory,
                  const LearnableHypotheses& learnable,
                  const LearningSpeed& speed,
                  Rows& rows)
{
    const double samples = p.CountInstantSamples();
    const LikelihoodRange range = ComputeInstantRange(p, theory);
    Tell(rows, "alpha", range.least);
    Tell(rows, "L", range.greatest);
    Tell(rows, "C", range.ratio);
    Tell(rows, "R", range.greatestLogRatio);
    SampleBoundInputs bound;
    bound.users = theory.users.size();
    bound.hypotheses = theory.users[0][0].logLikelihoods.size();
    bound.delta = p.delta;
    bound.speed = speed.rate;
    bound.range = range;
    bound.lambda = trust.mixing.eigenvalues.secondModulus;
    bound.mixingSum = trust.mixing.mixingSum;
    const bool isLossy = !trust.losses.unknown.empty() || trust.losses.GetGreatest() > 0;
    const std::string lossless = isLossy ? ", if nothing were lost" : "";
    AddBound("bound", "(4)" + lossless, ComputePaperBound(bound), rows);
    bound.varianceShare = 1 / samples; // of one instant they are independent
    AddBound("sharper_bound", "Hoeffding" + lossless, ComputeSharperBound(bound), rows);
    const auto shares = SumByGroup(theory, trust.mixing.influence);
    bound.varianceShare = 0;
    for (const double share : shares)
    {
        bound.varianceShare += share * share / samples;
    }
    AddBound("independent_bound",
             "Hoeffding, independent samples" + lossless,
             ComputeSharperBound(bound),
             rows);
    const auto exponent = FindWorstExponent(theory.groups, shares, learnable);
    Tell(rows, "error_exponent", samples * exponent.exponent, {-1, exponent.rival}, lossless);
    const auto central =
        FindWorstExponent(theory.groups, std::vector<double>(theory.groups.size(), 1.0), learnable);
    Tell(rows, "central_error_exponent", samples * central.exponent, {-1, central.rival});
    const RiskBounds risk = ComputeRiskBounds(theory.users, learnable.hypotheses[0], 1);
    Tell(rows, "risk_total_variation", risk.totalVariation);
    Tell(rows, "risk_divergence", risk.divergence);
    if (p.IsMisspecified()) // else both are 0
    {
        Tell(rows, "risk_label", risk.labelRisk);
        Tell(rows, "risk_printed", risk.printed);
    }
}

/// @param theta the hypothesis that is meant
/// @return I_j(theta, psi) of all samples of an instant [nat]
Matrix<double>
ComputeInstantInformation(const BeliefParameters& p,
                          const Matrix<double>& divergences,
                          uint32_t theta)
{
    auto information = ComputeInformation(divergences, theta);
    for (double& nats : information.values)
    {
        nats *= p.CountInstantSamples();
    }
    return information;
}

/// @param[in,out] rows gets what is known of the family discrete appended
void
AddDiscrete(const BeliefParameters& p, const BeliefTrust& trust, Rows& rows)
{
    const DiscreteTheory theory = MakeDiscreteTheory(p);
    const Matrix<double> divergences = ComputeDivergences(theory.users);
    const auto weights = GetEvidenceWeights(p, trust.mixing.influence);
    const LearnableHypotheses learnable = FindLearnable(divergences, weights);
    for (const uint32_t theta : learnable.hypotheses)
    {
        Tell(rows, "learnable", 1, {-1, theta});
    }
    const std::string broken = CheckAssumptions(theory.users, learnable, trust.w);
    Tell(rows, "assumptions", broken.empty() ? 1 : 0, {}, broken.empty() ? "" : "; " + broken);
    const std::string reason = FindReasonAgainstTheory(p);
    if (!reason.empty())
    {
        rows.push_back(MakeUnknown("predicted_rate", reason));
        return;
    }
    const auto information = ComputeInstantInformation(p, divergences, learnable.hypotheses[0]);
    const bool isPaper = p.evidencePower == "paper";
    if (p.method != "gossip") // to which (4) does not apply
    {
        const LearningSpeed speed =
            FindLearningSpeed(ComputeLearningRates(information, weights), learnable);
        Tell(rows, "K", speed.rate, {-1, speed.rival});
        if (isPaper)
        {
            AddDiscreteBounds(p, trust, theory, learnable, speed, rows);
        }
    }
    if (isPaper)
    {
        AddRates(p, trust, information, rows);
    }
}

/// @param weights that users' log-likelihoods have in the end, by the mean of W_t
/// @param seen rate of the run [nat per instant]
/// @param[in,out] rows gets the rates by the mean of W_t, and the one that was seen, appended
void
AddMeanRates(const BeliefParameters& p, const std::vector<double>& weights, double seen, Rows& rows)
{
    const Matrix<double> divergences = ComputeDivergences(MakeDiscreteTheory(p).users);
    const LearnableHypotheses learnable = FindLearnable(divergences, weights);
    const auto rates = ComputeLearningRates(
        ComputeInstantInformation(p, divergences, learnable.hypotheses[0]), weights);
    for (std::size_t psi = 0; psi < rates.size(); ++psi)
    {
        Tell(rows, "mean_rate", rates[psi], {-1, static_cast<int64_t>(psi)});
    }
    Tell(rows, "seen_rate", seen);
}

/// @param ranges greatest value of each feature, the least being minus that
/// @param features those that are seen; others are 0
/// @return E[x x^T] of inputs with a 1 in front
Matrix<double>
MakeSecondMoment(const std::vector<double>& ranges, const std::vector<std::size_t>& features)
{
    Matrix<double> moment(ranges.size() + 1, ranges.size() + 1);
    moment(0, 0) = 1;
    for (const std::size_t feature : features)
    {
        moment(feature + 1, feature + 1) = ranges[feature] * ranges[feature] / 3;
    }
    return moment;
}

/// @param[in,out] rows gets what is known of the family gaussian appended
void
AddLinear(const BeliefParameters& p, const BeliefTrust& trust, Rows& rows)
{
    const std::string reason =
        p.method == "gossip" ? "not known by gossip" : FindReasonAgainstTheory(p);
    if (!reason.empty())
    {
        rows.push_back(MakeUnknown("excess_limit", reason));
        return;
    }
    const auto ranges = p.GetInputRange();
    std::vector<LinearUser> users;
    for (std::size_t user = 0; user < p.devices; ++user)
    {
        const std::size_t feature = user % ranges.size();
        users.push_back({MakeSecondMoment(ranges, {feature}), p.noise});
    }
    std::vector<std::size_t> all(ranges.size());
    std::iota(all.begin(), all.end(), 0);
    const auto weights = GetEvidenceWeights(p, trust.mixing.influence);
    LinearLimits limits;
    try
    {
        limits = ComputeLinearLimits(users, weights, MakeSecondMoment(ranges, all));
    }
    catch (const std::invalid_argument& error) // which users are free to find out
    {
        rows.push_back(MakeUnknown("excess_limit", error.what()));
        return;
    }
    const double samples = p.CountInstantSamples();
    Tell(rows, "excess_limit", limits.cooperating / samples);
    Tell(rows, "central_excess_limit", limits.central / samples);
    Tell(rows, "excess_ratio", limits.ratio);
}

} // namespace

Rows
ComputeBeliefTheory(const BeliefParameters& p, const BeliefTrust& trust)
{
    Rows rows;
    AddMixing(trust, rows);
    const auto& v = trust.mixing.influence;
    const bool isCommon = !v.empty() && *std::min_element(v.begin(), v.end()) > 0;
    if (isCommon && p.family == "discrete") // what is known of families needs everybody
    {
        AddDiscrete(p, trust, rows);
    }
    else if (isCommon && p.family == "gaussian")
    {
        AddLinear(p, trust, rows);
    }
    return rows;
}

Rows
ComputeMeanTheory(const BeliefParameters& p, const BeliefWatch& watch)
{
    Rows rows;
    const WeightMoments& moments = watch.moments;
    if (moments.CountInstants() == 0)
    {
        return rows;
    }
    const Matrix<double> mean = moments.GetMean();
    Tell(rows, "mean_lambda_second", ComputeMixingEigenvalues(mean).secondModulus);
    Tell(rows, "mean_square_contraction", moments.ComputeContraction());
    const std::vector<double> presence = moments.GetPresence();
    std::vector<double> weights;
    try
    {
        weights = ComputeInfluence(mean);
    }
    catch (const std::invalid_argument& error)
    {
        rows.push_back(MakeUnknown("mean_rate", error.what()));
        return rows;
    }
    for (std::size_t user = 0; user < weights.size(); ++user)
    {
        const auto index = static_cast<int64_t>(user);
        Tell(rows, "mean_influence", weights[user], {index});
        Tell(rows, "presence", presence[user], {index});
        weights[user] *= presence[user];
    }
    if (p.family == "discrete" && p.evidencePower == "paper" &&
        FindReasonAgainstTheory(p).empty() && p.Get("missing") != "stale")
    {
        AddMeanRates(p, weights, watch.GetRate(), rows);
    }
    return rows;
}

double
ComputeHonestRadius(const BeliefParameters& p, const BeliefTrust& trust)
{
    double power = 1;
    if (p.evidencePower != "paper" && !trust.mixing.influence.empty())
    {
        const auto& v = trust.mixing.influence;
        power = 1 / *std::min_element(v.begin(), v.end());
    }
    const LikelihoodRange range = ComputeInstantRange(p, MakeDiscreteTheory(p));
    return 2 * power * range.greatestLogRatio * (1 + trust.mixing.mixingSum);
}

std::string
FormatBeliefTheory(const Rows& rows)
{
    std::string text;
    for (const auto& row : rows)
    {
        if (row.user < 0 && row.quantity != "learnable")
        {
            text += fmt::format("{:<28} {:>12.6g} {:<12} {}{}\n",
                                row.quantity,
                                row.value,
                                row.unit,
                                row.other < 0 ? "" : fmt::format("hypothesis {}: ", row.other),
                                row.meaning);
        }
    }
    return text;
}
