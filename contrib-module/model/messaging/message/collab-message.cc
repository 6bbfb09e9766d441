/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-message.h"

#include <utility>

namespace ns3::collab
{

uint64_t
DivisiblePayload::WireSize() const
{
    return static_cast<uint64_t>(GetUnitCount()) * GetUnitSize();
}

uint64_t
DivisiblePayload::GetHeadSize() const
{
    return WireSize() - static_cast<uint64_t>(GetUnitCount()) * GetUnitSize();
}

LossPolicy
AdaptPolicy(LossPolicy policy, const Payload& payload)
{
    if (policy != LossPolicy::PARTIAL && policy != LossPolicy::PARTIAL_RELIABLE)
    {
        return policy;
    }
    const auto* divisible = dynamic_cast<const DivisiblePayload*>(&payload);
    const bool isCut = divisible && divisible->GetHeadSize() < divisible->GetUnitCount();
    return isCut ? policy : LossPolicy::RELIABLE;
}

SendOptions::SendOptions(LossPolicy lossPolicy, DeliveryCallback callback)
    : policy(lossPolicy),
      delivered(std::move(callback))
{
}

} // namespace ns3::collab
