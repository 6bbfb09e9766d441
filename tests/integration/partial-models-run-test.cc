/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Whole runs in which devices train or exchange parts of models, or scalars of seeds: --share,
// --train, --algorithm=fedkseed

#include "federated/federated-scenario.h"
#include "gossip/gossip-scenario.h"
#include "integration/scenario-test.h"
#include "integration/small-fashion.h"
#include "support/test-data.h"

#include "ns3/collab-safetensors-file.h"
#include "ns3/collab-torch-script-file.h"

#include <fmt/format.h>

using namespace ns3;
using namespace ns3::collab;
using ::testing::FloatNear;
using ::testing::Pointwise;
using ::testing::SizeIs;
using tests::PlayedRun;

namespace
{

/// Runs of four devices for two rounds
class PartialModelsRunTest : public tests::ScenarioTest
{
  protected:
    PlayedRun
    Federated(const std::string& arguments)
    {
        return Play(RunFederated, SMALL + arguments);
    }

    /// @return tensors of a model, by their names
    static std::map<std::string, std::vector<float>>
    ReadWeights(const PlayedRun& run, const std::string& name)
    {
        std::map<std::string, std::vector<float>> tensors;
        for (const auto& tensor : ReadSafetensors(run.folder / "weights" / (name + ".safetensors")))
        {
            tensors[tensor.name] = tensor.values;
        }
        return tensors;
    }

    /// @return bytes of the longest message of a kind
    static uint64_t
    SizeOf(const PlayedRun& run, const std::string& kind)
    {
        uint64_t most = 0;
        for (const auto& row : run.Rows("messages"))
        {
            if (row.at("kind") == kind)
            {
                most = std::max<uint64_t>(most, std::stoull(row.at("bytes")));
            }
        }
        return most;
    }

    const std::string SMALL = tests::SmallFashion::Argument() +
                              "devices=4 samples=48 referenceSamples=50 testSamples=100 rounds=2 "
                              "lowQuality=none saveWeights=true model=mlp:20 ";
    const std::string LORA =
        "model=script:" + GetTestData("modules/lora.pt") + " train=*.lora_*,head.* localSteps=4 ";
    const std::vector<std::string> FILES = {"rounds.csv",
                                            "messages.csv",
                                            "energy.csv",
                                            "latency.csv",
                                            "weights/device-0.safetensors",
                                            "weights/device-3.safetensors"};
};

} // namespace

TEST_F(PartialModelsRunTest, SharedTensorsAreSentAndOthersAreEachDevicesOwn)
{
    const auto run = Federated("share=fc1.*");
    EXPECT_EQ(SizeOf(run, "update"), 23 + 8 + 5 + (784 * 20 + 20) * 4);
    const auto one = ReadWeights(run, "device-0");
    const auto other = ReadWeights(run, "device-1");
    ASSERT_THAT(one, SizeIs(4));
    for (const auto& [name, values] : one)
    {
        EXPECT_EQ(values == other.at(name), name.substr(0, 4) == "fc1.") << name;
    }
    const auto personal = Federated("personalLayers=fc.*"); // said the other way round
    EXPECT_EQ(run.Text("rounds.csv"), personal.Text("rounds.csv"));
    EXPECT_EQ(run.Text("energy.csv"), personal.Text("energy.csv"));
}

TEST_F(PartialModelsRunTest, FrozenTensorsNeitherMoveNorTravel)
{
    const auto whole = Federated("rounds=1 learningRate=1e-12");
    const auto run = Federated("train=fc.*");
    EXPECT_EQ(SizeOf(run, "update"), 23 + 8 + 5 + 210 * 4);
    const auto first = ReadWeights(whole, "device-0");
    const auto one = ReadWeights(run, "device-0");
    EXPECT_EQ(one, ReadWeights(run, "device-3"));
    for (const std::string name : {"fc1.weight", "fc1.bias"})
    {
        EXPECT_THAT(one.at(name), Pointwise(FloatNear(1e-9F), first.at(name))) << name;
    }
    EXPECT_NE(one.at("fc.weight"), first.at("fc.weight"));
    EXPECT_EQ(run.Files().count("weights/server.safetensors"), 0U);
    const auto trained = Federated("");
    EXPECT_LT(run.Sum("energy", "compute_j"), 0.6 * trained.Sum("energy", "compute_j"));
    const auto shared = Federated("train=fc.* share=*"); // sent, though it never changes
    EXPECT_EQ(SizeOf(shared, "update"), 23 + 8 + 5 + 15910 * 4);
    EXPECT_EQ(ReadWeights(shared, "device-0"), one);
}

TEST_F(PartialModelsRunTest, AdaptersOfATransformerByAnyNumberOfThreadsAndInBytes)
{
    const std::string bytes = "ns3::collab::Transport::PayloadMode=Bytes";
    for (const std::string& other : {std::string("threads=2"), bytes})
    {
        const auto run = ExpectSameFiles(RunFederated, SMALL + LORA, other, FILES);
        EXPECT_EQ(SizeOf(run, "update"), 23 + 8 + 5 + (64 + 90) * 4);
        const auto weights = ReadWeights(run, "device-2");
        for (const auto& tensor :
             ReadTorchScript(GetTestData("modules/lora.pt"))) // what it began with
        {
            const bool isTrained = tensor.name.find(".lora_b") != std::string::npos ||
                                   tensor.name.substr(0, 5) == "head.";
            if (isTrained || tensor.name.find(".lora_") == std::string::npos)
            {
                EXPECT_EQ(weights.at(tensor.name) != tensor.values, isTrained) << tensor.name;
            }
        }
    }
}

