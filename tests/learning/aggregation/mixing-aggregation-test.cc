/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"
#include "mixing-reference.h"
#include "support/refusals.h"

#include "ns3/collab-aggregation-rule.h"
#include "ns3/collab-gradient-attack.h"
#include "ns3/collab-mixing-aggregation.h"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>

namespace mixing_test
{

using namespace ns3::collab;
using testing::ElementsAre;
using testing::HasSubstr;
using tests::MakeMatrix;

/// @return the vectors of make-mixing-reference.py
Matrix<float>
MakeVectors()
{
    Matrix<float> vectors(11, 7);
    for (std::size_t i = 0; i < 11; ++i)
    {
        for (std::size_t k = 0; k < 7; ++k)
        {
            const double x = std::sin(1.0 + 3.0 * i + 5.0 * k) + k / 10.0;
            vectors(i, k) = static_cast<float>(i == 2 || i == 7 ? 10 * x + 20 : x);
        }
    }
    return vectors;
}

/// @return what a rule makes of vectors with equal weights
std::vector<float>
Aggregate(const std::string& rule, const Matrix<float>& vectors, const float* last = nullptr)
{
    std::vector<float> result(vectors.columns);
    MakeAggregationRule(rule)->AggregateFrom(
        VectorStack(vectors), std::vector<double>(vectors.rows, 1), last, result.data());
    return result;
}

TEST(MixingAggregationTest, AgreesWithNumpy)
{
    const Matrix<float> vectors = MakeVectors();
    tests::ExpectNear(MixNearest(VectorStack(vectors), 2).values, EXPECTED_NNM_2, 1e-5);
    tests::ExpectNear(ClipAdaptively(VectorStack(vectors), 2).values, EXPECTED_ARC_2, 1e-5);
    tests::ExpectNear(
        Aggregate("arc:f=2+nnm:f=2+median:f=2", vectors), EXPECTED_ARC_NNM_MEDIAN, 1e-5);
    tests::ExpectNear(Aggregate("centered-clipping:tau=2", vectors), EXPECTED_CENTERED_1, 1e-5);
    tests::ExpectNear(Aggregate("centered-clipping:tau=2,iterations=3", vectors, vectors.Row(0)),
                      EXPECTED_CENTERED_3,
                      1e-5);
}

TEST(MixingAggregationTest, ByHand)
{
    const auto line = MakeMatrix(1, {0, 1, 3, 100});
    // 100 is nearest to 3 and 1; of 1, both neighbors are nearer than 100
    EXPECT_THAT(MixNearest(VectorStack(line), 1).values,
                ElementsAre(4 / 3.0F, 4 / 3.0F, 4 / 3.0F, 104 / 3.0F));
    EXPECT_THAT(AverageNearest(VectorStack(line), 1, 2), ElementsAre(0.5F));
    EXPECT_THAT(AverageNearest(VectorStack(line), 3, 3), ElementsAre(100));
    // k = floor(2 / 4 * 3) = 1: to the second-longest norm
    EXPECT_THAT(ClipAdaptively(VectorStack(MakeMatrix(1, {0, 1, -3, 100})), 1).values,
                ElementsAre(0, 1, -3, 3));
    EXPECT_EQ(FindClippingRadius({3, 1, 2}, 0), 3);
    EXPECT_EQ(FindClippingRadius({3, 1, 2}, 1), 2);
    EXPECT_EQ(FindClippingRadius({3, 1, 2}, 7), 1);
    EXPECT_EQ(FindClippingRadius({}, 1), 0);
}

TEST(MixingAggregationTest, RulesStartFromWhatTheyMadeLastIfTheySaySo)
{
    const auto vectors = MakeMatrix(1, {10, 10, 10});
    const float last = 4;
    for (const std::string rule : {"centered-clipping:tau=1", "nnm:f=1+centered-clipping:tau=1"})
    {
        EXPECT_TRUE(MakeAggregationRule(rule)->StartsFromLast());
        EXPECT_THAT(Aggregate(rule, vectors), ElementsAre(1));
        EXPECT_THAT(Aggregate(rule, vectors, &last), ElementsAre(5));
    }
    EXPECT_FALSE(MakeAggregationRule("nnm:f=1+median")->StartsFromLast());
    EXPECT_THAT(Aggregate("nnm:f=1+median", vectors, &last), ElementsAre(10));
}

TEST(MixingAggregationTest, RefusesWhatItCannotUse)
{
    const auto refuse = [](const std::string& rule, const std::string& why) {
        tests::ExpectRefused(why, [&]() { MakeAggregationRule(rule); });
    };
    refuse("nnm:f=2", "needs another one after it");
    refuse("nnm+median", "nnm needs f=COUNT");
    refuse("median+mean", "unknown aggregation rule 'median'; known: arc, nnm");
    refuse("arc:f=1+", "");
    refuse("centered-clipping", "needs tau=RADIUS");
    EXPECT_NO_THROW(MakeAggregationRule("arc:f=1+centered-clipping:tau=1e+5"));
    EXPECT_NO_THROW(MakeAggregationRule("arc:f=2+nnm:f=1+median")->CheckCount(5));
    for (const std::string rule : {"arc:f=2+mean", "nnm:f=2+mean", "nnm:f=1+median:f=2"})
    {
        tests::ExpectRefused("2 f + 1", [&]() { MakeAggregationRule(rule)->CheckCount(4); });
    }
    auto vectors = MakeMatrix(2, {1, 2, 3, 4, 5, std::numeric_limits<float>::infinity()});
    for (const std::string rule : {"arc:f=1+mean", "nnm:f=1+mean", "centered-clipping:tau=1"})
    {
        tests::ExpectRefused("", [&]() { Aggregate(rule, vectors); });
    }
    vectors(2, 1) = 3e38F; // whose square no float can hold
    EXPECT_THAT(Aggregate("centered-clipping:tau=1", vectors)[1], testing::Gt(0));
}

TEST(MixingAggregationTest, MimicSendsTheFirstHonestUpdate)
{
    const auto honest = MakeMatrix(2, {1, 2, 3, 4});
    const VectorStack stack(honest);
    AttackKnowledge knowledge;
    knowledge.honest = &stack;
    knowledge.dimension = 2;
    std::vector<float> forged(2);
    const auto attack = MakeGradientAttack("mimic");
    EXPECT_TRUE(attack->NeedsHonest() && !attack->NeedsOwn());
    attack->Forge(knowledge, forged.data());
    EXPECT_THAT(forged, ElementsAre(1, 2));
    knowledge.honest = nullptr;
    tests::ExpectRefused("knows none", [&]() { attack->Forge(knowledge, forged.data()); });
}

} // namespace mixing_test
