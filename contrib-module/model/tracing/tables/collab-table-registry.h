/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TABLE_REGISTRY_H
#define COLLAB_TABLE_REGISTRY_H

#include "collab-table.h"

#include <string>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-tracing
 * @brief Makes the tables of an algorithm known, so that the documentation lists them.
 *
 * A recorder has one at namespace scope of its source file:
 *
 *     static const TableRegistration g_tables(
 *         "gossip", {DescribeTable<GossipExchange>, DescribeTable<GossipPairRow>});
 */
class TableRegistration
{
  public:
    /// Describes a table, such as DescribeTable() of a struct does
    using Describe = TableDescription (*)();

    /// @param algorithm its folder's name, which must not be registered yet: a second registration
    /// ends the program
    /// @param tables that it records besides those of RunRecorder
    TableRegistration(const std::string& algorithm, std::vector<Describe> tables);
};

/// @ingroup collab-tracing
/// @return names of the algorithms that have registered tables, in alphabetical order
std::vector<std::string> GetAlgorithmsWithTables();

/// @ingroup collab-tracing
/// @param algorithm one of GetAlgorithmsWithTables(); another one ends the program
/// @return its tables, in its order
std::vector<TableDescription> DescribeTablesOf(const std::string& algorithm);

} // namespace ns3::collab

#endif /* COLLAB_TABLE_REGISTRY_H */
