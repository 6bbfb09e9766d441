/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_BLOCK_H
#define COMMITTEE_BLOCK_H

#include "ns3/collab-fields.h"
#include "ns3/committee-authentication.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::collab
{

/**
 * @file
 * @ingroup collab
 * What a round of the committee mechanism ends with: a block that names its predecessor, the new
 * model and the next committee, and a certificate of the committee that has decided it.
 */

/// @ingroup collab
/// @brief What the committee votes on; one after the other.
enum class CommitteeVote : uint8_t
{
    AGGREGATION, //!< the aggregation set S_a and the model made of it
    ELECTION,    //!< the next committee S_c
};

/// Number of votes of a round
constexpr std::size_t COMMITTEE_VOTES = 2;

/// @param vote of the round
/// @return its place in arrays
constexpr std::size_t
PlaceOf(CommitteeVote vote)
{
    return static_cast<std::size_t>(vote);
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
 * @brief The end of a round.
 *
 * On the wire, little endian: round (4 bytes), digest of the parent (32), kind (1), the size of the
 * aggregation set (4) and its clients (4 each), digest of the model (32), size of the next
 * committee (4) and its members (4 each), number of expelled devices (4) and these (4 each).
 *
 * The end of an abandoned round names no committee: that is drawn by the shares of its certificate.
 */
struct Block
{
    uint32_t round = 0;                 //!< of the mechanism
    Digest parent = {};                 //!< digest of the block before; of the first one: zeros
    BlockKind kind = BlockKind::AGREED; //!< how the round has ended
    std::vector<uint32_t> clients;      //!< aggregation set, ascending; none if abandoned
    Digest model = {};                  //!< of the model from now on
    std::vector<uint32_t> committee;    //!< of the next round, ascending; none if abandoned
    std::vector<uint32_t> expelled;     //!< devices that have been found to lie, ever, ascending

    template <typename V>
    void
    Fields(V& fields)
    {
        fields(round, parent, kind, clients, model, committee, expelled);
        fields.Derive([this]() { CheckRead(); });
    }

    /// @throws PayloadError if the kind is unknown, or a set is not ascending
    void CheckRead() const;
    /// @return SHA-256 of the wire format
    Digest GetDigest() const;
};

/// @param a a block
/// @param b another block
/// @return whether both are the same
bool operator==(const Block& a, const Block& b);
/// @param a a block
/// @param b another block
/// @return whether they differ
bool operator!=(const Block& a, const Block& b);

/// @ingroup collab
/// @brief A member's consent as part of a certificate.
struct Consent
{
    uint32_t member = 0;                //!< who consents
    std::vector<uint8_t> authenticator; //!< of its REPLY
};

/**
 * @ingroup collab
 * @brief A block and the members that consent to it in one vote of one view.
 *
 * On the wire: the block, the view (4 bytes), the number of consents (4), and for each its member
 * (4) and its authenticator; of an abandoned round the shares in the same way.
 */
struct CertifiedBlock
{
    Block block;                   //!< what is decided
    uint32_t view = 0;             //!< number of the primary that has found the consents
    std::vector<Consent> consents; //!< of distinct members
    /// Of an abandoned round, with the consents of the last vote: consents in ANY_VIEW, which
    /// together are one signature, whosever they are (KeyRing::Combine())
    std::vector<Consent> shares;

    /// @param fields visitor of the block as a part of a message
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
    /// @param members of the committee, ascending
    /// @param keys of all devices
    /// @return distinct members that have consented
    std::size_t CountConsents(CommitteeVote vote,
                              const std::vector<uint32_t>& members,
                              const KeyRing& keys) const;
    /// @param vote that the consents must be of
    /// @param members of the committee, ascending
    /// @param quorum distinct members that are needed
    /// @param keys of all devices
    /// @return whether so many have consented, and nothing else is there
    bool IsCertified(CommitteeVote vote,
                     const std::vector<uint32_t>& members,
                     std::size_t quorum,
                     const KeyRing& keys) const;
};

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

    /// @param digest of what is said
    /// @return what is signed
    std::vector<uint8_t> GetBytes(const Digest& digest) const;
    /// @return whether an honest member signs one digest there at most
    bool IsUnique() const;
    /// @param other place
    /// @return whether this one comes first in some order
    bool operator<(const Statement& other) const;
};

/// @param vote of the round
/// @param member that consents
/// @param round of the block
/// @param view that it consents in
/// @param block digest of the block
/// @return what it signs
std::vector<uint8_t> MakeStatement(
    CommitteeVote vote, uint32_t member, uint32_t round, uint32_t view, const Digest& block);

/// @param set ascending
/// @param element to look for
/// @return whether the set has it
bool Contains(const std::vector<uint32_t>& set, uint32_t element);

/// @param set said to be one
/// @throws PayloadError if it is not ascending
void CheckSet(const std::vector<uint32_t>& set);

} // namespace ns3::collab

#endif /* COMMITTEE_BLOCK_H */
