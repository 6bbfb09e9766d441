/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-theory-inputs.h"
#include "belief-theory-reference.h"

#include "ns3/belief-consensus-linear-theory.h"
#include "ns3/belief-consensus-mixing.h"

#include <gtest/gtest.h>
#include <stdexcept>

using namespace ns3::collab;
namespace reference = belief_theory_reference;

namespace
{

/// @return users A and B of Example 1, and the second moment of its test inputs
std::pair<std::vector<LinearUser>, Matrix<double>>
MakeExample()
{
    return {{{MakeSquare(3, {1, 0, 0, 0, 1.0 / 3, 0, 0, 0, 0}), .8},
             {MakeSquare(3, {1, 0, 0, 0, 0, 0, 0, 0, .75}), .8}},
            MakeSquare(3, {1, 0, 0, 0, 1.0 / 3, 0, 0, 0, .75})};
}

} // namespace

TEST(BeliefLinearTheory, ExampleOfThePaper)
{
    const auto [users, test] = MakeExample();
    const auto v = ComputeInfluence(MakeSquare(2, {.9, .1, .6, .4}));
    const LinearLimits paper = ComputeLinearLimits(users, v, test);
    EXPECT_NEAR(paper.cooperating, reference::LINEAR_LIMITS[0], 1e-13);
    EXPECT_NEAR(paper.central, reference::LINEAR_LIMITS[1], 1e-13);
    EXPECT_NEAR(paper.ratio, 1.102, 5e-4);
    // Both see the intercept: 0.64 (1/2 + 1 + 1); and with weights, 37/49 for 1/2
    EXPECT_NEAR(paper.central, .64 * 2.5, 1e-13);
    EXPECT_NEAR(paper.cooperating, .64 * (37.0 / 49 + 2), 1e-13);
}

TEST(BeliefLinearTheory, EvidenceByTheNetworkIsThatOfTheCentralUser)
{
    const auto [users, test] = MakeExample();
    EXPECT_NEAR(ComputeLinearLimits(users, {1, 1}, test).ratio, 1, 1e-15);
    EXPECT_NEAR(ComputeLinearLimits(users, {.5, .5}, test).ratio, 1, 1e-15);
}

TEST(BeliefLinearTheory, NoiseWeighsUsers)
{
    // Two users see one constant with variances 1 and 4: 1 / (1 + 1/4)
    const std::vector<LinearUser> users{{MakeSquare(1, {1}), 1}, {MakeSquare(1, {1}), 2}};
    const LinearLimits limits = ComputeLinearLimits(users, {.5, .5}, MakeSquare(1, {3}));
    EXPECT_NEAR(limits.central, 3 * .8, 1e-15);
    EXPECT_NEAR(limits.ratio, 1, 1e-15);
}

TEST(BeliefLinearTheory, ChecksArguments)
{
    const auto [users, test] = MakeExample();
    EXPECT_THROW(ComputeLinearLimits(users, {1}, test), std::invalid_argument);
    EXPECT_THROW(ComputeLinearLimits(users, {1, 0}, test), std::invalid_argument);
    EXPECT_THROW(ComputeLinearLimits(users, {1, 1}, MakeSquare(1, {1})), std::invalid_argument);
    EXPECT_THROW(ComputeLinearLimits({users[0]}, {1}, test), std::invalid_argument);
}
