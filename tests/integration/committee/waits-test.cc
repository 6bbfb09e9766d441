/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-run.h"

#include "ns3/collab-error.h"
#include "ns3/config.h"
#include "ns3/string.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <set>
#include <string>

using namespace ns3;
using namespace ns3::collab;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using tests::ReadFile;

namespace
{

using CommitteeWaitsTest = tests::CommitteeRun;

} // namespace

TEST_F(CommitteeWaitsTest, DefaultTimeoutsAreLongEnoughForLargeModels)
{
    for (const std::string upload : {"unicast", "broadcast"})
    {
        CommitteeParameters p = MakeParameters("large-" + upload);
        p.model = "stub:1000000:6000000"; // 4 MB
        p.rounds = 2;
        p.maxOutage = 1e-9;
        p.upload = upload;
        EXPECT_THAT(Run(p), Not(HasSubstr("warning")));
        EXPECT_THAT(tests::ReadColumn(m_folder / ("large-" + upload), "committee", "missing"),
                    Each(0));
        EXPECT_GT(Describe("large-" + upload).at("gradientTimeout"), 60);
        EXPECT_GT(Describe("large-" + upload).at("modelTimeout"), 30);
        p.gradientTimeout = 60;
        p.scoreTimeout = 5;
        p.runDir = (m_folder / ("short-" + upload)).string();
        EXPECT_THAT(Run(p), HasSubstr("while clients still trained or sent"));
    }
}

TEST_F(CommitteeWaitsTest, TimeoutsFollowWhatTheSlowestDeviceComputes)
{
    const auto slow = MakeSlowParameters("slow");
    EXPECT_THAT(Run(slow), Not(HasSubstr("warning")));
    EXPECT_THAT(FindOutcomes("slow"), ElementsAre("agreed"));
    EXPECT_THAT(tests::ReadColumn(m_folder / "slow", "committee", "missing"), Each(0));
    const auto phases = tests::ReadCsvRows(m_folder / "slow" / "latency.csv");
    double longest = 0; // training [s]
    for (std::size_t i = 1; i < phases.size(); ++i)
    {
        const bool trains = phases[i].at(2) == "train";
        const double length = std::stod(phases[i].at(4)) - std::stod(phases[i].at(3));
        longest = std::max(longest, trains ? length : 0);
    }
    EXPECT_GT(longest, 60);
    for (const char* name : {"gradientTimeout", "scoreTimeout"})
    {
        EXPECT_GT(Describe("slow").at(name), 1.25 * longest) << name;
        EXPECT_LT(Describe("slow").at(name), 1.3 * longest) << name;
    }
    EXPECT_EQ(Describe("slow").at("attemptTimeout"), 5);
    // As they were for devices that are fast
    auto given = slow;
    given.slowDevices = "none";
    given.slowdown = CommitteeParameters().slowdown;
    given.gradientTimeout = 60;
    given.scoreTimeout = 5;
    given.attemptTimeout = 5;
    given.runDir = (m_folder / "given").string();
    Run(given);
    EXPECT_EQ(Describe("usual"), Describe("given"));
    EXPECT_EQ(ReadFile(m_folder / "usual" / "messages.csv"),
              ReadFile(m_folder / "given" / "messages.csv"));
}

TEST_F(CommitteeWaitsTest, AGivenTimeoutIsNotComputed)
{
    const auto give = [](const std::string& name, const std::string& value) {
        Config::SetDefault("ns3::collab::CommitteeApplication::" + name, StringValue(value));
    };
    auto p = MakeSlowParameters("given");
    give("GradientTimeout", "7.3s");
    EXPECT_THAT(Run(p), HasSubstr("(GradientTimeout 7.3 s)"));
    EXPECT_EQ(Describe("given").at("gradientTimeout"), 7.3);
    EXPECT_GT(Describe("given").at("scoreTimeout"), 60);
    for (auto* field : {&p.gradientTimeout, &p.scoreTimeout, &p.attemptTimeout})
    {
        give("GradientTimeout", "7.3s");
        give("ScoreTimeout", "7.3s");
        give("AttemptTimeout", "7.3s");
        *field = 3;
        EXPECT_THROW(Run(p), UserError);
        *field = 0;
    }
}

TEST_F(CommitteeWaitsTest, WarnsIfItDoesNotWaitForGradients)
{
    auto p = MakeSlowParameters("short");
    p.gradientTimeout = 1;
    const std::string output = Run(p);
    // 3 members wait for 9 clients in each round
    EXPECT_THAT(output,
                ContainsRegex("warning: members stopped waiting for gradients while clients still "
                              "trained or sent, [1-9] times of 54: .*\\(GradientTimeout 1 s\\)"));
    EXPECT_THAT(output, Not(HasSubstr("Timeout 5 s")));
    EXPECT_THAT(FindOutcomes("short"), ElementsAre("agreed"));
}

