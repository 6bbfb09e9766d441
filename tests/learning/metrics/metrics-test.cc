/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-metrics.h"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <stdexcept>

namespace
{

using namespace ns3::collab;
using testing::ElementsAre;

/**
 * @param columns number of columns
 * @param values row by row
 * @return the matrix
 */
Matrix<float>
MakeMatrix(std::size_t columns, std::vector<float> values)
{
    Matrix<float> matrix(values.size() / columns, columns);
    matrix.values = std::move(values);
    return matrix;
}

TEST(MetricsTest, PredictedClassIsTheFirstOfTheGreatest)
{
    const auto probabilities = MakeMatrix(3, {0.1F, 0.7F, 0.2F, 0.4F, 0.2F, 0.4F, 0, 0, 1});
    EXPECT_THAT(PredictedClasses(probabilities), ElementsAre(1, 0, 2));
    EXPECT_TRUE(PredictedClasses(Matrix<float>(0, 3)).empty());
}

TEST(MetricsTest, ScoresByHand)
{
    // Class 0: 3 of 4 right, class 1: 0 of 1 right, class 2 absent.
    const auto probabilities = MakeMatrix(
        3,
        {0.5F, 0.25F, 0.25F, 0.5F, 0.25F, 0.25F, 0.5F, 0.25F, 0.25F, 0.25F, 0.25F, 0.5F, 1, 0, 0});
    const Score score = ScorePredictions(probabilities, {0, 0, 0, 0, 1});
    EXPECT_DOUBLE_EQ(score.accuracy, 3.0 / 5);
    EXPECT_DOUBLE_EQ(score.balancedAccuracy, (3.0 / 4 + 0) / 2);
    EXPECT_DOUBLE_EQ(score.loss, (3 * std::log(2) + std::log(4) - std::log(1e-12)) / 5);
}

TEST(MetricsTest, NoSamplesScoreNaN)
{
    const Score score = ScorePredictions(Matrix<float>(0, 3), {});
    EXPECT_TRUE(std::isnan(score.accuracy));
    EXPECT_TRUE(std::isnan(score.balancedAccuracy));
    EXPECT_TRUE(std::isnan(score.loss));
}

TEST(MetricsTest, DivergedModelHasNoScore)
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const Score score = ScorePredictions(MakeMatrix(2, {1, 0, nan, nan}), {0, 0});
    EXPECT_TRUE(std::isnan(score.loss));
    EXPECT_TRUE(std::isnan(score.accuracy)) << "the first class is not what it says";
    EXPECT_TRUE(std::isnan(score.balancedAccuracy));
}

TEST(MetricsTest, RefusesLabelsThatDoNotFit)
{
    const auto probabilities = MakeMatrix(2, {0.5F, 0.5F});
    EXPECT_THROW(ScorePredictions(probabilities, {0, 1}), std::invalid_argument);
    EXPECT_THROW(ScorePredictions(probabilities, {2}), std::invalid_argument);
    EXPECT_THROW(ScorePredictions(probabilities, {-1}), std::invalid_argument);
}

} // namespace
