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
#include "integration/scenario-test.h"
#include "integration/small-fashion.h"
#include "prediction-consensus/prediction-consensus-scenario.h"

#include "ns3/collab-differential-privacy.h"
#include "ns3/collab-dp-sgd.h"
#include "ns3/collab-safetensors-file.h"

#include <cmath>
#include <fmt/format.h>

using namespace ns3;
using namespace ns3::collab;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using tests::PlayedRun;

namespace
{

/// Runs of four devices for three rounds on a small part of Fashion-MNIST
class TrainingRunTest : public tests::ScenarioTest
{
  protected:
    static constexpr uint32_t DEVICES = 4;
    static constexpr uint32_t ROUNDS = 3;

    PlayedRun
    Federated(const std::string& arguments)
    {
        return Play(RunFederated, SMALL + arguments);
    }

    PlayedRun
    Gossip(const std::string& arguments)
    {
        return Play(RunGossip, SMALL + arguments);
    }

    PlayedRun
    Consensus(const std::string& arguments)
    {
        return Play(RunPredictionConsensus, CONSENSUS + arguments);
    }

    /// @return all numbers of a file of weights
    static std::vector<float>
    ReadWeights(const PlayedRun& run, const std::string& name)
    {
        std::vector<float> all;
        for (const auto& tensor : ReadSafetensors(run.folder / "weights" / (name + ".safetensors")))
        {
            all.insert(all.end(), tensor.values.begin(), tensor.values.end());
        }
        return all;
    }

    /// @return bytes of the messages of a kind
    static std::set<int>
    SizesOf(const PlayedRun& run, const std::string& kind)
    {
        std::set<int> sizes;
        for (const auto& row : run.Rows("messages"))
        {
            if (row.at("kind") == kind)
            {
                sizes.insert(std::stoi(row.at("bytes")));
            }
        }
        EXPECT_THAT(sizes, Not(IsEmpty())) << kind;
        return sizes;
    }

    const std::string SMALL = tests::SmallFashion::Argument() +
                              "devices=4 samples=48 referenceSamples=50 testSamples=100 rounds=3 "
                              "model=mlp:20 lowQuality=none ";
    const std::string CONSENSUS = SMALL + "pretrainingRounds=0 ";
    const std::string COMMITTEE = SMALL + "devices=10 activePercent=100 committeePercent=40 ";
    const std::string NO_IMAGES =
        "dataSet=gaussian-classes samples=24 testSamples=40 referenceSamples=40 ";
};

} // namespace

TEST_F(TrainingRunTest, WeightsOfARunAreTheFirstOnesOfAnother)
{
    const auto run = Federated("saveWeights=true");
    const auto server = ReadWeights(run, "server");
    ASSERT_THAT(server, SizeIs(784 * 20 + 20 + 210));
    EXPECT_EQ(ReadWeights(run, "device-3"), server); // that it got at the end

    const std::string file = run.folder / "weights" / "server.safetensors";
    const std::string still = "saveWeights=true weights=" + file + " ";
    const auto expectSame = [&server](const PlayedRun& other, const std::string& name) {
        EXPECT_THAT(ReadWeights(other, name),
                    ::testing::Pointwise(::testing::FloatNear(1e-6F), server))
            << name;
    };
    const auto federated = Federated(still + "learningRate=1e-12");
    expectSame(federated, "server");
    EXPECT_EQ(federated.Parameter("weights"), file);
    expectSame(Gossip(still + "learningRate=1e-12"), "device-2");
    const auto consensus = Consensus(still + "learningRate=1e-12");
    expectSame(consensus, "device-0");
    expectSame(consensus, "device-3");
    expectSame(Play(RunCommittee, COMMITTEE + still + "localRate=1e-9 globalRate=1e-9"), "newest");

    const std::string wrong = "model=mlp:21 weights=" + file + " ";
    const std::string text = "tensor \"fc1.weight\" of shape (20, 784), model mlp:21 has (21, 784)";
    EXPECT_THAT(FindError(RunFederated, SMALL + wrong), HasSubstr(text));
    EXPECT_THAT(FindError(RunGossip, SMALL + wrong), HasSubstr(text));
    EXPECT_THAT(FindError(RunCommittee, COMMITTEE + wrong), HasSubstr(text));
    EXPECT_THAT(FindError(RunPredictionConsensus, CONSENSUS + wrong + "models=mlp:20,mlp:21"),
                HasSubstr(text));
}

