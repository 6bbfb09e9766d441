/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-differential-privacy.h"
#include "ns3/prediction-consensus-release.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

using namespace ns3::collab;

namespace
{

constexpr std::size_t SAMPLES = 300;
constexpr std::size_t CLASSES = 4;

/// @return predictions, all sure of one class
Matrix<float>
MakeSure(std::size_t label)
{
    Matrix<float> labels(SAMPLES, CLASSES);
    for (std::size_t sample = 0; sample < SAMPLES; ++sample)
    {
        labels.Row(sample)[label] = 1;
    }
    return labels;
}

/// @return a release of an honest agent
PredictionRelease
MakeRelease(std::optional<PredictionPrivacy> privacy,
            PredictionAttack attack = PredictionAttack::NONE,
            uint64_t seed = 1)
{
    return {SAMPLES, CLASSES, {}, attack, privacy, seed};
}

TEST(PredictionReleaseTest, ProjectionIsTheNearestPoint)
{
    // t = (1.2 + 0.3 - 1) / 2 of the two greatest; the third would be below 0
    std::vector<float> row{0.3F, 1.2F, -0.1F};
    ProjectToProbabilities(row.data(), row.size());
    EXPECT_NEAR(row[0], 0.05, 1e-7);
    EXPECT_NEAR(row[1], 0.95, 1e-7);
    EXPECT_EQ(row[2], 0);
    std::vector<float> low{-5, -5, -5, -5}; // all alike
    ProjectToProbabilities(low.data(), low.size());
    EXPECT_EQ(low, std::vector<float>(4, 0.25F));
    std::vector<float> some{0.2F, 0.5F, 0.3F}; // there already
    ProjectToProbabilities(some.data(), some.size());
    EXPECT_NEAR(some[0], 0.2, 1e-7);
    EXPECT_NEAR(some[1], 0.5, 1e-7);
}

TEST(PredictionReleaseTest, NoiseHasItsDeviationInEachProbability)
{
    // Of two classes the projection keeps half of the difference of their noise where neither is
    // below 0: variance sigma^2 / 2
    constexpr std::size_t MANY = 40000;
    constexpr double SIGMA = 0.02;
    Matrix<float> labels(MANY, 2);
    std::fill(labels.values.begin(), labels.values.end(), 0.5F);
    RandomGenerator generator(7);
    const Matrix<float> blurred = Blur(labels, SIGMA, generator);
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 0; i < MANY; ++i)
    {
        const double error = double{blurred(i, 0)} - 0.5;
        sum += error;
        squares += error * error;
        EXPECT_NEAR(double{blurred(i, 0)} + blurred(i, 1), 1, 1e-6);
    }
    EXPECT_NEAR(sum / MANY, 0, 5 * SIGMA / std::sqrt(2.0 * MANY));
    EXPECT_NEAR(squares / MANY, SIGMA * SIGMA / 2, SIGMA * SIGMA / 2 * 0.05);
}

TEST(PredictionReleaseTest, TheSensitivityIsReachedByOtherClasses)
{
    const Matrix<float> one = MakeSure(0);
    const Matrix<float> other = MakeSure(3);
    double squares = 0;
    for (std::size_t i = 0; i < one.values.size(); ++i)
    {
        squares += std::pow(one.values[i] - other.values[i], 2);
    }
    auto release = MakeRelease(PredictionPrivacy{20, 1e-4});
    EXPECT_EQ(release.GetEpsilon(), 0) << "nothing is sent yet";
    for (uint64_t exchanges = 1; exchanges <= 3; ++exchanges)
    {
        release.Make(one, "");
        EXPECT_NEAR(
            release.GetEpsilon(), GaussianEpsilon(std::sqrt(squares * exchanges), 20, 1e-4), 1e-9);
    }
}

TEST(PredictionReleaseTest, OthersReadNoiseAndTheAgentHasItsOwn)
{
    const PredictionPrivacy privacy{0.3, 1e-5};
    auto release = MakeRelease(privacy);
    const auto first = release.Make(MakeSure(2), "");
    const auto second = release.Make(MakeSure(2), "");
    EXPECT_EQ(first.fault, "");
    EXPECT_EQ(first.own->values, MakeSure(2).values);
    const Matrix<float>& told = first.sent.predictions;
    EXPECT_NE(told.values, MakeSure(2).values);
    EXPECT_NE(told.values, second.sent.predictions.values) << "noise of its own";
    EXPECT_NO_THROW(CheckPredictions(told, SAMPLES, CLASSES, PredictionKind::PROBABILITIES));
    EXPECT_EQ(told.values, MakeRelease(privacy).Make(MakeSure(2), "").sent.predictions.values);
    EXPECT_NE(told.values,
              MakeRelease(privacy, PredictionAttack::NONE, 2)
                  .Make(MakeSure(2), "")
                  .sent.predictions.values)
        << "other agents have other noise";
}

TEST(PredictionReleaseTest, WhatGoesWithoutNoiseSpendsAll)
{
    constexpr double INFINITE = std::numeric_limits<double>::infinity();
    auto open = MakeRelease(std::nullopt);
    const auto sent = open.Make(MakeSure(1), "");
    EXPECT_FALSE(sent.own) << "no copy";
    EXPECT_EQ(open.GetEpsilon(), INFINITE);

    auto liar = MakeRelease(PredictionPrivacy{}, PredictionAttack::SHIFT);
    EXPECT_EQ(liar.Make(MakeSure(1), "").sent.predictions.values, MakeSure(2).values);
    EXPECT_EQ(liar.GetEpsilon(), INFINITE);

    auto diverged = MakeRelease(PredictionPrivacy{});
    Matrix<float> none = MakeSure(1);
    none.values.front() = std::numeric_limits<float>::quiet_NaN();
    EXPECT_NE(diverged.Make(none, "").fault, "");
    diverged.Make(MakeSure(1), "");
    EXPECT_EQ(diverged.GetEpsilon(), INFINITE) << "later noise does not help";
}

TEST(PredictionReleaseTest, PrivacyIsReadFromText)
{
    const auto privacy = ReadPredictionPrivacy("sigma=0.5,delta=1e-6");
    EXPECT_EQ(privacy.sigma, 0.5);
    EXPECT_EQ(privacy.delta, 1e-6);
    for (const std::string wrong : {"delta=1e-5", "sigma=0", "sigma=1,clip=1", "sigma=1,delta=1"})
    {
        EXPECT_THROW(ReadPredictionPrivacy(wrong), std::invalid_argument) << wrong;
    }
}

} // namespace
