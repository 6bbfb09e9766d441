/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bridge-learning.h"

#include "python-arrays.h"

#include "ns3/collab-learner.h"
#include "ns3/collab-sample-reader.h"

#include <optional>
#include <pybind11/stl.h>

namespace py = pybind11;
using namespace ns3::collab;

namespace
{

/// The samples of a device
struct BridgeSamples
{
    BridgeView train;     //!< that it learns from, with the labels that it believes in
    BridgeView test;      //!< of its own, with true labels
    BridgeView reference; //!< X*, which all devices have
    BridgeView global;    //!< of the data set's test part, which no device has
    uint32_t classes = 0; //!< of the data set; 0 in regression
};

/// @return how many samples there are, and what each is
std::vector<py::ssize_t>
GetShape(const DataView& view)
{
    std::vector<py::ssize_t> shape = {static_cast<py::ssize_t>(view.Size())};
    shape.insert(shape.end(), view.data->sampleShape.begin(), view.data->sampleShape.end());
    return shape;
}

/// @tparam T float, or int64_t for tokens
/// @param view some samples
/// @return what a model reads of them, samples x sample shape
template <typename T>
py::array
ReadInputs(const DataView& view)
{
    std::vector<T> values(view.Size() * view.data->SampleSize());
    SampleReader reader(view);
    T* next = values.data();
    for (const uint32_t index : view.indices)
    {
        next = reader.Read(index, next);
    }
    return GiveOwned(GetShape(view), std::move(values));
}

py::array
GetInputs(const BridgeView& view)
{
    return view.data->data->kind == FeatureKind::TOKENS ? ReadInputs<int64_t>(*view.data)
                                                        : ReadInputs<float>(*view.data);
}

/// @return label of each sample; in regression its targets, samples x outputs
py::array
GetLabels(const BridgeView& view)
{
    const DataSet& data = *view.data->data;
    if (data.outputs == 0)
    {
        return GiveOwned(view.data->labels);
    }
    std::vector<float> targets;
    for (const uint32_t index : view.data->indices)
    {
        const float* first = data.targets.data() + std::size_t{index} * data.outputs;
        targets.insert(targets.end(), first, first + data.outputs);
    }
    return GiveOwned({static_cast<py::ssize_t>(view.data->Size()), data.outputs},
                     std::move(targets));
}

/// @return some samples of a view, by their places in it
BridgeView
Select(const BridgeView& view, const std::vector<std::size_t>& places)
{
    DataView some{view.data->data, {}, {}, view.data->transform};
    for (const std::size_t place : places)
    {
        some.indices.push_back(view.data->indices.at(place));
        if (!view.data->labels.empty())
        {
            some.labels.push_back(view.data->labels.at(place));
        }
    }
    return {std::make_shared<const DataView>(std::move(some))};
}

TrainTask
MakeTask(uint32_t epochs,
         uint32_t steps,
         double learningRate,
         uint32_t batchSize,
         bool resetsOptimizer,
         const std::optional<FloatArray>& center,
         double mu,
         const std::optional<FloatArray>& correction,
         double l2)
{
    TrainTask task;
    task.epochs = epochs;
    task.steps = steps;
    task.learningRate = learningRate;
    task.batchSize = batchSize;
    task.resetsOptimizer = resetsOptimizer;
    task.center = center ? TakeVector(*center) : nullptr;
    task.mu = mu;
    task.correction = correction ? TakeVector(*correction) : nullptr;
    task.l2 = l2;
    return task;
}

/// Let a training pull the model towards soft labels of some samples
void
Distill(TrainTask& task, const BridgeView& inputs, const FloatArray& targets, double lambda)
{
    if (targets.ndim() != 2)
    {
        throw std::invalid_argument("targets are samples x classes");
    }
    Matrix<float> rows(targets.shape(0), targets.shape(1));
    std::copy(targets.data(), targets.data() + targets.size(), rows.values.begin());
    task.distillation.inputs = inputs.data;
    task.distillation.targets = std::make_shared<const Matrix<float>>(std::move(rows));
    task.distillation.lambda = lambda;
}

void
AddViews(py::module_& module)
{
    py::class_<BridgeView>(module, "View", "Some samples; len() is their number.")
        .def("__len__", [](const BridgeView& view) { return view.data->Size(); })
        .def_property_readonly(
            "inputs", &GetInputs, "what a model reads of them: a new array, samples x sample shape")
        .def_property_readonly(
            "labels", &GetLabels, "label of each; in regression its targets, samples x outputs")
        .def("select", &Select, py::arg("places"), "some of them, by their places");
    py::class_<BridgeSamples>(module, "Samples", "The samples of a device.")
        .def_readonly("train",
                      &BridgeSamples::train,
                      "that it learns from, with the labels that it believes in")
        .def_readonly("test", &BridgeSamples::test, "of its own, with true labels")
        .def_readonly("reference", &BridgeSamples::reference, "X*, which all devices have")
        .def_readonly("global_test",
                      &BridgeSamples::global,
                      "of the data set's test part, which no device has")
        .def_readonly("classes", &BridgeSamples::classes, "of the data set; 0 in regression");
}

} // namespace

py::object
GiveSamples(const ScenarioSamples* samples, uint32_t device)
{
    if (!samples)
    {
        return py::none();
    }
    const auto share = [](const DataView& view) {
        return BridgeView{std::make_shared<const DataView>(view)};
    };
    return py::cast(BridgeSamples{share(samples->train[device]),
                                  share(samples->test[device]),
                                  {samples->reference},
                                  {samples->global},
                                  samples->reference->data->classes});
}

void
AddLearning(py::module_& module)
{
    AddViews(module);
    py::class_<TrainTask>(module, "TrainTask").def(py::init(&MakeTask)).def("distill", &Distill);
    py::class_<Learner, std::shared_ptr<Learner>>(module, "Learner")
        .def_property(
            "weights",
            [](const Learner& learner) { return GiveVector(learner.GetWeights()); },
            [](Learner& learner, const FloatArray& weights) {
                learner.SetWeights(TakeVector(weights));
            })
        .def_property_readonly("parameters", &Learner::GetParameterCount);
    AddMathematics(module);
}
