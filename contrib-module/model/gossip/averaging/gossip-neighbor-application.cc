/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-neighbor-application.h"

#include "ns3/abort.h"
#include "ns3/collab-random.h"
#include "ns3/collab-read-attribute.h"
#include "ns3/string.h"

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(NeighborGossipApplication);

TypeId
NeighborGossipApplication::GetTypeId()
{
    using App = NeighborGossipApplication;
    static TypeId tid =
        TypeId("ns3::collab::NeighborGossipApplication")
            .SetParent<AveragingGossipApplication>()
            .SetGroupName("Collab")
            .AddAttribute("Compression",
                          "How vectors are encoded: float32, float16, int8, top-k or random-k, "
                          "with parameters (see MakeCompressor); the same at all devices.",
                          StringValue("float32"),
                          MakeStringAccessor(&App::SetCompression, &App::GetCompression),
                          MakeStringChecker());
    return tid;
}

void
NeighborGossipApplication::SetCompression(std::string specification)
{
    m_compressor = ReadAttribute("Compression", specification, MakeCompressor);
    m_compression = std::move(specification);
}

std::string
NeighborGossipApplication::GetCompression() const
{
    return m_compression;
}

const std::shared_ptr<const Compressor>&
NeighborGossipApplication::GetCompressor() const
{
    return m_compressor;
}

void
NeighborGossipApplication::DoStart()
{
    GossipApplication::DoStart();
    NS_ABORT_MSG_IF(GetLearner()->GetMultiplicity() > 1 && !m_compressor->IsExact(),
                    "NeighborGossipApplication on node "
                        << GetDeviceId() << ": the attribute Compression must be float32 for a "
                        << "learner whose weights stand for several numbers each");
    NS_ABORT_MSG_UNLESS(m_compressor->IsContraction(),
                        "NeighborGossipApplication on node "
                            << GetDeviceId() << ": Compression " << m_compression
                            << " loses more than it sends; allowed are others than unbiased ones");
}

uint64_t
NeighborGossipApplication::GetEncodingSeed() const
{
    return SplitMix64(SplitMix64(m_seed + GetDeviceId()) + GetRound());
}

} // namespace ns3::collab