TEST_F(PartialModelsRunTest, PartsOfModelsTravelByGossipToo)
{
    for (const std::string algorithm : {"dfedavgm", "braintorrent", "epidemic"})
    {
        const std::string gossip = SMALL + "rounds=3 algorithm=" + algorithm + " ";
        const auto play = [&](const std::string& more) { return Play(RunGossip, gossip + more); };
        const auto sent = [](const PlayedRun& run) {
            uint64_t most = 0;
            for (const auto& row : run.Rows("messages"))
            {
                most = std::max<uint64_t>(most, std::stoull(row.at("bytes")));
            }
            return most;
        };
        const uint64_t whole = sent(play(""));
        const auto shared = play("share=fc1.*");
        EXPECT_EQ(whole - sent(shared), 210 * 4) << algorithm;
        const auto frozen = play("train=fc.*");
        EXPECT_EQ(whole - sent(frozen), 784 * 20 * 4 + 20 * 4) << algorithm;
        const auto one = ReadWeights(shared, "device-0");
        const auto other = ReadWeights(shared, "device-2");
        EXPECT_NE(one.at("fc.weight"), other.at("fc.weight")) << algorithm;
        EXPECT_EQ(ReadWeights(frozen, "device-0").at("fc1.weight"),
                  ReadWeights(frozen, "device-2").at("fc1.weight"))
            << algorithm;
    }
}

TEST_F(PartialModelsRunTest, SeedsAndScalarsStandForModels)
{
    const std::string steps = "algorithm=fedkseed seeds=256 localSteps=5 ";
    const auto run = ExpectSameFiles(RunFederated, SMALL + steps, "threads=2", FILES);
    // Samples; format, number of seeds and of pairs; 5 seeds of 8 bits, and 5 scalars
    EXPECT_EQ(SizeOf(run, "update"), 23 + 8 + 5 + 4 + 5 + 5 * 4);
    EXPECT_EQ(SizeOf(run, "global-model"), 23 + 4 + 4 * 4 + 4 + 5 + 256 * 4);
    EXPECT_EQ(run.Parameter("uplinkCompression"), "top-k:k=5");
    EXPECT_EQ(ReadWeights(run, "device-0"), ReadWeights(run, "device-3"));
    EXPECT_EQ(run.Files().count("weights/server.safetensors"), 0U);
    const auto adapters = Federated(LORA + steps + "sgdLearningRate=0.01");
    EXPECT_EQ(SizeOf(adapters, "update"), SizeOf(run, "update")); // whatever the model
    EXPECT_LT(adapters.Final("loss_global"), 2.5);
    // Pairs of more steps would be longer than all scalars
    EXPECT_EQ(Federated(steps + "seeds=16 localSteps=16").Parameter("uplinkCompression"),
              "float32");
}

TEST_F(PartialModelsRunTest, MistakesAreToldBeforeAnythingIsWritten)
{
    const std::string names = "no tensor is called \"fc2.*\"; there are fc1.weight, fc1.bias, "
                              "fc.weight, fc.bias";
    ExpectRefusals(
        RunFederated,
        SMALL,
        {{"share=fc2.*", names},
         {"train=fc2.*", names},
         {"train=fc.* share=fc1.*", "of the 2 tensors \"fc1.*\" none is trained"},
         {"share=fc.* personalLayers=1", "--share=fc.* is not allowed; it must be empty with"},
         {"share=fc.* algorithm=feddyn", "--share=fc.*"},
         {"share=fc.* algorithm=feddf", "--share=fc.*"},
         {"share=fc.* model=stub:1000", "--model=stub:1000"},
         {"train=fc.* model=stub:1000", "--model=stub:1000"},
         {"algorithm=fedkseed model=stub:1000", "--model=stub:1000"},
         {"algorithm=fedkseed optimizer=adam", "--optimizer=adam"},
         {"algorithm=fedkseed share=fc.*", "--share=fc.*"},
         {"algorithm=fedkseed personalLayers=1", "--personalLayers=1"},
         {"algorithm=fedkseed dpSgd=clip=1,noise=1", "--dpSgd=clip=1,noise=1"},
         {"algorithm=fedkseed optimizerOptions=momentum=0.9", "--optimizerOptions=momentum=0.9"},
         {"algorithm=fedkseed rateSchedule=step:every=2,factor=0.5", "--rateSchedule=step"},
         {"algorithm=fedkseed labelSmoothing=0.1", "--labelSmoothing=0.1"},
         {"algorithm=fedkseed classWeights=balanced", "--classWeights=balanced"},
         {"algorithm=fedkseed loss=partial", "--loss=partial"},
         {"algorithm=fedkseed uplink=analog", "--uplink=analog"},
         {"algorithm=fedkseed seeds=0", "--seeds=0"},
         {"algorithm=fedkseed smoothing=0", "--smoothing=0"}});
    ExpectRefusals(RunGossip, SMALL, {{"share=fc2.*", names}, {"train=fc2.*", names}});
}
