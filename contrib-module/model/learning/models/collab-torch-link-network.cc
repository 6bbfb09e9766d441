/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-torch-link-network.h"

#include "ns3/collab-flat-tensor.h"
#include "ns3/collab-random.h"
#include "ns3/collab-torch-seed.h"

#include <cmath>
#include <torch/nn/functional/activation.h>
#include <torch/nn/functional/loss.h>
#include <torch/nn/modules/linear.h>
#include <torch/optim/adam.h>

namespace ns3::collab
{

namespace
{

constexpr int64_t HIDDEN = 64;    //!< channels of the first convolution
constexpr int64_t EMBEDDING = 16; //!< of the second one
constexpr int64_t DECODER = 16;   //!< outputs of the first layer on pairs

/// @param graphs of as many nodes
/// @param member of each
/// @return these side by side, graphs x rows x columns
at::Tensor
Stack(const std::vector<LinkGraph>& graphs, Matrix<float> LinkGraph::*member)
{
    std::vector<at::Tensor> parts;
    for (const auto& graph : graphs)
    {
        const Matrix<float>& matrix = graph.*member;
        parts.push_back(
            ViewFlat(matrix.values)
                .view({static_cast<int64_t>(matrix.rows), static_cast<int64_t>(matrix.columns)}));
    }
    return torch::stack(parts);
}

} // namespace

Matrix<float>
NormalizeAdjacency(const Matrix<double>& weights)
{
    const std::size_t nodes = weights.rows;
    std::vector<double> degrees(nodes, 1);
    for (std::size_t i = 0; i < nodes; ++i)
    {
        for (std::size_t j = 0; j < nodes; ++j)
        {
            degrees[i] += i == j ? 0 : weights(i, j);
        }
    }
    Matrix<float> normalized(nodes, nodes);
    for (std::size_t i = 0; i < nodes; ++i)
    {
        for (std::size_t j = 0; j < nodes; ++j)
        {
            const double weight = i == j ? 1 : weights(i, j);
            normalized(i, j) = static_cast<float>(weight / std::sqrt(degrees[i] * degrees[j]));
        }
    }
    return normalized;
}

struct LinkNetwork::Layers : torch::nn::Module
{
    /// @param features F
    explicit Layers(int64_t features)
        : first(register_module("first", torch::nn::Linear(features, HIDDEN))),
          second(register_module("second", torch::nn::Linear(HIDDEN, EMBEDDING))),
          pair(register_module("pair", torch::nn::Linear(2 * EMBEDDING, DECODER))),
          last(register_module("last", torch::nn::Linear(DECODER, 1)))
    {
    }

    /// @return scores, graphs x nodes x nodes
    at::Tensor
    Forward(const at::Tensor& features, const at::Tensor& adjacency)
    {
        const at::Tensor hidden = torch::relu(torch::matmul(adjacency, first(features)));
        const at::Tensor nodes = torch::relu(torch::matmul(adjacency, second(hidden)));
        const int64_t count = nodes.size(1);
        const at::Tensor pairs = torch::cat({nodes.unsqueeze(2).expand({-1, -1, count, -1}),
                                             nodes.unsqueeze(1).expand({-1, count, -1, -1})},
                                            3);
        return last(torch::relu(pair(pairs))).squeeze(3);
    }

    torch::nn::Linear first;  //!< of the first convolution
    torch::nn::Linear second; //!< of the second one
    torch::nn::Linear pair;   //!< on both embeddings
    torch::nn::Linear last;   //!< to a score
};

LinkNetwork::LinkNetwork(uint32_t features, uint64_t seed)
{
    const TorchSeed draws(seed);
    m_layers = std::make_unique<Layers>(features);
}

LinkNetwork::~LinkNetwork() = default;

void
LinkNetwork::Train(const std::vector<LinkGraph>& graphs,
                   const LinkTraining& training,
                   uint64_t seed)
{
    const at::Tensor features = Stack(graphs, &LinkGraph::features);
    const at::Tensor adjacency = Stack(graphs, &LinkGraph::adjacency);
    const at::Tensor isLink = Stack(graphs, &LinkGraph::isLink);
    const at::Tensor isPair = 1 - torch::eye(features.size(1));
    torch::optim::Adam adam(
        m_layers->parameters(),
        torch::optim::AdamOptions(training.learningRate).weight_decay(training.weightDecay));
    RandomGenerator generator(seed);
    for (uint32_t epoch = 0; epoch < training.epochs; ++epoch)
    {
        const auto drawn = DrawPermutation(static_cast<uint32_t>(graphs.size()), generator);
        const at::Tensor order = torch::tensor(std::vector<int64_t>(drawn.begin(), drawn.end()));
        for (const at::Tensor& some : order.split(training.batch))
        {
            adam.zero_grad();
            const at::Tensor target = isLink.index_select(0, some);
            const at::Tensor scores =
                m_layers->Forward(features.index_select(0, some), adjacency.index_select(0, some));
            torch::nn::functional::binary_cross_entropy_with_logits(
                scores,
                target,
                torch::nn::functional::BinaryCrossEntropyWithLogitsFuncOptions().weight(
                    isPair.expand_as(target)))
                .backward();
            adam.step();
        }
    }
}

std::vector<Matrix<float>>
LinkNetwork::Score(const std::vector<LinkGraph>& graphs) const
{
    const torch::NoGradGuard noGradients;
    const auto scores = CopyFlat(m_layers->Forward(Stack(graphs, &LinkGraph::features),
                                                   Stack(graphs, &LinkGraph::adjacency)));
    const std::size_t nodes = graphs[0].features.rows;
    std::vector<Matrix<float>> result(graphs.size(), Matrix<float>(nodes, nodes));
    auto begin = scores.begin();
    for (auto& matrix : result)
    {
        std::copy_n(begin, matrix.values.size(), matrix.values.begin());
        begin += static_cast<std::ptrdiff_t>(matrix.values.size());
    }
    return result;
}

std::vector<std::vector<float>>
LinkNetwork::GetWeights() const
{
    std::vector<std::vector<float>> weights;
    for (const at::Tensor& tensor : m_layers->parameters())
    {
        weights.push_back(CopyFlat(tensor.detach()));
    }
    return weights;
}

} // namespace ns3::collab
