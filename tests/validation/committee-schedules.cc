/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Plays random schedules of the committee mechanism: losses, delays, partitions, crashes and
// Byzantine devices; of the votes of one round, of whole devices through many rounds, and of whole
// applications on the simulated radio. Under the rule "byzantine" no two honest devices may ever
// decide differently, what they decide must follow from what clients sent, and all must reach the
// end; under the rule "paper" it is counted how often they do not.

#include "committee/consensus-schedule.h"
#include "committee/device/device-schedule.h"
#include "committee/radio/radio-schedule.h"

#include "ns3/command-line.h"

#include <fmt/format.h>
#include <iostream>
#include <string>
#include <vector>

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

/// @param outcomes number of each
void
PrintOutcomes(const std::map<std::string, uint64_t>& outcomes)
{
    for (const auto outcome : {ConsensusOutcome::AGREED,
                               ConsensusOutcome::FEW_CLIENTS,
                               ConsensusOutcome::NO_RESULT,
                               ConsensusOutcome::SETS_DIFFER,
                               ConsensusOutcome::NO_QUORUM})
    {
        const auto found = outcomes.find(GetName(outcome));
        std::cout << fmt::format(" {:>11}", found == outcomes.end() ? 0 : found->second);
    }
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
    PrintOutcomes(tally.outcomes);
    const ConsensusCounters& c = tally.counters;
    std::cout << fmt::format(" {:>9} {:>9} {:>9} {:>9} {:>9}\n",
                             c.forged,
                             c.stale,
                             c.replayed,
                             c.unauthorized,
                             c.unproven);
}

/// What came of many schedules of devices
struct DeviceTally
{
    uint64_t schedules = 0;                   //!< played
    uint64_t forked = 0;                      //!< in which honest devices have different blocks
    uint64_t invalid = 0;                     //!< with a block that does not follow
    uint64_t unfinished = 0;                  //!< in which an honest device does not reach the end
    uint64_t blocks = 0;                      //!< rounds with a block
    uint64_t abandoned = 0;                   //!< of these, without a result
    uint64_t expelled = 0;                    //!< devices
    std::map<std::string, uint64_t> outcomes; //!< rounds of honest members
};

/**
 * @param draw what to draw
 * @param first seed
 * @param count of schedules
 * @param[in,out] safe set to false if a schedule of the rule byzantine went wrong
 * @return what came of them
 */
DeviceTally
PlayDevices(const tests::DeviceDraw& draw, uint64_t first, uint64_t count, bool& safe)
{
    DeviceTally tally;
    for (uint64_t seed = first; seed < first + count; ++seed)
    {
        const tests::DeviceSchedule schedule = tests::DrawDeviceSchedule(seed, draw);
        const tests::DeviceResult result = tests::DeviceRun(schedule).Play();
        ++tally.schedules;
        tally.forked += result.forks > 0 ? 1 : 0;
        tally.invalid += result.invalid > 0 ? 1 : 0;
        tally.unfinished += result.unfinished > 0 ? 1 : 0;
        tally.blocks += result.blocks;
        tally.abandoned += result.abandoned;
        tally.expelled += result.expelled;
        for (const auto& [outcome, rounds] : result.outcomes)
        {
            tally.outcomes[outcome] += rounds;
        }
        const bool mayAbandon = draw.faults || draw.rule == QuorumRule::PAPER;
        if ((draw.rule == QuorumRule::BYZANTINE && !result.IsRight()) ||
            (result.abandoned > 0 && !mayAbandon))
        {
            safe = false;
            std::cerr << "FAILED " << tests::Describe(schedule) << ": " << result.story
                      << result.abandoned << " abandoned\n";
        }
    }
    return tally;
}

/// @param name of the combination
/// @param tally what came of it
void
Print(const std::string& name, const DeviceTally& tally)
{
    std::cout << fmt::format("{:<34} {:>9} {:>9} {:>9} {:>10} {:>8} {:>9} {:>8}",
                             name,
                             tally.schedules,
                             tally.forked,
                             tally.invalid,
                             tally.unfinished,
                             tally.blocks,
                             tally.abandoned,
                             tally.expelled);
    PrintOutcomes(tally.outcomes);
    std::cout << std::endl;
}

/**
 * @brief Play and print all combinations of rule, devices and network.
 *
 * @tparam Draw what is drawn from
 * @param rules to be played
 * @param play what plays the schedules of one; returns their tally
 */
