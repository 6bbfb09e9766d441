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

/// Rates that devices choose, in both fidelities
class RateControlTest : public FidelitiesTest
{
  protected:
    void
    Make(uint32_t size, Settings more = {})
    {
        m_network.emplace(
            size,
            With(std::move(more), {{"RateControl", "Adaptive"}, {"ContentionWindow", "1"}}),
            m_channel);
    }

    /// Give both directions of a link a signal-to-noise ratio.
    void
    SetSnr(uint32_t a, uint32_t b, double snr)
    {
        // SetOutage() is for the rate by attribute, 1 bit/s/Hz: outage 1 - exp(-1 / snr)
        m_network->SetOutage(a, b, -std::expm1(-1 / snr));
        m_network->SetOutage(b, a, -std::expm1(-1 / snr));
    }

    /// Send from device 0.
    const D2dBurstReport&
    Send(uint32_t to, uint32_t bytes = 1000)
    {
        m_network->Send(0, to, bytes);
        Simulator::Run();
        return m_network->Reports().back();
    }

    /// @return the rate that has it [bit/s/Hz]: 2^r - 1 = -snr ln(1 - outage)
    static double
    Rate(double snr, double outage)
    {
        return std::log2(1 - snr * std::log1p(-outage));
    }

    std::optional<TestNetwork> m_network; //!< the devices
};

INSTANTIATE_TEST_SUITE_P(Fidelities, RateControlTest, FIDELITIES);

TEST_P(RateControlTest, RateIsTheClosedFormAndAirtimeFollows)
{
    for (const double target : {0.01, 0.1, 0.5})
    {
        for (const double snr : {20.0, 50.0, 300.0})
        {
            Make(2, {{"TargetOutage", std::to_string(target)}});
            SetSnr(0, 1, snr);
            const D2dBurstReport& report = Send(1, 4000);
            const double rate = Rate(snr, target);
            EXPECT_NEAR(report.spectralEfficiency, rate, 1e-9 * rate) << snr << ' ' << target;
            // 3 fragments of 1334 bytes, header and check sequence of 34 bytes, 1 MHz
            const double airtime = 3 * 8 * 1368 / (rate * 1e6);
            EXPECT_NEAR(report.airtime.GetSeconds(), airtime, 3e-9);
            EXPECT_EQ(report.attempts, 3U);
            EXPECT_EQ(report.end - report.start, report.airtime);
        }
    }
}

TEST_P(RateControlTest, LossIsTheTarget)
{
    for (const double target : {0.02, 0.3})
    {
        Make(2, {{"TargetOutage", std::to_string(target)}});
        SetSnr(0, 1, 40);
        for (int i = 0; i < 3000; ++i)
        {
            m_network->SendAt(MilliSeconds(100 * i), 0, 1, 100);
        }
        Simulator::Run();
        ASSERT_THAT(m_network->Losses(), SizeIs(3000));
        ExpectMean(m_network->Losses(), target);
    }
}

TEST_P(RateControlTest, StaysWithinItsLimits)
{
    Make(2, {{"MinSpectralEfficiency", "0.25"}, {"MaxSpectralEfficiency", "6"}});
    SetSnr(0, 1, 1e9);
    EXPECT_EQ(Send(1).spectralEfficiency, 6);
    SetSnr(0, 1, 0.5);
    EXPECT_EQ(Send(1).spectralEfficiency, 0.25);
    SetSnr(0, 1, 100);
    const double rate = Send(1).spectralEfficiency;
    EXPECT_GT(rate, 0.25);
    EXPECT_LT(rate, 6);
}

TEST_P(RateControlTest, BroadcastTakesTheWorstLinkThatCanBeServed)
{
    Make(4);
    SetSnr(0, 1, 1000);
    SetSnr(0, 2, 60);
    SetSnr(0, 3, 0.2); // 0.03 bit/s/Hz, below the lowest rate
    const D2dBurstReport& report = Send(BROADCAST);
    EXPECT_NEAR(report.spectralEfficiency, Rate(60, 0.1), 1e-9);
    EXPECT_EQ(report.outcomes.size(), 3U);
    SetSnr(0, 3, 30);
    EXPECT_NEAR(Send(BROADCAST).spectralEfficiency, Rate(30, 0.1), 1e-9);
    for (const uint32_t receiver : {1, 2, 3})
    {
        SetSnr(0, receiver, 0.2);
    }
    EXPECT_EQ(Send(BROADCAST).spectralEfficiency, 0.1) << "the lowest if it serves nobody";
}

