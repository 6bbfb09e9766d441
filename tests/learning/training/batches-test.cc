/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"

#include "ns3/collab-generated-data-sets.h"
#include "ns3/collab-polynomial-learner.h"
#include "ns3/collab-random.h"
#include "ns3/collab-reference-order.h"
#include "ns3/collab-stub-learner.h"
#include "ns3/collab-torch-learner.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <stdexcept>

/// Which samples a step of training takes
namespace batches_test
{

using namespace ns3::collab;
using namespace tests;

const std::vector<uint32_t> SOME = {3, 17, 4, 29, 8, 11, 23}; //!< positions

/// @return a learner's settings, of batches of 3
TorchLearnerConfig
MakeConfig()
{
    TorchLearnerConfig config;
    config.model = "mlp:4";
    RandomGenerator generator(5);
    config.trainData = ViewAll(MakeDataSet(FeatureKind::BYTES, {3, 32, 32}, 30, 3, [&](auto, auto) {
        return static_cast<double>(generator() % 256);
    }));
    config.batchSize = 3;
    config.learningRate = 0.05;
    config.optimizer.kind = OptimizerKind::SGD;
    return config;
}

/// Train on positions, and a learner that has no other samples, and compare.
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
    task.positions = Range(30);
    EXPECT_EQ(learner->CountTrainFlops(task), flops);
    learner->Train(task);
    EXPECT_EQ(*learner->GetWeights(), *other->GetWeights());
}

TEST(TrainPositionsTest, LeaveGivenOrdersToJobsOfAllSamples)
{
    TorchLearnerConfig config = MakeConfig();
    config.sampleOrders = {Range(30)};
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
    const auto learner = MakePolynomialLearner(ViewAll(MakePolynomialGrid({1, 2}, -1, 1, 4)), 1);
    TrainTask task;
    task.positions = Range(4);
    ExpectRefused("knows no", [&] { learner->Train(task); });
    task = TrainTask();
    task.klScale = 2;
    ExpectRefused("not variational", [&] { learner->Train(task); });
}

/// Its last batch normalizations have one value a channel
const std::string MIXING = "efficientnet-b0";

/// @return pictures of two classes that follow a formula
DataView
MakePictures(uint32_t samples)
{
    return ViewAll(MakeDataSet(FeatureKind::BYTES, {3, 32, 32}, samples, 2, FormulaByte));
}

/// @return the learner
std::unique_ptr<Learner>
MakeLearner(const std::string& model, uint32_t samples, uint32_t batchSize)
{
    TorchLearnerConfig config;
    config.model = model;
    config.trainData = MakePictures(samples);
    config.batchSize = batchSize;
    config.referenceBatchSize = 4;
    return MakeTorchLearner(config);
}

void
ExpectFinite(const Learner& learner, const TrainReport& report)
{
    EXPECT_TRUE(std::isfinite(report.localLoss));
    EXPECT_TRUE(std::isfinite(report.distillationLoss));
    for (const float weight : *learner.GetWeights())
    {
        ASSERT_TRUE(std::isfinite(weight));
    }
}

TEST(LastBatchTest, OfOneJoinsTheBatchBeforeItIfSamplesMix)
{
    const auto learner = MakeLearner(MIXING, 5, 4);
    const auto whole = MakeLearner(MIXING, 5, 5);
    EXPECT_EQ(learner->CountTrainFlops({}), whole->CountTrainFlops({}));
    const TrainReport report = learner->Train({});
    EXPECT_EQ(report.steps, 1);
    ExpectFinite(*learner, report);
    whole->Train({});
    EXPECT_EQ(*learner->GetWeights(), *whole->GetWeights());
}

TEST(LastBatchTest, OfReferenceSamplesJoinsTheBatchBeforeItToo)
{
    const auto learner = MakeLearner(MIXING, 4, 2);
    TrainTask task;
    task.distillation.inputs = std::make_shared<const DataView>(MakePictures(5));
    task.distillation.targets = std::make_shared<const Matrix<float>>(5, 2, 0.5F);
    const TrainReport report = learner->Train(task);
    EXPECT_EQ(report.steps, 2);
    ExpectFinite(*learner, report);
}

TEST(LastBatchTest, OfTwoOrMoreStaysAsItIs)
{
    const auto learner = MakeLearner(MIXING, 6, 4);
    const TrainReport report = learner->Train({});
    EXPECT_EQ(report.steps, 2);
    ExpectFinite(*learner, report);
}

TEST(LastBatchTest, OfOneStaysIfSamplesDoNotMix)
{
    EXPECT_EQ(MakeLearner("mlp:3", 5, 4)->Train({}).steps, 2);
    EXPECT_EQ(MakeLearner("resnet20:gn", 5, 4)->Train({}).steps, 2);
}

TEST(LastBatchTest, OfOneThatCannotJoinIsRefused)
{
    for (const auto& [samples, batchSize] : {std::pair(1U, 4U), std::pair(3U, 1U)})
    {
        ExpectRefused("needs at least 2 samples in each",
                      [s = samples, b = batchSize] { MakeLearner(MIXING, s, b); });
    }
    const auto learner = MakeLearner(MIXING, 4, 2);
    TrainTask task;
    task.batchSize = 1;
    EXPECT_THROW(learner->Train(task), std::invalid_argument);
    GradientTask gradient;
    gradient.positions = {2};
    EXPECT_THROW(learner->ComputeGradient(gradient), std::invalid_argument);
}

