/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/committee-message.h"
#include "ns3/committee-payloads.h"

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <limits>
#include <memory>

using namespace ns3::collab;

namespace
{

constexpr uint32_t BYTES = 20; // of an authenticator

std::string
ToHex(const Digest& digest)
{
    std::string hex;
    for (const uint8_t byte : digest)
    {
        hex += fmt::format("{:02x}", byte);
    }
    return hex;
}

std::vector<uint8_t>
Serialize(const ConsensusMessage& message)
{
    std::vector<uint8_t> bytes;
    message.SerializeBody(bytes);
    bytes.insert(bytes.end(), message.authenticator.begin(), message.authenticator.end());
    return bytes;
}

ConsensusMessage
MakeMessage(ConsensusKind kind, const KeyRing& keys)
{
    ConsensusMessage message;
    message.kind = kind;
    message.vote = CommitteeVote::ELECTION;
    message.round = 7;
    message.sender = 3;
    message.attempt = 2;
    message.timestamp = 123456789012345;
    if (kind == ConsensusKind::SCORES)
    {
        message.vote = CommitteeVote::AGGREGATION;
        message.scores = {{4, 0.5}, {9, std::numeric_limits<double>::infinity()}, {12, 0.0}};
    }
    else if (kind != ConsensusKind::VIEW_CHANGE)
    {
        message.proposal.clients = {1, 5, 70000};
        message.proposal.digest = ComputeSetDigest(message.proposal.clients);
    }
    if (kind == ConsensusKind::COMMIT)
    {
        for (const uint32_t member : {2, 3})
        {
            ConsensusMessage reply = MakeConsentedReply(message, member);
            reply.Sign(keys);
            message.certificate.push_back({member, reply.authenticator});
        }
    }
    message.Sign(keys);
    return message;
}

const std::vector<ConsensusKind> KINDS = {ConsensusKind::SCORES,
                                          ConsensusKind::REQUEST,
                                          ConsensusKind::REPLY,
                                          ConsensusKind::COMMIT,
                                          ConsensusKind::VIEW_CHANGE};

} // namespace

