/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_COLUMNS_H
#define COLLAB_COLUMNS_H

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab
/// @brief What the cells of a column hold.
enum class ColumnType
{
    INTEGER, //!< whole numbers
    REAL,    //!< numbers; NaN where there is none
    TEXT,    //!< text
};

/// @ingroup collab
/// @brief A column of a table.
struct ColumnDescription
{
    std::string name;                   //!< e.g. "start_s"
    ColumnType type = ColumnType::TEXT; //!< what its cells hold
    std::string unit;                   //!< e.g. "s"; empty for numbers of things and for text
    std::string meaning;                //!< what it says, in one line
};

/// @ingroup collab
/// @brief A table: its name, what a row is, and its columns.
struct TableDescription
{
    std::string name;                       //!< e.g. "rounds"
    std::string meaning;                    //!< what a row of it is, in one line
    std::vector<ColumnDescription> columns; //!< in order
};

/// @ingroup collab
/// @brief Takes the cells of a row, in the order of its columns.
class CellWriter
{
  public:
    /// @param column number of the column, from 0
    /// @param value the cell
    virtual void Write(std::size_t column, double value) = 0;
    /// @copydoc Write(std::size_t,double)
    virtual void Write(std::size_t column, int64_t value) = 0;
    /// @copydoc Write(std::size_t,double)
    virtual void Write(std::size_t column, const std::string& value) = 0;

  protected:
    ~CellWriter() = default;
};

/// @param value a number (a bool is 0 or 1), a text, or a time
/// @return it as a cell: int64_t, double (a time in seconds), or the same text
/// @throws std::range_error if it is a whole number of 2^63 or more
template <typename T>
decltype(auto)
ToCell(const T& value)
{
    if constexpr (std::is_integral_v<T>)
    {
        if constexpr (std::is_unsigned_v<T> && sizeof(T) == sizeof(int64_t))
        {
            if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
            {
                throw std::range_error(std::to_string(value) + " is no cell: 2^63 or more");
            }
        }
        return static_cast<int64_t>(value);
    }
    else if constexpr (std::is_floating_point_v<T>)
    {
        constexpr double NONE = std::numeric_limits<double>::quiet_NaN();
        return std::isnan(value) ? NONE : double{value}; // its sign depends on the machine
    }
    else if constexpr (std::is_same_v<T, std::string>)
    {
        return (value);
    }
    else
    {
        return ToCell(value.GetSeconds());
    }
}

/// @ingroup collab
/// @brief A column of rows that are structs: its name, unit and meaning, and the member it holds.
/// @tparam Row the struct
template <typename Row>
class Column
{
  public:
    /// @param name e.g. "start_s"
    /// @param unit e.g. "s"; empty for numbers of things and for text
    /// @param meaning what it says, in one line
    /// @param read a member, a member function, or a function of a row: see ToCell() for its type,
    /// which decides the column's
    template <typename Read>
    Column(std::string name, std::string unit, std::string meaning, Read read)
        : m_description{std::move(name), TypeOf<Read>(), std::move(unit), std::move(meaning)},
          m_write([read = std::move(read)](const Row& row, std::size_t column, CellWriter& cells) {
              cells.Write(column, ToCell(std::invoke(read, row)));
          })
    {
    }

    /// @return name, type, unit and meaning
    const ColumnDescription&
    GetDescription() const
    {
        return m_description;
    }

    /// @param row a row
    /// @param column number of this column
    /// @param cells gets its cell
    void
    Write(const Row& row, std::size_t column, CellWriter& cells) const
    {
        m_write(row, column, cells);
    }

  private:
    /// @return type of the cells that are read
    template <typename Read>
    static constexpr ColumnType
    TypeOf()
    {
        using Value = std::decay_t<std::invoke_result_t<const Read&, const Row&>>;
        using Cell = std::decay_t<decltype(ToCell(std::declval<const Value&>()))>;
        return std::is_same_v<Cell, int64_t>  ? ColumnType::INTEGER
               : std::is_same_v<Cell, double> ? ColumnType::REAL
                                              : ColumnType::TEXT;
    }

    ColumnDescription m_description; //!< name, type, unit and meaning
    /// Writes its cell
    std::function<void(const Row& row, std::size_t column, CellWriter& cells)> m_write;
};

/// @param part a member that is a struct
/// @param member of that struct
/// @return what reads the member of the member, for a Column
template <typename Row, typename Part, typename Owner, typename Member>
auto
Within(Part Row::*part, Member Owner::*member)
{
    return
        [part, member](const Row& row) -> decltype(auto) { return std::invoke(member, row.*part); };
}

/// @ingroup collab
/// @brief The columns of rows that are structs, in order.
/// @tparam Row the struct
template <typename Row>
class Columns
{
  public:
    /// @param columns in order
    Columns(std::initializer_list<Column<Row>> columns = {})
        : m_columns(columns)
    {
    }

    /// @param column one more, after all others
    void
    Add(Column<Row> column)
    {
        m_columns.push_back(std::move(column));
    }

    /// @param first columns
    /// @param second columns
    /// @return first ones, and then the second ones
    friend Columns
    operator+(Columns first, const Columns& second)
    {
        first.m_columns.insert(
            first.m_columns.end(), second.m_columns.begin(), second.m_columns.end());
        return first;
    }

    /// @return what they are
    std::vector<ColumnDescription>
    Describe() const
    {
        std::vector<ColumnDescription> all;
        for (const auto& column : m_columns)
        {
            all.push_back(column.GetDescription());
        }
        return all;
    }

    /// @param row a row
    /// @param cells gets all its cells
    void
    Write(const Row& row, CellWriter& cells) const
    {
        for (std::size_t i = 0; i < m_columns.size(); ++i)
        {
            m_columns[i].Write(row, i, cells);
        }
    }

  private:
    std::vector<Column<Row>> m_columns; //!< in order
};

/**
 * @ingroup collab
 * @brief A table whose rows are structs.
 *
 * The struct returns it from its static function GetTable(), so that the name, the unit and the
 * meaning of a column stand beside the member that it holds:
 *
 *     struct CoinRow
 *     {
 *         uint32_t device = 0;
 *         Time time;
 *
 *         static TableColumns<CoinRow>
 *         GetTable()
 *         {
 *             return {"coins",
 *                     "a coin that fell",
 *                     {{"device", "", "who tossed it", &CoinRow::device},
 *                      {"time_s", "s", "when it fell", &CoinRow::time}}};
 *         }
 *     };
 *
 * @tparam Row the struct
 */
template <typename Row>
struct TableColumns
{
    std::string name;     //!< of the table, e.g. "rounds"
    std::string meaning;  //!< what a row of it is, in one line
    Columns<Row> columns; //!< in order

    /// @return its description without the struct
    TableDescription
    Describe() const
    {
        return {name, meaning, columns.Describe()};
    }
};

/// @return the table of a struct that has GetTable()
template <typename Row>
TableDescription
DescribeTable()
{
    return Row::GetTable().Describe();
}

} // namespace ns3::collab

#endif /* COLLAB_COLUMNS_H */
