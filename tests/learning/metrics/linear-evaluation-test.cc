/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"
#include "linear-evaluation-reference.h"

#include "ns3/collab-linear-evaluation.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <stdexcept>

namespace linear_evaluation_test
{

using namespace ns3::collab;
using namespace tests;

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
    const auto compare = [&](double l2,
                             const std::vector<double>& coefficients,
                             const std::vector<double>& intercepts,
                             const std::vector<double>& accuracyAndLoss) {
        LogisticOptions options;
        options.l2 = l2;
        options.tolerance = 1e-9;
        const auto model = FitLogisticModel(known.samples, known.labels, 4, options);
        EXPECT_TRUE(model.isConverged || l2 > 1); // rounding may end it before
        ExpectNear(model.coefficients.values, coefficients, 1e-5);
        ExpectNear(model.intercepts, intercepts, 1e-5);
        options.tolerance = LogisticOptions().tolerance;
        const Score score = EvaluateLinearly(
            {known.samples, known.labels}, {tested.samples, tested.labels}, 4, options);
        EXPECT_DOUBLE_EQ(score.accuracy, accuracyAndLoss[0]);
        EXPECT_NEAR(score.loss, accuracyAndLoss[1], 1e-4);
    };
    compare(
        LogisticOptions().l2, DEFAULT_COEFFICIENTS, DEFAULT_INTERCEPTS, DEFAULT_ACCURACY_AND_LOSS);
    compare(20, STRONG_COEFFICIENTS, STRONG_INTERCEPTS, STRONG_ACCURACY_AND_LOSS);
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
    const auto samples = MakeMatrix(1, {-2, -1, 1, 2});
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
    known.samples(0, 0) = NAN;
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
    for (const auto change :
         std::vector<void (*)(LogisticOptions&)>{[](auto& options) { options.l2 = 0; },
                                                 [](auto& options) { options.iterations = 0; },
                                                 [](auto& options) { options.tolerance = 0; }})
    {
        LogisticOptions options;
        change(options);
        EXPECT_THROW(fit(options), std::invalid_argument);
    }
    EXPECT_THROW(FitLogisticModel(half.samples, half.labels, 3), std::invalid_argument);
    const LogisticModel model = FitLogisticModel(half.samples, half.labels, 4);
    EXPECT_THROW(PredictLogistic(model, Matrix<float>(2, 4)), std::invalid_argument);
    half.labels.pop_back();
    EXPECT_THROW(fit(LogisticOptions()), std::invalid_argument);
    EXPECT_THROW(FitLogisticModel(Matrix<float>(0, 2), {}, 4), std::invalid_argument);
}

} // namespace linear_evaluation_test
