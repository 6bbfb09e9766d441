/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/belief-consensus-effective-weights.h"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <numeric>

using namespace ns3::collab;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

namespace
{

constexpr double EXACT = 1e-15;
const std::vector<double> ROW = {0.2, 0.3, 0.1}; //!< W_ii = 0.4
const std::vector<MissingBeliefPolicy> POLICIES = {
    MissingBeliefPolicy::SELF, MissingBeliefPolicy::RENORMALIZE, MissingBeliefPolicy::STALE};

/// What is expected, up to rounding
auto
Are(std::vector<double> weights)
{
    return Pointwise(DoubleNear(EXACT), std::move(weights));
}

} // namespace

TEST(EffectiveWeightsTest, SelfTakesTheWeightOfWhoIsMissing)
{
    const auto policy = MissingBeliefPolicy::SELF;
    EXPECT_THAT(ComputeEffectiveWeights(ROW, 0.4, {true, false, true}, policy),
                Are({0.7, 0.2, 0, 0.1}));
    EXPECT_THAT(ComputeEffectiveWeights(ROW, 0.4, {false, false, true}, policy),
                Are({0.9, 0, 0, 0.1}));
    EXPECT_THAT(ComputeEffectiveWeights(ROW, 0.4, {false, false, false}, policy),
                Are({1, 0, 0, 0}));
}

TEST(EffectiveWeightsTest, OthersGoInProportion)
{
    for (const auto policy : {MissingBeliefPolicy::RENORMALIZE, MissingBeliefPolicy::STALE})
    {
        // 0.4, 0.2 and 0.1 of 0.7
        EXPECT_THAT(ComputeEffectiveWeights(ROW, 0.4, {true, false, true}, policy),
                    Are({4.0 / 7, 2.0 / 7, 0, 1.0 / 7}));
        EXPECT_THAT(ComputeEffectiveWeights(ROW, 0.4, {false, true, false}, policy),
                    Are({4.0 / 7, 0, 3.0 / 7, 0}));
        EXPECT_THAT(ComputeEffectiveWeights(ROW, 0.4, {false, false, false}, policy),
                    Are({1, 0, 0, 0}));
    }
}

TEST(EffectiveWeightsTest, WhoHasNoWeightOfItsOwn)
{
    const std::vector<double> row = {0.25, 0.75};
    EXPECT_THAT(ComputeEffectiveWeights(row, 0, {true, false}, MissingBeliefPolicy::SELF),
                ElementsAre(0.75, 0.25, 0));
    for (const auto policy : {MissingBeliefPolicy::RENORMALIZE, MissingBeliefPolicy::STALE})
    {
        EXPECT_THAT(ComputeEffectiveWeights(row, 0, {true, false}, policy), ElementsAre(0, 1, 0));
        EXPECT_THAT(ComputeEffectiveWeights(row, 0, {false, false}, policy), ElementsAre(1, 0, 0));
    }
    // Nobody with a weight is there
    EXPECT_THAT(ComputeEffectiveWeights({0, 1}, 0, {true, false}, MissingBeliefPolicy::RENORMALIZE),
                ElementsAre(1, 0, 0));
}

TEST(EffectiveWeightsTest, NothingChangesIfAllAreThere)
{
    const std::vector<double> thirds = {1.0 / 3, 1.0 / 3}; // whose sum with the rest is rounded
    const double rest = 1 - 1.0 / 3 - 1.0 / 3;
    for (const auto policy : POLICIES)
    {
        EXPECT_THAT(ComputeEffectiveWeights(ROW, 0.4, {true, true, true}, policy),
                    ElementsAre(0.4, 0.2, 0.3, 0.1));
        EXPECT_THAT(ComputeEffectiveWeights(thirds, rest, {true, true}, policy),
                    ElementsAre(rest, 1.0 / 3, 1.0 / 3));
        EXPECT_THAT(ComputeEffectiveWeights({}, 1, {}, policy), ElementsAre(1));
    }
}

