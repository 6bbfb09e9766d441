/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-gradient-adversary.h"
#include "ns3/collab-shared-evaluation.h"

#include <cmath>
#include <gmock/gmock.h>
#include <stdexcept>

using namespace ns3::collab;
using ::testing::ElementsAre;
using ::testing::FloatEq;

namespace
{

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

} // namespace

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
