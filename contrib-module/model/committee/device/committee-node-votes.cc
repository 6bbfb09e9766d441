/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Votes of a member, and what it tells of their end

#include "committee-node.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace collab
{

ConsensusOptions
CommitteeNode::MakeVoting() const
{
    ConsensusOptions voting = m_options.voting;
    voting.seed = m_options.federation.seed;
    voting.rule = m_options.federation.rule;
    voting.round = m_round;
    voting.self = m_options.self;
    voting.members = m_chain.GetCommittee();
    voting.faults = GetGreatestFaults(voting.members.size());
    voting.clients = m_inbox.GetClients();
    voting.federation = m_options.federation;
    voting.parent = m_chain.GetHead();
    voting.model = m_chain.GetModel();
    voting.expelled = m_chain.GetExpelled();
    return voting;
}

void
CommitteeNode::MakeSession()
{
    const ConsensusOptions voting = MakeVoting();
    m_members = voting.members;
    m_lastVoted = m_round;
    if (m_maker)
    {
        m_member = m_maker(voting, m_memory);
    }
    else if (IsByzantine())
    {
        m_member = std::make_unique<ByzantineConsensus>(voting, m_keys, m_memory);
    }
    else
    {
        m_member = std::make_unique<CommitteeConsensus>(voting, m_keys);
    }
    for (const auto& [device, evidence] : m_evidence)
    {
        m_member->AddEvidence(evidence);
    }
}

void
CommitteeNode::Apply(const ConsensusOutput& output)
{
    const uint32_t round = m_round;
    for (const auto& outgoing : output.messages)
    {
        for (const uint32_t member : m_members)
        {
            if (member != m_options.self && (!outgoing.receiver || *outgoing.receiver == member))
            {
                CommitteeMessage message;
                message.consensus = outgoing.message;
                m_host.Send(member, message);
            }
        }
    }
    if (output.timer)
    {
        m_host.SetTimer(CommitteeTimer::VOTE, output.timer->delayNs);
        m_voteTimer = output.timer->number;
    }
    if (output.unheard)
    {
        m_host.TellWait({round, CommitteeWait::SCORES, m_members.size() - 1, *output.unheard});
    }
    for (const auto& decision : output.decisions)
    {
        m_decisions[decision.vote] = decision;
        m_host.TellDecision(round, decision);
    }
    for (const auto& evidence : output.evidence)
    {
        AddEvidence(evidence);
    }
    if (output.toAggregate)
    {
        m_order = output.toAggregate;
        m_fetches = 0;
    }
    if (output.outcome)
    {
        m_host.CancelTimer(CommitteeTimer::VOTE);
        m_host.CancelTimer(CommitteeTimer::FETCH);
        m_order.reset();
        Report(*output.outcome);
    }
    if (output.block)
    {
        Decide(*output.block);
    }
    else if (output.outcome == ConsensusOutcome::AGREED && !IsByzantine())
    {
        AgreeOnOwnWord();
    }
    else if (output.toAggregate)
    {
        TryAggregate();
    }
}

void
CommitteeNode::Report(ConsensusOutcome outcome)
{
    if (m_hasReported)
    {
        return;
    }
    m_hasReported = true;
    m_report.outcome = outcome;
    m_report.members = m_members;
    m_report.counters = m_member->GetCounters();
    m_report.ranking = m_member->GetRanking();
    m_host.TellReport(m_report);
    m_host.BeginPhase("wait");
}

void
CommitteeNode::AgreeOnOwnWord()
{
    CertifiedBlock certified;
    Block& block = certified.block;
    block.round = m_round;
    block.parent = m_chain.GetHead();
    block.clients = m_decisions.at(CommitteeVote::AGGREGATION).proposal.clients;
    block.model = m_decisions.at(CommitteeVote::AGGREGATION).proposal.digest;
    block.committee = m_decisions.at(CommitteeVote::ELECTION).proposal.clients;
    certified.view = m_decisions.at(CommitteeVote::AGGREGATION).attempt;
    const auto statement = MakeStatement(
        CommitteeVote::ELECTION, m_options.self, block.round, certified.view, block.GetDigest());
    certified.consents = {{m_options.self, m_keys->Sign(m_options.self, statement)}};
    Decide(certified);
}

void
CommitteeNode::Decide(const CertifiedBlock& certified)
{
    const ConsensusOptions voting = MakeVoting(); // of the round that ends
    if (!Append(certified))
    {
        return;
    }
    const auto& members = voting.members;
    const uint32_t primary = voting.GetPrimary(CommitteeVote::AGGREGATION, certified.view);
    const auto place = [&members](uint32_t member) {
        return static_cast<std::size_t>(std::lower_bound(members.begin(), members.end(), member) -
                                        members.begin());
    };
    const std::size_t turn =
        (place(m_options.self) + members.size() - place(primary)) % members.size();
    m_announcement = certified;
    m_announcesModel = turn == 0;
    if (IsByzantine() || turn < voting.maxAttempts)
    {
        m_host.SetTimer(CommitteeTimer::ANNOUNCE, m_options.modelTimeoutNs * turn);
    }
    Advance();
}

void
CommitteeNode::Announce()
{
    if (!m_announcement)
    {
        return;
    }
    CommitteeMessage message;
    const auto model = m_models.find(m_announcement->block.model);
    if (m_announcesModel && model != m_models.end())
    {
        message.model = std::make_shared<const ModelMessage>(
            ModelMessage{*m_announcement, model->second, model->first});
    }
    else
    {
        ChainMessage blocks;
        blocks.kind = ChainKind::BLOCKS;
        blocks.blocks = {*m_announcement};
        message = Wrap(std::move(blocks));
    }
    m_announcement.reset();
    m_host.Broadcast(message);
}

void
CommitteeNode::HandleConsensus(uint32_t sender,
                               const std::shared_ptr<const ConsensusMessage>& message)
{
    if (message->round == m_round && m_member)
    {
        const uint64_t before = m_member->GetCounters().Total();
        const ConsensusOutput output = m_member->HandleMessage(m_host.GetNowNs(), *message);
        if (m_member->GetCounters().Total() > before)
        {
            m_host.Reject("a message of the committee that is not believed");
        }
        Apply(output);
        return;
    }
    if (message->round == m_round || !message->IsAuthentic(*m_keys))
    {
        m_host.Reject("a message of a committee that this device is not in, or a forged one");
        return;
    }
    if (message->round > m_round)
    {
        NoteAhead(sender, message->round);
        // Who repeats messages of another device shall not fill that one's place
        if (message->sender != sender || !m_inbox.AddEarly(message))
        {
            m_host.Reject("a message of the committee of another round");
        }
        return;
    }
    const bool isStuck =
        message->kind == ConsensusKind::REQUEST || message->kind == ConsensusKind::VIEW_CHANGE;
    if (message->round + 1 < m_round)
    {
        m_host.Reject("a message of the committee of another round");
    }
    if (isStuck && message->round < m_chain.GetNextRound() &&
        MayAnswer(sender, ChainKind::BLOCKS, m_options.voting.attemptTimeoutNs))
    {
        SendBlocks(sender, message->round);
    }
}

void
CommitteeNode::EndSession(const CertifiedBlock& certified)
{
    if (!m_member || m_hasReported || certified.block.round != m_round)
    {
        return;
    }
    const ConsensusOutput output = m_member->HandleBlock(m_host.GetNowNs(), certified);
    for (const auto& decision : output.decisions)
    {
        m_host.TellDecision(m_round, decision);
    }
    if (output.outcome)
    {
        Report(*output.outcome);
    }
}

void
CommitteeNode::AddEvidence(const Evidence& evidence)
{
    const uint32_t liar = evidence.first.sender;
    if (Contains(m_chain.GetExpelled(), liar) || !m_evidence.emplace(liar, evidence).second)
    {
        return;
    }
    if (m_member)
    {
        m_member->AddEvidence(evidence);
    }
}

void
CommitteeNode::PassEvidence()
{
    for (const auto& [liar, evidence] : m_evidence)
    {
        ChainMessage message;
        message.kind = ChainKind::EVIDENCE;
        message.evidence = {evidence.first, evidence.second};
        const CommitteeMessage wrapped = Wrap(std::move(message));
        for (const uint32_t member : m_chain.GetCommittee())
        {
            if (member != m_options.self && member != liar)
            {
                m_host.Send(member, wrapped);
            }
        }
    }
}

} // namespace collab
} // namespace ns3
