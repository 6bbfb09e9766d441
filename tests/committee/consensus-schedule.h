/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_CONSENSUS_SCHEDULE_H
#define COMMITTEE_CONSENSUS_SCHEDULE_H

#include "committee/schedule-network.h"

#include "ns3/committee-consensus.h"
#include "ns3/committee-misbehavior.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tests
{

/// Everything that decides how a committee's rounds go
struct Schedule : NetworkFaults
{
    uint64_t seed = 1;                                      //!< of delays, losses and behavior
    ns3::collab::ConsensusOptions options;                  //!< of every round
    uint32_t rounds = 1;                                    //!< how many, with one committee
    std::map<uint32_t, ns3::collab::ScoreTables> scores;    //!< by round: what each member has
    std::map<uint32_t, ns3::collab::Misbehavior> byzantine; //!< by member
    std::set<uint32_t> firstHalf;                           //!< whom the Byzantine tell one story
    std::set<uint32_t> accomplices;      //!< clients whose ends Byzantine members serve
    std::set<uint32_t> divergent;        //!< clients that send every member another gradient
    std::map<uint32_t, uint64_t> begins; //!< by member: begin in a round [ns]
    uint64_t maxAggregation = 0;         //!< longest time to aggregate [ns]
    /// With BYZANTINE: time from the begin of a round on after which nothing is lost or late [ns]
    uint64_t faultsEnd = UINT64_MAX;
};

/// What came of a schedule
struct ScheduleResult
{
    uint32_t violations = 0; //!< votes in which two honest members decided differently
    uint32_t unfinished = 0; //!< rounds of honest members without an end within the bound
    uint32_t rounds = 0;     //!< rounds of honest members that were not down for ever
    uint32_t partial = 0;    //!< rounds that some honest members agreed on and others abandoned
    std::map<std::string, uint32_t> outcomes; //!< rounds of honest members by outcome
    ns3::collab::ConsensusCounters counters;  //!< of honest members
    uint64_t messages = 0;                    //!< delivered
    /// What each honest member decided, by round and vote; with BYZANTINE the digest is the block's
    std::map<std::pair<uint32_t, ns3::collab::CommitteeVote>,
             std::map<uint32_t, ns3::collab::Proposal>>
        decisions;
    std::string story; //!< what differed, for people
};

/// Plays the members of a committee against a network, event by event
class ScheduleRun : private FaultyNetwork
{
  public:
    /// @param schedule to be played
    explicit ScheduleRun(Schedule schedule);

    /// @return what came of it
    ScheduleResult Play();

  private:
    struct Participant
    {
        std::unique_ptr<ns3::collab::CommitteeMember> machine;
        uint64_t begin = 0;
        std::optional<ns3::collab::ConsensusOutcome> outcome;
        uint64_t ended = 0;
    };

    /// Something that a member does
    using Action = std::function<ns3::collab::ConsensusOutput(ns3::collab::CommitteeMember&)>;

    void StartRound(uint32_t round, uint64_t time);
    void Act(uint32_t member, uint32_t round, uint64_t time, const Action& action);
    void Apply(uint32_t member, const ns3::collab::ConsensusOutput& output);
    void Send(uint32_t sender, uint32_t receiver, const ns3::collab::ConsensusMessage& message);
    void Judge(uint32_t member, const ns3::collab::ConsensusOutput& output);
    void CheckRound(uint32_t round);
    std::unique_ptr<ns3::collab::CommitteeMember> MakeMember(
        const ns3::collab::ConsensusOptions& options);
    std::optional<ns3::collab::Digest> Aggregate(uint32_t member,
                                                 const ns3::collab::AggregationOrder& order) const;
    ns3::collab::GradientDigests GetGradients(uint32_t member) const;
    std::optional<uint64_t> DownUntil(uint32_t member) const;
    uint64_t CountDowntime() const;
    bool IsHonest(uint32_t member) const;

    Schedule m_schedule;
    std::shared_ptr<const ns3::collab::KeyRing> m_keys;
    std::shared_ptr<ns3::collab::Conspiracy> m_conspiracy;
    std::map<uint32_t, Participant> m_participants;
    uint32_t m_round = 0;
    uint64_t m_begin = 0; // of the round
    ScheduleResult m_result;
};

/// Which random schedules to draw
struct ScheduleDraw
{
    ns3::collab::QuorumRule rule = ns3::collab::QuorumRule::BYZANTINE; //!< of the committee
    bool byzantine = true;                                             //!< whether some members are
    bool faults = true; //!< whether messages are lost, members crash and the network falls apart
};

/// @param seed of the draw
/// @param draw what to draw
/// @return a schedule with up to f Byzantine members: below C / 3, or with the paper's rule C / 2
Schedule DrawSchedule(uint64_t seed, const ScheduleDraw& draw);

} // namespace tests

#endif /* COMMITTEE_CONSENSUS_SCHEDULE_H */
