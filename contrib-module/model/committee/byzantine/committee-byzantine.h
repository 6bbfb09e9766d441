/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_BYZANTINE_H
#define COMMITTEE_BYZANTINE_H

#include "committee-bounds.h"
#include "committee-voter.h"

#include "ns3/committee-consensus.h"
#include "ns3/committee-message.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @param vote of the round
/// @param block certified in it
/// @param primary of its view
/// @return what is decided
Decision MakeDecision(CommitteeVote vote, const CertifiedBlock& block, uint32_t primary);

/// What another member said last
struct ConsensusPeer
{
    uint32_t view = 0;        //!< that it has reached
    uint64_t informed = 0;    //!< when it was last told the block [ns]
    bool wasInformed = false; //!< whether it ever was
};

/**
 * @ingroup collab
 * @brief An honest member under the rule BYZANTINE.
 *
 * A round of the mechanism is one height of a chain of blocks, agreed on as in PBFT and Tendermint.
 * Views 0, 1, ... have one primary each. It proposes a block: one that follows from at least C - f
 * signed tables of scores, which go with it, or one that it has heard to be prepared, or from view
 * ConsensusOptions::GetAttempts() on the end of the round without a result. Members compute the
 * sets from these tables, not from their own, and the model from gradients that they have or fetch.
 * Two votes:
 *
 * - AGGREGATION (prepare): a quorum consents to the block in this view. The primary shows their
 *   consents to all (COMMIT), and who sees them is *locked* on view and block.
 * - ELECTION (commit): who is locked in this view consents again. Consents of a quorum are the
 *   certificate by which everybody knows the block.
 *
 * A member consents once in a vote and view, never in a view below one in which it has consented,
 * and when locked only to the block that it is locked on, or to one that was prepared in a view not
 * below that of its lock.
 *
 * Safety: let block B be certified in view v, the first one in which any is. Then q members, so at
 * least q - f honest ones, were locked on B in v before they consented to it in the second vote. No
 * other block is prepared in v, for two quorums share an honest member, which consents once. Let
 * w > v be the least later view in which another block is prepared. One of the honest members that
 * were locked on B in v consented to it, after v, for it never goes back. It was locked on B then,
 * or on what was prepared in a view from v to w - 1, which is B. So the request carried a
 * preparation of another block in such a view, and there is none. Locks, promises and one's own
 * scores survive a loss of memory, so this holds through crashes as well.
 *
 * Progress: a member goes on to the next view when its patience ends and a quorum has reached the
 * present one, or when f + 1 others are beyond; it tells its lock with it (VIEW_CHANGE), and tells
 * again while it waits. So honest members meet, and the highest lock of any honest member reaches
 * the primary, which waits for a quarter of its time. Patience doubles with each view up to eight
 * times: once messages arrive within a quarter of that, the next honest primary finds its quorums.
 *
 * Nobody can abandon a round at will: before view GetAttempts(), of which at least one has an
 * honest primary, members consent to that only if they have the tables of all members, which rank
 * too few clients.
 */
class ByzantineConsensus : public ByzantineVoter
{
  public:
    /// Patience with primaries doubles so often
    static constexpr uint32_t MOST_DOUBLINGS = 3;

    /// @param options of the round
    /// @param keys of all devices
    /// @param memory what the member has promised, kept through crashes; not null
    /// @throws std::invalid_argument as ConsensusOptions::Check() does
    ByzantineConsensus(ConsensusOptions options,
                       std::shared_ptr<const KeyRing> keys,
                       std::shared_ptr<ConsensusMemory> memory);

    ConsensusOutput Begin(uint64_t nowNs,
                          const ClientScores& scores,
                          const GradientDigests& gradients) override;
    ConsensusOutput HandleMessage(uint64_t nowNs, const ConsensusMessage& message) override;
    ConsensusOutput HandleResult(uint64_t nowNs,
                                 uint64_t number,
                                 const std::optional<Digest>& digest) override;
    ConsensusOutput HandleTimeout(uint64_t nowNs, uint64_t number) override;
    ConsensusOutput Resume(uint64_t nowNs) override;
    ConsensusOutput HandleBlock(uint64_t nowNs, const CertifiedBlock& block) override;

    void
    AddEvidence(const Evidence& evidence) override
    {
        m_book.AddEvidence(evidence);
    }

    uint64_t CountKept() const override;

    /// @return present view
    uint32_t
    GetView() const
    {
        return m_view;
    }

    /// @return tables heard, by member
    const std::map<uint32_t, ConsensusMessage>&
    GetTables() const
    {
        return m_book.GetTables();
    }

  private:
    /// @brief What the member has waited for is over, or its time.
    void EndWait();
    void HandleScores(const ConsensusMessage& message) override;
    void HandleRequest(const ConsensusMessage& message) override;
    void HandleCommit(const ConsensusMessage& message) override;
    void HandleViewChange(const ConsensusMessage& message) override;

    /// @brief Go on to a view.
    /// @param view not below the present one
    void EnterView(uint32_t view);
    /// @brief Tell all others the present view and the last proposal, and the primary the scores.
    void TellView();
    /// @brief As the primary of the present view: propose, if there is something to be proposed.
    void Propose();
    /// @brief Propose a block in the present view.
    /// @param request with its reasons
    void Propose(ConsensusMessage request);
    /// @brief Judge the proposal of the present view, if there is one.
    void Consider();
    /// @param request a proposal that is not prepared
    /// @return whether it follows from what goes with it, and its model is known to be right
    bool IsRight(const ConsensusMessage& request);
    void Decide(const CertifiedBlock& block) override;
    /// @brief Tell a member how the round has ended, not too often.
    /// @param member that does not know
    void Inform(uint32_t member);
    /// @brief Go on to a view that enough others have reached.
    void SkipViews();
    /// @return members, this one too, that have reached the present view
    std::size_t CountReached() const;
    /// @return some more of it, other for each member and time [ns]
    uint64_t DrawJitter() const;
    /// @return patience with the present view [ns]
    uint64_t GetPatienceNs() const;

    bool m_hasWaited = false;                        //!< whether a quarter of its patience is over
    CommitteeBounds m_bounds;                        //!< of what others may say
    bool m_isFew = false;                            //!< whether that were too few clients
    std::map<uint32_t, ConsensusMessage> m_requests; //!< not yet answered, by view
    std::map<uint32_t, ConsensusPeer> m_peers;       //!< other members
    std::optional<ConsensusMessage> m_draft;         //!< own proposal that waits for its model
    ModelOrders m_models;                            //!< of proposals
    bool m_lacksModel = false;                       //!< whether a model could not be computed
    std::optional<CertifiedBlock> m_block;           //!< how the round has ended
};

} // namespace ns3::collab

#endif /* COMMITTEE_BYZANTINE_H */
