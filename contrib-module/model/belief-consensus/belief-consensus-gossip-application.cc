/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-gossip-application.h"

#include "ns3/double.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(BeliefGossipApplication);

TypeId
BeliefGossipApplication::GetTypeId()
{
    using App = BeliefGossipApplication;
    static TypeId tid = TypeId("ns3::collab::BeliefGossipApplication")
                            .SetParent<BeliefUserApplication>()
                            .SetGroupName("Collab")
                            .AddConstructor<BeliefGossipApplication>()
                            .AddAttribute("UpdateRate",
                                          "Updates a second, at the times of a Poisson process.",
                                          DoubleValue(1.0),
                                          MakeDoubleAccessor(&App::m_updateRate),
                                          MakeDoubleChecker<double>(1e-9))
                            .AddAttribute("UpdateInterval",
                                          "Times from one update to the next [s], instead of those "
                                          "that UpdateRate gives.",
                                          PointerValue(),
                                          MakePointerAccessor(&App::m_updateInterval),
                                          MakePointerChecker<RandomVariableStream>());
    return tid;
}

namespace
{

/// @param variable a random variable that is made by its attributes
/// @return another one with the same
Ptr<RandomVariableStream>
CopyByAttributes(const RandomVariableStream& variable)
{
    ObjectFactory factory;
    factory.SetTypeId(variable.GetInstanceTypeId());
    for (TypeId type = variable.GetInstanceTypeId(); type.HasParent(); type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation attribute = type.GetAttribute(i);
            Ptr<AttributeValue> value = attribute.checker->Create();
            variable.GetAttribute(attribute.name, *value);
            factory.Set(attribute.name, *value);
        }
    }
    return factory.Create<RandomVariableStream>();
}

} // namespace

void
BeliefGossipApplication::OwnUpdateIntervals(const ApplicationContainer& applications)
{
    for (auto it = applications.Begin(); it != applications.End(); ++it)
    {
        const auto user = DynamicCast<BeliefGossipApplication>(*it);
        if (user && user->m_updateInterval)
        {
            user->m_updateInterval = CopyByAttributes(*user->m_updateInterval);
        }
    }
}

BeliefGossipApplication::BeliefGossipApplication()
    : m_exponential(CreateObject<ExponentialRandomVariable>())
{
}

int64_t
BeliefGossipApplication::AssignUserStreams(int64_t stream)
{
    m_exponential->SetStream(stream);
    if (m_updateInterval)
    {
        m_updateInterval->SetStream(stream);
    }
    return 1;
}

Columns<BeliefGossipApplication::Metrics>
BeliefGossipApplication::GetOwnColumns() const
{
    return {{"merged", "", "beliefs of neighbors merged since the update before", &Metrics::merged},
            {"outdated",
             "",
             "beliefs since then that came after a newer one of their sender",
             &Metrics::outdated}};
}

void
BeliefGossipApplication::DoResume()
{
    m_due = Simulator::Now();
    m_isUpdateDue = false;
    m_waiting.clear();
}

std::optional<uint32_t>
BeliefGossipApplication::FindPresentRound() const
{
    return GetRound(); // updates of its own, whatever others do
}

Process
BeliefGossipApplication::Round()
{
    EnterPhase("listen");
    m_due = (GetRound() == 0 ? Simulator::Now() : m_due) + DrawInterval();
    Spawn(Await());
    // One that waits is merged, be the update late as it may
    co_await WaitUntil([this]() { return m_isUpdateDue || !m_waiting.empty(); });
    while (!m_isUpdateDue)
    {
        co_await MergeFirst();
        EnterPhase("listen");
        co_await WaitUntil([this]() { return m_isUpdateDue || !m_waiting.empty(); });
    }
    m_isUpdateDue = false;
    m_belief = co_await Update(m_belief, IsMeasuring());
    Tell(Time::Max());
    CountMessages(m_metrics.merged, m_metrics.merged + m_metrics.outdated);
    ReportInstant();
}

Process
BeliefGossipApplication::Await()
{
    co_await Delay(std::max(m_due - Simulator::Now(), Time()));
    m_isUpdateDue = true;
    CheckWaits();
}

Time
BeliefGossipApplication::DrawInterval()
{
    return Seconds(m_updateInterval ? m_updateInterval->GetValue()
                                    : m_exponential->GetValue(1 / m_updateRate, 0));
}

void
BeliefGossipApplication::HandleBelief(const Received<PublicBelief>& message, Belief belief)
{
    uint32_t& newest = m_newest[message.sender];
    if (message.sequence <= newest)
    {
        ++m_metrics.outdated;
        return;
    }
    newest = message.sequence;
    const auto waiting = std::find_if(
        m_waiting.begin(), m_waiting.end(), [sender = message.sender](const Waiting& other) {
            return other.sender == sender;
        });
    if (waiting != m_waiting.end())
    {
        waiting->belief = std::move(belief);
        return;
    }
    m_waiting.push_back({message.sender, std::move(belief)});
}

Process
BeliefGossipApplication::MergeFirst()
{
    const Waiting next = m_waiting.front();
    m_waiting.erase(m_waiting.begin());
    const auto neighbor = std::find(m_devices.begin(), m_devices.end(), next.sender);
    const double weight = GetWeights()[static_cast<std::size_t>(neighbor - m_devices.begin())];
    const std::vector<WeightedBelief> both = {{m_belief, 1 - weight}, {next.belief, weight}};
    const Pooled pool = co_await Pool(both, MissingBeliefPolicy::SELF, false);
    m_belief = pool.belief;
    ++m_metrics.merged;
    TraceWeights(
        {{GetDeviceId(), pool.weights[0], "self"}, {next.sender, pool.weights[1], "fresh"}});
}

} // namespace ns3::collab
