/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-fragmentation.h"

#include "ns3/abort.h"
#include "ns3/d2d-mac-header.h"

#include <algorithm>

namespace ns3::collab
{

namespace
{

/// @param dividend a number
/// @param divisor a positive number
/// @return their quotient, rounded up
uint32_t
DivideUp(uint32_t dividend, uint32_t divisor)
{
    return dividend / divisor + (dividend % divisor != 0);
}

/// @param division units of a packet
/// @param fragmentSize largest part of a packet that one fragment carries [byte]
/// @return how it is cut
D2dFragmentation
CutUnits(const D2dDivision& division, uint32_t fragmentSize)
{
    NS_ABORT_MSG_IF(fragmentSize <= division.headerBytes,
                    "D2dPhy: FragmentSize of "
                        << fragmentSize << " bytes has no room behind the header of "
                        << division.headerBytes << " bytes that each part of a divisible packet "
                        << "carries");
    const uint32_t room = fragmentSize - division.headerBytes;
    D2dFragmentation result;
    if (division.unitBytes <= room)
    {
        result.unitsPerFragment = division.unitBytes > 0
                                      ? std::min(room / division.unitBytes, division.units)
                                      : division.units;
        result.fragments = DivideUp(division.units, result.unitsPerFragment);
        // As many in each as the number of fragments asks for
        result.unitsPerFragment = DivideUp(division.units, result.fragments);
        result.fragments = DivideUp(division.units, result.unitsPerFragment);
        result.packetBytes = division.headerBytes + result.unitsPerFragment * division.unitBytes;
    }
    else
    {
        result.fragmentsPerUnit = DivideUp(division.unitBytes, room);
        result.fragments = division.units * result.fragmentsPerUnit;
        result.packetBytes =
            division.headerBytes + DivideUp(division.unitBytes, result.fragmentsPerUnit);
    }
    return result;
}

} // namespace

D2dFragmentation
D2dFragmentation::Cut(uint32_t bytes, const D2dDivision& division, uint32_t fragmentSize)
{
    D2dFragmentation result;
    if (division.units > 0)
    {
        result = CutUnits(division, fragmentSize);
    }
    else
    {
        result.fragments = std::max(1U, DivideUp(bytes, fragmentSize));
        result.packetBytes = DivideUp(bytes, result.fragments);
    }
    result.fragmentBytes =
        result.packetBytes + D2dMacHeader::SIZE + D2dMacHeader::CHECK_SEQUENCE_SIZE;
    return result;
}

uint64_t
D2dFragmentation::CountBytesSent(uint64_t sent, uint32_t bytes, const D2dDivision& division) const
{
    if (sent >= fragments)
    {
        return bytes; // also where fragments have nothing but padding to carry
    }
    const uint64_t header = sent > 0 ? division.headerBytes : 0;
    return std::min<uint64_t>(bytes, header + sent * (packetBytes - division.headerBytes));
}

std::vector<uint32_t>
D2dFragmentation::FindUnits(const std::vector<D2dFragmentState>& states,
                            uint32_t units,
                            D2dFragmentState least) const
{
    std::vector<uint32_t> found;
    for (uint32_t unit = 0; unit < units; ++unit)
    {
        const uint32_t first =
            unitsPerFragment > 0 ? unit / unitsPerFragment : unit * fragmentsPerUnit;
        const auto begin = states.begin() + first;
        if (std::all_of(begin, begin + fragmentsPerUnit, [least](D2dFragmentState state) {
                return state >= least;
            }))
        {
            found.push_back(unit);
        }
    }
    return found;
}

} // namespace ns3::collab
