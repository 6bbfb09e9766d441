/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_MESSAGE_H
#define COMMITTEE_MESSAGE_H

#include "committee-authentication.h"
#include "committee-score.h"

#include "ns3/committee-block.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace collab
{

/// @ingroup collab
/// @brief What a message of the committee consensus protocol is.
enum class ConsensusKind : uint8_t
{
    SCORES = 1,  //!< a member's scores, to all members
    REQUEST,     //!< the primary's proposal, to all members
    REPLY,       //!< a member's consent, to the primary
    COMMIT,      //!< consensus is reached, to all members
    VIEW_CHANGE, //!< a member has lost patience with a primary, to all members
};

/// @ingroup collab
/// @brief What it takes for a proposal to be agreed.
enum class QuorumRule
{
    /// As published: floor(C / 2) + 1 equal replies from replicas convince the primary, and members
    /// take the primary's word for it
    PAPER,
    /// Rounds end by blocks that ceil((C + f + 1) / 2) distinct members have signed, f < C / 3
    BYZANTINE,
};

/// @ingroup collab
/// @brief Which gradient of a client a member has scored: the digest of what the client has signed.
using GradientDigests = std::map<uint32_t, Digest>;

/// @ingroup collab
/// @brief A set and what comes of it: all that a vote is about.
struct Proposal
{
    std::vector<uint32_t> clients; //!< the set, ascending
    Digest digest = {};            //!< of the new model; of the set itself in the vote ELECTION

    /**
     * @param other another proposal
     * @return whether both are the same
     */
    bool operator==(const Proposal& other) const;
    /**
     * @param other another proposal
     * @return whether they differ
     */
    bool operator!=(const Proposal& other) const;
    /**
     * @param other another proposal
     * @return whether this one comes first in some fixed order
     */
    bool operator<(const Proposal& other) const;
};

/**
 * @ingroup collab
 * @brief One message of the committee consensus protocol.
 *
 * On the wire, all little endian: kind (1 byte), vote (1), round, sender, attempt (4 each),
 * timestamp (8); then for SCORES the number of clients (4) and for each its number (4) and its
 * score (8, IEEE 754); for REQUEST, REPLY and COMMIT the size of the set (4), its numbers (4 each)
 * and the digest (32); at last the authenticator of the message, which covers all before it.
 *
 * With the rule BYZANTINE the highest bit of the kind is set, and after the timestamp come: for
 * SCORES the same, with the digest of the gradient (32) after each score; for REQUEST the block
 * with its certificate of the first vote, if it has one, the number of tables (4) and for each its
 * size (4) and itself, and as much for messages that prove lies; for REPLY the digest of the block
 * (32), and a timestamp of 0; for COMMIT the block with the certificate of the vote; for
 * VIEW_CHANGE 1 and the block that the member is locked on with its certificate, or 0 (1). A
 * message in a message is SCORES with its authenticator.
 */
struct ConsensusMessage
{
    ConsensusKind kind = ConsensusKind::SCORES;      //!< what it is
    QuorumRule rule = QuorumRule::PAPER;             //!< of the committee
    CommitteeVote vote = CommitteeVote::AGGREGATION; //!< what the vote is on; not of SCORES
    uint32_t round = 0;                              //!< round of the mechanism
    uint32_t sender = 0;                             //!< who says to have sent it
    uint32_t attempt = 0;               //!< number of the vote's primary; not of SCORES
    uint64_t timestamp = 0;             //!< the sender's clock [ns]; of a REPLY that of its REQUEST
    ClientScores scores;                //!< of SCORES
    Proposal proposal;                  //!< of REQUEST, REPLY and COMMIT
    std::vector<uint8_t> authenticator; //!< the sender's, over all the rest
    GradientDigests gradients; //!< of SCORES with BYZANTINE: what was scored, of the same clients
    /// With BYZANTINE, of REQUEST and COMMIT: what it is about; of VIEW_CHANGE: what it is locked
    /// on
    std::optional<CertifiedBlock> ballot;
    std::vector<ConsensusMessage> tables; //!< of REQUEST with BYZANTINE: SCORES it follows from
    std::vector<ConsensusMessage>
        evidence; //!< of REQUEST with BYZANTINE: see IsEvidence(), in pairs

    /**
     * @param authenticatorBytes size of an authenticator [B]
     * @return size on the wire [B]
     */
    uint64_t WireSize(uint32_t authenticatorBytes) const;

    /**
     * @param[out] bytes receives the wire format without the authenticator, appended: what is
     * signed
     */
    void SerializeBody(std::vector<uint8_t>& bytes) const;

    /**
     * @param[out] bytes receives the size of a signed message (4 bytes) and itself, appended: as it
     * is within another one
     */
    void SerializeInside(std::vector<uint8_t>& bytes) const;

    /**
     * @param bytes wire format
     * @param size number of bytes
     * @param authenticatorBytes size of an authenticator [B]
     * @return the message
     * @throws std::invalid_argument if the bytes are not those of one message, a set is not
     * ascending or a score is negative or NaN
     */
    static ConsensusMessage Parse(const uint8_t* bytes,
                                  std::size_t size,
                                  uint32_t authenticatorBytes);

    /**
     * @brief Sign the message in the name of its sender.
     * @param keys of all devices
     */
    void Sign(const KeyRing& keys);

    /**
     * @param keys of all devices
     * @return whether its sender has signed it
     */
    bool IsAuthentic(const KeyRing& keys) const;
};

/**
 * @param request a message REQUEST of the rule PAPER
 * @param member who consents
 * @return its REPLY, without the authenticator
 */
ConsensusMessage MakeReply(const ConsensusMessage& request, uint32_t member);

/**
 * @brief Two messages SCORES of one device and round that differ: no honest device sends them.
 *
 * @param first one of them
 * @param second the other one
 * @param keys of all devices
 * @return whether they prove that their sender lies
 */
bool IsEvidence(const ConsensusMessage& first, const ConsensusMessage& second, const KeyRing& keys);

/**
 * @param set clients, ascending
 * @return digest of their numbers, the result of the vote ELECTION
 */
Digest ComputeSetDigest(const std::vector<uint32_t>& set);

/// @param kind of a message
/// @return what traces call it
std::string GetName(ConsensusKind kind);

/// @param vote of a round
/// @return what traces call it
std::string GetName(CommitteeVote vote);

} // namespace collab
} // namespace ns3

#endif /* COMMITTEE_MESSAGE_H */
