/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dynamic-message.h"
#include "support/refusals.h"
#include "support/test-data.h"

#include "ns3/collab-packed-message.h"
#include "ns3/collab-payload-error.h"

#include <cstring>
#include <gmock/gmock.h>
#include <limits>
#include <stdexcept>

using namespace ns3::collab;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace
{

constexpr int64_t ANY = DynamicField::ANY;

/// @return numbers as a field's value
template <typename T>
Block
MakeBlock(std::vector<uint32_t> shape, const std::vector<T>& numbers)
{
    std::vector<uint8_t> bytes(numbers.size() * sizeof(T));
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return {std::move(shape), std::make_shared<const std::vector<uint8_t>>(std::move(bytes))};
}

/// @return a kind of messages with some fields
std::shared_ptr<const MessageLayout>
MakeLayout(std::vector<DynamicField> fields, bool hasUnits = false)
{
    auto layout = std::make_shared<MessageLayout>();
    layout->name = "things";
    layout->kind = MakeKind("things");
    layout->hasUnits = hasUnits;
    layout->fields = std::move(fields);
    layout->Check();
    return layout;
}

/// A number, rows of any number, and an array that all know the size of
const std::vector<DynamicField> FIELDS = {{"count", NumberType::UINT16, {}},
                                          {"rows", NumberType::FLOAT32, {ANY, 2}},
                                          {"known", NumberType::UINT8, {3}}};

DynamicMessage
MakeMessage(float last = 4)
{
    return DynamicMessage(MakeLayout(FIELDS),
                          {MakeBlock<uint16_t>({}, {0x0102}),
                           MakeBlock<float>({2, 2}, {1, 2, 3, last}),
                           MakeBlock<uint8_t>({3}, {7, 8, 9})});
}

std::vector<uint8_t>
Serialize(const DynamicMessage& message)
{
    std::vector<uint8_t> bytes;
    WriteFields(message, bytes);
    return bytes;
}

/// @return why the bytes are no message of FIELDS; empty if they are one that can be believed
std::string
FindFault(const std::vector<uint8_t>& bytes)
{
    const DynamicMessage expected(MakeLayout(FIELDS));
    return ::tests::ErrorOf<PayloadError>(
        [&] { CheckMessage(Unpack(bytes.data(), bytes.size(), expected)->Get(), expected); });
}

} // namespace

TEST(DynamicMessageTest, BytesAreThoseByHand)
{
    const DynamicMessage message = MakeMessage();
    EXPECT_EQ(Serialize(message),
              ::tests::FromHex("02 01 "                   // count, little-endian
                               "02 00 00 00 "             // two rows
                               "00 00 80 3f 00 00 00 40 " // 1, 2
                               "00 00 40 40 00 00 80 40 " // 3, 4
                               "07 08 09"));              // whose number all know
    EXPECT_EQ(CountBytes(message), 25);
    EXPECT_EQ(GetKind(message), MakeKind("things"));
    EXPECT_EQ(GetName(message), "things");
}

TEST(DynamicMessageTest, AMessageOfCppHasTheSameBytes)
{
    struct Things
    {
        uint16_t count = 0x0102;
        std::vector<float> values = {1, 2};

        void
        Fields(detail::FieldWriter& fields)
        {
            fields(count, values);
        }
    } things;
    std::vector<uint8_t> bytes;
    detail::FieldWriter writer(bytes);
    things.Fields(writer);
    const auto layout =
        MakeLayout({{"count", NumberType::UINT16, {}}, {"values", NumberType::FLOAT32, {ANY}}});
    EXPECT_EQ(Serialize(DynamicMessage(
                  layout, {MakeBlock<uint16_t>({}, {0x0102}), MakeBlock<float>({2}, {1, 2})})),
              bytes);
}

TEST(DynamicMessageTest, ItIsReadAsItWasWritten)
{
    const auto bytes = Serialize(MakeMessage());
    const DynamicMessage expected(MakeLayout(FIELDS));
    const auto read = Unpack(bytes.data(), bytes.size(), expected);
    EXPECT_EQ(Serialize(read->Get()), bytes);
    EXPECT_THAT(read->Get().GetBlocks()[1].shape, ElementsAre(2, 2));
    EXPECT_EQ(FindFault(bytes), "");
}

TEST(DynamicMessageTest, WhatCannotBeBelievedIsRefused)
{
    auto bytes = Serialize(MakeMessage());
    for (std::size_t size = 0; size < bytes.size(); ++size)
    {
        EXPECT_NE(FindFault({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)}), "")
            << size << " bytes";
    }
    bytes.push_back(0);
    EXPECT_NE(FindFault(bytes), "") << "a byte too many";
    bytes.pop_back();
    bytes[5] = 0xff; // rows, whose bytes would not fit into memory
    EXPECT_THAT(FindFault(bytes), HasSubstr("bytes for rows"));
    EXPECT_THAT(FindFault(Serialize(MakeMessage(std::numeric_limits<float>::quiet_NaN()))),
                HasSubstr("rows: number 3 is not finite"));
    EXPECT_THAT(FindFault(Serialize(MakeMessage(std::numeric_limits<float>::infinity()))),
                HasSubstr("not finite"));
}

