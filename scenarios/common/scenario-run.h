/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_RUN_H
#define SCENARIO_RUN_H

#include "scenario-samples.h"

#include "ns3/application-container.h"
#include "ns3/collab-run-folder.h"
#include "ns3/collab-run-recorder.h"
#include "ns3/collab-table-store.h"
#include "ns3/vector.h"

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <vector>

/// What a run is called, its parameters, and how its results are to be drawn
struct RunDescription
{
    std::string scenario; //!< name of the scenario
    std::string method;   //!< the parameter that tells methods apart
    std::string measure;  //!< the column of the table rounds that tells how good a model is
    const ns3::collab::ParameterList& parameters; //!< of the run
    std::vector<uint32_t> malicious = {};         //!< devices, ascending
    std::vector<uint32_t> stragglers = {}; //!< devices, ascending; not told if there are none
    std::vector<std::string> hints = {};   //!< what limits the result, beside those of the radio
};

/// @return how run.json begins: with the name, all parameters that change results and their
/// defaults, and how results are to be drawn, with methods in the order of their declaration
nlohmann::ordered_json BeginDescription(const RunDescription& run);

/// @brief Tell what else was in force: attributes, seed, run number and versions.
/// @param[in,out] run run to append it to
void AddEnvironment(nlohmann::ordered_json& run);

/// @return what was given in vain, what epsilon does not cover, and that of the network
std::vector<std::string> CollectHints(const CommonParameters& p,
                                      const std::vector<std::string>& network);

/// @brief Tell how the radios are set, and what takes longer or limits the result.
/// @param[in,out] run run to append it to
void AddNetwork(const RunDescription& description, nlohmann::ordered_json& run);

/// @param p parameters that scenarios have in common
/// @param models models of all devices; none if all have that of the parameters
/// @return the contents of run.json: all that defines the run, and nothing of the host
std::string DescribeRun(const RunDescription& run,
                        const CommonParameters& p,
                        const ScenarioSamples& samples,
                        const std::vector<ns3::Vector>& positions,
                        const std::vector<std::string>& models = {});

/// @brief Write which samples each device has, and say so unless the run is quiet.
/// @param p parameters that say whether to be quiet
void WritePartition(const CommonParameters& p,
                    const ns3::collab::RunFolder& folder,
                    const ScenarioSamples& samples,
                    std::ostream& output);

/// What is shown of a run while it goes on, and when it ends
struct ShownProgress
{
    std::string label;    //!< in front of a terminal's bar
    std::string metric;   //!< whose mean over the devices is told
    std::ostream& output; //!< where to print what became of the messages, unless quiet
    std::vector<std::string> hints = {}; //!< see RunDescription, printed there, too
};

/// @brief Simulate until all applications have ended, and write the rows that are left.
/// @param p parameters that say whether to be quiet
/// @param others applications that must end too
void PlayRun(const CommonParameters& p,
             ns3::collab::RunRecorder& recorder,
             const ShownProgress& shown,
             const ns3::ApplicationContainer& devices,
             const ns3::ApplicationContainer& others = {});

/// @brief Close a run's tables with all of their rows, and give its folder the name of a finished
/// one.
/// @param output where to print that name; null if nowhere
/// @throws std::runtime_error if something cannot be written
void FinishRun(std::unique_ptr<ns3::collab::TableStore> tables,
               ns3::collab::RunFolder& folder,
               std::ostream* output = nullptr);

/// A round of a computation without devices, time and network: without rounds no folder is a run
struct TimelessRound
{
    uint64_t round; //!< its number
    double value;   //!< what was measured

    /// @param round what a round is, e.g. "draw"
    /// @return the table rounds
    static ns3::collab::TableColumns<TimelessRound>
    GetTable(const std::string& round, const std::string& device, const ns3::collab::Metric& metric)
    {
        const auto none = [](const TimelessRound&) { return 0; };
        const auto zero = [](const TimelessRound&) { return 0.0; };
        return {"rounds",
                "a " + round,
                {{"round", "", "number of the " + round + ", from 0", &TimelessRound::round},
                 {"device", "", device, none},
                 {"start_s", "s", "0: there is no time", zero},
                 {"end_s", "s", "0: there is no time", zero},
                 {metric.name, metric.unit, metric.meaning, &TimelessRound::value},
                 {"energy_j", "J", "0: there is no device", zero},
                 {"bytes_sent", "B", "0: there is no network", none}}};
    }
};

#endif /* SCENARIO_RUN_H */
