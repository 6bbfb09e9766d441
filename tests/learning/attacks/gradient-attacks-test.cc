/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/aggregation/aggregation-reference.h"
#include "learning/learning-test-support.h"

#include "ns3/collab-gradient-adversary.h"
#include "ns3/collab-gradient-attack.h"
#include "ns3/collab-shared-evaluation.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <stdexcept>

namespace gradient_attacks_test
{

using namespace ns3::collab;
using namespace tests;
using testing::Each;
using testing::ElementsAre;
using testing::FloatEq;

const std::vector<float> OWN = {1, -2, 0.5F, 4}; //!< the attacker's own update

/// @return the forged update, for n = 25 and f = 5
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
    EXPECT_NEAR(Moments(forged).mean, 1.5, 0.02);
    EXPECT_NEAR(Moments(forged).deviation, 1 / std::sqrt(12), 0.01);
    const auto shared = Forge("scaling:low=-3,high=-2,shared=1", {1, -2});
    EXPECT_GE(shared[0], -3);
    EXPECT_LT(shared[0], -2);
    EXPECT_FLOAT_EQ(shared[1], -2 * shared[0]);
}

TEST(GradientAttackTest, NoiseHasItsMoments)
{
    const std::vector<float> own(20000, 5);
    const Moments replaced(Forge("gaussian:mean=-1,sigma=200", own));
    EXPECT_NEAR(replaced.mean, -1, 5);
    EXPECT_NEAR(replaced.deviation, 200, 4);
    const Moments added(Forge("noise:sigma=0.5", own));
    EXPECT_NEAR(added.mean, 5, 0.02);
    EXPECT_NEAR(added.deviation, 0.5, 0.01);
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
    // Means 2, 0, -1, 10, population deviations 1, 3, 0, 2
    const auto honest = MakeMatrix(4, {1, 3, -1, 8, 3, -3, -1, 12});
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
        EXPECT_EQ(attack->NeedsHonest(), name == "alie" || name == "ipm" || name == "mimic");
    }
    EXPECT_THROW(Forge("back-gradient", {1, INFINITY}), std::invalid_argument);
    const Matrix<float> bad(2, 4, INFINITY);
    const VectorStack badStack(bad);
    EXPECT_THROW(Forge("ipm", OWN, &badStack), std::invalid_argument);
    const Matrix<float> small(2, 3);
    const VectorStack smallStack(small);
    EXPECT_THROW(Forge("ipm", OWN, &smallStack), std::invalid_argument);
}

TEST(GradientAttackTest, RefusesSpecifications)
{
    ExpectEachRefused<>({"",
                         "krum",
                         "scaling:low=1,high=0.5",
                         "scaling:shared=2",
                         "alie:z=x",
                         "ipm:epsilon=-1",
                         "noise:mean=1",
                         "back-gradient:sigma=1"},
                        MakeGradientAttack);
}

TEST(GradientAttackTest, FlipsLabels)
{
    EXPECT_THAT(FlipLabels({0, 9, 4, 5}, 10), ElementsAre(9, 0, 5, 4));
    EXPECT_THROW(FlipLabels({10}, 10), std::invalid_argument);
    EXPECT_THROW(FlipLabels({-1}, 10), std::invalid_argument);
}

FlatVector
Vector(std::vector<float> values)
{
    return std::make_shared<const std::vector<float>>(std::move(values));
}

/// Devices that plan together, and what they upload
class GradientAdversaryTest : public ::testing::Test
{
  protected:
    void
    Add(uint32_t device, const std::string& attack)
    {
        m_adversaries[device].SetAttack(attack);
        m_adversaries[device].SetCollusion(m_collusion, device);
    }

    void
    Forge(uint32_t device, std::vector<float> honest, std::size_t count = 9, bool isSent = true)
    {
        GradientAdversary::Upload upload;
        upload.isSent = isSent;
        upload.round = 1;
        upload.honest = Vector(std::move(honest));
        upload.count = count;
        m_adversaries[device].Forge(upload,
                                    [this, device](FlatVector sent) { m_sent[device] = *sent; });
    }

    std::shared_ptr<GradientCollusion> m_collusion = std::make_shared<GradientCollusion>();
    std::map<uint32_t, GradientAdversary> m_adversaries;
    std::map<uint32_t, std::vector<float>> m_sent;
};

TEST_F(GradientAdversaryTest, HonestDevicesAndLonelyAttackersAnswerAtOnce)
{
    Add(1, "");
    Add(2, "back-gradient");
    m_adversaries[1].Begin(1);
    m_adversaries[2].Begin(1);
    Forge(1, {1, 2});
    Forge(2, {1, 2});
    EXPECT_THAT(m_sent[1], ElementsAre(1, 2));
    EXPECT_THAT(m_sent[2], ElementsAre(-1, -2));
    EXPECT_EQ(m_adversaries[2].GetAttack(), "back-gradient");
    EXPECT_THROW(m_adversaries[1].SetAttack("frontal"), std::invalid_argument);
}