TEST(EffectiveWeightsTest, TheSumStays)
{
    for (const auto policy : POLICIES)
    {
        for (unsigned heard = 0; heard < 8; ++heard)
        {
            const auto weights = ComputeEffectiveWeights(
                ROW, 0.4, {(heard & 1) != 0, (heard & 2) != 0, (heard & 4) != 0}, policy);
            EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, EXACT) << heard;
            for (unsigned j = 0; j < 3; ++j)
            {
                EXPECT_EQ(weights[j + 1] > 0, (heard >> j & 1) != 0) << heard;
            }
        }
    }
}

TEST(EffectiveWeightsTest, NumbersThatHaveNotComeAreCompleted)
{
    const double none = std::nan("");
    const auto belief = [](std::vector<double> numbers) {
        return std::make_shared<const std::vector<double>>(std::move(numbers));
    };
    const std::vector<WeightedBelief> told = {{belief({1, 1, 1, 1}), 0.5},
                                              {belief({2, none, 2, none}), 0.3},
                                              {belief({4, 4, none, none}), 0.2}};
    auto own = told;
    const auto shares = CompleteBeliefs(own, MissingBeliefPolicy::SELF);
    EXPECT_THAT(*own[1].belief, ElementsAre(2, 1, 2, 1));
    EXPECT_THAT(*own[2].belief, ElementsAre(4, 4, 1, 1));
    EXPECT_THAT(shares.values, ElementsAre(1, 0, 0, 0.5, 0.5, 0, 0.5, 0, 0.5));
    for (const auto policy : {MissingBeliefPolicy::RENORMALIZE, MissingBeliefPolicy::STALE})
    {
        auto mean = told;
        const auto others = CompleteBeliefs(mean, policy);
        EXPECT_THAT(*mean[1].belief, Are({2, 1.3 / 0.7, 2, 1}));
        EXPECT_THAT(*mean[2].belief, Are({4, 4, 1.1 / 0.8, 1}));
        // Half of the second one's numbers are its own, a quarter the first one's, and a quarter
        // 5/7 of the first one's and 2/7 of the third one's
        EXPECT_THAT(others.values,
                    Are({1,
                         0,
                         0, //
                         0.25 * (1 + 5.0 / 7),
                         0.5,
                         0.25 * 2 / 7, //
                         0.25 * (1 + 5.0 / 8),
                         0.25 * 3 / 8,
                         0.5}));
    }
}

TEST(EffectiveWeightsTest, MetropolisOfWhoIsHeard)
{
    using Degrees = std::vector<std::optional<uint32_t>>;
    EXPECT_THAT(MakeHeardRow(2, Degrees{1, 3, std::nullopt}), Are({1.0 / 3, 1.0 / 4, 0}));
    EXPECT_THAT(MakeHeardRow(1, Degrees{1, 1, 1}), Are({0.25, 0.25, 0.25})); // they came back
    EXPECT_THAT(MakeHeardRow(5, Degrees{}), Are({}));
}

TEST(ClipWeightsTest, WhoIsTooFarAwayWeighsLess)
{
    std::vector<double> weights = {0.4, 0.2, 0.3, 0.1};
    ClipWeights(weights, {1, 4, 2}, 2);
    EXPECT_THAT(weights, Are({0.55, 0.2, 0.15, 0.1})); // one is at the radius, one twice as far
    ClipWeights(weights, {INFINITY, INFINITY, INFINITY}, 2);
    EXPECT_THAT(weights, Are({1, 0, 0, 0}));
}

TEST(ClipWeightsTest, ThePullIsLimited)
{
    // The pull of j is at most W_ij r, however far away it is
    for (const double distance : {3.0, 1e6, 1e300, std::numeric_limits<double>::max()})
    {
        std::vector<double> weights = {0.5, 0.5};
        ClipWeights(weights, {distance}, 2);
        EXPECT_NEAR(weights[1] * distance, 1, 1e-12) << distance;
        EXPECT_NEAR(weights[0] + weights[1], 1, EXACT);
    }
}

TEST(ClipWeightsTest, WhoIsNearKeepsAllBits)
{
    std::vector<double> weights = {1 - 1.0 / 3 - 1.0 / 3, 1.0 / 3, 1.0 / 3};
    const auto before = weights;
    ClipWeights(weights, {0, 7}, std::numeric_limits<double>::max());
    EXPECT_EQ(weights, before);
}
