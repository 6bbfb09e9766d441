/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus/belief-losses.h"
#include "belief-run.h"

#include <cmath>
#include <random>

using namespace ns3;
using namespace ns3::collab;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

namespace
{

/// Losses that are predicted, and those of runs
class BeliefLossesTest : public tests::BeliefRun
{
  protected:
    /// Predicted and measured share of beliefs that are lost on the links of a run
    std::pair<double, double>
    GetLosses(const std::string& arguments)
    {
        const auto run = Run(arguments);
        return {ReadTheory(run, "message_loss").at(-1),
                1 - run.Sum("rounds", "messages_heard") / run.Sum("rounds", "messages_expected")};
    }

    /// Users of ten bits, whose beliefs take six fragments
    const std::string RING =
        "devices=8 topology=ring bits=10 instants=60 interval=1 beliefInterval=0 ";
    /// Ten users on a radio on which each hears all others
    const std::string TEN = "devices=10 links=radio interval=1 ";
};

/// Play a burst at one of its receivers, fragment by fragment
bool
IsLost(const BeliefBurst& burst, std::mt19937& generator)
{
    std::uniform_real_distribution<double> uniform;
    std::vector<bool> has(burst.fragments);
    std::vector<bool> acknowledged(burst.fragments);
    const auto send = [&](std::size_t i) {
        const bool arrives = uniform(generator) >= burst.outage;
        has[i] = has[i] || arrives;
        acknowledged[i] =
            acknowledged[i] || (arrives && uniform(generator) >= burst.acknowledgmentLoss);
    };
    for (std::size_t i = 0; i < has.size(); ++i)
    {
        send(i);
    }
    bool goesOn = true;
    for (std::size_t i = 0; i < has.size() && goesOn; ++i)
    {
        for (uint32_t more = 1; more < burst.attempts && !acknowledged[i]; ++more)
        {
            send(i);
        }
        goesOn = acknowledged[i];
    }
    return !std::all_of(has.begin(), has.end(), [](bool is) { return is; });
}

} // namespace

TEST_F(BeliefLossesTest, ABurstIsGivenUpAtWhatIsNotAcknowledged)
{
    std::mt19937 generator(3);
    for (const auto& burst : {BeliefBurst{6, 3, 0.4, 0.2},
                              BeliefBurst{6, 3, 0.2, 0.6},
                              BeliefBurst{20, 5, 0.3, 0.3},
                              BeliefBurst{4, 2, 0.1, 1.0}})
    {
        constexpr int BURSTS = 20000;
        int lost = 0;
        for (int i = 0; i < BURSTS; ++i)
        {
            lost += IsLost(burst, generator) ? 1 : 0;
        }
        const double loss = ComputeBurstLoss(burst);
        EXPECT_NEAR(lost, BURSTS * loss, 4 * std::sqrt(BURSTS * loss * (1 - loss)));
    }
    EXPECT_NEAR(ComputeBurstLoss({1, 8, 0.5, 0.9}), std::pow(0.5, 8), 1e-12);
    EXPECT_NEAR(ComputeBurstLoss({1000, 4, 1e-6, 0}) / 1e-21, 1, 1e-3); // too small for 1 - loss
    EXPECT_EQ(ComputeBurstLoss({1000, 8, 0, 0}), 0);
    EXPECT_NEAR(ComputeBurstLoss({6, 1, 0.2, 0.5}), 1 - std::pow(0.8, 6), 1e-12);
    EXPECT_NEAR(ComputeBurstLoss({6, 8, 0.5, 0.5, D2dArq::SELECTIVE_REPEAT}),
                1 - std::pow(1 - std::pow(0.5, 8), 6),
                1e-12);
}

TEST_F(BeliefLossesTest, BeliefsOfSeveralFragmentsAreLostAsPredicted)
{
    for (const std::string arq : {"StopAndWait", "SelectiveRepeat"})
    {
        for (const std::string loss : {"loss=reliable outage=0.4", "loss=best-effort outage=0.05"})
        {
            const auto [predicted, measured] =
                GetLosses(RING + "D2dMac::MaxAttempts=4 " + loss + " D2dMac::Arq=" + arq);
            const double messages = 60 * 8 * 2;
            EXPECT_NEAR(measured, predicted, 4 * std::sqrt(predicted * (1 - predicted) / messages))
                << arq << ", " << loss;
            EXPECT_GT(predicted, 0.1);
        }
    }
}

TEST_F(BeliefLossesTest, LinksOfTheGraphAreInRangeWhateverTheSensitivity)
{
    for (const std::string sensitivity : {"-50", "30", "-300"})
    {
        const auto run = Run(RING + "instants=4 D2dPhy::RxSensitivity=" + sensitivity);
        EXPECT_THAT(run.Read("rounds", "messages_heard"), Each(2)) << sensitivity;
        EXPECT_THAT(run.Rows("messages"), ::testing::SizeIs(4 * 8 * 2)) << sensitivity;
    }
}

