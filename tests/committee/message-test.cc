/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee/device/device-oracle.h"

#include "ns3/collab-packed-message.h"
#include "ns3/committee-message.h"

#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <gmock/gmock.h>
#include <limits>
#include <memory>
#include <type_traits>

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

template <typename T>
std::vector<uint8_t>
Serialize(const T& message)
{
    std::vector<uint8_t> bytes;
    WriteFields(message, bytes);
    EXPECT_EQ(bytes.size(), CountBytes(message));
    return bytes;
}

/// @return what devices know of messages beforehand
template <typename T>
T
MakeShape(std::size_t dimension = 2, uint32_t repeats = 1)
{
    T message;
    if constexpr (std::is_same_v<T, SignedGradient> || std::is_same_v<T, ModelMessage>)
    {
        message.values = std::make_shared<const std::vector<float>>(dimension);
        message.repeats = repeats;
    }
    if constexpr (std::is_same_v<T, SignedGradient> || std::is_same_v<T, ConsensusMessage>)
    {
        message.authenticator.resize(BYTES);
    }
    else
    {
        message.authenticatorBytes = BYTES;
    }
    return message;
}

template <typename T>
T
Parse(const std::vector<uint8_t>& bytes, const T& shape = MakeShape<T>())
{
    return Unpack(bytes.data(), bytes.size(), shape)->Get();
}

/// No part of a message is one, nor is more than one
template <typename T>
void
ExpectOnlyWhole(const T& message)
{
    auto bytes = Serialize(message);
    for (std::size_t size = 0; size < bytes.size(); ++size)
    {
        EXPECT_THROW(Unpack(bytes.data(), size, MakeShape<T>()), PayloadError);
    }
    bytes.push_back(0);
    EXPECT_THROW(Parse<T>(bytes), PayloadError);
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

/// Two statements of one member
Evidence
MakeEvidence(const Statement& statement, const KeyRing& keys)
{
    Evidence evidence;
    evidence.statement = statement;
    for (uint8_t i = 0; i < 2; ++i)
    {
        evidence.said[i].digest.fill(i);
        evidence.said[i].authenticator =
            keys.Sign(statement.member, statement.GetBytes(evidence.said[i].digest));
    }
    return evidence;
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
        message.evidence = {
            MakeEvidence({CONSENT_STATEMENT, CommitteeVote::ELECTION, 7, 4, 1}, keys)};
    }
    else if (kind == ConsensusKind::VIEW_CHANGE)
    {
        message.heard = {{4}, keys.Sign(2, {5})};
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
        const auto parsed = Parse<ConsensusMessage>(bytes);
        EXPECT_EQ(Serialize(parsed), bytes) << GetName(message.kind);
        EXPECT_TRUE(parsed.IsAuthentic(keys)) << GetName(message.kind);
        EXPECT_EQ(parsed.rule, message.rule);
        EXPECT_EQ(parsed.scores, message.scores);
        EXPECT_EQ(parsed.gradients, message.gradients);
        EXPECT_EQ(parsed.ballot.has_value(), message.ballot.has_value());
        EXPECT_EQ(parsed.tables.size(), message.tables.size());
        EXPECT_EQ(parsed.evidence.size(), message.evidence.size());
        EXPECT_EQ(parsed.heard.has_value(), message.heard.has_value());
        EXPECT_EQ(parsed.proposal.digest,
                  message.rule == QuorumRule::PAPER || message.kind == ConsensusKind::REPLY
                      ? message.proposal.digest
                      : Digest());
    }
    // By hand: 22 B of head, 4 + 3 (4 + 8) B of scores, authenticator
    EXPECT_EQ(CountBytes(MakeMessage(ConsensusKind::SCORES, keys)), 22 + 40 + BYTES);
    EXPECT_EQ(CountBytes(MakeMessage(ConsensusKind::REPLY, keys)), 22 + 4 + 12 + 32 + BYTES);
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
                const auto parsed = Parse<ConsensusMessage>(changed);
                EXPECT_FALSE(parsed.IsAuthentic(keys)) << GetName(message.kind) << ", byte " << i;
            }
            catch (const PayloadError&)
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
        ExpectOnlyWhole(message);
    }
    ConsensusMessage scores = MakeMessage(ConsensusKind::SCORES, keys);
    for (const double wrong : {-1.0, std::nan("")})
    {
        scores.scores[9] = wrong;
        EXPECT_THROW(Parse<ConsensusMessage>(Serialize(scores)), PayloadError);
    }
    ConsensusMessage request = MakeMessage(ConsensusKind::REQUEST, keys);
    request.proposal.clients = {5, 5};
    EXPECT_THROW(Parse<ConsensusMessage>(Serialize(request)), PayloadError);
}

