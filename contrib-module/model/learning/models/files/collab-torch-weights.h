/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TORCH_WEIGHTS_H
#define COLLAB_TORCH_WEIGHTS_H

#include "ns3/collab-learner.h"
#include "ns3/collab-model-description.h"
#include "ns3/collab-network-plan.h"

#include <string>
#include <vector>

namespace ns3::collab
{

/// @param model a name that GetModelNames() lists, with options or without
/// @param input what it reads
/// @return name, shape and first values of the tensors of its flat vector, in its order
/// @throws std::invalid_argument as DescribeModel() does
std::vector<WeightSpec> ListWeights(const std::string& model, const ModelInput& input);

/// @brief Load a model's weights, for example pretrained ones.
/// @param path path of a TorchScript module if it ends in .pt, .pth or .ts; else of a safetensors
/// file
/// @param model a name that GetModelNames() lists, with options or without
/// @param input what it reads
/// @return the flat vector, for MakeTorchLearner() or Learner::SetWeights()
/// @throws DataFileError if the file cannot be read, or does not have exactly the model's tensors
/// @throws std::invalid_argument as DescribeModel() does
FlatVector LoadWeights(const std::string& path, const std::string& model, const ModelInput& input);

/// @brief Save a model's weights to a safetensors file.
/// @param path path of the file
/// @param model a name that GetModelNames() lists, with options or without
/// @param input what it reads
/// @param weights the flat vector, as Learner::GetWeights() gives it
/// @throws DataFileError if the file cannot be written
/// @throws std::invalid_argument if there are not as many weights as the model has
void SaveWeights(const std::string& path,
                 const std::string& model,
                 const ModelInput& input,
                 const std::vector<float>& weights);

} // namespace ns3::collab

#endif /* COLLAB_TORCH_WEIGHTS_H */
