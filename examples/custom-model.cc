/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/// @file
/// Add two models and train them: one made of the module's layers, one with a forward pass of its
/// own. Prints parameters, operations and what they learn.

#include "ns3/collab-model-registry.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/collab-torch-model.h"
#include "ns3/collab-torch-runtime.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/linear.h>
#include <cmath>
#include <iostream>

using namespace ns3::collab;

/// A residual network in one line: y = V (x + tanh(W x)).
class ResidualModel : public TorchModel
{
  public:
    /// @param input what it reads
    explicit ResidualModel(const ModelInput& input)
        : m_inner(AddLayer("inner", {input.sampleShape[0], input.sampleShape[0]})),
          m_outer(AddLayer("outer", {input.outputs, input.sampleShape[0]}))
    {
    }

    at::Tensor
    Forward(const at::Tensor& x, const ForwardContext& /* context */) const override
    {
        const at::Tensor inner = at::linear(x, GetWeight(m_inner), GetWeight(m_inner + 1)).tanh();
        return at::linear(x.add(inner), GetWeight(m_outer), GetWeight(m_outer + 1));
    }

  private:
    std::size_t m_inner; //!< index of W
    std::size_t m_outer; //!< index of V
};

int
main()
{
    ConfigureTorchProcess();
    ModelFactory wide;
    wide.plan = [](const std::string& options, const ModelInput& input) {
        NetworkPlan plan(input);
        plan.Linear("fc1", ReadSize("wide", options, 32));
        plan.Sigmoid("sigmoid");
        plan.Linear("fc", input.outputs);
        return plan;
    };
    RegisterModel("wide", wide);
    ModelFactory residual;
    residual.describe = [](const std::string&, const ModelInput& input) {
        NetworkPlan plan(input); // costs what these layers cost; tanh and sum are left out here
        plan.Linear("inner", input.sampleShape[0]);
        plan.Linear("outer", input.outputs);
        return plan.Describe();
    };
    residual.make = [](const std::string&, const ModelInput& input) {
        return std::make_unique<ResidualModel>(input);
    };
    RegisterModel("residual", residual);

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
