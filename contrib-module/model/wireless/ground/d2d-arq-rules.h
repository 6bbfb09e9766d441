/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_ARQ_RULES_H
#define D2D_ARQ_RULES_H

#include "ns3/d2d-combining.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief How fragments that were not acknowledged are sent again.
enum class D2dArq
{
    STOP_AND_WAIT,    //!< the sender waits for the acknowledgment of each before the next
    SELECTIVE_REPEAT, //!< it sends all outstanding ones in a row, then all acknowledgments come
};

/// @ingroup collab-wireless
/// @brief How the fragments of a burst are acknowledged and sent again.
struct D2dArqRules
{
    D2dArq arq = D2dArq::STOP_AND_WAIT;          //!< in which order
    D2dCombining combining = D2dCombining::NONE; //!< what receivers do with those not decoded
    uint32_t maxAttempts = 1;                    //!< transmissions that each may have
    Time retryBackoff; //!< waiting before the first repetition; doubled at each further one
    Time turnaround;   //!< pause for acknowledgments, besides their airtime, before the sender goes
                       //!< on; 0 for the way there and back
    bool sparesDeaf = false; //!< whether who transmits when a burst to several devices begins gets
                             //!< no repetitions, since the burst is sent to that one again later
};

} // namespace ns3::collab

#endif /* D2D_ARQ_RULES_H */
