/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"

#include "ns3/collab-model-registry.h"
#include "ns3/collab-torch-learner.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>

namespace learner_weights_test
{

using namespace ns3::collab;
using namespace tests;

/// @return images of 16 x 16 with a bright band where the class says
DataView
MakeBands(uint32_t samples)
{
    RandomGenerator generator(3);
    return ViewAll(
        MakeDataSet(FeatureKind::BYTES, {1, 16, 16}, samples, 3, [&](uint64_t i, uint64_t j) {
            return static_cast<double>((j / 80 == i % 3 ? 100 : 0) + generator() % 128);
        }));
}

class LearnerWeightsTest : public testing::Test
{
  protected:
    LearnerWeightsTest()
    {
        m_config.model = "mlp:8";
        m_config.trainData = MakeBands(50);
        m_config.batchSize = 20;
        m_config.learningRate = 0.05;
        m_config.optimizer.kind = OptimizerKind::SGD;
    }

    TorchLearnerConfig m_config; //!< of the learners
};

TEST_F(LearnerWeightsTest, AreSharedUntilWritten)
{
    const FlatVector initial = DrawInitialWeights(m_config);
    const auto first = MakeTorchLearner(m_config, initial);
    const auto second = MakeTorchLearner(m_config, initial);
    const std::vector<float> copy = *initial;
    EXPECT_EQ(first->GetWeights(), initial);
    EXPECT_EQ(second->GetWeights(), initial); // the same memory, not only the same numbers
    second->Predict(m_config.trainData);
    second->ComputeGradient({});
    second->CountTrainFlops({});
    EXPECT_EQ(second->GetWeights(), initial);

    first->Train({});
    EXPECT_NE(first->GetWeights(), initial);
    EXPECT_EQ(second->GetWeights(), initial);
    EXPECT_EQ(*initial, copy);

    const FlatVector snapshot = first->GetWeights();
    const std::vector<float> values = *snapshot;
    EXPECT_EQ(first->GetWeights(), snapshot);
    second->SetWeights(snapshot);
    first->Train({});
    second->Train({});
    EXPECT_EQ(*snapshot, values);
    EXPECT_NE(*first->GetWeights(), values);

    const std::vector<float>* own = first->GetWeights().get();
    first->Train({});
    EXPECT_EQ(first->GetWeights().get(), own); // nobody else looks: no copy
}

TEST_F(LearnerWeightsTest, DecideWhatALearnerDoes)
{
    const auto first = MakeTorchLearner(m_config);
    m_config.initializationSeed = 9;
    const auto second = MakeTorchLearner(m_config);
    EXPECT_NE(*first->GetWeights(), *second->GetWeights());
    second->SetWeights(first->GetWeights());
    EXPECT_EQ(first->Predict(m_config.trainData), second->Predict(m_config.trainData));
    first->Train({});
    second->Train({});
    EXPECT_EQ(*first->GetWeights(), *second->GetWeights());
}

TEST_F(LearnerWeightsTest, PseudoGradientOfOneStepIsItsGradient)
{
    const auto learner = MakeTorchLearner(m_config);
    const FlatVector before = learner->GetWeights();
    TrainTask task;
    task.steps = 1;
    task.batchSize = 1000;
    task.returnsGradient = true;
    const FlatVector expected = learner->ComputeGradient({}).gradient;
    const TrainReport report = learner->Train(task);
    EXPECT_EQ(report.steps, 1U);
    const FlatVector moved = PseudoGradient(*before, *learner->GetWeights(), 0.05);
    for (std::size_t i = 0; i < before->size(); ++i)
    {
        ASSERT_NEAR((*moved)[i], (*expected)[i], 2e-5);
        ASSERT_NEAR((*report.lastGradient)[i], (*expected)[i], 1e-6);
    }
    EXPECT_THROW(PseudoGradient({1}, {1, 2}, 1), std::invalid_argument);
    EXPECT_THROW(PseudoGradient({1}, {1}, 0), std::invalid_argument);
}

TEST_F(LearnerWeightsTest, GradientIsTheMeanOverItsSamples)
{
    m_config.trainData = MakeBands(300); // more than one pass
    const auto learner = MakeTorchLearner(m_config);
    GradientTask some;
    some.positions = Range(100);
    GradientTask others;
    others.positions = Range(100, 300);
    const GradientReport all = learner->ComputeGradient({});
    const GradientReport first = learner->ComputeGradient(some);
    const GradientReport second = learner->ComputeGradient(others);
    EXPECT_NEAR(all.localLoss, first.localLoss / 3 + second.localLoss * 2 / 3, 1e-6);
    for (std::size_t i = 0; i < all.gradient->size(); ++i)
    {
        const float mean = (*first.gradient)[i] / 3 + (*second.gradient)[i] * 2 / 3;
        ASSERT_NEAR((*all.gradient)[i], mean, 1e-6);
    }
    some.positions.push_back(300);
    ExpectRefused("position 300 is not below 300", [&] { learner->ComputeGradient(some); });
}

TEST_F(LearnerWeightsTest, StepsGoOnOverEpochs)
{
    const auto learner = MakeTorchLearner(m_config);
    const auto other = MakeTorchLearner(m_config);
    TrainTask steps;
    steps.steps = 6; // two epochs of batches of 20, 20, 10
    TrainTask epochs;
    epochs.epochs = 2;
    const TrainReport report = learner->Train(steps);
    EXPECT_EQ(report.steps, 6U);
    EXPECT_EQ(report.localLoss, other->Train(epochs).localLoss);
    EXPECT_EQ(*learner->GetWeights(), *other->GetWeights());
    EXPECT_EQ(learner->CountTrainFlops(steps), learner->CountTrainFlops(epochs));

    steps.steps = 4;
    steps.batchSize = 30; // 30, 20, 30, 20
    EXPECT_EQ(learner->CountTrainFlops(steps) + 2 * 2 * learner->GetParameterCount(),
              learner->CountTrainFlops(epochs));
}

TEST_F(LearnerWeightsTest, TermsAreCounted)
{
    const auto learner = MakeTorchLearner(m_config);
    const uint64_t parameters = learner->GetParameterCount();
    const auto count = [&](const auto& change) {
        TrainTask task;
        change(task);
        return learner->CountTrainFlops(task);
    };
    const uint64_t plain = count([](auto&) {});
    const uint64_t once = 3 * parameters; // three steps
    const auto model = DescribeModel("mlp:8", {1, 16, 16}, 3);
    EXPECT_EQ(plain, 50 * (model.CountTrainingFlops() + 19) + 2 * once);
    EXPECT_EQ(count([](auto& task) { task.l2 = 0.1; }), plain + 2 * once);
    EXPECT_EQ(count([&](auto& task) { task.correction = Constant(parameters, 0); }), plain + once);
    EXPECT_EQ(count([&](auto& task) {
                  task.center = Constant(parameters, 0);
                  task.mu = 0.1;
              }),
              plain + 3 * once);
    EXPECT_EQ(learner->CountGradientFlops({}), 50 * (model.CountTrainingFlops() + 19));
}

TEST_F(LearnerWeightsTest, ResettingForgetsMoments)
{
    m_config.optimizer.kind = OptimizerKind::ADAM;
    const auto firstWeight = [this](bool trainsBefore, bool resets) {
        const auto learner = MakeTorchLearner(m_config);
        const FlatVector initial = learner->GetWeights();
        TrainTask task;
        task.batchSize = 50; // one batch: the order is of no account but to rounding
        task.correction = Constant(initial->size(), -100);
        if (trainsBefore)
        {
            learner->Train(task);
            learner->SetWeights(initial);
        }
        task.resetsOptimizer = resets;
        task.correction = Constant(initial->size(), 100);
        learner->Train(task);
        return double{(*learner->GetWeights())[0]} - (*initial)[0];
    };
    EXPECT_NEAR(firstWeight(false, false), -0.05, 1e-5); // Adam's first step is as long as its rate
    EXPECT_NEAR(firstWeight(true, true), -0.05, 1e-5);
    EXPECT_GT(firstWeight(true, false), -0.03);
}

TEST_F(LearnerWeightsTest, DroppingForgetsMomentsInTheEndOnly)
{
    m_config.optimizer.kind = OptimizerKind::ADAM;
    const auto train = [this](bool drops, bool resets) {
        const auto learner = MakeTorchLearner(m_config);
        TrainTask task;
        task.epochs = 2; // with moments from step to step
        task.dropsOptimizer = drops;
        learner->Train(task);
        const std::vector<float> first = *learner->GetWeights();
        task.dropsOptimizer = false;
        task.resetsOptimizer = resets;
        learner->Train(task);
        return std::pair(first, *learner->GetWeights());
    };
    EXPECT_EQ(train(true, false), train(false, true));
    EXPECT_NE(train(true, false), train(false, false));
}

TEST_F(LearnerWeightsTest, RefusesWhatDoesNotFit)
{
    const auto learner = MakeTorchLearner(m_config);
    const std::size_t size = learner->GetWeights()->size();
    ExpectRefused("there are none", [&] { learner->SetWeights(nullptr); });
    ExpectRefused("weights: 3 numbers given", [&] { learner->SetWeights(Constant(3, 0)); });
    ExpectRefused("weights: number 0 is nan", [&] { learner->SetWeights(Constant(size, NAN)); });
    const auto refused = [&](const char* text, const auto& change) {
        TrainTask task;
        change(task);
        ExpectRefused(text, [&] { learner->Train(task); });
        ExpectRefused(text, [&] { learner->CountTrainFlops(task); });
    };
    refused("center: 2 numbers", [](auto& task) { task.center = Constant(2, 0); });
    refused("correction: number 0 is inf",
            [&](auto& task) { task.correction = Constant(size, INFINITY); });
    refused("mu 1 without a center", [](auto& task) { task.mu = 1; });
    refused("mu -1", [](auto& task) { task.mu = -1; });
    refused("l2 nan", [](auto& task) { task.l2 = std::nan(""); });
    refused("learningRate -1", [](auto& task) { task.learningRate = -1; });
    refused("not variational", [&](auto& task) { task.prior = Constant(size, 1); });

    const auto unbuilt = [&](const char* text, const auto& change) {
        TorchLearnerConfig config = m_config;
        change(config);
        ExpectRefused(text, [&] { MakeTorchLearner(config); });
    };
    unbuilt("momentum 1", [](auto& config) { config.optimizer.momentum = 1; });
    unbuilt("beta2 -1", [](auto& config) { config.optimizer.beta2 = -1; });
    unbuilt("weightDecay", [](auto& config) { config.optimizer.weightDecay = -1; });
    unbuilt("epsilon 0", [](auto& config) { config.optimizer.epsilon = 0; });
    unbuilt("Nesterov", [](auto& config) { config.optimizer.isNesterov = true; });
    unbuilt("priorDeviation 0", [](auto& config) { config.variational = {0.1, 0, 1, 1}; });
    unbuilt("running statistics", [](auto& config) {
        config.model = "resnet20";
        config.variational = VariationalOptions();
    });
    unbuilt("makes 8 outputs, the data set has 3 classes",
            [](auto& config) { config.model = "fc3"; });
    unbuilt("margin 0", [](auto& config) {
        config.loss = LossKind::TRIPLET;
        config.triplet.margin = 0;
    });
    unbuilt("jitter 1", [](auto& config) {
        config.loss = LossKind::TRIPLET;
        config.triplet.augmentation.jitter = 1;
    });
}

TEST_F(LearnerWeightsTest, RefusesNumbersThatAreNone)
{
    const auto data = MakeDataSet(
        FeatureKind::NUMBERS, {2}, 2, 1, [](auto i, auto j) { return i + j < 2 ? i + j : NAN; });
    data->classes = 0;
    data->labels.clear();
    data->outputs = 1;
    data->targets = {0, 1};
    m_config.model = "linear";
    m_config.trainData = ViewAll(data);
    ExpectRefused("sample 1 has the number nan", [&] { MakeTorchLearner(m_config); });
    data->numbers[3] = 0;
    data->targets[0] = INFINITY;
    ExpectRefused("sample 0 has the target inf", [&] { MakeTorchLearner(m_config); });
    const auto tokens =
        MakeDataSet(FeatureKind::TOKENS, {2}, 1, 3, [](uint64_t, uint64_t j) { return 3 * j; });
    tokens->vocabulary = 3;
    m_config.model = "char-lstm";
    m_config.trainData = MakeView(tokens, {0});
    ExpectRefused("sample 0 has the token 3, not below 3", [&] { MakeTorchLearner(m_config); });
    tokens->tokens[1] = 2;
    const auto learner = MakeTorchLearner(m_config);
    auto more = std::make_shared<DataSet>(*tokens);
    more->vocabulary = 4;
    ExpectRefused("TOKENS with a vocabulary of 4, the model reads TOKENS with one of 3",
                  [&] { learner->Predict(MakeView(more, {0})); });
    data->targets[0] = 0;
    ExpectRefused("NUMBERS with a vocabulary of 0", [&] { learner->Predict(MakeView(data, {0})); });
}

TEST_F(LearnerWeightsTest, DropoutAndTripletsFollowTheLearnersSeed)
{
    m_config.trainData = MakeBands(8);
    auto train = [this](uint64_t seed) {
        TorchLearnerConfig config = m_config;
        config.shuffleSeed = seed;
        const auto learner = MakeTorchLearner(config);
        learner->Train({});
        return *learner->GetWeights();
    };
    m_config.model = "dropping";
    ModelFactory factory;
    factory.plan = [](const std::string&, const ModelInput& input) {
        NetworkPlan plan(input);
        plan.Flatten();
        plan.Dropout("dropout", 0.5);
        plan.Linear("fc", input.outputs);
        return plan;
    };
    RegisterModel("dropping", factory);
    m_config.batchSize = 8; // one batch: the order does not matter, the masks do
    EXPECT_EQ(train(1), train(1));
    using testing::FloatNear;
    EXPECT_THAT(train(1),
                testing::Not(testing::Pointwise(FloatNear(1e-4F), train(2)))); // beyond rounding
    m_config.model = "conv4";
    m_config.loss = LossKind::TRIPLET;
    EXPECT_EQ(train(1), train(1));
    EXPECT_NE(train(1), train(2));
}

TEST_F(LearnerWeightsTest, EncodersLearnWithoutLabels)
{
    m_config.model = "fc3";
    m_config.loss = LossKind::TRIPLET;
    m_config.trainData.labels.clear();
    m_config.batchSize = 7; // 50 samples: the last one alone is left out
    m_config.optimizer.kind = OptimizerKind::ADAM;
    m_config.learningRate = 1e-3;
    const auto learner = MakeTorchLearner(m_config);
    TrainTask task;
    task.epochs = 1;
    const TrainReport first = learner->Train(task);
    EXPECT_EQ(first.steps, 7U);
    task.epochs = 20;
    EXPECT_LT(learner->Train(task).localLoss, 0.7 * first.localLoss);
    const auto model = DescribeModel("fc3", {1, 16, 16}, 3);
    task.epochs = 1;
    EXPECT_EQ(learner->CountTrainFlops(task),
              49 * (2 * model.CountTrainingFlops() + 113) + 7 * 13 * learner->GetParameterCount());
}

TEST_F(LearnerWeightsTest, BeliefsLearnAndStayNearTheirPrior)
{
    m_config.variational = VariationalOptions();
    m_config.learningRate = 0.02;
    m_config.optimizer.kind = OptimizerKind::ADAM;
    const auto learner = MakeTorchLearner(m_config);
    const std::size_t count = learner->GetWeights()->size() / 2;
    EXPECT_EQ(learner->GetParameterCount(), 2 * count);
    EXPECT_NEAR((*learner->GetWeights())[count], 0.05, 1e-7);
    const Score before = learner->Evaluate(m_config.trainData);
    EXPECT_EQ(learner->Predict(m_config.trainData), learner->Predict(m_config.trainData));
    TrainTask task;
    task.epochs = 60;
    learner->Train(task);
    const Score after = learner->Evaluate(m_config.trainData);
    EXPECT_LT(after.loss, 0.6 * before.loss);
    EXPECT_GT(after.accuracy, 0.8);

    auto narrow = std::make_shared<std::vector<float>>(2 * count, 0.25F);
    std::fill_n(narrow->begin() + static_cast<std::ptrdiff_t>(count), count, 1e-3F);
    task.prior = narrow; // a sure belief of its own: data cannot change it
    task.epochs = 300;
    learner->Train(task);
    const FlatVector pulled = learner->GetWeights();
    double mean = 0;
    for (std::size_t i = 0; i < count; ++i)
    {
        mean += (*pulled)[i] / static_cast<double>(count);
        EXPECT_GT((*pulled)[count + i], 0);
    }
    EXPECT_NEAR(mean, 0.25, 0.01);

    learner->SetWeights(narrow);
    ExpectNear(*learner->GetWeights(), *narrow, 1e-6);
    ExpectRefused("no l2, center or correction", [&] {
        TrainTask wrong;
        wrong.l2 = 1;
        learner->Train(wrong);
    });
    ExpectRefused("prior: a standard deviation is not positive", [&] {
        TrainTask wrong;
        wrong.prior = Constant(2 * count, 0);
        learner->Train(wrong);
    });
}

} // namespace learner_weights_test
