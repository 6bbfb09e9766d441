/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"

#include "ns3/collab-torch-learner.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>

/// Options of training beside their numbers, which models-test.cc compares with PyTorch
namespace training_options_test
{

using namespace ns3::collab;
using namespace tests;

constexpr uint32_t SAMPLES = 30;
constexpr uint32_t CLASSES = 3;

class TrainingOptionsTest : public testing::Test
{
  protected:
    TrainingOptionsTest()
    {
        RandomGenerator generator(5);
        const auto data = MakeDataSet(FeatureKind::BYTES, {6}, SAMPLES, CLASSES, [&](auto, auto) {
            return static_cast<double>(generator() % 256);
        });
        for (uint32_t i = 0; i < SAMPLES; ++i)
        {
            data->labels[i] = i < 15 ? 0 : i < 25 ? 1 : 2;
        }
        m_config.model = "linear";
        m_config.trainData = ViewAll(data);
        m_config.batchSize = SAMPLES;
        m_config.learningRate = 0.1;
    }

    /// @return weights that the learner has after some steps
    std::vector<float>
    Train(uint32_t steps) const
    {
        const auto learner = MakeTorchLearner(m_config);
        TrainTask task;
        task.steps = steps;
        learner->Train(task);
        return *learner->GetWeights();
    }

    TorchLearnerConfig m_config; //!< of the learners
};

TEST_F(TrainingOptionsTest, AScheduleGoesOnFromJobToJob)
{
    m_config.optimizer.schedule = MakeRateSchedule("cosine:steps=6");
    const auto learner = MakeTorchLearner(m_config);
    TrainTask task;
    task.steps = 3;
    learner->Train(task);
    learner->Train(task);
    EXPECT_EQ(*learner->GetWeights(), Train(6));
    const std::vector<float> before = *learner->GetWeights();
    learner->Train(task); // its rate is 0 from now on
    EXPECT_EQ(*learner->GetWeights(), before);
}

TEST(RateScheduleTest, FactorsAreThoseOfTheFormulas)
{
    const auto factors = [](const std::string& specification, uint64_t count) {
        const RateSchedule schedule = MakeRateSchedule(specification);
        std::vector<double> values;
        for (uint64_t i = 0; i < count; ++i)
        {
            values.push_back(GetRateFactor(schedule, i));
        }
        return values;
    };
    EXPECT_THAT(factors("constant:warmup=4", 6), testing::ElementsAre(0.25, 0.5, 0.75, 1, 1, 1));
    ExpectNear(
        factors("step:every=3", 7), std::vector<double>{1, 1, 1, 0.1, 0.1, 0.1, 0.01}, 1e-15);
    // 0.2 + 0.4 (1 + cos(pi k / 4))
    const double root = std::sqrt(0.5);
    ExpectNear(factors("cosine:steps=4,floor=0.2,warmup=1", 7),
               std::vector<double>{1, 1, 0.6 + 0.4 * root, 0.6, 0.6 - 0.4 * root, 0.2, 0.2},
               1e-12);
}

TEST_F(TrainingOptionsTest, OnlyLongGradientsAreShortened)
{
    for (const bool isNative : {true, false})
    {
        m_config.nativeSmallNetworks = isNative;
        m_config.optimizer.maxNorm = 0;
        const std::vector<float> free = Train(5);
        m_config.optimizer.maxNorm = 100;
        EXPECT_EQ(Train(5), free);
        m_config.optimizer.maxNorm = 0.01;
        EXPECT_NE(Train(5), free);
    }
}

TEST_F(TrainingOptionsTest, ClassesAreBalancedByTheirWeights)
{
    m_config.labelSmoothing = 0.2;
    m_config.balancesClasses = true;
    const std::vector<float> balanced = Train(5);
    m_config.balancesClasses = false;
    // scikit-learn: 30 / (3 * 15), 30 / (3 * 10), 30 / (3 * 5)
    m_config.classWeights = {2.0F / 3, 1, 2};
    ExpectNear(Train(5), balanced, 2e-6);
}

TEST_F(TrainingOptionsTest, AGradientOfManyPassesWeighsItsClassesAsOne)
{
    std::vector<uint32_t> often = Range(40 * SAMPLES); // passes are of other classes each
    std::for_each(often.begin(), often.end(), [](uint32_t& i) { i /= 40; });
    m_config.balancesClasses = true;
    const auto once = MakeTorchLearner(m_config)->ComputeGradient({}).gradient;
    GradientTask task;
    task.positions = often;
    const auto many = MakeTorchLearner(m_config)->ComputeGradient(task).gradient;
    ExpectNear(*many, *once, 1e-6);
}

TEST_F(TrainingOptionsTest, OperationsAreCounted)
{
    const auto count = [this]() { return MakeTorchLearner(m_config)->CountTrainFlops({}); };
    const uint64_t plain = count();
    m_config.optimizer.maxNorm = 1;
    EXPECT_EQ(count(), plain + 3 * 21); // 18 weights and 3 biases, one step
    m_config.optimizer.maxNorm = 0;
    m_config.labelSmoothing = 0.1;
    EXPECT_EQ(count(), plain + SAMPLES * (2 * CLASSES + 2));
    m_config.balancesClasses = true;
    EXPECT_EQ(count(), plain + SAMPLES * (2 * CLASSES + 2 + 2));
}

TEST_F(TrainingOptionsTest, RefusesWhatIsNotAllowed)
{
    const auto refused = [this](const char* text, const auto& change) {
        TorchLearnerConfig config = m_config;
        ExpectRefused(text, [&] {
            change(config);
            MakeTorchLearner(config);
        });
    };
    const auto reads = [](const char* options) {
        return [options](auto& config) { ReadOptimizerOptions(options, config.optimizer); };
    };
    const auto schedules = [](const char* specification) {
        return [specification](auto& config) {
            config.optimizer.schedule = MakeRateSchedule(specification);
        };
    };
    refused("maxNorm", reads("maxNorm=-1"));
    refused("decay", reads("decay=1"));
    refused("nesterov", reads("nesterov=2"));
    refused("momentum", reads("nesterov=1"));
    refused("every=N is missing", schedules("step"));
    refused("steps=N is missing", schedules("cosine:floor=0.1"));
    refused("gamma", schedules("step:every=2,gamma=0"));
    refused("linear", schedules("linear"));
    refused("only Adam", [](auto& config) {
        config.optimizer.kind = OptimizerKind::SGD;
        config.optimizer.decouplesDecay = true;
    });
    refused("labelSmoothing 1", [](auto& config) { config.labelSmoothing = 1; });
    refused("2 numbers for 3 classes", [](auto& config) { config.classWeights = {1, 1}; });
    refused("weight 0", [](auto& config) { config.classWeights = {1, 0, 1}; });
    refused("for samples with labels", [](auto& config) {
        config.loss = LossKind::TRIPLET;
        config.labelSmoothing = 0.1;
    });
}

} // namespace training_options_test
