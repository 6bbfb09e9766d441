/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_BURST_QUEUE_H
#define D2D_BURST_QUEUE_H

#include "ns3/d2d-burst.h"
#include "ns3/event-id.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/queue.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::collab
{

class D2dTransmission;

/**
 * @ingroup collab-wireless
 * @brief The bursts that a device has to send: those that wait in an ns-3 queue of packets, and the
 * one on air.
 *
 * The ns-3 queue decides about order and limits. What it drops after it had accepted it, and what
 * has passed its deadline, is told.
 */
class D2dBurstQueue
{
  public:
    /// A burst, and whom to tell of its end
    struct Pending
    {
        std::shared_ptr<const D2dBurst> burst; //!< the burst
        D2dBurstCallback over;                 //!< called at its end; may be empty
        bool waiting = true;                   //!< whether it waits
        bool ends = false;                     //!< whether it is not to be sent again
        EventId deadline;                      //!< when it passes
        Ptr<D2dTransmission> transmission;     //!< its sending, once that has begun
        /// What came of it at devices that it was sent to before; null if it was not sent before
        std::shared_ptr<const D2dBurstReport> before;
    };

    /// Told of a waiting burst that was dropped, or of any burst whose deadline has passed
    using LossCallback = std::function<void(uint32_t id, D2dLossReason reason)>;

    /// Says of a burst whether it may be sent now
    using BurstFilter = std::function<bool(const D2dBurst& burst)>;

    /// @param lost told of losses that the device did not ask for
    explicit D2dBurstQueue(LossCallback lost);
    ~D2dBurstQueue();
    D2dBurstQueue(const D2dBurstQueue&) = delete;
    D2dBurstQueue& operator=(const D2dBurstQueue&) = delete;

    /// @param queue where packets wait
    void SetQueue(Ptr<Queue<Packet>> queue);
    /// @return where packets wait
    Ptr<Queue<Packet>>
    GetQueue() const
    {
        return m_queue;
    }

    /**
     * @brief Let a burst wait.
     *
     * Who observes the packets of the queue may end the burst within this call.
     *
     * @param burst the burst
     * @param over called at its end
     * @return whether there was place
     */
    bool Add(std::shared_ptr<const D2dBurst> burst, D2dBurstCallback over);
    /// @brief Let a burst wait once more, behind others of its priority.
    /// @param id its number
    /// @param receivers whom it is still to be sent to
    /// @param before see Pending::before
    /// @return whether there was place and it was not to end; else all is as before
    bool AddAgain(uint32_t id, D2dGroup receivers, std::shared_ptr<const D2dBurstReport> before);
    /// @brief A burst whose sending is over is not to be sent again.
    /// @param id its number
    void EndSeries(uint32_t id);
    /// @param id number of a burst
    /// @return see Pending::before; null if it is not known
    std::shared_ptr<const D2dBurstReport> GetBefore(uint32_t id) const;
    /// @return whether a packet waits
    bool IsEmpty() const;
    /// @brief Take the next burst out of the queue of packets.
    /// @return it, or null
    std::shared_ptr<const D2dBurst> Next();
    /// @brief The burst that would be next if others had to wait. A queue other than a
    /// D2dPriorityQueue only lets go of its first packet: if that has to wait, all do.
    /// @param admits function that says which ones need not wait
    /// @return it, or null
    std::shared_ptr<const D2dBurst> FindNext(const BurstFilter& admits);
    /// @brief Take it out of the queue of packets.
    /// @param admits function that says which ones need not wait
    /// @return it, or null
    std::shared_ptr<const D2dBurst> Next(const BurstFilter& admits);
    /// @param id number of a burst
    /// @return it, if it is known and waits
    std::shared_ptr<const D2dBurst> FindWaiting(uint32_t id) const;
    /// @brief A burst that Next() has given is being sent.
    /// @param id its number
    /// @param transmission its sending
    void SetTransmission(uint32_t id, Ptr<D2dTransmission> transmission);
    /// @param id number of a burst
    /// @return its sending; null if that has not begun, or the burst is not known
    Ptr<D2dTransmission> FindTransmission(uint32_t id) const;
    /// @return number of the oldest burst that is not over; nothing if there is none
    std::optional<uint32_t> FindOldest() const;
    /// @brief Forget a burst that is over. If it waits, its place in a D2dPriorityQueue is free.
    /// @param id its number
    /// @return what was known of it; nothing if it was forgotten before
    std::optional<Pending> Remove(uint32_t id);
    /// @brief Take all bursts out whose sending has not begun.
    /// @return what was known of them, in the order in which they would have been sent
    std::vector<Pending> TakeWaiting();
    /// @brief Forget everything without telling.
    void Clear();

  private:
    /// @param burst a burst that is known
    /// @return whether the queue of packets took its packet
    bool Enqueue(const D2dBurst& burst);
    /// @param packet a packet that the queue dropped after it had accepted it
    void HandleDrop(Ptr<const Packet> packet);

    LossCallback m_lost;                   //!< told of losses
    Ptr<Queue<Packet>> m_queue;            //!< where packets wait
    std::map<uint32_t, Pending> m_pending; //!< bursts by number
    bool m_leavesPackets = false; //!< whether the queue may hold packets of bursts not known
};

} // namespace ns3::collab

#endif /* D2D_BURST_QUEUE_H */
