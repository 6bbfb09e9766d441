/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-session.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

CommitteeSession::CommitteeSession(ConsensusOptions voting,
                                   std::unique_ptr<CommitteeMember> member,
                                   CommitteeHost& host)
    : m_voting(std::move(voting)),
      m_member(std::move(member)),
      m_host(host)
{
    m_report.round = m_voting.round;
    m_report.members = m_voting.members;
    m_report.device = m_voting.self;
}

CommitteeMember&
CommitteeSession::GetMember()
{
    return *m_member;
}

std::optional<CertifiedBlock>
CommitteeSession::Apply(const ConsensusOutput& output)
{
    for (const auto& outgoing : output.messages)
    {
        for (const uint32_t member : m_voting.members)
        {
            if (member != m_voting.self && (!outgoing.receiver || *outgoing.receiver == member))
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
        m_timer = output.timer->number;
    }
    if (output.unheard)
    {
        m_host.TellWait({m_voting.round,
                         CommitteeWait::SCORES,
                         m_voting.members.size() - 1,
                         *output.unheard,
                         m_voting.self});
    }
    for (const auto& decision : output.decisions)
    {
        m_host.TellDecision(m_voting.round, decision);
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
    return output.block;
}

void
CommitteeSession::CloseGradients(const CommitteeInbox& inbox)
{
    const auto& clients = inbox.GetClients();
    m_report.gradients = inbox.GetGradients().size();
    m_report.missing = clients.size() - m_report.gradients;
    m_host.TellWait({m_voting.round,
                     CommitteeWait::GRADIENTS,
                     clients.size(),
                     FindUnheard(clients, inbox.GetGradients()),
                     m_voting.self});
}

ConsensusOutput
CommitteeSession::Begin(const ClientScores& scores, const CommitteeInbox& inbox)
{
    m_report.scores = scores;
    GradientDigests digests;
    for (const auto& [client, score] : scores)
    {
        digests[client] = inbox.GetGradients().at(client)->digest;
    }
    return m_member->Begin(m_host.GetNowNs(), scores, digests);
}

ConsensusOutput
CommitteeSession::HandleResult(uint64_t number, const std::optional<Digest>& digest)
{
    if (m_order && m_order->number == number) // else there is a newer one
    {
        m_order.reset();
    }
    return m_member->HandleResult(m_host.GetNowNs(), number, digest);
}

ConsensusOutput
CommitteeSession::HandleTimeout()
{
    return m_member->HandleTimeout(m_host.GetNowNs(), m_timer);
}

void
CommitteeSession::End(const CertifiedBlock& certified)
{
    if (!m_hasReported && certified.block.round == m_voting.round)
    {
        Apply(m_member->HandleBlock(m_host.GetNowNs(), certified));
    }
}

void
CommitteeSession::Report(ConsensusOutcome outcome)
{
    if (m_hasReported)
    {
        return;
    }
    m_hasReported = true;
    m_report.outcome = outcome;
    m_report.counters = m_member->GetCounters();
    m_report.ranking = m_member->GetRanking();
    m_host.TellReport(m_report);
    m_host.BeginPhase("wait");
}

void
CommitteeSession::Fetch(const GradientDigests& missing)
{
    std::map<uint32_t, std::vector<Digest>> questions;
    for (const auto& [client, digest] : missing)
    {
        std::vector<uint32_t> holders = m_order->holders.at(client);
        holders.erase(std::remove(holders.begin(), holders.end(), m_voting.self), holders.end());
        if (!holders.empty())
        {
            const std::size_t turn = m_voting.self + m_fetches;
            questions[holders[turn % holders.size()]].push_back(digest);
        }
    }
    for (auto& [holder, digests] : questions)
    {
        ChainMessage question;
        question.kind = ChainKind::GRADIENT_REQUEST;
        question.digests = std::move(digests);
        m_host.Send(holder, Wrap(std::move(question)));
    }
    ++m_fetches;
    m_host.SetTimer(CommitteeTimer::FETCH, m_voting.attemptTimeoutNs / FETCH_PART);
}

} // namespace ns3::collab
