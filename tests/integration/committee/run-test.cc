/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee-run.h"

#include "ns3/committee-certificate.h"

#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace ns3;
using namespace ns3::collab;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using tests::PlayedRun;

namespace
{

class CommitteeRunTest : public tests::CommitteeRun
{
  protected:
    /// @return digest of the newest model of a run, as votes.csv has it
    static std::string
    ReadNewestDigest(const PlayedRun& run)
    {
        const std::string file = run.Text("weights/newest.safetensors");
        uint64_t head = 0; // size of what comes before the weights
        std::memcpy(&head, file.data(), sizeof(head));
        const auto* weights = reinterpret_cast<const uint8_t*>(file.data()) + sizeof(head) + head;
        const auto digest = ComputeDigest(weights, file.size() - sizeof(head) - head);
        return fmt::format("{:02x}", fmt::join(digest, ""));
    }

    /// @return loss in the last round of the devices that measure it
    static double
    GetLastLoss(const PlayedRun& run)
    {
        double loss = 0;
        for (const auto& row : run.Rows("rounds"))
        {
            const double value = std::stod(row.at("loss_global"));
            loss = std::isfinite(value) ? value : loss;
        }
        return loss;
    }

    /// @return deliveries among some devices before, within and after a time
    template <typename Condition>
    static std::vector<int>
    CountDeliveries(const PlayedRun& run, double from, double to, const Condition& isOfThem)
    {
        std::vector<int> deliveries(3);
        for (const auto& row : run.Rows("messages"))
        {
            if (row.at("delivered") == "1" &&
                isOfThem(std::stoi(row.at("sender")), std::stoi(row.at("receiver"))))
            {
                const double end = std::stod(row.at("end_s"));
                const bool isWithin = std::stod(row.at("start_s")) >= from && end <= to;
                ++deliveries[isWithin ? 1 : end < from ? 0 : 2];
            }
        }
        return deliveries;
    }
};

/// Deliveries before and after a fault, and none within it
const auto HEALED = ::testing::ElementsAre(::testing::Gt(0), 0, ::testing::Gt(0));

} // namespace

TEST_F(CommitteeRunTest, ThreadsDoNotChangeResults)
{
    ExpectSameFiles(RunCommittee,
                    SMALL + "quorum=byzantine maliciousPercent=25 "
                            "misbehavior=equivocate+split-scores+forge+replay",
                    "threads=3",
                    {"run.json",
                     "rounds.csv",
                     "messages.csv",
                     "energy.csv",
                     "latency.csv",
                     "votes.csv",
                     "committee.csv",
                     "scores.csv"});
}

TEST_F(CommitteeRunTest, EveryAttackRunsToItsEnd)
{
    std::set<std::string> results;
    std::set<std::string> malicious;
    for (const std::string attack : {"none", "label-flip", "alie", "ipm:epsilon=0.5", "noise"})
    {
        const auto run =
            Run("partition=writers measureClients=true maliciousPercent=34 attack=" + attack);
        EXPECT_THAT(run.Text("rounds.csv"), HasSubstr("accuracy_clients"));
        EXPECT_THAT(run.Rows("clients"), SizeIs(12));
        EXPECT_THAT(run.Rows("adversaries"), SizeIs(4));
        results.insert(run.Text("rounds.csv"));
        malicious.insert(run.Text("malicious.txt"));
    }
    EXPECT_THAT(results, SizeIs(5));
    EXPECT_THAT(malicious, AllOf(SizeIs(1), Not(Contains(""))));
}

TEST_F(CommitteeRunTest, AttacksAreOnWhatTheyAreAppliedTo)
{
    const std::string zeros = "maliciousPercent=100 attack=same-value attackTarget=";
    // A model of zeros finds all ten classes equally probable
    EXPECT_NEAR(GetLastLoss(Run(zeros + "weights")), std::log(10), 1e-5);
    EXPECT_GT(std::abs(GetLastLoss(Run(zeros + "gradient")) - std::log(10)), 1e-3);
}

