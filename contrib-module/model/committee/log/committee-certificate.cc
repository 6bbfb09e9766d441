/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-certificate.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-wire-format.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <cstring>
#include <iterator>
#include <nettle/hmac.h>
#include <nettle/sha2.h>
#include <set>

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

bool
AddConsent(std::vector<Consent>& given, const Consent& consent)
{
    const bool isNew = std::none_of(given.begin(), given.end(), [&consent](const Consent& known) {
        return known.member == consent.member;
    });
    if (isNew)
    {
        given.push_back(consent);
    }
    return isNew;
}

std::size_t
CountConsents(const std::vector<Consent>& given,
              Statement statement,
              const Digest& entry,
              const std::vector<uint32_t>& members,
              const KeyRing& keys)
{
    std::set<uint32_t> consenting;
    for (const auto& consent : given)
    {
        statement.member = consent.member;
        if (Contains(members, consent.member) && consenting.count(consent.member) == 0 &&
            keys.Verify(consent.member, statement.GetBytes(entry), consent.authenticator))
        {
            consenting.insert(consent.member);
        }
    }
    return consenting.size();
}

std::vector<uint8_t>
Statement::GetBytes(const Digest& digest) const
{
    std::vector<uint8_t> bytes;
    bytes.reserve(2 + 3 * sizeof(uint32_t) + sizeof(uint64_t) + digest.size());
    PutLittle(kind, bytes);
    PutLittle(static_cast<uint8_t>(vote), bytes);
    PutLittle(round, bytes);
    PutLittle(member, bytes);
    PutLittle(view, bytes);
    PutLittle(uint64_t{0}, bytes);
    bytes.insert(bytes.end(), digest.begin(), digest.end());
    return bytes;
}

bool
Statement::IsUnique() const
{
    const bool isFirst = vote == CommitteeVote::AGGREGATION;
    return kind == SCORES_STATEMENT ? isFirst && view == 0
           : kind == REQUEST_STATEMENT
               ? isFirst
               : kind == CONSENT_STATEMENT && PlaceOf(vote) < COMMITTEE_VOTES;
}

bool
Evidence::IsProof(const KeyRing& keys) const
{
    const auto isSigned = [&](const SignedDigest& one) {
        return keys.Verify(statement.member, statement.GetBytes(one.digest), one.authenticator);
    };
    return statement.IsUnique() && said[0].digest != said[1].digest && isSigned(said[0]) &&
           isSigned(said[1]);
}

bool
CommitteeLies::Add(const Evidence& evidence,
                   bool isInOffice,
                   const std::vector<uint32_t>& expelled,
                   const KeyRing& keys)
{
    const uint32_t liar = evidence.statement.member;
    return isInOffice && m_evidence.count(liar) == 0 && !Contains(expelled, liar) &&
           evidence.IsProof(keys) && m_evidence.emplace(liar, evidence).second;
}

std::optional<Evidence>
CommitteeWitness::Note(const Statement& statement, const SignedDigest& said)
{
    if (!statement.IsUnique())
    {
        return std::nullopt;
    }
    const auto [known, isNew] = m_first.emplace(statement, said);
    if (isNew || known->second.digest == said.digest)
    {
        return std::nullopt;
    }
    return Evidence{statement, {known->second, said}};
}

void
CommitteeWitness::Forget(uint32_t view)
{
    for (auto it = m_first.begin(); it != m_first.end();)
    {
        const bool isOver = it->first.kind != SCORES_STATEMENT && it->first.view < view;
        it = isOver ? m_first.erase(it) : std::next(it);
    }
}

} // namespace ns3::collab
