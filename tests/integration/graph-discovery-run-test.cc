/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "common/scenario-samples.h"
#include "graph-discovery/graph-discovery-scenario.h"
#include "support/run-files.h"
#include "support/temporary-folder.h"
#include "support/test-data.h"

#include "ns3/collab-error.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <filesystem>
#include <gmock/gmock.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// Whole runs of the scenario on a small data set
class GraphDiscoveryRunTest : public tests::TemporaryFolder
{
  protected:
    void
    SetUp() override
    {
        TemporaryFolder::SetUp();
        Config::Reset();
    }

    void
    TearDown() override
    {
        Config::Reset();
        TemporaryFolder::TearDown();
    }

    /// @return parameters of a small run
    static GraphDiscoveryParameters
    Small(const std::string& paradigm)
    {
        GraphDiscoveryParameters p;
        p.paradigm = paradigm;
        p.dataSet = "gaussian-classes";
        p.devices = 5;
        p.samples = 16;
        p.testSamples = 20;
        p.iterations = 12;
        p.recordInterval = 3;
        p.edges = 2;
        p.components = 2;
        p.clusters = 3;
        p.omit = "";
        p.downstream = "none";
        p.retain = true;
        p.quiet = true;
        return p;
    }

    /**
     * @param p parameters of a run
     * @param name of its folder
     * @param mode attribute PayloadMode
     * @param threads of the host
     * @return all of its tables
     */
    std::map<std::string, std::string>
    Run(GraphDiscoveryParameters p,
        const std::string& name,
        const std::string& mode,
        const std::string& threads) const
    {
        Config::Reset();
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        Config::SetDefault("ns3::collab::Transport::PayloadMode", StringValue(mode));
        Config::SetDefault("ns3::collab::LearnerPool::Threads", StringValue(threads));
        p.runDir = m_folder / name;
        std::ostringstream output;
        RunGraphDiscovery(p, output);
        std::map<std::string, std::string> tables;
        for (const auto& entry : std::filesystem::directory_iterator(p.runDir))
        {
            if (entry.path().extension() == ".csv")
            {
                tables[entry.path().stem()] = tests::ReadFile(entry.path());
            }
        }
        return tables;
    }
};

} // namespace

TEST_F(GraphDiscoveryRunTest, IsTheSameByBytesAndByAnyNumberOfThreads)
{
    for (const std::string paradigm : {"supervised", "semi-supervised", "unsupervised"})
    {
        auto p = Small(paradigm);
        const auto tables = Run(p, paradigm + "-reference", "Reference", "1");
        EXPECT_GE(tables.size(), 6U);
        for (const std::string name : {"discovery", "graph", "holdings", "messages", "rounds"})
        {
            EXPECT_GT(std::count(tables.at(name).begin(), tables.at(name).end(), '\n'), 5) << name;
        }
        EXPECT_EQ(Run(p, paradigm + "-bytes", "Bytes", "1"), tables) << paradigm;
        EXPECT_EQ(Run(p, paradigm + "-threads", "Bytes", "4"), tables) << paradigm;
    }
}

TEST_F(GraphDiscoveryRunTest, SlotsBeginTogetherWhereModelsLabelUnequalDevices)
{
    auto p = Small("semi-supervised");
    p.labeling = "mlp";
    p.partition = "dirichlet";
    p.alpha = 1;
    p.samples = 28;
    Run(p, "run", "Bytes", "1");
    std::set<std::string> begins;
    for (const auto& cells : tests::ReadCsvRows(m_folder / "run" / "latency.csv"))
    {
        if (cells.at(0) == "0" && cells.at(2) == "discovery")
        {
            begins.insert(cells.at(3));
        }
    }
    EXPECT_EQ(begins.size(), 1U);
}

TEST_F(GraphDiscoveryRunTest, TheLongestLinkHasTheOutageAskedForAtTheRateInForce)
{
    auto p = Small("supervised");
    p.edges = 1;
    const GraphDiscoveryParameters defaults; // of what has no effect where there are labels
    p.components = defaults.components;
    p.clusters = defaults.clusters;
    p.runDir = m_folder / "run";
    const auto check = [&](double rate) {
        std::ostringstream output;
        RunGraphDiscovery(p, output);
        const auto run =
            nlohmann::json::parse(tests::ReadFile(std::filesystem::path(p.runDir) / "run.json"));
        EXPECT_THAT(run.at("hints"), testing::IsEmpty()); // of another outage
        EXPECT_EQ(run.at("radios").at(0).at("spectral_efficiency"), rate);
        return std::abs(double(run.at("devices").at(0).at("x_m")));
    };
    const double usual = check(0.8);
    Config::SetDefault("ns3::collab::D2dPhy::SpectralEfficiency", DoubleValue(1));
    p.runDir = m_folder / "given";
    const double given = check(1);
    // The cube of the distance goes with 1 / (2^r - 1)
    EXPECT_NEAR(std::pow(usual / given, 3), 1 / (std::exp2(0.8) - 1), 1e-6);
}

