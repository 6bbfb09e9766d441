/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-message.h"

#include <boost/endian/conversion.hpp>
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

/**
 * @param value to be written
 * @param[out] bytes receives it, little endian, appended
 */
template <typename T>
void
Put(T value, std::vector<uint8_t>& bytes)
{
    boost::endian::native_to_little_inplace(value);
    const auto* begin = reinterpret_cast<const uint8_t*>(&value);
    bytes.insert(bytes.end(), begin, begin + sizeof(value));
}

/// Reads a message's bytes from front to back
class Reader
{
  public:
    /**
     * @param bytes to be read
     * @param size number of bytes
     */
    Reader(const uint8_t* bytes, std::size_t size)
        : m_bytes(bytes),
          m_left(size)
    {
    }

    /**
     * @param size number of bytes
     * @return the next ones
     * @throws std::invalid_argument if there are not so many
     */
    const uint8_t*
    Take(std::size_t size)
    {
        if (size > m_left)
        {
            throw std::invalid_argument("a message of the committee that is cut short");
        }
        const uint8_t* taken = m_bytes;
        m_bytes += size;
        m_left -= size;
        return taken;
    }

    /**
     * @return the next number
     * @throws std::invalid_argument if there are not enough bytes
     */
    template <typename T>
    T
    Get()
    {
        T value;
        std::memcpy(&value, Take(sizeof(value)), sizeof(value));
        return boost::endian::little_to_native(value);
    }

    /**
     * @param size bytes of each of the entries that follow
     * @return the number of entries
     * @throws std::invalid_argument if there are not so many bytes
     */
    uint32_t
    GetCount(std::size_t size)
    {
        const auto count = Get<uint32_t>();
        if (count > m_left / size)
        {
            throw std::invalid_argument(
                fmt::format("a list of {} entries in a message of the committee with {} bytes left",
                            count,
                            m_left));
        }
        return count;
    }

    /// @return bytes that have not been read
    std::size_t
    CountLeft() const
    {
        return m_left;
    }

  private:
    const uint8_t* m_bytes; //!< the next one
    std::size_t m_left;     //!< how many there are
};

/**
 * @param reader at a list of scores
 * @return the scores
 * @throws std::invalid_argument if they are no scores
 */
ClientScores
ReadScores(Reader& reader)
{
    ClientScores scores;
    const uint32_t count = reader.GetCount(sizeof(uint32_t) + sizeof(double));
    for (uint32_t i = 0; i < count; ++i)
    {
        const auto client = reader.Get<uint32_t>();
        const auto bits = reader.Get<uint64_t>();
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
    const uint32_t count = reader.GetCount(sizeof(uint32_t));
    for (uint32_t i = 0; i < count; ++i)
    {
        const auto client = reader.Get<uint32_t>();
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
    Put(static_cast<uint8_t>(kind), bytes);
    Put(static_cast<uint8_t>(vote), bytes);
    Put(round, bytes);
    Put(sender, bytes);
    Put(attempt, bytes);
    Put(timestamp, bytes);
    if (kind == ConsensusKind::SCORES)
    {
        Put(static_cast<uint32_t>(scores.size()), bytes);
        for (const auto& [client, score] : scores)
        {
            uint64_t bits;
            std::memcpy(&bits, &score, sizeof(bits));
            Put(client, bytes);
            Put(bits, bytes);
        }
        return;
    }
    if (kind == ConsensusKind::VIEW_CHANGE)
    {
        return;
    }
    Put(static_cast<uint32_t>(proposal.clients.size()), bytes);
    for (const uint32_t client : proposal.clients)
    {
        Put(client, bytes);
    }
    bytes.insert(bytes.end(), proposal.digest.begin(), proposal.digest.end());
    if (kind == ConsensusKind::COMMIT)
    {
        Put(static_cast<uint32_t>(certificate.size()), bytes);
        for (const auto& consent : certificate)
        {
            Put(consent.member, bytes);
            bytes.insert(bytes.end(), consent.authenticator.begin(), consent.authenticator.end());
        }
    }
}

ConsensusMessage
ConsensusMessage::Parse(const uint8_t* bytes, std::size_t size, uint32_t authenticatorBytes)
{
    Reader reader(bytes, size);
    ConsensusMessage message;
    const auto kind = reader.Get<uint8_t>();
    const auto vote = reader.Get<uint8_t>();
    if (kind < static_cast<uint8_t>(ConsensusKind::SCORES) ||
        kind > static_cast<uint8_t>(ConsensusKind::VIEW_CHANGE) || vote >= COMMITTEE_VOTES)
    {
        throw std::invalid_argument(
            fmt::format("no message of the committee has kind {} and vote {}", kind, vote));
    }
    message.kind = static_cast<ConsensusKind>(kind);
    message.vote = static_cast<CommitteeVote>(vote);
    message.round = reader.Get<uint32_t>();
    message.sender = reader.Get<uint32_t>();
    message.attempt = reader.Get<uint32_t>();
    message.timestamp = reader.Get<uint64_t>();
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
        const uint32_t count = reader.GetCount(sizeof(uint32_t) + authenticatorBytes);
        for (uint32_t i = 0; i < count; ++i)
        {
            Consent consent;
            consent.member = reader.Get<uint32_t>();
            const uint8_t* begin = reader.Take(authenticatorBytes);
            consent.authenticator.assign(begin, begin + authenticatorBytes);
            message.certificate.push_back(std::move(consent));
        }
    }
    const uint8_t* begin = reader.Take(authenticatorBytes);
    message.authenticator.assign(begin, begin + authenticatorBytes);
    if (reader.CountLeft() > 0)
    {
        throw std::invalid_argument(
            fmt::format("{} bytes after a message of the committee", reader.CountLeft()));
    }
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
        Put(client, bytes);
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
