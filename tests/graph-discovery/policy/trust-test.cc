/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/graph-discovery-trust.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <set>
#include <stdexcept>

using namespace ns3::collab;

namespace
{

constexpr uint32_t TRUSTING = 20;
constexpr uint32_t PARTITIONS = 10;

TrustMatrices
Draw(TrustStructure structure, double density = 0.5)
{
    DiscoveryTrustOptions options;
    options.structure = structure;
    options.density = density;
    return DrawTrust(TRUSTING, PARTITIONS, options, 7);
}

uint32_t
Count(const Matrix<uint8_t>& trust)
{
    return std::accumulate(trust.values.begin(), trust.values.end(), 0U);
}

/// @return partitions with which a device is trusted
std::set<std::size_t>
ListTrusted(const Matrix<uint8_t>& trust, std::size_t row)
{
    std::set<std::size_t> partitions;
    for (std::size_t l = 0; l < trust.columns; ++l)
    {
        if (trust(row, l) != 0)
        {
            partitions.insert(l);
        }
    }
    return partitions;
}

} // namespace

TEST(GraphDiscoveryTrust, IsOfTheDensityThatIsAsked)
{
    for (const double density : {0.0, 0.2, 0.5, 1.0})
    {
        double sum = 0;
        for (const auto& trust : Draw(TrustStructure::RANDOM, density))
        {
            ASSERT_EQ(trust.rows, TRUSTING);
            ASSERT_EQ(trust.columns, PARTITIONS);
            sum += Count(trust);
        }
        EXPECT_NEAR(sum / (TRUSTING * TRUSTING * PARTITIONS), density, 0.03);
    }
}

TEST(GraphDiscoveryTrust, HasHalfOfTheRowsOrColumnsOfTheRandomOne)
{
    std::set<std::vector<uint32_t>> halves;
    for (const double density : {0.5, 1.0})
    {
        const auto random = Draw(TrustStructure::RANDOM, density);
        const auto byRows = Draw(TrustStructure::ROWS, density);
        const auto byColumns = Draw(TrustStructure::COLUMNS, density);
        for (uint32_t j = 0; j < TRUSTING; ++j)
        {
            uint32_t rows = 0;
            std::vector<uint32_t> columns;
            for (uint32_t i = 0; i < TRUSTING; ++i)
            {
                const auto left = ListTrusted(byRows[j], i);
                EXPECT_TRUE(left.empty() || left == ListTrusted(random[j], i));
                rows += left.empty() ? 1 : 0;
            }
            for (uint32_t l = 0; l < PARTITIONS; ++l)
            {
                uint32_t left = 0;
                bool isSame = true;
                for (uint32_t i = 0; i < TRUSTING; ++i)
                {
                    left += byColumns[j](i, l);
                    isSame = isSame && byColumns[j](i, l) == random[j](i, l);
                }
                EXPECT_TRUE(left == 0 || isSame);
                if (left == 0)
                {
                    columns.push_back(l);
                }
            }
            EXPECT_GE(rows, TRUSTING / 2); // a random one may have others without any
            EXPECT_LE(rows, density == 1 ? TRUSTING / 2 : TRUSTING / 2 + 2);
            EXPECT_EQ(columns.size(), PARTITIONS / 2);
            halves.insert(columns);
        }
    }
    EXPECT_GT(halves.size(), 15U); // each device draws its own
}

TEST(GraphDiscoveryTrust, HasBlocksOfTwoToFour)
{
    std::set<std::size_t> heights;
    std::set<std::size_t> widths;
    for (const auto& trust : Draw(TrustStructure::BLOCK))
    {
        std::map<std::set<std::size_t>, std::size_t>
            blocks; // devices by what they are trusted with
        for (uint32_t i = 0; i < TRUSTING; ++i)
        {
            ++blocks[ListTrusted(trust, i)];
        }
        blocks.erase(std::set<std::size_t>());
        std::vector<uint32_t> covered(PARTITIONS, 0);
        uint32_t cut = 0; // at the end of the diagonal
        for (const auto& [partitions, height] : blocks)
        {
            cut += partitions.size() < 2 || height < 2 ? 1 : 0;
            EXPECT_LE(partitions.size(), 4U);
            EXPECT_LE(height, 4U);
            heights.insert(height);
            widths.insert(partitions.size());
            for (const std::size_t l : partitions)
            {
                ++covered[l];
            }
        }
        EXPECT_LE(cut, 1U);
        EXPECT_LE(*std::max_element(covered.begin(), covered.end()), 1U);
        EXPECT_GE(blocks.size(), 3U);
    }
    EXPECT_TRUE(heights.count(2) && heights.count(3) && heights.count(4));
    EXPECT_TRUE(widths.count(2) && widths.count(3) && widths.count(4));
}

TEST(GraphDiscoveryTrust, IsFullOrNone)
{
    for (uint32_t j = 0; j < TRUSTING; ++j)
    {
        EXPECT_EQ(Count(Draw(TrustStructure::FULL)[j]), TRUSTING * PARTITIONS);
        EXPECT_EQ(Count(Draw(TrustStructure::NONE)[j]), 0);
    }
}

TEST(GraphDiscoveryTrust, OfADeviceDoesNotDependOnHowManyFollow)
{
    const auto many = Draw(TrustStructure::RANDOM);
    const auto few = DrawTrust(5, PARTITIONS, DiscoveryTrustOptions(), 7);
    for (uint32_t j = 0; j < 5; ++j)
    {
        EXPECT_TRUE(std::equal(few[j].values.begin(), few[j].values.end(), many[j].values.begin()));
    }
    EXPECT_FALSE(many[0] == many[1]);
    EXPECT_FALSE(DrawTrust(TRUSTING, PARTITIONS, DiscoveryTrustOptions(), 8)[0] == many[0]);
}

TEST(GraphDiscoveryTrust, ReadsNamesAndRejectsOthers)
{
    EXPECT_EQ(ParseTrustStructure("random"), TrustStructure::RANDOM);
    EXPECT_EQ(ParseTrustStructure("block"), TrustStructure::BLOCK);
    EXPECT_EQ(ParseTrustStructure("rows"), TrustStructure::ROWS);
    EXPECT_EQ(ParseTrustStructure("columns"), TrustStructure::COLUMNS);
    EXPECT_EQ(ParseTrustStructure("full"), TrustStructure::FULL);
    EXPECT_EQ(ParseTrustStructure("none"), TrustStructure::NONE);
    EXPECT_THROW(ParseTrustStructure("Random"), std::invalid_argument);
    DiscoveryTrustOptions options;
    EXPECT_THROW(DrawTrust(0, 1, options, 1), std::invalid_argument);
    EXPECT_THROW(DrawTrust(1, 0, options, 1), std::invalid_argument);
    options.density = 1.5;
    EXPECT_THROW(DrawTrust(1, 1, options, 1), std::invalid_argument);
    options.density = 0;
    options.sparsity = -1;
    EXPECT_THROW(DrawTrust(1, 1, options, 1), std::invalid_argument);
}
