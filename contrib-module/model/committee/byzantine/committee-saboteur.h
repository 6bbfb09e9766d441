/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_SABOTEUR_H
#define COMMITTEE_SABOTEUR_H

#include "committee-byzantine.h"

#include "ns3/committee-misbehavior.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// Tells a Byzantine member what aggregating some gradients gives; nothing if it lacks one
using OrderOracle = std::function<std::optional<Digest>(const AggregationOrder& order)>;

/**
 * @ingroup collab
 * @brief A member that deviates from the protocol under the rule BYZANTINE.
 *
 * It tells up to GROUPS groups of members different stories: scores, and blocks that follow from
 * different tables, each of which an honest replica takes for right. As the primary it does not
 * care what it is locked on, and accomplices consent to everything in every vote and view. It signs
 * in its own name and in those of its accomplices only.
 */
class CommitteeSaboteur : public DeviantMember<ByzantineConsensus>
{
  public:
    /// Stories that it tells at most
    static constexpr uint32_t GROUPS = 4;

    /// @param options of the round
    /// @param keys of all devices
    /// @param memory of the honest member
    /// @param misbehavior what it does
    /// @param conspiracy shared with its accomplices; not null
    /// @param oracle results of any gradients
    /// @param seed of what is random in its behavior
    /// @throws std::invalid_argument as ConsensusOptions::Check() does
    CommitteeSaboteur(ConsensusOptions options,
                      std::shared_ptr<const KeyRing> keys,
                      std::shared_ptr<ConsensusMemory> memory,
                      Misbehavior misbehavior,
                      std::shared_ptr<Conspiracy> conspiracy,
                      OrderOracle oracle,
                      uint64_t seed);

    ConsensusOutput Begin(uint64_t nowNs,
                          const ClientScores& scores,
                          const GradientDigests& gradients) override;
    ConsensusOutput HandleMessage(uint64_t nowNs, const ConsensusMessage& message) override;
    ConsensusOutput Resume(uint64_t nowNs) override;
    ConsensusOutput HandleBlock(uint64_t nowNs, const CertifiedBlock& block) override;
    void AddEvidence(const Evidence& evidence) override;

  private:
    /// One of its proposals, and who consented to it
    struct Story
    {
        Block block;                                    //!< what it proposed
        std::vector<Consent> consents[COMMITTEE_VOTES]; //!< of each vote
        bool told[COMMITTEE_VOTES] = {};                //!< whether it has shown them
        std::set<uint32_t> groups;                      //!< that are told it
    };

    ConsensusOutput Corrupt(ConsensusOutput output) override;
    /// @param honest scores that it would send
    /// @param[out] output receives what is sent
    void CorruptScores(const ConsensusMessage& honest, ConsensusOutput& output);
    /// @param honest proposal that it would send
    /// @param[out] output receives what is sent
    void CorruptRequest(const ConsensusMessage& honest, ConsensusOutput& output);
    /// @param honest view change that it would send
    /// @param[out] output receives what is sent
    void CorruptView(const ConsensusMessage& honest, ConsensusOutput& output);
    /// @param honest proposal that it would send
    /// @param group that is to be told
    /// @return a proposal that its members can take for right, and others not
    std::optional<ConsensusMessage> MakeStory(const ConsensusMessage& honest, uint32_t group) const;
    /// @brief Send a proposal to a group, and to all accomplices.
    /// @param request to be sent
    /// @param group that is told
    /// @param[out] output receives it
    void Tell(ConsensusMessage request, uint32_t group, ConsensusOutput& output);
    /// @param kind of a message
    /// @param vote that it belongs to
    /// @param view that it is of
    /// @return the message of this member, not signed
    ConsensusMessage MakeMessage(ConsensusKind kind, CommitteeVote vote, uint32_t view) const;
    /// @brief Consent to anything.
    /// @param vote of the round
    /// @param view of a proposal
    /// @param block its digest
    /// @param primary whose it is
    /// @param[out] output receives the consent
    void Collude(CommitteeVote vote,
                 uint32_t view,
                 const Digest& block,
                 uint32_t primary,
                 ConsensusOutput& output) const;
    /// @param reply to one of its stories
    /// @param[out] output receives a COMMIT if that makes a quorum
    void CountReply(const ConsensusMessage& reply, ConsensusOutput& output);
    /// @param story to be shown
    /// @param view of it
    /// @param vote of the round
    /// @param[out] output receives the COMMIT
    void Show(Story& story, uint32_t view, CommitteeVote vote, ConsensusOutput& output);
    /// @brief Forge and replay now and then.
    /// @param[out] output receives what is sent
    void Disturb(ConsensusOutput& output);
    /// @param message to be sent
    /// @param group of members; GROUPS for all
    /// @param[out] output receives it, signed
    void SendToGroup(ConsensusMessage message, uint32_t group, ConsensusOutput& output) const;
    /// @param member of the committee
    /// @return the group that it belongs to
    static uint32_t GroupOf(uint32_t member);
    /// @param scores that it has
    /// @param group that is told
    /// @return what it tells them
    ClientScores TellScores(ClientScores scores, uint32_t group) const;

    OrderOracle m_oracle; //!< results of any gradients
    /// Its proposals, by view and digest of the block
    std::map<std::pair<uint32_t, Digest>, Story> m_stories;
};

} // namespace ns3::collab

#endif /* COMMITTEE_SABOTEUR_H */
