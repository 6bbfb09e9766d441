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
#include "ns3/committee-log-member.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
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
struct ConsensusOptions : LogOptions
{
    uint64_t scoreTimeoutNs = 1000000000; //!< longest wait for other members' scores [ns]
    double alphaPercent = 40;             //!< part of the clients to accept [%]
    ScoreCombination combination = ScoreCombination::BY_RULE; //!< of the scores of members
    SelectionStrategy selection = SelectionStrategy::SIMILAR; //!< of the aggregation set
    ElectionStrategy election = ElectionStrategy::MIDDLE;     //!< of the next committee

    AlphaBase alphaOf = AlphaBase::TRAINING; //!< of which clients alphaPercent is a part

    std::vector<uint32_t> clients; //!< with BYZANTINE: that train in the round, ascending
    ChainOptions federation;       //!< with BYZANTINE: what all devices know
    Digest model = {};             //!< with BYZANTINE: of the model that the round begins with

    /// @throws std::invalid_argument if a quorum cannot be reached, or an option is not allowed
    void Check() const;

    /// @return time from the begin of a member's round to its end, at most [ns]
    uint64_t
    GetLongestRoundNs() const
    {
        return scoreTimeoutNs + COMMITTEE_VOTES * maxAttempts * attemptTimeoutNs;
    }

    /// @return whether one more may be expelled: C members and C clients to elect from must be left
    bool
    MayExpel(std::size_t expelled) const
    {
        return federation.devices.size() > expelled + 2 * members.size();
    }

    /// @return MEAN or MEDIAN
    ScoreCombination
    GetCombination() const
    {
        return combination != ScoreCombination::BY_RULE ? combination
               : rule == QuorumRule::PAPER              ? ScoreCombination::MEAN
                                                        : ScoreCombination::MEDIAN;
    }

    /// @return members that must have scored a client for it to be ranked: more than half of C, or
    /// with MEDIAN of the tables: fewer than half can neither rank a client nor keep one out
    std::size_t
    GetMinimumScores(std::size_t tables) const
    {
        const bool isMedian = GetCombination() == ScoreCombination::MEDIAN;
        return (isMedian ? tables : members.size()) / 2 + 1;
    }

    /// @return the training clients by final score, the highest first
    std::vector<RankedClient>
    Rank(const ScoreTables& tables) const
    {
        return RankClients(tables, GetMinimumScores(tables.size()), GetCombination());
    }

    /// @return how many of the ranked clients are accepted; at most all
    std::size_t
    GetAccepted(std::size_t ranked) const
    {
        const std::size_t others = alphaOf == AlphaBase::ACTIVE ? members.size() : 0;
        return std::min(ranked, CountAccepted(ranked + others, alphaPercent));
    }

    /// @param ranking of the training clients; at least one
    /// @return the aggregation set
    std::vector<uint32_t>
    Select(const std::vector<RankedClient>& ranking) const
    {
        return SelectClients(ranking, selection, GetAccepted(ranking.size()));
    }

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
    std::optional<CertifiedBlock> block; //!< what it has ended with; nothing if PAPER abandons it
    std::vector<Evidence> evidence;      //!< of lies that the member has found
    /// The table of scores is closed: members whose scores it lacks, ascending
    std::optional<std::vector<uint32_t>> unheard;

    /// @param receiver a member; nothing for all other members
    /// @param message to be signed and sent
    /// @param keys of all devices
    void
    Send(const std::optional<uint32_t>& receiver, ConsensusMessage message, const KeyRing& keys)
    {
        message.Sign(keys);
        messages.push_back(
            {receiver, std::make_shared<const ConsensusMessage>(std::move(message))});
    }
};

/// @ingroup collab
/// @brief What a member that deviates from the protocol changes in what an honest one tells.
class MemberDeviation
{
  public:
    virtual ~MemberDeviation() = default;

    /// @return scores that it says to have given
    virtual ClientScores Claim(const ClientScores& scores) = 0;
    /// @param message that the member hears, before it acts on it
    virtual void Overhear(const ConsensusMessage& message) = 0;
    /// @param[in,out] output of the honest member
    virtual void Corrupt(ConsensusOutput& output) = 0;
    /// @param message that the member has acted on
    /// @param[in,out] output gets what comes of it besides
    virtual void Answer(const ConsensusMessage& message, ConsensusOutput& output) = 0;
    /// @return whether the member makes use of evidence
    virtual bool Uses(const Evidence& evidence) const = 0;
};

/// @ingroup collab
/// @brief A member of the committee in one round: scores come first, then what a log agrees on.
class CommitteeMember : public LogPolicy<ConsensusMessage>
{
  public:
    /// What agrees on what the tables of scores lead to
    using Log = LogMember<ConsensusMessage>;

    /// @param deviation of the member from what follows
    void
    Deviate(std::unique_ptr<MemberDeviation> deviation)
    {
        m_deviation = std::move(deviation);
    }

    /// @brief The member has scored what it has heard.
    /// @param nowNs its clock [ns]
    /// @param scores P_k^c of the training clients whose gradients arrived
    /// @param gradients with BYZANTINE: which ones they were
    /// @return what is to be done
    ConsensusOutput
    Begin(uint64_t nowNs, const ClientScores& scores, const GradientDigests& gradients)
    {
        m_now = nowNs;
        DoBegin(m_deviation ? m_deviation->Claim(scores) : scores, gradients);
        return TakeOutput();
    }

    /// @brief A message has arrived; before Begin() too.
    /// @return what is to be done
    ConsensusOutput HandleMessage(uint64_t nowNs, const ConsensusMessage& message);

