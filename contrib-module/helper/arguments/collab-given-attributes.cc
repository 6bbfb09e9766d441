/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-given-attributes.h"

#include "collab-nearest-name.h"
#include "collab-number-text.h"

#include "ns3/boolean.h"
#include "ns3/collab-changed-attributes.h"
#include "ns3/collab-check-argument.h"
#include "ns3/collab-error.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

namespace ns3::collab
{

namespace
{

/// @param text a value as given
/// @return whether it is a number followed by one of ns-3's units of time, or by none
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

/// @brief Look a name up before ns-3 does: in newer versions an unknown one ends the program in
/// builds with assertions.
/// @param checker checker of an enumeration
/// @param text a value as given
/// @return whether it is the name of one of its values
bool
IsEnumerator(const AttributeChecker& checker, const std::string& text)
{
    const std::string names = fmt::format("|{}|", checker.GetUnderlyingTypeInformation());
    return text.find('|') == std::string::npos &&
           names.find(fmt::format("|{}|", text)) != std::string::npos;
}

/**
 * @brief Find the seconds that a time was made from.
 *
 * ns-3 cuts off what is below a nanosecond, and 7.3 s become 7299999999 ns.
 *
 * @param time some time
 * @return the number with the shortest text of which ns-3 makes this time
 */
double
ToSeconds(Time time)
{
    const auto nanoseconds = static_cast<double>(time.GetNanoSeconds());
    const double exact = nanoseconds / 1e9;
    const double next = (nanoseconds + 1) / 1e9;
    const bool isNext =
        Seconds(next) == time && (Seconds(exact) != time ||
                                  fmt::format("{}", next).size() < fmt::format("{}", exact).size());
    return isNext ? next : exact;
}

/// @param information information of an attribute
/// @param type type that it is of
/// @param text a value as given
/// @throws UserError if it cannot have it
void
CheckValue(const TypeId::AttributeInformation& information,
           const std::string& type,
           const std::string& text)
{
    Require<UserError>(information.flags & TypeId::ATTR_CONSTRUCT,
                       "attribute '{}' of '{}' cannot be given: it has no default",
                       information.name,
                       type);
    std::string fault;
    if (const auto* pointer = dynamic_cast<const PointerChecker*>(PeekPointer(information.checker)))
    {
        fault = FindObjectFault(pointer->GetPointeeTypeId(), text);
    }
    else if (!IsAccepted(*information.checker, text))
    {
        fault = fmt::format("it is of type {} {}",
                            information.checker->GetValueTypeName(),
                            information.checker->GetUnderlyingTypeInformation());
    }
    Require<UserError>(fault.empty(),
                       "attribute '{}' of '{}' cannot be '{}'; {}",
                       information.name,
                       type,
                       text,
                       fault);
}

/// @param type type of an object
/// @param item what is given of it, Name=value
/// @throws UserError if it has no such attribute, or that cannot have the value
void
CheckItem(TypeId type, const std::string& item)
{
    const std::size_t equals = item.find('=');
    TypeId::AttributeInformation information;
    Require<UserError>(
        equals != std::string::npos &&
            type.LookupAttributeByName(item.substr(0, equals), &information),
        "'{}' is no attribute of '{}' with its value, as in Type[Name=value|Name=value]",
        item,
        type.GetName());
    CheckValue(information, type.GetName(), item.substr(equals + 1));
}

/// @param name name of a type that there is not
/// @return whether another one was meant, and how to list all
std::string
AskForType(const std::string& name)
{
    std::vector<std::string> names;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        names.push_back(TypeId::GetRegistered(i).GetName());
    }
    return AskFor(FindNearest(name, std::move(names)), ";") + " --PrintTypeIds lists them";
}

/// @param type type of an object
/// @return names of all its attributes, its own and inherited ones
std::vector<std::string>
ListAttributes(TypeId type)
{
    std::vector<std::string> names;
    for (;; type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            names.push_back(type.GetAttribute(i).name);
        }
        if (!type.HasParent())
        {
            return names;
        }
    }
}

/// @param type type that has no such attribute
/// @param name name of the attribute that there is not
/// @return whether another one was meant and how to list all, or else those of the type
std::string
AskForAttribute(TypeId type, const std::string& name)
{
    std::vector<std::string> nearest = FindNearest(name, ListAttributes(type));
    for (std::string& near : nearest)
    {
        near = "--" + GetDeclaredName(type, near);
    }
    std::vector<std::string> allowed;
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        allowed.push_back(type.GetAttribute(i).name);
    }
    const std::string list = fmt::format(" --PrintAttributes={} lists all", type.GetName());
    return nearest.empty() ? fmt::format("; allowed are {}", fmt::join(allowed, " "))
                           : AskFor(nearest, "") + list;
}

} // namespace

std::string
FindObjectFault(TypeId base, const std::string& text)
{
    const std::size_t open = text.find('[');
    const std::string name = text.substr(0, open);
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(name, &type))
    {
        return fmt::format("'{}' is no type{}", name, AskForType(name));
    }
    if ((type != base && !type.IsChildOf(base)) || !type.HasConstructor())
    {
        return fmt::format("'{}' is no type of objects that are a {}", name, base.GetName());
    }
    if (open == std::string::npos)
    {
        return "";
    }
    const std::string items = text.substr(open + 1, text.size() - open - 2);
    if (text.back() != ']' || items.find_first_of("[] \t\n") != std::string::npos)
    {
        return "an object is Type[Name=value|Name=value], without brackets or spaces in values";
    }
    std::istringstream list(items);
    for (std::string item; std::getline(list, item, '|');)
    {
        try
        {
            CheckItem(type, item);
        }
        catch (const UserError& error)
        {
            return error.what();
        }
    }
    return "";
}

