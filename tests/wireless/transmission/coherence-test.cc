/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * Fading that is correlated in time, against closed forms and in both fidelities.
 */

#include "wireless/transmission/correlated-bursts.h"

namespace ns3::collab::tests
{
namespace
{

constexpr double OUTAGE = 0.3;

class CoherenceTest : public FidelitiesTest
{
  protected:
    /// @return two devices at 1 Mbit/s with fragments of 1 ms, and an outage from the first on
    static std::unique_ptr<TestNetwork>
    Make(const std::string& coherence, Settings more = {})
    {
        auto network =
            MakePair("ns3::collab::D2dRayleighOutageModel[CoherenceTime=" + coherence + "]",
                     GetParam(),
                     std::move(more));
        network->SetOutage(0, 1, OUTAGE);
        return network;
    }
};

INSTANTIATE_TEST_SUITE_P(Fidelities, CoherenceTest, FIDELITIES);

TEST_P(CoherenceTest, FragmentsOfOneIntervalShareTheirFate)
{
    // 30 fragments end 0.5 ms, 1.5 ms, ... after a boundary: 10 in each of 3 intervals
    const auto network = Make("10ms");
    SendEachSecond(*network, 30, BEST_EFFORT);
    ExpectMean(*network, IsDelivered, std::pow(1 - OUTAGE, 3));
    for (const auto& report : network->Reports())
    {
        EXPECT_EQ(CountLost(report) % 10, 0U);
    }
    ExpectMean(*network, CountLost, 30 * OUTAGE);
    ExpectMean(
        *network,
        [](const D2dBurstReport& report) { return std::pow(CountLost(report) - 30 * OUTAGE, 2); },
        3 * 100 * OUTAGE * (1 - OUTAGE));
}

TEST_P(CoherenceTest, RepetitionsWithinAnIntervalAreInVain)
{
    for (const std::string& arq : ARQS)
    {
        for (const auto& [coherence, intervals] :
             std::vector<std::pair<const char*, int>>{{"1s", 1}, {"0s", 4}})
        {
            const auto network = Make(coherence, {{"Arq", arq}, {"MaxAttempts", "4"}});
            SendEachSecond(*network, 1, ARQ);
            ExpectMean(*network, IsDelivered, 1 - std::pow(OUTAGE, intervals));
            Simulator::Destroy();
        }
    }
}

TEST_P(CoherenceTest, RepetitionsInLaterIntervalsFadeAnew)
{
    // The back-offs of 9, 18 and 36 ms take each attempt to an interval of its own
    for (const std::string& arq : ARQS)
    {
        const auto network =
            Make("5ms", {{"Arq", arq}, {"MaxAttempts", "4"}, {"RetryBackoff", "9ms"}});
        SendEachSecond(*network, 1, ARQ);
        ExpectMean(*network, IsDelivered, 1 - std::pow(OUTAGE, 4));
        ExpectMean(*network, CountAttempts, 1 + OUTAGE + std::pow(OUTAGE, 2) + std::pow(OUTAGE, 3));
        Simulator::Destroy();
    }
}

TEST_P(CoherenceTest, BothWaysFadeByThemselves)
{
    // Acknowledgments are lost with 0.2, independently, and with them all attempts
    const auto network = Make("1s", {{"MaxAttempts", "3"}});
    network->SetOutage(1, 0, 0.2);
    SendEachSecond(*network, 1, ARQ);
    const auto isAcknowledged = [](const D2dBurstReport& report) {
        return report.outcomes.at(0).acknowledged;
    };
    ExpectMean(*network, IsDelivered, 1 - OUTAGE);
    ExpectMean(*network, isAcknowledged, (1 - OUTAGE) * 0.8);
}

/// Both fidelities with the same traffic
class CoherenceFidelityTest : public SimulatorTest
{
};

TEST_F(CoherenceFidelityTest, RepetitionsOfManyFragmentsAgree)
{
    ExpectFidelitiesAgree("ns3::collab::D2dRayleighOutageModel[CoherenceTime=3.1ms]",
                          {{{0, 1}, 0.3}, {{0, 2}, 0.1}, {{1, 0}, 0.1}});
}

} // namespace
} // namespace ns3::collab::tests