TEST(CommitteeEvidence, IsTwoDifferentStatementsOfOnePlaceOfConstantSize)
{
    const KeyRing keys(1, BYTES);
    const auto aggregation = CommitteeVote::AGGREGATION;
    const auto election = CommitteeVote::ELECTION;
    const std::vector<std::pair<Statement, bool>> places = {
        {{SCORES_STATEMENT, aggregation, 7, 3, 0}, true},
        {{SCORES_STATEMENT, aggregation, 7, 3, 1}, false}, // scores are of no view
        {{SCORES_STATEMENT, election, 7, 3, 0}, false},
        {{REQUEST_STATEMENT, aggregation, 7, 3, 5}, true},
        {{REQUEST_STATEMENT, election, 7, 3, 5}, false},
        {{CONSENT_STATEMENT, aggregation, 7, 3, 5}, true},
        {{CONSENT_STATEMENT, election, 7, 3, 5}, true},
        {{0x84, aggregation, 7, 3, 5}, false}, // commits and view changes may be repeated
        {{0x85, aggregation, 7, 3, 5}, false}};
    for (const auto& [statement, isUnique] : places)
    {
        EXPECT_EQ(MakeEvidence(statement, keys).IsProof(keys), isUnique);
    }
    const Evidence evidence = MakeEvidence(places[0].first, keys);
    const auto isProof = [&](const std::function<void(Evidence&)>& change) {
        Evidence other = evidence;
        change(other);
        return other.IsProof(keys);
    };
    EXPECT_TRUE(isProof([](Evidence&) {}));
    EXPECT_FALSE(isProof([](Evidence& e) { e.statement.member = 4; }));
    EXPECT_FALSE(isProof([](Evidence& e) { e.statement.round = 8; }));
    EXPECT_FALSE(isProof([](Evidence& e) { e.said[1].authenticator = e.said[0].authenticator; }));
    EXPECT_FALSE(isProof([](Evidence& e) { // the same twice
        e.said[1].digest = e.said[0].digest;
        e.said[1].authenticator = e.said[0].authenticator;
    }));
    ChainMessage chain = MakeShape<ChainMessage>();
    const uint64_t before = CountBytes(chain);
    chain.evidence = {evidence};
    EXPECT_EQ(CountBytes(chain), before + 14 + 2 * (32 + BYTES));
}

TEST(CommitteeEvidence, OfOneFederationProvesNothingInAnother)
{
    const KeyRing one(1, BYTES, {1});
    const KeyRing other(1, BYTES, {2}); // of the same devices
    const Evidence evidence =
        MakeEvidence({SCORES_STATEMENT, CommitteeVote::AGGREGATION, 7, 3, 0}, one);
    EXPECT_TRUE(evidence.IsProof(one));
    EXPECT_FALSE(evidence.IsProof(other));
}

TEST(CommitteeEvidence, IsOfWhatMessagesHaveSigned)
{
    const KeyRing keys(1, BYTES);
    for (const auto kind : {ConsensusKind::SCORES, ConsensusKind::REQUEST, ConsensusKind::REPLY})
    {
        ConsensusMessage message = MakeBallot(kind, keys);
        message.vote = kind == ConsensusKind::REPLY ? message.vote : CommitteeVote::AGGREGATION;
        message.attempt = kind == ConsensusKind::SCORES ? 0 : message.attempt;
        CommitteeWitness witness;
        message.Sign(keys);
        EXPECT_FALSE(witness.Note(message.GetStatement(), message.GetSigned()));
        EXPECT_FALSE(witness.Note(message.GetStatement(), message.GetSigned()));
        message.timestamp += kind == ConsensusKind::REPLY ? 0 : 1;
        message.proposal.digest = {1};
        message.Sign(keys);
        const auto evidence = witness.Note(message.GetStatement(), message.GetSigned());
        ASSERT_TRUE(evidence) << GetName(kind);
        EXPECT_TRUE(evidence->IsProof(keys)) << GetName(kind);
        witness.Forget(message.attempt + 1);
        EXPECT_EQ(witness.GetSize(), kind == ConsensusKind::SCORES ? 1 : 0);
    }
}

