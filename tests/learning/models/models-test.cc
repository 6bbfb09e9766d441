/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/models/model-reference.h"

#include "ns3/collab-linear-evaluation.h"
#include "ns3/collab-model-registry.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/collab-torch-operations.h"
#include "ns3/collab-torch-runtime.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <numeric>
#include <ostream>
#include <stdexcept>
#include <string>

namespace
{

using namespace ns3::collab;
using testing::HasSubstr;

/**
 * @param values of sines
 * @return one number of them: their product with the cosines of 0, 1, 2...
 */
template <typename Values>
double
Dot(const Values& values)
{
    double sum = 0;
    double k = 0;
    for (const auto value : values)
    {
        sum += double{value} * std::cos(k);
        ++k;
    }
    return sum;
}

/**
 * @param specs of a model's weights
 * @param variance mean of the running variances
 * @return weights by the formula of make-model-reference.py
 */
std::vector<float>
FillWeights(const std::vector<WeightSpec>& specs, double variance)
{
    std::vector<float> weights;
    for (bool trainable : {true, false}) // state comes last
    {
        for (const WeightSpec& spec : specs)
        {
            if (spec.trainable != trainable)
            {
                continue;
            }
            const auto endsWith = [&spec](const std::string& end) {
                return spec.name.size() >= end.size() &&
                       spec.name.compare(spec.name.size() - end.size(), end.size(), end) == 0;
            };
            const double fanIn =
                static_cast<double>(spec.Size()) / static_cast<double>(spec.sizes[0]);
            for (uint64_t i = 0; i < spec.Size(); ++i)
            {
                const auto place = static_cast<double>(weights.size());
                const double wave = std::sin(0.37 * (place * place));
                double value = 0.1 * wave;
                if (spec.sizes.size() > 1)
                {
                    value = wave * std::sqrt(3 / fanIn);
                }
                else if (endsWith("running_var"))
                {
                    value = variance * (1 + 0.5 * wave);
                }
                else if (endsWith(".weight"))
                {
                    value = 1 + 0.1 * wave;
                }
                weights.push_back(static_cast<float>(value));
            }
        }
    }
    return weights;
}

/**
 * @param rows number of rows
 * @param columns number of columns
 * @return sines of 0, 1, 2...
 */
Matrix<float>
MakeWaves(std::size_t rows, std::size_t columns)
{
    Matrix<float> waves(rows, columns);
    for (std::size_t k = 0; k < waves.values.size(); ++k)
    {
        waves.values[k] = static_cast<float>(std::sin(static_cast<double>(k)));
    }
    return waves;
}

/// A model, what it reads, and what PyTorch computed.
struct ModelCase
{
    std::string model;                             //!< name with options
    FeatureKind kind;                              //!< of the samples
    std::vector<int64_t> shape;                    //!< of a sample
    uint32_t vocabulary;                           //!< of tokens
    uint32_t outputs;                              //!< of the model
    const std::vector<double>& expected;           //!< outputs of three samples
    const std::vector<double>* gradient = nullptr; //!< parameters, loss, gradient and state
    const std::vector<double>* tensors = nullptr;  //!< gradient of each parameter, in two numbers
};

/**
 * @param model to print in the name of a test
 * @param stream to print to
 */
void
PrintTo(const ModelCase& model, std::ostream* stream)
{
    *stream << model.model << " of " << model.shape[0] << " x " << model.shape.back();
}

/**
 * @param model a case
 * @return three samples by the formula of make-model-reference.py
 */
std::shared_ptr<const DataSet>
MakeSamples(const ModelCase& model)
{
    auto data = std::make_shared<DataSet>();
    data->kind = model.kind;
    data->sampleShape = model.shape;
    data->classes = model.outputs;
    data->vocabulary = model.vocabulary;
    for (std::size_t i = 0; i < 3; ++i)
    {
        data->labels.push_back(static_cast<int64_t>(i % model.outputs));
        for (std::size_t j = 0; j < data->SampleSize(); ++j)
        {
            const std::size_t byte = (37 * i + 101 * j + 13 * i * j) % 256;
            if (model.kind == FeatureKind::BYTES)
            {
                data->features.push_back(static_cast<uint8_t>(byte));
            }
            else if (model.kind == FeatureKind::NUMBERS)
            {
                data->numbers.push_back((static_cast<float>(byte) / 255 - 0.5F) / 0.5F);
            }
            else
            {
                data->tokens.push_back(
                    static_cast<int32_t>((7 * i + 5 * j + i * j) % model.vocabulary));
            }
        }
    }
    return data;
}

/**
 * @param model a case
 * @return what its learner is made of
 */
TorchLearnerConfig
MakeConfig(const ModelCase& model)
{
    TorchLearnerConfig config;
    config.model = model.model;
    config.trainData = MakeView(MakeSamples(model), {0, 1, 2});
    config.optimizer.kind = OptimizerKind::SGD;
    config.embedding = std::make_shared<Matrix<float>>(MakeWaves(13, 30));
    auto graph = std::make_shared<GraphInput>();
    graph->features = MakeWaves(7, 5);
    graph->edges = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {4, 5}, {3, 5}};
    config.graph = graph;
    return config;
}

