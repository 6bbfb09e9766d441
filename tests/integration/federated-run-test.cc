/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated/federated-scenario.h"
#include "integration/scenario-test.h"
#include "integration/small-fashion.h"
#include "prediction-consensus/prediction-consensus-scenario.h"

#include <cmath>
#include <fmt/format.h>

using namespace ns3;
using namespace ns3::collab;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using tests::PlayedRun;

namespace
{

/// Whole runs of four devices for four rounds on a small part of Fashion-MNIST
class FederatedRunTest : public tests::ScenarioTest
{
  protected:
    static constexpr uint32_t DEVICES = 4;
    static constexpr uint32_t ROUNDS = 4;

    PlayedRun
    Run(const std::string& arguments)
    {
        return Play(RunFederated, SMALL + arguments);
    }

    /// Devices with low quality hinder nobody, and no battery runs empty
    PlayedRun
    RunLarge(const std::string& arguments)
    {
        return Run("lowQuality=none battery=1e6 rounds=2 " + arguments);
    }

    const std::string SMALL = tests::SmallFashion::Argument() +
                              "devices=4 samples=64 minimumSamples=16 referenceSamples=50 "
                              "testSamples=100 rounds=4 localEpochs=2 model=mlp:20 lowQuality=2 ";
};

} // namespace

TEST_F(FederatedRunTest, TracesDoNotDependOnTheNumberOfThreads)
{
    for (const std::string algorithm : {"fedavg", "scaffold", "fedbuff"})
    {
        ExpectSameFiles(RunFederated,
                        SMALL + "participation=0.75 uplinkCompression=random-k:fraction=0.5 " +
                            "algorithm=" + algorithm,
                        "threads=2",
                        {"run.json",
                         "partition.txt",
                         "rounds.csv",
                         "latency.csv",
                         "energy.csv",
                         "messages.csv",
                         "participation.csv",
                         "server.csv"});
    }
}

TEST_F(FederatedRunTest, EveryOptionOfTrainingReachesTheLearners)
{
    const std::vector<std::string> options = {"",
                                              "rateSchedule=cosine:steps=4",
                                              "rateSchedule=step:every=2",
                                              "optimizerOptions=momentum=0.9",
                                              "optimizerOptions=maxNorm=0.1",
                                              "optimizerOptions=weightDecay=0.5",
                                              "labelSmoothing=0.3",
                                              "classWeights=balanced",
                                              "optimizer=adam",
                                              "optimizer=adam "
                                              "optimizerOptions=weightDecay=0.5,decoupled=1"};
    std::set<double> losses;
    for (const auto& option : options)
    {
        losses.insert(Run("model=linear optimizer=sgd " + option).Final("local_loss"));
    }
    EXPECT_THAT(losses, SizeIs(options.size())) << "no two are alike";
}

TEST_F(FederatedRunTest, RunsArePairedWithPredictionConsensus)
{
    const auto one = Run("");
    const auto other = Play(RunPredictionConsensus, SMALL + "pretrainingRounds=1");
    EXPECT_EQ(one.Text("partition.txt"), other.Text("partition.txt"));
    for (const std::string key : {"devices", "model", "seed"})
    {
        EXPECT_EQ(one.Json()[key], other.Json()[key]) << key;
    }
}

TEST_F(FederatedRunTest, EveryDeviceAndRoundHasItsRowsAndAccountsAddUp)
{
    for (const std::string algorithm : {"fedavg", "fedprox", "scaffold", "feddyn", "fedsgd"})
    {
        SCOPED_TRACE(algorithm);
        const auto run = Run("algorithm=" + algorithm);
        EXPECT_THAT(run.Rows("rounds"), SizeIs(DEVICES * ROUNDS));
        EXPECT_EQ(run.Sum("participation", "uploaded"), DEVICES * ROUNDS);
        EXPECT_THAT(run.Rows("server"), SizeIs(ROUNDS));
        // D2S radios book apart from D2D ones, and nothing is lost
        EXPECT_THAT(run.Read("energy", "d2s_tx_j"), Each(::testing::Gt(0)));
        EXPECT_THAT(run.Read("energy", "tx_j"), Each(0));
        for (const auto& row : run.Rows("energy"))
        {
            double sum = 0;
            for (const char* kind : {"idle_j", "sleep_j", "compute_j", "d2s_tx_j", "d2s_rx_j"})
            {
                sum += std::stod(row.at(kind));
            }
            EXPECT_NEAR(sum, std::stod(row.at("source_j")), 1e-6);
        }
        EXPECT_GT(run.Read("server", "energy_j").back(), 0);
        // 784 x 20 + 20 + 20 x 10 + 10 weights; with control variates twice as many bytes
        const double vectors = algorithm == "scaffold" ? 2 : 1;
        EXPECT_NEAR(run.Read("server", "bytes_sent").back(),
                    (ROUNDS + 1) * vectors * 4 * 15910,
                    (ROUNDS + 1) * 100);
    }
}

