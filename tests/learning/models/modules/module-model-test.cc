/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"

#include "ns3/collab-learner.h"
#include "ns3/collab-model-registry.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/collab-torch-module-model.h"

#include <gmock/gmock.h>
#include <stdexcept>
#include <string>
#include <torch/nn/module.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/linear.h>
#include <torch/utils.h>
#include <vector>

namespace module_model_test
{

using namespace ns3::collab;
using namespace tests;

constexpr uint32_t SAMPLES = 8;

/// A hidden layer, of a width that the options give
struct PlainModule : public torch::nn::Module
{
    PlainModule(const ModelInput& input, const std::string& options)
        : hidden(register_module(
              "hidden",
              torch::nn::Linear(input.sampleShape[0], ReadSize("module-plain", options, 4)))),
          last(register_module("last",
                               torch::nn::Linear(hidden->options.out_features(), input.outputs)))
    {
    }

    at::Tensor
    forward(const at::Tensor& x)
    {
        return last->forward(hidden->forward(x).tanh());
    }

    torch::nn::Linear hidden;
    torch::nn::Linear last;
};

/// One layer behind what drops or normalizes
template <typename Layer>
struct LayerModule : public torch::nn::Module
{
    explicit LayerModule(const ModelInput& input)
        : layer(register_module("layer", Layer(MakeOptions(input)))),
          last(register_module("last", torch::nn::Linear(input.sampleShape[0], input.outputs)))
    {
    }

    static auto
    MakeOptions(const ModelInput& input)
    {
        if constexpr (std::is_same_v<Layer, torch::nn::Dropout>)
        {
            return torch::nn::DropoutOptions(input.sampleShape.empty() ? 0 : 0.5);
        }
        else
        {
            return torch::nn::BatchNormOptions(input.sampleShape[0]);
        }
    }

    at::Tensor
    forward(const at::Tensor& x)
    {
        return last->forward(layer->forward(x));
    }

    Layer layer;
    torch::nn::Linear last;
};

class ModuleModelTest : public testing::Test
{
  protected:
    static void
    SetUpTestSuite()
    {
        RegisterModel<PlainModule>("module-plain");
        RegisterModel<LayerModule<torch::nn::Dropout>>("module-dropping");
        RegisterModel<LayerModule<torch::nn::BatchNorm1d>>("module-normalizing");
    }

    /// @return a learner's configuration with all samples in one batch: their order does not matter
    static TorchLearnerConfig
    MakeConfig(const std::string& model)
    {
        TorchLearnerConfig config;
        config.model = model;
        config.trainData =
            ViewAll(MakeDataSet(FeatureKind::NUMBERS, {3}, SAMPLES, 2, [](uint64_t i, uint64_t j) {
                return std::sin(static_cast<double>(3 * i + j));
            }));
        config.batchSize = SAMPLES;
        return config;
    }

    /// @return weights after a pass over the samples
    static std::vector<float>
    Train(TorchLearnerConfig config, uint64_t shuffleSeed)
    {
        config.shuffleSeed = shuffleSeed;
        const auto learner = MakeTorchLearner(config);
        learner->Train({});
        return *learner->GetWeights();
    }
};

TEST_F(ModuleModelTest, FirstWeightsFollowTheLearnersSeed)
{
    TorchLearnerConfig config = MakeConfig("module-plain");
    const auto draw = [&config](uint64_t seed) {
        config.initializationSeed = seed;
        return *MakeTorchLearner(config)->GetWeights();
    };
    EXPECT_EQ(draw(1), draw(1));
    EXPECT_NE(draw(1), draw(2));
    EXPECT_EQ(draw(1).size(), 3 * 4 + 4 + 4 * 2 + 2);
    config.model = "module-plain:5";
    EXPECT_EQ(draw(1).size(), 3 * 5 + 5 + 5 * 2 + 2);
}

TEST_F(ModuleModelTest, ProcessWideGeneratorStaysAsItWas)
{
    torch::manual_seed(7);
    const at::Tensor before = at::detail::getDefaultCPUGenerator().get_state().clone();
    Train(MakeConfig("module-plain"), 1);
    Train(MakeConfig("module-dropping"), 1);
    EXPECT_TRUE(at::detail::getDefaultCPUGenerator().get_state().equal(before));
}

TEST_F(ModuleModelTest, DropoutFollowsTheLearnersSeed)
{
    const TorchLearnerConfig config = MakeConfig("module-dropping");
    EXPECT_EQ(Train(config, 1), Train(config, 1));
    EXPECT_NE(Train(config, 1), Train(config, 2));
    const TorchLearnerConfig plain = MakeConfig("module-plain"); // nothing else depends on it
    EXPECT_THAT(Train(plain, 1), testing::Pointwise(testing::FloatNear(1e-5F), Train(plain, 2)));
}

TEST_F(ModuleModelTest, RunningStatisticsAreStateThatNeedsTwoSamples)
{
    TorchLearnerConfig config = MakeConfig("module-normalizing");
    const auto learner = MakeTorchLearner(config);
    EXPECT_EQ(learner->GetParameterCount(), 3 + 3 + 3 * 2 + 2);
    const std::vector<float> before = *learner->GetWeights();
    EXPECT_EQ(before.size(), learner->GetParameterCount() + 3 + 3);
    learner->Train({});
    const std::vector<float> after = *learner->GetWeights();
    EXPECT_NE(std::vector<float>(before.end() - 6, before.end()),
              std::vector<float>(after.end() - 6, after.end()));
    config.batchSize = 1;
    EXPECT_THROW(MakeTorchLearner(config)->Train({}), std::invalid_argument);
}

TEST_F(ModuleModelTest, RefusesOptionsThatNobodyReads)
{
    ExpectRefused("takes no options", [] { MakeTorchLearner(MakeConfig("module-dropping:3")); });
    ExpectRefused("there is a model module-plain already",
                  [] { RegisterModel<PlainModule>("module-plain"); });
}

} // namespace module_model_test
