/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-network-plan.h"

#include "ns3/collab-check-argument.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace ns3::collab
{

namespace
{

/// @param sizes sizes of a tensor
/// @return number of its elements
uint64_t
Product(const std::vector<int64_t>& sizes)
{
    return std::accumulate(
        sizes.begin(), sizes.end(), uint64_t{1}, [](uint64_t product, int64_t size) {
            return product * static_cast<uint64_t>(size);
        });
}

/// @param fanIn number of inputs that one output reads
/// @return bound of uniform initial weights, PyTorch's default
float
UniformBound(int64_t fanIn)
{
    return 1 / std::sqrt(static_cast<float>(fanIn));
}

} // namespace

uint64_t
WeightSpec::Size() const
{
    return Product(sizes);
}

NetworkPlan::NetworkPlan(ModelInput input)
    : m_input(std::move(input))
{
    const std::vector<int64_t>& shape = m_input.sampleShape;
    CheckArgument(!shape.empty() &&
                      std::none_of(shape.begin(), shape.end(), [](auto size) { return size < 1; }),
                  "sample shape ({}) is not of positive numbers",
                  fmt::join(shape, ", "));
    CheckArgument(m_input.outputs != 0, "0 outputs, but at least 1 is needed");
    PlannedLayer samples;
    samples.shape = shape;
    m_layers.push_back(samples);
}

void
NetworkPlan::ReadFrom(std::size_t layer)
{
    m_present = layer;
}

std::size_t
NetworkPlan::Append(PlannedLayer layer)
{
    layer.input = m_present;
    if (layer.shape.empty())
    {
        layer.shape = GetShape();
    }
    const bool reads = layer.kind != LayerKind::NODE_FEATURES;
    layer.needsGradient = layer.needsGradient || (reads && m_layers[m_present].needsGradient);
    m_layers.push_back(std::move(layer));
    m_present = m_layers.size() - 1;
    return m_present;
}

void
NetworkPlan::Charge(LayerCost cost)
{
    if (!m_layers[m_layers.back().input].needsGradient)
    {
        cost.inputGradientFlops = 0;
        cost.inputGradientMultiplyAdds = 0;
    }
    if (!m_layers.back().needsGradient)
    {
        cost.parameterGradientFlops = 0;
        cost.parameterGradientMultiplyAdds = 0;
    }
    cost.perPass = m_perPass;
    m_costs.push_back(std::move(cost));
}

void
NetworkPlan::RequireRank(std::size_t rank, const std::string& what) const
{
    CheckArgument(GetShape().size() == rank,
                  "{} reads {} dimensions a sample, not ({})",
                  what,
                  rank,
                  fmt::join(GetShape(), ", "));
}

uint64_t
NetworkPlan::Elements() const
{
    return Product(GetShape());
}

std::size_t
NetworkPlan::Flatten()
{
    if (GetShape().size() == 1)
    {
        return m_present;
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
    LayerCost cost;
    cost.name = name;
    cost.forwardFlops = static_cast<uint64_t>(monomials - 1 - inputs);
    Charge(std::move(cost));
    return index;
}

std::size_t
NetworkPlan::Linear(const std::string& name, int64_t outputs, bool hasBias)
{
    const int64_t inputs = GetShape().back();
    const uint64_t rows = Elements() / static_cast<uint64_t>(inputs);
    PlannedLayer layer;
    layer.kind = LayerKind::LINEAR;
    layer.shape = GetShape();
    layer.shape.back() = outputs;
    layer.firstWeight = m_weights.size();
    layer.hasBias = hasBias;
    layer.needsGradient = true;
    const float bound = UniformBound(inputs);
    m_weights.push_back({name + ".weight", {outputs, inputs}, InitialValues::UNIFORM, bound});
    if (hasBias)
    {
        m_weights.push_back({name + ".bias", {outputs}, InitialValues::UNIFORM, bound});
    }
    const std::size_t index = Append(std::move(layer));
    const auto weights = static_cast<uint64_t>(inputs * outputs);
    const uint64_t products = rows * weights;
    const uint64_t biasSums = hasBias ? Elements() : 0;
    LayerCost cost;
    cost.name = name;
    cost.parameters = weights + (hasBias ? static_cast<uint64_t>(outputs) : 0);
    cost.forwardFlops = 2 * products - (Elements() - biasSums);
    cost.inputGradientFlops = 2 * products - rows * static_cast<uint64_t>(inputs);
    cost.parameterGradientFlops = 2 * products + biasSums;
    cost.multiplyAdds = products;
    cost.inputGradientMultiplyAdds = products;
    cost.parameterGradientMultiplyAdds = products;
    Charge(std::move(cost));
    return index;
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
    const uint64_t inputSize = Elements();
    PlannedLayer layer;
    layer.kind = LayerKind::CONVOLUTION;
    layer.shape = {
        geometry.channels, geometry.isRowwise ? input[1] : side(input[1]), side(input[2])};
    layer.firstWeight = m_weights.size();
    layer.stride = geometry.stride;
    layer.padding = geometry.padding;
    layer.groups = geometry.groups;
    layer.isRowwise = geometry.isRowwise;
    layer.hasBias = geometry.hasBias;
    layer.needsGradient = true;
    const std::vector<int64_t> sizes{geometry.channels, perGroup, kernelRows, geometry.kernel};
    const int64_t fanIn = perGroup * kernelRows * geometry.kernel;
    const float bound = UniformBound(fanIn);
    m_weights.push_back({name + ".weight", sizes, InitialValues::UNIFORM, bound});
    if (geometry.hasBias)
    {
        m_weights.push_back({name + ".bias", {geometry.channels}, InitialValues::UNIFORM, bound});
    }
    const std::size_t index = Append(std::move(layer));
    const uint64_t products = static_cast<uint64_t>(fanIn) * Elements();
    const uint64_t biasSums = geometry.hasBias ? Elements() : 0;
    LayerCost cost;
    cost.name = name;
    cost.parameters =
        static_cast<uint64_t>((fanIn + (geometry.hasBias ? 1 : 0)) * geometry.channels);
    cost.forwardFlops = 2 * products - (Elements() - biasSums);
    cost.inputGradientFlops = 2 * products - inputSize;
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
    layer.firstWeight = m_weights.size();
    layer.needsGradient = true;
    m_weights.push_back({name + ".weight", {channels}, InitialValues::CONSTANT, 1});
    m_weights.push_back({name + ".bias", {channels}, InitialValues::CONSTANT, 0});
    const std::size_t index = Append(std::move(layer));
    LayerCost cost;
    cost.name = name;
    cost.parameters = 2 * static_cast<uint64_t>(channels);
    cost.forwardFlops = 4 * Elements();
    cost.trainingFlops = 3 * Elements();
    cost.inputGradientFlops = 4 * Elements();
    cost.parameterGradientFlops = 3 * Elements();
    if (kind == LayerKind::BATCH_NORM)
    {
        cost.state = 2 * static_cast<uint64_t>(channels);
    }
    else
    {
        cost.forwardFlops += std::exchange(cost.trainingFlops, 0);
    }
    Charge(std::move(cost));
    return index;
}

std::size_t
NetworkPlan::BatchNorm(const std::string& name)
{
    RequireRank(3, name);
    const std::size_t index = Normalize(LayerKind::BATCH_NORM, name, 1);
    const std::vector<int64_t> sizes{GetShape()[0]};
    m_weights.push_back({name + ".running_mean", sizes, InitialValues::CONSTANT, 0, false});
    m_weights.push_back({name + ".running_var", sizes, InitialValues::CONSTANT, 1, false});
    return index;
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
    LayerCost cost;
    cost.name = name;
    cost.forwardFlops = forward * Elements();
    cost.inputGradientFlops = backward * Elements();
    Charge(std::move(cost));
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
    CheckArgument(Product(layer.shape) != 0,
                  "{}: an image of {} is too small",
                  name,
                  fmt::join(GetShape(), " x "));
    const std::size_t index = Append(std::move(layer));
    LayerCost cost;
    cost.name = name;
    cost.forwardFlops = forward * Elements();
    cost.inputGradientFlops = Elements();
    Charge(std::move(cost));
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
    LayerCost cost;
    cost.name = name;
    cost.forwardFlops = Elements();
    PlannedLayer layer;
    layer.kind = LayerKind::GLOBAL_MEAN;
    layer.shape = {GetShape()[0]};
    const std::size_t index = Append(std::move(layer));
    cost.inputGradientFlops = Elements();
    Charge(std::move(cost));
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
    PlannedLayer layer;
    layer.kind = LayerKind::ADD;
    layer.second = other;
    layer.needsGradient = m_layers[other].needsGradient;
    CheckArgument(m_layers[other].shape == GetShape(),
                  "{}: cannot add ({}) and ({})",
                  name,
                  fmt::join(m_layers[other].shape, ", "),
                  fmt::join(GetShape(), ", "));
    const std::size_t index = Append(std::move(layer));
    LayerCost cost;
    cost.name = name;
    cost.forwardFlops = Elements();
    cost.inputGradientFlops = m_layers[other].needsGradient ? Elements() : 0;
    Charge(std::move(cost));
    return index;
}

std::size_t
NetworkPlan::Scale(const std::string& name, std::size_t image)
{
    PlannedLayer layer;
    layer.kind = LayerKind::SCALE;
    layer.second = image;
    layer.shape = m_layers[image].shape;
    const std::size_t index = Append(std::move(layer));
    LayerCost cost;
    cost.name = name;
    cost.forwardFlops = Elements();
    // Products for both gradients, the sums of one, and the sum where the image's gradients meet
    cost.inputGradientFlops = 4 * Elements();
    Charge(std::move(cost));
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
    CheckArgument(m_input.vocabulary != 0, "{}: samples are no tokens", name);
    PlannedLayer layer;
    layer.kind = LayerKind::EMBEDDING;
    layer.shape = {GetShape()[0], width};
    layer.firstWeight = m_weights.size();
    layer.needsGradient = true;
    m_weights.push_back({name + ".weight", {m_input.vocabulary, width}, InitialValues::NORMAL, 1});
    const std::size_t index = Append(std::move(layer));
    LayerCost cost;
    cost.name = name;
    cost.parameters = uint64_t{m_input.vocabulary} * static_cast<uint64_t>(width);
    cost.parameterGradientFlops = Elements();
    Charge(std::move(cost));
    return index;
}

std::size_t
NetworkPlan::FixedEmbedding(const std::string& name)
{
    RequireRank(1, name);
    CheckArgument(m_input.embedding && m_input.embedding->rows >= m_input.vocabulary,
                  "{}: there are {} given rows (vectors of words) for {} tokens",
                  name,
                  m_input.embedding ? m_input.embedding->rows : 0,
                  m_input.vocabulary);
    PlannedLayer layer;
    layer.kind = LayerKind::FIXED_EMBEDDING;
    layer.shape = {GetShape()[0], static_cast<int64_t>(m_input.embedding->columns)};
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
    layer.firstWeight = m_weights.size();
    layer.needsGradient = true;
    const float bound = UniformBound(units);
    const std::vector<std::pair<std::string, std::vector<int64_t>>> tensors{
        {".weight_ih_l0", {4 * units, GetShape()[1]}},
        {".weight_hh_l0", {4 * units, units}},
        {".bias_ih_l0", {4 * units}},
        {".bias_hh_l0", {4 * units}}};
    for (const auto& [suffix, sizes] : tensors)
    {
        m_weights.push_back({name + suffix, sizes, InitialValues::UNIFORM, bound});
    }
    const std::size_t index = Append(std::move(layer));
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
    CheckArgument(m_input.graph && m_input.graph->features.rows >= m_input.vocabulary,
                  "there are {} nodes with features, but {} nodes that samples may name",
                  m_input.graph ? m_input.graph->features.rows : 0,
                  m_input.vocabulary);
    const Matrix<float>& features = m_input.graph->features;
    for (const auto& [from, to] : m_input.graph->edges)
    {
        CheckArgument(from < features.rows && to < features.rows && from != to,
                      "edge {}-{} is not between two of {} nodes",
                      from,
                      to,
                      features.rows);
    }
    m_perPass = true;
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
    const uint64_t terms = 2 * m_input.graph->edges.size() + m_input.graph->features.rows;
    LayerCost cost;
    cost.name = name;
    cost.forwardFlops =
        (2 * terms - m_input.graph->features.rows) * static_cast<uint64_t>(GetShape()[1]);
    cost.inputGradientFlops = cost.forwardFlops; // the weighted adjacency is symmetric
    Charge(std::move(cost));
    return index;
}

std::size_t
NetworkPlan::SelectNodes()
{
    RequireRank(2, "selection of nodes");
    CheckArgument(m_layers[0].shape == std::vector<int64_t>{1},
                  "a sample of ({}) does not name one node",
                  fmt::join(m_layers[0].shape, ", "));
    m_perPass = false;
    PlannedLayer layer;
    layer.kind = LayerKind::SELECT_NODES;
    layer.shape = {GetShape()[1]};
    return Append(std::move(layer));
}

const std::vector<PlannedLayer>&
NetworkPlan::GetLayers() const
{
    return m_layers;
}

const std::vector<WeightSpec>&
NetworkPlan::GetWeights() const
{
    return m_weights;
}

const ModelInput&
NetworkPlan::GetInput() const
{
    return m_input;
}

const std::vector<int64_t>&
NetworkPlan::GetShape() const
{
    return m_layers[m_present].shape;
}

ModelDescription
NetworkPlan::Describe() const
{
    return ModelDescription(m_costs);
}

} // namespace ns3::collab
