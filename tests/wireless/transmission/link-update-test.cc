/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-test-support.h"

#include "ns3/constant-velocity-mobility-model.h"
#include "ns3/d2d-helper.h"
#include "ns3/double.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <vector>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;

constexpr double SPEED_M_PER_S = 20;
constexpr double START_M = 50;
constexpr double FRAGMENT_S = 12.272e-3; // 1534 bytes at 1 Mbit/s
constexpr uint32_t FRAGMENTS = 4000;

/// How a message is sent to a car that drives away
struct Drive
{
    const char* fidelity;                                     //!< "Packet" or "Burst"
    const char* period;                                       //!< attribute LinkUpdatePeriod
    const char* arq = "StopAndWait";                          //!< attribute Arq
    D2dReliability reliability = D2dReliability::BEST_EFFORT; //!< of the burst
};

/**
 * @param drive how the message is sent
 * @param run number of the run
 * @return what becomes of a message of 49 s
 */
D2dBurstReport
SendToCar(const Drive& drive, uint64_t run)
{
    RngSeedManager::SetRun(run);
    NodeContainer nodes(2);
    for (uint32_t i = 0; i < 2; ++i)
    {
        Ptr<ConstantVelocityMobilityModel> car = CreateObject<ConstantVelocityMobilityModel>();
        car->SetPosition(Vector(i * START_M, 0, 0));
        car->SetVelocity(Vector(i * SPEED_M_PER_S, 0, 0));
        nodes.Get(i)->AggregateObject(car);
    }
    D2dHelper helper;
    helper.AddPropagationLossModel("ns3::LogDistancePropagationLossModel",
                                   "Exponent",
                                   DoubleValue(3),
                                   "ReferenceLoss",
                                   DoubleValue(46.68));
    helper.SetChannelAttribute("Fidelity", StringValue(drive.fidelity));
    helper.SetChannelAttribute("LinkUpdatePeriod", StringValue(drive.period));
    helper.SetDeviceAttribute("ContentionWindow", StringValue("1"));
    helper.SetDeviceAttribute("Arq", StringValue(drive.arq));
    helper.SetDeviceAttribute("MaxAttempts", StringValue("3"));
    const NetDeviceContainer devices = helper.Install(nodes);
    D2dBurstReport result;
    D2dBurst burst(Create<Packet>(1500 * FRAGMENTS),
                   Mac48Address::ConvertFrom(devices.Get(1)->GetAddress()),
                   TestNetwork::PROTOCOL,
                   drive.reliability);
    DynamicCast<D2dNetDevice>(devices.Get(0))
        ->GetMac()
        ->SendBurst(burst, [&result](const D2dBurstReport& report) { result = report; });
    Simulator::Run();
    Simulator::Destroy();
    return result;
}

/**
 * @param distanceM distance
 * @return outage probability there, 1 bit/s/Hz and 1 MHz
 */
double
GetOutage(double distanceM)
{
    const double receivedDbm = 20 - 46.68 - 30 * std::log10(distanceM);
    if (receivedDbm < -120)
    {
        return 1;
    }
    const double noiseW = 1.380649e-23 * 290 * 1e6 * std::pow(10, 0.7);
    return -std::expm1(-noiseW / std::pow(10, (receivedDbm - 30) / 10));
}

/**
 * @param periodS how often the link is read [s]
 * @return mean number of fragments that get lost
 */
double
GetMeanLoss(double periodS)
{
    double lost = 0;
    for (uint32_t i = 1; i <= FRAGMENTS; ++i)
    {
        const double read = std::floor(i * FRAGMENT_S / periodS) * periodS;
        lost += GetOutage(START_M + SPEED_M_PER_S * read);
    }
    return lost;
}

class LinkUpdateTest : public SimulatorTest, public testing::WithParamInterface<const char*>
{
};

INSTANTIATE_TEST_SUITE_P(Fidelities, LinkUpdateTest, testing::Values("Packet", "Burst"));

TEST_P(LinkUpdateTest, WithoutItTheLinkIsThatOfTheBeginning)
{
    const D2dBurstReport report = SendToCar({GetParam(), "0s"}, 1);
    const double expected = FRAGMENTS * GetOutage(START_M);
    EXPECT_NEAR(report.outcomes.at(0).lostFragments, expected, 4 * std::sqrt(expected) + 1);
}

