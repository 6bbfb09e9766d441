/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_LINK_H
#define D2D_LINK_H

#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3::collab
{

class D2dPhy;

/// @ingroup collab-wireless
/// @brief The link from one device to another at one moment.
struct D2dLink
{
    D2dPhy* receiver = nullptr; //!< the other end, which the channel holds
    uint32_t receiverNode = 0;  //!< its node
    uint32_t receiverIndex = 0; //!< its index at the channel
    double rssW = 0;            //!< mean received signal strength there [W]
    double returnRssW = 0;      //!< mean received signal strength of the other end here [W]
    Time delay;                 //!< propagation delay
    bool inRange = false;       //!< whether the power reaches the receiver's sensitivity
    bool returnInRange = false; //!< whether the other end's power reaches the sender's sensitivity

    // Kept by D2dChannel::GetOutageProbability()
    mutable double keptLoss = -1;  //!< outage probability without interference; negative for none
    mutable double keptNoiseW = 0; //!< noise power for which it holds [W]
    mutable double keptRate = 0;   //!< spectral efficiency for which it holds [bit/s/Hz]

    /// @param noiseW noise power [W]
    /// @param rate spectral efficiency [bit/s/Hz]
    /// @return whether keptLoss holds for them
    bool
    KeepsLoss(double noiseW, double rate) const
    {
        return keptLoss >= 0 && keptNoiseW == noiseW && keptRate == rate;
    }
};

} // namespace ns3::collab

#endif /* D2D_LINK_H */
