/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_ENCODED_VECTOR_H
#define COLLAB_ENCODED_VECTOR_H

#include "ns3/collab-compression.h"
#include "ns3/collab-fields.h"
#include "ns3/collab-learner.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief A vector as it travels: the bytes of a Compressor, and what a receiver reads in them.
class EncodedVector
{
  public:
    /// @brief No vector.
    EncodedVector() = default;
    /// @param values to encode
    /// @param compressor what to encode with
    /// @param seed of what is random in it
    /// @throws std::invalid_argument if a value is not finite
    EncodedVector(const std::vector<float>& values, const Compressor& compressor, uint64_t seed);
    /// @brief Encode each value as many equal ones by "float32"; see Learner::GetMultiplicity().
    /// @param values to encode; if one is not finite, receivers refuse all
    /// @param multiplicity how many numbers each value stands for
    EncodedVector(FlatVector values, uint32_t multiplicity);
    /// @param dimension of a vector that is expected; 0 for none
    /// @param multiplicity how many numbers each of its values stands for
    /// @return a vector without values, which Read() reads, and which others are checked against
    static EncodedVector Expect(std::size_t dimension, uint32_t multiplicity);

    /// @return what a receiver reads; null for no vector
    const FlatVector& GetValues() const;
    /// @return whether its values travel one by one as they are
    bool IsPlain() const;
    /// @param units numbers of the values that have come, ascending: all others are missing
    void Keep(const std::vector<uint32_t>& units);

    /// @return bytes of the encoding; 0 for no vector
    uint64_t WireSize() const;
    /// @param[in,out] bytes gets the encoding appended; nothing for no vector
    void Write(std::vector<uint8_t>& bytes) const;
    /// @param reader with nothing else than the encoding of an expected vector
    /// @param missing values of it that have not come
    /// @throws PayloadError if it is not one of so many finite elements
    void Read(WireReader& reader, std::size_t missing = 0);
    /// @param expected of Expect()
    /// @param name what to call it
    /// @param arrived values that have come
    /// @throws PayloadError if there are not as many values, or one is not finite
    void Check(const EncodedVector& expected, const char* name, const Arrival& arrived = {}) const;

  private:
    std::size_t m_dimension = 0;  //!< number of values
    uint32_t m_multiplicity = 1;  //!< how many numbers each value stands for
    FlatVector m_values;          //!< what a receiver reads
    std::vector<uint8_t> m_bytes; //!< the encoding; empty if it is "float32", made when needed
};

/// @param values a vector to be sent; null for none
/// @param compressor what to encode it with
/// @param seed of what is random in that
/// @param multiplicity how many numbers each element stands for; if more than 1, all of them travel
/// as they are
/// @return it as it travels; as it is if an element is not finite, since that cannot be compressed:
/// receivers refuse it
EncodedVector EncodeVector(const FlatVector& values,
                           const Compressor& compressor,
                           uint64_t seed,
                           uint32_t multiplicity);

} // namespace ns3::collab

#endif /* COLLAB_ENCODED_VECTOR_H */
