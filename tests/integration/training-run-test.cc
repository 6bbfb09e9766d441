/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Whole runs with what is about training: weights to begin with and at the end, personal layers,
// private steps, augmentation.

#include "committee/committee-scenario.h"
#include "federated/federated-scenario.h"
#include "gossip/gossip-scenario.h"
#include "prediction-consensus/prediction-consensus-scenario.h"
#include "support/run-files.h"
#include "support/temporary-folder.h"

#include "ns3/collab-differential-privacy.h"
#include "ns3/collab-dp-sgd.h"
#include "ns3/collab-error.h"
#include "ns3/collab-safetensors-file.h"
#include "ns3/config.h"
#include "ns3/rng-seed-manager.h"

#include <cmath>
#include <gmock/gmock.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <sstream>

using namespace ns3;
using namespace ns3::collab;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using tests::ReadColumn;
using tests::ReadFile;

namespace
{

constexpr uint32_t DEVICES = 4;
constexpr uint32_t ROUNDS = 3;

class TrainingRunTest : public tests::TemporaryFolder
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
    template <typename Parameters>
    Parameters
    Small(const std::string& name) const
    {
        Parameters p;
        p.devices = DEVICES;
        p.samples = 48;
        p.referenceSamples = 50;
        p.testSamples = 100;
        p.rounds = ROUNDS;
        if constexpr (std::is_same_v<Parameters, PredictionConsensusParameters>)
        {
            p.pretrainingRounds = 0;
        }
        p.model = "mlp:20";
        p.lowQuality = "none";
        p.runDir = m_folder / name;
        p.quiet = true;
        return p;
    }

    /// Make parameters of a small run of the committee
    CommitteeParameters
    SmallCommittee(const std::string& name) const
    {
        auto p = Small<CommitteeParameters>(name);
        p.devices = 10;
        p.activePercent = 100;
        p.committeePercent = 40;
        return p;
    }

    template <typename Parameters>
    std::filesystem::path
    Run(const Parameters& p, void (*run)(Parameters, std::ostream&)) const
    {
        std::ostringstream output;
        run(p, output);
        return p.runDir;
    }

    /// @return what a run says that limits its results
    static std::vector<std::string>
    ReadHints(const std::filesystem::path& run)
    {
        return nlohmann::json::parse(ReadFile(run / "run.json")).at("hints");
    }

    /// @return what a run says against its parameters; it must not have begun
    template <typename Parameters>
    std::string
    Refusal(const Parameters& p, void (*run)(Parameters, std::ostream&)) const
    {
        try
        {
            Run(p, run);
        }
        catch (const UserError& error)
        {
            EXPECT_FALSE(std::filesystem::exists(p.runDir + ".partial"));
            return error.what();
        }
        catch (const DataFileError& error)
        {
            EXPECT_FALSE(std::filesystem::exists(p.runDir + ".partial"));
            return error.what();
        }
        return "";
    }

    /// @return all numbers of a file of weights
    static std::vector<float>
    ReadWeights(const std::filesystem::path& run, const std::string& name)
    {
        std::vector<float> all;
        for (const auto& tensor : ReadSafetensors(run / "weights" / (name + ".safetensors")))
        {
            all.insert(all.end(), tensor.values.begin(), tensor.values.end());
        }
        return all;
    }

    /// @return greatest distance between elements
    static double
    Distance(const std::vector<float>& a, const std::vector<float>& b)
    {
        double greatest = a.size() == b.size() ? 0 : 1e9;
        for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        {
            greatest = std::max(greatest, std::abs(double{a[i]} - double{b[i]}));
        }
        return greatest;
    }

    /// @return bytes of the messages of a kind
    static std::set<double>
    SizesOf(const std::filesystem::path& run, const std::string& kind)
    {
        const auto rows = tests::ReadCsvRows(run / "messages.csv");
        const auto column = [&rows](const char* name) {
            return std::find(rows[0].begin(), rows[0].end(), name) - rows[0].begin();
        };
        std::set<double> sizes;
        for (std::size_t i = 1; i < rows.size(); ++i)
        {
            if (rows[i][column("kind")] == kind)
            {
                sizes.insert(std::stod(rows[i][column("bytes")]));
            }
        }
        return sizes;
    }
};

