/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-teleportation-application.h"

#include "ns3/abort.h"
#include "ns3/gossip-averaging.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(TeleportationApplication);

TypeId
TeleportationApplication::GetTypeId()
{
    using App = TeleportationApplication;
    static TypeId tid =
        TypeId("ns3::collab::TeleportationApplication")
            .SetParent<AveragingGossipApplication>()
            .SetGroupName("Collab")
            .AddConstructor<App>()
            .AddAttribute("Active",
                          "Devices that train in a round (k); at most as many as there are.",
                          UintegerValue(4),
                          MakeUintegerAccessor(&App::m_active),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

void
TeleportationApplication::DoStart()
{
    GossipApplication::DoStart();
    NS_ABORT_MSG_UNLESS(m_active <= GetDevices().size(),
                        "TeleportationApplication on node " << GetDeviceId()
                                                            << ": Active=" << m_active << " of "
                                                            << GetDevices().size() << " devices");
    Collect(m_pushes, MakeWeights<gossip::Push>(GetNumbers()), false);
    Collect(m_arrivals, MakeWeights<gossip::Teleport>(GetNumbers()), false);
}

std::optional<uint32_t>
TeleportationApplication::FindPresentRound() const
{
    return GetRound(); // rounds without a turn end by themselves
}

Process
TeleportationApplication::Round() // Takezawa and Stich, algorithm 1
{
    co_await WaitForTurn();
    if (FindTurn() == GetRound())
    {
        const uint32_t place = *FindPlace(GetRound());
        co_await Fetch(place);
        co_await TrainLocally();
        co_await Exchange(place);
        Teleport(place);
    }
    else
    {
        ForgetScores(); // its model is of an earlier round
    }
    ReportRound();
}

std::vector<uint32_t>
TeleportationApplication::DrawPlaces(uint32_t round) const
{
    return DrawOrdered(GetDevices(), m_active, m_seed, round);
}

std::optional<uint32_t>
TeleportationApplication::FindPlace(uint32_t round) const
{
    const auto places = DrawPlaces(round);
    const auto place = std::find(places.begin(), places.end(), GetDeviceId());
    return place == places.end() ? std::nullopt : std::optional<uint32_t>(place - places.begin());
}

uint32_t
TeleportationApplication::FindTurn()
{
    if (!m_turn || *m_turn < GetRound())
    {
        m_turn = GetRound();
        while (*m_turn < GetRounds() && !FindPlace(*m_turn))
        {
            ++*m_turn;
        }
    }
    return *m_turn;
}

Process
TeleportationApplication::WaitForTurn()
{
    const uint32_t turn = FindTurn();
    if (turn == 0 || turn == GetRounds())
    {
        co_return;
    }
    EnterPhase("wait");
    const auto isOfTurn = [turn](const auto& messages) {
        return !messages.second.empty() && messages.second.rbegin()->first >= turn;
    };
    const auto hasBegun = [this, isOfTurn]() {
        return std::any_of(m_arrivals.begin(), m_arrivals.end(), isOfTurn) ||
               std::any_of(m_pushes.begin(), m_pushes.end(), isOfTurn);
    };
    const Time latest = GetStart() + 2 * (turn + 1) * GetMixTimeout();
    co_await WaitUntil(hasBegun, Max(latest - Simulator::Now(), Time()));
}

Process
TeleportationApplication::Fetch(uint32_t place)
{
    const uint32_t source = GetRound() == 0 ? GetDeviceId() : DrawPlaces(GetRound() - 1)[place];
    if (source == GetDeviceId())
    {
        co_return; // it has the model
    }
    const std::vector<uint32_t> sources(1, source);
    co_await Await(m_arrivals, sources, "fetch");
    for (const auto& [sender, arrival] : Take(m_arrivals))
    {
        if (sender == source)
        {
            GetLearner()->SetWeights(arrival->Complete(*GetModel()));
        }
    }
}

Process
TeleportationApplication::Exchange(uint32_t place)
{
    const auto places = DrawPlaces(GetRound());
    std::vector<uint32_t> receivers;
    std::vector<uint32_t> senders;
    for (uint32_t hop = 1; hop < m_active; hop *= 2)
    {
        receivers.push_back(places[(place + hop) % m_active]);
        senders.push_back(places[(place + m_active - hop) % m_active]);
    }
    if (receivers.empty())
    {
        co_return;
    }
    std::sort(receivers.begin(), receivers.end());
    std::sort(senders.begin(), senders.end());
    Multicast(std::make_shared<const std::vector<uint32_t>>(receivers),
              Pack(MakeWeights<gossip::Push>(GetNumbers(), GetModel())));
    co_await Await(m_pushes, senders);
    co_await MergeMean(Take(m_pushes));
}

void
TeleportationApplication::Teleport(uint32_t place)
{
    const uint32_t next = GetRound() + 1;
    if (next < GetRounds())
    {
        const uint32_t receiver = DrawPlaces(next)[place];
        if (receiver != GetDeviceId())
        {
            Send(receiver,
                 Pack(MakeWeights<gossip::Teleport>(GetNumbers(), GetModel())),
                 std::nullopt,
                 next);
        }
    }
}

} // namespace ns3::collab
