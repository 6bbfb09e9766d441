/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee/committee-scenario.h"
#include "support/run-files.h"
#include "support/temporary-folder.h"

#include "ns3/collab-error.h"
#include "ns3/config.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <gmock/gmock.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

using namespace ns3;
using namespace ns3::collab;
namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using tests::ReadFile;

namespace
{

/// Whole runs of the scenario on a small part of Fashion-MNIST
class CommitteeRunTest : public tests::TemporaryFolder
{
  protected:
    void
    SetUp() override
    {
        TemporaryFolder::SetUp();
        fs::create_directories(m_folder);
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        Config::Reset();
    }

    void
    TearDown() override
    {
        TemporaryFolder::TearDown();
        Config::Reset();
    }

    CommitteeParameters
    MakeParameters(const std::string& name) const
    {
        CommitteeParameters p;
        p.devices = 12;
        p.activePercent = 100;
        p.samples = 60;
        p.referenceSamples = 20;
        p.testSamples = 50;
        p.minimumSamples = 4;
        p.model = "mlp:4";
        p.rounds = 4;
        p.quiet = true;
        p.runDir = (m_folder / name).string();
        return p;
    }

    /// Two rounds in which one member, and one device that trains, take minutes to train
    CommitteeParameters
    MakeSlowParameters(const std::string& name)
    {
        CommitteeParameters p = MakeParameters(name);
        p.committeePercent = 25;
        p.rounds = 2;
        p.localSteps = 20;
        p.maxOutage = 1e-9;
        if (m_slow.empty())
        {
            auto usual = p;
            usual.runDir = (m_folder / "usual").string();
            Run(usual);
            const auto members = tests::ReadColumn(m_folder / "usual", "committee", "device");
            const std::set<double> first(members.begin(), members.begin() + 3); // of round 0
            uint32_t client = 0;
            while (first.count(client) > 0)
            {
                ++client;
            }
            m_slow = std::to_string(static_cast<int>(members[0])) + "," + std::to_string(client);
        }
        p.slowDevices = m_slow;
        p.slowdown = 40000;
        return p;
    }

    /// @return what a run prints
    static std::string
    Run(CommitteeParameters p)
    {
        p.quiet = false;
        std::ostringstream output;
        RunCommittee(p, output);
        return output.str();
    }

    /// @return the parameters that a run says were in force
    nlohmann::json
    Describe(const std::string& name) const
    {
        return nlohmann::json::parse(ReadFile(m_folder / name / "run.json")).at("parameters");
    }

    /// @return how a run's votes have ended, by member and round
    std::set<std::string>
    FindOutcomes(const std::string& name) const
    {
        std::set<std::string> outcomes;
        auto rows = tests::ReadCsvRows(m_folder / name / "committee.csv");
        rows.erase(rows.begin());
        for (const auto& row : rows)
        {
            outcomes.insert(row.at(2));
        }
        return outcomes;
    }

    std::string m_slow; //!< devices
};

} // namespace

TEST_F(CommitteeRunTest, ThreadsDoNotChangeResults)
{
    for (const uint32_t threads : {1, 3})
    {
        CommitteeParameters p = MakeParameters(std::to_string(threads));
        p.threads = threads;
        p.quorum = "byzantine";
        p.maliciousPercent = 25;
        p.misbehavior = "equivocate+split-scores+forge+replay";
        std::ostringstream output;
        RunCommittee(p, output);
    }
    for (const char* file : {"run.json",
                             "malicious.txt",
                             "rounds.csv",
                             "messages.csv",
                             "energy.csv",
                             "latency.csv",
                             "votes.csv",
                             "committee.csv",
                             "scores.csv"})
    {
        const std::string one = ReadFile(m_folder / "1" / file);
        EXPECT_FALSE(one.empty()) << file;
        EXPECT_EQ(one, ReadFile(m_folder / "3" / file)) << file;
    }
}

TEST_F(CommitteeRunTest, EveryAttackRunsToItsEnd)
{
    for (const std::string attack : {"none", "label-flip", "alie", "ipm:epsilon=0.5", "noise"})
    {
        CommitteeParameters p = MakeParameters(attack.substr(0, 3));
        p.partition = "writers";
        p.measureClients = true;
        p.maliciousPercent = 34;
        p.attack = attack;
        std::ostringstream output;
        RunCommittee(p, output);
    }
    std::set<std::string> results;
    for (const char* name : {"non", "lab", "ali", "ipm", "noi"})
    {
        results.insert(ReadFile(m_folder / name / "rounds.csv"));
        EXPECT_EQ(ReadFile(m_folder / name / "malicious.txt"),
                  ReadFile(m_folder / "non" / "malicious.txt"));
    }
    EXPECT_EQ(results.size(), 5);
    EXPECT_THAT(*results.begin(), HasSubstr("accuracy_clients"));
    // Who trains and who is aggregated add up to the same in both tables
    const std::string clients = ReadFile(m_folder / "non" / "clients.csv");
    EXPECT_EQ(std::count(clients.begin(), clients.end(), '\n'), 1 + 12);
    const std::string adversaries = ReadFile(m_folder / "non" / "adversaries.csv");
    EXPECT_EQ(std::count(adversaries.begin(), adversaries.end(), '\n'), 1 + 4);
}

