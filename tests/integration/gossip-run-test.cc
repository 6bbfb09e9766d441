/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip/gossip-scenario.h"
#include "support/run-files.h"
#include "support/temporary-folder.h"

#include "ns3/collab-error.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <gmock/gmock.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

using namespace ns3;
using namespace ns3::collab;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using tests::ReadColumn;
using tests::ReadFile;

namespace
{

const std::vector<std::string> ALGORITHMS = {"braintorrent", "gossipfl", "segmented"};

/// Whole runs of the scenario on a small part of Fashion-MNIST
class GossipRunTest : public tests::TemporaryFolder
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

    /// Make parameters of a small run
    GossipParameters
    Small(const std::string& algorithm, const std::string& name) const
    {
        GossipParameters p;
        p.algorithm = algorithm;
        p.devices = 4;
        p.samples = 100;
        p.minimumSamples = 16;
        p.referenceSamples = 50;
        p.testSamples = 200;
        p.rounds = 6;
        p.localEpochs = 2;
        p.model = "mlp:20";
        p.lowQuality = "none";
        p.fraction = 0.5;
        p.runDir = m_folder / name;
        p.quiet = true;
        return p;
    }

    /// Make parameters of a run over links without loss in which device 1 takes 14 s to train
    GossipParameters
    Slow(const std::string& algorithm, const std::string& name) const
    {
        Config::SetDefault("ns3::collab::D2dPhy::Duplex", StringValue("Full"));
        auto p = Small(algorithm, name);
        p.maxOutage = 1e-9;
        p.slowDevices = "1";
        p.slowdown = 1e4;
        p.rounds = 12;
        p.quiet = false;
        return p;
    }

    /// @return timeouts that a run says were in force, those of control, transfer and turns [s]
    static std::vector<double>
    GetTimeouts(const std::filesystem::path& run)
    {
        const auto p = nlohmann::json::parse(ReadFile(run / "run.json")).at("parameters");
        return {p.at("controlTimeout"), p.at("transferTimeout"), p.at("turnTimeout")};
    }

    std::filesystem::path
    Run(const GossipParameters& p) const
    {
        std::ostringstream output;
        RunGossip(p, output);
        return p.runDir;
    }
};

/// @return mean of the last values, one a device
double
Final(const std::filesystem::path& run, const std::string& column)
{
    const auto values = ReadColumn(run, "rounds", column);
    return (values.end()[-1] + values.end()[-2] + values.end()[-3] + values.end()[-4]) / 4;
}

} // namespace

TEST_F(GossipRunTest, TracesDoNotDependOnTheNumberOfThreads)
{
    for (const auto& algorithm : ALGORITHMS)
    {
        auto p = Small(algorithm, algorithm + "-one");
        p.threads = 1;
        const auto one = Run(p);
        p.threads = 2;
        p.runDir = m_folder / (algorithm + "-two");
        const auto two = Run(p);
        for (const std::string file : {"run.json",
                                       "rounds.csv",
                                       "latency.csv",
                                       "energy.csv",
                                       "messages.csv",
                                       "exchanges.csv",
                                       "pairs.csv"})
        {
            EXPECT_EQ(ReadFile(one / file), ReadFile(two / file)) << algorithm << " " << file;
            EXPECT_GT(ReadFile(one / file).size(), 40U) << file;
        }
    }
}

TEST_F(GossipRunTest, ExchangesMakeModelsBetter)
{
    for (const auto& algorithm : ALGORITHMS)
    {
        auto p = Small(algorithm, algorithm);
        p.partition = "iid";
        p.rounds = algorithm == "braintorrent" ? 24 : 8;
        const auto run = Run(p);
        EXPECT_EQ(ReadColumn(run, "rounds", "round").size(), 4 * p.rounds);
        EXPECT_GT(Final(run, "accuracy_global"), 0.6) << algorithm;
        const auto received = ReadColumn(run, "exchanges", "received");
        double merged = 0;
        for (const double count : ReadColumn(run, "rounds", "merged"))
        {
            merged += count;
        }
        EXPECT_EQ(std::count(received.begin(), received.end(), 1), merged);
        EXPECT_GT(merged, p.rounds);
    }
}

