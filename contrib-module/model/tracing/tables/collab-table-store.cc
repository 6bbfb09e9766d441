/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-table-store.h"

#include "collab-csv-folder.h"

#include "ns3/abort.h"
#include "ns3/collab-error.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#ifdef COLLAB_WITH_SQLITE
#include "collab-sqlite-file.h"
#endif

namespace ns3
{
namespace collab
{

namespace
{

#ifdef COLLAB_WITH_SQLITE
constexpr bool WITH_SQLITE = true; //!< whether the module was built with SQLite

/**
 * @param folder where to write
 * @return a store of one file
 */
std::unique_ptr<TableStore>
MakeSqliteFile(const RunFolder& folder)
{
    return std::make_unique<SqliteFile>(folder.GetFile("run.sqlite"));
}
#else
constexpr bool WITH_SQLITE = false; //!< whether the module was built with SQLite

/// @return nothing: RequireTableFormat() has refused the format
std::unique_ptr<TableStore>
MakeSqliteFile(const RunFolder&)
{
    return nullptr;
}
#endif

} // namespace

Table&
TableStore::Add(const TableDescription& description)
{
    if (!m_columns)
    {
        m_columns = &DoAdd(DescribeColumns());
        m_names.push_back(m_columns->GetDescription().name);
    }
    NS_ABORT_MSG_IF(std::count(m_names.begin(), m_names.end(), description.name) > 0,
                    "there is a table " << description.name << " already");
    m_names.push_back(description.name);
    Table& table = DoAdd(description);
    if (m_omitted.count(description.name) > 0)
    {
        table.Omit();
    }
    for (const auto& column : description.columns)
    {
        *m_columns << description.name << column.name << ToString(column.type) << column.unit
                   << column.meaning;
        m_columns->EndRow();
    }
    return table;
}

void
TableStore::Omit(std::set<std::string> tables)
{
    m_omitted = std::move(tables);
}

TableDescription
TableStore::DescribeColumns()
{
    return {"columns",
            "a column of another table",
            {{"table", ColumnType::TEXT, "", "name of the table"},
             {"column", ColumnType::TEXT, "", "name of the column"},
             {"type", ColumnType::TEXT, "", "integer, real or text"},
             {"unit", ColumnType::TEXT, "", "unit of its numbers; empty if they have none"},
             {"meaning", ColumnType::TEXT, "", "what it says"}}};
}

std::vector<std::string>
GetTableFormats()
{
    if (WITH_SQLITE)
    {
        return {"csv", "sqlite"};
    }
    return {"csv"};
}

void
RequireTableFormat(const std::string& format)
{
    const auto allowed = GetTableFormats();
    if (std::find(allowed.begin(), allowed.end(), format) == allowed.end())
    {
        throw UserError(
            fmt::format("recorder '{}' is not allowed; allowed: {}{}",
                        format,
                        fmt::join(allowed, ", "),
                        WITH_SQLITE ? "" : " (built without SQLite, Debian: libsqlite3-dev)"));
    }
}

std::unique_ptr<TableStore>
MakeTableStore(const std::string& format,
               const RunFolder& folder,
               const std::set<std::string>& omitted)
{
    RequireTableFormat(format);
    std::unique_ptr<TableStore> store =
        format == "sqlite" ? MakeSqliteFile(folder) : std::make_unique<CsvFolder>(folder);
    store->Omit(omitted);
    return store;
}

} // namespace collab
} // namespace ns3
