/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-push-application.h"

#include "ns3/boolean.h"

#include <functional>
#include <utility>
#include <vector>

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(StochasticGradientPushApplication);

TypeId
StochasticGradientPushApplication::GetTypeId()
{
    using App = StochasticGradientPushApplication;
    static TypeId tid = TypeId("ns3::collab::StochasticGradientPushApplication")
                            .SetParent<AveragingGossipApplication>()
                            .SetGroupName("Collab")
                            .AddConstructor<App>()
                            .AddAttribute("RunningSums",
                                          "Whether messages have all that was sent to their "
                                          "receiver, so that no mass is lost with them.",
                                          BooleanValue(true),
                                          MakeBooleanAccessor(&App::m_usesSums),
                                          MakeBooleanChecker());
    return tid;
}

double
StochasticGradientPushApplication::GetWeight() const
{
    return m_mass ? m_mass->w : 1;
}

void
StochasticGradientPushApplication::DoStart()
{
    GossipApplication::DoStart();
    const FlatVector model = GetModel();
    m_mass = std::make_shared<const GossipMass>(
        GossipMass{std::vector<double>(model->begin(), model->end()), 1});
    gossip::Mass expected;
    expected.numbers = GetNumbers();
    expected.multiplicity = GetLearner()->GetMultiplicity();
    expected.maxWeight = static_cast<double>(GetDevices().size()) * GetRounds();
    Collect(m_mail, expected, true);
}

Process
StochasticGradientPushApplication::Round() // Assran et al., algorithm 1
{
    const FlatVector before = GetModel(); // z_i
    const std::size_t hop = GetExponentialHop(GetDevices().size(), GetRound());
    co_await TrainLocally();             // lines 2 to 4
    co_await Push(before, GetPeer(hop)); // line 5
    const std::vector<uint32_t> sender = {GetPeer(GetDevices().size() - hop)};
    co_await Await(m_mail, sender);
    co_await Add(); // lines 6 to 8
    ReportRound();
}

uint32_t
StochasticGradientPushApplication::GetPeer(std::size_t distance) const
{
    const auto own = std::lower_bound(GetDevices().begin(), GetDevices().end(), GetDeviceId());
    const auto place = static_cast<std::size_t>(own - GetDevices().begin());
    return GetDevices()[(place + distance) % GetDevices().size()];
}

Process
StochasticGradientPushApplication::Push(FlatVector before, uint32_t receiver)
{
    /// What is kept, what the receiver was sent, and the message
    struct Pushed
    {
        std::shared_ptr<GossipMass> half;
        std::shared_ptr<GossipMass> sum;
        FlatVector values;
    };

    const auto known = m_usesSums ? m_sent[receiver] : nullptr;
    const std::function<Pushed()> halve = [mass = m_mass, known, before, trained = GetModel()]() {
        Pushed pushed;
        pushed.half = std::make_shared<GossipMass>(StepAndHalve(*mass, *before, *trained));
        pushed.sum = std::make_shared<GossipMass>(*pushed.half);
        for (std::size_t i = 0; known && i < known->x.size(); ++i)
        {
            pushed.sum->x[i] += known->x[i];
        }
        pushed.sum->w += known ? known->w : 0;
        pushed.values =
            std::make_shared<const std::vector<float>>(pushed.sum->x.begin(), pushed.sum->x.end());
        return pushed;
    };
    const Pushed pushed = co_await Compute("push", 5 * GetNumbers(), halve);
    m_mass = pushed.half;
    if (m_usesSums)
    {
        m_sent[receiver] = pushed.sum;
    }
    gossip::Mass message;
    message.weight = pushed.sum->w;
    message.values = pushed.values;
    message.numbers = GetNumbers();
    message.multiplicity = GetLearner()->GetMultiplicity();
    Post(receiver, Pack(std::move(message)));
}

Process
StochasticGradientPushApplication::Add()
{
    using Message = std::shared_ptr<const gossip::Mass>;
    std::vector<std::pair<Message, Message>> arrived; // and what is to be taken off it, or null
    for (auto& [sender, messages] : m_mail)
    {
        const auto end = messages.upper_bound(GetRound());
        for (auto message = messages.begin(); message != end; ++message)
        {
            const auto taken = m_takenRounds.find(sender);
            Message& last = m_taken[sender];
            const bool isNew = taken == m_takenRounds.end() || message->first > taken->second;
            if (isNew && !(last && message->second->weight <= last->weight))
            {
                arrived.emplace_back(message->second, last);
                last = m_usesSums ? message->second : nullptr;
                m_takenRounds[sender] = message->first;
            }
        }
        messages.erase(messages.begin(), end);
    }
    if (arrived.empty())
    {
        co_return;
    }
    const auto sum = std::make_shared<GossipMass>(*m_mass);
    const auto add = [sum, arrived]() {
        for (const auto& [message, last] : arrived)
        {
            for (std::size_t i = 0; i < sum->x.size(); ++i)
            {
                sum->x[i] += (*message->values)[i];
                sum->x[i] -= last ? (*last->values)[i] : 0;
            }
            sum->w += message->weight - (last ? last->weight : 0);
        }
        return GetRatio(*sum);
    };
    co_await Merge((2 * arrived.size() + 1) * GetNumbers(), add);
    m_mass = sum;
}

} // namespace ns3::collab
