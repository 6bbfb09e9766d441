/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_CONSENSUS_SCHEDULE_H
#define COMMITTEE_CONSENSUS_SCHEDULE_H

#include "ns3/committee-consensus.h"
#include "ns3/committee-misbehavior.h"
#include "ns3/committee-saboteur.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <vector>

namespace tests
{

/// Some members cannot talk to the others for a while
struct Partition
{
    uint64_t begin = 0;      //!< [ns]
    uint64_t end = 0;        //!< [ns]
    std::set<uint32_t> side; //!< members of one side
};

/// A member is down for a while; its state is kept
struct Crash
{
    uint32_t member = 0; //!< who
    uint64_t begin = 0;  //!< [ns]
    uint64_t end = 0;    //!< [ns]; UINT64_MAX: for ever
};

/// Everything that decides how a committee's rounds go
struct Schedule
{
    uint64_t seed = 1;                                      //!< of delays, losses and behavior
    ns3::collab::ConsensusOptions options;                  //!< of every round
    uint32_t rounds = 1;                                    //!< how many, with one committee
    std::map<uint32_t, ns3::collab::ScoreTables> scores;    //!< by round: what each member has
    std::map<uint32_t, ns3::collab::Misbehavior> byzantine; //!< by member
    std::set<uint32_t> firstHalf;                           //!< whom the Byzantine tell one story
    std::set<uint32_t> divergent;        //!< clients that send every member another gradient
    std::map<uint32_t, uint64_t> begins; //!< by member: begin in a round [ns]
    double loss = 0;                     //!< of a message at a receiver
    double duplication = 0;              //!< of a message that arrives
    uint64_t minDelay = 1000;            //!< of a message [ns]
    uint64_t maxDelay = 1000;            //!< of a message [ns]
    uint64_t maxAggregation = 0;         //!< longest time to aggregate [ns]
    std::vector<Partition> partitions;   //!< of the network
    std::vector<Crash> crashes;          //!< of members
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
class ScheduleRun
{
  public:
    /// @param schedule to be played
    explicit ScheduleRun(Schedule schedule);

    /// @return what came of it
    ScheduleResult Play();

  private:
    struct Event
    {
        uint64_t time = 0;
        uint64_t order = 0;
        uint32_t member = 0;
        enum Kind
        {
            BEGIN,
            DELIVER,
            TIMER,
            RESULT
        } kind = BEGIN;
        uint32_t round = 0;  // of the machine that the event is for
        uint64_t number = 0; // of a timer, or of an order
        std::shared_ptr<const std::vector<uint8_t>> bytes;
        std::optional<ns3::collab::Digest> digest;

        bool
        operator>(const Event& other) const
        {
            return std::tie(time, order) > std::tie(other.time, other.order);
        }
    };

    struct Participant
    {
        std::unique_ptr<ns3::collab::CommitteeMember> machine;
        uint64_t begin = 0;
        std::optional<ns3::collab::ConsensusOutcome> outcome;
        uint64_t ended = 0;
    };

    void StartRound(uint32_t round, uint64_t time);
    void Handle(const Event& event);
    void Apply(uint32_t member, const ns3::collab::ConsensusOutput& output);
    void Transmit(uint32_t sender, uint32_t receiver, const ns3::collab::ConsensusMessage& message);
    void CheckRound(uint32_t round);
    std::unique_ptr<ns3::collab::CommitteeMember> MakeMember(
        const ns3::collab::ConsensusOptions& options);
    std::optional<ns3::collab::Digest> Aggregate(uint32_t member,
                                                 const ns3::collab::AggregationOrder& order) const;
    ns3::collab::GradientDigests GetGradients(uint32_t member) const;
    bool IsCalm() const;
    std::optional<uint64_t> DownUntil(uint32_t member, uint64_t time) const;
    bool IsCut(uint32_t a, uint32_t b) const;
    uint64_t CountDowntime() const;
    bool IsHonest(uint32_t member) const;
    void Push(Event event);
    double Draw();

    Schedule m_schedule;
    std::shared_ptr<const ns3::collab::KeyRing> m_keys;
    std::shared_ptr<ns3::collab::Conspiracy> m_conspiracy;
    ns3::collab::RandomGenerator m_generator;
    std::priority_queue<Event, std::vector<Event>, std::greater<Event>> m_events;
    std::map<uint32_t, Participant> m_participants;
    uint64_t m_now = 0;
    uint64_t m_order = 0;
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

/// @param schedule as it was drawn
/// @return what it is, in one line
std::string Describe(const Schedule& schedule);

} // namespace tests

#endif /* COMMITTEE_CONSENSUS_SCHEDULE_H */
