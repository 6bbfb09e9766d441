/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-theory-inputs.h"
#include "belief-theory-reference.h"

#include "ns3/belief-consensus-mixing.h"
#include "ns3/belief-consensus-sample-bound.h"
#include "ns3/belief-consensus-weights.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>

using namespace ns3::collab;
namespace reference = belief_theory_reference;
using testing::HasSubstr;

namespace
{

/// @param actual has the values that are given
void
ExpectAllNear(const std::vector<double>& actual,
              const std::vector<double>& expected,
              double tolerance)
{
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i)
    {
        EXPECT_NEAR(actual[i], expected[i], tolerance) << "element " << i;
    }
}

/// @return what bounds depend on for the reference's users
SampleBoundInputs
MakeReferenceInputs()
{
    const auto users = MakeReferenceTables(2);
    const auto mixing = AnalyzeMixing(MakeReferenceWeights(3));
    SampleBoundInputs inputs;
    inputs.users = 3;
    inputs.hypotheses = 5;
    inputs.delta = 0.05;
    inputs.speed = reference::SPEED;
    inputs.range = ComputeLikelihoodRange(users);
    inputs.lambda = mixing.eigenvalues.secondModulus;
    inputs.mixingSum = mixing.mixingSum;
    return inputs;
}

/// @return one user that always sees the same, with an input of this probability
std::vector<SampleTable>
MakeSureTable(double inputProbability)
{
    return {{{inputProbability, -std::log(inputProbability), {0, -1}}}};
}

} // namespace

TEST(BeliefSampleBound, AgreesWithNumpy)
{
    const auto divergences = ComputeDivergences(MakeReferenceTables(2));
    ExpectAllNear(divergences.values, reference::DIVERGENCES, 1e-14);
    const auto learnable = FindLearnable(divergences, reference::INFLUENCE_3);
    EXPECT_EQ(learnable.hypotheses, std::vector<uint32_t>{2});
    EXPECT_TRUE(learnable.areCommon);
    const auto rates =
        ComputeLearningRates(ComputeInformation(divergences, 2), reference::INFLUENCE_3);
    ExpectAllNear(rates, reference::RATES, 1e-14);
    const auto speed = FindLearningSpeed(rates, learnable);
    EXPECT_NEAR(speed.rate, reference::SPEED, 1e-14);
    EXPECT_EQ(speed.rival, reference::SLOWEST);
    const auto range = ComputeLikelihoodRange(MakeReferenceTables(2));
    ExpectAllNear({range.least, range.greatest, range.ratio, range.greatestLogRatio},
                  reference::RANGE,
                  1e-13);
}

TEST(BeliefSampleBound, BoundsAgreeWithNumpy)
{
    SampleBoundInputs inputs = MakeReferenceInputs();
    const auto paper = ComputePaperBound(inputs);
    ExpectAllNear({paper.mixing, paper.evidence, paper.confidence}, reference::PAPER_BOUND, 1e-7);
    EXPECT_EQ(paper.instants, std::ceil(reference::PAPER_BOUND[1]));
    const auto sharper = ComputeSharperBound(inputs);
    EXPECT_NEAR(sharper.mixing,
                reference::SHARPER_BOUND[0],
                1e-3 * reference::SHARPER_BOUND[0]); // of S
    EXPECT_NEAR(sharper.evidence, reference::SHARPER_BOUND[1], 1e-8);
    EXPECT_NEAR(sharper.confidence, reference::SHARPER_BOUND[2], 1e-12);
    inputs.varianceShare = 0.25;
    EXPECT_NEAR(ComputeSharperBound(inputs).evidence, reference::SHARPER_BOUND[1] / 4, 1e-8);
}

