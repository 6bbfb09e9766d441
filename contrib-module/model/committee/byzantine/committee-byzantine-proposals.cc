/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a primary proposes, and what members take for right

#include "committee-byzantine.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

namespace
{

/// Own candidacies that are kept for late consents
constexpr std::size_t MOST_CANDIDACIES = 4;

} // namespace

void
ByzantineConsensus::Propose()
{
    const auto& promise = m_memory->promises[PlaceOf(CommitteeVote::AGGREGATION)];
    if (m_stage != Stage::VOTING || GetPrimary(m_view) != m_options.self ||
        m_candidacies.count(m_view) || (promise && promise->view >= m_view))
    {
        return;
    }
    const std::size_t reached = CountReached();
    if (m_view > 0 && reached < m_options.members.size() &&
        (!m_hasWaited || reached < m_options.GetQuorum()))
    {
        return; // another one may be locked
    }
    ConsensusMessage request = MakeMessage(ConsensusKind::REQUEST, m_view);
    request.ballot = CertifiedBlock();
    if (m_memory->lock)
    {
        request.ballot = m_memory->lock;
        Propose(std::move(request));
        return;
    }
    if (!m_draft)
    {
        const Draft draft = m_book.MakeOwnDraft();
        if (m_view >= m_options.GetAttempts() || m_book.IsHopeless(draft))
        {
            request.ballot->block = m_book.MakeAbandoned();
            Propose(std::move(request));
            return;
        }
        if (!draft.isPossible ||
            m_book.GetTables().size() < m_options.members.size() - m_options.faults)
        {
            return;
        }
        request.ballot->block = draft.block;
        m_book.Support(request);
        m_draft = std::move(request);
    }
    Block& block = m_draft->ballot->block;
    const Draft draft = m_book.DraftOf(*m_draft);
    if (const auto model = m_models.Find(draft.order, m_output.toAggregate))
    {
        block.model = *model;
        Propose(*std::exchange(m_draft, std::nullopt));
    }
}

void
ByzantineConsensus::Propose(ConsensusMessage request)
{
    const Block block = request.ballot->block;
    const uint32_t view = m_view;
    m_candidacies[view].block = block;
    if (m_candidacies.size() > MOST_CANDIDACIES)
    {
        m_candidacies.erase(m_candidacies.begin());
    }
    request.timestamp = m_now;
    Send(std::move(request), std::nullopt);
    ConsentTo(CommitteeVote::AGGREGATION, view, block.GetDigest());
}

ConsensusOutput
ByzantineConsensus::HandleResult(uint64_t nowNs,
                                 uint64_t number,
                                 const std::optional<Digest>& digest)
{
    m_now = nowNs;
    if (m_stage == Stage::ENDED || !m_models.Note(number, digest))
    {
        return std::exchange(m_output, {});
    }
    if (!digest)
    {
        m_lacksModel = true;
        return std::exchange(m_output, {});
    }
    Propose();
    Consider();
    return std::exchange(m_output, {});
}

void
ByzantineConsensus::HandleRequest(const ConsensusMessage& message)
{
    if (message.sender != GetPrimary(message.attempt))
    {
        ++m_counters.unauthorized;
        return;
    }
    // One for each primary to come: nobody can fill the memory
    const bool isNear = message.attempt - m_view < m_options.members.size();
    if (message.attempt < m_view || !isNear)
    {
        ++m_counters.stale;
        return;
    }
    if (!message.GetStatement().IsUnique())
    {
        ++m_counters.unauthorized;
        return;
    }
    Witness(message.GetStatement(), message.GetSigned());
    if (!m_requests.emplace(message.attempt, message).second)
    {
        ++m_counters.replayed;
    }
    Consider();
}

void
ByzantineConsensus::Consider()
{
    const auto found = m_requests.find(m_view);
    if (found == m_requests.end())
    {
        return;
    }
    const ConsensusMessage& request = found->second;
    const CertifiedBlock& proposed = *request.ballot;
    if (!proposed.consents.empty())
    {
        if (proposed.view >= m_view || !IsPrepared(proposed))
        {
            ++m_counters.unproven;
            m_requests.erase(found);
            return;
        }
        m_memory->Lock(proposed);
    }
    const auto& lock = m_memory->lock;
    const bool isOpen = !lock || lock->block == proposed.block;
    if (isOpen && (!proposed.consents.empty() || IsRight(request)))
    {
        ConsentTo(CommitteeVote::AGGREGATION, m_view, proposed.block.GetDigest());
    }
}

bool
ByzantineConsensus::IsRight(const ConsensusMessage& request)
{
    const Block& block = request.ballot->block;
    if (block.kind == BlockKind::ABANDONED)
    {
        return block == m_book.MakeAbandoned() &&
               (m_view >= m_options.GetAttempts() || m_book.IsHopeless(m_book.MakeOwnDraft()));
    }
    if (!m_book.IsFounded(request))
    {
        ++m_counters.unauthorized;
        return false;
    }
    for (const auto& table : request.tables)
    {
        Witness(table.GetStatement(), table.GetSigned());
    }
    Draft draft = m_book.DraftOf(request);
    draft.block.model = block.model;
    if (!draft.isPossible || draft.block != block)
    {
        ++m_counters.unauthorized;
        return false;
    }
    return m_models.Find(draft.order, m_output.toAggregate) == block.model;
}

} // namespace ns3::collab
