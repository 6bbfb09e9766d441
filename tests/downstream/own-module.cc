/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-module.h"

#include <cmath>
#include <iostream>
#include <memory>
#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>

using namespace ns3::collab;

/// Two layers with a hyperbolic tangent between them
struct OwnModule : public torch::nn::Module
{
    explicit OwnModule(const ModelInput& input)
        : inner(register_module("inner", torch::nn::Linear(input.sampleShape[0], 8))),
          outer(register_module("outer", torch::nn::Linear(8, input.outputs)))
    {
    }

    at::Tensor
    forward(const at::Tensor& x)
    {
        return outer->forward(inner->forward(x).tanh());
    }

    torch::nn::Linear inner; //!< first layer
    torch::nn::Linear outer; //!< last layer
};

/// Trains a module of LibTorch, which must learn which of two numbers is greater.
int
main()
{
    ConfigureTorchProcess();
    RegisterModel<OwnModule>("own");

    auto data = std::make_shared<DataSet>();
    data->kind = FeatureKind::NUMBERS;
    data->sampleShape = {2};
    data->classes = 2;
    std::vector<uint32_t> indices;
    for (uint32_t i = 0; i < 200; ++i)
    {
        indices.push_back(i);
        const auto x = static_cast<float>(std::sin(12.9898 * i));
        const auto y = static_cast<float>(std::sin(78.233 * i));
        data->numbers.insert(data->numbers.end(), {x, y});
        data->labels.push_back(x > y ? 1 : 0);
    }
    TorchLearnerConfig config;
    config.model = "own";
    config.trainData = MakeView(data, indices);
    config.learningRate = 0.02;
    const auto learner = MakeTorchLearner(config);
    TrainTask task;
    task.epochs = 30;
    learner->Train(task);
    const double accuracy = learner->Evaluate(config.trainData).accuracy;
    std::cout << learner->GetParameterCount() << " parameters, " << learner->CountPredictFlops(1)
              << " operations, accuracy " << accuracy << "\n";
    // Products and sums of both layers, the tangents, and a softmax of 4 operations a class
    const bool isCounted = learner->CountPredictFlops(1) == 2 * 2 * 8 + 8 + 2 * 8 * 2 + 2 * 4;
    return accuracy > 0.95 && learner->GetParameterCount() == 42 && isCounted ? 0 : 1;
}
