/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee/committee-reference.h"

#include "ns3/committee-theory.h"

#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>

using namespace ns3::collab;

namespace
{

ConvergenceConstants
MakeConstants()
{
    ConvergenceConstants constants;
    constants.smoothness = 4;
    constants.convexity = 0.5;
    constants.localSteps = 2;
    constants.gradientSquare = 3;
    constants.variance = 0.7;
    constants.objectiveSpread = 0.2;
    constants.heterogeneity = 0.15;
    constants.gapMin = 0.8;
    constants.gapMax = 1.3;
    constants.startSquare = 6;
    return constants;
}

} // namespace

TEST(CommitteeTheory, BoundAgreesWithNumpy)
{
    EXPECT_NEAR(
        ComputeConvergenceBound(MakeConstants(), 90) / committee_reference::BOUND, 1, 1e-12);
}

TEST(CommitteeTheory, BoundKeepsOnlyTheLastTermForManyRounds)
{
    const double remaining = 8 * 4 * 0.15 / (3 * 0.5) * (1.3 / 0.8 - 1);
    EXPECT_NEAR(ComputeConvergenceBound(MakeConstants(), 1ULL << 60), remaining, 1e-9);
}

TEST(CommitteeTheory, BoundRefusesWhatIsNotAllowed)
{
    auto constants = MakeConstants();
    constants.convexity = 5;
    EXPECT_THROW(ComputeConvergenceBound(constants, 1), std::invalid_argument);
    constants = MakeConstants();
    constants.variance = -1;
    EXPECT_THROW(ComputeConvergenceBound(constants, 1), std::invalid_argument);
    constants = MakeConstants();
    constants.gapMin = 0;
    EXPECT_EQ(ComputeConvergenceBound(constants, 1), std::numeric_limits<double>::infinity());
}

TEST(CommitteeTheory, RateFallsAsTheTheoremSays)
{
    // gamma = 32
    EXPECT_DOUBLE_EQ(ComputeConvergentRate(4, 0.5, 1), 1 / (0.5 * 33));
    EXPECT_DOUBLE_EQ(ComputeConvergentRate(4, 0.5, 68), 1 / (0.5 * 100));
    EXPECT_THROW(ComputeConvergentRate(4, 0, 1), std::invalid_argument);
}

TEST(CommitteeTheory, HeterogeneityByHand)
{
    EXPECT_DOUBLE_EQ(ComputeHeterogeneity(2, {0.25, 0.75}, {1, 2}), 0.25);
    EXPECT_THROW(ComputeHeterogeneity(2, {1}, {1, 2}), std::invalid_argument);
}

TEST(CommitteeTheory, GapByHand)
{
    // S_c* is the second client: F* of the committee 1; mean of all 0.5 * 3 + 0.25 * 1 + 0.25 * 2
    AggregationGap gap({0.5, 0.25, 0.25}, {3, 1, 2}, 1);
    const std::vector<double> losses = {4, 5, 6}; // F = 4.75, so F - 2.25 = 2.5
    EXPECT_DOUBLE_EQ(gap.Compute({1}, losses), (5 - 1) / 2.5);
    EXPECT_DOUBLE_EQ(gap.Compute({0, 2}, losses), ((2 * 4 + 6) / 3.0 - 1) / 2.5);
    EXPECT_DOUBLE_EQ(gap.ComputeObjectiveSpread({0, 2}), (2 * 3 + 2) / 3.0 - 1);
    gap.Add({1}, losses, losses);
    gap.Add({0, 2}, losses, losses);
    EXPECT_DOUBLE_EQ(gap.GetMin(), 11 / 3.0 / 2.5);
    EXPECT_DOUBLE_EQ(gap.GetMax(), 4 / 2.5);
    EXPECT_THROW(gap.Compute({3}, losses), std::invalid_argument);
    EXPECT_THROW(gap.Compute({}, losses), std::invalid_argument);
    EXPECT_THROW(gap.Compute({0}, {3, 1, 2}), std::invalid_argument);
    EXPECT_THROW(AggregationGap({1}, {1}, 2), std::invalid_argument);
}
