/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collab-data-set.h"
#include "ns3/collab-fields.h"
#include "ns3/collab-packed-message.h"
#include "ns3/graph-discovery-data-messages.h"

#include <gmock/gmock.h>
#include <memory>
#include <vector>

namespace datapoints_test
{

using namespace ns3::collab;
using testing::ElementsAre;
using testing::ElementsAreArray;

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

TEST(DatapointsTest, ImagesAndTextsTravelAsTheirBytesAndTokens)
{
    EXPECT_EQ(GetKind<Datapoints>(), 701);
    EXPECT_THAT(Serialize(MakeSamples(FeatureKind::BYTES, 3)), ElementsAre(5, 6, 2, 3, 4, 1));
    const DataSet texts = MakeSamples(FeatureKind::TOKENS, 3);
    EXPECT_THAT(Serialize(texts),
                ElementsAreArray({2, 1, 0, 0, 6, 0, 0, 0, 2, 3, 0, 0, 0, 0xe7, 3, 0, 0, 1}));
}

TEST(DatapointsTest, EveryKindOfSampleComesBack)
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

} // namespace datapoints_test
