/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_PRIORITY_QUEUE_H
#define D2D_PRIORITY_QUEUE_H

#include "ns3/packet.h"
#include "ns3/queue.h"
#include "ns3/tag.h"

#include <functional>
#include <optional>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief Tells a packet in the queue of a D2dMac which burst it is.
class D2dBurstTag : public Tag
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(TagBuffer buffer) const override;
    void Deserialize(TagBuffer buffer) override;
    void Print(std::ostream& os) const override;

    uint32_t id = 0;      //!< number of the burst at its device
    uint8_t priority = 0; //!< its priority
};

/**
 * @ingroup collab-wireless
 * @brief Packets in the order of their D2dBurstTag's priority, and of arrival among equals.
 *
 * A packet that finds the queue full displaces the last ones if they have a lower priority and that
 * makes place for it; what is displaced is dropped after enqueue (trace source DropAfterDequeue of
 * ns-3's queues).
 */
class D2dPriorityQueue : public Queue<Packet>
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    bool Enqueue(Ptr<Packet> packet) override;
    Ptr<Packet> Dequeue() override;
    Ptr<Packet> Remove() override;
    Ptr<const Packet> Peek() const override;

    /// @brief Drop the packet of a burst that is not to be sent any more.
    /// @param burst number of the burst
    /// @return whether it was here
    bool Withdraw(uint32_t burst);

    /// @param admits function that says of a burst whether it may be sent now
    /// @return number of the first burst that may; nothing if there is none
    std::optional<uint32_t> Find(const std::function<bool(uint32_t burst)>& admits) const;
    /// @brief Take a packet out of the middle of the queue.
    /// @param burst number of its burst
    /// @return it; null if it is not here
    Ptr<Packet> DequeueBurst(uint32_t burst);

  private:
    /// @param burst number of a burst
    /// @return where its packet is
    ConstIterator Locate(uint32_t burst) const;
    /// @param priority priority of a packet
    /// @param bytes its size
    /// @return whether there would be place for it without the packets of lower priority, of which
    /// there is at least one
    bool CanMakePlace(uint8_t priority, uint32_t bytes) const;
};

} // namespace ns3::collab

#endif /* D2D_PRIORITY_QUEUE_H */
