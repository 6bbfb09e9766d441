/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * Fading that is correlated in time, against closed forms and in both fidelities.
 */

#include "wireless/wireless-bench.h"

namespace ns3::collab::tests
{
namespace
{

constexpr double OUTAGE = 0.3;

/// A number of a burst to one receiver
using ReadBurst = double (*)(const D2dBurstReport& report);

/// @return that of each burst
std::vector<double>
ReadBursts(const TestNetwork& network, ReadBurst read)
{
    std::vector<double> numbers;
    for (const auto& report : network.Reports())
    {
        numbers.push_back(read(report));
    }
    return numbers;
}

double
CountAttempts(const D2dBurstReport& report)
{
    return static_cast<double>(report.attempts);
}

double
CountLost(const D2dBurstReport& report)
{
    return report.outcomes.at(0).lostFragments;
}

double
IsDelivered(const D2dBurstReport& report)
{
    return report.outcomes.at(0).delivered;
}

/// 3000 bursts over a link of an outage with a coherence time
class CoherenceTest : public FidelitiesTest
{
  protected:
    /// Sends bursts of fragments of 1 ms, one a second, half a fragment before a multiple of 10 ms.
    void
    Play(const std::string& coherence,
         uint32_t fragments,
         D2dReliability reliability,
         const Settings& more = {},
         double acknowledgmentOutage = 0)
    {
        constexpr int BURSTS = 3000;
        m_network.emplace(
            2,
            With(more, With({{"FragmentSize", std::to_string(MILLISECOND)}})),
            Channel({{"OutageModel",
                      "ns3::collab::D2dRayleighOutageModel[CoherenceTime=" + coherence + "]"}}));
        m_network->SetOutage(0, 1, OUTAGE);
        m_network->SetOutage(1, 0, acknowledgmentOutage);
        for (int i = 0; i < BURSTS; ++i)
        {
            m_network->SendAt(
                Seconds(i) + MicroSeconds(9500), 0, 1, fragments * MILLISECOND, reliability);
        }
        Simulator::Run();
        ASSERT_THAT(m_network->Reports(), SizeIs(BURSTS));
    }

    /// Expects the mean of a number of the bursts, within 3.5 standard errors.
    void
    ExpectMean(ReadBurst read, double expected) const
    {
        tests::ExpectMean(ReadBursts(*m_network, read), expected, 3.5);
    }

    std::optional<TestNetwork> m_network; //!< two devices at 1 Mbit/s
};

INSTANTIATE_TEST_SUITE_P(Fidelities, CoherenceTest, FIDELITIES);

TEST_P(CoherenceTest, FragmentsOfOneIntervalShareTheirFate)
{
    // 30 fragments end 0.5 ms, 1.5 ms, ... after a boundary: 10 in each of 3 intervals
    Play("10ms", 30, BEST_EFFORT);
    ExpectMean(IsDelivered, std::pow(1 - OUTAGE, 3));
    for (const double lost : ReadBursts(*m_network, CountLost))
    {
        EXPECT_EQ(std::fmod(lost, 10), 0);
    }
    ExpectMean(CountLost, 30 * OUTAGE);
    ExpectMean(
        [](const D2dBurstReport& report) { return std::pow(CountLost(report) - 30 * OUTAGE, 2); },
        3 * 100 * OUTAGE * (1 - OUTAGE));
}

TEST_P(CoherenceTest, RepetitionsWithinAnIntervalAreInVain)
{
    for (const std::string& arq : ARQS)
    {
        for (const auto& [coherence, intervals] : {std::pair("1s", 1), std::pair("0s", 4)})
        {
            Play(coherence, 1, ARQ, {{"Arq", arq}, {"MaxAttempts", "4"}});
            ExpectMean(IsDelivered, 1 - std::pow(OUTAGE, intervals));
        }
    }
}

TEST_P(CoherenceTest, RepetitionsInLaterIntervalsFadeAnew)
{
    // The back-offs of 9, 18 and 36 ms take each attempt to an interval of its own
    for (const std::string& arq : ARQS)
    {
        Play("5ms", 1, ARQ, {{"Arq", arq}, {"MaxAttempts", "4"}, {"RetryBackoff", "9ms"}});
        ExpectMean(IsDelivered, 1 - std::pow(OUTAGE, 4));
        ExpectMean(CountAttempts, 1 + OUTAGE + std::pow(OUTAGE, 2) + std::pow(OUTAGE, 3));
    }
}

TEST_P(CoherenceTest, BothWaysFadeByThemselves)
{
    // Acknowledgments are lost with 0.2, independently, and with them all attempts
    Play("1s", 1, ARQ, {{"MaxAttempts", "3"}}, 0.2);
    ExpectMean(IsDelivered, 1 - OUTAGE);
    ExpectMean(
        [](const D2dBurstReport& report) -> double { return report.outcomes.at(0).acknowledged; },
        (1 - OUTAGE) * 0.8);
}

using CoherenceFidelityTest = SimulatorTest;

TEST_F(CoherenceFidelityTest, RepetitionsOfManyFragmentsAgree)
{
    for (const std::string& arq : ARQS)
    {
        // Of each fidelity: attempts, lost fragments and durations of all bursts
        std::vector<std::vector<std::vector<double>>> samples;
        for (const char* fidelity : {"Packet", "Burst"})
        {
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
                network.SendAt(Seconds(i), 0, BROADCAST, 5000, ARQ);
            }
            Simulator::Run();
            samples.push_back({ReadBursts(network, CountAttempts),
                               ReadBursts(network, CountLost),
                               ReadBursts(network, [](const D2dBurstReport& report) {
                                   return (report.end - report.start).GetSeconds();
                               })});
        }
        for (std::size_t i = 0; i < samples[0].size(); ++i)
        {
            ExpectSameMean(samples[0][i], samples[1][i], 3.5);
            EXPECT_LT(KolmogorovSmirnov(samples[0][i], samples[1][i]), KOLMOGOROV_SMIRNOV_LIMIT);
        }
    }
}

} // namespace
} // namespace ns3::collab::tests
