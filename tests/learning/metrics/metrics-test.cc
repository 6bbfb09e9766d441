/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"
#include "metrics-reference.h"

#include "ns3/collab-distribution-distance.h"
#include "ns3/collab-metrics.h"

#include <cmath>
#include <gmock/gmock.h>
#include <stdexcept>

namespace metrics_test
{

using namespace ns3::collab;
using namespace tests;
using testing::ElementsAre;

/// @return class probabilities of make-metrics-reference.py
Matrix<float>
MakeReferenceProbabilities()
{
    Matrix<float> probabilities(200, 4);
    for (std::size_t i = 0; i < 200; ++i)
    {
        double sum = 0;
        double exponentials[4];
        for (std::size_t c = 0; c < 4; ++c)
        {
            exponentials[c] = std::exp(2 * std::sin(1.0 + 3.0 * i + 7.0 * c));
            sum += exponentials[c];
        }
        for (std::size_t c = 0; c < 4; ++c)
        {
            probabilities(i, c) = static_cast<float>(exponentials[c] / sum);
        }
    }
    return probabilities;
}

/// @return labels of make-metrics-reference.py
std::vector<int64_t>
MakeReferenceLabels()
{
    std::vector<int64_t> labels;
    for (int64_t i = 0; i < 200; ++i)
    {
        labels.push_back((i * i + i / 3) % 4);
    }
    return labels;
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
    const Score score = ScorePredictions(MakeMatrix(2, {1, 0, NAN, NAN}), {0, 0});
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

TEST(ClassScoreTest, AgreesWithNumpy)
{
    const auto scores = ScoreClasses(MakeReferenceProbabilities(), MakeReferenceLabels());
    ASSERT_EQ(scores.size(), 4U);
    for (std::size_t c = 0; c < 4; ++c)
    {
        EXPECT_DOUBLE_EQ(scores[c].recall, EXPECTED_RECALL[c]);
        EXPECT_DOUBLE_EQ(scores[c].precision, EXPECTED_PRECISION[c]);
    }
}

TEST(ClassScoreTest, AbsentClassesHaveNoScore)
{
    const auto probabilities = MakeMatrix(3, {1, 0, 0, 1, 0, 0});
    const auto scores = ScoreClasses(probabilities, {0, 1});
    EXPECT_EQ(scores[0].precision, 0.5);
    EXPECT_EQ(scores[1].recall, 0);
    EXPECT_TRUE(std::isnan(scores[1].precision));
    EXPECT_TRUE(std::isnan(scores[2].recall));
    EXPECT_EQ(scores[0].samples, 1U);
    EXPECT_EQ(scores[0].predicted, 2U);
    EXPECT_EQ(scores[0].right, 1U);
    EXPECT_THROW(ScoreClasses(probabilities, {0, 3}), std::invalid_argument);
}

TEST(CalibrationTest, AgreesWithNumpy)
{
    EXPECT_NEAR(ExpectedCalibrationError(MakeReferenceProbabilities(), MakeReferenceLabels()),
                EXPECTED_CALIBRATION_ERROR[0],
                1e-12);
}

TEST(CalibrationTest, ByHand)
{
    // Bins of width 1/2: {0.5, right}, {0.75, wrong; 1, right}
    auto probabilities = MakeMatrix(2, {0.5, 0.5, 0.75, 0.25, 0, 1});
    EXPECT_DOUBLE_EQ(ExpectedCalibrationError(probabilities, {0, 1, 1}, 2), (0.5 + 0.75) / 3);
    EXPECT_DOUBLE_EQ(ExpectedCalibrationError(probabilities, {0, 1, 1}, 1), 0.25 / 3);
    EXPECT_TRUE(std::isnan(ExpectedCalibrationError(Matrix<float>(0, 2), {})));
    EXPECT_THROW(ExpectedCalibrationError(probabilities, {0, 1, 1}, 0), std::invalid_argument);
    probabilities(0, 0) = 1.5;
    EXPECT_THROW(ExpectedCalibrationError(probabilities, {0, 1, 1}), std::invalid_argument);
    probabilities(0, 0) = probabilities(0, 1) = NAN;
    EXPECT_TRUE(std::isnan(ExpectedCalibrationError(probabilities, {0, 1, 1})));
}

TEST(DistributionDistanceTest, AgreesWithScipy)
{
    std::vector<double> p;
    std::vector<double> q;
    for (int i = 0; i < 6; ++i)
    {
        p.push_back(i == 2 ? 0 : 1 + std::sin(i));
        q.push_back(i == 4 ? 0 : 1 + std::cos(2 * i));
    }
    EXPECT_NEAR(HistogramWassersteinDistance(p, q), EXPECTED_HISTOGRAM_WASSERSTEIN[0], 1e-12);
    EXPECT_NEAR(JensenShannonDivergence(p, q), EXPECTED_JENSEN_SHANNON[0], 1e-12);
    EXPECT_NEAR(JensenShannonDivergence(q, p), EXPECTED_JENSEN_SHANNON[0], 1e-12);
    EXPECT_NEAR(TotalVariationDistance(p, q), EXPECTED_TOTAL_VARIATION[0], 1e-12);
    EXPECT_NEAR(TotalVariationDistance(q, p), EXPECTED_TOTAL_VARIATION[0], 1e-12);
}

TEST(DistributionDistanceTest, ByHand)
{
    EXPECT_EQ(HistogramWassersteinDistance({1, 0, 0}, {0, 0, 5}), 2);
    EXPECT_EQ(TotalVariationDistance({1, 0, 0}, {0, 0, 5}), 1);
    EXPECT_EQ(TotalVariationDistance({1, 3}, {3, 1}), 0.5);
    EXPECT_EQ(TotalVariationDistance({2, 2}, {1, 1}), 0);
    EXPECT_EQ(JensenShannonDivergence({1, 0}, {0, 1}), 1);
    EXPECT_EQ(JensenShannonDivergence({2, 2}, {1, 1}), 0);
    // (log2(4/3) + log2(2/3) / 2 + 1 / 2) / 2
    EXPECT_NEAR(JensenShannonDivergence({1, 0}, {0.5, 0.5}), 0.31127812445913283, 1e-15);
}

TEST(DistributionDistanceTest, RefusesWhatIsNoDistribution)
{
    for (const auto& bad :
         std::vector<std::vector<double>>{{}, {1}, {0, 0}, {1, -1}, {1, INFINITY}})
    {
        EXPECT_THROW(JensenShannonDivergence({1, 1}, bad), std::invalid_argument);
        EXPECT_THROW(HistogramWassersteinDistance(bad, {1, 1}), std::invalid_argument);
        EXPECT_THROW(TotalVariationDistance({1, 1}, bad), std::invalid_argument);
    }
}

TEST(MetricsTest, EntropiesAndTheAreaUnderTheirRoc)
{
    Matrix<float> probabilities(3, 2);
    probabilities.values = {1, 0, 0.5, 0.5, 0.25, 0.75};
    const std::vector<double> entropies = PredictiveEntropies(probabilities);
    EXPECT_EQ(entropies[0], 0);
    EXPECT_DOUBLE_EQ(entropies[1], std::log(2));
    EXPECT_DOUBLE_EQ(entropies[2], 2 * std::log(2) - 0.75 * std::log(3));
    // Pairs: 1 over 0 and 0.5, ties with 1, under 3; 4 over all
    EXPECT_DOUBLE_EQ(AreaUnderRoc({1, 3, 0, 0.5}, {1, 4}), (2.5 + 4) / 8);
    EXPECT_TRUE(std::isnan(AreaUnderRoc({}, {1})));
    EXPECT_TRUE(std::isnan(AreaUnderRoc({1, NAN}, {1})));
}

} // namespace metrics_test
