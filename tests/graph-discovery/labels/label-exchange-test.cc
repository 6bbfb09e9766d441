/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-random.h"
#include "ns3/graph-discovery-label-exchange.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <stdexcept>

using namespace ns3::collab;

namespace
{

uint64_t
Sum(const PartitionCounts& counts)
{
    return std::accumulate(counts.begin(), counts.end(), uint64_t{0});
}

/// A transmitter and those who asked it, drawn
struct Case
{
    PartitionCounts held;
    PartitionCounts thresholds;
    std::vector<std::vector<uint8_t>> trusted;
    std::vector<PartitionCounts> needs;   //!< D_i of receivers
    std::vector<PartitionCounts> desired; //!< b_i of receivers
};

PartitionCounts
DrawCounts(std::size_t size, uint64_t most, RandomGenerator& generator)
{
    PartitionCounts counts(size);
    for (uint32_t& count : counts)
    {
        count = static_cast<uint32_t>(generator() % (most + 1));
    }
    return counts;
}

Case
DrawCase(RandomGenerator& generator)
{
    const std::size_t labels = 1 + generator() % 6;
    const std::size_t receivers = generator() % 6;
    const uint64_t most = generator() % 20 == 0 ? UINT32_MAX : 1 + generator() % 60;
    Case drawn{
        DrawCounts(labels, most, generator), DrawCounts(labels, most / 2, generator), {}, {}, {}};
    for (std::size_t i = 0; i < receivers; ++i)
    {
        drawn.trusted.emplace_back();
        for (std::size_t l = 0; l < labels; ++l)
        {
            drawn.trusted.back().push_back(generator() % 2);
        }
        drawn.needs.push_back(DrawCounts(labels, most, generator));
        drawn.desired.push_back(DrawCounts(labels, most, generator));
    }
    return drawn;
}

/// @return whether U is (11) to less than one datapoint, and all there is to spare is allotted
void
ExpectProportional(uint64_t spare,
                   const std::vector<uint32_t>& requests,
                   const std::vector<uint32_t>& allotted)
{
    const uint64_t sum = Sum(requests);
    ASSERT_EQ(Sum(allotted), std::min(sum, spare));
    for (std::size_t i = 0; i < requests.size(); ++i)
    {
        ASSERT_LE(allotted[i], requests[i]);
        if (sum > spare)
        {
            const long double exact = static_cast<long double>(requests[i]) * spare / sum;
            ASSERT_LT(std::abs(static_cast<double>(allotted[i] - exact)), 1);
        }
    }
}

} // namespace

TEST(GraphDiscoveryLabels, FollowExampleOneOfThePaper)
{
    const PartitionCounts held{20, 20, 20, 20, 20};
    const PartitionCounts thresholds(5, 10);
    const std::vector<PartitionCounts> before{{20, 0, 0, 0, 20}, {0, 20, 0, 20, 0}};
    const std::vector<std::vector<uint8_t>> trusted{{1, 0, 1, 1, 0}, {1, 1, 1, 0, 0}};
    std::vector<PartitionCounts> requests;
    for (std::size_t i = 0; i < 2; ++i)
    {
        const auto offer = OfferLabels(held, thresholds, trusted[i]);
        EXPECT_EQ(offer, trusted[i]);
        requests.push_back(RequestLabels(before[i], thresholds, offer));
    }
    EXPECT_EQ(requests[0], (PartitionCounts{0, 0, 10, 10, 0}));
    EXPECT_EQ(requests[1], (PartitionCounts{10, 0, 10, 0, 0}));
    const auto allotted = AllotLabels(held, thresholds, requests);
    EXPECT_EQ(allotted[0], (PartitionCounts{0, 0, 5, 10, 0})); // D_i: 20 0 5 10 20
    EXPECT_EQ(allotted[1],
              (PartitionCounts{10, 0, 5, 0, 0})); // D_k: 10 20 5 20 0; D_j: 10 20 10 10 20
}

TEST(GraphDiscoveryLabels, OfferWhatIsTrustedAndAboveTheThreshold)
{
    EXPECT_EQ(OfferLabels({5, 5, 6, 6}, {5, 0, 5, 5}, {1, 1, 1, 0}),
              (std::vector<uint8_t>{0, 1, 1, 0}));
}

TEST(GraphDiscoveryLabels, RequestWhatIsMissing)
{
    EXPECT_EQ(RequestLabels({5, 5, 6, 1}, {7, 5, 5, 9}, {1, 1, 1, 0}),
              (PartitionCounts{2, 0, 0, 0}));
    EXPECT_EQ(RequestLabels({0, 0, 0}, {4, 2, 4}, {1, 1, 1}, 5), (PartitionCounts{2, 1, 2}));
    EXPECT_EQ(RequestLabels({0, 0, 0}, {4, 2, 4}, {1, 1, 1}, 10), (PartitionCounts{4, 2, 4}));
    EXPECT_EQ(RequestLabels({0, 0, 0}, {4, 2, 4}, {1, 1, 1}, 0), (PartitionCounts{0, 0, 0}));
}

