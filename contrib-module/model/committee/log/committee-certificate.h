/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_CERTIFICATE_H
#define COMMITTEE_CERTIFICATE_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace ns3::collab
{

/**
 * @file
 * @ingroup collab
 * How devices sign, and what a member of a committee signs: consents, which certify an entry of a
 * log, and statements of which it makes one in a place, so that two are evidence against it.
 */

/// @ingroup collab
/// @brief A SHA-256 digest (FIPS 180-4).
using Digest = std::array<uint8_t, 32>;

/// @return SHA-256 of the bytes
Digest ComputeDigest(const uint8_t* bytes, std::size_t size);

/// @return SHA-256 of the bytes
inline Digest
ComputeDigest(const std::vector<uint8_t>& bytes)
{
    return ComputeDigest(bytes.data(), bytes.size());
}

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

    /// @return the authenticator
    std::vector<uint8_t> Sign(uint32_t device, const std::vector<uint8_t>& bytes) const;

    /// @return whether it is the device's
    bool
    Verify(uint32_t device,
           const std::vector<uint8_t>& bytes,
           const std::vector<uint8_t>& authenticator) const
    {
        return authenticator == Sign(device, bytes);
    }

    /**
     * @brief The one signature that the shares of a quorum make of some bytes.
     *
     * As in a threshold scheme with unique signatures, such as BLS, it is the same whosever shares
     * they are, and nobody knows it before so many members have signed. That is not enforced by
     * mathematics either: the code asks for it with a certificate only. How members get the parts
     * of a common key is not modeled.
     *
     * @return the signature
     */
    Digest
    Combine(const std::vector<uint8_t>& bytes) const
    {
        return MakeTag(UINT64_MAX, bytes); // no device has this number
    }

  private:
    /// @return HMAC under the key of the signer
    Digest MakeTag(uint64_t signer, const std::vector<uint8_t>& bytes) const;

    uint64_t m_seed;     //!< of the run
    uint32_t m_bytes;    //!< size of an authenticator
    Digest m_federation; //!< goes before all that is signed
};

/// @ingroup collab
/// @brief What the committee votes on; one after the other.
enum class CommitteeVote : uint8_t
{
    AGGREGATION, //!< the aggregation set S_a and the model made of it
    ELECTION,    //!< the next committee S_c
};

/// Number of votes of a round
constexpr std::size_t COMMITTEE_VOTES = 2;

/// @return place of a vote in arrays
constexpr std::size_t
PlaceOf(CommitteeVote vote)
{
    return static_cast<std::size_t>(vote);
}

/// The view of consents that are shares of a signature
constexpr uint32_t ANY_VIEW = UINT32_MAX;

/// Kinds of messages of the rule BYZANTINE on the wire of which a member signs one in a place
constexpr uint8_t SCORES_STATEMENT = 0x81;
constexpr uint8_t REQUEST_STATEMENT = 0x82; //!< see SCORES_STATEMENT
constexpr uint8_t CONSENT_STATEMENT = 0x83; //!< see SCORES_STATEMENT

/**
 * @ingroup collab
 * @brief Where in the protocol a member signs something, under the rule BYZANTINE.
 *
 * What it signs there is, little endian, as messages of the committee begin: kind (1 byte), vote
 * (1), round, member, view (4 each), 0 in the place of a time (8), and a digest (32): of the block
 * it consents to, or of the message.
 */
struct Statement
{
    uint8_t kind = CONSENT_STATEMENT;                //!< of the message, as on the wire
    CommitteeVote vote = CommitteeVote::AGGREGATION; //!< of the round
    uint32_t round = 0;                              //!< of the mechanism
    uint32_t member = 0;                             //!< who signs
    uint32_t view = 0;                               //!< of the round

    template <typename V>
    void
    Fields(V& fields)
    {
        fields(kind, vote, round, member, view);
    }

