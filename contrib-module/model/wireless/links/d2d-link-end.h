/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_LINK_END_H
#define D2D_LINK_END_H

#include "ns3/mobility-model.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3::collab
{

class D2dPhy;

/// @ingroup collab-wireless
/// @brief What a link depends on at one of its ends.
struct D2dLinkEnd
{
    Ptr<MobilityModel> mobility; //!< where it is; null until it is asked for
    D2dPhy* phy = nullptr;       //!< its radio
    double txPowerDbm = 0;       //!< of its radio [dBm]
    double rxSensitivityW = 0;   //!< of its radio [W]
    uint32_t node = 0;           //!< its node, once mobility is known
};

} // namespace ns3::collab

#endif /* D2D_LINK_END_H */
