/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Training, scoring and aggregating: what a device does with gradients

#include "committee-node.h"

#include "ns3/collab-random.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace ns3
{
namespace collab
{

namespace
{

/// Purpose of the seed that draws the clients that train
constexpr uint64_t ACTIVATION = 2;

/// Models that a member keeps until it knows which one is agreed
constexpr std::size_t MOST_RESULTS = 16;

} // namespace

std::vector<uint32_t>
CommitteeNode::DrawClients() const
{
    std::vector<uint32_t> excluded = m_chain.GetCommittee();
    const auto& expelled = m_chain.GetExpelled();
    excluded.insert(excluded.end(), expelled.begin(), expelled.end());
    std::sort(excluded.begin(), excluded.end());
    const uint64_t seed =
        SplitMix64(SplitMix64(SplitMix64(m_options.federation.seed) + ACTIVATION) + m_round);
    return DrawDevices(m_options.federation.devices, excluded, m_options.trainingClients, seed);
}

Process
CommitteeNode::Work()
{
    if (m_role == CommitteeRole::IDLE && !m_isBehind)
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
    }
    if (m_role == CommitteeRole::TRAINING && !m_isBehind)
    {
        auto gradient = std::make_shared<SignedGradient>();
        gradient->round = m_round;
        gradient->sender = m_options.self;
        gradient->samples = m_options.samples;
        gradient->values = m_gradient;
        gradient->Sign(*m_keys);
        m_host.Upload(gradient);
    }
    if (m_role != CommitteeRole::MEMBER)
    {
        co_return;
    }
    if (!m_isBehind)
    {
        m_isCollecting = true;
        m_host.BeginPhase(COLLECT);
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
        co_await(IsCollected() ? Score() : Aggregate());
    }
}

bool
CommitteeNode::EndJob()
{
    m_isComputing = false;
    const bool isOver = m_isStale;
    if (isOver)
    {
        TakeRound();
    }
    return isOver;
}

bool
CommitteeNode::IsCollected() const
{
    return m_isCollecting && (m_isTime || !m_inbox.HasMissing());
}

Process
CommitteeNode::Score()
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
CommitteeNode::FindOrder() const
{
    const bool isFree = m_session && !m_isComputing && !m_isStale && HasModel();
    return isFree && m_session->GetOrder() && m_inbox.Gather(*m_session->GetOrder())
               ? &*m_session->GetOrder()
               : nullptr;
}

void
CommitteeNode::TryAggregate()
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
CommitteeNode::Aggregate()
{
    const uint64_t number = FindOrder()->number;
    GradientList gradients = *m_inbox.Gather(*FindOrder());
    m_host.BeginPhase("aggregate");
    m_isComputing = true;
    const MadeModel made = co_await m_host.Aggregate(std::move(gradients));
    if (made.values)
    {
        KeepResult(made);
    }
    if (!EndJob())
    {
        m_host.BeginPhase(m_isCollecting ? COLLECT : "consensus");
        Apply(m_session->HandleResult(number,
                                      made.values ? std::optional(made.digest) : std::nullopt));
    }
}

void
CommitteeNode::KeepResult(const MadeModel& made)
{
    for (auto it = m_results.begin(); it != m_results.end();)
    {
        const bool isLocked = m_memory->lock && m_memory->lock->block.model == it->first;
        const bool stays = isLocked || m_results.size() < MOST_RESULTS;
        it = stays ? std::next(it) : m_results.erase(it);
    }
    m_results[made.digest] = made.values;
    if (!HasModel() && made.digest == m_chain.GetModel())
    {
        KeepModel(made.values, made.digest);
    }
}

void
CommitteeNode::HandleGradient(uint32_t sender,
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
CommitteeNode::AnswerGradients(uint32_t sender, const std::vector<Digest>& digests)
{
    const std::size_t most = std::min(digests.size(), m_inbox.GetClients().size());
    for (std::size_t i = 0; i < most; ++i)
    {
        CommitteeMessage answer;
        answer.gradient = m_inbox.Find(digests[i]);
        if (answer.gradient)
        {
            m_host.Send(sender, answer);
        }
    }
}

void
CommitteeNode::HandleGradientTimeout()
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
        m_announcement = blocks.back();
        m_announcesModel = false;
        m_host.SetTimer(CommitteeTimer::ANNOUNCE,
                        m_options.modelTimeoutNs * place / members.size());
    }
}

} // namespace collab
} // namespace ns3
