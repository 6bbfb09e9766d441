/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_FLOAT16_H
#define COLLAB_FLOAT16_H

#include <cstdint>

namespace ns3::collab
{

/// @brief Round to IEEE 754 half precision, to the nearest, of two equally near ones to the even.
/// @param value finite; magnitudes that would round to infinity (from 65520) become 65504, the
/// greatest that there is
/// @return the bits: sign, 5 of the exponent, 10 of the fraction
uint16_t FloatToHalf(float value);

/// @param bits bits of a half-precision number
/// @return its value, exactly
float HalfToFloat(uint16_t bits);

} // namespace ns3::collab

#endif /* COLLAB_FLOAT16_H */
