/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "distillation/distillation-scenario.h"
#include "integration/scenario-test.h"
#include "integration/small-fashion.h"

#include <string>

using ::testing::Each;
using ::testing::Not;

namespace
{

/// Whole runs of four devices on a small part of Fashion-MNIST
class DistillationRunTest : public tests::ScenarioTest
{
  protected:
    const std::string SMALL = tests::SmallFashion::Argument() +
                              "devices=4 samples=64 minimumSamples=16 referenceSamples=50 "
                              "testSamples=100 rounds=4 pretrainingRounds=1 localEpochs=2 "
                              "model=mlp:20 lowQuality=2 ";
    const std::vector<std::string> FILES = {
        "run.json", "partition.txt", "rounds.csv", "latency.csv", "energy.csv", "messages.csv"};
};

TEST_F(DistillationRunTest, TracesDoNotDependOnThreadsOrPayloadModes)
{
    for (const std::string algorithm :
         {"fedmd ", "ds-fl cacheDuration=1 ", "selective-fd clientThreshold=0 "})
    {
        const std::string run = SMALL + "algorithm=" + algorithm;
        ExpectSameFiles(RunDistillation, run, "threads=3", FILES);
        ExpectSameFiles(RunDistillation, run, "Transport::PayloadMode=Bytes", {"rounds.csv"});
    }
}

TEST_F(DistillationRunTest, NobodyComesTooLate)
{
    const auto run = Play(RunDistillation, SMALL + "algorithm=ds-fl slowDevices=1 slowdown=50");
    EXPECT_EQ(run.Read("rounds", "messages_heard"), run.Read("rounds", "messages_expected"));
}

TEST_F(DistillationRunTest, CachedLabelsAreFewerBytes)
{
    const auto count = [this](const std::string& duration) {
        const auto run =
            Play(RunDistillation, SMALL + "omit= algorithm=ds-fl cacheDuration=" + duration);
        double bytes = 0;
        for (const auto& row : run.Rows("messages"))
        {
            bytes += std::stod(row.at("bytes"));
        }
        return bytes;
    };
    EXPECT_LT(count("2"), 0.4 * count("0")); // one exchange of three, and what asks for nothing
}

TEST_F(DistillationRunTest, MistakesAreToldBeforeAnythingIsWritten)
{
    ExpectRefusals(RunDistillation,
                   SMALL,
                   {{"algorithm=feddf", "fedmd, ds-fl, selective-fd"},
                    {"rounds=1", "--rounds=1"},
                    {"model=stub:1000", "--model=stub:1000"},
                    {"referenceSamples=0", "--referenceSamples=0"},
                    {"temperature=0", "--temperature=0"},
                    {"serverThreshold=3", "--serverThreshold=3"},
                    {"clientThreshold=2", "--clientThreshold=2"},
                    {"algorithm=selective-fd dpSgd=clip=1,noise=1", "--dpSgd"}});
}

} // namespace
