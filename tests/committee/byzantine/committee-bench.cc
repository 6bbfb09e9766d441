/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee/byzantine/committee-bench.h"

#include "ns3/collab-random.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

using namespace ns3::collab;

namespace tests
{

namespace
{

constexpr uint32_t BENCH_CLIENTS = 8;
constexpr uint64_t MILLISECOND = 1000000;

/// The gradient of a client
Digest
GradientOf(uint32_t client)
{
    return ComputeDigest(std::vector<uint8_t>{static_cast<uint8_t>(client)});
}

/// The model that gradients make
Digest
ModelOf(const AggregationOrder& order)
{
    std::vector<uint8_t> bytes;
    for (const auto& [client, gradient] : order.gradients)
    {
        bytes.insert(bytes.end(), gradient.begin(), gradient.end());
    }
    return ComputeDigest(bytes);
}

} // namespace

CommitteeBench::CommitteeBench(uint32_t byzantine, uint64_t seed)
    : m_seed(seed),
      m_byzantine(MEMBERS),
      m_keys(std::make_shared<const KeyRing>(seed, 32))
{
    m_byzantine = byzantine < MEMBERS ? GetPrimary(byzantine) : MEMBERS;
    for (uint32_t member = 0; member < MEMBERS; ++member)
    {
        if (member != m_byzantine)
        {
            m_memories[member] = std::make_shared<ConsensusMemory>();
            m_members[member] = std::make_unique<ByzantineConsensus>(
                MakeOptions(member), m_keys, m_memories[member]);
            m_blocks[member] = std::nullopt;
        }
    }
}

ConsensusOptions
CommitteeBench::MakeOptions(uint32_t self) const
{
    ConsensusOptions options;
    options.seed = m_seed;
    options.self = self;
    options.rule = QuorumRule::BYZANTINE;
    options.faults = 1;
    for (uint32_t device = 0; device < MEMBERS + BENCH_CLIENTS; ++device)
    {
        (device < MEMBERS ? options.members : options.clients).push_back(device);
        options.federation.devices.push_back(device);
    }
    options.federation.seed = m_seed;
    options.federation.rule = QuorumRule::BYZANTINE;
    options.federation.committee = options.members;
    return options;
}

uint32_t
CommitteeBench::GetPrimary(uint32_t view) const
{
    return MakeOptions(0).GetPrimary(CommitteeVote::AGGREGATION, view);
}

std::vector<uint32_t>
CommitteeBench::GetHonest() const
{
    std::vector<uint32_t> honest;
    for (uint32_t view = 0; view < MEMBERS; ++view)
    {
        if (GetPrimary(view) != m_byzantine)
        {
            honest.push_back(GetPrimary(view));
        }
    }
    return honest;
}

uint32_t
CommitteeBench::GetByzantine() const
{
    return m_byzantine;
}

const ByzantineConsensus&
CommitteeBench::Get(uint32_t member) const
{
    return *m_members.at(member);
}

const ConsensusMemory&
CommitteeBench::GetMemory(uint32_t member) const
{
    return *m_memories.at(member);
}

const std::optional<CertifiedBlock>&
CommitteeBench::GetBlock(uint32_t member) const
{
    return m_blocks.at(member);
}

const std::vector<Evidence>&
CommitteeBench::GetEvidence() const
{
    return m_evidence;
}

std::string
CommitteeBench::FindFork() const
{
    for (const auto& [a, first] : m_blocks)
    {
        for (const auto& [b, second] : m_blocks)
        {
            if (first && second && first->block != second->block)
            {
                return fmt::format("members {} and {} hold different blocks", a, b);
            }
        }
    }
    return "";
}

ConsensusMessage
CommitteeBench::MakeScores(uint32_t member) const
{
    ConsensusMessage message;
    message.kind = ConsensusKind::SCORES;
    message.rule = QuorumRule::BYZANTINE;
    message.sender = member;
    for (uint32_t client = MEMBERS; client < MEMBERS + BENCH_CLIENTS; ++client)
    {
        // Members differ so much that each choice of tables has its own sets
        message.scores[client] = 1 + static_cast<double>(SplitMix64(100 * client + member) % 1000);
        message.gradients[client] = GradientOf(client);
    }
    message.Sign(*m_keys);
    return message;
}

void
CommitteeBench::TellScores()
{
    for (auto& [member, machine] : m_members)
    {
        const ConsensusMessage own = MakeScores(member);
        Apply(member, machine->Begin(m_now, own.scores, own.gradients));
    }
    for (const uint32_t member : GetHonest())
    {
        if (m_byzantine < MEMBERS)
        {
            m_flights.push_back(
                {m_byzantine,
                 member,
                 std::make_shared<const ConsensusMessage>(MakeScores(m_byzantine))});
        }
    }
    Deliver([](const Flight& flight) { return flight.message->kind == ConsensusKind::SCORES; });
}

void
CommitteeBench::Apply(uint32_t member, const ConsensusOutput& output)
{
    for (const auto& outgoing : output.messages)
    {
        if (outgoing.message->kind == ConsensusKind::REPLY)
        {
            m_consents.push_back(outgoing.message);
        }
        for (uint32_t receiver = 0; receiver < MEMBERS; ++receiver)
        {
            const bool isMeant = !outgoing.receiver || *outgoing.receiver == receiver;
            if (receiver != member && receiver != m_byzantine && isMeant)
            {
                m_flights.push_back({member, receiver, outgoing.message});
            }
        }
    }
    m_evidence.insert(m_evidence.end(), output.evidence.begin(), output.evidence.end());
    if (output.timer)
    {
        m_timers[member] = output.timer->number;
    }
    if (output.block)
    {
        m_blocks[member] = output.block;
    }
    if (output.toAggregate)
    {
        const AggregationOrder& order = *output.toAggregate;
        Apply(member, m_members.at(member)->HandleResult(m_now, order.number, ModelOf(order)));
    }
}

std::size_t
CommitteeBench::Deliver(const FlightFilter& filter)
{
    std::size_t delivered = 0;
    for (auto it = m_flights.begin(); it != m_flights.end();)
    {
        if (!filter(*it))
        {
            ++it;
            continue;
        }
        const Flight flight = *it;
        m_flights.erase(it);
        m_now += MILLISECOND;
        ++delivered;
        Apply(flight.receiver,
              m_members.at(flight.receiver)->HandleMessage(m_now, *flight.message));
        it = m_flights.begin();
    }
    return delivered;
}

void
CommitteeBench::Lose(const FlightFilter& filter)
{
    m_flights.erase(std::remove_if(m_flights.begin(), m_flights.end(), filter), m_flights.end());
}

const std::vector<Flight>&
CommitteeBench::GetFlights() const
{
    return m_flights;
}

void
CommitteeBench::Timeout(uint32_t member)
{
    m_now += MILLISECOND;
    Apply(member, m_members.at(member)->HandleTimeout(m_now, m_timers[member]));
}

void
CommitteeBench::EndView(const std::vector<uint32_t>& members)
{
    for (const uint32_t member : members)
    {
        const uint32_t view = Get(member).GetView();
        for (int i = 0; i < 2 && Get(member).GetView() == view; ++i)
        {
            Timeout(member); // it waits for others' locks first
        }
    }
}

void
CommitteeBench::GoTo(uint32_t view, const std::vector<uint32_t>& members)
{
    ConsensusMessage change;
    change.kind = ConsensusKind::VIEW_CHANGE;
    change.attempt = view;
    while (std::any_of(members.begin(), members.end(), [&](uint32_t member) {
        return Get(member).GetView() < view;
    }))
    {
        EndView(members);
        for (const uint32_t member : members)
        {
            Say(change, member);
        }
        Deliver([](const Flight& f) { return f.message->kind == ConsensusKind::VIEW_CHANGE; });
        Lose([](const Flight&) { return true; });
    }
}

ConsensusOptions
CommitteeBench::GetOptions() const
{
    return MakeOptions(0);
}

const KeyRing&
CommitteeBench::GetKeys() const
{
    return *m_keys;
}

void
CommitteeBench::Crash(uint32_t member)
{
    m_members[member] =
        std::make_unique<ByzantineConsensus>(MakeOptions(member), m_keys, m_memories.at(member));
    Apply(member, m_members.at(member)->Resume(m_now));
}

ConsensusMessage
CommitteeBench::MakeFresh(uint32_t without) const
{
    ConsensusMessage request;
    request.kind = ConsensusKind::REQUEST;
    for (uint32_t member = 0; member < MEMBERS; ++member)
    {
        if (without == MEMBERS || member != GetPrimary(without))
        {
            request.tables.push_back(MakeScores(member));
        }
    }
    Conclude(request);
    return request;
}

void
CommitteeBench::Conclude(ConsensusMessage& request) const
{
    std::vector<const ConsensusMessage*> tables;
    for (const auto& table : request.tables)
    {
        tables.push_back(&table);
    }
    Draft draft = MakeDraft(MakeOptions(0), tables, request.evidence);
    draft.block.model = ModelOf(draft.order);
    request.ballot = CertifiedBlock();
    request.ballot->block = draft.block;
}

ConsensusMessage
CommitteeBench::MakeAbandoned() const
{
    const ConsensusOptions options = MakeOptions(0);
    ConsensusMessage request;
    request.kind = ConsensusKind::REQUEST;
    request.ballot = CertifiedBlock();
    Block& block = request.ballot->block;
    block.kind = BlockKind::ABANDONED;
    block.model = options.model;
    return request;
}

void
CommitteeBench::Say(ConsensusMessage message, uint32_t receiver)
{
    SayAs(m_byzantine, std::move(message), receiver);
}

void
CommitteeBench::SayAs(uint32_t speaker, ConsensusMessage message, uint32_t receiver)
{
    message.rule = QuorumRule::BYZANTINE;
    message.sender = speaker;
    message.Sign(*m_keys);
    Pass(std::move(message), receiver);
}

void
CommitteeBench::Pass(ConsensusMessage message, uint32_t receiver)
{
    const uint32_t speaker = message.sender;
    m_flights.push_back(
        {speaker, receiver, std::make_shared<const ConsensusMessage>(std::move(message))});
    Deliver([speaker, receiver](const Flight& flight) {
        return flight.sender == speaker && flight.receiver == receiver;
    });
}

std::optional<CertifiedBlock>
CommitteeBench::Certify(CommitteeVote vote, uint32_t view, const Block& block) const
{
    const Digest digest = block.GetDigest();
    CertifiedBlock certified{block, view, {}, {}};
    const auto collect = [&](uint32_t inView) {
        std::vector<Consent> consents = {
            {m_byzantine,
             m_keys->Sign(m_byzantine, MakeStatement(vote, m_byzantine, 0, inView, digest))}};
        std::set<uint32_t> members = {m_byzantine};
        for (const auto& consent : m_consents)
        {
            if (consent->vote == vote && consent->attempt == inView &&
                consent->proposal.digest == digest && members.insert(consent->sender).second)
            {
                consents.push_back({consent->sender, consent->authenticator});
            }
        }
        return consents;
    };
    certified.consents = collect(view);
    if (vote == CommitteeVote::ELECTION && block.kind == BlockKind::ABANDONED)
    {
        certified.shares = collect(ANY_VIEW);
    }
    return certified.consents.size() >= QUORUM ? std::optional(certified) : std::nullopt;
}

ConsensusMessage
CommitteeBench::MakeCommit(CommitteeVote vote, const CertifiedBlock& certified)
{
    ConsensusMessage commit;
    commit.kind = ConsensusKind::COMMIT;
    commit.vote = vote;
    commit.attempt = certified.view;
    commit.ballot = certified;
    return commit;
}

uint32_t
CommitteeBench::Push(const ConsensusMessage& request,
                     uint32_t view,
                     const std::vector<uint32_t>& victims)
{
    ConsensusMessage step = request;
    step.attempt = view;
    uint32_t found = 0;
    for (const auto vote : {CommitteeVote::AGGREGATION, CommitteeVote::ELECTION})
    {
        for (const uint32_t victim : victims)
        {
            Say(step, victim);
        }
        const auto certified = Certify(vote, view, request.ballot->block);
        if (!certified)
        {
            return found;
        }
        ++found;
        step = MakeCommit(vote, *certified);
    }
    for (const uint32_t victim : victims)
    {
        Say(step, victim);
    }
    return found;
}

} // namespace tests
