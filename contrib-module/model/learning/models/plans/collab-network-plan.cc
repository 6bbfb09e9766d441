/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-network-plan.h"

#include "ns3/collab-check-argument.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <numeric>
#include <utility>

namespace ns3::collab
{

namespace
{

/// @param fanIn number of inputs that one output reads
/// @return bound of uniform initial weights, PyTorch's default
float
UniformBound(int64_t fanIn)
{
    return 1 / std::sqrt(static_cast<float>(fanIn));
}

} // namespace

std::size_t
NetworkPlan::Flatten()
{
    if (GetShape().size() == 1)
    {
        return GetPresent();
    }
    PlannedLayer layer;
    layer.kind = LayerKind::FLATTEN;
    layer.shape = {static_cast<int64_t>(Elements())};
    return Append(std::move(layer));
}

std::size_t
NetworkPlan::Polynomial(const std::string& name, int64_t degree)
{
    RequireRank(1, name);
    constexpr int64_t MOST_MONOMIALS = 1000000;
    const int64_t inputs = GetShape()[0];
    int64_t monomials = 1; // of all degrees so far, the constant included: C(inputs + d, d)
    for (int64_t d = 1; d <= degree && monomials <= MOST_MONOMIALS; ++d)
    {
        monomials = monomials * (inputs + d) / d;
    }
    CheckArgument(degree >= 1 && degree <= 20 && monomials <= MOST_MONOMIALS,
                  "{}: degree {} of {} numbers, expected 1 to 20 and at most {} monomials",
                  name,
                  degree,
                  inputs,
                  MOST_MONOMIALS);
    PlannedLayer layer;
    layer.kind = LayerKind::POLYNOMIAL;
    layer.degree = degree;
    layer.shape = {monomials - 1};
    const std::size_t index = Append(std::move(layer));
    Charge(name, static_cast<uint64_t>(monomials - 1 - inputs), 0);
    return index;
}

std::size_t
NetworkPlan::Linear(const std::string& name, int64_t outputs, bool hasBias)
{
    const int64_t inputs = GetShape().back();
    PlannedLayer layer;
    layer.kind = LayerKind::LINEAR;
    layer.shape = GetShape();
    layer.shape.back() = outputs;
    layer.hasBias = hasBias;
    return Multiply(name, std::move(layer), {outputs, inputs});
}

std::size_t
NetworkPlan::Convolve(const std::string& name, const Convolution& geometry)
{
    RequireRank(3, name);
    const std::vector<int64_t>& input = GetShape();
    const int64_t reach = geometry.kernel - 2 * geometry.padding;
    const int64_t rowReach = geometry.isRowwise ? 1 : reach;
    CheckArgument(input[1] >= rowReach && input[2] >= reach && input[0] % geometry.groups == 0,
                  "{}: an image of {} is too small",
                  name,
                  fmt::join(input, " x "));
    const auto side = [&](int64_t size) { return (size - reach) / geometry.stride + 1; };
    const int64_t perGroup = input[0] / geometry.groups;
    const int64_t kernelRows = geometry.isRowwise ? 1 : geometry.kernel;
    PlannedLayer layer;
    layer.kind = LayerKind::CONVOLUTION;
    layer.shape = {
        geometry.channels, geometry.isRowwise ? input[1] : side(input[1]), side(input[2])};
    layer.stride = geometry.stride;
    layer.padding = geometry.padding;
    layer.groups = geometry.groups;
    layer.isRowwise = geometry.isRowwise;
    layer.hasBias = geometry.hasBias;
    return Multiply(
        name, std::move(layer), {geometry.channels, perGroup, kernelRows, geometry.kernel});
}

std::size_t
NetworkPlan::Multiply(const std::string& name,
                      PlannedLayer layer,
                      const std::vector<int64_t>& sizes)
{
    const int64_t fanIn =
        std::accumulate(sizes.begin() + 1, sizes.end(), int64_t{1}, std::multiplies<>());
    const float bound = UniformBound(fanIn);
    const bool hasBias = layer.hasBias;
    std::vector<WeightSpec> weights{{name + ".weight", sizes, InitialValues::UNIFORM, bound}};
    if (hasBias)
    {
        weights.push_back({name + ".bias", {sizes[0]}, InitialValues::UNIFORM, bound});
    }
    const uint64_t inputs = Elements();
    const std::size_t index = Append(std::move(layer), std::move(weights));
    const uint64_t products = static_cast<uint64_t>(fanIn) * Elements();
    const uint64_t biasSums = hasBias ? Elements() : 0;
    LayerCost cost;
    cost.name = name;
    cost.parameters = static_cast<uint64_t>((fanIn + (hasBias ? 1 : 0)) * sizes[0]);
    cost.forwardFlops = 2 * products - (Elements() - biasSums);
    cost.inputGradientFlops = 2 * products - inputs;
    cost.parameterGradientFlops = 2 * products + biasSums;
    cost.multiplyAdds = products;
    cost.inputGradientMultiplyAdds = products;
    cost.parameterGradientMultiplyAdds = products;
    Charge(std::move(cost));
    return index;
}

std::size_t
NetworkPlan::Normalize(LayerKind kind, const std::string& name, int64_t groups)
{
    const int64_t channels = GetShape()[0];
    CheckArgument(groups >= 1 && channels % groups == 0,
                  "{}: {} groups do not divide {} channels",
                  name,
                  groups,
                  channels);
    PlannedLayer layer;
    layer.kind = kind;
    layer.groups = groups;
    const auto make = [&](const char* suffix, float value, bool isTrained) {
        return WeightSpec{name + suffix, {channels}, InitialValues::CONSTANT, value, isTrained};
    };
    std::vector<WeightSpec> weights{make(".weight", 1, true), make(".bias", 0, true)};
    LayerCost cost;
    cost.name = name;
    cost.parameters = 2 * static_cast<uint64_t>(channels);
    cost.forwardFlops = 4 * Elements();
    cost.inputGradientFlops = 4 * Elements();
    cost.parameterGradientFlops = 3 * Elements();
    if (kind == LayerKind::BATCH_NORM)
    {
        weights.push_back(make(".running_mean", 0, false));
        weights.push_back(make(".running_var", 1, false));
        cost.trainingFlops = 3 * Elements();
        cost.state = 2 * static_cast<uint64_t>(channels);
    }
    else
    {
        cost.forwardFlops += 3 * Elements();
    }
    const std::size_t index = Append(std::move(layer), std::move(weights));
    Charge(std::move(cost));
    return index;
}

std::size_t
NetworkPlan::BatchNorm(const std::string& name)
{
    RequireRank(3, name);
    return Normalize(LayerKind::BATCH_NORM, name, 1);
}

std::size_t
NetworkPlan::GroupNorm(const std::string& name, int64_t groups)
{
    RequireRank(3, name);
    return Normalize(LayerKind::GROUP_NORM, name, groups);
}

std::size_t
NetworkPlan::ElementWise(LayerKind kind,
                         const std::string& name,
                         uint64_t forward,
                         uint64_t backward)
{
    PlannedLayer layer;
    layer.kind = kind;
    const std::size_t index = Append(std::move(layer));
    Charge(name, forward * Elements(), backward * Elements());
    return index;
}

std::size_t
NetworkPlan::Relu(const std::string& name)
{
    return ElementWise(LayerKind::RELU, name, 1, 1);
}

std::size_t
NetworkPlan::Gelu(const std::string& name)
{
    return ElementWise(LayerKind::GELU, name, 5, 8);
}

std::size_t
NetworkPlan::Tanh(const std::string& name)
{
    return ElementWise(LayerKind::TANH, name, 1, 3);
}

std::size_t
NetworkPlan::LayerNorm(const std::string& name)
{
    RequireRank(1, name);
    return Normalize(LayerKind::LAYER_NORM, name, 1);
}

std::size_t
NetworkPlan::Silu(const std::string& name)
{
    return ElementWise(LayerKind::SILU, name, 5, 5);
}

std::size_t
NetworkPlan::Sigmoid(const std::string& name)
{
    return ElementWise(LayerKind::SIGMOID, name, 4, 3);
}

std::size_t
NetworkPlan::Pool(LayerKind kind, const std::string& name, bool isRowwise, uint64_t forward)
{
    RequireRank(3, name);
    PlannedLayer layer;
    layer.kind = kind;
    layer.isRowwise = isRowwise;
    layer.shape = {GetShape()[0], GetShape()[1] / (isRowwise ? 1 : 2), GetShape()[2] / 2};
    CheckArgument(layer.shape[1] != 0 && layer.shape[2] != 0,
                  "{}: an image of {} is too small",
                  name,
                  fmt::join(GetShape(), " x "));
    const std::size_t index = Append(std::move(layer));
    Charge(name, forward * Elements(), Elements());
    return index;
}

std::size_t
NetworkPlan::MaxPool(const std::string& name, bool isRowwise)
{
    return Pool(LayerKind::MAX_POOL, name, isRowwise, isRowwise ? 1 : 3); // comparisons
}

std::size_t
NetworkPlan::MeanPool(const std::string& name)
{
    return Pool(LayerKind::MEAN_POOL, name, false, 4); // three sums and a division
}

std::size_t
NetworkPlan::GlobalMean(const std::string& name)
{
    RequireRank(3, name);
    const uint64_t inputs = Elements();
    PlannedLayer layer;
    layer.kind = LayerKind::GLOBAL_MEAN;
    layer.shape = {GetShape()[0]};
    const std::size_t index = Append(std::move(layer));
    Charge(name, inputs, Elements());
    return index;
}

std::size_t
NetworkPlan::Dropout(const std::string& name, double rate)
{
    PlannedLayer layer;
    layer.kind = LayerKind::DROPOUT;
    layer.rate = rate;
    const std::size_t index = Append(std::move(layer));
    LayerCost cost;
    cost.name = name;
    cost.trainingFlops = Elements();
    cost.inputGradientFlops = Elements();
    Charge(std::move(cost));
    return index;
}

std::size_t
NetworkPlan::Add(const std::string& name, std::size_t other)
{
    const PlannedLayer& second = GetLayers()[other];
    CheckArgument(second.shape == GetShape(),
                  "{}: cannot add ({}) and ({})",
                  name,
                  fmt::join(second.shape, ", "),
                  fmt::join(GetShape(), ", "));
    PlannedLayer layer;
    layer.kind = LayerKind::ADD;
    layer.second = other;
    layer.needsGradient = second.needsGradient;
    const bool isDifferentiated = layer.needsGradient;
    const std::size_t index = Append(std::move(layer));
    Charge(name, Elements(), isDifferentiated ? Elements() : 0);
    return index;
}

std::size_t
NetworkPlan::Scale(const std::string& name, std::size_t image)
{
    PlannedLayer layer;
    layer.kind = LayerKind::SCALE;
    layer.second = image;
    layer.shape = GetLayers()[image].shape;
    const std::size_t index = Append(std::move(layer));
    // Products for both gradients, the sums of one, and the sum where the image's gradients meet
    Charge(name, Elements(), 4 * Elements());
    return index;
}

std::size_t
NetworkPlan::Shortcut(const std::string& /* name */, int64_t channels, int64_t stride)
{
    PlannedLayer layer;
    layer.kind = LayerKind::SHORTCUT;
    layer.stride = stride;
    const auto side = [stride](int64_t size) { return (size + stride - 1) / stride; };
    layer.shape = {channels, side(GetShape()[1]), side(GetShape()[2])};
    return Append(std::move(layer));
}

std::size_t
NetworkPlan::Embedding(const std::string& name, int64_t width)
{
    RequireRank(1, name);
    const uint32_t tokens = GetInput().vocabulary;
    CheckArgument(tokens != 0, "{}: samples are no tokens", name);
    PlannedLayer layer;
    layer.kind = LayerKind::EMBEDDING;
    layer.shape = {GetShape()[0], width};
    const std::size_t index =
        Append(std::move(layer), {{name + ".weight", {tokens, width}, InitialValues::NORMAL, 1}});
    LayerCost cost;
    cost.name = name;
    cost.parameters = uint64_t{tokens} * static_cast<uint64_t>(width);
    cost.parameterGradientFlops = Elements();
    Charge(std::move(cost));
    return index;
}

std::size_t
NetworkPlan::FixedEmbedding(const std::string& name)
{
    RequireRank(1, name);
    const auto& embedding = GetInput().embedding;
    CheckArgument(embedding && embedding->rows >= GetInput().vocabulary,
                  "{}: there are {} given rows (vectors of words) for {} tokens",
                  name,
                  embedding ? embedding->rows : 0,
                  GetInput().vocabulary);
    PlannedLayer layer;
    layer.kind = LayerKind::FIXED_EMBEDDING;
    layer.shape = {GetShape()[0], static_cast<int64_t>(embedding->columns)};
    return Append(std::move(layer));
}

std::size_t
NetworkPlan::Lstm(const std::string& name, int64_t units)
{
    RequireRank(2, name);
    const auto steps = static_cast<uint64_t>(GetShape()[0]);
    const auto inputs = static_cast<uint64_t>(GetShape()[1]);
    const auto h = static_cast<uint64_t>(units);
    PlannedLayer layer;
    layer.kind = LayerKind::LSTM;
    layer.shape = {GetShape()[0], units};
    const float bound = UniformBound(units);
    const auto make = [&](const char* suffix, const std::vector<int64_t>& sizes) {
        return WeightSpec{name + suffix, sizes, InitialValues::UNIFORM, bound};
    };
    const std::size_t index = Append(std::move(layer),
                                     {make(".weight_ih_l0", {4 * units, GetShape()[1]}),
                                      make(".weight_hh_l0", {4 * units, units}),
                                      make(".bias_ih_l0", {4 * units}),
                                      make(".bias_hh_l0", {4 * units})});
    LayerCost cost;
    cost.name = name;
    cost.parameters = 4 * h * (inputs + h + 2);
    cost.multiplyAdds = steps * 4 * h * (inputs + h);
    cost.inputGradientMultiplyAdds = steps * 4 * h * inputs;
    cost.parameterGradientMultiplyAdds = cost.multiplyAdds + (steps - 1) * 4 * h * h;
    cost.forwardFlops = 2 * cost.multiplyAdds + steps * 22 * h;
    cost.inputGradientFlops = 2 * cost.inputGradientMultiplyAdds - steps * inputs;
    cost.parameterGradientFlops = 2 * cost.parameterGradientMultiplyAdds + steps * 8 * h // biases
                                  + steps * 20 * h + (steps - 1) * 2 * h;
    Charge(std::move(cost));
    return index;
}

std::size_t
NetworkPlan::LastStep()
{
    RequireRank(2, "last step");
    PlannedLayer layer;
    layer.kind = LayerKind::LAST_STEP;
    layer.shape = {GetShape()[1]};
    return Append(std::move(layer));
}

std::size_t
NetworkPlan::NodeFeatures()
{
    const auto& graph = GetInput().graph;
    CheckArgument(graph && graph->features.rows >= GetInput().vocabulary,
                  "there are {} nodes with features, but {} nodes that samples may name",
                  graph ? graph->features.rows : 0,
                  GetInput().vocabulary);
    const Matrix<float>& features = graph->features;
    for (const auto& [from, to] : graph->edges)
    {
        CheckArgument(from < features.rows && to < features.rows && from != to,
                      "edge {}-{} is not between two of {} nodes",
                      from,
                      to,
                      features.rows);
    }
    PlannedLayer layer;
    layer.kind = LayerKind::NODE_FEATURES;
    layer.shape = {static_cast<int64_t>(features.rows), static_cast<int64_t>(features.columns)};
    return Append(std::move(layer));
}

std::size_t
NetworkPlan::Propagate(const std::string& name)
{
    PlannedLayer layer;
    layer.kind = LayerKind::PROPAGATE;
    const std::size_t index = Append(std::move(layer));
    const uint64_t nodes = GetInput().graph->features.rows;
    const uint64_t terms = 2 * GetInput().graph->edges.size() + nodes;
    const uint64_t flops = (2 * terms - nodes) * static_cast<uint64_t>(GetShape()[1]);
    Charge(name, flops, flops); // the weighted adjacency is symmetric
    return index;
}

std::size_t
NetworkPlan::SelectNodes()
{
    RequireRank(2, "selection of nodes");
    const std::vector<int64_t>& sample = GetLayers()[0].shape;
    CheckArgument(sample == std::vector<int64_t>{1},
                  "a sample of ({}) does not name one node",
                  fmt::join(sample, ", "));
    PlannedLayer layer;
    layer.kind = LayerKind::SELECT_NODES;
    layer.shape = {GetShape()[1]};
    return Append(std::move(layer));
}

} // namespace ns3::collab
