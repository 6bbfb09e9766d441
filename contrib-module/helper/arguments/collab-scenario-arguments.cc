/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-scenario-arguments.h"

#include "collab-given-attributes.h"
#include "collab-nearest-name.h"
#include "collab-shell-completion.h"

#include "ns3/collab-build-versions.h"
#include "ns3/collab-check-argument.h"
#include "ns3/collab-error.h"
#include "ns3/collab-idx-file.h"
#include "ns3/collab-number.h"
#include "ns3/collab-rank-session.h"
#include "ns3/global-value.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

namespace ns3::collab
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

/// The option that prints all arguments
const std::string PRINT_ARGUMENTS = "PrintArguments";
/// The option that prints a script for a shell
const std::string PRINT_COMPLETION = "PrintCompletion";

/// @param value value of an attribute or global value
/// @param checker its checker
/// @return the value as text; for a pointer, whose text would be an address, the type of its object
std::string
ToText(const AttributeValue& value, const Ptr<const AttributeChecker>& checker)
{
    const auto* pointer = dynamic_cast<const PointerValue*>(&value);
    if (!pointer)
    {
        return value.SerializeToString(checker);
    }
    const Ptr<Object> object = pointer->GetObject();
    return object ? object->GetInstanceTypeId().GetName() : "0";
}

/// @param name name of an attribute or global value
/// @param help its meaning
/// @param value its default
/// @param checker its checker
/// @return its entry in the list of arguments
nlohmann::ordered_json
DescribeValue(const std::string& name,
              const std::string& help,
              const AttributeValue& value,
              const Ptr<const AttributeChecker>& checker)
{
    return {{"name", name},
            {"type", checker->GetValueTypeName()},
            {"values", checker->GetUnderlyingTypeInformation()},
            {"default", ToText(value, checker)},
            {"help", help}};
}

/// @return all global values of the program, by name
nlohmann::ordered_json
DescribeGlobalValues()
{
    std::map<std::string, nlohmann::ordered_json> entries;
    for (auto it = GlobalValue::Begin(); it != GlobalValue::End(); ++it)
    {
        const Ptr<const AttributeChecker> checker = (*it)->GetChecker();
        Ptr<AttributeValue> value = checker->Create();
        (*it)->GetValue(*value);
        entries[(*it)->GetName()] =
            DescribeValue((*it)->GetName(), (*it)->GetHelp(), *value, checker);
    }
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const auto& entry : entries)
    {
        list.push_back(entry.second);
    }
    return list;
}

/// @return all attributes of the types in the program that can be given a default, by name
nlohmann::ordered_json
DescribeAttributes()
{
    std::map<std::string, nlohmann::ordered_json> entries;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        for (std::size_t j = 0; j < type.GetAttributeN(); ++j)
        {
            const TypeId::AttributeInformation info = type.GetAttribute(j);
            if (info.flags & TypeId::ATTR_CONSTRUCT)
            {
                const std::string name = type.GetAttributeFullName(j);
                entries[name] = DescribeValue(name, info.help, *info.initialValue, info.checker);
            }
        }
    }
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const auto& entry : entries)
    {
        list.push_back(entry.second);
    }
    return list;
}

/// RngSeed is less than the modulus of ns-3's generator, which its global value does not say
constexpr uint64_t LARGEST_SEED = 4294944442;

/// @param name name of a global value
/// @param value its value, of the type that it has
/// @throws UserError for a seed that ns-3's generator would abort at
void
CheckSeed(const std::string& name, const std::string& value)
{
    if (name != "RngSeed")
    {
        return;
    }
    const auto seed = ParseNumber(value);
    Require<UserError>(seed && *seed >= 1 && *seed <= LARGEST_SEED,
                       "global value 'RngSeed' cannot be '{}'; allowed are 1 to {}",
                       value,
                       LARGEST_SEED);
}

} // namespace

ScenarioArguments::ScenarioArguments(const std::string& file,
                                     const std::string& usage,
                                     ParameterList& parameters)
    : m_commandLine(file),
      m_program(std::filesystem::path(file).stem().string()),
      m_usage(usage),
      m_parameters(parameters)
{
    m_commandLine.Usage(usage);
}

void
ScenarioArguments::Parse(int argc, char* argv[])
{
    bool isPrinting = false;
    for (int i = 1; i < argc; ++i)
    {
        const std::string argument = argv[i];
        const std::string completion = "--" + PRINT_COMPLETION + "=";
        if (argument.rfind(completion, 0) == 0)
        {
            PrintCompletion(argument.substr(completion.size()), m_program, m_parameters, std::cout);
            std::exit(EXIT_SUCCESS); // as CommandLine does after --PrintHelp
        }
        if (argument == "--" + PRINT_ARGUMENTS + "=json")
        {
            isPrinting = true;
            continue;
        }
        Check(argument);
    }
    if (isPrinting)
    {
        PrintArguments(std::cout);
        std::exit(EXIT_SUCCESS);
    }
    m_parameters.AddTo(m_commandLine);
    m_commandLine.Parse(argc, argv);
    ImportAttributeEnvironment();
    m_parameters.AdoptGivenAttributes();
    m_parameters.Check();
}

void
ScenarioArguments::PrintArguments(std::ostream& output) const
{
    nlohmann::ordered_json all;
    all["schema"] = 1;
    all["program"] = m_program;
    all["usage"] = m_usage;
    all["versions"] = GetBuildVersions();
    all["arguments"] = m_parameters.Describe();
    all["globals"] = DescribeGlobalValues();
    all["attributes"] = DescribeAttributes();
    output << all.dump(1) << std::endl;
}

void
ScenarioArguments::Check(const std::string& argument)
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
    Require<UserError>(name != PRINT_ARGUMENTS,
                       "argument '{}' is not allowed; allowed is --{}=json",
                       argument,
                       name);
    if (Parameter* known = m_parameters.Find(name))
    {
        const bool isFlag = known->GetTypeName() == std::string("flag");
        if (hasValue ? !IsReadable(value, known->GetValue()) : !isFlag)
        {
            throw UserError(fmt::format(
                "argument '{}' is not allowed; --{}= takes {}", argument, name, known->GetKind()));
        }
        known->Give();
        return;
    }
    if (name.find("::") != std::string::npos)
    {
        CheckGivenAttribute(name, value);
        return;
    }
    if (!CheckGlobalValue(name, value))
    {
        FailUnknown(argument);
    }
}

void
ScenarioArguments::FailUnknown(const std::string& argument) const
{
    std::vector<std::string> names;
    for (const std::string& name : GENERAL_ARGUMENTS)
    {
        names.push_back("--" + name);
    }
    for (const auto& parameter : m_parameters.GetAll())
    {
        names.push_back("--" + parameter.GetName());
    }
    for (auto it = GlobalValue::Begin(); it != GlobalValue::End(); ++it)
    {
        names.push_back("--" + (*it)->GetName());
    }
    const std::size_t start = std::min(argument.find_first_not_of('-'), argument.size());
    const std::string name = "--" + argument.substr(start, argument.find('=') - start);
    throw UserError(fmt::format("unknown argument '{}'{} --help lists all that are allowed, "
                                "--PrintGlobals ns-3's global values; its attributes are "
                                "--ns3::Type::Attribute=value",
                                argument,
                                AskFor(FindNearest(name, std::move(names)), ";")));
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
            CheckSeed(name, value);
            return true;
        }
    }
    return false;
}

int
RunScenario(const std::string& name, const std::function<void()>& run)
{
    if (RankSession::RefusesSeveral(name))
    {
        return 2;
    }
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

} // namespace ns3::collab
