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
 * It tells groups of members different stories, and counts consents to each: two groups with PAPER,
 * GROUPS with BYZANTINE. It signs in its own name only, and what it says in the names of others is
 * not believed.
 */
class DeviantMember : public MemberDeviation
{
  public:
    /// Groups of members that are told different stories at most
    static constexpr uint32_t GROUPS = 4;

    ClientScores Claim(const ClientScores& scores) override;
    void Overhear(const ConsensusMessage& message) override;
    void Corrupt(ConsensusOutput& output) override;
    void Answer(const ConsensusMessage& message, ConsensusOutput& output) override;
    bool
    Uses(const Evidence& evidence) const override
    {
        return m_deviation.conspiracy->accomplices.count(evidence.statement.member) == 0;
    }

  protected:
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

    /// @param options of the round
    /// @param keys of all devices
    /// @param deviation from the protocol
    /// @param honest member that deviates; must live as long
    DeviantMember(ConsensusOptions options,
                  std::shared_ptr<const KeyRing> keys,
                  Deviation deviation,
                  const CommitteeMember& honest);

    /// @param member of the committee
    /// @return the group that it belongs to, below GROUPS
    virtual uint32_t GroupOf(uint32_t member) const = 0;
    /// @brief Propose what serves the adversary, by Tell().
    /// @param honest what an honest member would propose
    /// @param[out] output receives what is sent
    virtual void Propose(const ConsensusMessage& honest, ConsensusOutput& output) = 0;
    /// @param story that enough members consent to
    /// @return what tells others that it is decided, not signed
    virtual ConsensusMessage MakeCommit(const Story& story) const = 0;
    /// @brief Give a message another meaning.
    /// @param[in,out] forged what another member has said
    /// @return in whose name it is sent
    virtual uint32_t Disguise(ConsensusMessage& forged) = 0;

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
        return m_options.rule == QuorumRule::PAPER;
    }

    /// @param scores of this member
    /// @param group of members
    /// @return what it tells them
    ClientScores TellScores(ClientScores scores, uint32_t group) const;
    /// @brief Send a proposal to a group, and to accomplices in others, who shall consent to all.
    /// @param request to be sent
    /// @param group that is told; GROUPS for all
    /// @param[out] output receives what is sent
    void Tell(ConsensusMessage request, uint32_t group, ConsensusOutput& output);
    /// @param vote of the round
    /// @param attempt of this member
    /// @return whether it has proposed something there
    bool HasProposed(CommitteeVote vote, uint32_t attempt) const;
    /// @param size of a list, at least 1
    /// @return a random place in it
    std::size_t Draw(std::size_t size);

    ConsensusOptions m_options;            //!< of the round
    std::shared_ptr<const KeyRing> m_keys; //!< of all devices
    Deviation m_deviation;                 //!< how it deviates
    const CommitteeMember& m_member;       //!< the honest member

  private:
    /// @param honest scores that it would send
    /// @param[out] output receives what is sent
    void CorruptScores(const ConsensusMessage& honest, ConsensusOutput& output);
    /// @param honest view change that it would send, with BYZANTINE
    /// @param[out] output receives what is sent
    void CorruptView(const ConsensusMessage& honest, ConsensusOutput& output);
    /// @brief Consent to an accomplice's proposal; with BYZANTINE to anything, in both votes.
    /// @param message that may ask for it
    /// @param[out] output receives what is sent
    void Collude(const ConsensusMessage& message, ConsensusOutput& output);
    /// @param reply to one of its stories
    /// @param[out] output receives what is decided, if that makes a quorum
    void CountReply(const ConsensusMessage& reply, ConsensusOutput& output);
    /// @param request of a story
    /// @param vote in which it is consented to
    /// @return the story, a new one if there was none
    Story& FindStory(const ConsensusMessage& request, CommitteeVote vote);
    /// @param story to be told as decided to its groups; others shall not learn of it
    /// @param[out] output receives what is sent
    void Show(const Story& story, ConsensusOutput& output);
    /// @brief Forge and replay now and then.
    /// @param[out] output receives what is sent
    void Disturb(ConsensusOutput& output);
    /// @param message to be sent; signed here
    /// @param group of members; GROUPS for all
    /// @param[out] output receives it for each of them but this one
    void SendToGroup(ConsensusMessage message, uint32_t group, ConsensusOutput& output) const;
    /// @param message to be sent; signed here
    /// @param group of members that have it
    /// @param[out] output receives it for each accomplice that is not of the group
    void SendToAccomplices(ConsensusMessage message, uint32_t group, ConsensusOutput& output) const;

    RandomGenerator m_generator;  //!< of what is random
    uint32_t m_disturbances = 0;  //!< messages forged and replayed so far
    std::vector<Story> m_stories; //!< its proposals
};

/// @param options of the round, whose rule the member deviates from
/// @param keys of all devices
/// @param memory of the honest member, with BYZANTINE
/// @param deviation from the protocol
/// @return a member that deviates
/// @throws std::invalid_argument as ConsensusOptions::Check() does
std::unique_ptr<CommitteeMember> MakeDeviantMember(const ConsensusOptions& options,
                                                   std::shared_ptr<const KeyRing> keys,
                                                   std::shared_ptr<ConsensusMemory> memory,
                                                   Deviation deviation);

} // namespace ns3::collab

#endif /* COMMITTEE_DEVIANT_MEMBER_H */
