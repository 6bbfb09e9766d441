/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_BURST_SERIES_H
#define D2D_BURST_SERIES_H

#include "d2d-burst.h"

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief Whom a burst has still to be sent to, since they transmitted when it began.
/// @param report what came of its sending
/// @return their nodes; null if there are none
D2dGroup FindDeaf(const D2dBurstReport& report);

/// @ingroup collab-wireless
/// @brief Put together what came of a burst that was sent several times, each time to those who had
/// transmitted before.
/// @param[in,out] whole what came of it before
/// @param part what came of it now, at some of its receivers
void JoinReport(D2dBurstReport& whole, const D2dBurstReport& part);

} // namespace ns3::collab

#endif /* D2D_BURST_SERIES_H */
