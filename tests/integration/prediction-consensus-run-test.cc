/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "common/scenario-samples.h"
#include "integration/scenario-test.h"
#include "integration/small-fashion.h"
#include "prediction-consensus/prediction-consensus-scenario.h"

#include "ns3/collab-differential-privacy.h"

#include <cmath>
#include <fmt/format.h>
#include <map>

using namespace ns3;
using namespace ns3::collab;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Le;
using ::testing::Not;
using ::testing::SizeIs;
using tests::PlayedRun;

namespace
{

/// Whole runs of four devices, two rounds alone and two together, on a small part of Fashion-MNIST
class PredictionConsensusRunTest : public tests::ScenarioTest
{
  protected:
    static constexpr uint32_t DEVICES = 4;
    static constexpr uint32_t ROUNDS = 4;

    PlayedRun
    Run(const std::string& arguments)
    {
        return Play(RunPredictionConsensus, SMALL + arguments);
    }

    /// @return values of a column of rounds, by device
    static std::map<std::string, std::vector<double>>
    ByDevice(const PlayedRun& run, const std::string& column)
    {
        std::map<std::string, std::vector<double>> values;
        for (const auto& row : run.Rows("rounds"))
        {
            values[row.at("device")].push_back(std::stod(row.at(column)));
        }
        return values;
    }

    /// Expect that no prediction came too late
    static void
    ExpectAllHeard(const PlayedRun& run)
    {
        EXPECT_EQ(run.Read("rounds", "messages_heard"), run.Read("rounds", "messages_expected"))
            << run.folder;
    }

    const std::string SMALL = tests::SmallFashion::Argument() +
                              "devices=4 samples=64 minimumSamples=16 referenceSamples=50 "
                              "testSamples=100 rounds=4 pretrainingRounds=2 localEpochs=2 "
                              "model=mlp:20 lowQuality=2 ";
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
};

} // namespace

TEST_F(PredictionConsensusRunTest, TracesDoNotDependOnTheNumberOfThreads)
{
    for (const std::string threads : {"threads=2", "threads=4"})
    {
        ExpectSameFiles(RunPredictionConsensus, SMALL, threads, FILES);
    }
    ExpectSameFiles(RunPredictionConsensus,
                    SMALL + "model=netcnn samples=24 minimumSamples=8 referenceSamples=20 "
                            "testSamples=20 rounds=2 pretrainingRounds=1 localEpochs=1",
                    "threads=2",
                    {"rounds.csv"});
}

TEST_F(PredictionConsensusRunTest, PayloadModesGiveTheSameTraces)
{
    for (const std::string fidelity : {"Burst", "Packet"})
    {
        // With another changed attribute in either fidelity, for a given mode is reported
        const std::string radio =
            "D2dChannel::Fidelity=" + fidelity + " D2dChannel::NoiseFigure=7.5 ";
        const auto reference = ExpectSameFiles(
            RunPredictionConsensus, SMALL + radio, "Transport::PayloadMode=Bytes", FILES);
        auto bytes = Run(radio + "Transport::PayloadMode=Bytes").Json();
        EXPECT_EQ(bytes.at("attributes").erase("ns3::collab::Transport::PayloadMode"), 1U);
        EXPECT_EQ(bytes, reference.Json());
    }
}

TEST_F(PredictionConsensusRunTest, RunNumberDecidesEverything)
{
    const auto different = tests::FindDifferentFiles(Run(""), Run("RngRun=2"));
    for (const std::string& file : FILES)
    {
        EXPECT_EQ(different.count(file), 1U) << file;
    }
}

TEST_F(PredictionConsensusRunTest, SizeOfXStarChangesNoDevicesSamples)
{
    const auto deal = [this](const std::string& partition, uint32_t references) {
        return Run(fmt::format("rounds=1 pretrainingRounds=0 model=linear partition={} "
                               "referenceSamples={}",
                               partition,
                               references))
            .Text("partition.txt");
    };
    for (const std::string partition : {"dirichlet", "iid", "labels", "quantity"})
    {
        EXPECT_EQ(deal(partition, 10), deal(partition, 300)) << partition;
    }
    EXPECT_NE(deal("dirichlet", 20), deal("iid", 20));
}