TEST_F(GossipRunTest, DevicesWaitByDefaultForThoseThatTrain)
{
    for (const auto& algorithm : ALGORITHMS)
    {
        const auto usual = Run(Small(algorithm, algorithm));
        const auto least = GetTimeouts(usual);
        EXPECT_NEAR(least[0], 5, algorithm == "segmented" ? 1 : 0) << algorithm; // it has none
        EXPECT_EQ(least[1], 60) << algorithm;
        EXPECT_EQ(least[2], 120) << algorithm;
        auto p = Slow(algorithm, algorithm + "-slow");
        p.slowdown *= 10;
        std::ostringstream output;
        RunGossip(p, output);
        EXPECT_THAT(output.str(), Not(HasSubstr("warning"))) << algorithm;
        EXPECT_THAT(ReadColumn(p.runDir, "rounds", "missing"), Each(0)) << algorithm;
        const auto timeouts = GetTimeouts(p.runDir);
        EXPECT_GT(timeouts[0], 5) << algorithm;
        EXPECT_GT(timeouts[1], algorithm == "braintorrent" ? 59 : 60) << algorithm;
        EXPECT_GT(timeouts[2], 120) << algorithm;
    }
}

TEST_F(GossipRunTest, DevicesWaitByDefaultForWhatIsOnAir)
{
    for (const std::string access : {"Ofdma", "Shared"})
    {
        Config::SetDefault("ns3::collab::D2dChannel::Access", StringValue(access));
        for (const uint32_t segments : {0, 10, 1}) // as in the documentation, with few devices
        {
            auto p = Small(segments == 0 ? "braintorrent" : "segmented",
                           fmt::format("{}-{}", access, segments));
            p.model = "stub:4000000"; // 16 MB, on air for 65 s
            p.segments = std::max(segments, 1U);
            p.replicas = segments == 10 ? 2 : p.devices - 1;
            p.quiet = false;
            std::ostringstream output;
            RunGossip(p, output);
            EXPECT_THAT(output.str(), Not(HasSubstr("warning"))) << p.runDir;
            EXPECT_THAT(ReadColumn(p.runDir, "exchanges", "received"), Each(1)) << p.runDir;
        }
    }
}

TEST_F(GossipRunTest, DevicesWaitByDefaultForThoseThatShareTheirSubchannel)
{
    const auto run = [this](const std::string& attribute, const std::string& value) {
        Config::Reset();
        Config::SetDefault("ns3::collab::D2dChannel::" + attribute, StringValue(value));
        auto p = Small("gossipfl", attribute + value);
        p.devices = 12;
        p.model = "stub:1000000"; // 4 MB, on air for 16 s
        p.fraction = 1;
        p.quiet = false;
        std::ostringstream output;
        RunGossip(p, output);
        EXPECT_THAT(output.str(), Not(HasSubstr("warning"))) << p.runDir;
        EXPECT_THAT(ReadColumn(p.runDir, "exchanges", "received"), Each(1)) << p.runDir;
        return GetTimeouts(p.runDir)[1];
    };
    const double shared = run("Access", "Shared");
    EXPECT_EQ(run("Subchannels", "1"), shared);
    EXPECT_NEAR(run("Subchannels", "4"), shared / 4, 1);
    EXPECT_EQ(run("Subchannels", "12"), run("Access", "Ofdma"));
}

TEST_F(GossipRunTest, WhoTransmitsWhilePairsAreToldHearsThemNevertheless)
{
    for (uint32_t run = 1; run <= 10; ++run)
    {
        RngSeedManager::SetRun(run);
        auto p = Small("gossipfl", fmt::format("pairs-{}", run));
        p.devices = 5; // one of them is left over, and in the next round before the others
        p.maxOutage = 1e-9;
        p.localEpochs = 1;
        std::ostringstream output;
        RunGossip(p, output);
        EXPECT_THAT(ReadColumn(p.runDir, "exchanges", "received"), Each(1)) << "run " << run;
    }
}

