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

namespace ns3::collab
{

bool
CommitteeNode::Append(const CertifiedBlock& certified)
{
    if (certified.block.round >= m_options.rounds || !m_chain.Append(certified))
    {
        return false;
    }
    m_asker.NoteAppended();
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
        m_answers.Answer(sender, message);
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
    const bool isAnswer = m_asker.IsAsked(sender);
    if (isNew || (IsByzantine() && !isAnswer && !message.blocks.empty()))
    {
        HearNews(sender, message.blocks.back(), isNew);
    }
    if (isNew)
    {
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

} // namespace ns3::collab
