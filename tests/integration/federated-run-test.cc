/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "federated/federated-scenario.h"
#include "prediction-consensus/prediction-consensus-scenario.h"
#include "support/run-files.h"
#include "support/temporary-folder.h"

#include "ns3/boolean.h"
#include "ns3/collab-error.h"
#include "ns3/config.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <sstream>

using namespace ns3;
using namespace ns3::collab;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using tests::ReadColumn;
using tests::ReadFile;

namespace
{

constexpr uint32_t DEVICES = 4;
constexpr uint32_t ROUNDS = 4;

/// Whole runs of the scenario on a small part of Fashion-MNIST
class FederatedRunTest : public tests::TemporaryFolder
{
  protected:
    void
    SetUp() override
    {
        TemporaryFolder::SetUp();
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

    /// Make parameters of a small run
    template <typename Parameters>
    Parameters
    Small(const std::string& name) const
    {
        Parameters p;
        p.devices = DEVICES;
        p.samples = 64;
        p.minimumSamples = 16;
        p.referenceSamples = 50;
        p.testSamples = 100;
        p.rounds = ROUNDS;
        p.localEpochs = 2;
        p.model = "mlp:20";
        p.lowQuality = "2";
        p.runDir = m_folder / name;
        p.quiet = true;
        return p;
    }

    std::filesystem::path
    Run(const FederatedParameters& p) const
    {
        std::ostringstream output;
        RunFederated(p, output);
        return p.runDir;
    }

    /// @return mean of a column of rounds over the devices in the last round
    static double
    Final(const std::filesystem::path& run, const std::string& column)
    {
        const auto rounds = ReadColumn(run, "rounds", "round");
        const auto values = ReadColumn(run, "rounds", column);
        const double last = *std::max_element(rounds.begin(), rounds.end());
        double sum = 0;
        for (std::size_t i = 0; i < rounds.size(); ++i)
        {
            sum += rounds[i] == last ? values[i] : 0;
        }
        return sum / static_cast<double>(std::count(rounds.begin(), rounds.end(), last));
    }
};

} // namespace

TEST_F(FederatedRunTest, TracesDoNotDependOnTheNumberOfThreads)
{
    for (const std::string algorithm : {"fedavg", "scaffold", "fedbuff"})
    {
        auto p = Small<FederatedParameters>(algorithm + "-one");
        p.algorithm = algorithm;
        p.participation = 0.75;
        p.uplinkCompression = "random-k:fraction=0.5";
        p.threads = 1;
        const auto one = Run(p);
        p.threads = 2;
        p.runDir = m_folder / (algorithm + "-two");
        const auto two = Run(p);
        for (const std::string file : {"run.json",
                                       "partition.txt",
                                       "rounds.csv",
                                       "latency.csv",
                                       "energy.csv",
                                       "messages.csv",
                                       "participation.csv",
                                       "server.csv"})
        {
            EXPECT_EQ(ReadFile(one / file), ReadFile(two / file)) << file;
            EXPECT_GT(ReadFile(one / file).size(), 100U) << file;
        }
    }
}

TEST_F(FederatedRunTest, EveryOptionOfTrainingReachesTheLearners)
{
    std::set<double> losses;
    std::size_t runs = 0;
    const auto run = [&](const auto& change) {
        auto p = Small<FederatedParameters>("options-" + std::to_string(runs++));
        p.model = "linear";
        p.optimizer = "sgd";
        change(p);
        losses.insert(Final(Run(p), "local_loss"));
    };
    run([](auto&) {});
    run([](auto& p) { p.rateSchedule = "cosine:steps=4"; });
    run([](auto& p) { p.rateSchedule = "step:every=2"; });
    run([](auto& p) { p.optimizerOptions = "momentum=0.9"; });
    run([](auto& p) { p.optimizerOptions = "maxNorm=0.1"; });
    run([](auto& p) { p.optimizerOptions = "weightDecay=0.5"; });
    run([](auto& p) { p.labelSmoothing = 0.3; });
    run([](auto& p) { p.classWeights = "balanced"; });
    run([](auto& p) { p.optimizer = "adam"; });
    run([](auto& p) {
        p.optimizer = "adam";
        p.optimizerOptions = "weightDecay=0.5,decoupled=1";
    });
    EXPECT_EQ(losses.size(), runs); // no two are alike
}

TEST_F(FederatedRunTest, RunsArePairedWithPredictionConsensus)
{
    const auto federated = Run(Small<FederatedParameters>("federated"));
    auto p = Small<PredictionConsensusParameters>("consensus");
    p.pretrainingRounds = 1;
    std::ostringstream output;
    RunPredictionConsensus(p, output);
    EXPECT_EQ(ReadFile(federated / "partition.txt"),
              ReadFile(m_folder / "consensus" / "partition.txt"));
    const auto one = nlohmann::json::parse(ReadFile(federated / "run.json"));
    const auto other = nlohmann::json::parse(ReadFile(m_folder / "consensus" / "run.json"));
    EXPECT_EQ(one["devices"], other["devices"]);
    EXPECT_EQ(one["model"], other["model"]);
    EXPECT_EQ(one["seed"], other["seed"]);
}

TEST_F(FederatedRunTest, EveryDeviceAndRoundHasItsRowsAndAccountsAddUp)
{
    for (const std::string algorithm : {"fedavg", "fedprox", "scaffold", "feddyn", "fedsgd"})
    {
        auto p = Small<FederatedParameters>(algorithm);
        p.algorithm = algorithm;
        const auto run = Run(p);
        EXPECT_EQ(ReadColumn(run, "rounds", "round").size(), DEVICES * ROUNDS);
        const auto uploaded = ReadColumn(run, "participation", "uploaded");
        EXPECT_EQ(std::count(uploaded.begin(), uploaded.end(), 1), DEVICES * ROUNDS);
        EXPECT_EQ(ReadColumn(run, "server", "round").size(), ROUNDS);
        // D2S radios book apart from D2D ones, and nothing is lost
        const auto sent = ReadColumn(run, "energy", "d2s_tx_j");
        EXPECT_GT(*std::min_element(sent.begin(), sent.end()), 0);
        const auto d2d = ReadColumn(run, "energy", "tx_j");
        EXPECT_EQ(*std::max_element(d2d.begin(), d2d.end()), 0);
        const auto source = ReadColumn(run, "energy", "source_j");
        for (std::size_t i = 0; i < source.size(); ++i)
        {
            double sum = 0;
            for (const std::string kind :
                 {"idle_j", "sleep_j", "compute_j", "d2s_tx_j", "d2s_rx_j"})
            {
                sum += ReadColumn(run, "energy", kind)[i];
            }
            EXPECT_NEAR(sum, source[i], 1e-6);
        }
        EXPECT_GT(ReadColumn(run, "server", "energy_j").back(), 0);
        // 784 x 20 + 20 + 20 x 10 + 10 weights; with control variates twice as many bytes
        const double vectors = algorithm == "scaffold" ? 2 : 1;
        EXPECT_NEAR(ReadColumn(run, "server", "bytes_sent").back(),
                    (ROUNDS + 1) * vectors * 4 * 15910,
                    (ROUNDS + 1) * 100);
    }
}

TEST_F(FederatedRunTest, FedAvgBeatsLocalTrainingOnIndependentData)
{
    auto p = Small<FederatedParameters>("federated");
    p.samples = 100;
    p.testSamples = 1000;
    p.localEpochs = 3;
    p.partition = "iid";
    p.lowQuality = "none";
    p.rounds = 12;
    auto local = Small<PredictionConsensusParameters>("local");
    static_cast<CommonParameters&>(local) = p;
    local.runDir = m_folder / "local";
    local.trust = "local";
    local.rounds = p.rounds;
    local.localEpochs = p.localEpochs;
    std::ostringstream output;
    RunPredictionConsensus(local, output);
    const double alone = Final(local.runDir, "accuracy_global");
    const double together = Final(Run(p), "accuracy_global");
    // Seen: 0.738 and 0.659; with two other seeds the two were 0.0195 apart and more
    EXPECT_GT(together, alone + 0.02);
}

TEST_F(FederatedRunTest, SlowDevicesMissTheDeadline)
{
    auto p = Small<FederatedParameters>("run");
    p.slowDevices = "1";
    p.slowdown = 1e4;
    p.roundDeadline = 5;
    const auto run = Run(p);
    const auto device = ReadColumn(run, "participation", "device");
    const auto received = ReadColumn(run, "participation", "received");
    const auto uploaded = ReadColumn(run, "participation", "uploaded");
    ASSERT_EQ(device.size(), DEVICES * ROUNDS);
    for (std::size_t i = 0; i < device.size(); ++i)
    {
        EXPECT_EQ(received[i], 1);
        EXPECT_EQ(uploaded[i], device[i] == 1 ? 0 : 1);
    }
}

TEST_F(FederatedRunTest, RunsWarnOfDevicesThatTrainForLongerThanRounds)
{
    const auto print = [this](const std::string& algorithm, double slowdown) {
        auto p = Small<FederatedParameters>(fmt::format("{}-{}", algorithm, slowdown));
        p.algorithm = algorithm;
        p.setSize = 2;
        p.slowDevices = "1";
        p.slowdown = slowdown;
        p.roundDeadline = 5;
        p.quiet = false;
        std::ostringstream output;
        RunFederated(p, output);
        return output.str();
    };
    EXPECT_THAT(print("fedavg", 1e4),
                HasSubstr(fmt::format("warning: rounds ended while devices still trained, {} times "
                                      "of {}: what these learned is not in the server's model "
                                      "(RoundDeadline 5 s)",
                                      ROUNDS,
                                      ROUNDS * DEVICES)));
    EXPECT_THAT(print("semi-decentralized", 1e4),
                HasSubstr("warning: rounds ended while devices still trained"));
    for (const std::string algorithm : {"fedavg", "semi-decentralized"})
    {
        EXPECT_THAT(print(algorithm, 1), Not(HasSubstr("warning")));
    }
}

TEST_F(FederatedRunTest, TheServerWaitsByDefaultForTheGreatestLots)
{
    auto p = Small<FederatedParameters>("lots");
    p.dpSgd = "clip=1,noise=1";
    p.batchSize = 2; // lots of two samples on average, now and then of seven
    p.localSteps = 1;
    p.rounds = 40;
    p.slowDevices = "1";
    p.slowdown = 1e6;
    p.battery = 1e9;
    const auto run = Run(p);
    const auto uploaded = ReadColumn(run, "participation", "uploaded");
    EXPECT_THAT(uploaded, SizeIs(DEVICES * p.rounds));
    EXPECT_THAT(uploaded, Each(1));
    const auto metadata = nlohmann::json::parse(ReadFile(run / "run.json"));
    EXPECT_GT(metadata["parameters"]["roundDeadline"], 400) << "above the least one";
}

TEST_F(FederatedRunTest, TheServerWaitsByDefaultForWhatIsComputedAndOnAir)
{
    const auto run = [this](const std::string& algorithm, const std::string& model) {
        auto p = Small<FederatedParameters>(algorithm + "-" + model.substr(0, 4));
        p.algorithm = algorithm;
        p.model = model;
        p.setSize = 2;
        p.bufferSize = DEVICES;
        p.rounds = 2;
        p.battery = 1e6;
        p.lowQuality = "none";
        p.quiet = false;
        std::ostringstream output;
        RunFederated(p, output);
        EXPECT_THAT(output.str(), Not(HasSubstr("warning"))) << p.runDir;
        const double updates = algorithm == "semi-decentralized" ? 2 : DEVICES;
        EXPECT_THAT(ReadColumn(p.runDir, "server", "aggregated"), Each(updates)) << p.runDir;
        const auto description =
            nlohmann::json::parse(ReadFile(std::filesystem::path(p.runDir) / "run.json"));
        return description.at("parameters").at("roundDeadline").get<double>();
    };
    for (const std::string algorithm : {"fedavg", "scaffold", "fedbuff", "semi-decentralized"})
    {
        EXPECT_EQ(run(algorithm, "mlp:20"), 120) << algorithm;
        EXPECT_GT(run(algorithm, "stub:4000000"), 120) << algorithm; // 16 MB, on air for 65 s
    }
}

TEST_F(FederatedRunTest, TheServerWaitsByDefaultForABroadcastThatIsRepeatedForManyDevices)
{
    auto p = Small<FederatedParameters>("many");
    p.devices = 50;
    p.model = "stub:582000"; // 19 s on air, and two minutes until all have acknowledged it
    p.rounds = 2;
    p.battery = 1e6;
    p.lowQuality = "none";
    p.quiet = false;
    std::ostringstream output;
    RunFederated(p, output);
    EXPECT_THAT(output.str(), Not(HasSubstr("warning")));
    EXPECT_THAT(ReadColumn(p.runDir, "server", "aggregated"), Each(50));

    p.runDir = m_folder / "short";
    p.roundDeadline = 80;
    RunFederated(p, output);
    EXPECT_THAT(output.str(), HasSubstr("it has used no update of "));
}

TEST_F(FederatedRunTest, AttacksThatNeedOthersAreRefusedWhereTheyCannotBe)
{
    auto p = Small<FederatedParameters>("vain");
    p.maliciousPercent = 34;
    p.attack = "alie";
    p.downlink = "unicast";
    EXPECT_THAT([&]() { Run(p); },
                testing::ThrowsMessage<UserError>(HasSubstr("--downlink=unicast")));
    p.downlink = "broadcast";
    p.participation = 0.5;
    EXPECT_THAT([&]() { Run(p); },
                testing::ThrowsMessage<UserError>(HasSubstr("asks 2 for updates")));
}

TEST_F(FederatedRunTest, TheServerWaitsByDefaultForDevicesThatShareTheirSubchannel)
{
    const auto run = [this](const std::string& attribute, const std::string& value) {
        Config::Reset();
        Config::SetDefault("ns3::collab::D2dChannel::" + attribute, StringValue(value));
        auto p = Small<FederatedParameters>(attribute + value);
        p.model = "stub:4000000"; // 16 MB, on air for 65 s
        p.rounds = 2;
        p.battery = 1e6;
        p.lowQuality = "none";
        Run(p);
        EXPECT_THAT(ReadColumn(p.runDir, "server", "aggregated"), Each(DEVICES)) << p.runDir;
        const auto description =
            nlohmann::json::parse(ReadFile(std::filesystem::path(p.runDir) / "run.json"));
        return description.at("parameters").at("roundDeadline").get<double>();
    };
    const double shared = run("Access", "Shared");
    EXPECT_EQ(run("Subchannels", "1"), shared);
    EXPECT_LT(run("Subchannels", "3"), shared);
    EXPECT_EQ(run("Subchannels", "5"), run("Access", "Ofdma")); // the server has one, too
}

TEST_F(FederatedRunTest, RunsWarnIfNoUpdateIsUsed)
{
    auto p = Small<FederatedParameters>("short");
    p.model = "stub:4000000";
    p.lowQuality = "none";
    p.roundDeadline = 100;
    p.quiet = false;
    std::ostringstream output;
    RunFederated(p, output);
    EXPECT_THAT(output.str(),
                HasSubstr("warning: the server has used no update of any device: none was there in "
                          "time (RoundDeadline 100 s)"));
    p = Small<FederatedParameters>("refused");
    p.quiet = false;
    Config::SetDefault("ns3::collab::FederatedServerApplication::MaxSamples", UintegerValue(10));
    RunFederated(p, output);
    EXPECT_THAT(
        output.str(),
        HasSubstr(fmt::format("no update of any device: it has refused {}, the last one for ",
                              DEVICES * ROUNDS)));
    EXPECT_THAT(output.str(), HasSubstr("samples, expected 1 to 10"));
}

TEST_F(FederatedRunTest, DevicesOfSetsWaitForTheSlowestUnlessADeadlineIsGiven)
{
    const auto print = [this](const std::string& name, double slowdown, double deadline) {
        auto p = Small<FederatedParameters>(name);
        p.algorithm = "semi-decentralized";
        p.setSize = 2;
        p.slowDevices = "1";
        p.slowdown = slowdown;
        p.setDeadline = deadline;
        p.roundDeadline = 1e5;
        p.quiet = false;
        std::ostringstream output;
        RunFederated(p, output);
        return output.str();
    };
    const auto parameter = [this](const std::string& name) {
        const auto run = nlohmann::json::parse(ReadFile(m_folder / name / "run.json"));
        return run.at("parameters").at("setDeadline").get<double>();
    };
    EXPECT_THAT(print("fast", 1, 0), Not(HasSubstr("warning")));
    EXPECT_EQ(parameter("fast"), 25);
    EXPECT_THAT(print("slow", 1e5, 0), Not(HasSubstr("warning")));
    EXPECT_GT(parameter("slow"), 25);
    EXPECT_THAT(tests::ReadColumn(m_folder / "slow", "rounds", "missing"), Each(0));
    // Each peer of device 1 in four exchanges of each round
    EXPECT_THAT(print("short", 1e5, 25),
                HasSubstr(fmt::format("warning: exchanges within sets ended while devices still "
                                      "trained, {} times of ",
                                      ROUNDS * 4)));
    EXPECT_EQ(parameter("short"), 25);
}

TEST_F(FederatedRunTest, TheDuplexThatRadiosHaveAnywayCanBeGiven)
{
    auto p = Small<FederatedParameters>("default");
    p.algorithm = "semi-decentralized";
    p.setSize = 2;
    const auto before = Run(p);
    Config::SetDefault("ns3::collab::D2dPhy::Duplex", StringValue("Full"));
    p.runDir = m_folder / "given";
    const auto given = Run(p);
    for (const std::string table : {"rounds.csv", "latency.csv", "messages.csv"})
    {
        EXPECT_EQ(ReadFile(before / table), ReadFile(given / table)) << table;
    }
    Config::SetDefault("ns3::collab::D2dPhy::Duplex", StringValue("Half"));
    p.runDir = m_folder / "half";
    EXPECT_GT(Final(Run(p), "end_s"), Final(before, "end_s")) << "they take turns";
}

TEST_F(FederatedRunTest, SemiDecentralizedDevicesSpeakInSetsByD2d)
{
    auto p = Small<FederatedParameters>("run");
    p.algorithm = "semi-decentralized";
    p.devices = 6;
    p.setSize = 3;
    p.stragglers = "1,2";
    p.threads = 1;
    const auto run = Run(p);
    const auto described = nlohmann::json::parse(ReadFile(run / "run.json"));
    EXPECT_EQ(described["parameters"]["localSteps"], 8);
    EXPECT_EQ(described["devices"][1]["straggler"], true);
    EXPECT_EQ(described["devices"][3]["straggler"], false);
    const auto merged = ReadColumn(run, "rounds", "merged");
    ASSERT_EQ(merged.size(), 6 * ROUNDS);
    EXPECT_GT(std::accumulate(merged.begin(), merged.end(), 0.0), 6 * ROUNDS * 5);
    for (const std::string kind : {"tx_j", "rx_j", "d2s_tx_j", "d2s_rx_j"})
    {
        EXPECT_GT(ReadColumn(run, "energy", kind).back(), 0) << kind;
    }
    // The first set has one device that can be asked, and all stragglers are in it
    const auto device = ReadColumn(run, "participation", "device");
    const auto sampled = ReadColumn(run, "participation", "sampled");
    double ofSecondSet = 0;
    for (std::size_t i = 0; i < device.size(); ++i)
    {
        if (device[i] < 3)
        {
            EXPECT_EQ(sampled[i], device[i] == 0 ? 1 : 0);
        }
        else
        {
            ofSecondSet += sampled[i];
        }
    }
    EXPECT_EQ(ofSecondSet, ROUNDS);
    p.threads = 2;
    p.runDir = m_folder / "two";
    const auto two = Run(p);
    for (const std::string file : {"rounds.csv", "messages.csv", "energy.csv", "server.csv"})
    {
        EXPECT_EQ(ReadFile(run / file), ReadFile(two / file)) << file;
    }
}

TEST_F(FederatedRunTest, StragglersAreDrawnByTheSeedAndNeverAggregated)
{
    const auto getStragglers = [](const std::filesystem::path& run) {
        std::vector<double> numbers;
        const auto described = nlohmann::json::parse(ReadFile(run / "run.json"));
        for (const auto& device : described["devices"])
        {
            if (device.at("straggler"))
            {
                numbers.push_back(device["device"]);
            }
        }
        return numbers;
    };
    auto p = Small<FederatedParameters>("run");
    p.stragglers = "2";
    const auto run = Run(p);
    const auto drawn = getStragglers(run);
    ASSERT_EQ(drawn.size(), 2U);
    const auto device = ReadColumn(run, "participation", "device");
    const auto received = ReadColumn(run, "participation", "received");
    const auto uploaded = ReadColumn(run, "participation", "uploaded");
    for (std::size_t i = 0; i < device.size(); ++i)
    {
        const bool isLate = std::count(drawn.begin(), drawn.end(), device[i]) > 0;
        EXPECT_EQ(uploaded[i], isLate ? 0 : 1);
        EXPECT_EQ(received[i], 1);
    }
    std::set<std::vector<double>> all;
    for (uint32_t number = 1; number <= 5; ++number)
    {
        RngSeedManager::SetRun(number);
        p.rounds = 1;
        p.runDir = m_folder / std::to_string(number);
        all.insert(getStragglers(Run(p)));
    }
    EXPECT_GT(all.size(), 1U);
    EXPECT_EQ(all.count(drawn), 1U); // that of the run number 1
}

TEST_F(FederatedRunTest, FedSgdTakesOneStepOnAllSamples)
{
    auto p = Small<FederatedParameters>("small-batches");
    p.algorithm = "fedsgd";
    p.batchSize = 4;
    const auto small = Run(p);
    p.batchSize = 1000;
    p.localEpochs = 5;
    p.runDir = m_folder / "large-batches";
    const auto large = Run(p);
    // Whatever passes and batches are said to be; the order of the samples is another
    const auto one = ReadColumn(small, "rounds", "loss_global");
    const auto other = ReadColumn(large, "rounds", "loss_global");
    ASSERT_EQ(one.size(), other.size());
    for (std::size_t i = 0; i < one.size(); ++i)
    {
        EXPECT_NEAR(one[i], other[i], 1e-5);
    }
    EXPECT_EQ(ReadColumn(small, "energy", "compute_j"), ReadColumn(large, "energy", "compute_j"));
}

TEST_F(FederatedRunTest, DevicesThatRunOutOfEnergyEndTheRun)
{
    auto p = Small<FederatedParameters>("run");
    p.battery = 10;
    p.rounds = 40;
    const auto run = Run(p);
    const auto remaining = ReadColumn(run, "energy", "remaining_j");
    EXPECT_GE(*std::min_element(remaining.begin(), remaining.end()), 0);
    EXPECT_NEAR(remaining.back(), 0, 1e-6);
    const auto rounds = ReadColumn(run, "rounds", "round");
    EXPECT_GT(rounds.size(), 0U);
    EXPECT_LT(rounds.size(), DEVICES * p.rounds);
}

TEST_F(FederatedRunTest, AttacksAreOnWhatTheyAreAppliedTo)
{
    auto p = Small<FederatedParameters>("gradient");
    p.maliciousPercent = 100;
    p.attack = "same-value"; // zeros
    const auto unchanged = Run(p);
    p.attackTarget = "weights";
    p.runDir = m_folder / "weights";
    const auto zeros = Run(p);
    // A model of zeros finds all ten classes equally probable
    EXPECT_NEAR(Final(zeros, "loss_global"), std::log(10), 1e-5);
    EXPECT_GT(std::abs(Final(unchanged, "loss_global") - std::log(10)), 1e-3);
}

TEST_F(FederatedRunTest, FedBuffTellsWhoseUpdatesAreInItsSteps)
{
    auto p = Small<FederatedParameters>("fedbuff");
    p.algorithm = "fedbuff";
    p.rounds = 12;
    p.bufferSize = 3;
    p.participation = 0.75; // 3 of 4 at a time
    p.slowDevices = "1,";
    p.slowdown = 20000; // computing takes the time
    const auto run = Run(p);
    const auto settings = nlohmann::json::parse(ReadFile(run / "run.json"));
    EXPECT_EQ(settings.at("parameters").at("concurrency"), 3);
    std::vector<double> uploads(p.rounds);
    std::vector<double> stale(p.rounds);
    const auto rounds = ReadColumn(run, "participation", "round");
    const auto uploaded = ReadColumn(run, "participation", "uploaded");
    const auto staleness = ReadColumn(run, "participation", "staleness");
    const auto received = ReadColumn(run, "participation", "received");
    ASSERT_EQ(rounds.size(), DEVICES * p.rounds);
    for (std::size_t i = 0; i < rounds.size(); ++i)
    {
        const auto round = static_cast<std::size_t>(rounds[i]);
        EXPECT_EQ(round, i / DEVICES);
        uploads[round] += uploaded[i];
        stale[round] += uploaded[i] > 0 ? uploaded[i] * staleness[i] : 0;
        EXPECT_EQ(std::isnan(staleness[i]), uploaded[i] == 0);
    }
    EXPECT_THAT(uploads, ::testing::Each(3));
    EXPECT_GT(std::accumulate(received.begin(), received.end(), 0.0), 0);
    const auto means = ReadColumn(run, "server", "staleness");
    for (std::size_t round = 0; round < p.rounds; ++round)
    {
        EXPECT_NEAR(means.at(round), stale[round] / 3, 1e-6);
    }
    EXPECT_GT(*std::max_element(means.begin(), means.end()), 0);
    // Steps do not wait for the slow device, which rounds wait for
    p.algorithm = "fedavg";
    p.participation = 1;
    p.runDir = m_folder / "fedavg";
    const auto ends = ReadColumn(run, "server", "end_s");
    const auto waiting = ReadColumn(Run(p), "server", "end_s");
    EXPECT_LT(ends.back(), 0.5 * waiting.back());
    EXPECT_GT(Final(run, "accuracy_global"), 0.3);
}

TEST_F(FederatedRunTest, MistakesAreToldBeforeAnythingIsWritten)
{
    const auto expectError = [this](auto change, const std::string& text) {
        auto p = Small<FederatedParameters>("run");
        change(p);
        try
        {
            Run(p);
            ADD_FAILURE() << "no error: " << text;
        }
        catch (const UserError& error)
        {
            EXPECT_THAT(error.what(), HasSubstr(text));
            EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
        }
        EXPECT_FALSE(std::filesystem::exists(m_folder / "run"));
        EXPECT_FALSE(std::filesystem::exists(m_folder / "run.partial"));
    };
    using P = FederatedParameters;
    expectError([](P& p) { p.algorithm = "fedbest"; },
                "fedavg, fedprox, scaffold, feddyn, fedsgd, fedavgm, fednova, fedbuff, "
                "semi-decentralized");
    expectError([](P& p) { p.setSize = 0; }, "--setSize=0");
    expectError(
        [](P& p) {
            p.algorithm = "semi-decentralized";
            p.participation = 0.5;
        },
        "--participation=0.5");
    expectError(
        [](P& p) {
            p.algorithm = "semi-decentralized";
            p.localSteps = 1;
        },
        "--localSteps=1 is not allowed; it must be at least the 2 of --setSteps");
    expectError(
        [](P& p) {
            p.algorithm = "semi-decentralized";
            p.setSteps = 9; // more than the usual steps
        },
        "--localSteps=8 is not allowed; it must be at least the 9 of --setSteps");
    expectError(
        [](P& p) {
            p.algorithm = "semi-decentralized";
            p.given = {"localSteps"};
        },
        "--localSteps=0");
    expectError([](P& p) { p.bufferSize = 0; }, "--bufferSize=0");
    expectError([](P& p) { p.stalenessWeight = "some"; }, "--stalenessWeight=some");
    expectError(
        [](P& p) {
            p.algorithm = "fedbuff";
            p.attack = "alie";
        },
        "--attack=alie");
    expectError(
        [](P& p) {
            p.algorithm = "fedbuff";
            p.bufferSize = 2;
            p.aggregation = "median:f=1";
        },
        "--aggregation=median:f=1");
    expectError([](P& p) { p.stragglers = "4"; }, "--stragglers=4");
    expectError([](P& p) { p.stragglers = "1,4"; }, "--stragglers=1,4");
    expectError([](P& p) { p.stragglers = "some"; }, "--stragglers=some");
    expectError([](P& p) { p.stragglers = "0,1,2,3"; }, "--stragglers=0,1,2,3");
    expectError(
        [](P& p) {
            p.algorithm = "fedsgd";
            p.optimizer = "adam";
        },
        "--optimizer=adam");
    expectError(
        [](P& p) {
            p.algorithm = "fedsgd";
            p.optimizerOptions = "momentum=0.9";
        },
        "without momentum with fedsgd");
    expectError([](P& p) { p.devices = 1; }, "--devices=1");
    expectError([](P& p) { p.participation = 0; }, "--participation=0");
    expectError([](P& p) { p.aggregation = "best"; }, "--aggregation=best");
    expectError([](P& p) { p.aggregation = "krum:f=20"; }, "--aggregation=krum:f=20");
    expectError([](P& p) { p.attack = "boo"; }, "--attack=boo");
    expectError([](P& p) { p.maliciousPercent = 101; }, "--maliciousPercent=101");
    expectError([](P& p) { p.uplinkCompression = "top-k:k=1000000"; }, "--uplinkCompression");
    expectError([](P& p) { p.uplinkCompression = "zip"; }, "--uplinkCompression=zip");
    expectError([](P& p) { p.downlinkCompression = "top-k:k=1"; }, "float32, float16, int8");
    expectError([](P& p) { p.feddynAlpha = 0; }, "--feddynAlpha=0");
    expectError([](P& p) { p.serverOutage = 1; }, "--serverOutage=1");
    Config::SetDefault("ns3::collab::D2dChannel::NoiseFigure", DoubleValue(7000));
    expectError([](P&) {}, "--serverOutage=0.1 is not allowed; it must be one that a finite power");
    Config::Reset();
    expectError([](P& p) { p.slowDevices = "9"; }, "--slowDevices=9");
    expectError(
        [](P& p) {
            p.slowDevices = "1";
            p.slowdown = 1e7;
        },
        "--slowdown=10000000");
    expectError(
        [](P& p) {
            p.algorithm = "scaffold";
            p.optimizer = "adam";
        },
        "--optimizer=adam");
    const std::string resets = "ns3::collab::FederatedClientApplication::ResetsOptimizer";
    Config::SetDefault(resets, BooleanValue(false));
    expectError(
        [](P& p) {
            p.algorithm = "fednova";
            p.optimizer = "sgd";
            p.optimizerOptions = "momentum=0.9";
        },
        "--" + resets + "=false");
}

TEST_F(FederatedRunTest, GivenConcurrencyIsTheOneInForce)
{
    for (const uint32_t given : {0, 2})
    {
        Config::SetDefault("ns3::collab::FederatedBufferedServerApplication::Concurrency",
                           UintegerValue(given));
        auto p = Small<FederatedParameters>(fmt::format("run-{}", given));
        p.algorithm = "fedbuff";
        p.bufferSize = 2;
        p.participation = 0.25;
        const auto run = nlohmann::json::parse(ReadFile(Run(p) / "run.json"));
        EXPECT_EQ(run.at("parameters").at("concurrency"), given == 0 ? DEVICES : given);
    }
}
