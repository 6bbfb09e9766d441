/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"

#include "ns3/collab-linear-evaluation.h"
#include "ns3/collab-model-registry.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/collab-torch-operations.h"
#include "ns3/collab-torch-runtime.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <ostream>
#include <string>

/// Models, losses and optimizers against numbers of PyTorch
namespace models_test
{

using namespace ns3::collab;
using namespace tests;

/// @return numbers that make-model-reference.py has computed
const std::vector<double>&
Expected(const std::string& name)
{
    return GetReference("models", name);
}

/// @return one number of a vector: its product with the cosines of 0, 1, 2...
template <typename Values>
double
Dot(const Values& values)
{
    double sum = 0;
    double k = 0;
    for (const auto value : values)
    {
        sum += double{value} * std::cos(k++);
    }
    return sum;
}

/// @return weights by the formula of make-model-reference.py, with a mean of running variances
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
            double mean = 0;
            double amplitude = 0.1;
            if (spec.sizes.size() > 1)
            {
                amplitude = std::sqrt(3.0 * static_cast<double>(spec.sizes[0]) /
                                      static_cast<double>(spec.Size()));
            }
            else if (spec.name.find("running_var") != std::string::npos)
            {
                mean = variance;
                amplitude = 0.5 * variance;
            }
            else if (spec.name.find(".weight") != std::string::npos)
            {
                mean = 1;
            }
            auto place = static_cast<double>(weights.size());
            weights.resize(weights.size() + spec.Size());
            float* const end = weights.data() + weights.size();
            for (float* next = end - spec.Size(); next != end; ++next, ++place)
            {
                *next = static_cast<float>(mean + amplitude * std::sin(0.37 * (place * place)));
            }
        }
    }
    return weights;
}

/// @return sines of 0, 1, 2...
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

/// A model and what it reads
struct ModelCase
{
    std::string model;          //!< name with options
    FeatureKind kind;           //!< of the samples
    std::vector<int64_t> shape; //!< of a sample
    uint32_t outputs;           //!< of the model
    std::string name;           //!< of what PyTorch computed
    uint32_t vocabulary = 0;    //!< of tokens

    friend std::ostream&
    operator<<(std::ostream& stream, const ModelCase& model)
    {
        return stream << model.name;
    }
};

/// @return samples by the formula of make-model-reference.py
std::shared_ptr<DataSet>
MakeSamples(const ModelCase& model, uint32_t samples)
{
    auto data = MakeDataSet(
        model.kind, model.shape, samples, model.outputs, [&model](uint64_t i, uint64_t j) {
            const double byte = FormulaByte(i, j);
            return model.kind == FeatureKind::BYTES ? byte
                   : model.kind == FeatureKind::NUMBERS
                       ? (static_cast<float>(byte) / 255 - 0.5F) / 0.5F
                       : static_cast<double>((7 * i + 5 * j + i * j) % model.vocabulary);
        });
    data->vocabulary = model.vocabulary;
    return data;
}

TorchLearnerConfig
MakeConfig(const ModelCase& model, uint32_t samples = 3)
{
    TorchLearnerConfig config;
    config.model = model.model;
    config.trainData = ViewAll(MakeSamples(model, samples));
    config.optimizer.kind = OptimizerKind::SGD;
    config.embedding = std::make_shared<Matrix<float>>(MakeWaves(13, 30));
    auto graph = std::make_shared<GraphInput>();
    graph->features = MakeWaves(7, 5);
    graph->edges = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {4, 5}, {3, 5}};
    config.graph = graph;
    return config;
}

/// @return what a model reads
ModelInput
InputOf(const TorchLearnerConfig& config)
{
    ModelInput input = MakeModelInput(*config.trainData.data);
    input.embedding = config.embedding;
    input.graph = config.graph;
    return input;
}

NetworkPlan
PlanOf(const TorchLearnerConfig& config)
{
    const NamedModel model = FindModel(config.model);
    return model.factory.plan(model.options, InputOf(config));
}