/**
 * @param config of a learner
 * @return what its model reads
 */
ModelInput
InputOf(const TorchLearnerConfig& config)
{
    ModelInput input = MakeModelInput(*config.trainData.data);
    input.embedding = config.embedding;
    input.graph = config.graph;
    return input;
}

/**
 * @param config of a learner
 * @return its model's weights by formula
 */
std::vector<float>
FormulaWeights(const TorchLearnerConfig& config)
{
    const NamedModel model = FindModel(config.model);
    const double variance = config.model == "efficientnet-b0" ? 0.65 : 1; // lets it see its input
    return FillWeights(model.factory.plan(model.options, InputOf(config)).GetWeights(), variance);
}

/**
 * There one activation is within rounding of 0, where the slope of ReLU jumps: weights that are
 * 1e-7 of themselves greater have the gradient of PyTorch, which computes the reference in double.
 *
 * @param config of a learner
 * @return how far its gradient may be from PyTorch's, of its length
 */
double
GradientTolerance(const TorchLearnerConfig& config)
{
    return config.model == "resnet20:gn" ? 2e-2 : 1e-3;
}

/**
 * LibTorch 2 has LSTMs as one operator, which also computes gradients that nobody needs: of the
 * first state of each layer, and of inputs that are not learned.
 *
 * @param model name of a model
 * @return multiply-adds of a sample that are executed, but of no use
 */
uint64_t
CountUselessMultiplyAdds(const std::string& model)
{
    if (std::stoi(GetTorchVersion()) < 2)
    {
        return 0;
    }
    constexpr uint64_t LAYERS = 2;
    constexpr uint64_t GATES = 4;
    if (model == "char-lstm")
    {
        return LAYERS * GATES * 100 * 100;
    }
    return model == "sentiment-lstm" ? LAYERS * GATES * 256 * 256 + 6 * GATES * 256 * 30 : 0;
}

/**
 * @brief Compare a gradient with PyTorch's, parameter by parameter.
 *
 * @param config of a learner
 * @param gradient of all its weights
 * @param expected two numbers for each parameter: times cosines, and the length
 */
void
ExpectTensors(const TorchLearnerConfig& config,
              const std::vector<float>& gradient,
              const std::vector<double>& expected)
{
    const NamedModel model = FindModel(config.model);
    std::size_t begin = 0;
    std::size_t next = 0;
    const double allowed = GradientTolerance(config);
    const NetworkPlan plan = model.factory.plan(model.options, InputOf(config));
    for (const WeightSpec& spec : plan.GetWeights())
    {
        if (!spec.trainable)
        {
            continue;
        }
        const auto first = gradient.begin() + static_cast<std::ptrdiff_t>(begin);
        begin += spec.Size();
        const std::vector<float> part(first, gradient.begin() + static_cast<std::ptrdiff_t>(begin));
        const double length =
            std::sqrt(std::inner_product(part.begin(), part.end(), part.begin(), 0.0));
        ASSERT_LE(next + 2, expected.size());
        const double tolerance =
            allowed * expected[next + 1] + 1e-5; // of biases that are taken off again
        EXPECT_NEAR(Dot(part), expected[next], tolerance) << spec.name;
        EXPECT_NEAR(length, expected[next + 1], tolerance) << spec.name;
        next += 2;
    }
    EXPECT_EQ(next, expected.size());
}

/**
 * @param config of a learner
 * @return whether its model drops at random in training
 */