TEST(LastBatchTest, OfOneIsAllowedWhereAChannelHasMoreValues)
{
    const auto learner = MakeLearner("resnet20", 1, 4);
    ExpectFinite(*learner, learner->Train({}));
}

/// @return how often each sample of X* was taken in some batches of a size
std::vector<uint32_t>
CountTaken(ShuffledReferences& walk, std::size_t samples, std::size_t size, std::size_t batches)
{
    std::vector<uint32_t> counts(samples);
    for (std::size_t batch = 0; batch < batches; ++batch)
    {
        const auto taken = walk.Take(samples, size);
        EXPECT_EQ(taken.size(), size);
        for (const uint32_t position : taken)
        {
            ++counts.at(position);
        }
    }
    return counts;
}

/// Train a linear model, whose weight for sample i of X* only that sample changes.
/// @return the samples of X* that were learned from
std::set<std::size_t>
LearnedFrom(ReferenceOrder order, uint32_t epochs)
{
    constexpr uint32_t SAMPLES = 40;
    const auto data = MakeDataSet(
        FeatureKind::NUMBERS, {SAMPLES}, SAMPLES, 2, [](uint64_t i, uint64_t j) { return i == j; });
    TorchLearnerConfig config;
    config.model = "linear";
    config.trainData = MakeView(data, {0, 0, 0, 0});
    config.batchSize = 2;
    config.referenceBatchSize = 4;
    config.referenceOrder = order;
    config.optimizer.kind = OptimizerKind::SGD;
    const auto learner = MakeTorchLearner(config);
    const std::vector<float> before = *learner->GetWeights();
    TrainTask task;
    task.distillation.inputs = std::make_shared<const DataView>(ViewAll(data));
    auto targets = std::make_shared<Matrix<float>>(SAMPLES, 2);
    for (std::size_t i = 0; i < SAMPLES; ++i)
    {
        targets->Row(i)[0] = 1;
    }
    task.distillation.targets = targets;
    for (uint32_t epoch = 0; epoch < epochs; ++epoch)
    {
        EXPECT_EQ(learner->Train(task).steps, 2U);
    }
    std::set<std::size_t> changed;
    for (std::size_t i = 1; i < SAMPLES; ++i) // the own sample is the first one
    {
        if ((*learner->GetWeights())[i] != before[i])
        {
            changed.insert(i);
        }
    }
    return changed;
}

TEST(ShuffledReferencesTest, EachPassTakesAllSamplesOnce)
{
    ShuffledReferences walk(1);
    EXPECT_EQ(CountTaken(walk, 12, 4, 3), std::vector<uint32_t>(12, 1));
    EXPECT_EQ(CountTaken(walk, 12, 12, 2), std::vector<uint32_t>(12, 2));
}

TEST(ShuffledReferencesTest, BatchesGoOnBeyondTheEndOfAPass)
{
    ShuffledReferences walk(1);
    for (int i = 0; i < 5; ++i) // 5 passes of 7 are 7 batches of 5
    {
        EXPECT_EQ(CountTaken(walk, 7, 5, 7), std::vector<uint32_t>(7, 5));
    }
}

TEST(ShuffledReferencesTest, PassesAndSeedsDiffer)
{
    ShuffledReferences walk(1);
    ShuffledReferences same(1);
    ShuffledReferences other(2);
    const auto first = walk.Take(100, 100);
    EXPECT_EQ(same.Take(100, 100), first);
    EXPECT_NE(other.Take(100, 100), first);
    EXPECT_NE(walk.Take(100, 100), first);
}

TEST(ShuffledReferencesTest, AnotherSizeBeginsANewPass)
{
    ShuffledReferences walk(1);
    walk.Take(10, 3);
    EXPECT_EQ(CountTaken(walk, 6, 2, 3), std::vector<uint32_t>(6, 1));
}

TEST(ShuffledReferencesTest, GoesOnFromItsState)
{
    ShuffledReferences walk(1);
    ShuffledReferences restored(2);
    restored.SetState(walk.GetState()); // before the first pass
    EXPECT_EQ(restored.Take(10, 7), walk.Take(10, 7));
    ShuffledReferences again(3);
    again.SetState(walk.GetState()); // within a pass
    for (int i = 0; i < 4; ++i)
    {
        EXPECT_EQ(again.Take(10, 7), walk.Take(10, 7));
    }
    EXPECT_THROW(again.SetState("10"), std::invalid_argument);
    EXPECT_THROW(again.SetState("3 4 " + walk.GetState()), std::invalid_argument);
}

TEST(ReferenceOrderTest, OnlyShuffledOrderReachesAllOfXStar)
{
    // 40 samples in batches of 4; an epoch has two steps
    EXPECT_EQ(LearnedFrom(ReferenceOrder::RESTARTED, 20),
              (std::set<std::size_t>{1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(LearnedFrom(ReferenceOrder::SHUFFLED, 5).size(), 39U);
    EXPECT_LE(LearnedFrom(ReferenceOrder::SHUFFLED, 2).size(), 16U);
}

} // namespace batches_test
