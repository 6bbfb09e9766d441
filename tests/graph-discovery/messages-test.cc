/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-data-set.h"
#include "ns3/collab-fields.h"
#include "ns3/collab-packed-message.h"
#include "ns3/collab-random.h"
#include "ns3/graph-discovery-data-messages.h"
#include "ns3/graph-discovery-messages.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

using namespace ns3::collab;
using testing::ElementsAre;
using testing::ElementsAreArray;

namespace
{

/// @return bytes of a message, as many as it says
template <typename T>
std::vector<uint8_t>
WriteMessage(const T& message)
{
    std::vector<uint8_t> bytes;
    Pack(message)->Serialize(bytes);
    EXPECT_EQ(Pack(message)->WireSize(), bytes.size());
    return bytes;
}

/// @return what is read of bytes and can be believed
template <typename T>
T
ReadMessage(const std::vector<uint8_t>& bytes, const T& expected)
{
    const auto read = Unpack(bytes.data(), bytes.size(), expected);
    CheckMessage(read->Get(), expected);
    return read->Get();
}

/// A message has these bytes, and is read from them and, if it has no end of its own, of no fewer
template <typename T>
void
ExpectBytes(const T& message, uint16_t kind, const std::vector<uint8_t>& bytes, bool isWhole = true)
{
    SCOPED_TRACE(T::NAME);
    EXPECT_EQ(GetKind<T>(), kind);
    EXPECT_EQ(WriteMessage(message), bytes);
    EXPECT_EQ(WriteMessage(ReadMessage(bytes, message)), bytes);
    for (std::size_t size = 1; isWhole && size < bytes.size(); ++size)
    {
        const std::vector<uint8_t> part(bytes.begin(),
                                        bytes.begin() + static_cast<std::ptrdiff_t>(size));
        EXPECT_THROW(ReadMessage(part, message), PayloadError) << size;
    }
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

/// Random bytes are refused, or are those of what is read
template <typename T>
uint32_t
CountRefused(const std::vector<uint8_t>& bytes, const T& expected)
{
    try
    {
        EXPECT_EQ(WriteMessage(ReadMessage(bytes, expected)), bytes) << T::NAME;
        return 0;
    }
    catch (const PayloadError&)
    {
        return 1;
    }
}

/// @return three samples of two features, of classes 0, 1 and 2; wide ones need labels of two bytes
DataSet
MakeSamples(FeatureKind kind, uint32_t classes)
{
    DataSet data;
    data.kind = kind;
    data.sampleShape = {2};
    data.classes = classes;
    data.labels = {0, 1, 2};
    switch (kind)
    {
    case FeatureKind::BYTES:
        data.features = {1, 2, 3, 4, 5, 6};
        break;
    case FeatureKind::NUMBERS:
        data.numbers = {1.5F, -2, 3, 4, 5, 0.25F};
        break;
    case FeatureKind::TOKENS:
        data.vocabulary = 1000;
        data.tokens = {1, 2, 3, 999, 258, 6};
        break;
    }
    return data;
}

/// @return what is serialized of samples 2 and 1
std::vector<uint8_t>
Serialize(const DataSet& data)
{
    const auto packed = Pack(Datapoints{MakeView(std::make_shared<const DataSet>(data), {2, 1})});
    std::vector<uint8_t> bytes;
    packed->Serialize(bytes);
    EXPECT_EQ(packed->WireSize(), bytes.size());
    EXPECT_EQ(packed->GetUnitCount() * packed->GetUnitSize(), bytes.size());
    return bytes;
}

constexpr std::size_t D = 16; //!< d
constexpr uint32_t L = 7;     //!< clusters

} // namespace

TEST(DiscoveryMessagesTest, OfTheSetupAndOfRewardsTravelAsTheseBytes)
{
    ExpectBytes(OutageRow{{0.5F, 1}}, 703, {0, 0, 0, 0x3f, 0, 0, 0x80, 0x3f});
    ExpectBytes(TrustedPartitions{{{1, 0, 1}, 1}}, 704, {1, 0, 1});
    auto components = std::make_shared<PrincipalComponents>();
    components->singularValues = {2};
    components->vectors = Matrix<float>(1, 2);
    components->vectors(0, 0) = 1;
    ExpectBytes(
        SharedComponents{1, 2, components}, 705, {0, 0, 0, 0x40, 0, 0, 0x80, 0x3f, 0, 0, 0, 0});
    ExpectBytes(LinkReward{-2.5F, 300}, 706, {0, 0, 0x20, 0xc0, 0x2c, 1});
    ExpectBytes(DatapointReceipt{{1, 8}, 9}, 702, {2, 1}, false);
}

TEST(DiscoveryMessagesTest, OfAlgorithm1TravelAsTheseBytes)
{
    ExpectBytes(LinkRequest(), 707, {});
    ExpectBytes(LabelOffer{{{0, 1}, 1}}, 708, {0, 1});
    ExpectBytes(LabelRequest{{{1, 300}, 2}}, 709, {1, 0, 0x2c, 1});
    ExpectBytes(LabelGrant{{{1, 200}, 1}}, 710, {1, 200});
}

TEST(DiscoveryMessagesTest, OfAlgorithm2TravelAsTheseBytes)
{
    const std::vector<uint8_t> statistics = {0, 0, 0, 0x3f, 0, 0, 0, 0x40};
    const ClusterFormat format = {1, 1, true, 2};
    const auto centroids = std::make_shared<const Matrix<float>>(1, 1, 0.5F);
    ExpectBytes(ClusterRequest{format, 9, 2, centroids}, 711, {9, 2, 0, 0, 0, 0, 0x3f}, false);
    ExpectBytes(ClusterRequest{{1, 2, false, 2}, 300, 0, nullptr}, 711, {0x2c, 1});
    ExpectBytes(ClusterGrant{{format, {{0, 3, MakeCluster(1)}, {1, 4, nullptr}}}},
                712,
                {0, 3, 0, 0, 0, 0x3f, 0, 0, 0, 0x40, 0x81, 4},
                false);
    ExpectBytes(ClusterGrant{{{1, 2, false, 2}, {{0, 300, MakeCluster(1)}}}},
                712,
                {0x2c, 1, 0, 0, 0, 0x3f, 0, 0, 0, 0x40});
    const ClusterList plain = {{1, 0, false, 2}, {{0, 0, MakeCluster(1)}}};
    ExpectBytes(ClustersBefore{plain}, 713, statistics);
    ExpectBytes(ClustersAfter{plain}, 714, statistics);
}

TEST(DiscoveryMessagesTest, HaveTheBitsOfTheSpecification)
{
    const auto count = [](const auto& message) { return Pack(message)->WireSize() * 8; };
    EXPECT_EQ(count(LabelGrant{{PartitionCounts(10, 3), 1}}), 8U * 10);
    EXPECT_EQ(count(LinkReward{1.5F, 7}), 32U + 16);
    EXPECT_EQ(count(LinkReward()), 8 * LinkReward::SIZE);
    EXPECT_EQ(count(OutageRow{std::vector<float>(25)}), 32U * 25);
    EXPECT_EQ(count(SharedComponents{D, 784, nullptr}), 32U * D * (784 + 1));
    const ClusterFormat format = {D, 1, false, L};
    const auto centroids = std::make_shared<const Matrix<float>>(L, D);
    EXPECT_EQ(count(ClusterRequest{format, 9, 0, centroids}), 8 + 32 * D * L);
    std::vector<ClusterEntry> entries;
    for (uint8_t l = 0; l < L; ++l)
    {
        entries.push_back({l, 3, MakeCluster(D)});
    }
    EXPECT_EQ(count(ClusterGrant{{format, entries}}), L * (32 * (D + D * D) + 8));
    EXPECT_EQ(count(ClustersAfter{{{D, 0, false, L}, entries}}), 32 * L * (D + D * D));
}

TEST(DiscoveryMessagesTest, OfRandomBytesAreRefusedOrSound)
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
        refused += CountRefused(bytes, LabelGrant{{PartitionCounts(3), 2}}) +
                   CountRefused(bytes, LinkReward()) +
                   CountRefused(bytes, SharedComponents{2, 2, nullptr}) +
                   CountRefused(bytes, ClusterRequest{{2, 1, true, 8}, 0, 0, nullptr}) +
                   CountRefused(bytes, ClusterGrant{{{2, 1, false, 8}, {}}}) +
                   CountRefused(bytes, ClusterGrant{{{2, 2, true, 8}, {}}}) +
                   CountRefused(bytes, ClustersAfter{{{2, 0, false, 8}, {}}});
    }
    EXPECT_GT(refused, 50000U);
    EXPECT_LT(refused, 7U * 20000);
}

