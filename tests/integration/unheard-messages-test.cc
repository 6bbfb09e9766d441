/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A deadline that is too short for all devices to take turns: no message is without a trace.

#include "integration/scenario-test.h"
#include "integration/small-fashion.h"
#include "prediction-consensus/prediction-consensus-scenario.h"

using namespace ns3::collab;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::SizeIs;

namespace
{

using UnheardMessagesTest = tests::ScenarioTest;

} // namespace

TEST_F(UnheardMessagesTest, AreNotWithoutATrace)
{
    constexpr uint32_t DEVICES = 12;
    constexpr uint32_t EXCHANGES = 2; // rounds in which everybody broadcasts once
    const auto run =
        Play(RunPredictionConsensus,
             tests::SmallFashion::Argument() +
                 "devices=12 samples=40 minimumSamples=4 testSamples=50 model=linear "
                 "lowQuality=none pretrainingRounds=1 rounds=3 localEpochs=1 deadline=0.2");
    // One row for each device that a message was meant for
    std::map<std::string, std::set<std::string>> meant;
    std::size_t unsent = 0;
    for (const auto& row : run.Rows("messages"))
    {
        const std::string& receiver = row.at("receiver");
        EXPECT_NE(row.at("sender"), receiver);
        EXPECT_TRUE(meant[row.at("sender") + " " + row.at("sequence")].insert(receiver).second);
        if (row.at("attempts") == "0")
        {
            ++unsent;
            EXPECT_EQ(row.at("delivered"), "0");
            EXPECT_EQ(row.at("airtime_s"), "0");
        }
    }
    EXPECT_THAT(meant, SizeIs(DEVICES * EXCHANGES));
    EXPECT_THAT(meant, Each(Pair(::testing::_, SizeIs(DEVICES - 1))));
    EXPECT_GT(unsent, 0U);
    // They count as expected, and not as heard or sent
    const double expected = DEVICES * EXCHANGES * (DEVICES - 1);
    const double heard = run.Sum("rounds", "messages_heard");
    EXPECT_EQ(run.Sum("rounds", "messages_expected"), expected);
    EXPECT_LE(heard, run.Sum("messages", "delivered"));
    EXPECT_LT(heard, expected / 2);
    EXPECT_THAT(run.printed, HasSubstr("not heard, since never on air: run-ended "));
    EXPECT_THAT(run.printed, HasSubstr("warning: a device heard "));
    EXPECT_THAT(run.printed, HasSubstr("(--deadline 0.2 s)"));
}
