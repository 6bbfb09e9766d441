/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-epidemic-application.h"

#include "ns3/gossip-averaging.h"
#include "ns3/uinteger.h"

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(EpidemicLearningApplication);

TypeId
EpidemicLearningApplication::GetTypeId()
{
    using App = EpidemicLearningApplication;
    static TypeId tid = TypeId("ns3::collab::EpidemicLearningApplication")
                            .SetParent<AveragingGossipApplication>()
                            .SetGroupName("Collab")
                            .AddConstructor<App>()
                            .AddAttribute("Receivers",
                                          "Peers to which a device sends its model (s).",
                                          UintegerValue(2),
                                          MakeUintegerAccessor(&App::m_receivers),
                                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

void
EpidemicLearningApplication::DoStart()
{
    GossipApplication::DoStart();
    Collect(m_mail, MakeWeights<gossip::Push>(GetNumbers()), false);
}

Process
EpidemicLearningApplication::Round() // de Vos et al., algorithm 1
{
    co_await TrainLocally(); // lines 2 and 3: x^(t+1/2)
    const auto drawn = DrawReceivers(GetDevices(), GetDeviceId(), m_receivers, m_seed, GetRound());
    Multicast(std::make_shared<const std::vector<uint32_t>>(drawn), // lines 4 and 5
              Pack(MakeWeights<gossip::Push>(GetNumbers(), GetModel())));
    co_await Await(m_mail, FindSenders()); // line 6
    co_await MergeMean(Take(m_mail));      // line 7
    ReportRound();
}

std::vector<uint32_t>
EpidemicLearningApplication::FindSenders() const
{
    std::vector<uint32_t> senders;
    for (const uint32_t peer : ListPeers())
    {
        const auto drawn = DrawReceivers(GetDevices(), peer, m_receivers, m_seed, GetRound());
        if (std::binary_search(drawn.begin(), drawn.end(), GetDeviceId()))
        {
            senders.push_back(peer);
        }
    }
    return senders;
}

} // namespace ns3::collab
