/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"
#include "privacy-reference.h"

#include "ns3/collab-differential-privacy.h"

#include <cmath>
#include <gmock/gmock.h>
#include <stdexcept>
#include <vector>

namespace differential_privacy_test
{

using namespace ns3::collab;
using namespace tests;
using testing::ElementsAre;

TEST(DifferentialPrivacyTest, GaussianMechanismAgreesWithManyDigits)
{
    for (const auto& [sensitivity, sigma, epsilon, delta] : EXPECTED_GAUSSIAN)
    {
        EXPECT_NEAR(GaussianDelta(sensitivity, sigma, epsilon) / delta, 1, 1e-10);
        EXPECT_NEAR(GaussianEpsilon(sensitivity, sigma, delta), epsilon, 1e-9 * (1 + epsilon));
    }
}

TEST(DifferentialPrivacyTest, EpsilonIsZeroWhereDeltaAllowsIt)
{
    EXPECT_EQ(GaussianEpsilon(1, 1, 0.4), 0); // delta(0) is 0.383
    EXPECT_GT(GaussianEpsilon(1, 1, 0.38), 0);
}

TEST(DifferentialPrivacyTest, CompositionAgreesWithTheSumOfPrivacyLosses)
{
    for (const auto& [sensitivity, sigma, delta, releases, epsilon] : EXPECTED_COMPOSED)
    {
        const auto count = static_cast<uint64_t>(releases);
        EXPECT_NEAR(ComposedGaussianEpsilon(sensitivity, sigma, delta, count) / epsilon, 1, 1e-10);
    }
    EXPECT_EQ(ComposedGaussianEpsilon(1, 1, 1e-5, 0), 0);
}

TEST(DifferentialPrivacyTest, ClipsToTheNorm)
{
    std::vector<float> values = {3, -4};
    EXPECT_EQ(ClipNorm(values.data(), 2, 5), 5);
    EXPECT_THAT(values, ElementsAre(3, -4));
    EXPECT_EQ(ClipNorm(values.data(), 2, 1), 5);
    EXPECT_THAT(values, ElementsAre(0.6F, -0.8F));
    std::vector<float> zeros(2, 0);
    EXPECT_EQ(ClipNorm(zeros.data(), 2, 1), 0);
    EXPECT_THAT(zeros, ElementsAre(0, 0));
}

TEST(DifferentialPrivacyTest, ReleasesAreClippedNoisyAndCounted)
{
    GaussianLocalPrivacy privacy(2, 10, 1e-5);
    EXPECT_EQ(privacy.GetEpsilonSpent(), 0);
    std::vector<float> values(10000, 1000); // norm 1e5, clipped to 0.02 each
    privacy.Release(values.data(), values.size(), 3);
    EXPECT_EQ(privacy.GetEpsilonSpent(), GaussianEpsilon(4, 10, 1e-5)); // vectors are 4 apart
    EXPECT_NEAR(Moments(values).mean, 0.02, 0.3);
    EXPECT_NEAR(Moments(values).deviation, 10, 0.3);
    std::vector<float> again(10000, 1000);
    std::vector<float> other(10000, 1000);
    privacy.Release(again.data(), again.size(), 3);
    EXPECT_EQ(again, values);
    EXPECT_EQ(privacy.GetEpsilonSpent(), ComposedGaussianEpsilon(4, 10, 1e-5, 2));
    privacy.Release(other.data(), other.size(), 4);
    EXPECT_NE(other, values);
    // Two vectors of norm 2 are up to 4 apart.
    EXPECT_EQ(privacy.GetEpsilonSpent(), ComposedGaussianEpsilon(4, 10, 1e-5, 3));
    std::vector<float> bad = {1, NAN};
    EXPECT_THROW(privacy.Release(bad.data(), 2, 5), std::invalid_argument);
    EXPECT_EQ(privacy.GetEpsilonSpent(), ComposedGaussianEpsilon(4, 10, 1e-5, 3)); // as before
}

TEST(DifferentialPrivacyTest, ALongReleaseIsAsLongAsItsBound)
{
    GaussianLocalPrivacy privacy(2, 1e-3, 1e-5);
    std::vector<float> values(100, 1000); // norm 1e4, clipped to 0.2 each
    privacy.Release(values.data(), values.size(), 3);
    EXPECT_THAT(values, testing::Each(testing::FloatNear(0.2F, 6e-3F)));
    std::vector<float> within(100, -0.1F); // norm 1: nothing is clipped
    privacy.Release(within.data(), within.size(), 4);
    EXPECT_THAT(within, testing::Each(testing::FloatNear(-0.1F, 6e-3F)));
}

TEST(DifferentialPrivacyTest, RefusesArguments)
{
    for (const double bad : {0.0, -1.0, double{NAN}, double{INFINITY}})
    {
        EXPECT_THROW(GaussianEpsilon(bad, 1, 1e-5), std::invalid_argument);
        EXPECT_THROW(GaussianEpsilon(1, bad, 1e-5), std::invalid_argument);
        EXPECT_THROW(GaussianLocalPrivacy(bad, 1, 1e-5), std::invalid_argument);
        EXPECT_THROW(GaussianLocalPrivacy(1, bad, 1e-5), std::invalid_argument);
        EXPECT_THROW(ComposedGaussianEpsilon(1, bad, 1e-5, 1), std::invalid_argument);
        float value = 1;
        EXPECT_THROW(ClipNorm(&value, 1, bad), std::invalid_argument);
    }
    for (const double bad : {0.0, 1.0, -0.5, double{NAN}})
    {
        EXPECT_THROW(GaussianEpsilon(1, 1, bad), std::invalid_argument);
        EXPECT_THROW(GaussianLocalPrivacy(1, 1, bad), std::invalid_argument);
    }
    EXPECT_THROW(GaussianDelta(1, 1, -1), std::invalid_argument);
}

} // namespace differential_privacy_test
