/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_WORKER_H
#define COMMITTEE_WORKER_H

#include "committee-sync.h"

#include "ns3/committee-byzantine.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief A device as a member of one round's committee: its state machine, what that orders, and
/// the report of it.
struct CommitteeSession
{
    /// @brief The host, which does what the member wants, must live as long.
    CommitteeSession(ConsensusOptions options,
                     std::unique_ptr<CommitteeMember> machine,
                     CommitteeHost& host);

    /// @brief Do what the state machine wants, but aggregate.
    /// @return what the round ends with, if that is decided now
    std::optional<CertifiedBlock> Apply(const ConsensusOutput& output);
    /// @brief The wait for gradients is over; the inbox has those that came.
    void CloseGradients(const CommitteeInbox& inbox);
    /// @return output of the state machine, which begins with scores of the gradients in the inbox
    ConsensusOutput Begin(const ClientScores& scores, const CommitteeInbox& inbox);
    /// @param number of an order that is done
    /// @param digest of its model; nothing if there is none
    /// @return output of the state machine
    ConsensusOutput HandleResult(uint64_t number, const std::optional<Digest>& digest);
    /// @return output of the state machine, whose timer has gone off
    ConsensusOutput
    HandleTimeout()
    {
        return member->HandleTimeout(m_host.GetNowNs(), m_timer);
    }

    /// @param certified block from elsewhere, with which the round ends
    void End(const CertifiedBlock& certified);
    /// @param missing gradients of the order, by client: ask those who say to have them
    void Fetch(const GradientDigests& missing);

    ConsensusOptions voting; //!< how the committee votes
    std::unique_ptr<CommitteeMember>
        member; //!< state machine of the votes, whose output is for Apply()
    std::optional<AggregationOrder> order; //!< gradients to be aggregated, if any are

  private:
    /// @brief The votes have ended: make traces of it.
    void Report(ConsensusOutcome outcome);

    CommitteeHost& m_host;      //!< does what is to be done
    uint64_t m_timer = 0;       //!< number of its timer
    CommitteeReport m_report;   //!< of the round
    bool m_hasReported = false; //!< whether it was told
    uint32_t m_fetches = 0;     //!< how often missing gradients were asked for
};

/// @ingroup collab
/// @brief What a device does in a round, once it knows that the round has begun: Work().
class CommitteeWorker
{
  public:
    /// The phase in which a member awaits gradients
    static constexpr const char* COLLECT = "collect";

    virtual ~CommitteeWorker() = default;

    /// @return what the device does in the present round
    CommitteeRole
    GetRole() const
    {
        return m_role;
    }

    /// @return the model of the last block; the newest one that there is if that is missing
    const FlatVector&
    GetModel() const
    {
        return m_models.GetNewest();
    }

    /// @return whether the model of the last block is there
    bool
    HasModel() const
    {
        return m_models.IsNewest(m_chain.GetModel());
    }

    /// @return gradients that are there, and the clients that train in the present round
    const CommitteeInbox&
    GetInbox() const
    {
        return m_inbox;
    }

    /// @return how rounds have ended, and the committee of the present one
    const CommitteeChain&
    GetChain() const
    {
        return m_chain;
    }

    /// @return whether the round before had no block
    bool
    IsAssumed() const
    {
        const auto& blocks = m_chain.GetAll();
        return m_chain.GetNextRound() < m_round ||
               (!blocks.empty() && blocks.back().block.kind == BlockKind::ABANDONED);
    }

    /// @return whether the job that runs is of a round that is over
    bool
    IsOvertaken() const
    {
        return m_isStale;
    }

  protected:
    /// @brief See CommitteeNode().
    CommitteeWorker(NodeOptions options,
                    std::shared_ptr<const KeyRing> keys,
                    FlatVector model,
                    CommitteeHost& host);

    /// @brief Take the role of the round that the chain says, or of the present one again.
    virtual void TakeRound() = 0;
    /// @param output of the state machine: do what it asks for
    virtual void Apply(const ConsensusOutput& output) = 0;

    /// @return whether the quorum rule is BYZANTINE
    bool
    IsByzantine() const
    {
        return m_options.federation.rule == QuorumRule::BYZANTINE;
    }

    /// @return whether all rounds are done
    bool
    IsFinished() const
    {
        return m_round >= m_options.rounds;
    }

    /// @brief A peer says to be in a later round.
    void
    NoteAhead(uint32_t peer, uint32_t round)
    {
        m_sync.NoteAhead(peer, round, m_isBehind || IsAssumed());
    }

    /// @brief Begin to work in the present round, whose model is there, unless it has begun.
    void
    BeginWork()
    {
        if (!m_hasBegun)
        {
            m_hasBegun = true;
            m_work.Start(Work());
        }
    }

    /// @brief Forget all that is of one round only.
    void ClearRound();
    /// @brief Aggregate what the votes ask for, or fetch what is missing.
    void TryAggregate();
    /// @param sender of the message
    /// @param gradient of a client
    void HandleGradient(uint32_t sender, const std::shared_ptr<const SignedGradient>& gradient);
    /**
     * @brief Gradients have had their time.
     *
     * Under BYZANTINE, of fewer than C + f clients that were heard fewer than C may be honest. The
     * others may not know yet that the round has begun, if a Byzantine primary has hidden it. So
     * the member tells them, and waits once more.
     */
    void HandleGradientTimeout();

    NodeOptions m_options;                       //!< what the device needs to know
    std::shared_ptr<const KeyRing> m_keys;       //!< of all devices
    CommitteeHost& m_host;                       //!< does what is to be done
    CommitteeChain m_chain;                      //!< how rounds have ended
    CommitteeModels m_models;                    //!< that it keeps
    std::shared_ptr<ConsensusMemory> m_memory;   //!< promises of the present round
    uint32_t m_round = 0;                        //!< present round
    CommitteeRole m_role = CommitteeRole::IDLE;  //!< in the present round
    bool m_isBehind = false;                     //!< whether the device was off in the round
    bool m_isComputing = false;                  //!< whether a job runs
    bool m_isStale = false;                      //!< whether the job is of a round that is over
    CommitteeInbox m_inbox;                      //!< gradients, and messages that come early
    CommitteeSync m_sync;                        //!< catches up, and helps others to
    std::shared_ptr<CommitteeSession> m_session; //!< as a member; else null

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
    /// @return whether it is time to score
    bool
    IsCollected() const
    {
        return m_isCollecting && (m_isTime || !m_inbox.HasMissing());
    }

    /// @return the order that the processor can work on now; null if there is none
    const AggregationOrder* FindOrder() const;
    /// @param values own gradient, to be sent to the committee
    void Upload(FlatVector values);

    bool m_hasBegun = false;     //!< whether it has begun to work in the round
    bool m_isCollecting = false; //!< whether it waits for gradients
    bool m_isTime = false;       //!< whether the wait for gradients is over
    bool m_hasCalled = false;    //!< whether it has told all that it waits for them
    FlatVector m_gradient;       //!< own
    Changes m_changes;           //!< what Work() waits for
    ProcessRunner m_work;        //!< runs Work()
};

} // namespace ns3::collab

#endif /* COMMITTEE_WORKER_H */
