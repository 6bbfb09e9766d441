/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"
#include "support/test-data.h"

#include "ns3/collab-model-registry.h"
#include "ns3/collab-random.h"
#include "ns3/collab-torch-device.h"
#include "ns3/collab-torch-learner.h"

#include <algorithm>
#include <c10/core/Device.h>
#include <c10/util/Exception.h>
#include <cmath>
#include <gmock/gmock.h>
#include <numeric>
#include <ostream>
#include <stdexcept>

namespace torch_device_test
{

using namespace ns3::collab;
using namespace tests;
using testing::FloatNear;
using testing::HasSubstr;
using testing::Not;
using testing::Pointwise;

constexpr uint32_t SAMPLES = 24;
constexpr uint32_t TOKENS = 20;
constexpr double ROUNDING = 1e-7; //!< of a float, relative

/// What is trained
struct Problem
{
    std::string model;          //!< its name
    std::vector<int64_t> shape; //!< of a sample
    FeatureKind kind;           //!< of the samples
    uint32_t classes = 4;       //!< of the samples
    bool drawsThere = false;    //!< whether a GPU draws masks of dropout by a generator of its own

    friend std::ostream&
    operator<<(std::ostream& out, const Problem& problem)
    {
        return out << problem.model;
    }
};

/// @return samples in any order of any values
std::shared_ptr<const DataSet>
MakeData(const Problem& problem)
{
    RandomGenerator generator(5);
    auto data = MakeDataSet(
        problem.kind, problem.shape, SAMPLES, problem.classes, [&](uint64_t i, uint64_t) {
            const uint64_t number = generator();
            return problem.kind == FeatureKind::BYTES
                       ? static_cast<double>(number % 256 / (1 + i % problem.classes))
                   : problem.kind == FeatureKind::NUMBERS
                       ? static_cast<double>(number % 1000) / 1000
                       : static_cast<double>(number % TOKENS);
        });
    data->vocabulary = problem.kind == FeatureKind::TOKENS ? TOKENS : 0;
    if (problem.shape[0] == 3)
    {
        data->offset = {0.4F, 0.5F, 0.6F};
        data->scale = {0.2F, 0.3F, 0.4F};
    }
    return data;
}

/// @return devices that are here, beside the host
std::vector<std::string>
ListDevices()
{
    const bool hasCuda = ErrorOf([] { CheckTorchDevice("cuda:0"); }).empty();
    return hasCuda ? std::vector<std::string>{"cpu", "cuda:0"} : std::vector<std::string>{"cpu"};
}

/// What some jobs have made of a learner
struct Outcome
{
    std::vector<float> weights;     //!< after training
    std::vector<float> last;        //!< gradient of the last step
    std::vector<float> gradient;    //!< of all samples, after training
    std::vector<float> predictions; //!< after training
    double localLoss = 0;           //!< of training
    double distillationLoss = 0;    //!< of training
};

/// @return what jobs with all terms of an objective make of a learner, whose weights begin up to
/// change (relative to them) elsewhere
Outcome
Work(const TorchLearnerConfig& config, double change = 0)
{
    const auto learner = MakeTorchLearner(config);
    std::vector<float> changed = *learner->GetWeights();
    RandomGenerator generator(9);
    for (float& weight : changed)
    {
        const double part = static_cast<double>(generator() % 2001) / 1000 - 1; // -1 to 1
        weight = static_cast<float>(weight * (1 + change * part));
    }
    learner->SetWeights(std::make_shared<const std::vector<float>>(std::move(changed)));
    const auto start = learner->GetWeights();
    TrainTask task;
    task.epochs = 2;
    task.mu = 0.1;
    task.l2 = 0.01;
    task.center = start;
    task.correction = Constant(start->size(), 0.001F);
    task.returnsGradient = true;
    if (config.loss == LossKind::SUPERVISED)
    {
        const DataView& all = config.trainData;
        task.distillation.inputs =
            std::make_shared<const DataView>(MakeView(all.data, Range(3, 13)));
        const uint32_t classes = all.data->classes;
        task.distillation.targets =
            std::make_shared<Matrix<float>>(10, classes, 1 / static_cast<float>(classes));
        task.distillation.lambda = 0.7;
    }
    Outcome made;
    const TrainReport report = learner->Train(task);
    made.weights = *learner->GetWeights();
    made.last = *report.lastGradient;
    made.localLoss = report.localLoss;
    made.distillationLoss = report.distillationLoss;
    GradientTask all;
    static_cast<ObjectiveTerms&>(all) = task;
    made.gradient = *learner->ComputeGradient(all).gradient;
    made.predictions = learner->Predict(config.trainData).values;
    return made;
}

/// @return greatest difference of two vectors
double
Differ(const std::vector<float>& numbers, const std::vector<float>& others)
{
    double greatest = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i)
    {
        greatest = std::max(greatest, std::abs(double{numbers[i]} - others[i]));
    }
    return greatest;
}

