/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "common/scenario-samples.h"
#include "graph-discovery/graph-discovery-scenario.h"
#include "integration/scenario-test.h"
#include "support/test-data.h"

#include <cmath>
#include <fmt/format.h>

using namespace ns3;
using namespace ns3::collab;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using tests::PlayedRun;

namespace
{

/// Whole runs of five devices with few iterations on a small data set
class GraphDiscoveryRunTest : public tests::ScenarioTest
{
  protected:
    PlayedRun
    Run(const std::string& arguments)
    {
        return Play(RunGraphDiscovery, SMALL + arguments);
    }

    /// Run by references on one thread, and by bytes on several: all files are the same
    PlayedRun
    RunInBothModes(const std::string& arguments)
    {
        return ExpectSameFiles(RunGraphDiscovery,
                               SMALL + arguments,
                               "Transport::PayloadMode=Bytes threads=2",
                               {"graph.csv", "messages.csv", "rounds.csv"});
    }

    const std::string SMALL = "dataSet=gaussian-classes devices=5 samples=16 testSamples=20 "
                              "iterations=12 recordInterval=3 edges=2 omit= downstream=none "
                              "retain=true paradigm=supervised ";
    const std::string CLUSTERS = "components=2 clusters=3 ";
    const std::string UNSUPERVISED = CLUSTERS + "paradigm=unsupervised ";
    const std::string SEMI = CLUSTERS + "paradigm=semi-supervised ";
    const std::string RANDHIE = "dataSet=randhie dataDir=" + GetTestData("sets/randhie") + " ";
};

} // namespace

TEST_F(GraphDiscoveryRunTest, IsTheSameByBytesAndByAnyNumberOfThreads)
{
    for (const auto& paradigm : {std::string(), SEMI, UNSUPERVISED})
    {
        const auto run = RunInBothModes(paradigm);
        for (const std::string name : {"discovery", "graph", "holdings", "messages", "rounds"})
        {
            EXPECT_GE(run.Rows(name).size(), 5U) << paradigm << name;
        }
        const auto many = Run(paradigm + "threads=4");
        EXPECT_THAT(tests::FindDifferentFiles(run, many), IsEmpty()) << paradigm;
    }
}

TEST_F(GraphDiscoveryRunTest, SlotsBeginTogetherWhereModelsLabelUnequalDevices)
{
    const auto run = Run(SEMI + "labeling=mlp partition=dirichlet alpha=1 samples=28");
    std::set<std::string> begins;
    for (const auto& row : run.Rows("latency"))
    {
        if (row.at("round") == "0" && row.at("phase") == "discovery")
        {
            begins.insert(row.at("start_s"));
        }
    }
    EXPECT_THAT(begins, SizeIs(1));
}

TEST_F(GraphDiscoveryRunTest, TheLongestLinkHasTheOutageAskedForAtTheRateInForce)
{
    const auto check = [&](double rate, const std::string& given) {
        const auto run = Run("edges=1 " + given).Json();
        EXPECT_THAT(run.at("hints"), IsEmpty()); // of another outage
        EXPECT_EQ(run.at("radios").at(0).at("spectral_efficiency"), rate);
        return std::abs(double(run.at("devices").at(0).at("x_m")));
    };
    // The cube of the distance goes with 1 / (2^r - 1)
    EXPECT_NEAR(std::pow(check(0.8, "") / check(1, "D2dPhy::SpectralEfficiency=1"), 3),
                1 / (std::exp2(0.8) - 1),
                1e-6);
}

TEST_F(GraphDiscoveryRunTest, EndsWithEveryMethodAndChannel)
{
    for (const std::string method : {"none control=reliable",
                                     "closest control=reliable",
                                     "most-trusted control=reliable",
                                     "uniform control=best-effort",
                                     "optimum control=reliable edges=1",
                                     "gcn control=reliable edges=1",
                                     "learned control=reliable edges=1 channel=dynamic levels=4"})
    {
        const auto run = Run("method=" + method);
        const uint32_t edges = run.Parameter("edges"); // as long as it may be
        EXPECT_THAT(run.Rows("graph"), SizeIs(edges * 5)) << method;
    }
}

TEST_F(GraphDiscoveryRunTest, CeilingIsNoExchangeOfIidData)
{
    const auto learn = [this](const std::string& method) {
        return Run("downstream=fedavg model=linear rounds=2 localSteps=2 method=" + method);
    };
    const auto ceiling = learn("iid-ceiling partition=labels");
    const auto same = learn("none partition=iid");
    for (const std::string table : {"holdings.csv", "rounds.csv", "graph.csv"})
    {
        EXPECT_EQ(ceiling.Text(table), same.Text(table));
    }
    EXPECT_NE(ceiling.Text("holdings.csv"), learn("none").Text("holdings.csv"));
    EXPECT_EQ(ceiling.Parameter("partition"), "iid");
}

