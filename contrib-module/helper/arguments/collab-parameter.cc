/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-parameter.h"

#include "collab-given-attributes.h"
#include "collab-number-text.h"
#include "collab-parameter-list.h"

#include "ns3/boolean.h"
#include "ns3/collab-changed-attributes.h"
#include "ns3/collab-error.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>

namespace ns3
{
namespace collab
{

namespace
{

/// @param number number, to be written as short as "1e-9" instead of "1e-09"
std::string
WriteBound(double number)
{
    std::string text = fmt::format("{:g}", number);
    const std::size_t exponent = text.find_first_of("e");
    if (exponent != std::string::npos)
    {
        const bool isNegative = text[exponent + 1] == '-';
        text = text.substr(0, exponent) + (isNegative ? "e-" : "e") +
               text.substr(text.find_first_not_of("e+-0", exponent));
    }
    return text;
}

/**
 * @param value value of a number
 * @return the same as double; 0 for what is no number
 */
double
ToNumber(const Parameter::Value& value)
{
    return std::visit(
        [](const auto& v) -> double {
            if constexpr (std::is_arithmetic<std::decay_t<decltype(v)>>::value)
            {
                return static_cast<double>(v);
            }
            return 0;
        },
        value);
}

/**
 * @param name name of an attribute
 * @return it with its value, as a command line has it
 */
std::string
WriteGiven(const std::string& name)
{
    const auto information = GetAttributeInformation(name);
    return fmt::format(
        "--{}={}", name, WriteAttribute(*information.initialValue, information.checker));
}

} // namespace

std::string
ToText(const Parameter::Value& value)
{
    return std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
}

nlohmann::ordered_json
ToJson(const Parameter::Value& value)
{
    return std::visit([](const auto& v) { return nlohmann::ordered_json(v); }, value);
}

bool
Parameter::Binding::IsActive() const
{
    return !when || when();
}

Parameter::Parameter(std::string name, Field field, std::string help)
    : m_name(std::move(name)),
      m_field(field),
      m_help(std::move(help)),
      m_default(GetValue())
{
}

Parameter&
Parameter::Unit(std::string unit)
{
    m_unit = std::move(unit);
    return *this;
}

Parameter&
Parameter::AtLeast(double least)
{
    m_min = least;
    m_isMinOpen = false;
    return *this;
}

Parameter&
Parameter::Above(double bound)
{
    m_min = bound;
    m_isMinOpen = true;
    return *this;
}

Parameter&
Parameter::AtMost(double greatest)
{
    m_max = greatest;
    m_isMaxOpen = false;
    return *this;
}

Parameter&
Parameter::Below(double bound)
{
    m_max = bound;
    m_isMaxOpen = true;
    return *this;
}

Parameter&
Parameter::OrComputed()
{
    m_isOrComputed = true;
    return *this;
}

Parameter&
Parameter::Choices(std::vector<ParameterChoice> choices)
{
    m_choices = std::move(choices);
    m_isClosed = true;
    return *this;
}

Parameter&
Parameter::Suggestions(std::vector<ParameterChoice> choices)
{
    m_choices = std::move(choices);
    m_isClosed = false;
    return *this;
}

Parameter&
Parameter::Bind(std::string attribute, Role role, Condition when)
{
    m_bindings.push_back({std::move(attribute), role, std::move(when)});
    return *this;
}

Parameter&
Parameter::Sets(std::string attribute, Condition when)
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
    m_isChangingResults = false;
    return *this;
}

const std::string&
Parameter::GetName() const
{
    return m_name;
}

const std::string&
Parameter::GetHelp() const
{
    return m_help;
}

const std::string&
Parameter::GetUnit() const
{
    return m_unit;
}

const char*
Parameter::GetTypeName() const
{
    return std::visit(
        [](const auto* field) {
            using T = std::decay_t<decltype(*field)>;
            if constexpr (std::is_same<T, bool>::value)
            {
                return "flag";
            }
            else if constexpr (std::is_same<T, std::string>::value)
            {
                return "text";
            }
            else if constexpr (std::is_floating_point<T>::value)
            {
                return "number";
            }
            else
            {
                return std::is_unsigned<T>::value ? "unsigned integer" : "integer";
            }
        },
        m_field);
}

Parameter::Value
Parameter::GetValue() const
{
    return std::visit([](const auto* field) { return Value(*field); }, m_field);
}

const Parameter::Value&
Parameter::GetDefault() const
{
    return m_default;
}

const std::vector<ParameterChoice>&
Parameter::GetChoices() const
{
    return m_choices;
}

bool
Parameter::IsClosed() const
{
    return m_isClosed;
}

const std::vector<Parameter::Binding>&
Parameter::GetBindings() const
{
    return m_bindings;
}

bool
Parameter::IsChangingResults() const
{
    return m_isChangingResults;
}

std::pair<double, double>
Parameter::GetLimits() const
{
    return {m_isOrComputed ? std::min(0.0, m_min) : m_min, m_max};
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
    const std::string bounds = GetBoundsText();
    return m_isOrComputed ? "0, or " + bounds : bounds;
}

bool
Parameter::IsInRange(double number) const
{
    if (m_isOrComputed && number == 0)
    {
        return true;
    }
    return std::isfinite(number) && number >= m_min && !(m_isMinOpen && number == m_min) &&
           number <= m_max && !(m_isMaxOpen && number == m_max);
}

std::string
Parameter::GetBoundsText() const
{
    const std::string min = WriteBound(m_min);
    const std::string max = WriteBound(m_max);
    const std::string unit = m_unit.empty() ? "" : " " + m_unit;
    if (std::isinf(m_min) && std::isinf(m_max))
    {
        return "";
    }
    if (std::isinf(m_max))
    {
        const bool isWhole = !std::holds_alternative<double*>(m_field);
        return (m_isMinOpen ? "greater than " + min
                : isWhole   ? "at least " + min
                            : min + " or greater") +
               unit;
    }
    if (std::isinf(m_min))
    {
        return (m_isMaxOpen ? "below " : "at most ") + max + unit;
    }
    if (m_isMinOpen && m_isMaxOpen)
    {
        return unit.empty() ? fmt::format("between {} and {}, both excluded", min, max)
                            : fmt::format("greater than {} and below {}{}", min, max, unit);
    }
    if (m_isMinOpen)
    {
        return fmt::format("above {}, at most {}{}", min, max, unit);
    }
    return m_isMaxOpen ? fmt::format("{} or greater, and below {}{}", min, max, unit)
                       : fmt::format("{} to {}{}", min, max, unit);
}

Parameter&
Parameter::For(std::string parameter, const std::vector<std::string>& values)
{
    m_user = std::move(parameter);
    m_uses = values;
    m_help = fmt::format("{}: {}", fmt::join(m_uses, ", "), m_help);
    return *this;
}

Parameter&
Parameter::OnlyIf(Condition when, std::string use)
{
    m_conditions.emplace_back(std::move(when), std::move(use));
    return *this;
}

std::string
Parameter::FindUnusedUse(const ParameterList& list) const
{
    if (!m_user.empty() &&
        std::count(m_uses.begin(), m_uses.end(), ToText(list.Find(m_user)->GetValue())) == 0)
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
Parameter::SetDefault(Value value)
{
    m_default = std::move(value);
}

void
Parameter::Give()
{
    m_isGiven = true;
}

bool
Parameter::IsGiven() const
{
    return m_isGiven || GetValue() != m_default;
}

bool
Parameter::IsReadable(const std::string& text) const
{
    return std::visit(
        [&text](const auto* field) {
            using T = std::decay_t<decltype(*field)>;
            if constexpr (std::is_same<T, std::string>::value)
            {
                return true;
            }
            else if constexpr (std::is_same<T, bool>::value)
            {
                return text == "true" || text == "false" || text == "1" || text == "0" ||
                       text == "t" || text == "f";
            }
            else
            {
                return IsNumberText<T>(text);
            }
        },
        m_field);
}

void
Parameter::AddTo(CommandLine& commandLine)
{
    std::string help = m_help + (m_unit.empty() ? "" : " [" + m_unit + "]");
    const std::string range = GetRange();
    help += range.empty() ? "" : "; " + range;
    for (std::size_t i = 0; i < m_choices.size(); ++i)
    {
        help += (i > 0 ? ", " : m_isClosed ? "; one of " : "; such as ") + m_choices[i].text;
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
Parameter::Check() const
{
    if (m_isAdopted)
    {
        return; // as the attribute allows
    }
    const Value value = GetValue();
    if (const auto* text = std::get_if<std::string>(&value))
    {
        const bool isKnown =
            std::any_of(m_choices.begin(), m_choices.end(), [text](const ParameterChoice& choice) {
                return choice.text == *text;
            });
        if (m_isClosed && !isKnown)
        {
            std::vector<std::string> allowed;
            for (const auto& choice : m_choices)
            {
                allowed.push_back(choice.text);
            }
            throw UserError(fmt::format("argument --{}={} is not allowed; allowed are {}",
                                        m_name,
                                        *text,
                                        fmt::join(allowed, ", ")));
        }
        return;
    }
    if (!IsInRange(ToNumber(value)))
    {
        const std::string range = GetRange();
        throw UserError(fmt::format("argument --{}={} is not allowed; it must be {}",
                                    m_name,
                                    ToText(value),
                                    range.empty() ? "finite" : range));
    }
}

Ptr<AttributeValue>
Parameter::FindAttributeValue(const Binding& binding) const
{
    const auto information = GetAttributeInformation(binding.attribute);
    const std::string type = information.checker->GetValueTypeName();
    const Value value = GetValue();
    Ptr<AttributeValue> made;
    if (const auto* text = std::get_if<std::string>(&value))
    {
        const auto choice =
            std::find_if(m_choices.begin(), m_choices.end(), [text](const ParameterChoice& one) {
                return one.text == *text;
            });
        made = information.checker->CreateValidValue(
            StringValue(choice == m_choices.end() ? *text : choice->attributeText));
    }
    else if (type == "ns3::TimeValue")
    {
        made = information.checker->CreateValidValue(TimeValue(Seconds(ToNumber(value))));
    }
    else if (type == "ns3::DoubleValue")
    {
        made = information.checker->CreateValidValue(DoubleValue(ToNumber(value)));
    }
    else
    {
        made = information.checker->CreateValidValue(StringValue(ToText(value)));
    }
    return made;
}

Ptr<AttributeValue>
Parameter::MakeAttributeValue(const Binding& binding) const
{
    const Ptr<AttributeValue> made = FindAttributeValue(binding);
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
    const auto information = GetAttributeInformation(binding.attribute);
    const AttributeValue& given = *information.initialValue;
    const auto number = ToNumber(given);
    const std::string text = WriteAttribute(given, information.checker);
    if (IsGiven() && !m_isAdopted)
    {
        const Ptr<AttributeValue> own = FindAttributeValue(binding);
        const bool areEqual = own && (number ? ToNumber(*own) == number
                                             : WriteAttribute(*own, information.checker) == text);
        if (!areEqual)
        {
            throw UserError(
                fmt::format("argument --{}={} and attribute {} are both given and differ; give one "
                            "of them",
                            m_name,
                            ToText(GetValue()),
                            WriteGiven(binding.attribute)));
        }
        m_isAdopted = true;
        return;
    }
    m_isAdopted = true;
    if (auto* const* field = std::get_if<std::string*>(&m_field))
    {
        const auto choice =
            std::find_if(m_choices.begin(), m_choices.end(), [&](const ParameterChoice& one) {
                return one.attributeText == text;
            });
        **field = choice == m_choices.end() ? text : choice->text;
        return;
    }
    std::visit(
        [&](auto* field) {
            using T = std::decay_t<decltype(*field)>;
            if constexpr (!std::is_same<T, std::string>::value)
            {
                *field = static_cast<T>(number.value());
            }
        },
        m_field);
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
            throw UserError(fmt::format(
                "argument --{}={} and attribute {} are both given, but the attribute is computed "
                "from the argument; give one of them",
                m_name,
                ToText(GetValue()),
                WriteGiven(binding.attribute)));
        }
    }
}

} // namespace collab
} // namespace ns3