/// @param host what the host has made
/// @param device what a device has made of the same
/// @param rounded what the host makes of weights that differ by their rounding: where normalized
/// layers and rectifiers make much of that, a device's roundings may do so as well
void
ExpectAlike(const Outcome& host, const Outcome& device, const Outcome& rounded)
{
    const auto near = [](double least, const auto& some, const auto& other) {
        return FloatNear(static_cast<float>(std::max(least, 5 * Differ(some, other))));
    };
    EXPECT_THAT(device.weights, Pointwise(near(2e-5, host.weights, rounded.weights), host.weights));
    EXPECT_THAT(device.last, Pointwise(near(2e-4, host.last, rounded.last), host.last));
    EXPECT_THAT(device.gradient,
                Pointwise(near(2e-4, host.gradient, rounded.gradient), host.gradient));
    EXPECT_THAT(device.predictions,
                Pointwise(near(2e-4, host.predictions, rounded.predictions), host.predictions));
    const double least = 1e-4 * (1 + host.localLoss);
    EXPECT_NEAR(device.localLoss,
                host.localLoss,
                std::max(least, 5 * std::abs(rounded.localLoss - host.localLoss)));
    EXPECT_NEAR(device.distillationLoss,
                host.distillationLoss,
                std::max(least, 5 * std::abs(rounded.distillationLoss - host.distillationLoss)));
}

/// @return a graph of as many nodes as there are tokens
std::shared_ptr<const GraphInput>
MakeGraph()
{
    auto graph = std::make_shared<GraphInput>();
    graph->features = Matrix<float>(TOKENS, 3);
    for (std::size_t i = 0; i < graph->features.values.size(); ++i)
    {
        graph->features.values[i] = std::cos(static_cast<float>(i));
    }
    for (uint32_t node = 1; node < TOKENS; ++node)
    {
        graph->edges.emplace_back(node / 2, node);
    }
    return graph;
}

class TorchDeviceTest : public testing::TestWithParam<Problem>
{
  protected:
    static void
    SetUpTestSuite()
    {
        ModelFactory dropout; // alexnet has as much, and 20 million weights
        dropout.plan = [](const std::string&, const ModelInput& input) {
            NetworkPlan plan(input);
            plan.Flatten();
            plan.Linear("fc1", 12);
            plan.Relu("relu");
            plan.Dropout("dropout", 0.5);
            plan.Linear("fc", input.outputs);
            return plan;
        };
        RegisterModel("device-dropout", dropout);
    }

    /// @return a learner of the problem on the host
    static TorchLearnerConfig
    MakeConfig()
    {
        TorchLearnerConfig config;
        // Files are found when the program runs, not when the list of problems is made.
        const std::string script = "script:";
        config.model = GetParam().model.compare(0, script.size(), script) == 0
                           ? script + GetTestData(GetParam().model.substr(script.size()))
                           : GetParam().model;
        std::vector<uint32_t> order(SAMPLES);
        std::iota(order.rbegin(), order.rend(), 0U);
        config.trainData = MakeView(MakeData(GetParam()), order);
        config.graph = MakeGraph();
        config.batchSize = 9;
        config.referenceBatchSize = 6;
        config.learningRate = 0.01;
        config.optimizer.kind = OptimizerKind::SGD;
        config.optimizer.momentum = 0.5;
        config.optimizer.maxNorm = 5;
        return config;
    }
};

TEST_P(TorchDeviceTest, ComputesWhatTheHostComputes)
{
    TorchLearnerConfig config = MakeConfig();
    const Outcome host = Work(config);
    const Outcome rounded = Work(config, ROUNDING);
    for (const std::string& device : ListDevices())
    {
        if (GetParam().drawsThere && device != "cpu")
        {
            continue;
        }
        config.device = device;
        ExpectAlike(host, Work(config), rounded);
    }
}

