/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-sync.h"

#include <algorithm>
#include <iterator>

namespace ns3::collab
{

namespace
{

/// Models that a member keeps until it knows which one is agreed
constexpr std::size_t MOST_RESULTS = 16;

/// Rounds to go back at first when the own chain has parted from others', with PAPER
constexpr uint32_t FIRST_BACKTRACK = 4;

/// How often each device is asked for the last model, with PAPER
constexpr std::size_t MOST_ASKS = 2;

} // namespace

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

CommitteeSync::CommitteeSync(const NodeOptions& options,
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
CommitteeSync::NoteAhead(uint32_t peer, uint32_t round, bool isLost)
{
    const uint32_t own = GetOwnRound();
    if (round <= own || peer == m_options.self)
    {
        return;
    }
    uint32_t& claim = m_ahead[peer];
    claim = std::max(claim, round);
    if (round > own + 1 || isLost)
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
CommitteeSync::AskForBlocks()
{
    for (auto it = m_ahead.begin(); it != m_ahead.end();)
    {
        it = it->second <= GetOwnRound() ? m_ahead.erase(it) : std::next(it);
    }
    if (!m_asked && !m_ahead.empty())
    {
        Ask(std::next(m_ahead.begin(), m_turn++ % m_ahead.size())->first);
    }
}

void
CommitteeSync::Ask(uint32_t peer)
{
    m_asked = peer;
    m_isWaiting = false;
    const uint32_t next = m_chain.GetNextRound();
    m_host.SetTimer(CommitteeTimer::BLOCKS, m_options.voting.attemptTimeoutNs);
    m_host.Send(peer,
                Wrap(ChainMessage{ChainKind::BLOCK_REQUEST, next - std::min(next, m_backtrack)}));
}

void
CommitteeSync::AskSomebody()
{
    const auto& pool = m_turn % 2 == 0 ? m_chain.GetCommittee() : m_options.federation.devices;
    const uint32_t peer = pool[(m_options.self + m_turn / 2) % pool.size()];
    ++m_turn;
    if (peer != m_options.self && !m_asked)
    {
        Ask(peer);
    }
}

std::optional<uint32_t>
CommitteeSync::TakeAnswer(uint32_t peer,
                          const std::vector<CertifiedBlock>& blocks,
                          bool isNew,
                          bool isAhead)
{
    m_asked.reset();
    m_host.CancelTimer(CommitteeTimer::BLOCKS);
    if (isAhead || (isNew && blocks.size() >= MOST_BLOCKS))
    {
        uint32_t& said = m_ahead[peer];
        said = std::max(said, blocks.back().block.round + 2);
    }
    const auto claim = m_ahead.find(peer);
    if (isNew || claim == m_ahead.end())
    {
        return std::nullopt;
    }
    if (IsPaper() && isAhead && m_backtrack < m_chain.GetNextRound())
    {
        m_backtrack = std::max(FIRST_BACKTRACK, 2 * m_backtrack);
        return std::nullopt; // ask again, for the round where the chains part
    }
    const uint32_t round = claim->second;
    m_ahead.erase(claim);
    return round;
}

bool
CommitteeSync::AskForModel(bool isLast)
{
    std::vector<uint32_t> peers = m_chain.GetMakers();
    if (!peers.empty())
    {
        const auto first = static_cast<std::ptrdiff_t>(m_options.self % peers.size());
        std::rotate(peers.begin(), peers.begin() + first, peers.end());
    }
    if (m_informant)
    {
        peers.insert(peers.begin(), *m_informant);
    }
    const auto& devices = m_options.federation.devices;
    peers.insert(peers.end(), devices.begin(), devices.end());
    peers.erase(std::remove(peers.begin(), peers.end(), m_options.self), peers.end());
    if (isLast && IsPaper() && m_lastAsks++ >= MOST_ASKS * peers.size())
    {
        return false;
    }
    m_host.Send(peers[m_modelAsks++ % peers.size()],
                Wrap(ChainMessage{ChainKind::MODEL_REQUEST, 0, {}, {m_chain.GetModel()}}));
    return true;
}

void
CommitteeSync::Answer(uint32_t peer, const ChainMessage& question)
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

bool
CommitteeSync::MayAnswer(uint32_t peer, ChainKind what, uint64_t spacingNs, uint32_t most)
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
CommitteeSync::GetMostPages() const
{
    // All of the chain; and with PAPER, the search for the round where chains part
    auto pages = static_cast<uint32_t>(1 + m_options.rounds / MOST_BLOCKS);
    for (uint32_t rounds = m_options.rounds; rounds > 0 && IsPaper(); rounds /= 2)
    {
        ++pages;
    }
    return pages;
}

void
CommitteeSync::SendModel(uint32_t peer, const Digest& digest)
{
    const FlatVector model = m_models.Find(digest);
    if (model && !m_chain.GetAll().empty() &&
        MayAnswer(peer, ChainKind::MODEL_REQUEST, m_options.modelTimeoutNs / FETCH_PART))
    {
        m_host.Send(peer, Wrap(ModelMessage{m_chain.GetAll().back(), model, digest}));
    }
}

void
CommitteeSync::SendGradients(uint32_t peer, const std::vector<Digest>& digests)
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

void
CommitteeSync::HearNews(uint32_t member, const Block& block)
{
    if (m_news && m_news->block == block)
    {
        m_tellers.insert(member);
        if (m_tellers.size() > m_most)
        {
            DropNews();
        }
    }
}

void
CommitteeSync::TellNews()
{
    if (!m_news)
    {
        return;
    }
    const FlatVector model = m_models.Find(m_news->block.model);
    const CommitteeMessage message = m_withModel && model
                                         ? Wrap(ModelMessage{*m_news, model, m_news->block.model})
                                         : Wrap(ChainMessage{ChainKind::BLOCKS, 0, {*m_news}});
    m_news.reset();
    m_host.Broadcast(message);
}

void
CommitteeSync::TellLies(const CommitteeLies& lies) const
{
    for (const auto& [liar, evidence] : lies.GetAll())
    {
        const CommitteeMessage message =
            Wrap(ChainMessage{ChainKind::EVIDENCE, 0, {}, {}, {evidence}});
        for (const uint32_t member : m_chain.GetCommittee())
        {
            if (member != m_options.self && member != liar)
            {
                m_host.Send(member, message);
            }
        }
    }
}

} // namespace ns3::collab
