/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scenario-checks.h"

#include "ns3/collab-given-attributes.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <sstream>

using namespace ns3::collab;

void
RequireOneOf(const std::string& name,
             const std::string& value,
             const std::vector<std::string>& allowed)
{
    if (std::find(allowed.begin(), allowed.end(), value) == allowed.end())
    {
        throw UserError(fmt::format("argument --{}={} is not allowed; allowed are {}",
                                    name,
                                    value,
                                    fmt::join(allowed, ", ")));
    }
}

void
RefuseAttribute(const std::string& attribute, const std::string& instead)
{
    if (IsAttributeGiven(attribute))
    {
        throw UserError(fmt::format("attribute --{} is not allowed here; {}", attribute, instead));
    }
}

std::optional<std::string>
FindAfter(const std::string& given, const std::string& prefix)
{
    return given.rfind(prefix, 0) == 0 ? std::optional(given.substr(prefix.size())) : std::nullopt;
}

std::vector<std::string>
SplitList(const std::string& list, char separator)
{
    std::vector<std::string> items;
    std::istringstream stream(list);
    for (std::string item; std::getline(stream, item, separator);)
    {
        items.push_back(item);
    }
    return items;
}

std::optional<std::string>
FindFile(const std::string& given)
{
    return FindAfter(given, "file:");
}
