/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TABLE_H
#define COLLAB_TABLE_H

#include "ns3/collab-columns.h"

#include <string>
#include <utility>

namespace ns3::collab
{

/// @param type a type
/// @return its name, e.g. "integer"
inline std::string
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

/// @ingroup collab
/// @brief Where the rows of a table are written: all cells of a row, and then its end.
class Table : public CellWriter
{
  public:
    virtual ~Table() = default;

    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

    /// @brief All cells of the row are written.
    virtual void EndRow() = 0;

  protected:
    Table() = default;
};

/// @ingroup collab-tracing
/// @brief A table whose rows are structs, see TableColumns; made by TableStore::Add().
/// @tparam Row the struct
template <typename Row>
class TableOf
{
  public:
    /// @param columns of the struct
    /// @param table where to write, made of their description, which must live as long as this;
    /// null to drop all rows
    TableOf(Columns<Row> columns, Table* table)
        : m_columns(std::move(columns)),
          m_table(table)
    {
    }

    /// @param row the next row
    void
    Write(const Row& row) const
    {
        if (m_table)
        {
            m_columns.Write(row, *m_table);
            m_table->EndRow();
        }
    }

  private:
    Columns<Row> m_columns; //!< of the struct
    Table* m_table;         //!< where to write; null for nowhere
};

} // namespace ns3::collab

#endif /* COLLAB_TABLE_H */
