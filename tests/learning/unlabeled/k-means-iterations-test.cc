/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"

#include "ns3/collab-k-means.h"

#include <gtest/gtest.h>
#include <limits>

namespace
{

using namespace ns3::collab;

TEST(KMeansIterations, AreCountedAndEndWhereTheyMust)
{
    const Matrix<float> samples = tests::MakeUniformVectors(300, 6, 40);
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

} // namespace
