/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-worker.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace ns3::collab
{

CommitteeSession::CommitteeSession(ConsensusOptions options,
                                   std::unique_ptr<CommitteeMember> machine,
                                   CommitteeHost& host)
    : voting(std::move(options)),
      member(std::move(machine)),
      m_host(host)
{
    m_report.round = voting.round;
    m_report.members = voting.members;
    m_report.device = voting.self;
}

std::optional<CertifiedBlock>
CommitteeSession::Apply(const ConsensusOutput& output)
{
    for (const auto& outgoing : output.messages)
    {
        for (const uint32_t receiver : voting.members)
        {
            if (receiver != voting.self && outgoing.receiver.value_or(receiver) == receiver)
            {
                m_host.Send(receiver, {nullptr, outgoing.message, nullptr, nullptr});
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
        m_host.TellWait({voting.round,
                         CommitteeWait::SCORES,
                         voting.members.size() - 1,
                         *output.unheard,
                         voting.self});
    }
    for (const auto& decision : output.decisions)
    {
        m_host.TellDecision(voting.round, decision);
    }
    if (output.toAggregate)
    {
        order = output.toAggregate;
        m_fetches = 0;
    }
    if (output.outcome)
    {
        m_host.CancelTimer(CommitteeTimer::VOTE);
        m_host.CancelTimer(CommitteeTimer::FETCH);
        order.reset();
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
    m_host.TellWait({voting.round,
                     CommitteeWait::GRADIENTS,
                     clients.size(),
                     FindUnheard(clients, inbox.GetGradients()),
                     voting.self});
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
    return member->Begin(m_host.GetNowNs(), scores, digests);
}

ConsensusOutput
CommitteeSession::HandleResult(uint64_t number, const std::optional<Digest>& digest)
{
    if (order && order->number == number) // else there is a newer one
    {
        order.reset();
    }
    return member->HandleResult(m_host.GetNowNs(), number, digest);
}

void
CommitteeSession::End(const CertifiedBlock& certified)
{
    if (!m_hasReported && certified.block.round == voting.round)
    {
        Apply(member->HandleBlock(m_host.GetNowNs(), certified));
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
    m_report.counters = member->GetCounters();
    m_report.ranking = member->GetRanking();
    m_host.TellReport(m_report);
    m_host.BeginPhase("wait");
}

void
CommitteeSession::Fetch(const GradientDigests& missing)
{
    std::map<uint32_t, std::vector<Digest>> questions;
    for (const auto& [client, digest] : missing)
    {
        std::vector<uint32_t> holders = order->holders.at(client);
        holders.erase(std::remove(holders.begin(), holders.end(), voting.self), holders.end());
        if (!holders.empty())
        {
            const std::size_t turn = voting.self + m_fetches;
            questions[holders[turn % holders.size()]].push_back(digest);
        }
    }
    for (auto& [holder, digests] : questions)
    {
        m_host.Send(holder,
                    Wrap(ChainMessage{ChainKind::GRADIENT_REQUEST, 0, {}, std::move(digests)}));
    }
    ++m_fetches;
    m_host.SetTimer(CommitteeTimer::FETCH, voting.attemptTimeoutNs / FETCH_PART);
}

CommitteeWorker::CommitteeWorker(NodeOptions options,
                                 std::shared_ptr<const KeyRing> keys,
                                 FlatVector model,
                                 CommitteeHost& host)
    : m_options(std::move(options)),
      m_keys(std::move(keys)),
      m_host(host),
      m_chain(m_options.federation, m_keys),
      m_models(std::move(model), m_options.federation.model),
      m_memory(std::make_shared<ConsensusMemory>()),
      m_inbox(m_options.GetBounds()),
      m_sync(m_options, m_chain, m_models, m_inbox, m_host)
{
}

void
CommitteeWorker::ClearRound()
{
    for (const auto timer :
         {CommitteeTimer::GRADIENTS, CommitteeTimer::VOTE, CommitteeTimer::FETCH})
    {
        m_host.CancelTimer(timer);
    }
    m_work.Stop();
    m_session.reset();
    m_isStale = false;
    m_isComputing = false;
    m_isCollecting = false;
    m_isTime = false;
    m_hasCalled = false;
    m_hasBegun = false;
    m_role = CommitteeRole::IDLE;
}

Process
CommitteeWorker::Work()
{
    if (!m_isBehind && m_role == CommitteeRole::IDLE)
    {
        m_host.BeginPhase("idle");
    }
    else if (!m_isBehind)
    {
        m_host.BeginPhase("train");
        m_isComputing = true;
        m_gradient = co_await m_host.Train();
        if (EndJob())
        {
            co_return;
        }
        if (m_role == CommitteeRole::TRAINING)
        {
            Upload(m_gradient);
            co_return;
        }
        m_isCollecting = true;
        m_host.BeginPhase(COLLECT);
    }
    if (m_role != CommitteeRole::MEMBER)
    {
        co_return;
    }
    const auto session = m_session;
    const std::function<bool()> isReady = [this]() { return IsCollected() || FindOrder(); };
    while (true)
    {
        if (!IsCollected())
        {
            TryAggregate();
        }
        co_await Until(m_changes, isReady, Time::Max());
        if (IsCollected()) // a conditional expression would be destroyed twice by g++ 12
        {
            co_await Score();
        }
        else
        {
            co_await Aggregate();
        }
        if (m_session != session)
        {
            co_return; // the round is over
        }
    }
}

void
CommitteeWorker::Upload(FlatVector values)
{
    auto gradient = std::make_shared<SignedGradient>();
    gradient->round = m_round;
    gradient->sender = m_options.self;
    gradient->samples = m_options.samples;
    gradient->values = std::move(values);
    gradient->Sign(*m_keys);
    m_host.Upload(gradient);
}

bool
CommitteeWorker::EndJob()
{
    m_isComputing = false;
    const bool isOver = m_isStale;
    if (isOver)
    {
        TakeRound();
    }
    return isOver;
}

Process
CommitteeWorker::Score()
{
    m_isCollecting = false;
    m_host.CancelTimer(CommitteeTimer::GRADIENTS);
    m_host.BeginPhase("score");
    m_session->CloseGradients(m_inbox);
    m_isComputing = true;
    const ClientScores scores = co_await m_host.Score(m_inbox.GetGradients(), m_gradient);
    if (!EndJob())
    {
        m_host.BeginPhase("consensus");
        Apply(m_session->Begin(scores, m_inbox));
    }
}

const AggregationOrder*
CommitteeWorker::FindOrder() const
{
    const bool isFree = m_session && !m_isComputing && !m_isStale && HasModel();
    return isFree && m_session->order && m_inbox.Gather(*m_session->order) ? &*m_session->order
                                                                           : nullptr;
}

void
CommitteeWorker::TryAggregate()
{
    if (!m_session || !m_session->order || m_isComputing || m_isStale || !HasModel())
    {
        return;
    }
    if (FindOrder())
    {
        m_changes.Check(); // Work() does it
    }
    else if (IsByzantine())
    {
        const GradientDigests missing = m_inbox.FindMissing(*m_session->order);
        m_inbox.Want(missing);
        m_session->Fetch(missing);
    }
    else
    {
        Apply(m_session->HandleResult(m_session->order->number, std::nullopt));
    }
}

Process
CommitteeWorker::Aggregate()
{
    const uint64_t number = FindOrder()->number;
    GradientList gradients = *m_inbox.Gather(*FindOrder());
    m_host.BeginPhase("aggregate");
    m_isComputing = true;
    const MadeModel made = co_await m_host.Aggregate(std::move(gradients));
    if (made.values)
    {
        const auto& lock = m_memory->lock;
        m_models.KeepResult(made, lock ? std::optional(lock->block.model) : std::nullopt);
        if (!HasModel() && made.digest == m_chain.GetModel())
        {
            m_models.Keep(made.values, made.digest);
        }
    }
    if (!EndJob())
    {
        m_host.BeginPhase(m_isCollecting ? COLLECT : "consensus");
        Apply(m_session->HandleResult(number,
                                      made.values ? std::optional(made.digest) : std::nullopt));
    }
}

void
CommitteeWorker::HandleGradient(uint32_t sender,
                                const std::shared_ptr<const SignedGradient>& gradient)
{
    const bool isMember = m_role == CommitteeRole::MEMBER;
    if (IsFinished() || gradient->round < m_round || (gradient->round == m_round && !isMember))
    {
        return; // a broadcast that is for others, or too late
    }
    if (gradient->samples == 0 || !gradient->IsAuthentic(*m_keys))
    {
        m_host.Reject("a gradient that its client has not signed, or of no samples");
        return;
    }
    if (m_inbox.AddWanted(gradient))
    {
        TryAggregate();
        return;
    }
    std::string reason = "a gradient from another device than its client";
    if (gradient->sender == sender)
    {
        NoteAhead(sender, gradient->round);
        reason = m_inbox.Add(gradient);
    }
    if (!reason.empty())
    {
        m_host.Reject(reason);
    }
    m_changes.Check();
}

void
CommitteeWorker::HandleGradientTimeout()
{
    const auto& members = m_chain.GetCommittee();
    const std::size_t faults = GetGreatestFaults(members.size());
    const bool isFew = m_inbox.GetGradients().size() < members.size() + faults;
    const bool mayComeLate = IsByzantine() && m_inbox.HasMissing() && isFew;
    if (!mayComeLate || m_hasCalled)
    {
        m_isTime = true;
        m_changes.Check();
        return;
    }
    m_hasCalled = true;
    m_host.SetTimer(CommitteeTimer::GRADIENTS, m_options.GetSecondWaitNs());
    const auto& blocks = m_chain.GetAll();
    if (!blocks.empty())
    {
        const auto place = static_cast<std::size_t>(
            std::lower_bound(members.begin(), members.end(), m_options.self) - members.begin());
        m_sync.PlanNews(blocks.back(), false, faults);
        m_host.SetTimer(CommitteeTimer::ANNOUNCE,
                        m_options.modelTimeoutNs * place / members.size());
    }
}

} // namespace ns3::collab
