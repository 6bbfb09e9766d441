/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-dfedavgm-application.h"

#include "ns3/abort.h"
#include "ns3/collab-random.h"
#include "ns3/collab-read-attribute.h"
#include "ns3/string.h"

#include <utility>

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(DecentralizedFedAvgmApplication);

TypeId
DecentralizedFedAvgmApplication::GetTypeId()
{
    using App = DecentralizedFedAvgmApplication;
    static TypeId tid =
        AddAttack(TypeId("ns3::collab::DecentralizedFedAvgmApplication")
                      .SetParent<NeighborGossipApplication>()
                      .SetGroupName("Collab")
                      .AddConstructor<App>())
            .AddAttribute("Defense",
                          "How models of neighbors are mixed of which some may be forged: none, "
                          "clipping or nearest, with parameters (see MakeGossipDefense()).",
                          StringValue("none"),
                          MakeStringAccessor(&App::SetDefense, &App::GetDefense),
                          MakeStringChecker());
    return tid;
}

void
DecentralizedFedAvgmApplication::SetDefense(std::string specification)
{
    m_defense = ReadAttribute("Defense", specification, MakeGossipDefense);
    m_defenseName = std::move(specification);
}

std::string
DecentralizedFedAvgmApplication::GetDefense() const
{
    return m_defenseName;
}

void
DecentralizedFedAvgmApplication::DoStart()
{
    NeighborGossipApplication::DoStart();
    NS_ABORT_MSG_IF(m_defense->NeedsModels() && !GetCompressor()->IsExact(),
                    "DecentralizedFedAvgmApplication on node "
                        << GetDeviceId() << ": the Defense " << m_defenseName
                        << " compares models; allowed is the Compression float32");
    Collect(m_mail, ExpectVector<gossip::Trained>(), false);
}

Process
DecentralizedFedAvgmApplication::Round() // Sun et al., algorithms 1 and 2
{
    const GradientWithdrawal atTheEnd(GetAdversary());
    const FlatVector before = GetModel(); // x^t(i)
    GetAdversary().Begin(GetRound());
    co_await TrainLocally(); // y^(t,k+1) = y^(t,k) - eta g + theta (y^(t,k) - y^(t,k-1))
    const FlatVector trained = GetModel(); // z^t(i) = y^(t,K)
    const auto neighbors = FindNeighbors();
    const FlatVector told = co_await Tell(before, trained, neighbors.size());
    const gossip::Trained own = MakeTrained(before, trained, neighbors.size());
    Broadcast(told == trained ? own : MakeTrained(before, told, neighbors.size()));
    co_await Await(m_mail, neighbors);

    std::vector<GossipTerm> terms;
    for (const auto& [sender, message] : Take(m_mail))
    {
        terms.push_back(
            {GetMetropolisWeight(own.neighbors, message->neighbors), message->vector.GetValues()});
    }
    // x^(t+1)(i) = sum of w_il z^t(l), or x^t(i) + sum of w_il q^t(l)
    const bool isExact = GetCompressor()->IsExact();
    const auto mix = [terms, before, isExact, values = own.vector.GetValues(), rule = m_defense]() {
        return isExact ? rule->Mix(*values, terms)
                       : MixTerms(*AddVectors(*before, *values), *values, terms, 1);
    };
    co_await Merge(m_defense->CountFlops(terms.size(), GetNumbers()), mix);
    ReportRound();
}

ProcessOf<FlatVector>
DecentralizedFedAvgmApplication::Tell(FlatVector before, FlatVector trained, std::size_t neighbors)
{
    if (GetAdversary().GetAttack().empty())
    {
        co_return trained;
    }
    GradientAdversary::Upload upload;
    upload.round = GetRound();
    upload.honest = SubtractVectors(*trained, *before);
    upload.count = neighbors + 1;
    upload.seed = SplitMix64(SplitMix64(~m_seed + GetDeviceId()) + GetRound());
    upload.model = before;
    const FlatVector forged = co_await Forge(upload);
    co_return forged == upload.honest ? trained : AddVectors(*before, *forged);
}

gossip::Trained
DecentralizedFedAvgmApplication::MakeTrained(const FlatVector& before,
                                             const FlatVector& trained,
                                             std::size_t neighbors) const
{
    gossip::Trained message;
    message.neighbors = static_cast<uint32_t>(neighbors);
    const bool isExact = GetCompressor()->IsExact();
    message.vector = EncodeVector(isExact ? trained : SubtractVectors(*trained, *before),
                                  *GetCompressor(), // q^t(i) = Q(z^t(i) - x^t(i))
                                  GetEncodingSeed(),
                                  GetLearner()->GetMultiplicity());
    return message;
}

} // namespace ns3::collab
