/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/prediction-consensus-theory.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <numeric>
#include <random>
#include <stdexcept>

using namespace ns3::collab;
using ::testing::DoubleNear;
using ::testing::Pointwise;

namespace
{

Matrix<double>
MakeMatrix(const std::vector<std::vector<double>>& rows)
{
    Matrix<double> w(rows.size(), rows.at(0).size());
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        std::copy(rows[i].begin(), rows[i].end(), w.Row(i));
    }
    return w;
}

void
NormalizeRows(Matrix<double>& w)
{
    for (std::size_t i = 0; i < w.rows; ++i)
    {
        const double sum = std::accumulate(w.Row(i), w.Row(i) + w.columns, 0.0);
        std::for_each(w.Row(i), w.Row(i) + w.columns, [sum](double& x) { x /= sum; });
    }
}

/// A positive row-stochastic matrix
Matrix<double>
DrawTrust(std::size_t agents, std::mt19937& generator)
{
    std::uniform_real_distribution<double> uniform(0.05, 1);
    Matrix<double> w(agents, agents);
    std::generate(w.values.begin(), w.values.end(), [&] { return uniform(generator); });
    NormalizeRows(w);
    return w;
}

/// A positive row-stochastic matrix whose bad agents others trust less
Matrix<double>
DrawTrustWithBadAgents(std::size_t agents,
                       const std::set<std::size_t>& bad,
                       std::mt19937& generator)
{
    Matrix<double> w = DrawTrust(agents, generator);
    for (std::size_t i = 0; i < agents; ++i)
    {
        w(i, i) *= 2;
        for (const std::size_t b : bad)
        {
            w(i, b) *= 0.1;
        }
    }
    NormalizeRows(w);
    return w;
}

const Matrix<double> EXAMPLE_PHI = MakeMatrix({{1. / 3, 1. / 4, 1. / 4, 1. / 6},
                                               {1. / 4, 1. / 3, 1. / 4, 1. / 6},
                                               {1. / 4, 1. / 4, 1. / 3, 1. / 6},
                                               {1. / 6, 1. / 6, 1. / 6, 1. / 2}});

TEST(TheoryTest, PredicatesOfSmallMatrices)
{
    const auto w = MakeMatrix({{0.5, 0.3, 0.2}, {0.1, 0.6, 0.3}, {0.4, 0.4, 0.2}});
    EXPECT_TRUE(IsPositive(w));
    EXPECT_FALSE(IsSelfConfident(w)); // the third agent trusts the others more
    EXPECT_TRUE(IsSelfConfident(EXAMPLE_PHI));
    EXPECT_FALSE(IsPositive(MakeMatrix({{1, 0}, {0.5, 0.5}})));
}

TEST(TheoryTest, CoefficientsByHand)
{
    const auto w = MakeMatrix({{0.5, 0.3, 0.2}, {0.1, 0.6, 0.3}, {0.4, 0.4, 0.2}});
    EXPECT_NEAR(ComputeRowDifference(w), 0.4, 1e-15); // first column: 0.5 and 0.1
    // Overlap of rows 1 and 2: 0.1 + 0.3 + 0.2; 1 and 3: 0.4 + 0.3 + 0.2; 2 and 3: 0.1 + 0.4 + 0.2
    EXPECT_NEAR(ComputeScramblingCoefficient(w), 0.4, 1e-15);
    EXPECT_NEAR(ComputeTrace(w), 1.3, 1e-15);
    EXPECT_NEAR(ComputeDistanceFromUniform(w), 0.6 - 1. / 3, 1e-15);
    EXPECT_THAT(ComputeColumnSums(w), Pointwise(DoubleNear(1e-15), {1.0, 1.3, 0.7}));
    EXPECT_EQ(ComputeScramblingCoefficient(MakeMatrix({{1, 0}, {0, 1}})), 1); // not scrambling
    EXPECT_EQ(ComputeRowDifference(MakeMatrix({{0.2, 0.8}, {0.2, 0.8}})), 0);
}

