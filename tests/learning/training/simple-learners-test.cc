/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"

#include "ns3/collab-generated-data-sets.h"
#include "ns3/collab-model-registry.h"
#include "ns3/collab-polynomial-learner.h"
#include "ns3/collab-stub-learner.h"
#include "ns3/collab-torch-learner.h"

#include <cmath>
#include <gmock/gmock.h>
#include <stdexcept>

/// Learners without LibTorch
namespace simple_learners_test
{

using namespace ns3::collab;
using namespace tests;
using testing::Each;
using testing::SizeIs;

/// A stub of 50 million parameters with 10 samples, in batches of 4
std::unique_ptr<Learner>
MakeLarge(uint64_t seed)
{
    StubLearnerConfig config;
    config.model = "stub:50000000:600";
    config.samples = 10;
    config.batchSize = 4;
    config.learningRate = 0.5;
    config.seed = seed;
    return MakeStubLearner(config, MakeStubWeights(config.model));
}

TEST(StubLearnerTest, HasTheSizeAndTheWorkThatAreAskedFor)
{
    const auto learner = MakeLarge(1);
    EXPECT_EQ(learner->GetParameterCount(), 50000000U);
    EXPECT_THAT(*learner->GetWeights(), SizeIs(1000));
    EXPECT_EQ(learner->GetMultiplicity(), 50000U);
    EXPECT_EQ(learner->CountPredictFlops(3), 3U * 200);
    TrainTask task;
    task.epochs = 3;
    EXPECT_EQ(learner->CountTrainFlops(task), 3U * 10 * 600);
    task.steps = 1;
    EXPECT_EQ(learner->CountTrainFlops(task), 4U * 600);
    task.steps = 3; // a pass: 4, 4 and 2 samples
    EXPECT_EQ(learner->CountTrainFlops(task), 10U * 600);
    task.steps = 7;
    EXPECT_EQ(learner->CountTrainFlops(task), 24U * 600);
    EXPECT_EQ(DescribeStub("7").CountTrainingFlops(), 42U);
    EXPECT_EQ(DescribeModel("stub:2000", {1, 28, 28}, 10).CountBytes(), 8000U);
}

TEST(StubLearnerTest, MovesAtRandomAndNoTwoAlike)
{
    const auto first = MakeLarge(1);
    const auto same = MakeLarge(1);
    const auto other = MakeLarge(2);
    TrainTask task;
    task.returnsGradient = true;
    const TrainReport report = first->Train(task);
    EXPECT_EQ(report.steps, 3U);
    EXPECT_TRUE(std::isnan(report.localLoss));
    EXPECT_EQ(*report.lastGradient, *same->Train(task).lastGradient);
    EXPECT_NE(*report.lastGradient, *other->Train(task).lastGradient);
    EXPECT_NE(*report.lastGradient, *first->Train(task).lastGradient);
    EXPECT_EQ((*same->GetWeights())[0], -0.5F * (*report.lastGradient)[0]);
    same->SetWeights(MakeStubWeights("stub:50000000"));
    EXPECT_THAT(*same->GetWeights(), Each(0.0F));
}

TEST(StubLearnerTest, CannotPredict)
{
    const auto learner = MakeLarge(1);
    EXPECT_THROW(learner->Predict(DataView()), std::logic_error);
    EXPECT_TRUE(std::isnan(learner->Evaluate(DataView()).accuracy));
    TorchLearnerConfig config;
    config.model = "stub:1000";
    config.trainData =
        ViewAll(MakeDataSet(FeatureKind::BYTES, {1}, 2, 2, [](uint64_t i, uint64_t) { return i; }));
    EXPECT_THROW(MakeTorchLearner(config), std::invalid_argument);
}

TEST(StubLearnerTest, RefusesWhatIsNoSize)
{
    ExpectEachRefused<>({"", "0", "x", "-5", "1001", "12:0", "12:x", "12:", "2000000000", "12:6:7"},
                        DescribeStub);
    for (const std::string options : {"1", "1000", "2000", "1000000000", "12:6"})
    {
        EXPECT_NO_THROW(DescribeStub(options)) << options;
    }
    EXPECT_TRUE(IsStub("stub:12"));
    EXPECT_TRUE(IsStub("stub"));
    EXPECT_FALSE(IsStub("mlp:12"));
    StubLearnerConfig config;
    EXPECT_THROW(MakeStubLearner(config, MakeStubWeights("stub:999")), std::invalid_argument);
    EXPECT_THROW(MakeStubLearner(config, nullptr), std::invalid_argument);
    config.samples = 0;
    EXPECT_THROW(MakeStubLearner(config, MakeStubWeights("stub:1000")), std::invalid_argument);
    EXPECT_THROW(MakeLarge(1)->SetWeights(MakeStubWeights("stub:999")), std::invalid_argument);
}

const std::vector<double> CUBIC = {4, -5, 0.3, 0.5};

std::shared_ptr<const DataView>
Grid(const std::vector<double>& coefficients, double from, double to, uint32_t samples)
{
    return std::make_shared<const DataView>(
        ViewAll(MakePolynomialGrid(coefficients, from, to, samples)));
}

TEST(PolynomialLearnerTest, FindsThePolynomialOfItsSamples)
{
    const auto learner = MakePolynomialLearner(*Grid(CUBIC, -3, 3, 20), 4);
    const TrainReport report = learner->Train(TrainTask());
    EXPECT_EQ(report.steps, 1U);
    EXPECT_NEAR(report.localLoss, 0, 1e-10);
    const auto weights = learner->GetWeights();
    ASSERT_EQ(weights->size(), 5U);
    for (std::size_t k = 0; k < 5; ++k)
    {
        EXPECT_NEAR((*weights)[k], k < 4 ? CUBIC[k] : 0, 1e-5) << k;
    }
    EXPECT_NEAR(learner->Evaluate(*Grid(CUBIC, -10, 10, 30)).loss, 0, 1e-6);
}

TEST(PolynomialLearnerTest, DistillationIsWeightedByLambda)
{
    // A line through samples at 0 that say 0, pulled to 3: least (c^2) + lambda (c - 3)^2
    const auto own = Grid({0}, -1, 1, 10);
    const auto learner = MakePolynomialLearner(*own, 1);
    TrainTask task;
    task.distillation.inputs = own;
    task.distillation.targets = std::make_shared<const Matrix<float>>(10, 1, 3.0F);
    for (const double lambda : {0.0, 0.5, 1.0})
    {
        task.distillation.lambda = lambda;
        const TrainReport report = learner->Train(task);
        const double expected = 3 * lambda / (1 + lambda);
        EXPECT_NEAR(learner->Predict(*own)(4, 0), expected, 1e-6);
        EXPECT_NEAR(report.localLoss, expected * expected, 1e-6);
        EXPECT_NEAR(report.distillationLoss, (3 - expected) * (3 - expected), 1e-6);
    }
}

TEST(PolynomialLearnerTest, CountsOperations)
{
    const auto own = Grid(CUBIC, -1, 1, 10);
    const auto learner = MakePolynomialLearner(*own, 4);
    EXPECT_EQ(learner->CountPredictFlops(7), 7U * 8);
    EXPECT_EQ(learner->CountTrainFlops(TrainTask()), 10U * (3 + 30 + 10 + 12) + 41 + 50);
    EXPECT_EQ(learner->GetParameterCount(), 5U);
}

TEST(PolynomialLearnerTest, RefusesWhatItCannotDo)
{
    const auto own = Grid(CUBIC, -1, 1, 10);
    EXPECT_THROW(MakePolynomialLearner(*own, 0), std::invalid_argument);
    EXPECT_THROW(MakePolynomialLearner(*own, 21), std::invalid_argument);
    EXPECT_THROW(MakePolynomialLearner(DataView{own->data, {}, {}, nullptr}, 2),
                 std::invalid_argument);
    const auto learner = MakePolynomialLearner(*own, 2);
    TrainTask task;
    task.center = learner->GetWeights();
    EXPECT_THROW(learner->Train(task), std::invalid_argument);
    const auto two = MakePolynomialLearner(MakeView(own->data, {0, 1}), 4);
    EXPECT_THROW(two->Train(TrainTask()), std::runtime_error) << "two samples for five numbers";
}

TEST(PolynomialLearnerTest, TakesWeights)
{
    const auto learner = MakePolynomialLearner(*Grid(CUBIC, -1, 1, 10), 1);
    learner->SetWeights(std::make_shared<const std::vector<float>>(std::vector<float>{1, 2}));
    EXPECT_FLOAT_EQ(learner->Predict(*Grid(CUBIC, -1, 1, 3))(2, 0), 3);
    EXPECT_THROW(learner->SetWeights(std::make_shared<const std::vector<float>>(3)),
                 std::invalid_argument);
}

} // namespace simple_learners_test
