/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-parameter.h"

#include "collab-given-attributes.h"
#include "collab-parameter-attribute.h"

#include "ns3/abort.h"
#include "ns3/collab-changed-attributes.h"
#include "ns3/collab-check-argument.h"
#include "ns3/collab-error.h"

#include <algorithm>
#include <boost/algorithm/string/predicate.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ns3::collab
{

namespace
{

/// @param name name of an attribute
/// @return it with its value, as a command line has it
std::string
WriteGiven(const std::string& name)
{
    const auto information = GetAttributeInformation(name);
    return fmt::format(
        "--{}={}", name, WriteAttribute(*information.initialValue, information.checker));
}

} // namespace

bool
Parameter::Binding::IsActive() const
{
    return !when || when();
}

Parameter::Parameter(std::string name, Field field, std::string help)
    : m_name(std::move(name)),
      m_field(field)
{
    m_about.help = std::move(help);
    m_about.initial = GetValue();
}

Parameter::Parameter(std::string name, std::string attribute, Condition when)
    : m_name(std::move(name))
{
    m_about = DescribeAttribute(attribute);
    m_own = m_about.initial;
    m_field = std::visit([](auto& value) { return Field(&value); }, m_own);
    Also(std::move(attribute), std::move(when));
}

Parameter&
Parameter::Help(std::string help)
{
    m_about.help = std::move(help);
    return *this;
}

Parameter&
Parameter::Unit(std::string unit)
{
    m_about.unit = std::move(unit);
    return *this;
}

Parameter&
Parameter::AtLeast(double least)
{
    m_about.range.SetMin(least, false);
    return *this;
}

Parameter&
Parameter::Above(double bound)
{
    m_about.range.SetMin(bound, true);
    return *this;
}

Parameter&
Parameter::AtMost(double greatest)
{
    m_about.range.SetMax(greatest, false);
    return *this;
}

Parameter&
Parameter::Below(double bound)
{
    m_about.range.SetMax(bound, true);
    return *this;
}

Parameter&
Parameter::OrComputed()
{
    m_about.range.AddZero();
    return *this;
}

Parameter&
Parameter::Choices(std::vector<ParameterChoice> choices)
{
    // The attribute's default has another name now
    const auto former = std::find_if(
        m_about.choices.begin(), m_about.choices.end(), [this](const ParameterChoice& one) {
            return one.text == ToText(m_about.initial);
        });
    for (const auto& choice : choices)
    {
        if (former != m_about.choices.end() && choice.attributeText == former->attributeText)
        {
            Default(choice.text);
            break;
        }
    }
    m_about.choices = std::move(choices);
    m_about.isClosed = true;
    return *this;
}

Parameter&
Parameter::Suggestions(std::vector<ParameterChoice> choices)
{
    m_about.choices = std::move(choices);
    m_about.isClosed = false;
    return *this;
}

Parameter&
Parameter::Bind(std::string attribute, Role role, Condition when)
{
    m_bindings.push_back({std::move(attribute), role, std::move(when)});
    return *this;
}

Parameter&
Parameter::Also(std::string attribute, Condition when)
{
    return Bind(std::move(attribute), Role::SET, std::move(when));
}

Parameter&
Parameter::Follows(std::string attribute, Condition when)
{
    return Bind(std::move(attribute), Role::FOLLOWED, std::move(when));
}

Parameter&
Parameter::ExcludedBy(std::string attribute)
{
    return Bind(std::move(attribute), Role::EXCLUDED, {});
}

Parameter&
Parameter::DecidedBy(std::string attribute)
{
    return Bind(std::move(attribute), Role::DECIDING, {});
}

Parameter&
Parameter::ChangesNoResult()
{
    m_about.isChangingResults = false;
    return *this;
}

const std::string&
Parameter::GetName() const
{
    return m_name;
}

const ParameterDescription&
Parameter::GetDescription() const
{
    return m_about;
}

const char*
Parameter::GetTypeName() const
{
    return collab::GetTypeName(GetValue());
}

void
Parameter::CheckType(bool isRight) const
{
    NS_ABORT_MSG_UNLESS(isRight, "parameter " << m_name << " is a " << GetTypeName());
}

ParameterValue
Parameter::GetValue() const
{
    return std::visit([](const auto* field) { return ParameterValue(*field); }, m_field);
}

const std::vector<Parameter::Binding>&
Parameter::GetBindings() const
{
    return m_bindings;
}

std::string
Parameter::GetKind() const
{
    const std::string type = GetTypeName();
    const std::string range = GetRange();
    return type == "flag" ? "true or false" : type + (range.empty() ? "" : ", " + range);
}

std::string
Parameter::GetRange() const
{
    return m_about.range.ToText(m_about.unit, !std::holds_alternative<double*>(m_field));
}

Parameter&
Parameter::For(std::string parameter, const std::vector<std::string>& values)
{
    m_user = std::move(parameter);
    m_uses = values;
    const std::string use = fmt::format("{}: ", fmt::join(m_uses, ", "));
    m_about.help = (boost::algorithm::istarts_with(m_about.help, use) ? "" : use) + m_about.help;
    return *this;
}

Parameter&
Parameter::OnlyIf(Condition when, std::string use)
{
    m_conditions.emplace_back(std::move(when), std::move(use));
    return *this;
}

std::string
Parameter::FindUnusedUse(const std::function<std::string(const std::string&)>& getText) const
{
    if (!m_user.empty() && std::count(m_uses.begin(), m_uses.end(), getText(m_user)) == 0)
    {
        return fmt::format("--{}={}", m_user, fmt::join(m_uses, " or "));
    }
    for (const auto& [isUsed, use] : m_conditions)
    {
        if (!isUsed())
        {
            return use;
        }
    }
    return "";
}

void
Parameter::Give(bool isGiven)
{
    m_isGiven = isGiven;
}

bool
Parameter::IsGiven() const
{
    return m_isGiven || GetValue() != m_about.initial;
}

void
Parameter::AddTo(CommandLine& commandLine)
{
    std::string help = m_about.help + (m_about.unit.empty() ? "" : " [" + m_about.unit + "]");
    const std::string range = GetRange();
    help += range.empty() ? "" : "; " + range;
    for (std::size_t i = 0; i < m_about.choices.size(); ++i)
    {
        help += (i > 0              ? ", "
                 : m_about.isClosed ? "; one of "
                                    : "; such as ") +
                m_about.choices[i].text;
    }
    if (auto* const* text = std::get_if<std::string*>(&m_field))
    {
        // As a value ns-3 would take its first word only
        std::string* field = *text;
        commandLine.AddValue(m_name,
                             help,
                             Callback<bool, const std::string&>([field](const std::string& given) {
                                 *field = given;
                                 return true;
                             }),
                             *field);
        return;
    }
    std::visit([&](auto* field) { commandLine.AddValue(m_name, help, *field); }, m_field);
}

void
Parameter::CheckText() const
{
    std::vector<std::string> allowed;
    for (const auto& choice : m_about.choices)
    {
        allowed.push_back(choice.text);
    }
    const auto text = Get<std::string>();
    Require<UserError>(!m_about.isClosed || std::count(allowed.begin(), allowed.end(), text) != 0,
                       "argument --{}={} is not allowed; allowed are {}",
                       m_name,
                       text,
                       fmt::join(allowed, ", "));
}

void
Parameter::Check() const
{
    if (m_isAdopted)
    {
        return; // as the attribute allows
    }
    const ParameterValue value = GetValue();
    if (std::holds_alternative<std::string>(value))
    {
        CheckText();
    }
    else if (!m_about.range.Contains(ToNumber(value)))
    {
        const std::string range = GetRange();
        throw UserError(fmt::format("argument --{}={} is not allowed; it must be {}",
                                    m_name,
                                    ToText(value),
                                    range.empty() ? "finite" : range));
    }
}

Ptr<AttributeValue>
Parameter::GetAttributeValue(const Binding& binding) const
{
    const auto made = MakeAttributeValue(binding.attribute, GetValue(), m_about.choices);
    if (!made)
    {
        throw UserError(fmt::format("argument --{}={} is not allowed; attribute '{}' cannot be it",
                                    m_name,
                                    ToText(GetValue()),
                                    binding.attribute));
    }
    return made;
}

void
Parameter::Adopt(const Binding& binding)
{
    const auto given = GetAttributeInformation(binding.attribute);
    const auto value = ReadAttributeValue(binding.attribute, *given.initialValue, m_about.choices);
    if (IsGiven() && !m_isAdopted)
    {
        const auto own = MakeAttributeValue(binding.attribute, GetValue(), m_about.choices);
        if (!own || ReadAttributeValue(binding.attribute, *own, m_about.choices) != value)
        {
            throw UserError(fmt::format(
                "argument --{}={} and attribute {} are both given and differ; give one of them",
                m_name,
                ToText(GetValue()),
                WriteGiven(binding.attribute)));
        }
    }
    else
    {
        std::visit([this](const auto& v) { Set(v); }, value);
    }
    m_isAdopted = true;
}

bool
Parameter::IsDecidedElsewhere() const
{
    return std::any_of(m_bindings.begin(), m_bindings.end(), [](const Binding& binding) {
        return binding.role == Role::DECIDING && IsAttributeGiven(binding.attribute);
    });
}

void
Parameter::CheckExclusion() const
{
    for (const auto& binding : m_bindings)
    {
        const bool isExcluding = binding.role == Role::EXCLUDED || binding.role == Role::DECIDING;
        if (isExcluding && IsGiven() && !m_isAdopted && IsAttributeGiven(binding.attribute))
        {
            throw UserError(fmt::format("argument --{}={} and attribute {} are both given, but the "
                                        "attribute is computed from the argument; give one of them",
                                        m_name,
                                        ToText(GetValue()),
                                        WriteGiven(binding.attribute)));
        }
    }
}

} // namespace ns3::collab
