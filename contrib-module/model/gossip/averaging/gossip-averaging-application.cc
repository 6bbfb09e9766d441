/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-averaging-application.h"

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(AveragingGossipApplication);

TypeId
AveragingGossipApplication::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::AveragingGossipApplication")
            .SetParent<GossipApplication>()
            .SetGroupName("Collab")
            .AddAttribute("MixTimeout",
                          "Longest wait for the messages of a round, some of whose senders may "
                          "train.",
                          TimeValue(Seconds(30)),
                          MakeTimeAccessor(&AveragingGossipApplication::m_mixTimeout),
                          MakeTimeChecker(NanoSeconds(1)));
    return tid;
}

Process
AveragingGossipApplication::MergeMean(
    std::map<uint32_t, std::shared_ptr<const gossip::Push>> models)
{
    if (models.empty())
    {
        co_return;
    }
    std::vector<GossipPart> parts;
    for (const auto& [sender, push] : models)
    {
        parts.push_back({0, push->values->data(), m_dimension, 1, push->arrived});
    }
    const auto average = [own = GetModel(), models, parts]() {
        return MergeParts(*own, 1, parts); // which point into the models
    };
    co_await Merge(CountMergeFlops(GetNumbers(), parts.size() * GetNumbers()), average);
}

std::vector<uint32_t>
AveragingGossipApplication::FindNeighbors() const
{
    std::vector<uint32_t> neighbors = GetTransport()->GetNeighbors();
    const auto isForeign = [this](uint32_t device) { return !IsPeer(device); };
    neighbors.erase(std::remove_if(neighbors.begin(), neighbors.end(), isForeign), neighbors.end());
    return neighbors;
}

Time
AveragingGossipApplication::GetMixTimeout() const
{
    return m_mixTimeout;
}

} // namespace ns3::collab
