/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Prints the tables of all attributes and trace sources of the module as reStructuredText: see
 * write_appendices.py.
 */

#include "rst-table.h"

#include "ns3/nstime.h"
#include "ns3/object-ptr-container.h"
#include "ns3/pointer.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <iostream>
#include <ostream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using tests::Escape;
using tests::Literal;
using tests::PrintHead;
using tests::PrintRow;

namespace
{

/// All types of the module by name
std::vector<TypeId>
CollabTypes()
{
    std::vector<TypeId> types;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        if (TypeId::GetRegistered(i).GetGroupName() == "Collab")
        {
            types.push_back(TypeId::GetRegistered(i));
        }
    }
    std::sort(types.begin(), types.end(), [](const TypeId& a, const TypeId& b) {
        return a.GetName() < b.GetName();
    });
    return types;
}

/// A time in the largest unit in which it is a whole number
std::string
Write(Time time)
{
    static const std::vector<std::pair<int64_t, std::string>> units = {
        {1000000000, "s"}, {1000000, "ms"}, {1000, "us"}};
    for (const auto& [nanoseconds, name] : units)
    {
        if (time.GetNanoSeconds() % nanoseconds == 0)
        {
            return std::to_string(time.GetNanoSeconds() / nanoseconds) + " " + name;
        }
    }
    return std::to_string(time.GetNanoSeconds()) + " ns";
}

/// The default of an attribute; none for one that is only read
std::string
Default(const TypeId::AttributeInformation& attribute)
{
    if (attribute.flags == TypeId::ATTR_GET)
    {
        return "read only";
    }
    if (dynamic_cast<const PointerValue*>(PeekPointer(attribute.originalInitialValue)))
    {
        return "none";
    }
    if (const auto* time =
            dynamic_cast<const TimeValue*>(PeekPointer(attribute.originalInitialValue)))
    {
        return Literal(Write(time->Get()));
    }
    return Literal(attribute.originalInitialValue->SerializeToString(attribute.checker));
}

/// What an attribute means, with the names that it may have if it is one of several
std::string
Meaning(const TypeId::AttributeInformation& attribute, const std::string& help)
{
    if (attribute.checker->GetValueTypeName().rfind("ns3::EnumValue", 0) != 0)
    {
        return Escape(help);
    }
    std::istringstream names(attribute.checker->GetUnderlyingTypeInformation());
    std::string list;
    for (std::string name; std::getline(names, name, '|');)
    {
        list += (list.empty() ? "" : ", ") + Literal(name);
    }
    return Escape(help) + " One of " + list + ".";
}

void
PrintAttributes(std::ostream& os, TypeId type)
{
    std::string inherited;
    TypeId parent = type.GetParent();
    while (parent.GetGroupName() == "Collab" && parent.GetAttributeN() == 0)
    {
        parent = parent.GetParent(); // such as LearningApplication
    }
    if (parent.GetGroupName() == "Collab" && parent.GetAttributeN() > 0)
    {
        inherited = "It has the attributes of " + Literal(parent.GetName()) + " as well.";
    }
    PrintHead(os, type.GetName(), inherited, "24 22 12 42", {"Name", "Default", "Unit", "Meaning"});
    static const std::regex bracket(" \\[([^\\]]+)\\]");
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        const TypeId::AttributeInformation attribute = type.GetAttribute(i);
        std::smatch found;
        std::string unit;
        if (std::regex_search(attribute.help, found, bracket))
        {
            unit = found[1];
        }
        else if (attribute.checker->GetValueTypeName() == "ns3::TimeValue")
        {
            unit = "time";
        }
        PrintRow(os,
                 {Literal(attribute.name),
                  Default(attribute),
                  unit,
                  Meaning(attribute, std::regex_replace(attribute.help, bracket, ""))});
    }
}

void
PrintTraces(std::ostream& os, TypeId type)
{
    PrintHead(os, type.GetName(), "", "18 40 42", {"Name", "Signature", "Meaning"});
    static const std::regex scope("^ns3::(collab::)?");
    for (std::size_t i = 0; i < type.GetTraceSourceN(); ++i)
    {
        const TypeId::TraceSourceInformation trace = type.GetTraceSource(i);
        PrintRow(os,
                 {Literal(trace.name),
                  Literal(std::regex_replace(trace.callback, scope, "")),
                  Escape(trace.help)});
    }
}

/// All tables
std::string
Print()
{
    std::ostringstream os;
    os << "Attributes\n----------\n\nEvery attribute of the module, by TypeId.\n";
    for (const TypeId& type : CollabTypes())
    {
        if (type.GetAttributeN() > 0)
        {
            PrintAttributes(os, type);
        }
    }
    os << "\nTrace Sources\n-------------\n\n"
          "Every trace source of the module, by TypeId. The signature is a type of the class that "
          "it names,\nwhere the arguments are documented.\n";
    for (const TypeId& type : CollabTypes())
    {
        if (type.GetTraceSourceN() > 0)
        {
            PrintTraces(os, type);
        }
    }
    return os.str();
}

} // namespace

int
main()
{
    std::cout << Print();
    return 0;
}
