/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_MESSAGE_H
#define COMMITTEE_MESSAGE_H

#include "committee-score.h"

#include "ns3/collab-learner.h"
#include "ns3/committee-chain.h"
#include "ns3/committee-log-member.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief Which gradient of a client a member has scored: the digest of what the client has signed.
using GradientDigests = std::map<uint32_t, Digest>;

/// @ingroup collab
/// @brief A set and what comes of it: all that a vote is about.
struct Proposal
{
    std::vector<uint32_t> clients; //!< the set, ascending
    Digest digest = {};            //!< of the new model; of the set itself in the vote ELECTION

    /// @return whether both are the same
    bool
    operator==(const Proposal& other) const
    {
        return clients == other.clients && digest == other.digest;
    }

    /// @return whether this one comes first in some fixed order
    bool
    operator<(const Proposal& other) const
    {
        return std::tie(clients, digest) < std::tie(other.clients, other.digest);
    }

    template <typename V>
    void
    Fields(V& fields)
    {
        fields(clients, digest);
        fields.Derive([this]() { CheckSet(clients); });
    }
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
 * size (4) and itself, and the number of pieces of evidence (4) and these; for REPLY the digest of
 * the block (32), and a timestamp of 0; for COMMIT the block with the certificate of the vote; for
 * VIEW_CHANGE 1 and the block that the member is locked on with its certificate, or 0 (1), and 1
 * with digest (32) and authenticator of the proposal that it has heard in the view before, or 0. A
 * message in a message is SCORES with its authenticator. What is signed is a Statement.
 */
struct ConsensusMessage
{
    static constexpr uint16_t KIND = 0x0202;
    static constexpr const char* NAME = "consensus";

    using Entry = Block; //!< of the log that it is about

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
    std::vector<Evidence> evidence;       //!< of REQUEST with BYZANTINE: against whom it expels
    /// Of VIEW_CHANGE with BYZANTINE: the proposal heard in the view before, if any was
    std::optional<SignedDigest> heard;

    template <typename V>
    void
    Fields(V& fields)
    {
        fields.Shape(authenticator.size(), "bytes of an authenticator");
        Head(fields);
        if (kind == ConsensusKind::SCORES)
        {
            Scores(fields);
        }
        else if (rule == QuorumRule::BYZANTINE)
        {
            Ballot(fields, authenticator.size());
        }
        else if (kind != ConsensusKind::VIEW_CHANGE)
        {
            fields(proposal);
        }
        fields.Vector(authenticator, authenticator.size(), "bytes of an authenticator");
    }

    /// @brief Visit SCORES with BYZANTINE as a part of another message.
    template <typename V>
    void
    FieldsInside(V& fields, std::size_t authenticatorBytes)
    {
        auto size = static_cast<uint32_t>(CountBytes(*this));
        fields(size);
        Head(fields);
        fields.Derive([this, size]() { CheckInside(size > 0); });
        Scores(fields);
        fields.Vector(authenticator, authenticatorBytes, "bytes of an authenticator");
        fields.Derive([this, size]() { CheckInside(CountBytes(*this) == size); });
    }

    /// @return what is signed: all before the authenticator; with BYZANTINE the statement of it
    std::vector<uint8_t>
    GetBody() const
    {
        return rule == QuorumRule::PAPER ? GetContent()
                                         : GetStatement().GetBytes(GetSigned().digest);
    }

    /// @return with BYZANTINE: where it is said
    Statement
    GetStatement() const
    {
        return {GetCode(), vote, round, sender, attempt};
    }

    /// @return with BYZANTINE: digest of what is said there, and the authenticator
    SignedDigest
    GetSigned() const
    {
        const bool isConsent = kind == ConsensusKind::REPLY;
        return {isConsent ? proposal.digest : ComputeDigest(GetContent()), authenticator};
    }

    /// @brief Sign the message in the name of its sender.
    void
    Sign(const KeyRing& keys)
    {
        authenticator = keys.Sign(sender, GetBody());
    }

    /// @return whether its sender has signed it
    bool
    IsAuthentic(const KeyRing& keys) const
    {
        return keys.Verify(sender, GetBody(), authenticator);
    }

  private:
    /// Highest bit of the kind: the rule is BYZANTINE
    static constexpr uint8_t BYZANTINE_BIT = 0x80;

    /// The field with scores and, with BYZANTINE, digests of gradients
    struct ScoreList
    {
        ConsensusMessage& message; //!< whose they are