bool
Drops(const TorchLearnerConfig& config)
{
    const NamedModel model = FindModel(config.model);
    const NetworkPlan plan = model.factory.plan(model.options, InputOf(config));
    return std::any_of(plan.GetLayers().begin(), plan.GetLayers().end(), [](const auto& layer) {
        return layer.kind == LayerKind::DROPOUT;
    });
}

class ModelTest : public testing::TestWithParam<ModelCase>
{
};

TEST_P(ModelTest, ComputesWhatPyTorchComputes)
{
    const TorchLearnerConfig config = MakeConfig(GetParam());
    const auto learner = MakeTorchLearner(config, FormulaWeights(config));
    const Matrix<float> probabilities = learner->Predict(config.trainData);
    const std::size_t width = GetParam().outputs;
    ASSERT_EQ(GetParam().expected.size(), 3 * width);
    for (std::size_t i = 0; i < 3; ++i)
    {
        const double* logits = GetParam().expected.data() + i * width;
        double sum = 0;
        for (std::size_t c = 0; c < width; ++c)
        {
            sum += std::exp(logits[c]);
        }
        for (std::size_t c = 0; c < width; ++c)
        {
            EXPECT_NEAR(probabilities(i, c), std::exp(logits[c]) / sum, 2e-5) << i << ", " << c;
        }
    }
}

TEST_P(ModelTest, FollowsPyTorchsGradient)
{
    const TorchLearnerConfig config = MakeConfig(GetParam());
    const auto learner = MakeTorchLearner(config, FormulaWeights(config));
    const FlatVector before = learner->GetWeights();
    const GradientReport report = learner->ComputeGradient({});
    EXPECT_EQ(learner->GetWeights(), before);
    EXPECT_EQ(report.gradient->size(), before->size());
    const ModelDescription description = DescribeModel(config.model, InputOf(config));
    EXPECT_EQ(before->size(), description.CountWeights());
    const std::vector<double>& expected = *GetParam().gradient;
    EXPECT_EQ(static_cast<double>(learner->GetParameterCount()), expected[0]);
    EXPECT_NEAR(report.localLoss, expected[1], 1e-5 * std::abs(expected[1]));
    const double tolerance = GradientTolerance(config) * std::max(1.0, std::abs(expected[2]));
    EXPECT_NEAR(Dot(*report.gradient), expected[2], tolerance);
    ExpectTensors(config, *report.gradient, *GetParam().tensors);

    TrainTask task;
    task.learningRate = 1e-12;
    task.returnsGradient = true;
    const TrainReport trained = learner->Train(task);
    if (Drops(config))
    {
        EXPECT_NE(*trained.lastGradient, *report.gradient) << "the masks are other ones";
    }
    else
    {
        EXPECT_NEAR(
            Dot(*trained.lastGradient), Dot(*report.gradient), 1e-4 * std::abs(expected[2]) + 1e-4);
    }
    const FlatVector after = learner->GetWeights();
    const auto state = after->begin() + static_cast<std::ptrdiff_t>(learner->GetParameterCount());
    EXPECT_NEAR(Dot(std::vector<float>(state, after->end())),
                expected[3],
                1e-4 * std::max(1.0, std::abs(expected[3])));
}

TEST_P(ModelTest, MultiplyAddsAreThoseExecuted)
{
    const TorchLearnerConfig config = MakeConfig(GetParam());
    const auto learner = MakeTorchLearner(config);
    const ModelDescription description = DescribeModel(config.model, InputOf(config));
    EXPECT_EQ(CountTorchOperations([&] { learner->Predict(config.trainData); }).multiplyAdds,
              description.CountMultiplyAdds(3));
    EXPECT_EQ(CountTorchOperations([&] { learner->ComputeGradient({}); }).multiplyAdds,
              description.CountTrainingMultiplyAdds(3) +
                  3 * CountUselessMultiplyAdds(config.model));
}

using namespace model_reference;
const FeatureKind BYTES = FeatureKind::BYTES;
const FeatureKind NUMBERS = FeatureKind::NUMBERS;
const FeatureKind TOKENS = FeatureKind::TOKENS;
const std::vector<int64_t> GRAY = {1, 28, 28};
const std::vector<int64_t> COLOR = {3, 32, 32};

