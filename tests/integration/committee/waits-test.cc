/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-run.h"

#include <fmt/format.h>

using namespace ns3;
using namespace ns3::collab;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using tests::PlayedRun;

namespace
{

class CommitteeWaitsTest : public tests::CommitteeRun
{
  protected:
    /// Expect that no wait was too short
    static void
    ExpectPatience(const PlayedRun& run)
    {
        EXPECT_THAT(run.printed, Not(HasSubstr("warning")));
        EXPECT_THAT(run.Values("committee", "outcome"), ElementsAre("agreed"));
    }

    const std::string FAST = "committeePercent=25 rounds=2 localSteps=20 maxOutage=1e-9 ";
    /// A member of the first committee, and a device that trains, take minutes to train
    const std::string SLOW = FAST + "slowDevices=9,0 slowdown=120000 ";
};

} // namespace

TEST_F(CommitteeWaitsTest, DefaultTimeoutsAreLongEnoughForLargeModels)
{
    for (const std::string upload : {"upload=unicast ", "upload=broadcast "})
    {
        const std::string large = upload + "model=stub:1000000:6000000 rounds=2 maxOutage=1e-9 ";
        const auto run = Run(large); // of 4 MB
        EXPECT_THAT(run.printed, Not(HasSubstr("warning")));
        EXPECT_THAT(run.Read("committee", "missing"), Each(0));
        EXPECT_GT(run.Parameter("gradientTimeout"), 60);
        EXPECT_GT(run.Parameter("modelTimeout"), 30);
        EXPECT_THAT(Run(large + "gradientTimeout=60 scoreTimeout=5").printed,
                    HasSubstr("while clients still trained or sent"));
    }
}

TEST_F(CommitteeWaitsTest, TimeoutsFollowWhatTheSlowestDeviceComputes)
{
    const auto fast = Run(FAST);
    const auto members = fast.Read("committee", "device"); // of round 0 first
    EXPECT_THAT(std::vector<double>(members.begin(), members.begin() + 3),
                AllOf(Contains(9), Not(Contains(0))))
        << "those of SLOW";
    const auto slow = Run(SLOW);
    ExpectPatience(slow);
    EXPECT_THAT(slow.Read("committee", "missing"), Each(0));
    double longest = 0; // training [s]
    for (const auto& row : slow.Rows("latency"))
    {
        const double length = std::stod(row.at("end_s")) - std::stod(row.at("start_s"));
        longest = std::max(longest, row.at("phase") == "train" ? length : 0);
    }
    EXPECT_GT(longest, 60);
    for (const char* name : {"gradientTimeout", "scoreTimeout"})
    {
        EXPECT_GT(slow.Parameter(name), 1.25 * longest) << name;
        EXPECT_LT(slow.Parameter(name), 1.3 * longest) << name;
    }
    EXPECT_EQ(slow.Parameter("attemptTimeout"), 5);
    // As they were for devices that are fast
    const auto given = Run(FAST + "gradientTimeout=60 scoreTimeout=5 attemptTimeout=5");
    EXPECT_EQ(fast.Json().at("parameters"), given.Json().at("parameters"));
    EXPECT_EQ(fast.Text("messages.csv"), given.Text("messages.csv"));
}

TEST_F(CommitteeWaitsTest, AGivenTimeoutIsNotComputed)
{
    const std::string gradients = "CommitteeApplication::GradientTimeout=7.3s ";
    const auto run = Run(SLOW + gradients);
    EXPECT_THAT(run.printed, HasSubstr("(GradientTimeout 7.3 s)"));
    EXPECT_EQ(run.Parameter("gradientTimeout"), 7.3);
    EXPECT_GT(run.Parameter("scoreTimeout"), 60);
    ExpectRefusals(
        RunCommittee,
        SMALL,
        {{gradients + "gradientTimeout=3", "--gradientTimeout=3"},
         {"CommitteeApplication::ScoreTimeout=7.3s scoreTimeout=3", "--scoreTimeout=3"},
         {"CommitteeApplication::AttemptTimeout=7.3s attemptTimeout=3", "--attemptTimeout=3"}});
}

TEST_F(CommitteeWaitsTest, WarnsIfItDoesNotWaitForGradients)
{
    const auto run = Run(SLOW + "gradientTimeout=1");
    // 3 members wait for 9 clients in each round
    EXPECT_THAT(run.printed,
                ContainsRegex("warning: members stopped waiting for gradients while clients still "
                              "trained or sent, [1-9] times of 54: .*\\(GradientTimeout 1 s\\)"));
    EXPECT_THAT(run.printed, Not(HasSubstr("Timeout 5 s")));
    EXPECT_THAT(run.Values("committee", "outcome"), ElementsAre("agreed"));
}

TEST_F(CommitteeWaitsTest, WarnsIfVotesBeginBeforeMembersHaveTrained)
{
    const auto run = Run(SLOW + "slowDevices=9 scoreTimeout=1");
    EXPECT_THAT(run.printed,
                HasSubstr("warning: members stopped waiting for scores while others still trained "
                          "or awaited gradients, and abandoned 2 rounds of 2 (ScoreTimeout 1 s)"));
    EXPECT_THAT(run.printed, Not(AnyOf(HasSubstr("GradientTimeout"), HasSubstr("AttemptTimeout"))));
}

TEST_F(CommitteeWaitsTest, WarnsIfVotesEndBeforeMembersHaveAggregated)
{
    const auto run = Run(SLOW + "attemptTimeout=0.01");
    EXPECT_THAT(run.printed,
                HasSubstr("warning: members abandoned 2 rounds of 2 while some still aggregated "
                          "(AttemptTimeout 0.01 s)"));
    EXPECT_THAT(run.printed, Not(AnyOf(HasSubstr("GradientTimeout"), HasSubstr("ScoreTimeout"))));
}

