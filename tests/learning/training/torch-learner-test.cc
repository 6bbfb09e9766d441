/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/training/learner-reference.h"

#include "ns3/collab-model-description.h"
#include "ns3/collab-random.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/collab-torch-runtime.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <thread>

namespace
{

using namespace ns3::collab;
using testing::HasSubstr;

constexpr double TOLERANCE = 1e-5; //!< between single and double precision after five steps

/// Sets LibTorch up once, as a simulation does.
class TorchEnvironment : public testing::Environment
{
  public:
    void
    SetUp() override
    {
        ConfigureTorchProcess();
    }
};

const auto* const ENVIRONMENT = testing::AddGlobalTestEnvironment(new TorchEnvironment);

/**
 * @param samples number of samples
 * @param side height and width
 * @return samples whose bytes follow the formula of make-learner-reference.py, of three classes
 */
std::shared_ptr<const DataSet>
MakeFormulaData(std::size_t samples, int64_t side)
{
    auto data = std::make_shared<DataSet>();
    data->sampleShape = {1, side, side};
    data->classes = 3;
    const auto pixels = static_cast<std::size_t>(side * side);
    for (std::size_t i = 0; i < samples; ++i)
    {
        for (std::size_t j = 0; j < pixels; ++j)
        {
            data->features.push_back(static_cast<uint8_t>((37 * i + 101 * j + 13 * i * j) % 256));
        }
        data->labels.push_back(static_cast<int64_t>(i % 3));
    }
    return data;
}

/**
 * @param count number of parameters
 * @return 0.05 sin(k), as in make-learner-reference.py
 */
std::vector<float>
MakeFormulaParameters(uint64_t count)
{
    std::vector<float> parameters(count);
    for (std::size_t k = 0; k < parameters.size(); ++k)
    {
        parameters[k] = static_cast<float>(0.05 * std::sin(static_cast<double>(k)));
    }
    return parameters;
}

/**
 * @param rows number of targets
 * @return soft labels of three classes, as in make-learner-reference.py
 */
std::shared_ptr<const Matrix<float>>
MakeFormulaTargets(std::size_t rows)
{
    auto targets = std::make_shared<Matrix<float>>(rows, 3);
    for (std::size_t i = 0; i < rows; ++i)
    {
        double sum = 0;
        for (std::size_t c = 0; c < 3; ++c)
        {
            sum += 1.0 + static_cast<double>((3 * i + 2 * c) % 5);
        }
        for (std::size_t c = 0; c < 3; ++c)
        {
            const double weight = 1.0 + static_cast<double>((3 * i + 2 * c) % 5);
            (*targets)(i, c) = static_cast<float>(weight / sum);
        }
    }
    return targets;
}

/**
 * @param begin first index
 * @param end one past the last index
 * @return the indices
 */
std::vector<uint32_t>
Range(uint32_t begin, uint32_t end)
{
    std::vector<uint32_t> indices(end - begin);
    std::iota(indices.begin(), indices.end(), begin);
    return indices;
}

/**
 * @param data whose samples to use
 * @param begin first sample
 * @param end one past the last sample
 * @param epochs passes over the local samples
 * @return a training job with these samples as X*
 */
TrainTask
MakeDistillationTask(const std::shared_ptr<const DataSet>& data,
                     uint32_t begin,
                     uint32_t end,
                     uint32_t epochs)
{
    TrainTask task;
    task.epochs = epochs;
    task.distillation.inputs = std::make_shared<DataView>(MakeView(data, Range(begin, end)));
    task.distillation.targets = MakeFormulaTargets(end - begin);
    return task;
}

/**
 * @param actual what a learner computed
 * @param expected what numpy computed
 * @param tolerance of each element
 */
void
ExpectNear(const Matrix<float>& actual, const std::vector<double>& expected, double tolerance)
{
    ASSERT_EQ(actual.values.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        EXPECT_NEAR(actual.values[i], expected[i], tolerance) << "element " << i;
    }
}

/// What numpy computed for one model.
struct NetworkReference
{
    std::string model;                     //!< name of the model
    int64_t side;                          //!< height and width of the samples
    const std::vector<double>& initial;    //!< predictions by the initial parameters
    const std::vector<double>& pretrained; //!< losses of the second epoch without targets
    const std::vector<double>& distilled;  //!< losses of the third epoch with targets
    const std::vector<double>& trained;    //!< predictions after both
};

/**
 * @param reference to print in the name of a test
 * @param stream to print to
 */
void
PrintTo(const NetworkReference& reference, std::ostream* stream)
{
    *stream << reference.model;
}

class TorchLearnerReferenceTest : public testing::TestWithParam<NetworkReference>
{
};

TEST_P(TorchLearnerReferenceTest, TrainsAsNumpyDoes)
{
    const NetworkReference& reference = GetParam();
    const auto data = MakeFormulaData(8, reference.side);
    const DataView all = MakeView(data, Range(0, 8));
    TorchLearnerConfig config;
    config.model = reference.model;
    config.trainData = MakeView(data, Range(0, 5));
    const uint64_t parameters =
        DescribeModel(reference.model, data->sampleShape, 3).CountParameters();
    const auto learner = MakeTorchLearner(config, MakeFormulaParameters(parameters));
    ExpectNear(learner->Predict(all), reference.initial, TOLERANCE);

    TrainTask pretraining;
    pretraining.epochs = 2;
    const TrainReport first = learner->Train(pretraining);
    EXPECT_EQ(first.steps, 2U);
    EXPECT_NEAR(first.localLoss, reference.pretrained[0], TOLERANCE);
    EXPECT_EQ(first.distillationLoss, 0);

    const TrainReport second = learner->Train(MakeDistillationTask(data, 5, 8, 3));
    EXPECT_EQ(second.steps, 3U);
    EXPECT_NEAR(second.localLoss, reference.distilled[0], TOLERANCE);
    EXPECT_NEAR(second.distillationLoss, reference.distilled[1], TOLERANCE);
    ExpectNear(learner->Predict(all), reference.trained, TOLERANCE);
}

INSTANTIATE_TEST_SUITE_P(Models,
                         TorchLearnerReferenceTest,
                         testing::Values(
                             NetworkReference{
                                 "linear",
                                 4,
                                 learner_reference::LINEAR_INITIAL,
                                 learner_reference::LINEAR_PRETRAINED_LOSS,
                                 learner_reference::LINEAR_DISTILLED_LOSS,
                                 learner_reference::LINEAR_TRAINED,
                             },
                             NetworkReference{
                                 "mlp",
                                 4,
                                 learner_reference::MLP_INITIAL,
                                 learner_reference::MLP_PRETRAINED_LOSS,
                                 learner_reference::MLP_DISTILLED_LOSS,
                                 learner_reference::MLP_TRAINED,
                             },
                             NetworkReference{
                                 "netcnn",
                                 16,
                                 learner_reference::NETCNN_INITIAL,
                                 learner_reference::NETCNN_PRETRAINED_LOSS,
                                 learner_reference::NETCNN_DISTILLED_LOSS,
                                 learner_reference::NETCNN_TRAINED,
                             }));

TEST(TorchLearnerCycleTest, ReferenceBatchesCycleAndRestartEveryEpoch)
{
    const auto data = MakeFormulaData(8, 4);
    TorchLearnerConfig config;
    config.trainData = MakeView(data, {0, 0, 0, 0, 0}); // equal, so that their order says nothing
    config.batchSize = 2;
    config.referenceBatchSize = 3;
    config.referenceOrder = ReferenceOrder::RESTARTED;
    const auto learner = MakeTorchLearner(config, MakeFormulaParameters(4003));
    const TrainReport report = learner->Train(MakeDistillationTask(data, 4, 8, 2));
    EXPECT_EQ(report.steps, 6U);
    EXPECT_NEAR(report.localLoss, learner_reference::CYCLE_LOSS[0], TOLERANCE);
    EXPECT_NEAR(report.distillationLoss, learner_reference::CYCLE_LOSS[1], TOLERANCE);
    ExpectNear(
        learner->Predict(MakeView(data, Range(0, 8))), learner_reference::CYCLE_TRAINED, 1e-5);
}

/// A learning problem that random parameters do not solve: 96 samples with noise, 16 as X*.
class TorchLearnerTest : public testing::TestWithParam<std::string>
{
  protected:
    TorchLearnerTest()
        : m_data(MakeNoisyData()),
          m_task(MakeDistillationTask(m_data, 80, 96, 2)),
          m_all(MakeView(m_data, Range(0, 96)))
    {
        m_config.model = GetParam();
        m_config.trainData = MakeView(m_data, Range(0, 80));
        m_config.batchSize = 32;
        m_config.referenceBatchSize = 12;
        m_config.learningRate = 1e-3;
    }

