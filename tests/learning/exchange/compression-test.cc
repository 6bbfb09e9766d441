/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"
#include "learning/metrics/metrics-reference.h"

#include "ns3/collab-compression.h"
#include "ns3/collab-float16.h"
#include "ns3/collab-random.h"

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <limits>

namespace compression_test
{

using namespace ns3::collab;
using namespace tests;
using testing::ElementsAre;

/// Specifications of every compressor and its options
const std::vector<std::string> ALL = {"float32",
                                      "float16",
                                      "int8",
                                      "int8:block=0",
                                      "int8:block=7,stochastic=1",
                                      "top-k:k=1",
                                      "top-k:fraction=0.03",
                                      "top-k:fraction=1",
                                      "random-k:k=1",
                                      "random-k:fraction=0.1,unbiased=1",
                                      "random-k:fraction=1"};

/// @return the values encoded by a compressor; the seed is of what is random
std::vector<uint8_t>
Encode(const std::string& compressor, const std::vector<float>& values, uint64_t seed = 1)
{
    return MakeCompressor(compressor)->Encode(values.data(), values.size(), seed);
}

/// @return the vector that bytes encode
std::vector<float>
Decode(const std::vector<uint8_t>& bytes, std::size_t dimension)
{
    return DecodeVector(bytes.data(), bytes.size(), dimension);
}

/// @return the values after encoding and decoding
std::vector<float>
RoundTrip(const std::string& compressor, const std::vector<float>& values, uint64_t seed = 1)
{
    return Decode(Encode(compressor, values, seed), values.size());
}

TEST(Float16Test, AllHalvesComeBack)
{
    for (uint32_t bits = 0; bits < 0x10000; ++bits)
    {
        const auto half = static_cast<uint16_t>(bits);
        const float value = HalfToFloat(half);
        if (std::isfinite(value))
        {
            ASSERT_EQ(FloatToHalf(value), half);
        }
        else
        {
            ASSERT_GE(bits & 0x7fffU, 0x7c00U);
        }
    }
    EXPECT_EQ(HalfToFloat(0x3c00), 1);
    EXPECT_EQ(HalfToFloat(0xc000), -2);
    EXPECT_EQ(HalfToFloat(0x7bff), 65504);
    EXPECT_EQ(HalfToFloat(0x0001), std::ldexp(1.0F, -24));
}

TEST(Float16Test, RoundsToTheNearestAndToEven)
{
    for (uint16_t half = 0; half < 0x7bff; ++half)
    {
        const float low = HalfToFloat(half);
        const float high = HalfToFloat(static_cast<uint16_t>(half + 1));
        const float middle = (low + high) / 2; // exact
        ASSERT_EQ(FloatToHalf(middle), half + half % 2);
        ASSERT_EQ(FloatToHalf(std::nextafter(middle, 0.0F)), half);
        ASSERT_EQ(FloatToHalf(-std::nextafter(middle, 1e9F)), 0x8000 + half + 1);
    }
    EXPECT_EQ(FloatToHalf(65520), 0x7bff) << "no infinity";
    EXPECT_EQ(FloatToHalf(-1e38F), 0xfbff);
}

TEST(Float16Test, AgreesWithNumpy)
{
    for (std::size_t i = 0; i < std::size(FLOAT_BITS); ++i)
    {
        float value;
        std::memcpy(&value, &FLOAT_BITS[i], sizeof(value));
        EXPECT_EQ(FloatToHalf(value), EXPECTED_HALF_BITS[i]) << value;
    }
}

TEST(CompressionTest, BytesByHand)
{
    EXPECT_THAT(Encode("float32", {1, -2}),
                ElementsAre(1, 2, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0));
    EXPECT_THAT(Encode("float16", {1, -2}), ElementsAre(2, 2, 0, 0, 0, 0, 0x3c, 0, 0xc0));
    EXPECT_THAT(Encode("int8:block=2", {127, -63.6F, 0}), // scales 1 and 0
                ElementsAre(3, 3, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0x80, 0x3f, 127, 192, 0, 0, 0, 0, 0));
    // 9 elements: the index 6 packed in 4 bits is shorter than a mask of 2 bytes
    EXPECT_THAT(Encode("top-k:k=1", {0, 1, 0, 0, 0, 0, -2, 0, 0}),
                ElementsAre(4, 9, 0, 0, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0xc0));
    // 3 elements: a mask
    EXPECT_THAT(Encode("top-k:k=2", {1, 0, -2}),
                ElementsAre(4, 3, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0));
    EXPECT_THAT(Encode("random-k:k=1", {1}, 0x0102),
                ElementsAre(5, 1, 0, 0, 0, 1, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3f));
}

TEST(CompressionTest, SizeIsKnownBefore)
{
    for (const std::string& compressor : ALL)
    {
        for (const std::size_t d : {1U, 2U, 7U, 8U, 9U, 64U, 65U, 1000U, 1025U, 70000U})
        {
            const Matrix<float> values = MakeRandomVectors(1, d, d);
            EXPECT_EQ(Encode(compressor, values.values).size(),
                      MakeCompressor(compressor)->EncodedSize(d))
                << compressor << " " << d;
        }
    }
    EXPECT_EQ(MakeCompressor("float16")->EncodedSize(1000000), 2000005U);
    EXPECT_EQ(MakeCompressor("int8")->EncodedSize(1000000), 5U + 4 + 4 * 977 + 1000000);
    EXPECT_EQ(MakeCompressor("top-k:fraction=0.01")->EncodedSize(1000000), 9U + 25000 + 40000);
    EXPECT_EQ(MakeCompressor("top-k:fraction=0.5")->EncodedSize(1000000), 9U + 125000 + 2000000);
    EXPECT_EQ(MakeCompressor("random-k:fraction=0.01")->EncodedSize(1000000), 17U + 40000);
}

TEST(CompressionTest, ErrorIsBounded)
{
    const std::vector<float> values = MakeRandomVectors(1, 5000, 1).values;
    const auto expectWithin = [&](const std::string& compressor, const auto& bound) {
        const std::vector<float> decoded = RoundTrip(compressor, values);
        for (std::size_t k = 0; k < values.size(); ++k)
        {
            ASSERT_LE(std::abs(decoded[k] - values[k]), bound(k)) << compressor << " " << k;
        }
    };
    const auto scaleOf = [&](std::size_t k, std::size_t block) {
        float greatest = 0;
        for (std::size_t i = k / block * block; i < std::min(k / block * block + block, 5000UL);
             ++i)
        {
            greatest = std::max(greatest, std::abs(values[i]));
        }
        return greatest / 127;
    };
    constexpr double ROUNDING = 1.001;
    expectWithin("float32", [](std::size_t) { return 0; });
    expectWithin("float16", [&](std::size_t k) {
        return std::max(std::abs(values[k]) * std::ldexp(1, -11), std::ldexp(1, -25));
    });
    expectWithin("int8:block=64", [&](std::size_t k) { return scaleOf(k, 64) / 2 * ROUNDING; });
    expectWithin("int8:block=0", [&](std::size_t k) { return scaleOf(k, 5000) / 2 * ROUNDING; });
    expectWithin("int8:block=64,stochastic=1",
                 [&](std::size_t k) { return scaleOf(k, 64) * ROUNDING; });
}

TEST(CompressionTest, TopKKeepsTheGreatest)
{
    const std::vector<float> values = {1, -5, 3, 3, -3, 0, 4};
    EXPECT_THAT(RoundTrip("top-k:k=3", values), ElementsAre(0, -5, 3, 0, 0, 0, 4));
    EXPECT_THAT(RoundTrip("top-k:k=4", values), ElementsAre(0, -5, 3, 3, 0, 0, 4));
    EXPECT_EQ(RoundTrip("top-k:fraction=1", values), values);
    EXPECT_EQ(RoundTrip("top-k:k=7", values), values);
    EXPECT_THAT(RoundTrip("top-k:fraction=0.01", values), ElementsAre(0, -5, 0, 0, 0, 0, 0));
    // Error: at most 1 - k / d of the squared norm (Stich et al., NeurIPS 2018)
    const std::vector<float> random = MakeRandomVectors(1, 1000, 2).values;
    const std::vector<float> kept = RoundTrip("top-k:k=100", random);
    double lost = 0;
    double all = 0;
    for (std::size_t k = 0; k < random.size(); ++k)
    {
        lost += std::pow(random[k] - kept[k], 2);
        all += std::pow(random[k], 2);
    }
    EXPECT_LE(lost, 0.9 * all);
    EXPECT_EQ(std::count(kept.begin(), kept.end(), 0.0F), 900);
}

TEST(CompressionTest, RandomOnesAreRightInTheMean)
{
    const std::vector<float> values = {1, -2, 0.3F, 0.77F, 4, 0.001F, -1.9F, 2.2F};
    const auto meanOf = [&](const std::string& compressor) {
        constexpr int DRAWS = 20000;
        std::vector<double> mean(values.size(), 0);
        for (int seed = 0; seed < DRAWS; ++seed)
        {
            const std::vector<float> decoded =
                RoundTrip(compressor, values, SplitMix64(static_cast<uint64_t>(seed)));
            for (std::size_t k = 0; k < values.size(); ++k)
            {
                mean[k] += decoded[k] / double{DRAWS};
            }
        }
        return mean;
    };
    const auto unbiased = meanOf("random-k:k=3,unbiased=1");
    const auto biased = meanOf("random-k:k=3");
    const auto rounded = meanOf("int8:stochastic=1");
    for (std::size_t k = 0; k < values.size(); ++k)
    {
        EXPECT_NEAR(unbiased[k], values[k], 0.05 * std::abs(values[k]));
        EXPECT_NEAR(biased[k], values[k] * 3 / 8, 0.05 * std::abs(values[k]));
        EXPECT_NEAR(rounded[k], values[k], 4.0 / 127 * 0.02); // a scale is 4 / 127
    }
}

TEST(CompressionTest, TheSeedOfRandomKTravels)
{
    const std::vector<float> values = MakeRandomVectors(1, 100, 3).values;
    const std::vector<float> one = RoundTrip("random-k:k=10", values, 5);
    EXPECT_EQ(std::count(one.begin(), one.end(), 0.0F), 90);
    EXPECT_EQ(RoundTrip("random-k:k=10", values, 5), one);
    EXPECT_NE(RoundTrip("random-k:k=10", values, 6), one);
    for (std::size_t k = 0; k < 100; ++k)
    {
        EXPECT_TRUE(one[k] == 0 || one[k] == values[k]);
    }
}

TEST(CompressionTest, ExtremesComeBackFinite)
{
    const float greatest = std::numeric_limits<float>::max();
    const float least = std::numeric_limits<float>::denorm_min();
    for (const std::string& compressor : ALL)
    {
        for (const float value : RoundTrip(compressor, {greatest, -greatest, least, -0.0F, 0}))
        {
            EXPECT_TRUE(std::isfinite(value)) << compressor;
        }
        for (const float value : RoundTrip(compressor, {least, -least}))
        {
            EXPECT_LE(std::abs(value), 3 * least) << compressor;
        }
    }
}

TEST(CompressionTest, ErrorFeedbackSendsEverythingInTheEnd)
{
    for (const char* compressor :
         {"float16", "int8", "top-k:k=5", "random-k:k=5", "int8:stochastic=1"})
    {
        ErrorFeedback feedback(MakeCompressor(compressor));
        std::vector<double> meant(50, 0);
        std::vector<double> sent(50, 0);
        // 100 vectors, and then nothing more: what is left of them must go out
        for (uint64_t round = 0; round < 400; ++round)
        {
            const std::vector<float> values =
                round < 100 ? MakeRandomVectors(1, 50, round).values : std::vector<float>(50, 0);
            const auto decoded = Decode(feedback.Encode(values.data(), 50, round), 50);
            for (std::size_t k = 0; k < 50; ++k)
            {
                meant[k] += values[k];
                sent[k] += decoded[k];
            }
        }
        for (std::size_t k = 0; k < 50; ++k)
        {
            EXPECT_NEAR(sent[k], meant[k], 1e-4) << compressor;
        }
    }
}

TEST(CompressionTest, ErrorFeedbackRefusesLossesThatGrow)
{
    EXPECT_THROW(ErrorFeedback(MakeCompressor("random-k:k=5,unbiased=1")), std::invalid_argument);
    EXPECT_THROW(ErrorFeedback(MakeCompressor("random-k:fraction=0.1,unbiased=1")),
                 std::invalid_argument);
    EXPECT_NO_THROW(ErrorFeedback(MakeCompressor("random-k:k=5,unbiased=0")));
}

TEST(CompressionTest, VectorsThatAreNotFiniteTravelUncheckedAndAreRefused)
{
    const std::vector<float> values = {1, -2.5F};
    EXPECT_EQ(EncodeUnchecked(values), MakeCompressor("float32")->Encode(values.data(), 2, 0));
    const auto bytes = EncodeUnchecked({1, NAN});
    EXPECT_EQ(bytes.size(), MakeCompressor("float32")->EncodedSize(2));
    EXPECT_THROW(Decode(bytes, 2), CompressionError);
}

TEST(CompressionTest, ErrorFeedbackKeepsItsStateOnErrors)
{
    ErrorFeedback feedback(MakeCompressor("top-k:k=1"));
    const std::vector<float> values = {1, 2, NAN};
    EXPECT_THAT(Decode(feedback.Encode(values.data(), 2, 0), 2), ElementsAre(0, 2));
    EXPECT_THROW(feedback.Encode(values.data(), 3, 0), std::invalid_argument);
    EXPECT_THROW(feedback.Encode(values.data() + 1, 2, 0), std::invalid_argument);
    const std::vector<float> zeros(2, 0);
    EXPECT_THAT(Decode(feedback.Encode(zeros.data(), 2, 0), 2), ElementsAre(1, 0)); // what was lost
}

TEST(CompressionTest, RefusesWhatCannotBeEncoded)
{
    for (const std::string& compressor : ALL)
    {
        EXPECT_THROW(Encode(compressor, {1, INFINITY}), std::invalid_argument);
        EXPECT_THROW(MakeCompressor(compressor)->EncodedSize(0), std::invalid_argument);
        EXPECT_THROW(MakeCompressor(compressor)->EncodedSize(1UL << 32), std::invalid_argument);
    }
    EXPECT_THROW(Encode("top-k:k=3", {1, 2}), std::invalid_argument);
    ExpectEachRefused<>({"",
                         "zip",
                         "float32:block=1",
                         "int8:block=-1",
                         "int8:stochastic=2",
                         "top-k",
                         "top-k:k=0",
                         "top-k:k=1,fraction=0.1",
                         "random-k:fraction=1.5"},
                        MakeCompressor);
}

TEST(CompressionTest, RefusesBytesThatAreNoEncoding)
{
    for (const std::string& compressor : ALL)
    {
        const std::vector<float> values = MakeRandomVectors(1, 40, 4).values;
        const std::vector<uint8_t> bytes = Encode(compressor, values);
        for (std::size_t size = 0; size < bytes.size(); ++size)
        {
            EXPECT_THROW(DecodeVector(bytes.data(), size, 40), CompressionError) << compressor;
        }
        std::vector<uint8_t> longer = bytes;
        longer.push_back(0);
        EXPECT_THROW(Decode(longer, 40), CompressionError) << compressor;
        EXPECT_THROW(Decode(bytes, 41), CompressionError) << compressor;
        EXPECT_THROW(Decode(bytes, 0), CompressionError) << compressor;
    }
    const auto refuses = [](const std::vector<uint8_t>& bytes, std::size_t dimension) {
        EXPECT_THROW(Decode(bytes, dimension), CompressionError);
    };
    refuses({6, 1, 0, 0, 0}, 1);                                     // format
    refuses({0, 1, 0, 0, 0}, 1);                                     // format
    refuses({1, 1, 0, 0, 0, 0, 0, 0xc0, 0x7f}, 1);                   // NaN
    refuses({2, 1, 0, 0, 0, 0, 0x7c}, 1);                            // infinity
    refuses({3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3f, 1}, 1);    // blocks of 0
    refuses({3, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0x80, 0xbf, 1}, 1);    // negative scale
    refuses({3, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0x80, 0x3f, 0x80}, 1); // -128
    refuses({4, 1, 0, 0, 0, 0, 0, 0, 0}, 1);                         // k = 0
    refuses({4, 1, 0, 0, 0, 2, 0, 0, 0, 3}, 1);                      // k > d
    refuses({4, 3, 0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0x80, 0x3f}, 3);    // 2 bits for k = 1
    refuses({4, 9, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0x80, 0x3f}, 9);    // index 9 of 9
    refuses({4, 9, 0, 0, 0, 1, 0, 0, 0, 0x16, 0, 0, 0x80, 0x3f}, 9); // bits behind the index
    refuses({5, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 1); // k > d
}

TEST(CompressionTest, AnyBytesAreDecodedOrRefused)
{
    RandomGenerator generator(7);
    const auto draw = [&](uint32_t last) {
        return boost::random::uniform_int_distribution<uint32_t>(0, last)(generator);
    };
    std::size_t refused = 0;
    for (int i = 0; i < 20000; ++i)
    {
        const std::string& compressor = ALL[draw(ALL.size() - 1)];
        const std::size_t dimension = 1 + draw(80);
        std::vector<uint8_t> bytes =
            Encode(compressor, MakeRandomVectors(1, dimension, draw(1000)).values);
        for (uint32_t changes = draw(3); changes > 0; --changes)
        {
            const uint32_t position = draw(draw(1) ? 12 : bytes.size() - 1) % bytes.size();
            bytes[position] = static_cast<uint8_t>(draw(255));
        }
        bytes.resize(draw(9) == 0 ? draw(bytes.size() + 8) : bytes.size());
        // An exact copy, so that a sanitizer sees a read behind its end
        const std::vector<uint8_t> exact(bytes.begin(), bytes.end());
        try
        {
            const std::vector<float> values = Decode(exact, dimension);
            ASSERT_EQ(values.size(), dimension);
            for (const float value : values)
            {
                ASSERT_TRUE(std::isfinite(value));
            }
        }
        catch (const CompressionError&)
        {
            ++refused;
        }
    }
    EXPECT_GT(refused, 5000U);
    EXPECT_LT(refused, 19000U);
}

} // namespace compression_test