TEST(BeliefSampleBound, TwoBitsByHand)
{
    // Four users, every second one sees each bit; W = 1/4
    const auto users = MakeBitTables({0, 1, 0, 1});
    const std::vector<double> v(4, .25);
    const auto divergences = ComputeDivergences(users);
    const double kl = .4 * std::log(7.0 / 3);
    ExpectAllNear({divergences(0, 1), divergences(0, 2), divergences(0, 3), divergences(1, 1)},
                  {kl, 0, kl, 0},
                  1e-15);
    const auto learnable = FindLearnable(divergences, v);
    const auto rates = ComputeLearningRates(ComputeInformation(divergences, 0), v);
    const auto speed = FindLearningSpeed(rates, learnable);
    EXPECT_NEAR(speed.rate, kl / 2, 1e-15);
    EXPECT_EQ(speed.rival, 1);
    const auto range = ComputeLikelihoodRange(users);
    EXPECT_NEAR(range.ratio, 7.0 / 3, 1e-14);
    EXPECT_NEAR(range.greatestLogRatio, std::log(7.0 / 3), 1e-15);
    // One label of each of two users decides about a bit: 2 Chernoff informations of a coin
    const double coin = -std::log(2 * std::sqrt(.21));
    EXPECT_NEAR(ComputeErrorExponent(users, v, 0, 1), 2 * coin, 1e-12);
    EXPECT_NEAR(ComputeErrorExponent(users, {1, 1, 1, 1}, 0, 3), 4 * coin, 1e-12);
    const auto worst = FindWorstExponent(users, v, learnable);
    EXPECT_NEAR(worst.exponent, 2 * coin, 1e-12);
    EXPECT_EQ(worst.rival, 1);
    // Of many users with small weights, too
    const auto crowd = MakeBitTables(std::vector<uint32_t>(20, 0));
    EXPECT_NEAR(ComputeErrorExponent(crowd, std::vector<double>(20, .05), 0, 1), 20 * coin, 1e-12);
    // Unequal weights lose some
    EXPECT_LT(ComputeErrorExponent(users, {.7, .1, .1, .1}, 0, 1), 1.8 * coin);
}

TEST(BeliefSampleBound, ExponentsAgreeWithScipy)
{
    const auto users = MakeReferenceTables(2);
    for (uint32_t psi = 0; psi < 5; ++psi)
    {
        EXPECT_NEAR(ComputeErrorExponent(users, reference::INFLUENCE_3, 2, psi),
                    reference::EXPONENTS_COOPERATING[psi],
                    1e-9);
        EXPECT_NEAR(ComputeErrorExponent(users, {1, 1, 1}, 2, psi),
                    reference::EXPONENTS_CENTRAL[psi],
                    1e-9);
    }
    EXPECT_EQ(ComputeErrorExponent(users, {1, 1, 1}, 0, 2), 0); // the truth is no rival
    EXPECT_THROW(ComputeErrorExponent(users, {1, 1}, 2, 0), std::invalid_argument);
}

TEST(BeliefSampleBound, RivalsThatOneSampleRulesOut)
{
    // Each label that is seen has likelihood 1 under the truth and 0 under the rival
    const std::vector<SampleTable> sure{{{1, 0, {0, -INFINITY}}, {1, -INFINITY, {-INFINITY, 0}}}};
    EXPECT_EQ(ComputeErrorExponent(sure, {1}, 0, 1), INFINITY);
    EXPECT_EQ(ComputeDivergences(sure).values, (std::vector<double>{0, INFINITY}));
    // A rival that half of the labels rule out errs as long as none of these comes
    const double half = std::log(.5);
    const std::vector<SampleTable> maybe{{{1, half, {half, 0}}, {1, half, {half, -INFINITY}}}};
    EXPECT_NEAR(ComputeErrorExponent(maybe, {1}, 0, 1), std::log(2), 1e-6);
    const auto range = ComputeLikelihoodRange(maybe);
    EXPECT_EQ(range.least, 0);
    EXPECT_EQ(range.ratio, INFINITY);
    const auto learnable = FindLearnable(ComputeDivergences(maybe), {1});
    EXPECT_THAT(CheckAssumptions(maybe, learnable, MakeSquare(1, {1})),
                testing::StartsWith("Assumption 3: likelihoods are from 0 to 1"));
}

