/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Whole runs with modules that PyTorch has exported: --model=script:FILE

#include "committee/committee-scenario.h"
#include "federated/federated-scenario.h"
#include "integration/scenario-test.h"
#include "integration/small-fashion.h"
#include "prediction-consensus/prediction-consensus-scenario.h"
#include "support/test-data.h"

#include "ns3/collab-safetensors-file.h"
#include "ns3/collab-torch-script-file.h"

using namespace ns3;
using namespace ns3::collab;
using ::testing::AllOf;
using ::testing::Each;
using tests::PlayedRun;

namespace
{

/// A residual network, a transformer encoder or an LSTM, by its file
class ScriptModelRunTest : public tests::ScenarioTest,
                           public ::testing::WithParamInterface<std::string>
{
  protected:
    /// @brief Expect that a run has ended well and has trained all tensors of the module.
    /// @param run its folder
    /// @param weights name of its file of weights
    /// @param hasState whether running statistics are expected to be others too
    void
    ExpectTrained(const PlayedRun& run, const std::string& weights, bool hasState = true) const
    {
        SCOPED_TRACE(run.folder);
        EXPECT_NE(run.Text("run.json"), ""); // moved here in the end
        EXPECT_FALSE(std::filesystem::exists(run.folder.string() + ".partial"));
        std::map<std::string, std::vector<float>> before;
        for (const auto& tensor : ReadTorchScript(MODULE))
        {
            before[tensor.name] = tensor.values;
        }
        const auto after = ReadSafetensors(run.folder / "weights" / (weights + ".safetensors"));
        ASSERT_FALSE(after.empty());
        for (const auto& tensor : after)
        {
            ASSERT_EQ(before.count(tensor.name), 1U) << tensor.name;
            EXPECT_EQ(before[tensor.name].size(), tensor.values.size()) << tensor.name;
            const bool changes = hasState || tensor.name.find(".running_") == std::string::npos;
            EXPECT_EQ(before[tensor.name] != tensor.values, changes) << tensor.name;
        }
    }

    /// Expect that accuracies are parts of samples, in as many rows as there are at least
    static void
    ExpectAccuracies(const PlayedRun& run, std::size_t rows)
    {
        const auto accuracies = run.Read("rounds", "accuracy_global");
        EXPECT_GE(accuracies.size(), rows);
        EXPECT_THAT(accuracies, Each(AllOf(::testing::Ge(0), ::testing::Le(1))));
    }

    const std::string MODULE = GetTestData("modules/" + GetParam() + ".pt");
    const std::string SMALL = tests::SmallFashion::Argument() +
                              "devices=3 samples=24 minimumSamples=8 referenceSamples=20 "
                              "testSamples=20 rounds=1 lowQuality=none saveWeights=true "
                              "model=script:" +
                              MODULE + " ";
};

} // namespace

TEST_P(ScriptModelRunTest, PredictionConsensusTrainsIt)
{
    const auto run =
        Play(RunPredictionConsensus, SMALL + "rounds=2 pretrainingRounds=1 localEpochs=1");
    ExpectTrained(run, "device-0");
    ExpectTrained(run, "device-2");
    ExpectAccuracies(run, 6); // 3 devices, 2 rounds
    const auto heard = run.Read("rounds", "messages_heard");
    EXPECT_EQ(*std::max_element(heard.begin(), heard.end()), 2);
}

TEST_P(ScriptModelRunTest, FederatedTrainsItByAnyNumberOfThreads)
{
    const auto run = ExpectSameFiles(RunFederated,
                                     SMALL + "localEpochs=1",
                                     "threads=2",
                                     {"rounds.csv",
                                      "messages.csv",
                                      "energy.csv",
                                      "latency.csv",
                                      "weights/server.safetensors",
                                      "weights/device-1.safetensors"});
    ExpectTrained(run, "server");
    ExpectAccuracies(run, 3);
}

TEST_P(ScriptModelRunTest, CommitteeTrainsIt)
{
    const auto run = Play(RunCommittee,
                          SMALL + "devices=8 activePercent=100 committeePercent=40 "
                                  "attemptTimeout=60 scoreTimeout=60 localSteps=4");
    ExpectTrained(run, "newest", false); // a gradient has none
    ExpectAccuracies(run, 8);
}

INSTANTIATE_TEST_SUITE_P(Modules,
                         ScriptModelRunTest,
                         ::testing::Values("resnet", "transformer", "lstm"),
                         [](const auto& instance) { return instance.param; });
