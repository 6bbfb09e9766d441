/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "learning/learning-test-support.h"
#include "unlabeled-reference.h"

#include "ns3/collab-distributed-pca.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <numeric>
#include <stdexcept>

namespace distributed_pca_test
{

using namespace ns3::collab;
using namespace tests;
using testing::ElementsAre;
using testing::FloatNear;

TEST(PrincipalComponentsTest, AreThoseOfNumpy)
{
    const auto tall = FindPrincipalComponents(MakeUniformVectors(60, 20, 1), 5);
    ExpectNear(tall.singularValues, TALL_SINGULAR, 1e-5);
    EXPECT_EQ(tall.vectors.rows, 5U);
    ExpectNear(tall.vectors.values, TALL_VECTORS, 1e-5);
    const auto wide = FindPrincipalComponents(MakeUniformVectors(20, 60, 2), 5);
    ExpectNear(wide.singularValues, WIDE_SINGULAR, 1e-5);
    ExpectNear(wide.vectors.values, WIDE_VECTORS, 1e-5);
}

TEST(PrincipalComponentsTest, AreThoseOfNumpyWhereOnlyTheGreatestAreFound)
{
    const auto large = FindPrincipalComponents(MakeBlobs(400, 150, 6, 0.5F, 10), 4);
    ExpectNear(large.singularValues, LARGE_SINGULAR, 1e-4);
    ExpectNear(large.vectors.values, LARGE_VECTORS, 1e-5);
}

TEST(PrincipalComponentsTest, FindEqualSingularValues)
{
    // Each row is a unit vector, three of them 3 times as long
    Matrix<float> samples(400, 400);
    for (std::size_t i = 0; i < 400; ++i)
    {
        samples(i, i) = i < 3 ? 3 : 1;
    }
    const auto found = FindPrincipalComponents(samples, 4);
    ExpectNear(found.singularValues, std::vector<float>{3, 3, 3, 1}, 1e-5);
    for (std::size_t row = 0; row < 3; ++row)
    {
        const float* vector = found.vectors.Row(row);
        EXPECT_NEAR(std::inner_product(vector, vector + 3, vector, 0.0), 1, 1e-5);
    }
}

TEST(PrincipalComponentsTest, OfALowRankEndWithZeros)
{
    for (const bool isWide : {false, true})
    {
        // Sample i is i + 1 times the vector (1, 2, 2)
        Matrix<float> samples(isWide ? 2 : 5, 3);
        for (std::size_t i = 0; i < samples.rows; ++i)
        {
            const auto factor = static_cast<float>(i + 1);
            samples(i, 0) = -factor;
            samples(i, 1) = samples(i, 2) = -2 * factor;
        }
        const auto found = FindPrincipalComponents(samples, 3);
        const double length = 3 * std::sqrt(isWide ? 5 : 55);
        EXPECT_THAT(found.singularValues, ElementsAre(FloatNear(length, 1e-4F), 0, 0));
        EXPECT_NEAR(found.vectors(0, 0), 1.0 / 3, 1e-6); // the greatest element is positive
        EXPECT_NEAR(found.vectors(0, 1), 2.0 / 3, 1e-6);
        EXPECT_EQ(found.vectors(1, 0), 0);
        EXPECT_EQ(found.vectors(2, 2), 0);
    }
    const auto nothing = FindPrincipalComponents(Matrix<float>(200, 150), 2);
    EXPECT_THAT(nothing.singularValues, ElementsAre(0, 0));
    EXPECT_EQ(nothing.vectors, Matrix<float>(2, 150));
}

TEST(PrincipalComponentsTest, OfDevicesAreCombinedAsNumpyDoes)
{
    std::vector<PrincipalComponents> parts;
    for (const uint64_t seed : {20, 21, 22})
    {
        parts.push_back(FindPrincipalComponents(MakeUniformVectors(50, 20, seed), 6));
    }
    const Matrix<float> subspace =
        CombinePrincipalComponents({parts.data(), &parts[1], &parts[2]}, 6);
    EXPECT_EQ(subspace.rows, 20U);
    EXPECT_EQ(subspace.columns, 6U);
    ExpectNear(subspace.values, COMBINED_SUBSPACE, 2e-5);
    const Matrix<float> projected = Project(MakeUniformVectors(3, 20, 23), subspace);
    EXPECT_EQ(projected.columns, 6U);
    ExpectNear(projected.values, PROJECTED, 5e-5);
}

TEST(PrincipalComponentsTest, OfWholeRankCombineToThoseOfAllSamples)
{
    const Matrix<float> all = MakeBlobs(90, 12, 3, 1, 5);
    std::vector<PrincipalComponents> parts;
    for (std::size_t device = 0; device < 3; ++device)
    {
        Matrix<float> own(30, 12);
        std::copy_n(all.Row(30 * device), 360, own.values.begin());
        parts.push_back(FindPrincipalComponents(own, 12));
    }
    const Matrix<float> combined =
        CombinePrincipalComponents({parts.data(), &parts[1], &parts[2]}, 4);
    const PrincipalComponents central = FindPrincipalComponents(all, 4);
    for (std::size_t i = 0; i < 4; ++i)
    {
        double squares = 0;
        for (std::size_t j = 0; j < 12; ++j)
        {
            EXPECT_NEAR(combined(j, i), central.vectors(i, j), 1e-4) << i << ' ' << j;
            squares += combined(j, i) * combined(j, i);
        }
        EXPECT_NEAR(squares, 1, 1e-5);
    }
}

TEST(PrincipalComponentsTest, RefuseWhatDoesNotFit)
{
    const Matrix<float> samples = MakeUniformVectors(10, 4, 1);
    EXPECT_THROW(FindPrincipalComponents(samples, 0), std::invalid_argument);
    EXPECT_THROW(FindPrincipalComponents(samples, 5), std::invalid_argument);
    EXPECT_THROW(FindPrincipalComponents(Matrix<float>(0, 4), 1), std::invalid_argument);
    Matrix<float> endless = samples;
    endless(3, 2) = INFINITY;
    EXPECT_THROW(FindPrincipalComponents(endless, 1), std::invalid_argument);
    EXPECT_THROW(CombinePrincipalComponents({}, 1), std::invalid_argument);
    const auto four = FindPrincipalComponents(samples, 2);
    auto forged = four;
    forged.singularValues[1] = NAN;
    EXPECT_THROW(CombinePrincipalComponents({&four, &forged}, 1), std::invalid_argument);
    const auto five = FindPrincipalComponents(MakeUniformVectors(10, 5, 1), 2);
    EXPECT_THROW(CombinePrincipalComponents({&four, &five}, 1), std::invalid_argument);
    EXPECT_THROW(Project(samples, Matrix<float>(5, 2)), std::invalid_argument);
}

TEST(PrincipalComponentsTest, DecodeSamplesAsModelsReadThem)
{
    const std::vector<double> bytes = {0, 255, 255, 0, 51, 102};
    const auto data = MakeDataSet(
        FeatureKind::BYTES, {1, 1, 2}, 3, 2, [&](auto i, auto j) { return bytes[2 * i + j]; });
    const Matrix<float> samples = DecodeSamples(MakeView(data, {2, 0}));
    EXPECT_EQ(samples.rows, 2U);
    ExpectNear(samples.values, std::vector<float>{-0.6F, -0.2F, -1, 1}, 1e-7);
    data->kind = FeatureKind::TOKENS;
    EXPECT_THROW(DecodeSamples(MakeView(data, {0})), std::invalid_argument);
}

TEST(PrincipalComponentsTest, CostWhatIsDocumented)
{
    // min = 3, k = min(10, 3) = 3: 5 x 3 x 4 + 2 x 9 x 3 + 4 x 3 x 9 + 9 x 27
    EXPECT_EQ(CountPcaFlops(5, 3, 1), 60U + 54 + 108 + 243);
    EXPECT_EQ(CountPcaFlops(3, 5, 1), 60U + 54 + 108 + 243 + 30);
    EXPECT_EQ(CountProjectionFlops(10, 4, 3), 210U);
}

} // namespace distributed_pca_test
