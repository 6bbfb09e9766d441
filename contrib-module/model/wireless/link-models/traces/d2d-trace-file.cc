/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-trace-file.h"

#include "ns3/collab-error.h"
#include "ns3/collab-number.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <optional>

namespace ns3::collab
{

namespace
{

constexpr double LONGEST_S = 1e9; //!< greatest time, which nanoseconds can count

/// @param text any text
/// @return the text without blanks at its ends; carriage returns are there in files from Windows
std::string_view
Trim(std::string_view text)
{
    constexpr char BLANKS[] = " \t\r";
    text.remove_prefix(std::min(text.find_first_not_of(BLANKS), text.size()));
    text.remove_suffix(text.size() - (text.find_last_not_of(BLANKS) + 1));
    return text;
}

/// @param text a line
/// @param[out] cells gets its cells
void
Split(std::string_view text, std::vector<std::string_view>& cells)
{
    cells.clear();
    for (std::size_t begin = 0; begin <= text.size();)
    {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        cells.push_back(Trim(text.substr(begin, end - begin)));
        begin = end + 1;
    }
}

/// @param path path of the file
/// @param headers what its first line may be
/// @param line number of the line
/// @param cells of the line
/// @return which of them it is
std::size_t
FindHeader(const std::string& path,
           const std::vector<std::string>& headers,
           std::size_t line,
           const std::vector<std::string_view>& cells)
{
    std::string found;
    for (const auto& cell : cells)
    {
        found.append(found.empty() ? "" : ",").append(cell);
    }
    const auto header = std::find(headers.begin(), headers.end(), found);
    if (header == headers.end())
    {
        FailD2dTraceFile(
            path, line, fmt::format("found '{}', expected {}", found, fmt::join(headers, " or ")));
    }
    return static_cast<std::size_t>(header - headers.begin());
}

/// @param path path of the file
/// @param before time of the row before
/// @param row row whose time is to be read
/// @return its time
Time
ReadTime(const std::string& path, Time before, const D2dTraceRow& row)
{
    const double seconds = ParseNumber(row.cells[0]).value_or(-1);
    if (!(seconds >= 0 && seconds <= LONGEST_S))
    {
        FailD2dTraceFile(
            path,
            row.line,
            fmt::format("found time '{}', expected 0 to {:g} seconds", row.cells[0], LONGEST_S));
    }
    const Time time = Seconds(seconds);
    if (time < before)
    {
        FailD2dTraceFile(
            path,
            row.line,
            fmt::format("time goes back from {} to {} s", before.GetSeconds(), seconds));
    }
    return time;
}

} // namespace

void
FailD2dTraceFile(const std::string& path, std::size_t line, const std::string& problem)
{
    throw DataFileError(fmt::format("{}: line {}: {}", path, line, problem));
}

void
ReadD2dTraceFile(const std::string& path,
                 const std::vector<std::string>& headers,
                 const std::function<void(const D2dTraceRow&)>& take)
{
    std::ifstream file(path);
    if (!file)
    {
        throw DataFileError(fmt::format("{}: cannot be opened", path));
    }
    std::optional<std::size_t> columns;
    D2dTraceRow row;
    std::size_t rows = 0;
    for (std::string line; std::getline(file, line);)
    {
        ++row.line;
        const std::string_view text = Trim(line);
        if (text.empty() || text.front() == '#')
        {
            continue;
        }
        Split(text, row.cells);
        if (!columns)
        {
            row.header = FindHeader(path, headers, row.line, row.cells);
            columns = row.cells.size();
            continue;
        }
        if (row.cells.size() != *columns)
        {
            FailD2dTraceFile(path,
                             row.line,
                             fmt::format("found {} cells, expected {} as in {}",
                                         row.cells.size(),
                                         *columns,
                                         headers[row.header]));
        }
        row.time = ReadTime(path, row.time, row);
        take(row);
        ++rows;
    }
    if (file.bad() || rows == 0)
    {
        FailD2dTraceFile(path, row.line, "the file ends before its first row");
    }
}

} // namespace ns3::collab
