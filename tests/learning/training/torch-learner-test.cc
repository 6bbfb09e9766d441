/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"

#include "ns3/collab-model-description.h"
#include "ns3/collab-random.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/collab-torch-runtime.h"

#include <ATen/Parallel.h>
#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>

namespace torch_learner_test
{

using namespace ns3::collab;
using namespace tests;

constexpr double TOLERANCE = 1e-5; //!< between single and double precision after five steps

/// @return samples of make-learner-reference.py, of three classes
std::shared_ptr<const DataSet>
MakeFormulaData(uint32_t samples, int64_t side)
{
    return MakeDataSet(FeatureKind::BYTES, {1, side, side}, samples, 3, FormulaByte);
}

/// @return 0.05 sin(k), as in make-learner-reference.py
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

/// @return soft labels of three classes, as in make-learner-reference.py
std::shared_ptr<const Matrix<float>>
MakeFormulaTargets(std::size_t rows)
{
    auto targets = std::make_shared<Matrix<float>>(rows, 3);
    for (std::size_t i = 0; i < rows; ++i)
    {
        const auto weight = [i](std::size_t c) { return 1.0 + (3 * i + 2 * c) % 5; };
        for (std::size_t c = 0; c < 3; ++c)
        {
            (*targets)(i, c) = static_cast<float>(weight(c) / (weight(0) + weight(1) + weight(2)));
        }
    }
    return targets;
}

/// @return a training job with samples from begin to end - 1 as X*
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

TEST(TorchLearnerReferenceTest, TrainsAsNumpyDoes)
{
    for (const auto& [model, side] :
         std::map<std::string, int64_t>{{"linear", 4}, {"mlp", 4}, {"netcnn", 16}})
    {
        SCOPED_TRACE(model);
        std::string prefix = model;
        std::transform(model.begin(), model.end(), prefix.begin(), toupper);
        const auto expected = [&prefix](const std::string& name) {
            return GetReference("learners", prefix + name);
        };
        const auto data = MakeFormulaData(8, side);
        const DataView all = ViewAll(data);
        TorchLearnerConfig config;
        config.model = model;
        config.trainData = MakeView(data, Range(5));
        const uint64_t parameters = DescribeModel(model, data->sampleShape, 3).CountParameters();
        const auto learner = MakeTorchLearner(config, MakeFormulaParameters(parameters));
        ExpectNear(learner->Predict(all).values, expected("_INITIAL"), TOLERANCE);

        TrainTask pretraining;
        pretraining.epochs = 2;
        const TrainReport first = learner->Train(pretraining);
        EXPECT_EQ(first.steps, 2U);
        EXPECT_NEAR(first.localLoss, expected("_PRETRAINED_LOSS")[0], TOLERANCE);
        EXPECT_EQ(first.distillationLoss, 0);

        const TrainReport second = learner->Train(MakeDistillationTask(data, 5, 8, 3));
        EXPECT_EQ(second.steps, 3U);
        EXPECT_NEAR(second.localLoss, expected("_DISTILLED_LOSS")[0], TOLERANCE);
        EXPECT_NEAR(second.distillationLoss, expected("_DISTILLED_LOSS")[1], TOLERANCE);
        ExpectNear(learner->Predict(all).values, expected("_TRAINED"), TOLERANCE);
    }
}

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
    const auto& losses = GetReference("learners", "CYCLE_LOSS");
    EXPECT_NEAR(report.localLoss, losses[0], TOLERANCE);
    EXPECT_NEAR(report.distillationLoss, losses[1], TOLERANCE);
    ExpectNear(learner->Predict(ViewAll(data)).values,
               GetReference("learners", "CYCLE_TRAINED"),
               TOLERANCE);
}

/// A learning problem that random parameters do not solve: 96 samples with noise, 16 as X*.
class TorchLearnerTest : public testing::TestWithParam<std::string>
{
  protected:
    TorchLearnerTest()
        : m_data(MakeNoisyData()),
          m_task(MakeDistillationTask(m_data, 80, 96, 2)),
          m_all(ViewAll(m_data))
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
        return MakeDataSet(FeatureKind::BYTES, {1, 16, 16}, 96, 3, [&](uint64_t i, uint64_t j) {
            return static_cast<double>((j / 16 / 5 == i % 3 ? 100 : 0) + generator() % 128);
        });
    }

    /// @return predictions of the learner after a sequence of calls of every kind
    Matrix<float>
    PredictAfterCalls() const
    {
        return PredictAfterCalls(m_config);
    }

    /// @return the same of a learner of another configuration
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
    std::vector<uint32_t> indices = Range(600);
    std::for_each(indices.begin(), indices.end(), [](uint32_t& i) { i = i * 7 % 96; });
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
    EXPECT_EQ(PredictAfterCalls(), first) << "LibTorch's own generator has gone on";
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
        ExpectNear(PredictAfterCalls(config).values, usual.values, 1e-4);
    }
}

