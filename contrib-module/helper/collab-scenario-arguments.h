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
#include <ostream>
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
 *
 * With --PrintArguments=json a program prints what it can be given, for other programs to read, and
 * ends. All arguments beside it are looked at too, so that a list of values can be checked at once.
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
        std::ostringstream text;
        text << std::boolalpha << value;
        m_commandLine.AddValue(name, help, value);
        m_arguments[name] = {help, GetTypeName<T>(), text.str(), [](const std::string& given) {
                                 return IsValid<T>(given);
                             }};
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
     * @brief Print everything that the program can be given, as JSON.
     *
     * An object with "schema" (1), and three lists: "arguments" of the scenario, "globals", ns-3's
     * global values, and "attributes" of all types in the program. Each entry has "name", "type",
     * "default" and "help"; the type is text, integer, unsigned integer, number or flag, or for
     * ns-3's own values the name of the value's type, such as ns3::TimeValue, beside "values": what
     * ns-3 tells of those allowed.
     *
     * @param output where to print
     */
    void PrintArguments(std::ostream& output) const;

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
    /// What is known of an argument of the scenario
    struct Argument
    {
        std::string help;                                //!< its unit and meaning
        std::string type;                                //!< text, number, ...
        std::string initial;                             //!< the default
        std::function<bool(const std::string&)> isValid; //!< whether a text is a value of its type
    };

    /// @return what to call a T in JSON
    template <typename T>
    static const char*
    GetTypeName()
    {
        if constexpr (std::is_same<T, bool>::value)
        {
            return "flag";
        }
        else if constexpr (std::is_floating_point<T>::value)
        {
            return "number";
        }
        else if constexpr (std::is_integral<T>::value)
        {
            return std::is_unsigned<T>::value ? "unsigned integer" : "integer";
        }
        else
        {
            return "text";
        }
    }

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

    CommandLine m_commandLine;                   //!< does the reading
    std::map<std::string, Argument> m_arguments; //!< by name
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
