/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-node.h"

#include "ns3/collab-random.h"

#include <algorithm>
#include <cmath>
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

/// Blocks in one answer
constexpr std::size_t MOST_BLOCKS = 64;

/// Rounds to go back at first when the own chain has parted from others', with PAPER
constexpr uint32_t FIRST_BACKTRACK = 4;

/// Models that a member keeps until it knows which one is agreed
constexpr std::size_t MOST_RESULTS = 4;

/// Patience with one that is asked for gradients, as a part of that with a primary
constexpr uint64_t FETCH_PART = 2;

/**
 * @param set ascending
 * @param device to look for
 * @return whether the set has it
 */
bool
Contains(const std::vector<uint32_t>& set, uint32_t device)
{
    return std::binary_search(set.begin(), set.end(), device);
}

/**
 * @param values to be looked at
 * @param dimension that they must have
 * @return whether they do, and are finite
 */
bool
IsVector(const FlatVector& values, std::size_t dimension)
{
    return values && values->size() == dimension &&
           std::all_of(values->begin(), values->end(), [](float x) { return std::isfinite(x); });
}

} // namespace

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

CommitteeNode::CommitteeNode(NodeOptions options,
                             std::shared_ptr<const KeyRing> keys,
                             FlatVector model,
                             CommitteeHost& host,
                             MemberMaker maker)
    : m_options(std::move(options)),
      m_keys(std::move(keys)),
      m_host(host),
      m_maker(std::move(maker)),
      m_chain(m_options.federation, m_keys),
      m_newest(m_options.federation.model),
      m_memory(std::make_shared<ConsensusMemory>())
{
    m_models[m_newest] = std::move(model);
}

bool
CommitteeNode::IsByzantine() const
{
    return m_options.federation.rule == QuorumRule::BYZANTINE;
}

uint32_t
CommitteeNode::GetRound() const
{
    return m_round;
}

CommitteeRole
CommitteeNode::GetRole() const
{
    return m_role;
}

const FlatVector&
CommitteeNode::GetModel() const
{
    return m_models.at(m_newest);
}

const std::vector<uint32_t>&
CommitteeNode::GetCommittee() const
{
    return m_chain.GetCommittee();
}

const std::vector<uint32_t>&
CommitteeNode::GetClients() const
{
    return m_inbox.GetClients();
}

const CommitteeChain&
CommitteeNode::GetChain() const
{
    return m_chain;
}

bool
CommitteeNode::IsAssumed() const
{
    const auto& blocks = m_chain.GetAll();
    return m_chain.GetNextRound() < m_round ||
           (!blocks.empty() && blocks.back().block.kind == BlockKind::ABANDONED);
}

bool
CommitteeNode::IsFinished() const
{
    return m_round >= m_options.rounds;
}

bool
CommitteeNode::HasModel() const
{
    return m_newest == m_chain.GetModel();
}

