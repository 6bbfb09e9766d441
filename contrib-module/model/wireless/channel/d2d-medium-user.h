/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_MEDIUM_USER_H
#define D2D_MEDIUM_USER_H

#include "ns3/mac48-address.h"

namespace ns3::collab
{

class D2dReceiverAccess;

/// @ingroup collab-wireless
/// @brief The medium access of a device, as seen from the medium.
class D2dMediumUser
{
  public:
    /// @return own address
    virtual Mac48Address GetAddress() const = 0;
    /// @return whether the device sends, now that its turn has come
    virtual bool TakeTurn() = 0;
    /// @brief A receiver has place again that this device may have waited for.
    virtual void RetryAccess() = 0;
    /// @return says whether the device takes bursts, for those who have some for it
    virtual const D2dReceiverAccess& GetReceiverAccess() const = 0;

  protected:
    ~D2dMediumUser() = default;
};

} // namespace ns3::collab

#endif /* D2D_MEDIUM_USER_H */
