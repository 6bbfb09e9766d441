/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "common/scenario-samples.h"
#include "prediction-consensus/prediction-consensus-scenario.h"
#include "support/run-files.h"

#include "ns3/collab-error.h"
#include "ns3/collab-idx-file.h"
#include "ns3/collab-run-folder.h"
#include "ns3/config.h"
#include "ns3/double.h"
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
#include <utility>

using namespace ns3;
using namespace ns3::collab;
namespace fs = std::filesystem;
using ::testing::HasSubstr;
using tests::ReadFile;

namespace
{

constexpr uint32_t DEVICES = 4;
constexpr uint32_t ROUNDS = 4;
const std::vector<std::string> FILES = {"run.json",
                                        "partition.txt",
                                        "rounds.csv",
                                        "latency.csv",
                                        "energy.csv",
                                        "messages.csv",
                                        "trust.csv",
                                        "consensus.csv",
                                        "influence.csv",
                                        "theory.txt"};

/// A table: one map from column to cell a row
using Rows = std::vector<std::map<std::string, std::string>>;

Rows
ReadCsv(const fs::path& path)
{
    const auto table = tests::ReadCsvRows(path);
    Rows rows;
    for (std::size_t i = 1; i < table.size(); ++i)
    {
        rows.emplace_back();
        for (std::size_t j = 0; j < table[0].size(); ++j)
        {
            rows.back()[table[0][j]] = table[i].at(j);
        }
    }
    return rows;
}

double
Number(const std::map<std::string, std::string>& row, const std::string& column)
{
    return std::stod(row.at(column));
}

/// Whole runs of the scenario on a small part of Fashion-MNIST
class PredictionConsensusRunTest : public ::testing::Test
{
  protected:
    void
    SetUp() override
    {
        m_folder = fs::temp_directory_path() /
                   ("collab-run-test-" +
                    std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
        fs::remove_all(m_folder);
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        Config::Reset();
    }

    void
    TearDown() override
    {
        fs::remove_all(m_folder);
        Config::Reset();
    }

    PredictionConsensusParameters
    Small(const std::string& name) const
    {
        PredictionConsensusParameters p;
        p.devices = DEVICES;
        p.samples = 64;
        p.minimumSamples = 16;
        p.referenceSamples = 50;
        p.testSamples = 100;
        p.rounds = ROUNDS;
        p.pretrainingRounds = 2;
        p.localEpochs = 2;
        p.lowQuality = "2";
        p.runDir = m_folder / name;
        p.quiet = true;
        return p;
    }

    fs::path
    Run(const PredictionConsensusParameters& p) const
    {
        std::ostringstream output;
        RunPredictionConsensus(p, output);
        return p.runDir;
    }

    fs::path m_folder;
};

} // namespace

TEST_F(PredictionConsensusRunTest, TracesDoNotDependOnTheNumberOfThreads)
{
    auto p = Small("one");
    p.threads = 1;
    const fs::path one = Run(p);
    for (const uint32_t threads : {2, 4})
    {
        p.threads = threads;
        p.runDir = m_folder / std::to_string(threads);
        const fs::path more = Run(p);
        for (const auto& file : FILES)
        {
            EXPECT_EQ(ReadFile(one / file), ReadFile(more / file)) << file << ", " << threads;
            EXPECT_GT(ReadFile(one / file).size(), 100U) << file;
        }
    }
}

TEST_F(PredictionConsensusRunTest, SizeOfXStarChangesNoDevicesSamples)
{
    const auto deal = [this](const std::string& partition, uint32_t references) {
        auto p = Small(partition + std::to_string(references));
        p.partition = partition;
        p.referenceSamples = references;
        p.rounds = 1;
        p.pretrainingRounds = 0;
        return ReadFile(Run(p) / "partition.txt");
    };
    for (const std::string partition : {"dirichlet", "iid", "labels", "quantity"})
    {
        EXPECT_EQ(deal(partition, 10), deal(partition, 300)) << partition;
    }
    EXPECT_NE(deal("dirichlet", 20), deal("iid", 20));
}

TEST_F(PredictionConsensusRunTest, XStarCanBeTakenFromTheDevices)
{
    auto p = Small("clients");
    p.referenceSource = "clients";
    p.referenceSamples = 33; // no multiple of the classes
    const auto samples = PrepareSamples(p);
    ASSERT_EQ(samples.reference->Size(), 33U);
    std::set<uint32_t> all(samples.reference->indices.begin(), samples.reference->indices.end());
    std::size_t kept = 0;
    for (uint32_t device = 0; device < DEVICES; ++device)
    {
        for (const DataView* view : {&samples.train[device], &samples.test[device]})
        {
            all.insert(view->indices.begin(), view->indices.end());
            kept += view->Size();
        }
    }
    EXPECT_EQ(kept, DEVICES * 64 - 33);
    EXPECT_EQ(all.size(), DEVICES * 64); // none is in two places

    p.referenceSource = "balanced";
    p.referenceSamples = 30;
    const auto before = PrepareSamples(p); // the same samples, none of which is taken away
    for (uint32_t device = 0; device < DEVICES; ++device)
    {
        const std::size_t own = before.train[device].Size() + before.test[device].Size();
        const std::size_t left = samples.train[device].Size() + samples.test[device].Size();
        EXPECT_NEAR(own - left, 33.0 * own / (DEVICES * 64), 1) << device;
    }
    p.referenceSource = "clients";
    p.referenceSamples = DEVICES * 64 - 5;
    EXPECT_THROW(PrepareSamples(p), UserError);
}

TEST_F(PredictionConsensusRunTest, AnOracleHasTheAnswersAndSendsNothing)
{
    auto p = Small("oracle");
    p.trust = "oracle";
    const auto folder = Run(p);
    for (const auto& row : ReadCsv(folder / "rounds.csv"))
    {
        const bool isLater = Number(row, "round") >= p.pretrainingRounds;
        EXPECT_EQ(row.at("accuracy_pseudo_labels"), isLater ? "1" : "nan");
        EXPECT_EQ(Number(row, "bytes_sent"), 0);
    }
    EXPECT_TRUE(ReadCsv(folder / "messages.csv").empty());
    p = Small("dynamic");
    for (const auto& row : ReadCsv(Run(p) / "rounds.csv"))
    {
        if (Number(row, "round") >= p.pretrainingRounds)
        {
            EXPECT_GT(Number(row, "accuracy_pseudo_labels"), 0.1);
            EXPECT_LT(Number(row, "accuracy_pseudo_labels"), 1);
        }
    }
}

TEST_F(PredictionConsensusRunTest, DevicesOfLowQualityCanBeLeftUntaught)
{
    const auto lossesOf = [this](const std::string& trust, double lambda) {
        auto p = Small(trust + std::to_string(lambda));
        p.trust = trust;
        p.lowQualityLambda = lambda;
        std::map<std::string, std::vector<double>> losses; // by device
        for (const auto& row : ReadCsv(Run(p) / "rounds.csv"))
        {
            losses[row.at("device")].push_back(Number(row, "local_loss"));
        }
        return losses;
    };
    const auto local = lossesOf("local", -1);
    const auto untaught = lossesOf("dynamic", 0);
    const auto taught = lossesOf("dynamic", -1);
    EXPECT_NEAR(untaught.at("2").back(), local.at("2").back(), 1e-3); // but for rounding
    EXPECT_GT(std::abs(taught.at("2").back() - local.at("2").back()), 1e-2);
    EXPECT_GT(std::abs(untaught.at("1").back() - local.at("1").back()), 1e-2);
}

TEST_F(PredictionConsensusRunTest, NetCnnTracesDoNotDependOnTheNumberOfThreads)
{
    auto p = Small("one");
    p.model = "netcnn";
    p.rounds = 3;
    p.localEpochs = 1;
    p.threads = 1;
    const fs::path one = Run(p);
    p.threads = 2;
    p.runDir = m_folder / "two";
    const fs::path two = Run(p);
    EXPECT_EQ(ReadFile(one / "rounds.csv"), ReadFile(two / "rounds.csv"));
}

TEST_F(PredictionConsensusRunTest, PayloadModesGiveTheSameTraces)
{
    // What run.json says of the mode is all that differs
    const std::string MODE = ",\n    \"ns3::collab::Transport::PayloadMode\": \"Bytes\"";
    for (const std::string fidelity : {"Burst", "Packet"})
    {
        Config::Reset(); // a mode that is given is told, even the usual one
        Config::SetDefault("ns3::collab::D2dChannel::Fidelity", StringValue(fidelity));
        // so that there is another changed attribute in either fidelity
        Config::SetDefault("ns3::collab::D2dChannel::NoiseFigure", StringValue("7.5"));
        const fs::path reference = Run(Small(fidelity + "-reference"));
        Config::SetDefault("ns3::collab::Transport::PayloadMode", StringValue("Bytes"));
        const fs::path bytes = Run(Small(fidelity + "-bytes"));
        for (const auto& file : FILES)
        {
            std::string text = ReadFile(bytes / file);
            const auto changed = text.find(MODE);
            EXPECT_EQ(changed != std::string::npos, file == "run.json") << file << fidelity;
            if (changed != std::string::npos)
            {
                text.erase(changed, MODE.size());
            }
            EXPECT_EQ(ReadFile(reference / file), text) << file << fidelity;
        }
    }
}

TEST_F(PredictionConsensusRunTest, RunNumberDecidesEverything)
{
    const fs::path first = Run(Small("first"));
    RngSeedManager::SetRun(2);
    const fs::path second = Run(Small("second"));
    for (const auto& file : FILES)
    {
        EXPECT_NE(ReadFile(first / file), ReadFile(second / file)) << file;
    }
}

TEST_F(PredictionConsensusRunTest, MethodsArePairedUntilTheFirstExchange)
{
    auto p = Small("dynamic");
    const Rows dynamic = ReadCsv(Run(p) / "rounds.csv");
    p.trust = "local";
    p.runDir = m_folder / "local";
    const Rows local = ReadCsv(Run(p) / "rounds.csv");
    ASSERT_EQ(dynamic.size(), DEVICES * ROUNDS);
    ASSERT_EQ(local.size(), DEVICES * ROUNDS);
    std::map<std::string, std::string> of[2];
    for (const auto* rows : {&dynamic, &local})
    {
        for (const auto& row : *rows)
        {
            of[rows == &local][row.at("round") + "/" + row.at("device")] =
                row.at("accuracy_reference") + row.at("local_loss");
        }
    }
    for (uint32_t device = 0; device < DEVICES; ++device)
    {
        for (uint32_t round = 0; round < ROUNDS; ++round)
        {
            const std::string key = std::to_string(round) + "/" + std::to_string(device);
            EXPECT_EQ(of[0].at(key) == of[1].at(key), round < 2) << key;
        }
    }
}

TEST_F(PredictionConsensusRunTest, TablesAreConsistent)
{
    const fs::path run = Run(Small("run"));
    // The devices hold as many samples as were asked for
    EXPECT_THAT(ReadFile(run / "partition.txt"), ::testing::ContainsRegex("total .* 256\n"));
    for (const auto& row : ReadCsv(run / "energy.csv"))
    {
        double kinds = 0;
        for (const std::string kind : {"tx", "rx", "idle", "sleep", "compute", "d2s_tx", "d2s_rx"})
        {
            kinds += Number(row, kind + "_j");
        }
        EXPECT_NEAR(kinds, Number(row, "source_j"), 1e-6);
        EXPECT_NEAR(Number(row, "source_j") + Number(row, "remaining_j"), 10000, 1e-6);
    }
    // Two collaborative rounds, every device sends once in each and all others are in range
    std::map<std::string, std::set<std::string>> receivers;
    std::map<std::string, double> weightSums;
    for (const auto& row : ReadCsv(run / "messages.csv"))
    {
        EXPECT_EQ(row.at("bytes"), std::to_string(23 + 50 * 10 * 4));
        EXPECT_LE(Number(row, "queued_s"), Number(row, "start_s"));
        EXPECT_LT(Number(row, "start_s"), Number(row, "end_s"));
        EXPECT_EQ(row.at("delivered") == "1", row.at("reason").empty());
        receivers[row.at("sender") + "/" + row.at("sequence")].insert(row.at("receiver"));
    }
    EXPECT_EQ(receivers.size(), DEVICES * 2);
    for (const auto& message : receivers)
    {
        EXPECT_EQ(message.second.size(), DEVICES - 1) << message.first;
    }
    for (const auto& row : ReadCsv(run / "trust.csv"))
    {
        weightSums[row.at("round") + "/" + row.at("device")] += Number(row, "weight");
    }
    EXPECT_EQ(weightSums.size(), DEVICES * 2);
    for (const auto& sum : weightSums)
    {
        EXPECT_NEAR(sum.second, 1, 1e-12) << sum.first;
    }
    // Phases of a round follow each other without a gap
    std::map<std::string, double> end;
    for (const auto& row : ReadCsv(run / "latency.csv"))
    {
        const auto known = end.find(row.at("device"));
        EXPECT_EQ(Number(row, "start_s"), known == end.end() ? 0 : known->second);
        end[row.at("device")] = Number(row, "end_s");
    }
}

TEST_F(PredictionConsensusRunTest, TellsParametersAndTheirDefaults)
{
    auto p = Small("run");
    p.maxOutage = 0.25;
    const std::string run = ReadFile(Run(p) / "run.json");
    const auto defaults = run.find("\"defaults\": {");
    ASSERT_NE(defaults, std::string::npos);
    EXPECT_LT(run.find("\"maxOutage\": 0.25"), defaults);
    EXPECT_LT(run.find("\"maxOutage\": 0.4", defaults), run.find("\"attributes\""));
}

TEST_F(PredictionConsensusRunTest, FarthestDevicesHaveTheOutageAskedFor)
{
    auto p = Small("run");
    p.devices = 10;
    p.maxOutage = 0.3;
    std::istringstream run(ReadFile(Run(p) / "run.json"));
    std::vector<double> x;
    std::vector<double> y;
    for (std::string line; std::getline(run, line);)
    {
        const std::size_t colon = line.find(": ");
        if (line.find("\"x_m\"") != std::string::npos)
        {
            x.push_back(std::stod(line.substr(colon + 2)));
        }
        if (line.find("\"y_m\"") != std::string::npos)
        {
            y.push_back(std::stod(line.substr(colon + 2)));
        }
    }
    ASSERT_EQ(x.size(), 10U);
    ASSERT_EQ(y.size(), 10U);
    double greatest = 0;
    for (std::size_t i = 0; i < 10; ++i)
    {
        for (std::size_t j = 0; j < i; ++j)
        {
            // 20 dBm over log-distance loss, noise of 1 MHz at 290 K with a noise figure of 7 dB, r
            // = 1
            const double lossDb = 46.6777 + 30 * std::log10(std::hypot(x[i] - x[j], y[i] - y[j]));
            const double rssW = std::pow(10, (20 - lossDb - 30) / 10);
            const double noiseW = 1.380649e-23 * 290 * 1e6 * std::pow(10, 0.7);
            greatest = std::max(greatest, 1 - std::exp(-noiseW / rssW));
        }
    }
    EXPECT_NEAR(greatest, 0.3, 1e-9);
}

TEST_F(PredictionConsensusRunTest, CollaborationTeachesWhatADeviceHasNeverSeen)
{
    auto p = Small("dynamic");
    p.samples = 200;
    p.referenceSamples = 200;
    p.rounds = 8;
    p.pretrainingRounds = 3;
    p.alpha = 0.3;
    p.lowQuality = "none";
    const auto final = [&](const std::string& trust) {
        p.trust = trust;
        p.runDir = m_folder / trust;
        double sum = 0;
        for (const auto& row : ReadCsv(Run(p) / "rounds.csv"))
        {
            sum += row.at("round") == "7" ? Number(row, "accuracy_reference") / DEVICES : 0;
        }
        return sum;
    };
    const double local = final("local");
    // Seen: 0.53 alone, 0.72 together
    EXPECT_GT(final("dynamic"), local + 0.08);
}

TEST_F(PredictionConsensusRunTest, DevicesThatRunOutOfEnergyDoNotStopTheOthers)
{
    auto p = Small("run");
    p.rounds = 12;
    p.battery = 2;
    p.slowDevices = "1"; // computes, and so spends, the most
    p.slowdown = 100;
    p.deadline = 0.5;
    const fs::path run = Run(p);
    std::map<std::string, double> remaining;
    for (const auto& row : ReadCsv(run / "energy.csv"))
    {
        remaining[row.at("device")] = Number(row, "remaining_j");
    }
    std::map<std::string, uint32_t> ended; // rounds, by device
    for (const auto& row : ReadCsv(run / "rounds.csv"))
    {
        ++ended[row.at("device")];
    }
    for (uint32_t device = 0; device < DEVICES; ++device)
    {
        const std::string name = std::to_string(device);
        EXPECT_EQ(ended[name] < p.rounds, device == 1) << name;
        EXPECT_EQ(remaining[name] < 1e-8, device == 1) << name;
        EXPECT_GE(remaining[name], 0) << name;
    }
}

TEST_F(PredictionConsensusRunTest, MistakesAreToldBeforeAnythingIsWritten)
{
    const auto expectError = [this](auto change, const std::string& text) {
        auto p = Small("run");
        change(p);
        try
        {
            Run(p);
            ADD_FAILURE() << "no error: " << text;
        }
        catch (const std::exception& error)
        {
            EXPECT_THAT(error.what(), HasSubstr(text));
            EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
        }
        EXPECT_FALSE(fs::exists(m_folder / "run"));
        EXPECT_FALSE(fs::exists(m_folder / "run.partial"));
    };
    using P = PredictionConsensusParameters;
    expectError([](P& p) { p.devices = 1; }, "--devices=1 is not allowed");
    expectError([](P& p) { p.alpha = 0; }, "--alpha=0 is not allowed");
    expectError([](P& p) { p.rounds = p.pretrainingRounds; },
                "of --pretrainingRounds, or --trust=local");
    expectError([](P& p) { p.alpha = std::nan(""); }, "--alpha=nan");
    expectError([](P& p) { p.lambda = -0.5; }, "--lambda=-0.5 is not allowed");
    expectError([](P& p) { p.lowQuality = "7"; }, "--lowQuality=7");
    expectError([](P& p) { p.lowQuality = "1,x"; }, "--lowQuality=1,x");
    expectError([](P& p) { p.trust = "blind"; }, "dynamic, static, naive, local");
    expectError([](P& p) { p.model = "vgg"; }, "linear, mlp, netcnn");
    expectError([](P& p) { p.referenceSamples = 55; }, "55");
    expectError([](P& p) { p.samples = 20000; }, "--samples=20000");
    expectError([](P& p) { p.dataDir = "/nowhere"; }, "/nowhere");
    expectError([](P& p) { p.dataSet = "mnistt"; }, "--dataSet=mnistt");
    expectError([](P& p) { p.dataSet = "file:/nowhere"; }, "/nowhere: cannot be opened");
    expectError([](P& p) { p.models = "mlp,linear,mlp"; }, "--models=mlp,linear,mlp");
    expectError([](P& p) { p.models = "mlp,none"; }, "=none");
    expectError([](P& p) { p.consensus = "plebiscite"; }, "--consensus=plebiscite");
    expectError([](P& p) { p.trustInterval = 0; }, "--trustInterval=0");
    expectError([](P& p) { p.deadline = -1; }, "--deadline=-1");
    expectError([](P& p) { p.deadline = 1e-12; }, "--deadline=1e-12");
    expectError([](P& p) { p.maxOutage = 1; }, "--maxOutage=1");
}

TEST_F(PredictionConsensusRunTest, DevicesWaitByDefaultUntilAllPredictionsAreThere)
{
    for (const std::string duplex : {"Half", "Full"})
    {
        for (const std::string access : {"Ofdma", "Shared"})
        {
            Config::SetDefault("ns3::collab::D2dPhy::Bandwidth", DoubleValue(1e4));
            Config::SetDefault("ns3::collab::D2dPhy::Duplex", StringValue(duplex));
            Config::SetDefault("ns3::collab::D2dChannel::Access", StringValue(access));
            auto p = Small(duplex + access);
            p.maxOutage = 1e-9;
            const fs::path run = Run(p);
            for (const auto& row : ReadCsv(run / "rounds.csv"))
            {
                EXPECT_EQ(row.at("messages_heard"), row.at("messages_expected")) << run;
            }
            const auto longest =
                nlohmann::json::parse(ReadFile(run / "run.json")).at("parameters").at("deadline");
            EXPECT_EQ(longest > 5.0, duplex == "Half" || access == "Shared"); // 1.8 s each
        }
    }
}

TEST_F(PredictionConsensusRunTest, DevicesWaitForTheSlowestUnlessADeadlineIsGiven)
{
    const auto run = [this](const std::string& name, double slowdown, double deadline) {
        auto p = Small(name);
        p.maxOutage = 1e-9;
        p.slowDevices = "1";
        p.slowdown = slowdown;
        p.deadline = deadline;
        return Run(p);
    };
    const auto deadline = [](const fs::path& folder) {
        return nlohmann::json::parse(ReadFile(folder / "run.json")).at("parameters").at("deadline");
    };
    EXPECT_EQ(deadline(run("fast", 1, 0)), 5);

    const fs::path slow = run("slow", 1000, 0);
    // Computing between exchanges, of each device: trust and training; all of pretraining before
    std::map<std::string, double> spans;
    std::set<std::string> begun;
    double longest = 0;
    for (const auto& row : ReadCsv(slow / "latency.csv"))
    {
        const std::string device = row.at("device");
        if (row.at("phase") == "exchange")
        {
            const double span = std::exchange(spans[device], 0);
            longest = std::max(longest, begun.insert(device).second ? 0 : span);
            continue;
        }
        spans[device] += Number(row, "end_s") - Number(row, "start_s");
    }
    EXPECT_GT(longest, 10);
    EXPECT_NEAR(deadline(slow).get<double>(), 1.25 * longest, 1e-6);
    for (const auto& row : ReadCsv(slow / "rounds.csv"))
    {
        EXPECT_EQ(row.at("messages_heard"), row.at("messages_expected"));
    }

    EXPECT_EQ(nlohmann::json::parse(ReadFile(slow / "run.json")).at("computed"),
              nlohmann::json({{"deadline", 0.0}}));

    const fs::path given = run("given", 1000, 5);
    EXPECT_EQ(deadline(given), 5);
    const Rows rows = ReadCsv(given / "rounds.csv");
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [](const auto& row) {
        return Number(row, "messages_heard") < Number(row, "messages_expected");
    }));
}

