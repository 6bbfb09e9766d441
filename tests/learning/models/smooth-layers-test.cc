/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-torch-learner.h"
#include "ns3/collab-torch-model.h"
#include "ns3/collab-torch-operations.h"

#include <ATen/Functions.h>
#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <numeric>
#include <stdexcept>
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/normalization.h>
#include <torch/nn/modules/pooling.h>

namespace
{

using namespace ns3::collab;
using testing::HasSubstr;

constexpr uint32_t SAMPLES = 4;
constexpr uint32_t CLASSES = 3;

/// Numbers of a shape
DataView
MakeSamples(const std::vector<int64_t>& shape)
{
    auto data = std::make_shared<DataSet>();
    data->kind = FeatureKind::NUMBERS;
    data->sampleShape = shape;
    data->classes = CLASSES;
    const auto size = std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
    for (int64_t i = 0; i < SAMPLES * size; ++i)
    {
        data->numbers.push_back(2 * std::cos(static_cast<float>(i) * 0.37F));
    }
    data->labels = {0, 2, 1, 2};
    return MakeView(data, {0, 1, 2, 3});
}

/**
 * @brief A model's gradient must be that of LibTorch's modules.
 *
 * @param name of the model
 * @param shape of a sample
 * @param modules the same model, in the same order
 */
void
ExpectGradient(const std::string& name,
               const std::vector<int64_t>& shape,
               torch::nn::Sequential modules)
{
    SCOPED_TRACE(name);
    TorchLearnerConfig config;
    config.model = name;
    config.trainData = MakeSamples(shape);
    const auto learner = MakeTorchLearner(config);
    const std::vector<float> weights = *learner->GetWeights();
    const float* next = weights.data();
    for (const at::Tensor& parameter : modules->parameters())
    {
        const at::NoGradGuard guard;
        std::copy_n(next, parameter.numel(), parameter.data_ptr<float>());
        next += parameter.numel();
    }
    ASSERT_EQ(next, weights.data() + weights.size());
    const DataSet& data = *config.trainData.data;
    std::vector<int64_t> sizes = shape;
    sizes.insert(sizes.begin(), SAMPLES);
    const at::Tensor samples = at::tensor(data.numbers).view(sizes);
    const at::Tensor loss =
        at::cross_entropy_loss(modules->forward(samples), at::tensor(data.labels));
    loss.backward();
    const auto report = learner->ComputeGradient({});
    EXPECT_NEAR(report.localLoss, loss.item<double>(), 1e-5);
    std::size_t i = 0;
    for (const at::Tensor& parameter : modules->parameters())
    {
        const at::Tensor gradient = parameter.grad().reshape(-1);
        for (int64_t j = 0; j < gradient.numel(); ++j, ++i)
        {
            ASSERT_NEAR((*report.gradient)[i], gradient[j].item<float>(), 1e-5) << i;
        }
    }
}

TEST(SmoothLayersTest, UnitsOfSeveralKindsAreLibTorchs)
{
    using namespace torch::nn;
    const std::vector<int64_t> shape = {6};
    ExpectGradient("mlp:5-4:gelu",
                   shape,
                   Sequential(Linear(6, 5), GELU(), Linear(5, 4), GELU(), Linear(4, 3)));
    ExpectGradient("mlp:5:tanh", shape, Sequential(Linear(6, 5), Tanh(), Linear(5, 3)));
    ExpectGradient("mlp:5:sigmoid", shape, Sequential(Linear(6, 5), Sigmoid(), Linear(5, 3)));
    ExpectGradient("mlp:5:silu", shape, Sequential(Linear(6, 5), SiLU(), Linear(5, 3)));
    ExpectGradient(
        "mlp:5:layernorm:gelu",
        shape,
        Sequential(Linear(6, 5), LayerNorm(LayerNormOptions({5})), GELU(), Linear(5, 3)));
    ExpectGradient("mlp:5-4:layernorm",
                   shape,
                   Sequential(Linear(6, 5),
                              LayerNorm(LayerNormOptions({5})),
                              ReLU(),
                              Linear(5, 4),
                              LayerNorm(LayerNormOptions({4})),
                              ReLU(),
                              Linear(4, 3)));
}

TEST(SmoothLayersTest, LeNetHasTangentsAndMeans)
{
    using namespace torch::nn;
    ExpectGradient("lenet:tanh",
                   {1, 28, 28},
                   Sequential(Conv2d(Conv2dOptions(1, 6, 5).padding(2)),
                              Tanh(),
                              AvgPool2d(2),
                              Conv2d(Conv2dOptions(6, 16, 5)),
                              Tanh(),
                              AvgPool2d(2),
                              Flatten(),
                              Linear(400, 120),
                              Tanh(),
                              Linear(120, 84),
                              Tanh(),
                              Linear(84, 3)));
}

TEST(SmoothLayersTest, CostsAreCounted)
{
    ModelInput input;
    input.sampleShape = {6};
    input.outputs = CLASSES;
    const auto layers = DescribeModel("mlp:5:layernorm:gelu", input).GetLayers();
    ASSERT_EQ(layers.size(), 4U);
    EXPECT_EQ(layers[1].name, "norm1");
    EXPECT_EQ(layers[1].parameters, 10U);
    EXPECT_EQ(layers[1].forwardFlops, 7 * 5U);
    EXPECT_EQ(layers[1].inputGradientFlops + layers[1].parameterGradientFlops, 7 * 5U);
    EXPECT_EQ(layers[2].forwardFlops, 5 * 5U);
    EXPECT_EQ(layers[2].inputGradientFlops, 8 * 5U);
    const auto tanh = DescribeModel("mlp:5:tanh", input).GetLayers();
    EXPECT_EQ(tanh[1].forwardFlops, 5U);
    EXPECT_EQ(tanh[1].inputGradientFlops, 3 * 5U);
    input.sampleShape = {1, 28, 28};
    const auto smooth = DescribeModel("lenet:tanh", input);
    EXPECT_EQ(smooth.CountMultiplyAdds(), DescribeModel("lenet", input).CountMultiplyAdds());
    EXPECT_EQ(smooth.GetLayers()[2].forwardFlops, 4U * 6 * 14 * 14);
    EXPECT_EQ(smooth.GetLayers()[2].inputGradientFlops, 6U * 14 * 14);
}

TEST(SmoothLayersTest, MultiplyAddsAreThoseOfLibTorch)
{
    for (const auto& [name, shape] : {std::pair{"mlp:5:layernorm:gelu", std::vector<int64_t>{6}},
                                      std::pair{"lenet:tanh", std::vector<int64_t>{1, 28, 28}}})
    {
        ModelInput input;
        input.sampleShape = shape;
        input.outputs = CLASSES;
        const auto model = MakeTorchModel(name, input);
        std::vector<float> weights = model->DrawWeights(1);
        model->Bind(at::from_blob(weights.data(), {static_cast<int64_t>(weights.size())}));
        std::vector<int64_t> sizes = shape;
        sizes.insert(sizes.begin(), SAMPLES);
        const at::Tensor samples = at::ones(sizes);
        const auto counted =
            CountTorchOperations([&]() { model->Forward(samples, {}).sum().backward(); });
        EXPECT_EQ(counted.multiplyAdds,
                  DescribeModel(name, input).CountTrainingMultiplyAdds(SAMPLES))
            << name;
    }
}

TEST(SmoothLayersTest, OptionsMustBeKnown)
{
    ModelInput input;
    input.sampleShape = {6};
    input.outputs = CLASSES;
    const auto refusal = [&input](const std::string& name) -> std::string {
        try
        {
            DescribeModel(name, input);
        }
        catch (const std::invalid_argument& error)
        {
            return error.what();
        }
        return "";
    };
    EXPECT_THAT(refusal("mlp:5:swish"),
                HasSubstr("no option \"swish\"; there are: gelu, relu, sigmoid, silu, tanh, "
                          "layernorm"));
    EXPECT_THAT(refusal("mlp:gelu"), HasSubstr("are not numbers"));
    EXPECT_THAT(refusal("lenet:gelu"), HasSubstr("there are: relu, tanh"));
    EXPECT_EQ(refusal("mlp::gelu"), ""); // 200 units
}

} // namespace
