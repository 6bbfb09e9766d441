/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Plays random schedules of the committee mechanism: losses, delays, partitions, crashes and
// Byzantine devices; of the votes of one round, of whole devices through many rounds, and of whole
// applications on the simulated radio. Under the rule "byzantine" no two honest devices may ever
// decide differently, what they decide must follow from what clients sent, and all must reach the
// end; under the rule "paper" it is counted how often they do not. With --federation an adversary
// owns a part of all devices, which choose scores and evidence to be elected and fill buffers:
// nothing of that may go wrong before it has more than f members of a committee.

#include "committee/consensus-schedule.h"
#include "committee/device/device-schedule.h"
#include "committee/radio/radio-schedule.h"
#include "committee/takeover.h"

#include "ns3/command-line.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <tuple>
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

/// @param draw what to draw
/// @param first seed
/// @param count of schedules
/// @param[in,out] safe set to false if a round did not end, or the rule byzantine was violated
/// @return what came of them
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

/// Columns of both tables: rounds of members by outcome
const std::vector<ConsensusOutcome> OUTCOMES = {ConsensusOutcome::AGREED,
                                                ConsensusOutcome::FEW_CLIENTS,
                                                ConsensusOutcome::NO_RESULT,
                                                ConsensusOutcome::SETS_DIFFER,
                                                ConsensusOutcome::NO_QUORUM};

/// A row of counts
struct Row
{
    std::string name;             //!< of the combination
    std::vector<uint64_t> counts; //!< what came of it; not all need be known
};

/// @param row of a table
/// @param columns of the table, that of the names among them
/// @return cells of the others
std::vector<std::string>
MakeCells(const Row& row, std::size_t columns)
{
    std::vector<std::string> cells;
    for (const uint64_t count : row.counts)
    {
        cells.push_back(std::to_string(count));
    }
    cells.resize(columns - 1, "-");
    return cells;
}

/// @brief Columns of numbers, or a list-table of reStructuredText.
/// @param columns their names, the first one that of the combinations
/// @param rows counts of the columns but the first
/// @param rst whether it goes into a page
void
PrintTable(const std::vector<std::string>& columns, const std::vector<Row>& rows, bool rst)
{
    if (!rst)
    {
        std::cout << fmt::format("{:<34}", columns[0]);
        for (std::size_t i = 1; i < columns.size(); ++i)
        {
            std::cout << fmt::format(" {:>12}", columns[i]);
        }
        std::cout << '\n';
        for (const auto& row : rows)
        {
            std::cout << fmt::format("{:<34}", row.name);
            for (const auto& cell : MakeCells(row, columns.size()))
            {
                std::cout << fmt::format(" {:>12}", cell);
            }
            std::cout << '\n';
        }
        return;
    }
    std::cout << ".. list-table::\n   :header-rows: 1\n\n   * - "
              << fmt::format("{}\n", fmt::join(columns, "\n     - "));
    for (const auto& row : rows)
    {
        const auto cells = MakeCells(row, columns.size());
        std::cout << fmt::format("   * - {}\n     - {}\n", row.name, fmt::join(cells, "\n     - "));
    }
    std::cout << '\n';
}

/// @param[in,out] counts get the numbers of rounds by outcome
/// @param outcomes number of each
void
AddOutcomes(std::vector<uint64_t>& counts, const std::map<std::string, uint64_t>& outcomes)
{
    for (const auto outcome : OUTCOMES)
    {
        const auto found = outcomes.find(GetName(outcome));
        counts.push_back(found == outcomes.end() ? 0 : found->second);
    }
}

/// Columns of the votes of one round
const std::vector<std::string> VOTE_COLUMNS = {"rule, members, network",
                                               "schedules",
                                               "violated",
                                               "unfinished",
                                               "partial",
                                               "agreed",
                                               "few-clients",
                                               "no-result",
                                               "sets-differ",
                                               "no-quorum",
                                               "forged",
                                               "stale",
                                               "replayed",
                                               "unauthorized",
                                               "unproven"};