TEST_F(GraphDiscoveryRunTest, EndsWithEveryMethodAndChannel)
{
    for (const std::string method :
         {"none", "closest", "most-trusted", "uniform", "optimum", "learned"})
    {
        auto p = Small("supervised");
        p.method = method;
        p.edges = method == "optimum" || method == "learned" ? 1 : 2; // as long as it may be
        p.channel = method == "learned" ? "dynamic" : "static";
        p.levels = method == "learned" ? 4 : 1;
        p.control = method == "uniform" ? "best-effort" : "reliable";
        const auto tables = Run(p, method, "Bytes", "2");
        const auto& graph = tables.at("graph");
        EXPECT_EQ(std::count(graph.begin(), graph.end(), '\n'), 1 + p.edges * 5) << method;
    }
}

TEST_F(GraphDiscoveryRunTest, LearnsInEveryWayFromWhatDevicesHaveThen)
{
    for (const std::string downstream : {"fedavg",
                                         "fedprox",
                                         "scaffold",
                                         "feddyn",
                                         "fedsgd",
                                         "fedavgm",
                                         "fednova",
                                         "fedbuff",
                                         "semi-decentralized",
                                         "decentralized"})
    {
        auto p = Small("supervised");
        p.thresholdShare = 0.5;
        p.model = "linear";
        p.downstream = downstream;
        p.rounds = 3;
        p.localSteps = 2;
        p.peers = 2;
        p.setSize = 2;
        p.stragglers = downstream == "fedavg" ? "1" : "none";
        p.learningRate = p.sgdLearningRate = 0.05;
        const auto tables = Run(p, downstream, "Bytes", "2");
        const std::string& rounds = tables.at("rounds");
        EXPECT_EQ(std::count(rounds.begin(), rounds.end(), '\n'), 1 + 3 * 5) << downstream;
        EXPECT_EQ(tables.count("server"), downstream == "decentralized" ? 0U : 1U);
        EXPECT_EQ(tables.count("exchanges"), downstream == "decentralized" ? 1U : 0U);
        EXPECT_NE(tables.at("phase_energy").find("training"), std::string::npos);
        EXPECT_EQ(Run(p, downstream + "-reference", "Reference", "1"), tables) << downstream;
    }
}

TEST_F(GraphDiscoveryRunTest, MistakesAreToldBeforeAnythingIsWritten)
{
    const auto expectError = [this](const std::string& paradigm, auto change, const auto& text) {
        auto p = Small(paradigm);
        p.downstream = "fedavg";
        change(p);
        try
        {
            Run(p, "run", "Reference", "1");
            ADD_FAILURE() << "no error: " << text;
        }
        catch (const ns3::collab::UserError& error)
        {
            EXPECT_THAT(error.what(), ::testing::HasSubstr(text));
            EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
        }
        EXPECT_FALSE(std::filesystem::exists(m_folder / "run"));
        EXPECT_FALSE(std::filesystem::exists(m_folder / "run.partial"));
    };
    using P = GraphDiscoveryParameters;
    const auto nothing = [](P&) {};
    expectError("unsupervised", nothing, "--dataSet=gaussian-classes");
    expectError(
        "unsupervised",
        [](P& p) {
            p.dataSet = "fashion-mnist";
            p.probeSamples = 100000;
        },
        "--probeSamples=100000");
    expectError(
        "unsupervised", [](P& p) { p.components = 3; }, "--components=3");
    expectError(
        "unsupervised", [](P& p) { p.method = "optimum"; }, "--method=optimum");
    expectError(
        "supervised", [](P& p) { p.method = "gcn"; }, "--edges=2");
    expectError(
        "supervised",
        [](P& p) {
            p.method = "gcn";
            p.edges = 1;
            p.devices = 3;
        },
        "--devices=3");
    expectError(
        "supervised", [](P& p) { p.thresholdShare = 1e5; }, "--thresholdShare=100000");
    expectError(
        "unsupervised",
        [](P& p) {
            p.clusters = 17;
            p.samples = 40;
            p.cacheStatistics = true;
        },
        "--clusters=17");
    expectError(
        "supervised", [](P& p) { p.edges = 5; }, "--edges=5");
    expectError(
        "supervised", [](P& p) { p.stragglers = "5"; }, "--stragglers=5");
    expectError(
        "supervised", [](P& p) { p.model = "conv4"; }, "--model=conv4");
    expectError(
        "supervised", [](P& p) { p.addedViews = true; }, "--addedViews=true");
    expectError(
        "semi-supervised", [](P& p) { p.neighbors = 17; }, "--neighbors=17");
    expectError(
        "semi-supervised", [](P& p) { p.labeling = "best"; }, "best");
    expectError(
        "supervised", [](P& p) { p.exchangeDeadline = 1e-12; }, "--exchangeDeadline=1e-12");
    expectError(
        "supervised",
        [](P& p) {
            p.downstream = "fedsgd";
            p.optimizerOptions = "momentum=0.9";
        },
        "without momentum with fedsgd");
    for (const std::string algorithm : {"scaffold", "fednova"})
    {
        expectError(
            "supervised",
            [&algorithm](P& p) {
                p.downstream = algorithm;
                p.rateSchedule = "step:every=2";
            },
            "constant with " + algorithm);
    }
    const auto randhie = [](P& p) {
        p.dataSet = "randhie";
        p.dataDir = GetTestData("sets/randhie");
    };
    expectError("semi-supervised", randhie, "--paradigm=semi-supervised");
    expectError(
        "unsupervised",
        [](P& p) {
            p.downstream = "none";
            p.edges = 1;
            p.channel = "dynamic";
            p.agreementPeriod = 10;
        },
        "--agreementPeriod=10");
}

