/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/committee-messages.h"

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
    message.Sign(keys);
    return message;
}

CertifiedBlock
MakeBlock(const KeyRing& keys)
{
    CertifiedBlock certified;
    Block& block = certified.block;
    block.round = 7;
    block.parent.fill(3);
    block.clients = {1, 5, 70000};
    block.model.fill(9);
    block.committee = {2, 3, 4, 8};
    block.expelled = {6};
    certified.view = 2;
    for (const uint32_t member : {2, 3, 8})
    {
        const auto statement =
            MakeStatement(CommitteeVote::ELECTION, member, 7, 2, block.GetDigest());
        certified.consents.push_back({member, keys.Sign(member, statement)});
    }
    return certified;
}

/// As above, of the rule BYZANTINE
ConsensusMessage
MakeBallot(ConsensusKind kind, const KeyRing& keys)
{
    ConsensusMessage message = MakeMessage(kind, keys);
    message.rule = QuorumRule::BYZANTINE;
    for (const auto& [client, score] : message.scores)
    {
        message.gradients[client].fill(static_cast<uint8_t>(client));
    }
    if (kind == ConsensusKind::REPLY)
    {
        message.timestamp = 0;
    }
    else if (kind != ConsensusKind::SCORES)
    {
        message.ballot = MakeBlock(keys);
    }
    if (kind == ConsensusKind::REQUEST)
    {
        message.tables = {MakeBallot(ConsensusKind::SCORES, keys)};
        message.evidence = {message.tables[0], message.tables[0]};
    }
    message.Sign(keys);
    return message;
}

/// @return messages of all kinds and both rules
std::vector<ConsensusMessage>
MakeMessages(const KeyRing& keys)
{
    std::vector<ConsensusMessage> messages;
    for (const auto kind : {ConsensusKind::SCORES,
                            ConsensusKind::REQUEST,
                            ConsensusKind::REPLY,
                            ConsensusKind::COMMIT,
                            ConsensusKind::VIEW_CHANGE})
    {
        messages.push_back(MakeMessage(kind, keys));
        messages.push_back(MakeBallot(kind, keys));
    }
    return messages;
}

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
    for (const auto& message : MakeMessages(keys))
    {
        const auto bytes = Serialize(message);
        EXPECT_EQ(bytes.size(), message.WireSize(BYTES)) << GetName(message.kind);
        const auto parsed = ConsensusMessage::Parse(bytes.data(), bytes.size(), BYTES);
        EXPECT_EQ(Serialize(parsed), bytes) << GetName(message.kind);
        EXPECT_TRUE(parsed.IsAuthentic(keys)) << GetName(message.kind);
        EXPECT_EQ(parsed.rule, message.rule);
        EXPECT_EQ(parsed.scores, message.scores);
        EXPECT_EQ(parsed.gradients, message.gradients);
        EXPECT_EQ(parsed.ballot.has_value(), message.ballot.has_value());
        EXPECT_EQ(parsed.tables.size(), message.tables.size());
        EXPECT_EQ(parsed.evidence.size(), message.evidence.size());
        EXPECT_EQ(parsed.proposal.digest,
                  message.rule == QuorumRule::PAPER || message.kind == ConsensusKind::REPLY
                      ? message.proposal.digest
                      : Digest());
    }
    // By hand: 22 B of head, 4 + 3 (4 + 8) B of scores, authenticator
    EXPECT_EQ(MakeMessage(ConsensusKind::SCORES, keys).WireSize(BYTES), 22 + 40 + BYTES);
    EXPECT_EQ(MakeMessage(ConsensusKind::REPLY, keys).WireSize(BYTES), 22 + 4 + 12 + 32 + BYTES);
}

