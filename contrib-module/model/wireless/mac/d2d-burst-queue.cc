/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-burst-queue.h"

#include "d2d-priority-queue.h"

#include "ns3/d2d-transmission.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::collab
{

namespace
{

/// @param packet a packet that D2dBurstQueue::Add() queued
/// @return number of its burst
uint32_t
GetBurstId(Ptr<const Packet> packet)
{
    D2dBurstTag tag;
    packet->PeekPacketTag(tag);
    return tag.id;
}

} // namespace

D2dBurstQueue::D2dBurstQueue(LossCallback lost)
    : m_lost(std::move(lost))
{
}

D2dBurstQueue::~D2dBurstQueue()
{
    Clear();
    SetQueue(nullptr);
}

void
D2dBurstQueue::SetQueue(Ptr<Queue<Packet>> queue)
{
    const auto dropped = MakeCallback(&D2dBurstQueue::HandleDrop, this);
    if (m_queue)
    {
        m_queue->TraceDisconnectWithoutContext("DropAfterDequeue", dropped);
    }
    m_queue = queue;
    if (m_queue)
    {
        m_queue->TraceConnectWithoutContext("DropAfterDequeue", dropped);
    }
}

bool
D2dBurstQueue::Add(std::shared_ptr<const D2dBurst> burst, D2dBurstCallback over)
{
    const uint32_t id = burst->id;
    Pending& added = m_pending[id]; // known before others hear of its packet
    added.burst = burst;
    added.over = std::move(over);
    const bool hasPlace = Enqueue(*added.burst);
    const auto pending = m_pending.find(id);
    if (pending == m_pending.end())
    {
        return true; // who heard of it has ended it
    }
    if (!hasPlace)
    {
        m_pending.erase(pending);
        return false;
    }
    if (burst->deadline != Time::Max())
    {
        const Time left = burst->deadline - Simulator::Now();
        pending->second.deadline =
            Simulator::Schedule(left.IsNegative() ? Time() : left,
                                [this, id]() { m_lost(id, D2dLossReason::DEADLINE); });
    }
    return true;
}

bool
D2dBurstQueue::Enqueue(const D2dBurst& burst)
{
    Ptr<Packet> packet = burst.packet->Copy();
    D2dBurstTag tag;
    tag.id = burst.id;
    tag.priority = burst.priority;
    packet->AddPacketTag(tag);
    return m_queue->Enqueue(packet);
}

bool
D2dBurstQueue::AddAgain(uint32_t id,
                        D2dGroup receivers,
                        std::shared_ptr<const D2dBurstReport> before)
{
    Pending& added = m_pending.at(id);
    if (added.ends)
    {
        return false;
    }
    const Pending old = added;
    auto burst = std::make_shared<D2dBurst>(*old.burst);
    burst->group = std::move(receivers);
    added.burst = burst;
    added.before = std::move(before);
    added.transmission = nullptr;
    added.waiting = true;
    const bool hasPlace = Enqueue(*burst);
    const auto pending = m_pending.find(id);
    if (!hasPlace && pending != m_pending.end()) // else who heard of its packet has ended it
    {
        pending->second = old;
    }
    return hasPlace || pending == m_pending.end();
}

void
D2dBurstQueue::EndSeries(uint32_t id)
{
    const auto found = m_pending.find(id);
    if (found != m_pending.end())
    {
        found->second.ends = true;
    }
}

std::shared_ptr<const D2dBurstReport>
D2dBurstQueue::GetBefore(uint32_t id) const
{
    const auto found = m_pending.find(id);
    return found != m_pending.end() ? found->second.before : nullptr;
}

bool
D2dBurstQueue::IsEmpty() const
{
    return (m_pending.empty() && !m_leavesPackets) || m_queue->IsEmpty();
}

std::shared_ptr<const D2dBurst>
D2dBurstQueue::Next()
{
    while (Ptr<Packet> packet = m_queue->Dequeue())
    {
        const auto found = m_pending.find(GetBurstId(packet));
        if (found != m_pending.end()) // else it was cancelled while it waited
        {
            found->second.waiting = false;
            return found->second.burst;
        }
    }
    return nullptr;
}

std::shared_ptr<const D2dBurst>
D2dBurstQueue::FindNext(const BurstFilter& admits)
{
    if (const auto queue = DynamicCast<D2dPriorityQueue>(m_queue))
    {
        const auto id = queue->Find([&](uint32_t burst) {
            const auto found = m_pending.find(burst);
            return found != m_pending.end() && admits(*found->second.burst);
        });
        return id ? m_pending.at(*id).burst : nullptr;
    }
    while (Ptr<const Packet> packet = m_queue->Peek())
    {
        const auto found = m_pending.find(GetBurstId(packet));
        if (found != m_pending.end())
        {
            return admits(*found->second.burst) ? found->second.burst : nullptr;
        }
        m_queue->Dequeue(); // it was cancelled while it waited
    }
    return nullptr;
}

std::shared_ptr<const D2dBurst>
D2dBurstQueue::Next(const BurstFilter& admits)
{
    while (const auto next = FindNext(admits))
    {
        const auto queue = DynamicCast<D2dPriorityQueue>(m_queue);
        queue ? queue->DequeueBurst(next->id) : m_queue->Dequeue();
        const auto found = m_pending.find(next->id);
        if (found != m_pending.end()) // else who heard of that has ended it
        {
            found->second.waiting = false;
            return next;
        }
    }
    return nullptr;
}

std::shared_ptr<const D2dBurst>
D2dBurstQueue::FindWaiting(uint32_t id) const
{
    const auto found = m_pending.find(id);
    return found != m_pending.end() && found->second.waiting ? found->second.burst : nullptr;
}

void
D2dBurstQueue::SetTransmission(uint32_t id, Ptr<D2dTransmission> transmission)
{
    m_pending.at(id).transmission = transmission;
}

Ptr<D2dTransmission>
D2dBurstQueue::FindTransmission(uint32_t id) const
{
    const auto found = m_pending.find(id);
    return found != m_pending.end() ? found->second.transmission : nullptr;
}

std::optional<uint32_t>
D2dBurstQueue::FindOldest() const
{
    return m_pending.empty() ? std::nullopt : std::optional<uint32_t>(m_pending.begin()->first);
}

std::optional<D2dBurstQueue::Pending>
D2dBurstQueue::Remove(uint32_t id)
{
    const auto found = m_pending.find(id);
    if (found == m_pending.end())
    {
        return std::nullopt;
    }
    Pending pending = std::move(found->second);
    pending.deadline.Cancel();
    m_pending.erase(found);
    if (pending.waiting)
    {
        // Other queues only let go of their first packet: there it waits until its turn comes
        const auto queue = DynamicCast<D2dPriorityQueue>(m_queue);
        m_leavesPackets = m_leavesPackets || !queue;
        if (queue)
        {
            queue->Withdraw(id);
        }
    }
    return pending;
}

std::vector<D2dBurstQueue::Pending>
D2dBurstQueue::TakeWaiting()
{
    std::vector<Pending> taken;
    while (const auto burst = Next())
    {
        taken.push_back(*Remove(burst->id));
    }
    // One may be left that somebody is taking out of the queue of packets just now
    const auto findWaiting = [this]() {
        return std::find_if(m_pending.begin(), m_pending.end(), [](const auto& pending) {
            return !pending.second.transmission;
        });
    };
    for (auto left = findWaiting(); left != m_pending.end(); left = findWaiting())
    {
        taken.push_back(*Remove(left->first));
    }
    return taken;
}

void
D2dBurstQueue::Clear()
{
    for (auto& [id, pending] : m_pending)
    {
        pending.deadline.Cancel();
    }
    m_pending.clear();
}

void
D2dBurstQueue::HandleDrop(Ptr<const Packet> packet)
{
    m_lost(GetBurstId(packet), D2dLossReason::QUEUE_FULL);
}

} // namespace ns3::collab
