/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-run.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

using namespace ns3;
using namespace ns3::collab;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using tests::PlayedRun;

namespace
{

class BeliefConsensusRunTest : public tests::BeliefRun
{
  protected:
    /// Steps of SGD that are too long, of users of a stream of 35 samples each
    const std::string STREAM =
        NETWORKS + "dataUse=stream samples=44 minimumSamples=10 instants=3 interval=0 ";
};

} // namespace

TEST_F(BeliefConsensusRunTest, WhatEndsTheWaitIsNamed)
{
    const std::string slow = NETWORKS + "slowDevices=1 slowdown=1e5 deadline=4 ";
    EXPECT_THAT(Run(slow + "interval=2").printed, HasSubstr("than it waits (--interval 2 s)"));
    for (const std::string interval : {"interval=0", "interval=6"})
    {
        EXPECT_THAT(Run(slow + interval).printed, HasSubstr("than it waits (--deadline 4 s)"));
    }
}

TEST_F(BeliefConsensusRunTest, TracesDependNeitherOnThreadsNorOnThePayloadMode)
{
    for (const auto& family : {std::string(), GAUSSIAN, NETWORKS})
    {
        for (const std::string precision : {"precision=float32", "precision=float64"})
        {
            ExpectSameFiles(RunBeliefConsensus,
                            SMALL + family + "outage=0.2 " + precision,
                            "threads=2 Transport::PayloadMode=Bytes",
                            {"rounds.csv",
                             "latency.csv",
                             "energy.csv",
                             "messages.csv",
                             "network.csv",
                             "weights.csv",
                             "theory.csv"});
        }
    }
}

TEST_F(BeliefConsensusRunTest, MessagesHaveTheSizeOfTheirNumbers)
{
    for (const auto& [family, bytes] : {std::pair(std::string(), 4 * 8),
                                        std::pair(GAUSSIAN, (3 + 6) * 8),
                                        std::pair(NETWORKS, 2 * 6370 * 4)})
    {
        const auto run = Run(family);
        EXPECT_THAT(run.Read("messages", "bytes"), AllOf(Not(IsEmpty()), Each(23 + bytes)));
        EXPECT_EQ(Last(run, "bytes_sent"), 6 * (23 + bytes)) << family;
    }
}

TEST_F(BeliefConsensusRunTest, TogetherUsersLearnWhatNoneCanAlone)
{
    const auto believe = [this](const std::string& method, uint32_t users) {
        return Last(Run("instants=100 method=" + method), "belief_true", users);
    };
    EXPECT_GT(believe("consensus", 4), 0.99);
    EXPECT_GT(believe("gossip", 4), 0.99);
    EXPECT_GT(believe("central", 1), 0.99);
    EXPECT_NEAR(believe("alone", 4), 0.5, 0.01); // each sees one of two bits
}

TEST_F(BeliefConsensusRunTest, OnACompleteGraphTheNetworksEvidenceIsTheCentralPosterior)
{
    for (const auto& family : {std::string(), GAUSSIAN})
    {
        const std::string once = family + "instants=40 beliefInterval=40 ";
        const auto central = Run(once + "method=central").Read("beliefs", "value");
        const auto users = Run(once + "evidencePower=network").Read("beliefs", "value");
        ASSERT_EQ(users.size(), 4 * central.size());
        for (std::size_t i = 0; i < users.size(); ++i)
        {
            EXPECT_NEAR(users[i], central[i % central.size()], 1e-9) << family;
        }
    }
}

TEST_F(BeliefConsensusRunTest, LearnsAtThePredictedRateWithLosses)
{
    for (const std::string missing : {"self", "renormalize", "stale"})
    {
        const auto run = Run("topology=ring instants=4000 beliefInterval=0 weightsInterval=0 "
                             "outage=0.3 omit=messages,energy,latency missing=" +
                             missing);
        const auto rates = ReadTheory(run, "predicted_rate");
        const double predicted = std::min(rates.at(1), rates.at(2));
        // the sum of 4000 instants' evidence has a standard deviation of 2.3 % of its mean, and the
        // lesser one of two bits is measured: 7 % are three standard deviations
        EXPECT_NEAR(Last(run, "log_ratio") / 4000 / predicted, 1, 0.07) << missing;
    }
}

