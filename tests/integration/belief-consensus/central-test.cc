/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus/belief-users.h"
#include "belief-run.h"

#include "ns3/string.h"

#include <gmock/gmock.h>

using namespace ns3;
using namespace ns3::collab;
using ::testing::HasSubstr;
using tests::ReadColumn;
using tests::ReadFile;

namespace
{

/// A central user, beside the users whose data it has
class BeliefCentralTest : public tests::BeliefRun
{
  protected:
    /// Operations of updates in an instant, of all users of a method together
    static std::vector<uint64_t>
    CountFlops(BeliefParameters p, const std::string& method)
    {
        p.method = method;
        const auto users =
            MakeUsers(p, PrepareSamples(p), std::vector<double>(p.CountUsers(), 1.0));
        std::vector<uint64_t> flops(p.instants, 0);
        for (uint32_t instant = 0; instant < p.instants; ++instant)
        {
            for (const auto& user : users)
            {
                flops[instant] += user->CountUpdateFlops(instant);
            }
        }
        return flops;
    }
};

} // namespace

TEST_F(BeliefCentralTest, TakesAsManyStepsInAReplayAsAllUsersTogether)
{
    auto p = Small("mean-field", "replay");
    p.batchSize = 15; // of 60 samples each
    EXPECT_EQ(CountFlops(p, "central"), CountFlops(p, "consensus"));
    EXPECT_EQ(CountFlops(p, "central-sgd"), CountFlops(p, "d-psgd"));
}

TEST_F(BeliefCentralTest, TakesAsManySamplesOfAStreamAsAllUsersTogether)
{
    auto p = Small("mean-field", "stream");
    p.dataUse = "stream";
    p.batchSize = 15; // of 60 samples each: four instants
    const auto central = CountFlops(p, "central-sgd");
    const auto users = CountFlops(p, "d-psgd");
    for (uint32_t instant = 0; instant < p.instants; ++instant)
    {
        EXPECT_EQ(central[instant] > 0, instant < 4);
        EXPECT_NEAR(central[instant], users[instant], 0.05 * users[instant]); // SGD's own
    }
}

TEST_F(BeliefCentralTest, IsNoneOfTheDevicesThatAreSlow)
{
    auto p = Small("discrete", "none-slow");
    p.method = "central";
    const auto seconds = ReadColumn(Run(p), "rounds", "end_s");
    for (const std::string slow : {"0", "3"})
    {
        p.slowDevices = slow;
        p.runDir = m_folder / slow;
        const auto run = Run(p);
        EXPECT_EQ(ReadColumn(run, "rounds", "end_s"), seconds);
        EXPECT_THAT(ReadFile(run / "run.json"), HasSubstr("slows nobody down"));
    }
}

TEST_F(BeliefCentralTest, TakesTheArgumentsOfARadioThatItDoesNotNeed)
{
    auto p = Small("discrete", "friis");
    p.method = "central";
    p.links = "radio";
    const auto before = ReadFile(Run(p) / "rounds.csv");
    Config::SetDefault("ns3::collab::D2dChannel::PropagationLossModel",
                       StringValue("ns3::FriisPropagationLossModel"));
    p.runDir = m_folder / "given";
    EXPECT_EQ(ReadFile(Run(p) / "rounds.csv"), before);
}
