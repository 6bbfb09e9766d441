/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-payloads.h"

#include "ns3/collab-wire-format.h"

#include <fmt/format.h>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace collab
{

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

SignedVectorPayload::SignedVectorPayload(VectorLabel label,
                                         FlatVector values,
                                         const KeyRing& keys,
                                         uint32_t multiplicity)
    : m_label(std::move(label)),
      m_values(std::move(values)),
      m_multiplicity(multiplicity),
      m_digest(ComputeDigest(*m_values)),
      m_authenticator(keys.Sign(m_label.sender, GetSigned()))
{
}

uint64_t
SignedVectorPayload::WireSize() const
{
    constexpr std::size_t LABEL_NUMBERS = 5;
    uint64_t size = (LABEL_NUMBERS + m_label.committee.size() + m_label.proofs.size() +
                     m_values->size() * m_multiplicity) *
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
    PutWord(m_label.round, bytes);
    PutWord(m_label.sender, bytes);
    PutWord(m_label.samples, bytes);
    PutWord(static_cast<uint32_t>(m_label.committee.size()), bytes);
    for (const uint32_t member : m_label.committee)
    {
        PutWord(member, bytes);
    }
    PutWord(static_cast<uint32_t>(m_label.proofs.size()), bytes);
    for (const auto& proof : m_label.proofs)
    {
        const auto authenticatorBytes = static_cast<uint32_t>(proof.authenticator.size());
        PutWord(static_cast<uint32_t>(proof.WireSize(authenticatorBytes)), bytes);
        proof.SerializeBody(bytes);
        bytes.insert(bytes.end(), proof.authenticator.begin(), proof.authenticator.end());
    }
}

void
SignedVectorPayload::Serialize(std::vector<uint8_t>& bytes) const
{
    SerializeLabel(bytes);
    PutFloats(m_values->data(), m_values->size(), m_multiplicity, bytes);
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
                           uint32_t authenticatorBytes,
                           uint32_t multiplicity)
{
    WireReader reader(bytes, size);
    std::shared_ptr<SignedVectorPayload> payload(new SignedVectorPayload);
    VectorLabel& label = payload->m_label;
    label.round = reader.TakeWord();
    label.sender = reader.TakeWord();
    label.samples = reader.TakeWord();
    for (uint32_t left = reader.TakeWord(); left > 0; --left)
    {
        label.committee.push_back(reader.TakeWord());
    }
    for (uint32_t left = reader.TakeWord(); left > 0; --left)
    {
        const uint32_t proofSize = reader.TakeWord();
        label.proofs.push_back(
            ConsensusPayload::Parse(reader.Take(proofSize), proofSize, authenticatorBytes)
                ->GetMessage());
    }
    payload->m_values =
        std::make_shared<const std::vector<float>>(reader.TakeFloats(dimension, multiplicity));
    payload->m_multiplicity = multiplicity;
    payload->m_digest = ComputeDigest(*payload->m_values);
    const uint8_t* authenticator = reader.Take(authenticatorBytes);
    payload->m_authenticator.assign(authenticator, authenticator + authenticatorBytes);
    reader.CheckEnd();
    return payload;
}

void
SignedVectorPayload::Check(std::size_t dimension, const KeyRing& keys) const
{
    CheckFloats(m_values.get(), dimension, "a vector");
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
