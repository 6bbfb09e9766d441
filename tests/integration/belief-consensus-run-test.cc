/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus/belief-run.h"
#include "support/run-files.h"

#include "ns3/collab-error.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <map>
#include <nlohmann/json.hpp>

using namespace ns3;
using namespace ns3::collab;
using ::testing::HasSubstr;
using tests::ReadColumn;
using tests::ReadFile;

namespace
{

const std::vector<std::string> TABLES = {"run.json",
                                         "rounds.csv",
                                         "latency.csv",
                                         "energy.csv",
                                         "messages.csv",
                                         "network.csv",
                                         "weights.csv",
                                         "beliefs.csv",
                                         "theory.csv"};

using BeliefConsensusRunTest = tests::BeliefRun;

} // namespace

TEST_F(BeliefConsensusRunTest, WhatEndsTheWaitIsNamed)
{
    const auto print = [this](double interval) {
        auto p = Small("mean-field", std::to_string(interval));
        p.slowDevices = "1";
        p.slowdown = 1e5;
        p.interval = interval;
        p.deadline = 4;
        p.quiet = false;
        std::ostringstream output;
        RunBeliefConsensus(p, output);
        return output.str();
    };
    EXPECT_THAT(print(2), HasSubstr("than it waits (--interval 2 s)"));
    EXPECT_THAT(print(0), HasSubstr("than it waits (--deadline 4 s)"));
    EXPECT_THAT(print(6), HasSubstr("than it waits (--deadline 4 s)"));
}

TEST_F(BeliefConsensusRunTest, TracesDependNeitherOnThreadsNorOnThePayloadMode)
{
    for (const std::string family : {"discrete", "gaussian", "mean-field"})
    {
        for (const std::string precision : {"float32", "float64"})
        {
            auto p = Small(family, family + precision + "-one");
            p.outage = 0.2;
            p.precision = precision;
            p.threads = 1;
            const auto one = Run(p);
            p.threads = 2;
            p.runDir = m_folder / (family + precision + "-bytes");
            Config::SetDefault("ns3::collab::Transport::PayloadMode", StringValue("Bytes"));
            const auto two = Run(p);
            Config::Reset();
            for (const std::string& file : TABLES)
            {
                if (file != "run.json") // the attribute is told
                {
                    EXPECT_EQ(ReadFile(one / file), ReadFile(two / file)) << family << " " << file;
                }
            }
            EXPECT_GT(ReadFile(one / "weights.csv").size(), 500U);
        }
    }
}

TEST_F(BeliefConsensusRunTest, MessagesHaveTheSizeOfTheirNumbers)
{
    const std::map<std::string, uint64_t> numbers = {
        {"discrete", 4 * 8}, {"gaussian", (3 + 6) * 8}, {"mean-field", 2 * 6370 * 4}};
    for (const auto& [family, bytes] : numbers)
    {
        const auto run = Run(Small(family, family));
        const uint64_t size = 23 + bytes;
        for (const double sent : ReadColumn(run, "messages", "bytes"))
        {
            ASSERT_EQ(sent, size) << family;
        }
        EXPECT_EQ(Final(run, "bytes_sent", 4), 6 * size) << family;
    }
}

TEST_F(BeliefConsensusRunTest, TogetherUsersLearnWhatNoneCanAlone)
{
    auto p = Small("discrete", "together");
    p.instants = 100;
    EXPECT_GT(Final(Run(p), "belief_true", 4), 0.99);
    p.method = "gossip";
    p.runDir = m_folder / "gossip";
    EXPECT_GT(Final(Run(p), "belief_true", 4), 0.99);
    p.method = "alone";
    p.runDir = m_folder / "alone";
    const double alone = Final(Run(p), "belief_true", 4);
    EXPECT_NEAR(alone, 0.5, 0.01); // each sees one of two bits
    p.method = "central";
    p.runDir = m_folder / "central";
    EXPECT_GT(Final(Run(p), "belief_true", 1), 0.99);
}

