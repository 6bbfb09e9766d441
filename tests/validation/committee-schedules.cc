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
#include "committee/csv-table.h"
#include "committee/device/device-schedule.h"
#include "committee/radio/radio-schedule.h"
#include "committee/takeover.h"

#include "ns3/command-line.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <future>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// What came of one schedule
struct Played
{
    std::vector<uint64_t> counts;    //!< of the columns of its table
    bool isRight = true;             //!< whether nothing went wrong that must not
    std::string story;               //!< what did, for people
    std::vector<uint64_t> most = {}; //!< columns after these, of which the maximum counts
};

/// Seeds to be played, and whether all has gone right so far
struct Seeds
{
    uint64_t first = 1;
    bool isSafe = true;
    uint32_t jobs = 1; //!< how many are played at a time
};

/// @param seeds to be played
/// @param count of them
/// @param play plays the schedule of a seed; none needs another one
/// @return what came of each
std::vector<Played>
PlayAll(const Seeds& seeds, uint64_t count, const std::function<Played(uint64_t)>& play)
{
    std::vector<Played> all(count);
    std::atomic<uint64_t> next = 0;
    const auto work = [&]() {
        for (uint64_t i = next++; i < count; i = next++)
        {
            all[i] = play(seeds.first + i);
        }
    };
    std::vector<std::future<void>> others;
    for (uint32_t job = 1; job < seeds.jobs; ++job)
    {
        others.push_back(std::async(std::launch::async, work));
    }
    work();
    for (auto& other : others)
    {
        other.get();
    }
    return all;
}

/// @param[in,out] sums get numbers added
/// @param numbers as many
/// @param add two numbers
template <typename Add>
void
Combine(std::vector<uint64_t>& sums, const std::vector<uint64_t>& numbers, const Add& add)
{
    sums.resize(numbers.size());
    std::transform(sums.begin(), sums.end(), numbers.begin(), sums.begin(), add);
}

