/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Whole runs with modules that PyTorch has exported: --model=script:FILE

#include "committee/committee-scenario.h"
#include "federated/federated-scenario.h"
#include "prediction-consensus/prediction-consensus-scenario.h"
#include "support/run-files.h"
#include "support/temporary-folder.h"
#include "support/test-data.h"

#include "ns3/collab-safetensors-file.h"
#include "ns3/collab-torch-script-file.h"
#include "ns3/config.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::collab;
using tests::ReadColumn;
using tests::ReadFile;

namespace
{

/// A residual network, a transformer encoder or an LSTM, by its file
class ScriptModelRunTest : public tests::TemporaryFolder,
                           public ::testing::WithParamInterface<std::string>
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

    /// @return parameters of a small run with the module
    template <typename Parameters>
    Parameters
    Small(const std::string& name, uint32_t devices) const
    {
        Parameters p;
        p.devices = devices;
        p.samples = 24;
        p.minimumSamples = 8;
        p.referenceSamples = 20;
        p.testSamples = 40;
        p.rounds = 1;
        p.model = "script:" + GetTestData("modules/" + GetParam() + ".pt");
        p.lowQuality = "none";
        p.saveWeights = true;
        p.runDir = m_folder / name;
        p.quiet = true;
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

    /**
     * @brief Expect that a run has ended well and has trained all tensors of the module.
     * @param run its folder
     * @param weights name of its file of weights
     * @param hasState whether running statistics are expected to be others too
     */
    void
    ExpectTrained(const std::filesystem::path& run,
                  const std::string& weights,
                  bool hasState = true) const
    {
        SCOPED_TRACE(run);
        EXPECT_TRUE(std::filesystem::exists(run / "run.json")); // moved here in the end
        EXPECT_FALSE(std::filesystem::exists(run.string() + ".partial"));
        std::map<std::string, std::vector<float>> before;
        for (const auto& tensor : ReadTorchScript(GetTestData("modules/" + GetParam() + ".pt")))
        {
            before[tensor.name] = tensor.values;
        }
        const auto after = ReadSafetensors(run / "weights" / (weights + ".safetensors"));
        ASSERT_FALSE(after.empty());
        for (const auto& tensor : after)
        {
            ASSERT_EQ(before.count(tensor.name), 1U) << tensor.name;
            EXPECT_EQ(before[tensor.name].size(), tensor.values.size()) << tensor.name;
            const bool changes = hasState || tensor.name.find(".running_") == std::string::npos;
            EXPECT_EQ(before[tensor.name] != tensor.values, changes) << tensor.name;
        }
    }

    /**
     * @brief Expect that a column has a part of samples in every row.
     * @param run folder of a run
     * @param column of the table "rounds"
     * @param rows how many there must be at least
     */
    static void
    ExpectAccuracies(const std::filesystem::path& run, const std::string& column, std::size_t rows)
    {
        const auto accuracies = ReadColumn(run, "rounds", column);
        EXPECT_GE(accuracies.size(), rows);
        EXPECT_THAT(accuracies,
                    ::testing::Each(::testing::AllOf(::testing::Ge(0), ::testing::Le(1))));
    }
};

} // namespace

TEST_P(ScriptModelRunTest, PredictionConsensusTrainsIt)
{
    auto p = Small<PredictionConsensusParameters>("consensus", 3);
    p.rounds = 2;
    p.pretrainingRounds = 1;
    p.localEpochs = 1;
    const auto run = Run(p, RunPredictionConsensus);
    ExpectTrained(run, "device-0");
    ExpectTrained(run, "device-2");
    ExpectAccuracies(run, "accuracy_global", 6); // 3 devices, 2 rounds
    const auto heard = ReadColumn(run, "rounds", "messages_heard");
    EXPECT_EQ(*std::max_element(heard.begin(), heard.end()), 2);
}

TEST_P(ScriptModelRunTest, FederatedTrainsItByAnyNumberOfThreads)
{
    auto p = Small<FederatedParameters>("federated", 3);
    p.localEpochs = 1;
    p.threads = 1;
    const auto one = Run(p, RunFederated);
    ExpectTrained(one, "server");
    ExpectAccuracies(one, "accuracy_global", 3);
    p.threads = 2;
    p.runDir = m_folder / "federated-two";
    const auto two = Run(p, RunFederated);
    for (const std::string file : {"rounds.csv",
                                   "messages.csv",
                                   "energy.csv",
                                   "latency.csv",
                                   "weights/server.safetensors",
                                   "weights/device-1.safetensors"})
    {
        ASSERT_FALSE(ReadFile(one / file).empty()) << file;
        EXPECT_EQ(ReadFile(one / file), ReadFile(two / file)) << file;
    }
}

TEST_P(ScriptModelRunTest, CommitteeTrainsIt)
{
    auto p = Small<CommitteeParameters>("committee", 10);
    p.activePercent = 100;
    p.committeePercent = 40;
    p.attemptTimeout = 60;
    p.scoreTimeout = 60;
    const auto run = Run(p, RunCommittee);
    ExpectTrained(run, "newest", false); // a gradient has none
    ExpectAccuracies(run, "accuracy_global", 10);
}

INSTANTIATE_TEST_SUITE_P(Modules,
                         ScriptModelRunTest,
                         ::testing::Values("resnet", "transformer", "lstm"),
                         [](const auto& instance) { return instance.param; });
