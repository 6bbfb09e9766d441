/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-application.h"

#include "ns3/collab-compat.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("BeliefConsensusApplication");
NS_OBJECT_ENSURE_REGISTERED(BeliefConsensusApplication);

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
                          MakeTimeChecker(Time()));
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

void
BeliefConsensusApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    DoHalt();
    m_uniform = nullptr;
    m_public.reset();
    m_heard.clear();
    BeliefUserApplication::DoDispose();
}

void
BeliefConsensusApplication::DoHalt()
{
    m_beginEvent.Cancel();
    m_tellEvent.Cancel();
    m_deadlineEvent.Cancel();
}

std::vector<Metric>
BeliefConsensusApplication::GetOwnMetrics() const
{
    return {{"self_weight", "1", "weight of the own belief in the pool, after losses and clipping"},
            {"lag", "s", "time by which the instant began later than its interval did"}};
}

void
BeliefConsensusApplication::DoStart()
{
    BeliefUserApplication::DoStart();
    m_start = Simulator::Now();
}

Time
BeliefConsensusApplication::GetSlotBegin() const
{
    return m_start + GetRound() * m_interval;
}

void
BeliefConsensusApplication::BeginRound()
{
    NS_LOG_FUNCTION(this << GetRound());
    if (m_interval.IsZero() || Simulator::Now() >= GetSlotBegin())
    {
        BeginInstant();
        return;
    }
    EnterPhase("idle");
    m_beginEvent = Simulator::Schedule(
        GetSlotBegin() - Simulator::Now(), &BeliefConsensusApplication::BeginInstant, this);
}

void
BeliefConsensusApplication::BeginInstant()
{
    m_lag = m_interval.IsZero() ? Time() : Simulator::Now() - GetSlotBegin();
    const bool isAlone = GetDevices().empty();
    Update(GetBelief(), isAlone && IsMeasuring(), [this](const Belief& b) { BeginExchange(b); });
}

void
BeliefConsensusApplication::BeginExchange(const Belief& b)
{
    m_public = b;
    const Time tell = Simulator::Now() + Seconds(m_uniform->GetValue(0, m_jitter.GetSeconds()));
    Time end = tell + m_deadline;
    Time expiry = end;
    if (!m_interval.IsZero())
    {
        const Time pool = GetPoolDuration(1 + GetDevices().size());
        end = std::max(tell, std::min(end, GetSlotBegin() + m_interval - pool));
        expiry = end > tell ? end : expiry; // too late for this instant, and good for later ones
    }
    EnterPhase("exchange");
    m_exchanging = true;
    m_tellEvent = Simulator::Schedule(tell - Simulator::Now(), [this, expiry]() {
        Tell(expiry);
        CheckExchange();
    });
    m_deadlineEvent =
        Simulator::Schedule(end - Simulator::Now(), &BeliefConsensusApplication::EndExchange, this);
}

void
BeliefConsensusApplication::HandleBelief(const Message& message, Belief belief)
{
    Heard& heard = m_heard[message.sender];
    if (!heard.newest || message.round >= heard.newestRound)
    {
        heard.newest = belief;
        heard.newestRound = message.round;
    }
    if (message.round < GetRound())
    {
        return; // too late for its instant
    }
    heard.beliefs[message.round] = std::move(belief);
    CheckExchange();
}

void
BeliefConsensusApplication::CheckExchange()
{
    if (!m_exchanging || !m_tellEvent.IsExpired())
    {
        return;
    }
    const auto isHeard = [this](uint32_t device) {
        const auto heard = m_heard.find(device);
        return heard != m_heard.end() && heard->second.beliefs.count(GetRound()) > 0;
    };
    if (std::all_of(GetDevices().begin(), GetDevices().end(), isHeard))
    {
        EndExchange();
    }
}

std::vector<WeightedBelief>
BeliefConsensusApplication::Collect(std::vector<BeliefWeightsRecord::Entry>& entries) const
{
    const std::vector<double> row = GetWeights();
    std::vector<Belief> beliefs;
    std::vector<bool> isThere;
    entries.push_back({GetDeviceId(), 0, "self"});
    double self = 1;
    for (std::size_t j = 0; j < row.size(); ++j)
    {
        self -= row[j];
        Belief belief;
        std::string source = "missing";
        const auto heard = m_heard.find(GetDevices()[j]);
        const bool isKnown = heard != m_heard.end();
        if (isKnown && heard->second.beliefs.count(GetRound()) > 0)
        {
            belief = heard->second.beliefs.at(GetRound());
            source = "fresh";
        }
        else if (isKnown && m_missingPolicy == MissingBeliefPolicy::STALE)
        {
            belief = heard->second.newest;
            source = "stale";
        }
        beliefs.push_back(belief);
        isThere.push_back(belief != nullptr);
        entries.push_back({GetDevices()[j], 0, std::move(source)});
    }
    const auto weights =
        ComputeEffectiveWeights(row, std::max(self, 0.0), isThere, m_missingPolicy);
    std::vector<WeightedBelief> pooled = {{m_public, weights[0]}};
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
BeliefConsensusApplication::EndExchange()
{
    NS_LOG_FUNCTION(this);
    m_exchanging = false;
    m_deadlineEvent.Cancel();
    std::vector<BeliefWeightsRecord::Entry> entries;
    auto pooled = Collect(entries);
    const auto fresh = std::count_if(
        entries.begin(), entries.end(), [](const auto& entry) { return entry.source == "fresh"; });
    CountMessages(static_cast<std::size_t>(fresh), GetDevices().size());
    Pool(std::move(pooled),
         IsMeasuring() && !GetDevices().empty(),
         [this, entries = std::move(entries)](const Belief& pool,
                                              const std::vector<double>& weights) {
             SetBelief(pool);
             TraceEffective(entries, weights);
             for (auto& [device, heard] : m_heard)
             {
                 heard.beliefs.erase(heard.beliefs.begin(), heard.beliefs.upper_bound(GetRound()));
             }
             EndInstant({m_selfWeight, m_lag.GetSeconds()});
         });
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
    m_selfWeight = entries[0].weight;
    TraceWeights(std::move(entries));
}

} // namespace collab
} // namespace ns3
