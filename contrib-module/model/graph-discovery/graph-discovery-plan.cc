/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-discovery-plan.h"

#include "ns3/collab-message-header.h"
#include "ns3/collab-processor.h"
#include "ns3/node.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

SlowestDevice::SlowestDevice(NodeContainer nodes, uint32_t devices)
    : m_nodes(std::move(nodes)),
      m_devices(devices)
{
}

Time
SlowestDevice::FindLongest(const std::function<Time(const Ptr<Node>&)>& find) const
{
    Time longest;
    for (auto node = m_nodes.Begin(); node != m_nodes.End(); ++node)
    {
        longest = std::max(longest, find(*node));
    }
    return longest;
}

Time
SlowestDevice::GetComputing(uint64_t flops) const
{
    return FindLongest([flops](const Ptr<Node>& node) {
        return node->GetObject<Processor>()->GetDuration(flops);
    });
}

Time
SlowestDevice::GetListening() const
{
    return FindLongest(
        [](const Ptr<Node>& node) { return node->GetObject<Transport>()->GetListeningTime(); });
}

Time
SlowestDevice::FindStage(Time (Transport::*ofAll)(uint64_t, uint32_t) const,
                         uint64_t payloadBytes,
                         uint32_t messages,
                         LossPolicy policy) const
{
    const Time airtime = FindLongest([&](const Ptr<Node>& node) {
        return (*node->GetObject<Transport>().*ofAll)(MessageHeader::SIZE + payloadBytes,
                                                      m_devices);
    });
    // Propagation and turnaround take microseconds
    const Time each = airtime + MicroSeconds(100);
    return each * static_cast<int64_t>(messages * (policy == LossPolicy::RELIABLE ? 2 : 1));
}

Time
SlowestDevice::GetStage(Time given,
                        uint64_t payloadBytes,
                        uint32_t messages,
                        LossPolicy policy) const
{
    return given.IsZero()
               ? FindStage(&Transport::GetContendedAirtime, payloadBytes, messages, policy)
               : given;
}

Time
SlowestDevice::GetTellingStage(uint64_t payloadBytes, uint32_t messages, LossPolicy policy) const
{
    return FindStage(&Transport::GetBroadcastTime, payloadBytes, messages, policy);
}

Time
SlowestDevice::GetTelling(uint64_t payloadBytes) const
{
    // A reliable broadcast serves one receiver after the other. Who shares a medium collides again
    // and again, for all have something to say all the time
    const auto transport = m_nodes.Get(0)->GetObject<Transport>();
    const bool isShared = transport->GetContendedAirtime(payloadBytes, m_devices) >
                          transport->GetAirtime(payloadBytes);
    const uint32_t each = isShared ? SINGLE_MESSAGE : 1;
    return GetTellingStage(payloadBytes, each * m_devices, LossPolicy::RELIABLE);
}

bool
PassPlan::Shares(uint32_t iteration) const
{
    return iteration % period == 0;
}

Time
PassPlan::GetRewardEnd(uint32_t iteration) const
{
    return Shares(iteration) ? sharingEnd : quietEnd;
}

Time
PassPlan::GetSlotBegin(uint32_t iteration) const
{
    const int64_t shared = (int64_t{iteration} + period - 1) / period;
    return sharingSlot * shared + quietSlot * (iteration - shared);
}

Time
PassPlan::GetSlotsBegin(uint32_t pass) const
{
    return pass == 0 ? firstSetup : laterSetup;
}

Time
PassPlan::GetFinalSlotBegin(uint32_t pass) const
{
    return GetSlotsBegin(pass) + GetSlotBegin(iterations);
}

Time
PassPlan::GetDataBegin(uint32_t pass) const
{
    // Nothing global is computed in the final slot
    return GetFinalSlotBegin(pass) + GetRewardEnd(iterations);
}

Time
PassPlan::GetPassDuration(uint32_t pass) const
{
    return GetDataBegin(pass) + exchange;
}

Time
PassPlan::GetPassBegin(uint32_t pass) const
{
    return pass == 0 ? Time() : GetPassDuration(0) + GetPassDuration(1) * int64_t{pass - 1};
}

} // namespace ns3::collab
