/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "latent-inputs.h"

#include "ns3/collab-random.h"
#include "ns3/graph-discovery-latent-exchange.h"

#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <stdexcept>

using namespace ns3::collab;
using testing::ElementsAre;

namespace
{

/// @param actual clusters
/// @param means of those that are expected, one after the other
/// @param covariances of them
void
ExpectClusters(const std::vector<ClusterMoments>& actual,
               const std::vector<double>& means,
               const std::vector<double>& covariances)
{
    std::size_t nextMean = 0;
    std::size_t nextCovariance = 0;
    for (const ClusterMoments& moments : actual)
    {
        const GaussianCluster gaussian = MakeGaussian(moments);
        for (const double value : gaussian.mean)
        {
            EXPECT_NEAR(value, means.at(nextMean++), 1e-12);
        }
        for (const double value : gaussian.covariance.values)
        {
            EXPECT_NEAR(value, covariances.at(nextCovariance++), 1e-11);
        }
    }
    EXPECT_EQ(nextMean, means.size());
    EXPECT_EQ(nextCovariance, covariances.size());
}

/// @param moments of clusters
/// @return number of their points
double
CountPoints(const std::vector<ClusterMoments>& moments)
{
    double count = 0;
    for (const ClusterMoments& cluster : moments)
    {
        count += cluster.count;
    }
    return count;
}

/// @param mean of the cluster
/// @param variance of each number
/// @param count of its points
/// @return a round cluster
GaussianCluster
MakeRound(const std::vector<double>& mean, double variance, uint32_t count)
{
    GaussianCluster cluster;
    cluster.mean = mean;
    cluster.covariance = Matrix<double>(mean.size(), mean.size());
    for (std::size_t i = 0; i < mean.size(); ++i)
    {
        cluster.covariance(i, i) = variance;
    }
    cluster.count = count;
    return cluster;
}

/// @param covariance positive definite
/// @return its lower triangular factor
Matrix<double>
Factor(const Matrix<double>& covariance)
{
    Matrix<double> lower(covariance.rows, covariance.rows);
    for (std::size_t i = 0; i < lower.rows; ++i)
    {
        for (std::size_t j = 0; j <= i; ++j)
        {
            double rest = covariance(i, j);
            for (std::size_t k = 0; k < j; ++k)
            {
                rest -= lower(i, k) * lower(j, k);
            }
            lower(i, j) = i == j ? std::sqrt(rest) : rest / lower(j, j);
        }
    }
    return lower;
}

/// @param[in,out] moments of the cluster that gets a point
/// @param point its numbers
void
AddPoint(ClusterMoments& moments, const std::vector<double>& point)
{
    moments.count += 1;
    for (std::size_t i = 0; i < point.size(); ++i)
    {
        moments.sum[i] += point[i];
        for (std::size_t j = 0; j < point.size(); ++j)
        {
            moments.products(i, j) += point[i] * point[j];
        }
    }
}

/// @param moments of clusters with points
/// @param point some point
/// @return the cluster of the nearest centroid
std::size_t
FindNearest(const std::vector<ClusterMoments>& moments, const std::vector<double>& point)
{
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < moments.size(); ++k)
    {
        double squared = 0;
        for (std::size_t i = 0; i < point.size(); ++i)
        {
            squared += std::pow(point[i] - moments[k].sum[i] / moments[k].count, 2);
        }
        if (squared < least)
        {
            least = squared;
            best = k;
        }
    }
    return best;
}

TEST(LatentExchange, ARequestIsSplitByDistance)
{
    const Matrix<float> own = MakePoints(latent_reference::OWN);
    const Matrix<float> remote = MakePoints(latent_reference::REMOTE);
    EXPECT_EQ(SplitRequest(latent_reference::REQUESTED, own, remote), latent_reference::SPLIT);
    EXPECT_THAT(SplitRequest(0, own, remote), testing::Each(0));
}

TEST(LatentExchange, ARequestIsSplitEquallyWithoutDistances)
{
    const Matrix<float> same(3, 2, 1.5F);
    EXPECT_THAT(SplitRequest(8, same, same), ElementsAre(3, 3, 2));
    EXPECT_THAT(SplitRequest(8, same, {}), ElementsAre(3, 3, 2));
}

TEST(LatentExchange, ARequestNeedsCentroids)
{
    const Matrix<float> own(3, 2);
    Matrix<float> infinite(1, 2);
    infinite(0, 1) = std::numeric_limits<float>::infinity();
    EXPECT_THROW(SplitRequest(8, own, Matrix<float>(3, 4)), std::invalid_argument);
    EXPECT_THROW(SplitRequest(8, own, infinite), std::invalid_argument);
    EXPECT_THROW(SplitRequest(8, Matrix<float>(0, 2), own), std::invalid_argument);
}

