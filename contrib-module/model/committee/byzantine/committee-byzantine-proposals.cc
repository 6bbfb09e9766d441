/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a primary proposes, and what members take for right

#include "committee-byzantine.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3
{
namespace collab
{

namespace
{

/// Own candidacies that are kept for late consents
constexpr std::size_t MOST_CANDIDACIES = 4;

/// Models that are remembered
constexpr std::size_t MOST_MODELS = 16;

/**
 * @param options of the round
 * @param tables messages SCORES
 * @return by client and gradient: who has it, and how it scores
 */
std::map<uint32_t, std::map<Digest, std::map<uint32_t, double>>>
SortScores(const ConsensusOptions& options, const std::vector<const ConsensusMessage*>& tables)
{
    std::map<uint32_t, std::map<Digest, std::map<uint32_t, double>>> sorted;
    for (const ConsensusMessage* table : tables)
    {
        for (const auto& [client, score] : table->scores)
        {
            if (Contains(options.clients, client))
            {
                sorted[client][table->gradients.at(client)][table->sender] = score;
            }
        }
    }
    return sorted;
}

} // namespace

Draft
MakeDraft(const ConsensusOptions& options,
          const std::vector<const ConsensusMessage*>& tables,
          const std::vector<Evidence>& evidence)
{
    Draft draft;
    GradientDigests gradients;
    std::map<uint32_t, std::vector<uint32_t>> holders;
    ScoreTables counted;
    for (const auto& [client, stories] : SortScores(options, tables))
    {
        for (const auto& [gradient, scores] : stories)
        {
            if (scores.size() < options.GetMinimumScores())
            {
                continue;
            }
            gradients[client] = gradient;
            for (const auto& [member, score] : scores)
            {
                counted[member][client] = score;
                holders[client].push_back(member);
            }
        }
    }
    draft.ranking = RankClients(counted, options.GetMinimumScores());
    Block& block = draft.block;
    block.round = options.round;
    block.parent = options.parent;
    block.expelled = options.expelled;
    for (const auto& [first, second] : evidence)
    {
        block.expelled.push_back(first.sender);
    }
    std::sort(block.expelled.begin(), block.expelled.end());
    std::vector<RankedClient> electable;
    std::copy_if(draft.ranking.begin(),
                 draft.ranking.end(),
                 std::back_inserter(electable),
                 [&block](const RankedClient& r) { return !Contains(block.expelled, r.client); });
    draft.isPossible = !draft.ranking.empty() && electable.size() >= options.GetNextCommittee();
    if (draft.isPossible)
    {
        block.clients = options.Select(draft.ranking);
        block.committee = options.Elect(electable);
        draft.order.clients = block.clients;
        for (const uint32_t client : block.clients)
        {
            draft.order.gradients[client] = gradients.at(client);
            draft.order.holders[client] = holders.at(client);
        }
    }
    return draft;
}

Block
ByzantineConsensus::MakeAbandoned() const
{
    Block block;
    block.round = m_options.round;
    block.parent = m_options.parent;
    block.kind = BlockKind::ABANDONED;
    block.model = m_options.model;
    block.committee = DrawSuccessors(
        m_options.federation, m_options.round, m_options.members, m_options.expelled);
    block.expelled = m_options.expelled;
    return block;
}

Draft
ByzantineConsensus::MakeOwnDraft() const
{
    std::vector<const ConsensusMessage*> tables;
    for (const auto& [member, table] : m_tables)
    {
        tables.push_back(&table);
    }
    std::vector<Evidence> evidence;
    for (const auto& [device, known] : m_evidence)
    {
        evidence.push_back(known);
    }
    return MakeDraft(m_options, tables, evidence);
}

bool
ByzantineConsensus::IsHopeless(const Draft& draft) const
{
    return m_tables.size() == m_options.members.size() && !draft.isPossible;
}

void
ByzantineConsensus::Propose(ConsensusOutput& output)
{
    const auto& promise = m_memory->promises[PlaceOf(CommitteeVote::AGGREGATION)];
    if (m_stage != Stage::VOTING || GetPrimary(m_view) != m_options.self ||
        m_candidacies.count(m_view) || (promise && promise->view >= m_view))
    {
        return;
    }
    const std::size_t reached = CountReached();
    if (m_view > 0 && reached < m_options.members.size() && (!m_hasWaited || reached < GetQuorum()))
    {
        return; // another one may be locked
    }
    ConsensusMessage request = MakeMessage(ConsensusKind::REQUEST);
    request.ballot = CertifiedBlock();
    if (m_memory->lock)
    {
        request.ballot = m_memory->lock;
        Propose(std::move(request), output);
        return;
    }
    if (!m_draft)
    {
        const Draft draft = MakeOwnDraft();
        if (m_view >= GetAttempts() || IsHopeless(draft))
        {
            request.ballot->block = MakeAbandoned();
            Propose(std::move(request), output);
            return;
        }
        if (!draft.isPossible || m_tables.size() < m_options.members.size() - m_options.faults)
        {
            return;
        }
        request.ballot->block = draft.block;
        for (const auto& [member, table] : m_tables)
        {
            request.tables.push_back(table);
        }
        for (const auto& [device, known] : m_evidence)
        {
            request.evidence.push_back(known.first);
            request.evidence.push_back(known.second);
        }
        m_draft = std::move(request);
    }
    Block& block = m_draft->ballot->block;
    const Draft draft = DraftOf(*m_draft);
    if (const auto model = FindModel(draft.order, output))
    {
        block.model = *model;
        Propose(*std::exchange(m_draft, std::nullopt), output);
    }
}

void
ByzantineConsensus::Propose(ConsensusMessage request, ConsensusOutput& output)
{
    const Block block = request.ballot->block;
    const uint32_t view = m_view;
    m_candidacies[view].block = block;
    if (m_candidacies.size() > MOST_CANDIDACIES)
    {
        m_candidacies.erase(m_candidacies.begin());
    }
    request.timestamp = m_now;
    Send(std::move(request), std::nullopt, output);
    ConsentTo(CommitteeVote::AGGREGATION, view, block.GetDigest(), output);
}

Draft
ByzantineConsensus::DraftOf(const ConsensusMessage& request) const
{
    std::vector<const ConsensusMessage*> tables;
    for (const auto& table : request.tables)
    {
        tables.push_back(&table);
    }
    std::vector<Evidence> evidence;
    for (std::size_t i = 0; i + 1 < request.evidence.size(); i += 2)
    {
        evidence.emplace_back(request.evidence[i], request.evidence[i + 1]);
    }
    return MakeDraft(m_options, tables, evidence);
}

std::optional<Digest>
ByzantineConsensus::FindModel(AggregationOrder order, ConsensusOutput& output)
{
    const auto found = m_models.find(order.gradients);
    if (found != m_models.end())
    {
        return found->second.second;
    }
    for (auto it = m_models.begin(); it != m_models.end();)
    {
        // The new order takes the place of one that is under way
        const bool stays = it->second.second && m_models.size() < MOST_MODELS;
        it = stays ? std::next(it) : m_models.erase(it);
    }
    order.number = ++m_orders;
    m_models[order.gradients] = {order.number, std::nullopt};
    output.toAggregate = std::move(order);
    return std::nullopt;
}

ConsensusOutput
ByzantineConsensus::HandleResult(uint64_t nowNs,
                                 uint64_t number,
                                 const std::optional<Digest>& digest)
{
    ConsensusOutput output;
    m_now = nowNs;
    const auto found = std::find_if(m_models.begin(), m_models.end(), [number](const auto& model) {
        return model.second.first == number;
    });
    if (found == m_models.end() || m_stage == Stage::ENDED)
    {
        return output;
    }
    if (!digest)
    {
        m_lacksModel = true;
        m_models.erase(found); // it may be ordered again
        return output;
    }
    found->second.second = digest;
    Propose(output);
    Consider(output);
    return output;
}

void
ByzantineConsensus::HandleRequest(const ConsensusMessage& message, ConsensusOutput& output)
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
    if (!m_requests.emplace(message.attempt, message).second)
    {
        ++m_counters.replayed;
    }
    Consider(output);
}

void
ByzantineConsensus::Consider(ConsensusOutput& output)
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
        Lock(proposed);
    }
    const auto& lock = m_memory->lock;
    const bool isOpen = !lock || lock->block == proposed.block;
    if (isOpen && (!proposed.consents.empty() || IsRight(request, output)))
    {
        ConsentTo(CommitteeVote::AGGREGATION, m_view, proposed.block.GetDigest(), output);
    }
}

