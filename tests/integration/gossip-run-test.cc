/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gossip/gossip-scenario.h"
#include "integration/scenario-test.h"
#include "integration/small-fashion.h"

#include <cmath>
#include <fmt/format.h>

using namespace ns3;
using namespace ns3::collab;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using tests::PlayedRun;

namespace
{

/// Whole runs of four devices for six rounds on a small part of Fashion-MNIST
class GossipRunTest : public tests::ScenarioTest
{
  protected:
    PlayedRun
    Run(const std::string& arguments)
    {
        return Play(RunGossip, SMALL + arguments);
    }

    /// @return timeouts that were in force, those of control, transfer and turns [s]
    static std::vector<double>
    GetTimeouts(const PlayedRun& run)
    {
        return {run.Parameter("controlTimeout"),
                run.Parameter("transferTimeout"),
                run.Parameter("turnTimeout")};
    }

    /// Expect that all that was asked for came
    static void
    ExpectAllReceived(const PlayedRun& run)
    {
        EXPECT_THAT(run.printed, Not(HasSubstr("warning")));
        EXPECT_THAT(run.Read("exchanges", "received"), AllOf(Not(SizeIs(0)), Each(1)));
    }

    const std::string SMALL =
        tests::SmallFashion::Argument() +
        "devices=4 samples=100 minimumSamples=16 referenceSamples=50 testSamples=200 rounds=6 "
        "localEpochs=2 model=mlp:20 lowQuality=none fraction=0.5 ";
    /// Links without loss on which device 1 takes 14 s to train
    const std::string SLOW =
        "D2dPhy::Duplex=Full maxOutage=1e-9 slowDevices=1 slowdown=1e4 rounds=12 ";
    const std::vector<std::string> ALGORITHMS = {"braintorrent", "gossipfl", "segmented"};
};

} // namespace

TEST_F(GossipRunTest, TracesDoNotDependOnTheNumberOfThreads)
{
    for (const auto& algorithm : ALGORITHMS)
    {
        const auto run =
            ExpectSameFiles(RunGossip,
                            SMALL + "algorithm=" + algorithm,
                            "threads=2",
                            {"rounds.csv", "latency.csv", "energy.csv", "messages.csv"});
        EXPECT_THAT(run.Rows("exchanges"), Not(SizeIs(0)));
    }
}

TEST_F(GossipRunTest, ExchangesMakeModelsBetter)
{
    for (const auto& [algorithm, rounds] :
         {std::pair("braintorrent", 24), std::pair("gossipfl", 8), std::pair("segmented", 8)})
    {
        const auto run =
            Run(fmt::format("partition=iid algorithm={} rounds={}", algorithm, rounds));
        EXPECT_THAT(run.Rows("rounds"), SizeIs(4 * rounds));
        const auto accuracies = run.Read("rounds", "accuracy_global");
        EXPECT_GT(std::accumulate(accuracies.end() - 4, accuracies.end(), 0.0), 4 * 0.6)
            << algorithm;
        EXPECT_EQ(run.Sum("exchanges", "received"), run.Sum("rounds", "merged"));
        EXPECT_GT(run.Sum("rounds", "merged"), rounds);
    }
}

TEST_F(GossipRunTest, DevicesWaitByDefaultForThoseThatTrain)
{
    for (const auto& algorithm : ALGORITHMS)
    {
        SCOPED_TRACE(algorithm);
        // It has no wait for control
        const double error = algorithm == "segmented" ? 1 : 0;
        EXPECT_THAT(GetTimeouts(Run("rounds=1 algorithm=" + algorithm)),
                    ElementsAre(::testing::DoubleNear(5, error), 60, 120));
        const auto run = Run(SLOW + "slowdown=1e5 algorithm=" + algorithm);
        EXPECT_THAT(run.printed, Not(HasSubstr("warning")));
        EXPECT_THAT(run.Read("rounds", "missing"), Each(0));
        EXPECT_THAT(GetTimeouts(run),
                    ElementsAre(Gt(5), Gt(algorithm == "braintorrent" ? 59 : 60), Gt(120)));
    }
}