TEST(CommitteeAuthentication, DigestsAreSha256)
{
    // FIPS 180-4, examples
    EXPECT_EQ(ToHex(ComputeDigest(std::vector<uint8_t>{'a', 'b', 'c'})),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(ToHex(ComputeDigest(std::vector<uint8_t>())),
              "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    // 1.0F is 0x3f800000
    EXPECT_EQ(ComputeDigest(std::vector<float>{1.0F}),
              ComputeDigest(std::vector<uint8_t>{0, 0, 0x80, 0x3f}));
}

TEST(CommitteeAuthentication, OnlyTheSignerAndTheBytesVerify)
{
    const KeyRing keys(1, 64);
    const std::vector<uint8_t> bytes = {1, 2, 3};
    const auto authenticator = keys.Sign(5, bytes);
    EXPECT_EQ(authenticator.size(), 64);
    EXPECT_TRUE(keys.Verify(5, bytes, authenticator));
    EXPECT_FALSE(keys.Verify(6, bytes, authenticator));
    EXPECT_FALSE(keys.Verify(5, {1, 2, 4}, authenticator));
    EXPECT_FALSE(KeyRing(2, 64).Verify(5, bytes, authenticator));
    auto changed = authenticator;
    changed[31] ^= 1;
    EXPECT_FALSE(keys.Verify(5, bytes, changed));
    EXPECT_THROW(KeyRing(1, 7), std::invalid_argument);
    EXPECT_THROW(KeyRing(1, 4097), std::invalid_argument);
}

TEST(CommitteeMessage, TravelsWithItsExactSize)
{
    const KeyRing keys(1, BYTES);
    for (const auto kind : KINDS)
    {
        const ConsensusMessage message = MakeMessage(kind, keys);
        const auto bytes = Serialize(message);
        EXPECT_EQ(bytes.size(), message.WireSize(BYTES)) << GetName(kind);
        const auto parsed = ConsensusMessage::Parse(bytes.data(), bytes.size(), BYTES);
        EXPECT_EQ(Serialize(parsed), bytes) << GetName(kind);
        EXPECT_TRUE(parsed.IsAuthentic(keys)) << GetName(kind);
        EXPECT_EQ(parsed.scores, message.scores);
        EXPECT_TRUE(parsed.proposal == message.proposal);
    }
    // By hand: 22 B of head, 4 + 3 (4 + 8) B of scores, authenticator
    EXPECT_EQ(MakeMessage(ConsensusKind::SCORES, keys).WireSize(BYTES), 22 + 40 + BYTES);
    EXPECT_EQ(MakeMessage(ConsensusKind::REPLY, keys).WireSize(BYTES), 22 + 4 + 12 + 32 + BYTES);
}

TEST(CommitteeMessage, AuthenticatorCoversEveryByte)
{
    const KeyRing keys(1, BYTES);
    for (const auto kind : KINDS)
    {
        const auto bytes = Serialize(MakeMessage(kind, keys));
        for (std::size_t i = 0; i < bytes.size(); ++i)
        {
            auto changed = bytes;
            changed[i] ^= 1;
            try
            {
                const auto parsed = ConsensusMessage::Parse(changed.data(), changed.size(), BYTES);
                EXPECT_FALSE(parsed.IsAuthentic(keys)) << GetName(kind) << ", byte " << i;
            }
            catch (const std::invalid_argument&)
            {
            }
        }
    }
}

TEST(CommitteeMessage, RefusesBytesThatAreNoMessage)
{
    const KeyRing keys(1, BYTES);
    for (const auto kind : KINDS)
    {
        auto bytes = Serialize(MakeMessage(kind, keys));
        for (std::size_t size = 0; size < bytes.size(); ++size)
        {
            EXPECT_THROW(ConsensusMessage::Parse(bytes.data(), size, BYTES), std::invalid_argument);
        }
        bytes.push_back(0);
        EXPECT_THROW(ConsensusMessage::Parse(bytes.data(), bytes.size(), BYTES),
                     std::invalid_argument);
    }
    ConsensusMessage scores = MakeMessage(ConsensusKind::SCORES, keys);
    for (const double wrong : {-1.0, std::nan("")})
    {
        scores.scores[9] = wrong;
        const auto bytes = Serialize(scores);
        EXPECT_THROW(ConsensusMessage::Parse(bytes.data(), bytes.size(), BYTES),
                     std::invalid_argument);
    }
    ConsensusMessage request = MakeMessage(ConsensusKind::REQUEST, keys);
    request.proposal.clients = {5, 5};
    const auto bytes = Serialize(request);
    EXPECT_THROW(ConsensusMessage::Parse(bytes.data(), bytes.size(), BYTES), std::invalid_argument);
}

TEST(SignedVectorPayloadTest, RepeatedElementsTakeAllTheirBytes)
{
    const KeyRing keys(7, 16);
    VectorLabel label;
    label.sender = 3;
    label.samples = 5;
    const auto values = std::make_shared<const std::vector<float>>(std::vector<float>{1.5F, -2});
    const SignedVectorPayload payload(label, values, keys, 4);
    std::vector<uint8_t> bytes;
    payload.Serialize(bytes);
    EXPECT_EQ(bytes.size(), payload.WireSize());
    EXPECT_EQ(bytes.size(), 5U * 4 + 2 * 4 * 4 + 16);
    const auto read = SignedVectorPayload::Parse(bytes.data(), bytes.size(), 2, 16, 4);
    EXPECT_EQ(*read->GetValues(), *values);
    EXPECT_EQ(read->WireSize(), payload.WireSize());
    EXPECT_NO_THROW(read->Check(2, keys));
    EXPECT_THROW(SignedVectorPayload::Parse(bytes.data(), bytes.size(), 2, 16, 1), PayloadError);
}