TEST_F(BeliefConsensusRunTest, TheoryIsOfAllSamplesOfAnInstant)
{
    const std::string ring = "topology=ring beliefInterval=0 ";
    const auto batches = Run(ring + "instants=400 instantSamples=10");
    const auto rates = ReadTheory(batches, "predicted_rate");
    EXPECT_NEAR(Last(batches, "log_ratio") / 400 / std::min(rates.at(1), rates.at(2)), 1, 0.07);
    const auto single = Run(ring + "instants=4");
    // An independent bound of evidence is 32 R^2 log((M - 1) / delta) / K^2, of ten times as many
    // samples
    for (const auto& [name, ratio] : {std::pair("K", 10.0),
                                      std::pair("R", 10.0),
                                      std::pair("error_exponent", 10.0),
                                      std::pair("independent_bound_evidence", 0.1),
                                      std::pair("sharper_bound_mixing", 1.0)})
    {
        EXPECT_NEAR(ReadTheory(batches, name).begin()->second /
                        ReadTheory(single, name).begin()->second,
                    ratio,
                    1e-9)
            << name;
    }
    const auto replay = Run(ring + "instants=4 dataUse=replay");
    EXPECT_TRUE(std::isnan(ReadTheory(replay, "predicted_rate").at(-1)));
    EXPECT_THAT(ReadTheory(replay, "K"), IsEmpty());

    const auto limit = [this](const std::string& arguments) {
        return ReadTheory(Run(GAUSSIAN + arguments), "excess_limit").at(-1);
    };
    EXPECT_NEAR(limit("instantSamples=5"), limit("instantSamples=1") / 5, 1e-12);
    // Users which see two features of three
    EXPECT_TRUE(
        std::isnan(limit("instantSamples=5 devices=2 inputRange=1,1.5,1 theta=-0.3,0.5,0.8,0.2")));
}

TEST_F(BeliefConsensusRunTest, HonestUsersAreNotClippedWhateverTheyHaveInAnInstant)
{
    for (const std::string use : {"dataUse=stream ", "dataUse=replay "})
    {
        const std::string honest =
            use + "devices=6 topology=ring instants=30 instantSamples=20 replaySamples=20 ";
        EXPECT_EQ(Run(honest + "pooling=clipped").Read("weights", "weight"),
                  Run(honest).Read("weights", "weight"))
            << use;
    }
}

TEST_F(BeliefConsensusRunTest, WordsThatNobodyCanTellApartAreAllRight)
{
    const auto run = Run("bits=6 instants=300 beliefInterval=0"); // of which four users see four
    EXPECT_THAT(ReadTheory(run, "learnable"), SizeIs(4));
    EXPECT_GT(Last(run, "belief_true"), 0.99);
    EXPECT_EQ(Last(run, "error"), 0);
}

TEST_F(BeliefConsensusRunTest, InfluenceIsEstimatedByWhatTravelsWithBeliefs)
{
    const std::string star = GAUSSIAN + "topology=star instants=100 evidencePower=";
    const auto run = Run(star + "estimated");
    const auto estimates = run.Read("rounds", "influence");
    std::vector<double> last(estimates.end() - 4, estimates.end());
    std::sort(last.begin(), last.end());
    // On a star of four with uniform weights v is 4 and 2 of 10
    EXPECT_NEAR(last[0], 0.2, 1e-5);
    EXPECT_NEAR(last[2], 0.2, 1e-5);
    EXPECT_NEAR(last[3], 0.4, 1e-5);
    EXPECT_NEAR(Last(run, "excess_mse"), Last(Run(star + "network"), "excess_mse"), 2e-3);
    EXPECT_GT(std::abs(Last(run, "excess_mse") - Last(Run(star + "paper"), "excess_mse")), 0);
    const auto sent = run.Read("rounds", "bytes_sent");
    const auto without = Run(star + "network").Read("rounds", "bytes_sent");
    EXPECT_EQ(sent.back() - without.back(), 100 * 4 * 4);
}