TEST(DiscoveryMessagesTest, RefuseWhatIsOutOfRange)
{
    for (const double mean : {1e16, -1e30, double{NAN}, double{INFINITY}})
    {
        auto cluster = std::make_shared<GaussianCluster>(*MakeCluster(2));
        cluster->mean[1] = mean;
        const ClusterGrant grant{{{2, 1, false, 2}, {{0, 1, cluster}}}};
        EXPECT_THROW(ReadMessage(WriteMessage(grant), grant), PayloadError);
    }
    for (const float outage : {-0.5F, 1.5F, NAN})
    {
        const OutageRow row{{0.5F, outage}};
        EXPECT_THROW(ReadMessage(WriteMessage(row), row), PayloadError);
    }
    const ClusterGrant twice{{{1, 1, true, 3}, {{1, 1, MakeCluster(1)}, {1, 1, MakeCluster(1)}}}};
    EXPECT_THROW(ReadMessage(WriteMessage(twice), twice), PayloadError);
    const ClusterGrant unknown{{{1, 1, true, 3}, {{3, 1, MakeCluster(1)}}}};
    EXPECT_THROW(ReadMessage(WriteMessage(unknown), unknown), PayloadError);
    const SharedComponents none{1, 2, nullptr};
    EXPECT_THROW(CheckMessage(none, none), PayloadError);
}