TEST(CommitteeMessage, AuthenticatorCoversEveryByte)
{
    const KeyRing keys(1, BYTES);
    for (const auto& message : MakeMessages(keys))
    {
        const auto bytes = Serialize(message);
        for (std::size_t i = 0; i < bytes.size(); ++i)
        {
            auto changed = bytes;
            changed[i] ^= 1;
            try
            {
                const auto parsed = ConsensusMessage::Parse(changed.data(), changed.size(), BYTES);
                EXPECT_FALSE(parsed.IsAuthentic(keys)) << GetName(message.kind) << ", byte " << i;
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
    for (const auto& message : MakeMessages(keys))
    {
        auto bytes = Serialize(message);
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

TEST(CommitteeMessage, OnlySignedScoresThatDifferAreEvidence)
{
    const KeyRing keys(1, BYTES);
    const ConsensusMessage scores = MakeBallot(ConsensusKind::SCORES, keys);
    ConsensusMessage other = scores;
    EXPECT_FALSE(IsEvidence(scores, other, keys));
    other.scores[9] = 1;
    EXPECT_FALSE(IsEvidence(scores, other, keys)); // not signed
    other.Sign(keys);
    EXPECT_TRUE(IsEvidence(scores, other, keys));
    other.round = 8;
    other.Sign(keys);
    EXPECT_FALSE(IsEvidence(scores, other, keys));
    other.round = 7;
    other.sender = 4;
    other.Sign(keys);
    EXPECT_FALSE(IsEvidence(scores, other, keys));
    EXPECT_FALSE(IsEvidence(MakeBallot(ConsensusKind::VIEW_CHANGE, keys),
                            MakeBallot(ConsensusKind::COMMIT, keys),
                            keys));
}

TEST(CommitteeBlock, AConsentIsTheSignatureOfItsReply)
{
    const KeyRing keys(1, BYTES);
    const CertifiedBlock certified = MakeBlock(keys);
    ConsensusMessage reply = MakeBallot(ConsensusKind::REPLY, keys);
    reply.proposal.digest = certified.block.GetDigest();
    reply.Sign(keys);
    EXPECT_EQ(reply.authenticator, certified.consents[1].authenticator);
    EXPECT_TRUE(certified.IsCertified(CommitteeVote::ELECTION, {2, 3, 4, 8}, 3, keys));
    EXPECT_FALSE(certified.IsCertified(CommitteeVote::AGGREGATION, {2, 3, 4, 8}, 3, keys));
    EXPECT_FALSE(certified.IsCertified(CommitteeVote::ELECTION, {2, 3, 4, 8}, 4, keys));
    EXPECT_FALSE(certified.IsCertified(CommitteeVote::ELECTION, {2, 3, 4, 5}, 3, keys));
}

TEST(CommitteePayloads, RepeatedElementsTakeAllTheirBytes)
{
    const KeyRing keys(7, 16);
    auto gradient = std::make_shared<SignedGradient>();
    gradient->sender = 3;
    gradient->samples = 5;
    gradient->values = std::make_shared<const std::vector<float>>(std::vector<float>{1.5F, -2});
    gradient->Sign(keys);
    const GradientPayload payload(gradient, 4);
    std::vector<uint8_t> bytes;
    payload.Serialize(bytes);
    EXPECT_EQ(bytes.size(), payload.WireSize());
    EXPECT_EQ(bytes.size(), 3U * 4 + 2 * 4 * 4 + 16);
    const auto read = GradientPayload::Parse(bytes.data(), bytes.size(), 2, 16, 4);
    EXPECT_EQ(*read->GetGradient()->values, *gradient->values);
    EXPECT_EQ(read->WireSize(), payload.WireSize());
    EXPECT_EQ(read->GetGradient()->digest, gradient->digest);
    EXPECT_TRUE(read->GetGradient()->IsAuthentic(keys));
    EXPECT_THROW(GradientPayload::Parse(bytes.data(), bytes.size(), 2, 16, 1), PayloadError);
    bytes[8] ^= 1; // samples are signed
    EXPECT_FALSE(GradientPayload::Parse(bytes.data(), bytes.size(), 2, 16, 4)
                     ->GetGradient()
                     ->IsAuthentic(keys));
}

TEST(CommitteePayloads, ModelsAndChainsTravelWithTheirExactSize)
{
    const KeyRing keys(7, BYTES);
    const CertifiedBlock certified = MakeBlock(keys);
    const auto values = std::make_shared<const std::vector<float>>(std::vector<float>{1.5F, -2});
    const ModelPayload model(std::make_shared<const ModelMessage>(
        ModelMessage{certified, values, ComputeDigest(*values)}));
    std::vector<uint8_t> bytes;
    model.Serialize(bytes);
    EXPECT_EQ(bytes.size(), model.WireSize());
    const auto read = ModelPayload::Parse(bytes.data(), bytes.size(), 2, BYTES)->GetMessage();
    EXPECT_EQ(read->certified.block.GetDigest(), certified.block.GetDigest());
    EXPECT_EQ(read->digest, ComputeDigest(*values));
    for (std::size_t size = 0; size < bytes.size(); ++size)
    {
        EXPECT_THROW(ModelPayload::Parse(bytes.data(), size, 2, BYTES), PayloadError);
    }

    ChainMessage message;
    message.kind = ChainKind::BLOCKS;
    message.round = 4;
    message.blocks = {certified, certified};
    message.digests = {certified.block.model};
    message.evidence = {MakeBallot(ConsensusKind::SCORES, keys)};
    const ChainPayload chain(std::make_shared<const ChainMessage>(message));
    bytes.clear();
    chain.Serialize(bytes);
    EXPECT_EQ(bytes.size(), chain.WireSize());
    const auto parsed = ChainPayload::Parse(bytes.data(), bytes.size(), BYTES);
    std::vector<uint8_t> again;
    parsed->Serialize(again);
    EXPECT_EQ(again, bytes);
    for (std::size_t size = 0; size < bytes.size(); ++size)
    {
        EXPECT_THROW(ChainPayload::Parse(bytes.data(), size, BYTES), PayloadError);
    }
}