TEST(LatentExchange, ClustersAreSharedEquallyAmongThoseThatAreTrusted)
{
    const std::vector<std::vector<uint8_t>> trusted = {{1, 1, 0}, {0, 1, 0}, {1, 1, 0}};
    const auto shares = ShareClusters({10, 14, 20}, {3, 6, 0}, trusted);
    EXPECT_THAT(shares,
                ElementsAre(ElementsAre(4, 3, 0), ElementsAre(0, 3, 0), ElementsAre(3, 2, 0)));
    EXPECT_THAT(ShareClusters({2}, {5}, {{1}}), ElementsAre(ElementsAre(0)));
    EXPECT_THAT(ShareClusters({2}, {1}, {}), testing::IsEmpty());
    EXPECT_THROW(ShareClusters({2}, {1, 2}, {{1}}), std::invalid_argument);
    EXPECT_THROW(ShareClusters({2}, {1}, {{1, 1}}), std::invalid_argument);
}

TEST(LatentExchange, NothingUntrustedIsSharedAndNoClusterFallsBelowItsThreshold)
{
    RandomGenerator generator(3);
    const auto draw = [&generator](uint32_t most) {
        return boost::random::uniform_int_distribution<uint32_t>(0, most)(generator);
    };
    for (int game = 0; game < 20000; ++game)
    {
        const uint32_t clusters = 1 + draw(8);
        std::vector<uint32_t> sizes(clusters);
        std::vector<uint32_t> thresholds(clusters);
        std::vector<std::vector<uint8_t>> trusted(draw(6), std::vector<uint8_t>(clusters));
        std::generate(sizes.begin(), sizes.end(), [&draw] { return draw(40); });
        std::generate(thresholds.begin(), thresholds.end(), [&draw] { return draw(30); });
        for (std::vector<uint8_t>& receiver : trusted)
        {
            std::generate(receiver.begin(), receiver.end(), [&draw] { return draw(1); });
        }
        const auto shares = ShareClusters(sizes, thresholds, trusted);
        ASSERT_EQ(shares.size(), trusted.size());
        for (uint32_t l = 0; l < clusters; ++l)
        {
            uint32_t given = 0;
            bool anybody = false;
            for (std::size_t i = 0; i < trusted.size(); ++i)
            {
                ASSERT_TRUE(trusted[i][l] != 0 || shares[i][l] == 0);
                given += shares[i][l];
                anybody = anybody || trusted[i][l] != 0;
            }
            const uint32_t spare = sizes[l] > thresholds[l] ? sizes[l] - thresholds[l] : 0;
            ASSERT_EQ(given, anybody ? spare : 0U);
        }
    }
}

TEST(LatentExchange, MomentsAreThoseOfThePoints)
{
    const std::vector<ClusterMoments> moments = MakeMoments();
    ExpectClusters(moments, latent_reference::MEANS, latent_reference::COVARIANCES);
    EXPECT_EQ(CountPoints(moments), latent_reference::LABELS.size());
    EXPECT_EQ(MakeGaussian(moments[0]).count,
              std::count(latent_reference::LABELS.begin(), latent_reference::LABELS.end(), 0));
}

TEST(LatentExchange, ManyPointsAreSummedAsFewAre)
{
    const Matrix<float> few = MakePoints(latent_reference::POINTS);
    Matrix<float> many(0, few.columns);
    std::vector<uint32_t> labels;
    for (int copy = 0; copy < 7; ++copy)
    {
        many.values.insert(many.values.end(), few.values.begin(), few.values.end());
        many.rows += few.rows;
        labels.insert(
            labels.end(), latent_reference::LABELS.begin(), latent_reference::LABELS.end());
    }
    const auto moments = SumClusters(many, labels, latent_reference::CLUSTERS);
    ExpectClusters(moments, latent_reference::MEANS, latent_reference::COVARIANCES);
    EXPECT_EQ(CountPoints(moments), 7.0 * static_cast<double>(few.rows));
}

TEST(LatentExchange, ClustersWithoutPointsAreSmall)
{
    const auto moments = SumClusters(MakePoints({1, 2, 3}), {1}, 2);
    const GaussianCluster empty = MakeGaussian(moments[0]);
    EXPECT_THAT(empty.mean, testing::Each(0.0));
    EXPECT_EQ(empty.count, 0U);
    EXPECT_EQ(empty.covariance(1, 1), 1e-6);
    EXPECT_EQ(empty.covariance(0, 1), 0);
    EXPECT_THAT(MakeGaussian(moments[1]).mean, ElementsAre(1, 2, 3));
    EXPECT_NEAR(MakeGaussian(moments[1]).covariance(2, 2), 1e-6, 1e-12);
}

TEST(LatentExchange, PointsNeedACluster)
{
    const Matrix<float> points = MakePoints({1, 2, 3});
    EXPECT_THROW(SumClusters(points, {2}, 2), std::invalid_argument);
    EXPECT_THROW(SumClusters(points, {1, 1}, 2), std::invalid_argument);
}

TEST(LatentExchange, SampledPointsGoToTheNearestOfTheOldCentroids)
{
    // Almost without variance the points are the means, which numpy has assigned
    std::vector<GaussianCluster> remote;
    const Matrix<float> added = MakePoints(latent_reference::ADDED);
    for (std::size_t row = 0; row < added.rows; ++row)
    {
        remote.push_back(MakeRound({added.Row(row), added.Row(row) + added.columns}, 1e-26, 1));
    }
    const std::vector<ClusterMoments> before = MakeMoments();
    const std::vector<ClusterMoments> after = AddSampledPoints(before, remote, 5);
    ExpectClusters(after, latent_reference::MEANS_AFTER, latent_reference::COVARIANCES_AFTER);
    EXPECT_NEAR(ScoreClusters(before, after), latent_reference::SCORE, 1e-12);
}

