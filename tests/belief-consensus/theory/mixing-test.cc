/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-theory-inputs.h"
#include "belief-theory-reference.h"

#include "ns3/belief-consensus-mixing.h"
#include "ns3/belief-consensus-weights.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>

using namespace ns3::collab;
namespace reference = belief_theory_reference;

namespace
{

/// @param report has the numbers that follow
void
ExpectReport(const MixingReport& report,
             const std::vector<double>& influence,
             double lambdaMax,
             double secondModulus,
             double mixingSum)
{
    ASSERT_EQ(report.influence.size(), influence.size());
    for (std::size_t i = 0; i < influence.size(); ++i)
    {
        EXPECT_NEAR(report.influence[i], influence[i], 1e-12) << "user " << i;
    }
    EXPECT_NEAR(report.eigenvalues.lambdaMax, lambdaMax, 1e-11);
    EXPECT_NEAR(report.eigenvalues.secondModulus, secondModulus, 1e-11);
    EXPECT_NEAR(report.mixingSum, mixingSum, 1e-3 * mixingSum);
}

} // namespace

TEST(BeliefMixing, TwoUsersOfThePaper)
{
    // W^k - 1 v' = 0.3^k (I - 1 v'), of which the second row's sum is 12/7
    const auto report = AnalyzeMixing(MakeSquare(2, {.9, .1, .6, .4}));
    ExpectReport(report, {6.0 / 7, 1.0 / 7}, .3, .3, .3 / .7 * 12 / 7);
    EXPECT_NEAR(report.mixingSumBound, 4 * std::log(2) / .7, 1e-12);
    EXPECT_NEAR(report.sumOfSquares, 37.0 / 49, 1e-14);
}

TEST(BeliefMixing, AgreesWithNumpy)
{
    ExpectReport(AnalyzeMixing(MakeReferenceWeights(3)),
                 reference::INFLUENCE_3,
                 reference::LAMBDA_MAX_3,
                 reference::SECOND_MODULUS_3,
                 reference::MIXING_SUM_3);
    ExpectReport(AnalyzeMixing(MakeReferenceWeights(5)),
                 reference::INFLUENCE_5,
                 reference::LAMBDA_MAX_5,
                 reference::SECOND_MODULUS_5,
                 reference::MIXING_SUM_5);
    ExpectReport(AnalyzeMixing(MakeReferenceWeights(8)),
                 reference::INFLUENCE_8,
                 reference::LAMBDA_MAX_8,
                 reference::SECOND_MODULUS_8,
                 reference::MIXING_SUM_8);
}

TEST(BeliefMixing, RingsMixSlowly)
{
    const auto lambda = [](double users) { return (1 + 2 * std::cos(2 * M_PI / users)) / 3; };
    const auto small = AnalyzeMixing(MakeWeights(MakeRingNeighborhoods(8), {}));
    EXPECT_NEAR(small.eigenvalues.secondModulus, lambda(8), 1e-12);
    EXPECT_NEAR(small.sumOfSquares, 1.0 / 8, 1e-15);
    // So slowly that not every power is computed
    const auto great = AnalyzeMixing(MakeWeights(MakeRingNeighborhoods(256), {}));
    EXPECT_NEAR(great.eigenvalues.lambdaMax, lambda(256), 1e-12);
    EXPECT_NEAR(great.mixingSum, reference::RING_256_SUM, 2e-3 * reference::RING_256_SUM);
}

TEST(BeliefMixing, CompleteGraphMixesAtOnce)
{
    const auto report = AnalyzeMixing(MakeWeights(MakeCompleteNeighborhoods(10), {}));
    EXPECT_NEAR(report.eigenvalues.secondModulus, 0, 1e-12);
    EXPECT_NEAR(report.mixingSum, 0, 1e-12);
    const auto alone = AnalyzeMixing(MakeSquare(1, {1}));
    EXPECT_EQ(alone.influence, std::vector<double>{1});
    EXPECT_EQ(alone.eigenvalues.secondModulus, 0);
    EXPECT_EQ(alone.mixingSumBound, 0);
}

TEST(BeliefMixing, StarByConfidence)
{
    WeightSettings settings;
    settings.rule = WeightRule::CONFIDENCE;
    settings.confidence = .3;
    // v_edge a = v_center / N
    const auto v = ComputeInfluence(MakeWeights(MakeStarNeighborhoods(5), settings));
    EXPECT_NEAR(v[1] / v[0], 1 / (5 * .3), 1e-14);
    EXPECT_NEAR(v[0] + 4 * v[1], 1, 1e-15);
}

TEST(BeliefMixing, PeriodicMatricesNeverMix)
{
    const auto report = AnalyzeMixing(MakeSquare(2, {0, 1, 1, 0}));
    EXPECT_DOUBLE_EQ(report.influence[0], .5);
    EXPECT_NEAR(report.eigenvalues.lambdaMax, -1, 1e-14); // as printed
    EXPECT_EQ(report.eigenvalues.secondModulus, 1);
    EXPECT_EQ(report.mixingSum, INFINITY);
    EXPECT_EQ(report.mixingSumBound, INFINITY);
}

TEST(BeliefMixing, OneWhoListensToNobodyInfluencesAll)
{
    const Matrix<double> w = MakeSquare(3, {1, 0, 0, .5, .25, .25, 0, .5, .5});
    EXPECT_EQ(ComputeInfluence(w), (std::vector<double>{1, 0, 0}));
    EXPECT_THROW(ComputeInfluence(MakeSquare(3, {1, 0, 0, 0, 1, 0, .5, .5, 0})),
                 std::invalid_argument);
    EXPECT_THROW(ComputeInfluence(MakeSquare(2, {1, 0, .5, 0})), std::invalid_argument);
}

TEST(BeliefMixing, SmallInfluencesAreExact)
{
    // v_1 / v_0 = 1e-9 / 0.5
    const auto v = ComputeInfluence(MakeSquare(2, {1 - 1e-9, 1e-9, .5, .5}));
    EXPECT_NEAR(v[1] / v[0] / 2e-9, 1, 1e-14);
}

TEST(BeliefMixing, DelaysBreakLemma1)
{
    // Each user repeats the one before it: W^15 is done, but no eigenvalue knows of the delay
    Matrix<double> w(16, 16);
    w(0, 0) = 1 - 1e-6;
    w(0, 15) = 1e-6;
    for (std::size_t i = 1; i < 16; ++i)
    {
        w(i, i - 1) = 1;
    }
    const auto report = AnalyzeMixing(w);
    EXPECT_NEAR(report.eigenvalues.secondModulus, reference::DELAYS_MODULUS, 1e-6);
    EXPECT_NEAR(report.mixingSum, reference::DELAYS_SUM, 1e-3 * reference::DELAYS_SUM);
    EXPECT_GT(report.mixingSum, report.mixingSumBound);
}
