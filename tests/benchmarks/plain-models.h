/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLAIN_MODELS_H
#define PLAIN_MODELS_H

#include <ATen/core/Tensor.h>
#include <functional>
#include <memory>
#include <string>
#include <torch/nn/module.h>
#include <vector>

namespace ns3::collab
{
namespace benchmarks
{

/// A model of the list as one writes it with LibTorch's modules
struct PlainModel
{
    std::shared_ptr<torch::nn::Module> module;              //!< that has the parameters
    std::function<at::Tensor(const at::Tensor& x)> forward; //!< logits of a batch
};

/// A model of the list, and the samples that it is trained on
struct ModelCase
{
    std::string name;           //!< of the model
    std::vector<int64_t> shape; //!< of a sample
    uint32_t classes;           //!< of the samples
    uint32_t vocabulary;        //!< tokens; 0 if samples are bytes
    PlainModel (*make)();       //!< the same by LibTorch
};

/// @return all models, as the benchmark trains them
const std::vector<ModelCase>& ListModels();

} // namespace benchmarks
} // namespace ns3::collab

#endif /* PLAIN_MODELS_H */
