/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TABLE_H
#define COLLAB_TABLE_H

#include "ns3/collab-columns.h"
#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace ns3
{
namespace collab
{

/**
 * @param type a type
 * @return its name, e.g. "integer"
 */
std::string ToString(ColumnType type);

/**
 * @ingroup collab-tracing
 * @brief A table written row by row, cell by cell, each of its column's type.
 */
class Table : public CellWriter
{
  public:
    /// @param description its name and columns
    explicit Table(TableDescription description);
    virtual ~Table() = default;

    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

    /// @return its name and columns
    const TableDescription& GetDescription() const;

    /// @brief Drop all rows from now on; they are checked nevertheless.
    void Omit();

    using CellWriter::Write;
    /// @brief All cells of the row are written.
    virtual void DoEndRow() = 0;
    /// @return whether rows are dropped
    bool
    IsOmitted() const
    {
        return m_isOmitted;
    }

    /**
     * @param value next cell of the row; one of another type than its column's ends the program
     * @return this table
     */
    Table& operator<<(double value);
    /// @copydoc operator<<(double)
    Table& operator<<(int64_t value);
    /// @copydoc operator<<(double)
    Table& operator<<(uint64_t value);
    /// @copydoc operator<<(double)
    Table& operator<<(int32_t value);
    /// @copydoc operator<<(double)
    Table& operator<<(uint32_t value);
    /// @copydoc operator<<(double)
    Table& operator<<(const std::string& value);
    /**
     * @param value next cell of the row, written in seconds
     * @return this table
     */
    Table& operator<<(const Time& value);

    /// @brief End the row; one without all its cells ends the program.
    void EndRow();

  private:
    /**
     * @param type type of a value
     * @return number of the column that it is for
     */
    std::size_t Next(ColumnType type);

    /**
     * @param type type of a value
     * @param value next cell of the row
     */
    template <typename Cell>
    void Put(ColumnType type, const Cell& value);

    TableDescription m_description; //!< name and columns
    std::size_t m_next = 0;         //!< column of the next cell
    bool m_isOmitted = false;       //!< whether rows are dropped
};

/**
 * @ingroup collab-tracing
 * @brief A table whose rows are structs, see TableColumns; made by TableStore::Add().
 * @tparam Row the struct
 */
template <typename Row>
class TableOf
{
  public:
    /**
     * @param columns of the struct
     * @param table where to write, made of their description; must live as long as this
     */
    TableOf(Columns<Row> columns, Table& table)
        : m_columns(std::move(columns)),
          m_table(&table)
    {
    }

    /// @param row the next row
    void
    Write(const Row& row) const
    {
        if (!m_table->IsOmitted())
        {
            m_columns.Write(row, *m_table);
            m_table->DoEndRow();
        }
    }

  private:
    Columns<Row> m_columns; //!< of the struct
    Table* m_table;         //!< where to write
};

} // namespace collab
} // namespace ns3

#endif /* COLLAB_TABLE_H */
