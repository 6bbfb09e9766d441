/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-csv-file.h"

#include <fmt/format.h>
#include <stdexcept>

namespace ns3
{
namespace collab
{

CsvFile::CsvFile(const std::string& path, const std::vector<std::string>& columns)
    : m_path(path),
      m_file(path)
{
    for (const auto& column : columns)
    {
        *this << column;
    }
    EndRow();
    Flush();
}

CsvFile&
CsvFile::Append(const std::string& text)
{
    if (!m_row.empty())
    {
        m_row += ',';
    }
    m_row += text;
    return *this;
}

CsvFile&
CsvFile::operator<<(double value)
{
    return Append(fmt::format("{}", value));
}

CsvFile&
CsvFile::operator<<(int64_t value)
{
    return Append(std::to_string(value));
}

CsvFile&
CsvFile::operator<<(uint64_t value)
{
    return Append(std::to_string(value));
}

CsvFile&
CsvFile::operator<<(int32_t value)
{
    return Append(std::to_string(value));
}

CsvFile&
CsvFile::operator<<(uint32_t value)
{
    return Append(std::to_string(value));
}

CsvFile&
CsvFile::operator<<(const std::string& value)
{
    return Append(value);
}

CsvFile&
CsvFile::operator<<(const Time& value)
{
    return *this << value.GetSeconds();
}

void
CsvFile::EndRow()
{
    m_row += '\n';
    m_file << m_row;
    m_row.clear();
}

void
CsvFile::Flush()
{
    m_file.flush();
    if (!m_file)
    {
        throw std::runtime_error(fmt::format("cannot write {}", m_path));
    }
}

} // namespace collab
} // namespace ns3