INSTANTIATE_TEST_SUITE_P(
    Models,
    ModelTest,
    testing::Values(
        ModelCase{
            "linear", BYTES, {1, 4, 4}, 0, 3, LINEAR_OUTPUTS, &LINEAR_GRADIENT, &LINEAR_TENSORS},
        ModelCase{"polynomial:4",
                  NUMBERS,
                  {3},
                  0,
                  2,
                  POLYNOMIAL_OUTPUTS,
                  &POLYNOMIAL_GRADIENT,
                  &POLYNOMIAL_TENSORS},
        ModelCase{"mlp:5-10", NUMBERS, {5}, 0, 4, MLP_OUTPUTS, &MLP_GRADIENT, &MLP_TENSORS},
        ModelCase{"netcnn", BYTES, GRAY, 0, 10, NETCNN_OUTPUTS, &NETCNN_GRADIENT, &NETCNN_TENSORS},
        ModelCase{
            "lenet", BYTES, COLOR, 0, 10, LENET_32_OUTPUTS, &LENET_32_GRADIENT, &LENET_32_TENSORS},
        ModelCase{
            "lenet", BYTES, GRAY, 0, 10, LENET_28_OUTPUTS, &LENET_28_GRADIENT, &LENET_28_TENSORS},
        ModelCase{"alexnet",
                  BYTES,
                  COLOR,
                  0,
                  10,
                  ALEXNET_32_OUTPUTS,
                  &ALEXNET_32_GRADIENT,
                  &ALEXNET_32_TENSORS},
        ModelCase{"alexnet",
                  BYTES,
                  GRAY,
                  0,
                  10,
                  ALEXNET_28_OUTPUTS,
                  &ALEXNET_28_GRADIENT,
                  &ALEXNET_28_TENSORS},
        ModelCase{"alexnet",
                  BYTES,
                  {1, 2, 128},
                  0,
                  10,
                  ALEXNET_SIGNAL_OUTPUTS,
                  &ALEXNET_SIGNAL_GRADIENT,
                  &ALEXNET_SIGNAL_TENSORS},
        ModelCase{"conv4:8", BYTES, GRAY, 0, 8, CONV4_OUTPUTS, &CONV4_GRADIENT, &CONV4_TENSORS},
        ModelCase{"fc3", BYTES, GRAY, 0, 8, FC3_OUTPUTS, &FC3_GRADIENT, &FC3_TENSORS},
        ModelCase{"resnet20",
                  BYTES,
                  COLOR,
                  0,
                  10,
                  RESNET20_BN_OUTPUTS,
                  &RESNET20_BN_GRADIENT,
                  &RESNET20_BN_TENSORS},
        ModelCase{"resnet20:gn",
                  BYTES,
                  COLOR,
                  0,
                  10,
                  RESNET20_GN_OUTPUTS,
                  &RESNET20_GN_GRADIENT,
                  &RESNET20_GN_TENSORS},
        ModelCase{"efficientnet-b0",
                  BYTES,
                  {3, 96, 96},
                  0,
                  10,
                  EFFICIENTNET_OUTPUTS,
                  &EFFICIENTNET_GRADIENT,
                  &EFFICIENTNET_TENSORS},
        ModelCase{"char-lstm",
                  TOKENS,
                  {9},
                  11,
                  11,
                  CHAR_LSTM_OUTPUTS,
                  &CHAR_LSTM_GRADIENT,
                  &CHAR_LSTM_TENSORS},
        ModelCase{"sentiment-lstm",
                  TOKENS,
                  {6},
                  13,
                  2,
                  SENTIMENT_LSTM_OUTPUTS,
                  &SENTIMENT_LSTM_GRADIENT,
                  &SENTIMENT_LSTM_TENSORS},
        ModelCase{"gcn", TOKENS, {1}, 7, 3, GCN_OUTPUTS, &GCN_GRADIENT, &GCN_TENSORS}));

/// What a job adds to the loss of an MLP 16-7-3, and what five steps lead to.
struct TrainingCase
{
    const char* name;                                         //!< of the case
    const std::vector<double>& expected;                      //!< last loss, and the weights
    std::function<void(TorchLearnerConfig&, TrainTask&)> set; //!< sets options
};

/**
 * @param training to print in the name of a test
 * @param stream to print to
 */
void
PrintTo(const TrainingCase& training, std::ostream* stream)
{
    *stream << training.name;
}

/**
 * @param size of the vector
 * @param factor of the cosines
 * @param frequency of the cosines
 * @return a vector of cosines
 */
