/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_BYZANTINE_H
#define COMMITTEE_BYZANTINE_H

#include "committee-score-book.h"

#include "ns3/committee-consensus.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>

namespace ns3::collab
{

/// @ingroup collab
/// @brief What a member of a committee keeps when it loses its memory.
struct ConsensusMemory : LogMemory<Block>
{
    uint32_t round = 0;                     //!< of the mechanism
    std::optional<ConsensusMessage> scores; //!< that it has told: never others
};

/**
 * @ingroup collab
 * @brief An honest member under the rule BYZANTINE.
 *
 * A round of the mechanism is one entry of a certified log (LogMember): a block that follows from
 * at least C - f signed tables of scores, which go with the proposal. Members compute the sets from
 * these tables, not from their own, and the model from gradients that they have or fetch.
 *
 * The own scores survive a loss of memory, as promises do. Before view GetAttempts() members
 * consent to the end of the round without a result only if they have the tables of all members,
 * which rank too few clients.
 */
class ByzantineConsensus : public CommitteeMember
{
  public:
    /// @param options of the round
    /// @param keys of all devices
    /// @param memory what the member has promised, kept through crashes; not null
    /// @throws std::invalid_argument as ConsensusOptions::Check() does
    ByzantineConsensus(ConsensusOptions options,
                       std::shared_ptr<const KeyRing> keys,
                       std::shared_ptr<ConsensusMemory> memory);

    uint64_t CountKept() const override;

    /// @return present view
    uint32_t
    GetView() const
    {
        return m_log.GetView();
    }

    /// @return tables heard, by member
    const std::map<uint32_t, ConsensusMessage>&
    GetTables() const
    {
        return m_book.GetTables();
    }

  private:
    // CommitteeMember
    void DoBegin(const ClientScores& scores, const GradientDigests& gradients) override;
    void DoHandleMessage(const ConsensusMessage& message) override;
    void DoHandleResult(uint64_t number, const std::optional<Digest>& digest) override;
    void DoResume() override;
    void DoHandleBlock(const CertifiedBlock& block) override;
    void DoAddEvidence(const Evidence& evidence) override;
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
        return reply.proposal.digest == request.ballot->block.GetDigest();
    }

    void HandleEnd(const std::optional<ConsensusMessage>& commit) override;
    void HandleViewTold(uint32_t primary) override;
    bool IsHopeless() override;
    Block
    MakeAbandoned() const override
    {
        return m_book.MakeAbandoned();
    }

    void HandleLie(const Evidence& evidence) override;

    std::shared_ptr<ConsensusMemory> m_memory; //!< promises, and own scores
    ScoreBook m_book;                          //!< scores and lies heard
    CommitteeBounds m_bounds;                  //!< of what others may say
    bool m_isFew = false;                      //!< whether the tables ranked too few clients
    std::optional<ConsensusMessage> m_draft;   //!< own proposal that waits for its model
    ModelOrders m_models;                      //!< of proposals
    bool m_lacksModel = false;                 //!< whether a model could not be computed
    Log& m_log;                                //!< agrees on the block
};

} // namespace ns3::collab

#endif /* COMMITTEE_BYZANTINE_H */
