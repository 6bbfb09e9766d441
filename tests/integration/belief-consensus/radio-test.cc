/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-run.h"

#include <gmock/gmock.h>
#include <numeric>

using namespace ns3;
using namespace ns3::collab;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;
using tests::ReadColumn;

namespace
{

/// Users on a radio on which each hears all others
class BeliefRadioTest : public tests::BeliefRun
{
  protected:
    /// Ten users
    BeliefParameters
    Ten(const std::string& name) const
    {
        auto p = Small("discrete", name);
        p.devices = 10;
        p.links = "radio";
        p.interval = 1;
        return p;
    }

    /// Energy of what was sent [J]
    static double
    SumSending(const std::filesystem::path& run)
    {
        const auto joules = ReadColumn(run, "energy", "tx_j");
        return std::accumulate(joules.begin(), joules.end(), 0.0);
    }
};

} // namespace

TEST_F(BeliefRadioTest, WhatIsRepeatedIsRepeatedForWhoListens)
{
    auto p = Ten("complete");
    p.maxOutage = 0.4;
    p.loss = "reliable";
    const double complete = SumSending(Run(p));
    p.topology = "ring";
    p.runDir = m_folder / "ring";
    const auto ring = Run(p);
    EXPECT_LT(SumSending(ring), complete / 2);
    const auto senders = ReadColumn(ring, "messages", "sender");
    const auto receivers = ReadColumn(ring, "messages", "receiver");
    ASSERT_EQ(senders.size(), 10U * 2 * p.instants);
    for (std::size_t i = 0; i < senders.size(); ++i)
    {
        const int apart = (10 + static_cast<int>(senders[i] - receivers[i])) % 10;
        EXPECT_TRUE(apart == 1 || apart == 9) << senders[i] << " to " << receivers[i];
    }

    p.topology = "complete";
    p.devices = 3;
    p.weights = "given";
    p.matrix = "0.5,0.5,0;0,0.5,0.5;0.5,0,0.5"; // each listens to one
    p.runDir = m_folder / "given";
    EXPECT_EQ(ReadColumn(Run(p), "messages", "sender").size(), 3U * p.instants);
}

TEST_F(BeliefRadioTest, WhatIsLostIsNotSaidToComeLater)
{
    auto p = Ten("not-late");
    p.topology = "ring";
    p.maxOutage = 0.4;
    p.instants = 20;
    p.interval = 0.1;
    p.quiet = false;
    std::ostringstream output;
    RunBeliefConsensus(p, output);
    EXPECT_THAT(output.str(), HasSubstr("not heard: outage"));
    EXPECT_THAT(output.str(), Not(HasSubstr("were heard later")));
}

TEST_F(BeliefRadioTest, ABroadcastOfBestEffortReachesAllInRange)
{
    auto p = Ten("best-effort");
    p.topology = "ring";
    const auto run = Run(p);
    EXPECT_EQ(ReadColumn(run, "messages", "sender").size(), 10U * 9 * p.instants);
    EXPECT_THAT(ReadColumn(run, "messages", "attempts"), Each(1));
}