TEST_F(BeliefConsensusRunTest, AWitnessCountsByItsInfluence)
{
    for (const auto& [witness, influence] : {std::pair{0, 4.0 / 10}, std::pair{2, 2.0 / 10}})
    {
        // On a star of four with uniform weights v is 4 and 2 of 10; K = v KL(0.7 || 0.3)
        const auto run = Run(fmt::format("design=witness topology=star witness={}", witness));
        const auto nats = ReadTheory(run, "K");
        ASSERT_EQ(nats.size(), 1U);
        EXPECT_NEAR(nats.begin()->second, influence * 0.4 * std::log(7.0 / 3), 1e-6);
    }
}

TEST_F(BeliefConsensusRunTest, TheSharperBoundIsNotAlwaysLess)
{
    const auto run = Run("devices=2 bits=12 labelProbability=0.875 interval=0 instants=1");
    EXPECT_EQ(ReadTheory(run, "bound").at(-1), 2526);
    EXPECT_EQ(ReadTheory(run, "sharper_bound").at(-1), 2575);
}

TEST_F(BeliefConsensusRunTest, WithoutTheTruthAmongHypothesesRisksAreTold)
{
    const auto run = Run("trueProbability=0.8");
    const double nats = 0.8 * std::log(8.0 / 7) + 0.2 * std::log(2.0 / 3);
    EXPECT_NEAR(ReadTheory(run, "risk_label").at(-1), 0.1, 1e-6);
    EXPECT_NEAR(ReadTheory(run, "risk_total_variation").at(-1), 0.2, 1e-6);
    EXPECT_NEAR(ReadTheory(run, "risk_divergence").at(-1), std::sqrt(2 * nats), 1e-6);
    EXPECT_NEAR(ReadTheory(run, "risk_printed").at(-1), std::sqrt(nats) / 2, 1e-6);
    EXPECT_TRUE(ReadTheory(Run("trueProbability=0.7"), "risk_printed").empty());
}

TEST_F(BeliefConsensusRunTest, RatesAreNotToldWhereUsersDriftApart)
{
    const std::string hasty = "outage=0.3 deadline=0.05 interval=";
    EXPECT_THAT(Run(hasty + "0").Text("theory.csv"),
                HasSubstr("users drift apart where messages are lost"));
    EXPECT_THAT(Run(hasty + "0.1").Text("theory.csv"), Not(HasSubstr("users drift apart")));
}

TEST_F(BeliefConsensusRunTest, GossipersEndTogetherWhateverTheirRates)
{
    std::map<std::string, std::pair<int, double>> last; // rounds and end, by user
    for (const auto& row : Run("method=gossip instants=200 updateRate=8,2,8,2").Rows("rounds"))
    {
        last[row.at("device")] = {std::stoi(row.at("round")) + 1, std::stod(row.at("end_s"))};
    }
    EXPECT_EQ(last.at("0").first, 200);
    EXPECT_EQ(last.at("1").first, 50);
    EXPECT_NEAR(last.at("1").second / last.at("0").second, 1, 0.4);
}

TEST_F(BeliefConsensusRunTest, GossipersDrawTimesOfTheirOwnByAnyLaw)
{
    const auto ends = [this](const std::string& slow) {
        std::map<std::string, std::vector<std::string>> byDevice;
        const auto run = Run(NETWORKS + "method=gossip slowdown=1e5 " + slow +
                             "BeliefGossipApplication::UpdateInterval="
                             "ns3::ExponentialRandomVariable[Mean=1]");
        for (const auto& row : run.Rows("rounds"))
        {
            byDevice[row.at("device")].push_back(row.at("end_s"));
        }
        return byDevice;
    };
    auto all = ends("");
    auto beside = ends("slowDevices=1 "); // whose updates come later than others'
    ASSERT_THAT(all, SizeIs(4));
    EXPECT_NE(all["0"], all["2"]);
    EXPECT_NE(all["1"], beside["1"]) << "which is slow";
    EXPECT_EQ(all["0"], beside["0"]);
    EXPECT_EQ(all["2"], beside["2"]);
}