TEST_F(TrainingRunTest, WeightsOfARunAreTheFirstOnesOfAnother)
{
    auto first = Small<FederatedParameters>("first");
    first.saveWeights = true;
    const auto run = Run(first, RunFederated);
    const auto server = ReadWeights(run, "server");
    ASSERT_EQ(server.size(), 784U * 20 + 20 + 210);
    EXPECT_EQ(ReadWeights(run, "device-3"), server); // that it got at the end

    const std::string file = run / "weights" / "server.safetensors";
    const auto standStill = [&](auto p) {
        p.initialWeights = file;
        p.saveWeights = true;
        p.learningRate = 1e-12;
        return p;
    };
    const auto federated = Run(standStill(Small<FederatedParameters>("federated")), RunFederated);
    EXPECT_LT(Distance(ReadWeights(federated, "server"), server), 1e-6);
    const auto gossip = Run(standStill(Small<GossipParameters>("gossip")), RunGossip);
    EXPECT_LT(Distance(ReadWeights(gossip, "device-2"), server), 1e-6);
    const auto consensus =
        Run(standStill(Small<PredictionConsensusParameters>("consensus")), RunPredictionConsensus);
    EXPECT_LT(Distance(ReadWeights(consensus, "device-0"), server), 1e-6);
    EXPECT_LT(Distance(ReadWeights(consensus, "device-3"), server), 1e-6);

    auto committee = standStill(SmallCommittee("committee"));
    committee.localRate = 1e-9;
    committee.globalRate = 1e-9;
    EXPECT_LT(Distance(ReadWeights(Run(committee, RunCommittee), "newest"), server), 1e-6);
    const auto json = nlohmann::json::parse(ReadFile(federated / "run.json"));
    EXPECT_EQ(json["parameters"]["weights"], file);
}

TEST_F(TrainingRunTest, WeightsMustBeThoseOfTheModel)
{
    auto first = Small<FederatedParameters>("first");
    first.saveWeights = true;
    first.rounds = 1;
    const auto run = Run(first, RunFederated);
    const std::string file = run / "weights" / "server.safetensors";
    const std::string text = "tensor \"fc1.weight\" of shape (20, 784), model mlp:21 has (21, 784)";
    const auto wrong = [&](auto p) {
        p.initialWeights = file;
        p.model = "mlp:21";
        return p;
    };
    EXPECT_THAT(Refusal(wrong(Small<FederatedParameters>("no")), RunFederated), HasSubstr(text));
    EXPECT_THAT(Refusal(wrong(Small<GossipParameters>("no")), RunGossip), HasSubstr(text));
    EXPECT_THAT(Refusal(wrong(SmallCommittee("no")), RunCommittee), HasSubstr(text));
    auto mixed = wrong(Small<PredictionConsensusParameters>("no"));
    mixed.models = "mlp:20,mlp:21";
    EXPECT_THAT(Refusal(mixed, RunPredictionConsensus), HasSubstr(text));
    auto missing = Small<GossipParameters>("no");
    missing.initialWeights = m_folder / "nothing";
    EXPECT_THAT(Refusal(missing, RunGossip), HasSubstr("nothing: cannot be opened"));
    auto stub = Small<FederatedParameters>("no");
    stub.model = "stub:1000";
    stub.saveWeights = true;
    EXPECT_THAT(Refusal(stub, RunFederated), HasSubstr("no stub"));
}

TEST_F(TrainingRunTest, PersonalLayersAreNotSent)
{
    auto p = Small<FederatedParameters>("whole");
    const auto whole = Run(p, RunFederated);
    p.runDir = m_folder / "personal";
    p.personalLayers = "1";
    p.saveWeights = true;
    const auto personal = Run(p, RunFederated);
    for (const std::string kind : {"global-model", "update"})
    {
        ASSERT_EQ(SizesOf(whole, kind).size(), SizesOf(personal, kind).size()) << kind;
        EXPECT_EQ(*SizesOf(whole, kind).begin() - *SizesOf(personal, kind).begin(),
                  (20 * 10 + 10) * 4)
            << kind;
    }
    const auto a = ReadSafetensors(personal / "weights" / "device-0.safetensors");
    const auto b = ReadSafetensors(personal / "weights" / "device-1.safetensors");
    ASSERT_EQ(a.size(), 4U);
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        EXPECT_EQ(a[i].values == b[i].values, a[i].name.substr(0, 3) == "fc1") << a[i].name;
    }
    EXPECT_FALSE(std::filesystem::exists(personal / "weights" / "server.safetensors"));
    // Each is judged with its own part
    const auto losses = ReadColumn(personal, "rounds", "loss_global");
    const std::set<double> last(losses.end() - DEVICES, losses.end());
    EXPECT_EQ(last.size(), DEVICES);
    const auto same = ReadColumn(whole, "rounds", "loss_global");
    EXPECT_EQ(std::set<double>(same.end() - DEVICES, same.end()).size(), 1U);
}

