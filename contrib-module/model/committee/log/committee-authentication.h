/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_AUTHENTICATION_H
#define COMMITTEE_AUTHENTICATION_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief A SHA-256 digest (FIPS 180-4).
using Digest = std::array<uint8_t, 32>;

/// @param bytes what to digest
/// @param size number of bytes
/// @return SHA-256 of the bytes
Digest ComputeDigest(const uint8_t* bytes, std::size_t size);

/// @param bytes what to digest
/// @return SHA-256 of the bytes
Digest ComputeDigest(const std::vector<uint8_t>& bytes);

/// @param weights of a model
/// @return SHA-256 of their IEEE 754 single-precision bytes, little endian
Digest ComputeDigest(const std::vector<float>& weights);

/**
 * @ingroup collab
 * @brief Authenticators of messages: a model of digital signatures.
 *
 * An authenticator is HMAC-SHA-256 (RFC 2104) of a message under a key of its signer, which is
 * derived from the run's seed. Anyone who has the key ring can verify, as with the public keys of a
 * signature scheme, and so pass on what another device has signed. That nobody signs in another's
 * name is not enforced by mathematics but by the code: a device calls Sign() with its own number
 * only.
 */
class KeyRing
{
  public:
    /// Least size of an authenticator [B]
    static constexpr uint32_t MIN_BYTES = 8;
    /// Greatest size of an authenticator [B]
    static constexpr uint32_t MAX_BYTES = 4096;

    /// @param seed of the run
    /// @param authenticatorBytes size of an authenticator on the wire [B]: a shorter one than 32 is
    /// truncated, a longer one, such as 64 for Ed25519, is filled up with zeros
    /// @param federation what is signed is for: what a device signs in one federation proves
    /// nothing in another one
    /// @throws std::invalid_argument if the size is not from MIN_BYTES to MAX_BYTES
    KeyRing(uint64_t seed, uint32_t authenticatorBytes, const Digest& federation = {});

    /// @return size of an authenticator [B]
    uint32_t
    GetAuthenticatorBytes() const
    {
        return m_bytes;
    }

    /// @param device that signs
    /// @param bytes what it signs
    /// @return the authenticator
    std::vector<uint8_t> Sign(uint32_t device, const std::vector<uint8_t>& bytes) const;

    /// @param device that is said to have signed
    /// @param bytes what it is said to have signed
    /// @param authenticator to be verified
    /// @return whether it is the device's
    bool Verify(uint32_t device,
                const std::vector<uint8_t>& bytes,
                const std::vector<uint8_t>& authenticator) const;

    /**
     * @brief The one signature that the shares of a quorum make of some bytes.
     *
     * As in a threshold scheme with unique signatures, such as BLS, it is the same whosever shares
     * they are, and nobody knows it before so many members have signed. That is not enforced by
     * mathematics either: the code asks for it with a certificate only. How members get the parts
     * of a common key is not modeled.
     *
     * @param bytes what they have signed
     * @return the signature
     */
    Digest Combine(const std::vector<uint8_t>& bytes) const;

  private:
    /// @param signer number
    /// @param bytes what it signs
    /// @return HMAC under the key of the signer
    Digest MakeTag(uint64_t signer, const std::vector<uint8_t>& bytes) const;

    uint64_t m_seed;     //!< of the run
    uint32_t m_bytes;    //!< size of an authenticator
    Digest m_federation; //!< goes before all that is signed
};

} // namespace ns3::collab

#endif /* COMMITTEE_AUTHENTICATION_H */
