/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-reference-order.h"
#include "ns3/collab-torch-learner.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <set>

using namespace ns3::collab;

namespace
{

/**
 * @param walk over X*
 * @param samples of X*
 * @param size of a batch
 * @param batches number of them
 * @return how often each sample was taken
 */
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

/**
 * @param samples size of X*
 * @return X* of one pixel each, whose values are the numbers of the samples
 */
std::shared_ptr<const DataSet>
MakePixels(std::size_t samples)
{
    auto data = std::make_shared<DataSet>();
    data->kind = FeatureKind::NUMBERS;
    data->sampleShape = {static_cast<int64_t>(samples)};
    data->classes = 2;
    data->numbers.assign(samples * samples, 0.0F);
    for (std::size_t i = 0; i < samples; ++i)
    {
        data->numbers[i * samples + i] = 1;
        data->labels.push_back(static_cast<int64_t>(i % 2));
    }
    return data;
}

/**
 * @brief Train a linear model, whose weight for sample i of X* only that sample changes.
 *
 * @param order of X*
 * @param epochs of two steps each, in jobs of their own
 * @return the samples of X* that were learned from
 */
std::set<std::size_t>
LearnedFrom(ReferenceOrder order, uint32_t epochs)
{
    constexpr std::size_t SAMPLES = 40;
    const auto data = MakePixels(SAMPLES);
    TorchLearnerConfig config;
    config.model = "linear";
    config.trainData = MakeView(data, {0, 0, 0, 0});
    config.batchSize = 2;
    config.referenceBatchSize = 4;
    config.referenceOrder = order;
    config.optimizer.kind = OptimizerKind::SGD;
    const auto learner = MakeTorchLearner(config);
    const std::vector<float> before = *learner->GetWeights();
    std::vector<uint32_t> all(SAMPLES);
    std::iota(all.begin(), all.end(), 0U);
    TrainTask task;
    task.distillation.inputs = std::make_shared<const DataView>(MakeView(data, all));
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

} // namespace
