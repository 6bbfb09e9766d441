/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_ADMISSION_H
#define D2D_ADMISSION_H

#include "ns3/d2d-audience.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
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
    void Await(uint32_t sender);
    /// @return who waits, and no longer does
    std::set<uint32_t> TakeWaiting();

    /// @param sender index of a device that waits
    /// @param audience whom it claims, instead of those before
    void Claim(uint32_t sender, std::shared_ptr<const D2dAudience> audience);
    /// @param sender index of a device that claims nobody any more
    /// @return whether it had a claim
    bool Release(uint32_t sender);
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
    std::vector<const D2dReceiverAccess*> m_receivers;               //!< by index
    uint32_t m_closed = 0;                                           //!< devices that are closed
    std::set<uint32_t> m_waiting;                                    //!< indices of devices
    std::map<uint32_t, std::shared_ptr<const D2dAudience>> m_claims; //!< by sender
    std::vector<uint32_t> m_claimsOf;                                //!< how many, by receiver
};

} // namespace ns3::collab

#endif /* D2D_ADMISSION_H */
