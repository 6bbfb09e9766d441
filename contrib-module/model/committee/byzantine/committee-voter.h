/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_VOTER_H
#define COMMITTEE_VOTER_H

#include "committee-score-book.h"

#include "ns3/committee-consensus.h"
#include "ns3/committee-message.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief What a member of a committee keeps when it loses its memory: the promises that it gave.
struct ConsensusMemory
{
    /// A consent that it gave
    struct Consented
    {
        uint32_t view = 0; //!< in which it consented
        Digest block = {}; //!< to which block
    };

    uint32_t round = 0;                                 //!< of the mechanism
    std::optional<ConsensusMessage> scores;             //!< that it has told: never others
    std::optional<CertifiedBlock> lock;                 //!< see ByzantineConsensus
    std::optional<Consented> promises[COMMITTEE_VOTES]; //!< the last one of each vote

    /// @brief Promise to consent, if no promise stands against it.
    /// @param vote of the round
    /// @param view of the proposal
    /// @param block digest of what is proposed
    /// @return whether none does
    bool Promise(CommitteeVote vote, uint32_t view, const Digest& block);
    /// @param prepared in the first vote, checked: be locked on it if its view is the highest
    void Lock(const CertifiedBlock& prepared);
};

/// A view of which a member is the primary
struct Candidacy
{
    /// No number of consents: the member has consented before
    static constexpr std::size_t KNOWN = SIZE_MAX;

    Block block;                                    //!< what it has proposed
    std::vector<Consent> consents[COMMITTEE_VOTES]; //!< of each vote

    /// @param consent of a member
    /// @param most consents that are needed
    /// @param[in,out] given consents so far
    /// @return number of consents; KNOWN if it was counted before, 0 if it is not needed
    static std::size_t Count(const Consent& consent, std::size_t most, std::vector<Consent>& given);
};

/**
 * @ingroup collab
 * @brief What a member signs under the rule BYZANTINE, and what it counts of what others sign:
 * consents, shares, and statements that contradict each other.
 */
class ByzantineVoter : public HonestMember
{
  protected:
    /// @param options of the round
    /// @param keys of all devices
    /// @param memory what the member has promised, kept through crashes; not null
    /// @throws std::invalid_argument as ConsensusOptions::Check() does
    ByzantineVoter(ConsensusOptions options,
                   std::shared_ptr<const KeyRing> keys,
                   std::shared_ptr<ConsensusMemory> memory);

    void HandleReply(const ConsensusMessage& message) override;

    /// @brief The round has ended.
    /// @param block certified
    virtual void Decide(const CertifiedBlock& block) = 0;

    /// @brief Consent, if no promise stands against it.
    /// @param vote of the round
    /// @param view of the proposal
    /// @param block digest of what is proposed
    /// @return whether none does
    bool ConsentTo(CommitteeVote vote, uint32_t view, const Digest& block);
    /// @brief Consent in the last vote to what is prepared in the present view.
    /// @param block prepared; to the end of a round that is abandoned with a share as well
    void ConsentToEnd(const Block& block);
    /// @brief Tell the primary of the present view a consent.
    /// @param vote of the round
    /// @param view of the proposal; ANY_VIEW for a share
    /// @param block digest of what is proposed
    void SendConsent(CommitteeVote vote, uint32_t view, const Digest& block);
    /// @brief Compare a statement with what its member has said before: lies are evidence.
    /// @param statement of a member, verified
    /// @param said there
    void Witness(const Statement& statement, const CommitteeWitness::Signed& said);
    /// @param vote that a block is certified in; whose consents are compared with others
    /// @param certified block, checked
    void WitnessAll(CommitteeVote vote, const CertifiedBlock& certified);
    /// @param view of the round
    /// @return where its primary proposes
    Statement GetProposal(uint32_t view) const;
    /// @brief As the primary: count a consent.
    /// @param vote of the round
    /// @param view of the proposal
    /// @param consent of a member
    void Count(CommitteeVote vote, uint32_t view, const Consent& consent);
    /// @brief As a primary: count a share of the signature under the abandoned round.
    /// @param share of a member
    void CountShare(const Consent& share);
    /// @brief As the primary: show the certificate of a vote, if all of it is there.
    /// @param vote of the round
    /// @param view of the proposal
    void Finish(CommitteeVote vote, uint32_t view);
    /// @param prepared said to be so
    /// @return whether a quorum has consented to it in the first vote
    bool IsPrepared(const CertifiedBlock& prepared) const;
    /// @param view of the round
    /// @return its primary
    uint32_t GetPrimary(uint32_t view) const;

    std::shared_ptr<ConsensusMemory> m_memory;   //!< promises
    uint32_t m_view = 0;                         //!< present view
    ScoreBook m_book;                            //!< scores and lies heard
    CommitteeWitness m_witness;                  //!< of what others have signed
    std::map<uint32_t, Candidacy> m_candidacies; //!< as the primary, by view
    std::vector<Consent> m_shares;               //!< of the round's end without a result
};

} // namespace ns3::collab

#endif /* COMMITTEE_VOTER_H */
