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
      m_maker(std::move(maker))
{
    m_options.patienceNs = m_options.GetPatienceNs();
}

uint64_t
CommitteeNode::CountKept() const
{
    return m_inbox.CountKept() + m_lies.GetAll().size() * sizeof(Evidence) +
           (m_session ? m_session->member->CountKept() : 0);
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
    m_sync.BeginRound(m_round);
    if (IsFinished())
    {
        m_host.CancelTimer(CommitteeTimer::ROUND);
        m_inbox.Clear();
        m_sync.NoteFinished();
        HasModel() ? HandleModelThere() : PlanModel(m_options.modelTimeoutNs);
        return;
    }
    m_host.SetTimer(CommitteeTimer::ROUND, m_options.GetLongestRoundNs());
    const auto early = m_inbox.Begin(m_round, DrawClients());
    m_sync.TellLies(m_lies);
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
        m_sync.HandleTimeout();
        break;
    case CommitteeTimer::MODEL:
        AskForModel();
        break;
    case CommitteeTimer::FETCH:
        TryAggregate();
        break;
    case CommitteeTimer::ANNOUNCE:
        m_sync.TellNews();
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
    m_inbox.Clear();
    m_sync.Forget();
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
        Apply(m_session->member->Resume(m_host.GetNowNs()));
    }
    m_sync.AskSomebody();
}

// Votes of a member, and what it tells of their end

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
    auto member = m_maker ? m_maker(voting, m_memory) : MakeMember(voting, m_keys, m_memory);
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
    if (block && Append(*block))
    {
        PlanNews(*block, true);
        Advance();
    }
    else if (!block && output.toAggregate)
    {
        TryAggregate();
    }
}

void
CommitteeNode::PlanNews(const CertifiedBlock& certified, bool isDecided)
{
    const ConsensusOptions& voting = m_session->voting;
    const auto& members = voting.members;
    const uint32_t primary = voting.GetPrimary(CommitteeVote::AGGREGATION, certified.view);
    const auto place = [&members](uint32_t member) {
        return static_cast<std::size_t>(std::lower_bound(members.begin(), members.end(), member) -
                                        members.begin());
    };
    const std::size_t turn =
        (place(m_options.self) + members.size() - place(primary)) % members.size();
    m_sync.PlanNews(certified, isDecided && turn == 0, voting.faults);
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
        m_sync.DropNews();
        return;
    }
    if (comesNext)
    {
        m_sync.DropNews(); // of the round before
    }
    if (comesNext && m_session && m_session->voting.round == block.round)
    {
        PlanNews(certified, false); // who has told this member may have told nobody else
    }
    if (m_chain.WasMember(block.round, teller))
    {
        m_sync.HearNews(teller, block);
    }
}

void
CommitteeNode::HandleConsensus(uint32_t sender,
                               const std::shared_ptr<const ConsensusMessage>& message)
{
    if (message->round == m_round && m_session)
    {
        CommitteeMember& member = *m_session->member;
        const uint64_t before = member.GetCounters().Total();
        const ConsensusOutput output = member.HandleMessage(m_host.GetNowNs(), *message);
        if (member.GetCounters().Total() > before)
        {
            m_host.Reject("a message of the committee that is not believed");
        }
        Apply(output);
        return;
    }
    if (message->round == m_round || !m_inbox.Allows(*message) || !message->IsAuthentic(*m_keys))
    {
        m_host.Reject(
            "a message of a committee that this device is not in, a forged or too long one");
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
        m_sync.HelpStraggler(sender, message->round);
    }
}

void
CommitteeNode::AddEvidence(const Evidence& evidence)
{
    const Statement& lie = evidence.statement;
    const bool isInOffice = m_chain.WasMember(lie.round, lie.member);
    if (m_lies.Add(evidence, isInOffice, m_chain.GetExpelled(), *m_keys) && m_session)
    {
        m_session->member->AddEvidence(evidence);
    }
}

// Blocks and models: how a device goes on, and how it catches up