TEST(TheoryTest, ProductsStayBelowTheBoundOfLemma1)
{
    std::mt19937 generator(1);
    for (int trial = 0; trial < 50; ++trial)
    {
        ConsensusTracker tracker;
        for (int round = 0; round < 20; ++round)
        {
            tracker.Add(DrawTrust(5, generator));
            ASSERT_LE(ComputeRowDifference(tracker.product), tracker.bound + 1e-15);
            const Matrix<double>& product = tracker.product;
            for (std::size_t i = 0; i < product.rows; ++i)
            {
                const std::vector<double> row(product.Row(i), product.Row(i) + product.columns);
                ASSERT_THAT(row, ::testing::Each(::testing::Ge(0)));
                ASSERT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 1, 1e-9);
            }
        }
        EXPECT_EQ(tracker.rounds, 20);
        EXPECT_LT(ComputeRowDifference(tracker.product), 1e-6); // Theorem 1
    }
}

TEST(TheoryTest, ProductHasTheLatestMatrixOnTheLeft)
{
    const auto first = MakeMatrix({{0.9, 0.1}, {0.5, 0.5}});
    const auto second = MakeMatrix({{0.2, 0.8}, {0.3, 0.7}});
    ConsensusTracker tracker;
    tracker.Add(first);
    tracker.Add(second);
    EXPECT_THAT(tracker.product.values, Pointwise(DoubleNear(1e-15), {0.58, 0.42, 0.62, 0.38}));
    EXPECT_NEAR(tracker.bound, 0.4 * 0.1, 1e-15);
    EXPECT_EQ(tracker.traceIncreases, 0); // 1.4, then 0.9
    tracker.Add(first);
    EXPECT_EQ(tracker.traceIncreases, 1);
}

TEST(TheoryTest, LowestImportanceSurvivesProducts)
{
    std::mt19937 generator(3);
    int met = 0;
    for (int trial = 0; trial < 1000; ++trial)
    {
        const auto a = DrawTrustWithBadAgents(5, {2}, generator);
        const auto b = DrawTrustWithBadAgents(5, {2}, generator);
        if (ComputeLowImportance(a, {2}).All() && ComputeLowImportance(b, {2}).All())
        {
            ++met;
            ASSERT_TRUE(ComputeLowImportance(MultiplyTrust(a, b), {2}).All()) << trial; // Prop. 7
            ConsensusTracker tracker; // the limit of eq. (11)
            for (int round = 0; round < 100; ++round)
            {
                tracker.Add(round % 2 == 0 ? a : b);
            }
            const double* pi = tracker.product.Row(0);
            ASSERT_EQ(std::min_element(pi, pi + 5) - pi, 2) << trial; // Proposition 4
        }
    }
    EXPECT_GT(met, 100);
}

TEST(TheoryTest, LowestImportanceOfOneAgentByHand)
{
    // Everybody else trusts the last one least, but it trusts itself so much that (ii) fails:
    // columns add up to 1, .8, 1.2
    auto margins =
        ComputeLowImportance(MakeMatrix({{0.5, 0.3, 0.2}, {0.4, 0.4, 0.2}, {0.1, 0.1, 0.8}}), {2});
    EXPECT_NEAR(margins.columnSums, 0.8 - 1.2, 1e-15);
    EXPECT_NEAR(margins.gap, margins.columnSums, 1e-15) << "the same for one bad agent";
    EXPECT_NEAR(margins.rows, 0.3 - 0.2, 1e-15);
    EXPECT_FALSE(margins.All());
    // Its column is the least (1, 1.4, .6), but the first agent trusts the second one less
    margins =
        ComputeLowImportance(MakeMatrix({{0.7, 0.1, 0.2}, {0.1, 0.8, 0.1}, {0.2, 0.5, 0.3}}), {2});
    EXPECT_NEAR(margins.columnSums, 1 - 0.6, 1e-15);
    EXPECT_NEAR(margins.rows, 0.1 - 0.2, 1e-15);
    EXPECT_FALSE(margins.All());
    margins =
        ComputeLowImportance(MakeMatrix({{0.5, 0.4, 0.1}, {0.4, 0.5, 0.1}, {0.3, 0.3, 0.4}}), {2});
    EXPECT_NEAR(margins.columnSums, 1.2 - 0.6, 1e-15);
    EXPECT_NEAR(margins.rows, 0.3, 1e-15);
    EXPECT_TRUE(margins.All());
}

