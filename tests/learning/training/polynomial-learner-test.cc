/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-generated-data-sets.h"
#include "ns3/collab-polynomial-learner.h"

#include <gmock/gmock.h>
#include <numeric>

using namespace ns3::collab;

namespace
{

const std::vector<double> CUBIC = {4, -5, 0.3, 0.5};

std::shared_ptr<const DataView>
Grid(const std::vector<double>& coefficients, double from, double to, uint32_t samples)
{
    std::vector<uint32_t> indices(samples);
    std::iota(indices.begin(), indices.end(), 0);
    return std::make_shared<const DataView>(
        MakeView(MakePolynomialGrid(coefficients, from, to, samples), indices));
}

} // namespace

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
