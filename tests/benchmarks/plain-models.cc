/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plain-models.h"

#include <torch/nn.h>
#include <utility>

namespace ns3::collab
{
namespace benchmarks
{
namespace
{

using namespace torch::nn;
using at::Tensor;

/// @return a chain of modules
PlainModel
Chain(Sequential layers)
{
    return {layers.ptr(), [layers](const Tensor& x) mutable { return layers->forward(x); }};
}

/// @return a convolution of 3 x 3, or of another geometry, without biases if it is normalized
Conv2d
Convolution(int64_t inputs, int64_t outputs, int64_t kernel, int64_t padding, int64_t stride = 1)
{
    return Conv2d(Conv2dOptions(inputs, outputs, kernel).padding(padding).stride(stride));
}

/// @return a convolution without biases that keeps the size, but for its stride
Conv2d
Unbiased(int64_t inputs, int64_t outputs, int64_t kernel, int64_t stride = 1, int64_t groups = 1)
{
    return Conv2d(Conv2dOptions(inputs, outputs, kernel)
                      .padding(kernel / 2)
                      .stride(stride)
                      .groups(groups)
                      .bias(false));
}

/// A block of ResNet-20, with shortcuts of option A
struct ResidualBlock : public Module
{
    ResidualBlock(int64_t inputs, int64_t channels, bool isBatch)
        : stride(inputs == channels ? 1 : 2),
          extra(channels - inputs),
          first(register_module("first", Unbiased(inputs, channels, 3, stride))),
          second(register_module("second", Unbiased(channels, channels, 3)))
    {
        for (const char* name : {"norm1", "norm2"})
        {
            norms.push_back(isBatch ? AnyModule(BatchNorm2d(channels))
                                    : AnyModule(GroupNorm(8, channels)));
            register_module(name, norms.back().ptr());
        }
    }

    Tensor
    forward(const Tensor& x)
    {
        const Tensor inner = norms[0].forward(first->forward(x)).relu();
        const Tensor y = norms[1].forward(second->forward(inner));
        const Tensor shortcut =
            stride == 1 ? x
                        : at::constant_pad_nd(x.slice(2, 0, x.size(2), 2).slice(3, 0, x.size(3), 2),
                                              {0, 0, 0, 0, extra / 2, extra - extra / 2});
        return (y + shortcut).relu();
    }

    int64_t stride;               //!< of the block
    int64_t extra;                //!< channels that are new
    Conv2d first;                 //!< with the stride
    Conv2d second;                //!< without
    std::vector<AnyModule> norms; //!< behind them
};

template <bool IS_BATCH>
PlainModel
MakeResNet()
{
    Sequential layers(Unbiased(3, 16, 3));
    if (IS_BATCH)
    {
        layers->push_back(BatchNorm2d(16));
    }
    else
    {
        layers->push_back(GroupNorm(8, 16));
    }
    layers->push_back(ReLU());
    int64_t inputs = 16;
    for (const int64_t channels : {16, 32, 64})
    {
        for (int block = 0; block < 3; ++block)
        {
            layers->push_back(ResidualBlock(std::exchange(inputs, channels), channels, IS_BATCH));
        }
    }
    layers->push_back(AdaptiveAvgPool2d(1));
    layers->push_back(Flatten());
    layers->push_back(Linear(64, 10));
    return Chain(layers);
}

/// An inverted residual block with squeeze and excitation
struct MobileBlock : public Module
{
    MobileBlock(int64_t inputs, int64_t expansion, int64_t kernel, int64_t stride, int64_t outputs)
        : isResidual(stride == 1 && inputs == outputs)
    {
        const int64_t inner = inputs * expansion;
        if (expansion > 1)
        {
            before->push_back(Unbiased(inputs, inner, 1));
            before->push_back(BatchNorm2d(inner));
            before->push_back(SiLU());
        }
        before->push_back(Unbiased(inner, inner, kernel, stride, inner));
        before->push_back(BatchNorm2d(inner));
        before->push_back(SiLU());
        squeeze = Sequential(Linear(inner, inputs / 4), SiLU(), Linear(inputs / 4, inner));
        after = Sequential(Unbiased(inner, outputs, 1), BatchNorm2d(outputs));
        register_module("before", before);
        register_module("squeeze", squeeze);
        register_module("after", after);
    }