TEST_F(BeliefConsensusRunTest, GossipEndsAtTheCentralPosteriorByPowersOfItsOwn)
{
    const std::string two = GAUSSIAN + "devices=2 instants=3000 beliefInterval=0 interval=1 "
                                       "omit=messages,energy,latency ";
    const std::string gossip =
        two + "method=gossip weights=given matrix=0.9,0.1;0.6,0.4 evidencePower=network ";
    const double central = Last(Run(two + "method=central"), "log_determinant", 1);
    // Three parameters: 5 % more samples are 0.15 less
    EXPECT_NEAR(Last(Run(gossip), "log_determinant", 2), central, 0.2);
    // Four beliefs a second of 0.17 s on air: without regard to that it would be 0.7 less
    EXPECT_NEAR(Last(Run(gossip + "updateRate=4 D2dPhy::Bandwidth=6000"), "log_determinant", 2),
                central,
                0.2);
}

TEST_F(BeliefConsensusRunTest, CovarianceIntersectionTellsItsOwnWeights)
{
    const auto weights =
        Run(GAUSSIAN + "devices=3 pooling=covariance-intersection").Read("weights", "weight");
    ASSERT_THAT(weights, Not(IsEmpty()));
    EXPECT_GT(*std::max_element(weights.begin(), weights.end()), 0.34); // not W's thirds
    EXPECT_NEAR(std::accumulate(weights.begin(), weights.begin() + 3, 0.0), 1, 1e-9);
}

TEST_F(BeliefConsensusRunTest, LiesThatOverflowAreRefused)
{
    EXPECT_GT(
        Last(Run(GAUSSIAN + "malicious=1 lie=overconfident lieStrength=1e308"), "messages_refused"),
        0);
}

TEST_F(BeliefConsensusRunTest, ImproperLiesAreRefusedAndFiniteOnesClipped)
{
    const std::string liar = "devices=5 instants=60 malicious=4 ";
    const auto least = [](const PlayedRun& run) {
        double truth = 1;
        const auto rows = run.Rows("rounds");
        for (auto row = rows.end() - 5; row != rows.end(); ++row)
        {
            const double belief = std::stod(row->at("belief_true"));
            truth = row->at("device") == "4" ? truth : std::min(truth, belief);
        }
        return truth;
    };
    const auto veto = Run(liar + "lie=veto");
    EXPECT_EQ(veto.Read("network", "users")[0], 4);
    EXPECT_EQ(Last(veto, "diverged"), 0);
    EXPECT_GT(least(veto), 0.9); // what is refused harms nobody
    const std::string wrong = liar + "lie=wrong lieStrength=1e6 ";
    EXPECT_LT(least(Run(wrong)), 1e-6);
    EXPECT_GT(least(Run(wrong + "pooling=clipped")), 0.9);
}

TEST_F(BeliefConsensusRunTest, TheoryIsOfTheReliabilityThatUsersWeighBy)
{
    // Nearly all messages arrive, while parts of them are lost
    const auto run = Run("devices=2 outage=0.5 loss=reliable weights=reliability");
    const double given = 0.5 / (1 + 0.5);
    EXPECT_NEAR(run.Read("weights", "weight")[1], given, 1e-12);
    EXPECT_NEAR(ReadTheory(run, "lambda_second").at(-1), 1 - 2 * given, 1e-12);
    EXPECT_NEAR(ReadTheory(run, "message_loss").at(-1), std::pow(0.5, 8), 1e-12);
}

TEST_F(BeliefConsensusRunTest, DealsOutAFewLabelsToEachUser)
{
    const auto run = Run(NETWORKS + "partition=labels labels=8,2 instants=2");
    std::istringstream lines(run.Text("partition.txt"));
    std::string line;
    std::getline(lines, line); // names of columns
    for (uint32_t user = 0; user < 4; ++user)
    {
        std::getline(lines, line);
        std::istringstream cells(line);
        const std::vector<uint32_t> counts{std::istream_iterator<uint32_t>(cells), {}};
        ASSERT_THAT(counts, SizeIs(12)) << line; // the user, ten labels, and their sum
        const uint32_t labels = user == 0 ? 8 : 2;
        EXPECT_EQ(std::count(counts.begin() + 1, counts.end() - 1, 0), 10 - labels) << line;
        EXPECT_EQ(std::count(counts.begin() + 1, counts.end() - 1, 80 / labels), labels) << line;
    }
    EXPECT_FALSE(std::isnan(Last(run, "accuracy_unseen", 3)));
}

