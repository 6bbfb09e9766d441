/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_WIRE_FORMAT_H
#define COLLAB_WIRE_FORMAT_H

#include "collab-payload-error.h"

#include "ns3/collab-byte-reader.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// Bytes of a number on the wire, whole or IEEE 754 single precision
constexpr std::size_t WIRE_WORD = 4;

/// @param value value to write, little-endian
/// @param[in,out] bytes buffer to append it to
void PutWord(uint32_t value, std::vector<uint8_t>& bytes);

/// @brief Write numbers in IEEE 754 single precision, little-endian.
/// @param values values to write
/// @param count number of values
/// @param repeats how often each of them is written, one after the other
/// @param[in,out] bytes buffer to append them to
void PutFloats(const float* values,
               std::size_t count,
               uint32_t repeats,
               std::vector<uint8_t>& bytes);

/// @brief Decide whether numbers that came in a message can be believed.
/// @param values the numbers; null for none
/// @param count how many there must be
/// @param name what to call them
/// @throws PayloadError if there are not as many, or one is not finite
void CheckFloats(const std::vector<float>* values, std::size_t count, const char* name);

/// @ingroup collab-messaging
/// @brief Takes parts from the front of a payload's bytes, never more than there is.
class WireReader : public ByteReader<PayloadError>
{
  public:
    using ByteReader::ByteReader;

    /// @return the next number
    /// @throws PayloadError if there are not enough bytes
    uint32_t TakeWord();
    /// @brief Read what PutFloats() writes.
    /// @param count number of values
    /// @param repeats how often each of them is there
    /// @return the values
    /// @throws PayloadError if there are not enough bytes, or repetitions differ
    std::vector<float> TakeFloats(std::size_t count, uint32_t repeats = 1);
};

} // namespace ns3::collab

#endif /* COLLAB_WIRE_FORMAT_H */