TEST_F(GradientAdversaryTest, AccompliceWaitsForAllThatHaveBegun)
{
    for (const uint32_t device : {1, 2, 3})
    {
        Add(device, "ipm:epsilon=2");
        m_adversaries[device].Begin(1);
    }
    Forge(1, {1, 0});
    Forge(2, {3, 0});
    EXPECT_TRUE(m_sent.empty());
    m_adversaries[3].Tell(1, Vector({5, 3})); // a member of the committee, which uploads nothing
    EXPECT_THAT(m_sent[1], ElementsAre(-6, -2));
    EXPECT_EQ(m_sent[1], m_sent[2]);
    EXPECT_EQ(m_sent.count(3), 0);
}

TEST_F(GradientAdversaryTest, WhatIsOnlyWorkedOutIsNoUpload)
{
    for (const uint32_t device : {1, 2, 3})
    {
        Add(device, "alie");
        m_adversaries[device].Begin(1);
    }
    Forge(1, {1});
    Forge(2, {3}, 9, false); // members of the committee
    Forge(3, {5}, 9, false);
    const auto z = static_cast<float>(AlieFactor(9, 1)); // one forged upload of 9
    const float deviation = std::sqrt(8.0F / 3);
    EXPECT_THAT(m_sent[1], ElementsAre(FloatEq(3 - z * deviation)));
    EXPECT_EQ(m_sent[2], m_sent[1]); // all know what it is
    EXPECT_EQ(m_sent[3], m_sent[1]);
    // Where nobody uploads at all they think of one that does
    m_adversaries[2].Begin(2);
    GradientAdversary::Upload upload;
    upload.round = 2;
    upload.honest = Vector({7});
    upload.count = 9;
    upload.isSent = false;
    m_adversaries[2].Forge(upload, [this](FlatVector sent) { m_sent[2] = *sent; });
    EXPECT_THAT(m_sent[2], ElementsAre(7));
}

TEST_F(GradientAdversaryTest, NobodyWaitsForOneThatGivesUp)
{
    for (const uint32_t device : {1, 2, 3})
    {
        Add(device, "ipm:epsilon=1");
        m_adversaries[device].Begin(1);
    }
    Forge(1, {1});
    Forge(2, {3});
    m_adversaries[2].Withdraw(); // it knows its gradient, but does not upload it any more
    m_adversaries[3].Withdraw();
    EXPECT_THAT(m_sent[1], ElementsAre(-2));
    EXPECT_EQ(m_sent.count(2), 0);
}

TEST_F(GradientAdversaryTest, WeightsAreForgedByWhatIsUploaded)
{
    GradientAdversary::Upload upload;
    upload.honest = Vector({4, -2});
    upload.target = AttackTarget::WEIGHTS;
    upload.model = Vector({1, 2});
    upload.step = -0.5; // of a gradient: weights are (-1, 3)
    for (const auto& [attack, weights] : std::map<std::string, std::vector<float>>{
             {"back-gradient", {1, -3}}, {"same-value", {0, 0}}, {"same-value:value=2", {2, 2}}})
    {
        Add(1, attack);
        m_adversaries[1].Forge(upload, [this](FlatVector sent) { m_sent[1] = *sent; });
        for (std::size_t i = 0; i < 2; ++i)
        {
            EXPECT_FLOAT_EQ((*upload.model)[i] - 0.5F * m_sent[1][i], weights[i]) << attack;
        }
    }
    upload.model = Vector({1});
    EXPECT_THROW(m_adversaries[1].Forge(upload, [](FlatVector) {}), std::invalid_argument);
}

TEST_F(GradientAdversaryTest, AccomplicesEstimateWeightsByTheirs)
{
    for (const uint32_t device : {1, 2})
    {
        Add(device, "ipm:epsilon=1");
        m_adversaries[device].Begin(1);
    }
    for (const uint32_t device : {1, 2})
    {
        GradientAdversary::Upload upload;
        upload.round = 1;
        upload.honest = Vector({2.0F * device});
        upload.count = 9;
        upload.target = AttackTarget::WEIGHTS;
        upload.model = Vector({10});
        m_adversaries[device].Forge(upload,
                                    [this, device](FlatVector sent) { m_sent[device] = *sent; });
    }
    // Weights 12 and 14, mean 13; sent is what leads from 10 to -13
    EXPECT_THAT(m_sent[1], ElementsAre(-23));
    EXPECT_THAT(m_sent[2], ElementsAre(-23));
}

TEST_F(GradientAdversaryTest, MajoritiesOfAttackersTakeThemselvesForAMinority)
{
    for (const uint32_t device : {1, 2})
    {
        Add(device, "alie");
        m_adversaries[device].Begin(1);
    }
    Forge(1, {1}, 3);
    Forge(2, {3}, 3);
    const auto z = static_cast<float>(AlieFactor(3, 1)); // not 2 of 3
    EXPECT_THAT(m_sent[1], ElementsAre(FloatEq(2 - z)));
}

TEST_F(GradientAdversaryTest, OfTwoUploadsNoneIsForged)
{
    Add(1, "alie");
    m_adversaries[1].Begin(1);
    Forge(1, {7}, 2);
    EXPECT_THAT(m_sent[1], ElementsAre(7));
}

TEST_F(GradientAdversaryTest, NeedsAccomplicesWhereTheAttackDoes)
{
    m_adversaries[1].SetAttack("alie");
    EXPECT_THROW(Forge(1, {7}), std::invalid_argument);
}

} // namespace gradient_attacks_test
