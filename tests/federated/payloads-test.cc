/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/memory-watch.h"

#include "ns3/federated-payloads.h"
#include "ns3/federated-set-payloads.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <limits>

using namespace ns3::collab;
using ::testing::ElementsAre;

namespace
{

constexpr std::size_t LENGTH = 37;

std::vector<float>
Values(float first)
{
    std::vector<float> values(LENGTH);
    for (std::size_t i = 0; i < LENGTH; ++i)
    {
        values[i] = first + 0.37F * static_cast<float>(i);
    }
    return values;
}

EncodedVector
Encoded(float first, const std::string& compression = "float32")
{
    return EncodedVector(Values(first), *MakeCompressor(compression), 5);
}

std::vector<uint8_t>
Bytes(const Payload& payload)
{
    std::vector<uint8_t> bytes;
    payload.Serialize(bytes);
    return bytes;
}

/// Parse and check
std::shared_ptr<const FederatedUpdatePayload>
ReadUpdate(const std::vector<uint8_t>& bytes, bool hasControl)
{
    auto payload = FederatedUpdatePayload::Parse(bytes.data(), bytes.size(), LENGTH, hasControl);
    payload->Check(LENGTH, hasControl, 1000);
    return payload;
}

/// Parse and check
std::shared_ptr<const FederatedModelPayload>
ReadModel(const std::vector<uint8_t>& bytes, bool hasControl)
{
    auto payload = FederatedModelPayload::Parse(bytes.data(), bytes.size(), LENGTH, hasControl);
    payload->Check(LENGTH, hasControl);
    return payload;
}

} // namespace

TEST(FederatedPayloadsTest, WireSizeIsExactAndEverythingComesBack)
{
    for (const std::string compression :
         {"float32", "float16", "int8", "top-k:k=5", "random-k:k=5,unbiased=1"})
    {
        for (const bool hasControl : {false, true})
        {
            const EncodedVector control = hasControl ? Encoded(-3, compression) : EncodedVector();
            const FederatedUpdatePayload update(77, Encoded(1, compression), control);
            const auto bytes = Bytes(update);
            EXPECT_EQ(bytes.size(), update.WireSize()) << compression;
            const auto read = ReadUpdate(bytes, hasControl);
            EXPECT_EQ(read->GetSamples(), 77U);
            EXPECT_EQ(*read->GetChange(), *update.GetChange()) << compression;
            EXPECT_EQ(read->GetControlChange() != nullptr, hasControl);
            EXPECT_EQ(Bytes(*read), bytes);

            const FederatedModelPayload model({1, 4}, Encoded(2, compression), control);
            const auto modelBytes = Bytes(model);
            EXPECT_EQ(modelBytes.size(), model.WireSize());
            const auto modelRead = ReadModel(modelBytes, hasControl);
            EXPECT_THAT(modelRead->GetParticipants(), ElementsAre(1, 4));
            EXPECT_EQ(*modelRead->GetModel(), *model.GetModel());
            EXPECT_EQ(Bytes(*modelRead), modelBytes);
        }
    }
}

TEST(FederatedPayloadsTest, RepeatedValuesTakeAllTheirBytes)
{
    const auto values = std::make_shared<const std::vector<float>>(Values(1));
    const FederatedUpdatePayload update(77, EncodedVector(values, 3), EncodedVector());
    const auto bytes = Bytes(update);
    EXPECT_EQ(bytes.size(), update.WireSize());
    EXPECT_EQ(bytes.size(), 8 + MakeCompressor("float32")->EncodedSize(3 * LENGTH));
    const auto read = FederatedUpdatePayload::Parse(bytes.data(), bytes.size(), LENGTH, false, 3);
    EXPECT_EQ(*read->GetChange(), *values);
    EXPECT_EQ(Bytes(*read), bytes);
    EXPECT_THROW(FederatedUpdatePayload::Parse(bytes.data(), bytes.size(), LENGTH, false),
                 PayloadError);
}

