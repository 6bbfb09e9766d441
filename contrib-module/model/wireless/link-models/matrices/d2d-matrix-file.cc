/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-matrix-file.h"

#include "ns3/collab-error.h"
#include "ns3/collab-number.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <locale>
#include <optional>
#include <sstream>

namespace ns3::collab
{

namespace
{

/// What counts as blank; carriage returns are there in files from Windows
constexpr char BLANKS[] = " \t\r";

/// @param text any text
/// @return the text without blanks at its ends
std::string
Trim(const std::string& text)
{
    const std::size_t first = text.find_first_not_of(BLANKS);
    return first == std::string::npos
               ? ""
               : text.substr(first, text.find_last_not_of(BLANKS) + 1 - first);
}

/// @param path path of the file, for errors
/// @param line number of the line, for errors
/// @param text text of the line
/// @return its numbers
std::vector<double>
ParseRow(const std::string& path, std::size_t line, const std::string& text)
{
    std::vector<double> row;
    for (std::size_t begin = 0; begin <= text.size();)
    {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string cell = Trim(text.substr(begin, end - begin));
        const std::optional<double> number = ParseNumber(cell);
        if (!number || !std::isfinite(*number))
        {
            throw DataFileError(fmt::format("{}: line {}, column {}: found '{}', expected a finite "
                                            "number",
                                            path,
                                            line,
                                            row.size() + 1,
                                            cell));
        }
        row.push_back(*number);
        begin = end + 1;
    }
    return row;
}

} // namespace

D2dMatrixFile
ReadD2dRowsFile(const std::string& path)
{
    std::ifstream file(path);
    if (!file)
    {
        throw DataFileError(fmt::format("{}: cannot be opened", path));
    }
    D2dMatrixFile matrix;
    std::string text;
    for (std::size_t line = 1; std::getline(file, text); ++line)
    {
        text = Trim(text);
        if (text.empty() || text.front() == '#')
        {
            continue;
        }
        matrix.values.push_back(ParseRow(path, line, text));
        matrix.lines.push_back(line);
        if (matrix.values.back().size() != matrix.values.front().size())
        {
            throw DataFileError(
                fmt::format("{}: line {}: found {} numbers, expected {} as in line {}",
                            path,
                            line,
                            matrix.values.back().size(),
                            matrix.values.front().size(),
                            matrix.lines.front()));
        }
    }
    if (file.bad())
    {
        throw DataFileError(fmt::format("{}: cannot be read", path));
    }
    return matrix;
}

D2dMatrixFile
ReadD2dMatrixFile(const std::string& path)
{
    D2dMatrixFile matrix = ReadD2dRowsFile(path);
    if (matrix.values.empty() || matrix.values.size() != matrix.values.front().size())
    {
        throw DataFileError(
            fmt::format("{}: line {}: found {} rows of {} numbers, expected a square matrix",
                        path,
                        matrix.lines.empty() ? 1 : matrix.lines.back(),
                        matrix.values.size(),
                        matrix.values.empty() ? 0 : matrix.values.front().size()));
    }
    return matrix;
}

} // namespace ns3::collab
