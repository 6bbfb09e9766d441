/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/graph-discovery-data-payloads.h"

#include <gmock/gmock.h>
#include <memory>

using namespace ns3::collab;
using ::testing::ElementsAre;

TEST(DatapointBytes, AreThoseOfTheChosenImages)
{
    auto data = std::make_shared<DataSet>();
    data->sampleShape = {1, 2, 1};
    data->classes = 10;
    data->features = {10, 11, 20, 21, 30, 31, 40, 41};
    data->labels = {1, 2, 3, 4};
    std::vector<uint8_t> bytes;
    DatapointsPayload(MakeView(data, {3, 1})).Serialize(bytes);
    EXPECT_THAT(bytes, ElementsAre(40, 41, 4, 20, 21, 2));
    const auto same = DatapointsPayload::Parse(bytes.data(), bytes.size(), *data);
    EXPECT_THAT(same->GetSamples().data->features, ElementsAre(40, 41, 20, 21));
    EXPECT_THAT(same->GetSamples().labels, ElementsAre(4, 2));
}
