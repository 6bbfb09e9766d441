/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Training, scoring and aggregating: what a device does with gradients

#include "committee-node.h"

#include "ns3/collab-random.h"

#include <algorithm>
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

std::shared_ptr<const SignedGradient>
CommitteeNode::FindGradient(uint32_t client, const AggregationOrder& order) const
{
    if (IsByzantine())
    {
        return m_inbox.Find(order.gradients.at(client));
    }
    const auto found = m_inbox.GetGradients().find(client);
    return found == m_inbox.GetGradients().end() ? nullptr : found->second;
}

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

void
CommitteeNode::BeginWork()
{
    if (m_hasBegun || m_isBehind || m_job != Job::NONE)
    {
        return;
    }
    m_hasBegun = true;
    if (m_role == CommitteeRole::IDLE)
    {
        m_host.BeginPhase("idle");
        return;
    }
    m_job = Job::TRAIN;
    m_host.BeginPhase("train");
    m_host.Train();
}

void
CommitteeNode::GoOn()
{
    if (m_isStale)
    {
        TakeRound();
        return;
    }
    BeginWork();
    CheckCollect();
    TryAggregate();
}

void
CommitteeNode::HandleTrained(FlatVector gradient)
{
    m_job = Job::NONE;
    if (m_isStale)
    {
        GoOn();
        return;
    }
    if (m_role == CommitteeRole::TRAINING)
    {
        auto message = std::make_shared<SignedGradient>();
        message->round = m_round;
        message->sender = m_options.self;
        message->samples = m_options.samples;
        message->values = std::move(gradient);
        message->Sign(*m_keys);
        m_host.Upload(message);
        return;
    }
    m_gradient = std::move(gradient);
    m_collecting = true;
    m_host.BeginPhase(COLLECT);
    GoOn();
}

void
CommitteeNode::CheckCollect()
{
    if (m_collecting && m_job == Job::NONE && (m_isTime || !m_inbox.HasMissing()))
    {
        BeginScore();
    }
}

void
CommitteeNode::BeginScore()
{
    m_collecting = false;
    m_host.CancelTimer(CommitteeTimer::GRADIENTS);
    m_host.BeginPhase("score");
    m_job = Job::SCORE;
    m_report.gradients = m_inbox.GetGradients().size();
    m_report.missing = m_inbox.GetClients().size() - m_report.gradients;
    m_host.TellWait({m_round,
                     CommitteeWait::GRADIENTS,
                     m_inbox.GetClients().size(),
                     FindUnheard(m_inbox.GetClients(), m_inbox.GetGradients())});
    m_host.Score(m_inbox.GetGradients(), m_gradient);
}

void
CommitteeNode::HandleScored(const ClientScores& scores)
{
    m_job = Job::NONE;
    if (m_isStale)
    {
        GoOn();
        return;
    }
    m_report.scores = scores;
    GradientDigests digests;
    for (const auto& [client, score] : scores)
    {
        digests[client] = m_inbox.GetGradients().at(client)->digest;
    }
    m_host.BeginPhase("consensus");
    Apply(m_member->Begin(m_host.GetNowNs(), scores, digests));
    GoOn();
}

void
CommitteeNode::TryAggregate()
{
    if (!m_order || m_job != Job::NONE || m_isStale || !HasModel())
    {
        return;
    }
    std::vector<std::shared_ptr<const SignedGradient>> gradients;
    GradientDigests missing;
    for (const uint32_t client : m_order->clients)
    {
        const auto gradient = FindGradient(client, *m_order);
        if (!gradient)
        {
            missing[client] = IsByzantine() ? m_order->gradients.at(client) : Digest();
        }
        gradients.push_back(gradient);
    }
    if (missing.empty())
    {
        m_job = Job::AGGREGATE;
        m_aggregating = m_order->number;
        m_host.BeginPhase("aggregate");
        m_host.Aggregate(gradients);
    }
    else if (IsByzantine())
    {
        Fetch(missing);
    }
    else
    {
        const uint64_t number = m_order->number;
        m_order.reset();
        Apply(m_member->HandleResult(m_host.GetNowNs(), number, std::nullopt));
    }
}

void
CommitteeNode::Fetch(const GradientDigests& missing)
{
    m_inbox.Want(missing);
    std::map<uint32_t, std::vector<Digest>> questions;
    for (const auto& [client, digest] : missing)
    {
        std::vector<uint32_t> holders = m_order->holders.at(client);
        holders.erase(std::remove(holders.begin(), holders.end(), m_options.self), holders.end());
        if (!holders.empty())
        {
            const std::size_t turn = m_options.self + m_fetches;
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
    m_host.SetTimer(CommitteeTimer::FETCH, m_options.voting.attemptTimeoutNs / FETCH_PART);
}

void
CommitteeNode::HandleAggregated(FlatVector model, const Digest& digest)
{
    m_job = Job::NONE;
    if (model)
    {
        for (auto it = m_results.begin(); it != m_results.end();)
        {
            const bool isLocked = m_memory->lock && m_memory->lock->block.model == it->first;
            const bool stays = isLocked || m_results.size() < MOST_RESULTS;
            it = stays ? std::next(it) : m_results.erase(it);
        }
        m_results[digest] = model;
        if (!HasModel() && digest == m_chain.GetModel())
        {
            KeepModel(model, digest);
        }
    }
    if (m_isStale)
    {
        GoOn();
        return;
    }
    m_host.BeginPhase(m_collecting ? COLLECT : "consensus");
    if (m_order && m_order->number == m_aggregating) // else there is a newer one
    {
        m_order.reset();
    }
    Apply(m_member->HandleResult(
        m_host.GetNowNs(), m_aggregating, model ? std::optional<Digest>(digest) : std::nullopt));
    GoOn();
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
    if (!CanBeVector(gradient->values))
    {
        m_host.Reject("a gradient with an element that is not finite, or too few");
        return;
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
    CheckCollect();
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
        CheckCollect();
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
