/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_PHY_USER_H
#define D2D_PHY_USER_H

#include "ns3/address.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

struct D2dBurst;

/// @ingroup collab-wireless
/// @brief What a device decodes of a burst that is for others.
enum class D2dOverhearing
{
    NONE,  //!< nothing
    WHOLE, //!< all of it
};

/// @ingroup collab-wireless
/// @brief Who uses a D2dPhy, as seen from there: the medium access of its device.
class D2dPhyUser
{
  public:
    /// @brief A burst has arrived.
    /// @param burst the burst
    /// @param source its source, as the node's protocols want to have it
    /// @param packet what was received of it
    /// @param units units that were received, for a divisible packet
    virtual void Receive(const D2dBurst& burst,
                         const Address& source,
                         const Ptr<const Packet>& packet,
                         const std::vector<uint32_t>& units) = 0;
    /// @brief A burst begins on a shared channel.
    /// @param powerW its power here [W]
    /// @return whether this device defers to it; then EndSensing() must follow
    virtual bool BeginSensing(double powerW) = 0;
    /// @brief A burst is over to which this device has deferred.
    virtual void EndSensing() = 0;
    /// @return what it decodes of bursts that are for others
    virtual D2dOverhearing GetOverhearing() const = 0;
    /// @brief A burst that the radio has followed is over.
    virtual void HandleBurstEnd() = 0;
    /// @brief The radio, which has a duty cycle, begins or stops to listen to others besides.
    virtual void HandleListening() = 0;

  protected:
    ~D2dPhyUser() = default;
};

} // namespace ns3::collab

#endif /* D2D_PHY_USER_H */
