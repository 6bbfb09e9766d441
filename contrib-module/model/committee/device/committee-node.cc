/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-node.h"

#include "ns3/collab-random.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

namespace
{

/// Purpose of the seed that draws the clients that train
constexpr uint64_t ACTIVATION = 2;

} // namespace

std::optional<CommitteeBounds>
NodeOptions::GetBounds() const
{
    return federation.rule == QuorumRule::PAPER
               ? std::nullopt
               : std::optional(CommitteeBounds{
                     federation.devices.size(), federation.committee.size(), trainingClients});
}

uint64_t
NodeOptions::GetLongestRoundNs() const
{
    const bool isByzantine = federation.rule == QuorumRule::BYZANTINE;
    return gradientTimeoutNs + (isByzantine ? GetSecondWaitNs() : 0) + voting.GetLongestRoundNs() +
           modelTimeoutNs * voting.maxAttempts;
}

uint64_t
NodeOptions::GetSecondWaitNs() const
{
    return gradientTimeoutNs +
           (GetGreatestFaults(federation.committee.size()) + 2) * modelTimeoutNs;
}

uint64_t
NodeOptions::GetPatienceNs() const
{
    if (patienceNs > 0)
    {
        return patienceNs;
    }
    constexpr uint64_t HOUR = 3600000000000;
    constexpr uint64_t MOST = INT64_MAX; // of ns-3's time
    NodeOptions slowest = *this;
    slowest.voting.attemptTimeoutNs <<= LogOptions::MOST_DOUBLINGS;
    return std::max(HOUR, 2 * std::min(slowest.GetLongestRoundNs(), MOST / 2));
}

CommitteeNode::CommitteeNode(NodeOptions options,
                             std::shared_ptr<const KeyRing> keys,
                             FlatVector model,
                             CommitteeHost& host,
                             MemberMaker maker)
    : CommitteeWorker(std::move(options), std::move(keys), std::move(model), host),
      m_maker(std::move(maker)),
      m_asker(m_options, m_chain, m_host),
      m_answers(m_options, m_chain, m_models, m_inbox, m_host)
{
    m_options.patienceNs = m_options.GetPatienceNs();
}

uint64_t
CommitteeNode::CountKept() const
{
    return m_inbox.CountKept() + m_lies.GetAll().size() * sizeof(Evidence) +
           (m_session ? m_session->GetMember().CountKept() : 0);
}

bool
CommitteeNode::IsAssumed() const
{
    const auto& blocks = m_chain.GetAll();
    return m_chain.GetNextRound() < m_round ||
           (!blocks.empty() && blocks.back().block.kind == BlockKind::ABANDONED);
}

void
CommitteeNode::Start()
{
    if (IsByzantine())
    {
        m_host.SetTimer(CommitteeTimer::PATIENCE, m_options.patienceNs);
    }
    TakeRound();
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
CommitteeNode::TakeRound()
{
    const uint32_t round = std::max(m_following, m_chain.GetNextRound());
    if (round != m_round && !m_ended)
    {
        m_ended = m_role;
    }
    m_isBehind = m_isBehind && round == m_round;
    if (round != m_round)
    {
        m_models.ClearResults(); // not by a crash: a consent promises that the model is there
    }
    m_round = round;
    m_following = round;
    ClearRound();
    m_answers.Clear();
    if (IsFinished())
    {
        m_host.CancelTimer(CommitteeTimer::ROUND);
        m_inbox.Clear();
        m_asker.NoteFinished();
        HasModel() ? HandleModelThere() : PlanModel(m_options.modelTimeoutNs);
        return;
    }
    m_host.SetTimer(CommitteeTimer::ROUND, m_options.GetLongestRoundNs());
    const auto early = m_inbox.Begin(m_round, DrawClients());
    TellLies(m_lies, m_chain.GetCommittee(), m_options.self, m_host);
    const bool isMember = Contains(m_chain.GetCommittee(), m_options.self);
    const bool mayVote = IsByzantine() || !m_lastVoted || *m_lastVoted < m_round;
    if (isMember && mayVote)
    {
        m_role = CommitteeRole::MEMBER;
        MakeSession();
        m_host.SetTimer(CommitteeTimer::GRADIENTS, m_options.gradientTimeoutNs);
    }
    else if (!isMember && Contains(m_inbox.GetClients(), m_options.self))
    {
        m_role = CommitteeRole::TRAINING;
    }
    HasModel() ? HandleModelThere() : PlanModel(m_options.modelTimeoutNs);
    for (const auto& message : early)
    {
        HandleConsensus(message->sender, message);
    }
}

void
CommitteeNode::HandleModelThere()
{
    m_host.CancelTimer(CommitteeTimer::MODEL);
    if (m_isStale)
    {
        return; // the round begins when the processor is free
    }
    if (m_ended)
    {
        m_host.ReachRound(m_round, *std::exchange(m_ended, std::nullopt));
    }
    if (IsFinished())
    {
        m_host.CancelTimer(CommitteeTimer::PATIENCE);
        return;
    }
    BeginWork();
}

void
CommitteeNode::Advance()
{
    if (IsByzantine())
    {
        m_host.SetTimer(CommitteeTimer::PATIENCE, m_options.patienceNs);
    }
    m_isStale = m_isComputing; // one job at a time
    if (!m_isStale)
    {
        TakeRound();
    }
}

void
CommitteeNode::HandleMessage(uint32_t sender, const CommitteeMessage& message)
{
    if (message.gradient)
    {
        HandleGradient(sender, message.gradient);
    }
    else if (message.consensus)
    {
        HandleConsensus(sender, message.consensus);
    }
    else if (message.model)
    {
        HandleModel(sender, *message.model);
    }
    else if (message.chain)
    {
        HandleChain(sender, *message.chain);
    }
}

void
CommitteeNode::HandleTimeout(CommitteeTimer timer)
{
    switch (timer)
    {
    case CommitteeTimer::GRADIENTS:
        HandleGradientTimeout();
        break;
    case CommitteeTimer::VOTE:
        Apply(m_session->HandleTimeout());
        break;
    case CommitteeTimer::ROUND:
        HandleRoundTimeout();
        break;
    case CommitteeTimer::BLOCKS:
        m_asker.HandleTimeout(GetOwnRound());
        break;
    case CommitteeTimer::MODEL:
        AskForModel();
        break;
    case CommitteeTimer::FETCH:
        TryAggregate();
        break;
    case CommitteeTimer::ANNOUNCE:
        m_news.Tell(m_models, m_host);
        break;
    case CommitteeTimer::PATIENCE:
        m_host.GiveUp();
        break;
    }
}

void
CommitteeNode::Crash()
{
    for (std::size_t i = 0; i < COMMITTEE_TIMERS; ++i)
    {
        m_host.CancelTimer(static_cast<CommitteeTimer>(i));
    }
    ClearRound();
    m_answers.Clear();
    m_inbox.Clear();
    m_news.Drop();
    m_asker.Forget();
    m_lies.Clear();
}

void
CommitteeNode::Resume()
{
    if (IsByzantine())
    {
        m_host.SetTimer(CommitteeTimer::PATIENCE, m_options.patienceNs);
    }
    m_isBehind = true;
    m_host.BeginPhase("idle");
    const uint32_t before = m_round;
    TakeRound();
    if (m_round == before && m_session && IsByzantine())
    {
        Apply(m_session->GetMember().Resume(m_host.GetNowNs()));
    }
    m_asker.AskSomebody();
}

} // namespace ns3::collab
