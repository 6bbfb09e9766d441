/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/models/modules/module-reference.h"
#include "support/test-data.h"

#include "ns3/collab-learner.h"
#include "ns3/collab-model-registry.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/collab-torch-model.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>
#include <cmath>
#include <gmock/gmock.h>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace
{

using namespace ns3::collab;
using testing::HasSubstr;

constexpr std::size_t SAMPLES = 5;
constexpr std::size_t PIXELS = 784;

/// What PyTorch makes of a module
struct Reference
{
    const std::vector<double>& outputs;    //!< in training
    const std::vector<std::string>& names; //!< of the parameters
    const std::vector<double>& norms;      //!< of their gradients
    const std::vector<double>& products;   //!< of their gradients with sines
};

const std::map<std::string, Reference> REFERENCES = {
    {"resnet",
     {reference::RESNET_OUTPUTS,
      reference::RESNET_NAMES,
      reference::RESNET_GRADIENT_NORMS,
      reference::RESNET_GRADIENT_PRODUCTS}},
    {"transformer",
     {reference::TRANSFORMER_OUTPUTS,
      reference::TRANSFORMER_NAMES,
      reference::TRANSFORMER_GRADIENT_NORMS,
      reference::TRANSFORMER_GRADIENT_PRODUCTS}},
    {"lstm",
     {reference::LSTM_OUTPUTS,
      reference::LSTM_NAMES,
      reference::LSTM_GRADIENT_NORMS,
      reference::LSTM_GRADIENT_PRODUCTS}},
};

/// @return name of the model that a file of the tests is
std::string
ModelOf(const std::string& file)
{
    return "script:" + GetTestData("modules/" + file + ".pt");
}

/// Images as tests/data/make-torch-modules.py makes them
std::shared_ptr<const DataSet>
MakeImages(std::size_t samples = SAMPLES)
{
    auto data = std::make_shared<DataSet>();
    data->kind = FeatureKind::NUMBERS;
    data->sampleShape = {1, 28, 28};
    data->classes = 10;
    for (std::size_t i = 0; i < samples * PIXELS; ++i)
    {
        data->numbers.push_back(
            static_cast<float>(std::abs(std::cos(static_cast<double>(i) * 0.37))));
    }
    for (std::size_t i = 0; i < samples; ++i)
    {
        data->labels.push_back(i * 3 % 10);
    }
    return data;
}

TorchLearnerConfig
MakeConfig(const std::string& file, std::size_t samples = SAMPLES)
{
    const auto data = MakeImages(samples);
    std::vector<uint32_t> indices;
    for (uint32_t i = 0; i < samples; ++i)
    {
        indices.push_back(i);
    }
    TorchLearnerConfig config;
    config.model = ModelOf(file);
    config.trainData = MakeView(data, indices);
    config.batchSize = static_cast<uint32_t>(samples);
    config.learningRate = 0.01;
    return config;
}

TEST(ScriptModelTest, ComputesWhatPyTorchComputes)
{
    for (const auto& [file, expected] : REFERENCES)
    {
        const auto config = MakeConfig(file);
        const auto model = MakeTorchModel(config.model, MakeModelInput(*config.trainData.data));
        std::vector<float> weights = model->DrawWeights(1);
        model->Bind(at::from_blob(weights.data(), {static_cast<int64_t>(weights.size())}));
        auto pixels = config.trainData.data->numbers;
        RandomGenerator generator(1);
        const at::Tensor outputs = model->Forward(
            at::from_blob(pixels.data(), {SAMPLES, 1, 28, 28}), {true, true, &generator, true});
        ASSERT_EQ(static_cast<std::size_t>(outputs.numel()), expected.outputs.size()) << file;
        for (std::size_t i = 0; i < expected.outputs.size(); ++i)
        {
            EXPECT_NEAR(outputs.data_ptr<float>()[i], expected.outputs[i], 2e-5) << file << i;
        }
    }
}

TEST(ScriptModelTest, GradientsAreThoseOfPyTorchTensorByTensor)
{
    for (const auto& [file, expected] : REFERENCES)
    {
        const auto config = MakeConfig(file);
        const auto learner = MakeTorchLearner(config);
        const auto gradient = learner->ComputeGradient(GradientTask()).gradient;
        const auto model = MakeTorchModel(config.model, MakeModelInput(*config.trainData.data));
        const float* next = gradient->data();
        for (std::size_t k = 0; k < expected.names.size(); ++k)
        {
            const WeightSpec& spec = model->GetSpecs().at(k);
            EXPECT_EQ(spec.name, expected.names[k]) << file;
            double squares = 0;
            double product = 0;
            for (std::size_t i = 0; i < spec.Size(); ++i)
            {
                squares += static_cast<double>(next[i]) * next[i];
                product += next[i] * std::sin(static_cast<double>(i));
            }
            const double tolerance = 1e-4 * expected.norms[k] + 1e-6;
            EXPECT_NEAR(std::sqrt(squares), expected.norms[k], tolerance) << file << spec.name;
            EXPECT_NEAR(product, expected.products[k], 10 * tolerance) << file << spec.name;
            next += spec.Size();
        }
    }
}

TEST(ScriptModelTest, LearnsAndGivesTheSameOnAnyThread)
{
    for (const std::string file : {"resnet", "transformer", "lstm", "dropout"})
    {
        const auto train = [&file](std::vector<float>& weights) {
            auto config = MakeConfig(file, 20);
            config.batchSize = 10;
            const auto learner = MakeTorchLearner(config);
            const double before = learner->Evaluate(config.trainData).loss;
            TrainTask task;
            task.epochs = 30;
            learner->Train(task);
            EXPECT_LT(learner->Evaluate(config.trainData).loss, before) << file;
            weights = *learner->GetWeights();
        };
        std::vector<float> alone;
        train(alone);
        std::vector<std::vector<float>> together(3);
        std::vector<std::thread> threads;
        for (auto& weights : together)
        {
            threads.emplace_back([&]() { train(weights); });
        }
        for (auto& thread : threads)
        {
            thread.join();
        }
        for (const auto& weights : together)
        {
            EXPECT_EQ(weights, alone) << file;
        }
    }
}

TEST(ScriptModelTest, StateTravelsAndCountersDoNot)
{
    auto config = MakeConfig("resnet");
    const auto first = MakeTorchLearner(config);
    const auto model = MakeTorchModel(config.model, MakeModelInput(*config.trainData.data));
    std::size_t state = 0;
    for (const WeightSpec& spec : model->GetSpecs())
    {
        EXPECT_THAT(spec.name, Not(HasSubstr("num_batches_tracked")));
        state += spec.trainable ? 0 : spec.Size();
    }
    EXPECT_EQ(model->CountWeights(), model->CountParameters() + state);
    EXPECT_EQ(first->GetParameterCount(), model->CountParameters());
    const FlatVector before = first->GetWeights();
    const std::vector<float> copy = *before;
    first->ComputeGradient(GradientTask());
    EXPECT_EQ(*first->GetWeights(), copy) << "a gradient leaves running statistics alone";
    TrainTask task;
    task.epochs = 2;
    first->Train(task);
    EXPECT_EQ(*before, copy) << "others may share it";
    const FlatVector after = first->GetWeights();
    const std::size_t parameters = model->CountParameters();
    EXPECT_NE(std::vector<float>(after->begin() + parameters, after->end()),
              std::vector<float>(copy.begin() + parameters, copy.end()));
    const auto second = MakeTorchLearner(config, after);
    EXPECT_EQ(second->Predict(config.trainData).values, first->Predict(config.trainData).values);
}

TEST(ScriptModelTest, CostsAreThoseOfWhatRuns)
{
    const ModelInput input = MakeModelInput(*MakeImages());
    const ModelDescription dropout = DescribeModel(ModelOf("dropout"), input);
    EXPECT_EQ(dropout.CountParameters(), 7850);
    EXPECT_EQ(dropout.CountMultiplyAdds(1), 7840);
    EXPECT_EQ(dropout.CountForwardFlops(1), 2 * 7840);
    // noise / 0.5, product with it; then the gradients of the weights and of the biases
    EXPECT_EQ(dropout.CountTrainingFlops(100, 1), 100 * (2 * 2 * 7840 + 2 * 784 + 10));
    EXPECT_EQ(dropout.CountTrainingMultiplyAdds(1), 2 * 7840);

    // 28 steps of two layers of 6 units, and a linear one: by hand
    const ModelDescription lstm = DescribeModel(ModelOf("lstm"), input);
    const uint64_t products = 28 * 24 * (28 + 6) + 28 * 24 * (6 + 6) + 60;
    EXPECT_EQ(lstm.CountMultiplyAdds(1), products);
    EXPECT_EQ(lstm.CountParameters(), 24 * (28 + 6 + 2) + 24 * (6 + 6 + 2) + 70);
    EXPECT_GT(lstm.CountForwardFlops(1), 2 * products);
    EXPECT_LT(lstm.CountForwardFlops(1), 2.3 * products);

    // The model resnet20 of width 16 has convolutions of its own; here those of the file by hand
    uint64_t resnet = 9 * 2 * 784 + 4 * 9 * 4 * 784; // stem, first stage
    resnet += 9 * 8 * 196 + 3 * 9 * 16 * 196 + 8 * 196;
    resnet += 9 * 32 * 49 + 3 * 9 * 64 * 49 + 32 * 49;
    resnet += 9 * 128 * 16 + 3 * 9 * 256 * 16 + 128 * 16 + 160;
    EXPECT_EQ(DescribeModel(ModelOf("resnet"), input).CountMultiplyAdds(1), resnet);

    // Two layers over 28 rows of 8 numbers: embedding, q k v, scores and their sums, output, 16
    // wide
    const uint64_t layer = 28 * 8 * 24 + 2 * 28 * 28 * 8 + 28 * 64 + 2 * 28 * 8 * 16;
    EXPECT_EQ(DescribeModel(ModelOf("transformer"), input).CountMultiplyAdds(1),
              28 * 28 * 8 + 2 * layer + 80);
}

/// A model must be refused with a text
void
ExpectRefused(const std::string& model, const std::string& text, uint32_t outputs = 10)
{
    ModelInput input = MakeModelInput(*MakeImages());
    input.outputs = outputs;
    try
    {
        MakeTorchModel(model, input);
        ADD_FAILURE() << model << " was accepted";
    }
    catch (const std::invalid_argument& error)
    {
        EXPECT_THAT(error.what(), HasSubstr(text));
        EXPECT_THAT(error.what(), HasSubstr(model));
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    }
}

TEST(ScriptModelTest, RefusesWhatItCannotRepeatOrCount)
{
    ExpectRefused(ModelOf("noisy"), "aten::randn_like");
    ExpectRefused(ModelOf("odd"), "aten::erfinv");
    ExpectRefused(ModelOf("frozen"), "no parameter to train");
    ExpectRefused(ModelOf("no-such-file"), "cannot be read");
    ExpectRefused("script:" + GetTestData("make-data-sets.py"), "PytorchStreamReader");
    auto config = MakeConfig("lstm");
    auto data = std::make_shared<DataSet>(*config.trainData.data);
    data->classes = 12;
    config.trainData.data = data;
    EXPECT_THROW(MakeTorchLearner(config), std::invalid_argument);
    data->sampleShape = {3, 28, 28};
    data->numbers.resize(3 * data->numbers.size());
    EXPECT_THROW(MakeTorchLearner(config), std::invalid_argument);
}

} // namespace