TEST(TheoryTest, ConditionsOfProposition8SurviveProducts)
{
    std::mt19937 generator(4);
    const std::set<std::size_t> bad = {1, 4};
    int met = 0;
    for (int trial = 0; trial < 1000; ++trial)
    {
        const auto a = DrawTrustWithBadAgents(6, bad, generator);
        const auto b = DrawTrustWithBadAgents(6, bad, generator);
        if (ComputeLowImportance(a, bad).All() && ComputeLowImportance(b, bad).All())
        {
            ++met;
            ASSERT_TRUE(ComputeLowImportance(MultiplyTrust(a, b), bad).All()) << trial;
        }
    }
    EXPECT_GT(met, 100);
}

TEST(TheoryTest, ConditionsOfProposition8ByHand)
{
    // Regular 0 and 1, bad 2 and 3. Column sums 1.2, 1.1, .9, .8.
    const std::set<std::size_t> bad = {2, 3};
    auto w = MakeMatrix(
        {{0.5, 0.3, 0.1, 0.1}, {0.3, 0.5, 0.1, 0.1}, {0.2, 0.2, 0.5, 0.1}, {0.2, 0.1, 0.2, 0.5}});
    auto margins = ComputeLowImportance(w, bad);
    EXPECT_NEAR(margins.columnSums, 1.1 - 0.9, 1e-15);
    // r = 1, b = 3: (.3 - .1) + (.5 - .1) - (.5 - .1) = .2; r = 0, b = 2 or 3: .6 - .3
    EXPECT_NEAR(margins.gap, 0.2, 1e-15);
    EXPECT_NEAR(margins.rows, 0.1 - 0.2, 1e-15); // agent 3 trusts the bad 2 more than the regular 1
    EXPECT_FALSE(margins.All());
    w = MakeMatrix(
        {{0.5, 0.3, 0.1, 0.1}, {0.3, 0.5, 0.1, 0.1}, {0.2, 0.2, 0.5, 0.1}, {0.2, 0.2, 0.1, 0.5}});
    margins = ComputeLowImportance(w, bad);
    EXPECT_NEAR(margins.columnSums, 1.2 - 0.8, 1e-15);
    EXPECT_NEAR(margins.gap, 0.6 - 0.3, 1e-15);
    EXPECT_NEAR(margins.rows, 0.1, 1e-15);
    EXPECT_TRUE(margins.All());
    EXPECT_THROW(ComputeLowImportance(w, {}), std::invalid_argument);
    EXPECT_THROW(ComputeLowImportance(w, {0, 1, 2, 3}), std::invalid_argument);
    EXPECT_THROW(ComputeLowImportance(w, {4}), std::invalid_argument);
}

TEST(TheoryTest, ResidualOfEquation4ByHand)
{
    // One sample of two classes; the agents come from (1, 0) and (0, 1)
    Matrix<float> first(1, 2);
    first.values = {1, 0};
    Matrix<float> second(1, 2);
    second.values = {0, 1};
    Matrix<float> half(1, 2);
    half.values = {0.5F, 0.5F};
    const auto w = MakeMatrix({{0.75, 0.25}, {0.5, 0.5}});
    // W Psi = (.75 .25), (.5 .5)
    auto residual = ComputeUpdateResidual(w, {&first, &second}, {&half, &half});
    EXPECT_NEAR(residual.norm, std::sqrt(2 * 0.0625), 1e-15);
    EXPECT_NEAR(residual.relative, std::sqrt(0.125 / 1), 1e-15);
    residual = ComputeUpdateResidual(w, {&half, &half}, {&half, &half});
    EXPECT_EQ(residual.norm, 0) << "a consensus stays";
    residual = ComputeUpdateResidual(w, {&half, &half}, {&first, &second});
    EXPECT_NEAR(residual.norm, 1, 1e-15);
    EXPECT_NEAR(residual.relative, std::sqrt(0.5), 1e-15);
    const Matrix<float> other(2, 2);
    EXPECT_THROW(ComputeUpdateResidual(w, {&half}, {&half, &half}), std::invalid_argument);
    EXPECT_THROW(ComputeUpdateResidual(w, {&half, &other}, {&half, &half}), std::invalid_argument);
}

