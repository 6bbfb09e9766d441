/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_SCENARIO_ARGUMENTS_H
#define COLLAB_SCENARIO_ARGUMENTS_H

#include "collab-parameter-list.h"

#include "ns3/command-line.h"

#include <functional>
#include <ostream>
#include <string>

namespace ns3::collab
{

/**
 * @ingroup collab-helper
 * @brief ns-3's CommandLine, with mistakes reported in one line before anything runs.
 *
 * At a mistake CommandLine itself ends the program with status 1 and a page of help. Here every
 * argument, ns-3 attribute (--ns3::Type::Attribute=value) and global value is checked first, and a
 * mistake is a UserError.
 *
 * The arguments are the parameters that the program declares, each of them once:
 *
 *     ParameterList list;
 *     list.Add("devices", devices, "number of devices").AtLeast(2);
 *     ScenarioArguments(__FILE__, "Devices that learn.", list).Parse(argc, argv);
 *
 * With --PrintArguments=json a program prints what it can be given, for other programs to read, and
 * ends. All arguments beside it are looked at too, so that a list of values can be checked at once.
 * With
 * --PrintCompletion=bash or zsh it prints a script for the shell.
 */
class ScenarioArguments
{
  public:
    /// @param file the scenario's source file, __FILE__
    /// @param usage what the scenario does, for --help
    /// @param parameters what the program can be given; must outlive this
    ScenarioArguments(const std::string& file, const std::string& usage, ParameterList& parameters);

    /**
     * @brief Read the arguments.
     *
     * An ns-3 attribute that is given, here or by the environment variable NS_ATTRIBUTE_DEFAULT,
     * is the value of the parameter that sets it; see ParameterList.
     *
     * @param argc number of arguments
     * @param argv arguments
     * @throws UserError at the first one that is unknown or whose value is not of its type or not
     * in its range, and for a parameter and its attribute that are both given and differ
     */
    void Parse(int argc, char* argv[]);

    /**
     * @brief Print everything that the program can be given, as JSON.
     *
     * An object with "schema" (1), "program" and "usage", and three lists: "arguments" of the
     * scenario, "globals", ns-3's global values, and "attributes" of all types in the program. Each
     * entry has "name", "type", "default" and "help"; the type is text, integer, unsigned integer,
     * number or flag, or for ns-3's own values the name of the value's type, such as
     * ns3::TimeValue, beside "values": what ns-3 tells of those allowed. An argument may have
     * "unit", "range" in words with "minimum" and "maximum", "choices" (all) or "suggestions"
     * (some), "attributes" that are set to its value, "computes", attributes that are computed from
     * it, and "changesResults" (false).
     *
     * @param output where to print
     */
    void PrintArguments(std::ostream& output) const;

  private:
    /// @param argument one argument as given
    void Check(const std::string& argument);
    /// @param argument text that is no argument of the scenario
    /// @throws UserError always, which names the nearest ones
    [[noreturn]] void FailUnknown(const std::string& argument) const;
    /// @param name name of an ns-3 global value
    /// @param value its value
    /// @return whether there is one of that name
    static bool CheckGlobalValue(const std::string& name, const std::string& value);

    CommandLine m_commandLine;   //!< does the reading
    std::string m_program;       //!< name of the program
    std::string m_usage;         //!< what it does
    ParameterList& m_parameters; //!< what it can be given
};

/// @brief Run a scenario's main function and turn exceptions into an exit status.
/// @param name what to call the program in errors
/// @param run the scenario
/// @return 0; 2 for a user's mistake or a bad data file, 1 for any other failure, each reported in
/// one line on standard error
int RunScenario(const std::string& name, const std::function<void()>& run);

} // namespace ns3::collab

#endif /* COLLAB_SCENARIO_ARGUMENTS_H */
