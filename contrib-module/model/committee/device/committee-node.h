/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_NODE_H
#define COMMITTEE_NODE_H

#include "committee-device-message.h"
#include "committee-inbox.h"

#include "ns3/committee-byzantine.h"
#include "ns3/committee-chain.h"
#include "ns3/committee-consensus.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace collab
{

/// @ingroup collab
/// @brief What a device does in a round.
enum class CommitteeRole
{
    IDLE,     //!< waits for the next model
    TRAINING, //!< trains, and sends its gradient to the committee
    MEMBER,   //!< trains, scores the gradients of others and votes
};

/// @ingroup collab
/// @brief Timers of a device, one of each.
enum class CommitteeTimer
{
    GRADIENTS, //!< end of the wait for gradients
    VOTE,      //!< of the votes
    ROUND,     //!< nothing new for as long as a round takes
    BLOCKS,    //!< to ask for blocks, or to ask somebody else
    MODEL,     //!< to ask for the model, or to ask somebody else
    FETCH,     //!< to ask somebody else for gradients
    ANNOUNCE,  //!< to tell all how a round has ended
    PATIENCE,  //!< nothing new for so long that it is given up
};

/// Number of timers
constexpr std::size_t COMMITTEE_TIMERS = 8;

/// @ingroup collab
/// @brief What a member waits for.
enum class CommitteeWait
{
    GRADIENTS, //!< of the clients that train
    SCORES,    //!< of the other members
};

/// @ingroup collab
/// @brief The end of a member's wait.
struct WaitReport
{
    uint32_t round = 0;                            //!< of the mechanism
    CommitteeWait wait = CommitteeWait::GRADIENTS; //!< what it has waited for
    std::size_t awaited = 0;                       //!< devices that it has waited for
    std::vector<uint32_t> missing;                 //!< those it has not heard, ascending
};

/// @ingroup collab
/// @brief A round as a member saw it end.
struct CommitteeReport
{
    uint32_t round = 0;                                  //!< of the mechanism
    ConsensusOutcome outcome = ConsensusOutcome::AGREED; //!< how it ended
    std::vector<uint32_t> members;                       //!< its committee, ascending
    std::size_t gradients = 0;                           //!< that it heard in time
    std::size_t missing = 0;                             //!< that it did not
    ConsensusCounters counters;                          //!< messages that it did not believe
    std::vector<RankedClient> ranking;                   //!< as the member sees it
    ClientScores scores;                                 //!< that the member gave
};

/**
 * @ingroup collab
 * @brief What hosts a CommitteeNode: it sends, computes and keeps time.
 */
class CommitteeHost
{
  public:
    virtual ~CommitteeHost() = default;

    /**
     * @param receiver another device
     * @param message to be sent to it
     */
    virtual void Send(uint32_t receiver, const CommitteeMessage& message) = 0;
    /// @param message to be sent to all others
    virtual void Broadcast(const CommitteeMessage& message) = 0;
    /// @param gradient own, signed, to be sent to all members
    virtual void Upload(const std::shared_ptr<const SignedGradient>& gradient) = 0;
    /**
     * @param timer to be set; it replaces the one before
     * @param delayNs when to call HandleTimeout() [ns]
     */
    virtual void SetTimer(CommitteeTimer timer, uint64_t delayNs) = 0;
    /// @param timer to be canceled
    virtual void CancelTimer(CommitteeTimer timer) = 0;
    /// @return the device's clock [ns]
    virtual uint64_t GetNowNs() const = 0;

    /// @brief Train the node's model, and call HandleTrained(); one job at a time.
    virtual void Train() = 0;
    /**
     * @brief Score gradients, and call HandleScored().
     *
     * @param gradients of clients
     * @param own to compare with
     */
    virtual void Score(const GradientsByClient& gradients, const FlatVector& own) = 0;
    /**
     * @brief Aggregate, and call HandleAggregated().
     * @param gradients in the order of their clients
     */
    virtual void Aggregate(const std::vector<std::shared_ptr<const SignedGradient>>& gradients) = 0;

    /// @param phase that begins
    virtual void BeginPhase(const std::string& phase) = 0;
    /**
     * @param round that begins; those between are over too
     * @param role of the device in the round that ends
     */
    virtual void ReachRound(uint32_t round, CommitteeRole role) = 0;
    /// @param round of the decision
    /// @param decision that this member has learned of
    virtual void TellDecision(uint32_t round, const Decision& decision) = 0;
    /// @param report of a wait of this member that is over
    virtual void TellWait(const WaitReport& report) = 0;
    /// @param report of a round of this member
    virtual void TellReport(const CommitteeReport& report) = 0;
    /// @param reason why a message is not believed
    virtual void Reject(const std::string& reason) = 0;
    /// @brief Nothing new has come for too long, or nobody has the model: the device stops.
    virtual void GiveUp() = 0;
};

/// Makes a member of the committee that may misbehave, around an honest one
using MemberMaker = std::function<std::unique_ptr<CommitteeMember>(
    const ConsensusOptions& options, const std::shared_ptr<ConsensusMemory>& memory)>;

/// @ingroup collab
/// @brief What a device needs to know to take part.
struct NodeOptions
{
    uint32_t self = 0;                       //!< the device
    uint32_t rounds = 1;                     //!< to run
    std::size_t trainingClients = 1;         //!< n
    uint32_t samples = 1;                    //!< own data size
    ChainOptions federation;                 //!< what all devices know
    ConsensusOptions voting;                 //!< but members, round and what the chain says
    uint64_t gradientTimeoutNs = 1000000000; //!< longest wait for gradients [ns]
    uint64_t modelTimeoutNs = 1000000000;    //!< time for one device to send a model [ns]
    uint64_t patienceNs = UINT64_MAX;        //!< see GetPatienceNs(); 0 if it is computed [ns]

    /// @return the longest time from the begin of a round to its end, if nobody is Byzantine [ns]
    uint64_t GetLongestRoundNs() const;
    /// @return with BYZANTINE: how long to wait again if too few gradients are there in time: for
    /// the model from one of f + 2 devices, and to train [ns]
    uint64_t GetSecondWaitNs() const;
    /// @return with BYZANTINE: longest time without a new block [ns]; if it is computed, an hour,
    /// or twice as long as a round that goes through all of its primaries, if that is longer
    uint64_t GetPatienceNs() const;
};

/**
 * @ingroup collab
 * @brief A device of the committee mechanism without a network: messages, results of jobs and
 * timeouts go in, and what is to be done is told to a CommitteeHost.
 *
 * The chain decides the round: under BYZANTINE the device is in the round after its last block and
 * nowhere else. It goes on by blocks that prove themselves (CommitteeChain), from wherever they
 * come. What others say of later rounds is only a reason to ask them for blocks. A model is taken
 * if its digest is that of the last block, from anybody.
 *
 * - Who decides a round as its primary broadcasts the block with the model; other members broadcast
 *   the block alone if they do not hear that, each after one more ModelTimeout.
 * - Who lacks blocks asks who is ahead, one at a time; who lacks the model asks its makers, then
 *   anybody. Who hears nothing for as long as a round takes asks somebody at random.
 * - Who lacks a gradient that tables name asks those who report it.
 *
 * Under PAPER one member's word is proof enough, and after the longest time that a round can take a
 * device takes it for abandoned: it goes on with the old model and committee. There it follows
 * members of the committee that it knows into later rounds as well; members that go on tell so, for
 * else devices would begin later rounds as far apart as they have taken this one for abandoned.
 *
 * Chain, models, also those that it has computed for the votes of the round, and promises
 * (ConsensusMemory) survive a crash; all else is lost.
 */
class CommitteeNode
{
  public:
    /// The phase in which a member awaits gradients
    static constexpr const char* COLLECT = "collect";

    /**
     * @param options what the device needs to know
     * @param keys of all devices
     * @param model the first one
     * @param host that does what the device wants; must live as long
     * @param maker of members; empty for honest ones
     */
    CommitteeNode(NodeOptions options,
                  std::shared_ptr<const KeyRing> keys,
                  FlatVector model,
                  CommitteeHost& host,
                  MemberMaker maker = nullptr);

    /// @brief Begin the first round.
    void Start();
    /**
     * @param sender device that has sent it
     * @param message anything
     */
    void HandleMessage(uint32_t sender, const CommitteeMessage& message);
    /// @param gradient of the own training
    void HandleTrained(FlatVector gradient);
    /// @param scores of CommitteeHost::Score()
    void HandleScored(const ClientScores& scores);
    /**
     * @param model of CommitteeHost::Aggregate(); null if it is not finite
     * @param digest of the model
     */
    void HandleAggregated(FlatVector model, const Digest& digest);
    /// @param timer that has gone off
    void HandleTimeout(CommitteeTimer timer);
    /// @brief The device is off: it loses all but the chain, models and promises.
    void Crash();
    /// @brief The device is on again.
    void Resume();

    /// @return present round
    uint32_t GetRound() const;
    /// @return what the device does in it
    CommitteeRole GetRole() const;
    /// @return the model of the last block; the newest one that there is if that is missing
    const FlatVector& GetModel() const;
    /// @return whether the model of the last block is there
    bool HasModel() const;
    /// @return the committee of the present round, ascending
    const std::vector<uint32_t>& GetCommittee() const;
    /// @return clients that train in the present round, ascending
    const std::vector<uint32_t>& GetClients() const;
    /// @return how rounds have ended
    const CommitteeChain& GetChain() const;
    /// @return whether the round before had no block
    bool IsAssumed() const;
    /// @return whether all rounds are done
    bool IsFinished() const;
    /// @return whether the job that runs is of a round that is over
    bool IsOvertaken() const;
    /**
     * @param client that trains in the present round
     * @param order which gradients are wanted
     * @return its gradient; null if it is not there
     */
    std::shared_ptr<const SignedGradient> FindGradient(uint32_t client,
                                                       const AggregationOrder& order) const;

  private:
    /// What the processor does
    enum class Job
    {
        NONE,
        TRAIN,
        SCORE,
        AGGREGATE,
    };

    /// Answers to one peer
    struct Answers
    {
        uint64_t sinceNs = 0; //!< when the first of them was given [ns]
        uint32_t count = 0;   //!< how many since
    };

    /// Patience with one that is asked for gradients, as a part of that with a primary
    static constexpr uint64_t FETCH_PART = 2;

    /// @return whether the quorum rule is BYZANTINE
    bool IsByzantine() const;
    /// @return how members vote in the present round
    ConsensusOptions MakeVoting() const;
    /// @return clients of the present round, ascending
    std::vector<uint32_t> DrawClients() const;
    /**
     * @param values said to be a gradient or a model
     * @return whether they are finite, and as many as the model has
     */
    bool CanBeVector(const FlatVector& values) const;
    /// @brief Begin the round that the chain says, or take the role of the present one again.
    void TakeRound();
    /// @brief Forget all that is of one round only.
    void ClearRound();
    /// @brief Take the role of the present round, the model being there.
    void BeginWork();
    /// @brief Make the state machine of a member.
    void MakeSession();
    /// @brief Something has been put at the end of the chain.
    void Advance();
    /// @brief Do what has waited for the processor.
    void GoOn();
    /// @brief Score if all gradients are there, or if it is time.
    void CheckCollect();
    /// @brief Score what is there.
    void BeginScore();
    /// @brief Aggregate what the votes ask for, or fetch what is missing.
    void TryAggregate();
    /// @param missing gradients of the order, by client: ask those who say to have them
    void Fetch(const GradientDigests& missing);
    /// @param output of the state machine: do what it asks for
    void Apply(const ConsensusOutput& output);
    /// @brief Under PAPER: make the block of a round that is agreed.
    void AgreeOnOwnWord();
    /// @param certified block: put it at the end of the chain if it comes next
    /// @return whether it does
    bool Append(const CertifiedBlock& certified);
    /**
     * @param model to be kept, and the one before
     * @param digest of the model
     */
    void KeepModel(FlatVector model, const Digest& digest);
    /// @param certified block that this member has decided: tell the others, when it is its turn
    void Decide(const CertifiedBlock& certified);
    /// @param certified block from elsewhere: end the own votes
    void EndSession(const CertifiedBlock& certified);
    /// @brief Tell all others how the last decided round has ended.
    void Announce();
    /// @brief The votes have ended: make traces of it.
    /// @param outcome of the round
    void Report(ConsensusOutcome outcome);

    /// @param sender of the message
    /// @param gradient of a client
    void HandleGradient(uint32_t sender, const std::shared_ptr<const SignedGradient>& gradient);
    /// @param sender of the message
    /// @param message of the committee
    void HandleConsensus(uint32_t sender, const std::shared_ptr<const ConsensusMessage>& message);
    /// @param sender of the message
    /// @param message a block and its model
    void HandleModel(uint32_t sender, const ModelMessage& message);
    /// @param sender of the message
    /// @param message a question or an answer
    void HandleChain(uint32_t sender, const ChainMessage& message);
    /// @param sender of the message
    /// @param message BLOCKS
    void HandleBlocks(uint32_t sender, const ChainMessage& message);
    /// @param sender of the message
    /// @param digests of gradients that it wants
    void AnswerGradients(uint32_t sender, const std::vector<Digest>& digests);
    /// @param evidence of a lie
    void AddEvidence(const Evidence& evidence);
    /// @brief Tell members that come next which devices lie.
    void PassEvidence();

    /// @param peer that says to be in a later round
    /// @param round that it says to be in
    void NoteAhead(uint32_t peer, uint32_t round);
    /// @brief Ask somebody who is ahead for blocks, unless somebody is asked already.
    void AskForBlocks();
    /// @param peer to be asked for blocks
    void AskForBlocks(uint32_t peer);
    /// @brief Ask some device for blocks: nothing has been heard for long.
    void AskSomebody();
    /**
     * @brief Blocks that were asked for have come.
     *
     * @param peer that was asked
     * @param isNew whether there was something new
     * @param isAhead whether there is something that does not fit
     */
    void HandleAnswer(uint32_t peer, bool isNew, bool isAhead);
    /**
     * @brief Under PAPER: be in the round of a member of the committee that one knows.
     *
     * @param member said to be one
     * @param round in which it is
     */
    void Follow(uint32_t member, uint32_t round);
    /// @param round to go on to, though none before it is agreed; members tell all others
    void GoOnWithoutBlock(uint32_t round);
    /**
     * @brief Gradients have had their time.
     *
     * Under BYZANTINE, of fewer than C + f clients that were heard fewer than C may be honest. The
     * others may not know yet that the round has begun, if a Byzantine primary has hidden it. So
     * the member tells them, and waits once more.
     */
    void HandleGradientTimeout();
    /// @brief The round takes longer than it should.
    void HandleRoundTimeout();
    /**
     * @brief Ask the next one for the model.
     *
     * Under PAPER a device that has no round left gives up when it has asked each other one twice:
     * one member's word is enough for a block, and its model may be one that nobody has.
     */
    void AskForModel();
    /// @param delayNs when to ask for the model if it has not come [ns]
    void PlanModel(uint64_t delayNs);
    /// @brief The model of the last block is there.
    void HandleModelThere();
    /**
     * @param peer that asks
     * @param what it asks for
     * @param spacingNs time from the first of some answers [ns]
     * @param most answers within that time
     * @return whether to answer
     */
    bool MayAnswer(uint32_t peer, ChainKind what, uint64_t spacingNs, uint32_t most = 1);
    /// @return answers with blocks that a device which catches up needs at once
    uint32_t GetMostPages() const;
    /// @param peer to send blocks to
    /// @param round of the first one
    void SendBlocks(uint32_t peer, uint32_t round);
    /// @param message to be sent
    /// @return it as any message
    static CommitteeMessage Wrap(ChainMessage message);

    NodeOptions m_options;                     //!< what the device needs to know
    std::shared_ptr<const KeyRing> m_keys;     //!< of all devices
    CommitteeHost& m_host;                     //!< does what is to be done
    MemberMaker m_maker;                       //!< of members that may misbehave; may be empty
    CommitteeChain m_chain;                    //!< how rounds have ended
    std::map<Digest, FlatVector> m_models;     //!< the newest one, and the one before
    Digest m_newest = {};                      //!< digest of the newest model that is there
    std::shared_ptr<ConsensusMemory> m_memory; //!< promises of the present round
    std::optional<uint32_t> m_lastVoted;       //!< with PAPER: last round in which it was a member
    uint32_t m_round = 0;                      //!< present round
    uint32_t m_following = 0; //!< with PAPER: round to go on to; the present one if there is none
    /// Role in the round that was the last one with a model, until the model of a later one is
    /// there
    std::optional<CommitteeRole> m_ended;

    CommitteeRole m_role = CommitteeRole::IDLE; //!< in the present round
    Job m_job = Job::NONE;                      //!< what the processor does
    bool m_isStale = false;                     //!< whether the job is of a round that is over
    bool m_isBehind = false;                    //!< whether the device was off in the round
    bool m_hasBegun = false;                    //!< whether it has begun to work in the round
    bool m_collecting = false;                  //!< whether it waits for gradients
    bool m_isTime = false;                      //!< whether the wait for gradients is over
    bool m_hasCalled = false;                   //!< whether it has told all that it waits for them
    CommitteeInbox m_inbox;                     //!< gradients, and messages that come early
    FlatVector m_gradient;                      //!< own
    std::unique_ptr<CommitteeMember> m_member;  //!< state machine of the votes; null if no member
    std::vector<uint32_t> m_members;            //!< its committee, ascending
    uint64_t m_voteTimer = 0;                   //!< number of its timer
    CommitteeReport m_report;                   //!< of the present round
    bool m_hasReported = false;                 //!< whether it was told
    std::optional<AggregationOrder> m_order;    //!< of the votes
    uint64_t m_aggregating = 0;                 //!< number of the order that the processor works on
    uint32_t m_fetches = 0;                     //!< how often missing gradients were asked for
    std::map<Digest, FlatVector> m_results;     //!< models that this member has computed
    std::map<CommitteeVote, Decision> m_decisions; //!< with PAPER: of the present round
    std::optional<CertifiedBlock> m_announcement;  //!< to be told to all others
    bool m_announcesModel = false;                 //!< whether with the model
    std::map<uint32_t, uint32_t> m_ahead;          //!< devices that say to be in a later round
    std::optional<uint32_t> m_asked;               //!< who is asked for blocks
    bool m_isWaiting = false;                      //!< whether to ask for blocks in a while
    std::optional<uint32_t> m_informant;           //!< who has sent the last blocks
    uint32_t m_modelAsks = 0;                      //!< how often somebody was asked for a model
    uint32_t m_lastAsks = 0;                       //!< how often since there is no round left
    uint32_t m_backtrack = 0; //!< with PAPER: rounds to go back for a common block
    uint32_t m_turn = 0;      //!< whom to ask next
    std::map<std::pair<uint32_t, ChainKind>, Answers> m_answered; //!< by peer and question
    std::map<uint32_t, Evidence> m_evidence;                      //!< of lies, by device
};

} // namespace collab
} // namespace ns3

#endif /* COMMITTEE_NODE_H */
