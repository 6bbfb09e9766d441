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

ByzantineConsensus::ByzantineConsensus(ConsensusOptions options,
                                       std::shared_ptr<const KeyRing> keys,
                                       std::shared_ptr<ConsensusMemory> memory)
    : CommitteeMember(std::move(options), std::move(keys)),
      m_memory(std::move(memory)),
      m_book(m_options, m_keys),
      m_bounds{m_options.federation.devices.size(),
               std::max(m_options.members.size(), m_options.GetNextCommittee()),
               m_options.clients.size()},
      m_log(m_logs.emplace_back(
          m_options, CommitteeVote::AGGREGATION, *this, m_keys, m_memory, m_counters))
{
    if (m_memory->round != m_options.round)
    {
        *m_memory = ConsensusMemory();
        m_memory->round = m_options.round;
    }
    if (m_memory->scores)
    {
        m_book.Add(*m_memory->scores);
    }
}

void
ByzantineConsensus::DoAddEvidence(const Evidence& evidence)
{
    m_book.AddEvidence(evidence);
}

uint64_t
ByzantineConsensus::CountKept() const
{
    uint64_t bytes = 0;
    for (const auto* kept : {&m_book.GetTables(), &m_log.GetRequests()})
    {
        for (const auto& [key, message] : *kept)
        {
            bytes += CountBytes(message);
        }
    }
    return bytes;
}

void
ByzantineConsensus::DoBegin(const ClientScores& scores, const GradientDigests& gradients)
{
    if (m_stage != Stage::WAITING)
    {
        return; // the others have decided without this member
    }
    m_stage = Stage::SCORING;
    ConsensusMessage message = MakeMessage(ConsensusKind::SCORES, 0, CommitteeVote::AGGREGATION);
    message.scores = scores;
    message.gradients = gradients;
    message.Sign(*m_keys);
    m_memory->scores = message;
    m_book.Add(message);
    Send(message, std::nullopt);
    SetTimer(m_options.scoreTimeoutNs, 0);
    if (m_book.IsComplete() || m_log.GetView() > 0)
    {
        CloseTable();
    }
}

void
ByzantineConsensus::DoResume()
{
    m_stage = Stage::VOTING;
    m_isFew = !m_book.MakeOwnDraft().isPossible;
    m_log.Resume();
}

void
ByzantineConsensus::DoHandleMessage(const ConsensusMessage& message)
{
    if (message.sender == m_options.self || !Contains(m_options.members, message.sender) ||
        message.rule != QuorumRule::BYZANTINE || !message.IsAuthentic(*m_keys))
    {
        message.sender == m_options.self ? ++m_counters.replayed : ++m_counters.forged;
        return;
    }
    if (message.round != m_options.round)
    {
        ++m_counters.stale;
        return;
    }
    if (m_stage != Stage::ENDED)
    {
        m_bounds.Allows(message) ? Dispatch(message) : void(++m_counters.unauthorized);
    }
    else if (message.kind != ConsensusKind::REPLY)
    {
        m_log.Inform(message.sender);
    }
}

void
ByzantineConsensus::HandleScores(const ConsensusMessage& message)
{
    if (!m_book.IsTable(message))
    {
        ++m_counters.unauthorized;
        return;
    }
    m_log.Witness(message);
    if (!m_book.Add(message))
    {
        ++m_counters.replayed;
        return;
    }
    if (m_stage == Stage::SCORING && m_book.IsComplete())
    {
        CloseTable();
        return;
    }
    m_counters.late += m_stage == Stage::VOTING ? 1 : 0;
    m_log.Propose();
}

void
ByzantineConsensus::CloseTable()
{
    m_stage = Stage::VOTING;
    m_output.unheard = FindUnheard(m_options.members, m_book.GetTables());
    const Draft draft = m_book.MakeOwnDraft();
    m_ranking = draft.ranking;
    m_isFew = !draft.isPossible;
    m_log.Start();
}

