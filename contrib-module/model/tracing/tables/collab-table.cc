/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-table.h"

#include "ns3/abort.h"

#include <cmath>
#include <limits>
#include <utility>

namespace ns3
{
namespace collab
{

std::string
ToString(ColumnType type)
{
    switch (type)
    {
    case ColumnType::INTEGER:
        return "integer";
    case ColumnType::REAL:
        return "real";
    default:
        return "text";
    }
}

Table::Table(TableDescription description)
    : m_description(std::move(description))
{
}

const TableDescription&
Table::GetDescription() const
{
    return m_description;
}

void
Table::Omit()
{
    m_isOmitted = true;
}

template <typename Cell>
void
Table::Put(ColumnType type, const Cell& value)
{
    const std::size_t column = Next(type);
    if (!m_isOmitted)
    {
        Write(column, value);
    }
}

std::size_t
Table::Next(ColumnType type)
{
    const auto& columns = m_description.columns;
    NS_ABORT_MSG_IF(m_next == columns.size(),
                    "table " << m_description.name << " has " << columns.size()
                             << " columns; its row was given more cells");
    NS_ABORT_MSG_IF(columns[m_next].type != type,
                    "column " << columns[m_next].name << " of table " << m_description.name
                              << " holds " << ToString(columns[m_next].type) << ", was given "
                              << ToString(type));
    return m_next++;
}

Table&
Table::operator<<(double value)
{
    constexpr double NONE = std::numeric_limits<double>::quiet_NaN();
    Put(ColumnType::REAL, std::isnan(value) ? NONE : value); // its sign depends on the machine
    return *this;
}

Table&
Table::operator<<(int64_t value)
{
    Put(ColumnType::INTEGER, value);
    return *this;
}

Table&
Table::operator<<(uint64_t value)
{
    NS_ABORT_MSG_IF(value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()),
                    "table " << m_description.name << " was given " << value
                             << "; integers are below 2^63");
    return *this << static_cast<int64_t>(value);
}

Table&
Table::operator<<(int32_t value)
{
    return *this << static_cast<int64_t>(value);
}

Table&
Table::operator<<(uint32_t value)
{
    return *this << static_cast<int64_t>(value);
}

Table&
Table::operator<<(const std::string& value)
{
    Put(ColumnType::TEXT, value);
    return *this;
}

Table&
Table::operator<<(const Time& value)
{
    return *this << value.GetSeconds();
}

void
Table::EndRow()
{
    NS_ABORT_MSG_IF(m_next != m_description.columns.size(),
                    "a row of table " << m_description.name << " was given " << m_next
                                      << " cells; it has " << m_description.columns.size());
    if (!m_isOmitted)
    {
        DoEndRow();
    }
    m_next = 0;
}

} // namespace collab
} // namespace ns3
