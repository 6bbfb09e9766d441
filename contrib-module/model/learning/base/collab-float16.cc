/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-float16.h"

#include <cmath>
#include <cstring>

namespace ns3
{
namespace collab
{

namespace
{

constexpr uint32_t MAGNITUDE = 0x7fffffff;       //!< bits of a float without its sign
constexpr uint32_t FIRST_INFINITE = 0x477ff000;  //!< 65520 as a float
constexpr uint32_t FIRST_NORMAL = 0x38800000;    //!< 2^-14 as a float
constexpr uint32_t BIAS_DIFFERENCE = 0x38000000; //!< (127 - 15) << 23
constexpr int FRACTION_DIFFERENCE = 23 - 10;     //!< bits of the fraction that half lacks
constexpr uint16_t GREATEST = 0x7bff;            //!< 65504
constexpr float SUBNORMAL_UNIT = 0x1p-24F;       //!< the least positive half

} // namespace

uint16_t
FloatToHalf(float value)
{
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    const uint32_t sign = (bits & ~MAGNITUDE) >> 16;
    bits &= MAGNITUDE;
    if (bits >= FIRST_INFINITE)
    {
        return static_cast<uint16_t>(sign | GREATEST);
    }
    if (bits < FIRST_NORMAL)
    {
        const float units = std::nearbyint(std::abs(value) / SUBNORMAL_UNIT);
        return static_cast<uint16_t>(sign | static_cast<uint32_t>(units));
    }
    bits -= BIAS_DIFFERENCE;
    const uint32_t odd = (bits >> FRACTION_DIFFERENCE) & 1U;
    bits += (1U << (FRACTION_DIFFERENCE - 1)) - 1 + odd; // a carry moves into the exponent, rightly
    return static_cast<uint16_t>(sign | bits >> FRACTION_DIFFERENCE);
}

float
HalfToFloat(uint16_t half)
{
    const uint32_t sign = (half & 0x8000U) << 16;
    const uint32_t magnitude = half & 0x7fffU;
    float value;
    if (magnitude < 0x0400)
    {
        value = static_cast<float>(magnitude) * SUBNORMAL_UNIT;
        return sign ? -value : value;
    }
    uint32_t bits = magnitude << FRACTION_DIFFERENCE;
    bits += magnitude < 0x7c00 ? BIAS_DIFFERENCE : 2 * BIAS_DIFFERENCE; // infinity and NaN stay so
    bits |= sign;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
}

} // namespace collab
} // namespace ns3
