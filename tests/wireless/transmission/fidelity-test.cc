/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/transmission/fidelity-traffic.h"
#include "wireless/wireless-bench.h"

namespace ns3::collab::tests
{
namespace
{

/// Traffic and how often to play it
struct Repeated
{
    FidelityTraffic traffic; //!< the traffic
    int runs = 300;          //!< repetitions
};

void
PrintTo(const Repeated& repeated, std::ostream* out)
{
    const FidelityTraffic& traffic = repeated.traffic;
    *out << traffic.bytes << " bytes to " << traffic.receivers << ", " << ToString(traffic.policy)
         << ", outage " << traffic.outage << ", back-off " << traffic.retryBackoff.As(Time::MS)
         << ", cut " << ToString(traffic.cut) << (traffic.combines ? ", combined" : "")
         << (traffic.locking.empty() ? "" : ", disturbed, Locking " + traffic.locking);
}

/// @return samples of every quantity of traffic, by name, from a run on
std::map<std::string, std::vector<double>>
PlayRepeated(const Repeated& repeated, const std::string& fidelity, int firstRun)
{
    std::map<std::string, std::vector<double>> samples;
    for (int run = 0; run < repeated.runs; ++run)
    {
        const auto [report, energyJ] =
            PlayFidelityTraffic(repeated.traffic, fidelity, firstRun + run);
        samples["attempts"].push_back(report.attempts);
        samples["bytes sent"].push_back(report.bytesSent);
        samples["airtime"].push_back(report.airtime.GetSeconds());
        samples["duration"].push_back((report.end - report.start).GetSeconds());
        for (const auto& outcome : report.outcomes)
        {
            const std::string at = " at " + std::to_string(outcome.receiverNode);
            EXPECT_TRUE(outcome.delivered || outcome.lostFragments > 0 ||
                        outcome.reason == D2dLossReason::RECEIVER_OFF);
            samples["delivered" + at].push_back(outcome.delivered);
            samples["acknowledged" + at].push_back(outcome.acknowledged);
            samples["lost fragments" + at].push_back(outcome.lostFragments);
            samples["lost units" + at].push_back(outcome.lostUnits);
            samples["acknowledged units" + at].push_back(outcome.acknowledgedUnits.size());
            samples["delay" + at].push_back((outcome.ended - report.start).GetSeconds());
        }
        for (uint32_t i = 0; i < energyJ.size(); ++i)
        {
            for (const auto kind : {EnergyKind::TX, EnergyKind::RX, EnergyKind::IDLE})
            {
                // To the nanojoule: sums of many terms and of few differ in their last digits
                samples[ToString(kind) + " joules at " + std::to_string(i)].push_back(
                    1e-9 * std::round(1e9 * energyJ[i][static_cast<std::size_t>(kind)]));
            }
        }
    }
    return samples;
}

/// Expects that both fidelities agree in all means, within standard errors, and in distributions.
void
ExpectAgreement(const Repeated& repeated, double errors)
{
    const auto packet = PlayRepeated(repeated, "Packet", 1);
    const auto burst = PlayRepeated(repeated, "Burst", 1 + repeated.runs);
    ASSERT_EQ(packet.size(), burst.size());
    for (const auto& [name, sample] : packet)
    {
        SCOPED_TRACE(name);
        ExpectSameMean(sample, burst.at(name), errors);
        if (name == "attempts" || name.find("joules at 0") != std::string::npos ||
            name.rfind("delay", 0) == 0 || name.rfind("lost fragments", 0) == 0)
        {
            EXPECT_LT(KolmogorovSmirnov(sample, burst.at(name)), KOLMOGOROV_SMIRNOV_LIMIT);
        }
    }
}

/*
 * Each night: the means of 16 quantities for a unicast and 43 for a broadcast of 4 receivers, 22
 * and 49 where others disturb it, at 3.5 combined standard errors (two-sided 4.7e-4), and
 * Kolmogorov-Smirnov tests of 4 + 2 a receiver at 1e-4: over the 69 + 69 traffics that go through,
 * the 30 + 30 that are cut, the 30 that are combined and the 39 + 39 that are disturbed 9090 means
 * and 2664 tests. Many of the quantities are functions of each other, and a quarter of the traffics
 * loses nothing, so that the number of independent comparisons is about that of attempts and
 * losses, 151 x 2 + 121 x 5 = 907. A correct program would fail with probability 907 x 4.7e-4 +
 * 2664 x 1e-4 = 70 % or so for seeds drawn anew; these are fixed.
 *
 * Always: the same traffics, a tenth as often. At 5 standard errors Student's t with 18 degrees of
 * freedom has 9.3e-5 on both sides, so that a correct program would fail with probability
 * 907 x 9.3e-5 + 2664 x 1e-4 = 35 % at most for seeds drawn anew.
 */
using FidelityTest = WithParameter<Repeated>;

TEST_P(FidelityTest, AgreeInDistribution)
{
    Repeated repeated = GetParam();
    repeated.runs = IsNightly() ? repeated.runs : std::max(10, repeated.runs / 10);
    ExpectAgreement(repeated, IsNightly() ? 3.5 : 5);
}

/// @return a message, with units of which two or more are in a fragment, or each in three
FidelityTraffic
MakeTraffic(uint32_t receivers, FidelityPolicy policy, uint32_t bytes, double outage)
{
    FidelityTraffic traffic;
    traffic.receivers = receivers;
    traffic.policy = policy;
    traffic.bytes = bytes;
    traffic.outage = outage;
    traffic.unitBytes = bytes < 1000 ? 20 : bytes < 100000 ? 500 : 4000;
    return traffic;
}

/// @return traffic that takes some 0.2 s, and that something may happen to in its middle
FidelityTraffic
MakeCutTraffic(uint32_t receivers, FidelityPolicy policy, double outage)
{
    FidelityTraffic traffic = MakeTraffic(receivers, policy, 20000, outage);
    traffic.retryBackoff = MilliSeconds(3);
    traffic.cutBefore = MilliSeconds(receivers == 1 ? 300 : 600);
    traffic.horizon = Seconds(20);
    return traffic;
}

/// @return all combinations of size, outage, policy, back-off and number of receivers
std::vector<Repeated>
AllTraffic()
{
    std::vector<Repeated> all;
    for (const uint32_t receivers : {1, 4})
    {
        for (const auto policy : ALL_FIDELITY_POLICIES)
        {
            const bool retries =
                policy != FidelityPolicy::BEST_EFFORT && policy != FidelityPolicy::DIVISIBLE;
            for (const uint32_t bytes : {100, 20000, 300000})
            {
                for (const double outage : {0.0, 0.01, 0.1, 0.5})
                {
                    FidelityTraffic traffic = MakeTraffic(receivers, policy, bytes, outage);
                    all.push_back({traffic, bytes == 300000 ? 50 : 300});
                    if (retries && outage > 0 && bytes == 20000)
                    {
                        traffic.retryBackoff = MilliSeconds(3);
                        all.push_back({traffic, 300});
                    }
                }
            }
        }
    }
    return all;
}

/// @return all combinations of a cut, policy and number of receivers
std::vector<Repeated>
AllCutTraffic()
{
    std::vector<Repeated> all;
    for (const uint32_t receivers : {1, 4})
    {
        for (const auto policy : ALL_FIDELITY_POLICIES)
        {
            FidelityTraffic traffic = MakeCutTraffic(receivers, policy, 0.4);
            for (const auto cut : ALL_FIDELITY_CUTS)
            {
                traffic.cut = cut;
                all.push_back({traffic, 200});
            }
        }
    }
    return all;
}

/// @return combinations of policy, size, outage and cut for a receiver that combines
std::vector<Repeated>
AllCombinedTraffic()
{
    std::vector<Repeated> all;
    for (const auto policy : {FidelityPolicy::STOP_AND_WAIT,
                              FidelityPolicy::SELECTIVE_REPEAT,
                              FidelityPolicy::DIVISIBLE_RELIABLE})
    {
        for (const uint32_t bytes : {100, 20000})
        {
            for (const double outage : {0.3, 0.9})
            {
                FidelityTraffic traffic = MakeTraffic(1, policy, bytes, outage);
                traffic.combines = true;
                traffic.retryBackoff = MilliSeconds(3);
                all.push_back({traffic, 300});
            }
        }
        for (const auto cut : ALL_FIDELITY_CUTS)
        {
            FidelityTraffic traffic = MakeCutTraffic(1, policy, 0.8);
            traffic.combines = true;
            traffic.cut = cut;
            traffic.cutBefore = MilliSeconds(600);
            all.push_back({traffic, 300});
        }
    }
    return all;
}

/// @return combinations of policy, locking, cut and number of receivers where others disturb
std::vector<Repeated>
AllDisturbedTraffic()
{
    std::vector<Repeated> all;
    for (const uint32_t receivers : {1, 4})
    {
        for (const auto policy : ALL_FIDELITY_POLICIES)
        {
            FidelityTraffic traffic = MakeCutTraffic(receivers, policy, 0.2);
            for (const std::string locking : ALL_FIDELITY_LOCKINGS)
            {
                traffic.locking = locking;
                all.push_back({traffic, 200});
            }
            for (const auto cut : ALL_FIDELITY_CUTS)
            {
                if (policy != FidelityPolicy::STOP_AND_WAIT) // each fragment is played by itself
                {
                    traffic.cut = cut;
                    all.push_back({traffic, 200});
                }
            }
        }
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(Disturbed, FidelityTest, testing::ValuesIn(AllDisturbedTraffic()));
INSTANTIATE_TEST_SUITE_P(Combined, FidelityTest, testing::ValuesIn(AllCombinedTraffic()));
INSTANTIATE_TEST_SUITE_P(Traffic, FidelityTest, testing::ValuesIn(AllTraffic()));
INSTANTIATE_TEST_SUITE_P(Cut, FidelityTest, testing::ValuesIn(AllCutTraffic()));
INSTANTIATE_TEST_SUITE_P(NightlyDisturbed, FidelityTest, testing::ValuesIn(AllDisturbedTraffic()));
INSTANTIATE_TEST_SUITE_P(NightlyCombined, FidelityTest, testing::ValuesIn(AllCombinedTraffic()));
INSTANTIATE_TEST_SUITE_P(NightlyTraffic, FidelityTest, testing::ValuesIn(AllTraffic()));
INSTANTIATE_TEST_SUITE_P(NightlyCut, FidelityTest, testing::ValuesIn(AllCutTraffic()));

} // namespace
} // namespace ns3::collab::tests
