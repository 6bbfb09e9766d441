/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-model-registry.h"

#include "collab-stub-model.h"
#include "collab-tensor-names.h"
#include "collab-torch-model.h"
#include "collab-torch-planned-model.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-model-plans.h"
#include "ns3/collab-torch-model-measure.h"
#include "ns3/collab-torch-script-model.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace ns3::collab
{

namespace
{

using Plan = NetworkPlan (*)(const std::string&, const ModelInput&);

/// @param options of the model "trained": names of tensors and a model, with a colon between
/// @return both
/// @throws std::invalid_argument if one is missing
std::pair<std::string, std::string>
ReadTrained(const std::string& options)
{
    const std::size_t colon = std::min(options.find(':'), options.size());
    CheckArgument(colon > 0 && colon + 1 < options.size(),
                  "model trained:{}, expected names of tensors and a model, such as "
                  "trained:fc*:mlp:20",
                  options);
    return {options.substr(0, colon), options.substr(colon + 1)};
}

/// @return a model of which only the named tensors are trained
std::unique_ptr<TorchModel>
MakeTrained(const std::string& options, const ModelInput& input)
{
    const auto [names, name] = ReadTrained(options);
    auto model = MakeTorchModel(name, input);
    model->Freeze(FindTensors(model->GetSpecs(), names));
    CheckArgument(model->CountParameters() > 0, "of {} nothing is trained", names);
    return model;
}

/// @return what it costs, by running it once
ModelDescription
DescribeTrained(const std::string& options, const ModelInput& input)
{
    const ModelDescription whole = DescribeModel(ReadTrained(options).second, input);
    // Of equal models of equal costs, all that LibTorch leaves out is equal too
    using Key = std::tuple<std::string, std::vector<int64_t>, uint64_t, uint64_t>;
    static std::recursive_mutex access; // a model of a model
    static std::map<Key, ModelDescription> known;
    const Key key(options, input.sampleShape, whole.CountWeights(), whole.CountTrainingFlops());
    const std::lock_guard<std::recursive_mutex> lock(access);
    auto found = known.find(key);
    if (found == known.end())
    {
        const auto make = [&]() { return MakeTrained(options, input); };
        const bool isWhole = make()->CountParameters() == whole.CountParameters();
        found = known.emplace(key, isWhole ? whole : MeasureModel(make, input).description).first;
    }
    return found->second;
}

/// @return number of outputs of the model
std::size_t
CountTrainedOutputs(const std::string& options, const ModelInput& input)
{
    return CountOutputs(ReadTrained(options).second, input);
}

/// @return the factories by name, at first those of the module's own models
std::map<std::string, ModelFactory>&
Factories()
{
    static std::map<std::string, ModelFactory> factories = [] {
        std::map<std::string, ModelFactory> own;
        for (const auto& [name, plan] : std::initializer_list<std::pair<const char*, Plan>>{
                 {"alexnet", PlanAlexNet},
                 {"char-lstm", PlanCharacterLstm},
                 {"conv4", PlanConvolutionalEncoder},
                 {"efficientnet-b0", PlanEfficientNetB0},
                 {"fc3", PlanFullyConnectedEncoder},
                 {"gcn", PlanGraphConvolution},
                 {"lenet", PlanLeNet},
                 {"linear", PlanLinear},
                 {"mlp", PlanMlp},
                 {"netcnn", PlanNetCnn},
                 {"polynomial", PlanPolynomial},
                 {"resnet20", PlanResNet20},
                 {"sentiment-lstm", PlanSentimentLstm}})
        {
            own[name].plan = plan;
        }
        own["stub"].describe = [](const std::string& options, const ModelInput&) {
            return DescribeStub(options);
        };
        own["trained"] = {nullptr, DescribeTrained, MakeTrained, CountTrainedOutputs};
        own["script"] = {nullptr, DescribeScriptModel, MakeScriptModel, CountScriptOutputs};
        return own;
    }();
    return factories;
}

} // namespace

void
RegisterModel(const std::string& name, ModelFactory factory)
{
    CheckArgument(!name.empty() && name.find(':') == std::string::npos,
                  "model name \"{}\" is empty or has a colon",
                  name);
    CheckArgument(factory.plan || (factory.describe && factory.make),
                  "model {}: the factory needs a plan, or a description and a maker",
                  name);
    CheckArgument(
        Factories().emplace(name, std::move(factory)).second, "there is a model {} already", name);
}

NamedModel
FindModel(const std::string& name)
{
    const std::size_t colon = std::min(name.find(':'), name.size());
    const auto found = Factories().find(name.substr(0, colon));
    if (found == Factories().end())
    {
        throw std::invalid_argument(
            fmt::format("no model \"{}\"; there are: {}", name, fmt::join(GetModelNames(), ", ")));
    }
    CheckArgument(colon + 1 != name.size(), "model \"{}\": no options after the colon", name);
    return {colon < name.size() ? name.substr(colon + 1) : "", found->second};
}

std::size_t
CountOutputs(const std::string& name, const ModelInput& input)
{
    const NamedModel model = FindModel(name);
    if (!model.factory.plan)
    {
        return model.factory.countOutputs ? model.factory.countOutputs(model.options, input)
                                          : input.outputs;
    }
    const NetworkPlan plan = model.factory.plan(model.options, input);
    return static_cast<std::size_t>(plan.GetShape().back());
}

std::vector<std::string>
GetModelNames()
{
    std::vector<std::string> names;
    for (const auto& [name, factory] : Factories())
    {
        names.push_back(name);
    }
    return names;
}

ModelDescription
DescribeModel(const std::string& name, const ModelInput& input)
{
    const NamedModel model = FindModel(name);
    try
    {
        return model.factory.plan ? model.factory.plan(model.options, input).Describe()
                                  : model.factory.describe(model.options, input);
    }
    catch (const std::invalid_argument& error)
    {
        throw std::invalid_argument(fmt::format("model {} for samples of ({}): {}",
                                                name,
                                                fmt::join(input.sampleShape, ", "),
                                                error.what()));
    }
}

ModelDescription
DescribeModel(const std::string& name, const std::vector<int64_t>& sampleShape, uint32_t classes)
{
    CheckArgument(classes >= 2, "{} classes, but at least 2 are needed", classes);
    ModelInput input;
    input.sampleShape = sampleShape;
    input.outputs = classes;
    return DescribeModel(name, input);
}

std::unique_ptr<TorchModel>
MakeTorchModel(const std::string& name, const ModelInput& input)
{
    DescribeModel(name, input); // refuses what cannot be built
    const NamedModel model = FindModel(name);
    CheckArgument(
        model.factory.plan || model.factory.make, "model {} has a size only: it is a stub", name);
    return model.factory.plan ? MakePlannedModel(model.factory.plan(model.options, input))
                              : model.factory.make(model.options, input);
}

} // namespace ns3::collab
