/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-weights.h"

#include "collab-safetensors-file.h"
#include "collab-torch-script-file.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-error.h"
#include "ns3/collab-model-registry.h"
#include "ns3/collab-torch-model.h"

#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <utility>

namespace ns3::collab
{

std::vector<WeightSpec>
ListWeights(const std::string& model, const ModelInput& input)
{
    return MakeTorchModel(model, input)->GetSpecs();
}

FlatVector
LoadWeights(const std::string& path, const std::string& model, const ModelInput& input)
{
    std::map<std::string, NamedTensor> tensors;
    const std::string ending = std::filesystem::path(path).extension();
    const bool isTorchScript = ending == ".pt" || ending == ".pth" || ending == ".ts";
    for (NamedTensor& tensor : isTorchScript ? ReadTorchScript(path) : ReadSafetensors(path))
    {
        tensors.emplace(tensor.name, std::move(tensor));
    }
    std::vector<float> weights;
    const std::vector<WeightSpec> specs = ListWeights(model, input);
    for (const WeightSpec& spec : specs)
    {
        const auto found = tensors.find(spec.name);
        Require<DataFileError>(found != tensors.end(),
                               "{}: tensor \"{}\" of model {} is missing",
                               path,
                               spec.name,
                               model);
        Require<DataFileError>(found->second.sizes == spec.sizes,
                               "{}: tensor \"{}\" of shape ({}), model {} has ({})",
                               path,
                               spec.name,
                               fmt::join(found->second.sizes, ", "),
                               model,
                               fmt::join(spec.sizes, ", "));
        weights.insert(weights.end(), found->second.values.begin(), found->second.values.end());
        tensors.erase(found);
    }
    if (!tensors.empty())
    {
        throw DataFileError(fmt::format(
            "{}: tensor \"{}\" is none of model {}", path, tensors.begin()->first, model));
    }
    return std::make_shared<const std::vector<float>>(std::move(weights));
}

void
SaveWeights(const std::string& path,
            const std::string& model,
            const ModelInput& input,
            const std::vector<float>& weights)
{
    const uint64_t expected = DescribeModel(model, input).CountWeights();
    CheckArgument(weights.size() == expected,
                  "{} weights given, model {} has {}",
                  weights.size(),
                  model,
                  expected);
    std::vector<NamedTensor> tensors;
    const float* next = weights.data();
    for (const WeightSpec& spec : ListWeights(model, input))
    {
        tensors.push_back({spec.name, spec.sizes, std::vector<float>(next, next + spec.Size())});
        next += spec.Size();
    }
    WriteSafetensors(path, tensors);
}

} // namespace ns3::collab
