/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-csv-data-set.h"

#include "collab-data-file.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-error.h"
#include "ns3/collab-number.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <set>
#include <string_view>
#include <utility>

namespace ns3::collab
{

namespace
{

constexpr std::string_view BYTE_ORDER_MARK = "\xEF\xBB\xBF"; //!< of UTF-8
constexpr double LABEL_LIMIT = 1e6;                          //!< a greater label is none

/// What a column is for.
enum class ColumnUse : uint8_t
{
    FEATURE,  //!< one number of a sample
    CATEGORY, //!< a word, of a sample's features
    TARGET,   //!< a number that is predicted
    LABEL,    //!< the class that is predicted
    IGNORED,  //!< nothing
};

/// A column.
struct Column
{
    ColumnUse use = ColumnUse::FEATURE; //!< what it is for
    std::vector<std::string> words;     //!< of categories and labels, ascending
};

/// @param text text that may have blanks around it
/// @return what is between them
std::string_view
TrimBlanks(std::string_view text)
{
    while (!text.empty() && text.front() == ' ')
    {
        text.remove_prefix(1);
    }
    while (!text.empty() && text.back() == ' ')
    {
        text.remove_suffix(1);
    }
    return text;
}

/// @param line line of the file
/// @return its cells without blanks and quotes around them
std::vector<std::string_view>
SplitCells(std::string_view line)
{
    std::vector<std::string_view> cells;
    for (std::size_t begin = 0; begin <= line.size();)
    {
        const std::size_t quote = std::min(line.find_first_not_of(' ', begin), line.size());
        const bool isQuoted = quote < line.size() && line[quote] == '"';
        const std::size_t inside = isQuoted ? line.find('"', quote + 1) : begin;
        const std::size_t end =
            std::min(line.find(',', std::min(inside, line.size())), line.size());
        std::string_view cell = TrimBlanks(line.substr(begin, end - begin));
        if (isQuoted)
        {
            cell.remove_prefix(1);
            cell.remove_suffix(!cell.empty() && cell.back() == '"' ? 1 : 0);
        }
        cells.push_back(TrimBlanks(cell));
        begin = end + 1;
    }
    return cells;
}

/// @param layout which columns to use
/// @return the columns that it names, and what for
std::vector<std::pair<std::string, ColumnUse>>
NamedColumns(const CsvLayout& layout)
{
    std::vector<std::pair<std::string, ColumnUse>> named;
    const auto add = [&named](const std::vector<std::string>& names, ColumnUse use) {
        for (const std::string& name : names)
        {
            named.emplace_back(name, use);
        }
    };
    add(layout.ignored, ColumnUse::IGNORED);
    add(layout.categories, ColumnUse::CATEGORY);
    add(layout.targets, ColumnUse::TARGET);
    if (!layout.label.empty())
    {
        add({layout.label}, ColumnUse::LABEL);
    }
    return named;
}

/// @param file file of which nothing was read
/// @param layout which columns to use
/// @return the columns, by the line of names
std::vector<Column>
ReadColumns(DataFile& file, const CsvLayout& layout)
{
    std::string line;
    file.ReadLine(line);
    std::string_view text = line;
    if (text.substr(0, BYTE_ORDER_MARK.size()) == BYTE_ORDER_MARK)
    {
        text.remove_prefix(BYTE_ORDER_MARK.size());
    }
    const auto names = SplitCells(text);
    std::vector<Column> columns(names.size());
    for (const auto& [name, use] : NamedColumns(layout))
    {
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end() || std::find(found + 1, names.end(), name) != names.end())
        {
            file.FailAtLine(fmt::format("found columns '{}', expected '{}' once among them",
                                        Shortened(fmt::format("{}", fmt::join(names, ","))),
                                        name));
        }
        columns[static_cast<std::size_t>(found - names.begin())].use = use;
    }
    const auto isFeature = [](const Column& column) {
        return column.use == ColumnUse::FEATURE || column.use == ColumnUse::CATEGORY;
    };
    if (std::none_of(columns.begin(), columns.end(), isFeature))
    {
        file.FailAtLine("found no column beside the target and those to ignore");
    }
    return columns;
}

/// @param file file whose present line it is
/// @param cell cell of the line
/// @param column its number, from 1
/// @param unit what to divide it by
/// @return its number
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

/// @param file file whose present line it is
/// @param cell cell of that line
/// @param column column of the cell, from 1
/// @param layout what becomes of it
/// @return what is to be learned
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

/// @param cells cells of one row
/// @param columns columns of the file
/// @return whether a cell is empty that is used
bool
IsIncomplete(const std::vector<std::string_view>& cells, const std::vector<Column>& columns)
{
    for (std::size_t i = 0; i < cells.size(); ++i)
    {
        if (columns[i].use != ColumnUse::IGNORED && cells[i].empty())
        {
            return true;
        }
    }
    return false;
}

/// @brief Read all rows that are used.
/// @param file file of which the line of names was read
/// @param columns columns of the file
/// @param layout which rows to use
/// @param take function that gets the cells of each
void
ForEachRow(DataFile& file,
           const std::vector<Column>& columns,
           const CsvLayout& layout,
           const std::function<void(const std::vector<std::string_view>&)>& take)
{
    std::string line;
    while (file.ReadLine(line))
    {
        if (line.empty())
        {
            continue;
        }
        const auto cells = SplitCells(line);
        if (cells.size() != columns.size())
        {
            file.FailAtLine(
                fmt::format("found {} cells, expected {}", cells.size(), columns.size()));
        }
        if (!layout.skipIncomplete || !IsIncomplete(cells, columns))
        {
            take(cells);
        }
    }
}

/// @param words words of a label
/// @return their values if all are whole numbers, else none
std::vector<double>
WholeNumbersOf(const std::vector<std::string>& words)
{
    std::vector<double> values;
    for (const std::string& word : words)
    {
        const auto value = ParseNumber(word);
        if (!value || *value != std::floor(*value) || !(std::abs(*value) < LABEL_LIMIT))
        {
            return {};
        }
        values.push_back(*value);
    }
    return values;
}

/// @brief Turn the words of a label into classes: word number k is class k.
/// @param path path of the file
/// @param words words in the order of their bytes; whole numbers are put in order, from 0 if all
/// are
/// @throws DataFileError if these have too wide gaps
void
OrderLabels(const std::string& path, std::vector<std::string>& words)
{
    const std::vector<double> values = WholeNumbersOf(words);
    if (values.empty())
    {
        return;
    }
    std::stable_sort(words.begin(), words.end(), [](const auto& left, const auto& right) {
        return *ParseNumber(left) < *ParseNumber(right);
    });
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    if (*least >= 0)
    {
        const std::string gap = FindLabelGap(values.size(), static_cast<int64_t>(*greatest));
        Require<DataFileError>(gap.empty(), "{}: {}", path, gap);
        words.clear();
        for (int64_t k = 0; k <= static_cast<int64_t>(*greatest); ++k)
        {
            words.push_back(fmt::format("{}", k));
        }
    }
}

/// @brief Find the words of categories and labels.
/// @param path path of the file
/// @param layout which columns to use
/// @param columns columns of the file, which get their words
void
FindWords(const std::string& path, const CsvLayout& layout, std::vector<Column>& columns)
{
    std::vector<std::set<std::string>> found(columns.size());
    DataFile file(path);
    ReadColumns(file, layout);
    ForEachRow(file, columns, layout, [&](const std::vector<std::string_view>& cells) {
        for (std::size_t i = 0; i < cells.size(); ++i)
        {
            const ColumnUse use = columns[i].use;
            if (use != ColumnUse::CATEGORY && use != ColumnUse::LABEL)
            {
                continue;
            }
            if (cells[i].empty())
            {
                file.FailAtLine(fmt::format("found '' in column {}, expected a word", i + 1));
            }
            found[i].insert(std::string(cells[i]));
        }
    });
    for (std::size_t i = 0; i < columns.size(); ++i)
    {
        columns[i].words.assign(found[i].begin(), found[i].end());
        if (columns[i].use == ColumnUse::LABEL)
        {
            OrderLabels(path, columns[i].words);
        }
    }
}

/// @param column column of a label
/// @param cell cell of a row
/// @return its class
int64_t
ClassOf(const Column& column, std::string_view cell)
{
    const auto found = std::find(column.words.begin(), column.words.end(), cell);
    // A whole number may be written in other ways, as 1.0
    return found != column.words.end() ? found - column.words.begin()
                                       : static_cast<int64_t>(*ParseNumber(cell));
}

/// @param file file whose present line it is
/// @param cells cells of that line
/// @param columns columns of the file
/// @param layout what becomes of the targets
/// @param data data to which the row is appended
void
AppendRow(const DataFile& file,
          const std::vector<std::string_view>& cells,
          const std::vector<Column>& columns,
          const CsvLayout& layout,
          DataSet& data)
{
    for (std::size_t i = 0; i < cells.size(); ++i)
    {
        switch (columns[i].use)
        {
        case ColumnUse::FEATURE:
            data.numbers.push_back(ParseCell(file, cells[i], i + 1, 1));
            break;
        case ColumnUse::CATEGORY:
            for (const std::string& word : columns[i].words)
            {
                data.numbers.push_back(word == cells[i] ? 1.0F : 0.0F);
            }
            break;
        case ColumnUse::TARGET:
            data.targets.push_back(ParseTarget(file, cells[i], i + 1, layout));
            break;
        case ColumnUse::LABEL:
            data.labels.push_back(ClassOf(columns[i], cells[i]));
            break;
        case ColumnUse::IGNORED:
            break;
        }
    }
}

/// @param columns columns of the file
/// @param layout which columns to use
/// @return kind, shape and number of classes or outputs, without samples
DataSet
DescribeTable(const std::vector<Column>& columns, const CsvLayout& layout)
{
    DataSet data;
    data.name = layout.name;
    data.kind = FeatureKind::NUMBERS;
    data.sampleShape = {0};
    data.outputs = static_cast<uint32_t>(layout.targets.size());
    for (const Column& column : columns)
    {
        const auto words = static_cast<int64_t>(column.words.size());
        data.sampleShape[0] += column.use == ColumnUse::FEATURE    ? 1
                               : column.use == ColumnUse::CATEGORY ? words
                                                                   : 0;
        if (column.use == ColumnUse::LABEL)
        {
            data.classes = static_cast<uint32_t>(std::max<int64_t>(words, 2));
        }
    }
    return data;
}

} // namespace

CsvLayout
GetCaliforniaHousingLayout()
{
    CsvLayout layout;
    layout.name = "california-housing";
    layout.targets = {"median_house_value"};
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
    layout.targets = {"mdvis"};
    layout.isCount = true;
    return layout;
}

std::shared_ptr<DataSet>
LoadCsvDataSet(const std::string& path, const CsvLayout& layout)
{
    CheckArgument(
        layout.targets.empty() != layout.label.empty(),
        "layout of table '{}' with {} targets and label '{}', expected targets or a label",
        layout.name,
        layout.targets.size(),
        layout.label);
    DataFile file(path);
    std::vector<Column> columns = ReadColumns(file, layout);
    if (!layout.label.empty() || !layout.categories.empty())
    {
        FindWords(path, layout, columns);
    }
    auto data = std::make_shared<DataSet>(DescribeTable(columns, layout));
    ForEachRow(file, columns, layout, [&](const std::vector<std::string_view>& cells) {
        AppendRow(file, cells, columns, layout, *data);
    });
    if (data->Size() == 0)
    {
        file.FailAtLine("found no rows");
    }
    return data;
}

} // namespace ns3::collab
