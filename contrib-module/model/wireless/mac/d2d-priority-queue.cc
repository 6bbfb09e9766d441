/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-priority-queue.h"

#include "ns3/queue-size.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace ns3::collab
{

NS_OBJECT_ENSURE_REGISTERED(D2dBurstTag);
NS_OBJECT_ENSURE_REGISTERED(D2dPriorityQueue);

namespace
{

/// @param packet a packet
/// @return its priority; 0 if it has no tag
uint8_t
GetPriority(Ptr<const Packet> packet)
{
    D2dBurstTag tag;
    packet->PeekPacketTag(tag);
    return tag.priority;
}

} // namespace

TypeId
D2dBurstTag::GetTypeId()
{
    static TypeId tid = TypeId("ns3::collab::D2dBurstTag")
                            .SetParent<Tag>()
                            .SetGroupName("Collab")
                            .AddConstructor<D2dBurstTag>();
    return tid;
}

TypeId
D2dBurstTag::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
D2dBurstTag::GetSerializedSize() const
{
    return sizeof(id) + sizeof(priority);
}

void
D2dBurstTag::Serialize(TagBuffer buffer) const
{
    buffer.WriteU32(id);
    buffer.WriteU8(priority);
}

void
D2dBurstTag::Deserialize(TagBuffer buffer)
{
    id = buffer.ReadU32();
    priority = buffer.ReadU8();
}

void
D2dBurstTag::Print(std::ostream& os) const
{
    os << "burst=" << id << " priority=" << +priority;
}

TypeId
D2dPriorityQueue::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::D2dPriorityQueue")
            .SetParent<Queue<Packet>>()
            .SetGroupName("Collab")
            .AddConstructor<D2dPriorityQueue>()
            .AddAttribute("MaxSize",
                          "Greatest number of packets, or of bytes, that wait.",
                          QueueSizeValue(QueueSize("100p")),
                          MakeQueueSizeAccessor(&QueueBase::SetMaxSize, &QueueBase::GetMaxSize),
                          MakeQueueSizeChecker());
    return tid;
}

bool
D2dPriorityQueue::Enqueue(Ptr<Packet> packet)
{
    const uint8_t priority = GetPriority(packet);
    const auto& waiting = GetContainer();
    std::vector<Ptr<Packet>> displaced;
    while (WouldOverflow(1, packet->GetSize()) && CanMakePlace(priority, packet->GetSize()))
    {
        displaced.push_back(DoDequeue(std::prev(waiting.end())));
    }
    auto position = waiting.end();
    while (position != waiting.begin() && GetPriority(*std::prev(position)) < priority)
    {
        --position;
    }
    const bool hasPlace = DoEnqueue(position, packet);
    for (const auto& loser : displaced)
    {
        DropAfterDequeue(loser); // last, since who is told of it may use the queue
    }
    return hasPlace;
}

bool
D2dPriorityQueue::CanMakePlace(uint8_t priority, uint32_t bytes) const
{
    const QueueSize limit = GetMaxSize();
    const bool inPackets = limit.GetUnit() == QueueSizeUnit::PACKETS;
    uint64_t needed = inPackets ? 1 : bytes;
    const auto& waiting = GetContainer();
    for (const auto& packet : waiting)
    {
        if (GetPriority(packet) < priority)
        {
            return needed <= limit.GetValue(); // those from here on may go
        }
        needed += inPackets ? 1 : packet->GetSize();
    }
    return false;
}

bool
D2dPriorityQueue::Withdraw(uint32_t burst)
{
    const auto found = Locate(burst);
    return found != GetContainer().end() && DoRemove(found);
}

std::optional<uint32_t>
D2dPriorityQueue::Find(const std::function<bool(uint32_t)>& admits) const
{
    for (const auto& packet : GetContainer())
    {
        D2dBurstTag tag;
        if (packet->PeekPacketTag(tag) && admits(tag.id))
        {
            return tag.id;
        }
    }
    return std::nullopt;
}

Ptr<Packet>
D2dPriorityQueue::DequeueBurst(uint32_t burst)
{
    const auto found = Locate(burst);
    return found != GetContainer().end() ? DoDequeue(found) : nullptr;
}

D2dPriorityQueue::ConstIterator
D2dPriorityQueue::Locate(uint32_t burst) const
{
    const auto& waiting = GetContainer();
    return std::find_if(waiting.begin(), waiting.end(), [burst](const Ptr<Packet>& packet) {
        D2dBurstTag tag;
        return packet->PeekPacketTag(tag) && tag.id == burst;
    });
}

Ptr<Packet>
D2dPriorityQueue::Dequeue()
{
    return DoDequeue(GetContainer().begin());
}

Ptr<Packet>
D2dPriorityQueue::Remove()
{
    return DoRemove(GetContainer().begin());
}

Ptr<const Packet>
D2dPriorityQueue::Peek() const
{
    return DoPeek(GetContainer().begin());
}

} // namespace ns3::collab
