/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-random.h"
#include "ns3/graph-discovery-agreement-table.h"

#include <boost/random/normal_distribution.hpp>
#include <gtest/gtest.h>
#include <stdexcept>

using namespace ns3::collab;

namespace
{

constexpr uint32_t CLASSES = 4;

/// Points around a place that their class has
struct Classes
{
    Matrix<float> points;        //!< n x 2
    std::vector<int64_t> labels; //!< class of each
};

/// @param count of points
/// @return as many of each class
Classes
MakeClasses(uint32_t count)
{
    RandomGenerator generator(1);
    boost::random::normal_distribution<float> normal;
    Classes classes{Matrix<float>(count, 2), {}};
    for (uint32_t i = 0; i < count; ++i)
    {
        const uint32_t label = i % CLASSES;
        classes.points(i, 0) = normal(generator) + (label % 2 == 0 ? 4.0F : -4.0F);
        classes.points(i, 1) = normal(generator) + (label < 2 ? 4.0F : -4.0F);
        classes.labels.push_back(label);
    }
    return classes;
}

/// @return small systems
AgreementTableOptions
MakeOptions()
{
    AgreementTableOptions options;
    options.devices = 4;
    options.alphas = {0.1, 100};
    options.clusters.clusters = 3;
    options.minimumSamples = 100;
    return options;
}

TEST(AgreementTable, DevicesAgreeMoreWhenSamplesAreDealtOutMoreEvenly)
{
    const Classes classes = MakeClasses(2000);
    const auto cells =
        MeasureAgreementTable(classes.points, classes.labels, CLASSES, MakeOptions(), 1);
    ASSERT_EQ(cells.size(), 4U);
    EXPECT_EQ(cells[1].alphaBefore, 0.1);
    EXPECT_EQ(cells[1].alphaAfter, 100);
    EXPECT_EQ(cells[2].alphaBefore, 100);
    EXPECT_EQ(cells[2].alphaAfter, 0.1);
    EXPECT_GT(cells[1].ratioOfMeans, 0.2);
    EXPECT_LT(cells[2].ratioOfMeans, -0.2);
    EXPECT_GT(cells[2].ratioOfMeans, -1);
    for (const AgreementCell& cell : cells)
    {
        EXPECT_DOUBLE_EQ(cell.sum, cell.meanRatio * 4 * 3 * 3 * 3) << "all pairs are counted";
        EXPECT_GT(cell.meanRatio, 0);
    }
}

TEST(AgreementTable, BeforeAndAfterAreDrawnIndependently)
{
    const Classes classes = MakeClasses(2000);
    AgreementTableOptions options = MakeOptions();
    options.alphas = {1};
    const auto cells = MeasureAgreementTable(classes.points, classes.labels, CLASSES, options, 1);
    EXPECT_NE(cells[0].ratioOfMeans, 0);
}

TEST(AgreementTable, DependsOnTheSeedAndNotOnThreads)
{
    const Classes classes = MakeClasses(2000);
    AgreementTableOptions options = MakeOptions();
    const auto measure = [&](uint64_t seed) {
        return MeasureAgreementTable(classes.points, classes.labels, CLASSES, options, seed)[1];
    };
    const AgreementCell one = measure(1);
    EXPECT_NE(measure(2).sum, one.sum);
    options.threads = 3;
    EXPECT_EQ(measure(1).sum, one.sum);
}

TEST(AgreementTable, RefusesWhatCannotBeDealtOut)
{
    const Classes classes = MakeClasses(200);
    AgreementTableOptions options = MakeOptions();
    const auto measure = [&] {
        MeasureAgreementTable(classes.points, classes.labels, CLASSES, options, 1);
    };
    EXPECT_THROW(measure(), std::invalid_argument) << "too few samples";
    options.minimumSamples = 2;
    EXPECT_THROW(measure(), std::invalid_argument) << "fewer than clusters";
    options.minimumSamples = 10;
    options.devices = 1;
    EXPECT_THROW(measure(), std::invalid_argument);
}

} // namespace