FlatVector
MakeCosines(std::size_t size, double factor, double frequency)
{
    std::vector<float> values(size);
    for (std::size_t k = 0; k < size; ++k)
    {
        values[k] = static_cast<float>(factor * std::cos(frequency * static_cast<double>(k)));
    }
    return std::make_shared<const std::vector<float>>(std::move(values));
}

class TrainingTest : public testing::TestWithParam<TrainingCase>
{
};

TEST_P(TrainingTest, StepsAsPyTorchDoes)
{
    TorchLearnerConfig config =
        MakeConfig({"mlp:7", BYTES, {1, 4, 4}, 0, 3, LINEAR_OUTPUTS, nullptr});
    config.learningRate = 0.1;
    TrainTask task;
    task.steps = 5;
    GetParam().set(config, task);
    const auto learner = MakeTorchLearner(config, FormulaWeights(config));
    const TrainReport report = learner->Train(task);
    EXPECT_EQ(report.steps, 5U);
    EXPECT_NEAR(report.localLoss, GetParam().expected[0], 1e-5);
    EXPECT_NEAR(Dot(*learner->GetWeights()), GetParam().expected[1], 2e-5);
}

INSTANTIATE_TEST_SUITE_P(
    Steps,
    TrainingTest,
    testing::Values(TrainingCase{"SGD", TRAINED_SGD, [](auto&, auto&) {}},
                    TrainingCase{"momentum",
                                 TRAINED_MOMENTUM,
                                 [](auto& config, auto&) {
                                     config.optimizer.momentum = 0.9;
                                     config.optimizer.weightDecay = 0.01;
                                 }},
                    TrainingCase{"Nesterov",
                                 TRAINED_NESTEROV,
                                 [](auto& config, auto&) {
                                     config.optimizer.momentum = 0.9;
                                     config.optimizer.isNesterov = true;
                                 }},
                    TrainingCase{"Adam",
                                 TRAINED_ADAM,
                                 [](auto& config, auto& task) {
                                     config.optimizer.kind = OptimizerKind::ADAM;
                                     config.optimizer.weightDecay = 0.01;
                                     task.learningRate = 0.01;
                                 }},
                    TrainingCase{"Adam's constants",
                                 TRAINED_ADAM_BETAS,
                                 [](auto& config, auto&) {
                                     config.optimizer.kind = OptimizerKind::ADAM;
                                     config.optimizer.beta1 = 0.8;
                                     config.optimizer.beta2 = 0.95;
                                     config.optimizer.epsilon = 1e-3;
                                     config.learningRate = 0.01;
                                 }},
                    TrainingCase{"proximal",
                                 TRAINED_PROXIMAL,
                                 [](auto&, auto& task) {
                                     task.center = MakeCosines(143, 0.2, 3);
                                     task.mu = 0.3;
                                 }},
                    TrainingCase{
                        "correction",
                        TRAINED_CORRECTION,
                        [](auto&, auto& task) { task.correction = MakeCosines(143, 0.1, 2); }},
                    TrainingCase{"l2", TRAINED_L2, [](auto&, auto& task) { task.l2 = 0.05; }}));

TEST(RegressionTest, StepsAndScoresAsPyTorchDoes)
{
    ModelCase model{"mlp:7", NUMBERS, {5}, 0, 2, LINEAR_OUTPUTS, nullptr};
    auto data = std::make_shared<DataSet>(*MakeSamples(model));
    data->classes = 0;
    data->outputs = 2;
    data->labels.clear();
    auto pulls = std::make_shared<Matrix<float>>(3, 2);
    for (std::size_t i = 0; i < 3; ++i)
    {
        for (std::size_t k = 0; k < 2; ++k)
        {
            data->targets.push_back(0.5F * static_cast<float>(i) - static_cast<float>(k));
            (*pulls)(i, k) = 0.1F * static_cast<float>(i) + 0.2F * static_cast<float>(k);
        }
    }
    TorchLearnerConfig config = MakeConfig(model);
    config.trainData = MakeView(data, {0, 1, 2});
    config.learningRate = 0.1;
    const auto learner = MakeTorchLearner(config, FormulaWeights(config));
    TrainTask task;
    task.epochs = 3;
    task.distillation.inputs = std::make_shared<DataView>(config.trainData);
    task.distillation.targets = pulls;
    const TrainReport report = learner->Train(task);
    EXPECT_NEAR(report.localLoss, REGRESSION[0], 1e-5);
    EXPECT_NEAR(report.distillationLoss, REGRESSION[1], 1e-5);
    EXPECT_NEAR(Dot(*learner->GetWeights()), REGRESSION[2], 1e-5);
    const Score score = learner->Evaluate(config.trainData);
    EXPECT_NEAR(score.loss, REGRESSION[3], 1e-5);
    EXPECT_NEAR(score.determination, REGRESSION[4], 1e-4);
    EXPECT_TRUE(std::isnan(score.accuracy));
    const auto training = DescribeModel("mlp:7", InputOf(config)).CountTrainingFlops();
    EXPECT_EQ(learner->CountTrainFlops(task), 3 * (6 * (training + 8) + 2 * 58));
}