TEST_F(BeliefConsensusRunTest, NobodyTrainsWithANovelLabel)
{
    const auto run = Run(NETWORKS + "novelLabel=3 dataUse=cavity evidencePower=network "
                                    "optimizer=natural topology=complete");
    EXPECT_GT(Last(run, "novelty_auroc"), 0);
    EXPECT_GT(Last(run, "deviation_shift"), 0);
    const auto other = Run(NETWORKS);
    EXPECT_NE(Last(run, "accuracy"), Last(other, "accuracy"));
    EXPECT_EQ(other.Text("rounds.csv").find("novelty_auroc"), std::string::npos);
}

TEST_F(BeliefConsensusRunTest, OmittedTablesChangeNothingElse)
{
    const auto some = Run("omit=messages,weights");
    EXPECT_THAT(tests::FindDifferentFiles(Run(""), some),
                ::testing::ElementsAre("messages.csv", "weights.csv"));
    EXPECT_THAT(some.Rows("messages"), IsEmpty());
}

TEST_F(BeliefConsensusRunTest, APeriodicMatrixCanBeTriedAnyhow)
{
    const auto run = Run("devices=2 weights=given matrix=0,1;1,0 unsuitable=warn");
    EXPECT_EQ(ReadTheory(run, "period").at(-1), 2);
    EXPECT_NEAR(ReadTheory(run, "lambda_max").at(-1), -1, 1e-9);
    EXPECT_NEAR(ReadTheory(run, "lambda_second").at(-1), 1, 1e-9);
}

TEST_F(BeliefConsensusRunTest, UsersWhoAreNotConnectedCanBeTriedAnyhow)
{
    for (const auto& family : {std::string(), GAUSSIAN})
    {
        const auto parts = Run(family + "devices=3 topology=geometric radius=1e-6 unsuitable=warn");
        EXPECT_EQ(ReadTheory(parts, "components").at(-1), 3);
        EXPECT_THAT(ReadTheory(parts, "K"), IsEmpty());
        EXPECT_THAT(ReadTheory(parts, "excess_limit"), IsEmpty());
        // User 0 listens to nobody
        const auto deaf =
            Run(family + "devices=2 weights=given matrix=1,0;0.5,0.5 unsuitable=warn");
        EXPECT_EQ(ReadTheory(deaf, "components").at(-1), 2);
    }
}

TEST_F(BeliefConsensusRunTest, RadioLinksWeighByTheirReliability)
{
    const auto weights = Run("links=radio maxOutage=0.5 weights=reliability missing=renormalize")
                             .Read("weights", "weight");
    EXPECT_THAT(weights, SizeIs(6 * 4 * 4));
    EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 24, 1e-9);
    EXPECT_NE(weights[1], weights[2]);
}

TEST_F(BeliefConsensusRunTest, TheRemainderOfAStreamDoesNoHarm)
{
    const auto run = Run(STREAM);     // 32 samples, and 3 more
    EXPECT_LT(Last(run, "nll"), 2.5); // that of chance is 2.3
    EXPECT_THAT(run.Text("run.json"), Not(HasSubstr("does not stay near")));
    EXPECT_THAT(run.printed, Not(HasSubstr("undone")));
}

TEST_F(BeliefConsensusRunTest, UpdatesThatAreUndoneAreWarnedOf)
{
    EXPECT_THAT(Run(STREAM + "learningRate=1e6").printed,
                ContainsRegex("warning: in [0-9]+ % of users' instants .* was undone \\(column "
                              "diverged\\); --learningRate may be too great"));
}

TEST_F(BeliefConsensusRunTest, StepsThatAreTooLongForThePriorAreHintedAt)
{
    const auto run = Run(STREAM + "batchSize=9");
    const std::string hint = "SGD does not stay near the belief before: --learningRate=0.05 "
                             "over --initialDeviation=0.05 squared and over the 9 samples of an "
                             "instant is 2.22, and should be less than 2";
    EXPECT_THAT(run.printed, HasSubstr("hint: " + hint));
    EXPECT_THAT(run.Text("run.json"), HasSubstr(hint));
    EXPECT_THAT(Run(STREAM + "batchSize=11").Text("run.json"),
                Not(HasSubstr("does not stay near")));
}
