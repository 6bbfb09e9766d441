/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/aggregation/aggregation-reference.h"
#include "learning/test-vectors.h"

#include "ns3/collab-gradient-attack.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <stdexcept>

namespace
{

using namespace ns3::collab;
using testing::Each;
using testing::ElementsAre;

const std::vector<float> OWN = {1, -2, 0.5F, 4}; //!< the attacker's own update

/**
 * @param attack specification
 * @param own update; d elements
 * @param honest updates
 * @param seed of the attack
 * @return the forged update, for n = 25 and f = 5
 */
std::vector<float>
Forge(const std::string& attack,
      const std::vector<float>& own,
      const VectorStack* honest = nullptr,
      uint64_t seed = 1)
{
    std::vector<float> forged(own.size());
    MakeGradientAttack(attack)->Forge({own.data(), honest, own.size(), 25, 5, seed}, forged.data());
    return forged;
}

/**
 * @param values to judge
 * @return mean and standard deviation
 */
std::pair<double, double>
Moments(const std::vector<float>& values)
{
    double mean = 0;
    double square = 0;
    for (const float value : values)
    {
        mean += value / static_cast<double>(values.size());
        square += double{value} * value / static_cast<double>(values.size());
    }
    return {mean, std::sqrt(square - mean * mean)};
}

TEST(GradientAttackTest, FixedOnesByHand)
{
    EXPECT_THAT(Forge("back-gradient", OWN), ElementsAre(-1, 2, -0.5, -4));
    EXPECT_THAT(Forge("sign-flip:scale=3", OWN), ElementsAre(-3, 6, -1.5, -12));
    EXPECT_THAT(Forge("same-value", OWN), Each(0));
    EXPECT_THAT(Forge("same-value:value=-7", OWN), Each(-7));
}

TEST(GradientAttackTest, ScalingDrawsAFactorForEachElement)
{
    const std::vector<float> forged = Forge("scaling", std::vector<float>(10000, 2));
    EXPECT_GE(*std::min_element(forged.begin(), forged.end()), 1);
    EXPECT_LE(*std::max_element(forged.begin(), forged.end()), 2);
    EXPECT_NEAR(Moments(forged).first, 1.5, 0.02);
    EXPECT_NEAR(Moments(forged).second, 1 / std::sqrt(12), 0.01);
    const auto shared = Forge("scaling:low=-3,high=-2,shared=1", {1, -2});
    EXPECT_GE(shared[0], -3);
    EXPECT_LT(shared[0], -2);
    EXPECT_FLOAT_EQ(shared[1], -2 * shared[0]);
}

TEST(GradientAttackTest, NoiseHasItsMoments)
{
    const std::vector<float> own(20000, 5);
    const auto replaced = Moments(Forge("gaussian:mean=-1,sigma=200", own));
    EXPECT_NEAR(replaced.first, -1, 5);
    EXPECT_NEAR(replaced.second, 200, 4);
    const auto added = Moments(Forge("noise:sigma=0.5", own));
    EXPECT_NEAR(added.first, 5, 0.02);
    EXPECT_NEAR(added.second, 0.5, 0.01);
}

TEST(GradientAttackTest, TheSeedDecides)
{
    for (const char* attack : {"scaling", "gaussian", "noise"})
    {
        EXPECT_EQ(Forge(attack, OWN, nullptr, 3), Forge(attack, OWN, nullptr, 3));
        EXPECT_NE(Forge(attack, OWN, nullptr, 3), Forge(attack, OWN, nullptr, 4));
    }
}

TEST(GradientAttackTest, HonestUpdatesByHand)
{
    Matrix<float> honest(2, 4); // means 2, 0, -1, 10, population deviations 1, 3, 0, 2
    honest.values = {1, 3, -1, 8, 3, -3, -1, 12};
    const VectorStack stack(honest);
    EXPECT_THAT(Forge("ipm:epsilon=0.1", OWN, &stack), ElementsAre(-0.2F, 0, 0.1F, -1));
    EXPECT_THAT(Forge("alie:z=1.5", OWN, &stack), ElementsAre(0.5, -4.5, -1, 7));
    EXPECT_FLOAT_EQ(Forge("alie", OWN, &stack)[0], static_cast<float>(2 - EXPECTED_ALIE_25_5[0]));
}

TEST(GradientAttackTest, AlieFactorAgreesWithScipy)
{
    EXPECT_NEAR(AlieFactor(50, 24), EXPECTED_ALIE_50_24[0], 1e-12);
    EXPECT_NEAR(AlieFactor(51, 12), EXPECTED_ALIE_51_12[0], 1e-12);
    EXPECT_NEAR(AlieFactor(25, 5), EXPECTED_ALIE_25_5[0], 1e-12);
    EXPECT_THROW(AlieFactor(50, 25), std::invalid_argument);
    EXPECT_THROW(AlieFactor(50, 0), std::invalid_argument);
}

TEST(GradientAttackTest, SaysWhatItNeedsAndRefusesWithoutIt)
{
    std::vector<float> forged(4);
    for (const std::string& name : GetGradientAttackNames())
    {
        const auto attack = MakeGradientAttack(name);
        AttackKnowledge nothing;
        nothing.dimension = 4;
        if (attack->NeedsOwn() || attack->NeedsHonest())
        {
            EXPECT_THROW(attack->Forge(nothing, forged.data()), std::invalid_argument) << name;
        }
        else
        {
            EXPECT_NO_THROW(attack->Forge(nothing, forged.data())) << name;
        }
        EXPECT_EQ(attack->NeedsHonest(), name == "alie" || name == "ipm");
    }
    const float infinite = std::numeric_limits<float>::infinity();
    EXPECT_THROW(Forge("back-gradient", {1, infinite}), std::invalid_argument);
    const Matrix<float> bad(2, 4, infinite);
    const VectorStack badStack(bad);
    EXPECT_THROW(Forge("ipm", OWN, &badStack), std::invalid_argument);
    const Matrix<float> small(2, 3);
    const VectorStack smallStack(small);
    EXPECT_THROW(Forge("ipm", OWN, &smallStack), std::invalid_argument);
}

TEST(GradientAttackTest, RefusesSpecifications)
{
    for (const char* attack : {"",
                               "krum",
                               "scaling:low=1,high=0.5",
                               "scaling:shared=2",
                               "alie:z=x",
                               "ipm:epsilon=-1",
                               "noise:mean=1",
                               "back-gradient:sigma=1"})
    {
        EXPECT_THROW(MakeGradientAttack(attack), std::invalid_argument) << attack;
    }
}

TEST(GradientAttackTest, FlipsLabels)
{
    EXPECT_THAT(FlipLabels({0, 9, 4, 5}, 10), ElementsAre(9, 0, 5, 4));
    EXPECT_THROW(FlipLabels({10}, 10), std::invalid_argument);
    EXPECT_THROW(FlipLabels({-1}, 10), std::invalid_argument);
}

} // namespace
