/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-asker.h"

#include <algorithm>
#include <iterator>

namespace ns3::collab
{

namespace
{

/// Rounds to go back at first when the own chain has parted from others', with PAPER
constexpr uint32_t FIRST_BACKTRACK = 4;

/// How often each device is asked for the last model, with PAPER
constexpr std::size_t MOST_ASKS = 2;

} // namespace

CommitteeAsker::CommitteeAsker(const NodeOptions& options,
                               const CommitteeChain& chain,
                               CommitteeHost& host)
    : m_options(options),
      m_chain(chain),
      m_host(host)
{
}

void
CommitteeAsker::NoteAhead(uint32_t peer, uint32_t round, uint32_t own, bool isLost)
{
    if (round <= own || peer == m_options.self)
    {
        return;
    }
    uint32_t& claim = m_ahead[peer];
    claim = std::max(claim, round);
    if (round > own + 1 || isLost)
    {
        AskForBlocks(own);
    }
    else if (!m_asked && !m_isWaiting)
    {
        m_isWaiting = true; // what ends this round may be on its way
        m_host.SetTimer(CommitteeTimer::BLOCKS, m_options.modelTimeoutNs);
    }
}

void
CommitteeAsker::AskForBlocks(uint32_t own)
{
    for (auto it = m_ahead.begin(); it != m_ahead.end();)
    {
        it = it->second <= own ? m_ahead.erase(it) : std::next(it);
    }
    if (!m_asked && !m_ahead.empty())
    {
        Ask(std::next(m_ahead.begin(), m_turn++ % m_ahead.size())->first);
    }
}

void
CommitteeAsker::Ask(uint32_t peer)
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
CommitteeAsker::AskSomebody()
{
    const auto& pool = m_turn % 2 == 0 ? m_chain.GetCommittee() : m_options.federation.devices;
    const uint32_t peer = pool[(m_options.self + m_turn / 2) % pool.size()];
    ++m_turn;
    if (peer != m_options.self && !m_asked)
    {
        Ask(peer);
    }
}

void
CommitteeAsker::HandleTimeout(uint32_t own)
{
    m_isWaiting = false;
    if (m_asked)
    {
        m_ahead.erase(*m_asked);
        m_asked.reset();
    }
    AskForBlocks(own);
}

std::optional<uint32_t>
CommitteeAsker::TakeAnswer(uint32_t peer,
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
    const bool isPaper = m_options.federation.rule == QuorumRule::PAPER;
    if (isPaper && isAhead && m_backtrack < m_chain.GetNextRound())
    {
        m_backtrack = std::max(FIRST_BACKTRACK, 2 * m_backtrack);
        return std::nullopt; // ask again, for the round where the chains part
    }
    const uint32_t round = claim->second;
    m_ahead.erase(claim);
    return round;
}

bool
CommitteeAsker::AskForModel(bool isLast)
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
    if (isLast && m_options.federation.rule == QuorumRule::PAPER &&
        m_lastAsks++ >= MOST_ASKS * peers.size())
    {
        return false;
    }
    ChainMessage question;
    question.kind = ChainKind::MODEL_REQUEST;
    question.digests = {m_chain.GetModel()};
    m_host.Send(peers[m_modelAsks++ % peers.size()], Wrap(std::move(question)));
    return true;
}

void
CommitteeAsker::Forget()
{
    m_ahead.clear();
    m_asked.reset();
    m_isWaiting = false;
}

} // namespace ns3::collab