TEST_F(PredictionConsensusRunTest, XStarCanBeTakenFromTheDevices)
{
    const auto parsed = Parse<PredictionConsensusParameters>(SMALL);
    auto& p = *parsed;
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
    p.referenceSource = "equal"; // 30 of four: 7, 8, 7 and 8
    const auto equal = PrepareSamples(p);
    for (uint32_t device = 0; device < DEVICES; ++device)
    {
        const std::size_t own = before.train[device].Size() + before.test[device].Size();
        const std::size_t left = equal.train[device].Size() + equal.test[device].Size();
        EXPECT_EQ(own - left, 7 + device % 2) << device;
    }
    p.referenceSource = "clients";
    p.referenceSamples = DEVICES * 64 - 5;
    EXPECT_THROW(PrepareSamples(p), UserError);
}

TEST_F(PredictionConsensusRunTest, TheTargetDomainIsWhatXStarAndTheTestSetAreOf)
{
    const auto parsed =
        Parse<PredictionConsensusParameters>(SMALL + "domainClasses=7,2 referenceSamples=30");
    auto& p = *parsed;
    const auto samples = PrepareSamples(p);
    std::map<int64_t, int> counts;
    for (const int64_t label : samples.reference->labels)
    {
        ++counts[label];
    }
    EXPECT_THAT(counts, ElementsAre(std::pair(2, 15), std::pair(7, 15)));
    EXPECT_THAT(samples.global->labels, Each(AnyOf(2, 7)));
    EXPECT_EQ(samples.global->Size(), p.testSamples);
    EXPECT_EQ(samples.reference->transform, nullptr);
    p.domainRotation = 90;
    const auto turned = PrepareSamples(p);
    EXPECT_EQ(turned.reference->indices, samples.reference->indices);
    EXPECT_NE(turned.reference->transform, nullptr);
    EXPECT_NE(turned.global->transform, nullptr);
    EXPECT_EQ(turned.train.front().transform, nullptr);
    p.domainClasses = "2,10";
    EXPECT_THROW(PrepareSamples(p), UserError);
    p.domainClasses = "1,2,3,4"; // of which 30 is no multiple
    EXPECT_THROW(PrepareSamples(p), UserError);
}

TEST_F(PredictionConsensusRunTest, PrivacyOfPredictionsIsSpentByExchanges)
{
    const auto run = Run("lowQuality=none malicious=1 predictionPrivacy=sigma=5,delta=1e-3");
    const auto rows = run.Rows("privacy");
    ASSERT_THAT(rows, SizeIs(DEVICES - 1)) << "who lies keeps to no privacy";
    const double samples = run.Parameter("referenceSamples");
    const uint64_t rounds = run.Parameter("rounds");
    const uint64_t alone = run.Parameter("pretrainingRounds");
    for (const auto& row : rows)
    {
        EXPECT_EQ(row.at("mechanism"), "predictions");
        EXPECT_NE(row.at("device"), "1");
        EXPECT_NEAR(std::stod(row.at("epsilon")),
                    ComposedGaussianEpsilon(std::sqrt(2 * samples), 5, 1e-3, rounds - alone),
                    1e-9);
    }
    EXPECT_NE(run.Text("rounds.csv"), Run("lowQuality=none malicious=1").Text("rounds.csv"));
    const auto uncovered = Contains(HasSubstr("epsilon (--predictionPrivacy) does not cover it"));
    EXPECT_THAT(run.Hints(), Not(uncovered));
    EXPECT_THAT(Run("predictionPrivacy=sigma=5 referenceSource=equal").Hints(), uncovered);
}

TEST_F(PredictionConsensusRunTest, LiarsAreToldAndEnsemblesAreMeasured)
{
    const auto run = Run("lowQuality=none malicious=1 lie=target consensus=median ensemble=true");
    EXPECT_TRUE(run.Json().at("devices").at(1).at("malicious"));
    EXPECT_FALSE(run.Json().at("devices").at(0).at("malicious"));
    EXPECT_THAT(run.Read("influence", "ensemble_global"), Each(AllOf(Ge(0), Le(1))));
    const auto ideal = Run("lowQuality=1 trust=ideal lowQualityImportance=0.01");
    // Nobody else may have less trust than a device whose importance is a hundredth
    std::map<double, double> last;
    const auto devices = ideal.Read("influence", "device");
    const auto importances = ideal.Read("influence", "importance");
    for (std::size_t i = 0; i < devices.size(); ++i)
    {
        last[devices[i]] = importances[i];
    }
    EXPECT_EQ(std::min_element(
                  last.begin(), last.end(), [](auto& a, auto& b) { return a.second < b.second; })
                  ->first,
              1);
}

