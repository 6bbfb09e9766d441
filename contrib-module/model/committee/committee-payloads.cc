/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-payloads.h"

#include "ns3/collab-wire-format.h"

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

const std::shared_ptr<const ConsensusMessage>&
ConsensusPayload::GetMessage() const
{
    return m_message;
}

GradientPayload::GradientPayload(std::shared_ptr<const SignedGradient> gradient,
                                 uint32_t multiplicity)
    : m_gradient(std::move(gradient)),
      m_multiplicity(multiplicity)
{
}

uint64_t
GradientPayload::WireSize() const
{
    return m_gradient->GetLabel().size() + m_gradient->values->size() * m_multiplicity * WIRE_WORD +
           m_gradient->authenticator.size();
}

void
GradientPayload::Serialize(std::vector<uint8_t>& bytes) const
{
    const std::vector<uint8_t> label = m_gradient->GetLabel();
    const auto& authenticator = m_gradient->authenticator;
    bytes.insert(bytes.end(), label.begin(), label.end());
    PutFloats(m_gradient->values->data(), m_gradient->values->size(), m_multiplicity, bytes);
    bytes.insert(bytes.end(), authenticator.begin(), authenticator.end());
}

std::shared_ptr<const GradientPayload>
GradientPayload::Parse(const uint8_t* bytes,
                       std::size_t size,
                       std::size_t dimension,
                       uint32_t authenticatorBytes,
                       uint32_t multiplicity)
{
    WireReader reader(bytes, size);
    auto gradient = std::make_shared<SignedGradient>();
    gradient->round = reader.TakeWord();
    gradient->sender = reader.TakeWord();
    gradient->samples = reader.TakeWord();
    gradient->values =
        std::make_shared<const std::vector<float>>(reader.TakeFloats(dimension, multiplicity));
    const uint8_t* authenticator = reader.Take(authenticatorBytes);
    gradient->authenticator.assign(authenticator, authenticator + authenticatorBytes);
    reader.CheckEnd();
    gradient->Seal();
    return std::make_shared<const GradientPayload>(std::move(gradient), multiplicity);
}

const std::shared_ptr<const SignedGradient>&
GradientPayload::GetGradient() const
{
    return m_gradient;
}

ModelPayload::ModelPayload(std::shared_ptr<const ModelMessage> message, uint32_t multiplicity)
    : m_message(std::move(message)),
      m_multiplicity(multiplicity)
{
}

uint64_t
ModelPayload::WireSize() const
{
    const CertifiedBlock& certified = m_message->certified;
    const std::size_t authenticatorBytes =
        certified.consents.empty() ? 0 : certified.consents[0].authenticator.size();
    return certified.WireSize(static_cast<uint32_t>(authenticatorBytes)) +
           m_message->values->size() * m_multiplicity * WIRE_WORD;
}

void
ModelPayload::Serialize(std::vector<uint8_t>& bytes) const
{
    m_message->certified.Serialize(bytes);
    PutFloats(m_message->values->data(), m_message->values->size(), m_multiplicity, bytes);
}

std::shared_ptr<const ModelPayload>
ModelPayload::Parse(const uint8_t* bytes,
                    std::size_t size,
                    std::size_t dimension,
                    uint32_t authenticatorBytes,
                    uint32_t multiplicity)
{
    auto message = std::make_shared<ModelMessage>();
    std::size_t left = size;
    try
    {
        ByteReader<std::invalid_argument> blocks(bytes, size);
        message->certified = CertifiedBlock::Parse(blocks, authenticatorBytes);
        left = blocks.GetLeft();
    }
    catch (const std::invalid_argument& error)
    {
        throw PayloadError(error.what());
    }
    WireReader reader(bytes + (size - left), left);
    message->values =
        std::make_shared<const std::vector<float>>(reader.TakeFloats(dimension, multiplicity));
    reader.CheckEnd();
    message->digest = ComputeDigest(*message->values);
    return std::make_shared<const ModelPayload>(std::move(message), multiplicity);
}

const std::shared_ptr<const ModelMessage>&
ModelPayload::GetMessage() const
{
    return m_message;
}

ChainPayload::ChainPayload(std::shared_ptr<const ChainMessage> message)
    : m_message(std::move(message))
{
}

uint64_t
ChainPayload::WireSize() const
{
    std::vector<uint8_t> bytes;
    m_message->Serialize(bytes);
    return bytes.size();
}

void
ChainPayload::Serialize(std::vector<uint8_t>& bytes) const
{
    m_message->Serialize(bytes);
}

std::shared_ptr<const ChainPayload>
ChainPayload::Parse(const uint8_t* bytes, std::size_t size, uint32_t authenticatorBytes)
{
    try
    {
        return std::make_shared<const ChainPayload>(std::make_shared<const ChainMessage>(
            ChainMessage::Parse(bytes, size, authenticatorBytes)));
    }
    catch (const std::invalid_argument& error)
    {
        throw PayloadError(error.what());
    }
}

const std::shared_ptr<const ChainMessage>&
ChainPayload::GetMessage() const
{
    return m_message;
}

} // namespace collab
} // namespace ns3
