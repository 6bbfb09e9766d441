/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_NODE_H
#define COMMITTEE_NODE_H

#include "committee-asker.h"
#include "committee-session.h"

#include "ns3/committee-byzantine.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace ns3
{
namespace collab
{

/// Makes a member of the committee that may misbehave, around an honest one
using MemberMaker = std::function<std::unique_ptr<CommitteeMember>(
    const ConsensusOptions& options, const std::shared_ptr<ConsensusMemory>& memory)>;

/**
 * @ingroup collab
 * @brief A device of the committee mechanism without a network: messages and timeouts go in, and
 * what is to be done is told to a CommitteeHost. What it does in a round is Work().
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
    /// @return gradients that are there
    const CommitteeInbox& GetInbox() const;
    /// @return how rounds have ended
    const CommitteeChain& GetChain() const;
    /// @return whether the round before had no block
    bool IsAssumed() const;
    /// @return whether all rounds are done
    bool IsFinished() const;
    /// @return whether the job that runs is of a round that is over
    bool IsOvertaken() const;

  private:
    /// @return a round of CMFL as this device takes part in it, from the model on
    Process Work();
    /// @return scoring what is there, and beginning the votes
    Process Score();
    /// @return making the model that the votes ask for
    Process Aggregate();
    /// @brief A job has ended.
    /// @return whether its round is over: the device has gone on to the next one
    bool EndJob();

    /// @return whether the quorum rule is BYZANTINE
    bool IsByzantine() const;
    /// @return the round that others must be beyond to be ahead
    uint32_t GetOwnRound() const;
    /// @return clients of the present round, ascending
    std::vector<uint32_t> DrawClients() const;
    /// @brief Take the role of the round that the chain says, or of the present one again.
    void TakeRound();
    /// @brief Forget all that is of one round only.
    void ClearRound();
    /// @brief Become a member of the round's committee.
    void MakeSession();
    /// @brief The model of the last block is there.
    void HandleModelThere();
    /// @brief Something has been put at the end of the chain.
    void Advance();
    /// @return whether it is time to score
    bool IsCollected() const;
    /// @return the order that the processor could work on if all gradients are there
    const AggregationOrder* FindOrder() const;
    /// @brief Aggregate what the votes ask for, or fetch what is missing.
    void TryAggregate();
    /// @param output of the state machine: do what it asks for
    void Apply(const ConsensusOutput& output);
    /// @param certified block: put it at the end of the chain if it comes next
    /// @return whether it does
    bool Append(const CertifiedBlock& certified);
    /**
     * @param model to be kept, and the one before
     * @param digest of the model
     */
    void KeepModel(FlatVector model, const Digest& digest);
    /// @param made for the votes: keep it until it is known which one is agreed
    void KeepResult(const MadeModel& made);
    /// @param certified block that this member has decided: tell the others, when it is its turn
    void Decide(const CertifiedBlock& certified);
    /// @brief Tell all others how the last decided round has ended.
    void Announce();

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
    /// @param digest of the model that it wants
    void AnswerModel(uint32_t sender, const Digest& digest);
    /// @param sender of the message
    /// @param digests of gradients that it wants
    void AnswerGradients(uint32_t sender, const std::vector<Digest>& digests);
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
    /// @param evidence of a lie
    void AddEvidence(const Evidence& evidence);
    /// @brief Tell members that come next which devices lie.
    void PassEvidence();

    /// @param peer that says to be in a later round
    /// @param round that it says to be in
    void NoteAhead(uint32_t peer, uint32_t round);
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
    /// @brief Ask the next one for the model, or give up.
    void AskForModel();
    /// @param delayNs when to ask for the model if it has not come [ns]
    void PlanModel(uint64_t delayNs);

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

    CommitteeRole m_role = CommitteeRole::IDLE;  //!< in the present round
    bool m_isComputing = false;                  //!< whether a job runs
    bool m_isStale = false;                      //!< whether the job is of a round that is over
    bool m_isBehind = false;                     //!< whether the device was off in the round
    bool m_hasBegun = false;                     //!< whether it has begun to work in the round
    bool m_isCollecting = false;                 //!< whether it waits for gradients
    bool m_isTime = false;                       //!< whether the wait for gradients is over
    bool m_hasCalled = false;                    //!< whether it has told all that it waits for them
    CommitteeInbox m_inbox;                      //!< gradients, and messages that come early
    FlatVector m_gradient;                       //!< own
    std::shared_ptr<CommitteeSession> m_session; //!< as a member; else null
    std::map<Digest, FlatVector> m_results;      //!< models that this member has computed
    std::optional<CertifiedBlock> m_announcement; //!< to be told to all others
    bool m_announcesModel = false;                //!< whether with the model
    CommitteeAsker m_asker;                       //!< asks for what is missing
    AnswerLimit m_answers;                        //!< to questions of others
    std::map<uint32_t, Evidence> m_evidence;      //!< of lies, by device
    Changes m_changes;                            //!< what Work() waits for
    ProcessRunner m_work;                         //!< runs Work()
};

} // namespace collab
} // namespace ns3

#endif /* COMMITTEE_NODE_H */
