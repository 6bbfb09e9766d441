/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus/belief-users.h"
#include "belief-run.h"

using namespace ns3;
using namespace ns3::collab;

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
    p.batchSize = 16; // of 64 samples each
    EXPECT_EQ(CountFlops(p, "central"), CountFlops(p, "consensus"));
    EXPECT_EQ(CountFlops(p, "central-sgd"), CountFlops(p, "d-psgd"));
}

TEST_F(BeliefCentralTest, TakesAsManySamplesOfAStreamAsAllUsersTogether)
{
    auto p = Small("mean-field", "stream");
    p.dataUse = "stream";
    p.batchSize = 16; // of 64 samples each: four instants
    const auto central = CountFlops(p, "central-sgd");
    const auto users = CountFlops(p, "d-psgd");
    for (uint32_t instant = 0; instant < p.instants; ++instant)
    {
        EXPECT_EQ(central[instant] > 0, instant < 4);
        EXPECT_NEAR(central[instant], users[instant], 0.05 * users[instant]); // SGD's own
    }
}
