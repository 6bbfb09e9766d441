/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-table-registry.h"

#include <algorithm>
#include <gmock/gmock.h>

using namespace ns3::collab;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsSupersetOf;

namespace
{

TableDescription
DescribeHeads()
{
    return {"heads", "a coin that fell", {}};
}

TableDescription
DescribeEdges()
{
    return {"edges", "a coin that did not", {}};
}

/// Matches a table of a name
auto
IsTable(const std::string& name)
{
    return Field(&TableDescription::name, name);
}

} // namespace

TEST(TableRegistryTest, AlgorithmsOfTheModuleHaveRegisteredByName)
{
    const auto names = GetAlgorithmsWithTables();
    EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
    EXPECT_THAT(names, IsSupersetOf({"committee", "federated", "gossip", "prediction-consensus"}));
    EXPECT_THAT(DescribeTablesOf("gossip"), ElementsAre(IsTable("exchanges"), IsTable("pairs")));
}

TEST(TableRegistryTest, WhatIsRegisteredIsListedInItsPlace)
{
    const TableRegistration coins("coins", {DescribeHeads, DescribeEdges});
    const auto names = GetAlgorithmsWithTables();
    EXPECT_EQ(std::count(names.begin(), names.end(), "coins"), 1);
    EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
    EXPECT_THAT(DescribeTablesOf("coins"), ElementsAre(IsTable("heads"), IsTable("edges")));
}

TEST(TableRegistryDeathTest, NamesAreUniqueAndKnown)
{
    EXPECT_DEATH(TableRegistration("gossip", {DescribeHeads}),
                 "tables of gossip are registered already");
    EXPECT_DEATH(DescribeTablesOf("rumor"), "no tables of rumor registered");
}