bool
CommitteeNode::IsOvertaken() const
{
    return m_isStale;
}

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
CommitteeNode::Start()
{
    if (IsByzantine())
    {
        m_host.SetTimer(CommitteeTimer::PATIENCE, m_options.patienceNs);
    }
    TakeRound();
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
    m_round = round;
    m_following = round;
    ClearRound();
    if (IsFinished())
    {
        m_host.CancelTimer(CommitteeTimer::ROUND);
        m_inbox.Clear();
        HasModel() ? HandleModelThere() : PlanModel(m_options.modelTimeoutNs);
        return;
    }
    m_host.SetTimer(CommitteeTimer::ROUND, m_options.GetLongestRoundNs());
    const auto early = m_inbox.Begin(m_round, DrawClients());
    PassEvidence();
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
CommitteeNode::ClearRound()
{
    for (const auto timer :
         {CommitteeTimer::GRADIENTS, CommitteeTimer::VOTE, CommitteeTimer::FETCH})
    {
        m_host.CancelTimer(timer);
    }
    m_member.reset();
    m_order.reset();
    m_decisions.clear();
    m_report = CommitteeReport();
    m_report.round = m_round;
    m_hasReported = false;
    m_isStale = false;
    m_collecting = false;
    m_isTime = false;
    m_hasCalled = false;
    m_hasBegun = false;
    m_results.clear();
    m_answered.clear();
    m_role = CommitteeRole::IDLE;
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
    TryAggregate();
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
CommitteeNode::Advance()
{
    if (IsByzantine())
    {
        m_host.SetTimer(CommitteeTimer::PATIENCE, m_options.patienceNs);
    }
    if (m_job != Job::NONE)
    {
        m_isStale = true; // one job at a time
        return;
    }
    TakeRound();
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
    m_host.BeginPhase("collect");
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
        if (m_results.size() >= MOST_RESULTS)
        {
            m_results.clear();
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
    m_host.BeginPhase(m_collecting ? "collect" : "consensus");
    if (m_order && m_order->number == m_aggregating) // else there is a newer one
    {
        m_order.reset();
    }
    Apply(m_member->HandleResult(
        m_host.GetNowNs(), m_aggregating, model ? std::optional<Digest>(digest) : std::nullopt));
    GoOn();
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

bool
CommitteeNode::Append(const CertifiedBlock& certified)
{
    if (certified.block.round >= m_options.rounds || !m_chain.Append(certified))
    {
        return false;
    }
    m_backtrack = 0;
    for (auto it = m_evidence.begin(); it != m_evidence.end();)
    {
        it = Contains(m_chain.GetExpelled(), it->first) ? m_evidence.erase(it) : std::next(it);
    }
    const auto result = m_results.find(m_chain.GetModel());
    if (result != m_results.end())
    {
        KeepModel(result->second, result->first);
    }
    return true;
}

void
CommitteeNode::KeepModel(FlatVector model, const Digest& digest)
{
    for (auto it = m_models.begin(); it != m_models.end();)
    {
        it = it->first == m_newest ? std::next(it) : m_models.erase(it);
    }
    m_models[digest] = std::move(model);
    m_newest = digest;
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

CommitteeMessage
CommitteeNode::Wrap(ChainMessage message)
{
    CommitteeMessage wrapped;
    wrapped.chain = std::make_shared<const ChainMessage>(std::move(message));
    return wrapped;
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
CommitteeNode::HandleGradient(uint32_t sender,
                              const std::shared_ptr<const SignedGradient>& gradient)
{
    const bool isMember = m_role == CommitteeRole::MEMBER;
    if (IsFinished() || gradient->round < m_round || (gradient->round == m_round && !isMember))
    {
        return; // a broadcast that is for others, or too late
    }
    if (!IsVector(gradient->values, GetModel()->size()))
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
        if (!m_inbox.AddEarly(message))
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
CommitteeNode::HandleModel(uint32_t sender, const ModelMessage& message)
{
    const Block& block = message.certified.block;
    if (!IsVector(message.values, GetModel()->size()))
    {
        m_host.Reject("a model with an element that is not finite, or too few");
        return;
    }
    const bool comesNext = Append(message.certified);
    if (comesNext)
    {
        m_announcement.reset();
    }
    else if (block.round >= m_chain.GetNextRound())
    {
        NoteAhead(sender, block.round + 1);
    }
    const bool isNew = message.digest == m_chain.GetModel() && !HasModel();
    if (isNew)
    {
        KeepModel(message.values, message.digest);
    }
    if (message.digest == m_chain.GetModel())
    {
        m_announcement.reset(); // somebody else has told it
    }
    if (comesNext)
    {
        EndSession(message.certified);
        Advance();
    }
    else if (isNew)
    {
        HandleModelThere();
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
CommitteeNode::HandleChain(uint32_t sender, const ChainMessage& message)
{
    const uint64_t patience = m_options.voting.attemptTimeoutNs;
    switch (message.kind)
    {
    case ChainKind::BLOCK_REQUEST:
        SendBlocks(sender, message.round);
        break;
    case ChainKind::BLOCKS:
        HandleBlocks(sender, message);
        break;
    case ChainKind::MODEL_REQUEST:
        if (!message.digests.empty() && m_models.count(message.digests[0]) &&
            !m_chain.GetAll().empty() &&
            MayAnswer(sender, message.kind, m_options.modelTimeoutNs / FETCH_PART))
        {
            CommitteeMessage answer;
            answer.model = std::make_shared<const ModelMessage>(ModelMessage{
                m_chain.GetAll().back(), m_models.at(message.digests[0]), message.digests[0]});
            m_host.Send(sender, answer);
        }
        break;
    case ChainKind::GRADIENT_REQUEST:
        if (MayAnswer(sender, message.kind, patience / (2 * FETCH_PART)))
        {
            AnswerGradients(sender, message.digests);
        }
        break;
    case ChainKind::EVIDENCE:
        if (message.evidence.size() == 2 && IsByzantine() &&
            m_evidence.count(message.evidence[0].sender) == 0 &&
            Contains(m_options.federation.devices, message.evidence[0].sender) &&
            IsEvidence(message.evidence[0], message.evidence[1], *m_keys))
        {
            AddEvidence({message.evidence[0], message.evidence[1]});
        }
        break;
    }
}

void
CommitteeNode::HandleBlocks(uint32_t sender, const ChainMessage& message)
{
    bool isNew = false;
    for (const auto& certified : message.blocks)
    {
        if (Append(certified))
        {
            isNew = true;
            EndSession(certified);
        }
    }
    isNew = isNew || m_chain.Rebase(message.blocks);
    const bool isAhead =
        !message.blocks.empty() && message.blocks.back().block.round >= m_chain.GetNextRound();
    const bool isAnswer = m_asked == sender;
    if (isNew)
    {
        m_announcement.reset(); // somebody else has told it
        m_informant = sender;
        Advance();
        if (isAnswer || IsByzantine())
        {
            PlanModel(1); // the primary has not sent it, or not in time
        }
    }
    if (isAnswer)
    {
        m_asked.reset();
        m_host.CancelTimer(CommitteeTimer::BLOCKS);
        const bool isMore = isNew && message.blocks.size() >= MOST_BLOCKS;
        if (isAhead || isMore)
        {
            uint32_t& claim = m_ahead[sender];
            claim = std::max(claim, message.blocks.back().block.round + 2);
        }
        HandleAnswer(sender, isNew, isAhead);
    }
    else if (isAhead)
    {
        NoteAhead(sender, message.blocks.back().block.round + 1);
    }
    AskForBlocks();
}

void
CommitteeNode::HandleAnswer(uint32_t peer, bool isNew, bool isAhead)
{
    const auto claim = m_ahead.find(peer);
    if (isNew || claim == m_ahead.end())
    {
        return;
    }
    if (!IsByzantine() && isAhead && m_backtrack < m_chain.GetNextRound())
    {
        m_backtrack = std::max(FIRST_BACKTRACK, 2 * m_backtrack);
        return; // ask again, for the round where the chains part
    }
    const uint32_t round = claim->second;
    m_ahead.erase(claim);
    const bool isBelieved = !IsByzantine() && Contains(m_chain.GetCommittee(), peer);
    if (isBelieved && round > m_round && round < m_options.rounds)
    {
        m_following = round; // the word of a member of the committee that it knows
        Advance();
    }
}

void
CommitteeNode::SendBlocks(uint32_t peer, uint32_t round)
{
    ChainMessage answer;
    answer.kind = ChainKind::BLOCKS;
    answer.blocks = m_chain.GetBlocks(round, MOST_BLOCKS);
    m_host.Send(peer, Wrap(std::move(answer)));
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

bool
CommitteeNode::MayAnswer(uint32_t peer, ChainKind what, uint64_t spacingNs)
{
    const uint64_t now = m_host.GetNowNs();
    const auto [last, isFirst] = m_answered.emplace(std::make_pair(peer, what), now);
    if (!isFirst && now < last->second + spacingNs)
    {
        return false;
    }
    last->second = now;
    return true;
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

void
CommitteeNode::NoteAhead(uint32_t peer, uint32_t round)
{
    const uint32_t own = IsByzantine() ? m_chain.GetNextRound() : m_round;
    if (round <= own || peer == m_options.self)
    {
        return;
    }
    uint32_t& claim = m_ahead[peer];
    claim = std::max(claim, round);
    if (round > own + 1 || m_isBehind || IsAssumed())
    {
        AskForBlocks();
    }
    else if (!m_asked && !m_isWaiting)
    {
        m_isWaiting = true; // what ends this round may be on its way
        m_host.SetTimer(CommitteeTimer::BLOCKS, m_options.modelTimeoutNs);
    }
}

void
CommitteeNode::AskForBlocks()
{
    const uint32_t own = IsByzantine() ? m_chain.GetNextRound() : m_round;
    for (auto it = m_ahead.begin(); it != m_ahead.end();)
    {
        it = it->second <= own ? m_ahead.erase(it) : std::next(it);
    }
    if (!m_asked && !m_ahead.empty())
    {
        AskForBlocks(std::next(m_ahead.begin(), m_turn++ % m_ahead.size())->first);
    }
}

void
CommitteeNode::AskForBlocks(uint32_t peer)
{
    m_asked = peer;
    m_isWaiting = false;
    ChainMessage question;
    question.kind = ChainKind::BLOCK_REQUEST;
    question.round = m_chain.GetNextRound() - std::min(m_chain.GetNextRound(), m_backtrack);
    m_host.SetTimer(CommitteeTimer::BLOCKS, m_options.voting.attemptTimeoutNs);
    m_host.Send(peer, Wrap(std::move(question)));
}

void
CommitteeNode::AskSomebody()
{
    const auto& committee = m_chain.GetCommittee();
    const auto& devices = m_options.federation.devices;
    const auto& pool = m_turn % 2 == 0 ? committee : devices;
    const uint32_t peer = pool[(m_options.self + m_turn / 2) % pool.size()];
    ++m_turn;
    if (peer != m_options.self && !m_asked)
    {
        AskForBlocks(peer);
    }
}

void
CommitteeNode::PlanModel(uint64_t delayNs)
{
    if (!HasModel())
    {
        m_host.SetTimer(CommitteeTimer::MODEL, delayNs);
    }
}

void
CommitteeNode::AskForModel()
{
    std::vector<uint32_t> peers = m_chain.GetMakers();
    std::rotate(peers.begin(),
                peers.begin() +
                    static_cast<std::ptrdiff_t>(peers.empty() ? 0 : m_options.self % peers.size()),
                peers.end());
    if (m_informant)
    {
        peers.insert(peers.begin(), *m_informant);
    }
    const auto& devices = m_options.federation.devices;
    peers.insert(peers.end(), devices.begin(), devices.end());
    peers.erase(std::remove(peers.begin(), peers.end(), m_options.self), peers.end());
    ChainMessage question;
    question.kind = ChainKind::MODEL_REQUEST;
    question.digests = {m_chain.GetModel()};
    m_host.Send(peers[m_modelAsks++ % peers.size()], Wrap(std::move(question)));
    PlanModel(m_options.modelTimeoutNs);
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
        Apply(m_member->HandleTimeout(m_host.GetNowNs(), m_voteTimer));
        break;
    case CommitteeTimer::ROUND:
        HandleRoundTimeout();
        break;
    case CommitteeTimer::BLOCKS:
        m_isWaiting = false;
        if (m_asked)
        {
            m_ahead.erase(*m_asked);
            m_asked.reset();
        }
        AskForBlocks();
        break;
    case CommitteeTimer::MODEL:
        AskForModel();
        break;
    case CommitteeTimer::FETCH:
        TryAggregate();
        break;
    case CommitteeTimer::ANNOUNCE:
        Announce();
        break;
    case CommitteeTimer::PATIENCE:
        m_host.GiveUp();
        break;
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

void
CommitteeNode::HandleRoundTimeout()
{
    AskSomebody();
    if (IsByzantine())
    {
        m_host.SetTimer(CommitteeTimer::ROUND, m_options.GetLongestRoundNs());
        return;
    }
    m_following = m_round + 1;
    Advance();
}

void
CommitteeNode::Crash()
{
    for (std::size_t i = 0; i < COMMITTEE_TIMERS; ++i)
    {
        m_host.CancelTimer(static_cast<CommitteeTimer>(i));
    }
    m_job = Job::NONE;
    ClearRound();
    m_inbox.Clear();
    m_announcement.reset();
    m_ahead.clear();
    m_asked.reset();
    m_isWaiting = false;
    m_evidence.clear();
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
    if (m_round == before && m_member && IsByzantine())
    {
        Apply(m_member->Resume(m_host.GetNowNs()));
    }
    AskSomebody();
}

} // namespace collab
} // namespace ns3
