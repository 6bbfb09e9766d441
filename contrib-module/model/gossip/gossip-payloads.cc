/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip-payloads.h"

#include "ns3/collab-wire-format.h"

#include <fmt/format.h>
#include <utility>

namespace ns3
{
namespace collab
{

GossipNumbersPayload::GossipNumbersPayload(std::vector<uint32_t> numbers)
    : m_numbers(std::move(numbers))
{
}

uint64_t
GossipNumbersPayload::WireSize() const
{
    return WIRE_WORD * (1 + m_numbers.size());
}

void
GossipNumbersPayload::Serialize(std::vector<uint8_t>& bytes) const
{
    PutWord(static_cast<uint32_t>(m_numbers.size()), bytes);
    for (const uint32_t number : m_numbers)
    {
        PutWord(number, bytes);
    }
}

std::shared_ptr<const GossipNumbersPayload>
GossipNumbersPayload::Parse(const uint8_t* bytes, std::size_t size)
{
    WireReader reader(bytes, size);
    const uint32_t count = reader.TakeWord();
    if (reader.GetLeft() != count * WIRE_WORD)
    {
        throw PayloadError(fmt::format("{} numbers in {} bytes", count, reader.GetLeft()));
    }
    std::vector<uint32_t> numbers(count);
    for (uint32_t& number : numbers)
    {
        number = reader.TakeWord();
    }
    return std::make_shared<const GossipNumbersPayload>(std::move(numbers));
}

const std::vector<uint32_t>&
GossipNumbersPayload::GetNumbers() const
{
    return m_numbers;
}

GossipWeightsPayload::GossipWeightsPayload(
    uint32_t number, uint32_t samples, FlatVector weights, uint32_t multiplicity, std::size_t count)
    : m_number(number),
      m_samples(samples),
      m_weights(std::move(weights)),
      m_multiplicity(multiplicity),
      m_count(count > 0 ? count : m_weights->size() * multiplicity)
{
}

uint64_t
GossipWeightsPayload::WireSize() const
{
    return WIRE_WORD * (2 + uint64_t{m_count});
}

void
GossipWeightsPayload::Serialize(std::vector<uint8_t>& bytes) const
{
    PutWord(m_number, bytes);
    PutWord(m_samples, bytes);
    const std::size_t whole = m_count / m_multiplicity;
    PutFloats(m_weights->data(), whole, m_multiplicity, bytes);
    if (const auto rest = static_cast<uint32_t>(m_count % m_multiplicity))
    {
        PutFloats(m_weights->data() + whole, 1, rest, bytes);
    }
}

std::shared_ptr<const GossipWeightsPayload>
GossipWeightsPayload::Parse(const uint8_t* bytes, std::size_t size, uint32_t multiplicity)
{
    WireReader reader(bytes, size);
    const uint32_t number = reader.TakeWord();
    const uint32_t samples = reader.TakeWord();
    const std::size_t count = reader.GetLeft() / WIRE_WORD;
    auto weights = reader.TakeFloats(count / multiplicity, multiplicity);
    if (const auto rest = static_cast<uint32_t>(count % multiplicity))
    {
        weights.push_back(reader.TakeFloats(1, rest).front());
    }
    reader.CheckEnd();
    return std::make_shared<const GossipWeightsPayload>(
        number,
        samples,
        std::make_shared<const std::vector<float>>(std::move(weights)),
        multiplicity,
        count);
}

void
GossipWeightsPayload::Check(std::size_t count, uint32_t maxSamples) const
{
    if (m_count != count)
    {
        throw PayloadError(fmt::format("weights of {} elements, expected {}", m_count, count));
    }
    CheckFloats(m_weights.get(), (count + m_multiplicity - 1) / m_multiplicity, "weights");
    if (m_samples == 0 || m_samples > maxSamples)
    {
        throw PayloadError(fmt::format("{} samples, expected 1 to {}", m_samples, maxSamples));
    }
}

uint32_t
GossipWeightsPayload::GetNumber() const
{
    return m_number;
}

uint32_t
GossipWeightsPayload::GetSamples() const
{
    return m_samples;
}

const FlatVector&
GossipWeightsPayload::GetWeights() const
{
    return m_weights;
}

} // namespace collab
} // namespace ns3
