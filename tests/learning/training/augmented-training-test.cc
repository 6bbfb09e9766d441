/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"

#include "ns3/collab-torch-learner.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace augmented_training_test
{

using namespace ns3::collab;
using namespace tests;

constexpr uint32_t SAMPLES = 6;
constexpr std::size_t PIXELS = 30;

/// @return small images of 3 classes
DataSet
MakeImages()
{
    DataSet data =
        *MakeDataSet(FeatureKind::NUMBERS, {1, 5, 6}, SAMPLES, 3, [](uint64_t i, uint64_t j) {
            return std::cos(static_cast<float>(PIXELS * i + j) * 0.7F);
        });
    data.name = "images";
    return data;
}

/// @return all of its samples
DataView
ViewAll(const DataSet& data)
{
    return tests::ViewAll(std::make_shared<const DataSet>(data));
}

TEST(AugmentedTrainingTest, StepsTakeChangedSamples)
{
    const DataSet data = MakeImages();
    const Augmentation augmentation = ReadAugmentation("shift=1,flip=0.5,noise=0.2", data);
    for (const std::string model : {"mlp:4", "mlp:100"}) // without and with LibTorch
    {
        TorchLearnerConfig config;
        config.model = model;
        config.trainData = ViewAll(data);
        config.batchSize = SAMPLES;
        config.optimizer.kind = OptimizerKind::SGD;
        config.augmentation = augmentation;
        TrainTask task;
        task.returnsGradient = true;
        const auto learner = MakeTorchLearner(config);
        const auto gradient = *learner->Train(task).lastGradient;

        RandomGenerator orders(config.shuffleSeed);
        RandomGenerator draws(SplitMix64(config.shuffleSeed));
        DataSet changed = data;
        for (const uint32_t sample : DrawPermutation(SAMPLES, orders))
        {
            const std::size_t begin = sample * PIXELS;
            Augment(augmentation,
                    data.sampleShape,
                    draws,
                    data.numbers.data() + begin,
                    changed.numbers.data() + begin);
        }
        config.augmentation.reset();
        config.trainData = ViewAll(changed);
        ExpectNear(gradient, *MakeTorchLearner(config)->ComputeGradient({}).gradient, 1e-6);
    }
}

TEST(AugmentedTrainingTest, NothingElseIsChanged)
{
    const DataSet data = MakeImages();
    TorchLearnerConfig config;
    config.model = "mlp:4";
    config.trainData = ViewAll(data);
    const auto plain = MakeTorchLearner(config);
    config.augmentation = ReadAugmentation("noise=1", data);
    const auto learner = MakeTorchLearner(config);
    EXPECT_EQ(learner->Predict(config.trainData).values, plain->Predict(config.trainData).values);
    EXPECT_EQ(*learner->ComputeGradient({}).gradient, *plain->ComputeGradient({}).gradient);
    EXPECT_EQ(learner->CountTrainFlops({}), plain->CountTrainFlops({}));
}

TEST(AugmentedTrainingTest, IsReadFromText)
{
    const DataSet data = MakeImages();
    const auto read = ReadAugmentation("shift=4,crop=0.25,oneOf=1", data);
    EXPECT_EQ(read.shift, 4U);
    EXPECT_EQ(read.crop, 0.25);
    EXPECT_TRUE(read.oneOf);
    EXPECT_EQ(read.flip, 0); // what is not named is not done
    EXPECT_EQ(read.jitter, 0);
    EXPECT_EQ(read.noise, 0);
    EXPECT_EQ(read.outside, *std::min_element(data.numbers.begin(), data.numbers.end()));
    DataSet bytes;
    bytes.sampleShape = {2, 5, 6};
    bytes.offset = {0.5F, 0.25F};
    bytes.scale = {0.5F, 0.5F};
    EXPECT_EQ(ReadAugmentation("shift=1", bytes).outside, -0.75F);

    const auto refused = [](const char* text, const char* problem, const DataSet& images) {
        ExpectRefused(problem, [&] { ReadAugmentation(text, images); });
    };
    refused("turn=3", "turn", data);
    refused("flip=2", "flip", data);
    refused("flip", "flip", data);
    DataSet flat = data;
    flat.sampleShape = {PIXELS};
    EXPECT_NO_THROW(ReadAugmentation("jitter=0.1,noise=0.1", flat));
    refused("flip=0.5", "are no images; allowed are jitter and noise", flat);
    flat.kind = FeatureKind::TOKENS;
    refused("noise=0.1", "are tokens", flat);
}

} // namespace augmented_training_test
