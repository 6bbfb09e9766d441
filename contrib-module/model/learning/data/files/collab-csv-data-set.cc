/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-csv-data-set.h"

#include "collab-data-file.h"

#include "ns3/collab-error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <string_view>

namespace ns3
{
namespace collab
{

namespace
{

/// What a column is for.
enum class ColumnUse : uint8_t
{
    FEATURE, //!< one number of a sample
    TARGET,  //!< what is predicted
    IGNORED, //!< nothing
};

/**
 * @param line of the file
 * @return its cells without blanks and quotes around them
 */
std::vector<std::string_view>
SplitCells(std::string_view line)
{
    std::vector<std::string_view> cells;
    for (std::size_t begin = 0; begin <= line.size();)
    {
        const std::size_t end = std::min(line.find(',', begin), line.size());
        std::string_view cell = line.substr(begin, end - begin);
        while (!cell.empty() && (cell.front() == ' ' || cell.front() == '"'))
        {
            cell.remove_prefix(1);
        }
        while (!cell.empty() && (cell.back() == ' ' || cell.back() == '"'))
        {
            cell.remove_suffix(1);
        }
        cells.push_back(cell);
        begin = end + 1;
    }
    return cells;
}

/**
 * @param file whose first line was read
 * @param names of the columns
 * @param layout which to use
 * @return use of each
 */
std::vector<ColumnUse>
UsesOf(const DataFile& file, const std::vector<std::string_view>& names, const CsvLayout& layout)
{
    std::vector<std::string> wanted = layout.ignored;
    wanted.push_back(layout.target);
    std::vector<ColumnUse> uses(names.size(), ColumnUse::FEATURE);
    for (const std::string& name : wanted)
    {
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end() || std::find(found + 1, names.end(), name) != names.end())
        {
            file.FailAtLine(fmt::format("found columns '{}', expected '{}' once among them",
                                        Shortened(fmt::format("{}", fmt::join(names, ","))),
                                        name));
        }
        uses[static_cast<std::size_t>(found - names.begin())] =
            name == layout.target ? ColumnUse::TARGET : ColumnUse::IGNORED;
    }
    if (std::count(uses.begin(), uses.end(), ColumnUse::FEATURE) == 0)
    {
        file.FailAtLine("found no column beside the target and those to ignore");
    }
    return uses;
}

/**
 * @param file whose present line it is
 * @param cell of the line
 * @param column its number, from 1
 * @param unit what to divide it by
 * @return its number
 */
float
ParseCell(const DataFile& file, std::string_view cell, std::size_t column, double unit)
{
    const auto value = ParseNumber(cell);
    if (!value || !std::isfinite(static_cast<float>(*value / unit)))
    {
        file.FailAtLine(fmt::format(
            "found '{}' in column {}, expected a finite number", Shortened(cell), column));
    }
    return static_cast<float>(*value / unit);
}

/**
 * @param file whose present line it is
 * @param cell of that line
 * @param column of the cell, from 1
 * @param layout what becomes of it
 * @return what is to be learned
 */
float
ParseTarget(const DataFile& file,
            std::string_view cell,
            std::size_t column,
            const CsvLayout& layout)
{
    const float value = ParseCell(file, cell, column, layout.targetUnit);
    if (!layout.isCount)
    {
        return value;
    }
    if (value < 0)
    {
        file.FailAtLine(
            fmt::format("found '{}' in column {}, expected a count", Shortened(cell), column));
    }
    return std::log1p(value);
}

/**
 * @param cells of one row
 * @param uses of the columns
 * @return whether a cell is empty that is used
 */
bool
IsIncomplete(const std::vector<std::string_view>& cells, const std::vector<ColumnUse>& uses)
{
    for (std::size_t i = 0; i < cells.size(); ++i)
    {
        if (uses[i] != ColumnUse::IGNORED && cells[i].empty())
        {
            return true;
        }
    }
    return false;
}

/**
 * @param file whose present line it is
 * @param cells of that line
 * @param uses of the columns
 * @param layout what becomes of the target
 * @param data to which the row is appended
 */
void
AppendRow(const DataFile& file,
          const std::vector<std::string_view>& cells,
          const std::vector<ColumnUse>& uses,
          const CsvLayout& layout,
          DataSet& data)
{
    for (std::size_t i = 0; i < cells.size(); ++i)
    {
        switch (uses[i])
        {
        case ColumnUse::FEATURE:
            data.numbers.push_back(ParseCell(file, cells[i], i + 1, 1));
            break;
        case ColumnUse::TARGET:
            data.targets.push_back(ParseTarget(file, cells[i], i + 1, layout));
            break;
        case ColumnUse::IGNORED:
            break;
        }
    }
}

} // namespace

CsvLayout
GetCaliforniaHousingLayout()
{
    CsvLayout layout;
    layout.name = "california-housing";
    layout.target = "median_house_value";
    layout.ignored = {"ocean_proximity"}; // a word
    layout.skipIncomplete = true;         // 207 districts lack total_bedrooms
    layout.targetUnit = 1e5;
    return layout;
}

CsvLayout
GetRandhieLayout()
{
    CsvLayout layout;
    layout.name = "randhie";
    layout.target = "mdvis";
    layout.isCount = true;
    return layout;
}

std::shared_ptr<DataSet>
LoadCsvDataSet(const std::string& path, const CsvLayout& layout)
{
    DataFile file(path);
    std::string line;
    file.ReadLine(line);
    const std::string header = line;
    const auto names = SplitCells(header);
    const auto uses = UsesOf(file, names, layout);
    auto data = std::make_shared<DataSet>();
    data->name = layout.name;
    data->kind = FeatureKind::NUMBERS;
    data->sampleShape = {std::count(uses.begin(), uses.end(), ColumnUse::FEATURE)};
    data->outputs = 1;
    while (file.ReadLine(line))
    {
        if (line.empty())
        {
            continue;
        }
        const auto cells = SplitCells(line);
        if (cells.size() != names.size())
        {
            file.FailAtLine(fmt::format("found {} cells, expected {}", cells.size(), names.size()));
        }
        if (!layout.skipIncomplete || !IsIncomplete(cells, uses))
        {
            AppendRow(file, cells, uses, layout, *data);
        }
    }
    if (data->targets.empty())
    {
        file.FailAtLine("found no rows of numbers");
    }
    return data;
}

} // namespace collab
} // namespace ns3
