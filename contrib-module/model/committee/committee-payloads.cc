/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-payloads.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace collab
{

static_assert(sizeof(float) == 4, "the wire format is IEEE 754 single precision");

namespace
{

/**
 * @param value to be written
 * @param[out] bytes receives it, little endian, appended
 */
void
Put(uint32_t value, std::vector<uint8_t>& bytes)
{
    boost::endian::native_to_little_inplace(value);
    const auto* begin = reinterpret_cast<const uint8_t*>(&value);
    bytes.insert(bytes.end(), begin, begin + sizeof(value));
}

/// Reads a vector's bytes from front to back
class Reader
{
  public:
    /**
     * @param bytes to be read
     * @param size number of bytes
     */
    Reader(const uint8_t* bytes, std::size_t size)
        : m_next(bytes),
          m_end(bytes + size)
    {
    }

    /**
     * @param size number of bytes
     * @return the next ones
     * @throws PayloadError if there are not so many
     */
    const uint8_t*
    Take(std::size_t size)
    {
        if (size > static_cast<std::size_t>(m_end - m_next))
        {
            throw PayloadError("a signed vector that is cut short");
        }
        m_next += size;
        return m_next - size;
    }

    /**
     * @return the next number
     * @throws PayloadError if there are not enough bytes
     */
    uint32_t
    Get()
    {
        uint32_t value;
        std::memcpy(&value, Take(sizeof(value)), sizeof(value));
        return boost::endian::little_to_native(value);
    }

    /// @return whether all is read
    bool
    IsAtEnd() const
    {
        return m_next == m_end;
    }

  private:
    const uint8_t* m_next; //!< the next byte
    const uint8_t* m_end;  //!< after the last one
};

} // namespace

ConsensusPayload::ConsensusPayload(std::shared_ptr<const ConsensusMessage> message)
    : m_message(std::move(message))
{
}

uint64_t
ConsensusPayload::WireSize() const
{
    return m_message->WireSize(static_cast<uint32_t>(m_message->authenticator.size()));
}

void
ConsensusPayload::Serialize(std::vector<uint8_t>& bytes) const
{
    m_message->SerializeBody(bytes);
    const auto& authenticator = m_message->authenticator;
    bytes.insert(bytes.end(), authenticator.begin(), authenticator.end());
}

std::shared_ptr<const ConsensusPayload>
ConsensusPayload::Parse(const uint8_t* bytes, std::size_t size, uint32_t authenticatorBytes)
{
    try
    {
        return std::make_shared<const ConsensusPayload>(std::make_shared<const ConsensusMessage>(
            ConsensusMessage::Parse(bytes, size, authenticatorBytes)));
    }
    catch (const std::invalid_argument& error)
    {
        throw PayloadError(error.what());
    }
}

const ConsensusMessage&
ConsensusPayload::GetMessage() const
{
    return *m_message;
}

SignedVectorPayload::SignedVectorPayload(VectorLabel label, FlatVector values, const KeyRing& keys)
    : m_label(std::move(label)),
      m_values(std::move(values)),
      m_digest(ComputeDigest(*m_values)),
      m_authenticator(keys.Sign(m_label.sender, GetSigned()))
{
}

uint64_t
SignedVectorPayload::WireSize() const
{
    constexpr std::size_t LABEL_NUMBERS = 5;
    uint64_t size =
        (LABEL_NUMBERS + m_label.committee.size() + m_label.proofs.size() + m_values->size()) *
            sizeof(uint32_t) +
        m_authenticator.size();
    for (const auto& proof : m_label.proofs)
    {
        size += proof.WireSize(static_cast<uint32_t>(proof.authenticator.size()));
    }
    return size;
}

void
SignedVectorPayload::SerializeLabel(std::vector<uint8_t>& bytes) const
{
    Put(m_label.round, bytes);
    Put(m_label.sender, bytes);
    Put(m_label.samples, bytes);
    Put(static_cast<uint32_t>(m_label.committee.size()), bytes);
    for (const uint32_t member : m_label.committee)
    {
        Put(member, bytes);
    }
    Put(static_cast<uint32_t>(m_label.proofs.size()), bytes);
    for (const auto& proof : m_label.proofs)
    {
        const auto authenticatorBytes = static_cast<uint32_t>(proof.authenticator.size());
        Put(static_cast<uint32_t>(proof.WireSize(authenticatorBytes)), bytes);
        proof.SerializeBody(bytes);
        bytes.insert(bytes.end(), proof.authenticator.begin(), proof.authenticator.end());
    }
}

void
SignedVectorPayload::Serialize(std::vector<uint8_t>& bytes) const
{
    SerializeLabel(bytes);
    for (const float value : *m_values)
    {
        uint32_t bits;
        std::memcpy(&bits, &value, sizeof(bits));
        Put(bits, bytes);
    }
    bytes.insert(bytes.end(), m_authenticator.begin(), m_authenticator.end());
}

std::vector<uint8_t>
SignedVectorPayload::GetSigned() const
{
    std::vector<uint8_t> bytes;
    SerializeLabel(bytes);
    bytes.insert(bytes.end(), m_digest.begin(), m_digest.end());
    return bytes;
}

std::shared_ptr<const SignedVectorPayload>
SignedVectorPayload::Parse(const uint8_t* bytes,
                           std::size_t size,
                           std::size_t dimension,
                           uint32_t authenticatorBytes)
{
    Reader reader(bytes, size);
    std::shared_ptr<SignedVectorPayload> payload(new SignedVectorPayload);
    VectorLabel& label = payload->m_label;
    label.round = reader.Get();
    label.sender = reader.Get();
    label.samples = reader.Get();
    for (uint32_t left = reader.Get(); left > 0; --left)
    {
        label.committee.push_back(reader.Get());
    }
    for (uint32_t left = reader.Get(); left > 0; --left)
    {
        const uint32_t proofSize = reader.Get();
        label.proofs.push_back(
            ConsensusPayload::Parse(reader.Take(proofSize), proofSize, authenticatorBytes)
                ->GetMessage());
    }
    auto values = std::make_shared<std::vector<float>>(dimension);
    for (float& value : *values)
    {
        const uint32_t bits = reader.Get();
        std::memcpy(&value, &bits, sizeof(bits));
    }
    payload->m_values = std::move(values);
    payload->m_digest = ComputeDigest(*payload->m_values);
    const uint8_t* authenticator = reader.Take(authenticatorBytes);
    payload->m_authenticator.assign(authenticator, authenticator + authenticatorBytes);
    if (!reader.IsAtEnd())
    {
        throw PayloadError("bytes after a signed vector");
    }
    return payload;
}

void
SignedVectorPayload::Check(std::size_t dimension, const KeyRing& keys) const
{
    if (m_values->size() != dimension)
    {
        throw PayloadError(
            fmt::format("a vector of {} elements, expected {}", m_values->size(), dimension));
    }
    const auto isFinite = [](float value) { return std::isfinite(value); };
    if (!std::all_of(m_values->begin(), m_values->end(), isFinite))
    {
        throw PayloadError("a vector with an element that is not finite");
    }
    if (!keys.Verify(m_label.sender, GetSigned(), m_authenticator))
    {
        throw PayloadError(fmt::format("a vector that device {} has not signed", m_label.sender));
    }
}

const VectorLabel&
SignedVectorPayload::GetLabel() const
{
    return m_label;
}

const FlatVector&
SignedVectorPayload::GetValues() const
{
    return m_values;
}

const Digest&
SignedVectorPayload::GetDigest() const
{
    return m_digest;
}

} // namespace collab
} // namespace ns3
