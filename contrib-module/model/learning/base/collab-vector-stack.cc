/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-vector-stack.h"

#include "collab-check-argument.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>
#include <utility>

namespace ns3::collab
{

namespace
{

/// @param matrix one vector a row
/// @return pointers to its rows
std::vector<const float*>
RowsOf(const Matrix<float>& matrix)
{
    std::vector<const float*> rows(matrix.rows);
    for (std::size_t i = 0; i < matrix.rows; ++i)
    {
        rows[i] = matrix.Row(i);
    }
    return rows;
}

/// @param vectors vectors, all of one size
/// @param get function that gives the vector of an entry
/// @return pointers to them
template <typename Vectors, typename Get>
std::vector<const float*>
RowsOf(const Vectors& vectors, const Get& get)
{
    std::vector<const float*> rows;
    for (std::size_t i = 0; i < vectors.size(); ++i)
    {
        CheckArgument(get(vectors[i]).size() == get(vectors[0]).size(),
                      "vector {} has {} elements, but vector 0 has {}",
                      i,
                      get(vectors[i]).size(),
                      get(vectors[0]).size());
        rows.push_back(get(vectors[i]).data());
    }
    return rows;
}

/// @return a vector itself
const std::vector<float>&
GetItself(const std::vector<float>& vector)
{
    return vector;
}

/// @return what is shared
const std::vector<float>&
GetShared(const std::shared_ptr<const std::vector<float>>& vector)
{
    return *vector;
}

} // namespace

VectorStack::VectorStack(std::vector<const float*> rows, std::size_t dimension)
    : m_rows(std::move(rows)),
      m_dimension(dimension)
{
    CheckArgument(!m_rows.empty() && m_dimension != 0,
                  "{} vectors of {} elements, but at least 1 of 1 is needed",
                  m_rows.size(),
                  m_dimension);
    const auto null = std::find(m_rows.begin(), m_rows.end(), nullptr);
    CheckArgument(null == m_rows.end(), "vector {} is a null pointer", null - m_rows.begin());
}

VectorStack::VectorStack(const Matrix<float>& matrix)
    : VectorStack(RowsOf(matrix), matrix.columns)
{
}

VectorStack::VectorStack(const std::vector<std::vector<float>>& vectors)
    : VectorStack(RowsOf(vectors, GetItself), vectors.empty() ? 0 : vectors[0].size())
{
}

VectorStack::VectorStack(const std::vector<std::shared_ptr<const std::vector<float>>>& vectors)
    : VectorStack(RowsOf(vectors, GetShared), vectors.empty() ? 0 : vectors[0]->size())
{
}

VectorStack
VectorStack::Select(const std::vector<std::size_t>& indices) const
{
    std::vector<const float*> rows;
    for (const std::size_t index : indices)
    {
        rows.push_back(m_rows.at(index));
    }
    return {std::move(rows), m_dimension};
}

void
VectorStack::CheckFinite() const
{
    for (std::size_t i = 0; i < m_rows.size(); ++i)
    {
        for (std::size_t k = 0; k < m_dimension; ++k)
        {
            if (!std::isfinite(m_rows[i][k]))
            {
                throw std::invalid_argument(fmt::format(
                    "element {} of vector {} is {}, but must be finite", k, i, m_rows[i][k]));
            }
        }
    }
}

bool
AreFinite(const std::vector<float>& values)
{
    return std::all_of(
        values.begin(), values.end(), [](float value) { return std::isfinite(value); });
}

} // namespace ns3::collab
