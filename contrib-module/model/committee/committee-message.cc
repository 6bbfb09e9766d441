/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-message.h"

#include "ns3/collab-byte-reader.h"

#include <cstring>
#include <fmt/format.h>
#include <stdexcept>
#include <tuple>

namespace ns3
{
namespace collab
{

namespace
{

/// Bytes before what depends on the kind
constexpr uint64_t HEAD_BYTES = 2 * sizeof(uint8_t) + 3 * sizeof(uint32_t) + sizeof(uint64_t);

/// Reads a message from front to back
using Reader = ByteReader<std::invalid_argument>;

/// Highest bit of the kind: the rule is BYZANTINE
constexpr uint8_t BYZANTINE_BIT = 0x80;

/**
 * @param message with the rule
 * @return bytes of one score
 */
uint64_t
CountScoreBytes(const ConsensusMessage& message)
{
    return sizeof(uint32_t) + sizeof(double) +
           (message.rule == QuorumRule::BYZANTINE ? sizeof(Digest) : 0);
}

/**
 * @param reader at a list of scores
 * @param[in,out] message gets the scores
 * @throws std::invalid_argument if they are no scores
 */
void
ReadScores(Reader& reader, ConsensusMessage& message)
{
    ClientScores& scores = message.scores;
    const uint32_t count = reader.TakeCount(CountScoreBytes(message));
    for (uint32_t i = 0; i < count; ++i)
    {
        const auto client = reader.TakeNumber<uint32_t>();
        const auto bits = reader.TakeNumber<uint64_t>();
        double score;
        std::memcpy(&score, &bits, sizeof(score));
        if (!(score >= 0) || (!scores.empty() && client <= scores.rbegin()->first))
        {
            throw std::invalid_argument(
                fmt::format("{} is no score of client {} at place {}", score, client, i));
        }
        scores.emplace_hint(scores.end(), client, score);
        if (message.rule == QuorumRule::BYZANTINE)
        {
            message.gradients[client] = TakeDigest(reader);
        }
    }
}

/**
 * @param reader at a proposal
 * @return the proposal
 * @throws std::invalid_argument if its set is not ascending
 */
Proposal
ReadProposal(Reader& reader)
{
    Proposal proposal;
    proposal.clients = TakeSet(reader);
    proposal.digest = TakeDigest(reader);
    return proposal;
}

/**
 * @param messages SCORES, signed
 * @return their size in a message, without their number [B]
 */
uint64_t
CountInnerBytes(const std::vector<ConsensusMessage>& messages)
{
    uint64_t size = 0;
    for (const auto& message : messages)
    {
        size += sizeof(uint32_t) +
                message.WireSize(static_cast<uint32_t>(message.authenticator.size()));
    }
    return size;
}

/**
 * @param messages SCORES, signed
 * @param[out] bytes receives their number and themselves, appended
 */
void
PutInner(const std::vector<ConsensusMessage>& messages, std::vector<uint8_t>& bytes)
{
    PutLittle(static_cast<uint32_t>(messages.size()), bytes);
    for (const auto& message : messages)
    {
        message.SerializeInside(bytes);
    }
}

/**
 * @param reader at messages in a message
 * @param authenticatorBytes size of an authenticator [B]
 * @return the messages
 * @throws std::invalid_argument if one is not SCORES of the rule BYZANTINE
 */
std::vector<ConsensusMessage>
ReadInner(Reader& reader, uint32_t authenticatorBytes)
{
    constexpr uint8_t INNER =
        BYZANTINE_BIT | static_cast<uint8_t>(ConsensusKind::SCORES); // no others: none in these
    std::vector<ConsensusMessage> messages;
    for (uint32_t left = reader.TakeCount(sizeof(uint32_t) + HEAD_BYTES); left > 0; --left)
    {
        const auto size = reader.TakeNumber<uint32_t>();
        const uint8_t* begin = reader.Take(size);
        if (size == 0 || *begin != INNER)
        {
            throw std::invalid_argument("a message in a message that is not SCORES");
        }
        messages.push_back(ConsensusMessage::Parse(begin, size, authenticatorBytes));
    }
    return messages;
}

/**
 * @param reader after the head of a message of the rule BYZANTINE
 * @param authenticatorBytes size of an authenticator [B]
 * @param[in,out] message gets the rest
 * @throws std::invalid_argument if the bytes are malformed
 */
void
ReadBallot(Reader& reader, uint32_t authenticatorBytes, ConsensusMessage& message)
{
    switch (message.kind)
    {
    case ConsensusKind::SCORES:
        ReadScores(reader, message);
        break;
    case ConsensusKind::REQUEST:
        message.ballot = CertifiedBlock::Parse(reader, authenticatorBytes);
        message.tables = ReadInner(reader, authenticatorBytes);
        message.evidence = ReadInner(reader, authenticatorBytes);
        break;
    case ConsensusKind::REPLY:
        message.proposal.digest = TakeDigest(reader);
        if (message.timestamp != 0)
        {
            throw std::invalid_argument("a consent that could not be part of a certificate");
        }
        break;
    case ConsensusKind::COMMIT:
        message.ballot = CertifiedBlock::Parse(reader, authenticatorBytes);
        break;
    case ConsensusKind::VIEW_CHANGE:
        if (const auto isLocked = reader.TakeNumber<uint8_t>())
        {
            message.ballot = CertifiedBlock::Parse(reader, authenticatorBytes);
            if (isLocked > 1)
            {
                throw std::invalid_argument("a view change that is neither locked nor not");
            }
        }
        break;
    }
}

/**
 * @param message of the rule BYZANTINE
 * @param[out] bytes receives what comes after the head, appended
 */
void
PutBallot(const ConsensusMessage& message, std::vector<uint8_t>& bytes)
{
    switch (message.kind)
    {
    case ConsensusKind::REQUEST:
        message.ballot->Serialize(bytes);
        PutInner(message.tables, bytes);
        PutInner(message.evidence, bytes);
        break;
    case ConsensusKind::REPLY:
        bytes.insert(bytes.end(), message.proposal.digest.begin(), message.proposal.digest.end());
        break;
    case ConsensusKind::COMMIT:
        message.ballot->Serialize(bytes);
        break;
    case ConsensusKind::VIEW_CHANGE:
        PutLittle(static_cast<uint8_t>(message.ballot ? 1 : 0), bytes);
        if (message.ballot)
        {
            message.ballot->Serialize(bytes);
        }
        break;
    case ConsensusKind::SCORES:
        break;
    }
}

/**
 * @param message of the rule BYZANTINE, not SCORES
 * @param authenticatorBytes size of an authenticator [B]
 * @return size of what comes after the head [B]
 */
uint64_t
CountBallotBytes(const ConsensusMessage& message, uint32_t authenticatorBytes)
{
    const uint64_t ballot = message.ballot ? message.ballot->WireSize(authenticatorBytes) : 0;
    switch (message.kind)
    {
    case ConsensusKind::REQUEST:
        return ballot + 2 * sizeof(uint32_t) + CountInnerBytes(message.tables) +
               CountInnerBytes(message.evidence);
    case ConsensusKind::REPLY:
        return sizeof(Digest);
    case ConsensusKind::VIEW_CHANGE:
        return ballot + sizeof(uint8_t);
    default:
        return ballot;
    }
}

} // namespace

bool
Proposal::operator==(const Proposal& other) const
{
    return clients == other.clients && digest == other.digest;
}

bool
Proposal::operator!=(const Proposal& other) const
{
    return !(*this == other);
}

bool
Proposal::operator<(const Proposal& other) const
{
    return std::tie(clients, digest) < std::tie(other.clients, other.digest);
}

uint64_t
ConsensusMessage::WireSize(uint32_t authenticatorBytes) const
{
    uint64_t size = HEAD_BYTES + authenticatorBytes;
    if (kind == ConsensusKind::SCORES)
    {
        return size + sizeof(uint32_t) + scores.size() * CountScoreBytes(*this);
    }
    if (rule == QuorumRule::BYZANTINE)
    {
        return size + CountBallotBytes(*this, authenticatorBytes);
    }
    if (kind != ConsensusKind::VIEW_CHANGE)
    {
        size +=
            sizeof(uint32_t) + proposal.clients.size() * sizeof(uint32_t) + proposal.digest.size();
    }
    return size;
}

void
ConsensusMessage::SerializeBody(std::vector<uint8_t>& bytes) const
{
    const bool isByzantine = rule == QuorumRule::BYZANTINE;
    PutLittle(static_cast<uint8_t>(static_cast<uint8_t>(kind) | (isByzantine ? BYZANTINE_BIT : 0)),
              bytes);
    PutLittle(static_cast<uint8_t>(vote), bytes);
    PutLittle(round, bytes);
    PutLittle(sender, bytes);
    PutLittle(attempt, bytes);
    PutLittle(timestamp, bytes);
    if (kind == ConsensusKind::SCORES)
    {
        PutLittle(static_cast<uint32_t>(scores.size()), bytes);
        for (const auto& [client, score] : scores)
        {
            uint64_t bits;
            std::memcpy(&bits, &score, sizeof(bits));
            PutLittle(client, bytes);
            PutLittle(bits, bytes);
            if (isByzantine)
            {
                const Digest& digest = gradients.at(client);
                bytes.insert(bytes.end(), digest.begin(), digest.end());
            }
        }
    }
    else if (isByzantine)
    {
        PutBallot(*this, bytes);
    }
    else if (kind != ConsensusKind::VIEW_CHANGE)
    {
        PutSet(proposal.clients, bytes);
        bytes.insert(bytes.end(), proposal.digest.begin(), proposal.digest.end());
    }
}

ConsensusMessage
ConsensusMessage::Parse(const uint8_t* bytes, std::size_t size, uint32_t authenticatorBytes)
{
    Reader reader(bytes, size);
    ConsensusMessage message;
    const auto first = reader.TakeNumber<uint8_t>();
    const auto kind = static_cast<uint8_t>(first & ~BYZANTINE_BIT);
    const auto vote = reader.TakeNumber<uint8_t>();
    if (kind < static_cast<uint8_t>(ConsensusKind::SCORES) ||
        kind > static_cast<uint8_t>(ConsensusKind::VIEW_CHANGE) || vote >= COMMITTEE_VOTES)
    {
        throw std::invalid_argument(
            fmt::format("no message of the committee has kind {} and vote {}", kind, vote));
    }
    message.kind = static_cast<ConsensusKind>(kind);
    message.rule = first == kind ? QuorumRule::PAPER : QuorumRule::BYZANTINE;
    message.vote = static_cast<CommitteeVote>(vote);
    message.round = reader.TakeNumber<uint32_t>();
    message.sender = reader.TakeNumber<uint32_t>();
    message.attempt = reader.TakeNumber<uint32_t>();
    message.timestamp = reader.TakeNumber<uint64_t>();
    if (message.rule == QuorumRule::BYZANTINE)
    {
        ReadBallot(reader, authenticatorBytes, message);
    }
    else if (message.kind == ConsensusKind::SCORES)
    {
        ReadScores(reader, message);
    }
    else if (message.kind != ConsensusKind::VIEW_CHANGE)
    {
        message.proposal = ReadProposal(reader);
    }
    const uint8_t* begin = reader.Take(authenticatorBytes);
    message.authenticator.assign(begin, begin + authenticatorBytes);
    reader.CheckEnd();
    return message;
}

void
ConsensusMessage::Sign(const KeyRing& keys)
{
    std::vector<uint8_t> bytes;
    SerializeBody(bytes);
    authenticator = keys.Sign(sender, bytes);
}

void
ConsensusMessage::SerializeInside(std::vector<uint8_t>& bytes) const
{
    PutLittle(static_cast<uint32_t>(WireSize(static_cast<uint32_t>(authenticator.size()))), bytes);
    SerializeBody(bytes);
    bytes.insert(bytes.end(), authenticator.begin(), authenticator.end());
}

bool
ConsensusMessage::IsAuthentic(const KeyRing& keys) const
{
    std::vector<uint8_t> bytes;
    SerializeBody(bytes);
    return keys.Verify(sender, bytes, authenticator);
}

ConsensusMessage
MakeReply(const ConsensusMessage& request, uint32_t member)
{
    ConsensusMessage reply;
    reply.kind = ConsensusKind::REPLY;
    reply.vote = request.vote;
    reply.round = request.round;
    reply.sender = member;
    reply.attempt = request.attempt;
    reply.timestamp = request.timestamp;
    reply.proposal = request.proposal;
    return reply;
}

bool
IsEvidence(const ConsensusMessage& first, const ConsensusMessage& second, const KeyRing& keys)
{
    const auto isScores = [](const ConsensusMessage& message) {
        return message.kind == ConsensusKind::SCORES && message.rule == QuorumRule::BYZANTINE;
    };
    std::vector<uint8_t> bodies[2];
    first.SerializeBody(bodies[0]);
    second.SerializeBody(bodies[1]);
    return isScores(first) && isScores(second) && first.sender == second.sender &&
           first.round == second.round && bodies[0] != bodies[1] && first.IsAuthentic(keys) &&
           second.IsAuthentic(keys);
}

Digest
ComputeSetDigest(const std::vector<uint32_t>& set)
{
    std::vector<uint8_t> bytes;
    for (const uint32_t client : set)
    {
        PutLittle(client, bytes);
    }
    return ComputeDigest(bytes);
}

std::string
GetName(ConsensusKind kind)
{
    switch (kind)
    {
    case ConsensusKind::SCORES:
        return "scores";
    case ConsensusKind::REQUEST:
        return "request";
    case ConsensusKind::REPLY:
        return "reply";
    case ConsensusKind::COMMIT:
        return "commit";
    case ConsensusKind::VIEW_CHANGE:
        return "view-change";
    }
    return "";
}

std::string
GetName(CommitteeVote vote)
{
    return vote == CommitteeVote::AGGREGATION ? "aggregation" : "election";
}

} // namespace collab
} // namespace ns3