TEST_F(CommitteeWaitsTest, WarnsIfVotesBeginBeforeMembersHaveTrained)
{
    auto p = MakeSlowParameters("short");
    p.slowDevices = p.slowDevices.substr(0, p.slowDevices.find(','));
    p.scoreTimeout = 1;
    const std::string output = Run(p);
    EXPECT_THAT(
        output,
        HasSubstr("warning: members stopped waiting for scores while others still trained or "
                  "awaited gradients, and abandoned 2 rounds of 2 (ScoreTimeout 1 s)"));
    EXPECT_THAT(output, Not(AnyOf(HasSubstr("GradientTimeout"), HasSubstr("AttemptTimeout"))));
}

TEST_F(CommitteeWaitsTest, WarnsIfVotesEndBeforeMembersHaveAggregated)
{
    auto p = MakeSlowParameters("short");
    p.attemptTimeout = 0.01;
    const std::string output = Run(p);
    EXPECT_THAT(output,
                HasSubstr("warning: members abandoned 2 rounds of 2 while some still aggregated "
                          "(AttemptTimeout 0.01 s)"));
    EXPECT_THAT(output, Not(AnyOf(HasSubstr("GradientTimeout"), HasSubstr("ScoreTimeout"))));
}

TEST_F(CommitteeWaitsTest, PatienceWithAPrimaryIsLongEnoughForVotesOfManyMembers)
{
    for (const std::string quorum : {"paper", "byzantine"})
    {
        Config::Reset();
        Config::SetDefault("ns3::collab::D2dPhy::Bandwidth",
                           StringValue(quorum == "paper" ? "5e3" : "1e5"));
        auto p = MakeParameters("many-" + quorum);
        p.devices = 40;
        p.quorum = quorum;
        p.model = "stub:1000";
        p.rounds = 2;
        EXPECT_THAT(Run(p), Not(HasSubstr("warning")));
        EXPECT_GT(Describe("many-" + quorum).at("attemptTimeout"), 5);
        EXPECT_THAT(FindOutcomes("many-" + quorum), ElementsAre("agreed"));
        EXPECT_THAT(tests::ReadColumn(m_folder / ("many-" + quorum), "votes", "attempt"), Each(0));
        p.attemptTimeout = 5;
        p.runDir = (m_folder / ("short-" + quorum)).string();
        EXPECT_THAT(Run(p),
                    HasSubstr("warning: members lost patience with primaries in 2 rounds of 2, "
                              "while votes were on their way for long (AttemptTimeout 5 s)"));
    }
}

TEST_F(CommitteeWaitsTest, DevicesWaitForTheModelWhereOthersSendGradientsOnTheSameChannel)
{
    for (const std::string access : {"Ofdma", "Shared", "Tdma"})
    {
        Config::Reset();
        RngSeedManager::SetRun(3); // in which short waits cost something on both shared channels
        Config::SetDefault("ns3::collab::D2dChannel::Access", StringValue(access));
        auto p = MakeParameters("large-" + access);
        p.devices = 24;
        p.model = "stub:300000"; // 10 s
        p.rounds = 3;
        EXPECT_THAT(Run(p), Not(HasSubstr("warning")));
        EXPECT_GT(Describe("large-" + access).at("modelTimeout"), access == "Ofdma" ? 40 : 300);
        EXPECT_LT(Describe("large-" + access).at("modelTimeout"), access == "Ofdma" ? 80 : 1000);
        EXPECT_THAT(tests::ReadColumn(m_folder / ("large-" + access), "votes", "attempt"), Each(0));
        const auto messages = tests::ReadCsvRows(m_folder / ("large-" + access) / "messages.csv");
        std::set<std::string> models; // a broadcast a round
        for (const auto& row : messages)
        {
            if (row.at(5) == "committee-model")
            {
                models.insert(row.at(3) + " " + row.at(7));
            }
        }
        EXPECT_EQ(models.size(), 3U) << access;
        if (access == "Ofdma")
        {
            continue;
        }
        p.attemptTimeout = 5;
        p.modelTimeout = 30;
        p.runDir = (m_folder / ("short-" + access)).string();
        EXPECT_THAT(Run(p),
                    ContainsRegex("warning: devices asked for models that were on their way, and "
                                  "heard [0-9]+ of [0-9]+ models again \\(ModelTimeout 30 s\\)"));
    }
}

