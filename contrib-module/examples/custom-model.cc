/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/// @file
/// Add two models and train them: one made of the module's layers, one that is a module of
/// LibTorch. Prints parameters, operations and what they learn. Modules of PyTorch need no line of
/// C++, see the model "script".

#include "ns3/collab-model-registry.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/collab-torch-module-model.h"
#include "ns3/collab-torch-runtime.h"

#include <cmath>
#include <iostream>
#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>

using namespace ns3::collab;

/// A residual network as one writes it for LibTorch: y = V (x + tanh(W x)).
struct ResidualNetwork : public torch::nn::Module
{
    /// @param input what it reads
    explicit ResidualNetwork(const ModelInput& input)
        : inner(register_module("inner", torch::nn::Linear(input.sampleShape[0], WIDTH))),
          outer(register_module("outer", torch::nn::Linear(WIDTH, input.outputs)))
    {
    }

    /// @param x samples x numbers
    /// @return samples x outputs
    at::Tensor
    forward(const at::Tensor& x)
    {
        return outer->forward(x + inner->forward(x).tanh());
    }

    static constexpr int64_t WIDTH = 2; //!< that of the samples
    torch::nn::Linear inner;            //!< W
    torch::nn::Linear outer;            //!< V
};

int
main()
{
    ConfigureTorchProcess();
    RegisterModel<ResidualNetwork>("residual");
    ModelFactory wide;
    wide.plan = [](const std::string& options, const ModelInput& input) {
        NetworkPlan plan(input);
        plan.Linear("fc1", ReadSize("wide", options, 32));
        plan.Sigmoid("sigmoid");
        plan.Linear("fc", input.outputs);
        return plan;
    };
    RegisterModel("wide", wide);

    auto data = std::make_shared<DataSet>(); // is the product of two numbers positive?
    data->kind = FeatureKind::NUMBERS;
    data->sampleShape = {2};
    data->classes = 2;
    std::vector<uint32_t> indices;
    for (uint32_t i = 0; i < 400; ++i)
    {
        indices.push_back(i);
        const auto x = static_cast<float>(std::sin(12.9898 * i));
        const auto y = static_cast<float>(std::sin(78.233 * i));
        data->numbers.insert(data->numbers.end(), {x, y});
        data->labels.push_back(x * y > 0 ? 1 : 0);
    }
    std::cout << "model parameters flops-a-sample accuracy\n";
    for (const char* model : {"linear", "residual", "wide", "wide:100"})
    {
        TorchLearnerConfig config;
        config.model = model;
        config.trainData = MakeView(data, indices);
        config.learningRate = 0.02;
        const auto learner = MakeTorchLearner(config);
        TrainTask task;
        task.epochs = 100;
        learner->Train(task);
        std::cout << model << " " << learner->GetParameterCount() << " "
                  << learner->CountPredictFlops(1) << " "
                  << learner->Evaluate(config.trainData).accuracy << "\n";
    }
}