    /// @return 96 samples of 16 x 16: noise, and a bright band where the class says
    static std::shared_ptr<const DataSet>
    MakeNoisyData()
    {
        RandomGenerator generator(1);
        auto data = std::make_shared<DataSet>();
        data->sampleShape = {1, 16, 16};
        data->classes = 3;
        for (int64_t i = 0; i < 96; ++i)
        {
            data->labels.push_back(i % 3);
            for (int64_t row = 0; row < 16; ++row)
            {
                for (int64_t column = 0; column < 16; ++column)
                {
                    const uint64_t band = row / 5 == i % 3 ? 100 : 0;
                    data->features.push_back(static_cast<uint8_t>(band + generator() % 128));
                }
            }
        }
        return data;
    }

    /// @return predictions of the learner after a sequence of calls of every kind
    Matrix<float>
    PredictAfterCalls() const
    {
        return PredictAfterCalls(m_config);
    }

    /**
     * @param config of a learner
     * @return its predictions after a sequence of calls of every kind
     */
    Matrix<float>
    PredictAfterCalls(const TorchLearnerConfig& config) const
    {
        const auto learner = MakeTorchLearner(config);
        learner->Train({});
        learner->Evaluate(m_all);
        learner->Train(m_task);
        return learner->Predict(m_all);
    }