TEST_F(TrainingRunTest, PersonalLayersStayWithGossipToo)
{
    for (const auto& [algorithm, kind] : {std::pair{"braintorrent", "model"},
                                          std::pair{"segmented", "segment"},
                                          std::pair{"gossipfl", "part"}})
    {
        auto p = Small<GossipParameters>(std::string(algorithm) + "-whole");
        p.algorithm = algorithm;
        p.segments = 2;
        p.fraction = 0.5;
        const auto whole = Run(p, RunGossip);
        p.runDir = m_folder / algorithm;
        p.personalLayers = "fc.*";
        const auto personal = Run(p, RunGossip);
        const double sent = p.algorithm == "braintorrent" ? 1 : 0.5; // of the weights
        ASSERT_FALSE(SizesOf(whole, kind).empty()) << algorithm;
        ASSERT_FALSE(SizesOf(personal, kind).empty()) << algorithm;
        EXPECT_EQ(*SizesOf(whole, kind).rbegin() - *SizesOf(personal, kind).rbegin(),
                  210 * 4 * sent)
            << algorithm;
    }
}

TEST_F(TrainingRunTest, PersonalLayersMustBeThere)
{
    auto p = Small<FederatedParameters>("no");
    p.personalLayers = "2";
    EXPECT_THAT(Refusal(p, RunFederated),
                HasSubstr("--personalLayers=2 is not allowed: 2 personal layers of a model of 2 "
                          "(fc1, fc), expected 1 to 1"));
    p.personalLayers = "last";
    EXPECT_THAT(Refusal(p, RunFederated), HasSubstr("no tensor is called \"last\""));
    p.personalLayers = "1";
    p.algorithm = "feddyn";
    EXPECT_THAT(Refusal(p, RunFederated), HasSubstr("empty with feddyn"));
    p.algorithm = "fedavg";
    p.model = "stub:1000";
    EXPECT_THAT(Refusal(p, RunFederated), HasSubstr("no stub"));
}

TEST_F(TrainingRunTest, PrivateStepsTellWhatTheySpend)
{
    auto p = Small<FederatedParameters>("private");
    p.partition = "iid";
    p.batchSize = 9; // of 36 samples
    p.localEpochs = 2;
    p.dpSgd = "clip=1,noise=1.3,delta=1e-4";
    const auto run = Run(p, RunFederated);
    RenyiAccountant accountant;
    accountant.AddSteps(0.25, 1.3, ROUNDS * 2 * 4);
    const auto spent = ReadColumn(run, "privacy", "epsilon");
    ASSERT_EQ(spent.size(), DEVICES);
    EXPECT_NEAR(spent[0], accountant.GetEpsilon(1e-4), 1e-9);
    EXPECT_EQ(ReadColumn(run, "privacy", "delta")[3], 1e-4);
    const auto uncovered = Contains(HasSubstr("epsilon (--dpSgd) does not cover it"));
    EXPECT_THAT(ReadHints(run), Not(uncovered));
    p.runDir = m_folder / "clients";
    p.referenceSource = "clients";
    EXPECT_THAT(ReadHints(Run(p, RunFederated)), uncovered);

    p.runDir = m_folder / "no";
    p.dpSgd = "clip=1";
    EXPECT_THAT(Refusal(p, RunFederated),
                HasSubstr("--dpSgd=clip=1 is not allowed: clip and noise"));
    p.dpSgd = "clip=1,noise=1";
    p.classWeights = "balanced";
    EXPECT_THAT(Refusal(p, RunFederated), HasSubstr("none with dpSgd"));
    p.classWeights = "none";
    p.model = "resnet20";
    EXPECT_THAT(Refusal(p, RunFederated), HasSubstr("DP-SGD with model resnet20"));
}

