/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Training, scoring and aggregating: what a device does with gradients

#include "committee-worker.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace ns3::collab
{

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
      m_inbox(m_options.GetBounds())
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

void
CommitteeWorker::BeginWork()
{
    if (!m_hasBegun)
    {
        m_hasBegun = true;
        m_work.Start(Work());
    }
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
    return isFree && m_session->GetOrder() && m_inbox.Gather(*m_session->GetOrder())
               ? &*m_session->GetOrder()
               : nullptr;
}

void
CommitteeWorker::TryAggregate()
{
    if (!m_session || !m_session->GetOrder() || m_isComputing || m_isStale || !HasModel())
    {
        return;
    }
    if (FindOrder())
    {
        m_changes.Check(); // Work() does it
    }
    else if (IsByzantine())
    {
        const GradientDigests missing = m_inbox.FindMissing(*m_session->GetOrder());
        m_inbox.Want(missing);
        m_session->Fetch(missing);
    }
    else
    {
        Apply(m_session->HandleResult(m_session->GetOrder()->number, std::nullopt));
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
        m_news.Plan(blocks.back(), false, faults);
        m_host.SetTimer(CommitteeTimer::ANNOUNCE,
                        m_options.modelTimeoutNs * place / members.size());
    }
}

} // namespace ns3::collab
