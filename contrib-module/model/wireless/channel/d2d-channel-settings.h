/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_CHANNEL_SETTINGS_H
#define D2D_CHANNEL_SETTINGS_H

#include "ns3/d2d-channel-modes.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::collab
{

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

    /// @return whether signals of devices can interfere
    bool
    Interferes() const
    {
        return access == D2dAccess::SHARED || (access == D2dAccess::OFDMA && subchannels > 0);
    }
};

} // namespace ns3::collab

#endif /* D2D_CHANNEL_SETTINGS_H */
