/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_AUDIENCE_H
#define D2D_AUDIENCE_H

#include "d2d-link.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief Members of an audience whom a signal reaches at the same time.
struct D2dDelayGroup
{
    Time delay;         //!< propagation delay
    uint32_t first = 0; //!< its first member's place in D2dAudience::order
    uint32_t last = 0;  //!< the place behind its last member
};

/**
 * @ingroup collab-wireless
 * @brief The devices that a burst is meant for, and who of them hears it at the same time.
 *
 * Bursts share the audience as long as links hold, so that it is put in order once.
 */
struct D2dAudience
{
    /// @param linksToAll links to the devices
    explicit D2dAudience(std::vector<D2dLink> linksToAll);

    std::vector<D2dLink> links;        //!< links to the devices
    std::vector<uint32_t> order;       //!< indices of the links, ascending by delay, then index
    std::vector<D2dDelayGroup> groups; //!< the same, by ascending delay
    std::vector<D2dLink> faint; //!< to others whom the signal disturbs though they cannot hear it
};

} // namespace ns3::collab

#endif /* D2D_AUDIENCE_H */