TEST_F(PredictionConsensusRunTest, AnOracleHasTheAnswersAndSendsNothing)
{
    const auto oracle = Run("trust=oracle");
    EXPECT_THAT(oracle.Rows("messages"), IsEmpty());
    EXPECT_THAT(oracle.Read("rounds", "bytes_sent"), Each(0));
    const auto rows = oracle.Rows("rounds");
    const auto taught = Run("trust=dynamic").Read("rounds", "accuracy_pseudo_labels");
    ASSERT_THAT(taught, SizeIs(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        const bool isTogether = std::stoi(rows[i].at("round")) >= 2;
        EXPECT_EQ(rows[i].at("accuracy_pseudo_labels"), isTogether ? "1" : "nan");
        EXPECT_TRUE(!isTogether || (taught[i] > 0.1 && taught[i] < 1)) << taught[i];
    }
}

TEST_F(PredictionConsensusRunTest, DevicesOfLowQualityCanBeLeftUntaught)
{
    const auto local = ByDevice(Run("trust=local"), "local_loss");
    const auto untaught = ByDevice(Run("trust=dynamic lowQualityLambda=0"), "local_loss");
    const auto taught = ByDevice(Run("trust=dynamic lowQualityLambda=-1"), "local_loss");
    EXPECT_NEAR(untaught.at("2").back(), local.at("2").back(), 1e-3); // but for rounding
    EXPECT_GT(std::abs(taught.at("2").back() - local.at("2").back()), 1e-2);
    EXPECT_GT(std::abs(untaught.at("1").back() - local.at("1").back()), 1e-2);
}

TEST_F(PredictionConsensusRunTest, MethodsArePairedUntilTheFirstExchange)
{
    std::map<std::string, std::vector<std::string>> results; // by round and device
    for (const std::string trust : {"dynamic", "local"})
    {
        const auto rows = Run("trust=" + trust).Rows("rounds");
        ASSERT_THAT(rows, SizeIs(DEVICES * ROUNDS));
        for (const auto& row : rows)
        {
            results[row.at("round") + "/" + row.at("device")].push_back(
                row.at("accuracy_reference") + " " + row.at("local_loss"));
        }
    }
    ASSERT_THAT(results, SizeIs(DEVICES * ROUNDS));
    for (const auto& [key, pair] : results)
    {
        EXPECT_EQ(pair.at(0) == pair.at(1), key < "2") << key;
    }
}

TEST_F(PredictionConsensusRunTest, TablesAreConsistent)
{
    const auto run = Run("");
    // The devices hold as many samples as were asked for
    EXPECT_THAT(run.Text("partition.txt"), ::testing::ContainsRegex("total .* 256\n"));
    for (const auto& row : run.Rows("energy"))
    {
        double kinds = 0;
        for (const std::string kind : {"tx", "rx", "idle", "sleep", "compute", "d2s_tx", "d2s_rx"})
        {
            kinds += std::stod(row.at(kind + "_j"));
        }
        const double spent = std::stod(row.at("source_j"));
        EXPECT_NEAR(kinds, spent, 1e-6);
        EXPECT_NEAR(spent + std::stod(row.at("remaining_j")), 10000, 1e-6);
    }
    // Two collaborative rounds, every device sends once in each and all others are in range
    std::map<std::string, std::set<std::string>> receivers;
    for (const auto& row : run.Rows("messages"))
    {
        EXPECT_EQ(row.at("bytes"), std::to_string(23 + 50 * 10 * 4));
        EXPECT_LE(std::stod(row.at("queued_s")), std::stod(row.at("start_s")));
        EXPECT_LT(std::stod(row.at("start_s")), std::stod(row.at("end_s")));
        EXPECT_EQ(row.at("delivered") == "1", row.at("reason").empty());
        receivers[row.at("sender") + "/" + row.at("sequence")].insert(row.at("receiver"));
    }
    EXPECT_THAT(receivers, SizeIs(DEVICES * 2));
    EXPECT_THAT(receivers, Each(::testing::Pair(::testing::_, SizeIs(DEVICES - 1))));
    std::map<std::string, double> weights; // their sums
    for (const auto& row : run.Rows("trust"))
    {
        weights[row.at("round") + "/" + row.at("device")] += std::stod(row.at("weight"));
    }
    EXPECT_THAT(weights, SizeIs(DEVICES * 2));
    EXPECT_THAT(weights, Each(::testing::Pair(::testing::_, ::testing::DoubleNear(1, 1e-12))));
    // Phases of a round follow each other without a gap
    std::map<std::string, std::string> ends;
    for (const auto& row : run.Rows("latency"))
    {
        const auto known = ends.find(row.at("device"));
        EXPECT_EQ(std::stod(row.at("start_s")), known == ends.end() ? 0 : std::stod(known->second));
        ends[row.at("device")] = row.at("end_s");
    }
}

TEST_F(PredictionConsensusRunTest, FarthestDevicesHaveTheOutageAskedFor)
{
    const auto run =
        Run("devices=10 maxOutage=0.3 rounds=1 pretrainingRounds=0 model=linear").Json();
    EXPECT_EQ(run.at("parameters").at("maxOutage"), 0.3);
    EXPECT_EQ(run.at("defaults").at("maxOutage"), 0.4);
    const auto& devices = run.at("devices");
    ASSERT_THAT(devices, SizeIs(10));
    double greatest = 0;
    for (const auto& one : devices)
    {
        for (const auto& other : devices)
        {
            // 20 dBm over log-distance loss, noise of 1 MHz at 290 K with a noise figure of 7 dB,
            // r = 1
            const double distance = std::hypot(double(one.at("x_m")) - double(other.at("x_m")),
                                               double(one.at("y_m")) - double(other.at("y_m")));
            const double lossDb = 46.6777 + 30 * std::log10(distance);
            const double rssW = std::pow(10, (20 - lossDb - 30) / 10);
            const double noiseW = 1.380649e-23 * 290 * 1e6 * std::pow(10, 0.7);
            greatest = std::max(greatest, one == other ? 0 : 1 - std::exp(-noiseW / rssW));
        }
    }
    EXPECT_NEAR(greatest, 0.3, 1e-9);
}

TEST_F(PredictionConsensusRunTest, CollaborationTeachesWhatADeviceHasNeverSeen)
{
    const std::string skewed =
        "samples=200 referenceSamples=200 rounds=8 pretrainingRounds=3 alpha=0.3 lowQuality=none ";
    EXPECT_GT(Run(skewed + "trust=dynamic").Final("accuracy_reference"),
              Run(skewed + "trust=local").Final("accuracy_reference") + 0.08);
}

TEST_F(PredictionConsensusRunTest, DevicesThatRunOutOfEnergyDoNotStopTheOthers)
{
    // Device 1 computes, and so spends, the most
    const auto run = Run("rounds=12 battery=2 slowDevices=1 slowdown=250 deadline=0.5");
    std::map<std::string, double> remaining;
    for (const auto& row : run.Rows("energy"))
    {
        remaining[row.at("device")] = std::stod(row.at("remaining_j"));
    }
    auto ended = ByDevice(run, "round");
    for (const std::string device : {"0", "1", "2", "3"})
    {
        EXPECT_EQ(ended[device].size() < 12, device == "1") << device;
        EXPECT_EQ(remaining.at(device) < 1e-8, device == "1") << device;
        EXPECT_GE(remaining.at(device), 0) << device;
    }
}

TEST_F(PredictionConsensusRunTest, DevicesWaitByDefaultUntilAllPredictionsAreThere)
{
    for (const std::string duplex : {"Half", "Full"})
    {
        for (const std::string access : {"Ofdma", "Shared"})
        {
            const auto run = Run("maxOutage=1e-9 D2dPhy::Bandwidth=1e4 D2dPhy::Duplex=" + duplex +
                                 " D2dChannel::Access=" + access);
            ExpectAllHeard(run);
            EXPECT_EQ(run.Parameter("deadline") > 5.0, duplex == "Half" || access == "Shared")
                << duplex << access; // 1.8 s each
        }
    }
}

TEST_F(PredictionConsensusRunTest, DevicesWaitForTheSlowestUnlessADeadlineIsGiven)
{
    const std::string slowly = "maxOutage=1e-9 slowDevices=1 slowdown=6000 ";
    EXPECT_EQ(Run("maxOutage=1e-9").Parameter("deadline"), 5);
    const auto slow = Run(slowly);
    // Computing between exchanges, of each device: trust and training; all of pretraining before
    std::map<std::string, double> spans;
    std::set<std::string> begun;
    double longest = 0;
    for (const auto& row : slow.Rows("latency"))
    {
        const std::string device = row.at("device");
        if (row.at("phase") == "exchange")
        {
            const double span = std::exchange(spans[device], 0);
            longest = std::max(longest, begun.insert(device).second ? 0 : span);
            continue;
        }
        spans[device] += std::stod(row.at("end_s")) - std::stod(row.at("start_s"));
    }
    EXPECT_GT(longest, 10);
    EXPECT_NEAR(double(slow.Parameter("deadline")), 1.25 * longest, 1e-6);
    ExpectAllHeard(slow);
    EXPECT_EQ(slow.Json().at("computed"), nlohmann::json({{"deadline", 0.0}}));

    const auto given = Run(slowly + "deadline=5");
    EXPECT_EQ(given.Parameter("deadline"), 5);
    EXPECT_LT(given.Sum("rounds", "messages_heard"), given.Sum("rounds", "messages_expected"));
}

TEST_F(PredictionConsensusRunTest, AgentsMayHaveModelsOfTheirOwn)
{
    const auto run = Run("models=mlp:20,linear");
    std::vector<std::string> models;
    const auto description = run.Json();
    for (const auto& device : description.at("devices"))
    {
        models.push_back(device.at("model"));
    }
    EXPECT_THAT(models, ElementsAre("mlp:20", "mlp:20", "linear", "linear"));
    // the second half has the linear model and with it the cheaper training
    std::map<std::string, double> spent;
    for (const auto& row : run.Rows("energy"))
    {
        spent[row.at("device")] = std::stod(row.at("compute_j"));
    }
    EXPECT_GT(std::min(spent.at("0"), spent.at("1")), 1.2 * std::max(spent.at("2"), spent.at("3")));
}

TEST_F(PredictionConsensusRunTest, MessagesHaveTheSizeOfTheirLabels)
{
    EXPECT_THAT(Run("consensus=majority-vote trust=naive").Read("messages", "bytes"),
                AllOf(Not(IsEmpty()), Each(23 + 50)))
        << "a byte a sample";
    const auto four = Play(RunPredictionConsensus,
                           "dataSet=gaussian-classes devices=4 samples=20 minimumSamples=8 "
                           "referenceSamples=20 testSamples=20 rounds=3 pretrainingRounds=1 "
                           "model=linear");
    EXPECT_EQ(four.Parameter("dataSet"), "gaussian-classes");
    EXPECT_THAT(four.Read("messages", "bytes"), AllOf(Not(IsEmpty()), Each(23 + 20 * 4 * 4)));
}

TEST_F(PredictionConsensusRunTest, AnExistingRunIsNotTouched)
{
    const auto parsed = Parse<PredictionConsensusParameters>(SMALL + "model=linear");
    auto& p = *parsed;
    p.runDir = m_folder / "run";
    const auto run = PlayWith(RunPredictionConsensus, p);
    const auto before = run.Files();
    EXPECT_THROW(PlayWith(RunPredictionConsensus, p), UserError);
    EXPECT_EQ(run.Files(), before);
}

TEST_F(PredictionConsensusRunTest, MistakesAreToldBeforeAnythingIsWritten)
{
    ExpectRefusals(RunPredictionConsensus,
                   SMALL,
                   {{"devices=1", "--devices=1 is not allowed"},
                    {"alpha=0", "--alpha=0 is not allowed"},
                    {"rounds=2", "of --pretrainingRounds, or --trust=local"},
                    {"lambda=-0.5", "--lambda=-0.5 is not allowed"},
                    {"lowQuality=7", "--lowQuality=7"},
                    {"lowQuality=1,x", "--lowQuality=1,x"},
                    {"trust=blind", "dynamic, static, naive, ideal, local"},
                    {"model=vgg", "linear, mlp, netcnn"},
                    {"referenceSamples=55", "55"},
                    {"samples=20000", "--samples=20000"},
                    {"dataDir=/nowhere", "/nowhere"},
                    {"dataSet=mnistt", "--dataSet=mnistt"},
                    {"dataSet=file:/nowhere", "/nowhere: cannot be opened"},
                    {"models=mlp,linear,mlp", "--models=mlp,linear,mlp"},
                    {"models=mlp,none", "=none"},
                    {"malicious=4", "--malicious=4"},
                    {"predictionPrivacy=delta=1e-5", "sigma must be given"},
                    {"malicious=0,1,2,3", "not all devices"},
                    {"domainClasses=11", "classes from 0 to 9"},
                    {"domainRotation=400", "--domainRotation=400"},
                    {"consensus=plebiscite", "--consensus=plebiscite"},
                    {"trustInterval=0", "--trustInterval=0"},
                    {"deadline=-1", "--deadline=-1"},
                    {"deadline=1e-12", "--deadline=1e-12"},
                    {"maxOutage=1", "--maxOutage=1"}});
    const auto p = Parse<PredictionConsensusParameters>(SMALL);
    p->alpha = std::nan(""); // as no command line has it
    EXPECT_THAT([&]() { PlayWith(RunPredictionConsensus, *p); },
                ::testing::ThrowsMessage<UserError>(::testing::HasSubstr("--alpha=nan")));
}
