/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-theory-inputs.h"
#include "belief-theory-reference.h"
#include "support/refusals.h"

#include "ns3/belief-consensus-mixing.h"
#include "ns3/belief-consensus-weight-moments.h"
#include "ns3/belief-consensus-weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>

using namespace ns3::collab;
using testing::HasSubstr;

namespace reference = belief_theory_reference;

namespace
{

/// @param w not a stochastic matrix
/// @return what is wrong with it
std::string
GetProblem(const Matrix<double>& w)
{
    return tests::ErrorOf([&] { CheckWeights(w); });
}

/// @param w has the elements that are given, row by row
void
ExpectElements(const Matrix<double>& w, const std::vector<double>& expected)
{
    ASSERT_EQ(w.values.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        EXPECT_NEAR(w.values[i], expected[i], 1e-15) << "element " << i;
    }
}

} // namespace

TEST(BeliefWeights, UniformCountsOneself)
{
    const double third = 1.0 / 3;
    ExpectElements(MakeWeights({{1}, {0, 2}, {1}}, {}),
                   {.5, .5, 0, third, third, third, 0, .5, .5});
    ExpectElements(MakeWeights({{}}, {}), {1});
}

TEST(BeliefWeights, MetropolisTakesTheGreaterDegree)
{
    WeightSettings settings;
    settings.rule = WeightRule::METROPOLIS;
    // A line of four: degrees 1, 2, 2, 1
    const double third = 1.0 / 3;
    ExpectElements(MakeWeights({{1}, {0, 2}, {1, 3}, {2}}, settings),
                   {2 * third,
                    third,
                    0,
                    0,
                    third,
                    third,
                    third,
                    0,
                    0,
                    third,
                    third,
                    third,
                    0,
                    0,
                    third,
                    2 * third});
    EXPECT_THROW(MakeWeights({{1}, {2}, {0}}, settings), std::invalid_argument);
    EXPECT_THROW(MakeMetropolisRow({0}), std::invalid_argument);
}

TEST(BeliefWeights, ReliabilityFollowsWhatArrives)
{
    WeightSettings settings;
    settings.rule = WeightRule::RELIABILITY;
    settings.lossProbabilities = MakeSquare(3, {0, .5, 1, .2, 0, .8, 0, 0, 0});
    ExpectElements(MakeWeights({{1, 2}, {0, 2}, {0}}, settings),
                   {1 / 1.5, .5 / 1.5, 0, .4, .5, .1, .5, 0, .5});
    EXPECT_THROW(MakeReliabilityRow({1.1}), std::invalid_argument);
    settings.lossProbabilities = Matrix<double>(2, 2);
    EXPECT_THROW(MakeWeights({{1, 2}, {0, 2}, {0}}, settings), std::invalid_argument);
}

TEST(BeliefWeights, ConfidenceIsForStarsOnly)
{
    WeightSettings settings;
    settings.rule = WeightRule::CONFIDENCE;
    settings.confidence = .9;
    const double third = 1.0 / 3;
    ExpectElements(MakeWeights(MakeStarNeighborhoods(3), settings),
                   {third, third, third, .9, .1, 0, .9, 0, .1});
    EXPECT_THROW(MakeWeights(MakeRingNeighborhoods(3), settings), std::invalid_argument);
    settings.confidence = 1.5;
    EXPECT_THROW(MakeWeights(MakeStarNeighborhoods(3), settings), std::invalid_argument);
    EXPECT_THROW(MakeConfidenceRow(3, 3, .5), std::invalid_argument);
}

TEST(BeliefWeights, GivenOnesWeighOnlyWhoIsHeard)
{
    WeightSettings settings;
    settings.rule = WeightRule::GIVEN;
    settings.given = MakeSquare(2, {.9, .1, .6, .4});
    EXPECT_EQ(MakeWeights({{1}, {0}}, settings), settings.given);
    EXPECT_THROW(MakeWeights({{}, {0}}, settings), std::invalid_argument);
    EXPECT_THROW(MakeWeights({{1}, {0}, {0}}, settings), std::invalid_argument);
    EXPECT_EQ(ComputeNeighborhoods(MakeSquare(2, {1, 0, .6, .4})), (Neighborhoods{{}, {0}}));
}

TEST(BeliefWeights, SaysWhatIsWrongAndWhere)
{
    EXPECT_EQ(GetProblem(MakeSquare(2, {0, 1, 1, 0})), "");
    EXPECT_EQ(GetProblem(MakeSquare(2, {.5, .5, .6, .4 + 5e-10})), "");
    EXPECT_THAT(GetProblem(MakeSquare(2, {.5, .5, .6, .3})), HasSubstr("row 1 of W sums to 0.9"));
    EXPECT_THAT(GetProblem(MakeSquare(2, {1.5, -.5, 0, 1})), HasSubstr("W(0, 0) is 1.5"));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THAT(GetProblem(MakeSquare(2, {1, 0, nan, 1})), HasSubstr("W(1, 0) is nan"));
    EXPECT_THAT(GetProblem(Matrix<double>(2, 3)), HasSubstr("2 x 3"));
    EXPECT_THAT(GetProblem({}), HasSubstr("0 x 0"));
}

TEST(BeliefWeights, TwoUsersOfThePaperAreConnected)
{
    const GraphReport report = CheckGraph(MakeSquare(2, {.9, .1, .6, .4}));
    EXPECT_TRUE(report.IsStronglyConnected());
    EXPECT_TRUE(report.IsAperiodic());
    EXPECT_EQ(report.problem, "");
}

