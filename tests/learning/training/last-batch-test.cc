/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-torch-learner.h"

#include <cmath>
#include <gmock/gmock.h>
#include <memory>
#include <numeric>
#include <stdexcept>

namespace
{

using namespace ns3::collab;
using testing::HasSubstr;

/// Its last batch normalizations have one value a channel
const std::string MIXING = "efficientnet-b0";

/**
 * @param samples number of samples
 * @return pictures of two classes that follow a formula
 */
DataView
MakePictures(uint32_t samples)
{
    auto data = std::make_shared<DataSet>();
    data->sampleShape = {3, 32, 32};
    data->classes = 2;
    for (uint32_t i = 0; i < samples; ++i)
    {
        for (uint32_t j = 0; j < 3 * 32 * 32; ++j)
        {
            data->features.push_back(static_cast<uint8_t>((37 * i + 101 * j + 13 * i * j) % 256));
        }
        data->labels.push_back(i % 2);
    }
    DataView view;
    view.indices.resize(samples);
    std::iota(view.indices.begin(), view.indices.end(), 0U);
    view.labels = data->labels;
    view.data = data;
    return view;
}

/**
 * @param model a model's name
 * @param samples number of samples
 * @param batchSize of the learner
 * @return the learner
 */
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

/**
 * @param learner that was trained
 * @param report of its training
 */
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
        try
        {
            MakeLearner(MIXING, samples, batchSize);
            FAIL() << samples << " samples in batches of " << batchSize;
        }
        catch (const std::invalid_argument& error)
        {
            EXPECT_THAT(error.what(), HasSubstr("needs at least 2 samples in each"));
        }
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

} // namespace
