/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-message.h"

#include "ns3/collab-check-argument.h"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

namespace ns3::collab
{

uint64_t
ConsensusMessage::ScoreList::WireSize() const
{
    const bool isByzantine = message.rule == QuorumRule::BYZANTINE;
    const std::size_t entry =
        sizeof(uint32_t) + sizeof(double) + (isByzantine ? sizeof(Digest) : 0);
    return sizeof(uint32_t) + message.scores.size() * entry;
}

void
ConsensusMessage::ScoreList::Write(std::vector<uint8_t>& bytes) const
{
    PutLittle(static_cast<uint32_t>(message.scores.size()), bytes);
    for (const auto& [client, score] : message.scores)
    {
        detail::PutNumber(client, bytes);
        detail::PutNumber(score, bytes);
        if (message.rule == QuorumRule::BYZANTINE)
        {
            const Digest& digest = message.gradients.at(client);
            bytes.insert(bytes.end(), digest.begin(), digest.end());
        }
    }
}

void
ConsensusMessage::ScoreList::Read(WireReader& reader)
{
    ClientScores& scores = message.scores;
    for (auto left = reader.TakeNumber<uint32_t>(); left > 0; --left)
    {
        const auto client = reader.TakeNumber<uint32_t>();
        const auto score = detail::TakeNumber<double>(reader);
        Require<PayloadError>(score >= 0 && (scores.empty() || client > scores.rbegin()->first),
                              "{} is no score of client {}",
                              score,
                              client);
        scores.emplace_hint(scores.end(), client, score);
        if (message.rule == QuorumRule::BYZANTINE)
        {
            Digest& digest = message.gradients[client];
            std::memcpy(digest.data(), reader.Take(digest.size()), digest.size());
        }
    }
}

void
ConsensusMessage::SetCode(uint8_t code)
{
    kind = static_cast<ConsensusKind>(code & ~BYZANTINE_BIT);
    rule = code & BYZANTINE_BIT ? QuorumRule::BYZANTINE : QuorumRule::PAPER;
    Require<PayloadError>(kind >= ConsensusKind::SCORES && kind <= ConsensusKind::VIEW_CHANGE &&
                              PlaceOf(vote) < COMMITTEE_VOTES,
                          "no message of the committee has kind {} and vote {}",
                          code,
                          PlaceOf(vote));
}

void
ConsensusMessage::CheckConsent() const
{
    Require<PayloadError>(timestamp == 0, "a consent that could not be part of a certificate");
}

void
ConsensusMessage::CheckInside(bool fits) const
{
    Require<PayloadError>(fits && kind == ConsensusKind::SCORES && rule == QuorumRule::BYZANTINE,
                          "a message in a message that is not SCORES");
}

std::vector<uint8_t>
ConsensusMessage::GetContent() const
{
    std::vector<uint8_t> bytes;
    WriteFields(*this, bytes);
    bytes.resize(bytes.size() - authenticator.size());
    return bytes;
}

void
SignedGradient::Seal()
{
    std::vector<uint8_t> bytes;
    for (const uint32_t number : {round, sender, samples})
    {
        PutLittle(number, bytes);
    }
    const Digest vector = ComputeDigest(*values);
    bytes.insert(bytes.end(), vector.begin(), vector.end());
    digest = ComputeDigest(bytes);
}

void
ChainMessage::CheckKind() const
{
    Require<PayloadError>(kind >= ChainKind::BLOCK_REQUEST && kind <= ChainKind::GOES_ON,
                          "a message about the chain of an unknown kind");
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
    static const char* const NAMES[] = {"scores", "request", "reply", "commit", "view-change"};
    return NAMES[static_cast<std::size_t>(kind) - static_cast<std::size_t>(ConsensusKind::SCORES)];
}

std::string
GetName(CommitteeVote vote)
{
    return vote == CommitteeVote::AGGREGATION ? "aggregation" : "election";
}

bool
CommitteeBounds::Allows(const ConsensusMessage& message) const
{
    const bool areTables =
        message.tables.size() <= members &&
        std::all_of(message.tables.begin(), message.tables.end(), [this](const auto& table) {
            return table.scores.size() <= clients;
        });
    const bool areOthers = message.scores.size() <= clients && message.evidence.size() <= members;
    if (!areTables || !areOthers || !message.ballot)
    {
        return areTables && areOthers;
    }
    const Block& block = message.ballot->block;
    return block.clients.size() <= clients && block.committee.size() <= members &&
           block.expelled.size() <= devices && message.ballot->consents.size() <= members &&
           message.ballot->shares.size() <= members;
}

} // namespace ns3::collab