/// @return a learner with weights by the formula
std::unique_ptr<Learner>
MakeFormulaLearner(const TorchLearnerConfig& config)
{
    const double variance = config.model == "efficientnet-b0" ? 0.65 : 1; // lets it see its input
    return MakeTorchLearner(config, FillWeights(PlanOf(config).GetWeights(), variance));
}

/// There one activation is within rounding of 0, where the slope of ReLU jumps: weights that are
/// 1e-7 of themselves greater have the gradient of PyTorch, which computes the reference in double.
/// @return how far a model's gradient may be from PyTorch's, of its length
double
GradientTolerance(const std::string& model)
{
    return model == "resnet20:gn" ? 2e-2 : 1e-3;
}

/// LibTorch 2 has LSTMs as one operator, which also computes gradients that nobody needs: of the
/// first state of each layer, and of inputs that are not learned.
/// @return multiply-adds of a sample that are executed, but of no use
uint64_t
CountUselessMultiplyAdds(const std::string& model)
{
    constexpr uint64_t LAYERS = 2;
    constexpr uint64_t GATES = 4;
    if (std::stoi(GetTorchVersion()) < 2)
    {
        return 0;
    }
    return model == "char-lstm"        ? LAYERS * GATES * 100 * 100
           : model == "sentiment-lstm" ? LAYERS * GATES * 256 * 256 + 6 * GATES * 256 * 30
                                       : 0;
}

/// Compare a gradient with PyTorch's by two numbers for each parameter: times cosines, and length
void
ExpectTensors(const TorchLearnerConfig& config,
              const std::vector<float>& gradient,
              const std::vector<double>& expected)
{
    const float* next = gradient.data();
    std::size_t place = 0;
    const NetworkPlan plan = PlanOf(config);
    for (const WeightSpec& spec : plan.GetWeights())
    {
        if (!spec.trainable)
        {
            continue;
        }
        double product = 0;
        double square = 0;
        for (std::size_t i = 0; i < spec.Size(); ++i, ++next)
        {
            const double value = *next;
            product += value * std::cos(static_cast<double>(i));
            square += value * value;
        }
        ASSERT_LE(place + 2, expected.size());
        const double tolerance = GradientTolerance(config.model) * expected[place + 1] +
                                 1e-5; // of biases that are taken off again
        EXPECT_NEAR(product, expected[place], tolerance) << spec.name;
        EXPECT_NEAR(std::sqrt(square), expected[place + 1], tolerance) << spec.name;
        place += 2;
    }
    EXPECT_EQ(place, expected.size());
}

class ModelTest : public testing::TestWithParam<ModelCase>
{
  protected:
    /// @return what PyTorch has computed with the model
    static const std::vector<double>&
    ExpectedOf(const std::string& what)
    {
        return Expected(GetParam().name + "_" + what);
    }

    const TorchLearnerConfig m_config = MakeConfig(GetParam()); //!< of its learner
};