TEST(LatentExchange, MomentsAfterAreThoseOfTheUnion)
{
    const std::vector<ClusterMoments> before = MakeMoments();
    std::vector<GaussianCluster> remote = GetClusters(latent_reference::SYSTEM_BEFORE, 1);
    remote[0].count = 300; // more than a block
    remote[1].count = 7;
    std::vector<ClusterMoments> expected = before;
    RandomGenerator generator(11);
    boost::random::normal_distribution<double> normal;
    for (const GaussianCluster& cluster : remote)
    {
        const Matrix<double> lower = Factor(cluster.covariance);
        for (uint32_t draw = 0; draw < cluster.count; ++draw)
        {
            std::vector<double> point = cluster.mean;
            for (std::size_t j = 0; j < point.size(); ++j)
            {
                const double number = normal(generator);
                for (std::size_t i = j; i < point.size(); ++i)
                {
                    point[i] += lower(i, j) * number;
                }
            }
            AddPoint(expected[FindNearest(before, point)], point);
        }
    }
    const std::vector<ClusterMoments> after = AddSampledPoints(before, remote, 11);
    EXPECT_EQ(CountPoints(after), CountPoints(before) + 307);
    for (std::size_t k = 0; k < after.size(); ++k)
    {
        EXPECT_EQ(after[k].count, expected[k].count);
        EXPECT_GT(after[k].count, before[k].count) << "a test in which nothing is assigned";
        for (std::size_t i = 0; i < latent_reference::WIDTH; ++i)
        {
            EXPECT_NEAR(after[k].sum[i], expected[k].sum[i], 1e-9);
        }
        for (std::size_t i = 0; i < after[k].products.values.size(); ++i)
        {
            EXPECT_NEAR(after[k].products.values[i], expected[k].products.values[i], 1e-9);
        }
    }
}

TEST(LatentExchange, SampledPointsHaveTheMomentsOfTheirCluster)
{
    // One own cluster gets all
    const std::vector<ClusterMoments> own = SumClusters(MakePoints({0, 0, 0}), {0}, 1);
    GaussianCluster remote = GetClusters(latent_reference::SYSTEM_BEFORE, 2)[1];
    remote.count = 200000;
    const GaussianCluster sampled = MakeGaussian(AddSampledPoints(own, {remote}, 1)[0]);
    for (std::size_t i = 0; i < latent_reference::WIDTH; ++i)
    {
        EXPECT_NEAR(sampled.mean[i], remote.mean[i], 0.02);
    }
    for (std::size_t i = 0; i < remote.covariance.values.size(); ++i)
    {
        EXPECT_NEAR(sampled.covariance.values[i], remote.covariance.values[i], 0.02);
    }
}

TEST(LatentExchange, DrawsDependOnTheSeedAlone)
{
    const std::vector<ClusterMoments> before = MakeMoments();
    const std::vector<GaussianCluster> remote = GetClusters(latent_reference::SYSTEM_BEFORE, 0);
    const auto first = AddSampledPoints(before, remote, 1);
    EXPECT_EQ(first[0].sum, AddSampledPoints(before, remote, 1)[0].sum);
    EXPECT_NE(first[0].sum, AddSampledPoints(before, remote, 2)[0].sum);
}

TEST(LatentExchange, ClustersWithoutPointsTakeNone)
{
    const auto own = SumClusters(MakePoints({5, 5, 5}), {1}, 2);
    const std::vector<GaussianCluster> near = {MakeRound({0, 0, 0}, 1e-3, 10)};
    EXPECT_EQ(AddSampledPoints(own, near, 1)[0].count, 0);
    EXPECT_EQ(AddSampledPoints(own, near, 1)[1].count, 11);
    const auto nothing = SumClusters(Matrix<float>(0, 3), {}, 2);
    EXPECT_THROW(AddSampledPoints(nothing, near, 1), std::invalid_argument);
}

TEST(LatentExchange, RemoteClustersNeedADensity)
{
    const std::vector<ClusterMoments> own = MakeMoments();
    EXPECT_THROW(AddSampledPoints(own, {MakeRound({0, 0}, 1, 1)}, 1), std::invalid_argument);
    EXPECT_THROW(AddSampledPoints(own, {MakeRound({0, 0, 0}, -1, 1)}, 1), std::invalid_argument);
}

TEST(LatentExchange, WhoReceivesNothingHasAScoreOfOneACluster)
{
    const std::vector<ClusterMoments> own = MakeMoments();
    EXPECT_DOUBLE_EQ(ScoreClusters(own, AddSampledPoints(own, {}, 1)), latent_reference::CLUSTERS);
    EXPECT_THROW(ScoreClusters(own, {own[0]}), std::invalid_argument);
}

} // namespace
