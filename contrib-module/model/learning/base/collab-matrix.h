/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_MATRIX_H
#define COLLAB_MATRIX_H

#include <cstddef>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-learning
 * @brief Dense row-major matrix that owns its elements.
 *
 * The common currency between learners, protocols and payloads: soft labels are a Matrix<float>
 * of shape samples x classes, trust weights a Matrix<double> of shape agents x agents.
 */
template <typename T>
struct Matrix
{
    /// An empty (0 x 0) matrix.
    Matrix() = default;

    /// @param rowCount number of rows
    /// @param columnCount number of columns
    /// @param value initial value of every element
    Matrix(std::size_t rowCount, std::size_t columnCount, T value = T())
        : rows(rowCount),
          columns(columnCount),
          values(rowCount * columnCount, value)
    {
    }

    /// @param row index of a row
    /// @return pointer to the first of the row's `columns` elements
    const T*
    Row(std::size_t row) const
    {
        return values.data() + row * columns;
    }

    /// @param row index of a row
    /// @return pointer to the first of the row's `columns` elements
    T*
    Row(std::size_t row)
    {
        return values.data() + row * columns;
    }

    /// @param row index of a row
    /// @param column index of a column
    /// @return the element
    T
    operator()(std::size_t row, std::size_t column) const
    {
        return values[row * columns + column];
    }

    /// @param row index of a row
    /// @param column index of a column
    /// @return the element
    T&
    operator()(std::size_t row, std::size_t column)
    {
        return values[row * columns + column];
    }

    /// @param other another matrix
    /// @return true if shape and all elements are equal
    bool
    operator==(const Matrix& other) const
    {
        return rows == other.rows && columns == other.columns && values == other.values;
    }

    std::size_t rows = 0;    //!< number of rows
    std::size_t columns = 0; //!< number of columns
    std::vector<T> values;   //!< rows * columns elements, row by row
};

} // namespace ns3::collab

#endif /* COLLAB_MATRIX_H */
