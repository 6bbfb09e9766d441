/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-message.h"

#include <utility>

namespace ns3::collab
{

bool
Payload::HasOpenKind() const
{
    return false;
}

uint64_t
DivisiblePayload::WireSize() const
{
    return static_cast<uint64_t>(GetUnitCount()) * GetUnitSize();
}

SendOptions::SendOptions(LossPolicy lossPolicy, DeliveryCallback callback)
    : policy(lossPolicy),
      delivered(std::move(callback))
{
}

} // namespace ns3::collab