TEST_F(TrainingRunTest, PersonalLayersAreNotSent)
{
    const auto whole = Federated("");
    const auto personal = Federated("personalLayers=1 saveWeights=true");
    for (const std::string kind : {"global-model", "update"})
    {
        ASSERT_EQ(SizesOf(whole, kind).size(), SizesOf(personal, kind).size()) << kind;
        EXPECT_EQ(*SizesOf(whole, kind).begin() - *SizesOf(personal, kind).begin(), 210 * 4)
            << kind;
    }
    const auto a = ReadSafetensors(personal.folder / "weights" / "device-0.safetensors");
    const auto b = ReadSafetensors(personal.folder / "weights" / "device-1.safetensors");
    ASSERT_THAT(a, SizeIs(4));
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        EXPECT_EQ(a[i].values == b[i].values, a[i].name.substr(0, 3) == "fc1") << a[i].name;
    }
    EXPECT_EQ(personal.Files().count("weights/server.safetensors"), 0U);
    // Each is judged with its own part
    const auto countLast = [](const PlayedRun& run) {
        const auto losses = run.Read("rounds", "loss_global");
        return std::set<double>(losses.end() - DEVICES, losses.end()).size();
    };
    EXPECT_EQ(countLast(personal), DEVICES);
    EXPECT_EQ(countLast(whole), 1U);
}

TEST_F(TrainingRunTest, PersonalLayersStayWithGossipToo)
{
    for (const auto& [algorithm, kind, sent] : {std::tuple("braintorrent", "model", 1.0),
                                                std::tuple("segmented", "segment", 0.5),
                                                std::tuple("gossipfl", "part", 0.5)})
    {
        const std::string arguments =
            fmt::format("algorithm={} segments=2 fraction=0.5 ", algorithm);
        const auto whole = Gossip(arguments);
        const auto personal = Gossip(arguments + "personalLayers=fc.*");
        EXPECT_EQ(*SizesOf(whole, kind).rbegin() - *SizesOf(personal, kind).rbegin(),
                  210 * 4 * sent)
            << algorithm;
    }
}

TEST_F(TrainingRunTest, PrivateStepsTellWhatTheySpend)
{
    // 9 of 36 samples a step
    const std::string steps =
        "partition=iid batchSize=9 localEpochs=2 dpSgd=clip=1,noise=1.3,delta=1e-4 ";
    const auto run = Federated(steps);
    RenyiAccountant accountant;
    accountant.AddSteps(0.25, 1.3, ROUNDS * 2 * 4);
    const auto spent = run.Read("privacy", "epsilon");
    ASSERT_THAT(spent, SizeIs(DEVICES));
    EXPECT_NEAR(spent[0], accountant.GetEpsilon(1e-4), 1e-9);
    EXPECT_EQ(run.Read("privacy", "delta")[3], 1e-4);
    const auto uncovered = Contains(HasSubstr("epsilon (--dpSgd) does not cover it"));
    EXPECT_THAT(run.Hints(), Not(uncovered));
    EXPECT_THAT(Federated(steps + "referenceSource=clients").Hints(), uncovered);
}

TEST_F(TrainingRunTest, NumbersOfThreadsChangeNothing)
{
    const std::string random = "dpSgd=clip=1,noise=0.5 augmentation=shift=2,flip=0.5,noise=0.1 "
                               "batchSize=8 localEpochs=2 saveWeights=true ";
    const std::vector<std::string> files = {"privacy.csv", "weights/device-1.safetensors"};
    ExpectSameFiles(RunFederated, SMALL + random + "personalLayers=1", "threads=3", files);
    ExpectSameFiles(RunGossip, SMALL + random + "personalLayers=1", "threads=3", files);
    ExpectSameFiles(RunPredictionConsensus, CONSENSUS + random, "threads=3", files);
}

TEST_F(TrainingRunTest, AugmentationChangesWhatIsLearned)
{
    const auto plain = Consensus("");
    const auto augmented = Consensus("augmentation=rotation=20");
    EXPECT_NE(plain.Text("rounds.csv"), augmented.Text("rounds.csv"));
    EXPECT_EQ(plain.Text("energy.csv"), augmented.Text("energy.csv")); // not counted
    EXPECT_EQ(augmented.Parameter("augmentation"), "rotation=20");
}

TEST_F(TrainingRunTest, WhatCompressionLosesIsSentLater)
{
    const std::string few = "uplinkCompression=top-k:fraction=0.01 ";
    const auto plain = Federated(few);
    const auto feedback = Federated(few + "errorFeedback=true");
    EXPECT_EQ(SizesOf(plain, "update"), SizesOf(feedback, "update"));
    const auto before = plain.Read("rounds", "loss_global");
    const auto after = feedback.Read("rounds", "loss_global");
    EXPECT_TRUE(std::equal(before.begin(), before.begin() + DEVICES, after.begin()))
        << "nothing lost yet";
    EXPECT_NE(before.back(), after.back());
}