TEST_F(CommitteeWaitsTest, PatienceWithAPrimaryIsLongEnoughForVotesOfManyMembers)
{
    for (const std::string quorum :
         {"quorum=paper D2dPhy::Bandwidth=5e3 ", "quorum=byzantine D2dPhy::Bandwidth=1e5 "})
    {
        const std::string many = quorum + "devices=40 model=stub:1000 rounds=2 ";
        const auto run = Run(many);
        ExpectPatience(run);
        EXPECT_GT(run.Parameter("attemptTimeout"), 5);
        EXPECT_THAT(run.Read("votes", "attempt"), Each(0));
        EXPECT_THAT(Run(many + "attemptTimeout=5").printed,
                    HasSubstr("warning: members lost patience with primaries in 2 rounds of 2, "
                              "while votes were on their way for long (AttemptTimeout 5 s)"));
    }
}

TEST_F(CommitteeWaitsTest, DevicesWaitForTheModelWhereOthersSendGradientsOnTheSameChannel)
{
    for (const std::string access : {"Ofdma", "Shared", "Tdma"})
    {
        // In run 3 short waits cost something on both shared channels; 10 s a model
        const std::string large =
            "RngRun=3 devices=24 model=stub:300000 rounds=3 D2dChannel::Access=" + access + " ";
        const auto run = Run(large);
        EXPECT_THAT(run.printed, Not(HasSubstr("warning")));
        EXPECT_GT(run.Parameter("modelTimeout"), access == "Ofdma" ? 40 : 300);
        EXPECT_LT(run.Parameter("modelTimeout"), access == "Ofdma" ? 80 : 1000);
        EXPECT_THAT(run.Read("votes", "attempt"), Each(0));
        std::set<std::string> models; // a broadcast a round
        for (const auto& row : run.Rows("messages"))
        {
            if (row.at("kind") == "committee-model")
            {
                models.insert(row.at("sender") + " " + row.at("sequence"));
            }
        }
        EXPECT_THAT(models, SizeIs(3)) << access;
        if (access != "Ofdma")
        {
            EXPECT_THAT(
                Run(large + "attemptTimeout=5 modelTimeout=30").printed,
                ContainsRegex("warning: devices asked for models that were on their way, and heard "
                              "[0-9]+ of [0-9]+ models again \\(ModelTimeout 30 s\\)"));
        }
    }
}

TEST_F(CommitteeWaitsTest, BroadcastsOfHalfDuplexRadiosWaitForEachOther)
{
    for (const std::string duplex : {"Half", "Full"})
    {
        const auto run =
            Run("model=stub:300000 upload=broadcast rounds=2 D2dPhy::Duplex=" + duplex);
        EXPECT_THAT(run.printed, Not(HasSubstr("warning")));
        // The model, sent twice, and a gradient of each of 7 clients: in turns, or at once
        const double once = 9.84;
        const double turns = duplex == "Half" ? 4 * 7 * once : 2 * once;
        EXPECT_NEAR(double(run.Parameter("modelTimeout")), 1.25 * (2 * once + turns), 1);
    }
}

TEST_F(CommitteeWaitsTest, WarnsOfDevicesThatGiveUp)
{
    ExpectPatience(Run(SLOW + "quorum=byzantine"));
    const auto run = Run(SLOW + "quorum=byzantine CommitteeApplication::Patience=30s");
    EXPECT_THAT(run.printed,
                HasSubstr("warning: 12 of 12 devices gave up before all rounds were done, since "
                          "none had ended for 30 s (Patience)"));
    EXPECT_THAT(run.printed, Not(HasSubstr("Timeout")));
}

TEST_F(CommitteeWaitsTest, EndsAlthoughNobodyHasTheLastModel)
{
    const auto run = Run("devices=16 rounds=3 model=stub:200 maliciousPercent=30 attack=none "
                         "misbehavior=lie-about-quorum+equivocate+collude RngRun=2");
    EXPECT_THAT(
        run.printed,
        ContainsRegex("warning: [0-9]+ of 16 devices ended without the newest model, which none of "
                      "those that they asked has sent in time \\(ModelTimeout 30 s\\)"));
    EXPECT_THAT(run.printed, Not(HasSubstr("Patience")));
    // 15 others, 6 members and who has told of the block are asked twice
    EXPECT_LT(run.Read("energy", "time_s").back(),
              run.Read("rounds", "end_s").back() + 2 * (15 + 6 + 1) * 30 + 60);
}

TEST_F(CommitteeWaitsTest, PatienceFollowsTheOtherTimeouts)
{
    // More than an hour to train, and seconds to aggregate
    const auto run = Run(SLOW + "quorum=byzantine slowdown=3e6");
    ExpectPatience(run);
    EXPECT_GT(run.Parameter("gradientTimeout"), 3600);
    EXPECT_GT(run.Parameter("attemptTimeout"), 5);
    EXPECT_THAT(run.Rows("rounds"), SizeIs(2 * 12));
}

TEST_F(CommitteeWaitsTest, BlamesNoTimeoutForLiesAndLosses)
{
    const std::string liars = "maliciousPercent=50 attack=none misbehavior=";
    for (const auto& [arguments, outcome] :
         {std::pair(liars + "false-scores", "sets-differ"),
          std::pair(liars + "withhold-replies", "no-quorum"),
          std::pair(std::string("maxOutage=0.5 loss=best-effort"), "few-clients")})
    {
        const auto run = Run(arguments);
        EXPECT_THAT(run.printed, Not(HasSubstr("warning"))) << arguments;
        EXPECT_THAT(run.Values("committee", "outcome"), Contains(outcome)) << arguments;
    }
}