TEST(DiscoveryMessagesTest, OfImagesAndTextsTravelAsTheirBytesAndTokens)
{
    EXPECT_EQ(GetKind<Datapoints>(), 701);
    EXPECT_THAT(Serialize(MakeSamples(FeatureKind::BYTES, 3)), ElementsAre(5, 6, 2, 3, 4, 1));
    const DataSet texts = MakeSamples(FeatureKind::TOKENS, 3);
    EXPECT_THAT(Serialize(texts),
                ElementsAreArray({2, 1, 0, 0, 6, 0, 0, 0, 2, 3, 0, 0, 0, 0xe7, 3, 0, 0, 1}));
}

TEST(DiscoveryMessagesTest, BringEveryKindOfSampleBack)
{
    for (const FeatureKind kind : {FeatureKind::BYTES, FeatureKind::NUMBERS, FeatureKind::TOKENS})
    {
        for (const uint32_t classes : {3U, 1000U})
        {
            SCOPED_TRACE(testing::Message() << ToString(kind) << " of classes: " << classes);
            const DataSet data = MakeSamples(kind, classes);
            const std::vector<uint8_t> bytes = Serialize(data);
            Datapoints like;
            like.samples.data = std::make_shared<const DataSet>(data);
            const auto parsed = Unpack(bytes.data(), bytes.size(), like);
            const DataView& samples = parsed->Get().samples;
            DataSet expected = MakeEmptyLike(data);
            AppendSamples(data, {2, 1}, expected);
            EXPECT_EQ(samples.data->features, expected.features);
            EXPECT_EQ(samples.data->numbers, expected.numbers);
            EXPECT_EQ(samples.data->tokens, expected.tokens);
            EXPECT_THAT(samples.indices, ElementsAre(0, 1));
            EXPECT_THAT(samples.labels, ElementsAre(2, 1));
        }
    }
}
