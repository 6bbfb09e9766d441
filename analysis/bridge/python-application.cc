/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "python-application.h"

#include "python-arrays.h"
#include "python-device.h"

#include "ns3/collab-payload-error.h"
#include "ns3/log.h"

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <stdexcept>
#include <utility>

namespace py = pybind11;

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("PythonApplication");
NS_OBJECT_ENSURE_REGISTERED(PythonApplication);

namespace
{

/// Closes a coroutine of Python where it waits, so that its own cleaning up is done
class ClosedCoroutine
{
  public:
    /// @param coroutine made by an `async def`
    explicit ClosedCoroutine(Held coroutine)
        : m_coroutine(std::move(coroutine))
    {
    }

    ClosedCoroutine(const ClosedCoroutine&) = delete;
    ClosedCoroutine& operator=(const ClosedCoroutine&) = delete;

    ~ClosedCoroutine()
    {
        const py::gil_scoped_acquire lock;
        try
        {
            m_coroutine->attr("close")();
        }
        catch (py::error_already_set& error)
        {
            error.restore();
            PyErr_WriteUnraisable(m_coroutine->ptr());
        }
    }

  private:
    Held m_coroutine; //!< made by an `async def`
};

/// Throws into Python what a wait has ended with, by setting Python's error
void
SetError(const std::exception_ptr& error)
{
    try
    {
        std::rethrow_exception(error);
    }
    catch (const PythonError& thrown)
    {
        const py::object exception = Give(thrown.GetException());
        PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
    }
    catch (const std::exception& thrown)
    {
        PyErr_SetString(PyExc_RuntimeError, thrown.what());
    }
}

/// @return what the coroutine throws into itself, or sends on; new reference, null with an error
/// set
PyObject*
Continue(PyObject* coroutine, const Held& value, const std::exception_ptr& error)
{
    if (!error)
    {
        const py::object sent = Give(value);
        PyObject* result = nullptr;
        const PySendResult kind = PyIter_Send(coroutine, sent.ptr(), &result);
        if (kind != PYGEN_RETURN)
        {
            return result;
        }
        const py::object returned = py::reinterpret_steal<py::object>(result);
        PyObject* stop = PyObject_CallOneArg(PyExc_StopIteration, returned.ptr());
        PyErr_SetObject(PyExc_StopIteration, stop);
        Py_XDECREF(stop);
        return nullptr;
    }
    SetError(error);
    py::error_already_set thrown; // takes the error
    return PyObject_CallMethod(coroutine, "throw", "O", thrown.value().ptr());
}

/// @return a step that throws where something was awaited that is none
PythonStep
RefuseToAwait(const py::object& awaited)
{
    const std::string text = fmt::format(
        "a round cannot await {}; allowed is what the protocol's own methods give, such as "
        "self.sleep(), self.compute() and self.hear()",
        std::string(py::repr(awaited)));
    return {[text]() -> ProcessOf<Held> { throw std::invalid_argument(text); }};
}

} // namespace

TypeId
PythonApplication::GetTypeId()
{
    static TypeId tid = AddRetries(AddLossPolicy(TypeId("ns3::collab::PythonApplication")
                                                     .SetParent<LearningApplication>()
                                                     .SetGroupName("Collab")
                                                     .AddConstructor<PythonApplication>(),
                                                 LossPolicy::BEST_EFFORT));
    return tid;
}

PythonApplication::PythonApplication()
    : m_type(std::make_shared<const PythonProtocolType>()),
      m_device(std::make_shared<PythonDevice>(this))
{
}

PythonApplication::~PythonApplication() = default;

void
PythonApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    LearningApplication::DoDispose(); // which ends the processes
    m_device->Detach();
    m_kinds.clear();
    m_protocol.reset();
}

void
PythonApplication::SetProtocol(std::shared_ptr<const PythonProtocolType> type, Held protocol)
{
    m_type = std::move(type);
    m_protocol = std::move(protocol);
}

const std::shared_ptr<PythonDevice>&
PythonApplication::GetDevice() const
{
    return m_device;
}

std::vector<Metric>
PythonApplication::GetMetrics() const
{
    std::vector<Metric> metrics = m_type->metrics;
    if (m_type->hasLearner)
    {
        for (Metric& metric : LearningApplication::GetMetrics())
        {
            metrics.push_back(std::move(metric));
        }
    }
    return metrics;
}

std::string
PythonApplication::GetPlace() const
{
    return fmt::format("device {}, round {}, phase \"{}\"", GetDeviceId(), GetRound(), GetPhase());
}

void
PythonApplication::CallPython(const std::function<void()>& call)
{
    const py::gil_scoped_acquire lock;
    try
    {
        if (PyErr_CheckSignals() != 0)
        {
            throw py::error_already_set();
        }
        call();
    }
    catch (py::error_already_set& error)
    {
        throw PythonError(PythonError(error), GetPlace());
    }
}

void
PythonApplication::DoStart()
{
    CallPython([this]() { m_protocol->attr("_start")(); });
}

void
PythonApplication::Register(const PythonMessageKind& kind)
{
    m_kinds[kind.layout->kind] = kind;
    if (kind.layout->hasUnits)
    {
        RegisterAs<DynamicUnits>(kind);
    }
    else
    {
        RegisterAs<DynamicMessage>(kind);
    }
}

template <typename T>
void
PythonApplication::RegisterAs(const PythonMessageKind& kind)
{
    const T expected(kind.layout);
    if (!kind.handler)
    {
        Listen<T>(expected);
        return;
    }
    On<T>(
        [this, kind](const Received<T>& received) {
            std::string refusal;
            CallPython([&]() {
                const py::object refused = (*kind.handler)(received.sender,
                                                           received.round,
                                                           received.units,
                                                           received.unitsSent,
                                                           GiveMessage(kind.type, *received.body));
                refusal = refused.is_none() ? "" : refused.cast<std::string>();
            });
            if (!refusal.empty())
            {
                throw PayloadError(refusal);
            }
        },
        expected);
}

Process
PythonApplication::Round()
{
    m_device->Report({}); // what a round does not say is NaN
    Held coroutine;
    CallPython([&]() { coroutine = Hold(m_protocol->attr("_begin_round")()); });
    co_await Drive(coroutine);
}

std::optional<PythonStep>
PythonApplication::Advance(const Held& coroutine,
                           const Held& value,
                           const std::exception_ptr& error,
                           Held& result)
{
    std::optional<PythonStep> step;
    CallPython([&]() {
        const auto yielded =
            py::reinterpret_steal<py::object>(Continue(coroutine->ptr(), value, error));
        if (yielded)
        {
            step = py::isinstance<PythonStep>(yielded) ? yielded.cast<PythonStep>()
                                                       : RefuseToAwait(yielded);
            return;
        }
        if (!PyErr_ExceptionMatches(PyExc_StopIteration))
        {
            throw py::error_already_set();
        }
        py::error_already_set ended;
        result = Hold(ended.value().attr("value"));
    });
    return step;
}

ProcessOf<Held>
PythonApplication::Drive(Held coroutine)
{
    const ClosedCoroutine closed(coroutine);
    Held result;
    Held value;
    std::exception_ptr error;
    while (const auto step = Advance(coroutine, value, error, result))
    {
        error = nullptr;
        try
        {
            value = co_await step->begin();
        }
        catch (...)
        {
            error = std::current_exception();
        }
    }
    co_return result;
}

Process
PythonApplication::DriveBeside(Held coroutine)
{
    co_await Drive(std::move(coroutine));
}

void
PythonApplication::DoResume()
{
    CallPython([this]() { m_protocol->attr("resume")(); });
}

} // namespace ns3::collab
