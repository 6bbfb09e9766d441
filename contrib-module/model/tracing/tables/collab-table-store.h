/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TABLE_STORE_H
#define COLLAB_TABLE_STORE_H

#include "collab-table.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief A column of another table, for the table "columns".
struct ColumnRow
{
    std::string table;        //!< name of the table
    ColumnDescription column; //!< of it

    /// @return the table columns
    static TableColumns<ColumnRow>
    GetTable()
    {
        using Row = ColumnRow;
        using Column = ColumnDescription;
        const auto type = [](const Row& row) { return ToString(row.column.type); };
        return {"columns",
                "a column of another table",
                {{"table", "", "name of the table", &Row::table},
                 {"column", "", "name of the column", Within(&Row::column, &Column::name)},
                 {"type", "", "integer, real or text", type},
                 {"unit",
                  "",
                  "unit of its numbers; empty if they have none",
                  Within(&Row::column, &Column::unit)},
                 {"meaning", "", "what it says", Within(&Row::column, &Column::meaning)}}};
    }
};

/// @ingroup collab-tracing
/// @brief Whether tables of which only some devices have rows have those of a device.
/// @param device its number
/// @param share about how many of all devices have, from 0 to 1
/// @return the same in every run; who is in a sample is in every larger one
bool IsSampled(uint32_t device, double share);

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

    /// @brief Make a table whose rows are structs.
    /// @param table of the struct; no other table has its name
    /// @return what writes it, as long as this store lives
    /// @throws std::runtime_error if it cannot be written
    template <typename Row>
    TableOf<Row>
    Add(TableColumns<Row> table = Row::GetTable())
    {
        Table* written = Describe(table.Describe());
        return TableOf<Row>(std::move(table.columns), written);
    }

    /// @param tables names of tables that get no rows; those that are added from now on
    void Omit(std::set<std::string> tables);
    /// @param share of the devices that have rows in tables with a column "device", or "sender",
    /// from 0 to 1; of those that are added from now on
    void Sample(double share);

    /// @brief Make sure that all rows up to now survive the end of the program.
    /// @throws std::runtime_error if they cannot be written
    virtual void Flush() = 0;

  private:
    /// @param description of a new table, whose columns are written in the table "columns"
    /// @return the table; null if it gets no rows
    Table* Describe(const TableDescription& description);
    /// @param description of a new table
    /// @return the table, which lives as long as this store
    virtual Table& DoAdd(const TableDescription& description) = 0;

    std::optional<TableOf<ColumnRow>> m_columns;   //!< the table "columns"
    std::set<std::string> m_names;                 //!< of the tables
    std::set<std::string> m_omitted;               //!< names of tables without rows
    double m_share = 1;                            //!< of the devices that have rows
    std::vector<std::unique_ptr<Table>> m_sampled; //!< which pass on rows of those
};

} // namespace ns3::collab

#endif /* COLLAB_TABLE_STORE_H */
