/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-encoded-vector.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-vector-stack.h"

#include <memory>
#include <utility>

namespace ns3::collab
{

EncodedVector::EncodedVector(const std::vector<float>& values,
                             const Compressor& compressor,
                             uint64_t seed)
    : m_dimension(values.size()),
      m_bytes(compressor.Encode(values.data(), values.size(), seed))
{
    m_values = std::make_shared<const std::vector<float>>(
        DecodeVector(m_bytes.data(), m_bytes.size(), values.size()));
}

EncodedVector::EncodedVector(FlatVector values, uint32_t multiplicity)
    : m_dimension(values->size()),
      m_multiplicity(multiplicity),
      m_values(std::move(values))
{
}

EncodedVector
EncodedVector::Expect(std::size_t dimension, uint32_t multiplicity)
{
    EncodedVector expected;
    expected.m_dimension = dimension;
    expected.m_multiplicity = multiplicity;
    return expected;
}

const FlatVector&
EncodedVector::GetValues() const
{
    return m_values;
}

bool
EncodedVector::IsPlain() const
{
    return m_values && m_bytes.empty() && m_multiplicity == 1;
}

void
EncodedVector::Keep(const std::vector<uint32_t>& units)
{
    KeepElements(m_values, units);
}

uint64_t
EncodedVector::WireSize() const
{
    return !m_values || !m_bytes.empty()
               ? m_bytes.size()
               : MakeCompressor("float32")->EncodedSize(m_values->size() * m_multiplicity);
}

void
EncodedVector::Write(std::vector<uint8_t>& bytes) const
{
    if (!m_values || !m_bytes.empty())
    {
        bytes.insert(bytes.end(), m_bytes.begin(), m_bytes.end());
        return;
    }
    std::vector<float> repeated;
    repeated.reserve(m_values->size() * m_multiplicity);
    for (const float value : *m_values)
    {
        repeated.insert(repeated.end(), m_multiplicity, value);
    }
    const auto encoded = EncodeUnchecked(repeated);
    bytes.insert(bytes.end(), encoded.begin(), encoded.end());
}

void
EncodedVector::Read(WireReader& reader, std::size_t missing)
{
    if (m_dimension == 0)
    {
        reader.CheckEnd();
        return;
    }
    const std::size_t size = reader.GetLeft();
    const uint8_t* bytes = reader.Take(size);
    try
    {
        auto values = missing > 0 ? DecodePart(bytes, size, m_dimension)
                                  : DecodeVector(bytes, size, m_dimension * m_multiplicity);
        if (m_multiplicity > 1)
        {
            for (std::size_t i = 0; i < m_dimension; ++i)
            {
                values[i] = values[i * m_multiplicity];
            }
            values.resize(m_dimension);
            values.shrink_to_fit();
        }
        m_values = std::make_shared<const std::vector<float>>(std::move(values));
    }
    catch (const CompressionError& error)
    {
        throw PayloadError(error.what());
    }
    if (m_multiplicity == 1 && !IsFloat32(bytes, size))
    {
        m_bytes.assign(bytes, bytes + size);
    }
}

void
EncodedVector::Check(const EncodedVector& expected, const char* name, const Arrival& arrived) const
{
    Require<PayloadError>(arrived.IsWhole() || arrived.sent == expected.m_dimension,
                          "{} numbers of a {}, expected {}",
                          arrived.sent,
                          name,
                          expected.m_dimension);
    CheckFloats(
        m_values.get(), arrived.IsWhole() ? expected.m_dimension : arrived.units.size(), name);
}

EncodedVector
EncodeVector(const FlatVector& values,
             const Compressor& compressor,
             uint64_t seed,
             uint32_t multiplicity)
{
    if (!values)
    {
        return EncodedVector();
    }
    const bool asIs = multiplicity > 1 || compressor.IsExact() || !AreFinite(*values);
    return asIs ? EncodedVector(values, multiplicity) : EncodedVector(*values, compressor, seed);
}

} // namespace ns3::collab