/// @param tally what came of a combination
/// @return its counts
std::vector<uint64_t>
GetCounts(const Tally& tally)
{
    std::vector<uint64_t> counts = {
        tally.schedules, tally.violated, tally.unfinished, tally.partial};
    AddOutcomes(counts, tally.outcomes);
    const ConsensusCounters& c = tally.counters;
    counts.insert(counts.end(), {c.forged, c.stale, c.replayed, c.unauthorized, c.unproven});
    return counts;
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

/// @param draw what to draw
/// @param first seed
/// @param count of schedules
/// @param[in,out] safe set to false if a schedule of the rule byzantine went wrong
/// @return what came of them
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

/// Columns of whole devices
const std::vector<std::string> DEVICE_COLUMNS = {"rule, devices, network",
                                                 "schedules",
                                                 "forked",
                                                 "invalid",
                                                 "unfinished",
                                                 "blocks",
                                                 "abandoned",
                                                 "expelled",
                                                 "agreed",
                                                 "few-clients",
                                                 "no-result",
                                                 "sets-differ",
                                                 "no-quorum"};

/// @param tally what came of a combination
/// @return its counts
std::vector<uint64_t>
GetCounts(const DeviceTally& tally)
{
    std::vector<uint64_t> counts = {tally.schedules,
                                    tally.forked,
                                    tally.invalid,
                                    tally.unfinished,
                                    tally.blocks,
                                    tally.abandoned,
                                    tally.expelled};
    AddOutcomes(counts, tally.outcomes);
    return counts;
}

/// @brief Play all combinations of rule, devices and network.
/// @tparam Draw what is drawn from
/// @param rules to be played
/// @param play what plays the schedules of one; returns their tally
/// @return what came of each
template <typename Draw, typename Play>
std::vector<Row>
PlayEach(const std::vector<QuorumRule>& rules, Play play)
{
    std::vector<Row> rows;
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
                rows.push_back({fmt::format("{}, {}, {}",
                                            rule == QuorumRule::PAPER ? "paper" : "byzantine",
                                            byzantine ? "some Byzantine" : "all honest",
                                            faults ? "faulty" : "perfect"),
                                GetCounts(play(draw))});
            }
        }
    }
    return rows;
}

/// Columns of federations of which an adversary owns a part
const std::vector<std::string> FEDERATION_COLUMNS = {"election, owned, network",
                                                     "schedules",
                                                     "forked",
                                                     "invalid",
                                                     "unfinished",
                                                     "oversized",
                                                     "lost",
                                                     "rounds before",
                                                     "blocks",
                                                     "abandoned",
                                                     "expelled",
                                                     "most kept [B]"};

/// @param draw what to draw
/// @param first seed
/// @param count of schedules
/// @param[in,out] safe set to false if one went wrong before a committee was lost
/// @return counts of FEDERATION_COLUMNS; rounds before a committee is lost are those of all
/// schedules in which one is
std::vector<uint64_t>
PlayFederation(const tests::DeviceDraw& draw, uint64_t first, uint64_t count, bool& safe)
{
    std::vector<uint64_t> counts(FEDERATION_COLUMNS.size() - 1);
    for (uint64_t seed = first; seed < first + count; ++seed)
    {
        const tests::DeviceSchedule schedule = tests::DrawDeviceSchedule(seed, draw);
        const tests::DeviceResult result = tests::DeviceRun(schedule).Play();
        const std::vector<uint64_t> ofThis = {1,
                                              result.forks > 0,
                                              result.invalid > 0,
                                              result.unfinished > 0,
                                              result.oversized > 0,
                                              result.lost.has_value(),
                                              result.lost.value_or(0),
                                              result.blocks,
                                              result.abandoned,
                                              result.expelled};
        std::transform(
            ofThis.begin(), ofThis.end(), counts.begin(), counts.begin(), std::plus<uint64_t>());
        counts.back() = std::max(counts.back(), result.kept);
        if (!result.IsRight())
        {
            safe = false;
            std::cerr << "FAILED " << tests::Describe(schedule) << ": " << result.story << '\n';
        }
    }
    return counts;
}

/// @param first seed
/// @param count of schedules of each combination
/// @param[in,out] safe set to false if one went wrong
/// @return what came of each
std::vector<Row>
PlayFederations(uint64_t first, uint64_t count, bool& safe)
{
    std::vector<Row> rows;
    for (const auto& [name, election, combination] :
         {std::tuple("middle of means", ElectionStrategy::MIDDLE, ScoreCombination::MEAN),
          std::tuple("middle of medians", ElectionStrategy::MIDDLE, ScoreCombination::MEDIAN),
          std::tuple("random", ElectionStrategy::RANDOM, ScoreCombination::MEDIAN)})
    {
        for (const uint32_t owned : {5, 10, 20})
        {
            tests::DeviceDraw draw;
            draw.owned = owned;
            draw.election = election;
            draw.combination = combination;
            for (const bool faults : {false, true})
            {
                draw.faults = faults;
                rows.push_back(
                    {fmt::format("{}, {} %, {}", name, owned, faults ? "faulty" : "perfect"),
                     PlayFederation(draw, first, count, safe)});
            }
        }
    }
    return rows;
}

