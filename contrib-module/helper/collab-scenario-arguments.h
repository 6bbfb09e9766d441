/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_SCENARIO_ARGUMENTS_H
#define COLLAB_SCENARIO_ARGUMENTS_H

#include "ns3/command-line.h"

#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <type_traits>

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief ns-3's CommandLine, with mistakes told in one line before anything runs.
 *
 * CommandLine itself ends the program with status 1 and a page of help at a mistake. Here every
 * argument, ns-3 attribute
 * (--ns3::Type::Attribute=value) and global value is looked at first, and a mistake is a UserError.
 */
class ScenarioArguments
{
  public:
    /**
     * @param file the scenario's source file, __FILE__
     * @param usage what the scenario does, for --help
     */
    ScenarioArguments(const std::string& file, const std::string& usage);

    /**
     * @param name of the argument
     * @param help its unit and meaning
     * @param value receives the value; holds the default
     */
    template <typename T>
    void
    Add(const std::string& name, const std::string& help, T& value)
    {
        m_commandLine.AddValue(name, help, value);
        m_checks[name] = [](const std::string& text) { return IsValid<T>(text); };
        m_isFlag[name] = std::is_same<T, bool>::value;
    }

    /**
     * @brief Read the arguments.
     *
     * @param argc number of arguments
     * @param argv arguments
     * @throws UserError at the first one that is unknown or whose value is not allowed
     */
    void Parse(int argc, char* argv[]);

    /**
     * @param text a value as given
     * @return whether it is a T
     */
    template <typename T>
    static bool
    IsValid(const std::string& text)
    {
        if constexpr (std::is_same<T, std::string>::value)
        {
            return true;
        }
        else if constexpr (std::is_same<T, bool>::value)
        {
            return text == "true" || text == "false" || text == "1" || text == "0" || text == "t" ||
                   text == "f";
        }
        else
        {
            if (std::is_unsigned<T>::value && text.find('-') != std::string::npos)
            {
                return false;
            }
            std::istringstream stream(text);
            T value;
            stream >> value;
            return !stream.fail() && stream.rdbuf()->in_avail() == 0;
        }
    }

  private:
    /// @param argument one argument as given
    void Check(const std::string& argument) const;
    /**
     * @param name of an attribute, with its type
     * @param value its value
     */
    static void CheckAttribute(const std::string& name, const std::string& value);
    /**
     * @param name of an ns-3 global value
     * @param value its value
     * @return whether there is one of that name
     */
    static bool CheckGlobalValue(const std::string& name, const std::string& value);

    CommandLine m_commandLine;                                               //!< does the reading
    std::map<std::string, std::function<bool(const std::string&)>> m_checks; //!< by argument
    std::map<std::string, bool> m_isFlag; //!< whether an argument may lack a value
};

/**
 * @brief Run a scenario's main function and turn exceptions into an exit status.
 *
 * @param name what to call the program in errors
 * @param run the scenario
 * @return 0; 2 for a user's mistake or a bad data file, 1 for any other failure, each told in one
 * line on standard error
 */
int RunScenario(const std::string& name, const std::function<void()>& run);

} // namespace collab
} // namespace ns3

#endif /* COLLAB_SCENARIO_ARGUMENTS_H */
