/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_CHANNEL_SETTINGS_H
#define D2D_CHANNEL_SETTINGS_H

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief How finely the radio is simulated. Both agree in distribution.
enum class D2dFidelity
{
    PACKET, //!< every fragment is a packet, with events and outage draws of its own
    BURST,  //!< a pass over a message is a few events, whatever its size
};

/// @ingroup collab-wireless
/// @brief How devices share the medium.
enum class D2dAccess
{
    OFDMA,  //!< each transmitter has a subchannel of its own, or one of a given number
    SHARED, //!< one channel for all: simultaneous senders interfere (SINR)
    TDMA,   //!< one channel for all, used in turns
};

/// @ingroup collab-wireless
/// @brief Whether links between devices that stand still are kept from one send to the next.
enum class D2dLinkKeeping
{
    AUTO,   //!< if every model of the chain is known to give the same power as long as they stand
    ALWAYS, //!< in any case: a promise that no model of the chain depends on time or chance
    NEVER,  //!< computed anew at each send
};

/// @ingroup collab-wireless
/// @brief What a device does when fragments for it overlap on a shared channel.
enum class D2dLocking
{
    NONE,    //!< it decodes all of them, each disturbed by the others
    FIRST,   //!< it decodes the one that began first, and no other until that ends
    CAPTURE, //!< the same, but a fragment that is much stronger takes its place
};

/// @ingroup collab-wireless
/// @brief What attributes of a D2dChannel say.
struct D2dChannelSettings
{
    D2dFidelity fidelity = D2dFidelity::BURST;     //!< attribute Fidelity
    D2dAccess access = D2dAccess::OFDMA;           //!< attribute Access
    uint32_t subchannels = 0;                      //!< attribute Subchannels
    double leakageDb = 0;                          //!< attribute AdjacentLeakage [dB]
    D2dLocking locking = D2dLocking::CAPTURE;      //!< attribute Locking
    double captureRatio = 1;                       //!< attribute CaptureMargin, linear
    double interferenceCutoffDbm = 0;              //!< attribute InterferenceCutoff [dBm]
    double noiseFigure = 1;                        //!< attribute NoiseFigure, linear
    double noisePowerW = 0;                        //!< attribute NoisePower [W]
    Time tdmaSlot;                                 //!< attribute TdmaSlot
    Time tdmaGuardTime;                            //!< attribute TdmaGuardTime
    D2dLinkKeeping keeping = D2dLinkKeeping::AUTO; //!< attribute KeepLinks
    Time linkUpdatePeriod;                         //!< attribute LinkUpdatePeriod
    Time delayResolution;                          //!< attribute DelayResolution
    uint64_t keptLinks = 0;                        //!< attribute KeptLinks

    /// @return whether signals of devices can interfere
    bool
    Interferes() const
    {
        return access == D2dAccess::SHARED || (access == D2dAccess::OFDMA && subchannels > 0);
    }
};

} // namespace ns3::collab

#endif /* D2D_CHANNEL_SETTINGS_H */