TEST_P(LinkUpdateTest, LossGrowsWithTheDistance)
{
    for (const auto& [period, seconds] :
         std::vector<std::pair<const char*, double>>{{"50ms", 0.05}, {"2s", 2}, {"20s", 20}})
    {
        std::vector<double> lost;
        for (uint64_t run = 1; run <= 30; ++run)
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
                        {{"Bandwidth", "5e5"},
                         {"SpectralEfficiency", "2"},
                         {"ContentionWindow", "1"},
                         {"FragmentSize", "100"},
                         {"MaxAttempts", "3"}},
                        {{"Fidelity", GetParam()}, {"LinkUpdatePeriod", "2ms"}});
    network.SetOutage(0, 1, 1 - 1e-9);
    network.SetOutage(1, 0, 1 - 1e-9);
    network.Send(0, TestNetwork::BROADCAST, 10000, D2dReliability::ARQ);
    Simulator::Schedule(MilliSeconds(1), [&network]() { network.SetOutage(0, 1, 1e-9); });
    Simulator::Run();
    ASSERT_EQ(network.Reports().size(), 1U);
    EXPECT_EQ(network.Reports()[0].attempts, 102U);
    EXPECT_EQ(network.Reports()[0].outcomes.at(0).lostFragments, 0U);
}

TEST(LinkUpdateFidelityTest, RepetitionsAgree)
{
    for (const char* arq : {"StopAndWait", "SelectiveRepeat"})
    {
        std::vector<std::vector<double>> attempts(2);
        std::vector<std::vector<double>> lost(2);
        std::vector<std::vector<double>> durations(2);
        for (uint64_t run = 1; run <= 200; ++run)
        {
            const bool burst = run > 100;
            const D2dBurstReport report =
                SendToCar({burst ? "Burst" : "Packet", "500ms", arq, D2dReliability::ARQ}, run);
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

/*
 * Device 2 sends to 3 for 200 ms, hidden from 0, which sends to 1 in the middle of that. At 1 the
 * other signal is 60 dB stronger, before as after the links of 2 are read again.
 */
TEST(LinkUpdateInterferenceTest, ABurstDisturbsOthersAfterItsLinksWereReadAgain)
{
    TestNetwork network(4,
                        {{"Bandwidth", "5e5"}, {"SpectralEfficiency", "2"}},
                        {{"Access", "Shared"}, {"Locking", "None"}, {"LinkUpdatePeriod", "20ms"}});
    network.SetOutage(0, 1, 1e-3);
    network.SetOutage(2, 1, 1e-9);
    for (const auto& [from, to] :
         std::vector<std::pair<uint32_t, uint32_t>>{{0, 2}, {2, 0}, {0, 3}, {3, 0}})
    {
        network.SetOutOfRange(from, to);
    }
    Simulator::Schedule(MilliSeconds(1),
                        [&network]() { network.Send(2, 3, 25000, D2dReliability::BEST_EFFORT); });
    Simulator::Schedule(MilliSeconds(30), [&network]() { network.SetOutage(2, 3, 0.1); });
    for (int i = 0; i < 10; ++i)
    {
        Simulator::Schedule(MilliSeconds(50 + 10 * i),
                            [&network]() { network.Send(0, 1, 500, D2dReliability::BEST_EFFORT); });
    }
    Simulator::Run();
    ASSERT_EQ(network.Reports().size(), 11U);
    for (const auto& report : network.Reports())
    {
        if (report.senderNode == network.NodeId(0))
        {
            EXPECT_FALSE(report.outcomes.at(0).delivered);
        }
    }
    Simulator::Destroy();
}

// The same, but the other signal reaches device 1 from 30 ms on only
TEST(LinkUpdateInterferenceTest, ABurstDisturbsThoseWhomItReachesLater)
{
    TestNetwork network(4,
                        {{"Bandwidth", "5e5"}, {"SpectralEfficiency", "2"}},
                        {{"Access", "Shared"}, {"Locking", "None"}, {"LinkUpdatePeriod", "40ms"}});
    for (const auto& [from, to] :
         std::vector<std::pair<uint32_t, uint32_t>>{{0, 2}, {2, 0}, {0, 3}, {3, 0}, {2, 1}})
    {
        network.SetOutOfRange(from, to);
    }
    network.SetOutage(0, 1, 1e-9);
    Simulator::Schedule(MilliSeconds(1),
                        [&network]() { network.Send(2, 3, 25000, D2dReliability::BEST_EFFORT); });
    Simulator::Schedule(MilliSeconds(30), [&network]() { network.SetOutage(2, 1, 1e-13); });
    for (int i = 0; i < 18; ++i)
    {
        Simulator::Schedule(MilliSeconds(5 + 10 * i),
                            [&network]() { network.Send(0, 1, 500, D2dReliability::BEST_EFFORT); });
    }
    Simulator::Run();
    ASSERT_EQ(network.Reports().size(), 19U);
    for (const auto& report : network.Reports())
    {
        // The fragment that is on air when links are read at 41 ms ends at 49 ms
        const bool isDisturbed = report.end > MilliSeconds(65);
        const bool isClear = report.start < MilliSeconds(30);
        if (report.senderNode == network.NodeId(0) && (isDisturbed || isClear))
        {
            EXPECT_EQ(report.outcomes.at(0).delivered, isClear) << report.start;
        }
    }
    Simulator::Destroy();
}

} // namespace
