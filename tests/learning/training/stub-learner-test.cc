/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-model-registry.h"
#include "ns3/collab-stub-learner.h"
#include "ns3/collab-torch-learner.h"

#include <cmath>
#include <gmock/gmock.h>
#include <stdexcept>

using namespace ns3::collab;
using ::testing::Each;
using ::testing::SizeIs;

namespace
{

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

} // namespace

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
    auto data = std::make_shared<DataSet>();
    data->classes = 2;
    data->sampleShape = {1};
    data->features = {0, 1};
    data->labels = {0, 1};
    config.trainData = MakeView(data, {0, 1});
    EXPECT_THROW(MakeTorchLearner(config), std::invalid_argument);
}

TEST(StubLearnerTest, RefusesWhatIsNoSize)
{
    for (const std::string options :
         {"", "0", "x", "-5", "1001", "12:0", "12:x", "12:", "2000000000", "12:6:7"})
    {
        EXPECT_THROW(DescribeStub(options), std::invalid_argument) << options;
    }
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
