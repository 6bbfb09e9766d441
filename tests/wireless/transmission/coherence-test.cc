/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * Fading that is correlated in time, against closed forms and in both fidelities.
 */

#include "wireless/wireless-test-support.h"

#include "ns3/d2d-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <cmath>
#include <string>
#include <vector>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;

constexpr auto BEST_EFFORT = D2dReliability::BEST_EFFORT;
constexpr auto ARQ = D2dReliability::ARQ;
constexpr double OUTAGE = 0.3;
constexpr uint32_t MILLISECOND = 125 - 34; //!< bytes of a fragment of 1 ms

class CoherenceTest : public SimulatorTest, public testing::WithParamInterface<const char*>
{
  protected:
    /**
     * @param coherence attribute CoherenceTime
     * @param more attributes of the devices
     * @return two devices at 1 Mbit/s with fragments of 1 ms, and an outage from the first on
     */
    static std::unique_ptr<TestNetwork>
    Make(const std::string& coherence, Settings more = {})
    {
        more.insert({{"Bandwidth", "5e5"},
                     {"SpectralEfficiency", "2"},
                     {"ContentionWindow", "1"},
                     {"FragmentSize", std::to_string(MILLISECOND)}});
        auto network = std::make_unique<TestNetwork>(
            2,
            more,
            Settings{{"Fidelity", GetParam()},
                     {"OutageModel",
                      "ns3::collab::D2dRayleighOutageModel[CoherenceTime=" + coherence + "]"}});
        network->SetOutage(0, 1, OUTAGE);
        return network;
    }

    /**
     * @param network two devices
     * @param bursts how many the first one sends, one a second, from half a fragment before the
     * beginning of an interval on
     * @param fragments of each
     * @param reliability what is done about those that are lost
     */
    static void
    Send(TestNetwork& network, int bursts, uint32_t fragments, D2dReliability reliability)
    {
        for (int i = 0; i < bursts; ++i)
        {
            Simulator::Schedule(Seconds(i) + MicroSeconds(9500), [=, &network]() {
                network.Send(0, 1, fragments * MILLISECOND, reliability);
            });
        }
        Simulator::Run();
        ASSERT_EQ(network.Reports().size(), static_cast<std::size_t>(bursts));
    }

    /**
     * @param network two devices whose bursts are over
     * @return for each burst, 1 if it was delivered
     */
    static std::vector<double>
    FindDelivered(const TestNetwork& network)
    {
        std::vector<double> delivered;
        for (const auto& report : network.Reports())
        {
            delivered.push_back(report.outcomes.at(0).delivered);
        }
        return delivered;
    }

    /**
     * @param sample numbers
     * @param expected their expected mean, within 3.5 standard errors
     */
    static void
    ExpectMean(const std::vector<double>& sample, double expected)
    {
        const Moments moments = Describe(sample);
        EXPECT_NEAR(moments.mean, expected, 3.5 * moments.standardError);
    }
};

INSTANTIATE_TEST_SUITE_P(Fidelities, CoherenceTest, testing::Values("Packet", "Burst"));

TEST_P(CoherenceTest, FragmentsOfOneIntervalShareTheirFate)
{
    // 30 fragments end 0.5 ms, 1.5 ms, ... after a boundary: 10 in each of 3 intervals
    const auto network = Make("10ms");
    Send(*network, 3000, 30, BEST_EFFORT);
    ExpectMean(FindDelivered(*network), std::pow(1 - OUTAGE, 3));
    std::vector<double> lost;
    std::vector<double> squares;
    for (const auto& report : network->Reports())
    {
        lost.push_back(report.outcomes.at(0).lostFragments);
        EXPECT_EQ(report.outcomes[0].lostFragments % 10, 0U);
        squares.push_back(std::pow(lost.back() - 30 * OUTAGE, 2));
    }
    ExpectMean(lost, 30 * OUTAGE);
    ExpectMean(squares, 3 * 100 * OUTAGE * (1 - OUTAGE));
}

