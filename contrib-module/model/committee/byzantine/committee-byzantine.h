/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_BYZANTINE_H
#define COMMITTEE_BYZANTINE_H

#include "committee-block.h"

#include "ns3/committee-consensus.h"
#include "ns3/committee-messages.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3
{
namespace collab
{

/// @ingroup collab
/// @brief What a member of a committee keeps when it loses its memory: the promises that it gave.
struct ConsensusMemory
{
    /// A consent that it gave
    struct Promise
    {
        uint32_t view = 0; //!< in which it consented
        Digest block = {}; //!< to which block
    };

    uint32_t round = 0;                               //!< of the mechanism
    std::optional<ConsensusMessage> scores;           //!< that it has told: never others
    std::optional<CertifiedBlock> lock;               //!< see ByzantineConsensus
    std::optional<Promise> promises[COMMITTEE_VOTES]; //!< the last one of each vote
};

/**
 * @brief What follows from tables of scores.
 *
 * A gradient counts if minimumScores members report the same one of a client that trains: at most
 * one of each client does, and scores of others are dropped. So a client that sends different
 * gradients to different members gains nothing by it.
 */
struct Draft
{
    Block block;                       //!< without the digest of the model
    AggregationOrder order;            //!< what the model is made of
    std::vector<RankedClient> ranking; //!< clients by final score
    bool isPossible = false;           //!< whether enough clients are ranked for the next committee
};

/**
 * @param options of the round
 * @param tables messages SCORES, of distinct members
 * @param evidence of lies of devices that are not expelled yet
 * @return what follows
 */
Draft MakeDraft(const ConsensusOptions& options,
                const std::vector<const ConsensusMessage*>& tables,
                const std::vector<Evidence>& evidence);

/**
 * @ingroup collab
 * @brief An honest member under the rule BYZANTINE.
 *
 * A round of the mechanism is one height of a chain of blocks, agreed on as in PBFT and Tendermint.
 * Views 0, 1, ... have one primary each. It proposes a block: one that follows from at least C - f
 * signed tables of scores, which go with it, or one that it has heard to be prepared, or from view
 * GetAttempts() on the end of the round without a result. Members compute the sets from these
 * tables, not from their own, and the model from gradients that they have or fetch. Two votes:
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
class ByzantineConsensus : public CommitteeMember
{
  public:
    /// Patience with primaries doubles so often
    static constexpr uint32_t MOST_DOUBLINGS = 3;

    /**
     * @param options of the round
     * @param keys of all devices
     * @param memory what the member has promised, kept through crashes; not null
     * @throws std::invalid_argument as ConsensusOptions::Check() does
     */
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
    const ConsensusCounters& GetCounters() const override;
    ConsensusOutput Resume(uint64_t nowNs) override;
    ConsensusOutput HandleBlock(uint64_t nowNs, const CertifiedBlock& block) override;
    void AddEvidence(const Evidence& evidence) override;
    const std::vector<RankedClient>& GetRanking() const override;

    /// @return present view
    uint32_t GetView() const;
    /// @return tables heard, by member
    const std::map<uint32_t, ConsensusMessage>& GetTables() const;
    /// @return views after which a round may be abandoned: one at least has an honest primary
    uint32_t GetAttempts() const;

  private:
    /// Where a member stands in its round
    enum class Stage
    {
        WAITING, //!< for Begin()
        SCORING, //!< for scores of others
        VOTING,  //!< for the block
        ENDED,   //!< it is known
    };

    /// A view of which this member is the primary
    struct Candidacy
    {
        Block block;                                    //!< what it has proposed
        std::vector<Consent> consents[COMMITTEE_VOTES]; //!< of each vote
    };

    /// What another member said last
    struct Peer
    {
        uint32_t view = 0;        //!< that it has reached
        uint64_t informed = 0;    //!< when it was last told the block [ns]
        bool wasInformed = false; //!< whether it ever was
    };

    /**
     * @param nowNs the member's clock [ns]
     * @param number of the timer
     * @param[out] output receives what is to be done
     */
    void HandleTimeout(uint64_t nowNs, uint64_t number, ConsensusOutput& output);
    /// @param message scores of another member
    /// @param[out] output receives what is to be done
    void HandleScores(const ConsensusMessage& message, ConsensusOutput& output);
    /// @param message a proposal
    /// @param[out] output receives what is to be done
    void HandleRequest(const ConsensusMessage& message, ConsensusOutput& output);
    /// @param message a consent to a proposal of this member
    /// @param[out] output receives what is to be done
    void HandleReply(const ConsensusMessage& message, ConsensusOutput& output);
    /// @param message a certificate
    /// @param[out] output receives what is to be done
    void HandleCommit(const ConsensusMessage& message, ConsensusOutput& output);
    /// @param message a member's next view
    /// @param[out] output receives what is to be done
    void HandleViewChange(const ConsensusMessage& message, ConsensusOutput& output);

    /**
     * @brief Go on to a view.
     *
     * @param view not below the present one
     * @param[out] output receives what is to be done
     */
    void EnterView(uint32_t view, ConsensusOutput& output);
    /// @brief Tell all others the present view, and its primary the own scores.
    /// @param[out] output receives what is to be done
    void TellView(ConsensusOutput& output);
    /// @brief As the primary of the present view: propose, if there is something to be proposed.
    /// @param[out] output receives what is to be done
    void Propose(ConsensusOutput& output);
    /**
     * @brief Propose a block in the present view.
     *
     * @param request with its reasons
     * @param[out] output receives what is to be done
     */
    void Propose(ConsensusMessage request, ConsensusOutput& output);
    /// @brief Judge the proposal of the present view, if there is one.
    /// @param[out] output receives what is to be done
    void Consider(ConsensusOutput& output);
    /**
     * @param request a proposal that is not prepared
     * @param[out] output receives an order if the model has to be computed first
     * @return whether it follows from what goes with it, and its model is known to be right
     */
    bool IsRight(const ConsensusMessage& request, ConsensusOutput& output);
    /**
     * @param request with tables
     * @return whether they are signed by enough members, and its evidence proves what it says
     */
    bool IsFounded(const ConsensusMessage& request);
    /**
     * @brief Consent, if no promise stands against it.
     *
     * @param vote of the round
     * @param view of the proposal
     * @param block digest of what is proposed
     * @param[out] output receives what is to be done
     */
    void ConsentTo(CommitteeVote vote, uint32_t view, const Digest& block, ConsensusOutput& output);
    /**
     * @brief As the primary: count a consent.
     *
     * @param vote of the round
     * @param view of the proposal
     * @param consent of a member
     * @param[out] output receives what is to be done
     */
    void Count(CommitteeVote vote, uint32_t view, const Consent& consent, ConsensusOutput& output);
    /// @param prepared in the first vote, checked: be locked on it if its view is the highest
    void Lock(const CertifiedBlock& prepared);
    /**
     * @param prepared said to be so
     * @return whether a quorum has consented to it in the first vote
     */
    bool IsPrepared(const CertifiedBlock& prepared) const;
    /**
     * @brief The round has ended.
     *
     * @param block certified
     * @param[out] output receives what is to be done
     */
    void Decide(const CertifiedBlock& block, ConsensusOutput& output);
    /**
     * @brief Tell a member how the round has ended, not too often.
     *
     * @param member that does not know
     * @param[out] output receives what is to be done
     */
    void Inform(uint32_t member, ConsensusOutput& output);
    /// @return how the round ends if it is abandoned
    Block MakeAbandoned() const;
    /// @return what follows from all tables that were heard
    Draft MakeOwnDraft() const;
    /// @param draft of all tables that were heard
    /// @return whether those are the tables of all members, and rank too few clients
    bool IsHopeless(const Draft& draft) const;
    /// @param request with tables
    /// @return what follows from what goes with it
    Draft DraftOf(const ConsensusMessage& request) const;
    /// @return members that decide
    std::size_t GetQuorum() const;
    /// @param first scores of a member
    /// @param second scores of it, of the same round
    /// @param[out] output receives evidence if they differ
    void Compare(const ConsensusMessage& first,
                 const ConsensusMessage& second,
                 ConsensusOutput& output);
    /**
     * @brief Order the model of a draft, unless that is under way.
     *
     * @param order gradients to be aggregated
     * @param[out] output receives the order
     * @return digest of the model, if it is known
     */
    std::optional<Digest> FindModel(AggregationOrder order, ConsensusOutput& output);
    /// @brief Go on to a view that enough others have reached.
    /// @param[out] output receives what is to be done
    void SkipViews(ConsensusOutput& output);
    /// @return members, this one too, that have reached the present view
    std::size_t CountReached() const;
    /// @return some more of it, other for each member and time [ns]
    uint64_t DrawJitter() const;
    /// @return patience with the present view [ns]
    uint64_t GetPatienceNs() const;
    /// @param view of the round
    /// @return its primary
    uint32_t GetPrimary(uint32_t view) const;
    /**
     * @param kind of message
     * @return a message of this member in its present view, not yet signed
     */
    ConsensusMessage MakeMessage(ConsensusKind kind) const;
    /**
     * @brief Sign and send.
     *
     * @param message to be sent
     * @param receiver a member; nothing for all
     * @param[out] output receives it
     */
    void Send(ConsensusMessage message,
              std::optional<uint32_t> receiver,
              ConsensusOutput& output) const;
    /**
     * @param delayNs when to go off [ns]
     * @param[out] output receives a new timer
     */
    void SetTimer(uint64_t delayNs, ConsensusOutput& output);

    ConsensusOptions m_options;                      //!< of the round
    std::shared_ptr<const KeyRing> m_keys;           //!< of all devices
    std::shared_ptr<ConsensusMemory> m_memory;       //!< promises
    Stage m_stage = Stage::WAITING;                  //!< where the member stands
    uint64_t m_now = 0;                              //!< its clock at the last input [ns]
    uint64_t m_timer = 0;                            //!< number of the last timer
    uint32_t m_view = 0;                             //!< present view
    bool m_hasWaited = false;                        //!< whether a quarter of its patience is over
    std::map<uint32_t, ConsensusMessage> m_tables;   //!< scores heard, by member
    std::vector<RankedClient> m_ranking;             //!< by all scores heard before the votes
    bool m_isFew = false;                            //!< whether that were too few clients
    std::map<uint32_t, Evidence> m_evidence;         //!< of lies, by device
    std::map<uint32_t, ConsensusMessage> m_requests; //!< not yet answered, by view
    std::map<uint32_t, Candidacy> m_candidacies;     //!< as the primary, by view
    std::map<uint32_t, Peer> m_peers;                //!< other members
    std::optional<ConsensusMessage> m_draft;         //!< own proposal that waits for its model
    /// Models ordered, by what they are made of: the number, and their digest when it is known
    std::map<GradientDigests, std::pair<uint64_t, std::optional<Digest>>> m_models;
    uint64_t m_orders = 0;                 //!< number of the last order
    bool m_lacksModel = false;             //!< whether a model could not be computed
    std::optional<CertifiedBlock> m_block; //!< how the round has ended
    ConsensusCounters m_counters;          //!< of what was not believed
};

} // namespace collab
} // namespace ns3

#endif /* COMMITTEE_BYZANTINE_H */
