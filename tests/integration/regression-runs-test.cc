/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "committee/committee-scenario.h"
#include "common/scenario-samples.h"
#include "federated/federated-scenario.h"
#include "gossip/gossip-scenario.h"
#include "prediction-consensus/prediction-consensus-scenario.h"
#include "support/run-files.h"
#include "support/temporary-folder.h"

#include "ns3/collab-error.h"
#include "ns3/config.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <sstream>

using namespace ns3;
using namespace ns3::collab;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;
using tests::ReadColumn;
using tests::ReadFile;

namespace
{

/// Whole runs on the generated regression of two inputs and 16 samples a user
class RegressionRunsTest : public tests::TemporaryFolder
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

    /// @return small parameters of a scenario
    template <typename P>
    P
    Small() const
    {
        P p;
        p.dataSet = "linear-regression";
        p.devices = 8;
        p.samples = 10;
        p.minimumSamples = 4;
        p.referenceSamples = 10;
        p.testSamples = 10;
        p.model = "mlp:8";
        p.lowQuality = "1";
        p.rounds = 3;
        p.runDir = m_folder / "run";
        p.quiet = true;
        return p;
    }

    /**
     * @param measure that run.json must name
     * @param others columns of rounds that must be numbers
     */
    void
    ExpectMeasured(const std::string& measure, const std::vector<std::string>& others) const
    {
        EXPECT_THAT(ReadFile(m_folder / "run" / "run.json"),
                    HasSubstr("\"measure\": \"" + measure + "\""));
        const std::string rounds = ReadFile(m_folder / "run" / "rounds.csv");
        EXPECT_THAT(rounds.substr(0, rounds.find('\n')), Not(HasSubstr("accuracy")));
        for (const std::string& column : others)
        {
            const auto values = ReadColumn(m_folder / "run", "rounds", column);
            ASSERT_FALSE(values.empty());
            EXPECT_TRUE(std::isfinite(values.back())) << column;
        }
    }
};

/// @return a regression dealt out to devices of which the last one has bad targets of some kind
ScenarioSamples
Prepare(const std::string& labelNoise, const std::string& lowQuality)
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

TEST_F(RegressionRunsTest, FederatedLearnsTargets)
{
    for (const std::string algorithm : {"fedavg", "scaffold"})
    {
        auto p = Small<FederatedParameters>();
        p.algorithm = algorithm;
        p.runDir = m_folder / algorithm;
        p.measureClients = true;
        std::ostringstream output;
        RunFederated(p, output);
        std::filesystem::remove_all(m_folder / "run");
        std::filesystem::rename(p.runDir, m_folder / "run");
        ExpectMeasured("loss_reference",
                       {"loss_reference", "determination_global", "loss_clients"});
    }
}

TEST_F(RegressionRunsTest, FederatedGetsBetter)
{
    auto p = Small<FederatedParameters>();
    p.rounds = 30;
    p.localEpochs = 5;
    p.lowQuality = "none";
    std::ostringstream output;
    RunFederated(p, output);
    const auto losses = ReadColumn(m_folder / "run", "rounds", "loss_reference");
    EXPECT_LT(losses.back(), 0.9 * losses.front());
}

TEST_F(RegressionRunsTest, GossipLearnsTargets)
{
    auto p = Small<GossipParameters>();
    std::ostringstream output;
    RunGossip(p, output);
    ExpectMeasured("loss_reference", {"loss_reference", "determination_reference", "loss_global"});
}

TEST_F(RegressionRunsTest, CommitteesLearnTargets)
{
    auto p = Small<CommitteeParameters>();
    p.activePercent = 100;
    p.committeePercent = 40;
    std::ostringstream output;
    RunCommittee(p, output);
    ExpectMeasured("loss_global", {"loss_global", "determination_global"});
}

TEST_F(RegressionRunsTest, PredictionConsensusAgreesOnTargets)
{
    auto p = Small<PredictionConsensusParameters>();
    p.pretrainingRounds = 1;
    std::ostringstream output;
    RunPredictionConsensus(p, output);
    EXPECT_GT(tests::ReadCsvRows(m_folder / "run" / "trust.csv").size(), 1U);
    ExpectMeasured("squared_error_reference",
                   {"squared_error_reference", "determination_global", "distillation_loss"});
}

TEST_F(RegressionRunsTest, RefuseWhatIsAboutClasses)
{
    const auto expect = [this](const std::function<void(FederatedParameters&)>& change,
                               const std::string& text) {
        auto p = Small<FederatedParameters>();
        change(p);
        std::ostringstream output;
        EXPECT_THAT([&]() { RunFederated(p, output); }, ThrowsMessage<UserError>(HasSubstr(text)));
        EXPECT_FALSE(std::filesystem::exists(m_folder / "run"));
    };
    expect([](auto& p) { p.labelSmoothing = 0.1; }, "--labelSmoothing=0.1 is not allowed");
    expect([](auto& p) { p.classWeights = "balanced"; }, "--classWeights=balanced is not allowed");
    expect(
        [](auto& p) {
            p.attack = "label-flip";
            p.maliciousPercent = 50;
        },
        "--attack=label-flip is not allowed");
    expect([](auto& p) { p.referenceSamples = 11; }, "a multiple of the 10 groups of targets");
    auto p = Small<PredictionConsensusParameters>();
    p.pretrainingRounds = 1;
    p.consensus = "majority-vote";
    std::ostringstream output;
    EXPECT_THAT([&]() { RunPredictionConsensus(p, output); },
                ThrowsMessage<UserError>(HasSubstr("--consensus=majority-vote is not allowed")));
}

TEST(TargetNoiseTest, ShiftIsOneNumberForAllTargets)
{
    const auto clean = Prepare("shift", "none");
    const auto noisy = Prepare("shift", "2");
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
    auto before = TargetsOf(Prepare("permute", "none").train[2]);
    auto after = TargetsOf(Prepare("permute", "2").train[2]);
    EXPECT_NE(after, before);
    std::sort(before.begin(), before.end());
    std::sort(after.begin(), after.end());
    EXPECT_EQ(after, before);
}
