/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-parameter-list.h"

#include "collab-given-attributes.h"

#include "ns3/abort.h"
#include "ns3/collab-recorded-run.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace ns3::collab
{

namespace
{

/// @param parameter some parameter
/// @return its entry in the list of arguments
nlohmann::ordered_json
DescribeParameter(const Parameter& parameter)
{
    nlohmann::ordered_json entry = {{"name", parameter.GetName()},
                                    {"type", parameter.GetTypeName()},
                                    {"default", ToText(parameter.GetDescription().initial)},
                                    {"help", parameter.GetDescription().help}};
    if (!parameter.GetDescription().unit.empty())
    {
        entry["unit"] = parameter.GetDescription().unit;
    }
    if (!parameter.GetRange().empty())
    {
        entry["range"] = parameter.GetRange();
        const auto [min, max] = parameter.GetDescription().range.GetLimits();
        for (const auto& [name, bound] : {std::pair("minimum", min), std::pair("maximum", max)})
        {
            if (std::isfinite(bound))
            {
                entry[name] = bound;
            }
        }
    }
    for (const auto& choice : parameter.GetDescription().choices)
    {
        entry[parameter.GetDescription().isClosed ? "choices" : "suggestions"].push_back(
            choice.text);
    }
    for (const auto& binding : parameter.GetBindings())
    {
        const bool isSame =
            binding.role == Parameter::Role::SET || binding.role == Parameter::Role::FOLLOWED;
        entry[isSame ? "attributes" : "computes"].push_back(binding.attribute);
    }
    if (!parameter.GetDescription().isChangingResults)
    {
        entry["changesResults"] = false;
    }
    return entry;
}

} // namespace

Parameter&
ParameterList::Take(std::string name, std::string attribute, Parameter::Condition when)
{
    return m_parameters.emplace_back(std::move(name), std::move(attribute), std::move(when));
}

const std::deque<Parameter>&
ParameterList::GetAll() const
{
    return m_parameters;
}

const Parameter*
ParameterList::Find(const std::string& name) const
{
    const auto found =
        std::find_if(m_parameters.begin(), m_parameters.end(), [&name](const Parameter& one) {
            return one.GetName() == name;
        });
    return found == m_parameters.end() ? nullptr : &*found;
}

Parameter*
ParameterList::Find(const std::string& name)
{
    return const_cast<Parameter*>(std::as_const(*this).Find(name));
}

const Parameter&
ParameterList::FindOrAbort(const std::string& name) const
{
    const Parameter* found = Find(name);
    NS_ABORT_MSG_UNLESS(found, "there is no parameter " << name);
    return *found;
}

void
ParameterList::AddTo(CommandLine& commandLine)
{
    for (auto& parameter : m_parameters)
    {
        parameter.AddTo(commandLine);
    }
}

void
ParameterList::AddTo(RecordedRun& run) const
{
    run.AddParameters(GetValues());
}

void
ParameterList::AdoptGivenAttributes()
{
    // Conditions may depend on parameters, which have their values after the first time
    for (const bool isConditional : {false, true})
    {
        for (auto& parameter : m_parameters)
        {
            for (const auto& binding : parameter.GetBindings())
            {
                const bool isSame = binding.role == Parameter::Role::SET ||
                                    binding.role == Parameter::Role::FOLLOWED;
                if (isSame && static_cast<bool>(binding.when) == isConditional &&
                    IsAttributeGiven(binding.attribute) && binding.IsActive())
                {
                    parameter.Adopt(binding);
                }
            }
        }
    }
    for (const auto& parameter : m_parameters)
    {
        parameter.CheckExclusion();
    }
}

void
ParameterList::Check() const
{
    for (const auto& parameter : m_parameters)
    {
        parameter.Check();
    }
}

void
ParameterList::KeepAsked()
{
    m_asked.clear();
    for (const auto& parameter : m_parameters)
    {
        m_asked.push_back(parameter.GetValue());
    }
}

nlohmann::ordered_json
ParameterList::GetComputed() const
{
    nlohmann::ordered_json computed = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < m_asked.size(); ++i)
    {
        if (m_parameters[i].GetDescription().isChangingResults &&
            m_asked[i] != m_parameters[i].GetValue())
        {
            computed[m_parameters[i].GetName()] = ToJson(m_asked[i]);
        }
    }
    return computed;
}

std::vector<std::string>
ParameterList::FindIdle() const
{
    const auto getText = [this](const std::string& name) {
        return ToText(FindOrAbort(name).GetValue());
    };
    std::vector<std::string> idle;
    for (std::size_t i = 0; i < m_parameters.size(); ++i)
    {
        const Parameter& parameter = m_parameters[i];
        const std::string use = parameter.FindUnusedUse(getText);
        const auto asked = i < m_asked.size() ? m_asked[i] : parameter.GetValue();
        // Neither what is computed from others nor a default that was given is worth a line
        if (!use.empty() && asked != parameter.GetDescription().initial)
        {
            idle.push_back(fmt::format("--{}={} has no effect in this run; it is for {}",
                                       parameter.GetName(),
                                       ToText(asked),
                                       use));
        }
    }
    return idle;
}

void
ParameterList::Apply(
    TypeId type, const std::function<void(const std::string&, const AttributeValue&)>& set) const
{
    for (const auto& parameter : m_parameters)
    {
        for (const auto& binding : parameter.GetBindings())
        {
            const std::string name = binding.attribute.substr(binding.attribute.rfind("::") + 2);
            if (binding.role == Parameter::Role::SET &&
                GetDeclaredName(type, name) == binding.attribute && binding.IsActive() &&
                !IsAttributeGiven(binding.attribute))
            {
                set(name, *parameter.GetAttributeValue(binding));
            }
        }
    }
}

void
ParameterList::Apply(ObjectBase& object) const
{
    Apply(object.GetInstanceTypeId(), [&object](const auto& name, const AttributeValue& value) {
        object.SetAttribute(name, value);
    });
}

nlohmann::ordered_json
ParameterList::GetValues() const
{
    nlohmann::ordered_json values;
    for (const auto& parameter : m_parameters)
    {
        if (parameter.GetDescription().isChangingResults)
        {
            values[parameter.GetName()] = parameter.IsDecidedElsewhere()
                                              ? nlohmann::ordered_json()
                                              : ToJson(parameter.GetValue());
        }
    }
    return values;
}

nlohmann::ordered_json
ParameterList::GetDefaults() const
{
    nlohmann::ordered_json values;
    for (const auto& parameter : m_parameters)
    {
        if (parameter.GetDescription().isChangingResults)
        {
            values[parameter.GetName()] = ToJson(parameter.GetDescription().initial);
        }
    }
    return values;
}

nlohmann::ordered_json
ParameterList::Describe() const
{
    std::map<std::string, nlohmann::ordered_json> entries;
    for (const auto& parameter : m_parameters)
    {
        entries[parameter.GetName()] = DescribeParameter(parameter);
    }
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (auto& entry : entries)
    {
        list.push_back(std::move(entry.second));
    }
    return list;
}

} // namespace ns3::collab
