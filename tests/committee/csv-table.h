/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMITTEE_CSV_TABLE_H
#define COMMITTEE_CSV_TABLE_H

#include "ns3/collab-build-versions.h"

#include <fstream>
#include <string>
#include <vector>

namespace tests
{

/**
 * @brief Write a table of the documentation, which names the commit of the program.
 * @param file to be written
 * @param note what made the table
 * @param rows cells, the first row those of its head; a cell with a comma is quoted
 */
inline void
WriteCsvTable(const std::string& file,
              const std::string& note,
              const std::vector<std::vector<std::string>>& rows)
{
    std::ofstream os(file);
    os << "# " << note << "; commit " << ns3::collab::GetBuildVersions().at("commit") << '\n';
    for (const auto& row : rows)
    {
        std::string separator;
        for (const auto& cell : row)
        {
            const bool isQuoted = cell.find(',') != std::string::npos;
            os << separator << (isQuoted ? '"' + cell + '"' : cell);
            separator = ",";
        }
        os << '\n';
    }
}

} // namespace tests

#endif /* COMMITTEE_CSV_TABLE_H */
