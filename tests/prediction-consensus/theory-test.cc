/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/prediction-consensus-theory.h"

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
const std::vector<double> EXAMPLE_PI = {0.3, 0.3, 0.3, 0.1};

TEST(TheoryTest, PredicatesOfSmallMatrices)
{
    const auto w = MakeMatrix({{0.5, 0.3, 0.2}, {0.1, 0.6, 0.3}, {0.4, 0.4, 0.2}});
    EXPECT_TRUE(IsRowStochastic(w));
    EXPECT_TRUE(IsPositive(w));
    EXPECT_FALSE(IsSelfConfident(w)); // the third agent trusts the others more
    EXPECT_TRUE(IsSelfConfident(EXAMPLE_PHI));
    EXPECT_FALSE(IsPositive(MakeMatrix({{1, 0}, {0.5, 0.5}})));
    EXPECT_FALSE(IsRowStochastic(MakeMatrix({{0.9, 0}, {0.5, 0.5}})));
    EXPECT_FALSE(IsRowStochastic(MakeMatrix({{1.5, -0.5}, {0.5, 0.5}})));
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
            ASSERT_LE(tracker.GetRowDifference(), tracker.GetBound() + 1e-15);
            ASSERT_TRUE(IsRowStochastic(tracker.GetProduct()));
        }
        EXPECT_EQ(tracker.CountRounds(), 20);
        EXPECT_LT(tracker.GetRowDifference(), 1e-6); // Theorem 1
    }
}

TEST(TheoryTest, ProductHasTheLatestMatrixOnTheLeft)
{
    const auto first = MakeMatrix({{0.9, 0.1}, {0.5, 0.5}});
    const auto second = MakeMatrix({{0.2, 0.8}, {0.3, 0.7}});
    ConsensusTracker tracker;
    tracker.Add(first);
    tracker.Add(second);
    EXPECT_THAT(tracker.GetProduct().values,
                Pointwise(DoubleNear(1e-15), {0.58, 0.42, 0.62, 0.38}));
    EXPECT_NEAR(tracker.GetBound(), 0.4 * 0.1, 1e-15);
    EXPECT_EQ(tracker.CountTraceIncreases(), 0); // 1.4, then 0.9
    tracker.Add(first);
    EXPECT_EQ(tracker.CountTraceIncreases(), 1);
}

TEST(TheoryTest, MetropolisChainOfExample2)
{
    const Matrix<double> p = MakeMetropolisChain(EXAMPLE_PHI, EXAMPLE_PI);
    const auto expected = MakeMatrix({{4. / 9, 1. / 4, 1. / 4, 1. / 18},
                                      {1. / 4, 4. / 9, 1. / 4, 1. / 18},
                                      {1. / 4, 1. / 4, 4. / 9, 1. / 18},
                                      {1. / 6, 1. / 6, 1. / 6, 1. / 2}});
    EXPECT_THAT(p.values, Pointwise(DoubleNear(1e-15), expected.values));
    EXPECT_TRUE(IsSelfConfident(p)); // Proposition 2
    EXPECT_THAT(ComputeStationaryDistribution(p), Pointwise(DoubleNear(1e-14), EXAMPLE_PI));
    EXPECT_TRUE(HasLowestImportance(p, 3));
}

TEST(TheoryTest, MetropolisChainLeadsToAnyConsensus)
{
    std::mt19937 generator(2);
    std::uniform_real_distribution<double> uniform(0.05, 1);
    for (int trial = 0; trial < 100; ++trial)
    {
        std::vector<double> pi(6);
        std::generate(pi.begin(), pi.end(), [&] { return uniform(generator); });
        const double sum = std::accumulate(pi.begin(), pi.end(), 0.0);
        std::for_each(pi.begin(), pi.end(), [sum](double& x) { x /= sum; });
        const Matrix<double> p = MakeMetropolisChain(DrawTrust(6, generator), pi); // not symmetric
        ASSERT_TRUE(IsRowStochastic(p));
        ASSERT_THAT(ComputeStationaryDistribution(p), Pointwise(DoubleNear(1e-12), pi));
        ConsensusTracker tracker; // the limit of eq. (11)
        for (int round = 0; round < 400; ++round)
        {
            tracker.Add(p);
        }
        const double* row = tracker.GetProduct().Row(trial % 6);
        ASSERT_THAT(std::vector<double>(row, row + 6), Pointwise(DoubleNear(1e-9), pi));
    }
}