    std::shared_ptr<const DataSet> m_data; //!< of all samples
    TorchLearnerConfig m_config;           //!< of the learner
    TrainTask m_task;                      //!< with targets
    DataView m_all;                        //!< all samples
};

TEST_P(TorchLearnerTest, LearnsAndEvaluates)
{
    const auto learner = MakeTorchLearner(m_config);
    const Score before = learner->Evaluate(m_config.trainData);
    TrainTask task;
    task.epochs = 15;
    const TrainReport report = learner->Train(task);
    EXPECT_EQ(report.steps, 45U);
    const Score after = learner->Evaluate(m_config.trainData);
    EXPECT_LT(after.loss, 0.5 * before.loss);
    EXPECT_GT(after.accuracy, 0.9);
    const Score unseen = learner->Evaluate(MakeView(m_data, Range(80, 96)));
    EXPECT_GT(unseen.accuracy, 0.8);
}

TEST_P(TorchLearnerTest, PredictionsAreProbabilitiesInTheOrderOfTheInputs)
{
    const auto learner = MakeTorchLearner(m_config);
    std::vector<uint32_t> indices;
    for (uint32_t i = 0; i < 600; ++i)
    {
        indices.push_back(i * 7 % 96);
    }
    const Matrix<float> many = learner->Predict(MakeView(m_data, indices));
    ASSERT_EQ(many.rows, 600U);
    ASSERT_EQ(many.columns, 3U);
    const Matrix<float> each = learner->Predict(m_all);
    for (std::size_t i = 0; i < many.rows; ++i)
    {
        EXPECT_NEAR(many(i, 0) + many(i, 1) + many(i, 2), 1, 1e-6);
        for (std::size_t c = 0; c < 3; ++c)
        {
            EXPECT_NEAR(many(i, c), each(indices[i], c), 1e-6);
        }
    }
    EXPECT_EQ(learner->Predict(MakeView(m_data, {})).rows, 0U);
}

TEST_P(TorchLearnerTest, SeedsDecide)
{
    const Matrix<float> first = PredictAfterCalls();
    EXPECT_EQ(PredictAfterCalls(), first);
    ++m_config.shuffleSeed;
    EXPECT_FALSE(PredictAfterCalls() == first);
    --m_config.shuffleSeed;
    ++m_config.initializationSeed;
    EXPECT_FALSE(PredictAfterCalls() == first);
}

TEST_P(TorchLearnerTest, GivenOrdersAreFollowedThroughAllJobs)
{
    m_config.referenceOrder = ReferenceOrder::RESTARTED; // by no seed
    const Matrix<float> drawn = PredictAfterCalls();     // three passes in two jobs
    RandomGenerator generator(m_config.shuffleSeed);
    std::vector<std::vector<uint32_t>> orders(3);
    std::generate(orders.begin(), orders.end(), [&] { return DrawPermutation(80, generator); });
    TorchLearnerConfig given = m_config;
    given.shuffleSeed = 1000;
    given.sampleOrders = orders;
    EXPECT_EQ(PredictAfterCalls(given), drawn);
    given.sampleOrders = {orders[0], orders[2], orders[1]};
    EXPECT_FALSE(PredictAfterCalls(given) == drawn);

    given.sampleOrders = {orders[2], orders[0], orders[1]};
    TorchLearnerConfig begun = m_config; // goes on as the seed says
    begun.sampleOrders = {orders[2]};
    EXPECT_EQ(PredictAfterCalls(begun), PredictAfterCalls(given));
}

TEST_P(TorchLearnerTest, WaysToComputeDifferByRounding)
{
    const Matrix<float> usual = PredictAfterCalls();
    TorchLearnerConfig apart = m_config;
    apart.joinsBatches = false;
    TorchLearnerConfig first = m_config;
    first.channelsLast = false;
    for (const TorchLearnerConfig& config : {apart, first})
    {
        const Matrix<float> other = PredictAfterCalls(config);
        for (std::size_t i = 0; i < usual.values.size(); ++i)
        {
            EXPECT_NEAR(other.values[i], usual.values[i], 1e-4);
        }
    }
}

TEST_P(TorchLearnerTest, LibTorchsOwnGeneratorIsNeverUsed)
{
    at::manual_seed(1);
    const Matrix<float> first = PredictAfterCalls();
    at::manual_seed(2);
    EXPECT_EQ(PredictAfterCalls(), first);
}

TEST_P(TorchLearnerTest, ResultsDoNotDependOnTheThread)
{
    const Matrix<float> expected = PredictAfterCalls();
    const auto learner = MakeTorchLearner(m_config);
    const auto onOtherThread = [](const auto& call) {
        std::thread thread([&call] {
            ConfigureTorchThread();
            call();
        });
        thread.join();
    };
    onOtherThread([&] { learner->Train({}); });
    learner->Evaluate(m_all);
    onOtherThread([&] { learner->Train(m_task); });
    Matrix<float> actual;
    onOtherThread([&] { actual = learner->Predict(m_all); });
    EXPECT_EQ(actual, expected);
}

TEST_P(TorchLearnerTest, LearnersSideBySideDoNotDisturbEachOther)
{
    constexpr std::size_t LEARNERS = 3;
    const auto predict = [this](std::size_t learner) {
        TorchLearnerConfig config = m_config;
        config.initializationSeed += learner;
        return PredictAfterCalls(config);
    };
    std::vector<Matrix<float>> together(LEARNERS);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < LEARNERS; ++i)
    {
        threads.emplace_back([&, i] {
            ConfigureTorchThread();
            together[i] = predict(i);
        });
    }
    for (std::thread& thread : threads)
    {
        thread.join();
    }
    for (std::size_t i = 0; i < LEARNERS; ++i)
    {
        EXPECT_EQ(together[i], predict(i)) << "learner " << i;
    }
}

