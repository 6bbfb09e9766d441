/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_OUTBOX_H
#define D2D_OUTBOX_H

#include "d2d-burst-queue.h"

#include "ns3/d2d-burst.h"
#include "ns3/mac48-address.h"
#include "ns3/packet.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::collab
{

class D2dMedium;
class D2dPhy;
struct D2dAudience;

/// @ingroup collab-wireless
/// @brief The bursts that a device was given, until all is known about them, and whom to tell.
class D2dOutbox
{
  public:
    /// Trace sources about these bursts
    struct Traces
    {
        const TracedCallback<Ptr<const Packet>>& given;     //!< a packet was given to the device
        const TracedCallback<Ptr<const Packet>>& dropped;   //!< it was dropped, never sent
        const TracedCallback<const D2dBurstReport&>& ended; //!< all about a burst that is over
    };

    /// @param traces who else is told; they outlive this, as the others do
    /// @param phy the device's radio
    /// @param medium what is between the device and others
    /// @param lost told of losses that the device did not ask for
    D2dOutbox(const Traces& traces,
              const Ptr<D2dPhy>& phy,
              const Ptr<D2dMedium>& medium,
              D2dBurstQueue::LossCallback lost);

    /// @return bursts that wait, or are on air
    D2dBurstQueue&
    GetQueue()
    {
        return m_queue;
    }
    /// @return the same
    const D2dBurstQueue&
    GetQueue() const
    {
        return m_queue;
    }
    /// @brief Take a burst, and let it wait.
    /// @param draft packet, destination, protocol and options
    /// @param source address of the device
    /// @param over told once of its end
    /// @return the burst; null if it was dropped at once
    std::shared_ptr<const D2dBurst> Take(D2dBurst draft,
                                         Mac48Address source,
                                         const D2dBurstCallback& over);
    /// @brief Report a burst that is not sent, or not sent again.
    /// @param pending the burst, out of the queue
    /// @param reason reason why not
    void Drop(const D2dBurstQueue::Pending& pending, D2dLossReason reason);
    /// @brief A burst is over.
    /// @param burst its number
    /// @return who is to be told all about it; null for nobody
    D2dBurstCallback Forget(uint32_t burst);
    /// @brief Let a burst wait that nobody of its audience would hear now.
    /// @param burst it, whose sending has not begun
    /// @param audience whom it is meant for
    void Postpone(const D2dBurst& burst, const D2dAudience& audience);
    /// @brief The sending of a burst to several devices is over: it waits once more if some of them
    /// transmitted when it began, or is over too.
    /// @param report what came of it
    /// @return whether it waits
    bool GoOn(const D2dBurstReport& report);
    /// @brief The run is over: report all, those that wait and those on air.
    void EndRun();
    /// @param burst number of a burst that is not over
    /// @return bytes of its packet that have gone on air so far; 0 if it is not known
    uint64_t GetBytesSent(uint32_t burst) const;

  private:
    /// @param burst a burst that was not sent
    /// @param reason reason why not
    /// @param fragments number of its fragments
    /// @return what became of it at every device that it was meant for
    std::vector<D2dReceiverOutcome> MakeOutcomes(const D2dBurst& burst,
                                                 D2dLossReason reason,
                                                 uint32_t fragments) const;

    Traces m_traces;                //!< who else is told
    const Ptr<D2dPhy>& m_phy;       //!< the device's radio
    const Ptr<D2dMedium>& m_medium; //!< what is between the device and others
    D2dBurstQueue m_queue;          //!< see GetQueue()
    uint32_t m_next = 1;            //!< number of the next burst
    bool m_runOver = false;         //!< whether EndRun() was called
};

} // namespace ns3::collab

#endif /* D2D_OUTBOX_H */