TEST_F(GraphDiscoveryRunTest, LearnsInEveryWayFromWhatDevicesHaveThen)
{
    for (const std::string downstream : {"fedavg stragglers=1",
                                         "fedprox",
                                         "scaffold",
                                         "feddyn",
                                         "fedsgd",
                                         "fedavgm",
                                         "fednova",
                                         "fedbuff",
                                         "semi-decentralized setSize=2",
                                         "decentralized peers=2"})
    {
        SCOPED_TRACE(downstream);
        const auto run = RunInBothModes("thresholdShare=0.5 model=linear rounds=3 localSteps=2 "
                                        "learningRate=0.05 sgdLearningRate=0.05 downstream=" +
                                        downstream);
        EXPECT_THAT(run.Rows("rounds"), SizeIs(3 * 5));
        const bool hasServer = downstream != "decentralized peers=2";
        EXPECT_EQ(run.Files().count("server.csv"), hasServer ? 1U : 0U);
        EXPECT_EQ(run.Files().count("exchanges.csv"), hasServer ? 0U : 1U);
        EXPECT_THAT(run.Text("phase_energy.csv"), HasSubstr("training"));
    }
}

TEST_F(GraphDiscoveryRunTest, RegressionOfCountsThatDevicesHaveFewOf)
{
    // Of seven groups of targets: devices hold fewer than seven distinct ones
    const auto run =
        RunInBothModes(RANDHIE + "clusters=7 shares=100 downstream=fedavg model=mlp:4");
    EXPECT_THAT(run.Text("rounds.csv"), HasSubstr("loss_global"));
}

TEST_F(GraphDiscoveryRunTest, WhatAllNeedInTheSetupIsRepeatedUntilTheyHaveIt)
{
    const auto run = Run(UNSUPERVISED + "maxOutage=0.4 devices=8 edges=1 iterations=1 "
                                        "D2dMac::MaxAttempts=1"); // of other messages
    std::map<std::string, uint32_t> heard;
    for (const auto& row : run.Rows("messages"))
    {
        heard[row.at("kind")] += row.at("delivered") == "1" ? 1 : 0;
    }
    EXPECT_EQ(heard["outage-row"], 8U * 7U);
    EXPECT_EQ(heard["components"], 8U * 7U);
}

TEST_F(GraphDiscoveryRunTest, DevicesThatDieInTheSetupEndNoSemiSupervisedRun)
{
    const auto run = Run(SEMI + "downstream=fedavg rounds=1 battery=1e-4");
    EXPECT_GT(run.Files().size(), 6U);
    EXPECT_THAT(run.printed, Not(HasSubstr("warning: of")));
}

