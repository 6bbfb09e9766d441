/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-table-formats.h"

#include "collab-csv-folder.h"

#include "ns3/collab-error.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#ifdef COLLAB_WITH_SQLITE
#include "collab-sqlite-file.h"
#endif

namespace ns3::collab
{

namespace
{

#ifdef COLLAB_WITH_SQLITE
constexpr bool WITH_SQLITE = true; //!< whether the module was built with SQLite

/// @param folder where to write
/// @return a store of one file
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
               const std::set<std::string>& omitted,
               double share)
{
    RequireTableFormat(format);
    std::unique_ptr<TableStore> store =
        format == "sqlite" ? MakeSqliteFile(folder) : std::make_unique<CsvFolder>(folder);
    store->Omit(omitted);
    store->Sample(share);
    return store;
}

} // namespace ns3::collab
