/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-csv-file.h"

#include <fmt/format.h>
#include <iterator>

namespace ns3::collab
{

namespace
{

/// @param text text of a cell
/// @return it in quotation marks, if it would be taken for more than a cell without them
std::string
QuoteCell(const std::string& text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos)
    {
        return text;
    }
    std::string quoted = "\"";
    for (const char character : text)
    {
        quoted += character == '"' ? "\"\"" : std::string(1, character);
    }
    return quoted + "\"";
}

} // namespace

CsvFile::CsvFile(const std::string& path, const TableDescription& description)
    : m_file(path)
{
    for (std::size_t i = 0; i < description.columns.size(); ++i)
    {
        Separate(i);
        m_row += QuoteCell(description.columns[i].name);
    }
    EndRow();
    Flush();
}

void
CsvFile::Separate(std::size_t column)
{
    if (column > 0)
    {
        m_row += ',';
    }
}

void
CsvFile::Write(std::size_t column, double value)
{
    Separate(column);
    fmt::format_to(std::back_inserter(m_row), "{}", value);
}

void
CsvFile::Write(std::size_t column, int64_t value)
{
    Separate(column);
    fmt::format_to(std::back_inserter(m_row), "{}", value);
}

void
CsvFile::Write(std::size_t column, const std::string& value)
{
    Separate(column);
    m_row += QuoteCell(value);
}

void
CsvFile::EndRow()
{
    m_row += '\n';
    m_file.Write(m_row);
    m_row.clear();
}

void
CsvFile::Flush()
{
    m_file.Flush();
}

} // namespace ns3::collab