TEST(GraphDiscoveryLabels, RoundDownThenByLargestRemainderThenToTheFirst)
{
    // 7 among 4, 4, 4: 2 and a third each
    EXPECT_EQ(AllotLabels({7}, {0}, {{4}, {4}, {4}}),
              (std::vector<PartitionCounts>{{3}, {2}, {2}}));
    // 4 among 1, 3, 5: 4/9, 12/9, 20/9
    EXPECT_EQ(AllotLabels({4}, {0}, {{1}, {3}, {5}}),
              (std::vector<PartitionCounts>{{1}, {1}, {2}}));
    // Enough for all
    EXPECT_EQ(AllotLabels({9}, {0}, {{1}, {3}, {5}}),
              (std::vector<PartitionCounts>{{1}, {3}, {5}}));
    // Nothing to spare
    EXPECT_EQ(AllotLabels({9, 3}, {9, 8}, {{1, 2}}), (std::vector<PartitionCounts>{{0, 0}}));
    // Products beyond 64 bits do not occur, those beyond 32 do
    EXPECT_EQ(AllotLabels({UINT32_MAX}, {1}, {{UINT32_MAX}, {UINT32_MAX}}),
              (std::vector<PartitionCounts>{{UINT32_MAX / 2}, {UINT32_MAX / 2}}));
    EXPECT_TRUE(AllotLabels({9}, {0}, {}).empty());
}

TEST(GraphDiscoveryLabels, ConserveDataAndTrustInAnyCase)
{
    RandomGenerator generator(1);
    for (uint32_t repetition = 0; repetition < 20000; ++repetition)
    {
        const Case drawn = DrawCase(generator);
        std::vector<PartitionCounts> requests;
        for (std::size_t i = 0; i < drawn.needs.size(); ++i)
        {
            const auto offer = OfferLabels(drawn.held, drawn.thresholds, drawn.trusted[i]);
            requests.push_back(RequestLabels(drawn.needs[i], drawn.desired[i], offer));
            for (std::size_t l = 0; l < offer.size(); ++l)
            {
                ASSERT_TRUE(drawn.trusted[i][l] != 0 || (offer[l] == 0 && requests[i][l] == 0));
            }
        }
        const auto allotted = AllotLabels(drawn.held, drawn.thresholds, requests);
        ASSERT_EQ(allotted.size(), requests.size());
        for (std::size_t l = 0; l < drawn.held.size(); ++l)
        {
            std::vector<uint32_t> asked;
            std::vector<uint32_t> given;
            for (std::size_t i = 0; i < requests.size(); ++i)
            {
                ASSERT_TRUE(drawn.trusted[i][l] != 0 || allotted[i][l] == 0);
                asked.push_back(requests[i][l]);
                given.push_back(allotted[i][l]);
            }
            const uint64_t kept = std::min(drawn.held[l], drawn.thresholds[l]);
            ASSERT_GE(drawn.held[l], Sum(given));
            ASSERT_GE(drawn.held[l] - Sum(given), kept);
            ExpectProportional(drawn.held[l] - kept, asked, given);
        }
    }
}

TEST(GraphDiscoveryLabels, CappedRequestsAreInProportion)
{
    RandomGenerator generator(2);
    for (uint32_t repetition = 0; repetition < 2000; ++repetition)
    {
        const uint64_t most = repetition % 10 == 0 ? UINT32_MAX : 40;
        const PartitionCounts thresholds = DrawCounts(5, most, generator);
        const uint64_t budget = generator() % (4 * most);
        const PartitionCounts none(5, 0);
        const auto capped = RequestLabels(none, thresholds, std::vector<uint8_t>(5, 1), budget);
        ExpectProportional(budget, thresholds, capped);
    }
}

TEST(GraphDiscoveryLabels, DivideByLargestRemainder)
{
    EXPECT_EQ(DivideByLargestRemainder(10, {1, 1, 1}), (std::vector<uint32_t>{4, 3, 3}));
    EXPECT_EQ(DivideByLargestRemainder(7, {0.5, 0, 1.5}), (std::vector<uint32_t>{2, 0, 5}));
    EXPECT_EQ(DivideByLargestRemainder(0, {0, 0}), (std::vector<uint32_t>{0, 0}));
    EXPECT_EQ(DivideByLargestRemainder(3, {1e308, 1e308, 1e308}), (std::vector<uint32_t>{1, 1, 1}));
    EXPECT_THROW(DivideByLargestRemainder(1, {0, 0}), std::invalid_argument);
    EXPECT_THROW(DivideByLargestRemainder(1, {}), std::invalid_argument);
    EXPECT_THROW(DivideByLargestRemainder(1, {1, -1}), std::invalid_argument);
    EXPECT_THROW(DivideByLargestRemainder(1, {1, std::nan("")}), std::invalid_argument);
    RandomGenerator generator(3);
    for (uint32_t repetition = 0; repetition < 2000; ++repetition)
    {
        std::vector<double> weights;
        for (std::size_t k = 0; k < 1 + generator() % 9; ++k)
        {
            weights.push_back(static_cast<double>(generator() >> 11) * 0x1p-53);
        }
        const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
        const auto total = static_cast<uint32_t>(generator() % 1000);
        const auto shares = DivideByLargestRemainder(total, weights);
        ASSERT_EQ(Sum(shares), total);
        for (std::size_t k = 0; k < weights.size(); ++k)
        {
            ASSERT_LT(std::abs(shares[k] - total * weights[k] / sum), 1);
        }
    }
}

TEST(GraphDiscoveryLabels, RejectSizesThatDiffer)
{
    EXPECT_THROW(OfferLabels({1}, {1, 2}, {1}), std::invalid_argument);
    EXPECT_THROW(OfferLabels({1}, {1}, {1, 1}), std::invalid_argument);
    EXPECT_THROW(RequestLabels({1}, {1, 2}, {1}), std::invalid_argument);
    EXPECT_THROW(RequestLabels({1}, {1}, {}), std::invalid_argument);
    EXPECT_THROW(AllotLabels({1}, {}, {}), std::invalid_argument);
    EXPECT_THROW(AllotLabels({1}, {1}, {{1, 1}}), std::invalid_argument);
}
