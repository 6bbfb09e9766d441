/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-score-book.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace ns3::collab
{

namespace
{

/// Models that are remembered
constexpr std::size_t MOST_MODELS = 16;

/// @param options of the round
/// @param tables messages SCORES
/// @return by client and gradient: scores by who has it
std::map<uint32_t, std::map<Digest, ClientScores>>
SortScores(const ConsensusOptions& options, const std::vector<const ConsensusMessage*>& tables)
{
    std::map<uint32_t, std::map<Digest, ClientScores>> sorted;
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
    for (const ConsensusMessage* table : tables)
    {
        counted[table->sender];
    }
    const std::size_t least = options.GetMinimumScores(tables.size());
    for (const auto& [client, stories] : SortScores(options, tables))
    {
        for (const auto& [gradient, scores] : stories)
        {
            if (scores.size() < least)
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
    draft.ranking = options.Rank(counted);
    Block& block = draft.block;
    block.round = options.round;
    block.parent = options.parent;
    block.expelled = options.expelled;
    for (const auto& found : evidence)
    {
        if (options.MayExpel(block.expelled.size()))
        {
            block.expelled.push_back(found.statement.member);
        }
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

ScoreBook::ScoreBook(const ConsensusOptions& options, std::shared_ptr<const KeyRing> keys)
    : m_options(options),
      m_keys(std::move(keys))
{
}

bool
ScoreBook::IsTable(const ConsensusMessage& table) const
{
    return table.kind == ConsensusKind::SCORES && table.rule == QuorumRule::BYZANTINE &&
           table.round == m_options.round && Contains(m_options.members, table.sender) &&
           table.GetStatement().IsUnique() &&
           std::all_of(table.scores.begin(), table.scores.end(), [this](const auto& score) {
               return Contains(m_options.clients, score.first);
           });
}

bool
ScoreBook::Add(const ConsensusMessage& table)
{
    return m_tables.emplace(table.sender, table).second;
}

Block
ScoreBook::MakeAbandoned() const
{
    Block block;
    block.round = m_options.round;
    block.parent = m_options.parent;
    block.kind = BlockKind::ABANDONED;
    block.model = m_options.model;
    block.expelled = m_options.expelled;
    return block;
}

Draft
ScoreBook::MakeOwnDraft() const
{
    std::vector<const ConsensusMessage*> tables;
    for (const auto& [member, table] : m_tables)
    {
        tables.push_back(&table);
    }
    return MakeDraft(m_options, tables, GetEvidence());
}

Draft
ScoreBook::DraftOf(const ConsensusMessage& request) const
{
    std::vector<const ConsensusMessage*> tables;
    for (const auto& table : request.tables)
    {
        tables.push_back(&table);
    }
    return MakeDraft(m_options, tables, request.evidence);
}

bool
ScoreBook::IsFounded(const ConsensusMessage& request) const
{
    std::set<uint32_t> members;
    for (const auto& table : request.tables)
    {
        if (!IsTable(table) || !members.insert(table.sender).second || !table.IsAuthentic(*m_keys))
        {
            return false;
        }
    }
    if (members.size() < m_options.members.size() - m_options.faults)
    {
        return false;
    }
    std::set<uint32_t> liars(m_options.expelled.begin(), m_options.expelled.end());
    return std::all_of(
        request.evidence.begin(), request.evidence.end(), [&](const Evidence& evidence) {
            return m_options.IsInOffice(evidence.statement) && evidence.IsProof(*m_keys) &&
                   liars.insert(evidence.statement.member).second;
        });
}

void
ScoreBook::Support(ConsensusMessage& request) const
{
    for (const auto& [member, table] : m_tables)
    {
        request.tables.push_back(table);
    }
    request.evidence = GetEvidence();
}

std::vector<Evidence>
ScoreBook::GetEvidence() const
{
    std::vector<Evidence> evidence;
    for (const auto& [device, known] : m_lies.GetAll())
    {
        if (evidence.size() < m_options.members.size())
        {
            evidence.push_back(known);
        }
    }
    return evidence;
}

std::optional<Digest>
ModelOrders::Find(AggregationOrder order, std::optional<AggregationOrder>& toAggregate)
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
    toAggregate = std::move(order);
    return std::nullopt;
}

bool
ModelOrders::Note(uint64_t number, const std::optional<Digest>& digest)
{
    const auto found = std::find_if(m_models.begin(), m_models.end(), [number](const auto& model) {
        return model.second.first == number;
    });
    if (found == m_models.end())
    {
        return false;
    }
    found->second.second = digest;
    if (!digest)
    {
        m_models.erase(found);
    }
    return true;
}

} // namespace ns3::collab
