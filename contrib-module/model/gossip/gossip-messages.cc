/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-messages.h"

#include <fmt/format.h>

namespace ns3
{
namespace collab
{
namespace gossip
{

void
Weights::Check(const Weights& expected) const
{
    if (samples == 0 || samples > expected.maxSamples)
    {
        throw PayloadError(
            fmt::format("{} samples, expected 1 to {}", samples, expected.maxSamples));
    }
}

} // namespace gossip
} // namespace collab
} // namespace ns3