TEST_F(GraphDiscoveryRunTest, WhatAllNeedInTheSetupIsRepeatedUntilTheyHaveIt)
{
    auto p = Small("unsupervised");
    p.maxOutage = 0.4;
    p.devices = 8;
    p.edges = 1;
    p.iterations = 1;
    p.runDir = m_folder / "run";
    Config::SetDefault("ns3::collab::D2dMac::MaxAttempts", UintegerValue(1)); // of other messages
    std::ostringstream output;
    RunGraphDiscovery(p, output);
    std::map<std::string, uint32_t> heard;
    const auto rows = tests::ReadCsvRows(m_folder / "run" / "messages.csv");
    const auto column = [&rows](const std::string& name) {
        return std::find(rows[0].begin(), rows[0].end(), name) - rows[0].begin();
    };
    for (const auto& cells : rows)
    {
        heard[cells[column("kind")]] += cells[column("delivered")] == "1" ? 1 : 0;
    }
    EXPECT_EQ(heard["outage-row"], 8U * 7U);
    EXPECT_EQ(heard["components"], 8U * 7U);
}

TEST_F(GraphDiscoveryRunTest, DevicesThatDieInTheSetupEndNoSemiSupervisedRun)
{
    auto p = Small("semi-supervised");
    p.downstream = "fedavg";
    p.rounds = 1;
    p.battery = 1e-4;
    EXPECT_GT(Run(p, "dead", "Reference", "1").size(), 5U);
}

TEST_F(GraphDiscoveryRunTest, AddedViewsAreDealtOutToo)
{
    auto p = Small("supervised");
    p.dataSet = "synthetic-writers";
    const auto plain = PrepareSamples(p).train[0].data;
    p.addedViews = true;
    const auto viewed = PrepareSamples(p);
    EXPECT_EQ(viewed.train[0].data->Size(), 4 * plain->Size());
    uint32_t views = 0;
    for (const auto& train : viewed.train)
    {
        for (const uint32_t index : train.indices)
        {
            views += index >= plain->Size() ? 1 : 0;
        }
    }
    EXPECT_GT(views, 5 * 16 / 2U);                         // three in four
    EXPECT_LT(viewed.global->data->Size(), plain->Size()); // no views in the test part
}

TEST_F(GraphDiscoveryRunTest, RegressionOfCountsThatDevicesHaveFewOf)
{
    auto p = Small("supervised");
    p.dataSet = "randhie";
    p.dataDir = GetTestData("sets/randhie");
    p.clusters = 7;
    p.shares = "100"; // of seven groups of targets: devices hold fewer than seven distinct ones
    p.downstream = "fedavg";
    p.model = "mlp:4";
    const auto tables = Run(p, "reference", "Reference", "1");
    EXPECT_THAT(tables.at("rounds"), ::testing::HasSubstr("loss_global"));
    EXPECT_EQ(Run(p, "bytes", "Bytes", "2"), tables);
}

