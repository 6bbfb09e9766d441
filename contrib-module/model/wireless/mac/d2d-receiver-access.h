/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_RECEIVER_ACCESS_H
#define D2D_RECEIVER_ACCESS_H

#include "d2d-burst-queue.h"

#include <cstdint>
#include <memory>

namespace ns3::collab
{

class D2dMedium;
class D2dPhy;

/**
 * @ingroup collab-wireless
 * @brief Whether a device takes one more burst, and which of its own bursts are for devices that
 * do.
 *
 * What is for a device that has no place for another burst (MaxReceptions), that transmits and so
 * would miss it (ReceiverSensing), or that is closed, waits at its sender. A device is closed while
 * it is held up by bursts that overlap, until it has sent. D2dAdmission knows all who wait, and
 * whom they claim.
 */
class D2dReceiverAccess
{
  public:
    /// @param queue the device's own bursts; outlives this
    explicit D2dReceiverAccess(D2dBurstQueue& queue);

    /// @param phy the device's radio; outlives this or its use
    void SetPhy(D2dPhy* phy);
    /// @param medium what is between the device and others; outlives this or its use
    void SetMedium(D2dMedium* medium);
    /// @param bursts number of bursts that it can receive at once; 0 for any number
    void SetMaxReceptions(uint32_t bursts);
    /// @return the same
    uint32_t GetMaxReceptions() const;
    /// @param enabled whether it waits with what is for one device while that one transmits
    void SetReceiverSensing(bool enabled);
    /// @return the same
    bool GetReceiverSensing() const;

    /// @brief Take no bursts until this device has sent, or has nothing to send.
    void Close();
    /// @brief Take bursts again.
    void Open();
    /// @brief The device is disposed of: it is no longer closed, and nobody is told.
    void Reset();
    /// @brief Bursts that this device received are over: who waits for a place may have it.
    void OfferPlace();
    /// @brief All bursts of this device have to wait until others have place.
    void AwaitPlace();
    /// @brief This device no longer keeps others from sending what is for its own receivers.
    void ReleaseClaim();
    /// @return whether a burst waits that can be sent
    bool HasReceivable();
    /// @return the next burst that is to be sent, out of the queue; null if none can be
    std::shared_ptr<const D2dBurst> TakeNext();

  private:
    /// @param sender another device
    /// @return whether it takes a burst from that one
    bool Takes(const D2dReceiverAccess& sender) const;
    /// @param sender another device
    /// @return whether it would miss what that one sends, which waits for it to hear
    bool IsDeafTo(const D2dReceiverAccess& sender) const;
    /// @brief Limits of this device have changed.
    void NotifyLimits();
    /// @param burst a burst that waits
    /// @return whether all that would receive it have place
    bool IsReceivable(const D2dBurst& burst) const;
    /// @return says so of bursts in the order of the queue, but of none behind a broadcast that
    /// waits
    D2dBurstQueue::BurstFilter MakeFilter() const;

    D2dBurstQueue& m_queue;         //!< the device's own bursts
    D2dPhy* m_phy = nullptr;        //!< its radio
    D2dMedium* m_medium = nullptr;  //!< see SetMedium()
    uint32_t m_maxReceptions = 0;   //!< see SetMaxReceptions()
    bool m_receiverSensing = false; //!< see SetReceiverSensing()
    bool m_closed = false;          //!< see Close()
};

} // namespace ns3::collab

#endif /* D2D_RECEIVER_ACCESS_H */
