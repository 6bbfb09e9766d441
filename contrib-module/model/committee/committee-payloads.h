/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_PAYLOADS_H
#define COMMITTEE_PAYLOADS_H

#include "committee-message.h"

#include "ns3/collab-message.h"
#include "ns3/committee-device-message.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief A message of the committee consensus protocol as a payload.
 */
class ConsensusPayload : public Payload
{
  public:
    /**
     * @param message signed
     */
    explicit ConsensusPayload(std::shared_ptr<const ConsensusMessage> message);

    uint64_t WireSize() const override;
    void Serialize(std::vector<uint8_t>& bytes) const override;

    /**
     * @param bytes wire format
     * @param size number of bytes
     * @param authenticatorBytes size of an authenticator [B]
     * @return the payload
     * @throws PayloadError if the bytes are malformed
     */
    static std::shared_ptr<const ConsensusPayload> Parse(const uint8_t* bytes,
                                                         std::size_t size,
                                                         uint32_t authenticatorBytes);

    /// @return the message
    const std::shared_ptr<const ConsensusMessage>& GetMessage() const;

  private:
    std::shared_ptr<const ConsensusMessage> m_message; //!< the message
};

/**
 * @ingroup collab
 * @brief A client's gradient as a payload.
 *
 * On the wire, little endian: round, sender, samples (4 bytes each), the elements (4 each, IEEE 754
 * single precision; each as often as it is repeated), the authenticator.
 */
class GradientPayload : public Payload
{
  public:
    /**
     * @param gradient signed
     * @param multiplicity how many numbers each element stands for; see Learner::GetMultiplicity()
     */
    explicit GradientPayload(std::shared_ptr<const SignedGradient> gradient,
                             uint32_t multiplicity = 1);

    uint64_t WireSize() const override;
    void Serialize(std::vector<uint8_t>& bytes) const override;

    /**
     * @param bytes wire format
     * @param size number of bytes
     * @param dimension number of elements
     * @param authenticatorBytes size of an authenticator [B]
     * @param multiplicity how many numbers each element stands for
     * @return the payload
     * @throws PayloadError if the bytes are malformed
     */
    static std::shared_ptr<const GradientPayload> Parse(const uint8_t* bytes,
                                                        std::size_t size,
                                                        std::size_t dimension,
                                                        uint32_t authenticatorBytes,
                                                        uint32_t multiplicity = 1);

    /// @return the gradient
    const std::shared_ptr<const SignedGradient>& GetGradient() const;

  private:
    std::shared_ptr<const SignedGradient> m_gradient; //!< the gradient
    uint32_t m_multiplicity;                          //!< see the constructor
};

/**
 * @ingroup collab
 * @brief A block and the model that it names, as a payload.
 *
 * On the wire: the certified block (see CertifiedBlock) and the model's elements as those of a
 * gradient. It needs no signature of its own: the block has the model's digest.
 */
class ModelPayload : public Payload
{
  public:
    /**
     * @param message block and model
     * @param multiplicity how many numbers each element stands for; see Learner::GetMultiplicity()
     */
    explicit ModelPayload(std::shared_ptr<const ModelMessage> message, uint32_t multiplicity = 1);

    uint64_t WireSize() const override;
    void Serialize(std::vector<uint8_t>& bytes) const override;

    /**
     * @param bytes wire format
     * @param size number of bytes
     * @param dimension number of elements
     * @param authenticatorBytes size of an authenticator [B]
     * @param multiplicity how many numbers each element stands for
     * @return the payload
     * @throws PayloadError if the bytes are malformed
     */
    static std::shared_ptr<const ModelPayload> Parse(const uint8_t* bytes,
                                                     std::size_t size,
                                                     std::size_t dimension,
                                                     uint32_t authenticatorBytes,
                                                     uint32_t multiplicity = 1);

    /// @return block and model
    const std::shared_ptr<const ModelMessage>& GetMessage() const;

  private:
    std::shared_ptr<const ModelMessage> m_message; //!< block and model
    uint32_t m_multiplicity;                       //!< see the constructor
};

/**
 * @ingroup collab
 * @brief A question about the chain, or blocks of it, as a payload.
 */
class ChainPayload : public Payload
{
  public:
    /// @param message question or answer
    explicit ChainPayload(std::shared_ptr<const ChainMessage> message);

    uint64_t WireSize() const override;
    void Serialize(std::vector<uint8_t>& bytes) const override;

    /**
     * @param bytes wire format
     * @param size number of bytes
     * @param authenticatorBytes size of an authenticator [B]
     * @return the payload
     * @throws PayloadError if the bytes are malformed
     */
    static std::shared_ptr<const ChainPayload> Parse(const uint8_t* bytes,
                                                     std::size_t size,
                                                     uint32_t authenticatorBytes);

    /// @return question or answer
    const std::shared_ptr<const ChainMessage>& GetMessage() const;

  private:
    std::shared_ptr<const ChainMessage> m_message; //!< question or answer
};

} // namespace collab
} // namespace ns3

#endif /* COMMITTEE_PAYLOADS_H */