    Tensor
    forward(const Tensor& x)
    {
        const Tensor y = before->forward(x);
        const Tensor scale = squeeze->forward(y.mean({2, 3})).sigmoid();
        const Tensor made = after->forward(y * scale.unsqueeze(2).unsqueeze(3));
        return isResidual ? x + made : made;
    }

    bool isResidual;      //!< whether its input is added
    Sequential before{};  //!< expansion and depthwise convolution
    Sequential squeeze{}; //!< scales of the channels
    Sequential after{};   //!< projection
};

PlainModel
MakeEfficientNet()
{
    constexpr int64_t STAGES[][5] = {{1, 3, 1, 16, 1},
                                     {6, 3, 2, 24, 2},
                                     {6, 5, 2, 40, 2},
                                     {6, 3, 2, 80, 3},
                                     {6, 5, 1, 112, 3},
                                     {6, 5, 2, 192, 4},
                                     {6, 3, 1, 320, 1}};
    Sequential layers(Unbiased(3, 32, 3, 2), BatchNorm2d(32), SiLU());
    int64_t inputs = 32;
    for (const auto& [expansion, kernel, stride, outputs, blocks] : STAGES)
    {
        for (int64_t block = 0; block < blocks; ++block)
        {
            layers->push_back(MobileBlock(std::exchange(inputs, outputs),
                                          expansion,
                                          kernel,
                                          block == 0 ? stride : 1,
                                          outputs));
        }
    }
    layers->push_back(Unbiased(320, 1280, 1));
    layers->push_back(BatchNorm2d(1280));
    layers->push_back(SiLU());
    layers->push_back(AdaptiveAvgPool2d(1));
    layers->push_back(Flatten());
    layers->push_back(Dropout(0.2));
    layers->push_back(Linear(1280, 10));
    return Chain(layers);
}

PlainModel
MakePolynomial()
{
    Linear last(5 + 15 + 35, 4);
    return {last.ptr(), [last](const Tensor& x) mutable {
                std::vector<Tensor> columns;
                std::vector<std::pair<Tensor, int64_t>> monomials = {{at::ones({x.size(0)}), 0}};
                for (int degree = 0; degree < 3; ++degree)
                {
                    std::vector<std::pair<Tensor, int64_t>> next;
                    for (const auto& [monomial, start] : monomials)
                    {
                        for (int64_t i = start; i < x.size(1); ++i)
                        {
                            next.emplace_back(monomial * x.select(1, i), i);
                            columns.push_back(next.back().first);
                        }
                    }
                    monomials = std::move(next);
                }
                return last->forward(at::stack(columns, 1));
            }};
}

PlainModel
MakeAlexNet()
{
    Sequential layers(Convolution(3, 64, 3, 1, 2),
                      ReLU(),
                      MaxPool2d(2),
                      Convolution(64, 192, 3, 1),
                      ReLU(),
                      MaxPool2d(2));
    int64_t inputs = 192;
    for (const int64_t outputs : {384, 256, 256})
    {
        layers->push_back(Convolution(std::exchange(inputs, outputs), outputs, 3, 1));
        layers->push_back(ReLU());
    }
    layers->push_back(MaxPool2d(2));
    layers->push_back(Flatten());
    for (const int64_t features : {1024, 4096})
    {
        layers->push_back(Dropout(0.5));
        layers->push_back(Linear(features, 4096));
        layers->push_back(ReLU());
    }
    layers->push_back(Linear(4096, 10));
    return Chain(layers);
}

PlainModel
MakeConv4()
{
    Sequential layers;
    int64_t inputs = 1;
    for (const int64_t outputs : {32, 32, 64, 64})
    {
        layers->push_back(Convolution(std::exchange(inputs, outputs), outputs, 3, 1));
        layers->push_back(ReLU());
        layers->push_back(MaxPool2d(2));
    }
    layers->push_back(Flatten());
    layers->push_back(Linear(64, 8));
    return Chain(layers);
}

/// Two layers of LSTM over tokens
struct TokenLstm : public Module
{
    TokenLstm(Embedding rows, int64_t units, int64_t outputs)
        : embedding(register_module("embedding", std::move(rows))),
          lstm(register_module("lstm",
                               LSTM(LSTMOptions(embedding->options.embedding_dim(), units)
                                        .num_layers(2)
                                        .batch_first(true)))),
          last(register_module("last", Linear(units, outputs)))
    {
    }

