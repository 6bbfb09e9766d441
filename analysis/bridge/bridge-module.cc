/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The extension module behind the Python package collab: classes and functions that its Python
// files wrap. Nothing here is for users directly.

#include "bridge-learning.h"
#include "bridge-scenario.h"
#include "python-arrays.h"
#include "python-device.h"

#include "ns3/collab-error.h"
#include "ns3/collab-rank-session.h"
#include "ns3/collab-seed.h"

#include <map>
#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace py = pybind11;
using namespace ns3;
using namespace ns3::collab;

namespace
{

/// Calls into C++, which takes the interpreter's lock again where it calls Python
using Unlocked = py::call_guard<py::gil_scoped_release>;

LossPolicy
ParsePolicy(const std::string& name)
{
    static const std::map<std::string, LossPolicy> policies = {
        {"best-effort", LossPolicy::BEST_EFFORT},
        {"reliable", LossPolicy::RELIABLE},
        {"partial", LossPolicy::PARTIAL},
        {"partial-reliable", LossPolicy::PARTIAL_RELIABLE}};
    const auto found = policies.find(name);
    if (found == policies.end())
    {
        throw std::invalid_argument("unknown policy '" + name +
                                    "'; allowed: best-effort, reliable, partial, partial-reliable");
    }
    return found->second;
}

PythonSending
MakeSending(const std::string& policy,
            uint8_t priority,
            double lifetime,
            uint32_t maxAttempts,
            std::optional<uint32_t> round)
{
    PythonSending how;
    if (!policy.empty())
    {
        how.policy = ParsePolicy(policy);
    }
    how.priority = priority;
    how.lifetime = ToTime(lifetime);
    how.maxAttempts = maxAttempts;
    how.round = round;
    return how;
}

std::shared_ptr<MessageLayout>
MakeLayout(const std::string& name,
           std::optional<uint16_t> kind,
           bool hasUnits,
           const std::vector<std::tuple<std::string, std::string, std::vector<int64_t>>>& fields)
{
    auto layout = std::make_shared<MessageLayout>();
    layout->name = name;
    layout->kind = kind.value_or(MakeKind(name));
    layout->hasUnits = hasUnits;
    for (const auto& [field, type, shape] : fields)
    {
        layout->fields.push_back({field, ParseNumberType(type), shape});
    }
    layout->Check();
    return layout;
}

void
AddMessages(py::module_& module)
{
    py::class_<MessageLayout, std::shared_ptr<MessageLayout>>(module, "Layout")
        .def(py::init(&MakeLayout))
        .def_readonly("kind", &MessageLayout::kind);
    py::class_<Block>(module, "Block")
        .def(py::init(&TakeBlock))
        .def("view", [](const Block& block, const std::string& type) {
            return GiveBlock(ParseNumberType(type), block);
        });
    py::class_<PythonMessage, std::shared_ptr<PythonMessage>>(module, "Packed")
        .def(py::init([](std::shared_ptr<MessageLayout> layout, std::vector<Block> blocks) {
            return std::make_shared<PythonMessage>(std::move(layout), std::move(blocks));
        }))
        .def_property_readonly("size", &PythonMessage::GetSize)
        .def("bytes", [](const PythonMessage& message) {
            std::vector<uint8_t> bytes;
            message.GetWhole() ? message.GetWhole()->Serialize(bytes)
                               : message.GetUnits()->Serialize(bytes);
            return py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        });
    py::class_<PythonSending>(module, "Sending").def(py::init(&MakeSending));
    py::class_<PythonStep>(module, "Step");
}

void
AddDevice(py::module_& module)
{
    using Device = PythonDevice;
    py::class_<Device, std::shared_ptr<Device>>(
        module, "Device", "What a protocol knows of its device, for as long as it is simulated.")
        .def_property_readonly("number", &Device::GetNumber, "number of the device, from 0")
        .def_property_readonly("round", &Device::GetRound, "present round, from 0")
        .def_property_readonly("rounds", &Device::GetRounds, "rounds to run")
        .def_property_readonly("now", &Device::GetNow, "simulated time [s]")
        .def_property_readonly("neighbors",
                               &Device::GetNeighbors,
                               "devices that a broadcast would reach now, ascending")
        .def_property_readonly("position", &Device::GetPosition, "x, y and z now [m]")
        .def_property_readonly(
            "metrics", &Device::GetMetricNames, "names of what its rounds report")
        .def("energy", &Device::GetEnergy, Unlocked(), "what is left in its battery [J]")
        .def_property_readonly("flops_per_second",
                               &Device::GetFlopsPerSecond,
                               "floating-point operations of its processor in a second")
        .def("link_quality",
             &Device::GetLinkQuality,
             py::arg("sender"),
             "mean received signal strength [W] and outage probability of the link from another "
             "device; None if it hears nothing of it")
        .def("register",
             [](Device& device,
                std::shared_ptr<MessageLayout> layout,
                py::object type,
                py::object handler) {
                 const PythonMessageKind kind{
                     std::move(layout), Hold(std::move(type)), Hold(std::move(handler))};
                 device.Register(kind);
             })
        .def("send", &Device::Send, Unlocked())
        .def("broadcast", &Device::Broadcast, Unlocked())
        .def("multicast", &Device::Multicast, Unlocked())
        .def("enter_phase", &Device::EnterPhase, Unlocked())
        .def("report", &Device::Report, Unlocked())
        .def("note_trained", &Device::NoteTrained)
        .def("check_waits", &Device::CheckWaits, Unlocked())
        .def("stop", &Device::StopForGood, Unlocked())
        .def("spawn",
             [](Device& device, py::object coroutine) {
                 const Held held = Hold(std::move(coroutine));
                 const py::gil_scoped_release unlock;
                 device.Spawn(held);
             })
        .def("sleep", &Device::Sleep)
        .def("compute",
             [](Device& device,
                const std::string& phase,
                uint64_t flops,
                py::object work,
                bool isLight) {
                 const Held held = Hold(std::move(work));
                 return device.Compute(phase, flops, held, isLight);
             })
        .def("hear", &Device::Hear)
        .def("deliver", &Device::Deliver)
        .def("wait_until",
             [](Device& device, py::object isSo, double seconds) {
                 return device.WaitUntil(Hold(std::move(isSo)), seconds);
             })
        .def("some",
             [](Device& device, const std::vector<py::object>& coroutines, std::size_t enough) {
                 std::vector<Held> held;
                 for (const py::object& coroutine : coroutines)
                 {
                     held.push_back(Hold(coroutine));
                 }
                 return device.Some(std::move(held), enough);
             })
        .def_property_readonly("learner", &Device::GetLearner)
        .def("train", &Device::Train)
        .def("predict",
             [](Device& device, const BridgeView& view) { return device.Predict(view.data); })
        .def("evaluate", [](Device& device, const std::optional<FloatArray>& weights) {
            return device.Evaluate(weights ? TakeVector(*weights) : nullptr);
        });
}

/// @return value of a parameter as Python's declaration has it
ParameterValue
ToValue(const py::object& value)
{
    if (py::isinstance<py::bool_>(value))
    {
        return value.cast<bool>();
    }
    if (py::isinstance<py::int_>(value))
    {
        return value.cast<int64_t>();
    }
    if (py::isinstance<py::float_>(value))
    {
        return value.cast<double>();
    }
    return value.cast<std::string>();
}

/// @return a parameter's value for Python
py::object
FromValue(const ParameterValue& value)
{
    return std::visit([](const auto& number) { return py::object(py::cast(number)); }, value);
}

BridgeParameter
ToParameter(const py::dict& given)
{
    BridgeParameter parameter;
    parameter.name = given["name"].cast<std::string>();
    parameter.value = ToValue(given["default"]);
    parameter.help = given["help"].cast<std::string>();
    parameter.unit = given["unit"].cast<std::string>();
    parameter.least = given["minimum"].cast<std::optional<double>>();
    parameter.greatest = given["maximum"].cast<std::optional<double>>();
    parameter.choices = given["choices"].cast<std::vector<std::string>>();
    return parameter;
}

ColumnType
ToColumnType(const std::string& name)
{
    return name == "int" ? ColumnType::INTEGER
                         : (name == "float" ? ColumnType::REAL : ColumnType::TEXT);
}

BridgeDescription
ToDescription(const py::dict& given)
{
    BridgeDescription description;
    description.name = given["name"].cast<std::string>();
    description.usage = given["usage"].cast<std::string>();
    description.measure = given["measure"].cast<std::string>();
    description.hasData = given["has_data"].cast<bool>();
    description.sharesStart = given["shares_start"].cast<bool>();
    description.dataSet = given["data_set"].cast<std::string>();
    description.type.hasLearner = given["has_learner"].cast<bool>();
    for (const auto& [name, unit, meaning] :
         given["metrics"].cast<std::vector<std::tuple<std::string, std::string, std::string>>>())
    {
        description.type.metrics.push_back({name, unit, meaning});
    }
    for (const auto& parameter : given["parameters"].cast<std::vector<py::dict>>())
    {
        description.parameters.push_back(ToParameter(parameter));
    }
    for (const auto& table : given["tables"].cast<std::vector<py::dict>>())
    {
        TableDescription made{
            table["name"].cast<std::string>(), table["meaning"].cast<std::string>(), {}};
        for (const auto& [name, type, unit, meaning] :
             table["columns"]
                 .cast<
                     std::vector<std::tuple<std::string, std::string, std::string, std::string>>>())
        {
            made.columns.push_back({name, ToColumnType(type), unit, meaning});
        }
        description.tables.push_back(std::move(made));
    }
    return description;
}

/// @return a cell of a row, whose type the column has
std::variant<int64_t, double, std::string>
ToCellValue(const py::object& value, ColumnType type)
{
    switch (type)
    {
    case ColumnType::INTEGER:
        return value.cast<int64_t>();
    case ColumnType::REAL:
        return value.cast<double>();
    default:
        return value.cast<std::string>();
    }
}

/// @brief What RunBridge() calls of Python, each with the interpreter's lock.
/// @param description of the protocol; must outlive the run
/// @param runner object of Python with begin(), make(), tables() and progress()
BridgeCalls
MakeCalls(const BridgeDescription& description, const Held& runner)
{
    const auto locked = [](const auto& call) {
        const py::gil_scoped_acquire lock;
        try
        {
            return call();
        }
        catch (py::error_already_set& error)
        {
            throw PythonError(error);
        }
    };
    BridgeCalls calls;
    calls.begin = [locked, runner](const BridgeParameters& p) {
        locked([&]() {
            py::dict values;
            for (const auto& parameter : p.GetAll())
            {
                values[py::str(parameter.GetName())] = FromValue(parameter.GetValue());
            }
            runner->attr("begin")(values, SeedFor(RandomPurpose::PROTOCOL));
        });
    };
    calls.make = [locked, runner](uint32_t number,
                                  const std::shared_ptr<PythonDevice>& device,
                                  const ScenarioSamples* samples) {
        return locked([&]() {
            return Hold(runner->attr("make")(number, device, GiveSamples(samples, number)));
        });
    };
    calls.tables = [locked, runner, &description](BridgeWriter write) {
        locked([&]() {
            const auto writeRow = [write = std::move(write), &description](
                                      std::size_t table, const std::vector<py::object>& cells) {
                BridgeRow row;
                for (std::size_t i = 0; i < cells.size(); ++i)
                {
                    row.cells.push_back(
                        ToCellValue(cells[i], description.tables[table].columns.at(i).type));
                }
                write(table, row);
            };
            runner->attr("tables")(py::cpp_function(writeRow));
        });
    };
    calls.progress = [locked, runner](uint32_t round) {
        locked([&]() { runner->attr("progress")(round); });
    };
    return calls;
}

/// Run a protocol; what Python throws meanwhile is thrown to who calls
void
Run(const py::dict& given, const std::vector<std::string>& words, py::object runner)
{
    const BridgeDescription description = ToDescription(given);
    const Held held = Hold(std::move(runner));
    const BridgeCalls calls = MakeCalls(description, held);
    if (RankSession::RefusesSeveral("collab"))
    {
        PyErr_SetObject(PyExc_SystemExit, py::int_(2).ptr());
        throw py::error_already_set();
    }
    try
    {
        const py::gil_scoped_release unlock;
        RunBridge(description, words, calls);
    }
    catch (const PythonError& error)
    {
        held->attr("fail")(Give(error.GetException()), error.GetPlace()); // which throws it
    }
}

} // namespace

PYBIND11_MODULE(_collab, module)
{
    module.doc() = "What the package collab is made of.";
    py::register_exception<UserError>(module, "ArgumentError", PyExc_ValueError);
    py::register_exception<DataFileError>(module, "DataFileError", PyExc_ValueError);
    AddMessages(module);
    AddLearning(module);
    AddDevice(module);
    module.def("run", &Run);
}