template <typename Draw, typename Play>
void
PrintEach(const std::vector<QuorumRule>& rules, Play play)
{
    for (const auto rule : rules)
    {
        for (const bool byzantine : {false, true})
        {
            for (const bool faults : {false, true})
            {
                Draw draw;
                draw.rule = rule;
                draw.byzantine = byzantine;
                draw.faults = faults;
                Print(fmt::format("{}, {}, {}",
                                  rule == QuorumRule::PAPER ? "paper" : "byzantine",
                                  byzantine ? "some Byzantine" : "all honest",
                                  faults ? "faulty" : "perfect"),
                      play(draw));
            }
        }
    }
}

/**
 * @brief Play whole devices in all combinations.
 *
 * @param rules to be played
 * @param first seed
 * @param count of schedules
 * @param[in,out] safe see PlayDevices()
 */
void
PlayAllDevices(const std::vector<QuorumRule>& rules, uint64_t first, uint64_t count, bool& safe)
{
    std::cout << fmt::format("{:<34} {:>9} {:>9} {:>9} {:>10} {:>8} {:>9} {:>8}",
                             "rule, devices, network",
                             "schedules",
                             "forked",
                             "invalid",
                             "unfinished",
                             "blocks",
                             "abandoned",
                             "expelled")
              << "      agreed few-clients   no-result sets-differ   no-quorum\n";
    PrintEach<tests::DeviceDraw>(
        rules, [&](const auto& draw) { return PlayDevices(draw, first, count, safe); });
}

/**
 * @brief Play whole applications on the simulated radio, and print what came of it.
 *
 * @param first seed
 * @param count of schedules
 * @param[in,out] safe set to false if one went wrong
 */
void
PlayRadio(uint64_t first, uint64_t count, bool& safe)
{
    tests::RadioResult sum;
    uint64_t forked = 0;
    uint64_t invalid = 0;
    uint64_t unfinished = 0;
    for (uint64_t seed = first; seed < first + count; ++seed)
    {
        const tests::RadioSchedule schedule = tests::DrawRadioSchedule(seed);
        const tests::RadioResult result = tests::PlayRadioSchedule(schedule);
        forked += result.forks > 0 ? 1 : 0;
        invalid += result.invalid > 0 ? 1 : 0;
        unfinished += result.unfinished > 0 ? 1 : 0;
        sum.blocks += result.blocks;
        sum.abandoned += result.abandoned;
        sum.empty += result.empty;
        if (!result.IsRight())
        {
            safe = false;
            std::cerr << "FAILED " << tests::Describe(schedule) << ": " << result.story << '\n';
        }
    }
    std::cout << fmt::format("on the radio: {} schedules, {} forked, {} invalid, {} unfinished; {} "
                             "blocks, {} abandoned; {} empty batteries",
                             count,
                             forked,
                             invalid,
                             unfinished,
                             sum.blocks,
                             sum.abandoned,
                             sum.empty)
              << std::endl;
}

} // namespace

int
main(int argc, char* argv[])
{
    uint64_t schedules = 10000;
    uint64_t radio = 0;
    uint64_t seed = 1;
    bool safeOnly = false;
    CommandLine arguments(__FILE__);
    arguments.AddValue("schedules", "random schedules of each combination", schedules);
    arguments.AddValue("radio", "random schedules of whole applications on the radio", radio);
    arguments.AddValue("seed", "of the first schedule", seed);
    arguments.AddValue("safeOnly", "whether to leave out the rule \"paper\"", safeOnly);
    arguments.Parse(argc, argv);
    std::vector<QuorumRule> rules = {QuorumRule::BYZANTINE};
    if (!safeOnly)
    {
        rules.push_back(QuorumRule::PAPER);
    }
    bool safe = true;
    PlayRadio(seed, radio, safe);
    PlayAllDevices(rules, seed, schedules, safe);
    std::cout << fmt::format("{:<34} {:>9} {:>9} {:>10} {:>8}",
                             "rule, members, network",
                             "schedules",
                             "violated",
                             "unfinished",
                             "partial")
              << "      agreed few-clients   no-result sets-differ   no-quorum    forged     stale"
                 "  replayed  unauthor.  unproven\n";
    PrintEach<tests::ScheduleDraw>(
        rules, [&](const auto& draw) { return PlayAll(draw, seed, schedules, safe); });
    return safe ? 0 : 1;
}