TEST(TheoryTest, LowestImportanceSurvivesProducts)
{
    std::mt19937 generator(3);
    int met = 0;
    for (int trial = 0; trial < 1000; ++trial)
    {
        const auto a = DrawTrustWithBadAgents(5, {2}, generator);
        const auto b = DrawTrustWithBadAgents(5, {2}, generator);
        if (HasLowestImportance(a, 2) && HasLowestImportance(b, 2))
        {
            ++met;
            ASSERT_TRUE(HasLowestImportance(MultiplyTrust(a, b), 2)) << trial; // Proposition 7
            const auto pi = ComputeStationaryDistribution(a);
            ASSERT_EQ(std::min_element(pi.begin(), pi.end()) - pi.begin(), 2); // Proposition 4
        }
    }
    EXPECT_GT(met, 100);
}

TEST(TheoryTest, LowestImportanceNeedsBothConditions)
{
    // Everybody else trusts the last one least, but it trusts itself so much that (ii) fails
    EXPECT_FALSE(
        HasLowestImportance(MakeMatrix({{0.5, 0.3, 0.2}, {0.4, 0.4, 0.2}, {0.1, 0.1, 0.8}}), 2));
    // Its column is the least, but the first agent trusts the second one less
    EXPECT_FALSE(
        HasLowestImportance(MakeMatrix({{0.7, 0.1, 0.2}, {0.1, 0.8, 0.1}, {0.2, 0.5, 0.3}}), 2));
    EXPECT_TRUE(
        HasLowestImportance(MakeMatrix({{0.5, 0.4, 0.1}, {0.4, 0.5, 0.1}, {0.3, 0.3, 0.4}}), 2));
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
        if (CheckLowImportance(a, bad).All() && CheckLowImportance(b, bad).All())
        {
            ++met;
            ASSERT_TRUE(CheckLowImportance(MultiplyTrust(a, b), bad).All()) << trial;
        }
    }
    EXPECT_GT(met, 100);
}

TEST(TheoryTest, ConditionsOfProposition8ByHand)
{
    // Regular 0 and 1, bad 2. Column sums 1.2, 1.15, 0.65.
    auto w = MakeMatrix({{0.5, 0.35, 0.15}, {0.4, 0.5, 0.1}, {0.3, 0.3, 0.4}});
    LowImportanceConditions met = CheckLowImportance(w, {2});
    EXPECT_TRUE(met.columnSums);
    EXPECT_TRUE(met.gap); // (0.5 - 0.15) + (0.4 - 0.1) = 0.65 > 0.4 - 0.3
    EXPECT_TRUE(met.rows);
    EXPECT_TRUE(met.All());
    w = MakeMatrix({{0.5, 0.35, 0.15}, {0.4, 0.5, 0.1}, {0.05, 0.05, 0.9}});
    met = CheckLowImportance(w, {2});
    EXPECT_FALSE(met.columnSums); // 0.95, 0.9, 1.15
    EXPECT_FALSE(met.gap);        // 0.65 < 0.85
    EXPECT_TRUE(met.rows);
    w = MakeMatrix({{0.7, 0.1, 0.2}, {0.4, 0.5, 0.1}, {0.3, 0.3, 0.4}});
    EXPECT_FALSE(CheckLowImportance(w, {2}).rows); // 0.1 < 0.2
    EXPECT_THROW(CheckLowImportance(w, {}), std::invalid_argument);
    EXPECT_THROW(CheckLowImportance(w, {0, 1, 2}), std::invalid_argument);
    EXPECT_THROW(CheckLowImportance(w, {3}), std::invalid_argument);
}

TEST(TheoryTest, RefusesWhatIsNoTrustMatrix)
{
    EXPECT_THROW(ComputeTrace(Matrix<double>()), std::invalid_argument);
    EXPECT_THROW(ComputeRowDifference(Matrix<double>(2, 3)), std::invalid_argument);
    EXPECT_THROW(MultiplyTrust(Matrix<double>(2, 2), Matrix<double>(3, 3)), std::invalid_argument);
    EXPECT_THROW(ComputeStationaryDistribution(Matrix<double>(2, 2, 0.4)), std::invalid_argument);
    EXPECT_THROW(MakeMetropolisChain(EXAMPLE_PHI, {0.5, 0.5}), std::invalid_argument);
    EXPECT_THROW(MakeMetropolisChain(EXAMPLE_PHI, {0.5, 0.5, 0.5, 0.5}), std::invalid_argument);
    EXPECT_THROW(HasLowestImportance(EXAMPLE_PHI, 4), std::invalid_argument);
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
    EXPECT_THROW(ComputeDisagreement({&a}, false), std::invalid_argument);
    const Matrix<float> other(1, 2);
    EXPECT_THROW(ComputeDisagreement({&a, &other}, false), std::invalid_argument);
}
