/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support/refusals.h"

#include "ns3/graph-discovery-game.h"

#include <gmock/gmock.h>
#include <stdexcept>

using namespace ns3::collab;
using ::testing::HasSubstr;

TEST(LabelGameSizes, AreTold)
{
    LabelGame game;
    game.held.assign(2, PartitionCounts(3, 10));
    game.thresholds.assign(2, PartitionCounts(3, 5));
    game.trust.assign(2, Matrix<uint8_t>(2, 3, 1));
    game.outage = Matrix<double>(2, 2, 0);
    game.cluster = {0, 0};
    EXPECT_NO_THROW(game.Validate());
    game.thresholds[1].push_back(5);
    tests::ExpectRefused("thresholds of a device with 4 entries, but 3 are needed",
                         [&] { game.Validate(); });
}