TEST_F(GossipRunTest, RunsWarnOfWaitsThatAreTooShortForWhatIsOnAir)
{
    auto p = Small("segmented", "short");
    p.model = "stub:4000000";
    p.transferTimeout = 60;
    p.quiet = false;
    std::ostringstream output;
    RunGossip(p, output);
    EXPECT_THAT(output.str(), HasSubstr("peers that had trained, or were gone, "));
    EXPECT_THAT(output.str(), HasSubstr("(--transferTimeout 60 s)"));
}

TEST_F(GossipRunTest, DevicesAnnounceByDefaultForAsLongAsThatTakes)
{
    const auto run = [this](const std::string& name, double announceTime) {
        auto p = Small("gossipfl", name);
        p.devices = 12;
        p.announceTime = announceTime;
        p.quiet = false;
        std::ostringstream output;
        RunGossip(p, output);
        const auto description =
            nlohmann::json::parse(ReadFile(std::filesystem::path(p.runDir) / "run.json"));
        const double inForce = description.at("parameters").at("announceTime");
        return std::make_tuple(
            inForce, output.str(), ReadColumn(p.runDir, "pairs", "round").size());
    };
    const std::string warning =
        "they knew of too few links when they matched (--announceTime 0.01 s)";
    EXPECT_EQ(std::get<0>(run("usual", 0)), 1);
    for (const std::string access : {"Ofdma", "Tdma"}) // half-duplex, and one after the other
    {
        Config::SetDefault("ns3::collab::D2dChannel::Access", StringValue(access));
        Config::SetDefault("ns3::collab::D2dPhy::Bandwidth", DoubleValue(1e4));
        const auto [computed, quiet, pairs] = run(access, 0);
        EXPECT_GT(computed, 1) << access;
        EXPECT_THAT(quiet, Not(HasSubstr("too few links"))) << access;
        EXPECT_EQ(pairs, 6 * 6) << access;
        const auto [given, warned, few] = run(access + "-short", 0.01);
        EXPECT_EQ(given, 0.01) << access;
        EXPECT_THAT(warned, HasSubstr(warning)) << access;
        EXPECT_LT(few, 6 * 6) << access;
    }
    Config::Reset();
    Config::SetDefault("ns3::collab::D2dPhy::RxSensitivity", DoubleValue(-80));
    Config::SetDefault("ns3::collab::D2dMac::MaxAttempts", UintegerValue(100));
    EXPECT_EQ(std::get<0>(run("apart", 0)), 1) << "nothing is repeated for who is out of range";
}

TEST_F(GossipRunTest, RunsWarnOfDevicesThatTrainForLongerThanOthersWait)
{
    const std::map<std::string, std::string> arguments = {{"braintorrent", "--controlTimeout 1 s"},
                                                          {"gossipfl", "--controlTimeout 1 s"},
                                                          {"segmented", "--transferTimeout 2 s"}};
    for (const auto& algorithm : ALGORITHMS)
    {
        auto p = Slow(algorithm, algorithm);
        p.controlTimeout = 1;
        p.transferTimeout = 2;
        p.turnTimeout = 1000;
        std::ostringstream output;
        RunGossip(p, output);
        EXPECT_THAT(
            output.str(),
            HasSubstr("warning: devices stopped waiting for peers while some still trained, "));
        EXPECT_THAT(output.str(), HasSubstr(arguments.at(algorithm))) << algorithm;
        EXPECT_EQ(GetTimeouts(p.runDir), (std::vector<double>{1, 2, 1000})) << algorithm;
    }
}

TEST_F(GossipRunTest, GivenTimeoutsAreNotComputed)
{
    auto p = Slow("gossipfl", "attribute");
    Config::SetDefault("ns3::collab::GossipFlApplication::MatchTimeout", StringValue("3s"));
    std::ostringstream output;
    RunGossip(p, output);
    EXPECT_EQ(GetTimeouts(p.runDir)[0], 3);
    EXPECT_GT(GetTimeouts(p.runDir)[1], 60);
    EXPECT_THAT(output.str(), HasSubstr("--controlTimeout 3 s"));
    p.controlTimeout = 4;
    EXPECT_THROW(RunGossip(p, output), UserError);
}

