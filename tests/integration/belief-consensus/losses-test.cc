/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "belief-consensus/belief-losses.h"
#include "belief-run.h"

#include "ns3/string.h"

#include <cmath>
#include <gmock/gmock.h>
#include <numeric>
#include <random>

using namespace ns3;
using namespace ns3::collab;
using ::testing::Each;
using tests::ReadColumn;

namespace
{

/// Losses that are predicted, and those of runs
class BeliefLossesTest : public tests::BeliefRun
{
  protected:
    /// Users of ten bits, whose beliefs take six fragments
    BeliefParameters
    Ring(const std::string& name) const
    {
        auto p = Small("discrete", name);
        p.devices = 8;
        p.topology = "ring";
        p.bits = 10;
        p.instants = 60;
        p.interval = 1;
        p.beliefInterval = 0;
        return p;
    }

    /// Predicted and measured share of beliefs that are lost on the links of a run
    std::pair<double, double>
    GetLosses(const BeliefParameters& p) const
    {
        const auto run = Run(p);
        const auto heard = ReadColumn(run, "rounds", "messages_heard");
        const auto expected = ReadColumn(run, "rounds", "messages_expected");
        return {ReadTheory(run, "message_loss").at(-1),
                1 - std::accumulate(heard.begin(), heard.end(), 0.0) /
                        std::accumulate(expected.begin(), expected.end(), 0.0)};
    }
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
        Config::SetDefault("ns3::collab::D2dMac::Arq", StringValue(arq));
        Config::SetDefault("ns3::collab::D2dMac::MaxAttempts", StringValue("4"));
        for (const std::string loss : {"reliable", "best-effort"})
        {
            auto p = Ring(arq + loss);
            p.loss = loss;
            p.outage = loss == "reliable" ? 0.4 : 0.05;
            const auto [predicted, measured] = GetLosses(p);
            const double messages = p.instants * p.devices * 2;
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
        Config::SetDefault("ns3::collab::D2dPhy::RxSensitivity", StringValue(sensitivity));
        auto p = Ring("sensitivity" + sensitivity);
        p.instants = 4;
        const auto run = Run(p);
        EXPECT_THAT(ReadColumn(run, "rounds", "messages_heard"), Each(2)) << sensitivity;
        EXPECT_EQ(ReadColumn(run, "messages", "receiver").size(), 4U * 8 * 2) << sensitivity;
    }
}

TEST_F(BeliefLossesTest, NobodyKnowsLossesOfLinksThatFadeForAWhile)
{
    Config::SetDefault("ns3::collab::D2dOutageModel::CoherenceTime", StringValue("50ms"));
    auto p = Ring("fading");
    p.links = "radio";
    p.instants = 4;
    const auto run = Run(p);
    EXPECT_TRUE(std::isnan(ReadTheory(run, "message_loss").at(-1)));
    EXPECT_TRUE(std::isnan(ReadTheory(run, "predicted_rate").at(-1)));
}

TEST_F(BeliefLossesTest, TheoryNeedsNobodyToHaveBeenHeard)
{
    Config::SetDefault("ns3::collab::D2dNeighborDiscovery::NeighborDiscovery",
                       StringValue("Measured"));
    auto p = Small("discrete", "measured");
    p.outage = 0.1;
    p.weights = "reliability";
    const auto run = Run(p);
    EXPECT_NEAR(ReadTheory(run, "message_loss").at(-1), 0.1, 1e-12);
    EXPECT_GT(ReadTheory(run, "predicted_rate").at(0), 0);
    EXPECT_EQ(ReadTheory(run, "components").at(-1), 1);
}

TEST_F(BeliefLossesTest, LossesAreThoseOfTheRatesThatSendersChoose)
{
    Config::SetDefault("ns3::collab::D2dPhy::RateControl", StringValue("Adaptive"));
    auto p = Ring("adaptive");
    p.links = "radio";
    p.topology = "complete";
    p.maxOutage = 0.4; // at the fixed rate
    p.devices = 2;     // all links are as long
    const auto [predicted, measured] = GetLosses(p);
    const double messages = p.instants * 2;
    EXPECT_NEAR(predicted, 1 - std::pow(0.9, 6), 0.01); // TargetOutage of six fragments
    EXPECT_NEAR(measured, predicted, 4 * std::sqrt(predicted * (1 - predicted) / messages));
}