bool
ByzantineConsensus::IsRight(const ConsensusMessage& request, ConsensusOutput& output)
{
    const Block& block = request.ballot->block;
    if (block.kind == BlockKind::ABANDONED)
    {
        return block == MakeAbandoned() && (m_view >= GetAttempts() || IsHopeless(MakeOwnDraft()));
    }
    for (const auto& table : request.tables)
    {
        const auto known = m_tables.find(table.sender);
        if (known != m_tables.end())
        {
            Compare(known->second, table, output);
        }
    }
    if (!IsFounded(request))
    {
        ++m_counters.unauthorized;
        return false;
    }
    Draft draft = DraftOf(request);
    draft.block.model = block.model;
    if (!draft.isPossible || draft.block != block)
    {
        ++m_counters.unauthorized;
        return false;
    }
    return FindModel(draft.order, output) == block.model;
}

bool
ByzantineConsensus::IsFounded(const ConsensusMessage& request)
{
    std::set<uint32_t> members;
    for (const auto& table : request.tables)
    {
        if (table.kind != ConsensusKind::SCORES || table.rule != QuorumRule::BYZANTINE ||
            table.round != m_options.round || !Contains(m_options.members, table.sender) ||
            !members.insert(table.sender).second || !table.IsAuthentic(*m_keys))
        {
            return false;
        }
    }
    if (members.size() < m_options.members.size() - m_options.faults ||
        request.evidence.size() % 2 != 0)
    {
        return false;
    }
    std::set<uint32_t> liars(m_options.expelled.begin(), m_options.expelled.end());
    for (std::size_t i = 0; i + 1 < request.evidence.size(); i += 2)
    {
        const ConsensusMessage& first = request.evidence[i];
        if (!IsEvidence(first, request.evidence[i + 1], *m_keys) ||
            !Contains(m_options.federation.devices, first.sender) ||
            !liars.insert(first.sender).second)
        {
            return false;
        }
    }
    return true;
}

} // namespace collab
} // namespace ns3