TEST(CommitteeBounds, AreTheLongestMessageAndNoLonger)
{
    const CommitteeBounds bounds{12, 4, 8};
    const KeyRing keys(1, BYTES);
    ConsensusMessage request = MakeBallot(ConsensusKind::REQUEST, keys);
    ConsensusMessage table = MakeBallot(ConsensusKind::SCORES, keys);
    for (uint32_t client = 20; table.scores.size() < bounds.clients; ++client)
    {
        table.scores[client] = 0;
        table.gradients[client] = {};
    }
    EXPECT_TRUE(bounds.Allows(table));
    EXPECT_EQ(tests::CountMostTableBytes(bounds, BYTES), CountBytes(table));
    Block& block = request.ballot->block;
    request.tables.assign(bounds.members, table);
    request.evidence.resize(bounds.members, request.evidence[0]);
    request.ballot->consents.resize(bounds.members, request.ballot->consents[0]);
    block.clients.resize(bounds.clients);
    block.committee.resize(bounds.members);
    block.expelled.resize(bounds.devices);
    EXPECT_TRUE(bounds.Allows(request));
    EXPECT_EQ(tests::CountMostBytes(bounds, BYTES), CountBytes(request));
    const std::vector<std::function<void(ConsensusMessage&)>> longer = {
        [](auto& m) { m.tables.push_back(m.tables[0]); },
        [](auto& m) { m.tables[1].scores[99] = 0; },
        [](auto& m) { m.evidence.push_back(m.evidence[0]); },
        [](auto& m) { m.ballot->consents.push_back(m.ballot->consents[0]); },
        [](auto& m) { m.ballot->block.clients.push_back(0); },
        [](auto& m) { m.ballot->block.committee.push_back(0); },
        [](auto& m) { m.ballot->block.expelled.push_back(0); },
        [](auto& m) {
            for (uint32_t client = 0; client < 9; ++client)
            {
                m.scores[client] = 0;
            }
        }};
    for (std::size_t i = 0; i < longer.size(); ++i)
    {
        ConsensusMessage other = request;
        longer[i](other);
        EXPECT_FALSE(bounds.Allows(other)) << i;
    }
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

TEST(CommitteeMessages, BytesAreTheseByHand)
{
    ConsensusMessage scores; // kind and vote, round, sender, attempt, time
    scores.rule = QuorumRule::BYZANTINE;
    scores.round = 7;
    scores.sender = 3;
    scores.timestamp = 258;
    scores.scores[4] = 1;
    scores.gradients[4].fill(9);
    scores.authenticator = {42};
    std::vector<uint8_t> expected = {0x81, 0, 7, 0, 0, 0, 3, 0, 0, 0, 0,    0,   0,
                                     0,    2, 1, 0, 0, 0, 0, 0, 0, 1, 0,    0,   0,
                                     4,    0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f};
    expected.insert(expected.end(), 32, 9);
    expected.push_back(42);
    EXPECT_EQ(Serialize(scores), expected);

    SignedGradient gradient; // round, sender, samples, elements twice each
    gradient.round = 7;
    gradient.sender = 3;
    gradient.samples = 5;
    gradient.values = std::make_shared<const std::vector<float>>(std::vector<float>{1});
    gradient.repeats = 2;
    gradient.authenticator = {42};
    EXPECT_EQ(Serialize(gradient),
              (std::vector<uint8_t>{7, 0, 0, 0,    3,    0, 0, 0,    5,    0, 0,
                                    0, 0, 0, 0x80, 0x3f, 0, 0, 0x80, 0x3f, 42}));

    ModelMessage model; // round, parent, kind, sets and the model's digest; view, consents
    Block& block = model.certified.block;
    block.round = 7;
    block.parent.fill(1);
    block.clients = {5};
    block.model.fill(2);
    block.committee = {6, 8};
    model.certified.view = 4;
    model.certified.consents = {{6, {42}}};
    model.values = gradient.values;
    expected = {7, 0, 0, 0};
    expected.insert(expected.end(), 32, 1);
    expected.insert(expected.end(), {0, 1, 0, 0, 0, 5, 0, 0, 0});
    expected.insert(expected.end(), 32, 2);
    expected.insert(expected.end(), {2, 0, 0, 0, 6, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0});
    expected.insert(expected.end(), {4, 0, 0, 0, 1, 0, 0, 0, 6, 0, 0, 0, 42, 0, 0, 0x80, 0x3f});
    EXPECT_EQ(Serialize(model), expected);

    ChainMessage chain; // kind, round, blocks, digests, evidence
    chain.kind = ChainKind::EVIDENCE;
    chain.round = 7;
    chain.digests.emplace_back().fill(2);
    chain.evidence.resize(1);
    chain.evidence[0].statement = {SCORES_STATEMENT, CommitteeVote::AGGREGATION, 7, 3, 0};
    chain.evidence[0].said[0].digest.fill(4);
    chain.evidence[0].said[1].digest.fill(5);
    chain.evidence[0].said[0].authenticator = {42};
    chain.evidence[0].said[1].authenticator = {43};
    expected = {5, 7, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0};
    expected.insert(expected.end(), 32, 2);
    expected.insert(expected.end(), {1, 0, 0, 0, 0x81, 0, 7, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0});
    expected.insert(expected.end(), 32, 4);
    expected.push_back(42);
    expected.insert(expected.end(), 32, 5);
    expected.push_back(43);
    EXPECT_EQ(Serialize(chain), expected);
}

TEST(CommitteeMessages, RepeatedElementsTakeAllTheirBytes)
{
    const KeyRing keys(7, BYTES);
    SignedGradient gradient;
    gradient.sender = 3;
    gradient.samples = 5;
    gradient.values = std::make_shared<const std::vector<float>>(std::vector<float>{1.5F, -2});
    gradient.repeats = 4;
    gradient.Sign(keys);
    auto bytes = Serialize(gradient);
    EXPECT_EQ(bytes.size(), 3U * 4 + 2 * 4 * 4 + BYTES);
    const auto shape = MakeShape<SignedGradient>(2, 4);
    const auto read = Parse(bytes, shape);
    EXPECT_EQ(*read.values, *gradient.values);
    EXPECT_EQ(read.digest, gradient.digest);
    EXPECT_TRUE(read.IsAuthentic(keys));
    EXPECT_THROW(Parse<SignedGradient>(bytes), PayloadError);
    bytes[8] ^= 1; // samples are signed
    EXPECT_FALSE(Parse(bytes, shape).IsAuthentic(keys));
}

TEST(CommitteeMessages, AreRefusedIfTheyAreNotFiniteOrOfAnotherShape)
{
    SignedGradient gradient = MakeShape<SignedGradient>();
    ModelMessage model = MakeShape<ModelMessage>();
    EXPECT_NO_THROW(CheckMessage(gradient, MakeShape<SignedGradient>()));
    EXPECT_NO_THROW(CheckMessage(model, MakeShape<ModelMessage>()));
    for (const auto& wrong :
         {std::vector<float>{0, std::numeric_limits<float>::infinity()}, std::vector<float>{0}})
    {
        gradient.values = std::make_shared<const std::vector<float>>(wrong);
        model.values = gradient.values;
        EXPECT_THROW(CheckMessage(gradient, MakeShape<SignedGradient>()), PayloadError);
        EXPECT_THROW(CheckMessage(model, MakeShape<ModelMessage>()), PayloadError);
    }
}

TEST(CommitteeMessages, ModelsAndChainsAreReadWhole)
{
    const KeyRing keys(7, BYTES);
    const CertifiedBlock certified = MakeBlock(keys);
    const auto values = std::make_shared<const std::vector<float>>(std::vector<float>{1.5F, -2});
    const ModelMessage model{certified, values, ComputeDigest(*values)};
    const auto read = Parse<ModelMessage>(Serialize(model));
    EXPECT_EQ(read.certified.block.GetDigest(), certified.block.GetDigest());
    EXPECT_EQ(read.digest, ComputeDigest(*values));
    ExpectOnlyWhole(model);

    CertifiedBlock abandoned = certified;
    abandoned.block.kind = BlockKind::ABANDONED;
    abandoned.shares = certified.consents;
    ChainMessage chain;
    chain.kind = ChainKind::BLOCKS;
    chain.round = 4;
    chain.blocks = {certified, abandoned};
    chain.digests = {certified.block.model};
    chain.evidence = {MakeEvidence({CONSENT_STATEMENT, CommitteeVote::ELECTION, 7, 4, 1}, keys)};
    const auto bytes = Serialize(chain);
    EXPECT_EQ(Serialize(Parse<ChainMessage>(bytes)), bytes);
    ExpectOnlyWhole(chain);
}
