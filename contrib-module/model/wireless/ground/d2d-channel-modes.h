/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_CHANNEL_MODES_H
#define D2D_CHANNEL_MODES_H

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

} // namespace ns3::collab

#endif /* D2D_CHANNEL_MODES_H */
