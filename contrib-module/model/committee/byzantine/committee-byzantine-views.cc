/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// When a member goes on to another primary

#include "committee-byzantine.h"

#include "ns3/collab-random.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace ns3::collab
{

namespace
{

/// Part of the patience for which a primary waits for the locks of others
constexpr uint64_t LOCK_PART = 4;

/// Part of the patience by which that of members differs: half-duplex members that always speak at
/// the same time never hear each other
constexpr uint64_t JITTER_PART = 4;

} // namespace

uint64_t
ByzantineConsensus::DrawJitter() const
{
    const uint64_t draw = SplitMix64(SplitMix64(m_options.seed + m_options.self) + m_timer);
    return draw % (GetPatienceNs() / JITTER_PART + 1);
}

uint64_t
ByzantineConsensus::GetPatienceNs() const
{
    return m_options.attemptTimeoutNs << std::min(m_view, MOST_DOUBLINGS);
}

std::size_t
ByzantineConsensus::CountReached() const
{
    return 1 + static_cast<std::size_t>(
                   std::count_if(m_peers.begin(), m_peers.end(), [this](const auto& peer) {
                       return peer.second.view >= m_view;
                   }));
}

ConsensusOutput
ByzantineConsensus::HandleTimeout(uint64_t nowNs, uint64_t number)
{
    m_now = nowNs;
    if (number == m_timer)
    {
        EndWait();
    }
    return std::exchange(m_output, {});
}

void
ByzantineConsensus::EndWait()
{
    if (m_stage == Stage::SCORING)
    {
        m_stage = Stage::VOTING;
        m_output.unheard = FindUnheard(m_options.members, m_book.GetTables());
        const Draft draft = m_book.MakeOwnDraft();
        m_ranking = draft.ranking;
        m_isFew = !draft.isPossible;
        EnterView(m_view);
    }
    else if (m_stage == Stage::VOTING && !m_hasWaited)
    {
        m_hasWaited = true;
        SetTimer(GetPatienceNs() - GetPatienceNs() / LOCK_PART + DrawJitter());
        Propose();
    }
    else if (m_stage == Stage::VOTING && (m_view == 0 || CountReached() >= m_options.GetQuorum()))
    {
        EnterView(m_view + 1);
    }
    else if (m_stage == Stage::VOTING)
    {
        TellView();
        SetTimer(GetPatienceNs() + DrawJitter());
    }
}

void
ByzantineConsensus::EnterView(uint32_t view)
{
    const bool isLater = view > m_view;
    m_view = view;
    m_requests.erase(m_requests.begin(), m_requests.lower_bound(view));
    m_witness.Forget(view > 0 ? view - 1 : 0);
    m_draft.reset();
    m_hasWaited = false;
    if (isLater)
    {
        TellView();
    }
    if (m_stage == Stage::VOTING)
    {
        SetTimer(GetPatienceNs() / LOCK_PART);
        Propose();
    }
    Consider();
}

void
ByzantineConsensus::TellView()
{
    ConsensusMessage message = MakeMessage(ConsensusKind::VIEW_CHANGE, m_view);
    message.ballot = m_memory->lock;
    if (m_view > 0)
    {
        message.heard = m_witness.Find(GetProposal(m_view - 1));
    }
    Send(std::move(message), std::nullopt);
    const uint32_t primary = GetPrimary(m_view);
    if (m_memory->scores && primary != m_options.self)
    {
        Send(*m_memory->scores, primary);
    }
}

void
ByzantineConsensus::SkipViews()
{
    std::vector<uint32_t> views;
    for (const auto& [member, peer] : m_peers)
    {
        views.push_back(peer.view);
    }
    std::sort(views.begin(), views.end(), std::greater<>());
    // One more than may be Byzantine: an honest member is among them
    if (views.size() > m_options.faults && views[m_options.faults] > m_view)
    {
        EnterView(views[m_options.faults]);
    }
}

void
ByzantineConsensus::HandleViewChange(const ConsensusMessage& message)
{
    ConsensusPeer& peer = m_peers.at(message.sender);
    if (message.attempt < peer.view)
    {
        ++m_counters.replayed;
        return;
    }
    peer.view = message.attempt;
    if (message.heard && message.attempt > 0 && message.attempt >= m_view &&
        message.attempt <= m_view + m_options.members.size())
    {
        const Statement proposal = GetProposal(message.attempt - 1);
        if (m_keys->Verify(proposal.member,
                           proposal.GetBytes(message.heard->digest),
                           message.heard->authenticator))
        {
            Witness(proposal, *message.heard);
        }
    }
    if (message.ballot && IsPrepared(*message.ballot))
    {
        m_memory->Lock(*message.ballot);
    }
    else if (message.ballot)
    {
        ++m_counters.unproven;
    }
    SkipViews();
    Propose();
}

} // namespace ns3::collab