TEST(DynamicMessageTest, AnotherShapeIsRefusedInBothModes)
{
    const DynamicMessage message = MakeMessage();
    for (const auto& [field, text] : std::vector<std::pair<DynamicField, std::string>>{
             {{"known", NumberType::UINT8, {4}}, "known of shape (3), expected (4)"},
             {{"known", NumberType::INT8, {3}}, "known of type uint8, expected int8"}})
    {
        auto fields = FIELDS;
        fields[2] = field;
        const DynamicMessage expected(MakeLayout(fields));
        EXPECT_EQ(::tests::ErrorOf<PayloadError>([&] { CheckMessage(message, expected); }), text);
    }
    EXPECT_THROW(DynamicMessage(MakeLayout({{"x", NumberType::UINT8, {2}}}),
                                {MakeBlock<uint8_t>({3}, {1, 2, 3})}),
                 std::invalid_argument);
}

TEST(DynamicMessageTest, NumbersOfEveryTypeHaveTheirLimits)
{
    const auto check = [](NumberType type, const Block& block) {
        const DynamicMessage message(MakeLayout({{"x", type, {1}}}), {block});
        CheckMessage(message, DynamicMessage(message.GetLayout()));
    };
    EXPECT_NO_THROW(check(NumberType::BOOL, MakeBlock<uint8_t>({1}, {1})));
    EXPECT_THROW(check(NumberType::BOOL, MakeBlock<uint8_t>({1}, {2})), PayloadError);
    EXPECT_NO_THROW(check(NumberType::FLOAT16, MakeBlock<uint16_t>({1}, {0x7bff})));
    EXPECT_THROW(check(NumberType::FLOAT16, MakeBlock<uint16_t>({1}, {0x7c00})), PayloadError);
    EXPECT_THROW(check(NumberType::FLOAT16, MakeBlock<uint16_t>({1}, {0xfe00})), PayloadError);
    EXPECT_NO_THROW(check(NumberType::FLOAT64, MakeBlock<double>({1}, {1e308})));
    EXPECT_THROW(check(NumberType::FLOAT64,
                       MakeBlock<double>({1}, {std::numeric_limits<double>::quiet_NaN()})),
                 PayloadError);
    for (const char* name : {"int8", "int16", "int32", "int64", "uint8", "uint32", "uint64"})
    {
        EXPECT_STREQ(GetName(ParseNumberType(name)), name);
    }
    EXPECT_THROW(ParseNumberType("float"), std::invalid_argument);
}

TEST(DynamicMessageTest, RowsThatArriveAloneAreOnlyRows)
{
    const auto layout = MakeLayout({{"points", NumberType::FLOAT32, {ANY, 2}}}, true);
    const DynamicUnits message(layout, {MakeBlock<float>({3, 2}, {1, 2, 3, 4, 5, 6})});
    EXPECT_EQ(message.CountUnits(), 3);
    EXPECT_EQ(message.GetUnitSize(), 8);
    EXPECT_EQ(CountBytes(message), 24);
    const auto some = Pack(message)->Select({0, 2});
    EXPECT_EQ(some->WireSize(), 16);
    std::vector<uint8_t> bytes;
    some->Serialize(bytes);
    const auto read = Unpack(bytes.data(), bytes.size(), DynamicUnits(layout));
    EXPECT_THAT(read->Get().GetBlocks()[0].shape, ElementsAre(2, 2));
    bytes.pop_back();
    EXPECT_THROW(Unpack(bytes.data(), bytes.size(), DynamicUnits(layout)), PayloadError);
    for (const auto& fields :
         {std::vector<DynamicField>{{"points", NumberType::FLOAT32, {2}}},
          std::vector<DynamicField>{{"points", NumberType::FLOAT32, {ANY, ANY}}},
          FIELDS})
    {
        EXPECT_THROW(MakeLayout(fields, true), std::invalid_argument);
    }
}

TEST(DynamicMessageTest, WhatNoMessageCanHaveIsNoLayout)
{
    EXPECT_THROW(MakeLayout({{"x", NumberType::UINT8, {}}, {"x", NumberType::INT8, {}}}),
                 std::invalid_argument);
    EXPECT_THROW(MakeLayout({{"x", NumberType::UINT8, {0}}}), std::invalid_argument);
    EXPECT_THROW(MakeLayout({{"x", NumberType::UINT8, {1LL << 30, 1LL << 30}}}),
                 std::invalid_argument);
}
