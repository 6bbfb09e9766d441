/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"
#include "unlabeled-reference.h"

#include "ns3/collab-label-propagation.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <stdexcept>

namespace label_propagation_test
{

using namespace ns3::collab;
using namespace tests;
using testing::ElementsAre;

/// @return labels of 400 samples, of which every 13th is known
std::vector<int64_t>
KnowSome()
{
    std::vector<int64_t> labels(400, NO_LABEL);
    for (std::size_t i = 0; i < labels.size(); i += 13)
    {
        labels[i] = static_cast<int64_t>(i % 4);
    }
    return labels;
}

TEST(LabelPropagationTest, GivesTheLabelsOfScikitLearn)
{
    const Matrix<float> few = MakeBlobs(400, 5, 4, 1.6F, 50);
    const Propagation found = PropagateLabels(few, KnowSome());
    EXPECT_EQ(found.labels, FEW_PROPAGATED);
    EXPECT_EQ(found.iterations, FEW_ITERATIONS[0]);
    EXPECT_TRUE(found.isConverged);
    EXPECT_EQ(found.unreached, 0U);
    PropagationOptions options;
    options.neighbors = 5;
    const Propagation many = PropagateLabels(MakeBlobs(400, 16, 4, 3, 50), KnowSome(), options);
    EXPECT_EQ(many.labels, MANY_PROPAGATED);
    EXPECT_EQ(many.iterations, MANY_ITERATIONS[0]);
}

TEST(LabelPropagationTest, GivesTheLabelsOfScikitLearnWithoutConvergence)
{
    PropagationOptions options;
    options.iterations = 4;
    const Propagation found = PropagateLabels(MakeBlobs(400, 5, 4, 1.6F, 50), KnowSome(), options);
    EXPECT_EQ(found.labels, SHORT_PROPAGATED);
    EXPECT_NE(SHORT_PROPAGATED, FEW_PROPAGATED);
    EXPECT_EQ(found.iterations, SHORT_ITERATIONS[0]);
    EXPECT_FALSE(found.isConverged);
}

TEST(LabelPropagationTest, ReachesWhatIsFarByTheNearestLabel)
{
    PropagationOptions options;
    options.neighbors = 2;
    // The pair at 10 and 11 knows only itself; 7 is nearer to them than 0
    const Propagation found = PropagateLabels(MakeMatrix(1, {0, 1, 10, 11, 7, 6.5F}),
                                              {4, NO_LABEL, NO_LABEL, NO_LABEL, 9, NO_LABEL},
                                              options);
    EXPECT_THAT(found.labels, ElementsAre(4, 4, 9, 9, 9, 9));
    EXPECT_EQ(found.unreached, 2U);
}

TEST(LabelPropagationTest, KeepsGivenLabelsAndPrefersTheLowestClass)
{
    PropagationOptions options;
    options.neighbors = 3;
    const Propagation found = PropagateLabels(MakeMatrix(1, {0, 1, 2}), {7, NO_LABEL, 3}, options);
    EXPECT_THAT(found.labels, ElementsAre(7, 3, 3));
    options.neighbors = 1; // each knows itself only
    EXPECT_THAT(PropagateLabels(MakeMatrix(1, {0, 1, 5}), {7, NO_LABEL, 3}, options).labels,
                ElementsAre(7, 7, 3));
}

TEST(LabelPropagationTest, FindsNeighbors)
{
    const Matrix<uint32_t> found = FindNeighbors(MakeMatrix(1, {0, 1, 3, 1, 100}), 3);
    EXPECT_EQ(found.columns, 3U);
    EXPECT_THAT(std::vector<uint32_t>(found.Row(0), found.Row(1)), ElementsAre(0, 1, 3));
    EXPECT_THAT(std::vector<uint32_t>(found.Row(1), found.Row(2)), ElementsAre(1, 3, 0));
    EXPECT_THAT(std::vector<uint32_t>(found.Row(3), found.Row(4)), ElementsAre(3, 1, 0));
    EXPECT_THAT(std::vector<uint32_t>(found.Row(4), found.Row(4) + 3), ElementsAre(4, 2, 1));
}

TEST(LabelPropagationTest, FindsNeighborsOfManySamplesAsOneByOne)
{
    const Matrix<float> samples = MakeUniformVectors(600, 3, 9); // more than one block
    const Matrix<uint32_t> found = FindNeighbors(samples, 4);
    for (uint32_t i = 0; i < samples.rows; i += 7)
    {
        std::vector<std::pair<double, uint32_t>> others;
        for (uint32_t other = 0; other < samples.rows; ++other)
        {
            double square = other == i ? -1 : 0;
            for (std::size_t j = 0; j < 3; ++j)
            {
                const double gap = samples(i, j) - samples(other, j);
                square += gap * gap;
            }
            others.emplace_back(square, other);
        }
        std::sort(others.begin(), others.end());
        for (std::size_t k = 0; k < 4; ++k)
        {
            EXPECT_EQ(found(i, k), others[k].second) << i << ' ' << k;
        }
    }
}

TEST(LabelPropagationTest, RefusesWhatCannotBeDone)
{
    const Matrix<float> three = MakeMatrix(1, {0, 1, 2});
    PropagationOptions options;
    EXPECT_THROW(PropagateLabels(three, {0, 1, 2}, options), std::invalid_argument); // 7 neighbors
    options.neighbors = 2;
    EXPECT_THROW(PropagateLabels(three, {0, 1}, options), std::invalid_argument);
    EXPECT_THROW(PropagateLabels(three, {-1, -1, -1}, options), std::invalid_argument);
    EXPECT_THROW(PropagateLabels(three, {0, -2, 1}, options), std::invalid_argument);
    EXPECT_THROW(FindNeighbors(three, 0), std::invalid_argument);
    EXPECT_THROW(FindNeighbors(MakeMatrix(1, {0, INFINITY}), 1), std::invalid_argument);
    options.iterations = 0;
    EXPECT_THROW(PropagateLabels(three, {0, -1, 1}, options), std::invalid_argument);
    options.iterations = 1;
    options.tolerance = -1;
    EXPECT_THROW(PropagateLabels(three, {0, -1, 1}, options), std::invalid_argument);
}

TEST(LabelPropagationTest, CostsWhatIsDocumented)
{
    PropagationOptions options;
    EXPECT_EQ(CountPropagationFlops(10, 4, 3, options), 100U * 9 + 200U * 10 * 3 * 10);
}

} // namespace label_propagation_test