TEST_P(TorchLearnerTest, LabelsOfReferenceSamplesAreNeverRead)
{
    const Matrix<float> expected = PredictAfterCalls();
    auto scrambled = std::make_shared<DataView>(*m_task.distillation.inputs);
    std::fill(scrambled->labels.begin(), scrambled->labels.end(), int64_t{-12345});
    m_task.distillation.inputs = scrambled;
    EXPECT_EQ(PredictAfterCalls(), expected);

    scrambled = std::make_shared<DataView>(*scrambled);
    scrambled->labels.clear();
    m_task.distillation.inputs = scrambled;
    EXPECT_EQ(PredictAfterCalls(), expected);
    m_all.labels.assign(m_all.Size(), 0);
    EXPECT_EQ(PredictAfterCalls(), expected);
}

TEST_P(TorchLearnerTest, TrainingFollowsTheOwnersLabels)
{
    const Matrix<float> honest = PredictAfterCalls();
    ShiftLabels(m_config.trainData, 1);
    EXPECT_FALSE(PredictAfterCalls() == honest);
}

TEST_P(TorchLearnerTest, LambdaWeighsTheTargets)
{
    const auto trainWith = [this](double lambda) {
        m_task.distillation.lambda = lambda;
        m_task.epochs = 10;
        return MakeTorchLearner(m_config)->Train(m_task).distillationLoss;
    };
    EXPECT_LT(trainWith(5), trainWith(0));
}