TEST_F(CommitteeRunTest, AttacksAreOnWhatTheyAreAppliedTo)
{
    std::map<std::string, double> losses;
    for (const std::string target : {"gradient", "weights"})
    {
        CommitteeParameters p = MakeParameters(target);
        p.maliciousPercent = 100;
        p.attack = "same-value"; // zeros
        p.attackTarget = target;
        std::ostringstream output;
        RunCommittee(p, output);
        const auto rounds = tests::ReadColumn(m_folder / target, "rounds", "round");
        const auto values = tests::ReadColumn(m_folder / target, "rounds", "loss_global");
        for (std::size_t i = 0; i < rounds.size(); ++i)
        {
            if (rounds[i] == 3 && std::isfinite(values[i]))
            {
                losses[target] = values[i];
            }
        }
    }
    // A model of zeros finds all ten classes equally probable
    EXPECT_NEAR(losses.at("weights"), std::log(10), 1e-5);
    EXPECT_GT(std::abs(losses.at("gradient") - std::log(10)), 1e-3);
}

TEST_F(CommitteeRunTest, AlphaIsAPartOfWhatItIsSaidToBe)
{
    // 5 members and 7 training clients
    for (const auto& [base, accepted] :
         std::map<std::string, double>{{"training", 3}, {"active", 5}})
    {
        CommitteeParameters p = MakeParameters(base);
        p.acceptOf = base;
        std::ostringstream output;
        RunCommittee(p, output);
        EXPECT_THAT(tests::ReadColumn(m_folder / base, "adversaries", "aggregated"),
                    Each(accepted));
    }
}

TEST_F(CommitteeRunTest, ConsistentLiarsAgreeOnTheirLies)
{
    std::map<std::string, std::size_t> abandoned; // rounds
    std::map<std::string, std::size_t> refused;   // rows of members
    for (const std::string misbehavior : {"none", "false-scores", "consistent-false-scores"})
    {
        CommitteeParameters p = MakeParameters(misbehavior);
        p.maliciousPercent = 50;
        p.attack = "none";
        p.misbehavior = misbehavior;
        std::ostringstream output;
        RunCommittee(p, output);
        const auto aggregated =
            tests::ReadColumn(m_folder / misbehavior, "adversaries", "aggregated");
        abandoned[misbehavior] = std::count(aggregated.begin(), aggregated.end(), 0);
        for (const auto& row : tests::ReadCsvRows(m_folder / misbehavior / "committee.csv"))
        {
            refused[misbehavior] += std::count(row.begin(), row.end(), "sets-differ");
        }
    }
    EXPECT_GT(abandoned["false-scores"], 0);
    EXPECT_GT(refused["false-scores"], 0);
    for (const char* name : {"none", "consistent-false-scores"})
    {
        EXPECT_EQ(abandoned[name], 0) << name;
        EXPECT_EQ(refused[name], 0) << name;
    }
    // They do lie: the same gradients have other final scores
    const auto scoresOf = [this](const char* name) {
        std::map<double, double> scores; // of the first round, by client
        const auto rounds = tests::ReadColumn(m_folder / name, "scores", "round");
        const auto clients = tests::ReadColumn(m_folder / name, "scores", "client");
        const auto values = tests::ReadColumn(m_folder / name, "scores", "score");
        for (std::size_t i = 0; i < rounds.size() && rounds[i] == 0; ++i)
        {
            scores[clients[i]] = values[i];
        }
        return scores;
    };
    EXPECT_EQ(scoresOf("none").size(), 7);
    EXPECT_NE(scoresOf("consistent-false-scores"), scoresOf("none"));
}

TEST_F(CommitteeRunTest, MaliciousMembersScoreWithWhatTheyWouldUpload)
{
    std::map<std::string, std::vector<double>> scores;
    for (const auto& [name, attacked] :
         std::map<std::string, bool>{{"honest", false}, {"own", false}, {"attacked", true}})
    {
        CommitteeParameters p = MakeParameters(name);
        p.rounds = 1;
        p.maliciousPercent = 100;
        p.attack = name == "honest" ? "none" : "back-gradient";
        p.attackedScores = attacked;
        std::ostringstream output;
        RunCommittee(p, output);
        scores[name] = tests::ReadColumn(m_folder / name, "scores", "member_score");
    }
    EXPECT_THAT(scores["honest"], Not(IsEmpty()));
    EXPECT_NE(scores["own"], scores["honest"]);
    EXPECT_EQ(scores["attacked"], scores["honest"]); // all gradients are turned around
}

