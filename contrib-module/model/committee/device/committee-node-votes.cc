/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Votes of a member, and what it tells of their end

#include "committee-node.h"

#include "ns3/committee-paper.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

void
CommitteeNode::MakeSession()
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
    voting.history = m_chain.GetHistory();
    m_lastVoted = m_round;
    std::unique_ptr<CommitteeMember> member;
    if (m_maker)
    {
        member = m_maker(voting, m_memory);
    }
    else if (IsByzantine())
    {
        member = std::make_unique<ByzantineConsensus>(voting, m_keys, m_memory);
    }
    else
    {
        member = std::make_unique<CommitteeConsensus>(voting, m_keys);
    }
    for (const auto& [device, evidence] : m_lies.GetAll())
    {
        member->AddEvidence(evidence);
    }
    m_session = std::make_shared<CommitteeSession>(std::move(voting), std::move(member), m_host);
}

void
CommitteeNode::Apply(const ConsensusOutput& output)
{
    for (const auto& evidence : output.evidence)
    {
        AddEvidence(evidence);
    }
    const auto session = m_session; // which a battery that a message empties ends
    const auto block = session->Apply(output);
    if (block)
    {
        Decide(*block);
    }
    else if (output.toAggregate)
    {
        TryAggregate();
    }
}

void
CommitteeNode::Decide(const CertifiedBlock& certified)
{
    if (Append(certified))
    {
        PlanNews(certified, true);
        Advance();
    }
}

void
CommitteeNode::PlanNews(const CertifiedBlock& certified, bool isDecided)
{
    const ConsensusOptions& voting = m_session->GetVoting();
    const auto& members = voting.members;
    const uint32_t primary = voting.GetPrimary(CommitteeVote::AGGREGATION, certified.view);
    const auto place = [&members](uint32_t member) {
        return static_cast<std::size_t>(std::lower_bound(members.begin(), members.end(), member) -
                                        members.begin());
    };
    const std::size_t turn =
        (place(m_options.self) + members.size() - place(primary)) % members.size();
    m_news.Plan(certified, isDecided && turn == 0, voting.faults);
    if (IsByzantine() || turn < voting.maxAttempts)
    {
        m_host.SetTimer(CommitteeTimer::ANNOUNCE, m_options.modelTimeoutNs * turn);
    }
}

void
CommitteeNode::HearNews(uint32_t teller, const CertifiedBlock& certified, bool comesNext)
{
    const Block& block = certified.block;
    if (!IsByzantine())
    {
        m_news.Drop();
        return;
    }
    if (comesNext)
    {
        m_news.Drop(); // of the round before
    }
    if (comesNext && m_session && m_session->GetVoting().round == block.round)
    {
        PlanNews(certified, false); // who has told this member may have told nobody else
    }
    const auto history = m_chain.GetHistory();
    if (block.round < history->size() && Contains((*history)[block.round], teller))
    {
        m_news.Hear(teller, block);
    }
}

void
CommitteeNode::HandleConsensus(uint32_t sender,
                               const std::shared_ptr<const ConsensusMessage>& message)
{
    if (message->round == m_round && m_session)
    {
        CommitteeMember& member = m_session->GetMember();
        const uint64_t before = member.GetCounters().Total();
        const ConsensusOutput output = member.HandleMessage(m_host.GetNowNs(), *message);
        if (member.GetCounters().Total() > before)
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
    if (isStuck)
    {
        m_answers.HelpStraggler(sender, message->round);
    }
}

void
CommitteeNode::AddEvidence(const Evidence& evidence)
{
    const Statement& lie = evidence.statement;
    const auto history = m_chain.GetHistory();
    const bool isInOffice =
        lie.round < history->size() && Contains((*history)[lie.round], lie.member);
    if (m_lies.Add(evidence, isInOffice, m_chain.GetExpelled(), *m_keys) && m_session)
    {
        m_session->GetMember().AddEvidence(evidence);
    }
}

} // namespace ns3::collab
