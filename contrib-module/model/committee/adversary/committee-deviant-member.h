/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_DEVIANT_MEMBER_H
#define COMMITTEE_DEVIANT_MEMBER_H

#include "committee-misbehavior.h"

#include "ns3/collab-random.h"
#include "ns3/committee-byzantine.h"
#include "ns3/committee-paper.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief How a Byzantine member deviates, and what it knows besides.
struct Deviation
{
    Misbehavior misbehavior;                //!< what it does
    std::shared_ptr<Conspiracy> conspiracy; //!< shared with its accomplices; not null
    /// Digest of the model made of some gradients; nothing if one is not there
    std::function<std::optional<Digest>(const AggregationOrder& order)> guess;
    uint64_t seed = 0; //!< of what is random in its behavior
};

/**
 * @ingroup collab
 * @brief How a member deviates from the protocol: it changes, drops and adds messages of an honest
 * one.
 *
 * It tells groups of members different stories, and counts consents to each. With PAPER: two
 * groups, and proposals that follow from what each of them believes. With BYZANTINE: GROUPS, and
 * blocks that follow from different tables, each of which an honest replica takes for right; as the
 * primary it does not care what it is locked on. It signs in its own name only, and what it says in
 * the names of others is not believed.
 */
class DeviantMember : public MemberDeviation
{
  public:
    /// Groups of members that are told different stories at most
    static constexpr uint32_t GROUPS = 4;

    /// @brief The honest member that deviates, of either rule, must live as long.
    DeviantMember(const ConsensusOptions& options,
                  std::shared_ptr<const KeyRing> keys,
                  Deviation deviation,
                  const CommitteeMember& honest);

    ClientScores Claim(const ClientScores& scores) override;
    void
    Overhear(const ConsensusMessage& message) override
    {
        if (message.rule == m_options.rule)
        {
            m_deviation.conspiracy->Record(message);
        }
    }

    void Corrupt(ConsensusOutput& output) override;
    void Answer(const ConsensusMessage& message, ConsensusOutput& output) override;
    bool
    Uses(const Evidence& evidence) const override
    {
        return m_deviation.conspiracy->accomplices.count(evidence.statement.member) == 0;
    }

  private:
    /// What it proposes to some groups, and who consents in one vote
    struct Story
    {
        CommitteeVote vote;            //!< in which it is consented to
        ConsensusMessage request;      //!< what it has proposed, signed
        Digest digest;                 //!< that consents are to
        std::set<uint32_t> groups;     //!< that are told it
        std::vector<Consent> consents; //!< of distinct members, itself first
        bool isTold = false;           //!< whether these have been shown
    };

    /// @return what it does
    const Misbehavior&
    Does() const
    {
        return m_deviation.misbehavior;
    }

    /// @return whether the rule is PAPER
    bool
    IsPaper() const
    {
        return m_paper != nullptr;
    }

    /// @return the group that the member belongs to, below GROUPS
    uint32_t
    GroupOf(uint32_t member) const
    {
        const uint32_t half = m_deviation.conspiracy->firstHalf.count(member) > 0 ? 0 : 1;
        return IsPaper() ? half : member % GROUPS;
    }

    /// @return what it tells a group of its scores
    ClientScores TellScores(ClientScores scores, uint32_t group) const;
    /// @param honest scores that it would send
    void CorruptScores(const ConsensusMessage& honest);
    /// @param reply that it would send
    /// @param primary that it is for
    void CorruptReply(ConsensusMessage reply, const std::optional<uint32_t>& primary);
    /// @param honest view change that it would send, with BYZANTINE
    void CorruptView(const ConsensusMessage& honest);
    /// @brief Consent to an accomplice's proposal; with BYZANTINE to anything, in both votes.
    void Collude(const ConsensusMessage& message);
    /// @param reply to one of its stories: show what is decided, if that makes a quorum
    void CountReply(const ConsensusMessage& reply);
    /// @brief With PAPER: propose two sets, and the next committee with the first vote.
    void ProposeSets(const ConsensusMessage& honest);
    /// @brief With BYZANTINE: propose blocks.
    void ProposeBlocks(const ConsensusMessage& honest);
    /// @return the set and what comes of it; zeros if the gradients are not there
    Proposal Conclude(CommitteeVote vote, const std::vector<uint32_t>& clients) const;
    /// @return what a member of this half takes for right, as far as the adversary knows
    std::optional<Proposal> Guess(CommitteeVote vote, uint32_t half) const;
    /// @return with PAPER: a proposal that no honest member takes for right
    std::optional<Proposal> MakeWrong(CommitteeVote vote) const;
    /// @return a proposal that its members can take for right, and others not
    std::optional<ConsensusMessage> MakeStory(const ConsensusMessage& honest,
                                              uint32_t group,
                                              const std::vector<Evidence>& evidence) const;
    /// @brief Send a proposal to a group, and to accomplices in others, who shall consent to all.
    void Tell(ConsensusMessage request, uint32_t group);
    /// @return the story that a request tells in a vote; with BYZANTINE the one there was, if any
    Story& FindStory(const ConsensusMessage& request, CommitteeVote vote);
    /// @param story to be told as decided to its groups; others shall not learn of it
    void Show(const Story& story);
    /// @return what tells others that a story is decided, not signed
    ConsensusMessage MakeCommit(const Story& story) const;
    /// @brief Forge and replay now and then.
    void Disturb();
    /// @param[in,out] forged what another member has said: gets another meaning
    /// @return in whose name it is sent
    uint32_t Disguise(ConsensusMessage& forged);
    /// @return a random place in a list of this size, at least 1
    std::size_t Draw(std::size_t size);
    /// @param message to be sent; signed here
    /// @param group of members; GROUPS for all
    void SendToGroup(ConsensusMessage message, uint32_t group) const;
    /// @param message to be sent; signed here
    /// @param group of members that have it: accomplices in others get it
    void SendToAccomplices(ConsensusMessage message, uint32_t group) const;

    ConsensusOptions m_options;            //!< of the round
    std::shared_ptr<const KeyRing> m_keys; //!< of all devices
    Deviation m_deviation;                 //!< how it deviates
    const CommitteeMember& m_member;       //!< the honest member
    const CommitteeConsensus* m_paper;     //!< the same with PAPER; else null
    const ByzantineConsensus* m_byzantine; //!< the same with BYZANTINE; else null
    RandomGenerator m_generator;           //!< of what is random
    uint32_t m_disturbances = 0;           //!< messages forged and replayed so far
    std::vector<Story> m_stories;          //!< its proposals
    ConsensusOutput* m_output = nullptr;   //!< receives what is sent
};

/// @return a member that deviates
/// @throws std::invalid_argument as ConsensusOptions::Check() does
std::unique_ptr<CommitteeMember> MakeDeviantMember(const ConsensusOptions& options,
                                                   std::shared_ptr<const KeyRing> keys,
                                                   std::shared_ptr<ConsensusMemory> memory,
                                                   Deviation deviation);

} // namespace ns3::collab

#endif /* COMMITTEE_DEVIANT_MEMBER_H */
