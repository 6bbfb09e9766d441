/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"

#include "ns3/collab-seed-learner.h"
#include "ns3/collab-torch-learner.h"
#include "ns3/collab-vector-stack.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <stdexcept>

namespace seed_learner_test
{

using namespace ns3::collab;
using namespace tests;

constexpr uint32_t SEEDS = 8; //!< K

class SeedLearnerTest : public testing::Test
{
  protected:
    SeedLearnerTest()
    {
        auto data = std::make_shared<DataSet>();
        data->kind = FeatureKind::NUMBERS;
        data->sampleShape = {2};
        data->classes = 2;
        data->numbers = {0.5F, -1, 2, 0.25F, -0.75F, 1, 1.5F, -2, 0.1F, 0.2F};
        data->labels = {0, 1, 1, 0, 1};
        m_config.model = "mlp:3"; // 17 numbers
        m_config.trainData = ViewAll(data);
        m_model = std::make_shared<SeedModel>(DrawInitialWeights(m_config), 17, SEEDS, 5);
    }

    /// @param batchSize samples of a step
    /// @return a learner along the seeds
    std::unique_ptr<Learner>
    Make(uint32_t batchSize = 5) const
    {
        SeedSteps steps;
        steps.batchSize = batchSize;
        steps.smoothing = 0.01;
        steps.learningRate = 0.1;
        return MakeSeedLearner(MakeTorchLearner(m_config), m_config.trainData, m_model, steps);
    }

    /// @return so many steps
    static TrainTask
    Steps(uint32_t steps)
    {
        TrainTask task;
        task.steps = steps;
        return task;
    }