TEST(BeliefSampleBound, TruthBetweenHypotheses)
{
    const auto divergences = ComputeDivergences(MakeReferenceTables(2.2));
    ExpectAllNear(divergences.values, reference::DIVERGENCES_BETWEEN, 1e-14);
    const auto learnable = FindLearnable(divergences, reference::INFLUENCE_3);
    EXPECT_EQ(learnable.hypotheses, std::vector<uint32_t>{reference::BEST_BETWEEN});
    EXPECT_FALSE(learnable.areCommon);
    const auto rates = ComputeLearningRates(
        ComputeInformation(divergences, reference::BEST_BETWEEN), reference::INFLUENCE_3);
    EXPECT_GT(FindLearningSpeed(rates, learnable).rate, 0);
    EXPECT_EQ(rates[reference::BEST_BETWEEN], 0);
}

TEST(BeliefSampleBound, WhatNobodySeesIsNoError)
{
    // Nobody sees the second bit: hypotheses 0 and 2 are equally good
    const auto users = MakeBitTables({0, 0});
    const auto divergences = ComputeDivergences(users);
    const auto learnable = FindLearnable(divergences, {.5, .5});
    EXPECT_EQ(learnable.hypotheses, (std::vector<uint32_t>{0, 2}));
    EXPECT_TRUE(learnable.Contains(2));
    EXPECT_FALSE(learnable.Contains(1));
    const auto rates = ComputeLearningRates(ComputeInformation(divergences, 0), {.5, .5});
    EXPECT_NEAR(FindLearningSpeed(rates, learnable).rate, .4 * std::log(7.0 / 3), 1e-15);
    EXPECT_EQ(CheckAssumptions(users, learnable, MakeSquare(2, {.5, .5, .5, .5})), "");
    // Without Theta*_M having all of them, nobody can tell 2 from 0
    LearnableHypotheses first;
    first.hypotheses = {0};
    EXPECT_THAT(
        CheckAssumptions(users, first, MakeSquare(2, {0, 1, 1, 0})),
        testing::AllOf(
            testing::StartsWith("Assumption 1: nobody can tell hypothesis 2 from 0; Assumption 2"),
            HasSubstr("periodic"),
            testing::Not(HasSubstr("Assumption 3"))));
}

TEST(BeliefSampleBound, WithoutARivalNothingIsNeeded)
{
    LearnableHypotheses all;
    all.hypotheses = {0, 1};
    const auto speed = FindLearningSpeed({0, 0}, all);
    EXPECT_EQ(speed.rate, INFINITY);
    EXPECT_EQ(speed.rival, 2);
    SampleBoundInputs inputs = MakeReferenceInputs();
    inputs.speed = INFINITY;
    EXPECT_EQ(ComputePaperBound(inputs).instants, 0);
    inputs.speed = 0;
    EXPECT_EQ(ComputePaperBound(inputs).instants, INFINITY);
    EXPECT_EQ(ComputeSharperBound(inputs).instants, INFINITY);
    inputs = MakeReferenceInputs();
    inputs.lambda = 1;
    EXPECT_EQ(ComputePaperBound(inputs).instants, INFINITY);
    inputs.delta = 0;
    EXPECT_THROW(ComputePaperBound(inputs), std::invalid_argument);
}

