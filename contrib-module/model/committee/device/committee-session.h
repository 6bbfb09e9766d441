/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_SESSION_H
#define COMMITTEE_SESSION_H

#include "committee-host.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>

namespace ns3::collab
{

/// @ingroup collab
/// @brief A device as a member of one round's committee: its state machine, what that orders, and
/// the report of it.
class CommitteeSession
{
  public:
    /// @param voting how the committee votes
    /// @param member state machine of the votes
    /// @param host that does what the member wants; must live as long
    CommitteeSession(ConsensusOptions voting,
                     std::unique_ptr<CommitteeMember> member,
                     CommitteeHost& host);

    /// @return how the committee votes
    const ConsensusOptions&
    GetVoting() const
    {
        return m_voting;
    }

    /// @return the state machine, whose outputs go to Apply()
    CommitteeMember& GetMember();
    /// @return gradients to be aggregated, if any are
    const std::optional<AggregationOrder>&
    GetOrder() const
    {
        return m_order;
    }

    /// @brief Do what the state machine wants, but aggregate.
    /// @param output of it
    /// @return what the round ends with, if that is decided now
    std::optional<CertifiedBlock> Apply(const ConsensusOutput& output);
    /// @brief The wait for gradients is over.
    /// @param inbox that has those that came
    void CloseGradients(const CommitteeInbox& inbox);
    /// @param scores of the gradients
    /// @param inbox that has these
    /// @return output of the state machine
    ConsensusOutput Begin(const ClientScores& scores, const CommitteeInbox& inbox);
    /// @param number of an order that is done
    /// @param digest of its model; nothing if there is none
    /// @return output of the state machine
    ConsensusOutput HandleResult(uint64_t number, const std::optional<Digest>& digest);
    /// @brief The timer of the state machine has gone off.
    /// @return output of the state machine
    ConsensusOutput HandleTimeout();
    /// @param certified block from elsewhere, with which the round ends
    void End(const CertifiedBlock& certified);
    /// @param missing gradients of the order, by client: ask those who say to have them
    void Fetch(const GradientDigests& missing);

  private:
    /// @brief The votes have ended: make traces of it.
    /// @param outcome of the round
    void Report(ConsensusOutcome outcome);
    ConsensusOptions m_voting;                 //!< how the committee votes
    std::unique_ptr<CommitteeMember> m_member; //!< state machine of the votes
    CommitteeHost& m_host;                     //!< does what is to be done
    uint64_t m_timer = 0;                      //!< number of its timer
    CommitteeReport m_report;                  //!< of the round
    bool m_hasReported = false;                //!< whether it was told
    std::optional<AggregationOrder> m_order;   //!< see GetOrder()
    uint32_t m_fetches = 0;                    //!< how often missing gradients were asked for
};

} // namespace ns3::collab

#endif /* COMMITTEE_SESSION_H */