TEST_F(GossipRunTest, DevicesWaitByDefaultForWhatIsOnAir)
{
    // 16 MB, on air for 65 s
    for (const std::string access : {"Ofdma", "Shared"})
    {
        for (const std::string algorithm : {"braintorrent",
                                            "segmented segments=10 replicas=2",
                                            "segmented segments=1 replicas=3"})
        {
            SCOPED_TRACE(access + algorithm);
            ExpectAllReceived(
                Run("model=stub:4000000 D2dChannel::Access=" + access + " algorithm=" + algorithm));
        }
    }
}

TEST_F(GossipRunTest, DevicesWaitByDefaultForThoseThatShareTheirSubchannel)
{
    const auto timeout = [this](const std::string& attribute) {
        SCOPED_TRACE(attribute);
        // 4 MB, on air for 16 s
        const auto run = Run(
            "algorithm=gossipfl devices=12 model=stub:1000000 fraction=1 D2dChannel::" + attribute);
        ExpectAllReceived(run);
        return GetTimeouts(run)[1];
    };
    const double shared = timeout("Access=Shared");
    EXPECT_EQ(timeout("Subchannels=1"), shared);
    const double alone = timeout("Access=Ofdma");
    EXPECT_EQ(timeout("Subchannels=12"), alone);
    // Training comes once, and of models on air as many as three that share one of four subchannels
    // send, in place of all twelve or of the two of a pair
    EXPECT_NEAR(timeout("Subchannels=4") - alone, (shared - alone) * (3 - 2) / (12 - 2), 1e-6);
}

TEST_F(GossipRunTest, WhoTransmitsWhilePairsAreToldHearsThemNevertheless)
{
    // One of five is left over, and in the next round before the others
    for (uint32_t run = 1; run <= 10; ++run)
    {
        EXPECT_THAT(Run(fmt::format("algorithm=gossipfl devices=5 maxOutage=1e-9 localEpochs=1 "
                                    "model=mlp:20 RngRun={}",
                                    run))
                        .Read("exchanges", "received"),
                    Each(1))
            << "run " << run;
    }
}

TEST_F(GossipRunTest, RunsWarnOfWaitsThatAreTooShortForWhatIsOnAir)
{
    EXPECT_THAT(Run("algorithm=segmented model=stub:4000000 transferTimeout=60").printed,
                AllOf(HasSubstr("peers that had trained, or were gone, "),
                      HasSubstr("(--transferTimeout 60 s)")));
}

TEST_F(GossipRunTest, DevicesAnnounceByDefaultForAsLongAsThatTakes)
{
    const std::string many = "algorithm=gossipfl devices=12 model=linear ";
    EXPECT_EQ(Run(many).Parameter("announceTime"), 1);
    for (const std::string access : {"Ofdma", "Tdma"}) // half-duplex, and one after the other
    {
        const std::string narrow =
            many + "D2dPhy::Bandwidth=1e4 D2dChannel::Access=" + access + " ";
        const auto computed = Run(narrow);
        EXPECT_GT(computed.Parameter("announceTime"), 1) << access;
        EXPECT_THAT(computed.printed, Not(HasSubstr("too few links"))) << access;
        EXPECT_THAT(computed.Rows("pairs"), SizeIs(6 * 6)) << access;
        const auto given = Run(narrow + "announceTime=0.01");
        EXPECT_EQ(given.Parameter("announceTime"), 0.01) << access;
        EXPECT_THAT(
            given.printed,
            HasSubstr("they knew of too few links when they matched (--announceTime 0.01 s)"))
            << access;
        EXPECT_LT(given.Rows("pairs").size(), 6U * 6) << access;
    }
    EXPECT_EQ(
        Run(many + "D2dPhy::RxSensitivity=-80 D2dMac::MaxAttempts=100").Parameter("announceTime"),
        1)
        << "nothing is repeated for who is out of range";
}

