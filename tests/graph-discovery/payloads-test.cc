/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-random.h"
#include "ns3/graph-discovery-data-payloads.h"
#include "ns3/graph-discovery-payloads.h"

#include <gtest/gtest.h>

using namespace ns3::collab;

namespace
{

/// @return bytes of a payload, as many as it says
std::vector<uint8_t>
Serialize(const Payload& payload)
{
    std::vector<uint8_t> bytes;
    payload.Serialize(bytes);
    EXPECT_EQ(payload.WireSize(), bytes.size());
    return bytes;
}

/// @return a cluster of d numbers
std::shared_ptr<const GaussianCluster>
MakeCluster(std::size_t d)
{
    auto cluster = std::make_shared<GaussianCluster>();
    cluster->mean.assign(d, 0.5);
    cluster->covariance = Matrix<double>(d, d, 0.25);
    for (std::size_t i = 0; i < d; ++i)
    {
        cluster->covariance(i, i) = 2;
    }
    return cluster;
}

constexpr std::size_t D = 16; //!< d
constexpr std::size_t L = 7;  //!< clusters

/// @return parsers of all payloads that must be of an exact form
std::vector<std::function<std::shared_ptr<const Payload>(const uint8_t*, std::size_t)>>
MakeParsers()
{
    const auto clusters = [](uint32_t countBytes, bool caches) {
        return [=](const uint8_t* bytes, std::size_t size) {
            return ClusterStatisticsPayload::Parse(bytes, size, {2, countBytes, caches});
        };
    };
    return {[](const uint8_t* b, std::size_t n) { return PartitionCountsPayload::Parse(b, n, 2); },
            [](const uint8_t* b, std::size_t n) { return LinkRewardPayload::Parse(b, n); },
            [](const uint8_t* b, std::size_t n) { return NumbersPayload::Parse(b, n, 2, 3); },
            [](const uint8_t* b, std::size_t n) {
                return ClusterRequestPayload::Parse(b, n, {2, 1, true});
            },
            clusters(1, false),
            clusters(2, true),
            clusters(0, false)};
}

} // namespace

TEST(DiscoveryPayloadsTest, HaveTheBitsOfTheSpecification)
{
    EXPECT_EQ(PartitionCountsPayload(PartitionCounts(10, 3), 1).WireSize() * 8, 8U * 10);
    EXPECT_EQ(LinkRewardPayload(1.5F, 7).WireSize() * 8, 32U + 16);
    EXPECT_EQ(NumbersPayload(Matrix<float>(1, 25)).WireSize() * 8, 32U * 25);
    EXPECT_EQ(NumbersPayload(Matrix<float>(D, 784 + 1)).WireSize() * 8, 32U * D * (784 + 1));
    const ClusterFormat format = {D, 1, false};
    const auto centroids = std::make_shared<const Matrix<float>>(L, D);
    EXPECT_EQ(ClusterRequestPayload(format, 9, 0, centroids).WireSize() * 8, 8 + 32 * D * L);
    std::vector<ClusterEntry> entries;
    for (uint8_t l = 0; l < L; ++l)
    {
        entries.push_back({l, 3, MakeCluster(D)});
    }
    EXPECT_EQ(ClusterStatisticsPayload(format, entries).WireSize() * 8, L * (32 * (D + D * D) + 8));
    EXPECT_EQ(ClusterStatisticsPayload({D, 0, false}, entries).WireSize() * 8,
              32 * L * (D + D * D));
    EXPECT_EQ(ReceiptPayload({0, 8}, 9).WireSize(), 2U);
}

