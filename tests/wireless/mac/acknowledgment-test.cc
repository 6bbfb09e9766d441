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

/// Radios of 1 Mbit/s, by fidelity and way of ARQ
class AcknowledgmentTest : public WithParameter<std::tuple<std::string, std::string>>
{
  protected:
    /// @param turnaround attribute AcknowledgmentTurnaround
    /// @return radios whose acknowledgments take 200 us, without back-off
    Settings
    Device(const std::string& turnaround) const
    {
        return {{"Bandwidth", "5e5"},
                {"SpectralEfficiency", "2"},
                {"ContentionWindow", "1"},
                {"FragmentSize", std::to_string(MILLISECOND)},
                {"AcknowledgmentSize", "25"}, // 200 us
                {"AcknowledgmentTurnaround", turnaround},
                {"Arq", std::get<1>(GetParam())}};
    }

    /// Attributes of the channel
    const Settings m_channel = {{"Fidelity", std::get<0>(GetParam())}};
    /// Whether the sender waits after each fragment
    const bool m_stops = std::get<1>(GetParam()) == "StopAndWait";
};

INSTANTIATE_TEST_SUITE_P(Radios,
                         AcknowledgmentTest,
                         testing::Combine(testing::Values("Packet", "Burst"),
                                          testing::Values("StopAndWait", "SelectiveRepeat")));

TEST_P(AcknowledgmentTest, HasTheAirtimeOfTheDeviceThatSendsIt)
{
    TestNetwork network(2, Device("20us"), m_channel);
    Ptr<D2dNetDevice> receiver = network.Device(1);
    receiver->GetPhy()->SetAttribute("SpectralEfficiency", DoubleValue(4)); // 100 us
    double transmittedS = 0;
    Time since;
    double signals = 0;
    const std::function<void(const D2dRadioActivity&)> observe = [&](const auto& activity) {
        transmittedS += signals * (Simulator::Now() - since).GetSeconds();
        transmittedS += activity.correction.transmitting.GetSeconds();
        since = Simulator::Now();
        signals = activity.transmitting + activity.cycle.transmitting;
    };
    receiver->GetPhy()->TraceConnectWithoutContext(
        "Activity", Callback<void, const D2dRadioActivity&>(observe));
    network.Send(0, 1, 3 * MILLISECOND, ARQ);
    Simulator::Run();
    ASSERT_EQ(network.Reports().size(), 1);
    const D2dBurstReport& report = network.Report();
    EXPECT_TRUE(report.outcomes[0].acknowledged);
    EXPECT_EQ(report.end - report.start,
              MilliSeconds(3) + MicroSeconds(20) * (m_stops ? 3 : 1) + MicroSeconds(100) * 3);
    EXPECT_NEAR(transmittedS, 300e-6, 1e-9) << "and its energy";
}

TEST_P(AcknowledgmentTest, IsLostByTheRateAndBandOfTheDeviceThatSendsIt)
{
    TestNetwork network(2, Device("20us"), m_channel);
    network.SetOutage(1, 0, 0.4);
    const D2dLink link = network.Channel()->GetLink(network.Device(0), network.Device(1));
    const auto loss = [&]() {
        return network.Channel()->GetMedium()->GetAcknowledgmentLoss(
            *network.Phy(0), link, TURNAROUND);
    };
    EXPECT_NEAR(loss(), 0.4, 1e-12);
    network.Set(0, "SpectralEfficiency", "7");
    network.Set(0, "Bandwidth", "1e7");
    EXPECT_NEAR(loss(), 0.4, 1e-12);
    network.Set(1, "Bandwidth", "1e6"); // twice the noise
    EXPECT_NEAR(loss(), 1 - 0.6 * 0.6, 1e-12);
}

TEST_P(AcknowledgmentTest, ABroadcastWaitsForTheSlowest)
{
    TestNetwork network(3, Device("20us"), m_channel);
    network.Set(2, "Bandwidth", "2.5e5"); // 400 us
    network.Send(0, BROADCAST, MILLISECOND, ARQ);
    Simulator::Run();
    ASSERT_EQ(network.Reports().size(), 1);
    const D2dBurstReport& report = network.Report();
    EXPECT_EQ(report.end - report.start, MicroSeconds(1000 + 20 + 400));
}

TEST_P(AcknowledgmentTest, WithoutATurnaroundTheWayThereAndBackIsWaitedFor)
{
    TestNetwork network(4, Device("0us"), m_channel);
    network.Send(0, 3, 2 * MILLISECOND, ARQ);
    Simulator::Run();
    ASSERT_EQ(network.Reports().size(), 1);
    const D2dBurstReport& report = network.Report();
    EXPECT_TRUE(report.outcomes[0].acknowledged);
    EXPECT_EQ(report.attempts, 2) << "nothing is repeated";
    const Time delay = network.Channel()->GetLink(network.Device(0), network.Device(3)).delay;
    EXPECT_GT(delay, MicroSeconds(1));
    EXPECT_EQ(report.end - report.start,
              MilliSeconds(2) + delay * 2 * (m_stops ? 2 : 1) + MicroSeconds(200) * 2);
}

TEST_P(AcknowledgmentTest, WithoutATurnaroundABroadcastWaitsForTheFarthest)
{
    TestNetwork network(3, Device("0us"), m_channel);
    network.SetOutOfRange(0, 2);
    network.Send(0, BROADCAST, MILLISECOND, ARQ);
    Simulator::Run();
    network.SetOutage(0, 2, 0);
    network.Send(0, BROADCAST, MILLISECOND, ARQ);
    Simulator::Run();
    ASSERT_EQ(network.Reports().size(), 2);
    for (const uint32_t farthest : {1, 2})
    {
        const D2dBurstReport& report = network.Reports()[farthest - 1];
        const Time delay =
            network.Channel()->GetLink(network.Device(0), network.Device(farthest)).delay;
        EXPECT_EQ(report.attempts, 1);
        EXPECT_EQ(report.end - report.start, MilliSeconds(1) + delay * 2 + MicroSeconds(200));
    }
}

TEST_P(AcknowledgmentTest, HasThePowerOfItsMoment)
{
    constexpr uint32_t FRAGMENTS = 10;
    constexpr double RAISE = 100; // 20 dB
    for (const uint32_t receivers : {1, 2})
    {
        TestNetwork network(receivers + 1, Device("20us"), m_channel);
        network.InstallBatteries({}, {{"AmplifierEfficiency", "1"}, {"CircuitPower", "0"}});
        const double powerW = std::pow(10.0, network.Phy(1)->GetTxPowerDbm() / 10 - 3);
        network.Send(0, receivers == 1 ? 1 : BROADCAST, FRAGMENTS * MILLISECOND, ARQ);
        At(MicroSeconds(4 * 1220 + 600), [&] { // four cycles, and a half
            network.Set(1, "TxPower", std::to_string(network.Phy(1)->GetTxPowerDbm() + 20));
        });
        RunFor(Seconds(1));
        const double before = m_stops ? 4 : 0;
        EXPECT_NEAR(network.Joules(1, EnergyKind::TX),
                    (before + (FRAGMENTS - before) * RAISE) * powerW * 200e-6,
                    1e-9);
        if (receivers == 2)
        {
            EXPECT_NEAR(network.Joules(2, EnergyKind::TX), FRAGMENTS * powerW * 200e-6, 1e-9);
        }
    }
}

} // namespace
} // namespace ns3::collab::tests