TEST_F(CommitteeRunTest, FaultsHappenAndHeal)
{
    CommitteeParameters p = MakeParameters("faulty");
    p.quorum = "byzantine";
    p.rounds = 6;
    p.crashes = "0-1:1.5-40;2:3-";
    p.partitions = "50-70:0-5";
    std::ostringstream output;
    RunCommittee(p, output);
    const std::string rounds = ReadFile(m_folder / "faulty" / "rounds.csv");
    EXPECT_THAT(rounds, HasSubstr("\n5,0,"));
    EXPECT_THAT(rounds, HasSubstr("\n5,1,"));
    EXPECT_EQ(rounds.find("\n5,2,"), std::string::npos);
    EXPECT_THAT(ReadFile(m_folder / "faulty" / "run.json"), HasSubstr("50-70:0-5"));
}

TEST_F(CommitteeRunTest, RefusesMistakesBeforeAnythingIsWritten)
{
    const auto refusal = [this](const std::function<void(CommitteeParameters&)>& change) {
        CommitteeParameters p = MakeParameters("refused");
        change(p);
        std::ostringstream output;
        try
        {
            RunCommittee(p, output);
        }
        catch (const UserError& error)
        {
            EXPECT_FALSE(fs::exists(p.runDir));
            return std::string(error.what());
        }
        return std::string("nothing");
    };
    EXPECT_THAT(refusal([](auto& p) { p.committeePercent = 10; }), HasSubstr("at least 3"));
    EXPECT_THAT(refusal([](auto& p) { p.committeePercent = 60; }), HasSubstr("at most 50"));
    EXPECT_THAT(refusal([](auto& p) { p.selection = "III"; }), HasSubstr("--selection=III"));
    EXPECT_THAT(refusal([](auto& p) { p.acceptPercent = 0; }), HasSubstr("--acceptPercent=0"));
    EXPECT_THAT(refusal([](auto& p) { p.acceptOf = "all"; }),
                AllOf(HasSubstr("--acceptOf=all"), HasSubstr("training"), HasSubstr("active")));
    EXPECT_THAT(refusal([](auto& p) { p.attack = "boo"; }), HasSubstr("--attack=boo"));
    EXPECT_THAT(refusal([](auto& p) { p.partition = "users"; }), HasSubstr("has no users"));
    EXPECT_THAT(refusal([](auto& p) { p.crashes = "12:1-2"; }), HasSubstr("--crashes=12:1-2"));
    EXPECT_THAT(refusal([](auto& p) { p.crashes = "1:3-2"; }), HasSubstr("--crashes=1:3-2"));
    EXPECT_THAT(refusal([](auto& p) { p.partitions = "1-:3"; }), HasSubstr("--partitions=1-:3"));
    EXPECT_THAT(refusal([](auto& p) { p.misbehavior = "lie"; }), HasSubstr("known are collude"));
    EXPECT_THAT(refusal([](auto& p) { p.authenticator = 4; }), HasSubstr("8 to 4096"));
    EXPECT_THAT(refusal([](auto& p) { p.scoreTimeout = 1e-10; }),
                HasSubstr("--scoreTimeout=1e-10"));
}

TEST_F(CommitteeRunTest, TimeoutsFollowWhatTheSlowestDeviceComputes)
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

TEST_F(CommitteeRunTest, AGivenTimeoutIsNotComputed)
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

TEST_F(CommitteeRunTest, WarnsIfItDoesNotWaitForGradients)
{
    auto p = MakeSlowParameters("short");
    p.gradientTimeout = 1;
    const std::string output = Run(p);
    // 3 members wait for 9 clients in each round
    EXPECT_THAT(output,
                ContainsRegex("warning: members stopped waiting for gradients while clients still "
                              "trained, [1-9] times of 54: .*\\(GradientTimeout 1 s\\)"));
    EXPECT_THAT(output, Not(HasSubstr("Timeout 5 s")));
    EXPECT_THAT(FindOutcomes("short"), ElementsAre("agreed"));
}

TEST_F(CommitteeRunTest, WarnsIfVotesBeginBeforeMembersHaveTrained)
{
    auto p = MakeSlowParameters("short");
    p.slowDevices = p.slowDevices.substr(0, p.slowDevices.find(','));
    p.scoreTimeout = 1;
    const std::string output = Run(p);
    EXPECT_THAT(output,
                HasSubstr("warning: members stopped waiting for scores while others still trained, "
                          "and abandoned 2 rounds of 2 (ScoreTimeout 1 s)"));
    EXPECT_THAT(output, Not(AnyOf(HasSubstr("GradientTimeout"), HasSubstr("AttemptTimeout"))));
}

TEST_F(CommitteeRunTest, WarnsIfVotesEndBeforeMembersHaveAggregated)
{
    auto p = MakeSlowParameters("short");
    p.attemptTimeout = 0.01;
    const std::string output = Run(p);
    EXPECT_THAT(output,
                HasSubstr("warning: members abandoned 2 rounds of 2 while some still aggregated "
                          "(AttemptTimeout 0.01 s)"));
    EXPECT_THAT(output, Not(AnyOf(HasSubstr("GradientTimeout"), HasSubstr("ScoreTimeout"))));
}

TEST_F(CommitteeRunTest, WarnsOfDevicesThatGiveUp)
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

TEST_F(CommitteeRunTest, PatienceFollowsTheOtherTimeouts)
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

TEST_F(CommitteeRunTest, BlamesNoTimeoutForLiesAndLosses)
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
