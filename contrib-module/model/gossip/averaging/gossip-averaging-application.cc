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

} // namespace ns3::collab