/// @brief Play whole applications on the simulated radio, some Byzantine, under the rule byzantine.
/// @param first seed
/// @param count of schedules
/// @param[in,out] safe set to false if one went wrong
/// @return schedules, forked, invalid, unfinished, blocks, abandoned
std::vector<uint64_t>
PlayRadio(uint64_t first, uint64_t count, bool& safe)
{
    std::vector<uint64_t> counts(6);
    for (uint64_t seed = first; seed < first + count; ++seed)
    {
        const tests::RadioSchedule schedule = tests::DrawRadioSchedule(seed);
        const tests::RadioResult result = tests::PlayRadioSchedule(schedule);
        const std::vector<uint64_t> ofThis = {1,
                                              result.forks > 0,
                                              result.invalid > 0,
                                              result.unfinished > 0,
                                              result.blocks,
                                              result.abandoned};
        std::transform(
            counts.begin(), counts.end(), ofThis.begin(), counts.begin(), std::plus<uint64_t>());
        if (!result.IsRight())
        {
            safe = false;
            std::cerr << "FAILED " << tests::Describe(schedule) << ": " << result.story << '\n';
        }
    }
    return counts;
}

} // namespace

int
main(int argc, char* argv[])
{
    uint64_t schedules = 10000;
    uint64_t radio = 0;
    uint64_t federation = 0;
    uint32_t takeover = 0;
    uint32_t rounds = 100;
    uint32_t largest = 3550;
    std::string csv;
    uint64_t seed = 1;
    bool safeOnly = false;
    bool rst = false;
    CommandLine arguments(__FILE__);
    arguments.AddValue("schedules", "random schedules of each combination", schedules);
    arguments.AddValue("radio", "random schedules of whole applications on the radio", radio);
    arguments.AddValue("federation",
                       "random schedules of each federation of which an adversary owns a part",
                       federation);
    arguments.AddValue("takeover", "runs of elections that an adversary wants to win", takeover);
    arguments.AddValue("rounds", "elections of such a run", rounds);
    arguments.AddValue("largest", "federation of which they are played", largest);
    arguments.AddValue("csv", "file for the probability that a committee is lost by a round", csv);
    arguments.AddValue("seed", "of the first schedule", seed);
    arguments.AddValue("safeOnly", "whether to leave out the rule \"paper\"", safeOnly);
    arguments.AddValue("rst", "whether to print tables of reStructuredText", rst);
    arguments.Parse(argc, argv);
    if (takeover > 0)
    {
        std::cout << fmt::format(
            ".. committee-schedules --schedules=0 --takeover={} --rounds={} --largest={}\n\n",
            takeover,
            rounds,
            largest);
        tests::PlayTakeover(takeover, rounds, largest, csv);
    }
    std::vector<QuorumRule> rules = {QuorumRule::BYZANTINE};
    if (!safeOnly)
    {
        rules.push_back(QuorumRule::PAPER);
    }
    bool safe = true;
    auto devices = PlayEach<tests::DeviceDraw>(
        rules, [&](const auto& draw) { return PlayDevices(draw, seed, schedules, safe); });
    if (radio > 0)
    {
        const std::string name = "byzantine, some Byzantine, radio";
        devices.push_back({name, PlayRadio(seed, radio, safe)});
    }
    const auto votes = PlayEach<tests::ScheduleDraw>(
        rules, [&](const auto& draw) { return PlayAll(draw, seed, schedules, safe); });
    const auto federations =
        federation > 0 ? PlayFederations(seed, federation, safe) : std::vector<Row>();
    if (rst)
    {
        std::cout << fmt::format(".. committee-schedules --schedules={} --radio={} "
                                 "--federation={} --seed={} --rst=true\n\n",
                                 schedules,
                                 radio,
                                 federation,
                                 seed);
    }
    if (federation > 0)
    {
        PrintTable(FEDERATION_COLUMNS, federations, rst);
    }
    if (schedules == 0)
    {
        return safe ? 0 : 1;
    }
    PrintTable(DEVICE_COLUMNS, devices, rst);
    PrintTable(VOTE_COLUMNS, votes, rst);
    return safe ? 0 : 1;
}
