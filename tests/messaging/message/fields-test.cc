/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/refusals.h"
#include "support/test-data.h"

#include "ns3/collab-fields.h"
#include "ns3/collab-packed-message.h"

#include <array>
#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <limits>
#include <string>

using namespace ns3::collab;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::tests::FromHex;

namespace
{

constexpr float NO_NUMBER = std::numeric_limits<float>::quiet_NaN();

enum class Color : uint8_t
{
    RED,
    GREEN,
};

/// A struct within a message
struct Pair
{
    uint16_t first = 0;
    float second = 0;

    template <typename V>
    void
    Fields(V& fields)
    {
        fields(first, second);
    }
};

/// A vector whose elements can arrive alone
struct Weights : public FlatUnits
{
    static constexpr const char* NAME = "weights";

    uint16_t number = 0;

    template <typename V>
    void
    Fields(V& fields)
    {
        fields(number);
        fields.Units(values, 3, "weights", arrived);
    }
};

/// All kinds of fields
struct Everything
{
    static constexpr const char* NAME = "everything";

    uint8_t small = 0;
    Color color = Color::RED;
    bool isSo = false;
    uint64_t large = 0;
    double real = 0;
    uint32_t limited = 1;
    Pair pair;
    std::vector<uint16_t> list;
    std::vector<Pair> pairs;
    std::size_t count = 2; // known to all
    std::vector<float> fixed = {0, 0};
    std::shared_ptr<const std::vector<float>> shared =
        std::make_shared<const std::vector<float>>(std::vector<float>{1, 2});

    template <typename V>
    void
    Fields(V& fields)
    {
        fields.Shape(count, "numbers");
        fields(small, color, isSo, large, real);
        fields.Within(limited, 1, 9, "apples");
        fields(pair, list, pairs);
        fields.Constant(77);
        fields.Vector(fixed, count, "fixed numbers");
        fields.Floats(shared, 3, "weights", 2); // the last one counts once
    }
};

/// Nothing but its kind
struct Ping
{
    static constexpr uint16_t KIND = 5;
    static constexpr const char* NAME = "ping";

    template <typename V>
    void
    Fields(V&)
    {
    }
};

/// Parts whose size all know, and what follows from them
struct Parcels
{
    static constexpr const char* NAME = "parcels";

    std::array<uint8_t, 2> label = {};
    std::vector<std::vector<uint8_t>> parcels;
    std::size_t size = 2; // of each; known to all
    uint32_t sum = 0;     // not sent

    template <typename V>
    void
    Fields(V& fields)
    {
        fields(label);
        fields.List(parcels, [&](auto& parcel) { fields.Vector(parcel, size, "bytes"); });
        fields.Derive([this]() {
            for (const auto& parcel : parcels)
            {
                sum += parcel[0];
            }
        });
    }
};

/// Independent units
struct Points
{
    static constexpr const char* NAME = "points";
    std::vector<uint16_t> values;

    template <typename V>
    void
    Fields(V& fields)
    {
        if constexpr (std::is_same_v<V, detail::FieldReader>)
        {
            values.resize(2);
        }
        fields.Vector(values, values.size(), "points");
    }

    uint32_t
    CountUnits() const
    {
        return static_cast<uint32_t>(values.size());
    }

    uint32_t
    GetUnitSize() const
    {
        return 2;
    }

    Points
    Select(const std::vector<uint32_t>& units) const
    {
        Points some;
        for (const uint32_t unit : units)
        {
            some.values.push_back(values.at(unit));
        }
        return some;
    }

    void
    Check(const Points& expected) const
    {
        if (values.size() > expected.values.size())
        {
            throw PayloadError("too many points");
        }
    }
};

template <typename T>
std::vector<uint8_t>
BytesOf(const T& message)
{
    std::vector<uint8_t> bytes;
    Pack(message)->Serialize(bytes);
    EXPECT_EQ(bytes.size(), Pack(message)->WireSize());
    return bytes;
}

template <typename T>
Packed<T>
Read(const std::vector<uint8_t>& bytes, const T& expected = {})
{
    return Unpack<T>(bytes.data(), bytes.size(), expected);
}

Everything
MakeEverything()
{
    Everything message;
    message.small = 3;
    message.color = Color::GREEN;
    message.isSo = true;
    message.large = 0x0102030405060708;
    message.real = -0.5;
    message.limited = 9;
    message.pair = {0x0102, 1.5F};
    message.list = {7, 8};
    message.pairs = {{1, 2.0F}};
    message.fixed = {3, 4};
    return message;
}

/// @return why a message is refused; empty if it is not
std::string
ReasonOf(const std::function<void()>& check)
{
    return ::tests::ErrorOf<PayloadError>(check);
}

} // namespace

