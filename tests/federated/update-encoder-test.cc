/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-differential-privacy.h"
#include "ns3/federated-update-encoder.h"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <stdexcept>

namespace
{

using namespace ns3::collab;
using testing::ElementsAre;

FlatVector
Numbers(std::vector<float> values)
{
    return std::make_shared<const std::vector<float>>(std::move(values));
}

TEST(UpdateEncoderTest, SendsLaterWhatCompressionLost)
{
    UpdateEncoder plain(MakeCompressor("top-k:k=1"), false, {}, 0);
    UpdateEncoder feedback(MakeCompressor("top-k:k=1"), true, {}, 0);
    for (UpdateEncoder* encoder : {&plain, &feedback})
    {
        EXPECT_THAT(*encoder->Encode(Numbers({3, 2, 0}), 1, 1).GetValues(), ElementsAre(3, 0, 0));
    }
    EXPECT_THAT(*plain.Encode(Numbers({3, 2, 0}), 1, 1).GetValues(), ElementsAre(3, 0, 0));
    const auto second = feedback.Encode(Numbers({3, 2, 0}), 1, 1); // 2 of the first is in it
    EXPECT_THAT(*second.GetValues(), ElementsAre(0, 4, 0));
    EXPECT_EQ(second.WireSize(), plain.Encode(Numbers({3, 2, 0}), 1, 1).WireSize());
    EXPECT_THAT(*feedback.Encode(Numbers({3, 2, 0}), 1, 1).GetValues(), ElementsAre(6, 0, 0));
    EXPECT_THROW(UpdateEncoder(MakeCompressor("random-k:k=1,unbiased=1"), true, {}, 0),
                 std::invalid_argument);
}

TEST(UpdateEncoderTest, ClipsAndAddsNoise)
{
    UpdatePrivacy privacy;
    privacy.clip = 5;
    privacy.sigma = 0.5;
    UpdateEncoder encoder(MakeCompressor("float32"), false, privacy, 3);
    EXPECT_EQ(encoder.GetEpsilon(), 0);
    std::vector<float> large(20000, 0.0F);
    large[0] = 3000;
    large[1] = 4000;
    UpdatePrivacy quiet = privacy;
    quiet.sigma = 1e-3;
    const auto clipped = *UpdateEncoder(MakeCompressor("float32"), false, quiet, 3)
                              .Encode(Numbers(large), 7, 1)
                              .GetValues();
    EXPECT_NEAR(clipped[0], 3, 0.01);
    EXPECT_NEAR(clipped[1], 4, 0.01);
    const auto sent = *encoder.Encode(Numbers(large), 7, 1).GetValues();
    double squares = 0;
    for (std::size_t i = 2; i < sent.size(); ++i)
    {
        squares += double{sent[i]} * sent[i];
    }
    EXPECT_NEAR(std::sqrt(squares / 19998), 0.5, 0.01);
    EXPECT_EQ(encoder.GetEpsilon(), GaussianEpsilon(10, 0.5, 1e-5));
    const auto other = *encoder.Encode(Numbers(large), 8, 1).GetValues();
    EXPECT_NE(sent, other);
    EXPECT_EQ(encoder.GetEpsilon(), ComposedGaussianEpsilon(10, 0.5, 1e-5, 2));
}

TEST(UpdateEncoderTest, NothingThatIsSentTellsTheNoise)
{
    // random-k sends the seed of its places, with which a receiver must not know the noise
    const std::vector<float> nothing(100, 0.0F);
    UpdateEncoder one(MakeCompressor("random-k:fraction=1"), false, UpdatePrivacy(), 3);
    UpdateEncoder other(MakeCompressor("random-k:fraction=1"), false, UpdatePrivacy(), 4);
    const auto first = *one.Encode(Numbers(nothing), 7, 1).GetValues();
    EXPECT_NE(first, *other.Encode(Numbers(nothing), 7, 1).GetValues());
    EXPECT_NE(first, *one.Encode(Numbers(nothing), 7, 1).GetValues()) << "each noise is used once";
}

TEST(UpdateEncoderTest, WhatIsNotFiniteTravelsAsItIs)
{
    UpdateEncoder encoder(MakeCompressor("int8"), true, UpdatePrivacy(), 3);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(std::isnan(encoder.Encode(Numbers({nan, 1}), 1, 1).GetValues()->front()));
    EXPECT_EQ(encoder.GetEpsilon(), std::numeric_limits<double>::infinity()) << "without noise";
    UpdateEncoder silent(MakeCompressor("int8"), true, UpdatePrivacy(), 3);
    EXPECT_FALSE(silent.Encode(nullptr, 1, 1).GetValues());
    EXPECT_EQ(silent.GetEpsilon(), 0) << "nothing has travelled";
    UpdateEncoder open(MakeCompressor("int8"), false, {}, 0);
    EXPECT_EQ(open.GetEpsilon(), std::numeric_limits<double>::infinity());
}

TEST(UpdateEncoderTest, PrivacyIsReadFromText)
{
    const auto privacy = ReadUpdatePrivacy("sigma=0.5,clip=2,delta=1e-6");
    EXPECT_EQ(privacy.clip, 2);
    EXPECT_EQ(privacy.sigma, 0.5);
    EXPECT_EQ(privacy.delta, 1e-6);
    for (const std::string wrong : {"clip=1", "clip=1,sigma=0", "clip=1,sigma=1,noise=1", "1"})
    {
        EXPECT_THROW(ReadUpdatePrivacy(wrong), std::invalid_argument) << wrong;
    }
}

} // namespace
