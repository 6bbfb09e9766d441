/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_LOG_OPTIONS_H
#define COMMITTEE_LOG_OPTIONS_H

#include "committee-certificate.h"

#include "ns3/collab-random.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::collab
{

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

/// Committees of all rounds from the first one on, each ascending
using CommitteeHistory = std::vector<std::vector<uint32_t>>;

/// @return the most of C members that may be Byzantine under QuorumRule::BYZANTINE: below C / 3
constexpr uint32_t
GetGreatestFaults(std::size_t members)
{
    return members == 0 ? 0 : static_cast<uint32_t>((members - 1) / 3);
}

/// @brief q = ceil((C + f + 1) / 2): two quorums share an honest member, and all honest ones are
/// one.
/// @return q with f the most below C / 3
constexpr std::size_t
GetCertificateQuorum(std::size_t members)
{
    return (members + GetGreatestFaults(members) + 2) / 2;
}

/// @ingroup collab
/// @brief How members agree on one entry of a log; the same on all members but for the member
/// itself.
struct LogOptions
{
    /// With BYZANTINE, patience with primaries doubles so often
    static constexpr uint32_t MOST_DOUBLINGS = 3;

    uint64_t seed = 0;                      //!< of what is pseudo-random and shared
    uint32_t round = 0;                     //!< of the entry
    uint32_t self = 0;                      //!< the member that votes
    std::vector<uint32_t> members;          //!< the committee, ascending; C of them
    QuorumRule rule = QuorumRule::PAPER;    //!< what a quorum is
    bool primaryVotes = false;              //!< with PAPER: whether the primary's own vote counts
    uint32_t faults = 0;                    //!< with BYZANTINE: f, members that may be anything
    uint32_t maxAttempts = 4;               //!< primaries of a vote before the round is abandoned
    uint64_t attemptTimeoutNs = 1000000000; //!< patience with one primary [ns]
    Digest parent = {};                     //!< digest of the entry before
    std::vector<uint32_t> expelled;         //!< with BYZANTINE: before the round, ascending
    /// With BYZANTINE: who was a member when; nothing for no more than this round
    std::shared_ptr<const CommitteeHistory> history;

    /// @return whether entries are certified, and members are locked on them
    bool
    IsCertified() const
    {
        return rule == QuorumRule::BYZANTINE;
    }

    /// @return equal votes that agree on a proposal: of replicas with PAPER and without
    /// primaryVotes, else of members
    std::size_t
    GetQuorum() const
    {
        return IsCertified() ? (members.size() + faults + 2) / 2 : members.size() / 2 + 1;
    }

    /// @return consents that a primary collects, its own among them
    std::size_t
    GetNeededConsents() const
    {
        return GetQuorum() + (IsCertified() || primaryVotes ? 0 : 1);
    }

    /// @return others of whose word at least one's is true: f, or with PAPER less than half
    std::size_t
    GetDoubtful() const
    {
        return IsCertified() ? faults : (members.size() - 1) / 2;
    }

    /// @return views that there can be: with PAPER the round is abandoned after them
    uint64_t
    GetMostViews() const
    {
        return IsCertified() ? uint64_t{UINT32_MAX} + 1 : maxAttempts;
    }

    /// @return patience with a primary: with BYZANTINE doubled with each view, MOST_DOUBLINGS
    /// times at most [ns]
    uint64_t
    GetPatienceNs(uint32_t view) const
    {
        return attemptTimeoutNs << (IsCertified() ? std::min(view, MOST_DOUBLINGS) : 0);
    }

    /// @return with BYZANTINE: views after which a round may be abandoned: one at least has an
    /// honest primary
    uint32_t
    GetAttempts() const
    {
        return std::max(maxAttempts, faults + 1);
    }

    /// @return the primary that all members expect: pseudo-random in (seed, round, vote, attempt);
    /// the first C attempts have C different primaries, and so do C each after them
    uint32_t
    GetPrimary(CommitteeVote vote, uint32_t attempt) const
    {
        const auto count = static_cast<uint32_t>(members.size());
        const uint64_t turn = attempt / count;
        RandomGenerator generator(
            MixSeed(1 + COMMITTEE_VOTES * turn + static_cast<uint64_t>(vote)));
        return members[DrawPermutation(count, generator)[attempt % count]];
    }

    /// @return whether there is such an attempt, and the member is its primary
    bool
    IsPrimary(uint32_t member, CommitteeVote vote, uint32_t attempt) const
    {
        return attempt < GetMostViews() && member == GetPrimary(vote, attempt);
    }

    /// @return a seed that all members share; primaries take all purposes but 0
    uint64_t
    MixSeed(uint64_t purpose) const
    {
        return SplitMix64(SplitMix64(SplitMix64(seed) + round) + purpose);
    }

    /// @return whether evidence is of a member of a round that is known, not of any device
    bool
    IsInOffice(const Statement& evidence) const
    {
        if (evidence.round >= round || !history)
        {
            return evidence.round == round && Contains(members, evidence.member);
        }
        return Contains(history->at(evidence.round), evidence.member);
    }
};

/// @ingroup collab
/// @brief How many messages a member did not believe, and why.
struct ConsensusCounters
{
    uint64_t forged = 0;   //!< not from a member, or its authenticator is wrong
    uint64_t stale = 0;    //!< of another round or view, or a reply to another request
    uint64_t replayed = 0; //!< heard before, in the place of one that was, or its own
    /// A proposal or its commit by another member than the primary, or more than a member may say
    uint64_t unauthorized = 0;
    uint64_t unproven = 0; //!< a commit without a valid certificate
    uint64_t late = 0;     //!< scores after the member has closed its table, or after the end

    /// @return the sum of all
    uint64_t
    Total() const
    {
        return forged + stale + replayed + unauthorized + unproven + late;
    }
};

/// @ingroup collab
/// @brief What a member does in a log, as a message says.
enum class ConsensusKind : uint8_t
{
    SCORES = 1,  //!< what a member's proposals are to follow from, to all members
    REQUEST,     //!< the primary's proposal, to all members
    REPLY,       //!< a member's consent, to the primary
    COMMIT,      //!< consensus is reached, to all members
    VIEW_CHANGE, //!< a member has lost patience with a primary, to all members
};

/// @ingroup collab
/// @brief What a member thinks of a proposal.
enum class LogVerdict
{
    UNKNOWN, //!< it cannot tell yet
    RIGHT,   //!< it consents
    WRONG,   //!< it never will
};

/**
 * @ingroup collab
 * @brief What an application tells a member of its log: values, what is right, and its voice.
 * @tparam Message of the application, as LogMember says
 */
template <typename Message>
class LogPolicy
{
  public:
    virtual ~LogPolicy() = default;

    /// @brief As the primary of a view: make a proposal.
    /// @return a REQUEST of the view, with a value that is not abandoned; nothing if the member is
    /// not ready: LogMember::Propose() asks again
    virtual std::optional<Message> MakeProposal(CommitteeVote vote, uint32_t view) = 0;
    /// @param request of the primary; with BYZANTINE with a value that is neither prepared nor
    /// abandoned
    /// @return whether this member may consent: LogMember::Consider() asks again
    virtual LogVerdict Validate(const Message& request) = 0;
    /// @param ballot a REQUEST, or with BYZANTINE a COMMIT of what is prepared
    /// @param vote to consent in
    /// @param view to consent in
    /// @return a REPLY of this member
    virtual Message MakeConsent(const Message& ballot, CommitteeVote vote, uint32_t view) const = 0;
    /// @return whether the reply of another member consents to a request of this one
    virtual bool IsConsent(const Message& reply, const Message& request) const = 0;
    /// @param commit that tells what is decided; with PAPER nothing if all views have passed
    virtual void HandleEnd(const std::optional<Message>& commit) = 0;

    /// @return a message of this member with the present time, not yet signed
    virtual Message MakeMessage(ConsensusKind kind, uint32_t view, CommitteeVote vote) const = 0;
    /// @param message to be signed and sent
    /// @param receiver a member; nothing for all
    virtual void Send(Message message, std::optional<uint32_t> receiver) = 0;
    /// @param delayNs when to call LogMember::EndWait(), in place of what was set before [ns]
    /// @param spreadNs of some more, pseudo-random, other for each member and time [ns]
    virtual void SetTimer(uint64_t delayNs, uint64_t spreadNs) = 0;

    /// @brief With BYZANTINE: this member has told its view, whose primary is given; it may tell
    /// that one more.
    virtual void
    HandleViewTold(uint32_t)
    {
    }

    /// @return with BYZANTINE: whether nothing can be proposed any more, whatever is heard
    virtual bool
    IsHopeless()
    {
        return false;
    }

    /// @return with BYZANTINE: how the round ends if it is abandoned
    virtual typename Message::Entry
    MakeAbandoned() const
    {
        return {};
    }

    /// @brief With BYZANTINE: this member has found a lie, of which evidence is given.
    virtual void
    HandleLie(const Evidence&)
    {
    }
};

} // namespace ns3::collab

#endif /* COMMITTEE_LOG_OPTIONS_H */
