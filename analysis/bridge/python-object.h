/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PYTHON_OBJECT_H
#define PYTHON_OBJECT_H

#include <memory>
#include <pybind11/pybind11.h>
#include <stdexcept>
#include <string>

namespace ns3::collab
{

/**
 * @brief An object of Python that code keeps which does not hold the interpreter's lock; null for
 * None.
 *
 * Copying and destroying it is safe without the lock, on any thread; looking into it is not.
 */
using Held = std::shared_ptr<pybind11::object>;

/// @param object to be held; the caller has the interpreter's lock
/// @return it; null for None
Held Hold(pybind11::object object);

/// @param held of Hold(); the caller has the interpreter's lock
/// @return the object
pybind11::object Give(const Held& held);

/// An exception of Python on its way through code that does not hold the interpreter's lock
class PythonError : public std::runtime_error
{
  public:
    /// @param error exception of Python; the caller has the interpreter's lock
    explicit PythonError(pybind11::error_already_set& error);
    /// @param exception of Python
    /// @param where it came up, such as "device 3, round 2, phase \"train\"", once
    PythonError(const PythonError& exception, const std::string& where);

    /// @return the exception
    const Held& GetException() const;
    /// @return where it came up; empty if nobody has said so
    const std::string& GetPlace() const;

  private:
    Held m_exception;    //!< see GetException()
    std::string m_place; //!< see GetPlace()
};

} // namespace ns3::collab

#endif /* PYTHON_OBJECT_H */
