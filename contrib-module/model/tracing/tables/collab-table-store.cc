/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-table-store.h"

#include "ns3/abort.h"

namespace ns3::collab
{

Table*
TableStore::Describe(const TableDescription& description)
{
    if (!m_columns)
    {
        auto columns = ColumnRow::GetTable();
        m_names.insert(columns.name);
        Table& table = DoAdd(columns.Describe());
        m_columns.emplace(std::move(columns.columns), &table);
    }
    const bool isNew = m_names.insert(description.name).second;
    NS_ABORT_MSG_UNLESS(isNew, "there is a table " << description.name << " already");
    Table& table = DoAdd(description);
    for (const auto& column : description.columns)
    {
        m_columns->Write({description.name, column});
    }
    return m_omitted.count(description.name) > 0 ? nullptr : &table;
}

void
TableStore::Omit(std::set<std::string> tables)
{
    m_omitted = std::move(tables);
}

} // namespace ns3::collab
