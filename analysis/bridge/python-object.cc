/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "python-object.h"

#include <utility>

namespace py = pybind11;

namespace ns3::collab
{

Held
Hold(py::object object)
{
    if (object.is_none())
    {
        return nullptr;
    }
    return Held(new py::object(std::move(object)), [](py::object* held) {
        if (!Py_IsInitialized())
        {
            return; // the interpreter has gone, and all its objects with it
        }
        const py::gil_scoped_acquire lock;
        delete held;
    });
}

py::object
Give(const Held& held)
{
    return held ? *held : py::object(py::none());
}

PythonError::PythonError(py::error_already_set& error)
    : std::runtime_error(error.what())
{
    py::object value = error.value();
    if (error.trace())
    {
        PyException_SetTraceback(value.ptr(), error.trace().ptr());
    }
    m_exception = Hold(std::move(value));
}

PythonError::PythonError(const PythonError& exception, const std::string& where)
    : std::runtime_error(where + ": " + exception.what()),
      m_exception(exception.m_exception),
      m_place(where)
{
}

const Held&
PythonError::GetException() const
{
    return m_exception;
}

const std::string&
PythonError::GetPlace() const
{
    return m_place;
}

} // namespace ns3::collab
