/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_FRAGMENTATION_H
#define D2D_FRAGMENTATION_H

#include "d2d-burst.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief State of one fragment at one receiver of a burst with ARQ.
enum class D2dFragmentState : uint8_t
{
    MISSING,        //!< never received
    UNACKNOWLEDGED, //!< received, and its sender does not know
    ACKNOWLEDGED,   //!< received and acknowledged
};

/// @ingroup collab-wireless
/// @brief How the packet of one burst is cut in fragments, all of one length.
struct D2dFragmentation
{
    uint32_t fragments = 1;     //!< number of fragments
    uint32_t packetBytes = 0;   //!< bytes of the packet that each carries, with header and padding
    uint32_t fragmentBytes = 0; //!< bytes of each on the air
    uint32_t unitsPerFragment = 0; //!< whole units that each carries; 0 if a unit spans several
    uint32_t fragmentsPerUnit = 1; //!< fragments that a unit spans
    Time airtime;                  //!< of one fragment; at least 1 ns

    /// @param bytes size of a packet
    /// @param division its units
    /// @param fragmentSize largest part of a packet that one fragment carries [byte]
    /// @return how it is cut; without airtime
    static D2dFragmentation Cut(uint32_t bytes, const D2dDivision& division, uint32_t fragmentSize);

    /// @brief What of a packet has gone on air. A fragment that is sent again brings nothing new.
    /// @param sent fragments that have been transmitted, each counted once
    /// @param bytes size of the packet
    /// @param division its units
    /// @return bytes of the packet in as many fragments, at most its size
    uint64_t CountBytesSent(uint64_t sent, uint32_t bytes, const D2dDivision& division) const;

    /// @param states states of all fragments at a receiver
    /// @param units number of units of the packet
    /// @param least state that each fragment of a unit must have reached
    /// @return numbers of the units of which that is so, ascending
    std::vector<uint32_t> FindUnits(const std::vector<D2dFragmentState>& states,
                                    uint32_t units,
                                    D2dFragmentState least) const;
};

} // namespace ns3::collab

#endif /* D2D_FRAGMENTATION_H */
