/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-scenario-arguments.h"

#include "ns3/collab-error.h"
#include "ns3/collab-idx-file.h"
#include "ns3/global-value.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <fmt/format.h>
#include <iostream>
#include <set>
#include <vector>

namespace ns3
{
namespace collab
{

namespace
{

/// What CommandLine itself understands
const std::set<std::string> GENERAL_ARGUMENTS = {"PrintAttributes",
                                                 "PrintGlobals",
                                                 "PrintGroup",
                                                 "PrintGroups",
                                                 "PrintHelp",
                                                 "PrintTypeIds",
                                                 "PrintVersion",
                                                 "help",
                                                 "version"};

/**
 * @param text a value as given
 * @return whether it is a number followed by one of ns-3's units of time, or by none
 */
bool
IsTime(const std::string& text)
{
    static const std::set<std::string> units = {
        "", "y", "d", "h", "min", "s", "ms", "us", "ns", "ps", "fs"};
    const std::size_t end = text.find_first_not_of("+-.0123456789eE");
    const std::string number = text.substr(0, end);
    const std::string unit = end == std::string::npos ? "" : text.substr(end);
    std::istringstream stream(number);
    double value;
    stream >> value;
    return !stream.fail() && stream.rdbuf()->in_avail() == 0 && units.count(unit) > 0;
}

/**
 * @brief Whether a value can be read, without ending the program if it cannot.
 *
 * ns-3's own numbers and times abort on text that is none.
 *
 * @param checker of an attribute or global value
 * @param text a value as given
 * @return whether the checker accepts it
 */
bool
IsAccepted(const AttributeChecker& checker, const std::string& text)
{
    const std::string type = checker.GetValueTypeName();
    const bool readable =
        (type != "ns3::UintegerValue" || ScenarioArguments::IsValid<uint64_t>(text)) &&
        (type != "ns3::IntegerValue" || ScenarioArguments::IsValid<int64_t>(text)) &&
        (type != "ns3::DoubleValue" || ScenarioArguments::IsValid<double>(text)) &&
        (type != "ns3::TimeValue" || IsTime(text));
    return readable && checker.CreateValidValue(StringValue(text));
}

} // namespace

ScenarioArguments::ScenarioArguments(const std::string& file, const std::string& usage)
    : m_commandLine(file)
{
    m_commandLine.Usage(usage);
}

void
ScenarioArguments::Parse(int argc, char* argv[])
{
    for (int i = 1; i < argc; ++i)
    {
        Check(argv[i]);
    }
    m_commandLine.Parse(argc, argv);
}

void
ScenarioArguments::Check(const std::string& argument) const
{
    const std::size_t start = argument.find_first_not_of('-');
    const std::size_t equals = argument.find('=');
    const bool hasValue = equals != std::string::npos;
    const std::string name =
        start == std::string::npos || start == 0 ? "" : argument.substr(start, equals - start);
    const std::string value = hasValue ? argument.substr(equals + 1) : "";
    if (GENERAL_ARGUMENTS.count(name))
    {
        return;
    }
    const auto check = m_checks.find(name);
    if (check != m_checks.end())
    {
        const bool valid = hasValue ? check->second(value) : m_isFlag.at(name);
        if (!valid)
        {
            throw UserError(
                fmt::format("argument '{}' has no valid value; --help tells what it is", argument));
        }
        return;
    }
    if (name.find("::") != std::string::npos)
    {
        CheckAttribute(name, value);
        return;
    }
    if (!CheckGlobalValue(name, value))
    {
        std::vector<std::string> allowed;
        for (const auto& known : m_checks)
        {
            allowed.push_back("--" + known.first);
        }
        throw UserError(
            fmt::format("unknown argument '{}'; allowed are {}, ns-3's global values "
                        "(--PrintGlobals) and attributes (--ns3::Type::Attribute=value)",
                        argument,
                        fmt::join(allowed, " ")));
    }
}

void
ScenarioArguments::CheckAttribute(const std::string& name, const std::string& value)
{
    const std::size_t separator = name.rfind("::");
    const std::string typeName = name.substr(0, separator);
    const std::string attributeName = name.substr(separator + 2);
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(typeName, &type))
    {
        throw UserError(fmt::format(
            "unknown type '{}' in attribute '--{}'; --PrintTypeIds lists them", typeName, name));
    }
    TypeId::AttributeInformation information;
    if (!type.LookupAttributeByName(attributeName, &information))
    {
        std::vector<std::string> allowed;
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            allowed.push_back(type.GetAttribute(i).name);
        }
        throw UserError(fmt::format("type '{}' has no attribute '{}'; allowed are {}",
                                    typeName,
                                    attributeName,
                                    fmt::join(allowed, " ")));
    }
    if (!IsAccepted(*information.checker, value))
    {
        throw UserError(fmt::format("attribute '{}' of '{}' cannot be '{}'; it is of type {} {}",
                                    attributeName,
                                    typeName,
                                    value,
                                    information.checker->GetValueTypeName(),
                                    information.checker->GetUnderlyingTypeInformation()));
    }
}

bool
ScenarioArguments::CheckGlobalValue(const std::string& name, const std::string& value)
{
    for (auto it = GlobalValue::Begin(); it != GlobalValue::End(); ++it)
    {
        if ((*it)->GetName() == name)
        {
            if (!IsAccepted(*(*it)->GetChecker(), value))
            {
                throw UserError(fmt::format("global value '{}' cannot be '{}'; it is of type {} {}",
                                            name,
                                            value,
                                            (*it)->GetChecker()->GetValueTypeName(),
                                            (*it)->GetChecker()->GetUnderlyingTypeInformation()));
            }
            return true;
        }
    }
    return false;
}

int
RunScenario(const std::string& name, const std::function<void()>& run)
{
    try
    {
        run();
        return 0;
    }
    catch (const UserError& error)
    {
        std::cerr << name << ": " << error.what() << std::endl;
        return 2;
    }
    catch (const DataFileError& error)
    {
        std::cerr << name << ": " << error.what() << std::endl;
        return 2;
    }
    catch (const std::exception& error)
    {
        std::cerr << name << ": " << error.what() << std::endl;
        return 1;
    }
}

} // namespace collab
} // namespace ns3
