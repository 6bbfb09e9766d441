/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-packed-message.h"
#include "ns3/gossip-messages.h"

#include <gmock/gmock.h>
#include <limits>

using namespace ns3::collab;
using ::testing::ElementsAre;

namespace
{

using Bytes = std::vector<uint8_t>;

/// The wire format
template <typename T>
Bytes
BytesOf(const T& message)
{
    const auto packed = Pack(message);
    Bytes bytes;
    packed->Serialize(bytes);
    EXPECT_EQ(bytes.size(), packed->WireSize());
    return bytes;
}

/// What a receiver reads
template <typename T>
T
Read(const Bytes& bytes, const T& expected = {})
{
    return Unpack<T>(bytes.data(), bytes.size(), expected)->Get();
}

/// A message of a device with 12 samples, in a run where each may have 100
template <typename T>
T
Make(std::vector<float> weights, std::size_t numbers, uint32_t multiplicity = 1)
{
    T message;
    message.samples = 12;
    message.values = std::make_shared<const std::vector<float>>(std::move(weights));
    message.numbers = numbers;
    message.multiplicity = multiplicity;
    message.maxSamples = 100;
    return message;
}

} // namespace

TEST(GossipMessagesTest, SmallOnesBeginWithTheNumberOfTheirWords)
{
    EXPECT_THAT(BytesOf(gossip::Ping()), ElementsAre(0, 0, 0, 0));
    EXPECT_THAT(BytesOf(gossip::Fetch()), ElementsAre(0, 0, 0, 0));
    EXPECT_THAT(BytesOf(gossip::Done()), ElementsAre(0, 0, 0, 0));
    EXPECT_THAT(BytesOf(gossip::Version{0x1234}), ElementsAre(1, 0, 0, 0, 0x34, 0x12, 0, 0));
    EXPECT_THAT(BytesOf(gossip::Pull{7}), ElementsAre(1, 0, 0, 0, 7, 0, 0, 0));
    EXPECT_THAT(BytesOf(gossip::Pairs{{{2, 1}}}), ElementsAre(2, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0));
    EXPECT_THAT(BytesOf(gossip::Rates{{{0xfedcba98}}}),
                ElementsAre(1, 0, 0, 0, 0x98, 0xba, 0xdc, 0xfe));
    EXPECT_EQ(Read<gossip::Version>({1, 0, 0, 0, 9, 0, 0, 0}).version, 9U);
    EXPECT_EQ(Read<gossip::Pull>({1, 0, 0, 0, 9, 0, 0, 0}).segment, 9U);
    EXPECT_THAT(Read<gossip::Rates>(BytesOf(gossip::Rates{{{7, 8, 9}}})).numbers,
                ElementsAre(7, 8, 9));
    EXPECT_THROW(Read<gossip::Version>({2, 0, 0, 0, 9, 0, 0, 0}), PayloadError);
    EXPECT_THROW(Read<gossip::Ping>({1, 0, 0, 0}), PayloadError);
    EXPECT_THROW(Read<gossip::Pairs>(Bytes(8, 0xff)), PayloadError) << "2^32 - 1 in four bytes";
}

TEST(GossipMessagesTest, WeightsFollowNumberAndSamples)
{
    const Bytes one = {0, 0, 0x80, 0x3f};
    Bytes expected = {5, 0, 0, 0, 12, 0, 0, 0};
    expected.insert(expected.end(), one.begin(), one.end());
    auto model = Make<gossip::Model>({1}, 1);
    model.version = 5;
    EXPECT_EQ(BytesOf(model), expected);
    EXPECT_EQ(Read(expected, Make<gossip::Model>({}, 1)).version, 5U);
    auto segment = Make<gossip::Segment>({1}, 8);
    segment.segment = 5;
    segment.segments = 8;
    EXPECT_EQ(BytesOf(segment), expected);
    auto shape = Make<gossip::Segment>({}, 8);
    shape.segments = 8;
    EXPECT_EQ(Read(expected, shape).segment, 5U);
    expected[0] = 0;
    EXPECT_EQ(BytesOf(Make<gossip::Part>({1}, 1)), expected);
}

TEST(GossipMessagesTest, WeightsComeBackAsOftenAsTheyAreRepeated)
{
    for (const uint32_t multiplicity : {1, 3})
    {
        const auto part = Make<gossip::Part>({1.5F, -2, 0}, 3 * multiplicity, multiplicity);
        const auto bytes = BytesOf(part);
        EXPECT_EQ(bytes.size(), 8 + 12 * multiplicity);
        const auto read = Read(bytes, Make<gossip::Part>({}, 3 * multiplicity, multiplicity));
        EXPECT_EQ(read.samples, 12U);
        EXPECT_THAT(*read.values, ElementsAre(1.5F, -2, 0));
        EXPECT_THROW(Read(bytes, Make<gossip::Part>({}, 3 * multiplicity - 1, multiplicity)),
                     PayloadError);
    }
    // The last weight may stand for fewer
    const auto bytes = BytesOf(Make<gossip::Part>({1, 2}, 4, 3));
    EXPECT_EQ(bytes.size(), 8U + 4 * 4);
    EXPECT_THAT(*Read(bytes, Make<gossip::Part>({}, 4, 3)).values, ElementsAre(1, 2));
    auto differing = BytesOf(Make<gossip::Part>({1, 2}, 4, 2));
    differing[12] ^= 1; // the second copy of the first weight
    EXPECT_THROW(Read(differing, Make<gossip::Part>({}, 4, 2)), PayloadError);
}

TEST(GossipMessagesTest, WhatMakesNoSenseIsNotBelieved)
{
    const auto expected = Make<gossip::Model>({}, 2);
    const auto check = [&expected](uint32_t samples, std::vector<float> weights) {
        const std::size_t numbers = weights.size();
        auto model = Make<gossip::Model>(std::move(weights), numbers);
        model.samples = samples;
        CheckMessage(model, expected);
    };
    EXPECT_NO_THROW(check(100, {1, 2}));
    EXPECT_THROW(check(0, {1, 2}), PayloadError);
    EXPECT_THROW(check(101, {1, 2}), PayloadError);
    EXPECT_THROW(check(1, {1, 2, 3}), PayloadError);
    EXPECT_THROW(check(1, {1, std::numeric_limits<float>::quiet_NaN()}), PayloadError);
    EXPECT_THROW(check(1, {std::numeric_limits<float>::infinity(), 1}), PayloadError);
    EXPECT_THROW(CheckMessage(Make<gossip::Model>({1}, 2), expected), PayloadError)
        << "fewer than it says";
}
