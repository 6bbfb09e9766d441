/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_RECORDED_RUN_H
#define COLLAB_RECORDED_RUN_H

#include "collab-run-folder.h"

#include "ns3/application-container.h"
#include "ns3/collab-table-store.h"

#include <limits>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-tracing
 * @brief A run that the commands plot, report and collect read.
 *
 * All that a program needs to write a run folder: run.json, which says what was run, and the tables
 * of RunRecorder. An algorithm's own recorder writes to GetTables() besides.
 */
class RecordedRun
{
  public:
    /// @brief Make the run folder, which is called folder.partial until the run is finished.
    /// @param folder path of a folder that does not exist
    /// @param scenario name of the program
    /// @param measure the metric that says how well the devices do, a column of the table rounds
    /// @param format one of GetTableFormats()
    /// @throws UserError if the folder exists already or cannot be made, or for another format
    RecordedRun(const std::string& folder,
                std::string scenario,
                std::string measure,
                const std::string& format = "csv");

    /// @brief Tell a parameter of the program, so that runs can be compared and repeated.
    /// @param name name of a parameter that changes results; attributes and the seed are told
    /// anyway
    /// @param value its value: text, a flag or a number
    /// @return this run
    template <typename T>
    RecordedRun&
    AddParameter(const std::string& name, const T& value)
    {
        if constexpr (std::is_arithmetic<T>::value)
        {
            std::ostringstream text;
            text.precision(std::numeric_limits<T>::max_digits10);
            text << std::boolalpha << value;
            m_parameters.emplace_back(name, Quote(text.str(), true));
        }
        else
        {
            m_parameters.emplace_back(name, Quote(value, false));
        }
        return *this;
    }

    /// @brief Tell all parameters of the program, such as ParameterList::GetValues().
    /// @param values an object with their values by name
    /// @return this run
    RecordedRun& AddParameters(const nlohmann::ordered_json& values);

    /// @brief Tell something of each device in run.json, where comparisons look for train_samples.
    /// @param name what it is
    /// @param values values of the devices in their order, as many as there are
    /// @return this run
    RecordedRun& AddDeviceValues(const std::string& name, const std::vector<double>& values);

    /// @return where the tables of the run are written
    TableStore& GetTables();

    /**
     * @brief Simulate until all devices have ended, and write the run; called once.
     *
     * If standard error is a terminal, it shows meanwhile how far the run is (RunProgress).
     *
     * @param devices their applications; nodes with mobility models get their place in run.json
     * @throws std::runtime_error if something cannot be written
     * @throws std::invalid_argument if something was told of more or fewer devices
     */
    void Play(const ApplicationContainer& devices);

  private:
    /// @param text a value
    /// @param isPlain whether it stands in JSON as it is, unless JSON lacks it, such as nan
    /// @return the value as JSON
    static std::string Quote(const std::string& text, bool isPlain);
    /// @param devices their applications
    /// @return what run.json says
    std::string Describe(const ApplicationContainer& devices) const;

    RunFolder m_folder;                   //!< where to write
    std::unique_ptr<TableStore> m_tables; //!< its tables
    std::string m_scenario;               //!< name of the program
    std::string m_measure;                //!< the metric that says how well the devices do
    /// Parameters in the order in which they were added, their values as JSON
    std::vector<std::pair<std::string, std::string>> m_parameters;
    /// What is told of devices, a value each
    std::vector<std::pair<std::string, std::vector<double>>> m_deviceValues;
};

} // namespace ns3::collab

#endif /* COLLAB_RECORDED_RUN_H */