TEST_F(CommitteeWaitsTest, BroadcastsOfHalfDuplexRadiosWaitForEachOther)
{
    for (const std::string duplex : {"Half", "Full"})
    {
        Config::Reset();
        Config::SetDefault("ns3::collab::D2dPhy::Duplex", StringValue(duplex));
        auto p = MakeParameters(duplex);
        p.model = "stub:300000"; // 10 s
        p.upload = "broadcast";
        p.rounds = 2;
        EXPECT_THAT(Run(p), Not(HasSubstr("warning")));
        // The model, sent twice, and a gradient of each of 7 clients: in turns, or at once
        const double once = 9.84;
        const double turns = duplex == "Half" ? 4 * 7 * once : 2 * once;
        EXPECT_NEAR(Describe(duplex).at("modelTimeout"), 1.25 * (2 * once + turns), 1);
    }
}

TEST_F(CommitteeWaitsTest, WarnsOfDevicesThatGiveUp)
{
    auto p = MakeSlowParameters("short");
    p.quorum = "byzantine";
    EXPECT_THAT(Run(p), Not(HasSubstr("warning")));
    EXPECT_THAT(FindOutcomes("short"), ElementsAre("agreed"));
    Config::SetDefault("ns3::collab::CommitteeApplication::Patience", StringValue("30s"));
    p.runDir = (m_folder / "impatient").string();
    const std::string output = Run(p);
    EXPECT_THAT(output,
                HasSubstr("warning: 12 of 12 devices gave up before all rounds were done, since "
                          "none had ended for 30 s (Patience)"));
    EXPECT_THAT(output, Not(HasSubstr("Timeout")));
}

TEST_F(CommitteeWaitsTest, EndsAlthoughNobodyHasTheLastModel)
{
    auto p = MakeParameters("liars");
    p.devices = 16;
    p.rounds = 3;
    p.model = "stub:200";
    p.maliciousPercent = 30;
    p.attack = "none";
    p.misbehavior = "lie-about-quorum+equivocate+collude";
    RngSeedManager::SetRun(2);
    const std::string output = Run(p);
    EXPECT_THAT(output,
                ContainsRegex("warning: [0-9]+ of 16 devices ended without the newest model, which "
                              "none of those that they asked has sent in time \\(ModelTimeout 30 "
                              "s\\)"));
    EXPECT_THAT(output, Not(HasSubstr("Patience")));
    const auto ends = tests::ReadColumn(m_folder / "liars", "rounds", "end_s");
    const auto times = tests::ReadColumn(m_folder / "liars", "energy", "time_s");
    // 15 others, 6 members and who has told of the block are asked twice
    EXPECT_LT(times.back(), ends.back() + 2 * (15 + 6 + 1) * 30 + 60);
}

TEST_F(CommitteeWaitsTest, PatienceFollowsTheOtherTimeouts)
{
    auto p = MakeSlowParameters("patient");
    p.quorum = "byzantine";
    p.slowdown = 2e6; // more than an hour to train, and seconds to aggregate
    EXPECT_THAT(Run(p), Not(HasSubstr("warning")));
    EXPECT_GT(Describe("patient").at("gradientTimeout"), 3600);
    EXPECT_GT(Describe("patient").at("attemptTimeout"), 5);
    EXPECT_THAT(FindOutcomes("patient"), ElementsAre("agreed"));
    EXPECT_EQ(tests::ReadColumn(m_folder / "patient", "rounds", "round").size(), 2 * 12);
}

TEST_F(CommitteeWaitsTest, BlamesNoTimeoutForLiesAndLosses)
{
    auto liars = MakeParameters("liars");
    liars.maliciousPercent = 50;
    liars.attack = "none";
    liars.misbehavior = "false-scores";
    EXPECT_THAT(Run(liars), Not(HasSubstr("warning")));
    EXPECT_THAT(FindOutcomes("liars"), Contains("sets-differ"));
    liars.misbehavior = "withhold-replies";
    liars.runDir = (m_folder / "silent").string();
    EXPECT_THAT(Run(liars), Not(HasSubstr("warning")));
    EXPECT_THAT(FindOutcomes("silent"), Contains("no-quorum"));
    auto lossy = MakeParameters("lossy");
    lossy.maxOutage = 0.5;
    lossy.loss = "best-effort";
    EXPECT_THAT(Run(lossy), Not(HasSubstr("warning")));
    EXPECT_THAT(FindOutcomes("lossy"), Contains("few-clients"));
}