TEST(BeliefSampleBound, Corollary1)
{
    const auto users = MakeReferenceTables(2);
    const auto bounds = ComputeRiskBounds(users, 0, 2);
    EXPECT_NEAR(bounds.totalVariation, 2 * reference::RISK_BOUNDS[0], 1e-14);
    EXPECT_NEAR(bounds.divergence, 2 * reference::RISK_BOUNDS[1], 1e-14);
    // The risk that comes nearest to the bound: B where the truth is likelier, else -B
    double nearest = 0;
    for (const SampleTable& table : users)
    {
        for (const SampleOutcome& outcome : table)
        {
            const double risk = outcome.logTruth > outcome.logLikelihoods[0] ? 2 : -2;
            nearest += outcome.inputProbability * risk *
                       (std::exp(outcome.logTruth) - std::exp(outcome.logLikelihoods[0]));
        }
    }
    EXPECT_NEAR(nearest / static_cast<double>(users.size()), bounds.totalVariation, 1e-14);
    // A coin: |.7 - .3| twice; the printed half of the root would be .29
    const auto coin = ComputeRiskBounds(MakeBitTables({0}), 1, 1);
    EXPECT_NEAR(coin.totalVariation, .8, 1e-15);
    EXPECT_NEAR(coin.divergence, std::sqrt(.8 * std::log(7.0 / 3)), 1e-15);
    EXPECT_GE(coin.divergence, coin.totalVariation);
}

TEST(BeliefSampleBound, Corollary1WithoutTheTruthAmongHypotheses)
{
    // Label 0 has probability .8, by hypothesis 0 only .7: |.2 - .3|, |.8 - .7| twice
    auto users = MakeBitTables({0, 1});
    for (SampleTable& table : users)
    {
        table[0].logTruth = std::log(.8);
        table[1].logTruth = std::log(.2);
    }
    const double nats = .8 * std::log(8.0 / 7) + .2 * std::log(2.0 / 3);
    const auto bounds = ComputeRiskBounds(users, 0, 1);
    EXPECT_NEAR(bounds.labelRisk, .1, 1e-15);
    EXPECT_NEAR(bounds.totalVariation, .2, 1e-15);
    EXPECT_NEAR(bounds.divergence, std::sqrt(2 * nats), 1e-15);
    EXPECT_NEAR(bounds.printed, std::sqrt(nats) / 2, 1e-15);
    EXPECT_LT(bounds.printed, bounds.labelRisk) << "as printed it does not hold";
    EXPECT_LT(bounds.labelRisk, bounds.divergence);
    // A second input, seen with probability 1/4, of which hypothesis 0 knows the labels
    for (SampleOutcome outcome : SampleTable(users[0]))
    {
        outcome.input = 1;
        outcome.inputProbability = .25;
        outcome.logLikelihoods[0] = outcome.logTruth;
        users[0].push_back(outcome);
    }
    users[0][0].inputProbability = users[0][1].inputProbability = .75;
    EXPECT_NEAR(ComputeRiskBounds(users, 0, 1).labelRisk, (.075 + .1) / 2, 1e-15);
}

TEST(BeliefSampleBound, ChecksTables)
{
    auto users = MakeBitTables({0, 1});
    EXPECT_NO_THROW(CheckSampleTables(users));
    users[1][0].logTruth = std::log(.8);
    EXPECT_THROW(CheckSampleTables(users), std::invalid_argument);
    users = MakeBitTables({0, 1});
    users[1][1].logLikelihoods.pop_back();
    EXPECT_THROW(CheckSampleTables(users), std::invalid_argument);
    users = MakeBitTables({0, 1});
    users[0][1].logLikelihoods[2] = std::nan("");
    EXPECT_THROW(CheckSampleTables(users), std::invalid_argument);
    EXPECT_THROW(CheckSampleTables({}), std::invalid_argument);
    EXPECT_THROW(FindLearnable(Matrix<double>(2, 3), {1}), std::invalid_argument);
    EXPECT_THROW(ComputeInformation(Matrix<double>(2, 3), 3), std::invalid_argument);
}

TEST(SampleOutcomeBounds, AnInputsProbabilityMayBeRounded)
{
    EXPECT_NO_THROW(CheckSampleTables(MakeSureTable(1)));
    EXPECT_NO_THROW(CheckSampleTables(MakeSureTable(1 + 1e-9)));
    EXPECT_THROW(CheckSampleTables(MakeSureTable(1 + 2e-9)), std::invalid_argument);
}