        uint64_t WireSize() const;
        void Write(std::vector<uint8_t>& bytes) const;
        /// @throws PayloadError if it is none of scores, ascending by client
        void Read(WireReader& reader);
    };

    /// @brief Visit what all kinds have.
    template <typename V>
    void
    Head(V& fields)
    {
        uint8_t code = GetCode();
        fields(code, vote, round, sender, attempt, timestamp);
        fields.Derive([this, code]() { SetCode(code); });
    }

    /// @brief Visit what SCORES have.
    template <typename V>
    void
    Scores(V& fields)
    {
        ScoreList list{*this};
        fields(list);
    }

    /// @brief Visit what other kinds have with BYZANTINE.
    template <typename V>
    void
    Ballot(V& fields, std::size_t authenticatorBytes)
    {
        if (kind == ConsensusKind::REPLY)
        {
            fields(proposal.digest);
            fields.Derive([this]() { CheckConsent(); });
            return;
        }
        bool isThere = ballot || kind != ConsensusKind::VIEW_CHANGE;
        if (kind == ConsensusKind::VIEW_CHANGE)
        {
            fields(isThere);
        }
        if (isThere)
        {
            fields.Derive([this]() { ballot.emplace(); });
            ballot->Fields(fields, authenticatorBytes);
        }
        if (kind == ConsensusKind::REQUEST)
        {
            fields.List(tables,
                        [&](ConsensusMessage& m) { m.FieldsInside(fields, authenticatorBytes); });
            fields.List(evidence, [&](Evidence& e) { e.Fields(fields, authenticatorBytes); });
        }
        else if (kind == ConsensusKind::VIEW_CHANGE)
        {
            bool isHeard = heard.has_value();
            fields(isHeard);
            if (isHeard)
            {
                fields.Derive([this]() { heard.emplace(); });
                heard->Fields(fields, authenticatorBytes);
            }
        }
    }

    /// @return all bytes before the authenticator
    std::vector<uint8_t> GetContent() const;

    /// @return kind and rule as a number
    uint8_t
    GetCode() const
    {
        return static_cast<uint8_t>(static_cast<uint8_t>(kind) |
                                    (rule == QuorumRule::BYZANTINE ? BYZANTINE_BIT : 0));
    }

    /// @param code kind and rule as a number
    /// @throws PayloadError if there is no such kind, or vote
    void SetCode(uint8_t code);
    /// @throws PayloadError if the message, a REPLY, could not be part of a certificate
    void CheckConsent() const;
    /// @param fits whether the message has the size that stands before it
    /// @throws PayloadError if it cannot be in another one
    void CheckInside(bool fits) const;
};

/// @ingroup collab
/// @brief A client's gradient: it signs all of it together.
///
/// On the wire: round, sender, samples (4 bytes each), the elements (each as often as it is
/// repeated), and the authenticator.
struct SignedGradient
{
    static constexpr uint16_t KIND = 0x0201;
    static constexpr const char* NAME = "gradient";

    uint32_t round = 0;                 //!< of the mechanism
    uint32_t sender = 0;                //!< the client
    uint32_t samples = 0;               //!< its data size, by which the gradient is weighed
    FlatVector values;                  //!< the gradient
    Digest digest = {};                 //!< of all that is signed: which gradient it is
    std::vector<uint8_t> authenticator; //!< of the client
    uint32_t repeats = 1;               //!< Learner::GetMultiplicity(), which all know

    template <typename V>
    void
    Fields(V& fields)
    {
        const std::size_t count = values->size() * repeats;
        fields.Shape(count, "elements of a gradient");
        fields.Shape(authenticator.size(), "bytes of an authenticator");
        fields(round, sender, samples);
        fields.Floats(values, count, "gradient", repeats);
        fields.Vector(authenticator, authenticator.size(), "bytes of an authenticator");
        fields.Derive([this]() { Seal(); });
    }

    /// @brief Compute the digest.
    void Seal();
    /// @param keys of all devices: seal it, and sign in the name of its sender
    void
    Sign(const KeyRing& keys)
    {
        Seal();
        authenticator = keys.Sign(sender, {digest.begin(), digest.end()});
    }

    /// @return whether its sender has signed what is sealed
    bool
    IsAuthentic(const KeyRing& keys) const
    {
        return keys.Verify(sender, {digest.begin(), digest.end()}, authenticator);
    }
};

/// @ingroup collab
/// @brief Gradients, by client.
using GradientsByClient = std::map<uint32_t, std::shared_ptr<const SignedGradient>>;

/// @ingroup collab
/// @brief A block, and the model that it names, whose elements are written as those of a gradient.
/// It needs no signature of its own: the block has the model's digest.
struct ModelMessage
{
    static constexpr uint16_t KIND = 0x0203;
    static constexpr const char* NAME = "committee-model";

