/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BRIDGE_SCENARIO_H
#define BRIDGE_SCENARIO_H

#include "common/scenario-faults.h"
#include "common/scenario-parameters.h"
#include "common/scenario-samples.h"
#include "python-application.h"

#include "ns3/collab-columns.h"
#include "ns3/collab-parameter-description.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// A parameter that a protocol in Python declares
struct BridgeParameter
{
    std::string name;                  //!< of the argument
    ns3::collab::ParameterValue value; //!< default
    std::string help;                  //!< its meaning
    std::string unit;                  //!< of a number; empty if there is none
    std::optional<double> least;       //!< allowed
    std::optional<double> greatest;    //!< allowed
    std::vector<std::string> choices;  //!< allowed; all are if there are none
};

/// What a protocol in Python is as a scenario
struct BridgeDescription
{
    std::string name;                        //!< of the scenario
    std::string usage;                       //!< what it does, for --help
    std::string measure;                     //!< the metric that tells how good devices are
    bool hasData = false;                    //!< whether devices have samples
    bool sharesStart = true;                 //!< whether all models begin with the same weights
    std::string dataSet = "fashion-mnist";   //!< default of the argument
    ns3::collab::PythonProtocolType type;    //!< what devices have in common
    std::vector<BridgeParameter> parameters; //!< of its own
    std::vector<ns3::collab::TableDescription> tables; //!< of its own
};

/// Everything that a run of a protocol in Python depends on
struct BridgeParameters : CommonParameters
{
    /// @param description of the protocol; must outlive this
    explicit BridgeParameters(const BridgeDescription& description);

    /// @throws UserError for what makes no sense together
    void Validate() const;

    std::optional<double> GetSgdRate() const override;

    std::string protocol;           //!< name of the protocol
    std::string network = "d2d";    //!< d2d or wifi
    std::string transport = "udp";  //!< over IP: udp or tcp
    std::string others;             //!< "TYPE:DEVICES": devices that run prediction consensus
    std::string optimizer = "adam"; //!< of learners of the module: adam or sgd
    FaultParameters faults;         //!< networks that fall apart

  private:
    /// Declare what learners of the module need
    void DeclareLearner();
    /// Declare what the network needs
    void DeclarePlaces();
    /// Declare the protocol's own parameters
    void DeclareOwn();

    const BridgeDescription& m_description; //!< of the protocol
    /// Values of the protocol's own parameters
    std::deque<ns3::collab::ParameterValue> m_values;
};

/// A row of one of the protocol's own tables
struct BridgeRow
{
    /// As the types of the columns say
    std::vector<std::variant<int64_t, double, std::string>> cells;
};

/// Writes a row of the protocol's own table of this number
using BridgeWriter = std::function<void(std::size_t, const BridgeRow&)>;

/// What a run of a protocol in Python needs of Python, all of it called with the interpreter's lock
/// not held
struct BridgeCalls
{
    /// Given the parameters, before anything else is made
    std::function<void(const BridgeParameters&)> begin;
    /// Makes the instance of a device
    std::function<ns3::collab::Held(
        uint32_t, const std::shared_ptr<ns3::collab::PythonDevice>&, const ScenarioSamples*)>
        make;
    /// Given the tables of its own, for rows
    std::function<void(BridgeWriter)> tables;
    /// Told the number of a round that a device has ended
    std::function<void(uint32_t)> progress;
};

/// @brief Run a protocol in Python once and write its run folder.
/// @param description of the protocol
/// @param words arguments as on a command line, the program's name first
/// @param calls of Python
/// @throws UserError for mistakes in the arguments
/// @throws DataFileError for a bad data file
/// @throws PythonError for what Python throws
void RunBridge(const BridgeDescription& description,
               std::vector<std::string> words,
               const BridgeCalls& calls);

#endif /* BRIDGE_SCENARIO_H */