TEST(TheoryTest, ConfidenceByHand)
{
    // Agent 0 is sure of the first sample, not of the second; agent 1 is its opposite on the first
    // sample and the same on the second; agent 2 is a copy of agent 0
    Matrix<float> own(2, 2);
    own.values = {1, 0, 0.5F, 0.5F};
    Matrix<float> bad(2, 2);
    bad.values = {0, 1, 0.5F, 0.5F};
    // phi of agents 0 and 2: mean cosines 1, 1/2, 1, so that phi_01 = .2
    const std::vector<const Matrix<float>*> predictions = {&own, &bad, &own};
    auto w = MakeMatrix({{0.45, 0.1, 0.45}, {0.2, 0.6, 0.2}, {0.3, 0.3, 0.4}});
    const auto effect = CompareWithoutConfidence(w, predictions, {1});
    EXPECT_EQ(effect.premise, 1) << "0 of 2 in the confident half, 1 of 3 in the other one";
    EXPECT_EQ(effect.conclusion, 0.5) << "agent 2 trusts it more than without";
    EXPECT_EQ(CompareWithoutConfidence(w, predictions, {2}).premise, 0.5)
        << "agent 0's copy is all of the confident half, which agent 1 alone is in its own";
    EXPECT_THROW(CompareWithoutConfidence(w, predictions, {}), std::invalid_argument);
}

TEST(TheoryTest, RefusesWhatIsNoTrustMatrix)
{
    EXPECT_THROW(ComputeTrace(Matrix<double>()), std::invalid_argument);
    EXPECT_THROW(ComputeRowDifference(Matrix<double>(2, 3)), std::invalid_argument);
    EXPECT_THROW(MultiplyTrust(Matrix<double>(2, 2), Matrix<double>(3, 3)), std::invalid_argument);
}

} // namespace

TEST(TheoryTest, DisagreementIsOverAllPairs)
{
    Matrix<float> a(2, 2);
    a.values = {1, 0, 0.5F, 0.5F};
    Matrix<float> b(2, 2);
    b.values = {0.4F, 0.6F, 0.5F, 0.5F};
    const PredictionDistance two = ComputeDisagreement({&a, &b}, false);
    EXPECT_DOUBLE_EQ(two.meanClasses, 0.5);
    EXPECT_NEAR(two.meanDistance, 0.6 * std::sqrt(2) / 2, 1e-7);
    EXPECT_NEAR(two.maxDifference, 0.6, 1e-7);
    const PredictionDistance three = ComputeDisagreement({&a, &b, &b}, false);
    EXPECT_DOUBLE_EQ(three.meanClasses, 1.0 / 3) << "one of three pairs agrees";
    EXPECT_DOUBLE_EQ(three.maxClasses, 0.5);
    EXPECT_NEAR(three.meanDistance, two.meanDistance * 2 / 3, 1e-12);
    EXPECT_EQ(three.maxDistance, two.maxDistance);
    EXPECT_EQ(ComputeDisagreement({&a, &a}, false).maxDistance, 0);
    EXPECT_TRUE(std::isnan(ComputeDisagreement({&a, &b}, true).meanClasses));
    Matrix<float> diverged(2, 2);
    diverged.values = {std::numeric_limits<float>::quiet_NaN(), 0, 0.5F, 0.5F};
    for (const auto& agents :
         {std::vector{&diverged, &a, &b}, {&a, &diverged, &b}, {&a, &b, &diverged}})
    {
        const PredictionDistance all = ComputeDisagreement({agents.begin(), agents.end()}, false);
        EXPECT_TRUE(std::isnan(all.meanDistance) && std::isnan(all.maxDistance) &&
                    std::isnan(all.maxDifference));
    }
    EXPECT_THROW(ComputeDisagreement({&a}, false), std::invalid_argument);
    const Matrix<float> other(1, 2);
    EXPECT_THROW(ComputeDisagreement({&a, &other}, false), std::invalid_argument);
}
