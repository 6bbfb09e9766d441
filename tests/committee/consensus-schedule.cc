#include "ns3/collab-packed-message.h"
/*
#include "ns3/collab-packed-message.h"
 * Copyright (c) 2026 ns-3 collab authors
#include "ns3/collab-packed-message.h"
 *
#include "ns3/collab-packed-message.h"
 * SPDX-License-Identifier: GPL-2.0-only
#include "ns3/collab-packed-message.h"
 */
#include "committee/consensus-schedule.h"
#include "committee/schedule-dice.h"

#include "ns3/collab-packed-message.h"

#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>
using namespace ns3::collab;
#include "ns3/collab-packed-message.h"
namespace tests
#include "ns3/collab-packed-message.h"
{
#include "ns3/collab-packed-message.h"
namespace
#include "ns3/collab-packed-message.h"
{
#include "ns3/collab-packed-message.h"
/// Time for a round once faults are over [ns]
#include "ns3/collab-packed-message.h"
constexpr uint64_t CALM = 300 * SECOND;
#include "ns3/collab-packed-message.h"
/**
#include "ns3/collab-packed-message.h"
 * @param dice to draw with
#include "ns3/collab-packed-message.h"
 * @param clients number of them
#include "ns3/collab-packed-message.h"
 * @param mayMiss whether members may lack gradients
#include "ns3/collab-packed-message.h"
 * @param[in,out] schedule gets the members' scores
#include "ns3/collab-packed-message.h"
 */
#include "ns3/collab-packed-message.h"
void
#include "ns3/collab-packed-message.h"
DrawScores(ScheduleDice& dice, uint32_t clients, bool mayMiss, Schedule& schedule)
#include "ns3/collab-packed-message.h"
{
#include "ns3/collab-packed-message.h"
    const double missing = mayMiss ? dice.Pick({0, 0, 0.01, 0.1}) : 0;
#include "ns3/collab-packed-message.h"
    boost::random::normal_distribution<double> normal;
#include "ns3/collab-packed-message.h"
    for (uint32_t round = 0; round < schedule.rounds; ++round)
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        std::vector<double> gradients;
#include "ns3/collab-packed-message.h"
        for (uint32_t k = 0; k < clients; ++k)
#include "ns3/collab-packed-message.h"
        {
#include "ns3/collab-packed-message.h"
            gradients.push_back(normal(dice.GetGenerator()));
#include "ns3/collab-packed-message.h"
        }
#include "ns3/collab-packed-message.h"
        for (const uint32_t member : schedule.options.members)
#include "ns3/collab-packed-message.h"
        {
#include "ns3/collab-packed-message.h"
            const double own = normal(dice.GetGenerator());
#include "ns3/collab-packed-message.h"
            for (uint32_t k = 0; k < clients; ++k)
#include "ns3/collab-packed-message.h"
            {
#include "ns3/collab-packed-message.h"
                if (!dice.Chance(missing))
#include "ns3/collab-packed-message.h"
                {
#include "ns3/collab-packed-message.h"
                    const double distance = gradients[k] - own;
#include "ns3/collab-packed-message.h"
                    schedule.scores[round][member][k] = 1 / (distance * distance);
#include "ns3/collab-packed-message.h"
                }
#include "ns3/collab-packed-message.h"
            }
#include "ns3/collab-packed-message.h"
            schedule.scores[round][member]; // even if it is empty
#include "ns3/collab-packed-message.h"
        }
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
}
#include "ns3/collab-packed-message.h"
/**
#include "ns3/collab-packed-message.h"
 * @param dice to draw with
#include "ns3/collab-packed-message.h"
 * @param clients number of them
#include "ns3/collab-packed-message.h"
 * @param[in,out] schedule gets its Byzantine members and clients
#include "ns3/collab-packed-message.h"
 */
#include "ns3/collab-packed-message.h"
void
#include "ns3/collab-packed-message.h"
DrawByzantine(ScheduleDice& dice, uint32_t clients, Schedule& schedule)
#include "ns3/collab-packed-message.h"
{
#include "ns3/collab-packed-message.h"
    const ConsensusOptions& options = schedule.options;
#include "ns3/collab-packed-message.h"
    const auto count = static_cast<uint32_t>(options.members.size());
#include "ns3/collab-packed-message.h"
    const bool isPaper = options.rule == QuorumRule::PAPER;
#include "ns3/collab-packed-message.h"
    const uint32_t most = isPaper ? (count - 1) / 2 : options.faults;
#include "ns3/collab-packed-message.h"
    const auto byzantine = dice.Number(most > 0 ? 1 : 0, most);
#include "ns3/collab-packed-message.h"
    std::vector<uint32_t> order = Shuffled(options.members, dice.GetGenerator());
#include "ns3/collab-packed-message.h"
    order.resize(byzantine);
#include "ns3/collab-packed-message.h"
    for (const uint32_t member : order)
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        const std::string names = dice.Misbehavior();
#include "ns3/collab-packed-message.h"
        schedule.byzantine[member] = ParseMisbehavior(names);
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
    if (dice.Chance(0.3))
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        schedule.divergent.insert(static_cast<uint32_t>(dice.Number(0, clients - 1)));
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
}
#include "ns3/collab-packed-message.h"
/**
#include "ns3/collab-packed-message.h"
 * @param dice to draw with
#include "ns3/collab-packed-message.h"
 * @param[in,out] schedule gets losses, delays, partitions and crashes
#include "ns3/collab-packed-message.h"
 */
#include "ns3/collab-packed-message.h"
void
#include "ns3/collab-packed-message.h"
DrawFaults(ScheduleDice& dice, Schedule& schedule)
#include "ns3/collab-packed-message.h"
{
#include "ns3/collab-packed-message.h"
    const ConsensusOptions& options = schedule.options;
#include "ns3/collab-packed-message.h"
    const bool isPaper = options.rule == QuorumRule::PAPER;
#include "ns3/collab-packed-message.h"
    schedule.loss = dice.Pick({0, 0, 0.02, 0.1, 0.5});
#include "ns3/collab-packed-message.h"
    schedule.duplication = dice.Pick({0, 0.1});
#include "ns3/collab-packed-message.h"
    schedule.maxDelay = static_cast<uint64_t>(dice.Pick({0.001, 0.1, 0.5, 3}) * SECOND);
#include "ns3/collab-packed-message.h"
    schedule.maxAggregation = static_cast<uint64_t>(dice.Pick({0, 0.1, 1.5}) * SECOND);
#include "ns3/collab-packed-message.h"
    for (const uint32_t member : options.members)
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        schedule.begins[member] = dice.Number(0, dice.Chance(0.5) ? 0 : 3 * SECOND / 2);
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
    const uint64_t length = 2 * options.GetLongestRoundNs();
#include "ns3/collab-packed-message.h"
    schedule.faultsEnd = isPaper ? UINT64_MAX : length + length / 2;
#include "ns3/collab-packed-message.h"
    std::size_t gone = schedule.byzantine.size(); // f at most are Byzantine or crash for good
#include "ns3/collab-packed-message.h"
    while (dice.Chance(0.3))
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        Partition partition;
#include "ns3/collab-packed-message.h"
        partition.begin = dice.Number(0, length);
#include "ns3/collab-packed-message.h"
        partition.end = partition.begin + dice.Number(0, length / 2);
#include "ns3/collab-packed-message.h"
        partition.side = dice.Half(options.members);
#include "ns3/collab-packed-message.h"
        schedule.partitions.push_back(partition);
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
    while (dice.Chance(0.3))
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        Crash crash;
#include "ns3/collab-packed-message.h"
        crash.member = options.members[dice.Number(0, options.members.size() - 1)];
#include "ns3/collab-packed-message.h"
        crash.begin = dice.Number(0, length);
#include "ns3/collab-packed-message.h"
        const bool isForGood = dice.Chance(0.3) && (isPaper || gone++ < options.faults);
#include "ns3/collab-packed-message.h"
        crash.end = isForGood ? UINT64_MAX : crash.begin + dice.Number(0, length / 4);
#include "ns3/collab-packed-message.h"
        schedule.crashes.push_back(crash);
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
}
#include "ns3/collab-packed-message.h"
} // namespace
#include "ns3/collab-packed-message.h"
ScheduleRun::ScheduleRun(Schedule schedule)
#include "ns3/collab-packed-message.h"
    : m_schedule(std::move(schedule)),
#include "ns3/collab-packed-message.h"
      m_keys(std::make_shared<const KeyRing>(m_schedule.seed, 32)),
#include "ns3/collab-packed-message.h"
      m_conspiracy(std::make_shared<Conspiracy>()),
#include "ns3/collab-packed-message.h"
      m_generator(m_schedule.seed)
#include "ns3/collab-packed-message.h"
{
#include "ns3/collab-packed-message.h"
    m_conspiracy->firstHalf = m_schedule.firstHalf;
#include "ns3/collab-packed-message.h"
    for (const auto& [member, misbehavior] : m_schedule.byzantine)
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        m_conspiracy->accomplices.insert(member);
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
}
#include "ns3/collab-packed-message.h"
bool
#include "ns3/collab-packed-message.h"
ScheduleRun::IsHonest(uint32_t member) const
#include "ns3/collab-packed-message.h"
{
#include "ns3/collab-packed-message.h"
    return m_schedule.byzantine.count(member) == 0;
#include "ns3/collab-packed-message.h"
}
#include "ns3/collab-packed-message.h"
double
#include "ns3/collab-packed-message.h"
ScheduleRun::Draw()
#include "ns3/collab-packed-message.h"
{
#include "ns3/collab-packed-message.h"
    return boost::random::uniform_01<double>()(m_generator);
#include "ns3/collab-packed-message.h"
}
#include "ns3/collab-packed-message.h"
void
#include "ns3/collab-packed-message.h"
ScheduleRun::Push(Event event)
#include "ns3/collab-packed-message.h"
{
#include "ns3/collab-packed-message.h"
    event.order = m_order++;
#include "ns3/collab-packed-message.h"
    m_events.push(std::move(event));
#include "ns3/collab-packed-message.h"
}
#include "ns3/collab-packed-message.h"
uint64_t
#include "ns3/collab-packed-message.h"
ScheduleRun::CountDowntime() const
#include "ns3/collab-packed-message.h"
{
#include "ns3/collab-packed-message.h"
    uint64_t downtime = 0;
#include "ns3/collab-packed-message.h"
    for (const auto& crash : m_schedule.crashes)
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        downtime += crash.end == UINT64_MAX ? 0 : crash.end - crash.begin;
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
    return downtime;
#include "ns3/collab-packed-message.h"
}
#include "ns3/collab-packed-message.h"
std::optional<uint64_t>
#include "ns3/collab-packed-message.h"
ScheduleRun::DownUntil(uint32_t member, uint64_t time) const
#include "ns3/collab-packed-message.h"
{
#include "ns3/collab-packed-message.h"
    std::optional<uint64_t> end;
#include "ns3/collab-packed-message.h"
    for (const auto& crash : m_schedule.crashes)
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        if (crash.member == member && crash.begin <= time && time < crash.end)
#include "ns3/collab-packed-message.h"
        {
#include "ns3/collab-packed-message.h"
            end = std::max(end.value_or(0), crash.end);
#include "ns3/collab-packed-message.h"
        }
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
    return end;
#include "ns3/collab-packed-message.h"
}
#include "ns3/collab-packed-message.h"
bool
#include "ns3/collab-packed-message.h"
ScheduleRun::IsCut(uint32_t a, uint32_t b) const
#include "ns3/collab-packed-message.h"
{
#include "ns3/collab-packed-message.h"
    return std::any_of(m_schedule.partitions.begin(),
#include "ns3/collab-packed-message.h"
                       m_schedule.partitions.end(),
#include "ns3/collab-packed-message.h"
                       [&](const Partition& partition) {
#include "ns3/collab-packed-message.h"
                           return partition.begin <= m_now && m_now < partition.end &&
#include "ns3/collab-packed-message.h"
                                  partition.side.count(a) != partition.side.count(b);
#include "ns3/collab-packed-message.h"
                       });
#include "ns3/collab-packed-message.h"
}
#include "ns3/collab-packed-message.h"
bool
#include "ns3/collab-packed-message.h"
ScheduleRun::IsCalm() const
#include "ns3/collab-packed-message.h"
{
#include "ns3/collab-packed-message.h"
    return m_schedule.faultsEnd != UINT64_MAX && m_now >= m_begin + m_schedule.faultsEnd;
#include "ns3/collab-packed-message.h"
}
#include "ns3/collab-packed-message.h"
GradientDigests
#include "ns3/collab-packed-message.h"
ScheduleRun::GetGradients(uint32_t member) const
#include "ns3/collab-packed-message.h"
{
#include "ns3/collab-packed-message.h"
    GradientDigests gradients;
#include "ns3/collab-packed-message.h"
    for (const auto& [client, score] : m_schedule.scores.at(m_round).at(member))
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        std::vector<uint8_t> bytes = {static_cast<uint8_t>(m_round), static_cast<uint8_t>(client)};
#include "ns3/collab-packed-message.h"
        if (m_schedule.divergent.count(client))
#include "ns3/collab-packed-message.h"
        {
#include "ns3/collab-packed-message.h"
            bytes.push_back(static_cast<uint8_t>(member));
#include "ns3/collab-packed-message.h"
        }
#include "ns3/collab-packed-message.h"
        gradients[client] = ComputeDigest(bytes);
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
    return gradients;
#include "ns3/collab-packed-message.h"
}
#include "ns3/collab-packed-message.h"
std::optional<Digest>
#include "ns3/collab-packed-message.h"
ScheduleRun::Aggregate(uint32_t member, const AggregationOrder& order) const
#include "ns3/collab-packed-message.h"
{
#include "ns3/collab-packed-message.h"
    std::vector<uint8_t> bytes;
#include "ns3/collab-packed-message.h"
    const GradientDigests heard = GetGradients(member);
#include "ns3/collab-packed-message.h"
    for (const uint32_t client : order.clients)
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        if (m_schedule.options.rule == QuorumRule::BYZANTINE) // what it lacks it fetches
#include "ns3/collab-packed-message.h"
        {
#include "ns3/collab-packed-message.h"
            const Digest& digest = order.gradients.at(client);
#include "ns3/collab-packed-message.h"
            bytes.insert(bytes.end(), digest.begin(), digest.end());
#include "ns3/collab-packed-message.h"
            continue;
#include "ns3/collab-packed-message.h"
        }
#include "ns3/collab-packed-message.h"
        if (IsHonest(member) && heard.count(client) == 0)
#include "ns3/collab-packed-message.h"
        {
#include "ns3/collab-packed-message.h"
            return std::nullopt;
#include "ns3/collab-packed-message.h"
        }
#include "ns3/collab-packed-message.h"
        bytes.push_back(static_cast<uint8_t>(client));
#include "ns3/collab-packed-message.h"
        if (m_schedule.divergent.count(client))
#include "ns3/collab-packed-message.h"
        {
#include "ns3/collab-packed-message.h"
            bytes.push_back(static_cast<uint8_t>(member));
#include "ns3/collab-packed-message.h"
        }
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
    return ComputeDigest(bytes);
#include "ns3/collab-packed-message.h"
}
#include "ns3/collab-packed-message.h"
ScheduleResult
#include "ns3/collab-packed-message.h"
ScheduleRun::Play()
#include "ns3/collab-packed-message.h"
{
#include "ns3/collab-packed-message.h"
    uint64_t latest = 0;
#include "ns3/collab-packed-message.h"
    for (const auto& [member, begin] : m_schedule.begins)
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        latest = std::max(latest, begin);
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
    const bool isBounded = m_schedule.faultsEnd == UINT64_MAX;
#include "ns3/collab-packed-message.h"
    const uint64_t length = latest + m_schedule.options.GetLongestRoundNs() + CountDowntime() + 1 +
#include "ns3/collab-packed-message.h"
                            (isBounded ? 0 : m_schedule.faultsEnd + CALM);
#include "ns3/collab-packed-message.h"
    for (m_round = 0; m_round < m_schedule.rounds; ++m_round)
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        StartRound(m_round, m_round * length);
#include "ns3/collab-packed-message.h"
        while (!m_events.empty() && m_events.top().time < (m_round + 1) * length)
#include "ns3/collab-packed-message.h"
        {
#include "ns3/collab-packed-message.h"
            const Event event = m_events.top();
#include "ns3/collab-packed-message.h"
            m_events.pop();
#include "ns3/collab-packed-message.h"
            m_now = event.time;
#include "ns3/collab-packed-message.h"
            Handle(event);
#include "ns3/collab-packed-message.h"
        }
#include "ns3/collab-packed-message.h"
        CheckRound(m_round);
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
    return m_result;
#include "ns3/collab-packed-message.h"
}
#include "ns3/collab-packed-message.h"
void
#include "ns3/collab-packed-message.h"
ScheduleRun::StartRound(uint32_t round, uint64_t time)
#include "ns3/collab-packed-message.h"
{
#include "ns3/collab-packed-message.h"
    m_begin = time;
#include "ns3/collab-packed-message.h"
    for (const uint32_t member : m_schedule.options.members)
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        ConsensusOptions options = m_schedule.options;
#include "ns3/collab-packed-message.h"
        options.round = round;
#include "ns3/collab-packed-message.h"
        options.self = member;
#include "ns3/collab-packed-message.h"
        Participant& participant = m_participants[member];
#include "ns3/collab-packed-message.h"
        participant = Participant();
#include "ns3/collab-packed-message.h"
        participant.machine = MakeMember(options);
#include "ns3/collab-packed-message.h"
        const auto begin = m_schedule.begins.find(member);
#include "ns3/collab-packed-message.h"
        participant.begin = time + (begin == m_schedule.begins.end() ? 0 : begin->second);
#include "ns3/collab-packed-message.h"
        Event event;
#include "ns3/collab-packed-message.h"
        event.time = participant.begin;
#include "ns3/collab-packed-message.h"
        event.member = member;
#include "ns3/collab-packed-message.h"
        event.round = round;
#include "ns3/collab-packed-message.h"
        Push(event);
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
}
#include "ns3/collab-packed-message.h"
std::unique_ptr<CommitteeMember>
#include "ns3/collab-packed-message.h"
ScheduleRun::MakeMember(const ConsensusOptions& given)
#include "ns3/collab-packed-message.h"
{
#include "ns3/collab-packed-message.h"
    ConsensusOptions options = given;
#include "ns3/collab-packed-message.h"
    const uint32_t member = options.self;
#include "ns3/collab-packed-message.h"
    const uint64_t seed = m_schedule.seed + member;
#include "ns3/collab-packed-message.h"
    if (options.rule == QuorumRule::PAPER && IsHonest(member))
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        return std::make_unique<CommitteeConsensus>(options, m_keys);
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
    if (options.rule == QuorumRule::PAPER)
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        const auto oracle = [this, member](const std::vector<uint32_t>& set) {
#include "ns3/collab-packed-message.h"
            AggregationOrder order;
#include "ns3/collab-packed-message.h"
            order.clients = set;
#include "ns3/collab-packed-message.h"
            return Aggregate(member, order);
#include "ns3/collab-packed-message.h"
        };
#include "ns3/collab-packed-message.h"
        return std::make_unique<ByzantineMember>(
#include "ns3/collab-packed-message.h"
            options, m_keys, m_schedule.byzantine.at(member), m_conspiracy, oracle, seed);
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
    std::set<uint32_t> clients;
#include "ns3/collab-packed-message.h"
    for (const auto& [scorer, scores] : m_schedule.scores.at(m_round))
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        for (const auto& [client, score] : scores)
#include "ns3/collab-packed-message.h"
        {
#include "ns3/collab-packed-message.h"
            clients.insert(client);
#include "ns3/collab-packed-message.h"
        }
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
    options.clients.assign(clients.begin(), clients.end());
#include "ns3/collab-packed-message.h"
    clients.insert(options.members.begin(), options.members.end());
#include "ns3/collab-packed-message.h"
    options.federation.devices.assign(clients.begin(), clients.end());
#include "ns3/collab-packed-message.h"
    options.federation.committee = options.members;
#include "ns3/collab-packed-message.h"
    options.federation.rule = options.rule;
#include "ns3/collab-packed-message.h"
    const auto memory = std::make_shared<ConsensusMemory>();
#include "ns3/collab-packed-message.h"
    if (IsHonest(member))
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        return std::make_unique<ByzantineConsensus>(options, m_keys, memory);
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
    const auto oracle = [this, member](const AggregationOrder& order) {
#include "ns3/collab-packed-message.h"
        return Aggregate(member, order);
#include "ns3/collab-packed-message.h"
    };
#include "ns3/collab-packed-message.h"
    return std::make_unique<CommitteeSaboteur>(
#include "ns3/collab-packed-message.h"
        options, m_keys, memory, m_schedule.byzantine.at(member), m_conspiracy, oracle, seed);
#include "ns3/collab-packed-message.h"
}
#include "ns3/collab-packed-message.h"
void
#include "ns3/collab-packed-message.h"
ScheduleRun::Handle(const Event& event)
#include "ns3/collab-packed-message.h"
{
#include "ns3/collab-packed-message.h"
    const auto down = DownUntil(event.member, m_now);
#include "ns3/collab-packed-message.h"
    if (down)
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        if (event.kind != Event::DELIVER && *down != UINT64_MAX)
#include "ns3/collab-packed-message.h"
        {
#include "ns3/collab-packed-message.h"
            Event later = event;
#include "ns3/collab-packed-message.h"
            later.time = *down;
#include "ns3/collab-packed-message.h"
            Push(later);
#include "ns3/collab-packed-message.h"
        }
#include "ns3/collab-packed-message.h"
        return;
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
    CommitteeMember& machine = *m_participants[event.member].machine;
#include "ns3/collab-packed-message.h"
    if (event.kind == Event::DELIVER)
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        ++m_result.messages;
#include "ns3/collab-packed-message.h"
        ConsensusMessage expected;
#include "ns3/collab-packed-message.h"
        expected.authenticator.resize(32);
#include "ns3/collab-packed-message.h"
        const auto message = Unpack(event.bytes->data(), event.bytes->size(), expected);
#include "ns3/collab-packed-message.h"
        Apply(event.member, machine.HandleMessage(m_now, message->Get()));
#include "ns3/collab-packed-message.h"
        return;
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
    if (event.round != m_round)
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        return;
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
    switch (event.kind)
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
    case Event::BEGIN:
#include "ns3/collab-packed-message.h"
        Apply(event.member,
#include "ns3/collab-packed-message.h"
              machine.Begin(m_now,
#include "ns3/collab-packed-message.h"
                            m_schedule.scores.at(m_round).at(event.member),
#include "ns3/collab-packed-message.h"
                            GetGradients(event.member)));
#include "ns3/collab-packed-message.h"
        break;
#include "ns3/collab-packed-message.h"
    case Event::TIMER:
#include "ns3/collab-packed-message.h"
        Apply(event.member, machine.HandleTimeout(m_now, event.number));
#include "ns3/collab-packed-message.h"
        break;
#include "ns3/collab-packed-message.h"
    case Event::RESULT:
#include "ns3/collab-packed-message.h"
        Apply(event.member, machine.HandleResult(m_now, event.number, event.digest));
#include "ns3/collab-packed-message.h"
        break;
#include "ns3/collab-packed-message.h"
    case Event::DELIVER:
#include "ns3/collab-packed-message.h"
        break;
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
}
#include "ns3/collab-packed-message.h"
void
#include "ns3/collab-packed-message.h"
ScheduleRun::Apply(uint32_t member, const ConsensusOutput& output)
#include "ns3/collab-packed-message.h"
{
#include "ns3/collab-packed-message.h"
    Participant& participant = m_participants[member];
#include "ns3/collab-packed-message.h"
    for (const auto& outgoing : output.messages)
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        for (const uint32_t receiver : m_schedule.options.members)
#include "ns3/collab-packed-message.h"
        {
#include "ns3/collab-packed-message.h"
            if (receiver != member && (!outgoing.receiver || *outgoing.receiver == receiver))
#include "ns3/collab-packed-message.h"
            {
#include "ns3/collab-packed-message.h"
                Transmit(member, receiver, *outgoing.message);
#include "ns3/collab-packed-message.h"
            }
#include "ns3/collab-packed-message.h"
        }
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
    Event event;
#include "ns3/collab-packed-message.h"
    event.member = member;
#include "ns3/collab-packed-message.h"
    event.round = m_round;
#include "ns3/collab-packed-message.h"
    if (output.timer)
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        event.kind = Event::TIMER;
#include "ns3/collab-packed-message.h"
        event.time = m_now + output.timer->delayNs;
#include "ns3/collab-packed-message.h"
        event.number = output.timer->number;
#include "ns3/collab-packed-message.h"
        Push(event);
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
    if (output.toAggregate)
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        event.kind = Event::RESULT;
#include "ns3/collab-packed-message.h"
        event.time = m_now + static_cast<uint64_t>(Draw() * m_schedule.maxAggregation);
#include "ns3/collab-packed-message.h"
        event.number = output.toAggregate->number;
#include "ns3/collab-packed-message.h"
        event.digest = Aggregate(member, *output.toAggregate);
#include "ns3/collab-packed-message.h"
        Push(event);
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
    if (!IsHonest(member))
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        return;
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
    for (const auto& decision : output.decisions)
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        m_result.decisions[{m_round, decision.vote}][member] = decision.proposal;
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
    if (output.block)
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        const Block& block = output.block->block;
#include "ns3/collab-packed-message.h"
        const Digest digest = block.GetDigest();
#include "ns3/collab-packed-message.h"
        m_result.decisions[{m_round, CommitteeVote::AGGREGATION}][member] = {block.clients, digest};
#include "ns3/collab-packed-message.h"
        m_result.decisions[{m_round, CommitteeVote::ELECTION}][member] = {block.committee, digest};
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
    if (output.outcome)
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        participant.outcome = output.outcome;
#include "ns3/collab-packed-message.h"
        participant.ended = m_now;
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
}
#include "ns3/collab-packed-message.h"
void
#include "ns3/collab-packed-message.h"
ScheduleRun::Transmit(uint32_t sender, uint32_t receiver, const ConsensusMessage& message)
#include "ns3/collab-packed-message.h"
{
#include "ns3/collab-packed-message.h"
    auto bytes = std::make_shared<std::vector<uint8_t>>();
#include "ns3/collab-packed-message.h"
    WriteFields(message, *bytes);
#include "ns3/collab-packed-message.h"
    const int copies = Draw() < m_schedule.duplication ? 2 : 1;
#include "ns3/collab-packed-message.h"
    for (int copy = 0; copy < copies; ++copy)
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        Event event;
#include "ns3/collab-packed-message.h"
        event.kind = Event::DELIVER;
#include "ns3/collab-packed-message.h"
        event.member = receiver;
#include "ns3/collab-packed-message.h"
        event.bytes = bytes;
#include "ns3/collab-packed-message.h"
        const uint64_t most =
#include "ns3/collab-packed-message.h"
            IsCalm() ? std::min(m_schedule.maxDelay, CALM_DELAY) : m_schedule.maxDelay;
#include "ns3/collab-packed-message.h"
        event.time =
#include "ns3/collab-packed-message.h"
            m_now + m_schedule.minDelay +
#include "ns3/collab-packed-message.h"
            static_cast<uint64_t>(Draw() * static_cast<double>(most - m_schedule.minDelay));
#include "ns3/collab-packed-message.h"
        const bool isHeard = Draw() >= m_schedule.loss || IsCalm();
#include "ns3/collab-packed-message.h"
        if (isHeard && !IsCut(sender, receiver))
#include "ns3/collab-packed-message.h"
        {
#include "ns3/collab-packed-message.h"
            Push(event);
#include "ns3/collab-packed-message.h"
        }
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
}
#include "ns3/collab-packed-message.h"
void
#include "ns3/collab-packed-message.h"
ScheduleRun::CheckRound(uint32_t round)
#include "ns3/collab-packed-message.h"
{
#include "ns3/collab-packed-message.h"
    uint32_t agreed = 0;
#include "ns3/collab-packed-message.h"
    uint32_t abandoned = 0;
#include "ns3/collab-packed-message.h"
    const uint64_t bound = m_schedule.faultsEnd == UINT64_MAX
#include "ns3/collab-packed-message.h"
                               ? m_schedule.options.GetLongestRoundNs() + CountDowntime()
#include "ns3/collab-packed-message.h"
                               : UINT64_MAX / 2; // within the round's time
#include "ns3/collab-packed-message.h"
    for (const auto& [member, participant] : m_participants)
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        if (!IsHonest(member))
#include "ns3/collab-packed-message.h"
        {
#include "ns3/collab-packed-message.h"
            continue;
#include "ns3/collab-packed-message.h"
        }
#include "ns3/collab-packed-message.h"
        const auto& counters = participant.machine->GetCounters();
#include "ns3/collab-packed-message.h"
        m_result.counters.forged += counters.forged;
#include "ns3/collab-packed-message.h"
        m_result.counters.stale += counters.stale;
#include "ns3/collab-packed-message.h"
        m_result.counters.replayed += counters.replayed;
#include "ns3/collab-packed-message.h"
        m_result.counters.unauthorized += counters.unauthorized;
#include "ns3/collab-packed-message.h"
        m_result.counters.unproven += counters.unproven;
#include "ns3/collab-packed-message.h"
        m_result.counters.late += counters.late;
#include "ns3/collab-packed-message.h"
        const bool isGone = std::any_of(m_schedule.crashes.begin(),
#include "ns3/collab-packed-message.h"
                                        m_schedule.crashes.end(),
#include "ns3/collab-packed-message.h"
                                        [id = member](const Crash& crash) {
#include "ns3/collab-packed-message.h"
                                            return crash.member == id && crash.end == UINT64_MAX;
#include "ns3/collab-packed-message.h"
                                        });
#include "ns3/collab-packed-message.h"
        if (isGone && !participant.outcome)
#include "ns3/collab-packed-message.h"
        {
#include "ns3/collab-packed-message.h"
            continue;
#include "ns3/collab-packed-message.h"
        }
#include "ns3/collab-packed-message.h"
        ++m_result.rounds;
#include "ns3/collab-packed-message.h"
        if (!participant.outcome || participant.ended > participant.begin + bound)
#include "ns3/collab-packed-message.h"
        {
#include "ns3/collab-packed-message.h"
            ++m_result.unfinished;
#include "ns3/collab-packed-message.h"
            m_result.story += fmt::format("member {} does not end round {}; ", member, round);
#include "ns3/collab-packed-message.h"
            continue;
#include "ns3/collab-packed-message.h"
        }
#include "ns3/collab-packed-message.h"
        ++m_result.outcomes[GetName(*participant.outcome)];
#include "ns3/collab-packed-message.h"
        ++(*participant.outcome == ConsensusOutcome::AGREED ? agreed : abandoned);
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
    m_result.partial += agreed > 0 && abandoned > 0 ? 1 : 0;
#include "ns3/collab-packed-message.h"
    for (const auto vote : {CommitteeVote::AGGREGATION, CommitteeVote::ELECTION})
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        std::map<Proposal, std::vector<uint32_t>> followers;
#include "ns3/collab-packed-message.h"
        for (const auto& [member, proposal] : m_result.decisions[{round, vote}])
#include "ns3/collab-packed-message.h"
        {
#include "ns3/collab-packed-message.h"
            followers[proposal].push_back(member);
#include "ns3/collab-packed-message.h"
        }
#include "ns3/collab-packed-message.h"
        if (followers.size() > 1)
#include "ns3/collab-packed-message.h"
        {
#include "ns3/collab-packed-message.h"
            ++m_result.violations;
#include "ns3/collab-packed-message.h"
            for (const auto& [proposal, members] : followers)
#include "ns3/collab-packed-message.h"
            {
#include "ns3/collab-packed-message.h"
                m_result.story += fmt::format("round {}, {}: members {} decide {}; ",
#include "ns3/collab-packed-message.h"
                                              round,
#include "ns3/collab-packed-message.h"
                                              GetName(vote),
#include "ns3/collab-packed-message.h"
                                              members,
#include "ns3/collab-packed-message.h"
                                              proposal.clients);
#include "ns3/collab-packed-message.h"
            }
#include "ns3/collab-packed-message.h"
        }
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
}
#include "ns3/collab-packed-message.h"
Schedule
#include "ns3/collab-packed-message.h"
DrawSchedule(uint64_t seed, const ScheduleDraw& draw)
#include "ns3/collab-packed-message.h"
{
#include "ns3/collab-packed-message.h"
    ScheduleDice dice(seed);
#include "ns3/collab-packed-message.h"
    Schedule schedule;
#include "ns3/collab-packed-message.h"
    schedule.seed = seed;
#include "ns3/collab-packed-message.h"
    schedule.rounds = 2;
#include "ns3/collab-packed-message.h"
    ConsensusOptions& options = schedule.options;
#include "ns3/collab-packed-message.h"
    options.seed = seed;
#include "ns3/collab-packed-message.h"
    options.rule = draw.rule;
#include "ns3/collab-packed-message.h"
    const bool isPaper = draw.rule == QuorumRule::PAPER;
#include "ns3/collab-packed-message.h"
    const auto count = static_cast<uint32_t>(dice.Number(isPaper ? 3 : 4, 10));
#include "ns3/collab-packed-message.h"
    for (uint32_t i = 0; i < count; ++i)
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        options.members.push_back(100 + i);
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
    options.self = options.members[0];
#include "ns3/collab-packed-message.h"
    options.primaryVotes = isPaper && dice.Chance(0.5);
#include "ns3/collab-packed-message.h"
    options.faults = isPaper ? 0 : GetGreatestFaults(count);
#include "ns3/collab-packed-message.h"
    options.maxAttempts = static_cast<uint32_t>(dice.Number(1, count));
#include "ns3/collab-packed-message.h"
    options.selection =
#include "ns3/collab-packed-message.h"
        dice.Chance(0.5) ? SelectionStrategy::SIMILAR : SelectionStrategy::DIFFERENT;
#include "ns3/collab-packed-message.h"
    options.election = static_cast<ElectionStrategy>(dice.Number(0, 2));
#include "ns3/collab-packed-message.h"
    options.alphaPercent = dice.Pick({10, 40, 100});
#include "ns3/collab-packed-message.h"
    const auto clients = static_cast<uint32_t>(dice.Number(count + 1, 3 * count));
#include "ns3/collab-packed-message.h"
    DrawScores(dice, clients, draw.faults, schedule);
#include "ns3/collab-packed-message.h"
    if (draw.byzantine)
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        DrawByzantine(dice, clients, schedule);
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
    schedule.firstHalf = dice.Half(options.members);
#include "ns3/collab-packed-message.h"
    schedule.faultsEnd = isPaper ? UINT64_MAX : 2 * SECOND;
#include "ns3/collab-packed-message.h"
    if (draw.faults)
#include "ns3/collab-packed-message.h"
    {
#include "ns3/collab-packed-message.h"
        DrawFaults(dice, schedule);
#include "ns3/collab-packed-message.h"
    }
#include "ns3/collab-packed-message.h"
    return schedule;
#include "ns3/collab-packed-message.h"
}
#include "ns3/collab-packed-message.h"
std::string
#include "ns3/collab-packed-message.h"
Describe(const Schedule& schedule)
#include "ns3/collab-packed-message.h"
{
#include "ns3/collab-packed-message.h"
    const ConsensusOptions& options = schedule.options;
#include "ns3/collab-packed-message.h"
    return fmt::format(
#include "ns3/collab-packed-message.h"
        "seed {}: C = {}, {} Byzantine, loss {}, delay up to {} s, {} partitions, {} "
#include "ns3/collab-packed-message.h"
        "crashes, {} attempts",
#include "ns3/collab-packed-message.h"
        schedule.seed,
#include "ns3/collab-packed-message.h"
        options.members.size(),
#include "ns3/collab-packed-message.h"
        schedule.byzantine.size(),
#include "ns3/collab-packed-message.h"
        schedule.loss,
#include "ns3/collab-packed-message.h"
        static_cast<double>(schedule.maxDelay) / SECOND,
#include "ns3/collab-packed-message.h"
        schedule.partitions.size(),
#include "ns3/collab-packed-message.h"
        schedule.crashes.size(),
#include "ns3/collab-packed-message.h"
        options.maxAttempts);
#include "ns3/collab-packed-message.h"
}
#include "ns3/collab-packed-message.h"
} // namespace tests
