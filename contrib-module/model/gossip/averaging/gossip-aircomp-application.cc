/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-aircomp-application.h"

#include "ns3/abort.h"
#include "ns3/collab-vector-stack.h"
#include "ns3/gossip-averaging.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(AirCompGossipApplication);

TypeId
AirCompGossipApplication::GetTypeId()
{
    static TypeId tid = TypeId("ns3::collab::AirCompGossipApplication")
                            .SetParent<AveragingGossipApplication>()
                            .SetGroupName("Collab")
                            .AddConstructor<AirCompGossipApplication>();
    return tid;
}

void
AirCompGossipApplication::DoStart()
{
    GossipApplication::DoStart();
    const auto require = [this](bool isSo, const std::string& what) {
        NS_ABORT_MSG_UNLESS(
            isSo, "AirCompGossipApplication on node " << GetDeviceId() << ": it needs " << what);
    };
    require(GetLossPolicy() == LossPolicy::RELIABLE,
            "the LossPolicy Reliable, for what devices have to know of a slot");
    require(GetNumbers() == GetLearner()->GetParameterCount() && GetNumbers() == m_dimension,
            "a model without state beside its weights, such as running variances, which noise "
            "would make negative");
    const auto neighbors = FindNeighbors();
    if (!neighbors.empty())
    {
        GetTransport()->GetAnalogPort(neighbors.front()); // refuses what has none
    }
    Collect(m_heads, gossip::AirHead(), false);
    OnPeer<gossip::AirSlot>([this](const Received<gossip::AirSlot>& slot) { HandleSlot(slot); });
}

Process
AirCompGossipApplication::Round() // Xing et al., section IV
{
    co_await TrainLocally();
    const auto neighbors = FindNeighbors();
    MakeOffer(neighbors);
    co_await WaitFor(m_heads, neighbors);
    const D2dAnalogPlan plan = MakePlan();
    std::optional<D2dAnalogMean> mean;
    if (!plan.takers.empty())
    {
        mean = co_await Superpose(plan);
    }
    std::map<uint32_t, bool> received; // by neighbor
    for (std::size_t i = 0; i < plan.takers.size(); ++i)
    {
        received[plan.takers[i].node] = mean && mean->heard[i] > 0;
    }
    for (const uint32_t neighbor : neighbors)
    {
        NoteExchange(neighbor, 0, received[neighbor]);
    }
    if (mean)
    {
        const auto mix = [own = m_offer.model, mean = std::move(*mean)]() {
            return MixSuperposed(*own, mean.values, mean.weights, mean.blockValues);
        };
        co_await Merge(CountMergeFlops(GetNumbers(), GetNumbers()), mix);
    }
    ReportRound();
}

void
AirCompGossipApplication::MakeOffer(const std::vector<uint32_t>& neighbors)
{
    m_offer = {GetRound(), static_cast<uint32_t>(neighbors.size()), GetModel()};
    gossip::AirHead head;
    head.neighbors = neighbors;
    head.limits.assign(neighbors.size(), 0);
    for (std::size_t i = 0; AreFinite(*m_offer.model) && i < neighbors.size(); ++i)
    {
        const AnalogPort port = GetTransport()->GetAnalogPort(neighbors[i]);
        head.limits[i] = port.air->GetLimit(*port.radio, *port.peer, *m_offer.model);
    }
    Broadcast(head, MakeControlOptions());
}

D2dAnalogPlan
AirCompGossipApplication::MakePlan()
{
    D2dAnalogPlan plan;
    plan.values = m_dimension;
    plan.slot = GetRound();
    plan.amplitude = std::numeric_limits<float>::max();
    for (const auto& [device, head] : Take(m_heads))
    {
        const auto& offered = head->neighbors;
        const auto own = std::lower_bound(offered.begin(), offered.end(), GetDeviceId());
        if (own == offered.end() || *own != GetDeviceId())
        {
            continue;
        }
        const float limit = head->limits[own - offered.begin()];
        if (limit > 0) // it reaches this device
        {
            const double weight =
                GetMetropolisWeight(m_offer.neighbors, static_cast<uint32_t>(offered.size()));
            plan.takers.push_back({device, weight});
            plan.amplitude = std::min(plan.amplitude, limit / weight);
        }
    }
    return plan;
}

ProcessOf<std::optional<D2dAnalogMean>>
AirCompGossipApplication::Superpose(D2dAnalogPlan plan)
{
    EnterPhase("superpose");
    gossip::AirSlot slot;
    slot.amplitude = static_cast<float>(plan.amplitude);
    slot.neighbors = m_offer.neighbors;
    for (const auto& taker : plan.takers)
    {
        slot.takers.push_back(taker.node);
    }
    plan.amplitude = slot.amplitude;
    const auto isAnnounced = std::make_shared<bool>(false);
    SendOptions options = MakeControlOptions();
    options.delivered = [this, isAnnounced](const DeliveryReport&) {
        *isAnnounced = true;
        CheckWaits();
    };
    Multicast(std::make_shared<const std::vector<uint32_t>>(slot.takers), Pack(slot), options);
    const auto canBegin = [isAnnounced]() { return *isAnnounced; };
    co_await WaitUntil(canBegin, GetMixTimeout()); // a silent radio reports nothing

    const AnalogPort port = GetTransport()->GetAnalogPort(slot.takers.front());
    const auto isEnded = std::make_shared<bool>(false);
    const auto mean = std::make_shared<std::optional<D2dAnalogMean>>();
    port.air->Receive(
        port.radio, std::move(plan), [this, isEnded, mean](std::optional<D2dAnalogMean> received) {
            *isEnded = true;
            *mean = std::move(received);
            CheckWaits();
        });
    const auto isOver = [isEnded]() { return *isEnded; };
    co_await WaitUntil(isOver);
    co_return std::move(*mean);
}

void
AirCompGossipApplication::HandleSlot(const Received<gossip::AirSlot>& slot)
{
    const auto& takers = slot->takers;
    const auto [latest, isFirst] = m_called.emplace(slot.sender, slot.round);
    Require<PayloadError>(isFirst || latest->second < slot.round, "a slot that has come already");
    latest->second = slot.round;
    if (slot.round != m_offer.round || !m_offer.model ||
        !std::binary_search(takers.begin(), takers.end(), GetDeviceId()))
    {
        return;
    }
    const auto weight = static_cast<float>(GetMetropolisWeight(slot->neighbors, m_offer.neighbors));
    auto numbers = std::make_shared<std::vector<float>>(*m_offer.model);
    for (float& number : *numbers)
    {
        number *= weight;
    }
    const uint32_t receiver = slot.sender;
    const AnalogPort port = GetTransport()->GetAnalogPort(receiver);
    m_signals[receiver] = port.air->Send({port.radio,
                                          receiver,
                                          std::move(numbers),
                                          [this, receiver](bool) { m_signals.erase(receiver); },
                                          slot.round});
}

} // namespace ns3::collab
