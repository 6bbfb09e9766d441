/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_BYZANTINE_H
#define COMMITTEE_BYZANTINE_H

#include "ns3/committee-consensus.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::collab
{

/**
 * @brief What follows from tables of scores.
 *
 * A gradient counts if a majority of members reports the same one of a client that trains (see
 * ConsensusOptions::GetMinimumScores()): at most one of each client does, and scores of others are
 * dropped. So a client that sends different gradients to different members gains nothing by it.
 */
struct Draft
{
    Block block;                       //!< without the digest of the model
    AggregationOrder order;            //!< what the model is made of
    std::vector<RankedClient> ranking; //!< clients by final score
    bool isPossible = false;           //!< whether enough clients are ranked for the next committee
};

/// @param options of the round
/// @param tables messages SCORES, of distinct members
/// @param evidence of lies of devices that are not expelled yet
/// @return what follows
Draft MakeDraft(const ConsensusOptions& options,
                const std::vector<const ConsensusMessage*>& tables,
                const std::vector<Evidence>& evidence);

/// @return what follows from the tables and the evidence that go with a request
Draft MakeDraft(const ConsensusOptions& options, const ConsensusMessage& request);

/// @ingroup collab
/// @brief The models that a member has ordered for proposals, and their digests.
class ModelOrders
{
  public:
    /// @param order gradients to be aggregated
    /// @param[out] toAggregate gets the order, unless that is under way
    /// @return digest of the model, if it is known
    std::optional<Digest> Find(AggregationOrder order,
                               std::optional<AggregationOrder>& toAggregate);
    /// @param number of an order
    /// @param digest of its model; nothing if it cannot be computed: it may be ordered again
    /// @return whether it is one that is waited for
    bool Note(uint64_t number, const std::optional<Digest>& digest);

  private:
    /// By what they are made of: the number, and their digest when it is known
    std::map<GradientDigests, std::pair<uint64_t, std::optional<Digest>>> m_models;
    uint64_t m_orders = 0; //!< number of the last order
};

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
        return m_tables;
    }

  private:
    /// @return whether the tables of all members are there
    bool
    IsComplete() const
    {
        return m_tables.size() == m_options.members.size();
    }

    /// @param table said to be SCORES of a member
    /// @return whether it can be: of this round, and of clients that train, but for its signature
    bool IsTable(const ConsensusMessage& table) const;
    /// @return whether the tables of a request are signed by enough members, and its evidence
    /// proves what it says
    bool IsFounded(const ConsensusMessage& request) const;
    /// @return what follows from all tables that were heard
    Draft MakeOwnDraft() const;
    /// @return evidence of as many lies as members at most
    std::vector<Evidence> GetEvidence() const;

    // CommitteeMember
    void DoBegin(const ClientScores& scores, const GradientDigests& gradients) override;
    void DoHandleMessage(const ConsensusMessage& message) override;
    void DoHandleResult(uint64_t number, const std::optional<Digest>& digest) override;
    void
    DoResume() override
    {
        m_stage = Stage::VOTING;
        m_isFew = !MakeOwnDraft().isPossible;
        m_log.Resume();
    }

    void
    DoHandleBlock(const CertifiedBlock& block) override
    {
        if (m_stage != Stage::ENDED)
        {
            m_log.End(block);
        }
    }

    bool DoAddEvidence(const Evidence& evidence) override;
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
    void
    HandleViewTold(uint32_t primary) override
    {
        if (m_memory->scores && primary != m_options.self)
        {
            Send(*m_memory->scores, primary);
        }
    }

    bool
    IsHopeless() override
    {
        const bool hasDraft = m_draft && m_draft->attempt == m_log.GetView();
        return !hasDraft && IsComplete() && !MakeOwnDraft().isPossible;
    }

    Block MakeAbandoned() const override;
    void
    HandleLie(const Evidence& evidence) override
    {
        if (DoAddEvidence(evidence))
        {
            m_output.evidence.push_back(evidence);
        }
    }

    std::shared_ptr<ConsensusMemory> m_memory;     //!< promises, and own scores
    std::map<uint32_t, ConsensusMessage> m_tables; //!< see GetTables()
    CommitteeLies m_lies;                          //!< of others
    CommitteeBounds m_bounds;                      //!< of what others may say
    bool m_isFew = false;                          //!< whether the tables ranked too few clients
    std::optional<ConsensusMessage> m_draft;       //!< own proposal that waits for its model
    ModelOrders m_models;                          //!< of proposals
    bool m_lacksModel = false;                     //!< whether a model could not be computed
    Log& m_log;                                    //!< agrees on the block
};

/// @param options of the round
/// @param keys of all devices
/// @param memory with BYZANTINE: what the member has promised, kept through crashes
/// @return an honest member under the rule of the options
/// @throws std::invalid_argument as ConsensusOptions::Check() does
std::unique_ptr<CommitteeMember> MakeMember(const ConsensusOptions& options,
                                            std::shared_ptr<const KeyRing> keys,
                                            std::shared_ptr<ConsensusMemory> memory);

} // namespace ns3::collab

#endif /* COMMITTEE_BYZANTINE_H */