TEST_F(TrainingRunTest, NumbersOfThreadsChangeNothing)
{
    const auto expectSame = [this](auto p, auto run, const std::string& name) {
        p.dpSgd = "clip=1,noise=0.5";
        p.augmentation = "shift=2,flip=0.5,noise=0.1";
        p.batchSize = 8;
        p.saveWeights = true;
        p.runDir = m_folder / (name + "-one");
        p.threads = 1;
        const auto one = Run(p, run);
        p.runDir = m_folder / (name + "-three");
        p.threads = 3;
        const auto three = Run(p, run);
        for (const std::string table : {"rounds", "messages", "energy", "latency", "privacy"})
        {
            EXPECT_EQ(ReadFile(one / (table + ".csv")), ReadFile(three / (table + ".csv")))
                << name << " " << table;
        }
        EXPECT_EQ(ReadWeights(one, "device-1"), ReadWeights(three, "device-1"));
    };
    auto federated = Small<FederatedParameters>("");
    federated.personalLayers = "1";
    expectSame(federated, RunFederated, "federated");
    auto gossip = Small<GossipParameters>("");
    gossip.personalLayers = "1";
    expectSame(gossip, RunGossip, "gossip");
    expectSame(Small<PredictionConsensusParameters>(""), RunPredictionConsensus, "consensus");
}

TEST_F(TrainingRunTest, AugmentationChangesWhatIsLearned)
{
    auto p = Small<PredictionConsensusParameters>("plain");
    const auto plain = Run(p, RunPredictionConsensus);
    p.runDir = m_folder / "augmented";
    p.augmentation = "rotation=20";
    const auto augmented = Run(p, RunPredictionConsensus);
    EXPECT_NE(ReadFile(plain / "rounds.csv"), ReadFile(augmented / "rounds.csv"));
    EXPECT_EQ(ReadFile(plain / "energy.csv"), ReadFile(augmented / "energy.csv")); // not counted
    const auto json = nlohmann::json::parse(ReadFile(augmented / "run.json"));
    EXPECT_EQ(json["parameters"]["augmentation"], "rotation=20");
    p.runDir = m_folder / "no";
    p.augmentation = "turn=20";
    EXPECT_THAT(Refusal(p, RunPredictionConsensus), HasSubstr("--augmentation=turn=20"));
    p.dataSet = "gaussian-classes";
    p.samples = 24;
    p.testSamples = 40;
    p.referenceSamples = 40;
    p.augmentation = "flip=0.5";
    EXPECT_THAT(Refusal(p, RunPredictionConsensus), HasSubstr("are no images"));
}

TEST_F(TrainingRunTest, UpdatesArePrivateAndLossesAreSentLater)
{
    auto p = Small<FederatedParameters>("topk");
    p.uplinkCompression = "top-k:fraction=0.01";
    const auto plain = Run(p, RunFederated);
    p.runDir = m_folder / "feedback";
    p.errorFeedback = true;
    const auto feedback = Run(p, RunFederated);
    EXPECT_EQ(SizesOf(plain, "update"), SizesOf(feedback, "update"));
    const auto before = ReadColumn(plain, "rounds", "loss_global");
    const auto after = ReadColumn(feedback, "rounds", "loss_global");
    EXPECT_EQ(std::vector<double>(before.begin(), before.begin() + DEVICES),
              std::vector<double>(after.begin(), after.begin() + DEVICES)); // nothing lost yet
    EXPECT_NE(before.back(), after.back());

    auto q = Small<FederatedParameters>("noisy");
    q.updatePrivacy = "clip=0.5,sigma=2,delta=1e-3";
    q.dpSgd = "clip=1,noise=1";
    const auto noisy = Run(q, RunFederated);
    const auto rows = tests::ReadCsvRows(noisy / "privacy.csv");
    ASSERT_EQ(rows.size(), 1 + 2 * DEVICES);
    EXPECT_EQ(rows[1][1], "steps");
    EXPECT_EQ(rows[1 + DEVICES][1], "updates");
    EXPECT_NEAR(std::stod(rows[1 + DEVICES][3]), ComposedGaussianEpsilon(1, 2, 1e-3, ROUNDS), 1e-9);

    auto forged = Small<FederatedParameters>("forged");
    forged.updatePrivacy = q.updatePrivacy;
    forged.attack = "same-value";
    forged.maliciousPercent = 100.0 / DEVICES;
    // Who forges keeps to no privacy
    EXPECT_EQ(ReadColumn(Run(forged, RunFederated), "privacy", "device").size(), DEVICES - 1);

    q.runDir = m_folder / "no";
    q.updatePrivacy = "clip=1";
    EXPECT_THAT(Refusal(q, RunFederated), HasSubstr("clip and sigma must be given"));
    q.updatePrivacy = "clip=1,sigma=1";
    q.algorithm = "scaffold";
    EXPECT_THAT(Refusal(q, RunFederated), HasSubstr("with scaffold and semi-decentralized"));
    q.algorithm = "fedavg";
    q.dpSgd.clear();
    q.model = "resnet20";
    EXPECT_THAT(Refusal(q, RunFederated), HasSubstr("running variances"));
    q.updatePrivacy.clear();
    q.errorFeedback = true;
    q.uplinkCompression = "top-k:fraction=0.1";
    EXPECT_THAT(Refusal(q, RunFederated),
                AllOf(HasSubstr("--errorFeedback=true"), HasSubstr("running variances")));
    q.errorFeedback = false;
    q.uplinkCompression = "random-k:fraction=0.1,unbiased=1";
    EXPECT_THAT(Refusal(q, RunFederated),
                AllOf(HasSubstr("--uplinkCompression"), HasSubstr("running variances")));
    p.runDir = m_folder / "no";
    p.algorithm = "feddyn";
    EXPECT_THAT(Refusal(p, RunFederated), HasSubstr("--errorFeedback=true"));
    p.algorithm = "fedavg";
    p.uplinkCompression = "random-k:fraction=0.1,unbiased=1";
    EXPECT_THAT(Refusal(p, RunFederated), HasSubstr("grow without bound"));
}

