/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee/committee-scenario.h"
#include "common/scenario-samples.h"
#include "federated/federated-scenario.h"
#include "gossip/gossip-scenario.h"
#include "integration/scenario-test.h"
#include "prediction-consensus/prediction-consensus-scenario.h"

#include <cmath>

using namespace ns3;
using namespace ns3::collab;
using ::testing::HasSubstr;
using ::testing::Not;
using tests::PlayedRun;

namespace
{

/// Whole runs on the generated regression of two inputs and 16 samples a user
class RegressionRunsTest : public tests::ScenarioTest
{
  protected:
    /// @param run of a scenario
    /// @param measure that run.json must name
    /// @param others columns of rounds that must be numbers
    static void
    ExpectMeasured(const PlayedRun& run,
                   const std::string& measure,
                   const std::vector<std::string>& others)
    {
        EXPECT_THAT(run.Text("run.json"), HasSubstr("\"measure\": \"" + measure + "\""));
        const std::string rounds = run.Text("rounds.csv");
        EXPECT_THAT(rounds.substr(0, rounds.find('\n')), Not(HasSubstr("accuracy")));
        for (const std::string& column : others)
        {
            EXPECT_TRUE(std::isfinite(run.Read("rounds", column).back())) << column;
        }
    }

    const std::string SMALL = "dataSet=linear-regression devices=8 samples=10 minimumSamples=4 "
                              "referenceSamples=10 testSamples=10 model=mlp:8 lowQuality=1 "
                              "rounds=3 ";
};

/// @return a regression dealt out to devices of which the last one has bad targets of some kind
ScenarioSamples
PrepareRegression(const std::string& labelNoise, const std::string& lowQuality)
{
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(1);
    CommonParameters p;
    p.dataSet = "linear-regression";
    p.devices = 3;
    p.samples = 16;
    p.minimumSamples = 4;
    p.referenceSamples = 10;
    p.testSamples = 10;
    p.lowQuality = lowQuality;
    p.labelNoise = labelNoise;
    return PrepareSamples(p, p.targetGroups);
}

/// @return the targets of a view, in its order
std::vector<float>
TargetsOf(const DataView& view)
{
    std::vector<float> targets;
    for (const uint32_t index : view.indices)
    {
        targets.push_back(view.data->targets[index]);
    }
    return targets;
}

} // namespace

TEST_F(RegressionRunsTest, EveryScenarioLearnsTargets)
{
    for (const std::string algorithm : {"fedavg", "scaffold"})
    {
        ExpectMeasured(Play(RunFederated, SMALL + "measureClients=true algorithm=" + algorithm),
                       "loss_reference",
                       {"loss_reference", "determination_global", "loss_clients"});
    }
    ExpectMeasured(Play(RunGossip, SMALL),
                   "loss_reference",
                   {"loss_reference", "determination_reference", "loss_global"});
    ExpectMeasured(Play(RunCommittee, SMALL + "activePercent=100 committeePercent=40"),
                   "loss_global",
                   {"loss_global", "determination_global"});
    const auto consensus = Play(RunPredictionConsensus, SMALL + "pretrainingRounds=1");
    EXPECT_THAT(consensus.Rows("trust"), Not(::testing::IsEmpty()));
    ExpectMeasured(consensus,
                   "squared_error_reference",
                   {"squared_error_reference", "determination_global", "distillation_loss"});
}

TEST_F(RegressionRunsTest, FederatedGetsBetter)
{
    const auto losses = Play(RunFederated, SMALL + "rounds=30 localEpochs=5 lowQuality=none")
                            .Read("rounds", "loss_reference");
    EXPECT_LT(losses.back(), 0.9 * losses.front());
}

TEST_F(RegressionRunsTest, RefuseWhatIsAboutClasses)
{
    ExpectRefusals(RunFederated,
                   SMALL,
                   {{"labelSmoothing=0.1", "--labelSmoothing=0.1 is not allowed"},
                    {"classWeights=balanced", "--classWeights=balanced is not allowed"},
                    {"attack=label-flip maliciousPercent=50", "--attack=label-flip is not allowed"},
                    {"referenceSamples=11", "a multiple of the 10 groups of targets"}});
    ExpectRefusals(RunPredictionConsensus,
                   SMALL + "pretrainingRounds=1 ",
                   {{"consensus=majority-vote", "--consensus=majority-vote is not allowed"}});
}

TEST(TargetNoiseTest, ShiftIsOneNumberForAllTargets)
{
    const auto clean = PrepareRegression("shift", "none");
    const auto noisy = PrepareRegression("shift", "2");
    EXPECT_EQ(TargetsOf(noisy.train[1]), TargetsOf(clean.train[1]));
    EXPECT_EQ(TargetsOf(noisy.test[2]), TargetsOf(clean.test[2])) << "true ones";
    const auto before = TargetsOf(clean.train[2]);
    const auto after = TargetsOf(noisy.train[2]);
    ASSERT_EQ(after.size(), before.size());
    const float shift = after[0] - before[0];
    for (std::size_t i = 0; i < before.size(); ++i)
    {
        EXPECT_NEAR(after[i] - before[i], shift, 1e-5);
    }
    const auto& targets = clean.train[2].data->targets; // of all samples
    double mean = 0;
    double squares = 0;
    for (const float target : targets)
    {
        mean += double{target} / static_cast<double>(targets.size());
        squares += double{target} * double{target} / static_cast<double>(targets.size());
    }
    const double deviation = std::sqrt(squares - mean * mean);
    EXPECT_GE(std::abs(shift), deviation * (1 - 1e-4));
    EXPECT_LE(std::abs(shift), 2 * deviation * (1 + 1e-4));
}

TEST(TargetNoiseTest, PermuteDealsADevicesTargetsOutAnew)
{
    auto before = TargetsOf(PrepareRegression("permute", "none").train[2]);
    auto after = TargetsOf(PrepareRegression("permute", "2").train[2]);
    EXPECT_NE(after, before);
    std::sort(before.begin(), before.end());
    std::sort(after.begin(), after.end());
    EXPECT_EQ(after, before);
}
