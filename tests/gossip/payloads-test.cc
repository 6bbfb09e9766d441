/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/gossip-payloads.h"

#include <gmock/gmock.h>
#include <limits>

using namespace ns3::collab;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace
{

/// The wire format
std::vector<uint8_t>
Bytes(const Payload& payload)
{
    std::vector<uint8_t> bytes;
    payload.Serialize(bytes);
    EXPECT_EQ(bytes.size(), payload.WireSize());
    return bytes;
}

/// Weights that can be shared
FlatVector
Weights(std::vector<float> values)
{
    return std::make_shared<const std::vector<float>>(std::move(values));
}

} // namespace

TEST(GossipPayloadsTest, NumbersComeBack)
{
    const GossipNumbersPayload payload({7, 0xfedcba98, 0});
    const auto bytes = Bytes(payload);
    EXPECT_EQ(bytes.size(), 16U);
    EXPECT_THAT(GossipNumbersPayload::Parse(bytes.data(), bytes.size())->GetNumbers(),
                ElementsAre(7, 0xfedcba98, 0));
    const auto none = Bytes(GossipNumbersPayload({}));
    EXPECT_THAT(GossipNumbersPayload::Parse(none.data(), none.size())->GetNumbers(), IsEmpty());
    const std::vector<uint8_t> boast(8, 0xff); // 2^32 - 1 numbers in four bytes
    EXPECT_THROW(GossipNumbersPayload::Parse(boast.data(), boast.size()), PayloadError);
}

TEST(GossipPayloadsTest, WeightsComeBackAsOftenAsTheyAreRepeated)
{
    for (const uint32_t multiplicity : {1, 3})
    {
        const GossipWeightsPayload payload(5, 12, Weights({1.5F, -2, 0}), multiplicity);
        const auto bytes = Bytes(payload);
        EXPECT_EQ(bytes.size(), 8 + 12 * multiplicity);
        const auto read = GossipWeightsPayload::Parse(bytes.data(), bytes.size(), multiplicity);
        EXPECT_EQ(read->GetNumber(), 5U);
        EXPECT_EQ(read->GetSamples(), 12U);
        EXPECT_THAT(*read->GetWeights(), ElementsAre(1.5F, -2, 0));
        EXPECT_EQ(Bytes(*read), bytes);
        EXPECT_NO_THROW(read->Check(3 * multiplicity, 12));
        EXPECT_THROW(read->Check(3 * multiplicity - 1, 12), PayloadError);
    }
    // The last weight may stand for fewer
    const auto part = Bytes(GossipWeightsPayload(5, 12, Weights({1, 2}), 3, 4));
    EXPECT_EQ(part.size(), 8U + 4 * 4);
    const auto again = GossipWeightsPayload::Parse(part.data(), part.size(), 3);
    EXPECT_THAT(*again->GetWeights(), ElementsAre(1, 2));
    EXPECT_NO_THROW(again->Check(4, 12));
    EXPECT_THROW(again->Check(6, 12), PayloadError);
    EXPECT_EQ(Bytes(*again), part);
    auto bytes = Bytes(GossipWeightsPayload(5, 12, Weights({1, 2}), 2));
    bytes[12] ^= 1; // the second copy of the first weight
    EXPECT_THROW(GossipWeightsPayload::Parse(bytes.data(), bytes.size(), 2), PayloadError);
}

TEST(GossipPayloadsTest, WhatMakesNoSenseIsNotBelieved)
{
    const auto check = [](uint32_t samples, std::vector<float> weights) {
        GossipWeightsPayload(0, samples, Weights(std::move(weights)), 1).Check(2, 100);
    };
    EXPECT_NO_THROW(check(100, {1, 2}));
    EXPECT_THROW(check(0, {1, 2}), PayloadError);
    EXPECT_THROW(check(101, {1, 2}), PayloadError);
    EXPECT_THROW(check(1, {1, 2, 3}), PayloadError);
    EXPECT_THROW(check(1, {1, std::numeric_limits<float>::quiet_NaN()}), PayloadError);
    EXPECT_THROW(check(1, {std::numeric_limits<float>::infinity(), 1}), PayloadError);
}
