/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Prints the columns of all tables that runs write, as reStructuredText: see write_appendices.py.
 * `rounds` has the columns of prediction consensus. Algorithms register their tables.
 */

#include "rst-table.h"

#include "ns3/collab-run-recorder.h"
#include "ns3/collab-table-registry.h"
#include "ns3/collab-table-store.h"
#include "ns3/prediction-consensus-application.h"

#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::collab;

namespace
{

/// The tables that all runs have, those of each algorithm by its name, and the one that describes
/// all of them
std::vector<TableDescription>
DescribeTables()
{
    auto application = CreateObject<PredictionConsensusApplication>();
    for (const std::string name : {"reference", "local", "global"})
    {
        application->AddEvaluation(name, nullptr);
    }
    auto tables = DescribeRunTables(application->GetRoundMetrics());
    for (const auto& algorithm : GetAlgorithmsWithTables())
    {
        for (auto& table : DescribeTablesOf(algorithm))
        {
            tables.push_back(std::move(table));
        }
    }
    tables.push_back(DescribeTable<ColumnRow>());
    return tables;
}

/// All tables
std::string
Print()
{
    std::ostringstream os;
    for (const auto& table : DescribeTables())
    {
        tests::PrintHead(os,
                         table.name,
                         "A row is " + tests::Escape(table.meaning) + ".",
                         "26 10 8 56",
                         {"Column", "Type", "Unit", "Meaning"});
        for (const auto& column : table.columns)
        {
            tests::PrintRow(os,
                            {tests::Literal(column.name),
                             ToString(column.type),
                             column.unit,
                             tests::Escape(column.meaning)});
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