TEST(FieldsTest, AreWrittenInTheirOrderLittleEndian)
{
    EXPECT_THAT(BytesOf(Pair{0x0102, 1.5F}), ElementsAre(2, 1, 0, 0, 0xc0, 0x3f));
    EXPECT_EQ(BytesOf(MakeEverything()),
              FromHex("03 01 01 "                              // small, color, isSo
                      "08 07 06 05 04 03 02 01 "               // large
                      "00 00 00 00 00 00 e0 bf "               // real
                      "09 00 00 00 "                           // limited
                      "02 01 00 00 c0 3f "                     // pair
                      "02 00 00 00 07 00 08 00 "               // list
                      "01 00 00 00 01 00 00 00 00 40 "         // pairs
                      "4d 00 00 00 "                           // constant
                      "00 00 40 40 00 00 80 40 "               // fixed
                      "00 00 80 3f 00 00 80 3f 00 00 00 40")); // shared
    EXPECT_TRUE(BytesOf(Ping()).empty());
}

TEST(FieldsTest, AreReadAsTheyAreWritten)
{
    const auto bytes = BytesOf(MakeEverything());
    EXPECT_EQ(BytesOf(Read<Everything>(bytes)->Get()), bytes);
    EXPECT_THAT(*Read<Everything>(bytes)->Get().shared, ElementsAre(1, 2));
    CheckMessage(Read<Everything>(bytes)->Get());
}

TEST(FieldsTest, BytesThatAreCutOrTooManyAreRefused)
{
    auto bytes = BytesOf(MakeEverything());
    for (std::size_t size = 0; size < bytes.size(); ++size)
    {
        EXPECT_THROW(Unpack<Everything>(bytes.data(), size), PayloadError) << size;
    }
    EXPECT_NO_THROW(Read<Everything>(bytes));
    EXPECT_THROW(Read<Ping>({0}), PayloadError);
}

TEST(FieldsTest, ImpossibleBytesAreRefused)
{
    const auto good = BytesOf(MakeEverything());
    const auto change = [&good](std::size_t at, uint8_t value) {
        auto bytes = good;
        bytes.at(at) = value;
        return ReasonOf([&]() { Read<Everything>(bytes); });
    };
    EXPECT_EQ(change(0, 4), "");
    EXPECT_EQ(change(2, 2), "2, expected 0 or 1");
    EXPECT_THAT(change(32, 0xff), HasSubstr("numbers in")) << "more elements than bytes";
    EXPECT_EQ(change(47, 78), "78, expected 77");
    EXPECT_THAT(change(59, 1), HasSubstr("repetitions"));
}

TEST(FieldsTest, WhatCannotBeBelievedIsRefused)
{
    const auto check = [](const std::function<void(Everything&)>& spoil) {
        Everything message = MakeEverything();
        spoil(message);
        return ReasonOf([&]() { CheckMessage(message); });
    };
    EXPECT_EQ(check([](Everything&) {}), "");
    EXPECT_EQ(check([](Everything& m) { m.count = 3; }), "3 numbers, expected 2");
    EXPECT_EQ(check([](Everything& m) { m.limited = 0; }), "0 apples, expected 1 to 9");
    EXPECT_EQ(check([](Everything& m) { m.limited = 10; }), "10 apples, expected 1 to 9");
    EXPECT_EQ(check([](Everything& m) { m.fixed.push_back(0); }), "3 fixed numbers, expected 2");
    EXPECT_THAT(check([](Everything& m) { m.fixed[1] = NO_NUMBER; }), HasSubstr("not finite"));
    EXPECT_THAT(check([](Everything& m) { m.real = INFINITY; }), HasSubstr("not finite"));
    EXPECT_THAT(check([](Everything& m) { m.pair.second = NO_NUMBER; }), HasSubstr("not finite"));
    EXPECT_THAT(check([](Everything& m) { m.pairs[0].second = NO_NUMBER; }),
                HasSubstr("not finite"));
    EXPECT_THAT(check([](Everything& m) { m.shared = nullptr; }), HasSubstr("weights"));
    EXPECT_THAT(
        check([](Everything& m) {
            m.shared = std::make_shared<const std::vector<float>>(std::vector<float>{1, NO_NUMBER});
        }),
        HasSubstr("weights"));
}