TEST_F(FederatedRunTest, FedAvgBeatsLocalTrainingOnIndependentData)
{
    const std::string arguments = SMALL + "samples=100 testSamples=1000 localEpochs=3 rounds=12 "
                                          "partition=iid lowQuality=none ";
    const double alone =
        Play(RunPredictionConsensus, arguments + "trust=local").Final("accuracy_global");
    const double together = Play(RunFederated, arguments).Final("accuracy_global");
    EXPECT_GT(together, alone + 0.02);
}

TEST_F(FederatedRunTest, SlowDevicesMissTheDeadline)
{
    const auto run = Run("slowDevices=1 slowdown=1e4 roundDeadline=5");
    const auto rows = run.Rows("participation");
    ASSERT_THAT(rows, SizeIs(DEVICES * ROUNDS));
    for (const auto& row : rows)
    {
        EXPECT_EQ(row.at("received"), "1");
        EXPECT_EQ(row.at("uploaded"), row.at("device") == "1" ? "0" : "1");
    }
    EXPECT_THAT(run.printed,
                HasSubstr(fmt::format("warning: rounds ended while devices still trained, {} times "
                                      "of {}: what these learned is not in the server's model "
                                      "(RoundDeadline 5 s)",
                                      ROUNDS,
                                      ROUNDS * DEVICES)));
    EXPECT_THAT(Run("roundDeadline=5").printed, Not(HasSubstr("warning")));
    const std::string sets = "algorithm=semi-decentralized setSize=2 roundDeadline=5 ";
    EXPECT_THAT(Run(sets + "slowDevices=1 slowdown=1e4").printed,
                HasSubstr("warning: rounds ended while devices still trained"));
    EXPECT_THAT(Run(sets).printed, Not(HasSubstr("warning")));
}

TEST_F(FederatedRunTest, AdaptiveRatesReachAServerOfMorePower)
{
    const auto run = RunLarge("D2dPhy::RateControl=Adaptive");
    EXPECT_THAT(run.printed, Not(HasSubstr("warning")));
    EXPECT_THAT(run.Read("participation", "uploaded"), Each(1));
    const auto fixed = RunLarge("");
    EXPECT_LT(run.Read("messages", "airtime_s").front(),
              fixed.Read("messages", "airtime_s").front())
        << "the server's own power allows more than a device's";
}

TEST_F(FederatedRunTest, TheServerWaitsByDefaultForTheGreatestLots)
{
    // Lots of two samples on average, now and then of seven
    const auto run = Run("dpSgd=clip=1,noise=1 batchSize=2 localSteps=1 rounds=40 model=mlp:4 "
                         "slowDevices=1 slowdown=4e6 battery=1e9");
    EXPECT_THAT(run.Read("participation", "uploaded"), SizeIs(DEVICES * 40));
    EXPECT_THAT(run.Read("participation", "uploaded"), Each(1));
    EXPECT_GT(run.Parameter("roundDeadline"), 300) << "above the least one";
}

TEST_F(FederatedRunTest, TheServerWaitsByDefaultForWhatIsComputedAndOnAir)
{
    for (const std::string algorithm : {"fedavg", "scaffold", "fedbuff", "semi-decentralized"})
    {
        for (const std::string model : {"mlp:20", "stub:4000000"}) // 16 MB, on air for 65 s
        {
            const auto run = RunLarge(
                fmt::format("algorithm={} model={} setSize=2 bufferSize=4", algorithm, model));
            EXPECT_THAT(run.printed, Not(HasSubstr("warning"))) << algorithm;
            const double updates = algorithm == "semi-decentralized" ? 2 : DEVICES;
            EXPECT_THAT(run.Read("server", "aggregated"), Each(updates)) << algorithm;
            const double deadline = run.Parameter("roundDeadline");
            EXPECT_TRUE(model == "mlp:20" ? deadline == 120 : deadline > 120) << deadline;
        }
    }
}

