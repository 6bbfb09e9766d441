/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-table-registry.h"

#include "ns3/abort.h"

#include <map>
#include <utility>

namespace ns3::collab
{

namespace
{

/**
 * @return what describes the tables of each algorithm
 *
 * In a function, so that it exists before the first registration, whichever source that is in.
 */
std::map<std::string, std::vector<TableRegistration::Describe>>&
GetRegistry()
{
    static std::map<std::string, std::vector<TableRegistration::Describe>> registry;
    return registry;
}

} // namespace

TableRegistration::TableRegistration(const std::string& algorithm, std::vector<Describe> tables)
{
    const bool isNew = GetRegistry().emplace(algorithm, std::move(tables)).second;
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
    std::vector<TableDescription> tables;
    for (const auto describe : found->second)
    {
        tables.push_back(describe());
    }
    return tables;
}

} // namespace ns3::collab