TEST_F(TrainingRunTest, UpdatesArePrivate)
{
    const std::string noisy = "updatePrivacy=clip=0.5,sigma=2,delta=1e-3 ";
    const auto rows = Federated(noisy + "dpSgd=clip=1,noise=1").Rows("privacy");
    ASSERT_THAT(rows, SizeIs(2 * DEVICES));
    EXPECT_EQ(rows[0].at("mechanism"), "steps");
    EXPECT_EQ(rows[DEVICES].at("mechanism"), "updates");
    EXPECT_NEAR(
        std::stod(rows[DEVICES].at("epsilon")), ComposedGaussianEpsilon(1, 2, 1e-3, ROUNDS), 1e-9);
    // Who forges keeps to no privacy
    EXPECT_THAT(Federated(noisy + "attack=same-value maliciousPercent=25").Rows("privacy"),
                SizeIs(DEVICES - 1));
}

TEST_F(TrainingRunTest, DevicesHaveDifferentSizes)
{
    const auto run = Gossip("partition=quantity minimumSamples=8 rounds=1").Json();
    std::vector<uint32_t> sizes;
    for (const auto& device : run.at("devices"))
    {
        sizes.push_back(uint32_t(device["train_samples"]) + uint32_t(device["test_samples"]));
        std::istringstream ofClasses{std::string(device["class_samples"])};
        EXPECT_EQ(std::accumulate(std::istream_iterator<uint32_t>(ofClasses), {}, 0U),
                  sizes.back());
    }
    // 192 samples by 1, 1/2, 1/3 and 1/4 of 25/12
    EXPECT_THAT(sizes, ElementsAre(92, 46, 31, 23));
}

TEST_F(TrainingRunTest, DevicesHaveDifferentSensors)
{
    const auto countResults = [this](auto run, const std::string& arguments) {
        std::set<std::string> results;
        for (const std::string sensor : {"", "featureRotations=0,90,180,270", "featureNoise=0.5"})
        {
            results.insert(Play(run, arguments + "rounds=1 " + sensor).Text("rounds.csv"));
        }
        return results.size();
    };
    EXPECT_EQ(countResults(RunGossip, SMALL), 3U);
    EXPECT_EQ(countResults(RunFederated, SMALL), 3U);
    EXPECT_EQ(countResults(RunPredictionConsensus, CONSENSUS), 3U);
    EXPECT_EQ(countResults(RunCommittee, COMMITTEE), 3U);
}

TEST_F(TrainingRunTest, FewSamplesNeedNoOtherMinimum)
{
    EXPECT_EQ(Gossip("samples=40 rounds=1").Parameter("minimumSamples"), 10);
}

TEST_F(TrainingRunTest, MistakesAreToldBeforeAnythingIsWritten)
{
    const std::string privacy = "updatePrivacy=clip=1,sigma=1 ";
    const std::string resnet = "model=resnet20 ";
    ExpectRefusals(
        RunFederated,
        SMALL,
        {{"model=stub:1000 saveWeights=true", "no stub"},
         {"personalLayers=2",
          "--personalLayers=2 is not allowed: 2 personal layers of a model of 2 (fc1, fc), "
          "expected 1 to 1"},
         {"personalLayers=last", "no tensor is called \"last\""},
         {"personalLayers=1 algorithm=feddyn", "empty with feddyn"},
         {"personalLayers=1 model=stub:1000", "no stub"},
         {"dpSgd=clip=1", "--dpSgd=clip=1 is not allowed: clip and noise"},
         {"dpSgd=clip=1,noise=1 classWeights=balanced", "none with dpSgd"},
         {resnet + "dpSgd=clip=1,noise=1", "DP-SGD with model resnet20"},
         {"updatePrivacy=clip=1", "clip and sigma must be given"},
         {privacy + "algorithm=scaffold", "with scaffold and semi-decentralized"},
         {resnet + privacy, "running variances"},
         {resnet + "errorFeedback=true uplinkCompression=top-k:fraction=0.1",
          "--errorFeedback=true is not allowed"},
         {resnet + "errorFeedback=true uplinkCompression=top-k:fraction=0.1", "running variances"},
         {resnet + "uplinkCompression=random-k:fraction=0.1,unbiased=1", "--uplinkCompression"},
         {resnet + "uplinkCompression=random-k:fraction=0.1,unbiased=1", "running variances"},
         {"algorithm=feddyn errorFeedback=true uplinkCompression=top-k:fraction=0.1",
          "--errorFeedback=true"},
         {"errorFeedback=true uplinkCompression=random-k:fraction=0.1,unbiased=1",
          "grow without bound"}});
    ExpectRefusals(RunGossip,
                   SMALL,
                   {{"weights=/nothing", "/nothing: cannot be opened"},
                    {"samples=40 minimumSamples=41", "--minimumSamples=41 is not allowed"},
                    {"featureRotations=90;180", "angles from -360 to 360"},
                    {"featureRotations=90 partition=writers", "styles of their own"},
                    {NO_IMAGES + "featureRotations=90 partition=iid", "are no images"}});
    ExpectRefusals(RunPredictionConsensus,
                   CONSENSUS,
                   {{"augmentation=turn=20", "--augmentation=turn=20"},
                    {NO_IMAGES + "augmentation=flip=0.5", "are no images"}});
}
