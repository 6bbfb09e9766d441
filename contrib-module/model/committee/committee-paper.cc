/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-paper.h"

#include "ns3/collab-check-argument.h"

#include <utility>

namespace ns3::collab
{

CommitteeConsensus::CommitteeConsensus(ConsensusOptions options,
                                       std::shared_ptr<const KeyRing> keys)
    : CommitteeMember(std::move(options), std::move(keys))
{
    CheckArgument(m_options.rule == QuorumRule::PAPER,
                  "CommitteeConsensus votes by the rule PAPER only");
    for (const auto vote : {CommitteeVote::AGGREGATION, CommitteeVote::ELECTION})
    {
        m_logs.emplace_back(m_options, vote, *this, m_keys, nullptr, m_counters);
    }
}

void
CommitteeConsensus::DoBegin(const ClientScores& scores, const GradientDigests&)
{
    m_stage = Stage::SCORING;
    m_tables[m_options.self] = scores;
    ConsensusMessage message = MakeMessage(ConsensusKind::SCORES, 0, CommitteeVote::AGGREGATION);
    message.scores = scores;
    Send(std::move(message), std::nullopt);
    SetTimer(m_options.scoreTimeoutNs, 0);
    const std::vector<ConsensusMessage> early = std::move(m_early);
    for (const auto& heard : early)
    {
        Judge(heard);
    }
    if (m_stage == Stage::SCORING && m_tables.size() == m_options.members.size())
    {
        CloseTable();
    }
}

bool
CommitteeConsensus::IsBelievable(const ConsensusMessage& message)
{
    if (!Contains(m_options.members, message.sender) || message.rule != m_options.rule ||
        !message.IsAuthentic(*m_keys))
    {
        ++m_counters.forged;
        return false;
    }
    if (message.round != m_options.round)
    {
        ++m_counters.stale;
        return false;
    }
    if (message.sender == m_options.self ||
        !m_heard.emplace(message.kind, message.sender, message.vote, message.attempt).second)
    {
        ++m_counters.replayed;
        return false;
    }
    return true;
}

void
CommitteeConsensus::HandleScores(const ConsensusMessage& message)
{
    if (m_stage != Stage::SCORING)
    {
        ++m_counters.late;
        return;
    }
    m_tables[message.sender] = message.scores;
    if (m_tables.size() == m_options.members.size())
    {
        CloseTable();
    }
}

void
CommitteeConsensus::CloseTable()
{
    m_stage = Stage::VOTING;
    m_output.unheard = FindUnheard(m_options.members, m_tables);
    m_ranking = m_options.Rank(m_tables);
    if (m_ranking.size() >= m_options.members.size())
    {
        Proposal election;
        election.clients = m_options.Elect(m_ranking);
        election.digest = ComputeSetDigest(election.clients);
        m_own[PlaceOf(CommitteeVote::ELECTION)] = std::move(election);
        m_aggregation.clients = m_options.Select(m_ranking);
        m_output.toAggregate = AggregationOrder();
        m_output.toAggregate->clients = m_aggregation.clients;
    }
    LogOf(CommitteeVote::ELECTION).Consider();
    GoOn();
}

void
CommitteeConsensus::DoHandleResult(uint64_t, const std::optional<Digest>& digest)
{
    m_hasResult = true;
    if (!digest || m_stage != Stage::VOTING)
    {
        return;
    }
    m_aggregation.digest = *digest;
    m_own[PlaceOf(CommitteeVote::AGGREGATION)] = m_aggregation;
    LogOf(CommitteeVote::AGGREGATION).Consider();
    LogOf(m_vote).Propose();
}

void
CommitteeConsensus::GoOn()
{
    for (const auto vote : {CommitteeVote::AGGREGATION, CommitteeVote::ELECTION})
    {
        if (!LogOf(vote).GetEnd())
        {
            m_vote = vote;
            LogOf(vote).Start();
            return;
        }
    }
    m_stage = Stage::ENDED;
    m_output.outcome = ConsensusOutcome::AGREED;
    m_output.block = MakeBlock();
}

CertifiedBlock
CommitteeConsensus::MakeBlock() const
{
    const ConsensusMessage& aggregation = *m_logs[0].GetEnd();
    CertifiedBlock certified;
    Block& block = certified.block;
    block.round = m_options.round;
    block.parent = m_options.parent;
    block.clients = aggregation.proposal.clients;
    block.model = aggregation.proposal.digest;
    block.committee = m_logs[1].GetEnd()->proposal.clients;
    certified.view = aggregation.attempt;
    Statement statement = certified.GetStatement(CommitteeVote::ELECTION, certified.view);
    statement.member = m_options.self;
    certified.consents = {
        {m_options.self, m_keys->Sign(m_options.self, statement.GetBytes(block.GetDigest()))}};
    return certified;
}

std::optional<ConsensusMessage>
CommitteeConsensus::MakeProposal(CommitteeVote vote, uint32_t view)
{
    const auto& own = m_own[PlaceOf(vote)];
    if (!own)
    {
        return std::nullopt;
    }
    ConsensusMessage request = MakeMessage(ConsensusKind::REQUEST, view, vote);
    request.proposal = *own;
    return request;
}

LogVerdict
CommitteeConsensus::Validate(const ConsensusMessage& request)
{
    const auto& own = m_own[PlaceOf(request.vote)];
    if (!own)
    {
        return LogVerdict::UNKNOWN;
    }
    const bool isOwn = request.proposal == *own;
    m_heardOther = m_heardOther || !isOwn;
    return isOwn ? LogVerdict::RIGHT : LogVerdict::WRONG;
}

ConsensusMessage
CommitteeConsensus::MakeConsent(const ConsensusMessage& ballot, CommitteeVote, uint32_t) const
{
    ConsensusMessage reply = ballot;
    reply.kind = ConsensusKind::REPLY;
    reply.sender = m_options.self;
    reply.authenticator.clear();
    return reply;
}

void
CommitteeConsensus::HandleEnd(const std::optional<ConsensusMessage>& commit)
{
    if (!commit)
    {
        m_stage = Stage::ENDED;
        m_output.outcome = FindReason();
        return;
    }
    Decision decision;
    decision.vote = commit->vote;
    decision.attempt = commit->attempt;
    decision.primary = m_options.GetPrimary(commit->vote, commit->attempt);
    decision.proposal = commit->proposal;
    m_output.decisions.push_back(decision);
    const bool isPresent = m_stage == Stage::VOTING && commit->vote == m_vote;
    if (isPresent || (m_logs[0].GetEnd() && m_logs[1].GetEnd()))
    {
        GoOn();
    }
}

ConsensusOutcome
CommitteeConsensus::FindReason() const
{
    const bool lacksResult =
        m_vote == CommitteeVote::AGGREGATION && !m_own[PlaceOf(CommitteeVote::AGGREGATION)];
    return m_ranking.size() < m_options.members.size() ? ConsensusOutcome::FEW_CLIENTS
           : lacksResult && m_hasResult                ? ConsensusOutcome::NO_RESULT
           : m_heardOther                              ? ConsensusOutcome::SETS_DIFFER
                                                       : ConsensusOutcome::NO_QUORUM;
}

} // namespace ns3::collab
