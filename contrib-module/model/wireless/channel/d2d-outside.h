/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_OUTSIDE_H
#define D2D_OUTSIDE_H

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

class D2dNetDevice;
class D2dPhy;

/// @ingroup collab-wireless
/// @brief Radios that are not on a D2dChannel, and yet share its band, as seen from there.
class D2dOutside : public Object
{
  public:
    /// @param device a device that has joined the channel
    virtual void Add(Ptr<D2dNetDevice> device) = 0;
    /// @brief A device sends.
    /// @param device the device
    /// @param subchannel what it sends on
    /// @param duration for how long
    virtual void Transmit(const D2dPhy& device, uint32_t subchannel, Time duration) = 0;
    /// @param transmitter a device of the channel
    /// @param receiver another one
    /// @return powers of the signals from outside that disturb now what it sends there [W]
    virtual std::vector<double> GetInterferersW(const D2dPhy& transmitter,
                                                const D2dPhy& receiver) const = 0;
};

} // namespace ns3::collab

#endif /* D2D_OUTSIDE_H */
