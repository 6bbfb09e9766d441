/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TABLE_FORMATS_H
#define COLLAB_TABLE_FORMATS_H

#include "collab-table-store.h"

#include "ns3/collab-run-folder.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief List the formats in which a run's tables can be written.
/// @return "csv", and "sqlite" if the module was built with SQLite
std::vector<std::string> GetTableFormats();

/// @ingroup collab
/// @brief Refuse a format that there is not.
/// @param format a user's choice
/// @throws UserError unless it is one of GetTableFormats()
void RequireTableFormat(const std::string& format);

/// @ingroup collab
/// @brief Choose where a run writes its tables.
/// @param format csv (a file NAME.csv each) or sqlite (tables of the one file run.sqlite)
/// @param folder where to write
/// @param omitted names of tables that get no rows
/// @param share of the devices that have rows in tables of devices; see TableStore::Sample()
/// @return the store
/// @throws UserError unless the format is one of GetTableFormats()
/// @throws std::runtime_error if it cannot be written
std::unique_ptr<TableStore> MakeTableStore(const std::string& format,
                                           const RunFolder& folder,
                                           const std::set<std::string>& omitted = {},
                                           double share = 1);

} // namespace ns3::collab

#endif /* COLLAB_TABLE_FORMATS_H */
