/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_TORCH_SCRIPT_MODEL_H
#define COLLAB_TORCH_SCRIPT_MODEL_H

#include "ns3/collab-model-description.h"

#include <cstddef>
#include <memory>
#include <string>

namespace ns3::collab
{

class TorchModel;

/**
 * @brief Build the model that a TorchScript module is, from a file that torch.jit.save() has
 * written.
 *
 * Its method forward() reads a batch of samples (float32, or int64 for tokens) and makes a row of
 * outputs for each. It is switched between train() and eval(), runs without the optimizations of
 * TorchScript, so that all devices compute the same whenever and on whichever thread they do, and
 * draws what dropout drops from the learner's generator.
 *
 * @param path path of the file
 * @param input what the model reads
 * @return the model, with the weights of the file
 * @throws std::invalid_argument if the file is no such module, has nothing to train or draws random
 * numbers other than those of dropout, or if it cannot read the samples or makes something else of
 * them than rows
 */
std::unique_ptr<TorchModel> MakeScriptModel(const std::string& path, const ModelInput& input);

/// @brief Count what a module costs, by running it once; the same file and input are not run again.
/// @param path path of the file
/// @param input what the model reads
/// @return its cost, as one layer of samples and one of passes
/// @throws std::invalid_argument as MakeScriptModel() does, and if an operation's cost is not known
ModelDescription DescribeScriptModel(const std::string& path, const ModelInput& input);

/// @param path path of the file
/// @param input what the model reads
/// @return number of outputs that it makes of a sample
/// @throws std::invalid_argument as DescribeScriptModel() does
std::size_t CountScriptOutputs(const std::string& path, const ModelInput& input);

} // namespace ns3::collab

#endif /* COLLAB_TORCH_SCRIPT_MODEL_H */
