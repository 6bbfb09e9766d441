/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/memory-watch.h"

#include "ns3/collab-fields.h"
#include "ns3/collab-packed-message.h"
#include "ns3/federated-messages.h"

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

/// @return vectors as receivers expect them
EncodedPair
Expected(bool hasControl, std::size_t dimension = LENGTH, uint32_t multiplicity = 1)
{
    return {EncodedVector::Expect(dimension, multiplicity),
            EncodedVector::Expect(hasControl ? dimension : 0, multiplicity)};
}

/// @return an upload as receivers expect it
FederatedUpload
ExpectedUpload(bool hasControl)
{
    FederatedUpload upload;
    upload.vectors = Expected(hasControl);
    upload.maxSamples = 1000;
    upload.maxSteps = 50;
    return upload;
}

FederatedUpload
Upload(uint32_t samples, EncodedVector change, EncodedVector control = {})
{
    FederatedUpload upload;
    upload.samples = samples;
    upload.vectors = {std::move(change), std::move(control)};
    return upload;
}

FederatedModel
ExpectedModel(bool hasControl, bool hasMemory = false)
{
    FederatedModel model;
    model.vectors = Expected(hasControl);
    model.hasMemory = hasMemory;
    return model;
}

FederatedModel
Model(std::vector<uint32_t> participants, EncodedVector weights, EncodedVector control = {})
{
    FederatedModel model;
    model.participants = std::move(participants);
    model.vectors = {std::move(weights), std::move(control)};
    return model;
}

FederatedSetModel
SetModel(uint32_t exchange, uint32_t samples, EncodedVector change)
{
    FederatedSetModel model;
    model.exchange = exchange;
    model.samples = samples;
    model.change = std::move(change);
    return model;
}

template <typename T>
std::vector<uint8_t>
Bytes(const T& message)
{
    std::vector<uint8_t> bytes;
    Pack(message)->Serialize(bytes);
    EXPECT_EQ(bytes.size(), Pack(message)->WireSize());
    return bytes;
}

/// Read and check
template <typename T>
T
Read(const std::vector<uint8_t>& bytes, const T& expected)
{
    const auto message = Unpack<T>(bytes.data(), bytes.size(), expected);
    CheckMessage(message->Get(), expected);
    EXPECT_EQ(Bytes(message->Get()), bytes);
    return message->Get();
}

