/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "python-arrays.h"

#include <utility>

namespace py = pybind11;

namespace ns3::collab
{

namespace
{

/// @return the type in NumPy
py::dtype
GetType(NumberType type)
{
    switch (type)
    {
    case NumberType::BOOL:
        return py::dtype::of<bool>();
    case NumberType::INT8:
        return py::dtype::of<int8_t>();
    case NumberType::INT16:
        return py::dtype::of<int16_t>();
    case NumberType::INT32:
        return py::dtype::of<int32_t>();
    case NumberType::INT64:
        return py::dtype::of<int64_t>();
    case NumberType::UINT8:
        return py::dtype::of<uint8_t>();
    case NumberType::UINT16:
        return py::dtype::of<uint16_t>();
    case NumberType::UINT32:
        return py::dtype::of<uint32_t>();
    case NumberType::UINT64:
        return py::dtype::of<uint64_t>();
    case NumberType::FLOAT32:
        return py::dtype::of<float>();
    case NumberType::FLOAT64:
        return py::dtype::of<double>();
    default:
        return py::dtype("float16");
    }
}

/// @param type of its numbers
/// @param shape of the array
/// @param data shared memory
/// @param owner keeps it
/// @return a read-only view
template <typename T>
py::array
GiveView(const py::dtype& type,
         std::vector<py::ssize_t> shape,
         const void* data,
         std::shared_ptr<const T> owner)
{
    auto* kept = new std::shared_ptr<const T>(std::move(owner));
    const py::capsule base(
        kept, [](void* shared) { delete static_cast<std::shared_ptr<const T>*>(shared); });
    py::array view(type, std::move(shape), data, base);
    py::detail::array_proxy(view.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
    return view;
}

} // namespace

Block
TakeBlock(const py::array& array)
{
    const auto whole = py::array::ensure(array, py::array::c_style);
    Block block;
    for (py::ssize_t i = 0; i < whole.ndim(); ++i)
    {
        block.shape.push_back(static_cast<uint32_t>(whole.shape(i)));
    }
    const auto* begin = static_cast<const uint8_t*>(whole.data());
    block.bytes = std::make_shared<const std::vector<uint8_t>>(begin, begin + whole.nbytes());
    return block;
}

py::array
GiveBlock(NumberType type, const Block& block)
{
    return GiveView(GetType(type),
                    std::vector<py::ssize_t>(block.shape.begin(), block.shape.end()),
                    block.bytes->data(),
                    block.bytes);
}

py::object
GiveMessage(const Held& type, const DynamicMessage& message)
{
    const auto& fields = message.GetLayout()->fields;
    py::tuple values(fields.size());
    for (std::size_t i = 0; i < fields.size(); ++i)
    {
        const py::array view = GiveBlock(fields[i].type, message.GetBlocks()[i]);
        values[i] = fields[i].shape.empty() ? view.attr("item")() : py::object(view);
    }
    return type->attr("_received")(values);
}

py::object
GiveVector(const FlatVector& vector)
{
    if (!vector)
    {
        return py::none();
    }
    return GiveView(
        py::dtype::of<float>(), {static_cast<py::ssize_t>(vector->size())}, vector->data(), vector);
}

FlatVector
TakeVector(const FloatArray& array)
{
    return std::make_shared<const std::vector<float>>(array.data(), array.data() + array.size());
}

py::array
GiveMatrix(Matrix<float> matrix)
{
    const auto rows = static_cast<py::ssize_t>(matrix.rows);
    const auto columns = static_cast<py::ssize_t>(matrix.columns);
    auto owned = std::make_shared<const Matrix<float>>(std::move(matrix));
    const float* data = owned->values.data();
    return GiveView(py::dtype::of<float>(), {rows, columns}, data, std::move(owned));
}

py::dict
GiveScores(const MetricValues& scores)
{
    py::dict values;
    for (const auto& [name, value] : scores)
    {
        values[py::str(name)] = value;
    }
    return values;
}

} // namespace ns3::collab
