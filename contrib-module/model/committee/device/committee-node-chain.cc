/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Blocks and models: how a device goes on, and how it catches up

#include "committee-node.h"

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

/// Blocks in one answer
constexpr std::size_t MOST_BLOCKS = 64;

/// Rounds to go back at first when the own chain has parted from others', with PAPER
constexpr uint32_t FIRST_BACKTRACK = 4;

/// How often each device is asked for the last model, with PAPER
constexpr std::size_t MOST_ASKS = 2;

} // namespace

bool
CommitteeNode::CanBeVector(const FlatVector& values) const
{
    return values && values->size() == GetModel()->size() &&
           std::all_of(values->begin(), values->end(), [](float x) { return std::isfinite(x); });
}

bool
CommitteeNode::HasModel() const
{
    return m_newest == m_chain.GetModel();
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
CommitteeNode::HandleModel(uint32_t sender, const ModelMessage& message)
{
    const Block& block = message.certified.block;
    if (!CanBeVector(message.values))
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
CommitteeNode::HandleChain(uint32_t sender, const ChainMessage& message)
{
    const uint64_t patience = m_options.voting.attemptTimeoutNs;
    switch (message.kind)
    {
    case ChainKind::BLOCK_REQUEST:
        if (MayAnswer(sender, message.kind, patience / 2, GetMostPages()))
        {
            SendBlocks(sender, message.round);
        }
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
    Follow(peer, round);
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
        ChainMessage word;
        word.kind = ChainKind::GOES_ON;
        word.round = round;
        m_host.Broadcast(Wrap(std::move(word)));
    }
    Advance();
}

void
CommitteeNode::SendBlocks(uint32_t peer, uint32_t round)
{
    ChainMessage answer;
    answer.kind = ChainKind::BLOCKS;
    answer.blocks = m_chain.GetBlocks(round, MOST_BLOCKS);
    m_host.Send(peer, Wrap(std::move(answer)));
}

uint32_t
CommitteeNode::GetMostPages() const
{
    // All of the chain; and with PAPER, the search for the round where chains part
    auto pages = static_cast<uint32_t>(1 + m_options.rounds / MOST_BLOCKS);
    for (uint32_t rounds = m_options.rounds; rounds > 0 && !IsByzantine(); rounds /= 2)
    {
        ++pages;
    }
    return pages;
}

bool
CommitteeNode::MayAnswer(uint32_t peer, ChainKind what, uint64_t spacingNs, uint32_t most)
{
    const uint64_t now = m_host.GetNowNs();
    Answers& answers = m_answered[{peer, what}];
    if (answers.count == 0 || now >= answers.sinceNs + spacingNs)
    {
        answers = {now, 0};
    }
    if (answers.count >= most)
    {
        return false;
    }
    ++answers.count;
    return true;
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
    if (IsFinished() && !IsByzantine() && m_lastAsks++ >= MOST_ASKS * peers.size())
    {
        m_host.GiveUp();
        return;
    }
    ChainMessage question;
    question.kind = ChainKind::MODEL_REQUEST;
    question.digests = {m_chain.GetModel()};
    m_host.Send(peers[m_modelAsks++ % peers.size()], Wrap(std::move(question)));
    PlanModel(m_options.modelTimeoutNs);
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
    GoOnWithoutBlock(m_round + 1);
}

} // namespace collab
} // namespace ns3
