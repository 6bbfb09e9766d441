/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_MODEL_REGISTRY_H
#define COLLAB_MODEL_REGISTRY_H

#include "collab-model-description.h"
#include "collab-model-options.h"

#include "ns3/collab-network-plan.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3::collab
{

class TorchModel;

/// @ingroup collab-learning
/// @brief How models of one name are described and built.
struct ModelFactory
{
    /// Plan a network of the module's own layers; takes the options after the name's colon.
    std::function<NetworkPlan(const std::string& options, const ModelInput& input)> plan;
    /// Without a plan: describe a model with a forward pass of its own.
    std::function<ModelDescription(const std::string& options, const ModelInput& input)> describe;
    /// Without a plan: build it; see collab-torch-model.h. A stub cannot be built.
    std::function<std::unique_ptr<TorchModel>(const std::string& options, const ModelInput& input)>
        make;
    /// Without a plan: outputs of a sample, if they can be others than ModelInput::outputs.
    std::function<std::size_t(const std::string& options, const ModelInput& input)> countOutputs;
};

/// @brief Add a model to those that can be named; call before learners are made.
/// @param name name without a colon
/// @param factory factory with either a plan, or both of the others
/// @throws std::invalid_argument if the name is taken, empty or has a colon, or if the factory has
/// neither
void RegisterModel(const std::string& name, ModelFactory factory);

/// @ingroup collab-learning
/// @brief A model's factory and the options given with its name.
struct NamedModel
{
    std::string options;         //!< what followed the colon
    const ModelFactory& factory; //!< of the model
};

/// @param name name of a model, with options or without
/// @return its factory and its options
/// @throws std::invalid_argument if there is no such model; the text lists those that there are
NamedModel FindModel(const std::string& name);

/// @param name name of a model, with options or without
/// @param input what it reads
/// @return number of outputs of the model: width of an encoder's embedding, or ModelInput::outputs
/// @throws std::invalid_argument as DescribeModel() does
std::size_t CountOutputs(const std::string& name, const ModelInput& input);

/// @brief Build a model that is not bound to weights yet.
/// @param name one of GetModelNames(), with options or without
/// @param input what the model reads
/// @return the model
/// @throws std::invalid_argument as DescribeModel() does
std::unique_ptr<TorchModel> MakeTorchModel(const std::string& name, const ModelInput& input);

} // namespace ns3::collab

#endif /* COLLAB_MODEL_REGISTRY_H */