TEST_P(RateControlTest, WhoNeedsTheLowestRateIsServed)
{
    const ::tests::OwnFile file;
    file.Write("0.5, 100, 0, 1\n0.5, 100, 10, 0\n2, 100, 0, 1\n2, 100, 20, 0\n");
    Make(3, {{"MinSpectralEfficiency", "0.5"}, {"MaxSpectralEfficiency", "2"}});
    m_network->Channel()->SetAttribute(
        "OutageModel",
        StringValue("ns3::collab::D2dTableOutageModel[Fading=None|FileName=" + file.path + "]"));
    SetSnr(0, 1, 1000);
    SetSnr(0, 2, 15);
    EXPECT_EQ(Send(1).spectralEfficiency, 2);
    EXPECT_EQ(Send(BROADCAST).spectralEfficiency, 0.5);
    SetSnr(0, 2, 5);
    EXPECT_EQ(Send(BROADCAST).spectralEfficiency, 2) << "nothing serves the other one";
}

TEST_P(RateControlTest, AirtimeIsThatOfTheReceiversRate)
{
    Make(2, {{"MinSpectralEfficiency", "0.25"}});
    SetSnr(0, 1, 100);
    const auto phy = m_network->Phy(0);
    const D2dLink link = m_network->Channel()->GetLink(m_network->Device(0), m_network->Device(1));
    EXPECT_EQ(phy->GetAirtime(4000, {link}), Send(1, 4000).airtime);
    EXPECT_EQ(phy->GetAirtime(4000), MicroSeconds(4 * 3 * 8 * 1368)) << "whoever it is for";
}

TEST_P(RateControlTest, FollowsWhatTheSenderMeasures)
{
    Make(2);
    SetSnr(0, 1, 100);
    m_network->SetOutage(1, 0, -std::expm1(-1 / 20.0));
    EXPECT_NEAR(Send(1).spectralEfficiency, Rate(20, 0.1), 1e-9);
}

TEST_P(RateControlTest, CountsItsOwnPowerAndNotThatOfTheOther)
{
    Make(3, {{"MaxSpectralEfficiency", "20"}});
    SetSnr(0, 1, 100); // path gains are for the equal powers of now
    SetSnr(0, 2, 40);
    m_network->Set(0, "TxPower", "23");
    m_network->Set(1, "TxPower", "46");
    EXPECT_NEAR(Send(1).spectralEfficiency, Rate(100 * FromDb(3), 0.1), 1e-9);
    EXPECT_NEAR(m_network->Outage(0, 1), -std::expm1(-1 / (100 * FromDb(3))), 1e-12);
    EXPECT_NEAR(Send(BROADCAST).spectralEfficiency, Rate(40 * FromDb(3), 0.1), 1e-9);
    m_network->Send(1, 0, 1000);
    Simulator::Run();
    EXPECT_NEAR(m_network->Reports().back().spectralEfficiency, Rate(100 * FromDb(26), 0.1), 1e-9);
}

TEST_P(RateControlTest, MeasuresNothingBelowItsSensitivity)
{
    Make(2);
    SetSnr(0, 1, 1000); // -77 dBm
    m_network->Set(0, "RxSensitivity", "-60");
    EXPECT_EQ(Send(1).spectralEfficiency, 0.1);
}

TEST_P(RateControlTest, FixedRateIsTheAttribute)
{
    Make(2, {{"RateControl", "Fixed"}, {"SpectralEfficiency", "3.5"}});
    EXPECT_EQ(Send(1).spectralEfficiency, 3.5);
    m_network->SetOutOfRange(0, 1);
    EXPECT_EQ(Send(1).spectralEfficiency, 3.5);
}

TEST_P(RateControlTest, MovesWithTheLink)
{
    Make(2);
    SetSnr(0, 1, 100);
    EXPECT_NEAR(Send(1).spectralEfficiency, Rate(100, 0.1), 1e-9);
    SetSnr(0, 1, 50);
    EXPECT_NEAR(Send(1).spectralEfficiency, Rate(50, 0.1), 1e-9);
    m_network->Set(0, "TargetOutage", "0.2");
    EXPECT_NEAR(Send(1).spectralEfficiency, Rate(50, 0.2), 1e-9);
    m_network->Phy(0)->SetAttribute("Bandwidth",
                                    StringValue("2e6")); // twice the noise
    EXPECT_NEAR(Send(1).spectralEfficiency, Rate(25, 0.2), 1e-9);
}

} // namespace
} // namespace ns3::collab::tests