TEST_F(GraphDiscoveryRunTest, OptimumGoesByTheLinksOfTheSlotInWhichItIsUsed)
{
    std::map<std::string, std::vector<std::string>> peers;
    for (const std::string method : {"optimum", "closest"})
    {
        auto p = Small("supervised");
        p.edges = 1;
        p.channel = "dynamic";
        p.method = method;
        p.diversityWeight = 1e-9; // so that it matters by which links, and nothing else does
        Run(p, method, "Reference", "1");
        for (const auto& cells : tests::ReadCsvRows(m_folder / method / "graph.csv"))
        {
            peers[method].push_back(cells.at(2));
        }
    }
    EXPECT_EQ(peers["optimum"][0], "peer");
    EXPECT_EQ(peers["optimum"], peers["closest"]);
}

TEST_F(GraphDiscoveryRunTest, DatapointsGoOverTheDynamicLinksThatWereChosen)
{
    auto p = Small("supervised");
    p.dataSet = "fashion-mnist";
    p.devices = 16;
    p.samples = 200;
    p.edges = 1;
    p.channel = "dynamic";
    p.method = "closest";
    p.retain = false;
    p.trust = "full";
    // Of W from 0.05 to 0.55 W; anew at the exchange, the same share would arrive over all links
    Config::SetDefault("ns3::collab::D2dChannel::NoisePower", DoubleValue(0.2));
    p.runDir = m_folder / "run";
    std::ostringstream output;
    RunGraphDiscovery(p, output);
    double granted = 0;
    double expected = 0;
    double variance = 0;
    double received = 0;
    const auto rows = tests::ReadCsvRows(m_folder / "run" / "graph.csv");
    EXPECT_THAT(rows[0], testing::Contains("success"));
    for (std::size_t row = 1; row < rows.size(); ++row)
    {
        const double success = std::stod(rows[row].at(3));
        const double points = std::stod(rows[row].at(6));
        granted += points;
        expected += points * success;
        variance += points * success * (1 - success);
        received += std::stod(rows[row].at(7));
    }
    EXPECT_GT(granted, 100);
    EXPECT_NEAR(received, expected, 4 * std::sqrt(variance));
}

TEST_F(GraphDiscoveryRunTest, DevicesThatAreLateWithTheSetupLearnNevertheless)
{
    auto p = Small("semi-supervised");
    p.dataSet = "synthetic-writers"; // components of so many pixels take longest
    p.samples = 32;
    p.components = 1;
    p.edges = 1;
    p.retain = false; // so that there is hardly any time until learning begins
    p.method = "none";
    p.downstream = "fedavg";
    p.model = "linear";
    p.rounds = 2;
    p.exchangeDeadline = 0.1;
    p.slowDevices = "1";
    p.slowdown = 1e5;
    Config::SetDefault("ns3::collab::DiscoveryGroupApplication::SetupDeadline",
                       StringValue("100ms"));
    p.runDir = m_folder / "run";
    std::ostringstream output;
    RunGraphDiscovery(p, output);
    const auto rounds = tests::ReadCsvRows(m_folder / "run" / "rounds.csv");
    EXPECT_EQ(rounds.size(), 1 + 2 * 5U);
}

TEST_F(GraphDiscoveryRunTest, WaitsForModelsThatTakeMinutesOnAir)
{
    for (const std::string downstream :
         {"fedavg", "fedbuff", "semi-decentralized", "decentralized"})
    {
        Config::Reset();
        Config::SetDefault("ns3::collab::D2dPhy::Bandwidth", DoubleValue(500));
        auto p = Small("supervised");
        p.iterations = 2;
        p.edges = 1;
        p.thresholdShare = 0.5;
        p.maxOutage = p.serverOutage = 1e-9;
        p.model = "mlp:400"; // 160 s on air
        p.downstream = downstream;
        p.rounds = 2;
        p.peers = 2;
        p.setSize = 3;
        p.quiet = false;
        p.runDir = m_folder / downstream;
        std::ostringstream output;
        RunGraphDiscovery(p, output);
        EXPECT_THAT(output.str(), testing::Not(testing::HasSubstr("warning: "))) << downstream;
        const auto run = nlohmann::json::parse(tests::ReadFile(m_folder / downstream / "run.json"));
        const double deadline = run.at("parameters").at("roundDeadline");
        EXPECT_GT(deadline, 160) << downstream;
    }
}

