/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_CSV_FOLDER_H
#define COLLAB_CSV_FOLDER_H

#include "collab-csv-file.h"
#include "collab-table-store.h"

#include "ns3/collab-run-folder.h"

#include <memory>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-tracing
/// @brief Writes each table to a file NAME.csv of the run folder.
class CsvFolder : public TableStore
{
  public:
    /// @param folder where to write; must live as long as tables are added
    explicit CsvFolder(const RunFolder& folder);

    void Flush() override;

  private:
    Table& DoAdd(const TableDescription& description) override;

    const RunFolder& m_folder;                      //!< where to write
    std::vector<std::unique_ptr<CsvFile>> m_tables; //!< the files
};

} // namespace ns3::collab

#endif /* COLLAB_CSV_FOLDER_H */