TEST_F(BeliefConsensusRunTest, OnACompleteGraphTheNetworksEvidenceIsTheCentralPosterior)
{
    for (const std::string family : {"discrete", "gaussian"})
    {
        auto p = Small(family, family + "-network");
        p.instants = 40;
        p.beliefInterval = 40;
        p.evidencePower = "network";
        const auto network = Run(p);
        p.method = "central";
        p.evidencePower = "paper";
        p.runDir = m_folder / (family + "-central");
        const auto central = ReadColumn(Run(p), "beliefs", "value");
        const auto users = ReadColumn(network, "beliefs", "value");
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
        auto p = Small("discrete", missing);
        p.topology = "ring";
        p.instants = 4000;
        p.beliefInterval = 0;
        p.weightsInterval = 0;
        p.outage = 0.3;
        p.missing = missing;
        const auto run = Run(p);
        const auto rates = ReadTheory(run, "predicted_rate");
        const double predicted = std::min(rates.at(1), rates.at(2));
        const double measured = Final(run, "log_ratio", 4) / p.instants;
        // the sum of 4000 instants' evidence has a standard deviation of 2.3 % of its mean, and the
        // lesser one of two bits is measured: 7 % are three standard deviations
        EXPECT_NEAR(measured / predicted, 1, 0.07) << missing << " " << predicted;
    }
}

TEST_F(BeliefConsensusRunTest, TheoryIsOfAllSamplesOfAnInstant)
{
    auto p = Small("discrete", "batches");
    p.topology = "ring";
    p.instants = 400;
    p.beliefInterval = 0;
    p.instantSamples = 10;
    const auto batches = Run(p);
    const auto rates = ReadTheory(batches, "predicted_rate");
    const double measured = Final(batches, "log_ratio", 4) / p.instants;
    EXPECT_NEAR(measured / std::min(rates.at(1), rates.at(2)), 1, 0.07);
    p.instantSamples = 1;
    p.instants = 4;
    p.runDir = m_folder / "single";
    const auto single = Run(p);
    const auto ratio = [&](const std::string& name) {
        return ReadTheory(batches, name).begin()->second / ReadTheory(single, name).begin()->second;
    };
    EXPECT_NEAR(ratio("K"), 10, 1e-9);
    EXPECT_NEAR(ratio("R"), 10, 1e-9);
    EXPECT_NEAR(ratio("error_exponent"), 10, 1e-9);
    // 32 R^2 log((M - 1) / delta) / K^2, of ten times as many samples
    EXPECT_NEAR(ratio("independent_bound_evidence"), 0.1, 1e-9);
    EXPECT_NEAR(ratio("sharper_bound_mixing"), 1, 1e-9);
    p.dataUse = "replay";
    p.runDir = m_folder / "replay";
    const auto replay = Run(p);
    EXPECT_TRUE(std::isnan(ReadTheory(replay, "predicted_rate").at(-1)));
    EXPECT_TRUE(ReadTheory(replay, "K").empty());

    auto q = Small("gaussian", "one-sample");
    const double one = ReadTheory(Run(q), "excess_limit").at(-1);
    q.instantSamples = 5;
    q.runDir = m_folder / "five-samples";
    EXPECT_NEAR(ReadTheory(Run(q), "excess_limit").at(-1), one / 5, 1e-12);
    q.devices = 2; // which see two features of three
    q.inputRange = "1,1.5,1";
    q.theta = "-0.3,0.5,0.8,0.2";
    q.runDir = m_folder / "too-few";
    EXPECT_TRUE(std::isnan(ReadTheory(Run(q), "excess_limit").at(-1)));
}

