/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-float16.h"

#include <algorithm>
#include <c10/util/Half.h>

namespace ns3::collab
{

uint16_t
FloatToHalf(float value)
{
    constexpr float GREATEST = 65504;
    return c10::Half(std::clamp(value, -GREATEST, GREATEST)).x;
}

float
HalfToFloat(uint16_t half)
{
    return c10::Half(half, c10::Half::from_bits());
}

} // namespace ns3::collab
