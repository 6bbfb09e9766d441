/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * Chase combining on air, against closed forms and by hand, in both fidelities.
 */

#include "wireless/link-models/references.h"
#include "wireless/wireless-bench.h"

#include "ns3/d2d-mac.h"

namespace ns3::collab::tests
{
namespace
{

const Settings THRESHOLD_CHANNEL = {{"OutageModel", "ns3::collab::D2dThresholdOutageModel"}};

/// A link with combining, in a given fidelity
class CombiningLinkTest : public FidelitiesTest
{
  protected:
    /// @return four devices at 1 Mbit/s with fragments of 1 ms
    std::unique_ptr<TestNetwork>
    Make(const Settings& device, const Settings& channel = {}) const
    {
        return std::make_unique<TestNetwork>(4,
                                             With(device,
                                                  {{"ContentionWindow", "1"},
                                                   {"Combining", "Chase"},
                                                   {"FragmentSize", std::to_string(MILLISECOND)}}),
                                             Channel(channel));
    }

    /// Give the link from the first to the second device a signal-to-noise ratio.
    static void
    SetWorth(TestNetwork& network, double worth, uint32_t from = 0)
    {
        network.SetOutage(from, 1, -std::expm1(-1 / worth));
    }
};

INSTANTIATE_TEST_SUITE_P(Fidelities, CombiningLinkTest, FIDELITIES);
INSTANTIATE_TEST_SUITE_P(NightlyFidelities, CombiningLinkTest, FIDELITIES);

/*
 * 6 x 2 x 3 quantities in each fidelity, at 4 standard errors each: 0.5 % for a seed drawn anew.
 */
TEST_P(CombiningLinkTest, AttemptsAndLossesOfAFragmentAreInClosedForm)
{
    const int bursts = IsNightly() ? 4000 : 1000;
    for (const std::string& arq : ARQS)
    {
        std::size_t at = 0;
        for (const double outage : COMBINING_OUTAGES)
        {
            for (const double back : COMBINING_ACKNOWLEDGMENT_OUTAGES)
            {
                SCOPED_TRACE(arq + ", " + std::to_string(outage) + ", " + std::to_string(back));
                const auto network =
                    Make({{"Arq", arq}, {"MaxAttempts", std::to_string(COMBINING_MAX_ATTEMPTS)}});
                network->SetOutage(0, 1, outage);
                network->SetOutage(1, 0, back);
                for (int i = 0; i < bursts; ++i)
                {
                    network->SendAt(MilliSeconds(20) * i, 0, 1, MILLISECOND, ARQ);
                }
                Simulator::Run();
                std::vector<double> attempts;
                double lost = 0;
                double unacknowledged = 0;
                for (const auto& report : network->Reports())
                {
                    attempts.push_back(static_cast<double>(report.attempts));
                    lost += report.outcomes.at(0).delivered ? 0 : 1;
                    unacknowledged += report.outcomes.at(0).acknowledged ? 0 : 1;
                }
                ASSERT_EQ(attempts.size(), static_cast<std::size_t>(bursts));
                const Moments moments = Describe(attempts);
                EXPECT_NEAR(
                    moments.mean, EXPECTED_COMBINED_ATTEMPTS[at++], 4 * moments.standardError);
                for (const double counted : {lost, unacknowledged})
                {
                    const double expected = bursts * EXPECTED_COMBINED_ATTEMPTS[at++];
                    EXPECT_NEAR(counted, expected, 4 * std::sqrt(expected + 0.1));
                }
            }
        }
    }
}

TEST_P(CombiningLinkTest, ALongMessageHasTheSameAttempts)
{
    constexpr double FRAGMENTS = 20000;
    for (const std::string& arq : ARQS)
    {
        const auto network = Make({{"Arq", arq}, {"MaxAttempts", "20"}});
        network->SetOutage(0, 1, 0.9);
        network->Send(0, 1, static_cast<uint32_t>(FRAGMENTS) * MILLISECOND, ARQ);
        Simulator::Run();
        // 1 + a Poisson number of mean -ln(1 - 0.9): of exponential gains that add up to less
        const double more = std::log(10);
        EXPECT_NEAR(
            network->Report().attempts, FRAGMENTS * (1 + more), 4 * std::sqrt(FRAGMENTS * more));
        EXPECT_TRUE(network->Outcome().acknowledged);
    }
}

TEST_P(CombiningLinkTest, WithoutFadingRatiosAddUp)
{
    for (const std::string& arq : ARQS)
    {
        const auto network = Make({{"Arq", arq}, {"MaxAttempts", "3"}}, THRESHOLD_CHANNEL);
        SetWorth(*network, 0.35);
        network->Send(0, 1, 5 * MILLISECOND, ARQ);
        Simulator::Run();
        SetWorth(*network, 0.3);
        network->Send(0, 1, 5 * MILLISECOND, ARQ);
        Simulator::Run();
        EXPECT_EQ(network->Report().attempts, 15);
        EXPECT_TRUE(network->Outcome().acknowledged);
        EXPECT_EQ(network->Report(1).attempts, arq == "StopAndWait" ? 3 : 15);
        EXPECT_EQ(network->Outcome(1).reason, D2dLossReason::ATTEMPTS);
    }
}

TEST_P(CombiningLinkTest, WhatWasReceivedOverABetterLinkIsKept)
{
    for (const double then : {0.15, 0.25}) // 2 x 0.4 are held; 0.2 is lacking
    {
        const auto network = Make({{"MaxAttempts", "4"}, {"AcknowledgmentSize", "10"}},
                                  With({{"LinkUpdatePeriod", "2500us"}}, THRESHOLD_CHANNEL));
        SetWorth(*network, 0.4);
        // Attempts end at 1, 2.1 and 3.2 ms
        At(MicroSeconds(2400), [&] { SetWorth(*network, then); });
        network->Send(0, 1, MILLISECOND, ARQ);
        Simulator::Run();
        EXPECT_EQ(network->Report().attempts, then == 0.25 ? 3 : 4);
        EXPECT_TRUE(network->Outcome().acknowledged);
    }
}

TEST_P(CombiningLinkTest, FadingThatLastsAddsTheSameGainAgain)
{
    // Within an interval k attempts have k times the gain: lost if -ln(1 - U) < threshold / k
    const int bursts = IsNightly() ? 1500 : 1000;
    const auto network =
        Make({{"MaxAttempts", "3"}},
             {{"OutageModel", "ns3::collab::D2dRayleighOutageModel[CoherenceTime=20ms]"}});
    network->SetOutage(0, 1, 0.7);
    for (int i = 0; i < bursts; ++i)
    {
        network->SendAt(MilliSeconds(20) * i + MicroSeconds(10), 0, 1, 2 * MILLISECOND, ARQ);
    }
    Simulator::Run();
    double delivered = 0;
    for (const auto& report : network->Reports())
    {
        delivered += report.outcomes.at(0).delivered;
        EXPECT_EQ(report.attempts % (report.outcomes.at(0).delivered ? 2 : 3), 0)
            << "both fragments take as many";
    }
    const double expected = std::pow(0.3, 1.0 / 3);
    EXPECT_NEAR(delivered / bursts, expected, 4 * std::sqrt(expected * (1 - expected) / bursts));
}

TEST_P(CombiningLinkTest, WhatIsReceivedIsAnsweredAgain)
{
    const auto network = Make({{"MaxAttempts", "4"}}, THRESHOLD_CHANNEL);
    network->InstallBatteries({{"BasicEnergySourceInitialEnergyJ", "1e7"}});
    SetWorth(*network, 0.6);
    network->SetOutage(1, 0, 0.9); // never, without fading
    network->Send(0, 1, MILLISECOND, ARQ);
    RunFor(Seconds(1));
    EXPECT_EQ(network->Report().attempts, 4);
    EXPECT_TRUE(network->Outcome().delivered);
    EXPECT_FALSE(network->Outcome().acknowledged);
    const double joules = network->Joules(1, EnergyKind::TX);
    EXPECT_NEAR(joules, 3 * 112e-6 * (0.1 / 0.35 + 0.1), 1e-12) << "from the second on";
}

TEST_P(CombiningLinkTest, InterferenceCountsWhereItWas)
{
    for (const auto& [interference, attempts] : {std::pair(1.0, 2), std::pair(5.0, 3)})
    {
        const auto network = Make({{"CarrierSense", "false"}, {"Duplex", "Full"}},
                                  With({{"Access", "Shared"}}, THRESHOLD_CHANNEL));
        SetWorth(*network, 0.8);
        SetWorth(*network, interference, 2);
        network->Send(0, 1, MILLISECOND, ARQ);
        network->Send(2, 3, MILLISECOND);
        Simulator::Run();
        // 0.8 / (1 + I) and 0.8 for each after that
        const D2dBurstReport& report = network->Reports().at(network->Reports().size() - 1);
        ASSERT_EQ(report.senderNode, network->NodeId(0));
        EXPECT_EQ(report.attempts, attempts);
        EXPECT_TRUE(report.outcomes.at(0).delivered);
    }
}

TEST_P(CombiningLinkTest, OnlyUnicastsWithArqAreCombined)
{
    const auto network = Make({{"MaxAttempts", "8"}}, THRESHOLD_CHANNEL);
    SetWorth(*network, 0.6);
    network->Send(0, 1, MILLISECOND);
    network->Send(0, BROADCAST, MILLISECOND, ARQ);
    Simulator::Run();
    for (const auto& report : network->Reports())
    {
        EXPECT_FALSE(report.outcomes.at(0).delivered);
    }
    EXPECT_EQ(network->Report(1).attempts, 8);
}

TEST_P(CombiningLinkTest, ModelsOfAProbabilityAloneAreRefused)
{
    const auto network = Make({}, {{"OutageModel", "ns3::collab::D2dFixedOutageModel"}});
    EXPECT_THROW(
        {
            network->Send(0, 1, MILLISECOND, ARQ);
            Simulator::Run();
        },
        UserError);
}

} // namespace
} // namespace ns3::collab::tests
