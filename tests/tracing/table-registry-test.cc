/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-table-registry.h"

#include <algorithm>
#include <gmock/gmock.h>

using namespace ns3::collab;
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

} // namespace

TEST(TableRegistryTest, AlgorithmsOfTheModuleHaveRegisteredByName)
{
    const auto names = GetAlgorithmsWithTables();
    EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
    EXPECT_THAT(names, IsSupersetOf({"committee", "federated", "gossip", "prediction-consensus"}));
    EXPECT_EQ(DescribeTablesOf("gossip")[0].name, "exchanges");
    EXPECT_EQ(DescribeTablesOf("gossip")[1].name, "pairs");
}

TEST(TableRegistryTest, WhatIsRegisteredIsListedInItsPlace)
{
    const TableRegistration coins("coins", {DescribeHeads, DescribeEdges});
    const auto names = GetAlgorithmsWithTables();
    EXPECT_EQ(std::count(names.begin(), names.end(), "coins"), 1);
    EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
    ASSERT_EQ(DescribeTablesOf("coins").size(), 2U);
    EXPECT_EQ(DescribeTablesOf("coins")[1].name, "edges");
}

TEST(TableRegistryDeathTest, NamesAreUniqueAndKnown)
{
    EXPECT_DEATH(TableRegistration("gossip", {DescribeHeads}),
                 "tables of gossip are registered already");
    EXPECT_DEATH(DescribeTablesOf("rumor"), "no tables of rumor registered");
}