TEST_P(TorchLearnerTest, ResultsDoNotDependOnTheThread)
{
    const Matrix<float> expected = PredictAfterCalls();
    const auto learner = MakeTorchLearner(m_config);
    const auto onOtherThread = [](const auto& call) {
        CallOnThreads(1, [&call](std::size_t) { call(); });
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
    CallOnThreads(LEARNERS, [&](std::size_t i) { together[i] = predict(i); });
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
    const auto refused = [&](const auto& change) {
        TrainTask task;
        task.distillation = m_task.distillation;
        change(task.distillation);
        EXPECT_THROW(learner->Train(task), std::invalid_argument);
        EXPECT_THROW(learner->CountTrainFlops(task), std::invalid_argument);
    };
    const auto targets = [&](std::size_t rows, std::size_t columns, float value) {
        refused([&](auto& given) {
            given.targets = std::make_shared<Matrix<float>>(rows, columns, value);
        });
    };
    targets(15, 3, 0.3F);
    targets(16, 4, 0.3F);
    targets(16, 3, NAN);
    targets(16, 3, INFINITY);
    refused([](auto& given) { given.lambda = -0.1; });
    refused([](auto& given) { given.lambda = NAN; });
    refused([](auto& given) { given.inputs = nullptr; });
    refused([](auto& given) {
        given.inputs = std::make_shared<DataView>(ViewAll(MakeFormulaData(16, 4)));
    });
}

INSTANTIATE_TEST_SUITE_P(Models, TorchLearnerTest, testing::Values("linear", "mlp", "netcnn"));

TEST(TorchLearnerMakingTest, InitialParametersAreInPyTorchsRange)
{
    // Of a sample of zeros, the logits of a linear model are its biases: uniform up to 1/sqrt(256).
    const auto data =
        MakeDataSet(FeatureKind::BYTES, {1, 16, 16}, 1, 1000, [](auto, auto) { return 0; });
    data->offset = {0};
    TorchLearnerConfig config;
    config.model = "linear";
    config.trainData = MakeView(data, {0});
    const Matrix<float> probabilities = MakeTorchLearner(config)->Predict(config.trainData);
    std::vector<double> biases(1000); // but for a constant
    std::transform(probabilities.values.begin(),
                   probabilities.values.end(),
                   biases.begin(),
                   [](float probability) { return std::log(probability); });
    const Moments found(biases);
    EXPECT_NEAR(found.deviation, 1.0 / 16 / std::sqrt(3), 0.05 / 16 / std::sqrt(3));
    const auto [least, greatest] = std::minmax_element(biases.begin(), biases.end());
    EXPECT_NEAR(std::max(*greatest - found.mean, found.mean - *least), 1.0 / 16, 0.05 / 16);
}

TEST(TorchLearnerMakingTest, RefusesWhatCannotBeBuilt)
{
    TorchLearnerConfig good;
    good.trainData = ViewAll(MakeFormulaData(4, 4));
    EXPECT_NO_THROW(MakeTorchLearner(good));
    const auto refused = [&good](const char* text, const auto& change) {
        TorchLearnerConfig config = good;
        change(config);
        ExpectRefused(text, [&config] { MakeTorchLearner(config); });
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
    CallOnThreads(1, [&threads](std::size_t) { threads = at::get_num_threads(); });
    EXPECT_EQ(threads, 1);
    EXPECT_EQ(at::get_num_threads(), 1);
}

TEST(TorchRuntimeTest, DescribesItself)
{
    EXPECT_THAT(GetTorchVersion(), testing::ContainsRegex("^[0-9]+\\.[0-9]+\\.[0-9]+"));
    EXPECT_THAT(GetBlasDescription(),
                testing::AnyOf("unknown", testing::ContainsRegex("^OpenBLAS [0-9.]+ \\(.+\\)$")));
}

} // namespace torch_learner_test