TEST_F(GraphDiscoveryRunTest, SlotsLastUntilHalfDuplexDevicesHaveHeardAllRewards)
{
    for (const std::string paradigm : {"supervised", "unsupervised"})
    {
        Config::Reset();
        Config::SetDefault("ns3::collab::D2dPhy::Duplex", StringValue("Half"));
        auto p = Small(paradigm);
        p.maxOutage = 1e-9;
        p.devices = 8;
        p.quiet = false;
        p.runDir = m_folder / paradigm;
        std::ostringstream output;
        RunGraphDiscovery(p, output);
        EXPECT_THAT(output.str(), testing::HasSubstr("reward"));
        EXPECT_THAT(output.str(), testing::Not(testing::HasSubstr("not heard for deadline")))
            << paradigm;
        EXPECT_THAT(output.str(), testing::Not(testing::HasSubstr("it had not got them")))
            << paradigm;
    }
}

TEST_F(GraphDiscoveryRunTest, ComponentsAreToldWhereLabelsArePropagated)
{
    for (const std::string labeling : {"propagation", "linear"})
    {
        auto p = Small("semi-supervised");
        p.labeling = labeling;
        const auto tables = Run(p, labeling, "Bytes", "1");
        const bool areTold = tables.at("messages").find("components") != std::string::npos;
        EXPECT_EQ(areTold, labeling == "propagation");
    }
}

TEST_F(GraphDiscoveryRunTest, PartsOfTheEnergyBeginWithThePhases)
{
    for (const std::string method : {"learned", "closest"})
    {
        auto p = Small("supervised");
        p.method = method;
        Run(p, method, "Bytes", "1");
        std::map<std::string, std::set<std::string>> phases;
        for (const auto& cells : tests::ReadCsvRows(m_folder / method / "latency.csv"))
        {
            phases[cells.at(2)].insert(cells.at(3));
        }
        std::map<std::string, std::set<std::string>> parts;
        for (const auto& cells : tests::ReadCsvRows(m_folder / method / "phase_energy.csv"))
        {
            parts[cells.at(1)].insert(cells.at(2));
        }
        EXPECT_EQ(parts["exchange"], phases["exchange"]);
        EXPECT_EQ(parts["discovery"], phases["discovery"]);
        EXPECT_EQ(parts["discovery"].empty(), method == "closest");
    }
}

TEST_F(GraphDiscoveryRunTest, TellsWhatDevicesHaveNotHeardFromThoseThatHaveTold)
{
    const auto run = [this](const std::string& name, double battery, const std::string& deadline) {
        Config::Reset();
        Config::SetDefault("ns3::collab::DiscoveryGroupApplication::SetupDeadline",
                           StringValue(deadline));
        auto p = Small("semi-supervised");
        p.quiet = false;
        p.battery = battery;
        p.runDir = m_folder / name;
        std::ostringstream output;
        RunGraphDiscovery(p, output);
        return output.str();
    };
    using ::testing::HasSubstr;
    using ::testing::Not;
    EXPECT_THAT(run("usual", 1e6, "0s"), Not(HasSubstr("warning: of")));
    EXPECT_THAT(run("dead", 1e-4, "0s"), Not(HasSubstr("warning: of")));
    const std::string tooShort = run("short", 1e6, "1us");
    EXPECT_THAT(tooShort, HasSubstr("another one's outage probabilities"));
    EXPECT_THAT(tooShort, HasSubstr("another one's principal components"));
}

TEST_F(GraphDiscoveryRunTest, LabelsThatFollowFromOtherSamplesHaveNoEpsilon)
{
    for (const std::string method : {"learned", "none"})
    {
        auto p = Small("semi-supervised");
        p.method = method;
        p.dpSgd = "clip=1,noise=1";
        p.runDir = m_folder / "run";
        std::ostringstream output;
        try
        {
            RunGraphDiscovery(p, output);
            ADD_FAILURE() << method;
        }
        catch (const ns3::collab::UserError& error)
        {
            EXPECT_THAT(error.what(), ::testing::HasSubstr("--paradigm=semi-supervised"));
        }
    }
}

TEST_F(GraphDiscoveryRunTest, EpsilonIsSaidNotToBeThatOfTheExchange)
{
    auto p = Small("supervised");
    p.downstream = "decentralized";
    p.dpSgd = "clip=1,noise=1";
    EXPECT_THAT(p.FindHints(), ::testing::Contains(::testing::HasSubstr("epsilon")));
    p.method = "none";
    EXPECT_THAT(p.FindHints(), ::testing::IsEmpty());
}
