/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-dfedavgm-application.h"

#include "gossip-averaging.h"

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(DecentralizedFedAvgmApplication);

TypeId
DecentralizedFedAvgmApplication::GetTypeId()
{
    static TypeId tid = TypeId("ns3::collab::DecentralizedFedAvgmApplication")
                            .SetParent<NeighborGossipApplication>()
                            .SetGroupName("Collab")
                            .AddConstructor<DecentralizedFedAvgmApplication>();
    return tid;
}

void
DecentralizedFedAvgmApplication::DoStart()
{
    NeighborGossipApplication::DoStart();
    Collect(m_mail, ExpectVector<gossip::Trained>(), false);
}

Process
DecentralizedFedAvgmApplication::Round() // Sun et al., algorithms 1 and 2
{
    const FlatVector before = GetModel(); // x^t(i)
    co_await TrainLocally(); // y^(t,k+1) = y^(t,k) - eta g + theta (y^(t,k) - y^(t,k-1))
    const FlatVector trained = GetModel(); // z^t(i) = y^(t,K)
    const auto neighbors = FindNeighbors();
    const bool isExact = GetCompressor()->IsExact();
    gossip::Trained own;
    own.neighbors = static_cast<uint32_t>(neighbors.size());
    own.vector = EncodeVector(isExact ? trained : SubtractVectors(*trained, *before),
                              *GetCompressor(), // q^t(i) = Q(z^t(i) - x^t(i))
                              GetEncodingSeed(),
                              GetLearner()->GetMultiplicity());
    Broadcast(own);
    co_await Await(m_mail, neighbors);

    std::vector<GossipTerm> terms;
    for (const auto& [sender, message] : Take(m_mail))
    {
        terms.push_back(
            {GetMetropolisWeight(own.neighbors, message->neighbors), message->vector.GetValues()});
    }
    const FlatVector values = own.vector.GetValues();
    // x^(t+1)(i) = sum of w_il z^t(l), or x^t(i) + sum of w_il q^t(l)
    const auto mix = [terms, values, start = isExact ? values : AddVectors(*before, *values)]() {
        return MixTerms(*start, *values, terms, 1);
    };
    co_await Merge((3 * terms.size() + 2) * GetNumbers(), mix);
    ReportRound();
}

} // namespace ns3::collab
