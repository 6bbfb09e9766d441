/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-payloads.h"

#include "ns3/collab-wire-format.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <utility>

namespace ns3
{
namespace collab
{

namespace
{

constexpr std::size_t BITS = 8; //!< of a byte

/// @param count number of bits
/// @return number of bytes that they take
std::size_t
CountBytes(std::size_t count)
{
    return (count + BITS - 1) / BITS;
}

/// @param values to write as bits, the first one into the least bit
/// @param[in,out] bytes gets them appended
void
PutBits(const std::vector<bool>& values, std::vector<uint8_t>& bytes)
{
    const std::size_t begin = bytes.size();
    bytes.resize(begin + CountBytes(values.size()), 0);
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        bytes[begin + i / BITS] |= static_cast<uint8_t>((values[i] ? 1U : 0U) << (i % BITS));
    }
}

/**
 * @param reader at bytes that PutBits() writes
 * @param count number of bits
 * @return the bits
 * @throws PayloadError if there are too few bytes, or bits that nothing stands for are set
 */
std::vector<bool>
TakeBits(WireReader& reader, std::size_t count)
{
    const uint8_t* bytes = reader.Take(CountBytes(count));
    std::vector<bool> values;
    for (std::size_t i = 0; i < CountBytes(count) * BITS; ++i)
    {
        const bool value = (bytes[i / BITS] >> (i % BITS) & 1U) != 0;
        if (value && i >= count)
        {
            throw PayloadError("bits that stand for nothing");
        }
        if (i < count)
        {
            values.push_back(value);
        }
    }
    return values;
}

/**
 * @brief Write an encoded vector behind its size, then another one up to the end.
 *
 * @param first a vector
 * @param second another one, or none
 * @param[in,out] bytes gets them appended
 */
void
PutVectors(const EncodedVector& first, const EncodedVector& second, std::vector<uint8_t>& bytes)
{
    PutWord(static_cast<uint32_t>(first.GetSize()), bytes);
    first.Serialize(bytes);
    second.Serialize(bytes);
}

/**
 * @brief Read what PutVectors() writes.
 *
 * @param reader at the size of the first one
 * @param dimension elements of each
 * @param hasSecond whether there must be a second one
 * @param multiplicity how many numbers each element stands for
 * @return both
 * @throws PayloadError if the bytes are not exactly that
 */
std::pair<EncodedVector, EncodedVector>
TakeVectors(WireReader& reader, std::size_t dimension, bool hasSecond, uint32_t multiplicity)
{
    const std::size_t size = reader.TakeWord();
    const uint8_t* bytes = reader.Take(size);
    EncodedVector first(bytes, size, dimension, multiplicity);
    if (!hasSecond)
    {
        reader.CheckEnd();
    }
    const std::size_t left = reader.GetLeft();
    return {std::move(first),
            hasSecond ? EncodedVector(reader.Take(left), left, dimension, multiplicity)
                      : EncodedVector()};
}

} // namespace

EncodedVector::EncodedVector(const std::vector<float>& values,
                             const Compressor& compressor,
                             uint64_t seed)
    : m_bytes(compressor.Encode(values.data(), values.size(), seed))
{
    m_values = std::make_shared<const std::vector<float>>(
        DecodeVector(m_bytes.data(), m_bytes.size(), values.size()));
}

EncodedVector::EncodedVector(FlatVector values, uint32_t multiplicity)
    : m_values(std::move(values)),
      m_multiplicity(multiplicity)
{
}

EncodedVector::EncodedVector(const uint8_t* bytes,
                             std::size_t size,
                             std::size_t dimension,
                             uint32_t multiplicity)
    : m_multiplicity(multiplicity)
{
    try
    {
        auto values = DecodeVector(bytes, size, dimension * multiplicity);
        if (multiplicity > 1)
        {
            for (std::size_t i = 0; i < dimension; ++i)
            {
                values[i] = values[i * multiplicity];
            }
            values.resize(dimension);
            values.shrink_to_fit();
        }
        m_values = std::make_shared<const std::vector<float>>(std::move(values));
    }
    catch (const CompressionError& error)
    {
        throw PayloadError(error.what());
    }
    if (multiplicity == 1 && !IsFloat32(bytes, size))
    {
        m_bytes.assign(bytes, bytes + size);
    }
}

const FlatVector&
EncodedVector::GetValues() const
{
    return m_values;
}

uint64_t
EncodedVector::GetSize() const
{
    return !m_values || !m_bytes.empty()
               ? m_bytes.size()
               : MakeCompressor("float32")->EncodedSize(m_values->size() * m_multiplicity);
}

void
EncodedVector::Serialize(std::vector<uint8_t>& bytes) const
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
EncodedVector::Check(std::size_t dimension, const char* name) const
{
    CheckFloats(m_values.get(), dimension, name);
}

FederatedModelPayload::FederatedModelPayload(std::vector<uint32_t> participants,
                                             EncodedVector model,
                                             EncodedVector control,
                                             std::optional<std::vector<bool>> parities)
    : m_participants(std::move(participants)),
      m_model(std::move(model)),
      m_control(std::move(control)),
      m_parities(std::move(parities))
{
}

uint64_t
FederatedModelPayload::WireSize() const
{
    return WIRE_WORD + WIRE_WORD * m_participants.size() +
           (m_parities ? CountBytes(m_parities->size()) : 0) + WIRE_WORD + m_model.GetSize() +
           m_control.GetSize();
}

void
FederatedModelPayload::Serialize(std::vector<uint8_t>& bytes) const
{
    PutWord(static_cast<uint32_t>(m_participants.size()), bytes);
    for (const uint32_t device : m_participants)
    {
        PutWord(device, bytes);
    }
    if (m_parities)
    {
        PutBits(*m_parities, bytes);
    }
    PutVectors(m_model, m_control, bytes);
}

std::shared_ptr<const FederatedModelPayload>
FederatedModelPayload::Parse(const uint8_t* bytes,
                             std::size_t size,
                             std::size_t dimension,
                             bool hasControl,
                             uint32_t multiplicity,
                             bool hasParities)
{
    WireReader reader(bytes, size);
    const std::size_t count = reader.TakeWord();
    if (count > reader.GetLeft() / WIRE_WORD)
    {
        throw PayloadError(fmt::format("{} participants in {} bytes", count, reader.GetLeft()));
    }
    std::vector<uint32_t> participants;
    for (std::size_t i = 0; i < count; ++i)
    {
        participants.push_back(reader.TakeWord());
    }
    std::optional<std::vector<bool>> parities;
    if (hasParities)
    {
        parities = TakeBits(reader, count);
    }
    auto vectors = TakeVectors(reader, dimension, hasControl, multiplicity);
    return std::make_shared<const FederatedModelPayload>(std::move(participants),
                                                         std::move(vectors.first),
                                                         std::move(vectors.second),
                                                         std::move(parities));
}

void
FederatedModelPayload::Check(std::size_t dimension, bool hasControl, bool hasParities) const
{
    m_model.Check(dimension, "model");
    m_control.Check(hasControl ? dimension : 0, "control variate");
    if (std::adjacent_find(m_participants.begin(),
                           m_participants.end(),
                           std::greater_equal<uint32_t>()) != m_participants.end())
    {
        throw PayloadError("participants that are not in ascending order");
    }
    if (m_parities.has_value() != hasParities ||
        (m_parities && m_parities->size() != m_participants.size()))
    {
        throw PayloadError("bits of participants where none travel, or not one for each");
    }
}

const std::vector<uint32_t>&
FederatedModelPayload::GetParticipants() const
{
    return m_participants;
}

bool
FederatedModelPayload::IsOdd(uint32_t device) const
{
    const auto found = std::lower_bound(m_participants.begin(), m_participants.end(), device);
    return m_parities && found != m_participants.end() && *found == device &&
           (*m_parities)[static_cast<std::size_t>(found - m_participants.begin())];
}

const FlatVector&
FederatedModelPayload::GetModel() const
{
    return m_model.GetValues();
}

const FlatVector&
FederatedModelPayload::GetControl() const
{
    return m_control.GetValues();
}

FederatedUpdatePayload::FederatedUpdatePayload(uint32_t samples,
                                               EncodedVector change,
                                               EncodedVector controlChange,
                                               std::optional<uint32_t> steps,
                                               std::optional<uint32_t> assignment)
    : m_samples(samples),
      m_change(std::move(change)),
      m_controlChange(std::move(controlChange)),
      m_steps(steps),
      m_assignment(assignment)
{
}

uint64_t
FederatedUpdatePayload::WireSize() const
{
    return WIRE_WORD + (m_steps ? WIRE_WORD : 0) + (m_assignment ? WIRE_WORD : 0) + WIRE_WORD +
           m_change.GetSize() + m_controlChange.GetSize();
}

void
FederatedUpdatePayload::Serialize(std::vector<uint8_t>& bytes) const
{
    PutWord(m_samples, bytes);
    if (m_steps)
    {
        PutWord(*m_steps, bytes);
    }
    if (m_assignment)
    {
        PutWord(*m_assignment, bytes);
    }
    PutVectors(m_change, m_controlChange, bytes);
}

std::shared_ptr<const FederatedUpdatePayload>
FederatedUpdatePayload::Parse(const uint8_t* bytes,
                              std::size_t size,
                              std::size_t dimension,
                              bool hasControl,
                              uint32_t multiplicity,
                              bool hasSteps,
                              bool hasAssignment)
{
    WireReader reader(bytes, size);
    const uint32_t samples = reader.TakeWord();
    std::optional<uint32_t> steps;
    if (hasSteps)
    {
        steps = reader.TakeWord();
    }
    std::optional<uint32_t> assignment;
    if (hasAssignment)
    {
        assignment = reader.TakeWord();
    }
    auto vectors = TakeVectors(reader, dimension, hasControl, multiplicity);
    return std::make_shared<const FederatedUpdatePayload>(
        samples, std::move(vectors.first), std::move(vectors.second), steps, assignment);
}

void
FederatedUpdatePayload::Check(std::size_t dimension,
                              bool hasControl,
                              uint32_t maxSamples,
                              uint32_t maxSteps,
                              bool hasAssignment) const
{
    m_change.Check(dimension, "change");
    m_controlChange.Check(hasControl ? dimension : 0, "change of the control variate");
    if (m_samples == 0 || m_samples > maxSamples)
    {
        throw PayloadError(fmt::format("{} samples, expected 1 to {}", m_samples, maxSamples));
    }
    if (m_steps.has_value() != (maxSteps > 0))
    {
        throw PayloadError("steps where none travel, or none where they do");
    }
    if (m_steps && (*m_steps == 0 || *m_steps > maxSteps))
    {
        throw PayloadError(fmt::format("{} steps, expected 1 to {}", *m_steps, maxSteps));
    }
    if (m_assignment.has_value() != hasAssignment)
    {
        throw PayloadError("an assignment where none travels, or none where it does");
    }
}

uint32_t
FederatedUpdatePayload::GetSamples() const
{
    return m_samples;
}

uint32_t
FederatedUpdatePayload::GetSteps() const
{
    return m_steps.value_or(0);
}

uint32_t
FederatedUpdatePayload::GetAssignment() const
{
    return m_assignment.value_or(0);
}

const FlatVector&
FederatedUpdatePayload::GetChange() const
{
    return m_change.GetValues();
}

const FlatVector&
FederatedUpdatePayload::GetControlChange() const
{
    return m_controlChange.GetValues();
}

} // namespace collab
} // namespace ns3
