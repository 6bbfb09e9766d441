/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-byzantine.h"

#include "ns3/collab-random.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace collab
{

namespace
{

/// Patience doubles so often
constexpr uint32_t MOST_DOUBLINGS = 3;

/// Part of the patience for which a primary waits for the locks of others
constexpr uint64_t LOCK_PART = 4;

/// Part of the patience by which that of members differs: half-duplex members that always speak at
/// the same time never hear each other
constexpr uint64_t JITTER_PART = 4;

/// Own candidacies that are kept for late consents
constexpr std::size_t MOST_CANDIDACIES = 4;

/// Models that are remembered
constexpr std::size_t MOST_MODELS = 16;

/**
 * @param vote of the round
 * @return its place in arrays
 */
std::size_t
PlaceOf(CommitteeVote vote)
{
    return static_cast<std::size_t>(vote);
}

/**
 * @param set ascending
 * @param element to look for
 * @return whether the set has it
 */
bool
Contains(const std::vector<uint32_t>& set, uint32_t element)
{
    return std::binary_search(set.begin(), set.end(), element);
}

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

ByzantineConsensus::ByzantineConsensus(ConsensusOptions options,
                                       std::shared_ptr<const KeyRing> keys,
                                       std::shared_ptr<ConsensusMemory> memory)
    : m_options(std::move(options)),
      m_keys(std::move(keys)),
      m_memory(std::move(memory))
{
    m_options.Check();
    if (m_memory->round != m_options.round)
    {
        *m_memory = ConsensusMemory();
        m_memory->round = m_options.round;
    }
    for (const uint32_t member : m_options.members)
    {
        if (member != m_options.self)
        {
            m_peers[member] = Peer();
        }
    }
    if (m_memory->scores)
    {
        m_tables[m_options.self] = *m_memory->scores;
    }
}

const ConsensusCounters&
ByzantineConsensus::GetCounters() const
{
    return m_counters;
}

const std::vector<RankedClient>&
ByzantineConsensus::GetRanking() const
{
    return m_ranking;
}

uint32_t
ByzantineConsensus::GetView() const
{
    return m_view;
}

const std::map<uint32_t, ConsensusMessage>&
ByzantineConsensus::GetTables() const
{
    return m_tables;
}

uint32_t
ByzantineConsensus::GetAttempts() const
{
    return std::max(m_options.maxAttempts, m_options.faults + 1);
}

uint32_t
ByzantineConsensus::GetPrimary(uint32_t view) const
{
    return m_options.GetPrimary(CommitteeVote::AGGREGATION, view);
}

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

ConsensusMessage
ByzantineConsensus::MakeMessage(ConsensusKind kind) const
{
    ConsensusMessage message;
    message.kind = kind;
    message.rule = QuorumRule::BYZANTINE;
    message.round = m_options.round;
    message.sender = m_options.self;
    message.attempt = m_view;
    message.timestamp = m_now;
    return message;
}

void
ByzantineConsensus::Send(ConsensusMessage message,
                         std::optional<uint32_t> receiver,
                         ConsensusOutput& output) const
{
    message.Sign(*m_keys);
    if (m_options.members.size() > 1)
    {
        output.messages.push_back(
            {receiver, std::make_shared<const ConsensusMessage>(std::move(message))});
    }
}

void
ByzantineConsensus::SetTimer(uint64_t delayNs, ConsensusOutput& output)
{
    output.timer = ConsensusTimer{++m_timer, delayNs};
}

void
ByzantineConsensus::AddEvidence(const Evidence& evidence)
{
    if (!Contains(m_options.expelled, evidence.first.sender))
    {
        m_evidence.emplace(evidence.first.sender, evidence);
    }
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

ConsensusOutput
ByzantineConsensus::Begin(uint64_t nowNs,
                          const ClientScores& scores,
                          const GradientDigests& gradients)
{
    ConsensusOutput output;
    m_now = nowNs;
    if (m_stage != Stage::WAITING)
    {
        return output; // the others have decided without this member
    }
    m_stage = Stage::SCORING;
    ConsensusMessage message = MakeMessage(ConsensusKind::SCORES);
    message.attempt = 0;
    message.scores = scores;
    message.gradients = gradients;
    message.Sign(*m_keys);
    m_memory->scores = message;
    m_tables[m_options.self] = message;
    Send(message, std::nullopt, output);
    SetTimer(m_options.scoreTimeoutNs, output);
    if (m_tables.size() == m_options.members.size() || m_view > 0)
    {
        HandleTimeout(nowNs, m_timer, output);
    }
    return output;
}

ConsensusOutput
ByzantineConsensus::Resume(uint64_t nowNs)
{
    ConsensusOutput output;
    m_now = nowNs;
    m_stage = Stage::VOTING;
    for (const auto& promise : m_memory->promises)
    {
        m_view = std::max(m_view, promise ? promise->view : 0);
    }
    m_isFew = !MakeOwnDraft().isPossible;
    EnterView(m_view, output);
    TellView(output);
    return output;
}

ConsensusOutput
ByzantineConsensus::HandleMessage(uint64_t nowNs, const ConsensusMessage& message)
{
    ConsensusOutput output;
    m_now = nowNs;
    if (m_peers.count(message.sender) == 0 || message.rule != QuorumRule::BYZANTINE ||
        !message.IsAuthentic(*m_keys))
    {
        message.sender == m_options.self ? ++m_counters.replayed : ++m_counters.forged;
        return output;
    }
    if (message.round != m_options.round)
    {
        ++m_counters.stale;
        return output;
    }
    if (m_stage == Stage::ENDED)
    {
        if (message.kind != ConsensusKind::REPLY)
        {
            Inform(message.sender, output);
        }
        return output;
    }
    switch (message.kind)
    {
    case ConsensusKind::SCORES:
        HandleScores(message, output);
        break;
    case ConsensusKind::REQUEST:
        HandleRequest(message, output);
        break;
    case ConsensusKind::REPLY:
        HandleReply(message, output);
        break;
    case ConsensusKind::COMMIT:
        HandleCommit(message, output);
        break;
    case ConsensusKind::VIEW_CHANGE:
        HandleViewChange(message, output);
        break;
    }
    return output;
}

void
ByzantineConsensus::Compare(const ConsensusMessage& first,
                            const ConsensusMessage& second,
                            ConsensusOutput& output)
{
    if (IsEvidence(first, second, *m_keys) && m_evidence.count(first.sender) == 0 &&
        !Contains(m_options.expelled, first.sender))
    {
        AddEvidence({first, second});
        output.evidence.emplace_back(first, second);
    }
}

void
ByzantineConsensus::HandleScores(const ConsensusMessage& message, ConsensusOutput& output)
{
    const auto [known, isNew] = m_tables.emplace(message.sender, message);
    if (!isNew)
    {
        ++m_counters.replayed;
        Compare(known->second, message, output);
        return;
    }
    if (m_stage == Stage::SCORING && m_tables.size() == m_options.members.size())
    {
        HandleTimeout(m_now, m_timer, output);
        return;
    }
    m_counters.late += m_stage == Stage::VOTING ? 1 : 0;
    Propose(output);
}

ConsensusOutput
ByzantineConsensus::HandleTimeout(uint64_t nowNs, uint64_t number)
{
    ConsensusOutput output;
    HandleTimeout(nowNs, number, output);
    return output;
}

void
ByzantineConsensus::HandleTimeout(uint64_t nowNs, uint64_t number, ConsensusOutput& output)
{
    m_now = nowNs;
    if (number != m_timer)
    {
        return;
    }
    if (m_stage == Stage::SCORING)
    {
        m_stage = Stage::VOTING;
        const Draft draft = MakeOwnDraft();
        m_ranking = draft.ranking;
        m_isFew = !draft.isPossible;
        EnterView(m_view, output);
    }
    else if (m_stage == Stage::VOTING && !m_hasWaited)
    {
        m_hasWaited = true;
        SetTimer(GetPatienceNs() - GetPatienceNs() / LOCK_PART + DrawJitter(), output);
        Propose(output);
    }
    else if (m_stage == Stage::VOTING && (m_view == 0 || CountReached() >= GetQuorum()))
    {
        EnterView(m_view + 1, output);
    }
    else if (m_stage == Stage::VOTING)
    {
        TellView(output);
        SetTimer(GetPatienceNs() + DrawJitter(), output);
    }
}

std::size_t
ByzantineConsensus::GetQuorum() const
{
    return m_options.GetQuorum();
}

void
ByzantineConsensus::EnterView(uint32_t view, ConsensusOutput& output)
{
    const bool isLater = view > m_view;
    m_view = view;
    m_requests.erase(m_requests.begin(), m_requests.lower_bound(view));
    m_draft.reset();
    m_hasWaited = false;
    if (isLater)
    {
        TellView(output);
    }
    if (m_stage == Stage::VOTING)
    {
        SetTimer(GetPatienceNs() / LOCK_PART, output);
        Propose(output);
    }
    Consider(output);
}

void
ByzantineConsensus::TellView(ConsensusOutput& output)
{
    ConsensusMessage message = MakeMessage(ConsensusKind::VIEW_CHANGE);
    message.ballot = m_memory->lock;
    Send(std::move(message), std::nullopt, output);
    const uint32_t primary = GetPrimary(m_view);
    if (m_memory->scores && primary != m_options.self)
    {
        Send(*m_memory->scores, primary, output);
    }
}

void
ByzantineConsensus::SkipViews(ConsensusOutput& output)
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
        EnterView(views[m_options.faults], output);
    }
}

void
ByzantineConsensus::HandleViewChange(const ConsensusMessage& message, ConsensusOutput& output)
{
    Peer& peer = m_peers.at(message.sender);
    if (message.attempt < peer.view)
    {
        ++m_counters.replayed;
        return;
    }
    peer.view = message.attempt;
    if (message.ballot && IsPrepared(*message.ballot))
    {
        Lock(*message.ballot);
    }
    else if (message.ballot)
    {
        ++m_counters.unproven;
    }
    SkipViews(output);
    Propose(output);
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
    Consent(CommitteeVote::AGGREGATION, view, block.GetDigest(), output);
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
        Consent(CommitteeVote::AGGREGATION, m_view, proposed.block.GetDigest(), output);
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

void
ByzantineConsensus::Consent(CommitteeVote vote,
                            uint32_t view,
                            const Digest& block,
                            ConsensusOutput& output)
{
    for (const auto& promise : m_memory->promises)
    {
        if (promise && promise->view > view)
        {
            return;
        }
    }
    auto& promise = m_memory->promises[PlaceOf(vote)];
    if (promise && promise->view == view && promise->block != block)
    {
        return;
    }
    promise = ConsensusMemory::Promise{view, block};
    ConsensusMessage reply = MakeMessage(ConsensusKind::REPLY);
    reply.vote = vote;
    reply.attempt = view;
    reply.timestamp = 0;
    reply.proposal.digest = block;
    const uint32_t primary = GetPrimary(view);
    if (primary != m_options.self)
    {
        Send(std::move(reply), primary, output);
        return;
    }
    reply.Sign(*m_keys);
    Count(vote, view, {m_options.self, reply.authenticator}, output);
}

void
ByzantineConsensus::HandleReply(const ConsensusMessage& message, ConsensusOutput& output)
{
    const auto found = m_candidacies.find(message.attempt);
    if (found == m_candidacies.end() ||
        message.proposal.digest != found->second.block.GetDigest() || message.timestamp != 0)
    {
        ++m_counters.stale;
        return;
    }
    Count(message.vote, message.attempt, {message.sender, message.authenticator}, output);
}

void
ByzantineConsensus::Count(CommitteeVote vote,
                          uint32_t view,
                          const collab::Consent& consent,
                          ConsensusOutput& output)
{
    const auto found = m_candidacies.find(view);
    if (found == m_candidacies.end())
    {
        return; // it was the primary before it lost its memory
    }
    auto& consents = found->second.consents[PlaceOf(vote)];
    const bool isKnown = std::any_of(consents.begin(), consents.end(), [&](const auto& known) {
        return known.member == consent.member;
    });
    if (isKnown || consents.size() >= GetQuorum())
    {
        m_counters.replayed += isKnown ? 1 : 0;
        return;
    }
    consents.push_back(consent);
    if (consents.size() < GetQuorum())
    {
        return;
    }
    const CertifiedBlock certified{found->second.block, view, consents};
    ConsensusMessage commit = MakeMessage(ConsensusKind::COMMIT);
    commit.vote = vote;
    commit.attempt = view;
    commit.ballot = certified;
    Send(std::move(commit), std::nullopt, output);
    if (vote == CommitteeVote::ELECTION)
    {
        Decide(certified, output);
        return;
    }
    Lock(certified);
    if (view == m_view)
    {
        Consent(CommitteeVote::ELECTION, view, certified.block.GetDigest(), output);
    }
}

bool
ByzantineConsensus::IsPrepared(const CertifiedBlock& prepared) const
{
    return prepared.block.round == m_options.round && prepared.block.parent == m_options.parent &&
           prepared.IsCertified(
               CommitteeVote::AGGREGATION, m_options.members, GetQuorum(), *m_keys);
}

void
ByzantineConsensus::Lock(const CertifiedBlock& prepared)
{
    if (!m_memory->lock || prepared.view > m_memory->lock->view)
    {
        m_memory->lock = prepared;
    }
}

void
ByzantineConsensus::HandleCommit(const ConsensusMessage& message, ConsensusOutput& output)
{
    const CertifiedBlock& certified = *message.ballot;
    if (message.vote == CommitteeVote::ELECTION)
    {
        const bool fits =
            certified.block.round == m_options.round &&
            certified.block.parent == m_options.parent &&
            certified.IsCertified(CommitteeVote::ELECTION, m_options.members, GetQuorum(), *m_keys);
        fits ? Decide(certified, output) : void(++m_counters.unproven);
        return;
    }
    if (!IsPrepared(certified))
    {
        ++m_counters.unproven;
        return;
    }
    Lock(certified);
    if (certified.view > m_view)
    {
        EnterView(certified.view, output); // a quorum has reached it
    }
    if (certified.view == m_view)
    {
        Consent(CommitteeVote::ELECTION, m_view, certified.block.GetDigest(), output);
    }
}

ConsensusOutput
ByzantineConsensus::HandleBlock(uint64_t nowNs, const CertifiedBlock& block)
{
    ConsensusOutput output;
    m_now = nowNs;
    if (m_stage != Stage::ENDED)
    {
        Decide(block, output);
    }
    return output;
}

void
ByzantineConsensus::Decide(const CertifiedBlock& block, ConsensusOutput& output)
{
    m_stage = Stage::ENDED;
    m_block = block;
    ++m_timer;
    output.timer.reset();
    output.block = block;
    if (block.block.kind == BlockKind::ABANDONED)
    {
        m_isFew = m_isFew || !MakeOwnDraft().isPossible;
        output.outcome = m_isFew        ? ConsensusOutcome::FEW_CLIENTS
                         : m_lacksModel ? ConsensusOutcome::NO_RESULT
                                        : ConsensusOutcome::NO_QUORUM;
        return;
    }
    output.outcome = ConsensusOutcome::AGREED;
    for (const auto vote : {CommitteeVote::AGGREGATION, CommitteeVote::ELECTION})
    {
        Decision decision;
        decision.vote = vote;
        decision.attempt = block.view;
        decision.primary = GetPrimary(block.view);
        const bool isElection = vote == CommitteeVote::ELECTION;
        decision.proposal.clients = isElection ? block.block.committee : block.block.clients;
        decision.proposal.digest =
            isElection ? ComputeSetDigest(block.block.committee) : block.block.model;
        output.decisions.push_back(std::move(decision));
    }
}

void
ByzantineConsensus::Inform(uint32_t member, ConsensusOutput& output)
{
    Peer& peer = m_peers.at(member);
    if (peer.wasInformed && m_now < peer.informed + m_options.attemptTimeoutNs)
    {
        return;
    }
    peer.wasInformed = true;
    peer.informed = m_now;
    ConsensusMessage commit = MakeMessage(ConsensusKind::COMMIT);
    commit.vote = CommitteeVote::ELECTION;
    commit.ballot = m_block;
    Send(std::move(commit), member, output);
}

} // namespace collab
} // namespace ns3
