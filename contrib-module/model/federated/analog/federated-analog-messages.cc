/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-analog-messages.h"

#include "ns3/collab-check-argument.h"

namespace ns3::collab
{

void
FederatedHead::Check(const FederatedHead& expected) const
{
    Require<PayloadError>(samples != 0 && samples <= expected.samples,
                          "{} samples, expected 1 to {}",
                          samples,
                          expected.samples);
    Require<PayloadError>(limit > 0, "a greatest amplitude of {}", limit);
}

void
FederatedSlot::Check() const
{
    Require<PayloadError>(amplitude > 0, "an amplitude of {}", amplitude);
}

} // namespace ns3::collab
