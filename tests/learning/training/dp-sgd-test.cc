/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"
#include "learning/training/dp-sgd-reference.h"
#include "support/test-data.h"

#include "ns3/collab-dp-sgd.h"
#include "ns3/collab-torch-learner.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <memory>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>

namespace dp_sgd_test
{

using namespace ns3::collab;
using namespace tests;

constexpr double NO_NOISE = 1e-12;
constexpr uint32_t SAMPLES = 12;

TorchLearnerConfig
MakeConfig(const std::string& model, double clip, double noise)
{
    TorchLearnerConfig config;
    config.model = model;
    config.trainData =
        ViewAll(MakeDataSet(FeatureKind::NUMBERS, {6}, SAMPLES, 3, [](uint64_t i, uint64_t j) {
            return 2 * std::cos(static_cast<float>(6 * i + j) * 0.9F);
        }));
    config.batchSize = SAMPLES; // every sample is in every lot
    config.learningRate = 0.1;
    config.optimizer.kind = OptimizerKind::SGD;
    config.dpSgd = DpSgdOptions{clip, noise, 1e-5};
    return config;
}

/// @return gradient of the one step of a job
std::vector<float>
Step(Learner& learner, TrainTask task = {})
{
    task.steps = 1;
    task.returnsGradient = true;
    return *learner.Train(task).lastGradient;
}

/// @return mean of the gradients of single samples, each shortened to a norm
std::vector<double>
MeanOfClipped(TorchLearnerConfig config, double clip)
{
    config.dpSgd.reset();
    const auto learner = MakeTorchLearner(config);
    std::vector<double> mean(learner->GetParameterCount());
    for (uint32_t sample = 0; sample < SAMPLES; ++sample)
    {
        GradientTask task;
        task.positions = {sample};
        const auto gradient = *learner->ComputeGradient(task).gradient;
        const double norm =
            std::sqrt(std::inner_product(gradient.begin(), gradient.end(), gradient.begin(), 0.0));
        for (std::size_t i = 0; i < mean.size(); ++i)
        {
            mean[i] += gradient[i] * std::min(1.0, clip / norm) / SAMPLES;
        }
    }
    return mean;
}

TEST(DpSgdTest, ClipsTheGradientOfEachSample)
{
    for (const std::string model : {"mlp:5", "mlp:400", "linear"}) // mlp:400 has too many weights
    {
        for (const double clip : {0.3, 100.0})
        {
            SCOPED_TRACE(model);
            auto config = MakeConfig(model, clip, NO_NOISE);
            const auto expected = MeanOfClipped(config, clip);
            for (const std::string device : {"host", "cpu"})
            {
                config.device = device;
                ExpectNear(Step(*MakeTorchLearner(config)), expected, 1e-6);
            }
        }
    }
}

TEST(DpSgdTest, AGradientThatIsNotFiniteCountsAsNone)
{
    const float infinity = std::numeric_limits<float>::infinity();
    for (const float value : {infinity, -infinity, std::nanf(""), 3e38F})
    {
        std::vector<float> sum = {1, 2};
        AddClipped(1, {0.5F, value}, sum);
        if (std::isfinite(value)) // whose square is finite in double precision
        {
            EXPECT_NEAR(sum[1], 3, 1e-6);
        }
        else
        {
            EXPECT_THAT(sum, testing::ElementsAre(1, 2));
        }
    }
}

TEST(DpSgdTest, OtherTermsAreNotClipped)
{
    for (const std::string model : {"mlp:5", "mlp:400"})
    {
        auto config = MakeConfig(model, 1e-6, NO_NOISE);
        TrainTask task;
        task.l2 = 0.5;
        task.distillation.inputs = std::make_shared<const DataView>(config.trainData);
        task.distillation.targets = std::make_shared<Matrix<float>>(SAMPLES, 3, 1.0F / 3);
        const auto gradient = Step(*MakeTorchLearner(config), task);
        config.dpSgd.reset();
        const auto plain = MakeTorchLearner(config);
        GradientTask terms;
        static_cast<ObjectiveTerms&>(terms) = task;
        const auto both = *plain->ComputeGradient(terms).gradient;
        const auto local = *plain->ComputeGradient({}).gradient;
        for (std::size_t i = 0; i < gradient.size(); ++i)
        {
            ASSERT_NEAR(gradient[i], both[i] - local[i], 2e-6) << i;
        }
    }
}

TEST(DpSgdTest, NoiseIsGaussianOfTheRightSize)
{
    constexpr double CLIP = 2;
    constexpr double NOISE = 1.5;
    const auto clean = Step(*MakeTorchLearner(MakeConfig("mlp:1500", CLIP, NO_NOISE)));
    const auto noisy = Step(*MakeTorchLearner(MakeConfig("mlp:1500", CLIP, NOISE)));
    ASSERT_EQ(noisy.size(), 15003U);
    const double deviation = NOISE * CLIP / SAMPLES;
    std::vector<double> draws; // as standard deviations
    for (std::size_t i = 0; i < noisy.size(); ++i)
    {
        draws.push_back((noisy[i] - clean[i]) / deviation);
    }
    std::sort(draws.begin(), draws.end());
    double distance = 0; // Kolmogorov's
    for (std::size_t i = 0; i < draws.size(); ++i)
    {
        const double expected = std::erfc(-draws[i] / std::sqrt(2)) / 2;
        distance = std::max(distance, std::abs(expected - (static_cast<double>(i) + 0.5) / 15003));
    }
    EXPECT_LT(distance, 1.95 / std::sqrt(15003)); // 0.1 % would be beyond
}

TEST(DpSgdTest, LotsAreDrawnSampleBySample)
{
    constexpr double RATE = 0.2;
    constexpr int DRAWS = 4000;
    RandomGenerator generator(3);
    std::vector<std::size_t> sizes;
    double pairs = 0; // both of two samples
    for (int i = 0; i < DRAWS; ++i)
    {
        const auto lot = DrawLot(50, RATE, generator);
        EXPECT_TRUE(std::is_sorted(lot.begin(), lot.end()));
        sizes.push_back(lot.size());
        pairs += std::count(lot.begin(), lot.end(), 7) * std::count(lot.begin(), lot.end(), 8);
    }
    EXPECT_NEAR(Moments(sizes).mean, 50 * RATE, 0.15);
    EXPECT_NEAR(Moments(sizes).deviation, std::sqrt(50 * RATE * (1 - RATE)), 0.11);
    EXPECT_NEAR(pairs / DRAWS, RATE * RATE, 0.01);
    EXPECT_EQ(DrawLot(5, 1, generator).size(), 5U);
    EXPECT_EQ(DrawLot(5, 0, generator).size(), 0U);
}

TEST(DpSgdTest, StepsDivideByTheExpectedSize)
{
    auto config = MakeConfig("mlp:5", 100, NO_NOISE);
    config.batchSize = 3; // a quarter
    const auto learner = MakeTorchLearner(config);
    std::vector<double> mean(learner->GetParameterCount());
    constexpr int STEPS = 4000;
    TrainTask task;
    task.learningRate = 1e-12; // weights stay
    for (int step = 0; step < STEPS; ++step)
    {
        const auto gradient = Step(*learner, task);
        std::transform(gradient.begin(),
                       gradient.end(),
                       mean.begin(),
                       mean.begin(),
                       [](double part, double sum) { return sum + part / STEPS; });
    }
    ExpectNear(mean, MeanOfClipped(config, 100), 0.06);
}

TEST(DpSgdTest, CountsTheSamplesThatItIsGoingToDraw)
{
    for (const std::string model : {"mlp:5", "mlp:400"})
    {
        auto config = MakeConfig(model, 1, 1);
        config.batchSize = 4;
        const auto learner = MakeTorchLearner(config);
        const auto cost = DescribeModel(model, MakeModelInput(*config.trainData.data));
        const uint64_t parameters = cost.CountParameters();
        TrainTask task;
        task.epochs = 3;
        RandomGenerator generator(config.shuffleSeed);
        for (int job = 0; job < 2; ++job)
        {
            uint64_t drawn = 0;
            for (int step = 0; step < 9; ++step)
            {
                drawn += DrawLot(SAMPLES, 4.0 / SAMPLES, generator).size();
            }
            const uint64_t loss = drawn * (6 * 3 + 1);
            EXPECT_EQ(learner->CountTrainFlops(task),
                      cost.CountTrainingFlops(drawn, drawn) + loss + drawn * 4 * parameters +
                          9 * (2 + 2) * parameters);
            EXPECT_EQ(learner->Train(task).steps, 9U);
        }
    }
}

TEST(DpSgdTest, WaitsArePlannedByTheGreatestLots)
{
    // scipy.stats.binom.isf(1e-9, samples * steps, lot / samples)
    EXPECT_EQ(FindMostDrawn(100, 8, 5), 81U);
    EXPECT_EQ(FindMostDrawn(400, 64, 20), 1481U);
    EXPECT_EQ(FindMostDrawn(600, 1, 3), 18U);
    EXPECT_EQ(FindMostDrawn(7, 7, 3), 21U);
    EXPECT_EQ(FindMostDrawn(7, 3, 0), 0U);

    auto config = MakeConfig("mlp:5", 1, 1);
    config.batchSize = 4;
    const auto learner = MakeTorchLearner(config);
    TrainTask task;
    task.steps = 2;
    const uint64_t most = learner->CountMostTrainFlops(task);
    std::set<uint64_t> counted;
    for (int job = 0; job < 20; ++job)
    {
        counted.insert(learner->CountTrainFlops(task));
        EXPECT_EQ(learner->CountMostTrainFlops(task), most) << "whatever is drawn";
        learner->Train(task);
    }
    EXPECT_GT(counted.size(), 3U);
    EXPECT_GT(most, *counted.rbegin());
    config.dpSgd.reset();
    const auto other = MakeTorchLearner(config);
    EXPECT_EQ(other->CountMostTrainFlops(task), other->CountTrainFlops(task));
}

TEST(DpSgdTest, WhatDrewNoSampleHasNoLoss)
{
    auto config = MakeConfig("mlp:5", 1, 1);
    config.batchSize = 1;
    const auto learner = MakeTorchLearner(config);
    TrainTask task;
    task.steps = 1;
    RandomGenerator generator(config.shuffleSeed);
    int empty = 0;
    for (int job = 0; job < 20; ++job)
    {
        const bool isEmpty = DrawLot(SAMPLES, 1.0 / SAMPLES, generator).empty();
        EXPECT_EQ(std::isnan(learner->Train(task).localLoss), isEmpty) << job;
        empty += isEmpty ? 1 : 0;
    }
    EXPECT_GT(empty, 0);
    EXPECT_LT(empty, 20);
}

TEST(DpSgdTest, SameSeedsGiveSameSteps)
{
    auto config = MakeConfig("mlp:400", 1, 1);
    config.batchSize = 4;
    const auto a = MakeTorchLearner(config);
    const auto b = MakeTorchLearner(config);
    TrainTask task;
    task.epochs = 2;
    a->CountTrainFlops(task); // draws nothing for good
    a->Train(task);
    b->Train(task);
    EXPECT_EQ(*a->GetWeights(), *b->GetWeights());
    EXPECT_EQ(a->GetEpsilon(1e-5), b->GetEpsilon(1e-5));
}

TEST(DpSgdTest, LearnsOnPositionsOfItsSamples)
{
    auto config = MakeConfig("mlp:5", 100, NO_NOISE);
    const auto learner = MakeTorchLearner(config);
    TrainTask task;
    task.positions = {2, 5, 9};
    const auto gradient = Step(*learner, task);
    config.dpSgd.reset();
    GradientTask some;
    some.positions = task.positions;
    ExpectNear(gradient, *MakeTorchLearner(config)->ComputeGradient(some).gradient, 1e-6);
}

TEST(DpSgdTest, RefusesWhatCannotBePrivate)
{
    const auto refused = [](const char* text, const auto& change) {
        auto config = MakeConfig("mlp:5", 1, 1);
        change(config);
        ExpectRefused(text, [&config] { MakeTorchLearner(config); });
    };
    refused("clip 0", [](auto& config) { config.dpSgd->clip = 0; });
    refused("noise -1", [](auto& config) { config.dpSgd->noise = -1; });
    refused("delta 1", [](auto& config) { config.dpSgd->delta = 1; });
    refused("class weights", [](auto& config) { config.balancesClasses = true; });
    refused("a belief", [](auto& config) { config.variational.emplace(); });
    EXPECT_THROW(MakeTorchLearner(MakeConfig("mlp:5", 1, 1))->ComputeGradient({}),
                 std::invalid_argument);
}

TEST(DpSgdTest, RefusesModulesWhoseSamplesAreNotAlone)
{
    const auto make = [](const std::string& file) {
        auto config = MakeConfig("script:" + GetTestData("modules/" + file), 1, 1);
        if (file != "running.pt")
        {
            config.trainData = ViewAll(MakeDataSet(
                FeatureKind::NUMBERS, {1, 28, 28}, SAMPLES, 10, [](auto, auto) { return 0.5; }));
        }
        return MakeTorchLearner(config)->GetParameterCount();
    };
    EXPECT_EQ(make("dropout.pt"), 7850U);
    ExpectRefused("without batch normalization", [&] { make("resnet.pt"); });
    ExpectRefused("without buffers", [&] { make("running.pt"); });
}

TEST(DpSgdTest, OptionsAreReadFromText)
{
    const auto options = ReadDpSgd("clip=0.5,noise=1.1");
    EXPECT_EQ(options.clip, 0.5);
    EXPECT_EQ(options.noise, 1.1);
    EXPECT_EQ(options.delta, 1e-5);
    EXPECT_EQ(ReadDpSgd("noise=2,clip=1,delta=1e-3").delta, 1e-3);
    ExpectEachRefused<>({"clip=1", "clip=1,noise=0", "clip=1,noise=1,sigma=2", "1"}, ReadDpSgd);
}

TEST(RenyiAccountantTest, DivergencesAreTheIntegrals)
{
    for (const auto& [order, rate, noise, expected] : EXPECTED_DIVERGENCES)
    {
        EXPECT_NEAR(SampledGaussianDivergence(static_cast<uint32_t>(order), rate, noise),
                    expected,
                    1e-8 * expected + 1e-13);
    }
    EXPECT_EQ(SampledGaussianDivergence(7, 0, 1), 0);
}

TEST(RenyiAccountantTest, EpsilonIsTheLeastOfAllOrders)
{
    for (const auto& [rate, noise, steps, delta, expected] : EXPECTED_EPSILONS)
    {
        RenyiAccountant accountant;
        accountant.AddSteps(rate, noise, static_cast<uint64_t>(steps) / 2);
        accountant.AddSteps(
            rate, noise, static_cast<uint64_t>(steps) - static_cast<uint64_t>(steps) / 2);
        EXPECT_NEAR(accountant.GetEpsilon(delta), expected, 1e-8 * expected);
    }
}

TEST(RenyiAccountantTest, StepsOfSeveralKindsAddUp)
{
    RenyiAccountant accountant;
    EXPECT_EQ(accountant.GetEpsilon(1e-5), 0);
    accountant.AddSteps(0.1, 1.5, 20);
    const double first = accountant.GetEpsilon(1e-5);
    accountant.AddSteps(0.2, 1.5, 20);
    EXPECT_GT(accountant.GetEpsilon(1e-5), first);
    RenyiAccountant other;
    other.SetState(accountant.GetState());
    EXPECT_EQ(other.GetEpsilon(1e-5), accountant.GetEpsilon(1e-5));
    ExpectEachRefused<>({"0.1 1.5", "0.1 1.5 20 x", "2 1.5 20"},
                        [&](const std::string& state) { other.SetState(state); });
    EXPECT_THROW(other.GetEpsilon(0), std::invalid_argument);
}

TEST(DpSgdTest, LearnersWithoutItSpendAllPrivacy)
{
    auto config = MakeConfig("mlp:5", 1, 1);
    config.dpSgd.reset();
    EXPECT_EQ(MakeTorchLearner(config)->GetEpsilon(1e-5), std::numeric_limits<double>::infinity());
}

} // namespace dp_sgd_test
