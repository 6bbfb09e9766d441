/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_NODE_H
#define COMMITTEE_NODE_H

#include "committee-worker.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace ns3::collab
{

/// Makes a member of the committee that may misbehave, around an honest one
using MemberMaker = std::function<std::unique_ptr<CommitteeMember>(
    const ConsensusOptions& options, const std::shared_ptr<ConsensusMemory>& memory)>;

/**
 * @ingroup collab
 * @brief A device of the committee mechanism without a network: messages and timeouts go in, and
 * what is to be done is told to a CommitteeHost. What it does in a round is a CommitteeWorker's.
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
class CommitteeNode : public CommitteeWorker
{
  public:
    /// @param options what the device needs to know
    /// @param keys of all devices
    /// @param model the first one
    /// @param host that does what the device wants; must live as long
    /// @param maker of members; empty for honest ones
    CommitteeNode(NodeOptions options,
                  std::shared_ptr<const KeyRing> keys,
                  FlatVector model,
                  CommitteeHost& host,
                  MemberMaker maker = nullptr);

    /// @brief Begin the first round.
    void Start();
    /// @brief A device has sent a message.
    void HandleMessage(uint32_t sender, const CommitteeMessage& message);
    /// @brief A timer has gone off.
    void HandleTimeout(CommitteeTimer timer);
    /// @brief The device is off: it loses all but the chain, models and promises.
    void Crash();
    /// @brief The device is on again.
    void Resume();

    /// @return present round
    uint32_t
    GetRound() const
    {
        return m_round;
    }

    /// @return bytes of what others have said that the device keeps: messages, gradients, evidence
    uint64_t CountKept() const;
    using CommitteeWorker::IsFinished;

  private:
    void TakeRound() override;
    void Apply(const ConsensusOutput& output) override;

    /// @return clients of the present round, ascending
    std::vector<uint32_t> DrawClients() const;
    /// @brief Become a member of the round's committee.
    void MakeSession();
    /// @brief The model of the last block is there.
    void HandleModelThere();
    /// @brief Something has been put at the end of the chain.
    void Advance();
    /// @return whether the block comes next: then it is at the end of the chain
    bool Append(const CertifiedBlock& certified);
    /// @param certified block of the session's round: tell the others, when it is its turn
    /// @param isDecided whether this member has decided it, not heard of it
    void PlanNews(const CertifiedBlock& certified, bool isDecided);
    /**
     * @brief Somebody has told how a round has ended.
     *
     * Under BYZANTINE a primary may tell it to the other members one by one, so that none of them
     * tells it to all. So more members than may be Byzantine must have told it before one is
     * silent.
     */
    void HearNews(uint32_t teller, const CertifiedBlock& certified, bool comesNext);
    void HandleConsensus(uint32_t sender, const std::shared_ptr<const ConsensusMessage>& message);
    void HandleModel(uint32_t sender, const ModelMessage& message);
    void HandleChain(uint32_t sender, const ChainMessage& message);
    void HandleBlocks(uint32_t sender, const ChainMessage& message);
    /// @param evidence said to be of a lie
    void AddEvidence(const Evidence& evidence);
    /// @brief Under PAPER: be in the round of a member of the committee that one knows.
    void Follow(uint32_t member, uint32_t round);
    /// @param round to go on to, though none before it is agreed; members tell all others
    void GoOnWithoutBlock(uint32_t round);
    /// @brief The round takes longer than it should.
    void HandleRoundTimeout();
    /// @brief Ask the next one for the model, or give up.
    void AskForModel();
    /// @param delayNs when to ask for the model if it has not come [ns]
    void
    PlanModel(uint64_t delayNs)
    {
        if (!HasModel())
        {
            m_host.SetTimer(CommitteeTimer::MODEL, delayNs);
        }
    }

    MemberMaker m_maker;                 //!< of members that may misbehave; may be empty
    std::optional<uint32_t> m_lastVoted; //!< with PAPER: last round in which it was a member
    uint32_t m_following = 0; //!< with PAPER: round to go on to; the present one if there is none
    /// Role in the round that was the last one with a model, until the model of a later one is
    /// there
    std::optional<CommitteeRole> m_ended;
    CommitteeLies m_lies; //!< of others
};

} // namespace ns3::collab

#endif /* COMMITTEE_NODE_H */