TEST(FieldsTest, AKindIsItsNumberOrFollowsFromTheName)
{
    EXPECT_EQ(GetKind<Ping>(), 5);
    EXPECT_NE(GetKind<Points>(), GetKind<Everything>());
    EXPECT_GE(GetKind<Points>(), 0x8000) << "apart from those that are chosen";
}

TEST(FieldsTest, UnitsCanArriveAlone)
{
    Points points;
    points.values = {5, 6, 7};
    const auto packed = Pack(points);
    const auto divisible = std::dynamic_pointer_cast<const DivisiblePayload>(
        std::static_pointer_cast<const Payload>(packed));
    ASSERT_TRUE(divisible);
    EXPECT_EQ(divisible->GetUnitCount(), 3);
    EXPECT_EQ(divisible->GetUnitSize(), 2);
    const auto some = std::dynamic_pointer_cast<const PayloadOf<Points>>(divisible->Select({0, 2}));
    ASSERT_TRUE(some);
    EXPECT_THAT(some->Get().values, ElementsAre(5, 7));
    Points two;
    two.values = {0, 0};
    EXPECT_EQ(ReasonOf([&]() { CheckMessage(points, two); }), "too many points");
}

TEST(FieldsTest, ElementsOfAVectorCanArriveAlone)
{
    Weights weights;
    weights.number = 7;
    weights.values = std::make_shared<const std::vector<float>>(std::vector<float>{1, 2, 3});
    const auto packed = std::static_pointer_cast<const Payload>(Pack(weights));
    const auto divisible = std::dynamic_pointer_cast<const DivisiblePayload>(packed);
    ASSERT_TRUE(divisible);
    EXPECT_EQ(divisible->GetHeadSize(), 2);
    const auto some =
        std::dynamic_pointer_cast<const PayloadOf<Weights>>(divisible->Select({0, 2}));
    ASSERT_TRUE(some);
    EXPECT_EQ(some->Get().number, 7);
    EXPECT_THAT(*some->Get().values, ElementsAre(1, 3));
    std::vector<uint8_t> bytes = {7, 0};
    PutFloats(some->Get().values->data(), 2, 1, bytes); // what came of the whole message
    EXPECT_THROW(Unpack<Weights>(bytes.data(), bytes.size()), PayloadError) << "too short";
    Weights expected;
    expected.arrived = {{0, 2}, 3};
    Weights read = Unpack<Weights>(bytes.data(), bytes.size(), expected)->Get();
    EXPECT_THAT(*read.values, ElementsAre(1, 3));
    read.arrived = {{0, 2}, 4};
    EXPECT_EQ(ReasonOf([&]() { CheckMessage(read, Weights()); }), "4 weights, expected 3");
    read.arrived = {{1}, 3};
    EXPECT_EQ(ReasonOf([&]() { CheckMessage(read, Weights()); }),
              "weights of 2 elements, expected 1");
    read.arrived = {{0, 2}, 3};
    CheckMessage(read, Weights());
    EXPECT_THAT(*read.Complete({9, 8, 7}), ElementsAre(1, 8, 3));
    EXPECT_EQ(weights.Complete({9, 8, 7}), weights.values) << "shared, if all came";
}

TEST(FieldsTest, ElementsOfAListMayHaveAShapeAndFieldsMayFollowFromOthers)
{
    Parcels parcels;
    parcels.label = {7, 8};
    parcels.parcels = {{1, 2}, {3, 4}, {5, 6}};
    std::vector<uint8_t> bytes;
    WriteFields(parcels, bytes);
    EXPECT_THAT(bytes, ElementsAre(7, 8, 3, 0, 0, 0, 1, 2, 3, 4, 5, 6));
    EXPECT_EQ(CountBytes(parcels), bytes.size());
    const auto read = Unpack<Parcels>(bytes.data(), bytes.size());
    EXPECT_EQ(read->Get().label, parcels.label);
    EXPECT_EQ(read->Get().parcels, parcels.parcels);
    EXPECT_EQ(read->Get().sum, 9U);
    EXPECT_EQ(parcels.sum, 0U);
    bytes[2] = 255; // parcels that are not there
    EXPECT_THROW(Unpack<Parcels>(bytes.data(), bytes.size()), PayloadError);
}
