/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-answers.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3::collab
{

namespace
{

/// Models that a member keeps until it knows which one is agreed
constexpr std::size_t MOST_RESULTS = 16;

} // namespace

CommitteeModels::CommitteeModels(FlatVector first, const Digest& digest)
    : m_newest(digest)
{
    m_models[digest] = std::move(first);
}

FlatVector
CommitteeModels::Find(const Digest& digest) const
{
    const auto found = m_models.find(digest);
    return found == m_models.end() ? nullptr : found->second;
}

void
CommitteeModels::Keep(FlatVector model, const Digest& digest)
{
    for (auto it = m_models.begin(); it != m_models.end();)
    {
        it = it->first == m_newest ? std::next(it) : m_models.erase(it);
    }
    m_models[digest] = std::move(model);
    m_newest = digest;
}

void
CommitteeModels::KeepResult(const MadeModel& made, const std::optional<Digest>& locked)
{
    for (auto it = m_results.begin(); it != m_results.end();)
    {
        const bool stays = locked == it->first || m_results.size() < MOST_RESULTS;
        it = stays ? std::next(it) : m_results.erase(it);
    }
    m_results[made.digest] = made.values;
}

void
CommitteeModels::Agree(const Digest& digest)
{
    const auto result = m_results.find(digest);
    if (result != m_results.end())
    {
        Keep(result->second, digest);
    }
}

void
CommitteeModels::ClearResults()
{
    m_results.clear();
}

void
CommitteeNews::Plan(const CertifiedBlock& certified, bool withModel, std::size_t most)
{
    m_block = certified;
    m_withModel = withModel;
    m_most = most;
    m_heard.clear();
}

void
CommitteeNews::Hear(uint32_t member, const Block& block)
{
    if (m_block && m_block->block == block)
    {
        m_heard.insert(member);
        if (m_heard.size() > m_most)
        {
            Drop();
        }
    }
}

void
CommitteeNews::Drop()
{
    m_block.reset();
}

void
CommitteeNews::Tell(const CommitteeModels& models, CommitteeHost& host)
{
    if (!m_block)
    {
        return;
    }
    const FlatVector model = models.Find(m_block->block.model);
    CommitteeMessage message;
    if (m_withModel && model)
    {
        message.model = std::make_shared<const ModelMessage>(
            ModelMessage{*m_block, model, m_block->block.model});
    }
    else
    {
        ChainMessage blocks;
        blocks.kind = ChainKind::BLOCKS;
        blocks.blocks = {*m_block};
        message = Wrap(std::move(blocks));
    }
    m_block.reset();
    host.Broadcast(message);
}

void
TellLies(const CommitteeLies& lies,
         const std::vector<uint32_t>& members,
         uint32_t self,
         CommitteeHost& host)
{
    for (const auto& [liar, evidence] : lies.GetAll())
    {
        ChainMessage message;
        message.kind = ChainKind::EVIDENCE;
        message.evidence = {evidence};
        const CommitteeMessage wrapped = Wrap(std::move(message));
        for (const uint32_t member : members)
        {
            if (member != self && member != liar)
            {
                host.Send(member, wrapped);
            }
        }
    }
}

CommitteeAnswers::CommitteeAnswers(const NodeOptions& options,
                                   const CommitteeChain& chain,
                                   const CommitteeModels& models,
                                   const CommitteeInbox& inbox,
                                   CommitteeHost& host)
    : m_options(options),
      m_chain(chain),
      m_models(models),
      m_inbox(inbox),
      m_host(host)
{
}

void
CommitteeAnswers::Answer(uint32_t peer, const ChainMessage& question)
{
    const uint64_t patience = m_options.voting.attemptTimeoutNs;
    if (question.kind == ChainKind::BLOCK_REQUEST)
    {
        if (MayAnswer(peer, question.kind, patience / 2, GetMostPages()))
        {
            SendBlocks(peer, question.round);
        }
    }
    else if (question.kind == ChainKind::MODEL_REQUEST && !question.digests.empty())
    {
        SendModel(peer, question.digests[0]);
    }
    else if (question.kind == ChainKind::GRADIENT_REQUEST &&
             MayAnswer(peer, question.kind, patience / (2 * FETCH_PART)))
    {
        SendGradients(peer, question.digests);
    }
}

void
CommitteeAnswers::HelpStraggler(uint32_t peer, uint32_t round)
{
    if (round < m_chain.GetNextRound() &&
        MayAnswer(peer, ChainKind::BLOCKS, m_options.voting.attemptTimeoutNs))
    {
        SendBlocks(peer, round);
    }
}

void
CommitteeAnswers::Clear()
{
    m_given.clear();
}

bool
CommitteeAnswers::MayAnswer(uint32_t peer, ChainKind what, uint64_t spacingNs, uint32_t most)
{
    const uint64_t now = m_host.GetNowNs();
    Given& answers = m_given[{peer, what}];
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

uint32_t
CommitteeAnswers::GetMostPages() const
{
    // All of the chain; and with PAPER, the search for the round where chains part
    const bool isPaper = m_options.federation.rule == QuorumRule::PAPER;
    auto pages = static_cast<uint32_t>(1 + m_options.rounds / MOST_BLOCKS);
    for (uint32_t rounds = m_options.rounds; rounds > 0 && isPaper; rounds /= 2)
    {
        ++pages;
    }
    return pages;
}

void
CommitteeAnswers::SendBlocks(uint32_t peer, uint32_t round)
{
    ChainMessage answer;
    answer.kind = ChainKind::BLOCKS;
    answer.blocks = m_chain.GetBlocks(round, MOST_BLOCKS);
    m_host.Send(peer, Wrap(std::move(answer)));
}

void
CommitteeAnswers::SendModel(uint32_t peer, const Digest& digest)
{
    const FlatVector model = m_models.Find(digest);
    if (model && !m_chain.GetAll().empty() &&
        MayAnswer(peer, ChainKind::MODEL_REQUEST, m_options.modelTimeoutNs / FETCH_PART))
    {
        CommitteeMessage answer;
        answer.model = std::make_shared<const ModelMessage>(
            ModelMessage{m_chain.GetAll().back(), model, digest});
        m_host.Send(peer, answer);
    }
}

void
CommitteeAnswers::SendGradients(uint32_t peer, const std::vector<Digest>& digests)
{
    if (!Contains(m_chain.GetCommittee(), peer))
    {
        return; // only members aggregate; a question is 32 bytes, a gradient all of a model
    }
    const std::size_t most = std::min(digests.size(), m_inbox.GetClients().size());
    for (std::size_t i = 0; i < most; ++i)
    {
        CommitteeMessage answer;
        answer.gradient = m_inbox.Find(digests[i]);
        if (answer.gradient)
        {
            m_host.Send(peer, answer);
        }
    }
}

} // namespace ns3::collab
