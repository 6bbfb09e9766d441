/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-images.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros_like.h>
#include <algorithm>
#include <iterator>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>
#include <torch/csrc/autograd/saved_variable.h>
#include <utility>

namespace ns3::collab
{

namespace
{

/// @param tensors tensors on the processor
/// @return their elements
std::vector<const float*>
GetElements(const std::vector<at::Tensor>& tensors)
{
    std::vector<const float*> elements;
    std::transform(tensors.begin(),
                   tensors.end(),
                   std::back_inserter(elements),
                   [](const at::Tensor& tensor) { return tensor.data_ptr<float>(); });
    return elements;
}

/// The backward pass of an ImageNetwork
struct ImageNode : public torch::autograd::Node
{
    torch::autograd::variable_list
    apply(torch::autograd::variable_list&& inputs) override
    {
        torch::autograd::variable_list gradients;
        std::vector<at::Tensor> weights;
        std::vector<float*> sums;
        for (const auto& one : saved)
        {
            weights.push_back(one.unpack());
            gradients.push_back(at::zeros_like(weights.back()));
            sums.push_back(gradients.back().data_ptr<float>());
        }
        const at::Tensor gradient = inputs[0].contiguous();
        network->Backward(GetElements(weights), pass, gradient.data_ptr<float>(), sums);
        return gradients;
    }

    void
    release_variables() override
    {
        pass.clear();
        saved.clear();
    }

    std::shared_ptr<const ImageNetwork> network;       //!< that has computed
    std::vector<torch::autograd::SavedVariable> saved; //!< weights
    ImageNetwork::Pass pass;                           //!< the forward pass
};

} // namespace

at::Tensor
ComputeFeatures(const std::shared_ptr<const ImageNetwork>& network,
                const std::vector<at::Tensor>& weights,
                const at::Tensor& samples)
{
    const at::Tensor images = samples.contiguous();
    at::Tensor features =
        at::empty({images.size(0), static_cast<int64_t>(network->CountFeatures())});
    const bool isTraced =
        at::GradMode::is_enabled() && torch::autograd::any_variable_requires_grad(weights);
    ImageNetwork::Pass pass;
    network->Forward(GetElements(weights),
                     images.data_ptr<float>(),
                     static_cast<std::size_t>(images.size(0)),
                     features.data_ptr<float>(),
                     isTraced ? &pass : nullptr);
    if (isTraced)
    {
        const std::shared_ptr<ImageNode> node(new ImageNode(), torch::autograd::deleteNode);
        node->network = network;
        node->pass = std::move(pass);
        for (const at::Tensor& weight : weights)
        {
            node->saved.emplace_back(weight, false);
        }
        node->set_next_edges(torch::autograd::collect_next_edges(weights));
        torch::autograd::set_history(features, node);
    }
    return features;
}

} // namespace ns3::collab