    TorchLearnerConfig m_config;        //!< of the learner whose model learns
    std::shared_ptr<SeedModel> m_model; //!< of all learners
};

TEST_F(SeedLearnerTest, DirectionsAreNormalAndTheSameForAll)
{
    constexpr std::size_t SIZE = 20001;
    const SeedModel large(std::make_shared<const std::vector<float>>(SIZE, 0.0F), SIZE, 2, 9);
    const auto z = large.DrawDirection(1);
    ASSERT_EQ(z.size(), SIZE);
    const double mean = std::accumulate(z.begin(), z.end(), 0.0) / SIZE;
    const double square = std::inner_product(z.begin(), z.end(), z.begin(), 0.0) / SIZE;
    EXPECT_NEAR(mean, 0, 0.03);
    EXPECT_NEAR(square, 1, 0.05);
    EXPECT_NE(large.DrawDirection(0), z);
    EXPECT_EQ(
        SeedModel(std::make_shared<const std::vector<float>>(3, 0.0F), 3, 2, 9).DrawDirection(1),
        std::vector<float>(z.begin(), z.begin() + 3));
}

TEST_F(SeedLearnerTest, AStepIsAPairOfASeedAndAScalar)
{
    const auto learner = Make();
    const auto plain = MakeTorchLearner(m_config);
    EXPECT_EQ(learner->GetParameterCount(), SEEDS);
    EXPECT_EQ(*learner->GetWeights(), std::vector<float>(SEEDS, 0.0F));
    EXPECT_EQ(*learner->GetAllWeights(), *plain->GetWeights());
    const auto report = learner->Train(Steps(1));
    EXPECT_EQ(report.steps, 1U);
    const auto scalars = *learner->GetWeights();
    const auto seed = static_cast<uint32_t>(
        std::find_if(scalars.begin(), scalars.end(), [](float a) { return a != 0; }) -
        scalars.begin());
    ASSERT_LT(seed, SEEDS);
    EXPECT_EQ(std::count(scalars.begin(), scalars.end(), 0.0F), SEEDS - 1);
    // The scalar is eta times the slope of the loss along the direction
    const auto gradient = *plain->ComputeGradient({}).gradient;
    const auto z = m_model->DrawDirection(seed);
    const double slope = std::inner_product(z.begin(), z.end(), gradient.begin(), 0.0);
    EXPECT_NEAR(scalars[seed], 0.1 * slope, 2e-3 * std::abs(slope) + 1e-4);
    EXPECT_NEAR(report.localLoss, plain->Evaluate(m_config.trainData).loss, 1e-2);
    const auto before = *plain->GetWeights();
    const auto after = *learner->GetAllWeights();
    for (std::size_t i = 0; i < after.size(); ++i)
    {
        EXPECT_NEAR(after[i], before[i] - scalars[seed] * z[i], 1e-6);
    }
}

TEST_F(SeedLearnerTest, LearnsAndWhoGetsTheScalarsHasTheModel)
{
    const auto learner = Make();
    const double before = learner->Evaluate(m_config.trainData).loss;
    learner->Train(Steps(200));
    EXPECT_LT(learner->Evaluate(m_config.trainData).loss, 0.8 * before);
    const auto trained = *learner->GetAllWeights();
    const auto other = Make();
    other->SetWeights(learner->GetWeights());
    const auto built = *other->GetAllWeights();
    for (std::size_t i = 0; i < built.size(); ++i)
    {
        EXPECT_NEAR(built[i], trained[i], 1e-5);
    }
    const auto third = Make();
    third->SetWeights(learner->GetWeights());
    EXPECT_EQ(third->GetAllWeights(), other->GetAllWeights()); // one vector
}

TEST_F(SeedLearnerTest, CountsForwardPassesAndDirections)
{
    const auto plain = MakeTorchLearner(m_config);
    const auto learner = Make(2); // batches of 2, 2 and 1
    const uint64_t two = plain->CountPredictFlops(2) + 2 * 2;
    const uint64_t one = plain->CountPredictFlops(1) + 2 * 1;
    const uint64_t direction = 17 * (5 + 2);
    const uint64_t step = direction + 2 * 2 * 17;
    EXPECT_EQ(learner->CountTrainFlops(Steps(4)), 4 * step + 2 * (3 * two + one));
    EXPECT_EQ(learner->CountTrainFlops({}), 3 * step + 2 * (2 * two + one));
    EXPECT_EQ(learner->CountMostTrainFlops({}), learner->CountTrainFlops({}) + SEEDS * direction);
    auto scalars = std::vector<float>(SEEDS, 0.0F);
    scalars[2] = scalars[5] = 0.5F;
    const uint64_t before = learner->CountTrainFlops({});
    learner->SetWeights(std::make_shared<const std::vector<float>>(scalars));
    EXPECT_EQ(learner->CountTrainFlops({}), before + 2 * direction);
}

TEST_F(SeedLearnerTest, BeginsAnewAfterItHasDiverged)
{
    const auto learner = Make();
    const auto start = learner->GetWeights();
    const auto before = *learner->GetAllWeights();
    TrainTask task = Steps(50);
    task.learningRate = 1e38;
    EXPECT_EQ(learner->Train(task).steps, 50U);
    ASSERT_FALSE(AreFinite(*learner->GetWeights()));
    learner->Evaluate(m_config.trainData);
    learner->SetWeights(start);
    EXPECT_EQ(*learner->GetAllWeights(), before);
    // Scalars are finite, their model is not: the learner keeps the one that it has
    learner->SetWeights(Constant(SEEDS, 3e38F));
    EXPECT_EQ(*learner->GetAllWeights(), before);
}

TEST_F(SeedLearnerTest, RefusesWhatIsNoTrainingAlongSeeds)
{
    const auto learner = Make();
    EXPECT_THROW(learner->SetWeights(nullptr), std::invalid_argument);
    EXPECT_THROW(learner->SetWeights(Constant(17, 0.0F)), std::invalid_argument);
    EXPECT_THROW(learner->SetWeights(Constant(SEEDS, NAN)), std::invalid_argument);
    TrainTask task;
    task.mu = 1;
    task.center = Constant(SEEDS, 0.0F);
    EXPECT_THROW(learner->Train(task), std::invalid_argument);
    task = {};
    task.positions = {1};
    EXPECT_THROW(learner->CountTrainFlops(task), std::invalid_argument);
    const auto other = std::make_shared<SeedModel>(Constant(16, 0.0F), 16, SEEDS, 5);
    EXPECT_THROW(MakeSeedLearner(MakeTorchLearner(m_config), m_config.trainData, other, {}),
                 std::invalid_argument);
    EXPECT_THROW(MakeSeedLearner(nullptr, m_config.trainData, m_model, {}), std::invalid_argument);
    EXPECT_THROW(SeedModel(Constant(3, 0.0F), 4, SEEDS, 5), std::invalid_argument);
    EXPECT_THROW(SeedModel(Constant(3, 0.0F), 3, 0, 5), std::invalid_argument);
}

} // namespace seed_learner_test