TEST(TripletTest, StepsAsPyTorchDoes)
{
    TorchLearnerConfig config =
        MakeConfig({"fc3", BYTES, {1, 4, 4}, 0, 3, LINEAR_OUTPUTS, nullptr});
    config.loss = LossKind::TRIPLET;
    config.triplet.margin = 2;
    config.triplet.augmentation = {0, 0, 0, 0};
    config.trainData.labels.clear();
    const auto learner = MakeTorchLearner(config, FormulaWeights(config));
    const GradientReport report = learner->ComputeGradient({});
    EXPECT_NEAR(report.localLoss, TRIPLETS[0], 1e-5);
    EXPECT_NEAR(Dot(*report.gradient), TRIPLETS[1], 1e-4);
    EXPECT_EQ(learner->Predict(config.trainData).columns, 8U);
    EXPECT_THROW(learner->Evaluate(config.trainData), std::invalid_argument);
    const auto training = DescribeModel("fc3", InputOf(config)).CountTrainingFlops();
    EXPECT_EQ(learner->CountGradientFlops({}), 3 * (2 * training + 13 * 8 + 9));
}

TEST(TripletTest, ProbeScoresEmbeddings)
{
    TorchLearnerConfig config =
        MakeConfig({"fc3", BYTES, {1, 4, 4}, 0, 3, LINEAR_OUTPUTS, nullptr});
    const DataView labelled = config.trainData;
    config.loss = LossKind::TRIPLET;
    config.trainData.labels.clear();
    config.probe = std::make_shared<const DataView>(labelled);
    const auto learner = MakeTorchLearner(config, FormulaWeights(config));
    const DataView tested = MakeView(labelled.data, {1, 0, 1});
    const Score score = learner->Evaluate(tested);
    const Matrix<float> known = learner->Predict(labelled);
    const Matrix<float> others = learner->Predict(tested);
    const Score expected =
        EvaluateLinearly({known, labelled.labels}, {others, tested.labels}, labelled.data->classes);
    EXPECT_EQ(score.accuracy, expected.accuracy);
    EXPECT_EQ(score.loss, expected.loss);
    auto probe = std::make_shared<DataView>(labelled);
    probe->labels.pop_back();
    config.probe = probe;
    EXPECT_THROW(MakeTorchLearner(config), std::invalid_argument);
    probe->labels.clear();
    probe->indices.clear();
    EXPECT_THROW(MakeTorchLearner(config), std::invalid_argument);
}

TEST(BeliefTest, DifferentiatesAsPyTorchDoes)
{
    std::vector<float> belief(8);
    std::vector<float> noise(4);
    std::vector<float> slope(4);
    std::vector<float> prior(8);
    for (std::size_t k = 0; k < 4; ++k)
    {
        const auto x = static_cast<double>(k);
        belief[k] = static_cast<float>(0.3 * std::sin(x));
        belief[4 + k] = static_cast<float>(-1 + 0.5 * std::cos(x));
        noise[k] = static_cast<float>(std::cos(2 * x));
        slope[k] = static_cast<float>(std::sin(3 * x) + 0.1);
        prior[k] = static_cast<float>(0.1 * x);
        prior[4 + k] = static_cast<float>(0.5 + 0.1 * x);
    }
    const BeliefGradient result = DifferentiateBelief(belief, noise, slope, prior, 0.7);
    EXPECT_NEAR(result.divergence, BELIEF_DIVERGENCE[0], 1e-6);
    for (std::size_t i = 0; i < 8; ++i)
    {
        EXPECT_NEAR(result.gradient[i], BELIEF_GRADIENT[i], 1e-6) << i;
    }
}

} // namespace
