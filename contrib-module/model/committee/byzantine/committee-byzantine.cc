/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-byzantine.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

Decision
MakeDecision(CommitteeVote vote, const CertifiedBlock& block, uint32_t primary)
{
    const bool isElection = vote == CommitteeVote::ELECTION;
    Decision decision;
    decision.vote = vote;
    decision.attempt = block.view;
    decision.primary = primary;
    decision.proposal.clients = isElection ? block.block.committee : block.block.clients;
    decision.proposal.digest =
        isElection ? ComputeSetDigest(block.block.committee) : block.block.model;
    return decision;
}

ByzantineConsensus::ByzantineConsensus(ConsensusOptions options,
                                       std::shared_ptr<const KeyRing> keys,
                                       std::shared_ptr<ConsensusMemory> memory)
    : ByzantineVoter(std::move(options), std::move(keys), std::move(memory)),
      m_bounds{m_options.federation.devices.size(),
               std::max(m_options.members.size(), m_options.GetNextCommittee()),
               m_options.clients.size()}
{
    if (m_memory->round != m_options.round)
    {
        *m_memory = ConsensusMemory();
        m_memory->round = m_options.round;
    }
    for (const uint32_t member : m_options.members)
    {
        if (member != m_options.self)
        {
            m_peers[member] = ConsensusPeer();
        }
    }
    if (m_memory->scores)
    {
        m_book.Add(*m_memory->scores);
    }
}

ConsensusOutput
ByzantineConsensus::Begin(uint64_t nowNs,
                          const ClientScores& scores,
                          const GradientDigests& gradients)
{
    m_now = nowNs;
    if (m_stage != Stage::WAITING)
    {
        return std::exchange(m_output, {}); // the others have decided without this member
    }
    m_stage = Stage::SCORING;
    ConsensusMessage message = MakeMessage(ConsensusKind::SCORES, m_view);
    message.attempt = 0;
    message.scores = scores;
    message.gradients = gradients;
    message.Sign(*m_keys);
    m_memory->scores = message;
    m_book.Add(message);
    Send(message, std::nullopt);
    SetTimer(m_options.scoreTimeoutNs);
    if (m_book.IsComplete() || m_view > 0)
    {
        EndWait();
    }
    return std::exchange(m_output, {});
}

ConsensusOutput
ByzantineConsensus::Resume(uint64_t nowNs)
{
    m_now = nowNs;
    m_stage = Stage::VOTING;
    for (const auto& promise : m_memory->promises)
    {
        m_view = std::max(m_view, promise ? promise->view : 0);
    }
    m_isFew = !m_book.MakeOwnDraft().isPossible;
    EnterView(m_view);
    TellView();
    return std::exchange(m_output, {});
}

ConsensusOutput
ByzantineConsensus::HandleMessage(uint64_t nowNs, const ConsensusMessage& message)
{
    m_now = nowNs;
    if (m_peers.count(message.sender) == 0 || message.rule != QuorumRule::BYZANTINE ||
        !message.IsAuthentic(*m_keys))
    {
        message.sender == m_options.self ? ++m_counters.replayed : ++m_counters.forged;
        return std::exchange(m_output, {});
    }
    if (message.round != m_options.round)
    {
        ++m_counters.stale;
        return std::exchange(m_output, {});
    }
    if (m_stage == Stage::ENDED)
    {
        if (message.kind != ConsensusKind::REPLY)
        {
            Inform(message.sender);
        }
        return std::exchange(m_output, {});
    }
    m_bounds.Allows(message) ? Dispatch(message) : void(++m_counters.unauthorized);
    return std::exchange(m_output, {});
}

void
ByzantineConsensus::HandleScores(const ConsensusMessage& message)
{
    if (!m_book.IsTable(message))
    {
        ++m_counters.unauthorized;
        return;
    }
    Witness(message.GetStatement(), message.GetSigned());
    if (!m_book.Add(message))
    {
        ++m_counters.replayed;
        return;
    }
    if (m_stage == Stage::SCORING && m_book.IsComplete())
    {
        EndWait();
        return;
    }
    m_counters.late += m_stage == Stage::VOTING ? 1 : 0;
    Propose();
}

void
ByzantineConsensus::HandleCommit(const ConsensusMessage& message)
{
    const CertifiedBlock& certified = *message.ballot;
    if (message.vote == CommitteeVote::ELECTION)
    {
        const bool fits =
            certified.block.round == m_options.round &&
            certified.block.parent == m_options.parent &&
            certified.IsCertified(
                CommitteeVote::ELECTION, m_options.members, m_options.GetQuorum(), *m_keys);
        fits ? Decide(certified) : void(++m_counters.unproven);
        return;
    }
    if (!IsPrepared(certified))
    {
        ++m_counters.unproven;
        return;
    }
    WitnessAll(message.vote, certified);
    m_memory->Lock(certified);
    if (certified.view > m_view)
    {
        EnterView(certified.view); // a quorum has reached it
    }
    if (certified.view == m_view)
    {
        ConsentToEnd(certified.block);
    }
}

ConsensusOutput
ByzantineConsensus::HandleBlock(uint64_t nowNs, const CertifiedBlock& block)
{
    m_now = nowNs;
    if (m_stage != Stage::ENDED)
    {
        Decide(block);
    }
    return std::exchange(m_output, {});
}

void
ByzantineConsensus::Decide(const CertifiedBlock& block)
{
    m_stage = Stage::ENDED;
    m_block = block;
    ++m_timer;
    m_output.timer.reset();
    m_output.block = block;
    if (block.block.kind == BlockKind::ABANDONED)
    {
        m_isFew = m_isFew || !m_book.MakeOwnDraft().isPossible;
        m_output.outcome = m_isFew        ? ConsensusOutcome::FEW_CLIENTS
                           : m_lacksModel ? ConsensusOutcome::NO_RESULT
                                          : ConsensusOutcome::NO_QUORUM;
        return;
    }
    m_output.outcome = ConsensusOutcome::AGREED;
    for (const auto vote : {CommitteeVote::AGGREGATION, CommitteeVote::ELECTION})
    {
        m_output.decisions.push_back(MakeDecision(vote, block, GetPrimary(block.view)));
    }
}

uint64_t
ByzantineConsensus::CountKept() const
{
    uint64_t bytes = 0;
    for (const auto* kept : {&m_book.GetTables(), &m_requests})
    {
        for (const auto& [key, message] : *kept)
        {
            bytes += CountBytes(message);
        }
    }
    return bytes;
}

void
ByzantineConsensus::Inform(uint32_t member)
{
    ConsensusPeer& peer = m_peers.at(member);
    if (peer.wasInformed && m_now < peer.informed + m_options.attemptTimeoutNs)
    {
        return;
    }
    peer.wasInformed = true;
    peer.informed = m_now;
    ConsensusMessage commit = MakeMessage(ConsensusKind::COMMIT, m_view);
    commit.vote = CommitteeVote::ELECTION;
    commit.ballot = m_block;
    Send(std::move(commit), member);
}

} // namespace ns3::collab
