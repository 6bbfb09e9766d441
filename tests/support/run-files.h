/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SUPPORT_RUN_FILES_H
#define SUPPORT_RUN_FILES_H

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sqlite3.h>
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

/// A table as text, the names of its columns first; numbers as CSV files have them
using TableRows = std::vector<std::vector<std::string>>;

/// @param line of a CSV file
/// @return its cells
inline std::vector<std::string>
SplitCsvLine(const std::string& line)
{
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i)
    {
        if (quoted && line.compare(i, 2, "\"\"") == 0)
        {
            cells.back() += line[i++];
        }
        else if (line[i] == '"')
        {
            quoted = !quoted;
        }
        else if (line[i] == ',' && !quoted)
        {
            cells.emplace_back();
        }
        else
        {
            cells.back() += line[i];
        }
    }
    return cells;
}

/// @param path of a CSV file
/// @return its rows
inline TableRows
ReadCsvRows(const std::string& path)
{
    std::ifstream file(path);
    TableRows rows;
    for (std::string line; std::getline(file, line);)
    {
        rows.push_back(SplitCsvLine(line));
    }
    return rows;
}

/// @param statement at a row
/// @param column number of a column
/// @return the cell
inline std::string
GetCell(sqlite3_stmt* statement, int column)
{
    switch (sqlite3_column_type(statement, column))
    {
    case SQLITE_NULL:
        return "nan";
    case SQLITE_FLOAT:
        return fmt::format("{}", sqlite3_column_double(statement, column));
    default:
        return reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
    }
}

/// @param path of a SQLite file
/// @param table name of a table of it
/// @return its rows, in the order in which they were written
/// @throws std::runtime_error if they cannot be read
inline TableRows
ReadSqliteRows(const std::string& path, const std::string& table)
{
    sqlite3* database = nullptr;
    sqlite3_stmt* statement = nullptr;
    const std::string sql = "SELECT * FROM \"" + table + "\" ORDER BY rowid";
    sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READWRITE, nullptr);
    sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr);
    TableRows rows(1);
    for (int i = 0; i < sqlite3_column_count(statement); ++i)
    {
        rows[0].emplace_back(sqlite3_column_name(statement, i));
    }
    while (sqlite3_step(statement) == SQLITE_ROW)
    {
        rows.emplace_back();
        for (int i = 0; i < sqlite3_column_count(statement); ++i)
        {
            rows.back().push_back(GetCell(statement, i));
        }
    }
    const std::string error = sqlite3_errmsg(database);
    const bool failed = sqlite3_finalize(statement) != SQLITE_OK || rows[0].empty();
    sqlite3_close(database);
    if (failed)
    {
        throw std::runtime_error(path + ": " + error);
    }
    return rows;
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