    Tensor
    forward(const Tensor& x)
    {
        return last->forward(std::get<0>(lstm->forward(embedding->forward(x))).select(1, -1));
    }

    Embedding embedding; //!< rows of the tokens
    LSTM lstm;           //!< both layers
    Linear last;         //!< of the last step
};

PlainModel
MakeCharacterLstm()
{
    auto lstm = std::make_shared<TokenLstm>(Embedding(80, 8), 100, 80);
    return {lstm, [lstm](const Tensor& x) { return lstm->forward(x); }};
}

PlainModel
MakeSentimentLstm()
{
    Embedding rows(80, 50);
    rows->weight.set_requires_grad(false); // given
    auto lstm = std::make_shared<TokenLstm>(rows, 256, 2);
    return {lstm, [lstm](const Tensor& x) { return lstm->forward(x); }};
}

PlainModel
MakeGcn()
{
    constexpr int64_t NODES = 80;
    Sequential both(Linear(LinearOptions(50, 16).bias(false)),
                    Linear(LinearOptions(16, 4).bias(false)));
    // A tree, with a loop at each node
    Tensor adjacency = at::eye(NODES);
    for (int64_t node = 1; node < NODES; ++node)
    {
        adjacency[node][node / 2] = adjacency[node / 2][node] = 1;
    }
    const Tensor scale = adjacency.sum(1).rsqrt();
    const Tensor weights = (scale.unsqueeze(1) * adjacency * scale).to_sparse();
    const Tensor features = at::randn({NODES, 50});
    return {both.ptr(), [both, weights, features](const Tensor& x) mutable {
                const Tensor hidden =
                    weights.mm(both[0]->as<LinearImpl>()->forward(features)).relu();
                return weights.mm(both[1]->as<LinearImpl>()->forward(hidden))
                    .index_select(0, x.select(1, 0));
            }};
}

} // namespace

const std::vector<ModelCase>&
ListModels()
{
    static const std::vector<ModelCase> models = {
        {"linear",
         {1, 28, 28},
         10,
         0,
         [] { return Chain(Sequential(Flatten(), Linear(784, 10))); }},
        {"polynomial", {5}, 4, 0, MakePolynomial},
        {"mlp",
         {1, 28, 28},
         10,
         0,
         [] { return Chain(Sequential(Flatten(), Linear(784, 200), ReLU(), Linear(200, 10))); }},
        {"netcnn",
         {1, 28, 28},
         10,
         0,
         [] {
             return Chain(Sequential(Convolution(1, 32, 5, 0),
                                     ReLU(),
                                     MaxPool2d(2),
                                     Convolution(32, 64, 5, 0),
                                     ReLU(),
                                     MaxPool2d(2),
                                     Flatten(),
                                     Linear(1024, 512),
                                     ReLU(),
                                     Linear(512, 10)));
         }},
        {"lenet",
         {1, 28, 28},
         10,
         0,
         [] {
             return Chain(Sequential(Convolution(1, 6, 5, 2),
                                     ReLU(),
                                     MaxPool2d(2),
                                     Convolution(6, 16, 5, 0),
                                     ReLU(),
                                     MaxPool2d(2),
                                     Flatten(),
                                     Linear(400, 120),
                                     ReLU(),
                                     Linear(120, 84),
                                     ReLU(),
                                     Linear(84, 10)));
         }},
        {"alexnet", {3, 32, 32}, 10, 0, MakeAlexNet},
        {"resnet20", {3, 32, 32}, 10, 0, MakeResNet<true>},
        {"resnet20:gn", {3, 32, 32}, 10, 0, MakeResNet<false>},
        {"conv4", {1, 28, 28}, 8, 0, MakeConv4},
        {"fc3",
         {1, 28, 28},
         8,
         0,
         [] {
             return Chain(Sequential(
                 Flatten(), Linear(784, 256), ReLU(), Linear(256, 128), ReLU(), Linear(128, 8)));
         }},
        {"char-lstm", {20}, 80, 80, MakeCharacterLstm},
        {"sentiment-lstm", {20}, 2, 80, MakeSentimentLstm},
        {"efficientnet-b0", {3, 32, 32}, 10, 0, MakeEfficientNet},
        {"gcn", {1}, 4, 80, MakeGcn},
    };
    return models;
}

} // namespace benchmarks
} // namespace ns3::collab
