/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-model-measure.h"

#include "collab-torch-operations.h"

#include "ns3/collab-check-argument.h"
#include "ns3/collab-flat-tensor.h"
#include "ns3/collab-torch-model.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/zeros.h>
#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::collab
{

namespace
{

/// What a pass over some samples costs
struct PassCost
{
    TorchOperations forward;  //!< without training
    TorchOperations training; //!< forward
    TorchOperations backward; //!< of the training pass
    int64_t outputs = 0;      //!< of a sample
};

/// @param model model, bound to weights
/// @param input what it reads
/// @param samples samples of the pass
/// @return its cost
PassCost
MeasurePass(const TorchModel& model, const ModelInput& input, int64_t samples)
{
    const at::AutoGradMode gradients(true); // without them some layers run as one operator
    std::vector<int64_t> sizes = input.sampleShape;
    sizes.insert(sizes.begin(), samples);
    const bool isNames = input.vocabulary > 0 || input.graph; // of tokens or of nodes
    const at::Tensor zeros = at::zeros(sizes, isNames ? at::kLong : at::kFloat);
    PassCost cost;
    cost.forward = CountTorchOperations([&]() { model.Forward(zeros, {}); });
    RandomGenerator generator(1);
    at::Tensor outputs;
    cost.training = CountTorchOperations([&]() {
        outputs = model.Forward(zeros, {true, true, &generator, false});
    });
    CheckArgument(
        outputs.dim() == 2 && outputs.size(0) == samples && outputs.scalar_type() == at::kFloat,
        "makes a tensor of shape ({}) of {} samples, expected a row of each, of type float",
        fmt::join(outputs.sizes(), ", "),
        samples);
    cost.outputs = outputs.size(1);
    cost.backward = CountTorchOperations([&]() { outputs.backward(at::ones_like(outputs)); });
    return cost;
}

/// @param few operations of a pass over two samples
/// @param many operations of a pass over four
/// @return operations a sample, and a pass besides
std::pair<uint64_t, uint64_t>
Split(uint64_t few, uint64_t many)
{
    const uint64_t sample = many > few ? (many - few) / 2 : 0;
    return {sample, few > 2 * sample ? few - 2 * sample : 0};
}

} // namespace

MeasuredModel
MeasureModel(const std::function<std::unique_ptr<TorchModel>()>& make, const ModelInput& input)
{
    const auto model = make();
    std::vector<float> weights = model->DrawWeights(1);
    model->Bind(ViewFlat(weights));
    const PassCost few = MeasurePass(*model, input, 2);
    for (const at::Tensor& parameter : model->GetParameters())
    {
        parameter.mutable_grad().reset(); // to add to it would be one more operation
    }
    const PassCost many = MeasurePass(*model, input, 4);
    LayerCost sample;
    LayerCost pass;
    sample.name = "module";
    pass.name = "module, per pass";
    pass.perPass = true;
    const auto split = [&](uint64_t LayerCost::*field, uint64_t two, uint64_t four) {
        std::tie(sample.*field, pass.*field) = Split(two, four);
    };
    // What training does more: normalization by the batch, and dropout
    const auto more = [](const PassCost& cost) {
        return cost.training.flops - std::min(cost.training.flops, cost.forward.flops);
    };
    split(&LayerCost::forwardFlops, few.forward.flops, many.forward.flops);
    split(&LayerCost::trainingFlops, more(few), more(many));
    split(&LayerCost::parameterGradientFlops, few.backward.flops, many.backward.flops);
    split(&LayerCost::multiplyAdds, few.forward.multiplyAdds, many.forward.multiplyAdds);
    split(&LayerCost::parameterGradientMultiplyAdds,
          few.backward.multiplyAdds,
          many.backward.multiplyAdds);
    sample.parameters = model->CountParameters();
    sample.state = model->CountWeights() - model->CountParameters();
    return {ModelDescription({sample, pass}), static_cast<std::size_t>(many.outputs)};
}

} // namespace ns3::collab
