/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-transmission-factory.h"

#include "d2d-burst-transmission.h"
#include "d2d-packet-transmission.h"

#include "ns3/d2d-stop-and-wait-transmission.h"
#include "ns3/d2d-streak-transmission.h"

#include <utility>

namespace ns3::collab
{

Ptr<D2dTransmission>
MakeD2dTransmission(D2dTransmissionOrder order)
{
    const D2dMedium& medium = *order.medium;
    // The units of a divisible packet are of use without those that fail
    const bool waits = order.burst->reliability == D2dReliability::ARQ &&
                       order.burst->division.units == 0 && order.rules.arq == D2dArq::STOP_AND_WAIT;
    const bool combines = order.rules.combining == D2dCombining::CHASE;
    if (medium.GetSettings().fidelity == D2dFidelity::PACKET ||
        medium.NeedsFragments(waits && combines))
    {
        return Create<D2dPacketTransmission>(std::move(order));
    }
    if (waits && medium.Signals().Interferes())
    {
        return Create<D2dStreakTransmission>(std::move(order));
    }
    if (waits)
    {
        return Create<D2dStopAndWaitTransmission>(std::move(order));
    }
    return Create<D2dBurstTransmission>(std::move(order));
}

} // namespace ns3::collab