TEST_F(FederatedRunTest, TheServerWaitsByDefaultForABroadcastThatIsRepeatedForManyDevices)
{
    // 19 s on air, and two minutes until all have acknowledged it
    const std::string many = "devices=50 model=stub:582000 ";
    const auto run = RunLarge(many);
    EXPECT_THAT(run.printed, Not(HasSubstr("warning")));
    EXPECT_THAT(run.Read("server", "aggregated"), Each(50));
    EXPECT_THAT(RunLarge(many + "roundDeadline=80").printed,
                HasSubstr("it has used no update of "));
}

TEST_F(FederatedRunTest, TheServerWaitsByDefaultForDevicesThatShareTheirSubchannel)
{
    const auto deadline = [this](const std::string& attribute) {
        const auto run = RunLarge("model=stub:4000000 D2dChannel::" + attribute);
        EXPECT_THAT(run.Read("server", "aggregated"), Each(DEVICES)) << attribute;
        return double(run.Parameter("roundDeadline"));
    };
    const double shared = deadline("Access=Shared");
    EXPECT_EQ(deadline("Subchannels=1"), shared);
    EXPECT_LT(deadline("Subchannels=3"), shared);
    EXPECT_EQ(deadline("Subchannels=5"), deadline("Access=Ofdma")); // the server has one, too
}

TEST_F(FederatedRunTest, RunsWarnIfNoUpdateIsUsed)
{
    EXPECT_THAT(RunLarge("model=stub:4000000 roundDeadline=100").printed,
                HasSubstr("warning: the server has used no update of any device: none was there in "
                          "time (RoundDeadline 100 s)"));
    EXPECT_THAT(
        Run("FederatedServerApplication::MaxSamples=10").printed,
        ::testing::AllOf(
            HasSubstr(fmt::format("no update of any device: it has refused {}, the last one for ",
                                  DEVICES * ROUNDS)),
            HasSubstr("samples, expected 1 to 10")));
}

TEST_F(FederatedRunTest, DevicesOfSetsWaitForTheSlowestUnlessADeadlineIsGiven)
{
    const std::string sets = "algorithm=semi-decentralized setSize=2 roundDeadline=1e5 ";
    const auto fast = Run(sets);
    EXPECT_THAT(fast.printed, Not(HasSubstr("warning")));
    EXPECT_EQ(fast.Parameter("setDeadline"), 25);
    const auto slow = Run(sets + "slowDevices=1 slowdown=1e5");
    EXPECT_THAT(slow.printed, Not(HasSubstr("warning")));
    EXPECT_GT(slow.Parameter("setDeadline"), 25);
    EXPECT_THAT(slow.Read("rounds", "missing"), Each(0));
    // Each peer of device 1 in four exchanges of each round
    const auto given = Run(sets + "slowDevices=1 slowdown=1e5 setDeadline=25");
    EXPECT_THAT(given.printed,
                HasSubstr(fmt::format("warning: exchanges within sets ended while devices still "
                                      "trained, {} times of ",
                                      ROUNDS * 4)));
    EXPECT_EQ(given.Parameter("setDeadline"), 25);
}

TEST_F(FederatedRunTest, TheDuplexThatRadiosHaveAnywayCanBeGiven)
{
    const std::string sets = "algorithm=semi-decentralized setSize=2 ";
    const auto usual = Run(sets);
    const auto given = Run(sets + "D2dPhy::Duplex=Full");
    EXPECT_THAT(tests::FindDifferentFiles(usual, given), ::testing::ElementsAre("run.json"));
    EXPECT_GT(Run(sets + "D2dPhy::Duplex=Half").Final("end_s"), usual.Final("end_s"))
        << "they take turns";
}

TEST_F(FederatedRunTest, SemiDecentralizedDevicesSpeakInSetsByD2d)
{
    const auto run = ExpectSameFiles(RunFederated,
                                     SMALL + "algorithm=semi-decentralized devices=6 setSize=3 "
                                             "stragglers=1,2",
                                     "threads=2",
                                     {"rounds.csv", "messages.csv", "energy.csv", "server.csv"});
    EXPECT_EQ(run.Parameter("localSteps"), 8);
    EXPECT_EQ(run.Json()["devices"][1]["straggler"], true);
    EXPECT_EQ(run.Json()["devices"][3]["straggler"], false);
    ASSERT_THAT(run.Rows("rounds"), SizeIs(6 * ROUNDS));
    EXPECT_GT(run.Sum("rounds", "merged"), 6 * ROUNDS * 5);
    for (const std::string kind : {"tx_j", "rx_j", "d2s_tx_j", "d2s_rx_j"})
    {
        EXPECT_GT(run.Read("energy", kind).back(), 0) << kind;
    }
    // The first set has one device that can be asked, and all stragglers are in it
    double ofSecondSet = 0;
    for (const auto& row : run.Rows("participation"))
    {
        const int device = std::stoi(row.at("device"));
        EXPECT_TRUE(device >= 3 || row.at("sampled") == (device == 0 ? "1" : "0"));
        ofSecondSet += device >= 3 ? std::stod(row.at("sampled")) : 0;
    }
    EXPECT_EQ(ofSecondSet, ROUNDS);
}

