/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "aggregation-reference.h"
#include "learning/learning-test-support.h"

#include "ns3/collab-aggregation-rule.h"
#include "ns3/collab-coordinate-aggregation.h"
#include "ns3/collab-geometric-median.h"
#include "ns3/collab-krum.h"
#include "ns3/collab-parallel-for.h"
#include "ns3/collab-vector-kernels.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <numeric>
#include <stdexcept>

namespace aggregation_test
{

using namespace ns3::collab;
using namespace tests;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;

/// One specification of every rule but centered clipping, which has a center; the number of vectors
/// must be at least 11
const std::vector<std::string> ALL_RULES = {
    "mean", "median", "trimmed-mean:b=3", "krum:f=4", "multi-krum:f=2,m=5", "geometric-median"};

/// @return the vectors of make-aggregation-reference.py
Matrix<float>
MakeReferenceVectors(std::size_t n)
{
    Matrix<float> vectors(n, 7);
    for (std::size_t i = 0; i < n; ++i)
    {
        for (std::size_t k = 0; k < 7; ++k)
        {
            const double x = std::sin(1.0 + 3.0 * i + 5.0 * k) + k / 10.0;
            vectors(i, k) = static_cast<float>(i == 2 || i == 7 ? 10 * x + 20 : x);
        }
    }
    return vectors;
}

/// @return the result of a rule with equal weights
std::vector<float>
Aggregate(const std::string& rule, const Matrix<float>& vectors)
{
    std::vector<float> result(vectors.columns);
    MakeAggregationRule(rule)->Aggregate(
        VectorStack(vectors), std::vector<double>(vectors.rows, 1), result.data());
    return result;
}

/// Expect a vector of make-aggregation-reference.py.
template <std::size_t N>
void
ExpectNear(const std::vector<float>& result, const double (&expected)[N], double tolerance = 1e-6)
{
    tests::ExpectNear(result, expected, tolerance);
}

TEST(AggregationTest, ByHand)
{
    const auto vectors = MakeMatrix(2, {1, 10, 2, 20, 3, 30, 4, 40, 100, -1000});
    EXPECT_THAT(Aggregate("mean", vectors), ElementsAre(22, -180));
    EXPECT_THAT(Aggregate("median", vectors), ElementsAre(3, 20));
    EXPECT_THAT(Aggregate("trimmed-mean:b=1", vectors), ElementsAre(3, 20));
    EXPECT_THAT(Aggregate("trimmed-mean:b=2", vectors), ElementsAre(3, 20));
    EXPECT_THAT(Aggregate("trimmed-mean:beta=0.2", vectors), ElementsAre(3, 20));
    EXPECT_THAT(Aggregate("trimmed-mean:beta=0.19", vectors), ElementsAre(22, -180));
    // n - f - 2 = 2 nearest: vectors 1 and 2 have 202, vectors 0 and 3 have 101 + 404
    EXPECT_THAT(Aggregate("krum:f=1", vectors), ElementsAre(2, 20));
    EXPECT_THAT(Aggregate("multi-krum:f=1", vectors), ElementsAre(2.5, 25)) << "m = 2: a tie of 2";
    EXPECT_THAT(Aggregate("multi-krum:f=1,m=4", vectors), ElementsAre(2.5, 25));
    EXPECT_THAT(Aggregate("median", MakeMatrix(1, {7, 1, 2, 100})), ElementsAre(4.5));
    EXPECT_THAT(Aggregate("median", Matrix<float>(4, 1, 3e38F)), ElementsAre(3e38F)) << "overflow";
    std::vector<float> result(2);
    WeightedMean(VectorStack(vectors), {3, 1, 0, 0, 0}, result.data());
    EXPECT_THAT(result, ElementsAre(1.25, 12.5));
}

TEST(AggregationTest, AgreesWithNumpyAndScipy)
{
    const Matrix<float> odd = MakeReferenceVectors(11);
    std::vector<double> weights;
    for (int i = 0; i < 11; ++i)
    {
        weights.push_back(1 + i % 3);
    }
    std::vector<float> result(7);
    WeightedMean(VectorStack(odd), weights, result.data());
    ExpectNear(result, EXPECTED_WEIGHTED_MEAN);
    ExpectNear(Aggregate("median", odd), EXPECTED_MEDIAN_ODD);
    ExpectNear(Aggregate("median", MakeReferenceVectors(10)), EXPECTED_MEDIAN_EVEN);
    ExpectNear(Aggregate("trimmed-mean:b=3", odd), EXPECTED_TRIMMED_MEAN_3);
    const auto scores = KrumScores(SquaredDistances(VectorStack(odd)), 4);
    for (std::size_t i = 0; i < scores.size(); ++i)
    {
        EXPECT_NEAR(scores[i] / EXPECTED_KRUM_SCORES_4[i], 1, 1e-6) << "vector " << i;
    }
    EXPECT_EQ(Krum(VectorStack(odd), 4, result.data()), EXPECTED_KRUM_4[0]);
    EXPECT_EQ(result,
              std::vector<float>(odd.Row(EXPECTED_KRUM_4[0]), odd.Row(EXPECTED_KRUM_4[0] + 1)));
    EXPECT_THAT(MultiKrum(VectorStack(odd), 2, 5, result.data()),
                ElementsAreArray(EXPECTED_MULTI_KRUM_2_5));
    ExpectNear(result, EXPECTED_MULTI_KRUM_MEAN);
    const GeometricMedianReport report =
        GeometricMedian(VectorStack(odd), weights, {1e-6, 1e-13, 10000}, result.data());
    EXPECT_TRUE(report.converged);
    EXPECT_NEAR(report.objective / EXPECTED_GEOMETRIC_MEDIAN_OBJECTIVE[0], 1, 1e-7);
    ExpectNear(result, EXPECTED_GEOMETRIC_MEDIAN, 1e-4);
    for (const auto& kernels : GetRunnableVectorKernels())
    {
        SCOPED_TRACE(kernels.name);
        EXPECT_TRUE(kernels.selectedMean(
            VectorStack(odd).Rows().data(), MakeSelectionNetwork(11, 3, 8), {0, 7}, result.data()));
        ExpectNear(result, EXPECTED_TRIMMED_MEAN_3);
    }
}

TEST(AggregationTest, SelectionIsThatOfASortedColumn)
{
    for (const auto& kernels : GetRunnableVectorKernels())
    {
        for (std::size_t n = 1; n <= 40; ++n)
        {
            const Matrix<float> vectors = MakeRandomVectors(n, 37, n);
            const std::size_t trimmed = (n - 1) / 3;
            std::vector<float> result(37);
            kernels.selectedMean(VectorStack(vectors).Rows().data(),
                                 MakeSelectionNetwork(n, trimmed, n - trimmed),
                                 {5, 37},
                                 result.data());
            for (std::size_t k = 5; k < 37; ++k)
            {
                std::vector<double> column;
                for (std::size_t i = 0; i < n; ++i)
                {
                    column.push_back(vectors(i, k));
                }
                std::sort(column.begin(), column.end());
                const auto first = column.begin() + static_cast<std::ptrdiff_t>(trimmed);
                const auto last = column.end() - static_cast<std::ptrdiff_t>(trimmed);
                const double mean = std::accumulate(first, last, 0.0) / (last - first);
                EXPECT_FLOAT_EQ(result[k], static_cast<float>(mean)) << kernels.name << " n " << n;
            }
        }
    }
}

TEST(AggregationTest, SelectionOfZerosAndOnesSortsAll)
{
    // The 0-1 principle: a network that is right for all of these is right for all numbers.
    constexpr std::size_t n = 13;
    Matrix<float> vectors(n, 1U << n);
    for (std::size_t i = 0; i < n; ++i)
    {
        for (std::size_t k = 0; k < vectors.columns; ++k)
        {
            vectors(i, k) = static_cast<float>(k >> i & 1U);
        }
    }
    for (std::size_t rank = 0; rank < n; ++rank)
    {
        std::vector<float> result(vectors.columns);
        GetVectorKernels().selectedMean(VectorStack(vectors).Rows().data(),
                                        MakeSelectionNetwork(n, rank, rank + 1),
                                        {0, vectors.columns},
                                        result.data());
        for (std::size_t k = 0; k < vectors.columns; ++k)
        {
            std::size_t ones = 0;
            for (std::size_t i = 0; i < n; ++i)
            {
                ones += k >> i & 1U;
            }
            ASSERT_EQ(result[k], rank >= n - ones ? 1 : 0) << "rank " << rank << " column " << k;
        }
    }
}

TEST(AggregationTest, FollowsVectorsInAnyOrderAndPlace)
{
    const Matrix<float> vectors = MakeRandomVectors(13, 100, 2);
    Matrix<float> turned = vectors;
    std::rotate(turned.values.begin(), turned.values.begin() + 500, turned.values.end());
    Matrix<float> moved = vectors;
    std::for_each(moved.values.begin(), moved.values.end(), [](float& value) { value += 8; });
    for (const std::string& rule : ALL_RULES)
    {
        SCOPED_TRACE(rule);
        std::vector<float> expected = Aggregate(rule, vectors);
        tests::ExpectNear(Aggregate(rule, turned), expected, 1e-6);
        std::for_each(expected.begin(), expected.end(), [](float& value) { value += 8; });
        tests::ExpectNear(Aggregate(rule, moved), expected, 2e-5);
    }
}

TEST(AggregationTest, BreaksDownWhenItMay)
{
    // 4 of 11 vectors are far off: all but the mean stay among the others.
    Matrix<float> vectors = MakeRandomVectors(11, 50, 4);
    for (std::size_t i = 0; i < 4; ++i)
    {
        std::fill(vectors.Row(i), vectors.Row(i + 1), 1e20F * static_cast<float>(i + 1));
    }
    for (const char* rule : {"median:f=4",
                             "trimmed-mean:b=4",
                             "krum:f=4",
                             "multi-krum:f=4",
                             "geometric-median:f=4,iterations=3",
                             "geometric-median:f=4"})
    {
        for (const float value : Aggregate(rule, vectors))
        {
            EXPECT_LT(std::abs(value), 10) << rule;
        }
    }
    for (const float value : Aggregate("mean", vectors))
    {
        EXPECT_GT(std::abs(value), 1e19);
    }
}

TEST(AggregationTest, DistancesOfNearVectorsFarFromZeroAreExact)
{
    // Inner products of these are near 1e11, in which a squared distance of 4e-3 would drown.
    Matrix<float> vectors(4, 1000, 10000);
    for (std::size_t k = 0; k < 1000; ++k)
    {
        vectors(1, k) += 0.0009765625F * static_cast<float>(k % 2);
        vectors(2, k) += 0.001953125F;
    }
    for (const auto& kernels : GetRunnableVectorKernels())
    {
        std::vector<double> distances(16, 0);
        kernels.addSquaredDistances(
            VectorStack(vectors).Rows().data(), 4, {0, 1000}, distances.data());
        const double unit = 0.0009765625 * 0.0009765625;
        EXPECT_FLOAT_EQ(distances[4], 500 * unit) << kernels.name;
        EXPECT_FLOAT_EQ(distances[8], 4000 * unit) << kernels.name;
        EXPECT_FLOAT_EQ(distances[9], 2500 * unit) << kernels.name;
        EXPECT_EQ(distances[12], 0) << kernels.name;
    }
}

TEST(AggregationTest, DistancesAgreeWithDoublePrecision)
{
    for (const std::size_t n : {3U, 4U, 9U})
    {
        const Matrix<float> vectors = MakeRandomVectors(n, 40001, n);
        const Matrix<double> distances = SquaredDistances(VectorStack(vectors));
        for (std::size_t i = 0; i < n; ++i)
        {
            for (std::size_t j = 0; j < n; ++j)
            {
                double expected = 0;
                for (std::size_t k = 0; k < vectors.columns; ++k)
                {
                    const double difference = double{vectors(i, k)} - vectors(j, k);
                    expected += difference * difference;
                }
                EXPECT_NEAR(distances(i, j), expected, 1e-6 * expected) << i << " " << j;
            }
        }
    }
}

TEST(AggregationTest, GeometricMedianByHand)
{
    // On a line it is the weighted median; in a triangle without obtuse angles the Fermat point.
    const auto line = MakeMatrix(1, {0, 1, 2, 10, 1000});
    EXPECT_NEAR(Aggregate("geometric-median:tolerance=0,iterations=2000", line)[0], 2, 1e-4);
    const auto triangle = MakeMatrix(2, {0, 0, 1, 0, 0.5, static_cast<float>(std::sqrt(0.75))});
    const auto fermat = Aggregate("geometric-median", triangle);
    EXPECT_NEAR(fermat[0], 0.5, 1e-6);
    EXPECT_NEAR(fermat[1], std::sqrt(0.75) / 3, 1e-6);
    const std::vector<float> one = Aggregate("geometric-median", Matrix<float>(3, 2, 5));
    EXPECT_THAT(one, ElementsAre(5, 5)) << "all equal";
}

TEST(AggregationTest, GeometricMedianStopsAsTold)
{
    const Matrix<float> vectors = MakeRandomVectors(9, 20, 5);
    const std::vector<double> weights(9, 1);
    std::vector<float> result(20);
    const auto run = [&](const GeometricMedianOptions& options) {
        return GeometricMedian(VectorStack(vectors), weights, options, result.data());
    };
    EXPECT_EQ(run({1e-6, 0, 3}).iterations, 3U);
    EXPECT_FALSE(run({1e-6, 0, 3}).converged);
    const auto coarse = run({1e-6, 1e-2, 100});
    const auto fine = run({1e-6, 1e-9, 100});
    EXPECT_TRUE(coarse.converged);
    EXPECT_LT(coarse.iterations, fine.iterations);
    EXPECT_LT(fine.objective, coarse.objective);
    EXPECT_THROW(run({0, 0, 3}), std::invalid_argument);
    EXPECT_THROW(run({1e-6, -1, 3}), std::invalid_argument);
    EXPECT_THROW(run({1e-6, 0, 0}), std::invalid_argument);
}

TEST(AggregationTest, KrumTakesTheFirstOfEquals)
{
    std::vector<float> result(4);
    EXPECT_EQ(Krum(VectorStack(Matrix<float>(7, 4, 2)), 2, result.data()), 0U);
    EXPECT_THAT(MultiKrum(VectorStack(Matrix<float>(7, 4, 2)), 2, 3, result.data()),
                ElementsAre(0, 1, 2));
}

TEST(AggregationTest, RefusesTooFewVectors)
{
    const auto refuses = [](const std::string& rule, std::size_t few) {
        const auto made = MakeAggregationRule(rule);
        EXPECT_NO_THROW(made->CheckCount(few + 1)) << rule;
        EXPECT_THROW(made->CheckCount(few), std::invalid_argument) << rule;
        Matrix<float> vectors(few, 3);
        EXPECT_THROW(Aggregate(rule, vectors), std::invalid_argument) << rule;
    };
    refuses("mean", 0);
    refuses("median:f=2", 4);
    refuses("trimmed-mean:b=2", 4);
    refuses("krum:f=2", 6);
    refuses("multi-krum:f=2", 6);
    refuses("multi-krum:f=1,m=6", 6);
    refuses("geometric-median:f=3", 6);
    EXPECT_EQ(ErrorOf([] { MakeAggregationRule("krum:f=2")->CheckCount(6); }),
              "Krum of 6 vectors with f = 2, but at least 2 f + 3 are needed");
    EXPECT_NO_THROW(MakeAggregationRule("trimmed-mean:beta=0.49")->CheckCount(100));
}

TEST(AggregationTest, RefusesElementsThatAreNotFinite)
{
    for (const float bad : {INFINITY, -INFINITY, NAN})
    {
        for (const std::size_t column : {0U, 17U, 8191U, 8200U})
        {
            Matrix<float> vectors = MakeRandomVectors(13, 8201, 6);
            vectors(9, column) = bad;
            for (const std::string& rule : ALL_RULES)
            {
                EXPECT_THAT(ErrorOf([&] { Aggregate(rule, vectors); }), HasSubstr("of vector 9 is"))
                    << rule;
            }
        }
    }
    Matrix<float> vectors(3, 2, 1);
    vectors(1, 1) = INFINITY;
    std::vector<float> result(2);
    EXPECT_THROW(WeightedMean(VectorStack(vectors), {1, 0, 1}, result.data()),
                 std::invalid_argument);
}

TEST(AggregationTest, RefusesWeights)
{
    const Matrix<float> vectors(3, 2, 1);
    std::vector<float> result(2);
    for (const std::vector<double>& weights : std::vector<std::vector<double>>{
             {1, 1}, {1, -1, 1}, {0, 0, 0}, {1, NAN, 1}, {1, INFINITY, 1}})
    {
        EXPECT_THROW(WeightedMean(VectorStack(vectors), weights, result.data()),
                     std::invalid_argument);
        EXPECT_THROW(GeometricMedian(VectorStack(vectors), weights, {}, result.data()),
                     std::invalid_argument);
    }
}

TEST(AggregationTest, RefusesSpecifications)
{
    const auto message = [](const std::string& rule) {
        return ErrorOf([&] { MakeAggregationRule(rule); });
    };
    EXPECT_EQ(message("kram:f=1"),
              "unknown aggregation rule 'kram'; known: centered-clipping, geometric-median, krum, "
              "mean, median, multi-krum, trimmed-mean");
    EXPECT_EQ(message("krum:g=1,f=1"), "aggregation rule krum has no parameter 'g'; known: f");
    EXPECT_EQ(message("mean:f=1"), "aggregation rule mean takes no parameter, was given f=1");
    EXPECT_EQ(message("krum:f=-1"),
              "aggregation rule krum: f was given '-1', allowed is a whole number from 0 to "
              "4294967295");
    EXPECT_EQ(message("krum:f=1,f=2"), "aggregation rule 'krum:f=1,f=2': f is given twice");
    ExpectEachRefused<>({"",
                         "krum",
                         "krum:",
                         "krum:f",
                         "krum:f=",
                         "krum:=1",
                         "krum:f=1,",
                         "krum:f=1.5",
                         "krum:f=x",
                         "krum:f= 1",
                         "krum:f=99999999999999999999",
                         "multi-krum:f=1,m=0",
                         "trimmed-mean",
                         "trimmed-mean:b=1,beta=0.1",
                         "trimmed-mean:beta=0.5",
                         "trimmed-mean:beta=nan",
                         "trimmed-mean:beta=-0.1",
                         "geometric-median:nu=0",
                         "geometric-median:iterations=0"},
                        MakeAggregationRule);
    for (const std::string& name : GetAggregationRuleNames())
    {
        if (name != "centered-clipping")
        {
            EXPECT_THAT(ALL_RULES, testing::Contains(testing::StartsWith(name)));
        }
    }
}

TEST(AggregationTest, RefusesStacks)
{
    const std::vector<float> vector(3);
    EXPECT_THROW(VectorStack({}, 3), std::invalid_argument);
    EXPECT_THROW(VectorStack({vector.data()}, 0), std::invalid_argument);
    EXPECT_THROW(VectorStack({vector.data(), nullptr}, 3), std::invalid_argument);
    EXPECT_THROW(VectorStack(std::vector<std::vector<float>>{{1, 2}, {1}}), std::invalid_argument);
}

TEST(ParallelForTest, CallsEachOnceAndRethrowsTheFirst)
{
    for (const unsigned threads : {1U, 4U})
    {
        std::vector<int> calls(1000, 0);
        ParallelFor(threads, calls.size(), [&](std::size_t i) { ++calls[i]; });
        EXPECT_THAT(calls, testing::Each(1));
        EXPECT_EQ(ErrorOf([&] {
                      ParallelFor(threads, 100, [](std::size_t i) {
                          if (i % 10 == 7)
                          {
                              throw std::invalid_argument(std::to_string(i));
                          }
                      });
                  }),
                  "7");
    }
}

TEST(ParallelForTest, SplitsRanges)
{
    const auto ranges = SplitRange(100, 16, 4);
    ASSERT_EQ(ranges.size(), 4U);
    EXPECT_EQ(ranges[1].begin, 32U);
    EXPECT_EQ(ranges[3].begin, 96U);
    EXPECT_EQ(ranges[3].end, 100U);
    EXPECT_EQ(SplitRange(10, 16, 4).size(), 1U);
    EXPECT_EQ(SplitRange(160, 16, 100).size(), 10U);
}

} // namespace aggregation_test