TEST_P(TorchDeviceTest, ThreadsChangeNothing)
{
    TorchLearnerConfig config = MakeConfig();
    for (const std::string& device : ListDevices())
    {
        config.device = device;
        const Outcome alone = Work(config);
        std::vector<Outcome> beside(2);
        CallOnThreads(2, [&](std::size_t i) { beside[i] = Work(config); });
        for (const Outcome& outcome : beside)
        {
            EXPECT_EQ(outcome.weights, alone.weights);
            EXPECT_EQ(outcome.predictions, alone.predictions);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Models,
    TorchDeviceTest,
    testing::Values(Problem{"linear", {5}, FeatureKind::NUMBERS},
                    Problem{"mlp:8", {1, 6, 6}, FeatureKind::BYTES},
                    Problem{"netcnn", {1, 16, 16}, FeatureKind::BYTES},
                    Problem{"lenet", {1, 28, 28}, FeatureKind::BYTES},
                    Problem{"resnet20", {1, 8, 8}, FeatureKind::BYTES, 10},
                    Problem{"resnet20:gn", {3, 8, 8}, FeatureKind::BYTES},
                    Problem{"mlp:8-6:gelu:layernorm", {1, 6, 6}, FeatureKind::BYTES},
                    Problem{"device-dropout", {1, 6, 6}, FeatureKind::BYTES},
                    Problem{"gcn:6", {1}, FeatureKind::TOKENS},
                    Problem{"char-lstm", {7}, FeatureKind::TOKENS},
                    Problem{"script:modules/dropout.pt", {1, 28, 28}, FeatureKind::BYTES, 10, true},
                    Problem{"script:modules/resnet.pt", {1, 28, 28}, FeatureKind::BYTES, 10},
                    Problem{"script:modules/transformer.pt", {1, 28, 28}, FeatureKind::BYTES, 10},
                    Problem{"script:modules/lstm.pt", {1, 28, 28}, FeatureKind::BYTES, 10}));

class TorchDeviceOptionsTest : public testing::Test
{
  protected:
    TorchDeviceOptionsTest()
    {
        m_config.model = "mlp:8";
        m_config.trainData = ViewAll(MakeData({"mlp:8", {1, 6, 6}, FeatureKind::BYTES}));
        m_config.batchSize = 10;
    }

    /// Expect that devices compute what the host does.
    void
    Compare()
    {
        const Outcome host = Work(m_config);
        const Outcome rounded = Work(m_config, ROUNDING);
        for (const std::string& device : ListDevices())
        {
            m_config.device = device;
            ExpectAlike(host, Work(m_config), rounded);
        }
    }

    TorchLearnerConfig m_config; //!< on the host
};

TEST_F(TorchDeviceOptionsTest, ComputeWhatTheHostComputes)
{
    const TorchLearnerConfig plain = m_config;
    const auto compare = [&](const char* options, const auto& change) {
        SCOPED_TRACE(options);
        m_config = plain;
        change(m_config);
        Compare();
    };
    compare("Adam with decay", [](auto& config) {
        config.optimizer.weightDecay = 0.1;
        config.optimizer.decouplesDecay = true;
    });
    compare("smoothed labels and weights of classes", [](auto& config) {
        config.labelSmoothing = 0.1;
        config.classWeights = {1, 2, 0.5, 1};
    });
    compare("skewed features", [](auto& config) {
        SampleTransform change;
        change.rotation = 30;
        change.noise = 0.1;
        config.trainData.transform = std::make_shared<const SampleTransform>(change);
    });
    compare("triplets", [](auto& config) {
        config.loss = LossKind::TRIPLET;
        config.model = "fc3:4";
    });
}

TEST(DeviceScopeTest, KeepsOneWarningOff)
{
    const DeviceScope scope(c10::kCPU);
    testing::internal::CaptureStderr();
    TORCH_WARN("call flatten_parameters() of a recurrent layer");
    TORCH_WARN("something else");
    const std::string told = testing::internal::GetCapturedStderr();
    EXPECT_THAT(told, Not(HasSubstr("flatten_parameters")));
    EXPECT_THAT(told, HasSubstr("something else"));
}

TEST_F(TorchDeviceOptionsTest, RefusesWhatIsNotThere)
{
    for (const char* name : {"", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:99", "CPU", "cuda:1x"})
    {
        m_config.device = name;
        ExpectRefused("is not there; allowed are host", [&] { MakeTorchLearner(m_config); });
    }
    m_config.device = "cpu";
    m_config.variational = VariationalOptions();
    EXPECT_THROW(MakeTorchLearner(m_config), std::invalid_argument);
}

} // namespace torch_device_test