TEST_P(TorchLearnerTest, NoEpochsDoNothing)
{
    const auto learner = MakeTorchLearner(m_config);
    const Matrix<float> before = learner->Predict(m_all);
    m_task.epochs = 0;
    const TrainReport report = learner->Train(m_task);
    EXPECT_EQ(report.steps, 0U);
    EXPECT_EQ(report.localLoss, 0);
    EXPECT_EQ(learner->CountTrainFlops(m_task), 0U);
    EXPECT_EQ(learner->Predict(m_all), before);
}

TEST_P(TorchLearnerTest, CountsOperations)
{
    const auto learner = MakeTorchLearner(m_config);
    const ModelDescription description = DescribeModel(GetParam(), {1, 16, 16}, 3);
    EXPECT_EQ(learner->GetParameterCount(), description.CountParameters());
    EXPECT_EQ(learner->CountPredictFlops(7), 7 * (description.CountForwardFlops() + 13));

    const uint64_t training = description.CountTrainingFlops();
    const uint64_t updates = 39 * description.CountParameters(); // 13 each in batches of 32, 32, 16
    TrainTask task;
    task.epochs = 4;
    const uint64_t local = 80 * (training + 19);
    EXPECT_EQ(learner->CountTrainFlops(task), 4 * (local + updates));
    const uint64_t pull = training + 42; // a sample of X*
    EXPECT_EQ(learner->CountTrainFlops(m_task), 2 * (local + 3 * 12 * pull + updates));
    m_config.referenceOrder = ReferenceOrder::RESTARTED; // X* in batches of 12, 4, 12
    EXPECT_EQ(MakeTorchLearner(m_config)->CountTrainFlops(m_task),
              2 * (local + (12 + 4 + 12) * pull + updates));
}

TEST_P(TorchLearnerTest, RefusesTargetsThatDoNotFit)
{
    const auto learner = MakeTorchLearner(m_config);
    const auto refused = [&](const Distillation& distillation) {
        TrainTask task;
        task.distillation = distillation;
        EXPECT_THROW(learner->Train(task), std::invalid_argument);
        EXPECT_THROW(learner->CountTrainFlops(task), std::invalid_argument);
    };
    Distillation changed = m_task.distillation;
    changed.targets = std::make_shared<Matrix<float>>(15, 3, 0.3F);
    refused(changed);
    changed.targets = std::make_shared<Matrix<float>>(16, 4, 0.3F);
    refused(changed);
    for (float value : {std::numeric_limits<float>::quiet_NaN(), INFINITY})
    {
        changed.targets = std::make_shared<Matrix<float>>(16, 3, value);
        refused(changed);
    }
    changed = m_task.distillation;
    changed.lambda = -0.1;
    refused(changed);
    changed.lambda = std::numeric_limits<double>::quiet_NaN();
    refused(changed);
    changed = m_task.distillation;
    changed.inputs = nullptr;
    refused(changed);
    changed = m_task.distillation;
    changed.inputs = std::make_shared<DataView>(MakeView(MakeFormulaData(16, 4), Range(0, 16)));
    refused(changed);
}

INSTANTIATE_TEST_SUITE_P(Models, TorchLearnerTest, testing::Values("linear", "mlp", "netcnn"));

