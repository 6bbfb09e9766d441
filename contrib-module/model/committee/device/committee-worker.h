/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_WORKER_H
#define COMMITTEE_WORKER_H

#include "committee-answers.h"
#include "committee-session.h"

#include "ns3/committee-byzantine.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::collab
{

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

    /// @return the committee of the present round, ascending
    const std::vector<uint32_t>&
    GetCommittee() const
    {
        return m_chain.GetCommittee();
    }

    /// @return clients that train in the present round, ascending
    const std::vector<uint32_t>&
    GetClients() const
    {
        return m_inbox.GetClients();
    }

    /// @return gradients that are there
    const CommitteeInbox&
    GetInbox() const
    {
        return m_inbox;
    }

    /// @return how rounds have ended
    const CommitteeChain&
    GetChain() const
    {
        return m_chain;
    }

    /// @return whether the job that runs is of a round that is over
    bool
    IsOvertaken() const
    {
        return m_isStale;
    }

  protected:
    /// @param options what the device needs to know
    /// @param keys of all devices
    /// @param model the first one
    /// @param host that does what the device wants; must live as long
    CommitteeWorker(NodeOptions options,
                    std::shared_ptr<const KeyRing> keys,
                    FlatVector model,
                    CommitteeHost& host);

    /// @brief Take the role of the round that the chain says, or of the present one again.
    virtual void TakeRound() = 0;
    /// @param output of the state machine: do what it asks for
    virtual void Apply(const ConsensusOutput& output) = 0;
    /// @param peer that says to be in a later round
    /// @param round that it says to be in
    virtual void NoteAhead(uint32_t peer, uint32_t round) = 0;

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

    /// @brief Begin to work in the present round, whose model is there, unless it has begun.
    void BeginWork();
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
    CommitteeNews m_news;                        //!< of the end of a round
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
