/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee/committee-scenario.h"
#include "federated/federated-scenario.h"
#include "gossip/gossip-scenario.h"
#include "integration/scenario-test.h"

#include <fmt/format.h>

using namespace ns3;
using namespace ns3::collab;
using tests::PlayedRun;

namespace
{

constexpr uint32_t DEVICES = 12;
constexpr uint32_t COMMITTEE = 5;
constexpr uint32_t TRAINING = 7;
constexpr double PARAMETERS = 1000000;
constexpr double BYTES = 4 * PARAMETERS;
constexpr double FLOPS = 6e9;           // of a device, a second
constexpr double TRAIN_SAMPLES = 30;    // of 40
constexpr double SMALL_MESSAGES = 0.02; // votes, pairs, versions, headers [s]

/// Runs in which nothing is lost, and a transfer takes the bits over the rate: T = s / r
class EfficiencyRunTest : public tests::ScenarioTest
{
  protected:
    /// @return time of a round of a framework, from the end of the first to that of the last
    double
    TimeRound(const std::string& framework, double rate, const std::string& radio = "")
    {
        const std::string arguments =
            fmt::format("{} {} D2dPhy::Bandwidth={} ", LOSSLESS, radio, rate);
        std::map<int, double> ends;
        for (const auto& row : Run(framework, arguments).Rows("rounds"))
        {
            double& end = ends[std::stoi(row.at("round"))];
            end = std::max(end, std::stod(row.at("end_s")));
        }
        return (ends.rbegin()->second - ends.begin()->second) / (ends.size() - 1.0);
    }

  private:
    PlayedRun
    Run(const std::string& framework, const std::string& arguments)
    {
        if (framework == "fl")
        {
            return Play(RunFederated,
                        arguments + fmt::format("participation={} localEpochs=1 optimizer=sgd "
                                                "serverOutage=1e-9 roundDeadline=1000",
                                                1.0 * TRAINING / DEVICES));
        }
        if (framework == "cmfl" || framework == "cmfl-broadcast")
        {
            const std::string all =
                arguments +
                "activePercent=100 gradientTimeout=1000 scoreTimeout=1000 attemptTimeout=1000 "
                "modelTimeout=1000 upload=" +
                (framework == "cmfl" ? "unicast" : "broadcast");
            const auto p = Parse<CommitteeParameters>(all);
            EXPECT_EQ(p->GetSizes().CountMembers(), COMMITTEE);
            EXPECT_EQ(p->GetSizes().CountClients(), TRAINING);
            return PlayWith(RunCommittee, *p);
        }
        // Every device gives all of its model to all others
        return Play(RunGossip,
                    arguments + fmt::format("algorithm={} localEpochs=1 optimizer=sgd fraction=0.5 "
                                            "segments=4 replicas={} controlTimeout=1000 "
                                            "transferTimeout=1000 turnTimeout=10000",
                                            framework,
                                            DEVICES - 1));
    }

    /// All devices have as many samples
    const std::string LOSSLESS =
        "D2dPhy::Duplex=Full D2dPhy::FragmentSize=1000000000 devices=12 samples=40 "
        "minimumSamples=10 partition=iid dataSet=synthetic-writers referenceSamples=10 "
        "testSamples=10 lowQuality=none model=stub:1000000 batchSize=64 maxOutage=1e-9 "
        "battery=1e9 loss=best-effort rounds=4 threads=1";
};

} // namespace

TEST_F(EfficiencyRunTest, RoundsTakeWhatTheClosedFormsSay)
{
    const double train = 6 * PARAMETERS * TRAIN_SAMPLES / FLOPS;
    for (const double rate : {1e6, 1e7})
    {
        const double transfer = 8 * BYTES / rate;
        const double slack = SMALL_MESSAGES * 1e7 / rate;
        // The model to all, updates in parallel; 2 n d operations to average them
        EXPECT_NEAR(TimeRound("fl", rate), 2 * transfer + train, slack);
        // Gradients to one member after the other, one broadcast of the model; 3 d operations a
        // score and 2 d (m + 1) to apply m = 3 gradients
        EXPECT_NEAR(TimeRound("cmfl", rate),
                    (COMMITTEE + 1) * transfer + train + (3 + 8) * PARAMETERS / FLOPS,
                    slack + 3 * TRAINING * PARAMETERS / FLOPS);
        // One turn: models in parallel; 3 operations a weight to merge, and 2
        const double turn = TimeRound("braintorrent", rate);
        EXPECT_GT(turn, transfer + train);
        EXPECT_LT(turn, transfer + train + (3 * DEVICES + 2) * PARAMETERS / FLOPS + slack);
        // Half of the weights to one, both ways at once
        EXPECT_NEAR(TimeRound("gossipfl", rate), transfer / 2 + train, slack);
        EXPECT_NEAR(TimeRound("segmented", rate),
                    (DEVICES - 1) * transfer + train + (3 * DEVICES + 2) * PARAMETERS / FLOPS,
                    slack);
        // Gradients at the same time, one broadcast of the model
        EXPECT_NEAR(TimeRound("cmfl-broadcast", rate),
                    2 * transfer + train + (3 + 8) * PARAMETERS / FLOPS,
                    slack + 3 * TRAINING * PARAMETERS / FLOPS);
    }
}

TEST_F(EfficiencyRunTest, ReceiversThatHearOneSenderTakeOneGradientAfterTheOther)
{
    const std::string one = "D2dMac::MaxReceptions=1";
    const double rate = 1e6;
    const double train = 6 * PARAMETERS * TRAIN_SAMPLES / FLOPS;
    const double transfer = 8 * BYTES / rate;
    const double slack = SMALL_MESSAGES * 1e7 / rate + 3 * TRAINING * PARAMETERS / FLOPS;
    const double least = (TRAINING + 1) * transfer + train;
    EXPECT_NEAR(TimeRound("fl", rate, one), least, slack);
    EXPECT_NEAR(TimeRound("cmfl-broadcast", rate, one), least, slack);
    // Once more a transfer where a client finds no member that is free, and before the model
    const double unicast = TimeRound("cmfl", rate, one);
    EXPECT_GT(unicast, least);
    EXPECT_LT(unicast, least + COMMITTEE * transfer);
}
