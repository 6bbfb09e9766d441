/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated-set-payloads.h"

#include "ns3/collab-wire-format.h"

#include <fmt/format.h>
#include <utility>

namespace ns3
{
namespace collab
{

FederatedSetPayload::FederatedSetPayload(uint32_t exchange, uint32_t samples, EncodedVector change)
    : m_exchange(exchange),
      m_samples(samples),
      m_change(std::move(change))
{
}

uint64_t
FederatedSetPayload::WireSize() const
{
    return 2 * WIRE_WORD + m_change.GetSize();
}

void
FederatedSetPayload::Serialize(std::vector<uint8_t>& bytes) const
{
    PutWord(m_exchange, bytes);
    PutWord(m_samples, bytes);
    m_change.Serialize(bytes);
}

std::shared_ptr<const FederatedSetPayload>
FederatedSetPayload::Parse(const uint8_t* bytes,
                           std::size_t size,
                           std::size_t dimension,
                           uint32_t multiplicity)
{
    WireReader reader(bytes, size);
    const uint32_t exchange = reader.TakeWord();
    const uint32_t samples = reader.TakeWord();
    const std::size_t left = reader.GetLeft();
    return std::make_shared<const FederatedSetPayload>(
        exchange, samples, EncodedVector(reader.Take(left), left, dimension, multiplicity));
}

void
FederatedSetPayload::Check(uint32_t exchanges, std::size_t dimension, uint32_t maxSamples) const
{
    m_change.Check(dimension, "change");
    if (m_exchange >= exchanges)
    {
        throw PayloadError(
            fmt::format("exchange {} of a round, which has {}", m_exchange, exchanges));
    }
    if (m_samples == 0 || m_samples > maxSamples)
    {
        throw PayloadError(fmt::format("{} samples, expected 1 to {}", m_samples, maxSamples));
    }
}

uint32_t
FederatedSetPayload::GetExchange() const
{
    return m_exchange;
}

uint32_t
FederatedSetPayload::GetSamples() const
{
    return m_samples;
}

const FlatVector&
FederatedSetPayload::GetChange() const
{
    return m_change.GetValues();
}

} // namespace collab
} // namespace ns3
