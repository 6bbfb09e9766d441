/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-generated-data-sets.h"
#include "ns3/collab-polynomial-learner.h"
#include "ns3/collab-random.h"
#include "ns3/collab-stub-learner.h"
#include "ns3/collab-torch-learner.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <numeric>
#include <stdexcept>

namespace
{

using namespace ns3::collab;
using testing::HasSubstr;

const std::vector<uint32_t> SOME = {3, 17, 4, 29, 8, 11, 23}; //!< positions

/// @return 30 random images of 3 x 32 x 32 in three classes
DataView
MakeImages()
{
    RandomGenerator generator(5);
    auto data = std::make_shared<DataSet>();
    data->sampleShape = {3, 32, 32};
    data->classes = 3;
    for (uint32_t i = 0; i < 30; ++i)
    {
        data->labels.push_back(i % 3);
    }
    data->features.resize(30 * data->SampleSize());
    for (auto& feature : data->features)
    {
        feature = static_cast<uint8_t>(generator());
    }
    std::vector<uint32_t> indices(30);
    std::iota(indices.begin(), indices.end(), 0U);
    return MakeView(data, indices);
}

/// @return a learner's settings, of batches of 3
TorchLearnerConfig
MakeConfig()
{
    TorchLearnerConfig config;
    config.model = "mlp:4";
    config.trainData = MakeImages();
    config.batchSize = 3;
    config.learningRate = 0.05;
    config.optimizer.kind = OptimizerKind::SGD;
    return config;
}

/**
 * @param text that the error must contain
 * @param call that must throw it
 */
template <typename Call>
void
ExpectRefused(const std::string& text, Call call)
{
    try
    {
        call();
        ADD_FAILURE() << "was accepted: " << text;
    }
    catch (const std::invalid_argument& error)
    {
        EXPECT_THAT(error.what(), HasSubstr(text));
    }
}

/**
 * @brief Train on positions, and a learner that has no other samples, and compare.
 * @param config of the learner with all samples
 */
void
ExpectAsIfThereWereNoOthers(const TorchLearnerConfig& config)
{
    const auto learner = MakeTorchLearner(config);
    TorchLearnerConfig alone = config;
    alone.trainData.indices.clear();
    alone.trainData.labels.clear();
    for (const uint32_t position : SOME)
    {
        alone.trainData.indices.push_back(config.trainData.indices[position]);
        alone.trainData.labels.push_back(config.trainData.labels[position]);
    }
    const auto other = MakeTorchLearner(alone);
    TrainTask task;
    task.epochs = 2;
    for (const uint32_t steps : {0U, 4U})
    {
        task.steps = steps;
        task.positions.clear();
        const uint64_t flops = other->CountTrainFlops(task);
        const TrainReport expected = other->Train(task);
        task.positions = SOME;
        EXPECT_EQ(learner->CountTrainFlops(task), flops);
        const TrainReport report = learner->Train(task);
        EXPECT_EQ(report.steps, expected.steps);
        EXPECT_EQ(report.localLoss, expected.localLoss);
        EXPECT_EQ(*learner->GetWeights(), *other->GetWeights());
    }
}

} // namespace

TEST(TrainPositionsTest, AreTrainedOnAsIfThereWereNoOtherSamples)
{
    TorchLearnerConfig config = MakeConfig();
    ExpectAsIfThereWereNoOthers(config);
    config.variational = VariationalOptions(); // its divergence is over 7, not over 30
    config.variational->klWeight = 3;
    ExpectAsIfThereWereNoOthers(config);
    config = MakeConfig();
    config.model = "resnet20"; // 3 and 4 samples: none is alone in the normalization
    ExpectAsIfThereWereNoOthers(config);
    config = MakeConfig();
    config.model = "fc3";
    config.loss = LossKind::TRIPLET; // 3 and 3, one is left out
    ExpectAsIfThereWereNoOthers(config);
}

TEST(TrainPositionsTest, AllOfThemAreTheSameWorkAsNone)
{
    const auto learner = MakeTorchLearner(MakeConfig());
    const auto other = MakeTorchLearner(MakeConfig());
    TrainTask task;
    other->Train(task);
    const uint64_t flops = learner->CountTrainFlops(task);
    task.positions.resize(30);
    std::iota(task.positions.begin(), task.positions.end(), 0U);
    EXPECT_EQ(learner->CountTrainFlops(task), flops);
    learner->Train(task);
    EXPECT_EQ(*learner->GetWeights(), *other->GetWeights());
}

TEST(TrainPositionsTest, LeaveGivenOrdersToJobsOfAllSamples)
{
    TorchLearnerConfig config = MakeConfig();
    std::vector<uint32_t> order(30);
    std::iota(order.rbegin(), order.rend(), 0U);
    config.sampleOrders = {order};
    const auto learner = MakeTorchLearner(config);
    const auto other = MakeTorchLearner(config);
    TrainTask task;
    task.positions = SOME;
    learner->Train(task);
    learner->SetWeights(other->GetWeights());
    learner->Train({});
    other->Train({});
    EXPECT_EQ(*learner->GetWeights(), *other->GetWeights());
}

