/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_CONSENSUS_H
#define COMMITTEE_CONSENSUS_H

#include "committee-message.h"
#include "committee-score.h"

#include "ns3/committee-chain.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::collab
{

/**
 * @file
 * @ingroup collab
 * The Committee Consensus Protocol of Che et al. (IEEE TPDS 2022), a relative of PBFT, as a state
 * machine without a network: messages, timeouts and results go in; messages, timers and decisions
 * come out.
 */

/// @ingroup collab
/// @brief How a committee votes in one round; the same on all members but for the member itself.
struct ConsensusOptions
{
    uint64_t seed = 0;                      //!< of what is pseudo-random and shared
    uint32_t round = 0;                     //!< of the mechanism
    uint32_t self = 0;                      //!< the member that votes
    std::vector<uint32_t> members;          //!< the committee, ascending; C of them
    QuorumRule rule = QuorumRule::PAPER;    //!< what a quorum is
    bool primaryVotes = false;              //!< with PAPER: whether the primary's own vote counts
    uint32_t faults = 0;                    //!< with BYZANTINE: f, members that may be anything
    uint32_t maxAttempts = 4;               //!< primaries of a vote before the round is abandoned
    uint64_t scoreTimeoutNs = 1000000000;   //!< longest wait for other members' scores [ns]
    uint64_t attemptTimeoutNs = 1000000000; //!< patience with one primary [ns]
    double alphaPercent = 40;               //!< part of the clients to accept [%]
    std::size_t nextCommittee = 0;          //!< size of the next committee; 0 for that of this one
    /// With MEAN: members that must have scored a client for it to be ranked; 0 for
    /// floor(C / 2) + 1
    std::size_t minimumScores = 0;
    ScoreCombination combination = ScoreCombination::BY_RULE; //!< of the scores of members
    SelectionStrategy selection = SelectionStrategy::SIMILAR; //!< of the aggregation set
    ElectionStrategy election = ElectionStrategy::MIDDLE;     //!< of the next committee

    AlphaBase alphaOf = AlphaBase::TRAINING; //!< of which clients alphaPercent is a part

    std::vector<uint32_t> clients;  //!< with BYZANTINE: that train in the round, ascending
    ChainOptions federation;        //!< with BYZANTINE: what all devices know
    Digest parent = {};             //!< with BYZANTINE: digest of the block before
    Digest model = {};              //!< with BYZANTINE: of the model that the round begins with
    std::vector<uint32_t> expelled; //!< with BYZANTINE: before the round, ascending
    /// With BYZANTINE: who was a member when; nothing for no more than this round
    std::shared_ptr<const CommitteeHistory> history;

    /// @throws std::invalid_argument if a quorum cannot be reached, or an option is not allowed
    void Check() const;

    /// @return equal votes that agree on a proposal: of replicas with PAPER and without
    /// primaryVotes, else of members
    std::size_t GetQuorum() const;

    /// @return with BYZANTINE: views after which a round may be abandoned: one at least has an
    /// honest primary
    uint32_t GetAttempts() const;

    /// @return time from the begin of a member's round to its end, at most [ns]
    uint64_t GetLongestRoundNs() const;

    /**
     * @brief The primary that all members expect.
     *
     * Pseudo-random in (seed, round, vote, attempt); the first C attempts have C different
     * primaries, and so do C each after them.
     *
     * @param vote of the round
     * @param attempt from 0
     * @return the member
     */
    uint32_t GetPrimary(CommitteeVote vote, uint32_t attempt) const;

    /// @param evidence of a lie
    /// @return whether it is of a member of a round that is known, not of any device
    bool IsInOffice(const Statement& evidence) const;

    /// @param expelled number of devices that are expelled
    /// @return whether one more may be: C members and C clients to elect from must be left
    bool MayExpel(std::size_t expelled) const;

    /// @return size of the next committee
    std::size_t GetNextCommittee() const;

    /// @return MEAN or MEDIAN
    ScoreCombination GetCombination() const;

    /// @param tables of scores that are there
    /// @return members that must have scored a client for it to be ranked: with MEDIAN more than
    /// half of these, so that fewer than half can neither rank a client nor keep one out
    std::size_t GetMinimumScores(std::size_t tables) const;

    /// @param tables of scores, by member
    /// @return the training clients by final score, the highest first
    std::vector<RankedClient> Rank(const ScoreTables& tables) const;

    /// @param ranked training clients
    /// @return how many of them are accepted; at most all
    std::size_t GetAccepted(std::size_t ranked) const;

    /// @param ranking of the training clients; at least one
    /// @return the aggregation set
    std::vector<uint32_t> Select(const std::vector<RankedClient>& ranking) const;

    /// @param ranking of the training clients; at least as many as the next committee has
    /// @return the next committee
    std::vector<uint32_t> Elect(const std::vector<RankedClient>& ranking) const;
};

/// @ingroup collab
/// @brief What a committee has decided in a vote.
struct Decision
{
    CommitteeVote vote = CommitteeVote::AGGREGATION; //!< on what
    uint32_t attempt = 0;                            //!< of which primary
    uint32_t primary = 0;                            //!< who it was
    Proposal proposal; //!< the set, and the digest of what comes of it
};

/// @ingroup collab
/// @brief How a round ended for a member.
enum class ConsensusOutcome
{
    AGREED,      //!< both votes are decided
    FEW_CLIENTS, //!< abandoned: fewer clients were scored by enough members than a committee has
    NO_RESULT,   //!< abandoned: the member could not compute the result of its own set
    SETS_DIFFER, //!< abandoned: some primary proposed another set or result than the member's own
    NO_QUORUM,   //!< abandoned: no primary was heard in time that found a quorum
};

/// @ingroup collab
/// @brief A message to be sent.
struct Outgoing
{
    std::optional<uint32_t> receiver;                //!< a member; nothing for all other members
    std::shared_ptr<const ConsensusMessage> message; //!< signed
};

/// @ingroup collab
/// @brief A timer to be set; it replaces the one before.
struct ConsensusTimer
{
    uint64_t number = 0;  //!< for HandleTimeout()
    uint64_t delayNs = 0; //!< when it shall go off [ns]
};

/// @ingroup collab
/// @brief Gradients to be aggregated.
struct AggregationOrder
{
    uint64_t number = 0;           //!< for HandleResult()
    std::vector<uint32_t> clients; //!< the aggregation set, ascending
    /// With BYZANTINE: which gradient of each client; otherwise the only one there is
    GradientDigests gradients;
    /// With BYZANTINE: members that say to have it, ascending, for each client
    std::map<uint32_t, std::vector<uint32_t>> holders;
};

/// @ingroup collab
/// @brief What comes of an input: all to be done by the one who hosts the state machine.
struct ConsensusOutput
{
    std::vector<Outgoing> messages;              //!< to be sent, in this order
    std::optional<ConsensusTimer> timer;         //!< to be set
    std::optional<AggregationOrder> toAggregate; //!< for HandleResult(); replaces the one before
    std::vector<Decision> decisions;             //!< of votes, as the member learns of them
    std::optional<ConsensusOutcome> outcome;     //!< the round has ended for the member
    std::optional<CertifiedBlock> block;         //!< with BYZANTINE: what it has ended with
    std::vector<Evidence> evidence;              //!< of lies that the member has found
    /// The table of scores is closed: members whose scores it lacks, ascending
    std::optional<std::vector<uint32_t>> unheard;
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
    uint64_t Total() const;
};

/// @ingroup collab
/// @brief A member of the committee in one round, honest or not.
class CommitteeMember
{
  public:
    virtual ~CommitteeMember() = default;

    /// @brief The member has scored what it has heard.
    /// @param nowNs its clock [ns]
    /// @param scores P_k^c of the training clients whose gradients arrived
    /// @param gradients with BYZANTINE: which ones they were
    /// @return what is to be done
    virtual ConsensusOutput Begin(uint64_t nowNs,
                                  const ClientScores& scores,
                                  const GradientDigests& gradients) = 0;

    /// @brief A message has arrived; before Begin() too.
    /// @param nowNs the member's clock [ns]
    /// @param message from some member, or from someone who says so
    /// @return what is to be done
    virtual ConsensusOutput HandleMessage(uint64_t nowNs, const ConsensusMessage& message) = 0;

    /// @brief The set of ConsensusOutput::toAggregate is aggregated.
    /// @param nowNs the member's clock [ns]
    /// @param number of the order
    /// @param digest of the new model; nothing if the member lacks a gradient
    /// @return what is to be done
    virtual ConsensusOutput HandleResult(uint64_t nowNs,
                                         uint64_t number,
                                         const std::optional<Digest>& digest) = 0;

    /// @brief A timer has gone off.
    /// @param nowNs the member's clock [ns]
    /// @param number of the timer; one that has been replaced is ignored
    /// @return what is to be done
    virtual ConsensusOutput HandleTimeout(uint64_t nowNs, uint64_t number) = 0;

    /// @brief With BYZANTINE: take part again after a loss of memory, without Begin().
    /// @param nowNs the member's clock [ns]
    /// @return what is to be done
    virtual ConsensusOutput Resume(uint64_t nowNs);
    /// @brief With BYZANTINE: the round's block is known from elsewhere.
    /// @param nowNs the member's clock [ns]
    /// @param block that comes next in the chain
    /// @return what is to be done
    virtual ConsensusOutput HandleBlock(uint64_t nowNs, const CertifiedBlock& block);
    /// @param evidence with BYZANTINE: of lies, for the next proposal
    virtual void AddEvidence(const Evidence& evidence);

    /// @return bytes of what others have said that it keeps, with BYZANTINE
    virtual uint64_t CountKept() const;

    /// @return what it did not believe so far
    virtual const ConsensusCounters& GetCounters() const = 0;

    /// @return the clients by final score, the highest first; empty before the table is closed
    virtual const std::vector<RankedClient>& GetRanking() const = 0;
};

/// @ingroup collab
/// @brief What honest members under both rules have in common.
class HonestMember : public CommitteeMember
{
  public:
    const ConsensusCounters& GetCounters() const override;
    const std::vector<RankedClient>& GetRanking() const override;

  protected:
    /// Where a member stands in its round
    enum class Stage
    {
        WAITING, //!< for Begin()
        SCORING, //!< for scores of others
        VOTING,  //!< for decisions
        ENDED,   //!< agreed, or abandoned
    };

    /// @param options of the round
    /// @param keys of all devices
    /// @throws std::invalid_argument as ConsensusOptions::Check() does
    HonestMember(ConsensusOptions options, std::shared_ptr<const KeyRing> keys);

    /// @param message that is believed, of another member: act on it
    void Dispatch(const ConsensusMessage& message);
    /// @param message scores of another member
    virtual void HandleScores(const ConsensusMessage& message) = 0;
    /// @param message a proposal
    virtual void HandleRequest(const ConsensusMessage& message) = 0;
    /// @param message a consent to a proposal of this member
    virtual void HandleReply(const ConsensusMessage& message) = 0;
    /// @param message a decision
    virtual void HandleCommit(const ConsensusMessage& message) = 0;
    /// @param message a member's next attempt
    virtual void HandleViewChange(const ConsensusMessage& message) = 0;

    /// @param kind of message
    /// @param attempt number of a primary
    /// @param vote that it is for
    /// @return a message of this member, not yet signed
    ConsensusMessage MakeMessage(ConsensusKind kind,
                                 uint32_t attempt,
                                 CommitteeVote vote = CommitteeVote::AGGREGATION) const;
    /// @param message to be signed and sent
    /// @param receiver a member; nothing for all
    /// @return the signed message
    std::shared_ptr<const ConsensusMessage> Send(ConsensusMessage message,
                                                 std::optional<uint32_t> receiver);
    /// @param delayNs when to go off [ns]
    void SetTimer(uint64_t delayNs);

    ConsensusOptions m_options;            //!< of the round
    std::shared_ptr<const KeyRing> m_keys; //!< of all devices
    Stage m_stage = Stage::WAITING;        //!< where the member stands
    uint64_t m_now = 0;                    //!< its clock at the last input [ns]
    uint64_t m_timer = 0;                  //!< number of the last timer
    std::vector<RankedClient> m_ranking;   //!< see GetRanking()
    ConsensusCounters m_counters;          //!< of what was not believed
    ConsensusOutput m_output;              //!< of the present input, up to now
};

/**
 * @ingroup collab
 * @brief An honest member under the rule PAPER.
 *
 * It broadcasts its scores, and closes its table when it has those of all members or the score
 * timeout has passed. The table decides both of its sets for good: it never consents to another
 * set or result than these, in any attempt. It takes a primary's word for what is decided: members
 * differ if a primary lies, and if rounds end for some only; see ByzantineConsensus.
 *
 * A member whose patience with a primary ends says so (VIEW_CHANGE) and goes on to the next one; it
 * skips attempts that enough others have given up, so that members which began at different times
 * meet. Members that have decided answer stragglers with the commit. After MaxAttempts primaries of
 * one vote it abandons the round; so every round ends within ConsensusOptions::GetLongestRoundNs().
 */
class CommitteeConsensus : public HonestMember
{
  public:
    /// @param options of the round
    /// @param keys of all devices
    /// @throws std::invalid_argument as ConsensusOptions::Check() does
    CommitteeConsensus(ConsensusOptions options, std::shared_ptr<const KeyRing> keys);

    ConsensusOutput Begin(uint64_t nowNs,
                          const ClientScores& scores,
                          const GradientDigests& gradients) override;
    ConsensusOutput HandleMessage(uint64_t nowNs, const ConsensusMessage& message) override;
    ConsensusOutput HandleResult(uint64_t nowNs,
                                 uint64_t number,
                                 const std::optional<Digest>& digest) override;
    ConsensusOutput HandleTimeout(uint64_t nowNs, uint64_t number) override;

    /// @return scores heard, by member
    const ScoreTables& GetTables() const;

  private:
    /// A vote's attempt of which this member is the primary
    struct Candidacy
    {
        std::shared_ptr<const ConsensusMessage> request;   //!< what it has proposed
        std::map<uint32_t, std::vector<uint8_t>> consents; //!< authenticators of replies, by member
    };

    /// What a member knows of a vote
    struct VoteState
    {
        std::optional<Proposal> own;                    //!< what it consents to
        std::map<uint32_t, ConsensusMessage> requests;  //!< heard, by attempt, and not yet answered
        std::map<uint32_t, Candidacy> candidacies;      //!< as the primary, by attempt
        std::map<uint32_t, uint32_t> viewChanges;       //!< attempt that each member has gone on to
        std::optional<Decision> decision;               //!< what is decided
        std::shared_ptr<const ConsensusMessage> commit; //!< that convinced the member
    };

    /// @param vote of the round
    /// @return what is known of it
    VoteState& StateOf(CommitteeVote vote);
    /// @param message to be judged
    /// @return whether its sender, round and authenticator are what they must be
    bool IsBelievable(const ConsensusMessage& message);
    /// @param message that is believed: act on it, unless the round is abandoned
    void Judge(const ConsensusMessage& message);
    void HandleScores(const ConsensusMessage& message) override;
    void HandleRequest(const ConsensusMessage& message) override;
    void HandleReply(const ConsensusMessage& message) override;
    void HandleCommit(const ConsensusMessage& message) override;
    void HandleViewChange(const ConsensusMessage& message) override;

    /// @brief Close the table of scores and begin the first vote.
    void CloseTable();
    /// @brief Turn to a primary, or abandon the round if there has been the last one.
    /// @param attempt number of the primary
    void EnterAttempt(uint32_t attempt);
    /// @brief Propose the own set, if this member is the primary and has the result.
    void Propose();
    /// @brief Answer the requests for a vote that are the same as the own proposal.
    /// @param vote of the round
    void AnswerRequests(CommitteeVote vote);
    /// @brief As the primary: commit if there is a quorum.
    /// @param vote of the round
    /// @param attempt of this member
    void CountVotes(CommitteeVote vote, uint32_t attempt);
    /// @brief Take note of a decision and go on.
    /// @param commit that convinced the member
    void Decide(std::shared_ptr<const ConsensusMessage> commit);
    /// @brief Go on to the vote that is not decided, or end.
    void GoOn();
    /// @brief Skip attempts that enough members have given up.
    void SkipAttempts();
    /// @brief Tell a straggler what is decided.
    /// @param vote decided
    /// @param member who does not know
    void Inform(CommitteeVote vote, uint32_t member);
    /// @brief Give the round up.
    void Abandon();

    std::vector<ConsensusMessage> m_early;             //!< heard before Begin()
    ScoreTables m_tables;                              //!< scores heard, by member
    CommitteeVote m_vote = CommitteeVote::AGGREGATION; //!< present vote
    uint32_t m_attempt = 0;                            //!< present attempt
    VoteState m_votes[COMMITTEE_VOTES];                //!< of each vote
    Proposal m_aggregation;    //!< the own aggregation set, until its result is there
    bool m_hasResult = false;  //!< whether HandleResult() has been called
    bool m_heardOther = false; //!< whether another set than the own was proposed
    std::set<std::tuple<ConsensusKind, uint32_t, CommitteeVote, uint32_t>>
        m_heard; //!< kind, sender, vote and attempt of messages that were believed
};

/// @ingroup collab
/// @param devices ascending
/// @param heard what each of them has told, by device
/// @return devices that have told nothing, ascending
template <typename T>
std::vector<uint32_t>
FindUnheard(const std::vector<uint32_t>& devices, const std::map<uint32_t, T>& heard)
{
    std::vector<uint32_t> unheard;
    std::copy_if(devices.begin(),
                 devices.end(),
                 std::back_inserter(unheard),
                 [&heard](uint32_t device) { return heard.count(device) == 0; });
    return unheard;
}

/// @param outcome of a round
/// @return what traces call it
std::string GetName(ConsensusOutcome outcome);

} // namespace ns3::collab

#endif /* COMMITTEE_CONSENSUS_H */