void
ByzantineConsensus::DoHandleResult(uint64_t number, const std::optional<Digest>& digest)
{
    const bool isWanted = m_stage != Stage::ENDED && m_models.Note(number, digest);
    m_lacksModel = m_lacksModel || (isWanted && !digest);
    if (isWanted && digest)
    {
        m_log.Propose();
        m_log.Consider();
    }
}

std::optional<ConsensusMessage>
ByzantineConsensus::MakeProposal(CommitteeVote vote, uint32_t view)
{
    if (!m_draft || m_draft->attempt != view)
    {
        m_draft.reset(); // it was for a view that has passed
        const Draft own = m_book.MakeOwnDraft();
        if (!own.isPossible ||
            m_book.GetTables().size() < m_options.members.size() - m_options.faults)
        {
            return std::nullopt;
        }
        m_draft = MakeMessage(ConsensusKind::REQUEST, view, vote);
        m_draft->ballot.emplace();
        m_draft->ballot->block = own.block;
        m_book.Support(*m_draft);
    }
    const Draft draft = m_book.DraftOf(*m_draft);
    const auto model = m_models.Find(draft.order, m_output.toAggregate);
    if (!model)
    {
        return std::nullopt;
    }
    m_draft->ballot->block.model = *model;
    m_draft->timestamp = m_now;
    return std::exchange(m_draft, std::nullopt);
}

LogVerdict
ByzantineConsensus::Validate(const ConsensusMessage& request)
{
    if (!m_book.IsFounded(request))
    {
        ++m_counters.unauthorized;
        return LogVerdict::WRONG;
    }
    for (const auto& table : request.tables)
    {
        m_log.Witness(table);
    }
    const Block& block = request.ballot->block;
    Draft draft = m_book.DraftOf(request);
    draft.block.model = block.model;
    if (!draft.isPossible || draft.block != block)
    {
        ++m_counters.unauthorized;
        return LogVerdict::WRONG;
    }
    const bool isRight = m_models.Find(draft.order, m_output.toAggregate) == block.model;
    return isRight ? LogVerdict::RIGHT : LogVerdict::UNKNOWN;
}

ConsensusMessage
ByzantineConsensus::MakeConsent(const ConsensusMessage& ballot,
                                CommitteeVote vote,
                                uint32_t view) const
{
    ConsensusMessage reply = MakeMessage(ConsensusKind::REPLY, view, vote);
    reply.timestamp = 0;
    reply.proposal.digest = ballot.ballot->block.GetDigest();
    return reply;
}

void
ByzantineConsensus::HandleViewTold(uint32_t primary)
{
    if (m_memory->scores && primary != m_options.self)
    {
        Send(*m_memory->scores, primary);
    }
}

bool
ByzantineConsensus::IsHopeless()
{
    const bool hasDraft = m_draft && m_draft->attempt == m_log.GetView();
    return !hasDraft && m_book.IsHopeless(m_book.MakeOwnDraft());
}

void
ByzantineConsensus::HandleLie(const Evidence& evidence)
{
    if (m_book.AddEvidence(evidence))
    {
        m_output.evidence.push_back(evidence);
    }
}

void
ByzantineConsensus::DoHandleBlock(const CertifiedBlock& block)
{
    if (m_stage != Stage::ENDED)
    {
        m_log.End(block);
    }
}

void
ByzantineConsensus::HandleEnd(const std::optional<ConsensusMessage>& commit)
{
    const CertifiedBlock& block = *commit->ballot;
    m_stage = Stage::ENDED;
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
    const uint32_t primary = m_options.GetPrimary(CommitteeVote::AGGREGATION, block.view);
    const auto& committee = block.block.committee;
    m_output.decisions = {
        {CommitteeVote::AGGREGATION, block.view, primary, {block.block.clients, block.block.model}},
        {CommitteeVote::ELECTION, block.view, primary, {committee, ComputeSetDigest(committee)}}};
}

} // namespace ns3::collab