TEST_P(CoherenceTest, RepetitionsWithinAnIntervalAreInVain)
{
    for (const char* arq : {"StopAndWait", "SelectiveRepeat"})
    {
        for (const auto& [coherence, intervals] :
             std::vector<std::pair<const char*, int>>{{"1s", 1}, {"0s", 4}})
        {
            const auto network = Make(coherence, {{"Arq", arq}, {"MaxAttempts", "4"}});
            Send(*network, 3000, 1, ARQ);
            ExpectMean(FindDelivered(*network), 1 - std::pow(OUTAGE, intervals));
            Simulator::Destroy();
        }
    }
}

TEST_P(CoherenceTest, RepetitionsInLaterIntervalsFadeAnew)
{
    // The back-offs of 9, 18 and 36 ms take each attempt to an interval of its own
    for (const char* arq : {"StopAndWait", "SelectiveRepeat"})
    {
        const auto network =
            Make("5ms", {{"Arq", arq}, {"MaxAttempts", "4"}, {"RetryBackoff", "9ms"}});
        Send(*network, 3000, 1, ARQ);
        ExpectMean(FindDelivered(*network), 1 - std::pow(OUTAGE, 4));
        std::vector<double> attempts;
        for (const auto& report : network->Reports())
        {
            attempts.push_back(static_cast<double>(report.attempts));
        }
        ExpectMean(attempts, 1 + OUTAGE + std::pow(OUTAGE, 2) + std::pow(OUTAGE, 3));
        Simulator::Destroy();
    }
}

TEST_P(CoherenceTest, BothWaysFadeByThemselves)
{
    // Acknowledgments are lost with 0.2, independently, and with them all attempts
    const auto network = Make("1s", {{"MaxAttempts", "3"}});
    network->SetOutage(1, 0, 0.2);
    Send(*network, 3000, 1, ARQ);
    std::vector<double> acknowledged;
    for (const auto& report : network->Reports())
    {
        acknowledged.push_back(report.outcomes.at(0).acknowledged);
    }
    ExpectMean(FindDelivered(*network), 1 - OUTAGE);
    ExpectMean(acknowledged, (1 - OUTAGE) * 0.8);
}

/// Both fidelities with the same traffic
class CoherenceFidelityTest : public SimulatorTest
{
};

TEST_F(CoherenceFidelityTest, RepetitionsOfManyFragmentsAgree)
{
    for (const char* arq : {"StopAndWait", "SelectiveRepeat"})
    {
        std::vector<std::vector<double>> attempts;
        std::vector<std::vector<double>> lost;
        std::vector<std::vector<double>> durations;
        for (const char* fidelity : {"Packet", "Burst"})
        {
            attempts.emplace_back();
            lost.emplace_back();
            durations.emplace_back();
            TestNetwork network(
                3,
                {{"Arq", arq}, {"MaxAttempts", "6"}, {"FragmentSize", "200"}},
                {{"Fidelity", fidelity},
                 {"OutageModel", "ns3::collab::D2dRayleighOutageModel[CoherenceTime=3.1ms]"}});
            network.SetOutage(0, 1, 0.3);
            network.SetOutage(0, 2, 0.1);
            network.SetOutage(1, 0, 0.1);
            for (int i = 0; i < 600; ++i)
            {
                Simulator::Schedule(Seconds(i), [&network]() {
                    network.Send(0, TestNetwork::BROADCAST, 5000, ARQ);
                });
            }
            Simulator::Run();
            for (const auto& report : network.Reports())
            {
                attempts.back().push_back(static_cast<double>(report.attempts));
                lost.back().push_back(report.outcomes.at(0).lostFragments);
                durations.back().push_back((report.end - report.start).GetSeconds());
            }
            Simulator::Destroy();
        }
        for (const auto& samples : {attempts, lost, durations})
        {
            ExpectSameMean(samples[0], samples[1], 3.5);
            EXPECT_LT(KolmogorovSmirnov(samples[0], samples[1]), KOLMOGOROV_SMIRNOV_LIMIT);
        }
    }
}

} // namespace
