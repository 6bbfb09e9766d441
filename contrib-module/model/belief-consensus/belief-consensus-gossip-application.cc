/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus-gossip-application.h"

#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("BeliefGossipApplication");
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

/**
 * @param variable a random variable that is made by its attributes
 * @return another one with the same
 */
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

void
BeliefGossipApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    DoHalt();
    m_updateInterval = nullptr;
    m_exponential = nullptr;
    BeliefUserApplication::DoDispose();
}

void
BeliefGossipApplication::DoHalt()
{
    m_updateEvent.Cancel();
    m_waiting.clear();
}

std::vector<Metric>
BeliefGossipApplication::GetOwnMetrics() const
{
    return {{"merged", "", "beliefs of neighbors merged since the update before"},
            {"outdated", "", "beliefs since then that came after a newer one of their sender"}};
}

void
BeliefGossipApplication::BeginRound()
{
    NS_LOG_FUNCTION(this << GetRound());
    EnterPhase("listen");
    m_due = (GetRound() == 0 ? Simulator::Now() : m_due) + DrawInterval();
    m_updateEvent = Simulator::Schedule(std::max(m_due - Simulator::Now(), Time()), [this]() {
        m_isUpdateDue = true;
        Continue();
    });
    Continue(); // one that waits is merged, be the update late as it may
}

Time
BeliefGossipApplication::DrawInterval()
{
    return Seconds(m_updateInterval ? m_updateInterval->GetValue()
                                    : m_exponential->GetValue(1 / m_updateRate, 0));
}

void
BeliefGossipApplication::HandleBelief(const Message& message, Belief belief)
{
    uint32_t& newest = m_newest[message.sender];
    if (message.sequence <= newest)
    {
        ++m_outdated;
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
    Continue();
}

void
BeliefGossipApplication::Continue()
{
    if (m_isBusy)
    {
        return;
    }
    if (m_isUpdateDue)
    {
        BeginUpdate();
    }
    else if (!m_waiting.empty())
    {
        BeginMerge();
    }
}

void
BeliefGossipApplication::BeginUpdate()
{
    m_isUpdateDue = false;
    m_isBusy = true;
    Update(GetBelief(), IsMeasuring(), [this](const Belief& b) {
        m_isBusy = false;
        SetBelief(b);
        Tell(Time::Max());
        const std::vector<double> own = {static_cast<double>(m_merged),
                                         static_cast<double>(m_outdated)};
        CountMessages(m_merged, m_merged + m_outdated);
        m_merged = 0;
        m_outdated = 0;
        EndInstant(own);
    });
}

void
BeliefGossipApplication::BeginMerge()
{
    const Waiting next = m_waiting.front();
    m_waiting.erase(m_waiting.begin());
    const auto neighbor = std::find(GetDevices().begin(), GetDevices().end(), next.sender);
    const double weight = GetWeights()[static_cast<std::size_t>(neighbor - GetDevices().begin())];
    m_isBusy = true;
    Pool({{GetBelief(), 1 - weight}, {next.belief, weight}},
         false,
         [this, sender = next.sender](const Belief& pool, const std::vector<double>& weights) {
             m_isBusy = false;
             SetBelief(pool);
             ++m_merged;
             TraceWeights({{GetDeviceId(), weights[0], "self"}, {sender, weights[1], "fresh"}});
             EnterPhase("listen");
             Continue();
         });
}

} // namespace collab
} // namespace ns3
