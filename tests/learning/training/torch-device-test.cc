/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/test-data.h"

#include "ns3/collab-model-registry.h"
#include "ns3/collab-random.h"
#include "ns3/collab-torch-device.h"
#include "ns3/collab-torch-learner.h"

#include <ATen/Context.h>
#include <algorithm>
#include <c10/core/Device.h>
#include <c10/util/Exception.h>
#include <cmath>
#include <gmock/gmock.h>
#include <numeric>
#include <ostream>
#include <stdexcept>
#include <thread>

namespace
{

using namespace ns3::collab;
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

    /**
     * @param out where to print
     * @param problem what
     * @return out
     */
    friend std::ostream&
    operator<<(std::ostream& out, const Problem& problem)
    {
        return out << problem.model;
    }
};

/**
 * @param problem what is trained
 * @return samples in any order of any values
 */
std::shared_ptr<const DataSet>
MakeData(const Problem& problem)
{
    auto data = std::make_shared<DataSet>();
    data->kind = problem.kind;
    data->sampleShape = problem.shape;
    data->classes = problem.classes;
    data->vocabulary = problem.kind == FeatureKind::TOKENS ? TOKENS : 0;
    if (problem.shape[0] == 3)
    {
        data->offset = {0.4F, 0.5F, 0.6F};
        data->scale = {0.2F, 0.3F, 0.4F};
    }
    RandomGenerator generator(5);
    for (uint32_t i = 0; i < SAMPLES; ++i)
    {
        data->labels.push_back(i % problem.classes);
        for (std::size_t j = 0; j < data->SampleSize(); ++j)
        {
            const uint64_t number = generator();
            switch (problem.kind)
            {
            case FeatureKind::BYTES:
                data->features.push_back(
                    static_cast<uint8_t>(number % 256 / (1 + i % problem.classes)));
                break;
            case FeatureKind::NUMBERS:
                data->numbers.push_back(static_cast<float>(number % 1000) / 1000);
                break;
            case FeatureKind::TOKENS:
                data->tokens.push_back(static_cast<int32_t>(number % TOKENS));
                break;
            }
        }
    }
    return data;
}

/// @return devices that are here, beside the host
std::vector<std::string>
ListDevices()
{
    return at::globalContext().hasCUDA() ? std::vector<std::string>{"cpu", "cuda:0"}
                                         : std::vector<std::string>{"cpu"};
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

/**
 * @param config of a learner
 * @param change of the first weights, at most, relative to them
 * @return what some jobs with all terms of an objective make of it
 */
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
    task.correction = std::make_shared<const std::vector<float>>(start->size(), 0.001F);
    task.returnsGradient = true;
    if (config.loss == LossKind::SUPERVISED)
    {
        std::vector<uint32_t> some(10);
        std::iota(some.begin(), some.end(), 3U);
        task.distillation.inputs =
            std::make_shared<const DataView>(MakeView(config.trainData.data, some));
        const uint32_t classes = config.trainData.data->classes;
        auto targets = std::make_shared<Matrix<float>>(10, classes);
        std::fill(targets->values.begin(), targets->values.end(), 1 / static_cast<float>(classes));
        task.distillation.targets = targets;
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

/**
 * @param numbers some
 * @param others as many
 * @return the greatest difference
 */
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

/**
 * @param host what the host has made
 * @param device what a device has made of the same
 * @param rounded what the host makes of weights that differ by their rounding: where normalized
 * layers and rectifiers make much of that, a device's roundings may do so as well
 */
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
        std::vector<Outcome> beside(3);
        std::vector<std::thread> threads;
        for (Outcome& outcome : beside)
        {
            threads.emplace_back([&outcome, &config]() { outcome = Work(config); });
        }
        for (std::thread& thread : threads)
        {
            thread.join();
        }
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
                    Problem{"netcnn", {1, 28, 28}, FeatureKind::BYTES},
                    Problem{"lenet", {1, 28, 28}, FeatureKind::BYTES},
                    Problem{"resnet20", {1, 28, 28}, FeatureKind::BYTES, 10},
                    Problem{"resnet20:gn", {3, 32, 32}, FeatureKind::BYTES},
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
        const Problem problem{"mlp:8", {1, 6, 6}, FeatureKind::BYTES};
        std::vector<uint32_t> order(SAMPLES);
        std::iota(order.begin(), order.end(), 0U);
        m_config.model = problem.model;
        m_config.trainData = MakeView(MakeData(problem), order);
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

TEST_F(TorchDeviceOptionsTest, AdamWithDecay)
{
    m_config.optimizer.weightDecay = 0.1;
    m_config.optimizer.decouplesDecay = true;
    Compare();
}

TEST_F(TorchDeviceOptionsTest, SmoothedLabelsAndWeightsOfClasses)
{
    m_config.labelSmoothing = 0.1;
    m_config.classWeights = {1, 2, 0.5, 1};
    Compare();
}

TEST_F(TorchDeviceOptionsTest, SkewedFeatures)
{
    auto change = std::make_shared<SampleTransform>();
    change->rotation = 30;
    change->noise = 0.1;
    m_config.trainData.transform = change;
    Compare();
}

TEST_F(TorchDeviceOptionsTest, Triplets)
{
    m_config.loss = LossKind::TRIPLET;
    m_config.model = "fc3:4";
    Compare();
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
        try
        {
            MakeTorchLearner(m_config);
            ADD_FAILURE() << name;
        }
        catch (const std::invalid_argument& error)
        {
            EXPECT_THAT(error.what(), HasSubstr("is not there; allowed are host"));
        }
    }
    m_config.device = "cpu";
    m_config.variational = VariationalOptions();
    EXPECT_THROW(MakeTorchLearner(m_config), std::invalid_argument);
}

} // namespace
