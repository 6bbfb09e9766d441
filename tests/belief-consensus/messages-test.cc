/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/belief-consensus-messages.h"
#include "ns3/collab-fields.h"
#include "ns3/collab-packed-message.h"

#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <limits>

using namespace ns3::collab;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

namespace
{

using Double = std::numeric_limits<double>;
using Float = std::numeric_limits<float>;

const std::vector<BeliefPrecision> PRECISIONS = {BeliefPrecision::FLOAT32,
                                                 BeliefPrecision::FLOAT64};

/// What both precisions have, and what only doubles have
const std::vector<double> ANY = {0.0,
                                 -0.0,
                                 1.0,
                                 -2.5,
                                 Double::quiet_NaN(),
                                 Double::infinity(),
                                 -Double::infinity(),
                                 Float::denorm_min(),
                                 -Float::min() / 2,
                                 Float::max()};
const std::vector<double> DOUBLES = {
    Double::denorm_min(), -Double::min() / 2, Double::max(), Double::lowest(), 0.1, M_PI};

/// @return the bits, which tell 0 from -0 and find NaN equal
uint64_t
BitsOf(double number)
{
    uint64_t bits;
    std::memcpy(&bits, &number, sizeof(bits));
    return bits;
}

std::vector<uint64_t>
BitsOf(const std::vector<double>& numbers)
{
    std::vector<uint64_t> bits;
    for (const double number : numbers)
    {
        bits.push_back(BitsOf(number));
    }
    return bits;
}

std::vector<uint8_t>
BytesOf(const PublicBelief& belief)
{
    std::vector<uint8_t> bytes;
    Pack(belief)->Serialize(bytes);
    EXPECT_EQ(bytes.size(), Pack(belief)->WireSize());
    return bytes;
}

/// What a receiver of so many bytes reads
PublicBelief
Read(const uint8_t* bytes, std::size_t size, BeliefPrecision precision)
{
    return Unpack(bytes, size, PublicBelief({}, precision))->Get();
}

} // namespace

TEST(PublicBeliefTest, WireFormatIsLittleEndian)
{
    EXPECT_THAT(BytesOf(PublicBelief({1.0, -2.0}, BeliefPrecision::FLOAT32)),
                ElementsAre(0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0));
    EXPECT_THAT(BytesOf(PublicBelief({1.0}, BeliefPrecision::FLOAT64)),
                ElementsAre(0, 0, 0, 0, 0, 0, 0xf0, 0x3f));
}

TEST(PublicBeliefTest, SizesAreExact)
{
    for (const std::size_t count : {0, 1, 7, 1000})
    {
        const std::vector<double> numbers(count, 0.1);
        EXPECT_THAT(BytesOf(PublicBelief(numbers, BeliefPrecision::FLOAT32)), SizeIs(4 * count));
        EXPECT_THAT(BytesOf(PublicBelief(numbers, BeliefPrecision::FLOAT64)), SizeIs(8 * count));
    }
}

TEST(PublicBeliefTest, BytesAreAppended)
{
    std::vector<uint8_t> bytes = {7};
    PublicBelief({1.0}, BeliefPrecision::FLOAT32).Write(bytes);
    EXPECT_THAT(bytes, ElementsAre(7, 0, 0, 0x80, 0x3f));
}

TEST(PublicBeliefTest, AnyNumbersComeBack)
{
    for (const auto precision : PRECISIONS)
    {
        auto numbers = ANY;
        if (precision == BeliefPrecision::FLOAT64)
        {
            numbers.insert(numbers.end(), DOUBLES.begin(), DOUBLES.end());
        }
        const PublicBelief payload(numbers, precision);
        EXPECT_EQ(BitsOf(payload.numbers), BitsOf(numbers));
        const auto bytes = BytesOf(payload);
        const auto read = Read(bytes.data(), bytes.size(), precision);
        EXPECT_EQ(BitsOf(read.numbers), BitsOf(numbers));
        EXPECT_EQ(read.precision, precision);
        EXPECT_EQ(BytesOf(read), bytes);
    }
}

TEST(PublicBeliefTest, SinglePrecisionIsRoundedAtOnce)
{
    const PublicBelief payload({0.1, 1e-300, 1e300, -1e300, 16777217}, BeliefPrecision::FLOAT32);
    EXPECT_THAT(payload.numbers,
                ElementsAre(0.1F, 0, Double::infinity(), -Double::infinity(), 16777216));
    const auto bytes = BytesOf(payload);
    EXPECT_EQ(Read(bytes.data(), bytes.size(), BeliefPrecision::FLOAT32).numbers, payload.numbers);
    EXPECT_THAT(PublicBelief({0.1}, BeliefPrecision::FLOAT64).numbers, ElementsAre(0.1));
}

TEST(PublicBeliefTest, DegreesTravelBeforeNumbersOfWhichSomeMayCome)
{
    PublicBelief belief({1.0, -2.0, 0.5}, BeliefPrecision::FLOAT32);
    belief.degree = 258;
    EXPECT_THAT(BytesOf(belief),
                ElementsAre(2, 1, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 0, 0, 0, 0x3f));
    const auto payload = std::dynamic_pointer_cast<const UnitsOf<PublicBelief>>(Pack(belief));
    ASSERT_TRUE(payload);
    EXPECT_EQ(payload->GetUnitCount(), 3);
    EXPECT_EQ(payload->GetUnitSize(), 4);
    const auto some =
        std::dynamic_pointer_cast<const UnitsOf<PublicBelief>>(payload->Select({0, 2}));
    EXPECT_THAT(some->Get().numbers, ElementsAre(1, 0.5));
    EXPECT_EQ(some->Get().degree, 258);
    EXPECT_THROW(CheckMessage(belief, PublicBelief({}, BeliefPrecision::FLOAT32)), PayloadError);
    belief.arrived = {{0, 2}, 3};
    EXPECT_THROW(belief.Check(), PayloadError);
}

TEST(PublicBeliefTest, SharesTravelBeforeNumbers)
{
    PublicBelief belief({1.0}, BeliefPrecision::FLOAT32);
    belief.shares = {0.5, 0.5};
    EXPECT_THAT(BytesOf(belief), ElementsAre(0, 0, 0, 0x3f, 0, 0, 0, 0x3f, 0, 0, 0x80, 0x3f));
    EXPECT_NO_THROW(belief.Check());
    EXPECT_THROW(CheckMessage(belief, PublicBelief({}, BeliefPrecision::FLOAT32)), PayloadError);
    for (const std::vector<float>& wrong :
         std::vector<std::vector<float>>{{0.5, 0.4}, {1.5, -0.5}, {NAN, 1}})
    {
        belief.shares = wrong;
        EXPECT_THROW(belief.Check(), PayloadError);
    }
}

TEST(PublicBeliefTest, PartsOfNumbersAreRefused)
{
    const std::vector<uint8_t> bytes(24);
    const auto count = [&bytes](std::size_t size, BeliefPrecision precision) {
        return Read(bytes.data(), size, precision).numbers.size();
    };
    for (std::size_t size = 0; size <= bytes.size(); ++size)
    {
        for (const auto precision : PRECISIONS)
        {
            const std::size_t each = precision == BeliefPrecision::FLOAT32 ? 4 : 8;
            if (size % each == 0)
            {
                EXPECT_EQ(count(size, precision), size / each);
            }
            else
            {
                EXPECT_THROW(count(size, precision), PayloadError) << size;
            }
        }
    }
    EXPECT_THAT(Read(nullptr, 0, BeliefPrecision::FLOAT64).numbers, IsEmpty());
}
