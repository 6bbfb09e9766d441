/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-table-registry.h"

#include "ns3/abort.h"

#include <map>

namespace ns3
{
namespace collab
{

namespace
{

/**
 * @return what makes the tables of each algorithm
 *
 * In a function, so that it exists before the first registration, whichever source that is in.
 */
std::map<std::string, std::function<std::vector<TableDescription>()>>&
GetRegistry()
{
    static std::map<std::string, std::function<std::vector<TableDescription>()>> registry;
    return registry;
}

} // namespace

TableRegistration::TableRegistration(const std::string& algorithm, Describe describe)
{
    const bool isNew = GetRegistry().emplace(algorithm, describe).second;
    NS_ABORT_MSG_UNLESS(isNew, "tables of " << algorithm << " are registered already");
}

TableRegistration::TableRegistration(const std::string& algorithm,
                                     std::initializer_list<DescribeOne> tables)
{
    const auto describe = [tables = std::vector<DescribeOne>(tables)]() {
        std::vector<TableDescription> all;
        for (const auto table : tables)
        {
            all.push_back(table());
        }
        return all;
    };
    const bool isNew = GetRegistry().emplace(algorithm, describe).second;
    NS_ABORT_MSG_UNLESS(isNew, "tables of " << algorithm << " are registered already");
}

std::vector<std::string>
GetAlgorithmsWithTables()
{
    std::vector<std::string> names;
    for (const auto& entry : GetRegistry())
    {
        names.push_back(entry.first);
    }
    return names;
}

std::vector<TableDescription>
DescribeTablesOf(const std::string& algorithm)
{
    const auto found = GetRegistry().find(algorithm);
    NS_ABORT_MSG_IF(found == GetRegistry().end(), "no tables of " << algorithm << " registered");
    return found->second();
}

} // namespace collab
} // namespace ns3