TEST_F(FederatedRunTest, StragglersAreDrawnByTheSeedAndNeverAggregated)
{
    const auto find = [](const PlayedRun& run) {
        std::set<std::string> numbers;
        const auto description = run.Json();
        for (const auto& device : description["devices"])
        {
            if (device.at("straggler"))
            {
                numbers.insert(device["device"].dump());
            }
        }
        return numbers;
    };
    const auto run = Run("stragglers=2");
    const auto drawn = find(run);
    ASSERT_THAT(drawn, SizeIs(2));
    for (const auto& row : run.Rows("participation"))
    {
        EXPECT_EQ(row.at("uploaded"), drawn.count(row.at("device")) > 0 ? "0" : "1");
        EXPECT_EQ(row.at("received"), "1");
    }
    std::set<std::set<std::string>> all;
    for (int number = 1; number <= 5; ++number)
    {
        all.insert(find(Run(fmt::format("stragglers=2 rounds=1 model=linear RngRun={}", number))));
    }
    EXPECT_GT(all.size(), 1U);
    EXPECT_EQ(all.count(drawn), 1U) << "that of the run number 1";
}

TEST_F(FederatedRunTest, FedSgdTakesOneStepOnAllSamples)
{
    // Whatever passes and batches are said to be; the order of the samples is another
    const auto small = Run("algorithm=fedsgd batchSize=4");
    const auto large = Run("algorithm=fedsgd batchSize=1000 localEpochs=5");
    EXPECT_THAT(
        small.Read("rounds", "loss_global"),
        ::testing::Pointwise(::testing::DoubleNear(1e-5), large.Read("rounds", "loss_global")));
    EXPECT_EQ(small.Read("energy", "compute_j"), large.Read("energy", "compute_j"));
}

TEST_F(FederatedRunTest, DevicesThatRunOutOfEnergyEndTheRun)
{
    const auto run = Run("battery=10 rounds=40");
    const auto remaining = run.Read("energy", "remaining_j");
    EXPECT_THAT(remaining, Each(::testing::Ge(0)));
    EXPECT_NEAR(remaining.back(), 0, 1e-6);
    EXPECT_GT(run.Rows("rounds").size(), 0U);
    EXPECT_LT(run.Rows("rounds").size(), DEVICES * 40);
}

TEST_F(FederatedRunTest, AttacksAreOnWhatTheyAreAppliedTo)
{
    const std::string zeros = "maliciousPercent=100 attack=same-value ";
    // A model of zeros finds all ten classes equally probable
    EXPECT_NEAR(Run(zeros + "attackTarget=weights").Final("loss_global"), std::log(10), 1e-5);
    EXPECT_GT(std::abs(Run(zeros).Final("loss_global") - std::log(10)), 1e-3);
}

TEST_F(FederatedRunTest, FedBuffTellsWhoseUpdatesAreInItsSteps)
{
    constexpr uint32_t STEPS = 12;
    // 3 of 4 at a time, and computing takes the time
    const std::string slow = "rounds=12 slowDevices=1, slowdown=20000 ";
    const auto run = Run(slow + "algorithm=fedbuff bufferSize=3 participation=0.75");
    EXPECT_EQ(run.Parameter("concurrency"), 3);
    std::vector<double> uploads(STEPS);
    std::vector<double> stale(STEPS);
    const auto rows = run.Rows("participation");
    ASSERT_THAT(rows, SizeIs(DEVICES * STEPS));
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        const auto round = std::stoul(rows[i].at("round"));
        const double uploaded = std::stod(rows[i].at("uploaded"));
        const double staleness = std::stod(rows[i].at("staleness"));
        EXPECT_EQ(round, i / DEVICES);
        EXPECT_EQ(std::isnan(staleness), uploaded == 0);
        uploads[round] += uploaded;
        stale[round] += uploaded > 0 ? uploaded * staleness / 3 : 0;
    }
    EXPECT_THAT(uploads, Each(3));
    EXPECT_GT(run.Sum("participation", "received"), 0);
    const auto means = run.Read("server", "staleness");
    EXPECT_THAT(means, ::testing::Pointwise(::testing::DoubleNear(1e-6), stale));
    EXPECT_GT(*std::max_element(means.begin(), means.end()), 0);
    EXPECT_GT(run.Final("accuracy_global"), 0.3);
    // Steps do not wait for the slow device, which rounds wait for
    EXPECT_LT(run.Read("server", "end_s").back(), 0.5 * Run(slow).Read("server", "end_s").back());
}

