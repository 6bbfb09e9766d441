/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TABLE_H
#define COLLAB_TABLE_H

#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace collab
{

/// @ingroup collab-tracing
/// @brief What the cells of a column hold.
enum class ColumnType
{
    INTEGER, //!< whole numbers
    REAL,    //!< numbers; NaN where there is none
    TEXT,    //!< text
};

/**
 * @param type a type
 * @return its name, e.g. "integer"
 */
std::string ToString(ColumnType type);

/// @ingroup collab-tracing
/// @brief A column of a table.
struct ColumnDescription
{
    std::string name;                   //!< e.g. "start_s"
    ColumnType type = ColumnType::TEXT; //!< what its cells hold
    std::string unit;                   //!< e.g. "s"; empty for numbers of things and for text
    std::string meaning;                //!< what it says, in one line
};

/// @ingroup collab-tracing
/// @brief A table: its rows are written by recorders, to whatever a TableStore writes.
struct TableDescription
{
    std::string name;                       //!< e.g. "rounds"
    std::string meaning;                    //!< what a row of it is, in one line
    std::vector<ColumnDescription> columns; //!< in order
};

/**
 * @ingroup collab-tracing
 * @brief A table written row by row, cell by cell, each of its column's type.
 */
class Table
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
     * @param column number of the column, from 0
     * @param value next cell of the row
     */
    virtual void DoWrite(std::size_t column, double value) = 0;
    /// @copydoc DoWrite(std::size_t,double)
    virtual void DoWrite(std::size_t column, int64_t value) = 0;
    /// @copydoc DoWrite(std::size_t,double)
    virtual void DoWrite(std::size_t column, const std::string& value) = 0;
    /// @brief All cells of the row are written.
    virtual void DoEndRow() = 0;

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

} // namespace collab
} // namespace ns3

#endif /* COLLAB_TABLE_H */