TEST_F(GossipRunTest, TurnsAreRoundsOfBrainTorrent)
{
    auto p = Small("braintorrent", "turns");
    p.rounds = GossipParameters().rounds; // not given
    p.turns = 3;
    const auto rounds = ReadColumn(Run(p), "rounds", "round");
    EXPECT_EQ(*std::max_element(rounds.begin(), rounds.end()), 3 * 4 - 1);
}

TEST_F(GossipRunTest, AStubSaysSoAndHasNoAccuracy)
{
    auto p = Small("segmented", "stub");
    p.model = "stub:2000000";
    p.rounds = 2;
    const auto run = Run(p);
    const auto description = nlohmann::json::parse(ReadFile(run / "run.json"));
    EXPECT_EQ(description["parameters"]["model"], "stub:2000000");
    EXPECT_EQ(description["devices"][0]["model"], "stub:2000000");
    EXPECT_EQ(description["model"]["parameters"], 2000000);
    EXPECT_TRUE(std::isnan(Final(run, "accuracy_global")));
    double most = 0;
    for (const double bytes : ReadColumn(run, "messages", "bytes"))
    {
        most = std::max(most, bytes);
    }
    EXPECT_EQ(most, 23 + 8 + 4 * 2000000 / 10); // a segment
}

TEST_F(GossipRunTest, PartsOfAStubHaveTheBytesOfItsParameters)
{
    Config::SetDefault("ns3::collab::D2dPhy::Duplex", StringValue("Full"));
    for (const std::string payloadMode : {"Reference", "Bytes"})
    {
        Config::SetDefault("ns3::collab::Transport::PayloadMode", StringValue(payloadMode));
        auto p = Small("gossipfl", payloadMode + "-fl");
        p.model = "stub:4000000"; // each of 1000 weights stands for 4000
        p.fraction = 0.00035;
        p.rounds = 2;
        EXPECT_THAT(ReadColumn(Run(p), "messages", "bytes"), Contains(23 + 8 + 4 * 1400));
        p = Small("segmented", payloadMode + "-segmented");
        p.model = "stub:2000000";
        p.segments = 1500; // more than there are weights on the host
        p.rounds = 1;
        p.devices = 2;
        p.replicas = 1;
        std::set<double> bytes; // of pulls and segments
        for (const double size : ReadColumn(Run(p), "messages", "bytes"))
        {
            bytes.insert(size);
        }
        EXPECT_THAT(bytes, ElementsAre(23 + 8, 23 + 8 + 4 * 1333, 23 + 8 + 4 * 1334));
    }
}

TEST_F(GossipRunTest, RefusesMistakesBeforeAnythingIsWritten)
{
    const auto refusal = [this](const std::function<void(GossipParameters&)>& change) {
        auto p = Small("segmented", "refused");
        change(p);
        try
        {
            Run(p);
        }
        catch (const UserError& error)
        {
            EXPECT_FALSE(std::filesystem::exists(p.runDir));
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_THAT(refusal([](auto& p) { p.algorithm = "rumor"; }), HasSubstr("--algorithm=rumor"));
    EXPECT_THAT(refusal([](auto& p) { p.fraction = 0; }), HasSubstr("--fraction=0"));
    EXPECT_THAT(refusal([](auto& p) { p.replicas = 4; }), HasSubstr("--replicas=4"));
    EXPECT_THAT(refusal([](auto& p) { p.segments = 100000; }), HasSubstr("at most the 15910"));
    EXPECT_THAT(refusal([](auto& p) { p.model = "stub:1001"; }), HasSubstr("--model=stub:1001"));
    EXPECT_THAT(refusal([](auto& p) { p.turns = 2; }), HasSubstr("0 with --rounds"));
    EXPECT_THAT(refusal([](auto& p) {
                    p.rounds = GossipParameters().rounds;
                    p.turns = 2;
                }),
                HasSubstr("0 with --algorithm=segmented"));
    EXPECT_THAT(refusal([](auto& p) { p.turnTimeout = -1; }), HasSubstr("--turnTimeout=-1"));
    EXPECT_THAT(refusal([](auto& p) { p.controlTimeout = 1e-12; }),
                HasSubstr("--controlTimeout=1e-12"));
}