TEST_F(CommitteeRunTest, AlphaIsAPartOfWhatItIsSaidToBe)
{
    // 5 members and 7 training clients
    EXPECT_THAT(Run("acceptOf=training").Read("adversaries", "aggregated"), Each(3));
    EXPECT_THAT(Run("acceptOf=active").Read("adversaries", "aggregated"), Each(5));
}

TEST_F(CommitteeRunTest, ConsistentLiarsAgreeOnTheirLies)
{
    std::map<std::string, std::map<std::string, std::string>> scores; // of the first round
    for (const std::string misbehavior : {"none", "false-scores", "consistent-false-scores"})
    {
        const auto run = Run("maliciousPercent=50 attack=none misbehavior=" + misbehavior);
        const bool agree = misbehavior != "false-scores";
        EXPECT_THAT(run.Values("adversaries", "aggregated").count("0"), agree ? 0 : 1);
        EXPECT_THAT(run.Values("committee", "outcome").count("sets-differ"), agree ? 0 : 1);
        for (const auto& row : run.Rows("scores"))
        {
            if (row.at("round") == "0")
            {
                scores[misbehavior][row.at("client")] = row.at("score");
            }
        }
    }
    // They do lie: the same gradients have other final scores
    EXPECT_THAT(scores["none"], SizeIs(7));
    EXPECT_NE(scores["consistent-false-scores"], scores["none"]);
}

TEST_F(CommitteeRunTest, MaliciousMembersScoreWithWhatTheyWouldUpload)
{
    const auto score = [this](const std::string& arguments) {
        return Run("rounds=1 maliciousPercent=100 " + arguments).Read("scores", "member_score");
    };
    const auto honest = score("attack=none");
    EXPECT_THAT(honest, Not(IsEmpty()));
    EXPECT_NE(score("attack=back-gradient"), honest);
    EXPECT_EQ(score("attack=back-gradient attackedScores=true"), honest)
        << "all gradients are turned around";
}

TEST_F(CommitteeRunTest, FaultsHappenAndHeal)
{
    const auto crashed = Run("quorum=byzantine rounds=6 presence=off:0-1:1.5-40;2:3-");
    EXPECT_THAT(
        CountDeliveries(crashed, 1.5, 40, [](int from, int to) { return from == 0 || to == 0; }),
        HEALED);
    const std::string rounds = crashed.Text("rounds.csv");
    EXPECT_THAT(rounds, AllOf(HasSubstr("\n5,0,"), HasSubstr("\n5,1,"), Not(HasSubstr("\n5,2,"))));

    const auto divided = Run("quorum=byzantine rounds=6 partitions=2-4:0-5");
    EXPECT_THAT(
        CountDeliveries(divided, 2, 4, [](int from, int to) { return (from < 6) != (to < 6); }),
        HEALED);
    EXPECT_THAT(divided.Text("rounds.csv"), HasSubstr("\n5,11,"));
}

TEST_F(CommitteeRunTest, RunningStatisticsAreInNoGradient)
{
    // localRate is a tenth of globalRate: variances would become negative
    EXPECT_THAT(Run("model=resnet20 devices=6 samples=16 referenceSamples=10 testSamples=10 "
                    "batchSize=4 rounds=2 localSteps=2 gradient=accumulated localRate=0.01 "
                    "committeePercent=50")
                    .Read("rounds", "loss_global"),
                Each(Not(::testing::IsNan())));
}

TEST_F(CommitteeRunTest, LinksFadeAsTheyDoWithoutPartitions)
{
    const std::string fading =
        "maxOutage=0.6 "
        "D2dChannel::OutageModel=ns3::collab::D2dRayleighOutageModel[CoherenceTime=1000s] ";
    EXPECT_EQ(Run(fading + "partitions=100000-100001:0-5").Text("messages.csv"), // after the end
              Run(fading).Text("messages.csv"));
}

TEST_F(CommitteeRunTest, AllDevicesMayBeOffAtTheSameTime)
{
    for (const std::string quorum : {"quorum=paper ", "quorum=byzantine "})
    {
        // In the midst of a round, or before they have begun
        for (const std::string crashes : {"0-11:1-5", "0-11:0-5"})
        {
            const auto run = Run(quorum + "rounds=6 presence=off:" + crashes);
            EXPECT_THAT(run.printed, Not(HasSubstr("warning")));
            EXPECT_THAT(run.Rows("rounds"), SizeIs(6 * 12));
        }
        EXPECT_THAT(Run(quorum + "rounds=6 presence=off:0-11:1-").printed,
                    HasSubstr("warning: the run ended with 12 of 12 devices before all rounds were "
                              "done"));
    }
}

