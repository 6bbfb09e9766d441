/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PYTHON_ARRAYS_H
#define PYTHON_ARRAYS_H

#include "dynamic-message.h"
#include "python-object.h"

#include "ns3/collab-learner.h"
#include "ns3/collab-matrix.h"
#include "ns3/collab-metric.h"

#include <cstdint>
#include <memory>
#include <pybind11/numpy.h>
#include <vector>

namespace ns3::collab
{

/// Arrays of NumPy that share the memory of C++ are read-only: other devices have it too. Whoever
/// calls these functions holds the interpreter's lock.

/// @param array of numbers, row by row
/// @return a copy of it
Block TakeBlock(const pybind11::array& array);
/// @param type of its numbers
/// @param block shared
/// @return a view of it
pybind11::array GiveBlock(NumberType type, const Block& block);
/// @param type class of the message in Python
/// @param message that has arrived
/// @return an object of the class, whose arrays are views of the message
pybind11::object GiveMessage(const Held& type, const DynamicMessage& message);

/// Numbers in one row, as float32
using FloatArray = pybind11::array_t<float, pybind11::array::c_style | pybind11::array::forcecast>;

/// @param vector shared, or null for None
/// @return a view of it
pybind11::object GiveVector(const FlatVector& vector);
/// @param array of any shape
/// @return a copy of it
FlatVector TakeVector(const FloatArray& array);
/// @param matrix that nobody else needs
/// @return an array with its numbers
pybind11::array GiveMatrix(Matrix<float> matrix);
/// @param scores by name
/// @return a dict of them
pybind11::dict GiveScores(const MetricValues& scores);

/// @brief Make an array that owns what a C++ vector held.
/// @param shape of the array
/// @param values row by row
/// @return the array
template <typename T>
pybind11::array_t<T>
GiveOwned(std::vector<pybind11::ssize_t> shape, std::vector<T> values)
{
    auto* owned = new std::vector<T>(std::move(values));
    const pybind11::capsule base(owned,
                                 [](void* vector) { delete static_cast<std::vector<T>*>(vector); });
    return pybind11::array_t<T>(std::move(shape), owned->data(), base);
}

/// @copydoc GiveOwned; in one row
template <typename T>
pybind11::array_t<T>
GiveOwned(std::vector<T> values)
{
    const auto size = static_cast<pybind11::ssize_t>(values.size());
    return GiveOwned(std::vector<pybind11::ssize_t>{size}, std::move(values));
}

} // namespace ns3::collab

#endif /* PYTHON_ARRAYS_H */