    /// @return what is signed, with the digest of what is said
    std::vector<uint8_t> GetBytes(const Digest& digest) const;
    /// @return whether an honest member signs one digest there at most
    bool IsUnique() const;
    /// @return whether this one comes first in some order
    bool
    operator<(const Statement& other) const
    {
        return std::tie(kind, vote, round, member, view) <
               std::tie(other.kind, other.vote, other.round, other.member, other.view);
    }
};

/// @return what a member signs that consents to a block in a view of the block's round
inline std::vector<uint8_t>
MakeStatement(
    CommitteeVote vote, uint32_t member, uint32_t round, uint32_t view, const Digest& block)
{
    return Statement{CONSENT_STATEMENT, vote, round, member, view}.GetBytes(block);
}

/// @ingroup collab
/// @brief A member's consent as part of a certificate.
struct Consent
{
    uint32_t member = 0;                //!< who consents
    std::vector<uint8_t> authenticator; //!< of its REPLY
};

/// @brief Add a consent to others, but for a member that has given one.
/// @return whether it is new
bool AddConsent(std::vector<Consent>& given, const Consent& consent);

/// @param given consents to one entry in one vote and view, said to be of members
/// @param statement that they must sign, of any member
/// @param entry digest that they must be to
/// @param members of the committee, ascending
/// @param keys of all devices
/// @return distinct members that have consented
std::size_t CountConsents(const std::vector<Consent>& given,
                          Statement statement,
                          const Digest& entry,
                          const std::vector<uint32_t>& members,
                          const KeyRing& keys);

/// @return whether a set, ascending, has an element
inline bool
Contains(const std::vector<uint32_t>& set, uint32_t element)
{
    return std::binary_search(set.begin(), set.end(), element);
}

/// @ingroup collab
/// @brief How a round has ended.
enum class BlockKind : uint8_t
{
    AGREED,    //!< gradients are aggregated, and clients are elected
    ABANDONED, //!< the model stays; the next committee is drawn
};

/**
 * @ingroup collab
 * @brief An entry of a log and the members that consent to it in one vote of one view.
 *
 * On the wire: the entry, the view (4 bytes), the number of consents (4), and for each its member
 * (4) and its authenticator; of an abandoned round the shares in the same way.
 *
 * @tparam Entry has a round, a parent, a kind, and GetDigest()
 */
template <typename Entry>
struct Certified
{
    Entry block;                   //!< what is decided
    uint32_t view = 0;             //!< number of the primary that has found the consents
    std::vector<Consent> consents; //!< of distinct members
    /// Of an abandoned round, with the consents of the last vote: consents in ANY_VIEW, which
    /// together are one signature, whosever they are (KeyRing::Combine())
    std::vector<Consent> shares;

    /// @param fields visitor of the entry as a part of a message
    /// @param authenticatorBytes size of an authenticator [B], which all know
    template <typename V>
    void
    Fields(V& fields, std::size_t authenticatorBytes)
    {
        const auto visit = [&](Consent& consent) {
            fields(consent.member);
            fields.Vector(consent.authenticator, authenticatorBytes, "bytes of an authenticator");
        };
        fields(block, view);
        fields.List(consents, visit);
        if (block.kind == BlockKind::ABANDONED)
        {
            fields.List(shares, visit);
        }
    }

    /// @param vote that the consents must be of
    /// @param inView that they must be of
    /// @return what a member signs that consents; whoever it is
    Statement
    GetStatement(CommitteeVote vote, uint32_t inView) const
    {
        return {CONSENT_STATEMENT, vote, block.round, 0, inView};
    }

    /// @param vote that the consents must be of
    /// @param members of the committee, ascending
    /// @param quorum distinct members that are needed
    /// @param keys of all devices
    /// @return whether so many have consented, and nothing else is there
    bool
    IsCertified(CommitteeVote vote,
                const std::vector<uint32_t>& members,
                std::size_t quorum,
                const KeyRing& keys) const
    {
        // What does not count has no place there: certificates are kept and passed on
        const Digest digest = block.GetDigest();
        const auto areRight = [&](const std::vector<Consent>& given, uint32_t inView) {
            return given.size() >= quorum && given.size() <= members.size() &&
                   CountConsents(given, GetStatement(vote, inView), digest, members, keys) ==
                       given.size();
        };
        const bool needsShares =
            vote == CommitteeVote::ELECTION && block.kind == BlockKind::ABANDONED;
        return areRight(consents, view) &&
               (needsShares ? areRight(shares, ANY_VIEW) : shares.empty());
    }
};

