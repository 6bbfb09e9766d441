/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * Bursts over links whose losses are correlated in time, for tests of models of such links.
 */

#ifndef TESTS_CORRELATED_BURSTS_H
#define TESTS_CORRELATED_BURSTS_H

#include "wireless/wireless-bench.h"

namespace ns3::collab::tests
{

/// @return two devices at 1 Mbit/s with fragments of 1 ms
inline std::unique_ptr<TestNetwork>
MakePair(const std::string& model, const std::string& fidelity, Settings device)
{
    return std::make_unique<TestNetwork>(
        2,
        With(std::move(device), With({{"FragmentSize", std::to_string(MILLISECOND)}})),
        Settings{{"Fidelity", fidelity}, {"OutageModel", model}});
}

/// Sends 3000 bursts of fragments, one a second, half a fragment before a multiple of 10 ms
inline void
SendEachSecond(TestNetwork& network, uint32_t fragments, D2dReliability reliability)
{
    constexpr int BURSTS = 3000;
    for (int i = 0; i < BURSTS; ++i)
    {
        network.SendAt(Seconds(i) + MicroSeconds(9500), 0, 1, fragments * MILLISECOND, reliability);
    }
    Simulator::Run();
    ASSERT_EQ(network.Reports().size(), static_cast<std::size_t>(BURSTS));
}

/// @return a number of each burst
template <typename Read>
std::vector<double>
ReadBursts(const TestNetwork& network, Read read)
{
    std::vector<double> numbers;
    for (const auto& report : network.Reports())
    {
        numbers.push_back(static_cast<double>(read(report)));
    }
    return numbers;
}

/// Expects the mean of a number of each burst, within 3.5 standard errors
template <typename Read>
void
ExpectMean(const TestNetwork& network, Read read, double expected)
{
    ExpectMean(ReadBursts(network, read), expected, 3.5);
}

/// @return whether its receiver has all of it
inline bool
IsDelivered(const D2dBurstReport& report)
{
    return report.outcomes.at(0).delivered;
}

/// @return fragments that its receiver does not have
inline uint32_t
CountLost(const D2dBurstReport& report)
{
    return report.outcomes.at(0).lostFragments;
}

/// @return transmissions of its fragments
inline double
CountAttempts(const D2dBurstReport& report)
{
    return static_cast<double>(report.attempts);
}

/// Repeat many fragments to two receivers in both fidelities and compare the distributions.
inline void
ExpectFidelitiesAgree(const std::string& model,
                      const std::map<std::pair<uint32_t, uint32_t>, double>& outages)
{
    for (const char* arq : {"StopAndWait", "SelectiveRepeat"})
    {
        // of each fidelity: attempts, lost fragments and durations of all bursts
        std::vector<std::vector<std::vector<double>>> samples;
        for (const char* fidelity : {"Packet", "Burst"})
        {
            TestNetwork network(3,
                                {{"Arq", arq}, {"MaxAttempts", "6"}, {"FragmentSize", "200"}},
                                {{"Fidelity", fidelity}, {"OutageModel", model}});
            for (const auto& [link, outage] : outages)
            {
                network.SetOutage(link.first, link.second, outage);
            }
            for (int i = 0; i < 600; ++i)
            {
                network.SendAt(Seconds(i), 0, BROADCAST, 5000, ARQ);
            }
            Simulator::Run();
            const auto duration = [](const D2dBurstReport& report) {
                return (report.end - report.start).GetSeconds();
            };
            samples.push_back({ReadBursts(network, CountAttempts),
                               ReadBursts(network, CountLost),
                               ReadBursts(network, duration)});
            Simulator::Destroy();
        }
        for (std::size_t i = 0; i < samples[0].size(); ++i)
        {
            ExpectSameMean(samples[0][i], samples[1][i], 3.5);
            EXPECT_LT(KolmogorovSmirnov(samples[0][i], samples[1][i]), KOLMOGOROV_SMIRNOV_LIMIT);
        }
    }
}

} // namespace ns3::collab::tests

#endif /* TESTS_CORRELATED_BURSTS_H */
