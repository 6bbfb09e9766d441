/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-authentication.h"

#include "ns3/collab-check-argument.h"

#include <boost/endian/conversion.hpp>
#include <cstring>
#include <nettle/hmac.h>
#include <nettle/sha2.h>

namespace ns3::collab
{

static_assert(SHA256_DIGEST_SIZE == std::tuple_size<Digest>::value, "a digest is one of SHA-256");

Digest
ComputeDigest(const uint8_t* bytes, std::size_t size)
{
    sha256_ctx context;
    sha256_init(&context);
    sha256_update(&context, size, bytes);
    Digest digest;
    sha256_digest(&context, digest.size(), digest.data());
    return digest;
}

Digest
ComputeDigest(const std::vector<uint8_t>& bytes)
{
    return ComputeDigest(bytes.data(), bytes.size());
}

Digest
ComputeDigest(const std::vector<float>& weights)
{
    std::vector<uint8_t> bytes(weights.size() * sizeof(uint32_t));
    for (std::size_t i = 0; i < weights.size(); ++i)
    {
        uint32_t bits;
        std::memcpy(&bits, &weights[i], sizeof(bits));
        boost::endian::native_to_little_inplace(bits);
        std::memcpy(bytes.data() + i * sizeof(bits), &bits, sizeof(bits));
    }
    return ComputeDigest(bytes);
}

KeyRing::KeyRing(uint64_t seed, uint32_t authenticatorBytes, const Digest& federation)
    : m_seed(seed),
      m_bytes(authenticatorBytes),
      m_federation(federation)
{
    CheckArgument(m_bytes >= MIN_BYTES && m_bytes <= MAX_BYTES,
                  "authenticators of {} bytes, allowed are {} to {}",
                  m_bytes,
                  MIN_BYTES,
                  MAX_BYTES);
}

Digest
KeyRing::MakeTag(uint64_t signer, const std::vector<uint8_t>& bytes) const
{
    std::array<uint8_t, sizeof(m_seed) + sizeof(signer)> key;
    boost::endian::store_little_u64(key.data(), m_seed);
    boost::endian::store_little_u64(key.data() + sizeof(m_seed), signer);
    hmac_sha256_ctx context;
    hmac_sha256_set_key(&context, key.size(), key.data());
    hmac_sha256_update(&context, m_federation.size(), m_federation.data());
    hmac_sha256_update(&context, bytes.size(), bytes.data());
    Digest tag;
    hmac_sha256_digest(&context, tag.size(), tag.data());
    return tag;
}

std::vector<uint8_t>
KeyRing::Sign(uint32_t device, const std::vector<uint8_t>& bytes) const
{
    const Digest tag = MakeTag(device, bytes);
    std::vector<uint8_t> authenticator(tag.begin(), tag.end());
    authenticator.resize(m_bytes);
    return authenticator;
}

Digest
KeyRing::Combine(const std::vector<uint8_t>& bytes) const
{
    return MakeTag(UINT64_MAX, bytes); // no device has this number
}

bool
KeyRing::Verify(uint32_t device,
                const std::vector<uint8_t>& bytes,
                const std::vector<uint8_t>& authenticator) const
{
    return authenticator == Sign(device, bytes);
}

} // namespace ns3::collab
