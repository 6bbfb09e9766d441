/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee/consensus-schedule.h"

#include "committee/schedule-dice.h"

#include "ns3/collab-packed-message.h"
#include "ns3/committee-byzantine.h"
#include "ns3/committee-deviant-member.h"
#include "ns3/committee-paper.h"

#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

using namespace ns3::collab;

namespace tests
{

namespace
{

/// Time for a round once faults are over [ns]
constexpr uint64_t CALM = 300 * SECOND;

/// @param dice to draw with
/// @param clients number of them
/// @param mayMiss whether members may lack gradients
/// @param[in,out] schedule gets the members' scores
void
DrawScores(ScheduleDice& dice, uint32_t clients, bool mayMiss, Schedule& schedule)
{
    const double missing = mayMiss ? dice.Pick({0, 0, 0.01, 0.1}) : 0;
    boost::random::normal_distribution<double> normal;
    for (uint32_t round = 0; round < schedule.rounds; ++round)
    {
        std::vector<double> gradients;
        for (uint32_t k = 0; k < clients; ++k)
        {
            gradients.push_back(normal(dice.GetGenerator()));
        }
        for (const uint32_t member : schedule.options.members)
        {
            const double own = normal(dice.GetGenerator());
            for (uint32_t k = 0; k < clients; ++k)
            {
                if (!dice.Chance(missing))
                {
                    const double distance = gradients[k] - own;
                    schedule.scores[round][member][k] = 1 / (distance * distance);
                }
            }
            schedule.scores[round][member]; // even if it is empty
        }
    }
}

/// @param dice to draw with
/// @param clients number of them
/// @param[in,out] schedule gets its Byzantine members and clients
void
DrawByzantine(ScheduleDice& dice, uint32_t clients, Schedule& schedule)
{
    const ConsensusOptions& options = schedule.options;
    const auto count = static_cast<uint32_t>(options.members.size());
    const bool isPaper = options.rule == QuorumRule::PAPER;
    const uint32_t most = isPaper ? (count - 1) / 2 : options.faults;
    const auto byzantine = dice.Number(most > 0 ? 1 : 0, most);
    std::vector<uint32_t> order = Shuffled(options.members, dice.GetGenerator());
    order.resize(byzantine);
    for (const uint32_t member : order)
    {
        const std::string names = dice.Misbehavior();
        schedule.byzantine[member] = ParseMisbehavior(names);
    }
    if (dice.Chance(0.3))
    {
        schedule.divergent.insert(static_cast<uint32_t>(dice.Number(0, clients - 1)));
    }
}

/// @param dice to draw with
/// @param[in,out] schedule gets losses, delays, partitions and crashes
void
DrawFaults(ScheduleDice& dice, Schedule& schedule)
{
    const ConsensusOptions& options = schedule.options;
    const bool isPaper = options.rule == QuorumRule::PAPER;
    schedule.loss = dice.Pick({0, 0, 0.02, 0.1, 0.5});
    schedule.duplication = dice.Pick({0, 0.1});
    schedule.maxDelay = static_cast<uint64_t>(dice.Pick({0.001, 0.1, 0.5, 3}) * SECOND);
    schedule.maxAggregation = static_cast<uint64_t>(dice.Pick({0, 0.1, 1.5}) * SECOND);
    for (const uint32_t member : options.members)
    {
        schedule.begins[member] = dice.Number(0, dice.Chance(0.5) ? 0 : 3 * SECOND / 2);
    }
    const uint64_t length = 2 * options.GetLongestRoundNs();
    schedule.faultsEnd = isPaper ? UINT64_MAX : length + length / 2;
    std::size_t gone = schedule.byzantine.size(); // f at most are Byzantine or crash for good
    while (dice.Chance(0.3))
    {
        Partition partition;
        partition.begin = dice.Number(0, length);
        partition.end = partition.begin + dice.Number(0, length / 2);
        partition.side = dice.Half(options.members);
        schedule.partitions.push_back(partition);
    }
    while (dice.Chance(0.3))
    {
        Crash crash;
        crash.member = options.members[dice.Number(0, options.members.size() - 1)];
        crash.begin = dice.Number(0, length);
        const bool isForGood = dice.Chance(0.3) && (isPaper || gone++ < options.faults);
        crash.end = isForGood ? UINT64_MAX : crash.begin + dice.Number(0, length / 4);
        schedule.crashes.push_back(crash);
    }
}

} // namespace

ScheduleRun::ScheduleRun(Schedule schedule)
    : FaultyNetwork(schedule, schedule.seed),
      m_schedule(std::move(schedule)),
      m_keys(std::make_shared<const KeyRing>(m_schedule.seed, 32)),
      m_conspiracy(std::make_shared<Conspiracy>())
{
    m_conspiracy->firstHalf = m_schedule.firstHalf;
    m_conspiracy->accomplices = m_schedule.accomplices;
    for (const auto& [member, misbehavior] : m_schedule.byzantine)
    {
        m_conspiracy->accomplices.insert(member);
    }
}

bool
ScheduleRun::IsHonest(uint32_t member) const
{
    return m_schedule.byzantine.count(member) == 0;
}

uint64_t
ScheduleRun::CountDowntime() const
{
    uint64_t downtime = 0;
    for (const auto& crash : m_schedule.crashes)
    {
        downtime += crash.end == UINT64_MAX ? 0 : crash.end - crash.begin;
    }
    return downtime;
}

std::optional<uint64_t>
ScheduleRun::DownUntil(uint32_t member) const
{
    std::optional<uint64_t> end;
    for (const auto& crash : m_schedule.crashes)
    {
        if (crash.member == member && crash.begin <= m_now && m_now < crash.end)
        {
            end = std::max(end.value_or(0), crash.end);
        }
    }
    return end;
}

GradientDigests
ScheduleRun::GetGradients(uint32_t member) const
{
    GradientDigests gradients;
    for (const auto& [client, score] : m_schedule.scores.at(m_round).at(member))
    {
        std::vector<uint8_t> bytes = {static_cast<uint8_t>(m_round), static_cast<uint8_t>(client)};
        if (m_schedule.divergent.count(client))
        {
            bytes.push_back(static_cast<uint8_t>(member));
        }
        gradients[client] = ComputeDigest(bytes);
    }
    return gradients;
}

std::optional<Digest>
ScheduleRun::Aggregate(uint32_t member, const AggregationOrder& order) const
{
    std::vector<uint8_t> bytes;
    const GradientDigests heard = GetGradients(member);
    for (const uint32_t client : order.clients)
    {
        if (m_schedule.options.rule == QuorumRule::BYZANTINE) // what it lacks it fetches
        {
            const Digest& digest = order.gradients.at(client);
            bytes.insert(bytes.end(), digest.begin(), digest.end());
            continue;
        }
        if (IsHonest(member) && heard.count(client) == 0)
        {
            return std::nullopt;
        }
        bytes.push_back(static_cast<uint8_t>(client));
        if (m_schedule.divergent.count(client))
        {
            bytes.push_back(static_cast<uint8_t>(member));
        }
    }
    return ComputeDigest(bytes);
}

ScheduleResult
ScheduleRun::Play()
{
    uint64_t latest = 0;
    for (const auto& [member, begin] : m_schedule.begins)
    {
        latest = std::max(latest, begin);
    }
    const bool isBounded = m_schedule.faultsEnd == UINT64_MAX;
    const uint64_t length = latest + m_schedule.options.GetLongestRoundNs() + CountDowntime() + 1 +
                            (isBounded ? 0 : m_schedule.faultsEnd + CALM);
    for (m_round = 0; m_round < m_schedule.rounds; ++m_round)
    {
        StartRound(m_round, m_round * length);
        while (Step((m_round + 1) * length - 1))
        {
        }
        CheckRound(m_round);
    }
    return m_result;
}

void
ScheduleRun::StartRound(uint32_t round, uint64_t time)
{
    m_begin = time;
    for (const uint32_t member : m_schedule.options.members)
    {
        ConsensusOptions options = m_schedule.options;
        options.round = round;
        options.self = member;
        Participant& participant = m_participants[member];
        participant = Participant();
        participant.machine = MakeMember(options);
        const auto begin = m_schedule.begins.find(member);
        participant.begin = time + (begin == m_schedule.begins.end() ? 0 : begin->second);
        Act(member, round, participant.begin, [this, member](CommitteeMember& machine) {
            return machine.Begin(
                m_now, m_schedule.scores.at(m_round).at(member), GetGradients(member));
        });
    }
}

std::unique_ptr<CommitteeMember>
ScheduleRun::MakeMember(const ConsensusOptions& given)
{
    ConsensusOptions options = given;
    const uint32_t member = options.self;
    if (options.rule == QuorumRule::PAPER && IsHonest(member))
    {
        return std::make_unique<CommitteeConsensus>(options, m_keys);
    }
    Deviation deviation;
    if (!IsHonest(member))
    {
        deviation = {m_schedule.byzantine.at(member),
                     m_conspiracy,
                     [this, member](const auto& order) { return Aggregate(member, order); },
                     m_schedule.seed + member};
    }
    if (options.rule == QuorumRule::PAPER)
    {
        return MakeDeviantMember(options, m_keys, nullptr, std::move(deviation));
    }
    std::set<uint32_t> clients;
    for (const auto& [scorer, scores] : m_schedule.scores.at(m_round))
    {
        for (const auto& [client, score] : scores)
        {
            clients.insert(client);
        }
    }
    options.clients.assign(clients.begin(), clients.end());
    clients.insert(options.members.begin(), options.members.end());
    options.federation.devices.assign(clients.begin(), clients.end());
    options.federation.committee = options.members;
    options.federation.rule = options.rule;
    const auto memory = std::make_shared<ConsensusMemory>();
    if (IsHonest(member))
    {
        return std::make_unique<ByzantineConsensus>(options, m_keys, memory);
    }
    return MakeDeviantMember(options, m_keys, memory, std::move(deviation));
}

void
ScheduleRun::Act(uint32_t member, uint32_t round, uint64_t time, const Action& action)
{
    At(time, [this, member, round, action]() {
        if (const auto down = DownUntil(member))
        {
            if (*down != UINT64_MAX)
            {
                Act(member, round, *down, action);
            }
        }
        else if (round == m_round)
        {
            Apply(member, action(*m_participants[member].machine));
        }
    });
}

void
ScheduleRun::Apply(uint32_t member, const ConsensusOutput& output)
{
    for (const auto& outgoing : output.messages)
    {
        for (const uint32_t receiver : m_schedule.options.members)
        {
            if (receiver != member && (!outgoing.receiver || *outgoing.receiver == receiver))
            {
                Send(member, receiver, *outgoing.message);
            }
        }
    }
    if (output.timer)
    {
        const uint64_t time = m_now + output.timer->delayNs;
        Act(member, m_round, time, [this, number = output.timer->number](CommitteeMember& machine) {
            return machine.HandleTimeout(m_now, number);
        });
    }
    if (output.toAggregate)
    {
        const uint64_t time = m_now + static_cast<uint64_t>(Draw() * m_schedule.maxAggregation);
        Act(member,
            m_round,
            time,
            [this,
             number = output.toAggregate->number,
             digest = Aggregate(member, *output.toAggregate)](CommitteeMember& machine) {
                return machine.HandleResult(m_now, number, digest);
            });
    }
    if (IsHonest(member))
    {
        Judge(member, output);
    }
}

void
ScheduleRun::Judge(uint32_t member, const ConsensusOutput& output)
{
    for (const auto& decision : output.decisions)
    {
        m_result.decisions[{m_round, decision.vote}][member] = decision.proposal;
    }
    if (output.block && m_schedule.options.rule == QuorumRule::BYZANTINE)
    {
        const Block& block = output.block->block;
        const Digest digest = block.GetDigest();
        m_result.decisions[{m_round, CommitteeVote::AGGREGATION}][member] = {block.clients, digest};
        m_result.decisions[{m_round, CommitteeVote::ELECTION}][member] = {block.committee, digest};
    }
    if (output.outcome)
    {
        m_participants[member].outcome = output.outcome;
        m_participants[member].ended = m_now;
    }
}

void
ScheduleRun::Send(uint32_t sender, uint32_t receiver, const ConsensusMessage& message)
{
    const auto bytes = std::make_shared<std::vector<uint8_t>>();
    WriteFields(message, *bytes);
    const bool isCalm =
        m_schedule.faultsEnd != UINT64_MAX && m_now >= m_begin + m_schedule.faultsEnd;
    Transmit(sender, receiver, isCalm, [this, receiver, bytes]() {
        if (DownUntil(receiver))
        {
            return;
        }
        ++m_result.messages;
        ConsensusMessage expected;
        expected.authenticator.resize(32);
        const auto read = Unpack(bytes->data(), bytes->size(), expected);
        Apply(receiver, m_participants[receiver].machine->HandleMessage(m_now, read->Get()));
    });
}

void
ScheduleRun::CheckRound(uint32_t round)
{
    uint32_t agreed = 0;
    uint32_t abandoned = 0;
    const uint64_t bound = m_schedule.faultsEnd == UINT64_MAX
                               ? m_schedule.options.GetLongestRoundNs() + CountDowntime()
                               : UINT64_MAX / 2; // within the round's time
    for (const auto& [member, participant] : m_participants)
    {
        if (!IsHonest(member))
        {
            continue;
        }
        const auto& counters = participant.machine->GetCounters();
        m_result.counters.forged += counters.forged;
        m_result.counters.stale += counters.stale;
        m_result.counters.replayed += counters.replayed;
        m_result.counters.unauthorized += counters.unauthorized;
        m_result.counters.unproven += counters.unproven;
        m_result.counters.late += counters.late;
        if (IsGone(member) && !participant.outcome)
        {
            continue;
        }
        ++m_result.rounds;
        if (!participant.outcome || participant.ended > participant.begin + bound)
        {
            ++m_result.unfinished;
            m_result.story += fmt::format("member {} does not end round {}; ", member, round);
            continue;
        }
        ++m_result.outcomes[GetName(*participant.outcome)];
        ++(*participant.outcome == ConsensusOutcome::AGREED ? agreed : abandoned);
    }
    m_result.partial += agreed > 0 && abandoned > 0 ? 1 : 0;
    for (const auto vote : {CommitteeVote::AGGREGATION, CommitteeVote::ELECTION})
    {
        std::map<Proposal, std::vector<uint32_t>> followers;
        for (const auto& [member, proposal] : m_result.decisions[{round, vote}])
        {
            followers[proposal].push_back(member);
        }
        if (followers.size() > 1)
        {
            ++m_result.violations;
            for (const auto& [proposal, members] : followers)
            {
                m_result.story += fmt::format("round {}, {}: members {} decide {}; ",
                                              round,
                                              GetName(vote),
                                              members,
                                              proposal.clients);
            }
        }
    }
}

Schedule
DrawSchedule(uint64_t seed, const ScheduleDraw& draw)
{
    ScheduleDice dice(seed);
    Schedule schedule;
    schedule.seed = seed;
    schedule.rounds = 2;
    ConsensusOptions& options = schedule.options;
    options.seed = seed;
    options.rule = draw.rule;
    const bool isPaper = draw.rule == QuorumRule::PAPER;
    const auto count = static_cast<uint32_t>(dice.Number(isPaper ? 3 : 4, 10));
    for (uint32_t i = 0; i < count; ++i)
    {
        options.members.push_back(100 + i);
    }
    options.self = options.members[0];
    options.primaryVotes = isPaper && dice.Chance(0.5);
    options.faults = isPaper ? 0 : GetGreatestFaults(count);
    options.maxAttempts = static_cast<uint32_t>(dice.Number(1, count));
    options.selection =
        dice.Chance(0.5) ? SelectionStrategy::SIMILAR : SelectionStrategy::DIFFERENT;
    options.election = static_cast<ElectionStrategy>(dice.Number(0, 2));
    options.alphaPercent = dice.Pick({10, 40, 100});
    const auto clients = static_cast<uint32_t>(dice.Number(count + 1, 3 * count));
    DrawScores(dice, clients, draw.faults, schedule);
    if (draw.byzantine)
    {
        DrawByzantine(dice, clients, schedule);
    }
    schedule.firstHalf = dice.Half(options.members);
    schedule.faultsEnd = isPaper ? UINT64_MAX : 2 * SECOND;
    if (draw.faults)
    {
        DrawFaults(dice, schedule);
    }
    return schedule;
}

} // namespace tests
