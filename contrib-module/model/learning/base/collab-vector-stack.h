/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_VECTOR_STACK_H
#define COLLAB_VECTOR_STACK_H

#include "collab-matrix.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace ns3::collab
{

/**
 * @ingroup collab-learning
 * @brief n vectors of d floats that lie elsewhere, such as the updates of n devices.
 *
 * A view: it copies pointers, never elements, and is valid as long as the vectors are.
 */
class VectorStack
{
  public:
    /// @param rows pointers to the vectors' first elements
    /// @param dimension number of elements of each
    /// @throws std::invalid_argument if there is no vector, no element or a null pointer
    VectorStack(std::vector<const float*> rows, std::size_t dimension);

    /// @param matrix one vector a row
    /// @throws std::invalid_argument if it is empty
    explicit VectorStack(const Matrix<float>& matrix);

    /// @param vectors all of one size
    /// @throws std::invalid_argument if there is none or if they differ in size
    explicit VectorStack(const std::vector<std::vector<float>>& vectors);

    /// @param vectors all of one size, such as the weights of models
    /// @throws std::invalid_argument if there is none or if they differ in size
    explicit VectorStack(const std::vector<std::shared_ptr<const std::vector<float>>>& vectors);

    /// @return number of vectors (n)
    std::size_t
    Count() const
    {
        return m_rows.size();
    }

    /// @return number of elements of each (d)
    std::size_t
    Dimension() const
    {
        return m_dimension;
    }

    /// @param index index of a vector
    /// @return its first element
    const float*
    Row(std::size_t index) const
    {
        return m_rows[index];
    }

    /// @return pointers to the vectors
    const std::vector<const float*>&
    Rows() const
    {
        return m_rows;
    }

    /// @param indices indices of vectors
    /// @return a view of these, in this order
    VectorStack Select(const std::vector<std::size_t>& indices) const;

    /// @brief Refuse elements that are NaN or infinite.
    /// @throws std::invalid_argument that names the first vector and element that are not finite
    void CheckFinite() const;

  private:
    std::vector<const float*> m_rows; //!< first element of each vector
    std::size_t m_dimension = 0;      //!< elements of each
};

/// @param values numbers
/// @return whether all of them are finite
bool AreFinite(const std::vector<float>& values);

} // namespace ns3::collab

#endif /* COLLAB_VECTOR_STACK_H */