TEST_P(ModelTest, ComputesWhatPyTorchComputesByTheOperationsThatAreCounted)
{
    const auto learner = MakeFormulaLearner(m_config);
    const ModelDescription description = DescribeModel(m_config.model, InputOf(m_config));
    Matrix<float> probabilities;
    EXPECT_EQ(CountTorchOperations([&] {
                  probabilities = learner->Predict(m_config.trainData);
              }).multiplyAdds,
              description.CountMultiplyAdds(3));
    std::vector<double> outputs = ExpectedOf("OUTPUTS");
    const std::size_t width = GetParam().outputs;
    for (std::size_t i = 0; i < outputs.size(); i += width)
    {
        double sum = 0;
        std::for_each_n(&outputs[i], width, [&sum](double& x) { sum += (x = std::exp(x)); });
        std::for_each_n(&outputs[i], width, [sum](double& x) { x /= sum; });
    }
    ExpectNear(probabilities.values, outputs, 2e-5);

    const FlatVector before = learner->GetWeights();
    GradientReport report;
    EXPECT_EQ(CountTorchOperations([&] { report = learner->ComputeGradient({}); }).multiplyAdds,
              description.CountTrainingMultiplyAdds(3) +
                  3 * CountUselessMultiplyAdds(m_config.model));
    EXPECT_EQ(learner->GetWeights(), before);
    EXPECT_EQ(report.gradient->size(), before->size());
    EXPECT_EQ(before->size(), description.CountWeights());
    const auto& expected = ExpectedOf("GRADIENT"); // parameters, loss, gradient and state
    EXPECT_EQ(static_cast<double>(learner->GetParameterCount()), expected[0]);
    EXPECT_NEAR(report.localLoss, expected[1], 1e-5 * std::abs(expected[1]));
    ExpectTensors(m_config, *report.gradient, ExpectedOf("TENSORS"));

    TrainTask task;
    task.learningRate = 1e-12;
    task.returnsGradient = true;
    const TrainReport trained = learner->Train(task);
    const NetworkPlan plan = PlanOf(m_config);
    if (std::any_of(plan.GetLayers().begin(), plan.GetLayers().end(), [](const auto& layer) {
            return layer.kind == LayerKind::DROPOUT;
        }))
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

const FeatureKind BYTES = FeatureKind::BYTES;
const FeatureKind NUMBERS = FeatureKind::NUMBERS;
const FeatureKind TOKENS = FeatureKind::TOKENS;
const std::vector<int64_t> GRAY = {1, 28, 28};
const std::vector<int64_t> COLOR = {3, 32, 32};

INSTANTIATE_TEST_SUITE_P(
    Models,
    ModelTest,
    testing::Values(ModelCase{"linear", BYTES, {1, 4, 4}, 3, "LINEAR"},
                    ModelCase{"polynomial:4", NUMBERS, {3}, 2, "POLYNOMIAL"},
                    ModelCase{"mlp:5-10", NUMBERS, {5}, 4, "MLP"},
                    ModelCase{"mlp:5-4:gelu", NUMBERS, {6}, 3, "MLP_GELU"},
                    ModelCase{"mlp:5:tanh", NUMBERS, {6}, 3, "MLP_TANH"},
                    ModelCase{"mlp:5:sigmoid", NUMBERS, {6}, 3, "MLP_SIGMOID"},
                    ModelCase{"mlp:5:silu", NUMBERS, {6}, 3, "MLP_SILU"},
                    ModelCase{"mlp:5:layernorm:gelu", NUMBERS, {6}, 3, "MLP_NORM_GELU"},
                    ModelCase{"mlp:5-4:layernorm", NUMBERS, {6}, 3, "MLP_NORM"},
                    ModelCase{"netcnn", BYTES, GRAY, 10, "NETCNN"},
                    ModelCase{"lenet", BYTES, COLOR, 10, "LENET_32"},
                    ModelCase{"lenet", BYTES, GRAY, 10, "LENET_28"},
                    ModelCase{"lenet:tanh", BYTES, GRAY, 3, "LENET_TANH"},
                    ModelCase{"alexnet", BYTES, GRAY, 10, "ALEXNET_28"},
                    ModelCase{"alexnet", BYTES, {1, 2, 32}, 10, "ALEXNET_SIGNAL"},
                    ModelCase{"conv4:8", BYTES, GRAY, 8, "CONV4"},
                    ModelCase{"fc3", BYTES, GRAY, 8, "FC3"},
                    ModelCase{"resnet20", BYTES, COLOR, 10, "RESNET20_BN"},
                    ModelCase{"resnet20:gn", BYTES, COLOR, 10, "RESNET20_GN"},
                    ModelCase{"efficientnet-b0", BYTES, {3, 96, 96}, 10, "EFFICIENTNET"},
                    ModelCase{"char-lstm", TOKENS, {9}, 11, "CHAR_LSTM", 11},
                    ModelCase{"sentiment-lstm", TOKENS, {6}, 2, "SENTIMENT_LSTM", 13},
                    ModelCase{"gcn", TOKENS, {1}, 3, "GCN", 7}));
INSTANTIATE_TEST_SUITE_P(Nightly,
                         ModelTest,
                         testing::Values(ModelCase{"alexnet", BYTES, COLOR, 10, "ALEXNET_32"}));

/// @return cosines of a frequency
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

/// Options of an optimizer, of the loss or of a job, by the name of what PyTorch computed with them
const std::map<std::string, std::function<void(TorchLearnerConfig&, TrainTask&)>> TRAININGS = {
    {"SGD", [](auto&, auto&) {}},
    {"MOMENTUM",
     [](auto& config, auto&) {
         ReadOptimizerOptions("momentum=0.9,weightDecay=0.01", config.optimizer);
     }},
    {"NESTEROV",
     [](auto& config, auto&) {
         ReadOptimizerOptions("momentum=0.9,nesterov=1", config.optimizer);
     }},
    {"ADAM",
     [](auto& config, auto& task) {
         config.optimizer.kind = OptimizerKind::ADAM;
         config.optimizer.weightDecay = 0.01;
         task.learningRate = 0.01;
     }},
    {"ADAM_BETAS",
     [](auto& config, auto&) {
         config.optimizer.kind = OptimizerKind::ADAM;
         ReadOptimizerOptions("beta1=0.8,beta2=0.95,epsilon=1e-3", config.optimizer);
         config.learningRate = 0.01;
     }},
    {"ADAMW",
     [](auto& config, auto&) {
         config.optimizer.kind = OptimizerKind::ADAM;
         ReadOptimizerOptions("weightDecay=0.5,decoupled=1,beta1=0.8,beta2=0.99", config.optimizer);
     }},
    {"PROXIMAL",
     [](auto&, auto& task) {
         task.center = MakeCosines(143, 0.2, 3);
         task.mu = 0.3;
     }},
    {"CORRECTION", [](auto&, auto& task) { task.correction = MakeCosines(143, 0.1, 2); }},
    {"L2", [](auto&, auto& task) { task.l2 = 0.05; }},
    {"CLIPPED", [](auto& config, auto&) { config.optimizer.maxNorm = 0.01; }},
    {"SCHEDULED",
     [](auto& config, auto&) {
         config.optimizer.schedule = MakeRateSchedule("step:every=2,gamma=0.5,warmup=2");
     }},
    {"SMOOTHED", [](auto& config, auto&) { config.labelSmoothing = 0.2; }},
    {"BALANCED", [](auto& config, auto&) {
         config.labelSmoothing = 0.2;
         config.balancesClasses = true;
     }}};

TEST(TrainingTest, StepsAsPyTorchDoes)
{
    for (const auto& [name, change] : TRAININGS)
    {
        for (const bool isNative : {true, false})
        {
            SCOPED_TRACE(name + (isNative ? " without LibTorch" : ""));
            TorchLearnerConfig config = MakeConfig({"mlp:7", BYTES, {1, 4, 4}, 3, ""}, 6);
            config.trainData.labels = {0, 0, 0, 1, 1, 2};
            config.learningRate = 0.1;
            config.nativeSmallNetworks = isNative;
            TrainTask task;
            task.steps = 7;
            change(config, task);
            const auto learner = MakeFormulaLearner(config);
            const TrainReport report = learner->Train(task);
            EXPECT_EQ(report.steps, 7U);
            EXPECT_NEAR(report.localLoss, Expected("TRAINED_" + name)[0], 1e-5);
            EXPECT_NEAR(Dot(*learner->GetWeights()), Expected("TRAINED_" + name)[1], 2e-5);
        }
    }
}

TEST(RegressionTest, StepsAndScoresAsPyTorchDoes)
{
    const ModelCase model{"mlp:7", NUMBERS, {5}, 2, "REGRESSION"};
    auto data = MakeSamples(model, 3);
    data->classes = 0;
    data->outputs = 2;
    data->labels.clear();
    data->targets = {0, -1, 0.5F, -0.5F, 1, 0};
    TorchLearnerConfig config = MakeConfig(model);
    config.trainData = ViewAll(data);
    config.learningRate = 0.1;
    const auto learner = MakeFormulaLearner(config);
    TrainTask task;
    task.epochs = 3;
    task.distillation.inputs = std::make_shared<DataView>(config.trainData);
    task.distillation.targets =
        std::make_shared<Matrix<float>>(MakeMatrix(2, {0, 0.2F, 0.1F, 0.3F, 0.2F, 0.4F}));
    const TrainReport report = learner->Train(task);
    const Score score = learner->Evaluate(config.trainData);
    ExpectNear(std::vector<double>{report.localLoss,
                                   report.distillationLoss,
                                   Dot(*learner->GetWeights()),
                                   score.loss,
                                   score.determination},
               Expected("REGRESSION"),
               2e-5);
    EXPECT_TRUE(std::isnan(score.accuracy));
    const auto training = DescribeModel("mlp:7", InputOf(config)).CountTrainingFlops();
    EXPECT_EQ(learner->CountTrainFlops(task), 3 * (6 * (training + 8) + 2 * 58));
}

const ModelCase ENCODER{"fc3", BYTES, {1, 4, 4}, 3, "TRIPLETS"};

TEST(TripletTest, StepsAsPyTorchDoes)
{
    TorchLearnerConfig config = MakeConfig(ENCODER);
    config.loss = LossKind::TRIPLET;
    config.triplet.margin = 2;
    config.triplet.augmentation = {0, 0, 0, 0};
    config.trainData.labels.clear();
    const auto learner = MakeFormulaLearner(config);
    const GradientReport report = learner->ComputeGradient({});
    EXPECT_NEAR(report.localLoss, Expected("TRIPLETS")[0], 1e-5);
    EXPECT_NEAR(Dot(*report.gradient), Expected("TRIPLETS")[1], 1e-4);
    EXPECT_EQ(learner->Predict(config.trainData).columns, 8U);
    EXPECT_THROW(learner->Evaluate(config.trainData), std::invalid_argument);
    const auto training = DescribeModel("fc3", InputOf(config)).CountTrainingFlops();
    EXPECT_EQ(learner->CountGradientFlops({}), 3 * (2 * training + 13 * 8 + 9));
}

TEST(TripletTest, ProbeScoresEmbeddings)
{
    TorchLearnerConfig config = MakeConfig(ENCODER);
    const DataView labelled = config.trainData;
    config.loss = LossKind::TRIPLET;
    config.trainData.labels.clear();
    config.probe = std::make_shared<const DataView>(labelled);
    const auto learner = MakeFormulaLearner(config);
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
    BeliefDraw draw{std::vector<float>(4), std::vector<float>(4), {}};
    std::vector<float> slope(4);
    std::vector<float> prior(8);
    for (std::size_t k = 0; k < 4; ++k)
    {
        const auto x = static_cast<double>(k);
        belief[k] = static_cast<float>(0.3 * std::sin(x));
        belief[4 + k] = static_cast<float>(-1 + 0.5 * std::cos(x));
        draw.noise[k] = static_cast<float>(std::cos(2 * x));
        slope[k] = static_cast<float>(std::sin(3 * x) + 0.1);
        prior[k] = static_cast<float>(0.1 * x);
        prior[4 + k] = static_cast<float>(0.5 + 0.1 * x);
    }
    RhoToDeviations(&belief[4], 4, draw.deviations.data());
    std::vector<float> gradient;
    DifferentiateBelief(belief, draw, slope, prior, 0.7, gradient);
    ExpectNear(gradient, Expected("BELIEF_GRADIENT"), 1e-6);
}

TEST(BeliefTest, StepsNaturally)
{
    // t = 4; d = 1 + 3 (+-2) / (0.5 0.5) - 4 = 21 and -27; t + d / 10 + (d / 10)^2 / 8
    std::vector<float> belief(4, 1);
    const float deviation = 0.5;
    DeviationsToRho(&deviation, 1, &belief[2]);
    belief[3] = belief[2];
    StepNaturally(belief, {{2, -2}, {0.5, 0.5}, {}}, {3, 3}, {0, 0, 1, 1}, 0.5, 0.1);
    std::vector<float> deviations(2);
    RhoToDeviations(&belief[2], 2, deviations.data());
    const std::vector<double> precisions{6.65125, 2.21125};
    for (std::size_t i = 0; i < 2; ++i)
    {
        EXPECT_NEAR(deviations[i], 1 / std::sqrt(precisions[i]), 1e-6);
        EXPECT_NEAR(belief[i], 1 - 0.1 * 7 / precisions[i], 1e-6);
    }
}

} // namespace models_test
