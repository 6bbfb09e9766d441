/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-analog-messages.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-vector-stack.h"

#include <memory>
#include <utility>

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

std::optional<AnalogUpdate>
MakeAnalogUpdate(const AnalogPort& port, const FlatVector& change, uint32_t samples)
{
    auto numbers = std::make_shared<std::vector<float>>(*change);
    for (float& number : *numbers)
    {
        number *= static_cast<float>(samples);
    }
    AnalogUpdate update;
    update.head.samples = samples;
    update.head.limit = port.air->GetLimit(*port.radio, *port.peer, *numbers);
    if (!AreFinite(*numbers) || update.head.limit <= 0)
    {
        return std::nullopt;
    }
    update.numbers = std::move(numbers);
    return update;
}

void
FederatedSlot::Check() const
{
    Require<PayloadError>(amplitude > 0, "an amplitude of {}", amplitude);
}

} // namespace ns3::collab
