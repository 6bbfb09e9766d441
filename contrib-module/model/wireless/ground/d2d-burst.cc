/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-burst.h"

namespace ns3::collab
{

std::string
ToString(D2dLossReason reason)
{
    switch (reason)
    {
    case D2dLossReason::NONE:
        return "";
    case D2dLossReason::OUTAGE:
        return "outage";
    case D2dLossReason::COLLISION:
        return "collision";
    case D2dLossReason::ATTEMPTS:
        return "attempts";
    case D2dLossReason::HALF_DUPLEX:
        return "half-duplex";
    case D2dLossReason::OUT_OF_RANGE:
        return "out-of-range";
    case D2dLossReason::RECEIVER_OFF:
        return "receiver-off";
    case D2dLossReason::TRANSMITTER_OFF:
        return "transmitter-off";
    case D2dLossReason::QUEUE_FULL:
        return "queue-full";
    case D2dLossReason::UNKNOWN_ADDRESS:
        return "unknown-address";
    case D2dLossReason::CANCELLED:
        return "cancelled";
    case D2dLossReason::DEADLINE:
        return "deadline";
    case D2dLossReason::RUN_ENDED:
        return "run-ended";
    }
    return "";
}

} // namespace ns3::collab