TEST_F(GraphDiscoveryRunTest, AddedViewsAreDealtOutToo)
{
    const auto parsed = Parse<GraphDiscoveryParameters>(SMALL + "dataSet=synthetic-writers");
    auto& p = *parsed;
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

TEST_F(GraphDiscoveryRunTest, OptimumGoesByTheLinksOfTheSlotInWhichItIsUsed)
{
    std::vector<std::vector<double>> peers;
    for (const std::string method : {"optimum", "closest"})
    {
        // So that it matters by which links, and nothing else does
        peers.push_back(Run("edges=1 channel=dynamic diversityWeight=1e-9 method=" + method)
                            .Read("graph", "peer"));
    }
    EXPECT_THAT(peers[0], SizeIs(5));
    EXPECT_EQ(peers[0], peers[1]);
}

TEST_F(GraphDiscoveryRunTest, DatapointsGoOverTheDynamicLinksThatWereChosen)
{
    // Of W from 0.05 to 0.55 W; anew at the exchange, the same share would arrive over all links
    const auto run = Run("dataSet=synthetic-writers devices=16 samples=100 edges=1 channel=dynamic "
                         "method=closest retain=false trust=full D2dChannel::NoisePower=0.2");
    double expected = 0;
    double variance = 0;
    for (const auto& row : run.Rows("graph"))
    {
        const double success = std::stod(row.at("success"));
        const double points = std::stod(row.at("granted"));
        expected += points * success;
        variance += points * success * (1 - success);
    }
    EXPECT_GT(run.Sum("graph", "granted"), 100);
    EXPECT_NEAR(run.Sum("graph", "received"), expected, 4 * std::sqrt(variance));
}

TEST_F(GraphDiscoveryRunTest, DevicesThatAreLateWithTheSetupLearnNevertheless)
{
    // Components of so many pixels take longest, and then there is hardly any time until learning
    const auto run = Run(SEMI + "dataSet=synthetic-writers samples=32 components=1 edges=1 "
                                "retain=false method=none downstream=fedavg model=linear rounds=2 "
                                "exchangeDeadline=0.1 slowDevices=1 slowdown=1e5 "
                                "DiscoveryGroupApplication::SetupDeadline=100ms");
    EXPECT_THAT(run.Rows("rounds"), SizeIs(2 * 5));
}

TEST_F(GraphDiscoveryRunTest, WaitsForModelsThatTakeMinutesOnAir)
{
    for (const std::string downstream :
         {"fedavg", "fedbuff", "semi-decentralized setSize=3", "decentralized peers=2"})
    {
        const auto run = Run("iterations=2 edges=1 thresholdShare=0.5 maxOutage=1e-9 "
                             "serverOutage=1e-9 model=mlp:400 rounds=2 " // 160 s on air
                             "D2dPhy::Bandwidth=500 downstream=" +
                             downstream);
        EXPECT_THAT(run.printed, Not(HasSubstr("warning: "))) << downstream;
        EXPECT_GT(run.Parameter("roundDeadline"), 160) << downstream;
    }
}

TEST_F(GraphDiscoveryRunTest, SlotsLastUntilHalfDuplexDevicesHaveHeardAllRewards)
{
    for (const auto& paradigm : {std::string(), UNSUPERVISED})
    {
        const auto run = Run(paradigm + "maxOutage=1e-9 devices=8 D2dPhy::Duplex=Half");
        EXPECT_THAT(run.printed, HasSubstr("reward"));
        EXPECT_THAT(run.printed, Not(HasSubstr("not heard for deadline"))) << paradigm;
        EXPECT_THAT(run.printed, Not(HasSubstr("it had not got them"))) << paradigm;
    }
}

TEST_F(GraphDiscoveryRunTest, ComponentsAreToldWhereLabelsArePropagated)
{
    EXPECT_THAT(Run(SEMI + "labeling=propagation").Values("messages", "kind"),
                Contains("components"));
    EXPECT_THAT(Run(SEMI + "labeling=linear").Values("messages", "kind"),
                Not(Contains("components")));
}

TEST_F(GraphDiscoveryRunTest, PartsOfTheEnergyBeginWithThePhases)
{
    for (const std::string method : {"learned", "closest"})
    {
        const auto run = Run("method=" + method);
        const auto beginnings = [&run](const std::string& table, const std::string& key) {
            std::map<std::string, std::set<std::string>> of;
            for (const auto& row : run.Rows(table))
            {
                of[row.at(key)].insert(row.at("start_s"));
            }
            return of;
        };
        auto phases = beginnings("latency", "phase");
        auto parts = beginnings("phase_energy", "part");
        EXPECT_EQ(parts["exchange"], phases["exchange"]);
        EXPECT_EQ(parts["discovery"], phases["discovery"]);
        EXPECT_EQ(parts["discovery"].empty(), method == "closest");
    }
}

TEST_F(GraphDiscoveryRunTest, TellsWhatDevicesHaveNotHeardFromThoseThatHaveTold)
{
    EXPECT_THAT(Run(SEMI).printed, Not(HasSubstr("warning: of")));
    const auto hasty = Run(SEMI + "DiscoveryGroupApplication::SetupDeadline=1us");
    EXPECT_THAT(hasty.printed, HasSubstr("another one's outage probabilities"));
    EXPECT_THAT(hasty.printed, HasSubstr("another one's principal components"));
}

TEST_F(GraphDiscoveryRunTest, EpsilonIsSaidNotToBeThatOfTheExchange)
{
    const auto hints = [this](const std::string& arguments) {
        return Parse<GraphDiscoveryParameters>(
                   SMALL + "downstream=decentralized dpSgd=clip=1,noise=1 " + arguments)
            ->FindHints();
    };
    EXPECT_THAT(hints(""), Contains(HasSubstr("epsilon")));
    EXPECT_THAT(hints("method=none"), IsEmpty());
}

TEST_F(GraphDiscoveryRunTest, MistakesAreToldBeforeAnythingIsWritten)
{
    const std::string dynamic = UNSUPERVISED + "downstream=none edges=1 channel=dynamic ";
    ExpectRefusals(
        RunGraphDiscovery,
        SMALL + "downstream=fedavg ",
        {{UNSUPERVISED, "--dataSet=gaussian-classes"},
         {UNSUPERVISED + "dataSet=fashion-mnist probeSamples=100000", "--probeSamples=100000"},
         {UNSUPERVISED + "components=3", "--components=3"},
         {UNSUPERVISED + "method=optimum", "--method=optimum"},
         {UNSUPERVISED + "clusters=17 samples=40 cacheStatistics=true", "--clusters=17"},
         {dynamic + "agreementPeriod=10", "--agreementPeriod=10"},
         {"method=gcn", "--edges=2"},
         {"method=gcn edges=1 devices=3", "--devices=3"},
         {"thresholdShare=1e5", "--thresholdShare=100000"},
         {"edges=5", "--edges=5"},
         {"stragglers=5", "--stragglers=5"},
         {"model=conv4", "--model=conv4"},
         {"addedViews=true", "--addedViews=true"},
         {"exchangeDeadline=1e-12", "--exchangeDeadline=1e-12"},
         {"downstream=fedsgd optimizerOptions=momentum=0.9", "without momentum with fedsgd"},
         {"downstream=scaffold rateSchedule=step:every=2", "constant with scaffold"},
         {"downstream=fednova rateSchedule=step:every=2", "constant with fednova"},
         {SEMI + "neighbors=17", "--neighbors=17"},
         {SEMI + "labeling=best", "best"},
         {SEMI + RANDHIE, "--paradigm=semi-supervised"},
         // Labels that follow from other devices' samples
         {SEMI + "method=learned dpSgd=clip=1,noise=1", "--paradigm=semi-supervised"},
         {SEMI + "method=none dpSgd=clip=1,noise=1", "--paradigm=semi-supervised"}});
}