    CertifiedBlock certified;        //!< how a round has ended
    FlatVector values;               //!< the model
    Digest digest = {};              //!< of the model
    uint32_t repeats = 1;            //!< Learner::GetMultiplicity(), which all know
    uint32_t authenticatorBytes = 0; //!< size of an authenticator [B], for who reads

    template <typename V>
    void
    Fields(V& fields)
    {
        const std::size_t count = values->size() * repeats;
        fields.Shape(count, "elements of a model");
        certified.Fields(fields, authenticatorBytes);
        fields.Floats(values, count, "model", repeats);
        fields.Derive([this]() { digest = ComputeDigest(*values); });
    }
};

/// @ingroup collab
/// @brief What devices ask each other for, and small answers.
enum class ChainKind : uint8_t
{
    BLOCK_REQUEST = 1, //!< blocks from a round on
    BLOCKS,            //!< blocks, one after the other
    MODEL_REQUEST,     //!< the model with a digest
    GRADIENT_REQUEST,  //!< gradients with some digests
    EVIDENCE,          //!< what proves that a member lies
    GOES_ON,           //!< with PAPER: a member takes the round before for abandoned
};

/**
 * @ingroup collab
 * @brief A question about the chain, or blocks of it.
 *
 * Nothing of it is signed: blocks, models and evidence speak for themselves, and a question is
 * worth no more than its answer.
 */
struct ChainMessage
{
    static constexpr uint16_t KIND = 0x0204;
    static constexpr const char* NAME = "committee-chain";

    ChainKind kind = ChainKind::BLOCK_REQUEST; //!< what it is
    uint32_t round = 0; //!< of BLOCK_REQUEST the first one, of GOES_ON the next one
    std::vector<CertifiedBlock> blocks = {}; //!< of BLOCKS
    std::vector<Digest> digests = {};        //!< of MODEL_REQUEST one, of GRADIENT_REQUEST some
    std::vector<Evidence> evidence = {};     //!< of EVIDENCE, one
    uint32_t authenticatorBytes = 0;         //!< size of an authenticator [B], for who reads

    /// @throws PayloadError if the kind is unknown
    void CheckKind() const;

    template <typename V>
    void
    Fields(V& fields)
    {
        fields(kind, round);
        fields.Derive([this]() { CheckKind(); });
        fields.List(blocks, [&](CertifiedBlock& b) { b.Fields(fields, authenticatorBytes); });
        fields(digests);
        fields.List(evidence, [&](Evidence& e) { e.Fields(fields, authenticatorBytes); });
    }
};

/// @ingroup collab
/// @brief Anything that devices send to each other: one of these is not null.
struct CommitteeMessage
{
    std::shared_ptr<const SignedGradient> gradient;    //!< of a client
    std::shared_ptr<const ConsensusMessage> consensus; //!< of a member
    std::shared_ptr<const ModelMessage> model;         //!< of anybody who has it
    std::shared_ptr<const ChainMessage> chain;         //!< of anybody
};

/// @return the same as any message
template <typename T>
CommitteeMessage
Wrap(T message)
{
    CommitteeMessage any;
    std::get<std::shared_ptr<const T>&>(
        std::tie(any.gradient, any.consensus, any.model, any.chain)) =
        std::make_shared<const T>(std::move(message));
    return any;
}

/// @param set clients, ascending
/// @return digest of their numbers, the result of the vote ELECTION
Digest ComputeSetDigest(const std::vector<uint32_t>& set);

/// @return what traces call it
std::string GetName(ConsensusKind kind);

/// @return what traces call it
std::string GetName(CommitteeVote vote);

/**
 * @ingroup collab
 * @brief The most that a member says under the rule BYZANTINE.
 *
 * What is longer is not kept, whoever has signed it: so all that a device buffers of others is
 * bounded in bytes.
 */
struct CommitteeBounds
{
    std::size_t devices = 0; //!< K
    std::size_t members = 0; //!< C
    std::size_t clients = 0; //!< n

    /// @return whether an honest member may send one as long
    bool Allows(const ConsensusMessage& message) const;
};

} // namespace ns3::collab

#endif /* COMMITTEE_MESSAGE_H */