TEST(TrainPositionsTest, KlScaleMultipliesTheDivergenceAlone)
{
    TorchLearnerConfig config = MakeConfig();
    config.variational = VariationalOptions();
    const auto gradient = [&](double klScale, double klWeight, bool isPart) {
        config.variational->klWeight = klWeight;
        const auto learner = MakeTorchLearner(config);
        TrainTask task;
        task.steps = 1;
        task.batchSize = 30;
        task.klScale = klScale;
        task.returnsGradient = true;
        task.positions = isPart ? SOME : std::vector<uint32_t>();
        return *learner->Train(task).lastGradient;
    };
    const auto none = gradient(0, 1, true);
    const auto once = gradient(1, 1, true);
    const auto thrice = gradient(3, 1, true);
    const auto noneOfAll = gradient(0, 1, false);
    const auto thriceOfAll = gradient(3, 1, false);
    EXPECT_EQ(thrice, gradient(1, 3, true));
    double divergence = 0;
    for (std::size_t i = 0; i < none.size(); ++i)
    {
        const double part = once[i] - none[i];
        ASSERT_NEAR(thrice[i] - none[i], 3 * part, 1e-5 * (1 + std::abs(part)));
        ASSERT_NEAR((thriceOfAll[i] - noneOfAll[i]) * 30,
                    3 * part * static_cast<double>(SOME.size()),
                    1e-4 * (1 + std::abs(part)));
        divergence = std::max(divergence, std::abs(part));
    }
    EXPECT_GT(divergence, 0.01);
}

TEST(TrainPositionsTest, DoNotChangeTheDivergenceOfAGradient)
{
    TorchLearnerConfig config = MakeConfig();
    config.variational = VariationalOptions();
    const auto gradient = [&](double klWeight) {
        config.variational->klWeight = klWeight;
        GradientTask task;
        task.positions = SOME;
        return *MakeTorchLearner(config)->ComputeGradient(task).gradient;
    };
    const auto none = gradient(0);
    const auto some = gradient(30); // over all 30 samples
    const auto initial = *MakeTorchLearner(config)->GetWeights();
    for (std::size_t i = 0; i < none.size() / 2; ++i)
    {
        ASSERT_NEAR(some[i] - none[i], initial[i], 1e-5); // of the prior N(0, 1)
    }
}

TEST(TrainPositionsTest, RefuseWhatDoesNotFit)
{
    TorchLearnerConfig config = MakeConfig();
    TrainTask task;
    const auto refused = [&](const std::string& text) {
        const auto learner = MakeTorchLearner(config);
        const FlatVector before = learner->GetWeights();
        ExpectRefused(text, [&] { learner->Train(task); });
        ExpectRefused(text, [&] { learner->CountTrainFlops(task); });
        EXPECT_EQ(*learner->GetWeights(), *before);
    };
    task.positions = {3, 30};
    refused("position 30 is not below 30 samples");
    task.positions = {3};
    config.model = "fc3";
    config.loss = LossKind::TRIPLET;
    refused("1 position, but a triplet needs at least 2");
    config = MakeConfig();
    config.model = "efficientnet-b0"; // its last normalizations have one value a channel
    refused("batchSize 3 of 1 samples, but model efficientnet-b0 normalizes");
    config = MakeConfig();
    task = TrainTask();
    task.klScale = 2;
    refused("klScale 2 is given, but the learner is not variational");
    config.variational = VariationalOptions();
    task.klScale = -1;
    refused("klScale -1 is not 0 or a positive finite number");
    task.klScale = NAN;
    refused("klScale nan");
    task.klScale = 0;
    EXPECT_EQ(MakeTorchLearner(config)->Train(task).steps, 10U);
}

TEST(TrainPositionsTest, ArePartOfAStubsWork)
{
    StubLearnerConfig config;
    config.model = "stub:7:600";
    config.samples = 10;
    config.batchSize = 4;
    const auto learner = MakeStubLearner(config, MakeStubWeights(config.model));
    TrainTask task;
    task.positions = {0, 9, 1, 2, 3};
    EXPECT_EQ(learner->Train(task).steps, 2U);
    EXPECT_EQ(learner->CountTrainFlops(task), 5U * 600);
    task.positions = {10};
    ExpectRefused("position 10 is not below 10", [&] { learner->Train(task); });
    ExpectRefused("position 10 is not below 10", [&] { learner->CountTrainFlops(task); });
}

TEST(TrainPositionsTest, AreNothingThatAPolynomialKnows)
{
    std::vector<uint32_t> indices{0, 1, 2, 3};
    const auto learner =
        MakePolynomialLearner(MakeView(MakePolynomialGrid({1, 2}, -1, 1, 4), indices), 1);
    TrainTask task;
    task.positions = indices;
    ExpectRefused("knows no", [&] { learner->Train(task); });
    task = TrainTask();
    task.klScale = 2;
    ExpectRefused("not variational", [&] { learner->Train(task); });
}