/// @param[in,out] seeds to be played
/// @param count of them
/// @param name of the combination
/// @param play plays the schedule of a seed
/// @return sums of what came of them, and after these the maxima
std::vector<uint64_t>
PlaySeeds(Seeds& seeds,
          uint64_t count,
          const std::string& name,
          const std::function<Played(uint64_t)>& play)
{
    std::vector<uint64_t> sums;
    std::vector<uint64_t> most;
    uint64_t seed = seeds.first;
    for (const auto& played : PlayAll(seeds, count, play))
    {
        Combine(sums, played.counts, std::plus<uint64_t>());
        Combine(most, played.most, [](uint64_t a, uint64_t b) { return std::max(a, b); });
        if (!played.isRight)
        {
            seeds.isSafe = false;
            std::cerr << "FAILED seed " << seed << " of " << name << ": " << played.story << '\n';
        }
        ++seed;
    }
    sums.insert(sums.end(), most.begin(), most.end());
    return sums;
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
/// @return its cells
std::vector<std::string>
MakeCells(const Row& row, std::size_t columns)
{
    std::vector<std::string> cells = {row.name};
    for (const uint64_t count : row.counts)
    {
        cells.push_back(std::to_string(count));
    }
    cells.resize(columns, "-");
    return cells;
}

/// A table is printed, and written if it has a file
struct Output
{
    std::string files; //!< what their names begin with; none if empty
    std::string note;  //!< what made them

    /// @param ending of the file's name
    /// @param columns their names, the first one that of the combinations
    /// @param rows counts of the columns but the first
    void
    Show(const std::string& ending,
         const std::vector<std::string>& columns,
         const std::vector<Row>& rows) const
    {
        std::vector<std::vector<std::string>> table = {columns};
        for (const auto& row : rows)
        {
            table.push_back(MakeCells(row, columns.size()));
        }
        for (const auto& cells : table)
        {
            std::cout << fmt::format("{:<34}", cells[0]);
            for (std::size_t i = 1; i < cells.size(); ++i)
            {
                std::cout << fmt::format(" {:>12}", cells[i]);
            }
            std::cout << '\n';
        }
        if (!files.empty())
        {
            tests::WriteCsvTable(files + ending + ".csv", note, table);
        }
    }
};

/// @param[in,out] counts get the numbers of rounds by outcome
/// @param outcomes number of each
void
AddOutcomes(std::vector<uint64_t>& counts, const std::map<std::string, uint32_t>& outcomes)
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

/// @param draw what to draw
/// @param seed of the schedule
/// @return counts of VOTE_COLUMNS
Played
PlayVotes(const tests::ScheduleDraw& draw, uint64_t seed)
{
    const tests::ScheduleResult result = tests::ScheduleRun(tests::DrawSchedule(seed, draw)).Play();
    Played played;
    played.counts = {1, result.violations > 0, result.unfinished, result.partial};
    AddOutcomes(played.counts, result.outcomes);
    const ConsensusCounters& c = result.counters;
    played.counts.insert(played.counts.end(),
                         {c.forged, c.stale, c.replayed, c.unauthorized, c.unproven});
    played.isRight =
        result.unfinished == 0 && (draw.rule == QuorumRule::PAPER || result.violations == 0);
    played.story = result.story;
    return played;
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

/// @param draw what to draw
/// @param seed of the schedule
/// @return counts of DEVICE_COLUMNS
Played
PlayDevices(const tests::DeviceDraw& draw, uint64_t seed)
{
    const tests::DeviceResult result =
        tests::DeviceRun(tests::DrawDeviceSchedule(seed, draw)).Play();
    Played played;
    played.counts = {1,
                     result.forks > 0,
                     result.invalid > 0,
                     result.unfinished > 0,
                     result.blocks,
                     result.abandoned,
                     result.expelled};
    AddOutcomes(played.counts, result.outcomes);
    const bool isPaper = draw.rule == QuorumRule::PAPER;
    played.isRight =
        (isPaper || result.IsRight()) && (isPaper || draw.faults || result.abandoned == 0);
    played.story = fmt::format("{}{} abandoned", result.story, result.abandoned);
    return played;
}

/// @brief Play all combinations of rule, devices and network.
/// @tparam Draw what is drawn from
/// @param rules to be played
/// @param[in,out] seeds to be played
/// @param count of them
/// @param play plays the schedule of a seed
/// @return what came of each
template <typename Draw>
std::vector<Row>
PlayEach(const std::vector<QuorumRule>& rules,
         Seeds& seeds,
         uint64_t count,
         Played (*play)(const Draw&, uint64_t))
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
                const std::string name =
                    fmt::format("{}, {}, {}",
                                rule == QuorumRule::PAPER ? "paper" : "byzantine",
                                byzantine ? "some Byzantine" : "all honest",
                                faults ? "faulty" : "perfect");
                rows.push_back({name, PlaySeeds(seeds, count, name, [&](uint64_t seed) {
                                    return play(draw, seed);
                                })});
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
                                                     "foretold",
                                                     "leaked",
                                                     "hidden",
                                                     "oversized",
                                                     "lost",
                                                     "rounds before",
                                                     "blocks",
                                                     "abandoned",
                                                     "expelled",
                                                     "most kept [B]",
                                                     "longest [ms]"};

/// Federations of which an adversary owns a part
struct FederationKind
{
    std::string name;             //!< how committees are elected
    ElectionStrategy election;    //!< the same
    ScoreCombination combination; //!< of scores
    std::vector<uint32_t> owned;  //!< parts of the devices [%]
    bool areFew = false;          //!< DeviceDraw::areFew
    bool stuffs = false;          //!< DeviceDraw::stuffs
};

/// All that are played
const std::vector<FederationKind> FEDERATIONS = {
    {"middle of means", ElectionStrategy::MIDDLE, ScoreCombination::MEAN, {5, 10, 20}},
    {"middle of medians", ElectionStrategy::MIDDLE, ScoreCombination::MEDIAN, {5, 10, 20}},
    {"random", ElectionStrategy::RANDOM, ScoreCombination::BY_RULE, {5, 10, 20}},
    {"random of few", ElectionStrategy::RANDOM, ScoreCombination::BY_RULE, {30}, true},
    {"random, stuffed", ElectionStrategy::RANDOM, ScoreCombination::BY_RULE, {20}, false, true}};

/// @param draw what to draw
/// @param seed of the schedule
/// @return counts of FEDERATION_COLUMNS; rounds before a committee is lost are those of schedules
/// in which one is
Played
PlayFederation(const tests::DeviceDraw& draw, uint64_t seed)
{
    const tests::DeviceResult result =
        tests::DeviceRun(tests::DrawDeviceSchedule(seed, draw)).Play();
    return {{1,
             result.forks > 0,
             result.invalid > 0,
             result.unfinished > 0,
             result.foretold > 0,
             result.leaked > 0,
             result.hidden > 0,
             result.oversized > 0,
             result.lost.has_value(),
             result.lost.value_or(0),
             result.blocks,
             result.abandoned,
             result.expelled},
            result.IsRight(),
            result.story,
            {result.kept, result.delay / 1000000}};
}

/// @param[in,out] seeds to be played
/// @param count of them, of each combination
/// @param only those whose name has this text
/// @return what came of each
std::vector<Row>
PlayFederations(Seeds& seeds, uint64_t count, const std::string& only)
{
    std::vector<Row> rows;
    for (const auto& kind : FEDERATIONS)
    {
        for (const uint32_t owned : kind.owned)
        {
            tests::DeviceDraw draw;
            draw.owned = owned;
            draw.election = kind.election;
            draw.combination = kind.combination;
            draw.areFew = kind.areFew;
            draw.stuffs = kind.stuffs;
            for (const bool faults : {false, true})
            {
                draw.faults = faults;
                const std::string name =
                    fmt::format("{}, {} %, {}", kind.name, owned, faults ? "faulty" : "perfect");
                if (name.find(only) == std::string::npos)
                {
                    continue;
                }
                rows.push_back({name, PlaySeeds(seeds, count, name, [&](uint64_t seed) {
                                    return PlayFederation(draw, seed);
                                })});
            }
        }
    }
    return rows;
}

/// @brief Play a whole application on the simulated radio, some Byzantine, under the rule
/// byzantine.
/// @param seed of the schedule
/// @return counts of the first DEVICE_COLUMNS
Played
PlayRadio(uint64_t seed)
{
    const tests::RadioResult result = tests::PlayRadioSchedule(tests::DrawRadioSchedule(seed));
    return {{1,
             result.forks > 0,
             result.invalid > 0,
             result.unfinished > 0,
             result.blocks,
             result.abandoned},
            result.IsRight(),
            result.story};
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
    std::string tables;
    std::string only;
    Seeds seeds;
    bool safeOnly = false;
    CommandLine arguments(__FILE__);
    arguments.AddValue("schedules", "random schedules of each combination", schedules);
    arguments.AddValue("radio", "random schedules of whole applications on the radio", radio);
    arguments.AddValue("federation",
                       "random schedules of each federation of which an adversary owns a part",
                       federation);
    arguments.AddValue("only", "of these federations those whose name has this text", only);
    arguments.AddValue("takeover", "runs of elections that an adversary wants to win", takeover);
    arguments.AddValue("rounds", "elections of such a run", rounds);
    arguments.AddValue("largest", "federation of which they are played", largest);
    arguments.AddValue("tables", "what names of CSV files begin with; takeover needs it", tables);
    arguments.AddValue("seed", "of the first schedule", seeds.first);
    arguments.AddValue("jobs", "schedules at a time; those on the radio one by one", seeds.jobs);
    arguments.AddValue("safeOnly", "whether to leave out the rule \"paper\"", safeOnly);
    arguments.Parse(argc, argv);
    if (takeover > 0)
    {
        if (tables.empty())
        {
            std::cerr << "takeover needs tables\n";
            return 2;
        }
        tests::PlayTakeover(takeover, rounds, largest, tables + "-takeover");
    }
    std::vector<QuorumRule> rules = {QuorumRule::BYZANTINE};
    if (!safeOnly)
    {
        rules.push_back(QuorumRule::PAPER);
    }
    auto devices = PlayEach(rules, seeds, schedules, PlayDevices);
    if (radio > 0)
    {
        const std::string name = "byzantine, some Byzantine, radio";
        const uint32_t jobs = std::exchange(seeds.jobs, 1); // a process has one simulator
        devices.push_back({name, PlaySeeds(seeds, radio, name, PlayRadio)});
        seeds.jobs = jobs;
    }
    const auto votes = PlayEach(rules, seeds, schedules, PlayVotes);
    const auto federations = PlayFederations(seeds, federation, only);
    const Output output = {
        tables,
        fmt::format("committee-schedules --schedules={} --radio={} --federation={} --seed={}{}",
                    schedules,
                    radio,
                    federation,
                    seeds.first,
                    only.empty() ? "" : " --only=" + only)};
    if (federation > 0)
    {
        output.Show("-federations", FEDERATION_COLUMNS, federations);
    }
    if (schedules == 0)
    {
        return seeds.isSafe ? 0 : 1;
    }
    output.Show("-schedules", DEVICE_COLUMNS, devices);
    output.Show("-schedules-votes", VOTE_COLUMNS, votes);
    return seeds.isSafe ? 0 : 1;
}