TEST_F(BeliefLossesTest, NobodyKnowsLossesOfLinksThatFadeForAWhile)
{
    const auto run = Run(RING + "links=radio instants=4 D2dOutageModel::CoherenceTime=50ms");
    EXPECT_TRUE(std::isnan(ReadTheory(run, "message_loss").at(-1)));
    EXPECT_TRUE(std::isnan(ReadTheory(run, "predicted_rate").at(-1)));
}

TEST_F(BeliefLossesTest, TheoryNeedsNobodyToHaveBeenHeard)
{
    const auto run = Run("outage=0.1 weights=reliability "
                         "D2dNeighborDiscovery::NeighborDiscovery=Measured");
    EXPECT_NEAR(ReadTheory(run, "message_loss").at(-1), 0.1, 1e-12);
    EXPECT_GT(ReadTheory(run, "predicted_rate").at(0), 0);
    EXPECT_EQ(ReadTheory(run, "components").at(-1), 1);
}

TEST_F(BeliefLossesTest, LossesAreThoseOfTheRatesThatSendersChoose)
{
    // maxOutage is at the fixed rate, and all links are as long
    const auto [predicted, measured] = GetLosses(RING + "links=radio topology=complete "
                                                        "maxOutage=0.4 devices=2 "
                                                        "D2dPhy::RateControl=Adaptive");
    EXPECT_NEAR(predicted, 1 - std::pow(0.9, 6), 0.01); // TargetOutage of six fragments
    EXPECT_NEAR(measured, predicted, 4 * std::sqrt(predicted * (1 - predicted) / (60 * 2)));
}

TEST_F(BeliefLossesTest, UsersThatComeAndGoLearnAtTheRateOfTheMeanOfW)
{
    const auto run = Run(RING + "bits=1 instants=1500 interval=0.1 presence=exponential:5,3 "
                                "weights=metropolis-heard weightsInterval=0");
    EXPECT_TRUE(std::isnan(ReadTheory(run, "predicted_rate").at(-1)));
    const double mean = ReadTheory(run, "mean_rate").at(0) + ReadTheory(run, "mean_rate").at(1);
    EXPECT_NEAR(ReadTheory(run, "seen_rate").at(-1), mean, 0.15 * mean);
    const double contraction = ReadTheory(run, "mean_square_contraction").at(-1);
    EXPECT_LT(contraction, 1);
    EXPECT_GT(contraction, std::pow(ReadTheory(run, "mean_lambda_second").at(-1), 2) - 0.01);
}

TEST_F(BeliefLossesTest, ReliabilityThatUsersMeasureCostsBeacons)
{
    const auto play = [this](const std::string& knowledge) {
        return Run(RING +
                   "links=radio maxOutage=0.4 topology=complete weights=reliability "
                   "D2dNeighborDiscovery::BeaconInterval=500ms knowledge=" +
                   knowledge);
    };
    const auto ideal = play("ideal");
    for (const std::string knowledge : {"rss", "beacons"})
    {
        const auto run = play(knowledge);
        EXPECT_GT(run.Sum("energy", "tx_j"), ideal.Sum("energy", "tx_j")) << knowledge;
        EXPECT_GT(ReadTheory(run, "mean_rate").at(0), 0) << knowledge;
        EXPECT_NE(run.Read("rounds", "self_weight"), ideal.Read("rounds", "self_weight"));
    }
}

TEST_F(BeliefLossesTest, WhatIsRepeatedIsRepeatedForWhoListens)
{
    const std::string reliable = TEN + "maxOutage=0.4 loss=reliable ";
    const auto ring = Run(reliable + "topology=ring");
    EXPECT_LT(ring.Sum("energy", "tx_j"), Run(reliable).Sum("energy", "tx_j") / 2);
    const auto rows = ring.Rows("messages");
    ASSERT_THAT(rows, SizeIs(10 * 2 * 6));
    for (const auto& row : rows)
    {
        const int apart = (10 + std::stoi(row.at("sender")) - std::stoi(row.at("receiver"))) % 10;
        EXPECT_TRUE(apart == 1 || apart == 9) << row.at("sender") << " to " << row.at("receiver");
    }
    // Each listens to one
    EXPECT_THAT(Run(reliable + "devices=3 weights=given matrix=0.5,0.5,0;0,0.5,0.5;0.5,0,0.5")
                    .Rows("messages"),
                SizeIs(3 * 6));
}

TEST_F(BeliefLossesTest, WhatIsLostIsNotSaidToComeLater)
{
    const auto run = Run(TEN + "topology=ring maxOutage=0.4 instants=20 interval=0.1");
    EXPECT_THAT(run.printed, HasSubstr("not heard: outage"));
    EXPECT_THAT(run.printed, Not(HasSubstr("were heard later")));
}

TEST_F(BeliefLossesTest, ABroadcastOfBestEffortReachesAllInRange)
{
    const auto run = Run(TEN + "topology=ring");
    EXPECT_THAT(run.Read("messages", "attempts"), AllOf(SizeIs(10 * 9 * 6), Each(1)));
}
