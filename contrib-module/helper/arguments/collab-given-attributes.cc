/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-given-attributes.h"

#include "ns3/boolean.h"
#include "ns3/collab-error.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cstdlib>
#include <fmt/format.h>
#include <sstream>
#include <vector>

namespace ns3
{
namespace collab
{

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
            "unknown type '{}' in attribute '--{}'; --PrintTypeIds lists them", typeName, name));
    }
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        if (type.GetAttribute(i).name == attribute)
        {
            return type.GetAttribute(i);
        }
    }
    const std::string declared = GetDeclaredName(type, attribute);
    if (!declared.empty())
    {
        throw UserError(
            fmt::format("type '{}' has the attribute '{}' from another type; give it as --{}",
                        typeName,
                        attribute,
                        declared));
    }
    std::vector<std::string> allowed;
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        allowed.push_back(type.GetAttribute(i).name);
    }
    throw UserError(fmt::format("type '{}' has no attribute '{}'; allowed are {}",
                                typeName,
                                attribute,
                                fmt::join(allowed, " ")));
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
        const auto information = GetAttributeInformation(name);
        const Ptr<AttributeValue> value = information.checker->CreateValidValue(StringValue(text));
        if (!value)
        {
            throw UserError(fmt::format("NS_ATTRIBUTE_DEFAULT: attribute '{}' cannot be '{}'; it "
                                        "is of type {} {}",
                                        name,
                                        text,
                                        information.checker->GetValueTypeName(),
                                        information.checker->GetUnderlyingTypeInformation()));
        }
        const auto write = [&](const AttributeValue& given) {
            return given.SerializeToString(information.checker);
        };
        if (IsAttributeGiven(name) && write(*value) != write(*information.initialValue))
        {
            throw UserError(fmt::format(
                "attribute --{}={} and the environment's NS_ATTRIBUTE_DEFAULT={}={} differ; give "
                "one of them",
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
        return time->Get().GetSeconds();
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

} // namespace collab
} // namespace ns3
