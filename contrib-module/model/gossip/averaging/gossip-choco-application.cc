/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-choco-application.h"

#include "ns3/collab-vector-stack.h"
#include "ns3/double.h"
#include "ns3/gossip-averaging.h"

#include <functional>
#include <numeric>
#include <utility>

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(ChocoSgdApplication);

TypeId
ChocoSgdApplication::GetTypeId()
{
    using App = ChocoSgdApplication;
    static TypeId tid = TypeId("ns3::collab::ChocoSgdApplication")
                            .SetParent<NeighborGossipApplication>()
                            .SetGroupName("Collab")
                            .AddConstructor<App>()
                            .AddAttribute("ConsensusStepSize",
                                          "Part of the way to the replicas of neighbors that a "
                                          "model goes in a round (gamma).",
                                          DoubleValue(0.5),
                                          MakeDoubleAccessor(&App::m_stepSize),
                                          MakeDoubleChecker<double>(1e-9, 1));
    return tid;
}

void
ChocoSgdApplication::DoStart()
{
    NeighborGossipApplication::DoStart();
    m_own = GetModel();
    for (const uint32_t peer : ListPeers())
    {
        m_replicas[peer].weights = m_own;
    }
    Collect(m_mail, ExpectVector<gossip::Change>(), true);
    OnPeer<gossip::Lost>([this](const Received<gossip::Lost>&) { m_isAsked = true; });
}

Process
ChocoSgdApplication::Round() // Koloskova et al., algorithm 2
{
    co_await TrainLocally(); // lines 2 and 3: x_i^(t+1/2)
    const auto neighbors = FindNeighbors();
    const auto degree = static_cast<uint32_t>(neighbors.size());
    Broadcast(co_await Encode(degree)); // lines 4 to 6
    co_await Await(m_mail, neighbors);
    TakeChanges();
    co_await Mix(degree); // lines 7 and 8
    ReportRound();
}

ProcessOf<gossip::Change>
ChocoSgdApplication::Encode(uint32_t neighbors)
{
    const std::function<gossip::Change()> encode = [seed = GetEncodingSeed(),
                                                    model = GetModel(),
                                                    own = m_own,
                                                    compressor = GetCompressor(),
                                                    multiplicity =
                                                        GetLearner()->GetMultiplicity()]() {
        gossip::Change change;
        change.vector = EncodeVector( // q_i = Q(x_i^(t+1/2) - x^_i)
            SubtractVectors(*model, *own),
            *compressor,
            seed,
            multiplicity);
        return change;
    };
    gossip::Change change = co_await Compute("encode", 3 * GetNumbers(), encode);
    change.neighbors = neighbors;
    change.version = ++m_version;
    const FlatVector values = change.vector.GetValues();
    if (AreFinite(*values)) // else the training has diverged, and nobody believes it
    {
        m_own = AddVectors(*m_own, *values);
        if (std::exchange(m_isAsked, false))
        {
            change.isWhole = 1;
            change.vector = EncodedVector(m_own, GetLearner()->GetMultiplicity());
        }
    }
    co_return change;
}

void
ChocoSgdApplication::TakeChanges()
{
    for (auto& [peer, messages] : m_mail)
    {
        Replica& replica = m_replicas[peer];
        replica.isCurrent = false;
        bool isLost = false;
        const auto end = messages.upper_bound(GetRound());
        for (auto message = messages.begin(); message != end; ++message)
        {
            const auto& change = message->second;
            if (change->isWhole == 1)
            {
                replica.changes.clear();
            }
            isLost = change->isWhole == 0 && change->version != replica.version + 1;
            if (!isLost)
            {
                replica.changes.push_back(change);
                replica.version = change->version;
                replica.neighbors = change->neighbors;
                replica.isCurrent = message->first == GetRound();
            }
        }
        messages.erase(messages.begin(), end);
        if (isLost)
        {
            Post(peer, Pack(gossip::Lost{}), MakeControlDelivery(GetRound()));
        }
    }
}

Process
ChocoSgdApplication::Mix(uint32_t neighbors)
{
    const auto replicas = std::make_shared<std::map<uint32_t, Replica>>(m_replicas);
    const auto changes = std::accumulate(
        replicas->begin(), replicas->end(), std::size_t{0}, [](std::size_t sum, const auto& entry) {
            return sum + entry.second.changes.size();
        });
    const auto mix = [replicas, neighbors, model = GetModel(), own = m_own, gamma = m_stepSize]() {
        std::vector<GossipTerm> terms;
        for (auto& [peer, replica] : *replicas)
        {
            for (const auto& change : std::exchange(replica.changes, {}))
            {
                const FlatVector values = change->vector.GetValues();
                replica.weights =
                    change->isWhole == 1 ? values : AddVectors(*replica.weights, *values);
            }
            if (std::exchange(replica.isCurrent, false))
            {
                terms.push_back(
                    {GetMetropolisWeight(neighbors, replica.neighbors), replica.weights});
            }
        }
        return MixTerms(*model, *own, terms, gamma);
    };
    co_await Merge((4 * changes + 2) * GetNumbers(), mix);
    m_replicas = std::move(*replicas);
}

} // namespace ns3::collab
