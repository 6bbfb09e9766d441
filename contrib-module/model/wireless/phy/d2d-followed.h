/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_FOLLOWED_H
#define D2D_FOLLOWED_H

#include "ns3/simple-ref-count.h"

namespace ns3::collab
{

class D2dPhyState;

/// @ingroup collab-wireless
/// @brief A burst that a radio follows, of which a part may be received at any moment.
class D2dFollowed : public SimpleRefCount<D2dFollowed>
{
  public:
    virtual ~D2dFollowed() = default;
    /// @brief A receiver went off that has followed the burst.
    /// @param receiver the receiver
    virtual void HandleGone(const D2dPhyState& receiver) = 0;
    /// @brief What a receiver transmits with is about to change: account for what it has answered.
    virtual void HandlePowerChange() = 0;
    /// @brief It has changed.
    virtual void HandleNewPower() = 0;
};

} // namespace ns3::collab

#endif /* D2D_FOLLOWED_H */
