/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Plays random schedules of the committee consensus protocol: losses, delays, partitions, crashes
// and Byzantine members. Under the rule "byzantine" no two honest members may ever decide
// differently; under the rule "paper" they do, and it is counted how often. Every round must end.

#include "committee/consensus-schedule.h"

#include "ns3/command-line.h"

#include <fmt/format.h>
#include <iostream>
#include <string>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// What came of many schedules
struct Tally
{
    uint64_t schedules = 0;                   //!< played
    uint64_t violated = 0;                    //!< in which honest members decided differently
    uint64_t partial = 0;                     //!< rounds
    uint64_t unfinished = 0;                  //!< rounds of members
    uint64_t rounds = 0;                      //!< rounds of members
    std::map<std::string, uint64_t> outcomes; //!< rounds of members
    ConsensusCounters counters;               //!< messages not believed
    uint64_t messages = 0;                    //!< delivered
};

/**
 * @param draw what to draw
 * @param first seed
 * @param count of schedules
 * @param[in,out] safe set to false if a round did not end, or the rule byzantine was violated
 * @return what came of them
 */
Tally
PlayAll(const tests::ScheduleDraw& draw, uint64_t first, uint64_t count, bool& safe)
{
    Tally tally;
    for (uint64_t seed = first; seed < first + count; ++seed)
    {
        const tests::Schedule schedule = tests::DrawSchedule(seed, draw);
        const tests::ScheduleResult result = tests::ScheduleRun(schedule).Play();
        ++tally.schedules;
        tally.violated += result.violations > 0 ? 1 : 0;
        tally.partial += result.partial;
        tally.unfinished += result.unfinished;
        tally.rounds += result.rounds;
        tally.messages += result.messages;
        for (const auto& [outcome, rounds] : result.outcomes)
        {
            tally.outcomes[outcome] += rounds;
        }
        tally.counters.forged += result.counters.forged;
        tally.counters.stale += result.counters.stale;
        tally.counters.replayed += result.counters.replayed;
        tally.counters.unauthorized += result.counters.unauthorized;
        tally.counters.unproven += result.counters.unproven;
        tally.counters.late += result.counters.late;
        const bool isSafe =
            result.unfinished == 0 && (draw.rule == QuorumRule::PAPER || result.violations == 0);
        if (!isSafe)
        {
            safe = false;
            std::cerr << "FAILED " << tests::Describe(schedule) << ": " << result.story << '\n';
        }
    }
    return tally;
}

/// @param name of the combination
/// @param tally what came of it
void
Print(const std::string& name, const Tally& tally)
{
    std::cout << fmt::format("{:<34} {:>9} {:>9} {:>10} {:>8}",
                             name,
                             tally.schedules,
                             tally.violated,
                             tally.unfinished,
                             tally.partial);
    for (const auto outcome : {ConsensusOutcome::AGREED,
                               ConsensusOutcome::FEW_CLIENTS,
                               ConsensusOutcome::NO_RESULT,
                               ConsensusOutcome::SETS_DIFFER,
                               ConsensusOutcome::NO_QUORUM})
    {
        const auto found = tally.outcomes.find(GetName(outcome));
        std::cout << fmt::format(" {:>11}", found == tally.outcomes.end() ? 0 : found->second);
    }
    const ConsensusCounters& c = tally.counters;
    std::cout << fmt::format(" {:>9} {:>9} {:>9} {:>9} {:>9}\n",
                             c.forged,
                             c.stale,
                             c.replayed,
                             c.unauthorized,
                             c.unproven);
}

} // namespace

int
main(int argc, char* argv[])
{
    uint64_t schedules = 10000;
    uint64_t seed = 1;
    CommandLine arguments(__FILE__);
    arguments.AddValue("schedules", "random schedules of each combination", schedules);
    arguments.AddValue("seed", "of the first schedule", seed);
    arguments.Parse(argc, argv);
    std::cout << fmt::format("{:<34} {:>9} {:>9} {:>10} {:>8}",
                             "rule, members, network",
                             "schedules",
                             "violated",
                             "unfinished",
                             "partial")
              << "      agreed few-clients   no-result sets-differ   no-quorum    forged     stale"
                 "  replayed  unauthor.  unproven\n";
    bool safe = true;
    for (const auto rule : {QuorumRule::BYZANTINE, QuorumRule::PAPER})
    {
        for (const bool byzantine : {false, true})
        {
            for (const bool faults : {false, true})
            {
                tests::ScheduleDraw draw;
                draw.rule = rule;
                draw.byzantine = byzantine;
                draw.faults = faults;
                Print(fmt::format("{}, {}, {}",
                                  rule == QuorumRule::PAPER ? "paper" : "byzantine",
                                  byzantine ? "some Byzantine" : "all honest",
                                  faults ? "faulty" : "perfect"),
                      PlayAll(draw, seed, schedules, safe));
            }
        }
    }
    return safe ? 0 : 1;
}
