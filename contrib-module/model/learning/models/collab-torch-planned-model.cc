/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-planned-model.h"

#include "ns3/collab-check-argument.h"

#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/group_norm.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/lstm.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/stack.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace ns3::collab
{

namespace
{

constexpr double NORM_EPSILON = 1e-5; //!< added to a variance, PyTorch's default
constexpr double NORM_MOMENTUM = 0.1; //!< of running statistics, PyTorch's default

/// @param matrix matrix to look at; must outlive the tensor
/// @return its elements, not copied
at::Tensor
View(const Matrix<float>& matrix)
{
    // LibTorch has no tensor of constants; this one is only read.
    return at::from_blob(const_cast<float*>(matrix.values.data()),
                         {static_cast<int64_t>(matrix.rows), static_cast<int64_t>(matrix.columns)});
}

/// @param tensor samples or filters, x channels x height x width
/// @return the same with channels last in memory; with one channel too, by which LibTorch chooses
/// its way to convolve
at::Tensor
PutChannelsLast(const at::Tensor& tensor)
{
    return tensor.to(tensor.scalar_type(), false, false, at::MemoryFormat::ChannelsLast);
}

/// A graph's edges in both directions and from each node to itself, with their weights.
struct Neighborhoods
{
    at::Tensor from;    //!< node whose features are read
    at::Tensor to;      //!< node that they are added to
    at::Tensor weights; //!< 1 / sqrt(degree(from) degree(to)), one column
};

/// @param graph graph with at least one node
/// @return its edges as eq. (2) of Kipf and Welling (ICLR 2017) weighs them
Neighborhoods
MakeNeighborhoods(const GraphInput& graph)
{
    const std::size_t nodes = graph.features.rows;
    std::vector<std::pair<uint32_t, uint32_t>> pairs;
    for (const auto& [first, second] : graph.edges)
    {
        pairs.emplace_back(first, second);
        pairs.emplace_back(second, first);
    }
    for (std::size_t node = 0; node < nodes; ++node)
    {
        pairs.emplace_back(static_cast<uint32_t>(node), static_cast<uint32_t>(node));
    }
    std::vector<double> degrees(nodes, 0);
    for (const auto& [from, to] : pairs)
    {
        degrees[to] += 1;
    }
    const auto size = static_cast<int64_t>(pairs.size());
    Neighborhoods made{
        at::empty({size}, at::kLong), at::empty({size}, at::kLong), at::empty({size, 1})};
    for (int64_t i = 0; i < size; ++i)
    {
        const auto& [from, to] = pairs[static_cast<std::size_t>(i)];
        made.from.data_ptr<int64_t>()[i] = from;
        made.to.data_ptr<int64_t>()[i] = to;
        made.weights.data_ptr<float>()[i] =
            static_cast<float>(1 / std::sqrt(degrees[from] * degrees[to]));
    }
    return made;
}

/// @param input numbers, samples x numbers
/// @param degree maximum degree of the monomials
/// @return all monomials of degrees 1 to degree; those of one degree in lexicographic order
at::Tensor
Monomials(const at::Tensor& input, int64_t degree)
{
    std::vector<at::Tensor> columns;
    std::vector<std::pair<at::Tensor, int64_t>> last; // each with its greatest factor
    for (int64_t variable = 0; variable < input.size(1); ++variable)
    {
        last.emplace_back(input.select(1, variable), variable);
        columns.push_back(last.back().first);
    }
    for (int64_t d = 2; d <= degree; ++d)
    {
        std::vector<std::pair<at::Tensor, int64_t>> next;
        for (const auto& [monomial, greatest] : last)
        {
            for (int64_t variable = greatest; variable < input.size(1); ++variable)
            {
                next.emplace_back(monomial.mul(input.select(1, variable)), variable);
                columns.push_back(next.back().first);
            }
        }
        last = std::move(next);
    }
    return at::stack(columns, 1);
}

/// @param input samples x channels x height x width
/// @param rows rows of a window, which has two columns
/// @param isOnDevice see ForwardContext
/// @return the maximum of each window; an odd last row or column is left out
at::Tensor
MaxPool(const at::Tensor& input, int64_t rows, bool isOnDevice)
{
    if (!isOnDevice)
    {
        return at::max_pool2d(input, {rows, 2});
    }
    // LibTorch has no deterministic gradient of its pool on a GPU; this one selects, as that does,
    // the first of equal numbers.
    const int64_t height = input.size(2) / rows;
    const int64_t width = input.size(3) / 2;
    return std::get<0>(input.narrow(2, 0, height * rows)
                           .narrow(3, 0, width * 2)
                           .reshape({input.size(0), input.size(1), height, rows, width, 2})
                           .permute({0, 1, 2, 4, 3, 5})
                           .flatten(4)
                           .max(4));
}

/// Computes a network layer by layer.
class PlannedModel : public TorchModel
{
  public:
    /// @param plan layers of the network
    explicit PlannedModel(LayerList plan);

    at::Tensor Forward(const at::Tensor& samples, const ForwardContext& context) const override;
    void Bind(const at::Tensor& weights) override;
    bool MixesSamples() const override;
    bool NeedsTwoSamples() const override;

  private:
    /// @brief Count who reads each layer, and find what can be computed otherwise: rectifiers that
    /// can wait until after a pool, and images that can have their channels last.
    void CountReaders();

    /// @param layer layer to compute
    /// @param index index of the layer
    /// @param values outputs of the layers so far
    /// @param context what the pass is for
    /// @return its output
    at::Tensor Compute(const PlannedLayer& layer,
                       std::size_t index,
                       const std::vector<at::Tensor>& values,
                       const ForwardContext& context) const;

    /// @param layer layer with weights and perhaps biases
    /// @param input what it reads
    /// @param context what the pass is for
    /// @return the products and sums
    at::Tensor Multiply(const PlannedLayer& layer,
                        const at::Tensor& input,
                        const ForwardContext& context) const;

    /// @param layer a normalization
    /// @param input what it reads
    /// @param context what the pass is for
    /// @return its output
    at::Tensor Normalize(const PlannedLayer& layer,
                         const at::Tensor& input,
                         const ForwardContext& context) const;

    /// @param layer a dropout
    /// @param input what it reads
    /// @param context what the pass is for
    /// @return its output
    static at::Tensor Drop(const PlannedLayer& layer,
                           const at::Tensor& input,
                           const ForwardContext& context);

    /// @param layer an LSTM
    /// @param input samples x steps x numbers
    /// @param context what the pass is for
    /// @return outputs of all steps
    at::Tensor RunLstm(const PlannedLayer& layer,
                       const at::Tensor& input,
                       const ForwardContext& context) const;

    /// @param input nodes x features
    /// @return weighted sums over the neighbors
    at::Tensor Propagate(const at::Tensor& input) const;

    LayerList m_plan;                       //!< what to compute
    std::vector<std::size_t> m_lastReaders; //!< of each layer's output
    std::vector<bool> m_isDeferred;         //!< whether a rectifier is computed by the next layer
    std::vector<bool> m_mayOverwrite;       //!< whether a rectifier may overwrite its input
    bool m_hasGroups = false; //!< whether there are group normalizations, less exact with channels
                              //!< last
    Neighborhoods m_neighborhoods; //!< of the plan's graph, if it has one
    at::Tensor m_embedding;        //!< given rows of tokens, if the plan has them
    at::Tensor m_features;         //!< of the graph's nodes
};

PlannedModel::PlannedModel(LayerList plan)
    : m_plan(std::move(plan))
{
    for (const WeightSpec& spec : m_plan.GetWeights())
    {
        AddWeight(spec);
    }
    if (m_plan.GetInput().embedding)
    {
        m_embedding = View(*m_plan.GetInput().embedding);
    }
    if (m_plan.GetInput().graph)
    {
        m_features = View(m_plan.GetInput().graph->features);
        m_neighborhoods = MakeNeighborhoods(*m_plan.GetInput().graph);
    }
    CountReaders();
}

void
PlannedModel::Bind(const at::Tensor& weights)
{
    TorchModel::Bind(weights);
    for (at::Tensor* given : {&m_embedding,
                              &m_features,
                              &m_neighborhoods.from,
                              &m_neighborhoods.to,
                              &m_neighborhoods.weights})
    {
        *given = given->defined() ? given->to(weights.device()) : at::Tensor();
    }
}

void
PlannedModel::CountReaders()
{
    const std::vector<PlannedLayer>& layers = m_plan.GetLayers();
    std::vector<std::size_t> readers(layers.size(), 0);
    m_lastReaders.assign(layers.size(), 0);
    for (std::size_t i = 1; i < layers.size(); ++i)
    {
        for (std::size_t input : {layers[i].input, layers[i].second})
        {
            m_lastReaders[input] = i;
        }
        ++readers[layers[i].input];
        ++readers[layers[i].second];
    }
    m_isDeferred.assign(layers.size(), false);
    m_mayOverwrite.assign(layers.size(), false);
    m_hasGroups = std::any_of(layers.begin(), layers.end(), [](const PlannedLayer& layer) {
        return layer.kind == LayerKind::GROUP_NORM;
    });
    for (std::size_t i = 1; i < layers.size(); ++i)
    {
        if (layers[i].kind != LayerKind::RELU)
        {
            continue;
        }
        // What these layers made is needed by nobody else, not by their own gradient either.
        const LayerKind before = layers[layers[i].input].kind;
        m_mayOverwrite[i] = readers[layers[i].input] == 1 &&
                            (before == LayerKind::LINEAR || before == LayerKind::CONVOLUTION ||
                             before == LayerKind::ADD);
        m_isDeferred[i] = i + 1 < layers.size() && readers[i] == 1 &&
                          layers[i + 1].kind == LayerKind::MAX_POOL && layers[i + 1].input == i;
    }
}

bool
PlannedModel::MixesSamples() const
{
    const std::vector<PlannedLayer>& layers = m_plan.GetLayers();
    return std::any_of(layers.begin(), layers.end(), [](const PlannedLayer& layer) {
        return layer.kind == LayerKind::BATCH_NORM;
    });
}

bool
PlannedModel::NeedsTwoSamples() const
{
    const std::vector<PlannedLayer>& layers = m_plan.GetLayers();
    return std::any_of(layers.begin(), layers.end(), [](const PlannedLayer& layer) {
        return layer.kind == LayerKind::BATCH_NORM &&
               std::all_of(layer.shape.begin() + 1, layer.shape.end(), [](int64_t size) {
                   return size == 1;
               });
    });
}

at::Tensor
PlannedModel::Forward(const at::Tensor& samples, const ForwardContext& context) const
{
    const std::vector<PlannedLayer>& layers = m_plan.GetLayers();
    std::vector<at::Tensor> values(layers.size());
    values[0] = samples;
    for (std::size_t i = 1; i < layers.size(); ++i)
    {
        values[i] = Compute(layers[i], i, values, context);
        for (std::size_t input : {layers[i].input, layers[i].second})
        {
            if (m_lastReaders[input] == i)
            {
                values[input].reset(); // gives its memory back, unless a gradient needs it
            }
        }
    }
    return values.back();
}

at::Tensor
PlannedModel::Compute(const PlannedLayer& layer,
                      std::size_t index,
                      const std::vector<at::Tensor>& values,
                      const ForwardContext& context) const
{
    const at::Tensor& input = values[layer.input];
    const at::Tensor& other = values[layer.second];
    switch (layer.kind)
    {
    case LayerKind::INPUT:
        return input;
    case LayerKind::FLATTEN:
        return input.flatten(1);
    case LayerKind::POLYNOMIAL:
        return Monomials(input, layer.degree);
    case LayerKind::LINEAR:
    case LayerKind::CONVOLUTION:
        return Multiply(layer, input, context);
    case LayerKind::BATCH_NORM:
    case LayerKind::GROUP_NORM:
    case LayerKind::LAYER_NORM:
        return Normalize(layer, input, context);
    case LayerKind::RELU:
        if (m_isDeferred[index])
        {
            return input;
        }
        return m_mayOverwrite[index] ? at::Tensor(input).relu_() : at::relu(input);
    case LayerKind::GELU:
        return at::gelu(input);
    case LayerKind::TANH:
        return input.tanh();
    case LayerKind::SILU:
        return at::silu(input);
    case LayerKind::SIGMOID:
        return input.sigmoid();
    case LayerKind::MAX_POOL:
    {
        const at::Tensor maxima = MaxPool(input, layer.isRowwise ? 1 : 2, context.isOnDevice);
        // The maximum of rectified values is the rectified maximum, which is a quarter of the work.
        return m_isDeferred[layer.input] ? at::relu(maxima) : maxima;
    }
    case LayerKind::MEAN_POOL:
        return at::avg_pool2d(input, {2, 2});
    case LayerKind::GLOBAL_MEAN:
        return input.mean({2, 3});
    case LayerKind::DROPOUT:
        return Drop(layer, input, context);
    case LayerKind::ADD:
        return input.add(other);
    case LayerKind::SCALE:
        return other.mul(input.unsqueeze(2).unsqueeze(3));
    case LayerKind::SHORTCUT:
    {
        constexpr int64_t END = std::numeric_limits<int64_t>::max();
        const int64_t zeros = layer.shape[0] - input.size(1);
        const at::Tensor some = input.slice(2, 0, END, layer.stride).slice(3, 0, END, layer.stride);
        return at::constant_pad_nd(some, {0, 0, 0, 0, zeros / 2, zeros - zeros / 2});
    }
    case LayerKind::EMBEDDING:
        return at::embedding(GetWeight(layer.firstWeight), input);
    case LayerKind::FIXED_EMBEDDING:
        return at::embedding(m_embedding, input);
    case LayerKind::LSTM:
        return RunLstm(layer, input, context);
    case LayerKind::LAST_STEP:
        return input.select(1, -1);
    case LayerKind::NODE_FEATURES:
        return m_features;
    case LayerKind::PROPAGATE:
        return Propagate(input);
    case LayerKind::SELECT_NODES:
        return input.index_select(0, values[0].flatten());
    }
    return input;
}

at::Tensor
PlannedModel::Multiply(const PlannedLayer& layer,
                       const at::Tensor& input,
                       const ForwardContext& context) const
{
    const at::Tensor& weight = GetWeight(layer.firstWeight);
    c10::optional<at::Tensor> bias;
    if (layer.hasBias)
    {
        bias = GetWeight(layer.firstWeight + 1);
    }
    if (layer.kind == LayerKind::LINEAR)
    {
        return at::linear(input, weight, bias);
    }
    const std::array<int64_t, 2> stride = {layer.isRowwise ? 1 : layer.stride, layer.stride};
    const std::array<int64_t, 2> padding = {layer.isRowwise ? 0 : layer.padding, layer.padding};
    // On an H100 ResNet20 ended in a misaligned address with channels last
    if (context.channelsLast && !m_hasGroups && input.is_cpu())
    {
        return at::conv2d(PutChannelsLast(input),
                          PutChannelsLast(weight),
                          bias,
                          stride,
                          padding,
                          1,
                          layer.groups);
    }
    return at::conv2d(input, weight, bias, stride, padding, 1, layer.groups);
}

at::Tensor
PlannedModel::Normalize(const PlannedLayer& layer,
                        const at::Tensor& input,
                        const ForwardContext& context) const
{
    const at::Tensor& weight = GetWeight(layer.firstWeight);
    const at::Tensor& bias = GetWeight(layer.firstWeight + 1);
    if (layer.kind == LayerKind::LAYER_NORM)
    {
        return at::layer_norm(input, weight.sizes(), weight, bias, NORM_EPSILON);
    }
    if (layer.kind == LayerKind::GROUP_NORM)
    {
        return at::group_norm(input, layer.groups, weight, bias, NORM_EPSILON);
    }
    CheckArgument(
        !context.isTraining || input.numel() != input.size(1),
        "batch normalization of one value a channel: a batch of 1 sample; expected at least 2");
    c10::optional<at::Tensor> mean;
    c10::optional<at::Tensor> variance;
    if (!context.isTraining || context.updatesState)
    {
        mean = GetWeight(layer.firstWeight + 2);
        variance = GetWeight(layer.firstWeight + 3);
    }
    return at::batch_norm(input,
                          weight,
                          bias,
                          mean,
                          variance,
                          context.isTraining,
                          NORM_MOMENTUM,
                          NORM_EPSILON,
                          false);
}

at::Tensor
PlannedModel::Drop(const PlannedLayer& layer,
                   const at::Tensor& input,
                   const ForwardContext& context)
{
    if (!context.isTraining)
    {
        return input;
    }
    const at::Tensor mask = at::empty(input.sizes());
    const auto kept = static_cast<float>(1 / (1 - layer.rate));
    const auto bound = static_cast<uint64_t>(std::ldexp(layer.rate, 32));
    RandomGenerator& generator = *context.generator;
    uint64_t bits = 0;
    bool hasHalf = false; // each draw of 64 bits serves two elements
    std::generate_n(mask.data_ptr<float>(), mask.numel(), [&] {
        bits = hasHalf ? bits >> 32 : generator();
        hasHalf = !hasHalf;
        return (bits & 0xffffffffU) < bound ? 0.0F : kept;
    });
    return input.mul(mask.to(input.device()));
}

at::Tensor
PlannedModel::RunLstm(const PlannedLayer& layer,
                      const at::Tensor& input,
                      const ForwardContext& context) const
{
    const at::Tensor start = input.new_zeros({1, input.size(0), layer.shape[1]});
    std::vector<at::Tensor> weights;
    for (std::size_t i = 0; i < 4; ++i)
    {
        weights.push_back(GetWeight(layer.firstWeight + i));
    }
    // cuDNN keeps what a backward pass needs only if it is told that the pass is for training.
    return std::get<0>(
        at::lstm(input, {start, start}, weights, true, 1, 0, context.isTraining, false, true));
}

at::Tensor
PlannedModel::Propagate(const at::Tensor& input) const
{
    const at::Tensor messages =
        input.index_select(0, m_neighborhoods.from).mul(m_neighborhoods.weights);
    return input.new_zeros(input.sizes()).index_add(0, m_neighborhoods.to, messages);
}

} // namespace

std::unique_ptr<TorchModel>
MakePlannedModel(LayerList plan)
{
    return std::make_unique<PlannedModel>(std::move(plan));
}

} // namespace ns3::collab