std::vector<uint8_t>
Join(std::initializer_list<std::vector<uint8_t>> parts)
{
    std::vector<uint8_t> all;
    for (const auto& part : parts)
    {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

} // namespace

TEST(FederatedMessagesTest, BytesByHand)
{
    const EncodedVector one({1.5F, -2}, *MakeCompressor("float32"), 0);
    const EncodedVector two({0.0F, 4}, *MakeCompressor("float32"), 0);
    std::vector<uint8_t> first;
    one.Write(first);
    std::vector<uint8_t> second;
    two.Write(second);
    // The format, 2 elements, 1.5 and -2
    ASSERT_THAT(first, ElementsAre(1, 2, 0, 0, 0, 0, 0, 0xc0, 0x3f, 0, 0, 0, 0xc0));
    constexpr uint8_t SIZE = 13;

    FederatedModel model;
    model.hasMemory = true;
    model.AddParticipant(3, true);
    model.AddParticipant(258, false);
    model.AddParticipant(259, true);
    model.vectors = {one, two};
    EXPECT_EQ(Bytes(model),
              Join({{3, 0, 0, 0, 3, 0, 0, 0, 2, 1, 0, 0, 3, 1, 0, 0, 0b101, SIZE, 0, 0, 0},
                    first,
                    second}));
    model = Model({}, one);
    EXPECT_EQ(Bytes(model), Join({{0, 0, 0, 0, SIZE, 0, 0, 0}, first}));

    FederatedUpload upload = Upload(258, one, two);
    upload.steps = 7;
    upload.assignment = 0x01020304;
    EXPECT_EQ(Bytes(upload), Join({{2, 1, 0, 0, SIZE, 0, 0, 0}, first, second}));
    upload.sendsSteps = true;
    EXPECT_EQ(Bytes(upload), Join({{2, 1, 0, 0, 7, 0, 0, 0, SIZE, 0, 0, 0}, first, second}));
    upload.sendsSteps = false;
    upload.isAsynchronous = true;
    EXPECT_EQ(Bytes(upload), Join({{2, 1, 0, 0, 4, 3, 2, 1, SIZE, 0, 0, 0}, first, second}));

    EXPECT_EQ(Bytes(SetModel(2, 30, one)), Join({{2, 0, 0, 0, 30, 0, 0, 0}, first}));
    EXPECT_EQ(GetKind<FederatedModel>(), 0x0401);
    EXPECT_EQ(GetKind<FederatedUpload>(), 0x0402);
    EXPECT_EQ(GetKind<FederatedSetModel>(), 0x0403);
}

TEST(FederatedMessagesTest, EverythingComesBack)
{
    for (const std::string compression :
         {"float32", "float16", "int8", "top-k:k=5", "random-k:k=5,unbiased=1"})
    {
        for (const bool hasControl : {false, true})
        {
            const EncodedVector control = hasControl ? Encoded(-3, compression) : EncodedVector();
            const auto upload = Upload(77, Encoded(1, compression), control);
            const auto read = Read(Bytes(upload), ExpectedUpload(hasControl)).ToUpdate();
            EXPECT_EQ(read.samples, 77U);
            EXPECT_EQ(*read.change, *upload.ToUpdate().change) << compression;
            EXPECT_EQ(read.controlChange != nullptr, hasControl);

            const auto model = Model({1, 4}, Encoded(2, compression), control);
            const auto modelRead = Read(Bytes(model), ExpectedModel(hasControl));
            EXPECT_THAT(modelRead.participants, ElementsAre(1, 4));
            EXPECT_EQ(*modelRead.vectors.weights.GetValues(), *model.vectors.weights.GetValues());
        }
    }
}

TEST(FederatedMessagesTest, RepeatedValuesTakeAllTheirBytes)
{
    const auto values = std::make_shared<const std::vector<float>>(Values(1));
    const auto bytes = Bytes(Upload(77, EncodedVector(values, 3)));
    EXPECT_EQ(bytes.size(), 8 + MakeCompressor("float32")->EncodedSize(3 * LENGTH));
    FederatedUpload expected = ExpectedUpload(false);
    EXPECT_THROW(Read(bytes, expected), PayloadError);
    expected.vectors = Expected(false, LENGTH, 3);
    EXPECT_EQ(*Read(bytes, expected).ToUpdate().change, *values);
}

TEST(FederatedMessagesTest, VectorsOfFloat32AreKeptOnce)
{
    constexpr std::size_t LARGE = 100000;
    const std::vector<float> values(LARGE, 0.25F);
    const auto encoded = MakeCompressor("float32")->Encode(values.data(), LARGE, 1);
    const tests::MemoryWatch watch;
    EncodedVector read = EncodedVector::Expect(LARGE, 1);
    WireReader reader(encoded.data(), encoded.size());
    read.Read(reader);
    EXPECT_GE(watch.GetPeak(), LARGE * sizeof(float));
    EXPECT_LT(watch.GetPeak(), 1.1 * LARGE * sizeof(float));
    EXPECT_EQ(read.WireSize(), encoded.size());
    std::vector<uint8_t> again;
    read.Write(again);
    EXPECT_EQ(again, encoded);
}

TEST(FederatedMessagesTest, NumbersOfOtherAlgorithmsAreRefused)
{
    FederatedUpload expected = ExpectedUpload(false);
    expected.sendsSteps = true;
    expected.isAsynchronous = true;
    FederatedUpload upload = Upload(77, Encoded(1));
    upload.sendsSteps = true;
    upload.isAsynchronous = true;
    upload.steps = 50;
    upload.assignment = 0x01020304;
    const auto read = Read(Bytes(upload), expected);
    EXPECT_EQ(read.steps, 50U);
    EXPECT_EQ(read.assignment, 0x01020304U);
    for (const uint32_t steps : {0U, 51U})
    {
        upload.steps = steps;
        EXPECT_THROW(Read(Bytes(upload), expected), PayloadError);
    }
    upload.steps = 50;
    upload.isAsynchronous = false;
    EXPECT_THROW(CheckMessage(upload, expected), PayloadError);
    EXPECT_THROW(Read(Bytes(upload), expected), PayloadError);
    upload.isAsynchronous = true;
    upload.sendsSteps = false;
    EXPECT_THROW(CheckMessage(upload, expected), PayloadError);
    EXPECT_THROW(CheckMessage(upload, ExpectedUpload(false)), PayloadError);
    EXPECT_THROW(Read(Bytes(upload), ExpectedUpload(false)), PayloadError);
}

TEST(FederatedMessagesTest, ReceiverSeesWhatCompressionLeaves)
{
    const auto encoded = Encoded(1, "top-k:k=2");
    const auto& change = *encoded.GetValues();
    EXPECT_EQ(std::count(change.begin(), change.end(), 0.0F), LENGTH - 2);
    EXPECT_EQ(change.back(), Values(1).back());
    EXPECT_LT(Encoded(1, "float16").WireSize(), Encoded(1).WireSize() / 2 + 16);
}

TEST(FederatedMessagesTest, BitsOfParticipantsComeBack)
{
    FederatedModel sent = ExpectedModel(false, true);
    sent.vectors.weights = Encoded(1);
    for (const uint32_t device : {0, 1, 2, 3, 4, 5, 6, 7, 9})
    {
        sent.AddParticipant(device, device == 1 || device == 9);
    }
    auto bytes = Bytes(sent);
    EXPECT_EQ(bytes.size(), Bytes(Model(sent.participants, Encoded(1))).size() + 2);
    const auto read = Read(bytes, ExpectedModel(false, true));
    for (const uint32_t device : {0U, 1U, 2U, 7U, 8U, 9U, 10U})
    {
        EXPECT_EQ(read.IsOdd(device), device == 1 || device == 9) << device;
        EXPECT_EQ(read.Asks(device), device != 8 && device != 10) << device;
    }
    EXPECT_THROW(Read(bytes, ExpectedModel(false)), PayloadError);
    EXPECT_THROW(CheckMessage(sent, ExpectedModel(false)), PayloadError);
    bytes[4 + 4 * sent.participants.size() + 1] |= 2; // a tenth bit
    EXPECT_THROW(Read(bytes, ExpectedModel(false, true)), PayloadError);
    sent.parities.pop_back();
    EXPECT_THROW(CheckMessage(sent, ExpectedModel(false, true)), PayloadError);
}

TEST(FederatedMessagesTest, ForgedNumbersAreRefused)
{
    const auto bytes = Bytes(Model({0, 3}, Encoded(1)));
    for (const std::size_t place : {0, 12}) // number of participants, size of the model
    {
        auto forged = bytes;
        std::fill_n(forged.begin() + static_cast<std::ptrdiff_t>(place), 4, 0xff);
        EXPECT_THROW(Read(forged, ExpectedModel(false)), PayloadError) << place;
    }
    EXPECT_THROW(Read(Bytes(Model({3, 3}, Encoded(1))), ExpectedModel(false)), PayloadError);
    for (const uint32_t samples : {0U, 1001U})
    {
        EXPECT_THROW(Read(Bytes(Upload(samples, Encoded(1))), ExpectedUpload(false)), PayloadError);
    }
    // A NaN in the last element of the change
    auto update = Bytes(Upload(7, Encoded(1)));
    std::fill_n(update.end() - 4, 4, 0xff);
    EXPECT_THROW(Read(update, ExpectedUpload(false)), PayloadError);
    EXPECT_THROW(Read({}, ExpectedUpload(false)), PayloadError);
}

TEST(FederatedMessagesTest, OtherDimensionsAreRefused)
{
    const auto upload = Upload(7, Encoded(1));
    for (const std::size_t other : {LENGTH - 1, LENGTH + 1})
    {
        FederatedUpload expected = ExpectedUpload(false);
        expected.vectors = Expected(false, other);
        EXPECT_THROW(CheckMessage(upload, expected), PayloadError);
        EXPECT_THROW(Read(Bytes(upload), expected), PayloadError);
    }
    EXPECT_THROW(CheckMessage(upload, ExpectedUpload(true)), PayloadError);
    EXPECT_THROW(Read(Bytes(upload), ExpectedUpload(true)), PayloadError);
    auto values = Values(1);
    values[3] = std::numeric_limits<float>::infinity();
    EXPECT_THROW(EncodedVector(values, *MakeCompressor("float32"), 1), std::invalid_argument);
}

TEST(FederatedMessagesTest, ModelsOfASetTravelExactly)
{
    const auto expect = [](uint32_t exchanges, std::size_t dimension, uint32_t samples) {
        return SetModel(exchanges, samples, EncodedVector::Expect(dimension, 1));
    };
    for (const std::string compression : {"float32", "int8", "top-k:fraction=0.2"})
    {
        const auto sent = SetModel(2, 30, Encoded(1, compression));
        EXPECT_EQ(Bytes(sent).size(), 8 + MakeCompressor(compression)->EncodedSize(LENGTH));
        const auto read = Read(Bytes(sent), expect(3, LENGTH, 30));
        EXPECT_EQ(read.exchange, 2U);
        EXPECT_EQ(read.samples, 30U);
        EXPECT_EQ(*read.change.GetValues(), *sent.change.GetValues());
        EXPECT_THROW(CheckMessage(sent, expect(2, LENGTH, 30)), PayloadError);
        EXPECT_THROW(CheckMessage(sent, expect(3, LENGTH + 1, 30)), PayloadError);
        EXPECT_THROW(CheckMessage(sent, expect(3, LENGTH, 29)), PayloadError);
        EXPECT_THROW(CheckMessage(SetModel(0, 0, Encoded(1)), expect(3, LENGTH, 30)), PayloadError);
    }
}
