/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_PAYLOADS_H
#define COMMITTEE_PAYLOADS_H

#include "committee-message.h"

#include "ns3/collab-learner.h"
#include "ns3/collab-message.h"

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
    const ConsensusMessage& GetMessage() const;

  private:
    std::shared_ptr<const ConsensusMessage> m_message; //!< the message
};

/// @ingroup collab
/// @brief Whose vector it is and what it is for: signed together with its digest.
struct VectorLabel
{
    uint32_t round = 0;              //!< round of the mechanism; of a model the one that begins
    uint32_t sender = 0;             //!< who signs
    uint32_t samples = 0;            //!< of a gradient: data size of its client; else 0
    std::vector<uint32_t> committee; //!< of a model: members in the round that begins; else none
    /// of a model with QuorumRule::BYZANTINE: the commits of both votes; else none
    std::vector<ConsensusMessage> proofs;
};

/**
 * @ingroup collab
 * @brief A client's gradient, or the global model with the committee of the round that begins.
 *
 * On the wire, little endian: round, sender, samples, size of the committee (4 bytes each), its
 * members (4 each), the number of commits (4) and for each its size (4) and itself, the vector's
 * elements (4 each, IEEE 754 single precision; each as often as it is repeated), the authenticator.
 * The authenticator covers all before the vector, and the vector by its SHA-256.
 */
class SignedVectorPayload : public Payload
{
  public:
    /**
     * @param label whose it is and what it is for
     * @param values the vector
     * @param keys of all devices: signs in the name of the label's sender
     * @param multiplicity how many numbers each element stands for; see Learner::GetMultiplicity()
     */
    SignedVectorPayload(VectorLabel label,
                        FlatVector values,
                        const KeyRing& keys,
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
    static std::shared_ptr<const SignedVectorPayload> Parse(const uint8_t* bytes,
                                                            std::size_t size,
                                                            std::size_t dimension,
                                                            uint32_t authenticatorBytes,
                                                            uint32_t multiplicity = 1);

    /**
     * @brief Decide whether it can be believed.
     *
     * @param dimension number of elements that there must be
     * @param keys of all devices
     * @throws PayloadError if there are not as many, one is not finite, or its sender has not
     * signed it
     */
    void Check(std::size_t dimension, const KeyRing& keys) const;

    /// @return whose it is and what it is for
    const VectorLabel& GetLabel() const;
    /// @return the vector
    const FlatVector& GetValues() const;
    /// @return SHA-256 of the vector
    const Digest& GetDigest() const;

  private:
    SignedVectorPayload() = default;

    /// @param[out] bytes receives what is before the vector, appended
    void SerializeLabel(std::vector<uint8_t>& bytes) const;
    /// @return what is signed
    std::vector<uint8_t> GetSigned() const;

    VectorLabel m_label;                  //!< whose it is and what it is for
    FlatVector m_values;                  //!< the vector
    uint32_t m_multiplicity = 1;          //!< how many numbers each element stands for
    Digest m_digest = {};                 //!< of the vector
    std::vector<uint8_t> m_authenticator; //!< of the sender
};

} // namespace collab
} // namespace ns3

#endif /* COMMITTEE_PAYLOADS_H */
