/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

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

constexpr uint32_t SAMPLES = 6;
constexpr std::size_t PIXELS = 30;

/// @return small images of 3 classes
DataSet
MakeImages()
{
    DataSet data;
    data.name = "images";
    data.kind = FeatureKind::NUMBERS;
    data.sampleShape = {1, 5, 6};
    data.classes = 3;
    for (std::size_t i = 0; i < SAMPLES * PIXELS; ++i)
    {
        data.numbers.push_back(std::cos(static_cast<float>(i) * 0.7F));
    }
    for (uint32_t i = 0; i < SAMPLES; ++i)
    {
        data.labels.push_back(i % 3);
    }
    return data;
}

/// @return all of its samples
DataView
ViewAll(const DataSet& data)
{
    std::vector<uint32_t> indices(SAMPLES);
    std::iota(indices.begin(), indices.end(), 0U);
    return MakeView(std::make_shared<const DataSet>(data), indices);
}

/// What ReadAugmentation() says against it
std::string
Refusal(const std::string& text, const DataSet& data)
{
    try
    {
        ReadAugmentation(text, data);
    }
    catch (const std::invalid_argument& error)
    {
        return error.what();
    }
    return "";
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
        const auto expected = *MakeTorchLearner(config)->ComputeGradient({}).gradient;
        ASSERT_EQ(gradient.size(), expected.size());
        for (std::size_t i = 0; i < gradient.size(); ++i)
        {
            ASSERT_NEAR(gradient[i], expected[i], 1e-6) << model << " " << i;
        }
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

    EXPECT_THAT(Refusal("turn=3", data), HasSubstr("turn"));
    EXPECT_THAT(Refusal("flip=2", data), HasSubstr("flip"));
    EXPECT_THAT(Refusal("flip", data), HasSubstr("flip"));
    DataSet flat = data;
    flat.sampleShape = {PIXELS};
    EXPECT_EQ(Refusal("jitter=0.1,noise=0.1", flat), "");
    EXPECT_THAT(Refusal("flip=0.5", flat),
                HasSubstr("are no images; allowed are jitter and noise"));
    flat.kind = FeatureKind::TOKENS;
    EXPECT_THAT(Refusal("noise=0.1", flat), HasSubstr("are tokens"));
}

} // namespace
