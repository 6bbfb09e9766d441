/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_SCORE_BOOK_H
#define COMMITTEE_SCORE_BOOK_H

#include "committee-chain.h"

#include "ns3/committee-consensus.h"
#include "ns3/committee-message.h"

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
 * dropped. So a client that sends different
 * gradients to different members gains nothing by it.
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

/// @ingroup collab
/// @brief What a member has heard of scores and of lies, and what blocks follow from such.
class ScoreBook
{
  public:
    /// @param options of the round
    /// @param keys of all devices
    ScoreBook(const ConsensusOptions& options, std::shared_ptr<const KeyRing> keys);

    /// @param table said to be SCORES of a member
    /// @return whether it can be: of this round, and of clients that train, but for its signature
    bool IsTable(const ConsensusMessage& table) const;
    /// @param table SCORES of a member
    /// @return whether it is the first one of it, which is kept
    bool Add(const ConsensusMessage& table);
    /// @param evidence said to be of a lie
    /// @return whether it is, and of a member that was not known to lie: it is kept
    bool
    AddEvidence(const Evidence& evidence)
    {
        return m_lies.Add(
            evidence, m_options.IsInOffice(evidence.statement), m_options.expelled, *m_keys);
    }

    /// @return tables heard, by member
    const std::map<uint32_t, ConsensusMessage>&
    GetTables() const
    {
        return m_tables;
    }

    /// @return whether the tables of all members are there
    bool
    IsComplete() const
    {
        return m_tables.size() == m_options.members.size();
    }

    /// @return how the round ends if it is abandoned
    Block MakeAbandoned() const;
    /// @return what follows from all tables that were heard
    Draft MakeOwnDraft() const;
    /// @param draft of all tables that were heard
    /// @return whether those are the tables of all members, and rank too few clients
    bool
    IsHopeless(const Draft& draft) const
    {
        return IsComplete() && !draft.isPossible;
    }

    /// @param[in,out] request gets all tables, and evidence of as many lies as members
    void Support(ConsensusMessage& request) const;
    /// @param request with tables
    /// @return what follows from what goes with it
    Draft DraftOf(const ConsensusMessage& request) const;
    /// @param request with tables
    /// @return whether they are signed by enough members, and its evidence proves what it says
    bool IsFounded(const ConsensusMessage& request) const;

  private:
    /// @return evidence of as many lies as members at most
    std::vector<Evidence> GetEvidence() const;

    ConsensusOptions m_options;                    //!< of the round
    std::shared_ptr<const KeyRing> m_keys;         //!< of all devices
    std::map<uint32_t, ConsensusMessage> m_tables; //!< scores heard, by member
    CommitteeLies m_lies;                          //!< of others
};

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

} // namespace ns3::collab

#endif /* COMMITTEE_SCORE_BOOK_H */
