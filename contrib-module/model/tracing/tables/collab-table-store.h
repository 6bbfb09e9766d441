/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TABLE_STORE_H
#define COLLAB_TABLE_STORE_H

#include "collab-table.h"

#include "ns3/collab-run-folder.h"

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab-tracing
 * @brief Where a run writes its tables: files of its run folder.
 *
 * What every column means is written too, as the table "columns".
 */
class TableStore
{
  public:
    virtual ~TableStore() = default;

    /**
     * @brief Make a table.
     *
     * @param description its name, which no other table has, and its columns
     * @return the table, which lives as long as this store
     * @throws std::runtime_error if it cannot be written
     */
    Table& Add(const TableDescription& description);
    /**
     * @brief Make a table whose rows are structs.
     *
     * @param table of the struct; its name has no other table
     * @return what writes it, as long as this store lives
     * @throws std::runtime_error if it cannot be written
     */
    template <typename Row>
    TableOf<Row>
    Add(TableColumns<Row> table = Row::GetTable())
    {
        Table& written = Add(table.Describe());
        return TableOf<Row>(std::move(table.columns), written);
    }

    /// @param tables names of tables that get no rows; those that are added from now on
    void Omit(std::set<std::string> tables);

    /**
     * @brief Make sure that all rows up to now survive the end of the program.
     * @throws std::runtime_error if they cannot be written
     */
    virtual void Flush() = 0;

    /// @return the table "columns", which describes all tables but itself
    static TableDescription DescribeColumns();

  private:
    /**
     * @param description description of a new table
     * @return the table
     */
    virtual Table& DoAdd(const TableDescription& description) = 0;

    Table* m_columns = nullptr;       //!< the table "columns"
    std::vector<std::string> m_names; //!< of the tables
    std::set<std::string> m_omitted;  //!< names of tables without rows
};

/**
 * @ingroup collab-tracing
 * @brief List the formats in which a run's tables can be written.
 *
 * @return "csv", and "sqlite" if the module was built with SQLite
 */
std::vector<std::string> GetTableFormats();

/**
 * @ingroup collab-tracing
 * @brief Refuse a format that there is not.
 *
 * @param format a user's choice
 * @throws UserError unless it is one of GetTableFormats()
 */
void RequireTableFormat(const std::string& format);

/**
 * @ingroup collab-tracing
 * @brief Choose where a run writes its tables.
 *
 * @param format csv (a file NAME.csv each) or sqlite (tables of the one file run.sqlite)
 * @param folder where to write
 * @param omitted names of tables that get no rows
 * @return the store
 * @throws UserError unless the format is one of GetTableFormats()
 * @throws std::runtime_error if it cannot be written
 */
std::unique_ptr<TableStore> MakeTableStore(const std::string& format,
                                           const RunFolder& folder,
                                           const std::set<std::string>& omitted = {});

} // namespace collab
} // namespace ns3

#endif /* COLLAB_TABLE_STORE_H */