TEST_F(BeliefConsensusRunTest, HonestUsersAreNotClippedWhateverTheyHaveInAnInstant)
{
    for (const std::string use : {"stream", "replay"})
    {
        auto p = Small("discrete", "honest-" + use);
        p.devices = 6;
        p.topology = "ring";
        p.instants = 30;
        p.instantSamples = 20;
        p.replaySamples = 20;
        p.dataUse = use;
        const auto free = ReadColumn(Run(p), "weights", "weight");
        p.pooling = "clipped";
        p.runDir = m_folder / ("clipped-" + use);
        EXPECT_EQ(ReadColumn(Run(p), "weights", "weight"), free) << use;
    }
    auto p = Small("discrete", "gossip");
    p.method = "gossip";
    p.pooling = "clipped";
    EXPECT_THROW(Run(p), UserError); // for which no such distance is known
}

TEST_F(BeliefConsensusRunTest, WordsThatNobodyCanTellApartAreAllRight)
{
    auto p = Small("discrete", "unseen");
    p.bits = 6; // of which four users see four
    p.instants = 300;
    p.beliefInterval = 0;
    const auto run = Run(p);
    EXPECT_EQ(ReadTheory(run, "learnable").size(), 4U);
    EXPECT_GT(Final(run, "belief_true", 4), 0.99);
    EXPECT_EQ(Final(run, "error", 4), 0);
}

TEST_F(BeliefConsensusRunTest, RatesAreNotToldWhereUsersDriftApart)
{
    const auto read = [this](double interval) {
        auto p = Small("discrete", "drift" + std::to_string(interval));
        p.outage = 0.3;
        p.interval = interval;
        p.deadline = 0.05;
        return tests::ReadFile(Run(p) / "theory.csv");
    };
    EXPECT_THAT(read(0), HasSubstr("users drift apart where messages are lost"));
    EXPECT_THAT(read(0.1), testing::Not(HasSubstr("users drift apart")));
}

TEST_F(BeliefConsensusRunTest, GossipersEndTogetherWhateverTheirRates)
{
    auto p = Small("discrete", "unequal");
    p.method = "gossip";
    p.updateRate = "8";
    for (uint32_t user = 1; user < p.devices; ++user)
    {
        p.updateRate += user % 2 == 0 ? ",8" : ",2";
    }
    p.instants = 200;
    std::map<std::string, std::pair<int, double>> last; // rounds and end, by user
    for (const auto& row : tests::ReadCsvRows(Run(p) / "rounds.csv"))
    {
        if (row.at(0) != "round")
        {
            last[row.at(1)] = {std::stoi(row.at(0)) + 1, std::stod(row.at(3))};
        }
    }
    EXPECT_EQ(last.at("0").first, 200);
    EXPECT_EQ(last.at("1").first, 50);
    EXPECT_NEAR(last.at("1").second / last.at("0").second, 1, 0.4);
}

TEST_F(BeliefConsensusRunTest, GossipersDrawTimesOfTheirOwnByAnyLaw)
{
    Config::SetDefault("ns3::collab::BeliefGossipApplication::UpdateInterval",
                       StringValue("ns3::ExponentialRandomVariable[Mean=1]"));
    const auto ends = [this](const std::string& slowDevices) {
        auto p = Small("mean-field", "slow-" + slowDevices);
        p.method = "gossip";
        p.slowDevices = slowDevices;
        p.slowdown = 1e5; // so that its updates come later than others'
        const auto run = Run(p);
        const auto devices = ReadColumn(run, "rounds", "device");
        const auto times = ReadColumn(run, "rounds", "end_s");
        std::map<double, std::vector<double>> byDevice;
        for (std::size_t i = 0; i < devices.size(); ++i)
        {
            byDevice[devices[i]].push_back(times[i]);
        }
        return byDevice;
    };
    auto all = ends("");
    auto beside = ends("1");
    ASSERT_EQ(all.size(), 4);
    EXPECT_NE(all[0], all[2]);
    EXPECT_NE(all[1], beside[1]) << "which is slow";
    EXPECT_EQ(all[0], beside[0]);
    EXPECT_EQ(all[2], beside[2]);
}