TEST(FederatedPayloadsTest, VectorsOfFloat32AreKeptOnce)
{
    constexpr std::size_t LARGE = 100000;
    const std::vector<float> values(LARGE, 0.25F);
    const auto encoded = MakeCompressor("float32")->Encode(values.data(), LARGE, 1);
    const tests::MemoryWatch watch;
    const EncodedVector read(encoded.data(), encoded.size(), LARGE);
    EXPECT_GE(watch.GetPeak(), LARGE * sizeof(float));
    EXPECT_LT(watch.GetPeak(), 1.1 * LARGE * sizeof(float));
    EXPECT_EQ(read.GetSize(), encoded.size());
    std::vector<uint8_t> again;
    read.Serialize(again);
    EXPECT_EQ(again, encoded);
}

TEST(FederatedPayloadsTest, SizesAreThoseOfTheFormat)
{
    const FederatedUpdatePayload update(77, Encoded(1), EncodedVector());
    const uint64_t plain = MakeCompressor("float32")->EncodedSize(LENGTH);
    EXPECT_EQ(update.WireSize(), 8 + plain);
    const FederatedModelPayload model({1, 2, 3}, Encoded(1), Encoded(2));
    EXPECT_EQ(model.WireSize(), 4 + 3 * 4 + 4 + 2 * plain);
    const FederatedUpdatePayload half(77, Encoded(1, "float16"), EncodedVector());
    EXPECT_LT(half.WireSize(), 8 + plain / 2 + 16);
}

TEST(FederatedPayloadsTest, AssignmentsTravelExactly)
{
    const FederatedUpdatePayload update(77, Encoded(1), EncodedVector(), std::nullopt, 0x01020304);
    const uint64_t plain = MakeCompressor("float32")->EncodedSize(LENGTH);
    EXPECT_EQ(update.WireSize(), 12 + plain);
    const auto bytes = Bytes(update);
    EXPECT_EQ(bytes.size(), 12 + plain);
    EXPECT_EQ(bytes[4], 4);
    EXPECT_EQ(bytes[7], 1);
    const auto read =
        FederatedUpdatePayload::Parse(bytes.data(), bytes.size(), LENGTH, false, 1, false, true);
    EXPECT_EQ(read->GetAssignment(), 0x01020304U);
    EXPECT_EQ(*read->GetChange(), Values(1));
    read->Check(LENGTH, false, 1000, 0, true);
    EXPECT_THROW(read->Check(LENGTH, false, 1000), PayloadError);
    const FederatedUpdatePayload without(77, Encoded(1), EncodedVector());
    EXPECT_THROW(without.Check(LENGTH, false, 1000, 0, true), PayloadError);
    EXPECT_THROW(ReadUpdate(bytes, false), PayloadError);
}

TEST(FederatedPayloadsTest, ReceiverSeesWhatCompressionLeaves)
{
    const FederatedUpdatePayload update(1, Encoded(1, "top-k:k=2"), EncodedVector());
    const auto& change = *update.GetChange();
    EXPECT_EQ(std::count(change.begin(), change.end(), 0.0F), LENGTH - 2);
    EXPECT_EQ(change.back(), Values(1).back());
}

TEST(FederatedPayloadsTest, BitsOfParticipantsComeBack)
{
    const std::vector<uint32_t> participants = {0, 1, 2, 3, 4, 5, 6, 7, 9};
    std::vector<bool> parities(participants.size(), false);
    parities[1] = parities[8] = true;
    const FederatedModelPayload sent(participants, Encoded(1), EncodedVector(), parities);
    auto bytes = Bytes(sent);
    EXPECT_EQ(bytes.size(), sent.WireSize());
    EXPECT_EQ(bytes.size(),
              FederatedModelPayload(participants, Encoded(1), EncodedVector()).WireSize() + 2);
    const auto read = [&bytes](bool hasParities) {
        auto payload =
            FederatedModelPayload::Parse(bytes.data(), bytes.size(), LENGTH, false, 1, hasParities);
        payload->Check(LENGTH, false, true);
        return payload;
    };
    for (const uint32_t device : {0U, 1U, 2U, 7U, 8U, 9U, 10U})
    {
        EXPECT_EQ(read(true)->IsOdd(device), device == 1 || device == 9) << device;
    }
    EXPECT_THROW(read(false), PayloadError);
    bytes[4 + 4 * participants.size() + 1] |= 2; // a tenth bit
    EXPECT_THROW(read(true), PayloadError);
    EXPECT_THROW(FederatedModelPayload({0, 3}, Encoded(1), EncodedVector(), parities)
                     .Check(LENGTH, false, true),
                 PayloadError);
    EXPECT_THROW(sent.Check(LENGTH, false), PayloadError);
}

