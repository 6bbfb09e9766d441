/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-byzantine.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace collab
{

ByzantineConsensus::ByzantineConsensus(ConsensusOptions options,
                                       std::shared_ptr<const KeyRing> keys,
                                       std::shared_ptr<ConsensusMemory> memory)
    : m_options(std::move(options)),
      m_keys(std::move(keys)),
      m_memory(std::move(memory))
{
    m_options.Check();
    if (m_memory->round != m_options.round)
    {
        *m_memory = ConsensusMemory();
        m_memory->round = m_options.round;
    }
    for (const uint32_t member : m_options.members)
    {
        if (member != m_options.self)
        {
            m_peers[member] = Peer();
        }
    }
    if (m_memory->scores)
    {
        m_tables[m_options.self] = *m_memory->scores;
    }
}

const ConsensusCounters&
ByzantineConsensus::GetCounters() const
{
    return m_counters;
}

const std::vector<RankedClient>&
ByzantineConsensus::GetRanking() const
{
    return m_ranking;
}

const std::map<uint32_t, ConsensusMessage>&
ByzantineConsensus::GetTables() const
{
    return m_tables;
}

ConsensusMessage
ByzantineConsensus::MakeMessage(ConsensusKind kind) const
{
    ConsensusMessage message;
    message.kind = kind;
    message.rule = QuorumRule::BYZANTINE;
    message.round = m_options.round;
    message.sender = m_options.self;
    message.attempt = m_view;
    message.timestamp = m_now;
    return message;
}

void
ByzantineConsensus::Send(ConsensusMessage message,
                         std::optional<uint32_t> receiver,
                         ConsensusOutput& output) const
{
    message.Sign(*m_keys);
    if (m_options.members.size() > 1)
    {
        output.messages.push_back(
            {receiver, std::make_shared<const ConsensusMessage>(std::move(message))});
    }
}

void
ByzantineConsensus::AddEvidence(const Evidence& evidence)
{
    if (!Contains(m_options.expelled, evidence.first.sender))
    {
        m_evidence.emplace(evidence.first.sender, evidence);
    }
}

ConsensusOutput
ByzantineConsensus::Begin(uint64_t nowNs,
                          const ClientScores& scores,
                          const GradientDigests& gradients)
{
    ConsensusOutput output;
    m_now = nowNs;
    if (m_stage != Stage::WAITING)
    {
        return output; // the others have decided without this member
    }
    m_stage = Stage::SCORING;
    ConsensusMessage message = MakeMessage(ConsensusKind::SCORES);
    message.attempt = 0;
    message.scores = scores;
    message.gradients = gradients;
    message.Sign(*m_keys);
    m_memory->scores = message;
    m_tables[m_options.self] = message;
    Send(message, std::nullopt, output);
    SetTimer(m_options.scoreTimeoutNs, output);
    if (m_tables.size() == m_options.members.size() || m_view > 0)
    {
        HandleTimeout(nowNs, m_timer, output);
    }
    return output;
}

ConsensusOutput
ByzantineConsensus::Resume(uint64_t nowNs)
{
    ConsensusOutput output;
    m_now = nowNs;
    m_stage = Stage::VOTING;
    for (const auto& promise : m_memory->promises)
    {
        m_view = std::max(m_view, promise ? promise->view : 0);
    }
    m_isFew = !MakeOwnDraft().isPossible;
    EnterView(m_view, output);
    TellView(output);
    return output;
}

ConsensusOutput
ByzantineConsensus::HandleMessage(uint64_t nowNs, const ConsensusMessage& message)
{
    ConsensusOutput output;
    m_now = nowNs;
    if (m_peers.count(message.sender) == 0 || message.rule != QuorumRule::BYZANTINE ||
        !message.IsAuthentic(*m_keys))
    {
        message.sender == m_options.self ? ++m_counters.replayed : ++m_counters.forged;
        return output;
    }
    if (message.round != m_options.round)
    {
        ++m_counters.stale;
        return output;
    }
    if (m_stage == Stage::ENDED)
    {
        if (message.kind != ConsensusKind::REPLY)
        {
            Inform(message.sender, output);
        }
        return output;
    }
    switch (message.kind)
    {
    case ConsensusKind::SCORES:
        HandleScores(message, output);
        break;
    case ConsensusKind::REQUEST:
        HandleRequest(message, output);
        break;
    case ConsensusKind::REPLY:
        HandleReply(message, output);
        break;
    case ConsensusKind::COMMIT:
        HandleCommit(message, output);
        break;
    case ConsensusKind::VIEW_CHANGE:
        HandleViewChange(message, output);
        break;
    }
    return output;
}

void
ByzantineConsensus::Compare(const ConsensusMessage& first,
                            const ConsensusMessage& second,
                            ConsensusOutput& output)
{
    if (IsEvidence(first, second, *m_keys) && m_evidence.count(first.sender) == 0 &&
        !Contains(m_options.expelled, first.sender))
    {
        AddEvidence({first, second});
        output.evidence.emplace_back(first, second);
    }
}

void
ByzantineConsensus::HandleScores(const ConsensusMessage& message, ConsensusOutput& output)
{
    const auto [known, isNew] = m_tables.emplace(message.sender, message);
    if (!isNew)
    {
        ++m_counters.replayed;
        Compare(known->second, message, output);
        return;
    }
    if (m_stage == Stage::SCORING && m_tables.size() == m_options.members.size())
    {
        HandleTimeout(m_now, m_timer, output);
        return;
    }
    m_counters.late += m_stage == Stage::VOTING ? 1 : 0;
    Propose(output);
}

std::size_t
ByzantineConsensus::GetQuorum() const
{
    return m_options.GetQuorum();
}

void
ByzantineConsensus::ConsentTo(CommitteeVote vote,
                              uint32_t view,
                              const Digest& block,
                              ConsensusOutput& output)
{
    for (const auto& promise : m_memory->promises)
    {
        if (promise && promise->view > view)
        {
            return;
        }
    }
    auto& promise = m_memory->promises[PlaceOf(vote)];
    if (promise && promise->view == view && promise->block != block)
    {
        return;
    }
    promise = ConsensusMemory::Promise{view, block};
    ConsensusMessage reply = MakeMessage(ConsensusKind::REPLY);
    reply.vote = vote;
    reply.attempt = view;
    reply.timestamp = 0;
    reply.proposal.digest = block;
    const uint32_t primary = GetPrimary(view);
    if (primary != m_options.self)
    {
        Send(std::move(reply), primary, output);
        return;
    }
    reply.Sign(*m_keys);
    Count(vote, view, {m_options.self, reply.authenticator}, output);
}

void
ByzantineConsensus::HandleReply(const ConsensusMessage& message, ConsensusOutput& output)
{
    const auto found = m_candidacies.find(message.attempt);
    if (found == m_candidacies.end() ||
        message.proposal.digest != found->second.block.GetDigest() || message.timestamp != 0)
    {
        ++m_counters.stale;
        return;
    }
    Count(message.vote, message.attempt, {message.sender, message.authenticator}, output);
}

void
ByzantineConsensus::Count(CommitteeVote vote,
                          uint32_t view,
                          const Consent& consent,
                          ConsensusOutput& output)
{
    const auto found = m_candidacies.find(view);
    if (found == m_candidacies.end())
    {
        return; // it was the primary before it lost its memory
    }
    auto& consents = found->second.consents[PlaceOf(vote)];
    const bool isKnown = std::any_of(consents.begin(), consents.end(), [&](const auto& known) {
        return known.member == consent.member;
    });
    if (isKnown || consents.size() >= GetQuorum())
    {
        m_counters.replayed += isKnown ? 1 : 0;
        return;
    }
    consents.push_back(consent);
    if (consents.size() < GetQuorum())
    {
        return;
    }
    const CertifiedBlock certified{found->second.block, view, consents};
    ConsensusMessage commit = MakeMessage(ConsensusKind::COMMIT);
    commit.vote = vote;
    commit.attempt = view;
    commit.ballot = certified;
    Send(std::move(commit), std::nullopt, output);
    if (vote == CommitteeVote::ELECTION)
    {
        Decide(certified, output);
        return;
    }
    Lock(certified);
    if (view == m_view)
    {
        ConsentTo(CommitteeVote::ELECTION, view, certified.block.GetDigest(), output);
    }
}

bool
ByzantineConsensus::IsPrepared(const CertifiedBlock& prepared) const
{
    return prepared.block.round == m_options.round && prepared.block.parent == m_options.parent &&
           prepared.IsCertified(
               CommitteeVote::AGGREGATION, m_options.members, GetQuorum(), *m_keys);
}

void
ByzantineConsensus::Lock(const CertifiedBlock& prepared)
{
    if (!m_memory->lock || prepared.view > m_memory->lock->view)
    {
        m_memory->lock = prepared;
    }
}

void
ByzantineConsensus::HandleCommit(const ConsensusMessage& message, ConsensusOutput& output)
{
    const CertifiedBlock& certified = *message.ballot;
    if (message.vote == CommitteeVote::ELECTION)
    {
        const bool fits =
            certified.block.round == m_options.round &&
            certified.block.parent == m_options.parent &&
            certified.IsCertified(CommitteeVote::ELECTION, m_options.members, GetQuorum(), *m_keys);
        fits ? Decide(certified, output) : void(++m_counters.unproven);
        return;
    }
    if (!IsPrepared(certified))
    {
        ++m_counters.unproven;
        return;
    }
    Lock(certified);
    if (certified.view > m_view)
    {
        EnterView(certified.view, output); // a quorum has reached it
    }
    if (certified.view == m_view)
    {
        ConsentTo(CommitteeVote::ELECTION, m_view, certified.block.GetDigest(), output);
    }
}

ConsensusOutput
ByzantineConsensus::HandleBlock(uint64_t nowNs, const CertifiedBlock& block)
{
    ConsensusOutput output;
    m_now = nowNs;
    if (m_stage != Stage::ENDED)
    {
        Decide(block, output);
    }
    return output;
}

void
ByzantineConsensus::Decide(const CertifiedBlock& block, ConsensusOutput& output)
{
    m_stage = Stage::ENDED;
    m_block = block;
    ++m_timer;
    output.timer.reset();
    output.block = block;
    if (block.block.kind == BlockKind::ABANDONED)
    {
        m_isFew = m_isFew || !MakeOwnDraft().isPossible;
        output.outcome = m_isFew        ? ConsensusOutcome::FEW_CLIENTS
                         : m_lacksModel ? ConsensusOutcome::NO_RESULT
                                        : ConsensusOutcome::NO_QUORUM;
        return;
    }
    output.outcome = ConsensusOutcome::AGREED;
    for (const auto vote : {CommitteeVote::AGGREGATION, CommitteeVote::ELECTION})
    {
        Decision decision;
        decision.vote = vote;
        decision.attempt = block.view;
        decision.primary = GetPrimary(block.view);
        const bool isElection = vote == CommitteeVote::ELECTION;
        decision.proposal.clients = isElection ? block.block.committee : block.block.clients;
        decision.proposal.digest =
            isElection ? ComputeSetDigest(block.block.committee) : block.block.model;
        output.decisions.push_back(std::move(decision));
    }
}

void
ByzantineConsensus::Inform(uint32_t member, ConsensusOutput& output)
{
    Peer& peer = m_peers.at(member);
    if (peer.wasInformed && m_now < peer.informed + m_options.attemptTimeoutNs)
    {
        return;
    }
    peer.wasInformed = true;
    peer.informed = m_now;
    ConsensusMessage commit = MakeMessage(ConsensusKind::COMMIT);
    commit.vote = CommitteeVote::ELECTION;
    commit.ballot = m_block;
    Send(std::move(commit), member, output);
}

} // namespace collab
} // namespace ns3
