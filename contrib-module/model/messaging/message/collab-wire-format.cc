/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-wire-format.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace ns3::collab
{

static_assert(sizeof(float) == WIRE_WORD, "the wire format is IEEE 754 single precision");

void
PutWord(uint32_t value, std::vector<uint8_t>& bytes)
{
    bytes.resize(bytes.size() + WIRE_WORD);
    boost::endian::store_little_u32(bytes.data() + bytes.size() - WIRE_WORD, value);
}

void
PutFloats(const float* values, std::size_t count, uint32_t repeats, std::vector<uint8_t>& bytes)
{
    std::size_t at = bytes.size();
    bytes.resize(at + count * repeats * WIRE_WORD);
    for (std::size_t i = 0; i < count; ++i)
    {
        uint32_t bits;
        std::memcpy(&bits, values + i, sizeof(bits));
        for (uint32_t copy = 0; copy < repeats; ++copy, at += WIRE_WORD)
        {
            boost::endian::store_little_u32(bytes.data() + at, bits);
        }
    }
}

void
CheckFloats(const std::vector<float>* values, std::size_t count, const char* name)
{
    const std::size_t size = values ? values->size() : 0;
    if (size != count)
    {
        throw PayloadError(fmt::format("{} of {} elements, expected {}", name, size, count));
    }
    if (values && !std::all_of(values->begin(), values->end(), [](float value) {
            return std::isfinite(value);
        }))
    {
        throw PayloadError(fmt::format("{} with an element that is not finite", name));
    }
}

uint32_t
WireReader::TakeWord()
{
    return TakeNumber<uint32_t>();
}

std::vector<float>
WireReader::TakeFloats(std::size_t count, uint32_t repeats)
{
    const uint8_t* next = Take(count * repeats * WIRE_WORD);
    std::vector<float> values(count);
    for (float& value : values)
    {
        const uint32_t bits = boost::endian::load_little_u32(next);
        for (uint32_t copy = 0; copy < repeats; ++copy, next += WIRE_WORD)
        {
            if (boost::endian::load_little_u32(next) != bits)
            {
                throw PayloadError("repetitions of a number that differ");
            }
        }
        std::memcpy(&value, &bits, sizeof(value));
    }
    return values;
}

} // namespace ns3::collab
