/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_RECIPIENT_H
#define D2D_RECIPIENT_H

#include "d2d-arq.h"

#include "ns3/d2d-burst.h"
#include "ns3/d2d-link.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief One of the devices that a burst is meant for, as long as the burst is under way.
struct D2dRecipient
{
    const D2dLink* link = nullptr; //!< the link to it, in the burst's audience
    uint64_t epoch = 0;            //!< the receiver's epoch when the burst began
    D2dFragmentCounts counts;      //!< what it has
    double loss = 1;               //!< outage probability towards it, without interference
    double acknowledgmentLoss = 1; //!< probability of losing an acknowledgment from it
    Time ended;                    //!< see D2dReceiverOutcome
    uint32_t lostUnits = 0;        //!< see D2dReceiverOutcome
    D2dLossReason reason = D2dLossReason::NONE; //!< why it does not follow the burst
    bool following = false;                     //!< whether it follows the burst
    bool listening = false;                     //!< whether it listens to the present pass
    bool collided = false;                      //!< whether it was locked to others for a fragment
    bool delivered = false;                     //!< see D2dReceiverOutcome
    bool acknowledged = false;                  //!< see D2dReceiverOutcome
};

} // namespace ns3::collab

#endif /* D2D_RECIPIENT_H */
