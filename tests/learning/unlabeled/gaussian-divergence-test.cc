/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"
#include "unlabeled-reference.h"

#include "ns3/collab-gaussian-divergence.h"

#include <cmath>
#include <gmock/gmock.h>
#include <stdexcept>
#include <utility>
#include <vector>

namespace gaussian_divergence_test
{

using namespace ns3::collab;
using namespace tests;

/// @return all samples as one cluster
GaussianCluster
DescribeAll(const Matrix<float>& samples)
{
    return DescribeCluster(samples, Range(static_cast<uint32_t>(samples.rows)));
}

/// @return the Gaussian
GaussianCluster
MakeGaussian(const std::vector<double>& mean, const std::vector<double>& covariance)
{
    GaussianCluster cluster;
    cluster.mean = mean;
    cluster.covariance = Matrix<double>(mean.size(), mean.size());
    cluster.covariance.values = covariance;
    return cluster;
}

TEST(GaussianClusterTest, IsThatOfNumpy)
{
    const GaussianCluster found = DescribeAll(MakeBlobs(40, 4, 1, 1.6F, 60));
    EXPECT_EQ(found.count, 40U);
    ExpectNear(found.mean, GAUSSIAN_MEAN, 1e-10);
    ExpectNear(found.covariance.values, GAUSSIAN_COVARIANCE, 1e-10);
}

TEST(GaussianClusterTest, OfSomeRowsByHand)
{
    const auto samples = MakeMatrix(2, {1, 2, 100, 100, 3, 6});
    const GaussianCluster found = DescribeCluster(samples, {0, 2});
    EXPECT_EQ(found.count, 2U);
    EXPECT_THAT(found.mean, testing::ElementsAre(2, 4));
    EXPECT_THAT(found.covariance.values, testing::ElementsAre(1 + 1e-6, 2, 2, 4 + 1e-6));
    const GaussianCluster alone = DescribeCluster(samples, {1});
    EXPECT_THAT(alone.covariance.values, testing::ElementsAre(1e-6, 0, 0, 1e-6));
    EXPECT_NO_THROW(FactoredCluster{alone});
    EXPECT_THROW(DescribeCluster(samples, {}), std::invalid_argument);
    EXPECT_THROW(DescribeCluster(samples, {3}), std::invalid_argument);
}

TEST(GaussianDivergenceTest, IsTheClosedForm)
{
    const GaussianCluster p = DescribeAll(MakeBlobs(40, 4, 1, 1.6F, 60));
    const GaussianCluster q = DescribeAll(MakeBlobs(40, 4, 1, 1.7F, 70));
    EXPECT_NEAR(GaussianDivergence(p, q), GAUSSIAN_DIVERGENCES[0], 1e-8);
    EXPECT_NEAR(GaussianDivergence(q, p), GAUSSIAN_DIVERGENCES[1], 1e-8);
    EXPECT_NEAR(GaussianDivergence(p, p), 0, 1e-12);
    const FactoredCluster factored(p);
    EXPECT_EQ(factored.DivergenceOf(FactoredCluster(q)), GaussianDivergence(q, p));
}

TEST(GaussianDivergenceTest, ByHand)
{
    // log(s_q / s_p) + (s_p^2 + (m_p - m_q)^2) / (2 s_q^2) - 1/2
    const GaussianCluster p = MakeGaussian({1}, {4});
    const GaussianCluster q = MakeGaussian({3}, {9});
    EXPECT_NEAR(GaussianDivergence(p, q), std::log(1.5) + 8.0 / 18 - 0.5, 1e-14);
    EXPECT_NEAR(GaussianDivergence(q, p), -std::log(1.5) + 13.0 / 8 - 0.5, 1e-14);
    EXPECT_NEAR(FactoredCluster(MakeGaussian({0, 0}, {2, 1, 1, 2})).GetLogDeterminant(),
                std::log(3.0),
                1e-14);
}

TEST(GaussianDivergenceTest, DrawsWhatItDescribes)
{
    const GaussianCluster given = MakeGaussian({1, -2, 3}, {4, 2, 0, 2, 3, -1, 0, -1, 1});
    RandomGenerator generator(1);
    const uint32_t count = 20000;
    const Matrix<float> drawn = FactoredCluster(given).Draw(count, generator);
    const GaussianCluster found = DescribeAll(drawn);
    for (std::size_t i = 0; i < 3; ++i)
    {
        const double variance = given.covariance(i, i);
        EXPECT_NEAR(found.mean[i], given.mean[i], 4 * std::sqrt(variance / count));
        for (std::size_t j = 0; j < 3; ++j)
        {
            const double other = given.covariance(j, j);
            const double product = given.covariance(i, j) * given.covariance(i, j);
            EXPECT_NEAR(found.covariance(i, j),
                        given.covariance(i, j),
                        4 * std::sqrt((variance * other + product) / count));
        }
    }
}

/// @return joint Gaussian of independent ones, with the features of all parts in turn
GaussianCluster
Interleave(const std::vector<GaussianCluster>& parts)
{
    std::vector<std::pair<std::size_t, std::size_t>> features; // part and feature of it
    for (std::size_t feature = 0; feature < 3; ++feature)
    {
        for (std::size_t part = 0; part < parts.size(); ++part)
        {
            features.emplace_back(part, feature);
        }
    }
    GaussianCluster joint;
    joint.covariance = Matrix<double>(features.size(), features.size());
    for (std::size_t i = 0; i < features.size(); ++i)
    {
        const auto [part, feature] = features[i];
        joint.mean.push_back(parts[part].mean[feature]);
        for (std::size_t j = 0; j < features.size(); ++j)
        {
            joint.covariance(i, j) =
                features[j].first == part ? parts[part].covariance(feature, features[j].second) : 0;
        }
    }
    return joint;
}

TEST(GaussianDivergenceTest, OfManyFeaturesIsThatOfTheirIndependentParts)
{
    std::vector<GaussianCluster> first;
    std::vector<GaussianCluster> second;
    double expected = 0;
    for (int part = 0; part < 7; ++part) // 21 features
    {
        const double x = 0.1 * part;
        first.push_back(MakeGaussian({x, 1 - x, 2}, {2, x, 0.3, x, 1, -x, 0.3, -x, 1.5}));
        second.push_back(MakeGaussian({1, x, x}, {1 + x, 0.2, 0, 0.2, 2, x, 0, x, 1}));
        expected += GaussianDivergence(first.back(), second.back());
    }
    const double found = GaussianDivergence(Interleave(first), Interleave(second));
    EXPECT_NEAR(found, expected, 1e-11);
    EXPECT_GT(found, 1);
}

TEST(GaussianDivergenceTest, RefusesWhatIsNoGaussian)
{
    GaussianCluster other = MakeGaussian({0, 0}, {1, 0, 0, 1});
    other.mean.push_back(0);
    for (const GaussianCluster& wrong : {MakeGaussian({0, 0}, {1, 2, 2, 1}),
                                         MakeGaussian({0}, {0}),
                                         MakeGaussian({0}, {-1}),
                                         MakeGaussian({}, {}),
                                         MakeGaussian({NAN}, {1}),
                                         MakeGaussian({0}, {INFINITY}),
                                         other})
    {
        EXPECT_THROW(FactoredCluster{wrong}, std::invalid_argument) << wrong.mean.size();
    }
    const FactoredCluster one(MakeGaussian({0}, {1}));
    EXPECT_THROW(one.DivergenceOf(FactoredCluster(MakeGaussian({0, 0}, {1, 0, 0, 1}))),
                 std::invalid_argument);
}

TEST(GaussianDivergenceTest, CostsWhatIsDocumented)
{
    EXPECT_EQ(CountClusterFactorFlops(6), 504U);
    EXPECT_EQ(CountClusterDivergenceFlops(4), 80U + 12 + 5);
}

} // namespace gaussian_divergence_test