TEST_F(BeliefConsensusRunTest, GossipEndsAtTheCentralPosteriorByPowersOfItsOwn)
{
    auto p = Small("gaussian", "gossip");
    p.devices = 2;
    p.instants = 3000;
    p.beliefInterval = 0;
    p.interval = 1;
    p.method = "gossip";
    p.weights = "given";
    p.matrix = "0.9,0.1;0.6,0.4";
    p.evidencePower = "network";
    const double gossip = Final(Run(p), "log_determinant", 2);
    // Four beliefs a second of 0.17 s on air: without regard to that it would be 0.7 less
    Config::SetDefault("ns3::collab::D2dPhy::Bandwidth", DoubleValue(6000));
    p.updateRate = "4";
    p.runDir = m_folder / "slow";
    const double slow = Final(Run(p), "log_determinant", 2);
    Config::Reset();
    p.method = "central";
    p.runDir = m_folder / "central";
    const double central = Final(Run(p), "log_determinant", 1);
    // Three parameters: 5 % more samples are 0.15 less
    EXPECT_NEAR(gossip, central, 0.2);
    EXPECT_NEAR(slow, central, 0.2);
}

TEST_F(BeliefConsensusRunTest, CovarianceIntersectionTellsItsOwnWeights)
{
    auto p = Small("gaussian", "intersection");
    p.devices = 3;
    p.pooling = "covariance-intersection";
    const auto weights = ReadColumn(Run(p), "weights", "weight");
    ASSERT_FALSE(weights.empty());
    EXPECT_GT(*std::max_element(weights.begin(), weights.end()), 0.34); // not W's thirds
    EXPECT_NEAR(std::accumulate(weights.begin(), weights.begin() + 3, 0.0), 1, 1e-9);
}

TEST_F(BeliefConsensusRunTest, LiesThatOverflowAreRefused)
{
    auto p = Small("gaussian", "overflow");
    p.cholesky = true;
    p.malicious = "1";
    p.lie = "overconfident";
    p.lieStrength = 1e308;
    EXPECT_GT(Final(Run(p), "messages_refused", 4), 0);
}

TEST_F(BeliefConsensusRunTest, ImproperLiesAreRefusedAndFiniteOnesClipped)
{
    auto p = Small("discrete", "veto");
    p.devices = 5;
    p.instants = 60;
    p.malicious = "4";
    p.lie = "veto";
    auto run = Run(p);
    EXPECT_EQ(ReadColumn(run, "network", "users")[0], 4);
    EXPECT_EQ(Final(run, "diverged", 4), 0);
    p.lie = "wrong";
    p.lieStrength = 1e6;
    p.runDir = m_folder / "wrong";
    const auto poisoned = Run(p);
    p.pooling = "clipped";
    p.runDir = m_folder / "clipped";
    const auto clipped = Run(p);
    const auto least = [](const std::filesystem::path& folder) {
        double truth = 1;
        const auto devices = ReadColumn(folder, "rounds", "device");
        const auto beliefs = ReadColumn(folder, "rounds", "belief_true");
        for (std::size_t i = beliefs.size() - 5; i < beliefs.size(); ++i)
        {
            truth = devices[i] == 4 ? truth : std::min(truth, beliefs[i]);
        }
        return truth;
    };
    EXPECT_GT(least(run), 0.9); // what is refused harms nobody
    EXPECT_LT(least(poisoned), 1e-6);
    EXPECT_GT(least(clipped), 0.9);
}

TEST_F(BeliefConsensusRunTest, TheoryIsOfTheReliabilityThatUsersWeighBy)
{
    auto p = Small("discrete", "reliability");
    p.devices = 2;
    p.outage = 0.5;
    p.loss = "reliable"; // nearly all messages arrive, while parts of them are lost
    p.weights = "reliability";
    const auto run = Run(p);
    const double given = 0.5 / (1 + 0.5);
    EXPECT_NEAR(ReadColumn(run, "weights", "weight")[1], given, 1e-12);
    EXPECT_NEAR(ReadTheory(run, "lambda_second").at(-1), 1 - 2 * given, 1e-12);
    EXPECT_NEAR(ReadTheory(run, "message_loss").at(-1), std::pow(0.5, 8), 1e-12);
}

