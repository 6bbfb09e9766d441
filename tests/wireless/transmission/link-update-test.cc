/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-bench.h"

namespace ns3::collab::tests
{
namespace
{

constexpr double SPEED_M_PER_S = 20;
constexpr double START_M = 50;
constexpr double DRIVE_FRAGMENT_S = 12.272e-3; // 1534 bytes at 1 Mbit/s
constexpr uint32_t DRIVE_FRAGMENTS = 4000;

/// How a message is sent to a car that drives away
struct Drive
{
    const char* fidelity;                     //!< "Packet" or "Burst"
    const char* period;                       //!< attribute LinkUpdatePeriod
    std::string arq = "StopAndWait";          //!< attribute Arq
    D2dReliability reliability = BEST_EFFORT; //!< of the burst
};

/// @return what becomes of a message of 49 s
D2dBurstReport
SendToCar(const Drive& drive, uint64_t run)
{
    RngSeedManager::SetRun(run);
    TestNetwork network({Standing(0), Moving(Vector(START_M, 0, 0), Vector(SPEED_M_PER_S, 0, 0))},
                        {"ns3::LogDistancePropagationLossModel[Exponent=3|ReferenceLoss=46.68]"},
                        {{"ContentionWindow", "1"}, {"Arq", drive.arq}, {"MaxAttempts", "3"}},
                        {{"Fidelity", drive.fidelity}, {"LinkUpdatePeriod", drive.period}});
    network.Send(0, 1, 1500 * DRIVE_FRAGMENTS, drive.reliability);
    Simulator::Run();
    return network.Report();
}

/// @return outage probability there, 1 bit/s/Hz and 1 MHz
double
OutageAt(double distanceM)
{
    const double receivedDbm = 20 - 46.68 - 30 * std::log10(distanceM);
    if (receivedDbm < -120)
    {
        return 1;
    }
    const double noiseW = 1.380649e-23 * 290 * 1e6 * std::pow(10, 0.7);
    return -std::expm1(-noiseW / std::pow(10, (receivedDbm - 30) / 10));
}

/// @return mean number of fragments that get lost
double
GetMeanLoss(double periodS)
{
    double lost = 0;
    for (uint32_t i = 1; i <= DRIVE_FRAGMENTS; ++i)
    {
        const double read = std::floor(i * DRIVE_FRAGMENT_S / periodS) * periodS;
        lost += OutageAt(START_M + SPEED_M_PER_S * read);
    }
    return lost;
}

using LinkUpdateTest = FidelitiesTest;

INSTANTIATE_TEST_SUITE_P(Fidelities, LinkUpdateTest, FIDELITIES);
INSTANTIATE_TEST_SUITE_P(NightlyFidelities, LinkUpdateTest, FIDELITIES);

TEST_P(LinkUpdateTest, WithoutItTheLinkIsThatOfTheBeginning)
{
    const D2dBurstReport report = SendToCar({GetParam(), "0s"}, 1);
    const double expected = DRIVE_FRAGMENTS * OutageAt(START_M);
    EXPECT_NEAR(report.outcomes.at(0).lostFragments, expected, 4 * std::sqrt(expected) + 1);
}

TEST_P(LinkUpdateTest, LossGrowsWithTheDistance)
{
    for (const auto& [period, seconds] :
         std::vector<std::pair<const char*, double>>{{"50ms", 0.05}, {"2s", 2}, {"20s", 20}})
    {
        std::vector<double> lost;
        for (uint64_t run = 1; run <= (IsNightly() ? 30 : 12); ++run)
        {
            lost.push_back(SendToCar({GetParam(), period}, run).outcomes.at(0).lostFragments);
        }
        const Moments moments = Describe(lost);
        EXPECT_NEAR(moments.mean, GetMeanLoss(seconds), 4 * moments.standardError) << period;
    }
    EXPECT_GT(GetMeanLoss(0.05), 1000) << "the car shall be far in the end";
}

// Of 100 fragments the first is lost; it is the first that is repeated, and arrives, and the last,
// since its acknowledgments are lost
TEST_P(LinkUpdateTest, WhatWasMissedBeforeIsRepeatedFirst)
{
    TestNetwork network(2,
                        With({{"FragmentSize", "100"}, {"MaxAttempts", "3"}}),
                        {{"Fidelity", GetParam()}, {"LinkUpdatePeriod", "2ms"}});
    network.SetOutage(0, 1, LOST);
    network.SetOutage(1, 0, LOST);
    network.Send(0, BROADCAST, 10000, ARQ);
    At(MilliSeconds(1), [&] { network.SetOutage(0, 1, 1e-9); });
    Simulator::Run();
    ASSERT_EQ(network.Reports().size(), 1U);
    EXPECT_EQ(network.Report().attempts, 102U);
    EXPECT_EQ(network.Outcome().lostFragments, 0U);
}

/// How often messages are sent in each fidelity
using LinkUpdateFidelityTest = WithParameter<uint64_t>;

INSTANTIATE_TEST_SUITE_P(Always, LinkUpdateFidelityTest, testing::Values(60));
INSTANTIATE_TEST_SUITE_P(Nightly, LinkUpdateFidelityTest, testing::Values(100));

TEST_P(LinkUpdateFidelityTest, RepetitionsAgree)
{
    for (const std::string& arq : ARQS)
    {
        std::vector<std::vector<double>> attempts(2);
        std::vector<std::vector<double>> lost(2);
        std::vector<std::vector<double>> durations(2);
        for (uint64_t run = 1; run <= 2 * GetParam(); ++run)
        {
            const bool burst = run > GetParam();
            const D2dBurstReport report =
                SendToCar({burst ? "Burst" : "Packet", "500ms", arq, ARQ}, run);
            attempts[burst].push_back(static_cast<double>(report.attempts));
            lost[burst].push_back(report.outcomes.at(0).lostFragments);
            durations[burst].push_back((report.end - report.start).GetSeconds());
        }
        for (const auto& samples : {attempts, lost, durations})
        {
            ExpectSameMean(samples[0], samples[1], 3.5);
            EXPECT_LT(KolmogorovSmirnov(samples[0], samples[1]), KOLMOGOROV_SMIRNOV_LIMIT);
        }
        EXPECT_GT(Describe(lost[0]).mean, 100) << "the car shall be too far in the end";
    }
}

/// Device 2 sends to 3 for 200 ms, hidden from 0, which sends to 1 in the middle of that
class LinkUpdateInterferenceTest : public SimulatorTest
{
  protected:
    /// Devices 0 and 1 know nothing of the others, but for the link from 2 to 1.
    TestNetwork
    Make(const std::string& period) const
    {
        return TestNetwork(
            4,
            {{"Bandwidth", "5e5"}, {"SpectralEfficiency", "2"}},
            {{"Access", "Shared"}, {"Locking", "None"}, {"LinkUpdatePeriod", period}});
    }