bool
IsAccepted(const AttributeChecker& checker, const std::string& text)
{
    if (const auto* pointer = dynamic_cast<const PointerChecker*>(&checker))
    {
        return FindObjectFault(pointer->GetPointeeTypeId(), text).empty();
    }
    const std::string type = checker.GetValueTypeName();
    const bool readable = (type != "ns3::UintegerValue" || IsNumberText<uint64_t>(text)) &&
                          (type != "ns3::IntegerValue" || IsNumberText<int64_t>(text)) &&
                          (type != "ns3::DoubleValue" || IsNumberText<double>(text)) &&
                          (type != "ns3::TimeValue" || IsTime(text)) &&
                          (type.rfind("ns3::EnumValue", 0) != 0 || IsEnumerator(checker, text));
    return readable && checker.CreateValidValue(StringValue(text));
}

std::string
GetDeclaredName(TypeId type, const std::string& name)
{
    for (;;)
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            if (type.GetAttribute(i).name == name)
            {
                return type.GetAttributeFullName(i);
            }
        }
        if (!type.HasParent())
        {
            return "";
        }
        type = type.GetParent();
    }
}

TypeId::AttributeInformation
GetAttributeInformation(const std::string& name)
{
    const std::size_t separator = name.rfind("::");
    const std::string typeName = name.substr(0, separator);
    const std::string attribute = separator == std::string::npos ? "" : name.substr(separator + 2);
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(typeName, &type))
    {
        throw UserError(fmt::format(
            "unknown type '{}' in attribute '--{}'{}", typeName, name, AskForType(typeName)));
    }
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        if (type.GetAttribute(i).name == attribute)
        {
            return type.GetAttribute(i);
        }
    }
    const std::string declared = GetDeclaredName(type, attribute);
    Require<UserError>(declared.empty(),
                       "type '{}' has the attribute '{}' from another type; give it as --{}",
                       typeName,
                       attribute,
                       declared);
    throw UserError(fmt::format("type '{}' has no attribute '{}'{}",
                                typeName,
                                attribute,
                                AskForAttribute(type, attribute)));
}

void
CheckGivenAttribute(const std::string& name, const std::string& text)
{
    const auto information = GetAttributeInformation(name);
    CheckValue(information, name.substr(0, name.rfind("::")), text);
}

bool
IsAttributeGiven(const std::string& name)
{
    // Whoever gives a default puts another object there, even if it holds an equal value
    const auto information = GetAttributeInformation(name);
    return information.initialValue != information.originalInitialValue;
}

void
ImportAttributeEnvironment()
{
    const char* variable = std::getenv("NS_ATTRIBUTE_DEFAULT");
    std::istringstream list(variable ? variable : "");
    for (std::string item; std::getline(list, item, ';');)
    {
        const std::size_t equals = item.find('=');
        const std::string name = item.substr(0, equals);
        const std::string text = equals == std::string::npos ? "" : item.substr(equals + 1);
        CheckGivenAttribute(name, text);
        const auto information = GetAttributeInformation(name);
        const Ptr<AttributeValue> value = information.checker->CreateValidValue(StringValue(text));
        const auto write = [&](const AttributeValue& given) {
            return WriteAttribute(given, information.checker);
        };
        const bool areEqual = write(*value) == write(*information.initialValue) &&
                              ToNumber(*value) == ToNumber(*information.initialValue);
        if (IsAttributeGiven(name) && !areEqual)
        {
            throw UserError(fmt::format("attribute --{}={} and the environment's "
                                        "NS_ATTRIBUTE_DEFAULT={}={} differ; give one of them",
                                        name,
                                        write(*information.initialValue),
                                        name,
                                        text));
        }
        Config::SetDefault(name, *value);
    }
}

void
SetUnlessGiven(ObjectFactory& factory, const std::string& name, const AttributeValue& value)
{
    const std::string declared = GetDeclaredName(factory.GetTypeId(), name);
    if (declared.empty() || !IsAttributeGiven(declared))
    {
        factory.Set(name, value); // which tells a name that is none
    }
}

void
SetDefaultUnlessGiven(const std::string& name, const AttributeValue& value)
{
    if (!IsAttributeGiven(name))
    {
        Config::SetDefault(name, value); // which tells a name that is none
    }
}

std::optional<double>
ToNumber(const AttributeValue& value)
{
    if (const auto* number = dynamic_cast<const DoubleValue*>(&value))
    {
        return number->Get();
    }
    if (const auto* number = dynamic_cast<const UintegerValue*>(&value))
    {
        return static_cast<double>(number->Get());
    }
    if (const auto* number = dynamic_cast<const IntegerValue*>(&value))
    {
        return static_cast<double>(number->Get());
    }
    if (const auto* time = dynamic_cast<const TimeValue*>(&value))
    {
        return ToSeconds(time->Get());
    }
    if (const auto* flag = dynamic_cast<const BooleanValue*>(&value))
    {
        return flag->Get() ? 1 : 0;
    }
    return std::nullopt;
}

double
GetGivenNumber(const std::string& name)
{
    return ToNumber(*GetAttributeInformation(name).initialValue).value();
}

} // namespace ns3::collab
