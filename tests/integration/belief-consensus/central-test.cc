/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus/belief-users.h"
#include "belief-run.h"

using namespace ns3;
using namespace ns3::collab;
using ::testing::HasSubstr;

namespace
{

/// A central user, beside the users whose data it has
class BeliefCentralTest : public tests::BeliefRun
{
  protected:
    /// Operations of updates in each instant, of all users of a method together
    std::vector<uint64_t>
    CountFlops(const std::string& arguments)
    {
        // 15 of 60 samples each
        const auto parsed =
            Parse<BeliefParameters>(SMALL + NETWORKS + "batchSize=15 method=" + arguments);
        const BeliefParameters& p = *parsed;
        const auto instants = p.Get<uint32_t>("instants");
        const auto users =
            MakeUsers(p, {PrepareSamples(p), nullptr}, std::vector<EvidenceShare>(p.CountUsers()));
        std::vector<uint64_t> flops(instants, 0);
        for (uint32_t instant = 0; instant < instants; ++instant)
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
    EXPECT_EQ(CountFlops("central"), CountFlops("consensus"));
    EXPECT_EQ(CountFlops("central-sgd"), CountFlops("d-psgd"));
}

TEST_F(BeliefCentralTest, TakesAsManySamplesOfAStreamAsAllUsersTogether)
{
    const auto central = CountFlops("central-sgd dataUse=stream");
    const auto users = CountFlops("d-psgd dataUse=stream");
    for (uint32_t instant = 0; instant < 6; ++instant)
    {
        EXPECT_EQ(central[instant] > 0, instant < 4);                         // of 15 samples each
        EXPECT_NEAR(central[instant], users[instant], 0.05 * users[instant]); // SGD's own
    }
}

TEST_F(BeliefCentralTest, IsNoneOfTheDevicesThatAreSlow)
{
    const auto seconds = Run("method=central").Read("rounds", "end_s");
    for (const std::string slow : {"slowDevices=0", "slowDevices=3"})
    {
        const auto run = Run("method=central " + slow);
        EXPECT_EQ(run.Read("rounds", "end_s"), seconds);
        EXPECT_THAT(run.Text("run.json"), HasSubstr("slows nobody down"));
    }
}

TEST_F(BeliefCentralTest, TakesTheArgumentsOfARadioThatItDoesNotNeed)
{
    const std::string radio = "method=central links=radio ";
    EXPECT_EQ(Run(radio + "D2dChannel::PropagationLossModel=ns3::FriisPropagationLossModel")
                  .Text("rounds.csv"),
              Run(radio).Text("rounds.csv"));
}