TEST(TorchLearnerMakingTest, InitialParametersAreInPyTorchsRange)
{
    // Of a sample of zeros, the logits of a linear model are its biases: uniform up to 1/sqrt(256).
    auto data = std::make_shared<DataSet>();
    data->sampleShape = {1, 16, 16};
    data->classes = 1000;
    data->offset = {0};
    data->features.assign(256, 0);
    data->labels = {0};
    TorchLearnerConfig config;
    config.model = "linear";
    config.trainData = MakeView(data, {0});
    const Matrix<float> probabilities = MakeTorchLearner(config)->Predict(config.trainData);
    double sum = 0;
    double squares = 0;
    for (float probability : probabilities.values)
    {
        sum += std::log(probability) / 1000;
    }
    double greatest = 0;
    for (float probability : probabilities.values)
    {
        const double bias = std::log(probability) - sum;
        squares += bias * bias / 1000;
        greatest = std::max(greatest, std::abs(bias));
    }
    EXPECT_NEAR(squares, 1.0 / 256 / 3, 0.1 / 256 / 3);
    EXPECT_NEAR(greatest, 1.0 / 16, 0.05 / 16);
}

TEST(TorchLearnerMakingTest, RefusesWhatCannotBeBuilt)
{
    TorchLearnerConfig good;
    good.trainData = MakeView(MakeFormulaData(4, 4), Range(0, 4));
    EXPECT_NO_THROW(MakeTorchLearner(good));
    const auto refused = [&good](const char* text, const auto& change) {
        TorchLearnerConfig config = good;
        change(config);
        try
        {
            MakeTorchLearner(config);
            ADD_FAILURE() << "was accepted: " << text;
        }
        catch (const std::invalid_argument& error)
        {
            EXPECT_THAT(error.what(), HasSubstr(text));
        }
    };
    refused("resnet", [](auto& config) { config.model = "resnet"; });
    refused("16 x 16", [](auto& config) { config.model = "netcnn"; });
    refused("trainData", [](auto& config) { config.trainData = {}; });
    refused("at least 1",
            [](auto& config) { config.trainData = MakeView(config.trainData.data, {}); });
    refused("4 samples with 3 labels", [](auto& config) { config.trainData.labels.pop_back(); });
    refused("label 3", [](auto& config) { config.trainData.labels[2] = 3; });
    refused("index 4", [](auto& config) { config.trainData.indices[1] = 4; });
    refused("learningRate 0", [](auto& config) { config.learningRate = 0; });
    refused("learningRate nan", [](auto& config) { config.learningRate = std::nan(""); });
    refused("batchSize 0", [](auto& config) { config.batchSize = 0; });
    refused("referenceBatchSize 0", [](auto& config) { config.referenceBatchSize = 0; });
    refused("pass 1 takes 3 of 4", [](auto& config) {
        config.sampleOrders = {{0, 1, 2, 3}, {0, 1, 2}};
    });
    refused("pass 0 has the position 4 of 4", [](auto& config) {
        config.sampleOrders = {{0, 1, 2, 4}};
    });
    refused("pass 0 has the position 2 twice", [](auto& config) {
        config.sampleOrders = {{0, 2, 2, 3}};
    });
    refused("63 features for 4 samples of 16", [](auto& config) {
        auto data = std::make_shared<DataSet>(*config.trainData.data);
        data->features.pop_back();
        config.trainData.data = data;
    });
    EXPECT_THROW(MakeTorchLearner(good, std::vector<float>(4002)), std::invalid_argument);
    EXPECT_NO_THROW(MakeTorchLearner(good, std::vector<float>(4003)));
}

TEST(TorchRuntimeTest, EveryThreadComputesAlone)
{
    int threads = 0;
    std::thread worker([&threads] {
        ConfigureTorchThread();
        threads = at::get_num_threads();
    });
    worker.join();
    EXPECT_EQ(threads, 1);
    EXPECT_EQ(at::get_num_threads(), 1);
}

TEST(TorchRuntimeTest, DescribesItself)
{
    EXPECT_THAT(GetTorchVersion(), testing::ContainsRegex("^[0-9]+\\.[0-9]+\\.[0-9]+"));
    EXPECT_THAT(GetBlasDescription(),
                testing::AnyOf("reference", testing::ContainsRegex("^OpenBLAS [0-9.]+ \\(.+\\)$")));
}

} // namespace
