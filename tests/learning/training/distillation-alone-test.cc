/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"

#include "ns3/collab-model-description.h"
#include "ns3/collab-torch-learner.h"

#include <cmath>
#include <gmock/gmock.h>
#include <stdexcept>

using namespace ns3::collab;
using namespace tests;
using ::testing::FloatNear;
using ::testing::Pointwise;

namespace
{

constexpr std::size_t SAMPLES = 6; //!< of X*

/// Own samples, and X* with targets, of which a step takes all
class DistillationAloneTest : public testing::TestWithParam<bool>
{
  protected:
    DistillationAloneTest()
    {
        const auto data = MakeDataSet(FeatureKind::NUMBERS, {2}, 10, 3, [](uint64_t i, uint64_t j) {
            return std::sin(static_cast<double>(i + 5 * j));
        });
        m_config.model = "linear";
        m_config.nativeSmallNetworks = GetParam();
        m_config.trainData = MakeView(data, Range(4));
        m_config.optimizer.kind = OptimizerKind::SGD;
        m_config.learningRate = 1;
        m_config.referenceBatchSize = SAMPLES;
        m_task.distillation.inputs = std::make_shared<DataView>(MakeView(data, Range(4, 10)));
        m_task.distillation.lambda = 1;
        m_task.distillation.isAlone = true;
    }

    /// @param loss what is distant
    /// @param target of each sample
    /// @return a learner whose weights were 0, after a step
    std::unique_ptr<Learner>
    TrainOnce(DistillationLoss loss, const std::vector<float>& target)
    {
        auto targets = std::make_shared<Matrix<float>>(SAMPLES, 3);
        for (std::size_t i = 0; i < SAMPLES; ++i)
        {
            std::copy(target.begin(), target.end(), targets->Row(i));
        }
        m_task.distillation.targets = targets;
        m_task.distillation.loss = loss;
        auto learner = MakeTorchLearner(m_config, std::vector<float>(9, 0.0F));
        m_report = learner->Train(m_task);
        return learner;
    }

    TorchLearnerConfig m_config; //!< of the learner
    TrainTask m_task;            //!< one pass over X*
    TrainReport m_report;        //!< of it
};

TEST_P(DistillationAloneTest, StepsTowardScoresByTheSignOfTheDifference)
{
    const auto learner = TrainOnce(DistillationLoss::ABSOLUTE_ERROR, {2, -1, 0});
    // Gradient by a bias: mean over 6 samples of sign / 3 classes
    EXPECT_THAT(
        (std::vector<float>(learner->GetWeights()->begin() + 6, learner->GetWeights()->end())),
        Pointwise(FloatNear(1e-6F), {1 / 3.0F, -1 / 3.0F, 0.0F}));
    EXPECT_EQ(m_report.steps, 1);
    EXPECT_NEAR(m_report.distillationLoss, 1, 1e-6); // (2 + 1 + 0) / 3
    EXPECT_TRUE(std::isnan(m_report.localLoss));
}

TEST_P(DistillationAloneTest, StepsTowardLabelsByTheCrossEntropyOfXAlone)
{
    const auto learner = TrainOnce(DistillationLoss::SOFT_CROSS_ENTROPY, {1, 0, 0});
    EXPECT_THAT(
        (std::vector<float>(learner->GetWeights()->begin() + 6, learner->GetWeights()->end())),
        Pointwise(FloatNear(1e-6F), {2 / 3.0F, -1 / 3.0F, -1 / 3.0F}));
    EXPECT_NEAR(m_report.distillationLoss, std::log(3), 1e-6);
}

TEST_P(DistillationAloneTest, PassesAreOverXAndCounted)
{
    m_config.referenceBatchSize = 4;
    m_task.epochs = 3;
    const auto learner = TrainOnce(DistillationLoss::ABSOLUTE_ERROR, {2, -1, 0});
    EXPECT_EQ(m_report.steps, 6); // 4 samples each
    const auto description = DescribeModel("linear", {2}, 3);
    const uint64_t sgd =
        learner->CountTrainFlops(m_task) - description.CountTrainingFlops(24, 6) - 24 * 4 * 3;
    EXPECT_EQ(sgd % (6 * 9), 0);
    EXPECT_LE(sgd / (6 * 9), 4);
}

TEST_P(DistillationAloneTest, NeedsTargets)
{
    EXPECT_THROW(MakeTorchLearner(m_config)->Train(m_task), std::invalid_argument);
}

TEST_P(DistillationAloneTest, ScoresAreWhatTheSoftmaxIsOf)
{
    const auto learner = TrainOnce(DistillationLoss::ABSOLUTE_ERROR, {2, -1, 0});
    const Matrix<float> scores = learner->PredictScores(*m_task.distillation.inputs);
    const Matrix<float> probabilities = learner->Predict(*m_task.distillation.inputs);
    for (std::size_t i = 0; i < SAMPLES; ++i)
    {
        double sum = 0;
        for (std::size_t c = 0; c < 3; ++c)
        {
            sum += std::exp(scores(i, c));
        }
        for (std::size_t c = 0; c < 3; ++c)
        {
            EXPECT_NEAR(std::exp(scores(i, c)) / sum, probabilities(i, c), 1e-6);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutTorch, DistillationAloneTest, testing::Bool());

TEST(PrivateDistillationTest, OfXAloneSpendsNoPrivacy)
{
    const auto data = MakeDataSet(FeatureKind::NUMBERS, {2}, 10, 2, [](uint64_t i, uint64_t j) {
        return std::sin(static_cast<double>(i + 5 * j));
    });
    TorchLearnerConfig config;
    config.model = "linear";
    config.trainData = MakeView(data, Range(5));
    config.batchSize = 2;
    config.dpSgd = DpSgdOptions{1, 1, 1e-5};
    const auto learner = MakeTorchLearner(config);
    TrainTask task;
    learner->Train(task);
    const double spent = learner->GetEpsilon(1e-5);
    const FlatVector before = learner->GetWeights();
    task.distillation.inputs = std::make_shared<DataView>(MakeView(data, Range(5, 10)));
    task.distillation.targets = std::make_shared<Matrix<float>>(5, 2, 0.5F);
    task.distillation.isAlone = true;
    EXPECT_EQ(learner->Train(task).steps, 1);
    EXPECT_NE(*learner->GetWeights(), *before);
    EXPECT_EQ(learner->GetEpsilon(1e-5), spent);
}

} // namespace