/// @ingroup collab
/// @brief What a member has signed in a place.
struct SignedDigest
{
    Digest digest = {};                 //!< of what it has said
    std::vector<uint8_t> authenticator; //!< its own

    /// @param fields visitor of it as a part of a message
    /// @param authenticatorBytes size of an authenticator [B], which all know
    template <typename V>
    void
    Fields(V& fields, std::size_t authenticatorBytes)
    {
        fields(digest);
        fields.Vector(authenticator, authenticatorBytes, "bytes of an authenticator");
    }
};

/**
 * @ingroup collab
 * @brief Two statements that no honest member makes both: of one place in the protocol, with
 * different digests.
 *
 * Of scores, proposals and consents a member signs one each in a place. Evidence is of constant
 * size, whatever was signed. Keys sign for one federation only, so does what they prove.
 *
 * On the wire: the statement (kind and vote 1 byte each; round, member and view 4 each), and twice
 * a digest (32) and an authenticator.
 */
struct Evidence
{
    Statement statement;  //!< where the member contradicts itself
    SignedDigest said[2]; //!< what it has signed there

    /// @param fields visitor of the evidence as a part of a message
    /// @param authenticatorBytes size of an authenticator [B], which all know
    template <typename V>
    void
    Fields(V& fields, std::size_t authenticatorBytes)
    {
        fields(statement);
        said[0].Fields(fields, authenticatorBytes);
        said[1].Fields(fields, authenticatorBytes);
    }

    /// @return whether it proves that the member lies
    bool IsProof(const KeyRing& keys) const;
};

/// @ingroup collab
/// @brief Lies that are known, until the liars are expelled.
class CommitteeLies
{
  public:
    /// @param evidence said to be of a lie
    /// @param isInOffice whether it is of a member of a round that is known
    /// @param expelled devices, ascending
    /// @param keys of all devices
    /// @return whether it proves a lie of a member that was not known to lie: it is kept
    bool Add(const Evidence& evidence,
             bool isInOffice,
             const std::vector<uint32_t>& expelled,
             const KeyRing& keys);
    /// @param expelled devices, ascending, of which nobody needs evidence any more
    void
    Forget(const std::vector<uint32_t>& expelled)
    {
        for (const uint32_t liar : expelled)
        {
            m_evidence.erase(liar);
        }
    }

    /// @brief Lose all.
    void
    Clear()
    {
        m_evidence.clear();
    }

    /// @return evidence, by device
    const std::map<uint32_t, Evidence>&
    GetAll() const
    {
        return m_evidence;
    }

  private:
    std::map<uint32_t, Evidence> m_evidence; //!< by device
};

/// @ingroup collab
/// @brief The first statement of each member in each place of a round: a second one is evidence.
class CommitteeWitness
{
  public:
    /// @return evidence, if a member, verified, has said something else there before
    std::optional<Evidence> Note(const Statement& statement, const SignedDigest& said);
    /// @return what a member has said there first, if anything
    std::optional<SignedDigest>
    Find(const Statement& statement) const
    {
        const auto found = m_first.find(statement);
        return found == m_first.end() ? std::nullopt : std::optional(found->second);
    }

    /// @param view forget statements of those below, but scores
    void Forget(uint32_t view);
    /// @return statements that are kept
    std::size_t
    GetSize() const
    {
        return m_first.size();
    }

  private:
    std::map<Statement, SignedDigest> m_first; //!< by place
};

} // namespace ns3::collab

#endif /* COMMITTEE_CERTIFICATE_H */
