/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-byzantine.h"

#include "ns3/committee-paper.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace ns3::collab
{

namespace
{

/// Models that are remembered
constexpr std::size_t MOST_MODELS = 16;

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
    draft.isPossible = electable.size() >= options.members.size();
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

Draft
MakeDraft(const ConsensusOptions& options, const ConsensusMessage& request)
{
    std::vector<const ConsensusMessage*> tables;
    for (const auto& table : request.tables)
    {
        tables.push_back(&table);
    }
    return MakeDraft(options, tables, request.evidence);
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

std::unique_ptr<CommitteeMember>
MakeMember(const ConsensusOptions& options,
           std::shared_ptr<const KeyRing> keys,
           std::shared_ptr<ConsensusMemory> memory)
{
    if (options.rule == QuorumRule::PAPER)
    {
        return std::make_unique<CommitteeConsensus>(options, std::move(keys));
    }
    return std::make_unique<ByzantineConsensus>(options, std::move(keys), std::move(memory));
}

ByzantineConsensus::ByzantineConsensus(ConsensusOptions options,
                                       std::shared_ptr<const KeyRing> keys,
                                       std::shared_ptr<ConsensusMemory> memory)
    : CommitteeMember(std::move(options), std::move(keys)),
      m_memory(std::move(memory)),
      m_bounds{
          m_options.federation.devices.size(), m_options.members.size(), m_options.clients.size()},
      m_log(m_logs.emplace_back(
          m_options, CommitteeVote::AGGREGATION, *this, m_keys, m_memory, m_counters))
{
    if (m_memory->round != m_options.round)
    {
        *m_memory = ConsensusMemory();
        m_memory->round = m_options.round;
    }
    if (m_memory->scores)
    {
        m_tables.emplace(m_options.self, *m_memory->scores);
    }
}

bool
ByzantineConsensus::IsTable(const ConsensusMessage& table) const
{
    return table.kind == ConsensusKind::SCORES && table.rule == QuorumRule::BYZANTINE &&
           table.round == m_options.round && Contains(m_options.members, table.sender) &&
           table.GetStatement().IsUnique() &&
           std::all_of(table.scores.begin(), table.scores.end(), [this](const auto& score) {
               return Contains(m_options.clients, score.first);
           });
}

bool
ByzantineConsensus::IsFounded(const ConsensusMessage& request) const
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

Draft
ByzantineConsensus::MakeOwnDraft() const
{
    std::vector<const ConsensusMessage*> tables;
    for (const auto& [member, table] : m_tables)
    {
        tables.push_back(&table);
    }
    return MakeDraft(m_options, tables, GetEvidence());
}

std::vector<Evidence>
ByzantineConsensus::GetEvidence() const
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

bool
ByzantineConsensus::DoAddEvidence(const Evidence& evidence)
{
    return m_lies.Add(
        evidence, m_options.IsInOffice(evidence.statement), m_options.expelled, *m_keys);
}

Block
ByzantineConsensus::MakeAbandoned() const
{
    Block block;
    block.round = m_options.round;
    block.parent = m_options.parent;
    block.kind = BlockKind::ABANDONED;
    block.model = m_options.model;
    block.expelled = m_options.expelled;
    return block;
}

uint64_t
ByzantineConsensus::CountKept() const
{
    uint64_t bytes = 0;
    for (const auto* kept : {&m_tables, &m_log.GetRequests()})
    {
        for (const auto& [key, message] : *kept)
        {
            bytes += CountBytes(message);
        }
    }
    return bytes;
}

void
ByzantineConsensus::DoBegin(const ClientScores& scores, const GradientDigests& gradients)
{
    if (m_stage != Stage::WAITING)
    {
        return; // the others have decided without this member
    }
    m_stage = Stage::SCORING;
    ConsensusMessage message = MakeMessage(ConsensusKind::SCORES, 0, CommitteeVote::AGGREGATION);
    message.scores = scores;
    message.gradients = gradients;
    message.Sign(*m_keys);
    m_memory->scores = message;
    m_tables.emplace(m_options.self, message);
    Send(message, std::nullopt);
    SetTimer(m_options.scoreTimeoutNs, 0);
    if (IsComplete() || m_log.GetView() > 0)
    {
        CloseTable();
    }
}

void
ByzantineConsensus::DoHandleMessage(const ConsensusMessage& message)
{
    if (message.sender == m_options.self || !Contains(m_options.members, message.sender) ||
        message.rule != QuorumRule::BYZANTINE)
    {
        message.sender == m_options.self ? ++m_counters.replayed : ++m_counters.forged;
        return;
    }
    if (!m_bounds.Allows(message)) // nobody shall make it compute digests of megabytes
    {
        ++m_counters.unauthorized;
        return;
    }
    if (!message.IsAuthentic(*m_keys))
    {
        ++m_counters.forged;
        return;
    }
    if (message.round != m_options.round)
    {
        ++m_counters.stale;
        return;
    }
    if (m_stage != Stage::ENDED)
    {
        Dispatch(message);
    }
    else if (message.kind != ConsensusKind::REPLY)
    {
        m_log.Inform(message.sender);
    }
}

void
ByzantineConsensus::HandleScores(const ConsensusMessage& message)
{
    if (!IsTable(message))
    {
        ++m_counters.unauthorized;
        return;
    }
    m_log.Witness(message);
    if (!m_tables.emplace(message.sender, message).second)
    {
        ++m_counters.replayed;
        return;
    }
    if (m_stage == Stage::SCORING && IsComplete())
    {
        CloseTable();
        return;
    }
    m_counters.late += m_stage == Stage::VOTING ? 1 : 0;
    m_log.Propose();
}

void
ByzantineConsensus::CloseTable()
{
    m_stage = Stage::VOTING;
    m_output.unheard = FindUnheard(m_options.members, m_tables);
    const Draft draft = MakeOwnDraft();
    m_ranking = draft.ranking;
    m_isFew = !draft.isPossible;
    m_log.Start();
}

void
ByzantineConsensus::DoHandleResult(uint64_t number, const std::optional<Digest>& digest)
{
    const bool isWanted = m_stage != Stage::ENDED && m_models.Note(number, digest);
    m_lacksModel = m_lacksModel || (isWanted && !digest);
    if (isWanted && digest)
    {
        m_log.Propose();
        m_log.Consider();
    }
}

std::optional<ConsensusMessage>
ByzantineConsensus::MakeProposal(CommitteeVote vote, uint32_t view)
{
    if (!m_draft || m_draft->attempt != view)
    {
        m_draft.reset(); // it was for a view that has passed
        const Draft own = MakeOwnDraft();
        if (!own.isPossible || m_tables.size() < m_options.members.size() - m_options.faults)
        {
            return std::nullopt;
        }
        m_draft = MakeMessage(ConsensusKind::REQUEST, view, vote);
        m_draft->ballot.emplace();
        m_draft->ballot->block = own.block;
        for (const auto& [member, table] : m_tables)
        {
            m_draft->tables.push_back(table);
        }
        m_draft->evidence = GetEvidence();
    }
    const auto model = m_models.Find(MakeDraft(m_options, *m_draft).order, m_output.toAggregate);
    if (!model)
    {
        return std::nullopt;
    }
    m_draft->ballot->block.model = *model;
    m_draft->timestamp = m_now;
    return std::exchange(m_draft, std::nullopt);
}

LogVerdict
ByzantineConsensus::Validate(const ConsensusMessage& request)
{
    if (!IsFounded(request))
    {
        ++m_counters.unauthorized;
        return LogVerdict::WRONG;
    }
    for (const auto& table : request.tables)
    {
        m_log.Witness(table);
    }
    const Block& block = request.ballot->block;
    Draft draft = MakeDraft(m_options, request);
    draft.block.model = block.model;
    if (!draft.isPossible || draft.block != block)
    {
        ++m_counters.unauthorized;
        return LogVerdict::WRONG;
    }
    const bool isRight = m_models.Find(draft.order, m_output.toAggregate) == block.model;
    return isRight ? LogVerdict::RIGHT : LogVerdict::UNKNOWN;
}

ConsensusMessage
ByzantineConsensus::MakeConsent(const ConsensusMessage& ballot,
                                CommitteeVote vote,
                                uint32_t view) const
{
    ConsensusMessage reply = MakeMessage(ConsensusKind::REPLY, view, vote);
    reply.timestamp = 0;
    reply.proposal.digest = ballot.ballot->block.GetDigest();
    return reply;
}

void
ByzantineConsensus::HandleEnd(const std::optional<ConsensusMessage>& commit)
{
    const CertifiedBlock& block = *commit->ballot;
    m_stage = Stage::ENDED;
    ++m_timer;
    m_output.timer.reset();
    m_output.block = block;
    if (block.block.kind == BlockKind::ABANDONED)
    {
        m_isFew = m_isFew || !MakeOwnDraft().isPossible;
        m_output.outcome = m_isFew        ? ConsensusOutcome::FEW_CLIENTS
                           : m_lacksModel ? ConsensusOutcome::NO_RESULT
                                          : ConsensusOutcome::NO_QUORUM;
        return;
    }
    m_output.outcome = ConsensusOutcome::AGREED;
    const uint32_t primary = m_options.GetPrimary(CommitteeVote::AGGREGATION, block.view);
    const auto& committee = block.block.committee;
    m_output.decisions = {
        {CommitteeVote::AGGREGATION, block.view, primary, {block.block.clients, block.block.model}},
        {CommitteeVote::ELECTION, block.view, primary, {committee, ComputeSetDigest(committee)}}};
}

} // namespace ns3::collab
