/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_OUTER_PLACES_H
#define D2D_OUTER_PLACES_H

#include "ns3/vector.h"

#include <cstddef>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-helper
/// @brief Find the places that can be an end of the longest way between two of them, without
/// looking at all pairs.
/// @param places places [m]
/// @return indices of some of them, ascending: both ends of each pair that is as far apart as any,
/// and some places that are nearly as far out; the first place alone if all are the same
std::vector<std::size_t> FindOuterPlaces(const std::vector<Vector>& places);

} // namespace ns3::collab

#endif /* D2D_OUTER_PLACES_H */