TEST(BeliefWeights, FindsPeriods)
{
    const GraphReport pair = CheckGraph(MakeSquare(2, {0, 1, 1, 0}));
    EXPECT_EQ(pair.period, 2);
    EXPECT_THAT(pair.problem, HasSubstr("multiples of 2"));
    EXPECT_EQ(CheckGraph(MakeSquare(3, {0, 1, 0, 0, 0, 1, 1, 0, 0})).period, 3);
    // Cycles of lengths 2 and 3
    EXPECT_EQ(CheckGraph(MakeSquare(3, {0, 1, 0, .5, 0, .5, 1, 0, 0})).period, 1);
    // A pair and a triangle apart
    EXPECT_EQ(CheckGraph(MakeSquare(5, {0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,
                                        1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0}))
                  .period,
              6);
    // One's own weight ends it
    EXPECT_EQ(CheckGraph(MakeSquare(2, {.1, .9, 1, 0})).period, 1);
}

TEST(BeliefWeights, FindsWhoIsNeverReached)
{
    // User 0 listens to nobody
    const GraphReport stubborn = CheckGraph(MakeSquare(3, {1, 0, 0, .5, 0, .5, 0, .5, .5}));
    EXPECT_EQ(stubborn.components, 2);
    EXPECT_EQ(stubborn.closed, 1);
    EXPECT_EQ(stubborn.sources, std::vector<uint32_t>{0});
    EXPECT_THAT(stubborn.problem, HasSubstr("user 1 believes never reaches user 0"));
    // Nobody listens to user 0
    const GraphReport unheard = CheckGraph(MakeSquare(2, {.5, .5, 0, 1}));
    EXPECT_EQ(unheard.sources, std::vector<uint32_t>{1});
    EXPECT_THAT(unheard.problem, HasSubstr("user 0 believes never reaches user 1"));
    EXPECT_EQ(CheckGraph(MakeSquare(2, {1, 0, 0, 1})).closed, 2);
}

TEST(WeightMoments, OfWhomLeavesByHand)
{
    WeightMoments moments(2);
    moments.Add(0, 0, {{0, .5}, {1, .5}});
    moments.Add(0, 1, {{0, .5}, {1, .5}});
    moments.Add(1, 0, {{0, 1}}); // user 1 is gone
    EXPECT_EQ(moments.CountInstants(), 2);
    EXPECT_EQ(moments.GetMean(), MakeSquare(2, {.75, .25, .25, .75}));
    EXPECT_EQ(moments.GetPresence(), (std::vector<double>{1, .5}));
    EXPECT_NEAR(moments.ComputeContraction(), .5, 1e-15); // agreement, or what it was
    moments.Add(3, 0, {{0, 1}});                          // in instant 2 nobody was there
    EXPECT_EQ(moments.GetPresence(), (std::vector<double>{.75, .25}));
    EXPECT_NEAR(moments.ComputeContraction(), .75, 1e-15);
}

TEST(WeightMoments, OfDirectedWeightsByHand)
{
    // (1, -1) becomes (1, 0), whose distance from its mean is (1/2, -1/2)
    WeightMoments moments(2);
    moments.Add(0, 0, {{0, 1}});
    moments.Add(0, 1, {{0, .5}, {1, .5}});
    EXPECT_NEAR(moments.ComputeContraction(), .25, 1e-15);
}

TEST(WeightMoments, AgreeWithNumpy)
{
    constexpr uint32_t USERS = 5;
    const auto w = MakeReferenceWeights(USERS);
    WeightMoments moments(USERS);
    for (uint32_t t = 0; t < 8; ++t)
    {
        const auto isThere = [t](uint32_t user) { return (user + 2 * t) % 5 != 0 && user != t; };
        for (uint32_t i = 0; i < USERS; ++i)
        {
            WeightMoments::Row row = {{i, w(i, i)}};
            for (uint32_t j = 0; j < USERS; ++j)
            {
                if (j != i && isThere(j))
                {
                    row.emplace_back(j, w(i, j));
                }
                else if (j != i)
                {
                    row[0].second += w(i, j);
                }
            }
            if (isThere(i))
            {
                moments.Add(t, i, row);
            }
        }
    }
    const auto mean = moments.GetMean();
    const auto influence = ComputeInfluence(mean);
    for (std::size_t i = 0; i < mean.values.size(); ++i)
    {
        EXPECT_NEAR(mean.values[i], reference::MEAN_OF_PRESENT[i], 1e-15) << i;
    }
    for (uint32_t i = 0; i < USERS; ++i)
    {
        EXPECT_NEAR(influence[i], reference::INFLUENCE_OF_PRESENT[i], 1e-13) << i;
        EXPECT_NEAR(moments.GetPresence()[i], reference::PRESENCE[i], 1e-15) << i;
    }
    EXPECT_NEAR(moments.ComputeContraction(), reference::CONTRACTION, 1e-13);
}

TEST(WeightMoments, ChecksArguments)
{
    EXPECT_THROW(WeightMoments(0), std::invalid_argument);
    WeightMoments moments(2);
    EXPECT_THROW(moments.GetMean(), std::invalid_argument);
    EXPECT_THROW(moments.ComputeContraction(), std::invalid_argument);
    moments.Add(0, 1, {{1, 1}});
    EXPECT_THROW(moments.Add(0, 1, {{1, 1}}), std::invalid_argument);
    EXPECT_THROW(moments.Add(0, 2, {}), std::invalid_argument);
    EXPECT_THROW(moments.Add(0, 0, {{2, 1}}), std::invalid_argument);
}
