/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-parameter-attribute.h"

#include "collab-given-attributes.h"

#include "ns3/boolean.h"
#include "ns3/collab-changed-attributes.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/string.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <sstream>

namespace ns3::collab
{

namespace
{

/// @param name of an enumerator, such as BestEffort
/// @return what users call it, best-effort; as it is if it has no small letter
std::string
WriteChoice(const std::string& name)
{
    if (std::none_of(name.begin(), name.end(), [](unsigned char c) { return std::islower(c); }))
    {
        return name;
    }
    std::string text;
    for (const unsigned char c : name)
    {
        if (std::isupper(c) && !text.empty())
        {
            text += '-';
        }
        text += static_cast<char>(std::tolower(c));
    }
    return text;
}

/// @brief Take the unit out of a help, such as "Energy [J]."
/// @param[in,out] help of an attribute; loses the unit, and the dot at its end
/// @return the unit; empty if there is none
std::string
TakeUnit(std::string& help)
{
    std::string unit;
    const std::size_t open = help.find(" [");
    const std::size_t close = help.find(']', open);
    if (open != std::string::npos && close != std::string::npos)
    {
        unit = help.substr(open + 2, close - open - 2);
        help.erase(open, close - open + 1);
    }
    if (!help.empty() && help.back() == '.')
    {
        help.pop_back();
    }
    return unit;
}

/// @param type of numbers, such as uint32_t, double or Time
/// @return the greatest one, or a little less; of a Time in seconds
double
GetGreatest(const std::string& type)
{
    const std::size_t digit = type.find_first_of("0123456789");
    if (digit == std::string::npos)
    {
        return type == "Time" ? 9.2e9 : 1.79e308; // as a Time is in ns
    }
    const int bits = std::stoi(type.substr(digit));
    return std::ldexp(1.0, type[0] == 'u' ? bits : bits - 1) - 1;
}

/// @brief Read a range as a checker writes it, such as "double 0:1" or "Time +1ns:+9.2e+18ns".
/// @param information that the checker has
/// @return the range, of a Time in seconds; bounds that are those of the type are none
ParameterRange
ReadRange(const std::string& information)
{
    ParameterRange range;
    const std::size_t blank = information.find(' ');
    const std::size_t colon = information.find(':', blank);
    if (blank == std::string::npos || colon == std::string::npos)
    {
        return range;
    }
    const std::string type = information.substr(0, blank);
    const double scale = type == "Time" ? 1e9 : 1;
    const double min = std::strtod(information.c_str() + blank, nullptr) / scale;
    const double max = std::strtod(information.c_str() + colon + 1, nullptr) / scale;
    const bool hasMax = max < GetGreatest(type);
    const bool hasMin = type[0] == 'u' ? min > 0 || hasMax : min > -GetGreatest(type);
    if (hasMin)
    {
        range.SetMin(min, false);
    }
    if (hasMax)
    {
        range.SetMax(max, false);
    }
    return range;
}

/// @param value of an attribute
/// @param checker its checker
/// @return the value, a number or flag of the type that the attribute has; else nothing
std::optional<ParameterValue>
ReadNumber(const AttributeValue& value, const AttributeChecker& checker)
{
    const auto number = ToNumber(value);
    if (!number)
    {
        return std::nullopt;
    }
    const std::string type = checker.GetValueTypeName();
    if (dynamic_cast<const BooleanValue*>(&value))
    {
        return *number != 0;
    }
    if (type == "ns3::UintegerValue")
    {
        const bool isLong = checker.GetUnderlyingTypeInformation().rfind("uint64_t", 0) == 0;
        return isLong ? ParameterValue(static_cast<uint64_t>(*number))
                      : ParameterValue(static_cast<uint32_t>(*number));
    }
    if (type == "ns3::IntegerValue")
    {
        return static_cast<int64_t>(*number);
    }
    return *number;
}

} // namespace

ParameterDescription
DescribeAttribute(const std::string& attribute)
{
    const auto information = GetAttributeInformation(attribute);
    const AttributeChecker& checker = *information.checker;
    const std::string type = checker.GetValueTypeName();
    const std::string values = checker.GetUnderlyingTypeInformation();
    ParameterDescription about;
    about.help = information.help;
    about.unit = TakeUnit(about.help);
    if (type == "ns3::TimeValue")
    {
        about.unit = "s";
    }
    if (type.rfind("ns3::EnumValue", 0) == 0)
    {
        std::istringstream names(values);
        for (std::string name; std::getline(names, name, '|');)
        {
            about.choices.emplace_back(WriteChoice(name), name);
        }
    }
    about.initial = ReadAttributeValue(attribute, *information.originalInitialValue, about.choices);
    if (!std::holds_alternative<std::string>(about.initial))
    {
        about.range = ReadRange(values);
    }
    about.isClosed = !about.choices.empty();
    return about;
}

Ptr<AttributeValue>
MakeAttributeValue(const std::string& attribute,
                   const ParameterValue& value,
                   const std::vector<ParameterChoice>& choices)
{
    const Ptr<const AttributeChecker> checker = GetAttributeInformation(attribute).checker;
    const std::string type = checker->GetValueTypeName();
    if (const auto* text = std::get_if<std::string>(&value))
    {
        const auto choice =
            std::find_if(choices.begin(), choices.end(), [text](const ParameterChoice& one) {
                return one.text == *text;
            });
        const std::string& named = choice == choices.end() ? *text : choice->attributeText;
        return IsAccepted(*checker, named) ? checker->CreateValidValue(StringValue(named))
                                           : nullptr;
    }
    if (type == "ns3::TimeValue")
    {
        return checker->CreateValidValue(TimeValue(Seconds(ToNumber(value))));
    }
    if (type == "ns3::DoubleValue")
    {
        return checker->CreateValidValue(DoubleValue(ToNumber(value)));
    }
    return checker->CreateValidValue(StringValue(ToText(value)));
}

ParameterValue
ReadAttributeValue(const std::string& attribute,
                   const AttributeValue& value,
                   const std::vector<ParameterChoice>& choices)
{
    const Ptr<const AttributeChecker> checker = GetAttributeInformation(attribute).checker;
    if (const auto number = ReadNumber(value, *checker))
    {
        return *number;
    }
    const std::string text = WriteAttribute(value, checker);
    const auto choice =
        std::find_if(choices.begin(), choices.end(), [&text](const ParameterChoice& one) {
            return one.attributeText == text;
        });
    return choice == choices.end() ? text : choice->text;
}

} // namespace ns3::collab