    /// @brief The set of ConsensusOutput::toAggregate is aggregated.
    /// @param nowNs the member's clock [ns]
    /// @param number of the order
    /// @param digest of the new model; nothing if the member lacks a gradient
    /// @return what is to be done
    ConsensusOutput
    HandleResult(uint64_t nowNs, uint64_t number, const std::optional<Digest>& digest)
    {
        m_now = nowNs;
        DoHandleResult(number, digest);
        return TakeOutput();
    }

    /// @brief A timer has gone off; one that has been replaced is ignored.
    /// @return what is to be done
    ConsensusOutput HandleTimeout(uint64_t nowNs, uint64_t number);

    /// @brief With BYZANTINE: take part again after a loss of memory, without Begin().
    /// @return what is to be done
    ConsensusOutput
    Resume(uint64_t nowNs)
    {
        m_now = nowNs;
        DoResume();
        return TakeOutput();
    }

    /// @brief With BYZANTINE: the round's block is known from elsewhere.
    /// @return what is to be done
    ConsensusOutput
    HandleBlock(uint64_t nowNs, const CertifiedBlock& block)
    {
        m_now = nowNs;
        DoHandleBlock(block);
        return std::exchange(m_output, {});
    }

    /// @param evidence with BYZANTINE: of lies, for the next proposal
    void
    AddEvidence(const Evidence& evidence)
    {
        if (!m_deviation || m_deviation->Uses(evidence))
        {
            DoAddEvidence(evidence);
        }
    }

    /// @return bytes of what others have said that it keeps, with BYZANTINE
    virtual uint64_t
    CountKept() const
    {
        return 0;
    }

    /// @return what it did not believe so far
    const ConsensusCounters&
    GetCounters() const
    {
        return m_counters;
    }

    /// @return the clients by final score, the highest first; empty before the table is closed
    const std::vector<RankedClient>&
    GetRanking() const
    {
        return m_ranking;
    }

  protected:
    /// Where a member stands in its round
    enum class Stage
    {
        WAITING, //!< for Begin()
        SCORING, //!< for scores of others
        VOTING,  //!< for decisions
        ENDED,   //!< agreed, or abandoned
    };

    /// @throws std::invalid_argument as ConsensusOptions::Check() does
    CommitteeMember(ConsensusOptions options, std::shared_ptr<const KeyRing> keys);

    /// @return the log that a vote is of
    Log&
    LogOf(CommitteeVote vote)
    {
        return m_logs[std::min(PlaceOf(vote), m_logs.size() - 1)];
    }

    /// @param message that is believed, of another member: act on it
    void
    Dispatch(const ConsensusMessage& message)
    {
        message.kind == ConsensusKind::SCORES ? HandleScores(message)
                                              : LogOf(message.vote).Handle(message);
    }

    // LogPolicy
    ConsensusMessage MakeMessage(ConsensusKind kind,
                                 uint32_t view,
                                 CommitteeVote vote) const override;
    void
    Send(ConsensusMessage message, std::optional<uint32_t> receiver) override
    {
        if (m_options.members.size() > 1)
        {
            m_output.Send(receiver, std::move(message), *m_keys);
        }
    }

    void
    SetTimer(uint64_t delayNs, uint64_t spreadNs) override
    {
        const uint64_t draw = SplitMix64(SplitMix64(m_options.seed + m_options.self) + m_timer);
        m_output.timer = ConsensusTimer{++m_timer, delayNs + draw % (spreadNs + 1)};
    }

    ConsensusOptions m_options;                        //!< of the round
    std::shared_ptr<const KeyRing> m_keys;             //!< of all devices
    Stage m_stage = Stage::WAITING;                    //!< where the member stands
    uint64_t m_now = 0;                                //!< its clock at the last input [ns]
    uint64_t m_timer = 0;                              //!< number of the last timer
    std::vector<RankedClient> m_ranking;               //!< see GetRanking()
    ConsensusCounters m_counters;                      //!< of what was not believed
    ConsensusOutput m_output;                          //!< of the present input, up to now
    std::deque<Log> m_logs;                            //!< one of both votes, or one of each
    CommitteeVote m_vote = CommitteeVote::AGGREGATION; //!< whose log has the timer

  private:
    // What either rule does in them
    virtual void DoBegin(const ClientScores& scores, const GradientDigests& gradients) = 0;
    /// @brief See HandleMessage(); what is believed goes to Dispatch().
    virtual void DoHandleMessage(const ConsensusMessage& message) = 0;
    virtual void DoHandleResult(uint64_t number, const std::optional<Digest>& digest) = 0;
    virtual void
    DoResume()
    {
    }

    virtual void
    DoHandleBlock(const CertifiedBlock&)
    {
    }

    /// @return whether that was not known: it is kept
    virtual bool
    DoAddEvidence(const Evidence&)
    {
        return false;
    }

    /// @param message scores of another member
    virtual void HandleScores(const ConsensusMessage& message) = 0;
    /// @brief The table of scores is complete, or its time is over: begin to vote.
    virtual void CloseTable() = 0;

    /// @return what is to be done, as a member that deviates tells it
    ConsensusOutput TakeOutput();

    std::unique_ptr<MemberDeviation> m_deviation; //!< null if the member is honest
};

/// @return devices, ascending, of which nothing was heard
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

/// @return what traces call it
std::string GetName(ConsensusOutcome outcome);

} // namespace ns3::collab

#endif /* COMMITTEE_CONSENSUS_H */
