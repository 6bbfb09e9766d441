/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"
#include "unlabeled-reference.h"

#include "ns3/collab-k-means.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>

namespace k_means_test
{

using namespace ns3::collab;
using namespace tests;
using testing::ElementsAre;

/// @return options for so many clusters
KMeansOptions
Into(uint32_t clusters)
{
    KMeansOptions options;
    options.clusters = clusters;
    return options;
}

/// @return sum of squared distances to the centroids
double
SumSquares(const Matrix<float>& samples, const Clustering& clustering)
{
    double sum = 0;
    for (std::size_t i = 0; i < samples.rows; ++i)
    {
        for (std::size_t j = 0; j < samples.columns; ++j)
        {
            const double gap = samples(i, j) - clustering.centroids(clustering.labels[i], j);
            sum += gap * gap;
        }
    }
    return sum;
}

TEST(KMeansTest, FindsTheClustersOfScikitLearn)
{
    const Matrix<float> samples = MakeBlobs(300, 6, 5, 0.3F, 30);
    const Clustering found = FindClusters(samples, Into(5), 1);
    EXPECT_NEAR(found.inertia, APART_INERTIA[0], 1e-5);
    EXPECT_NEAR(SumSquares(samples, found), found.inertia, 1e-4);
    std::map<uint32_t, uint32_t> names; // clusters have other numbers there
    for (std::size_t i = 0; i < samples.rows; ++i)
    {
        names.emplace(found.labels[i], APART_LABELS[i]);
        EXPECT_EQ(names[found.labels[i]], APART_LABELS[i]) << i;
    }
    EXPECT_EQ(names.size(), 5U);
    EXPECT_EQ(FindNearestCentroids(samples, found.centroids), found.labels);
}

TEST(KMeansTest, IsAsGoodAsScikitLearnWithoutClusters)
{
    const Matrix<float> samples = MakeUniformVectors(300, 6, 40);
    const Clustering found = FindClusters(samples, Into(7), 1);
    EXPECT_LE(found.inertia, 1.02 * MIXED_INERTIA[0]);
    EXPECT_NEAR(SumSquares(samples, found), found.inertia, 1e-4);
    EXPECT_EQ(FindNearestCentroids(samples, found.centroids), found.labels);
    KMeansOptions once = Into(7);
    once.restarts = 1;
    EXPECT_GE(FindClusters(samples, once, 1).inertia, found.inertia);
    once.iterations = 1;
    EXPECT_GT(FindClusters(samples, once, 1).inertia, found.inertia);
}

TEST(KMeansTest, FollowsItsSeed)
{
    const Matrix<float> samples = MakeUniformVectors(300, 6, 40);
    KMeansOptions once = Into(7);
    once.restarts = 1;
    const Clustering found = FindClusters(samples, once, 1);
    EXPECT_EQ(FindClusters(samples, once, 1).labels, found.labels);
    EXPECT_EQ(FindClusters(samples, once, 1).centroids, found.centroids);
    EXPECT_NE(FindClusters(samples, once, 2).labels, found.labels);
}

TEST(KMeansTest, LeavesNoClusterEmpty)
{
    Matrix<float> equal(6, 2, 1.0F); // all at one place
    const Clustering found = FindClusters(equal, Into(4), 3);
    EXPECT_EQ(std::set<uint32_t>(found.labels.begin(), found.labels.end()).size(), 4U);
    EXPECT_EQ(found.inertia, 0);
    equal(0, 0) = 5;
    const Clustering apart = FindClusters(equal, Into(2), 3);
    EXPECT_EQ(apart.inertia, 0);
    const auto members = ListClusters(apart.labels, 2);
    EXPECT_EQ(std::min(members[0].size(), members[1].size()), 1U);
    EXPECT_EQ(FindClusters(equal, Into(6), 1).inertia, 0);
}

TEST(KMeansTest, OneClusterIsTheMean)
{
    auto samples = MakeMatrix(1, {1, 2, 6});
    const Clustering found = FindClusters(samples, Into(1), 1);
    EXPECT_EQ(found.centroids(0, 0), 3);
    EXPECT_EQ(found.inertia, 4 + 1 + 9);
    EXPECT_THAT(found.labels, ElementsAre(0, 0, 0));
    EXPECT_THAT(FindNearestCentroids(samples, samples), ElementsAre(0, 1, 2));
    const auto middle = MakeMatrix(1, {0, 2});
    samples.values = {1, 0, 1.5F};
    EXPECT_THAT(FindNearestCentroids(samples, middle), ElementsAre(0, 0, 1)); // the first of equals
    EXPECT_THAT(ListClusters({1, 0, 1}, 3),
                ElementsAre(ElementsAre(1), ElementsAre(0, 2), ElementsAre()));
}

TEST(KMeansTest, RefusesWhatCannotBeDone)
{
    Matrix<float> samples = MakeUniformVectors(5, 2, 1);
    EXPECT_THROW(FindClusters(samples, Into(0), 1), std::invalid_argument);
    EXPECT_THROW(FindClusters(samples, Into(6), 1), std::invalid_argument);
    KMeansOptions never = Into(2);
    never.restarts = 0;
    EXPECT_THROW(FindClusters(samples, never, 1), std::invalid_argument);
    never = Into(2);
    never.iterations = 0;
    EXPECT_THROW(FindClusters(samples, never, 1), std::invalid_argument);
    EXPECT_THROW(FindNearestCentroids(samples, Matrix<float>(2, 3)), std::invalid_argument);
    EXPECT_THROW(FindNearestCentroids(samples, Matrix<float>(0, 2)), std::invalid_argument);
    EXPECT_THROW(ListClusters({0, 2}, 2), std::invalid_argument);
    samples(1, 1) = NAN;
    EXPECT_THROW(FindClusters(samples, Into(2), 1), std::invalid_argument);
}

TEST(KMeansTest, CostsWhatIsDocumented)
{
    KMeansOptions options = Into(2);
    options.restarts = 3;
    EXPECT_EQ(CountKMeansFlops(10, 4, options), 3U * (240 + 30 * (240 + 40)));
    options.iterations = 5;
    EXPECT_EQ(CountKMeansFlops(10, 4, options), 3U * (240 + 5 * (240 + 40)));
}

TEST(KMeansIterations, AreCountedAndEndWhereTheyMust)
{
    const Matrix<float> samples = MakeUniformVectors(300, 6, 40);
    KMeansOptions options;
    options.restarts = 1;
    const Clustering found = FindClusters(samples, options, 1);
    EXPECT_GT(found.iterations, 3U);
    double inertia = std::numeric_limits<double>::infinity();
    for (options.iterations = 1; options.iterations < 4; ++options.iterations)
    {
        const Clustering cut = FindClusters(samples, options, 1);
        EXPECT_EQ(cut.iterations, options.iterations);
        EXPECT_LT(cut.inertia, inertia);
        EXPECT_GT(cut.inertia, found.inertia);
        inertia = cut.inertia;
    }
    options.iterations = found.iterations;
    EXPECT_EQ(FindClusters(samples, options, 1).labels, found.labels);
}

} // namespace k_means_test