TEST_F(CommitteeRunTest, DevicesMayNeverStart)
{
    const auto empty = Run("battery=1e-9");
    EXPECT_THAT(empty.printed, HasSubstr("12 of 12 devices before all rounds were done"));
    EXPECT_THAT(empty.Rows("clients"), SizeIs(12));
    EXPECT_THAT(Run("presence=off:0-10:0-").Rows("clients"), SizeIs(12));
}

TEST_F(CommitteeRunTest, TheResearcherSeesWhomMaliciousCommitteesAggregate)
{
    const auto run = Run("maliciousPercent=100 attack=scaling");
    std::map<std::string, double> sizes; // of the aggregation set, by round
    for (const auto& row : run.Rows("votes"))
    {
        if (row.at("vote") == "aggregation")
        {
            sizes[row.at("round")] = std::stod(row.at("size"));
        }
    }
    const std::vector<double> expected = {sizes["0"], sizes["1"], sizes["2"], sizes["3"]};
    EXPECT_THAT(expected, Each(::testing::Gt(0)));
    EXPECT_EQ(run.Read("adversaries", "aggregated"), expected);
    EXPECT_EQ(run.Read("adversaries", "malicious_aggregated"), expected);
}

TEST_F(CommitteeRunTest, TheNewestModelIsThatOfTheLastRoundThatIsAgreed)
{
    // Device 0 counts rounds by its clock
    const auto run = Run("partitions=0.0001-99999:0 gradientTimeout=1 saveWeights=true");
    std::string last;
    for (const auto& row : run.Rows("votes"))
    {
        last = row.at("vote") == "aggregation" ? row.at("digest") : last;
    }
    EXPECT_EQ(ReadNewestDigest(run), last);
}

TEST_F(CommitteeRunTest, TheNewestModelIsOneThatHonestMembersHaveAgreedOn)
{
    // In run 11 malicious devices end on a branch of their own
    const auto run = Run("RngRun=11 maliciousPercent=40 attack=none saveWeights=true "
                         "misbehavior=lie-about-quorum+equivocate+collude");
    std::istringstream names(run.Text("malicious.txt"));
    const std::set<std::string> malicious{std::istream_iterator<std::string>(names), {}};
    std::set<std::string> honest;
    for (const auto& row : run.Rows("votes"))
    {
        if (malicious.count(row.at("device")) == 0)
        {
            honest.insert(row.at("digest"));
        }
    }
    EXPECT_LT(honest.size(), run.Values("votes", "digest").size());
    EXPECT_THAT(honest, Contains(ReadNewestDigest(run)));
}

TEST_F(CommitteeRunTest, RefusesMistakesBeforeAnythingIsWritten)
{
    const CommitteeParameters p; // Adam takes no step here
    EXPECT_FALSE(p.GetDefaults().contains("learningRate"));
    EXPECT_TRUE(p.GetDefaults().contains("localRate"));
    ExpectRefusals(RunCommittee,
                   SMALL,
                   {{"committeePercent=10", "at least 3"},
                    {"committeePercent=60", "at most 50"},
                    {"selection=III", "--selection=III"},
                    {"acceptPercent=0", "--acceptPercent=0"},
                    {"acceptOf=all", "--acceptOf=all is not allowed; allowed are training, active"},
                    {"attack=boo", "--attack=boo"},
                    {"partition=users", "has no users"},
                    {"presence=off:12:1-2", "--presence=off:12:1-2"},
                    {"presence=off:1:3-2", "--presence=off:1:3-2"},
                    {"partitions=1-:3", "--partitions=1-:3"},
                    {"misbehavior=lie", "known are admit, collude"},
                    {"authenticator=4", "8 to 4096"},
                    {"scoreTimeout=1e-10", "--scoreTimeout=1e-10"}});
}
