/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-run.h"

#include "ns3/collab-error.h"
#include "ns3/committee-authentication.h"
#include "ns3/config.h"
#include "ns3/string.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

using namespace ns3;
using namespace ns3::collab;
namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using tests::ReadFile;

namespace
{

class CommitteeRunTest : public tests::CommitteeRun
{
  protected:
    /// @return digest of the newest model of a run, as votes.csv has it
    std::string
    ReadNewestDigest(const std::string& name) const
    {
        const std::string file = ReadFile(m_folder / name / "weights" / "newest.safetensors");
        uint64_t head = 0; // size of what comes before the weights
        std::memcpy(&head, file.data(), sizeof(head));
        const auto* weights = reinterpret_cast<const uint8_t*>(file.data()) + sizeof(head) + head;
        const auto digest = ComputeDigest(weights, file.size() - sizeof(head) - head);
        return fmt::format("{:02x}", fmt::join(digest, ""));
    }
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
    // Deliveries among some devices before, within and after a time
    const auto count =
        [this](const std::string& name, double from, double to, const auto& isOfThem) {
            std::vector<int> deliveries(3);
            const fs::path run = m_folder / name;
            const auto senders = tests::ReadColumn(run, "messages", "sender");
            const auto receivers = tests::ReadColumn(run, "messages", "receiver");
            const auto delivered = tests::ReadColumn(run, "messages", "delivered");
            const auto begins = tests::ReadColumn(run, "messages", "start_s");
            const auto ends = tests::ReadColumn(run, "messages", "end_s");
            for (std::size_t i = 0; i < senders.size(); ++i)
            {
                if (delivered[i] == 1 && isOfThem(senders[i], receivers[i]))
                {
                    const bool isWithin = begins[i] >= from && ends[i] <= to;
                    ++deliveries[isWithin ? 1 : ends[i] < from ? 0 : 2];
                }
            }
            return deliveries;
        };
    CommitteeParameters p = MakeParameters("crashed");
    p.quorum = "byzantine";
    p.rounds = 6;
    p.crashes = "0-1:1.5-40;2:3-";
    Run(p);
    const auto crashed =
        count("crashed", 1.5, 40, [](double from, double to) { return from == 0 || to == 0; });
    EXPECT_GT(crashed[0], 0);
    EXPECT_EQ(crashed[1], 0);
    EXPECT_GT(crashed[2], 0);
    const std::string rounds = ReadFile(m_folder / "crashed" / "rounds.csv");
    EXPECT_THAT(rounds, HasSubstr("\n5,0,"));
    EXPECT_THAT(rounds, HasSubstr("\n5,1,"));
    EXPECT_THAT(rounds, Not(HasSubstr("\n5,2,")));

