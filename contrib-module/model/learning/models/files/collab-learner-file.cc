/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-learner-file.h"

#include "collab-safetensors-file.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-error.h"

#include <fmt/format.h>
#include <stdexcept>
#include <utility>
#include <vector>

namespace ns3::collab
{

namespace
{

constexpr const char* VERSION_KEY = "collab_learner"; //!< of the metadata
constexpr const char* VERSION = "1";                  //!< of what is in a file

} // namespace

void
SaveLearner(const std::string& path, const Learner& learner)
{
    LearnerState state = learner.GetState();
    std::vector<NamedTensor> tensors;
    for (const auto& [name, vector] : state.vectors)
    {
        tensors.push_back({name, {static_cast<int64_t>(vector->size())}, *vector});
    }
    state.values[VERSION_KEY] = VERSION;
    WriteSafetensors(path, tensors, state.values);
}

void
LoadLearner(const std::string& path, Learner& learner)
{
    LearnerState state;
    state.values = ReadSafetensorsMetadata(path);
    const std::string version = state.values[VERSION_KEY];
    Require<DataFileError>(
        version == VERSION,
        "{}: metadata \"{}\" is \"{}\", expected \"{}\" as SaveLearner() writes it",
        path,
        VERSION_KEY,
        version,
        VERSION);
    for (NamedTensor& tensor : ReadSafetensors(path))
    {
        state.vectors[tensor.name] =
            std::make_shared<const std::vector<float>>(std::move(tensor.values));
    }
    try
    {
        learner.SetState(state);
    }
    catch (const std::invalid_argument& error)
    {
        throw DataFileError(fmt::format("{}: {}", path, error.what()));
    }
}

} // namespace ns3::collab
