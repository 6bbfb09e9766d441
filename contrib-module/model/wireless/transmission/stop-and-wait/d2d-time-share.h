/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_TIME_SHARE_H
#define D2D_TIME_SHARE_H

#include "ns3/nstime.h"

#include <cmath>
#include <cstdint>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @param part part of a duration
/// @param whole the duration
/// @return share of the part; 0 of none
inline double
GetD2dTimeShare(Time part, Time whole)
{
    return whole.IsStrictlyPositive()
               ? static_cast<double>(part.GetTimeStep()) / static_cast<double>(whole.GetTimeStep())
               : 0.0;
}

/// @ingroup collab-wireless
/// @param duration a duration
/// @param share a share of it
/// @return how long that is
inline Time
TakeD2dTimeShare(Time duration, double share)
{
    return TimeStep(
        static_cast<uint64_t>(std::llround(static_cast<double>(duration.GetTimeStep()) * share)));
}

} // namespace ns3::collab

#endif /* D2D_TIME_SHARE_H */