    /// Plays messages of device 0 that begin every 10 ms.
    static void
    Play(TestNetwork& network, int firstMs, int lastMs)
    {
        network.Hide(0, 2);
        network.Hide(0, 3);
        network.SendAt(MilliSeconds(1), 2, 3, 25000);
        for (int ms = firstMs; ms <= lastMs; ms += 10)
        {
            network.SendAt(MilliSeconds(ms), 0, 1, 500);
        }
        Simulator::Run();
        EXPECT_THAT(network.Reports(), SizeIs(1 + 1 + (lastMs - firstMs) / 10));
    }
};

// At device 1 the other signal is 60 dB stronger, before as after the links of 2 are read again
TEST_F(LinkUpdateInterferenceTest, ABurstDisturbsOthersAfterItsLinksWereReadAgain)
{
    TestNetwork network = Make("20ms");
    network.SetOutage(0, 1, 1e-3);
    network.SetOutage(2, 1, 1e-9);
    At(MilliSeconds(30), [&] { network.SetOutage(2, 3, 0.1); });
    Play(network, 50, 140);
    EXPECT_THAT(network.Losses(0), Each(1));
}

// The other signal reaches device 1 from 30 ms on only
TEST_F(LinkUpdateInterferenceTest, ABurstDisturbsThoseWhomItReachesLater)
{
    TestNetwork network = Make("40ms");
    network.SetOutOfRange(2, 1);
    network.SetOutage(0, 1, LOSSLESS);
    At(MilliSeconds(30), [&] { network.SetOutage(2, 1, 1e-13); });
    Play(network, 5, 175);
    for (const auto& report : network.ReportsOf(0))
    {
        // The fragment that is on air when links are read at 41 ms ends at 49 ms
        const bool isDisturbed = report.end > MilliSeconds(65);
        const bool isClear = report.start < MilliSeconds(30);
        if (isDisturbed || isClear)
        {
            EXPECT_EQ(report.outcomes.at(0).delivered, isClear) << report.start;
        }
    }
}

} // namespace
} // namespace ns3::collab::tests
