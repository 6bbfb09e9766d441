/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_RUN_H
#define SCENARIO_RUN_H

#include "scenario-network.h"
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

/// What a run is called, and how its results are to be drawn
struct RunDescription
{
    std::string scenario; //!< name of the scenario
    std::string method;   //!< the parameter that tells methods apart
    std::string measure;  //!< the column of the table rounds that tells how good a model is
    std::vector<uint32_t> malicious = {};  //!< devices, ascending
    std::vector<uint32_t> stragglers = {}; //!< devices, ascending; not told if there are none
    std::vector<std::string> hints = {};   //!< what limits the result, beside those of the radio
};

/// @return how run.json begins: with the name, all parameters that change results and their
/// defaults, and how results are to be drawn, with methods in the order of their declaration
nlohmann::ordered_json BeginDescription(const ns3::collab::ParameterList& p,
                                        const RunDescription& description);

/// @brief Tell what else was in force: attributes, seed, run number, versions, and how the radios
/// are set, and what takes longer or limits the result.
/// @param[in,out] run run to append it to
void AddEnvironment(const RunDescription& description, nlohmann::ordered_json& run);

/// @return what was given in vain, what epsilon does not cover, and that of the network
std::vector<std::string> CollectHints(const CommonParameters& p,
                                      const std::vector<std::string>& network);

/// @param models models of all devices; none if all have that of the parameters
/// @return the contents of run.json: all that defines the run, and nothing of the host
nlohmann::ordered_json DescribeRun(const CommonParameters& p,
                                   const RunDescription& description,
                                   const ScenarioSamples& samples,
                                   const std::vector<ns3::Vector>& positions,
                                   const std::vector<std::string>& models = {});

/// What a run leaves: a folder with run.json and tables, and what it prints
class RunResults
{
  public:
    /// @brief Make the folder, once nothing can be wrong with the arguments any more.
    /// @param run contents of run.json
    /// @param output where to print, unless the run is quiet
    RunResults(const RunParameters& p,
               RunDescription description,
               const nlohmann::ordered_json& run,
               std::ostream& output);
    /// The same of a computation without devices, time and network
    RunResults(const RunParameters& p, const RunDescription& description, std::ostream& output);
    /// @brief The same of devices that learn from samples.
    /// @param description without hints, which are those of parameters and network
    /// @param models see DescribeRun()
    RunResults(const CommonParameters& p,
               RunDescription description,
               const ScenarioSamples& samples,
               const ScenarioNetwork& network,
               std::ostream& output,
               const std::vector<std::string>& models = {});

    /// Write and print which samples each device has
    void WritePartition(const ScenarioSamples& samples);

    /// @brief Simulate until all applications have ended, and write the rows that are left.
    /// @param others applications that must end too
    void Play(const CommonParameters& p,
              ns3::collab::RunRecorder& recorder,
              const ns3::ApplicationContainer& devices,
              const ns3::ApplicationContainer& others = {});

    /// Print a text, unless the run is quiet
    void Print(const std::string& text);

    /// @brief Close the tables with all of their rows, and give the folder the name of a finished
    /// run, which is printed.
    /// @throws std::runtime_error if something cannot be written
    void Finish();

    ns3::collab::RunFolder folder;                   //!< of the run
    std::unique_ptr<ns3::collab::TableStore> tables; //!< of the run

  private:
    /// Write run.json, and make the tables
    void Begin(const RunParameters& p, const nlohmann::ordered_json& run);

    bool m_isQuiet;               //!< whether to print nothing
    RunDescription m_description; //!< of the run
    std::ostream& m_output;       //!< where to print
};

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
