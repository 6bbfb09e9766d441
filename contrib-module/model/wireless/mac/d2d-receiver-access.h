/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_RECEIVER_ACCESS_H
#define D2D_RECEIVER_ACCESS_H

#include "d2d-burst-queue.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace ns3::collab
{

class D2dMedium;
class D2dPhy;
struct D2dAudience;

/**
 * @ingroup collab-wireless
 * @brief Whether a device takes one more burst, and which of its own bursts are for devices that
 * do.
 *
 * What is for a device that has no place for another burst (MaxReceptions), that transmits and so
 * would miss it (ReceiverSensing), or that is closed, waits at its sender. A device is closed while
 * it is held up by bursts that overlap, until it has sent. D2dAdmission knows all who wait, and
 * whom they claim.
 *
 * With ReceiverSensing and ARQ what is for several devices does not wait for those of them that
 * transmit, but is sent to these once more, as soon as one of them hears.
 */
class D2dReceiverAccess
{
  public:
    /// @param phy the device's radio; outlives this, as the others do
    /// @param medium what is between the device and others
    /// @param queue the device's own bursts
    D2dReceiverAccess(const Ptr<D2dPhy>& phy, const Ptr<D2dMedium>& medium, D2dBurstQueue& queue);

    /// @param bursts number of bursts that it can receive at once; 0 for any number
    void SetMaxReceptions(uint32_t bursts);
    /// @return the same
    uint32_t
    GetMaxReceptions() const
    {
        return m_maxReceptions;
    }
    /// A burst that is to be sent, and whom it is meant for
    struct Next
    {
        std::shared_ptr<const D2dBurst> burst;       //!< the burst; null if there is none
        std::shared_ptr<const D2dAudience> audience; //!< its audience, drawn for its sending
        /// @return whether there is a burst
        explicit operator bool() const
        {
            return burst != nullptr;
        }
    };

    /// @param enabled whether it waits with what is for one device while that one transmits
    void SetReceiverSensing(bool enabled);
    /// @return the same
    bool
    GetReceiverSensing() const
    {
        return m_receiverSensing;
    }

    /// @brief Take no bursts until this device has sent, or has nothing to send.
    void Close();
    /// @brief Take bursts again.
    void Open();
    /// @brief The device is disposed of: it is no longer closed, and nobody is told.
    void
    Reset()
    {
        m_closed = false;
    }
    /// @brief Bursts that this device received are over: who waits for a place may have it.
    void OfferPlace();
    /// @brief All bursts of this device have to wait until others have place, as HasReceivable() or
    /// TakeNext() has just found.
    void AwaitPlace();
    /// @brief This device no longer keeps others from sending what is for its own receivers.
    void ReleaseClaim();
    /// @return whether a burst waits that can be sent
    bool HasReceivable();
    /// @return the next burst that is to be sent, out of the queue, if one can be
    Next TakeNext();
    /// @param burst one of this device's
    /// @return whether those of its receivers who transmit when it begins get it later
    bool SparesDeaf(const D2dBurst& burst) const;
    /// @param audience devices
    /// @return whether there are some, and all of them would miss what this device sends now
    bool IsDeaf(const D2dAudience& audience) const;

  private:
    /// @param sender another device
    /// @return whether it takes a burst from that one
    bool Takes(const D2dReceiverAccess& sender) const;
    /// @param sender another device
    /// @return whether it would miss what that one sends, which waits for it to hear
    bool IsDeafTo(const D2dReceiverAccess& sender) const;
    /// @brief Limits of this device have changed.
    void NotifyLimits();
    /// Gives the audience of a burst
    using AudienceFinder = std::function<std::shared_ptr<const D2dAudience>(const D2dBurst& burst)>;
    /// @param burst a burst that waits
    /// @return whether a device that it is meant for hears, as far as this one waits for that; if
    /// not, who would have to is added to m_awaited
    bool IsHeard(const D2dBurst& burst);
    /// @param burst a burst that waits
    /// @param find gives its audience
    /// @return whether all that would receive it have place; if not, one that has none is added to
    /// m_awaited
    bool HasPlace(const D2dBurst& burst, const AudienceFinder& find);
    /// @param find gives audiences
    /// @return says of bursts in the order of the queue whether they can be sent, but of none
    /// behind a broadcast that waits for place
    D2dBurstQueue::BurstFilter MakeFilter(AudienceFinder find);
    /// @param burst one of this device's
    /// @return whom it is meant for now
    std::shared_ptr<const D2dAudience> Draw(const D2dBurst& burst) const;

    const Ptr<D2dPhy>& m_phy;       //!< the device's radio
    const Ptr<D2dMedium>& m_medium; //!< what is between the device and others
    D2dBurstQueue& m_queue;         //!< the device's own bursts
    uint32_t m_maxReceptions = 0;   //!< see SetMaxReceptions()
    bool m_receiverSensing = false; //!< see SetReceiverSensing()
    bool m_closed = false;          //!< see Close()
    /// Indices of devices: of the bursts that were looked at last none can be sent while these are
    /// as they are
    std::vector<uint32_t> m_awaited;
};

} // namespace ns3::collab

#endif /* D2D_RECEIVER_ACCESS_H */
