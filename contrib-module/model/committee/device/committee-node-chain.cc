/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Blocks and models: how a device goes on, and how it catches up

#include "committee-node.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3
{
namespace collab
{

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
    m_asker.NoteAppended();
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
        if (m_session)
        {
            m_session->End(message.certified);
        }
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
        if (!message.digests.empty())
        {
            AnswerModel(sender, message.digests[0]);
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
CommitteeNode::AnswerModel(uint32_t sender, const Digest& digest)
{
    const auto model = m_models.find(digest);
    if (model != m_models.end() && !m_chain.GetAll().empty() &&
        MayAnswer(sender, ChainKind::MODEL_REQUEST, m_options.modelTimeoutNs / FETCH_PART))
    {
        CommitteeMessage answer;
        answer.model = std::make_shared<const ModelMessage>(
            ModelMessage{m_chain.GetAll().back(), model->second, digest});
        m_host.Send(sender, answer);
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
            if (m_session)
            {
                m_session->End(certified);
            }
        }
    }
    isNew = isNew || m_chain.Rebase(message.blocks);
    const bool isAhead =
        !message.blocks.empty() && message.blocks.back().block.round >= m_chain.GetNextRound();
    const bool isAnswer = m_asker.IsAsked(sender);
    if (isNew)
    {
        m_announcement.reset(); // somebody else has told it
        m_asker.NoteInformant(sender);
        Advance();
        if (isAnswer || IsByzantine())
        {
            PlanModel(1); // the primary has not sent it, or not in time
        }
    }
    if (isAnswer)
    {
        if (const auto round = m_asker.TakeAnswer(sender, message.blocks, isNew, isAhead))
        {
            Follow(sender, *round);
        }
    }
    else if (isAhead)
    {
        NoteAhead(sender, message.blocks.back().block.round + 1);
    }
    m_asker.AskForBlocks(GetOwnRound());
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
    answer.blocks = m_chain.GetBlocks(round, CommitteeAsker::MOST_BLOCKS);
    m_host.Send(peer, Wrap(std::move(answer)));
}

uint32_t
CommitteeNode::GetMostPages() const
{
    // All of the chain; and with PAPER, the search for the round where chains part
    auto pages = static_cast<uint32_t>(1 + m_options.rounds / CommitteeAsker::MOST_BLOCKS);
    for (uint32_t rounds = m_options.rounds; rounds > 0 && !IsByzantine(); rounds /= 2)
    {
        ++pages;
    }
    return pages;
}

bool
CommitteeNode::MayAnswer(uint32_t peer, ChainKind what, uint64_t spacingNs, uint32_t most)
{
    return m_answers.MayAnswer(peer, what, m_host.GetNowNs(), spacingNs, most);
}

void
CommitteeNode::NoteAhead(uint32_t peer, uint32_t round)
{
    m_asker.NoteAhead(peer, round, GetOwnRound(), m_isBehind || IsAssumed());
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
    if (m_asker.AskForModel(IsFinished()))
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
    m_asker.AskSomebody();
    if (IsByzantine())
    {
        m_host.SetTimer(CommitteeTimer::ROUND, m_options.GetLongestRoundNs());
        return;
    }
    GoOnWithoutBlock(m_round + 1);
}

} // namespace collab
} // namespace ns3
