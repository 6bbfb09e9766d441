/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-run.h"

using namespace ns3;
using namespace ns3::collab;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

namespace
{

/// Ten users on a radio on which each hears all others
class BeliefRadioTest : public tests::BeliefRun
{
  protected:
    const std::string TEN = "devices=10 links=radio interval=1 ";
};

} // namespace

TEST_F(BeliefRadioTest, WhatIsRepeatedIsRepeatedForWhoListens)
{
    const std::string reliable = TEN + "maxOutage=0.4 loss=reliable ";
    const auto ring = Run(reliable + "topology=ring");
    EXPECT_LT(ring.Sum("energy", "tx_j"), Run(reliable).Sum("energy", "tx_j") / 2);
    const auto rows = ring.Rows("messages");
    ASSERT_THAT(rows, SizeIs(10 * 2 * 6));
    for (const auto& row : rows)
    {
        const int apart = (10 + std::stoi(row.at("sender")) - std::stoi(row.at("receiver"))) % 10;
        EXPECT_TRUE(apart == 1 || apart == 9) << row.at("sender") << " to " << row.at("receiver");
    }
    // Each listens to one
    EXPECT_THAT(Run(reliable + "devices=3 weights=given matrix=0.5,0.5,0;0,0.5,0.5;0.5,0,0.5")
                    .Rows("messages"),
                SizeIs(3 * 6));
}

TEST_F(BeliefRadioTest, WhatIsLostIsNotSaidToComeLater)
{
    const auto run = Run(TEN + "topology=ring maxOutage=0.4 instants=20 interval=0.1");
    EXPECT_THAT(run.printed, HasSubstr("not heard: outage"));
    EXPECT_THAT(run.printed, Not(HasSubstr("were heard later")));
}

TEST_F(BeliefRadioTest, ABroadcastOfBestEffortReachesAllInRange)
{
    const auto run = Run(TEN + "topology=ring");
    EXPECT_THAT(run.Read("messages", "attempts"), AllOf(SizeIs(10 * 9 * 6), Each(1)));
}