bool
CommitteeNode::Append(const CertifiedBlock& certified)
{
    if (certified.block.round >= m_options.rounds || !m_chain.Append(certified))
    {
        return false;
    }
    m_sync.NoteAppended();
    m_lies.Forget(m_chain.GetExpelled());
    m_models.Agree(m_chain.GetModel());
    if (m_session)
    {
        m_session->End(certified);
    }
    return true;
}

void
CommitteeNode::HandleModel(uint32_t sender, const ModelMessage& message)
{
    const Block& block = message.certified.block;
    const bool comesNext = Append(message.certified);
    if (comesNext || message.digest == m_chain.GetModel())
    {
        HearNews(sender, message.certified, comesNext);
    }
    if (!comesNext && block.round >= m_chain.GetNextRound())
    {
        NoteAhead(sender, block.round + 1);
    }
    const bool isNew = message.digest == m_chain.GetModel() && !HasModel();
    if (isNew)
    {
        m_models.Keep(message.values, message.digest);
    }
    if (comesNext)
    {
        Advance();
    }
    else if (isNew)
    {
        HandleModelThere();
    }
}

void
CommitteeNode::HandleChain(uint32_t sender, const ChainMessage& message)
{
    switch (message.kind)
    {
    case ChainKind::BLOCKS:
        HandleBlocks(sender, message);
        break;
    case ChainKind::EVIDENCE:
        if (IsByzantine() && !message.evidence.empty())
        {
            AddEvidence(message.evidence[0]);
        }
        break;
    case ChainKind::GOES_ON:
        if (message.round == m_round + 1)
        {
            Follow(sender, message.round);
        }
        else
        {
            NoteAhead(sender, message.round);
        }
        break;
    default:
        m_sync.Answer(sender, message);
        break;
    }
}

void
CommitteeNode::HandleBlocks(uint32_t sender, const ChainMessage& message)
{
    bool isNew = false;
    for (const auto& certified : message.blocks)
    {
        isNew = Append(certified) || isNew;
    }
    isNew = isNew || m_chain.Rebase(message.blocks);
    const bool isAhead =
        !message.blocks.empty() && message.blocks.back().block.round >= m_chain.GetNextRound();
    const bool isAnswer = m_sync.IsAsked(sender);
    if (isNew || (IsByzantine() && !isAnswer && !message.blocks.empty()))
    {
        HearNews(sender, message.blocks.back(), isNew);
    }
    if (isNew)
    {
        m_sync.NoteInformant(sender);
        Advance();
        if (isAnswer || IsByzantine())
        {
            PlanModel(1); // the primary has not sent it, or not in time
        }
    }
    if (isAnswer)
    {
        if (const auto round = m_sync.TakeAnswer(sender, message.blocks, isNew, isAhead))
        {
            Follow(sender, *round);
        }
    }
    else if (isAhead)
    {
        NoteAhead(sender, message.blocks.back().block.round + 1);
    }
    m_sync.AskForBlocks();
}

void
CommitteeNode::Follow(uint32_t member, uint32_t round)
{
    const bool isBelieved = !IsByzantine() && Contains(m_chain.GetCommittee(), member);
    // While a job ends, the device is in its old round still, and may have been told so before
    if (isBelieved && round > std::max(m_round, m_following) && round < m_options.rounds)
    {
        GoOnWithoutBlock(round);
    }
}

void
CommitteeNode::GoOnWithoutBlock(uint32_t round)
{
    m_following = round;
    if (Contains(m_chain.GetCommittee(), m_options.self))
    {
        // Who begins a round much later than its committee always comes too late
        m_host.Broadcast(Wrap(ChainMessage{ChainKind::GOES_ON, round}));
    }
    Advance();
}

void
CommitteeNode::AskForModel()
{
    if (m_sync.AskForModel(IsFinished()))
    {
        PlanModel(m_options.modelTimeoutNs);
    }
    else
    {
        m_host.GiveUp();
    }
}

void
CommitteeNode::HandleRoundTimeout()
{
    m_sync.AskSomebody();
    if (IsByzantine())
    {
        m_host.SetTimer(CommitteeTimer::ROUND, m_options.GetLongestRoundNs());
        return;
    }
    GoOnWithoutBlock(m_round + 1);
}

} // namespace ns3::collab
