/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-application.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/collab-compat.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(BeliefConsensusApplication);

namespace
{

/// @param numbers of a belief, NaN for those that have not come
/// @param older numbers of the same user's
/// @return the newest that are known of each
Belief
FillFrom(const std::vector<double>& numbers, const std::vector<double>& older)
{
    std::vector<double> newest(numbers.size());
    std::transform(numbers.begin(),
                   numbers.end(),
                   older.begin(),
                   newest.begin(),
                   [](double number, double old) { return std::isnan(number) ? old : number; });
    return std::make_shared<const std::vector<double>>(std::move(newest));
}

} // namespace

TypeId
BeliefConsensusApplication::GetTypeId()
{
    using App = BeliefConsensusApplication;
    static TypeId tid =
        TypeId("ns3::collab::BeliefConsensusApplication")
            .SetParent<BeliefUserApplication>()
            .SetGroupName("Collab")
            .AddConstructor<BeliefConsensusApplication>()
            .AddAttribute("Deadline",
                          "Longest time from a user's broadcast to the end of its wait for its "
                          "neighbors.",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&App::m_deadline),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("Interval",
                          "Time from the begin of an instant to the begin of the next, by clocks "
                          "that all users share; a wait ends in time for the pool to be done by "
                          "then. 0: an instant begins when the one before has ended.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&App::m_interval),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("MissingPolicy",
                          "What happens to the weights of neighbors that were not heard in an "
                          "instant.",
                          compat::EnumAttribute(MissingBeliefPolicy::SELF),
                          compat::EnumAccessor(&App::m_missingPolicy),
                          compat::EnumChecker(MissingBeliefPolicy::SELF,
                                              "Self",
                                              MissingBeliefPolicy::RENORMALIZE,
                                              "Renormalize",
                                              MissingBeliefPolicy::STALE,
                                              "Stale"))
            .AddAttribute("Jitter",
                          "Longest time from the update to the broadcast, which is uniformly "
                          "random up to that: it parts broadcasts of the same instant.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&App::m_jitter),
                          MakeTimeChecker(Time()))
            .AddAttribute("TellDegrees",
                          "Whether users tell with each belief how many neighbors they have heard "
                          "in the instant before, and weight those that they hear by Metropolis' "
                          "rule on these numbers: W follows who is there and in reach.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&App::m_tellsDegrees),
                          MakeBooleanChecker())
            .AddAttribute("EstimatingUsers",
                          "Number of users, with ids from 0, who estimate their influence v: with "
                          "each belief they tell the share that each user has in it, 4 bytes each, "
                          "and raise their likelihoods to the power 1 / v. 0: nobody does.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&App::m_estimatingUsers),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

BeliefConsensusApplication::BeliefConsensusApplication()
    : m_uniform(CreateObject<UniformRandomVariable>())
{
}

int64_t
BeliefConsensusApplication::AssignUserStreams(int64_t stream)
{
    m_uniform->SetStream(stream);
    return 1;
}

Columns<BeliefConsensusApplication::Metrics>
BeliefConsensusApplication::GetOwnColumns() const
{
    Columns<Metrics> columns = {
        {"self_weight",
         "1",
         "weight of the own belief in the pool, after losses and clipping",
         &Metrics::selfWeight},
        {"lag", "s", "time by which the instant began later than its interval did", &Metrics::lag}};
    if (m_estimatingUsers > 0)
    {
        columns.Add({"influence",
                     "1",
                     "estimate of v, by which the user counted its data in the instant",
                     &Metrics::influence});
    }
    return columns;
}

void
BeliefConsensusApplication::DoStart()
{
    if (m_tellsDegrees)
    {
        m_degree = static_cast<uint32_t>(m_devices.size());
    }
    if (m_estimatingUsers > 0)
    {
        NS_ABORT_MSG_IF(GetDeviceId() >= m_estimatingUsers ||
                            m_missingPolicy == MissingBeliefPolicy::STALE,
                        "BeliefConsensusApplication on node "
                            << GetDeviceId() << ": EstimatingUsers " << m_estimatingUsers
                            << ", expected more than each id, and no MissingPolicy Stale");
        m_shares.assign(m_estimatingUsers, 0);
        m_shares[GetDeviceId()] = 1;
    }
    BeliefUserApplication::DoStart();
}

std::optional<uint32_t>
BeliefConsensusApplication::FindPresentRound() const
{
    if (m_interval.IsZero())
    {
        return BeliefUserApplication::FindPresentRound();
    }
    const int64_t step = m_interval.GetTimeStep();
    const int64_t next = ((Simulator::Now() - GetStart()).GetTimeStep() + step - 1) / step;
    return static_cast<uint32_t>(std::min<int64_t>(next, GetRounds()));
}

Time
BeliefConsensusApplication::GetSlotBegin() const
{
    return GetStart() + GetRound() * m_interval;
}

Process
BeliefConsensusApplication::Round()
{
    if (!m_interval.IsZero() && Simulator::Now() < GetSlotBegin())
    {
        EnterPhase("idle");
        co_await Delay(GetSlotBegin() - Simulator::Now());
    }
    m_metrics.lag = m_interval.IsZero() ? Time() : Simulator::Now() - GetSlotBegin();
    const bool isAlone = m_devices.empty();
    m_metrics.influence = m_shares.empty() ? 1 : m_shares[GetDeviceId()];

    const Belief b = co_await Update(m_belief, isAlone && IsMeasuring()); // (2)
    co_await Exchange();
    std::vector<BeliefWeightsRecord::Entry> entries;
    const auto told = Collect(b, entries);
    if (m_degree)
    {
        m_degree = static_cast<uint32_t>(told.size() - 1); // who was heard has a weight
    }
    const Pooled pool = co_await Pool(told, m_missingPolicy, IsMeasuring() && !isAlone); // (3)

    m_belief = pool.belief;
    TraceEffective(std::move(entries), pool.weights);
    for (auto& [device, heard] : m_heard)
    {
        heard.beliefs.erase(heard.beliefs.begin(), heard.beliefs.upper_bound(GetRound()));
    }
    ReportInstant();
}

Process
BeliefConsensusApplication::Exchange()
{
    EnterPhase("exchange");
    const Time now = Simulator::Now();
    const Time tell = now + Seconds(m_uniform->GetValue(0, m_jitter.GetSeconds()));
    Time end = tell + m_deadline;
    Time expiry = end;
    if (!m_interval.IsZero())
    {
        const Time pool = GetPoolDuration(1 + m_devices.size(), m_missingPolicy);
        end = std::max(tell, std::min(end, GetSlotBegin() + m_interval - pool));
        expiry = end > tell ? end : expiry; // too late for this instant, and good for later ones
    }
    co_await AnyOf(TellAndHear(tell - now, expiry), Sleep(end - now));
    const auto fresh = std::count_if(
        m_devices.begin(), m_devices.end(), [this](uint32_t device) { return HasTold(device); });
    CountMessages(static_cast<std::size_t>(fresh), m_devices.size());
}

Process
BeliefConsensusApplication::TellAndHear(Time jitter, Time expiry)
{
    co_await Delay(jitter);
    Tell(expiry);
    co_await WaitUntil([this]() {
        return std::all_of(m_devices.begin(), m_devices.end(), [this](uint32_t device) {
            return HasTold(device);
        });
    });
}

bool
BeliefConsensusApplication::HasTold(uint32_t device) const
{
    const auto heard = m_heard.find(device);
    return heard != m_heard.end() && heard->second.beliefs.count(GetRound()) > 0;
}

void
BeliefConsensusApplication::HandleBelief(const Received<PublicBelief>& message, Belief belief)
{
    Heard& heard = m_heard[message.sender];
    const bool isWhole = message->arrived.IsWhole();
    if (!heard.newest || message.round >= heard.newestRound)
    {
        heard.newest = isWhole || !heard.newest ? belief : FillFrom(*belief, *heard.newest);
        heard.newestRound = message.round;
    }
    if (message.round >= GetRound()) // else it is too late for its instant
    {
        heard.beliefs[message.round] = {
            std::move(belief), isWhole, message->degree, message->shares};
    }
}

std::vector<double>
BeliefConsensusApplication::GetRow() const
{
    if (!m_tellsDegrees)
    {
        return GetWeights();
    }
    std::vector<std::optional<uint32_t>> degrees;
    for (const uint32_t device : m_devices)
    {
        degrees.push_back(HasTold(device) ? m_heard.at(device).beliefs.at(GetRound()).degree
                                          : std::nullopt);
    }
    return MakeHeardRow(*m_degree, degrees);
}

std::pair<Belief, std::string>
BeliefConsensusApplication::FindBelief(uint32_t device) const
{
    const auto heard = m_heard.find(device);
    const bool usesOld = m_missingPolicy == MissingBeliefPolicy::STALE && !m_tellsDegrees;
    if (HasTold(device))
    {
        const Told& told = heard->second.beliefs.at(GetRound());
        const Belief belief =
            usesOld && !told.isWhole ? FillFrom(*told.belief, *heard->second.newest) : told.belief;
        return {belief, told.isWhole ? "fresh" : "partial"};
    }
    if (usesOld && heard != m_heard.end())
    {
        return {heard->second.newest, "stale"};
    }
    return {nullptr, "missing"};
}

std::vector<WeightedBelief>
BeliefConsensusApplication::Collect(const Belief& b,
                                    std::vector<BeliefWeightsRecord::Entry>& entries) const
{
    const std::vector<double> row = GetRow();
    std::vector<Belief> beliefs;
    std::vector<bool> isThere;
    entries.push_back({GetDeviceId(), 0, "self"});
    double self = 1;
    for (std::size_t j = 0; j < row.size(); ++j)
    {
        self -= row[j];
        auto [belief, source] = FindBelief(m_devices[j]);
        beliefs.push_back(belief);
        isThere.push_back(belief != nullptr);
        entries.push_back({m_devices[j], 0, std::move(source)});
    }
    const auto weights =
        ComputeEffectiveWeights(row, std::max(self, 0.0), isThere, m_missingPolicy);
    std::vector<WeightedBelief> pooled = {{b, weights[0]}};
    for (std::size_t j = 0; j < beliefs.size(); ++j)
    {
        if (weights[j + 1] > 0)
        {
            pooled.push_back({beliefs[j], weights[j + 1]});
            entries[j + 1].weight = weights[j + 1];
        }
    }
    entries[0].weight = weights[0];
    return pooled;
}

void
BeliefConsensusApplication::TraceEffective(std::vector<BeliefWeightsRecord::Entry> entries,
                                           const std::vector<double>& weights)
{
    auto weight = weights.begin();
    for (auto& entry : entries)
    {
        if (entry.weight > 0 || entry.source == "self") // these were in the pool
        {
            entry.weight = *weight++;
        }
    }
    m_metrics.selfWeight = entries[0].weight;
    m_shares = MergeShares(entries);
    TraceWeights(std::move(entries));
}

std::vector<float>
BeliefConsensusApplication::MergeShares(
    const std::vector<BeliefWeightsRecord::Entry>& entries) const
{
    std::vector<double> merged(m_shares.size(), 0.0);
    for (const auto& entry : entries)
    {
        const bool isOwn = entry.peer == GetDeviceId();
        for (std::size_t user = 0; user < merged.size() && entry.weight > 0; ++user)
        {
            merged[user] +=
                entry.weight * (isOwn ? m_shares
                                      : m_heard.at(entry.peer).beliefs.at(GetRound()).shares)[user];
        }
    }
    return {merged.begin(), merged.end()};
}

} // namespace ns3::collab