TEST_F(BeliefConsensusRunTest, DealsOutAFewLabelsToEachUser)
{
    auto p = Small("mean-field", "labels");
    p.partition = "labels";
    p.labels = "8,2";
    p.instants = 2;
    const auto run = Run(p);
    std::istringstream lines(ReadFile(run / "partition.txt"));
    std::string line;
    std::getline(lines, line); // names of columns
    for (uint32_t user = 0; user < 4; ++user)
    {
        std::getline(lines, line);
        std::istringstream cells(line);
        std::vector<uint32_t> counts;
        for (uint32_t count; cells >> count;)
        {
            counts.push_back(count);
        }
        ASSERT_EQ(counts.size(), 12U) << line; // the user, ten labels, and their sum
        const uint32_t labels = user == 0 ? 8 : 2;
        EXPECT_EQ(std::count(counts.begin() + 1, counts.end() - 1, 0), 10 - labels) << line;
        EXPECT_EQ(std::count(counts.begin() + 1, counts.end() - 1, 80 / labels), labels) << line;
    }
    EXPECT_FALSE(std::isnan(Final(run, "accuracy_unseen", 3)));
}

TEST_F(BeliefConsensusRunTest, OmittedTablesChangeNothingElse)
{
    auto p = Small("discrete", "all");
    const auto all = Run(p);
    p.omit = "messages,weights";
    p.runDir = m_folder / "some";
    const auto some = Run(p);
    for (const std::string& file : TABLES)
    {
        const bool isOmitted = file == "messages.csv" || file == "weights.csv";
        EXPECT_EQ(ReadFile(all / file) == ReadFile(some / file), !isOmitted) << file;
    }
    EXPECT_EQ(ReadColumn(some, "messages", "bytes").size(), 0U);
}

TEST_F(BeliefConsensusRunTest, APeriodicMatrixCanBeTriedAnyhow)
{
    auto p = Small("discrete", "periodic");
    p.devices = 2;
    p.weights = "given";
    p.matrix = "0,1;1,0";
    p.unsuitable = "warn";
    const auto run = Run(p);
    EXPECT_EQ(ReadTheory(run, "period").at(-1), 2);
    EXPECT_NEAR(ReadTheory(run, "lambda_max").at(-1), -1, 1e-9);
    EXPECT_NEAR(ReadTheory(run, "lambda_second").at(-1), 1, 1e-9);
}

TEST_F(BeliefConsensusRunTest, UsersWhoAreNotConnectedCanBeTriedAnyhow)
{
    for (const std::string family : {"discrete", "gaussian"})
    {
        auto p = Small(family, family + "-parts");
        p.devices = 3;
        p.topology = "geometric";
        p.radius = 1e-6;
        p.unsuitable = "warn";
        const auto parts = Run(p);
        EXPECT_EQ(ReadTheory(parts, "components").at(-1), 3);
        EXPECT_EQ(ReadTheory(parts, "K").size() + ReadTheory(parts, "excess_limit").size(), 0U);

        p = Small(family, family + "-deaf");
        p.devices = 2;
        p.weights = "given";
        p.matrix = "1,0;0.5,0.5"; // user 0 listens to nobody
        p.unsuitable = "warn";
        EXPECT_EQ(ReadTheory(Run(p), "components").at(-1), 2);
    }
}

TEST_F(BeliefConsensusRunTest, RadioLinksWeighByTheirReliability)
{
    auto p = Small("discrete", "radio");
    p.links = "radio";
    p.maxOutage = 0.5;
    p.weights = "reliability";
    p.missing = "renormalize";
    const auto run = Run(p);
    const auto weights = ReadColumn(run, "weights", "weight");
    EXPECT_EQ(weights.size(), 6U * 4 * 4);
    double sum = 0;
    for (const double weight : weights)
    {
        sum += weight;
    }
    EXPECT_NEAR(sum, 24, 1e-9);
    EXPECT_NE(weights[1], weights[2]);
}