TEST(FederatedPayloadsTest, ForgedNumbersAreRefused)
{
    auto bytes = Bytes(FederatedModelPayload({0, 3}, Encoded(1), EncodedVector()));
    for (const std::size_t place : {0, 12}) // number of participants, size of the model
    {
        auto forged = bytes;
        std::fill_n(forged.begin() + static_cast<std::ptrdiff_t>(place), 4, 0xff);
        EXPECT_THROW(ReadModel(forged, false), PayloadError) << place;
    }
    EXPECT_THROW(
        ReadModel(Bytes(FederatedModelPayload({3, 3}, Encoded(1), EncodedVector())), false),
        PayloadError);
    for (const uint32_t samples : {0U, 1001U})
    {
        EXPECT_THROW(
            ReadUpdate(Bytes(FederatedUpdatePayload(samples, Encoded(1), EncodedVector())), false),
            PayloadError);
    }
    // A NaN in the last element of the change
    auto update = Bytes(FederatedUpdatePayload(7, Encoded(1), EncodedVector()));
    std::fill_n(update.end() - 4, 4, 0xff);
    EXPECT_THROW(ReadUpdate(update, false), PayloadError);
    EXPECT_THROW(FederatedUpdatePayload::Parse(bytes.data(), 0, LENGTH, false), PayloadError);
}

TEST(FederatedPayloadsTest, OtherDimensionsAreRefused)
{
    const FederatedUpdatePayload update(7, Encoded(1), EncodedVector());
    EXPECT_THROW(update.Check(LENGTH + 1, false, 1000), PayloadError);
    EXPECT_THROW(update.Check(LENGTH, true, 1000), PayloadError);
    const auto bytes = Bytes(update);
    EXPECT_THROW(FederatedUpdatePayload::Parse(bytes.data(), bytes.size(), LENGTH - 1, false),
                 PayloadError);
    auto values = Values(1);
    values[3] = std::numeric_limits<float>::infinity();
    EXPECT_THROW(EncodedVector(values, *MakeCompressor("float32"), 1), std::invalid_argument);
}

TEST(FederatedPayloadsTest, ModelsOfASetTravelExactly)
{
    for (const std::string compression : {"float32", "int8", "top-k:fraction=0.2"})
    {
        const FederatedSetPayload sent(2, 30, Encoded(1, compression));
        const auto bytes = Bytes(sent);
        EXPECT_EQ(sent.WireSize(), bytes.size());
        EXPECT_EQ(bytes.size(), 8 + MakeCompressor(compression)->EncodedSize(LENGTH));
        const auto read = FederatedSetPayload::Parse(bytes.data(), bytes.size(), LENGTH);
        read->Check(3, LENGTH, 30);
        EXPECT_EQ(read->GetExchange(), 2U);
        EXPECT_EQ(read->GetSamples(), 30U);
        EXPECT_EQ(*read->GetChange(), *sent.GetChange());
        EXPECT_THROW(read->Check(2, LENGTH, 30), PayloadError);
        EXPECT_THROW(read->Check(3, LENGTH + 1, 30), PayloadError);
        EXPECT_THROW(read->Check(3, LENGTH, 29), PayloadError);
        EXPECT_THROW(FederatedSetPayload(0, 0, Encoded(1)).Check(3, LENGTH, 30), PayloadError);
    }
}
