/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee/committee-scenario.h"
#include "federated/federated-scenario.h"
#include "gossip/gossip-scenario.h"
#include "support/run-files.h"
#include "support/temporary-folder.h"

#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>
#include <map>

using namespace ns3;
using namespace ns3::collab;
using tests::ReadColumn;

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
class EfficiencyRunTest : public tests::TemporaryFolder
{
  protected:
    void
    SetUp() override
    {
        TemporaryFolder::SetUp();
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        Config::Reset();
        Config::SetDefault("ns3::collab::D2dPhy::Duplex", StringValue("Full"));
        Config::SetDefault("ns3::collab::D2dPhy::FragmentSize", StringValue("1000000000"));
    }

    void
    TearDown() override
    {
        Config::Reset();
        TemporaryFolder::TearDown();
    }

    /// Make parameters of runs with devices that all have as many samples
    template <typename Parameters>
    Parameters
    Make(const std::string& name) const
    {
        Parameters p;
        p.devices = DEVICES;
        p.samples = 40;
        p.minimumSamples = 10;
        p.partition = "iid";
        p.referenceSamples = 10;
        p.testSamples = 10;
        p.lowQuality = "none";
        p.model = "stub:1000000";
        p.batchSize = 64;
        p.maxOutage = 1e-9;
        p.battery = 1e9;
        p.loss = "best-effort";
        p.rounds = 4;
        p.threads = 1;
        p.runDir = m_folder / name;
        p.quiet = true;
        return p;
    }

    /// @return time of a round of a framework, from the end of the first to that of the last
    double
    TimeRound(const std::string& framework, double rate) const
    {
        Config::SetDefault("ns3::collab::D2dPhy::Bandwidth", DoubleValue(rate));
        const std::string name = framework + std::to_string(static_cast<int>(rate));
        std::ostringstream output;
        if (framework == "fl")
        {
            auto p = Make<FederatedParameters>(name);
            p.participation = 1.0 * TRAINING / DEVICES;
            p.localEpochs = 1;
            p.optimizer = "sgd";
            p.serverOutage = 1e-9;
            p.roundDeadline = 1000;
            RunFederated(p, output);
        }
        else if (framework == "cmfl" || framework == "cmfl-broadcast")
        {
            auto p = Make<CommitteeParameters>(name);
            p.activePercent = 100;
            p.upload = framework == "cmfl" ? "unicast" : "broadcast";
            p.gradientTimeout = 1000;
            p.scoreTimeout = 1000;
            p.attemptTimeout = 1000;
            p.modelTimeout = 1000;
            EXPECT_EQ(p.GetCommitteeSize(), COMMITTEE);
            EXPECT_EQ(p.GetTrainingClients(), TRAINING);
            RunCommittee(p, output);
        }
        else
        {
            auto p = Make<GossipParameters>(name);
            p.algorithm = framework;
            p.localEpochs = 1;
            p.optimizer = "sgd";
            p.fraction = 0.5;
            p.segments = 4;
            p.replicas = DEVICES - 1; // every device gives all of its model to all others
            p.controlTimeout = 1000;
            p.transferTimeout = 1000;
            p.turnTimeout = 10000;
            RunGossip(p, output);
        }
        std::map<double, double> ends;
        const auto rounds = ReadColumn(m_folder / name, "rounds", "round");
        const auto times = ReadColumn(m_folder / name, "rounds", "end_s");
        for (std::size_t i = 0; i < rounds.size(); ++i)
        {
            ends[rounds[i]] = std::max(ends[rounds[i]], times[i]);
        }
        return (ends.rbegin()->second - ends.begin()->second) / (ends.size() - 1.0);
    }
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
    Config::SetDefault("ns3::collab::D2dMac::MaxReceptions", UintegerValue(1));
    const double rate = 1e6;
    const double train = 6 * PARAMETERS * TRAIN_SAMPLES / FLOPS;
    const double transfer = 8 * BYTES / rate;
    const double slack = SMALL_MESSAGES * 1e7 / rate + 3 * TRAINING * PARAMETERS / FLOPS;
    const double least = (TRAINING + 1) * transfer + train;
    EXPECT_NEAR(TimeRound("fl", rate), least, slack);
    EXPECT_NEAR(TimeRound("cmfl-broadcast", rate), least, slack);
    // Once more a transfer where a client finds no member that is free, and before the model
    const double unicast = TimeRound("cmfl", rate);
    EXPECT_GT(unicast, least);
    EXPECT_LT(unicast, least + COMMITTEE * transfer);
}
