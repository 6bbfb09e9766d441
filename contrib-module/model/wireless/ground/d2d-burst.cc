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
    constexpr const char* NAMES[] = {"",
                                     "outage",
                                     "collision",
                                     "attempts",
                                     "half-duplex",
                                     "out-of-range",
                                     "receiver-off",
                                     "transmitter-off",
                                     "queue-full",
                                     "unknown-address",
                                     "cancelled",
                                     "deadline",
                                     "run-ended"};
    return NAMES[static_cast<std::size_t>(reason)];
}

} // namespace ns3::collab
