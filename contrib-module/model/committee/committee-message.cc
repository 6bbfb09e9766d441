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

/**
 * @param reader at a list of scores
 * @return the scores
 * @throws std::invalid_argument if they are no scores
 */
ClientScores
ReadScores(Reader& reader)
{
    ClientScores scores;
    const uint32_t count = reader.TakeCount(sizeof(uint32_t) + sizeof(double));
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
    }
    return scores;
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
    const uint32_t count = reader.TakeCount(sizeof(uint32_t));
    for (uint32_t i = 0; i < count; ++i)
    {
        const auto client = reader.TakeNumber<uint32_t>();
        if (i > 0 && client <= proposal.clients.back())
        {
            throw std::invalid_argument("a proposed set that is not ascending");
        }
        proposal.clients.push_back(client);
    }
    std::memcpy(
        proposal.digest.data(), reader.Take(proposal.digest.size()), proposal.digest.size());
    return proposal;
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
    switch (kind)
    {
    case ConsensusKind::SCORES:
        size += sizeof(uint32_t) + scores.size() * (sizeof(uint32_t) + sizeof(double));
        break;
    case ConsensusKind::COMMIT:
        size += sizeof(uint32_t) + certificate.size() * (sizeof(uint32_t) + authenticatorBytes);
        [[fallthrough]];
    case ConsensusKind::REQUEST:
    case ConsensusKind::REPLY:
        size +=
            sizeof(uint32_t) + proposal.clients.size() * sizeof(uint32_t) + proposal.digest.size();
        break;
    case ConsensusKind::VIEW_CHANGE:
        break;
    }
    return size;
}

void
ConsensusMessage::SerializeBody(std::vector<uint8_t>& bytes) const
{
    PutLittle(static_cast<uint8_t>(kind), bytes);
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
        }
        return;
    }
    if (kind == ConsensusKind::VIEW_CHANGE)
    {
        return;
    }
    PutLittle(static_cast<uint32_t>(proposal.clients.size()), bytes);
    for (const uint32_t client : proposal.clients)
    {
        PutLittle(client, bytes);
    }
    bytes.insert(bytes.end(), proposal.digest.begin(), proposal.digest.end());
    if (kind == ConsensusKind::COMMIT)
    {
        PutLittle(static_cast<uint32_t>(certificate.size()), bytes);
        for (const auto& consent : certificate)
        {
            PutLittle(consent.member, bytes);
            bytes.insert(bytes.end(), consent.authenticator.begin(), consent.authenticator.end());
        }
    }
}

ConsensusMessage
ConsensusMessage::Parse(const uint8_t* bytes, std::size_t size, uint32_t authenticatorBytes)
{
    Reader reader(bytes, size);
    ConsensusMessage message;
    const auto kind = reader.TakeNumber<uint8_t>();
    const auto vote = reader.TakeNumber<uint8_t>();
    if (kind < static_cast<uint8_t>(ConsensusKind::SCORES) ||
        kind > static_cast<uint8_t>(ConsensusKind::VIEW_CHANGE) || vote >= COMMITTEE_VOTES)
    {
        throw std::invalid_argument(
            fmt::format("no message of the committee has kind {} and vote {}", kind, vote));
    }
    message.kind = static_cast<ConsensusKind>(kind);
    message.vote = static_cast<CommitteeVote>(vote);
    message.round = reader.TakeNumber<uint32_t>();
    message.sender = reader.TakeNumber<uint32_t>();
    message.attempt = reader.TakeNumber<uint32_t>();
    message.timestamp = reader.TakeNumber<uint64_t>();
    if (message.kind == ConsensusKind::SCORES)
    {
        message.scores = ReadScores(reader);
    }
    else if (message.kind != ConsensusKind::VIEW_CHANGE)
    {
        message.proposal = ReadProposal(reader);
    }
    if (message.kind == ConsensusKind::COMMIT)
    {
        const uint32_t count = reader.TakeCount(sizeof(uint32_t) + authenticatorBytes);
        for (uint32_t i = 0; i < count; ++i)
        {
            Consent consent;
            consent.member = reader.TakeNumber<uint32_t>();
            const uint8_t* begin = reader.Take(authenticatorBytes);
            consent.authenticator.assign(begin, begin + authenticatorBytes);
            message.certificate.push_back(std::move(consent));
        }
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

bool
ConsensusMessage::IsAuthentic(const KeyRing& keys) const
{
    std::vector<uint8_t> bytes;
    SerializeBody(bytes);
    return keys.Verify(sender, bytes, authenticator);
}

ConsensusMessage
MakeConsentedReply(const ConsensusMessage& commit, uint32_t member)
{
    ConsensusMessage reply;
    reply.kind = ConsensusKind::REPLY;
    reply.vote = commit.vote;
    reply.round = commit.round;
    reply.sender = member;
    reply.attempt = commit.attempt;
    reply.timestamp = commit.timestamp;
    reply.proposal = commit.proposal;
    return reply;
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
