/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SUPPORT_RUN_FILES_H
#define SUPPORT_RUN_FILES_H

#include "support/table-rows.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace tests
{

/// @param path of a file
/// @return its contents; nothing if it is not there
inline std::string
ReadFile(const std::filesystem::path& path)
{
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// @param run folder of a run
/// @param table name of one of its tables
/// @param column of the table
/// @return the column, as numbers
inline std::vector<double>
ReadColumn(const std::filesystem::path& run, const std::string& table, const std::string& column)
{
    const auto rows = ReadCsvRows(run / (table + ".csv"));
    const auto place = std::find(rows.at(0).begin(), rows.at(0).end(), column);
    if (place == rows[0].end())
    {
        throw std::runtime_error(table + " has no column " + column);
    }
    std::vector<double> values;
    for (std::size_t i = 1; i < rows.size(); ++i)
    {
        values.push_back(std::stod(rows[i].at(place - rows[0].begin())));
    }
    return values;
}

} // namespace tests

#endif /* SUPPORT_RUN_FILES_H */
