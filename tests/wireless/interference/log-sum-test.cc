/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-bench.h"

#include "ns3/d2d-log-sum.h"

#include <limits>
#include <random>

namespace ns3::collab::tests
{
namespace
{

/// @return their product
D2dLogSum
Multiply(const std::vector<double>& ratios)
{
    D2dLogSum product;
    for (const double ratio : ratios)
    {
        product += D2dLogSum(ratio);
    }
    return product;
}

/// @return factors of 40 orders of magnitude
std::vector<double>
MakeRatios()
{
    std::mt19937_64 generator(20261125);
    std::uniform_real_distribution<double> exponent(-20, 20);
    std::vector<double> ratios(200);
    for (double& ratio : ratios)
    {
        ratio = std::pow(10, exponent(generator));
    }
    return ratios;
}

TEST(LogSumTest, IsTheProduct)
{
    EXPECT_EQ(D2dLogSum().GetProductLessOne(), 0);
    EXPECT_EQ(D2dLogSum(0).GetProductLessOne(), 0);
    EXPECT_DOUBLE_EQ(Multiply({2, 3}).GetProductLessOne(), 11);
    EXPECT_DOUBLE_EQ(Multiply({0.5, 0.25, 7}).GetProductLessOne(), 14);
}

TEST(LogSumTest, LosesNoSmallFactor)
{
    EXPECT_NEAR(D2dLogSum(1e-19).GetProductLessOne(), 1e-19, 1e-31);
    EXPECT_NEAR(Multiply(std::vector<double>(1000, 1e-15)).GetProductLessOne(), 1e-12, 1e-24)
        << "1e-12 + 1000 x 999 / 2 x 1e-30";
}

TEST(LogSumTest, IsAtMost1e300)
{
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(Multiply({1e200, 1e200}).GetProductLessOne(), 1e300);
    EXPECT_NEAR(D2dLogSum(infinity).GetProductLessOne(), 1e300, 1e287);
    D2dLogSum many = Multiply(std::vector<double>(8000, infinity));
    EXPECT_EQ(many.GetProductLessOne(), 1e300) << "8000 of the greatest find place";
    EXPECT_TRUE(D2dLogSum() < many);
}

TEST(LogSumTest, NothingIsLeftOfAFactorThatIsTakenOut)
{
    std::vector<double> ratios = MakeRatios();
    const double weak = 1e-18;
    D2dLogSum product(weak);
    product += Multiply(ratios);
    std::shuffle(ratios.begin(), ratios.end(), std::mt19937_64(7));
    for (const double ratio : ratios)
    {
        product -= D2dLogSum(ratio);
    }
    EXPECT_EQ(product.GetProductLessOne(), D2dLogSum(weak).GetProductLessOne());
}

TEST(LogSumTest, OrderDoesNotMatter)
{
    std::vector<double> ratios = MakeRatios();
    const D2dLogSum product = Multiply(ratios);
    std::shuffle(ratios.begin(), ratios.end(), std::mt19937_64(8));
    const D2dLogSum shuffled = Multiply(ratios);
    EXPECT_FALSE(product < shuffled);
    EXPECT_FALSE(shuffled < product);
}

} // namespace
} // namespace ns3::collab::tests
