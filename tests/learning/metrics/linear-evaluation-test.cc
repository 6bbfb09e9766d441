/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/test-vectors.h"
#include "linear-evaluation-reference.h"

#include "ns3/collab-linear-evaluation.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <stdexcept>

namespace
{

using namespace ns3::collab;
using testing::DoubleNear;
using testing::Pointwise;

/// Half of the samples of make-unlabeled-reference.py, and their labels.
struct Half
{
    /// @param begin first sample
    explicit Half(std::size_t begin)
        : samples(200, 5)
    {
        const Matrix<float> all = MakeBlobs(400, 5, 4, 2.5F, 80);
        std::copy_n(all.Row(begin), samples.values.size(), samples.values.begin());
        for (std::size_t i = 0; i < 200; ++i)
        {
            labels.push_back(static_cast<int64_t>((begin + i) % 4));
        }
    }

    Matrix<float> samples;       //!< to fit to or to test
    std::vector<int64_t> labels; //!< one a sample
};

TEST(LinearEvaluationTest, IsThatOfScikitLearn)
{
    const Half known(0);
    const Half tested(200);
    LogisticOptions options;
    options.tolerance = 1e-9;
    const LogisticModel model = FitLogisticModel(known.samples, known.labels, 4, options);
    EXPECT_TRUE(model.isConverged);
    EXPECT_THAT(model.coefficients.values, Pointwise(DoubleNear(1e-5), DEFAULT_COEFFICIENTS));
    EXPECT_THAT(model.intercepts, Pointwise(DoubleNear(1e-5), DEFAULT_INTERCEPTS));
    const Score score =
        EvaluateLinearly({known.samples, known.labels}, {tested.samples, tested.labels}, 4);
    EXPECT_DOUBLE_EQ(score.accuracy, DEFAULT_ACCURACY_AND_LOSS[0]);
    EXPECT_NEAR(score.loss, DEFAULT_ACCURACY_AND_LOSS[1], 1e-4);
    options.l2 = 20;
    const LogisticModel strong = FitLogisticModel(known.samples, known.labels, 4, options);
    EXPECT_THAT(strong.coefficients.values, Pointwise(DoubleNear(1e-5), STRONG_COEFFICIENTS));
    EXPECT_THAT(strong.intercepts, Pointwise(DoubleNear(1e-5), STRONG_INTERCEPTS));
    const Score less = EvaluateLinearly(
        {known.samples, known.labels}, {tested.samples, tested.labels}, 4, options);
    EXPECT_DOUBLE_EQ(less.accuracy, STRONG_ACCURACY_AND_LOSS[0]);
    EXPECT_NEAR(less.loss, STRONG_ACCURACY_AND_LOSS[1], 1e-4);
}

TEST(LinearEvaluationTest, StandardizesFeatures)
{
    Half known(0);
    LogisticOptions options;
    options.tolerance = 1e-9;
    const LogisticModel model = FitLogisticModel(known.samples, known.labels, 4, options);
    for (std::size_t i = 0; i < known.samples.rows; ++i)
    {
        known.samples(i, 2) = 64 * known.samples(i, 2) - 128;
        known.samples(i, 4) = 3; // says nothing
    }
    const LogisticModel scaled = FitLogisticModel(known.samples, known.labels, 4, options);
    EXPECT_EQ(scaled.deviation[4], 1);
    EXPECT_NEAR(scaled.deviation[2], 64 * model.deviation[2], 1e-3);
    EXPECT_EQ(scaled.coefficients(0, 4), 0);
    options.standardizes = false;
    const LogisticModel raw = FitLogisticModel(known.samples, known.labels, 4, options);
    EXPECT_EQ(raw.mean[2], 0);
    EXPECT_EQ(raw.deviation[2], 1);
    EXPECT_NE(raw.coefficients.values, scaled.coefficients.values);
}

TEST(LinearEvaluationTest, GivesNothingToClassesWithoutSamples)
{
    const Half half(0);
    const LogisticModel four = FitLogisticModel(half.samples, half.labels, 4);
    std::vector<int64_t> labels = half.labels;
    for (int64_t& label : labels)
    {
        label = 2 * label + 1; // 1, 3, 5 and 7
    }
    const LogisticModel eight = FitLogisticModel(half.samples, labels, 8);
    EXPECT_EQ(eight.coefficients.rows, 8U);
    const Matrix<float> few = PredictLogistic(four, half.samples);
    const Matrix<float> many = PredictLogistic(eight, half.samples);
    for (std::size_t row = 0; row < half.samples.rows; ++row)
    {
        for (std::size_t one = 0; one < 4; ++one)
        {
            EXPECT_EQ(many(row, 2 * one), 0);
            EXPECT_NEAR(many(row, 2 * one + 1), few(row, one), 1e-6);
        }
    }
    labels.assign(200, 3); // one class only
    const Score score = EvaluateLinearly({half.samples, labels}, {half.samples, labels}, 8);
    EXPECT_EQ(score.accuracy, 1);
}

TEST(LinearEvaluationTest, SeparableClassesAreToldApart)
{
    Matrix<float> samples(4, 1);
    samples.values = {-2, -1, 1, 2};
    LogisticOptions options;
    options.l2 = 1e-3;
    const LogisticModel model = FitLogisticModel(samples, {0, 0, 1, 1}, 2, options);
    EXPECT_TRUE(model.isConverged);
    const Matrix<float> found = PredictLogistic(model, samples);
    EXPECT_GT(found(0, 0), 0.99F);
    EXPECT_GT(found(2, 1), 0.95F);
    EXPECT_NEAR(model.intercepts[0], 0, 1e-3); // symmetric
}

TEST(LinearEvaluationTest, OfWhatDivergedIsNoNumber)
{
    Half known(0);
    const Half tested(200);
    known.samples(0, 0) = std::numeric_limits<float>::quiet_NaN();
    const Score score =
        EvaluateLinearly({known.samples, known.labels}, {tested.samples, tested.labels}, 4);
    EXPECT_TRUE(std::isnan(score.accuracy));
    EXPECT_TRUE(std::isnan(score.loss));
}

TEST(LinearEvaluationTest, RefusesWhatCannotBeFitted)
{
    Half half(0);
    const auto fit = [&half](const LogisticOptions& options) {
        FitLogisticModel(half.samples, half.labels, 4, options);
    };
    LogisticOptions options;
    options.l2 = 0;
    EXPECT_THROW(fit(options), std::invalid_argument);
    options = LogisticOptions();
    options.iterations = 0;
    EXPECT_THROW(fit(options), std::invalid_argument);
    options = LogisticOptions();
    options.tolerance = 0;
    EXPECT_THROW(fit(options), std::invalid_argument);
    EXPECT_THROW(FitLogisticModel(half.samples, half.labels, 3), std::invalid_argument);
    const LogisticModel model = FitLogisticModel(half.samples, half.labels, 4);
    EXPECT_THROW(PredictLogistic(model, Matrix<float>(2, 4)), std::invalid_argument);
    half.labels.pop_back();
    EXPECT_THROW(fit(LogisticOptions()), std::invalid_argument);
    EXPECT_THROW(FitLogisticModel(Matrix<float>(0, 2), {}, 4), std::invalid_argument);
}

} // namespace
