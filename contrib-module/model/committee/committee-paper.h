/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_PAPER_H
#define COMMITTEE_PAPER_H

#include "committee-consensus.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab
 * @brief An honest member under the rule PAPER.
 *
 * It broadcasts its scores, and closes its table when it has those of all members or the score
 * timeout has passed. The table decides both of its sets for good: it never consents to another
 * set or result than these, in any attempt. A round is two entries of a log without certificates,
 * one vote each (LogMember): the member takes a primary's word for what is decided. Members differ
 * if a primary lies, and if rounds end for some only; see ByzantineConsensus.
 *
 * Members that have decided as the primary answer stragglers with the commit. After MaxAttempts
 * primaries of one vote a member abandons the round; so every round ends within
 * ConsensusOptions::GetLongestRoundNs().
 */
class CommitteeConsensus : public CommitteeMember
{
  public:
    /// @throws std::invalid_argument as ConsensusOptions::Check() does
    CommitteeConsensus(ConsensusOptions options, std::shared_ptr<const KeyRing> keys);

    /// @return scores heard, by member
    const ScoreTables&
    GetTables() const
    {
        return m_tables;
    }

  private:
    /// @return whether its sender, round and authenticator are what they must be
    bool IsBelievable(const ConsensusMessage& message);
    /// @param message that is believed: act on it, unless the round is abandoned
    void
    Judge(const ConsensusMessage& message)
    {
        const bool abandoned = m_stage == Stage::ENDED && !LogOf(m_vote).GetEnd();
        abandoned ? void(++m_counters.late) : Dispatch(message);
    }

    /// @brief Go on to the vote that is not decided, or end.
    void GoOn();
    /// @return the block of a round that is agreed, on the own word
    CertifiedBlock MakeBlock() const;
    /// @return why there is no decision, once all views of the present vote have passed
    ConsensusOutcome FindReason() const;

    // CommitteeMember
    void DoBegin(const ClientScores& scores, const GradientDigests& gradients) override;
    void
    DoHandleMessage(const ConsensusMessage& message) override
    {
        if (IsBelievable(message))
        {
            m_stage == Stage::WAITING ? m_early.push_back(message) : Judge(message);
        }
    }

    void DoHandleResult(uint64_t number, const std::optional<Digest>& digest) override;
    void CloseTable() override;
    void HandleScores(const ConsensusMessage& message) override;

    // LogPolicy
    std::optional<ConsensusMessage> MakeProposal(CommitteeVote vote, uint32_t view) override;
    LogVerdict Validate(const ConsensusMessage& request) override;
    ConsensusMessage MakeConsent(const ConsensusMessage& ballot,
                                 CommitteeVote vote,
                                 uint32_t view) const override;
    bool
    IsConsent(const ConsensusMessage& reply, const ConsensusMessage& request) const override
    {
        return reply.timestamp == request.timestamp && reply.proposal == request.proposal;
    }

    void HandleEnd(const std::optional<ConsensusMessage>& commit) override;

    std::vector<ConsensusMessage> m_early;          //!< heard before Begin()
    ScoreTables m_tables;                           //!< scores heard, by member
    std::optional<Proposal> m_own[COMMITTEE_VOTES]; //!< what the member consents to in each
    Proposal m_aggregation;    //!< the own aggregation set, until its result is there
    bool m_hasResult = false;  //!< whether HandleResult() has been called
    bool m_heardOther = false; //!< whether another set than the own was proposed
    std::set<std::tuple<ConsensusKind, uint32_t, CommitteeVote, uint32_t>>
        m_heard; //!< kind, sender, vote and attempt of messages that were believed
};

} // namespace ns3::collab

#endif /* COMMITTEE_PAPER_H */