TEST_F(PredictionConsensusRunTest, AgentsMayHaveModelsOfTheirOwn)
{
    auto p = Small("run");
    p.models = "mlp:20,linear";
    const fs::path run = Run(p);
    const std::string text = ReadFile(run / "run.json");
    EXPECT_THAT(text, HasSubstr("\"model\": \"mlp:20\""));
    EXPECT_THAT(text, HasSubstr("\"model\": \"linear\""));
    // the second half has the linear model and with it the cheaper training
    std::map<std::string, double> spent;
    for (const auto& row : ReadCsv(run / "energy.csv"))
    {
        spent[row.at("device")] = Number(row, "compute_j");
    }
    EXPECT_GT(std::min(spent.at("0"), spent.at("1")), 1.2 * std::max(spent.at("2"), spent.at("3")));
}

TEST_F(PredictionConsensusRunTest, MajorityVoteSendsOneByteASample)
{
    auto p = Small("run");
    p.consensus = "majority-vote";
    p.trust = "naive";
    for (const auto& row : ReadCsv(Run(p) / "messages.csv"))
    {
        EXPECT_EQ(row.at("bytes"), std::to_string(23 + 50));
    }
}

TEST_F(PredictionConsensusRunTest, DataSetsAreTakenByName)
{
    auto p = Small("run");
    p.dataSet = "gaussian-classes";
    p.model = "linear";
    p.samples = 20;
    p.minimumSamples = 8;
    p.referenceSamples = 20;
    p.testSamples = 20;
    const fs::path run = Run(p);
    EXPECT_THAT(ReadFile(run / "run.json"), HasSubstr("\"dataSet\": \"gaussian-classes\""));
    for (const auto& row : ReadCsv(run / "messages.csv"))
    {
        EXPECT_EQ(row.at("bytes"), std::to_string(23 + 20 * 4 * 4));
    }
}

TEST_F(PredictionConsensusRunTest, AnExistingRunIsNotTouched)
{
    const auto p = Small("run");
    const fs::path run = Run(p);
    const std::string before = ReadFile(run / "rounds.csv");
    EXPECT_THROW(Run(p), UserError);
    EXPECT_EQ(ReadFile(run / "rounds.csv"), before);
}