TEST_F(FederatedRunTest, GivenConcurrencyIsTheOneInForce)
{
    for (const uint32_t given : {0U, 2U})
    {
        const auto run = Run(fmt::format("algorithm=fedbuff bufferSize=2 participation=0.25 "
                                         "FederatedBufferedServerApplication::Concurrency={}",
                                         given));
        EXPECT_EQ(run.Parameter("concurrency"), given == 0 ? DEVICES : given);
    }
}

TEST_F(FederatedRunTest, MistakesAreToldBeforeAnythingIsWritten)
{
    const std::string sets = "algorithm=semi-decentralized ";
    const std::string resets = "ns3::collab::FederatedClientApplication::ResetsOptimizer";
    ExpectRefusals(
        RunFederated,
        SMALL,
        {{"algorithm=fedbest",
          "fedavg, fedprox, scaffold, feddyn, fedsgd, fedavgm, fednova, fedbuff, "
          "semi-decentralized, feddf"},
         {"algorithm=feddf referenceSamples=0", "--referenceSamples=0"},
         {"algorithm=feddf model=stub:1000", "--model=stub:1000"},
         {"algorithm=feddf loss=partial", "--loss=partial"},
         {"setSize=0", "--setSize=0"},
         {sets + "participation=0.5", "--participation=0.5"},
         {sets + "localSteps=1",
          "--localSteps=1 is not allowed; it must be at least the 2 of --setSteps"},
         {sets + "setSteps=9", // more than the usual steps
          "--localSteps=8 is not allowed; it must be at least the 9 of --setSteps"},
         {sets + "localSteps=0", "--localSteps=0"},
         {"bufferSize=0", "--bufferSize=0"},
         {"stalenessWeight=some", "--stalenessWeight=some"},
         {"algorithm=fedbuff attack=alie", "--attack=alie"},
         {"algorithm=fedbuff bufferSize=2 aggregation=median:f=1", "--aggregation=median:f=1"},
         {"stragglers=4", "--stragglers=4"},
         {"stragglers=1,4", "--stragglers=1,4"},
         {"stragglers=some", "--stragglers=some"},
         {"stragglers=0,1,2,3", "--stragglers=0,1,2,3"},
         {"algorithm=fedsgd optimizer=adam", "--optimizer=adam"},
         {"algorithm=fedsgd optimizerOptions=momentum=0.9", "without momentum with fedsgd"},
         {"algorithm=scaffold optimizer=adam", "--optimizer=adam"},
         {"algorithm=fednova optimizer=sgd optimizerOptions=momentum=0.9 " + resets + "=false",
          "--" + resets + "=false"},
         {"devices=1", "--devices=1"},
         {"participation=0", "--participation=0"},
         {"aggregation=best", "--aggregation=best"},
         {"aggregation=krum:f=20", "--aggregation=krum:f=20"},
         {"attack=boo", "--attack=boo"},
         {"maliciousPercent=101", "--maliciousPercent=101"},
         {"maliciousPercent=34 attack=alie downlink=unicast", "--downlink=unicast"},
         {"maliciousPercent=34 attack=alie participation=0.5", "asks 2 for updates"},
         {"uplinkCompression=top-k:k=1000000", "--uplinkCompression"},
         {"uplinkCompression=zip", "--uplinkCompression=zip"},
         {"downlinkCompression=top-k:k=1", "float32, float16, int8"},
         {"feddynAlpha=0", "--feddynAlpha=0"},
         {"serverOutage=1", "--serverOutage=1"},
         {"D2dChannel::NoiseFigure=7000",
          "--serverOutage=0.1 is not allowed; it must be one that a finite power"},
         {"slowDevices=9", "--slowDevices=9"},
         {"slowDevices=1 slowdown=1e7", "--slowdown=10000000"}});
}