TEST(DiscoveryPayloadsTest, AreReadAsTheyAreWritten)
{
    for (const uint32_t size : {1, 2})
    {
        const PartitionCounts counts = {0, 1, 200, size == 1 ? 255U : 65535U};
        const auto bytes = Serialize(PartitionCountsPayload(counts, size));
        EXPECT_EQ(PartitionCountsPayload::Parse(bytes.data(), bytes.size(), size)->GetCounts(),
                  counts);
    }
    const auto reward = Serialize(LinkRewardPayload(-2.5F, 1000000));
    const auto read = LinkRewardPayload::Parse(reward.data(), reward.size());
    EXPECT_EQ(read->GetReward(), -2.5F);
    EXPECT_EQ(read->GetPoints(), 65535U);
    for (const uint32_t countBytes : {0, 1, 2})
    {
        for (const bool caches : {false, true})
        {
            const ClusterFormat format = {3, countBytes, caches};
            std::vector<ClusterEntry> entries = {{0, 0, MakeCluster(3)}, {1, 0, MakeCluster(3)}};
            entries[1].points = countBytes == 0 ? 0 : 200;
            if (caches)
            {
                entries.push_back({15, countBytes == 0 ? 0U : 7U, nullptr});
            }
            const auto bytes = Serialize(ClusterStatisticsPayload(format, entries));
            const auto same = ClusterStatisticsPayload::Parse(bytes.data(), bytes.size(), format);
            ASSERT_EQ(same->GetEntries().size(), entries.size());
            for (std::size_t l = 0; l < entries.size(); ++l)
            {
                const auto& entry = same->GetEntries()[l];
                EXPECT_EQ(entry.cluster, entries[l].cluster);
                EXPECT_EQ(entry.points, entries[l].points);
                ASSERT_EQ(!entry.statistics, !entries[l].statistics);
                if (entry.statistics)
                {
                    EXPECT_EQ(entry.statistics->mean, entries[l].statistics->mean);
                    EXPECT_EQ(entry.statistics->covariance.values,
                              entries[l].statistics->covariance.values);
                }
            }
            EXPECT_EQ(Serialize(*same), bytes);
        }
    }
    const auto receipt = Serialize(ReceiptPayload({1, 7, 8}, 12));
    EXPECT_EQ(ReceiptPayload::Parse(receipt.data(), receipt.size())->GetUnits(),
              (std::vector<uint32_t>{1, 7, 8}));
}

TEST(DiscoveryPayloadsTest, AreRefusedIfTruncated)
{
    const std::vector<std::vector<uint8_t>> whole = {
        Serialize(LinkRewardPayload(1, 2)),
        Serialize(NumbersPayload(Matrix<float>(2, 3, 0.5F))),
        Serialize(ClusterStatisticsPayload({2, 1, false}, {{0, 1, MakeCluster(2)}})),
        Serialize(ClusterStatisticsPayload({2, 2, true}, {{0, 1, MakeCluster(2)}})),
        Serialize(ClusterStatisticsPayload({2, 0, false}, {{0, 0, MakeCluster(2)}}))};
    const auto parsers = MakeParsers();
    const std::vector<std::size_t> parserOf = {1, 2, 4, 5, 6};
    for (std::size_t i = 0; i < whole.size(); ++i)
    {
        EXPECT_NO_THROW(parsers[parserOf[i]](whole[i].data(), whole[i].size()));
        for (std::size_t size = 1; size < whole[i].size(); ++size)
        {
            EXPECT_THROW(parsers[parserOf[i]](whole[i].data(), size), PayloadError) << i;
        }
    }
}

TEST(DiscoveryPayloadsTest, OfRandomBytesAreRefusedOrSound)
{
    RandomGenerator generator(9);
    uint32_t refused = 0;
    for (uint32_t k = 0; k < 20000; ++k)
    {
        std::vector<uint8_t> bytes(generator() % 60);
        for (auto& byte : bytes)
        {
            byte = static_cast<uint8_t>(generator());
        }
        for (const auto& parse : MakeParsers())
        {
            try
            {
                EXPECT_EQ(Serialize(*parse(bytes.data(), bytes.size())), bytes);
            }
            catch (const PayloadError&)
            {
                ++refused;
            }
        }
    }
    EXPECT_GT(refused, 50000U);
}

TEST(DiscoveryPayloadsTest, RefuseClustersOutOfRange)
{
    const ClusterFormat format = {2, 1, false};
    for (const double mean : {1e16, -1e30, double{NAN}, double{INFINITY}})
    {
        auto cluster = std::make_shared<GaussianCluster>(*MakeCluster(2));
        cluster->mean[1] = mean;
        const auto bytes = Serialize(ClusterStatisticsPayload(format, {{0, 1, cluster}}));
        EXPECT_THROW(ClusterStatisticsPayload::Parse(bytes.data(), bytes.size(), format),
                     PayloadError);
    }
}
