/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"
#include "support/refusals.h"
#include "support/temporary-folder.h"
#include "support/test-data.h"

#include "ns3/collab-learner.h"
#include "ns3/collab-model-description.h"
#include "ns3/collab-model-registry.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/collab-torch-model.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>
#include <cmath>
#include <filesystem>
#include <gmock/gmock.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <torch/csrc/jit/api/module.h>
#include <torch/types.h>
#include <utility>
#include <vector>

namespace script_model_test
{

using namespace ns3::collab;
using namespace tests;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr uint32_t SAMPLES = 5;

/// @return name of the model that a file of the tests is
std::string
ModelOf(const std::string& file)
{
    return "script:" + GetTestData("modules/" + file + ".pt");
}

/// Images as tests/data/make-torch-modules.py makes them
std::shared_ptr<DataSet>
MakeImages(uint32_t samples = SAMPLES)
{
    auto data =
        MakeDataSet(FeatureKind::NUMBERS, {1, 28, 28}, samples, 10, [](uint64_t i, uint64_t j) {
            return std::abs(std::cos(static_cast<double>(784 * i + j) * 0.37));
        });
    std::for_each(
        data->labels.begin(), data->labels.end(), [](auto& label) { label = label * 3 % 10; });
    return data;
}

TorchLearnerConfig
MakeConfig(const std::string& file, uint32_t samples = SAMPLES)
{
    TorchLearnerConfig config;
    config.model = ModelOf(file);
    config.trainData = ViewAll(MakeImages(samples));
    config.batchSize = samples;
    config.learningRate = 0.01;
    return config;
}

TEST(ScriptModelTest, ComputesWhatPyTorchComputes)
{
    for (const std::string file : {"resnet", "transformer", "lstm"})
    {
        const auto config = MakeConfig(file);
        const auto model = MakeTorchModel(config.model, MakeModelInput(*config.trainData.data));
        std::vector<float> weights = model->DrawWeights(1);
        model->Bind(at::from_blob(weights.data(), {static_cast<int64_t>(weights.size())}));
        auto pixels = config.trainData.data->numbers;
        RandomGenerator generator(1);
        const at::Tensor outputs = model->Forward(
            at::from_blob(pixels.data(), {SAMPLES, 1, 28, 28}), {true, true, &generator, true});
        const float* made = outputs.data_ptr<float>();
        ExpectNear(std::vector<float>(made, made + outputs.numel()),
                   GetReference("modules", file + "_OUTPUTS"),
                   2e-5);
    }
}

TEST(ScriptModelTest, GradientsAreThoseOfPyTorchTensorByTensor)
{
    for (const std::string file : {"resnet", "transformer", "lstm"})
    {
        const auto config = MakeConfig(file);
        const auto gradient = MakeTorchLearner(config)->ComputeGradient({}).gradient;
        const auto model = MakeTorchModel(config.model, MakeModelInput(*config.trainData.data));
        const std::vector<double>& norms = GetReference("modules", file + "_NORMS");
        const std::vector<double>& products = GetReference("modules", file + "_PRODUCTS");
        const float* next = gradient->data();
        for (std::size_t k = 0; k < norms.size(); ++k)
        {
            const WeightSpec& spec = model->GetSpecs().at(k);
            EXPECT_EQ(spec.name, GetReferenceNames("modules", file + "_NAMES").at(k));
            double squares = 0;
            double product = 0;
            for (std::size_t i = 0; i < spec.Size(); ++i)
            {
                squares += static_cast<double>(next[i]) * next[i];
                product += next[i] * std::sin(static_cast<double>(i));
            }
            const double tolerance = 1e-4 * norms[k] + 1e-6;
            EXPECT_NEAR(std::sqrt(squares), norms[k], tolerance) << file << spec.name;
            EXPECT_NEAR(product, products[k], 10 * tolerance) << file << spec.name;
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
            task.epochs = file == "resnet" ? 30 : 5; // its statistics lag behind
            learner->Train(task);
            EXPECT_LT(learner->Evaluate(config.trainData).loss, before) << file;
            weights = *learner->GetWeights();
        };
        std::vector<float> alone;
        train(alone);
        std::vector<std::vector<float>> together(2);
        CallOnThreads(2, [&](std::size_t i) { train(together[i]); });
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

/// Expect that a model is refused with a text, in one line.
void
ExpectModelRefused(const std::string& model, const std::string& text, uint32_t outputs = 10)
{
    ModelInput input = MakeModelInput(*MakeImages());
    input.outputs = outputs;
    EXPECT_THAT(ErrorOf([&] { MakeTorchModel(model, input); }),
                AllOf(HasSubstr(text), HasSubstr(model), Not(HasSubstr("\n"))));
}

TEST(ScriptModelTest, RefusesWhatItCannotRepeatOrCount)
{
    ExpectModelRefused(ModelOf("noisy"), "aten::randn_like");
    ExpectModelRefused(ModelOf("odd"), "aten::erfinv");
    ExpectModelRefused(ModelOf("frozen"), "no parameter to train");
    ExpectModelRefused(ModelOf("no-such-file"), "cannot be read");
    ExpectModelRefused("script:" + GetTestData("make-data-sets.py"), "PytorchStreamReader");
    auto config = MakeConfig("lstm");
    auto data = std::make_shared<DataSet>(*config.trainData.data);
    data->classes = 12;
    config.trainData.data = data;
    EXPECT_THROW(MakeTorchLearner(config), std::invalid_argument);
    data->sampleShape = {3, 28, 28};
    data->numbers.resize(3 * data->numbers.size());
    EXPECT_THROW(MakeTorchLearner(config), std::invalid_argument);
}

/// Where modules are saved
class ScriptTypesTest : public TemporaryFolder
{
};

TEST_F(ScriptTypesTest, ParametersAreFloats)
{
    std::filesystem::create_directory(m_folder);
    const std::string path = m_folder / "double.pt";
    torch::jit::Module module("Double");
    module.register_parameter("scale", torch::ones({1}, torch::kDouble), false);
    module.define("def forward(self, samples):\n    return samples * self.scale\n");
    module.save(path);
    ModelInput input;
    input.sampleShape = {1};
    input.outputs = 1;
    ExpectRefused("tensor scale is of type Double on cpu, not float on cpu",
                  [&] { DescribeModel("script:" + path, input); });
}

/// A module, samples that it cannot read, and its words about them
struct WrongShape
{
    std::string module;         //!< name of its file
    std::vector<int64_t> shape; //!< of a sample
    std::string told;           //!< of the shape
    std::string error;          //!< of the module
};

TEST(ScriptShapeTest, AModuleThatCannotReadTheSamplesSaysSoInOneLine)
{
    const std::vector<WrongShape> cases = {
        {"resnet", {3, 28, 28}, "(3, 28, 28)", "to have 1 channels, but got 3 channels instead"},
        {"resnet", {8}, "(8)", "got input of size: [2, 8]"},
        {"transformer", {1, 28, 20}, "(1, 28, 20)", "mat1 and mat2 shapes cannot be multiplied"},
        {"lstm", {1, 28, 20}, "(1, 28, 20)", "input.size(-1) must be equal to input_size"}};
    for (const auto& [module, shape, told, error] : cases)
    {
        ModelInput input;
        input.sampleShape = shape;
        input.outputs = 10;
        const std::string model = "script:" + GetTestData("modules/" + module + ".pt");
        EXPECT_THAT(ErrorOf([&] { DescribeModel(model, input); }),
                    AllOf(HasSubstr("fails on samples of shape " + told + ","),
                          HasSubstr(error),
                          Not(HasSubstr("\n")),
                          Not(HasSubstr("Traceback"))));
    }
}

} // namespace script_model_test