TEST_F(TrainingRunTest, DevicesHaveDifferentSizesAndSensors)
{
    auto p = Small<GossipParameters>("plain");
    p.partition = "quantity";
    p.minimumSamples = 8;
    p.rounds = 1;
    const auto plain = Run(p, RunGossip);
    const auto json = nlohmann::json::parse(ReadFile(plain / "run.json"));
    std::vector<uint32_t> sizes;
    for (const auto& device : json["devices"])
    {
        sizes.push_back(device["train_samples"].get<uint32_t>() +
                        device["test_samples"].get<uint32_t>());
        std::istringstream ofClasses(device["class_samples"].get<std::string>());
        EXPECT_EQ(std::accumulate(std::istream_iterator<uint32_t>(ofClasses), {}, 0U),
                  sizes.back());
    }
    // 192 samples by 1, 1/2, 1/3 and 1/4 of 25/12
    EXPECT_THAT(sizes, ::testing::ElementsAre(92, 46, 31, 23));
    const auto expectOther = [&](auto q, auto run, const std::string& name) {
        q.partition = "quantity";
        q.minimumSamples = 8;
        q.rounds = 1;
        q.runDir = m_folder / (name + "-plain");
        const auto same = Run(q, run);
        q.runDir = m_folder / (name + "-turned");
        q.featureRotations = "0,90,180,270";
        const auto turned = Run(q, run);
        q.runDir = m_folder / (name + "-noisy");
        q.featureRotations = "";
        q.featureNoise = 0.5;
        const auto noisy = Run(q, run);
        EXPECT_NE(ReadFile(same / "rounds.csv"), ReadFile(turned / "rounds.csv")) << name;
        EXPECT_NE(ReadFile(same / "rounds.csv"), ReadFile(noisy / "rounds.csv")) << name;
    };
    expectOther(Small<GossipParameters>(""), RunGossip, "gossip");
    expectOther(Small<FederatedParameters>(""), RunFederated, "federated");
    expectOther(Small<PredictionConsensusParameters>(""), RunPredictionConsensus, "consensus");
    expectOther(SmallCommittee(""), RunCommittee, "committee");

    p.runDir = m_folder / "no";
    p.featureRotations = "90;180";
    EXPECT_THAT(Refusal(p, RunGossip), HasSubstr("angles from -360 to 360"));
    p.featureRotations = "90";
    p.partition = "writers";
    EXPECT_THAT(Refusal(p, RunGossip), HasSubstr("styles of their own"));
    p.partition = "iid";
    p.dataSet = "gaussian-classes";
    p.samples = 24;
    p.testSamples = 40;
    p.referenceSamples = 40;
    EXPECT_THAT(Refusal(p, RunGossip), HasSubstr("are no images"));
}

TEST_F(TrainingRunTest, FewSamplesNeedNoOtherMinimum)
{
    auto p = Small<GossipParameters>("few");
    p.samples = 40;
    p.rounds = 1;
    const auto run = Run(p, RunGossip);
    EXPECT_EQ(nlohmann::json::parse(ReadFile(run / "run.json"))["parameters"]["minimumSamples"],
              10);
    p.runDir = m_folder / "no";
    p.minimumSamples = 41;
    EXPECT_THAT(Refusal(p, RunGossip), HasSubstr("--minimumSamples=41 is not allowed"));
}

} // namespace
