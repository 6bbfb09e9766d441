/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_ADMISSION_H
#define D2D_ADMISSION_H

#include "ns3/d2d-audience.h"
#include "ns3/d2d-index-set.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::collab
{

class D2dReceiverAccess;

/**
 * @ingroup collab-wireless
 * @brief Who waits for receivers that can receive a limited number of bursts at once.
 *
 * Many senders to one device would never let all devices have place at the same time, and so would
 * keep a broadcast waiting for as long as they have something to send. So a sender with nothing but
 * a burst to several devices that waits claims them: what is for one of them waits, and when
 * everything on air is over, all have place.
 *
 * A half-duplex device that waits for its own turn may be closed, so that others wait for it.
 *
 * Who waits is found by the receiver that it waits for: a burst that ends costs its neighbors
 * something, and nobody else.
 */
class D2dAdmission
{
  public:
    /// @param receiver says of the device that has joined whether it takes bursts
    void AddReceiver(const D2dReceiverAccess& receiver);
    /// @param device index of a device
    /// @return says whether it takes bursts
    const D2dReceiverAccess& GetReceiver(uint32_t device) const;

    /// @param sender index of a device whose bursts all have to wait
    /// @param receivers indices of devices, as long as none of which changes the sender's bursts
    /// have to wait; none: whatever happens may let it send
    void Await(uint32_t sender, const std::vector<uint32_t>& receivers);
    /// @brief A device has fewer bursts that wait: if it waits, whatever happens may let it send.
    /// @param sender its index
    void Loosen(uint32_t sender);
    /// @brief A receiver has changed, though nobody is told now: whatever happens next may let
    /// those send who wait for it.
    /// @param receiver its index
    void LoosenWaiting(uint32_t receiver);
    /// @param receiver index of a device that has changed
    /// @return who waits for it, or for anything, and no longer does; ascending
    std::vector<uint32_t> TakeWaiting(uint32_t receiver);
    /// @return all who wait, and no longer do; ascending
    std::vector<uint32_t> TakeAllWaiting();

    /// @param sender index of a device that waits
    /// @param audience whom it claims, instead of those before
    void Claim(uint32_t sender, std::shared_ptr<const D2dAudience> audience);
    /// @param sender index of a device that claims nobody any more
    /// @return whom it has claimed; null if nobody
    std::shared_ptr<const D2dAudience> Release(uint32_t sender);
    /// @param receiver index of a device
    /// @param sender index of one that has something for it alone
    /// @return whether another one than the sender claims the receiver
    bool IsClaimed(uint32_t receiver, uint32_t sender) const;

    /// @param closed whether one more device takes no bursts, or one less
    void CountClosed(bool closed);
    /// @return whether there is a device that takes no bursts until it has sent
    bool
    HasClosed() const
    {
        return m_closed > 0;
    }

  private:
    /// What is known of a device
    struct Device
    {
        const D2dReceiverAccess* access = nullptr;  //!< says whether it takes bursts
        std::vector<uint32_t> awaited;              //!< what it waits for
        std::vector<uint32_t> awaiting;             //!< who waits for it, in any order
        std::shared_ptr<const D2dAudience> claimed; //!< whom it claims; null if nobody
        uint32_t claims = 0;                        //!< how many claim it
    };

    /// @param sender index of a device that does not wait any more
    void Leave(uint32_t sender);
    /// @param senders indices of devices that do not wait any more
    /// @return the same, ascending
    std::vector<uint32_t> Take(std::vector<uint32_t> senders);

    std::vector<Device> m_devices; //!< by index
    uint32_t m_closed = 0;         //!< devices that are closed
    D2dIndexSet m_waiting;         //!< devices whose bursts all have to wait
    D2dIndexSet m_loose;           //!< those of them whom whatever happens may let send
};

} // namespace ns3::collab

#endif /* D2D_ADMISSION_H */