TEST_F(GossipRunTest, RunsWarnOfDevicesThatTrainForLongerThanOthersWait)
{
    for (const auto& algorithm : ALGORITHMS)
    {
        const auto run = Run(SLOW + "controlTimeout=1 transferTimeout=2 turnTimeout=1000 " +
                             "algorithm=" + algorithm);
        EXPECT_THAT(
            run.printed,
            AllOf(
                HasSubstr("warning: devices stopped waiting for peers while some still trained, "),
                HasSubstr(algorithm == "segmented" ? "--transferTimeout 2 s"
                                                   : "--controlTimeout 1 s")))
            << algorithm;
        EXPECT_THAT(GetTimeouts(run), ElementsAre(1, 2, 1000)) << algorithm;
    }
}

TEST_F(GossipRunTest, GivenTimeoutsAreNotComputed)
{
    const std::string given = SLOW + "algorithm=gossipfl GossipFlApplication::MatchTimeout=3s ";
    const auto run = Run(given);
    EXPECT_EQ(GetTimeouts(run)[0], 3);
    EXPECT_GT(GetTimeouts(run)[1], 60);
    EXPECT_THAT(run.printed, HasSubstr("--controlTimeout 3 s"));
    EXPECT_THAT(FindError(RunGossip, SMALL + given + "controlTimeout=4"),
                HasSubstr("--controlTimeout=4"));
}

TEST_F(GossipRunTest, TurnsAreRoundsOfBrainTorrent)
{
    const auto rounds =
        Play(RunGossip,
             tests::SmallFashion::Argument() +
                 "algorithm=braintorrent turns=3 devices=4 samples=100 minimumSamples=16 "
                 "referenceSamples=50 testSamples=200 localEpochs=2 model=mlp:20")
            .Read("rounds", "round");
    EXPECT_EQ(*std::max_element(rounds.begin(), rounds.end()), 3 * 4 - 1);
}

TEST_F(GossipRunTest, AStubSaysSoAndHasNoAccuracy)
{
    const auto run = Run("algorithm=segmented model=stub:2000000 rounds=2");
    EXPECT_EQ(run.Parameter("model"), "stub:2000000");
    EXPECT_EQ(run.Json()["devices"][0]["model"], "stub:2000000");
    EXPECT_EQ(run.Json()["model"]["parameters"], 2000000);
    EXPECT_TRUE(std::isnan(run.Final("accuracy_global")));
    const auto bytes = run.Read("messages", "bytes");
    EXPECT_EQ(*std::max_element(bytes.begin(), bytes.end()), 23 + 8 + 4 * 2000000 / 10);
}

TEST_F(GossipRunTest, PartsOfAStubHaveTheBytesOfItsParameters)
{
    for (const std::string mode : {"Reference", "Bytes"})
    {
        const std::string payload = "D2dPhy::Duplex=Full Transport::PayloadMode=" + mode + " ";
        // Each of 1000 weights stands for 4000
        EXPECT_THAT(Run(payload + "algorithm=gossipfl model=stub:4000000 fraction=0.00035 rounds=2")
                        .Read("messages", "bytes"),
                    Contains(23 + 8 + 4 * 1400));
        // More segments than there are weights on the host; pulls, and segments of two sizes
        EXPECT_THAT(Run(payload + "algorithm=segmented model=stub:2000000 segments=1500 rounds=1 "
                                  "devices=2 replicas=1")
                        .Values("messages", "bytes"),
                    ElementsAre("31", "5363", "5367"));
    }
}

TEST_F(GossipRunTest, RefusesMistakesBeforeAnythingIsWritten)
{
    ExpectRefusals(RunGossip,
                   SMALL + "algorithm=segmented ",
                   {{"algorithm=rumor", "--algorithm=rumor"},
                    {"fraction=0", "--fraction=0"},
                    {"replicas=4", "--replicas=4"},
                    {"segments=100000", "at most the 15910"},
                    {"model=stub:1001", "--model=stub:1001"},
                    {"turns=2", "0 with --rounds"},
                    {"turnTimeout=-1", "--turnTimeout=-1"},
                    {"controlTimeout=1e-12", "--controlTimeout=1e-12"}});
    EXPECT_THAT(FindError(RunGossip, "algorithm=segmented turns=2"),
                HasSubstr("0 with --algorithm=segmented"));
}