    p.crashes = "none";
    p.partitions = "2-4:0-5";
    p.runDir = (m_folder / "divided").string();
    Run(p);
    const auto divided =
        count("divided", 2, 4, [](double from, double to) { return (from < 6) != (to < 6); });
    EXPECT_GT(divided[0], 0);
    EXPECT_EQ(divided[1], 0);
    EXPECT_GT(divided[2], 0);
    EXPECT_THAT(ReadFile(m_folder / "divided" / "rounds.csv"), HasSubstr("\n5,11,"));
}

TEST_F(CommitteeRunTest, RunningStatisticsAreInNoGradient)
{
    CommitteeParameters p = MakeParameters("normalized");
    p.model = "resnet20";
    p.devices = 6;
    p.samples = 16;
    p.referenceSamples = 10;
    p.testSamples = 10;
    p.batchSize = 4;
    p.rounds = 2;
    p.localSteps = 2;
    p.gradient = "accumulated";
    p.localRate = 0.01; // a tenth of globalRate: variances would become negative
    p.committeePercent = 50;
    Run(p);
    EXPECT_THAT(tests::ReadColumn(m_folder / "normalized", "rounds", "loss_global"),
                Each(::testing::Not(::testing::IsNan())));
}

TEST_F(CommitteeRunTest, LinksFadeAsTheyDoWithoutPartitions)
{
    Config::SetDefault("ns3::collab::D2dChannel::OutageModel",
                       StringValue("ns3::collab::D2dRayleighOutageModel[CoherenceTime=1000s]"));
    CommitteeParameters p = MakeParameters("whole");
    p.maxOutage = 0.6;
    Run(p);
    p.runDir = (m_folder / "late").string();
    p.partitions = "100000-100001:0-5"; // after the end
    Run(p);
    EXPECT_EQ(ReadFile(m_folder / "whole" / "messages.csv"),
              ReadFile(m_folder / "late" / "messages.csv"));
}

TEST_F(CommitteeRunTest, AllDevicesMayBeOffAtTheSameTime)
{
    for (const std::string quorum : {"paper", "byzantine"})
    {
        CommitteeParameters p = MakeParameters("off-" + quorum);
        p.quorum = quorum;
        p.rounds = 6;
        p.crashes = "0-11:1-5";
        EXPECT_THAT(Run(p), Not(HasSubstr("warning")));
        EXPECT_EQ(tests::ReadColumn(m_folder / ("off-" + quorum), "rounds", "round").size(),
                  6 * 12);
        p.runDir = (m_folder / ("later-" + quorum)).string();
        p.crashes = "0-11:0-5"; // before they have begun
        EXPECT_THAT(Run(p), Not(HasSubstr("warning")));
        EXPECT_EQ(tests::ReadColumn(m_folder / ("later-" + quorum), "rounds", "round").size(),
                  6 * 12);
        p.runDir = (m_folder / ("gone-" + quorum)).string();
        p.crashes = "0-11:1-";
        EXPECT_THAT(Run(p),
                    HasSubstr("warning: the run ended with 12 of 12 devices before all rounds were "
                              "done"));
    }
}

TEST_F(CommitteeRunTest, DevicesMayNeverStart)
{
    CommitteeParameters p = MakeParameters("empty");
    p.battery = 1e-9;
    EXPECT_THAT(Run(p), HasSubstr("12 of 12 devices before all rounds were done"));
    EXPECT_EQ(tests::ReadColumn(m_folder / "empty", "clients", "device").size(), 12U);
    p = MakeParameters("off");
    p.crashes = "0-10:0-";
    Run(p);
    EXPECT_EQ(tests::ReadColumn(m_folder / "off", "clients", "device").size(), 12U);
}

TEST_F(CommitteeRunTest, TheResearcherSeesWhomMaliciousCommitteesAggregate)
{
    CommitteeParameters p = MakeParameters("malicious");
    p.maliciousPercent = 100;
    p.attack = "scaling";
    Run(p);
    std::map<double, double> sizes; // of the aggregation set, by round
    auto rows = tests::ReadCsvRows(m_folder / "malicious" / "votes.csv");
    rows.erase(rows.begin());
    for (const auto& row : rows)
    {
        if (row.at(2) == "aggregation")
        {
            sizes[std::stod(row.at(0))] = std::stod(row.at(5));
        }
    }
    ASSERT_EQ(sizes.size(), p.rounds);
    const auto aggregated = tests::ReadColumn(m_folder / "malicious", "adversaries", "aggregated");
    const auto bad =
        tests::ReadColumn(m_folder / "malicious", "adversaries", "malicious_aggregated");
    for (uint32_t round = 0; round < p.rounds; ++round)
    {
        EXPECT_GT(sizes[round], 0);
        EXPECT_EQ(aggregated[round], sizes[round]);
        EXPECT_EQ(bad[round], sizes[round]);
    }
}

TEST_F(CommitteeRunTest, TheNewestModelIsThatOfTheLastRoundThatIsAgreed)
{
    CommitteeParameters p = MakeParameters("partitioned");
    p.partitions = "0.0001-99999:0"; // device 0 counts rounds by its clock
    p.gradientTimeout = 1;
    p.saveWeights = true;
    Run(p);
    std::string last;
    auto rows = tests::ReadCsvRows(m_folder / "partitioned" / "votes.csv");
    for (const auto& row : rows)
    {
        last = row.at(2) == "aggregation" ? row.at(7) : last;
    }
    EXPECT_EQ(ReadNewestDigest("partitioned"), last);
}

TEST_F(CommitteeRunTest, TheNewestModelIsOneThatHonestMembersHaveAgreedOn)
{
    CommitteeParameters p = MakeParameters("branches");
    p.maliciousPercent = 40;
    p.attack = "none";
    p.misbehavior = "lie-about-quorum+equivocate+collude";
    p.saveWeights = true;
    RngSeedManager::SetRun(11); // in which malicious devices end on a branch of their own
    Run(p);
    std::istringstream names(ReadFile(m_folder / "branches" / "malicious.txt"));
    const std::set<std::string> malicious{std::istream_iterator<std::string>(names), {}};
    std::set<std::string> honest;
    std::set<std::string> all;
    for (const auto& row : tests::ReadCsvRows(m_folder / "branches" / "votes.csv"))
    {
        all.insert(row.at(7));
        if (malicious.count(row.at(1)) == 0)
        {
            honest.insert(row.at(7));
        }
    }
    EXPECT_LT(honest.size(), all.size());
    EXPECT_EQ(honest.count(ReadNewestDigest("branches")), 1U);
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
    ParameterList list; // Adam takes no step here
    CommitteeParameters().Declare(list);
    EXPECT_FALSE(list.GetDefaults().contains("learningRate"));
    EXPECT_TRUE(list.GetDefaults().contains("localRate"));
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
