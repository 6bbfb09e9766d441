/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-bench.h"

#include "ns3/energy-source.h"

namespace ns3::collab::tests
{
namespace
{

constexpr double SLEEP_W = 0.001; //!< default of SleepPower
constexpr double IDLE_W = 0.02;   //!< default of IdlePower
constexpr double RX_W = 0.2;      //!< default of RxPower
const Settings NO_PROCESSOR = {{"IdlePower", "0"}};

const Time AIRTIME = NanoSeconds(3 * 8 * 1368000); //!< of 4000 bytes in 3 fragments

/// What must hold in both fidelities.
class SleepTest : public FidelitiesTest
{
  protected:
    SleepTest()
        : m_network(3, EXACT, m_channel)
    {
        m_network.InstallBatteries({}, {}, NO_PROCESSOR);
    }

    /// Runs the simulation for one second in all.
    static void
    RunOneSecond()
    {
        Simulator::Stop(Seconds(1));
        Simulator::Run();
    }

    /// Expects that the durations of all states add up to one second at every radio.
    void
    ExpectWholeSecond() const
    {
        for (uint32_t i = 0; i < 3; ++i)
        {
            Time sum;
            for (std::size_t state = 0; state < D2D_RADIO_STATE_COUNT; ++state)
            {
                sum += m_network.Duration(i, static_cast<D2dRadioState>(state));
            }
            EXPECT_EQ(sum, Seconds(1));
        }
    }

    TestNetwork m_network; //!< three devices in range of each other
};

INSTANTIATE_TEST_SUITE_P(Fidelities, SleepTest, FIDELITIES);

TEST_P(SleepTest, SleepingRadioHearsNothingAndDrawsSleepPower)
{
    m_network.Mac(1)->Sleep();
    EXPECT_TRUE(m_network.Phy(1)->IsAsleep());
    EXPECT_TRUE(m_network.Phy(1)->IsOn());
    m_network.SendAt(MilliSeconds(1), 0, BROADCAST, 4000);
    RunOneSecond();
    ASSERT_EQ(m_network.Reports().size(), 1);
    const auto& outcomes = m_network.Report().outcomes;
    EXPECT_FALSE(outcomes[0].delivered);
    EXPECT_EQ(outcomes[0].reason, D2dLossReason::ASLEEP);
    EXPECT_EQ(ToString(outcomes[0].reason), "asleep");
    EXPECT_TRUE(outcomes[1].delivered) << "the other is awake";
    EXPECT_NEAR(m_network.Joules(1, EnergyKind::SLEEP), SLEEP_W, 1e-15);
    EXPECT_NEAR(GetTotal(m_network.Energy(1)), SLEEP_W, 1e-15);
    EXPECT_EQ(m_network.Duration(1, D2dRadioState::SLEEP), Seconds(1));
    ExpectWholeSecond();
}

TEST_P(SleepTest, AcknowledgedBurstToASleeperIsLost)
{
    m_network.Mac(1)->Sleep();
    m_network.Send(0, 1, 4000, ARQ);
    At(MilliSeconds(20), [this] { m_network.Mac(1)->Wake(); });
    RunOneSecond();
    ASSERT_EQ(m_network.Reports().size(), 1);
    EXPECT_EQ(m_network.Outcome().reason, D2dLossReason::ASLEEP)
        << "who wakes up in the middle of a burst does not follow it";
    EXPECT_EQ(m_network.Joules(1, EnergyKind::RX), 0);
    EXPECT_EQ(m_network.Joules(1, EnergyKind::TX), 0);
}

TEST_P(SleepTest, QueuedBurstsWaitUntilTheRadioWakes)
{
    m_network.Mac(0)->Sleep();
    At(MilliSeconds(1), [this] {
        EXPECT_NE(m_network.Send(0, 1, 4000), 0);
        EXPECT_NE(m_network.Send(0, 2, 4000), 0);
    });
    At(MilliSeconds(500), [this] {
        EXPECT_TRUE(m_network.Reports().empty());
        m_network.Mac(0)->Wake();
        EXPECT_FALSE(m_network.Phy(0)->IsAsleep());
    });
    RunOneSecond();
    ASSERT_EQ(m_network.Reports().size(), 2);
    EXPECT_EQ(m_network.Report().start, MilliSeconds(500));
    EXPECT_TRUE(m_network.Outcome().delivered);
    EXPECT_TRUE(m_network.Outcome(1).delivered);
    EXPECT_EQ(m_network.Duration(0, D2dRadioState::SLEEP), MilliSeconds(500));
    EXPECT_EQ(m_network.Duration(0, D2dRadioState::TX), AIRTIME * 2);
    EXPECT_NEAR(m_network.Joules(0, EnergyKind::SLEEP), SLEEP_W / 2, 1e-15);
    ExpectWholeSecond();
}

TEST_P(SleepTest, TransmitterFallsAsleepAfterItsBurst)
{
    m_network.Send(0, 1, 4000, ARQ);
    m_network.Send(0, 2, 4000);
    At(MilliSeconds(10), [this] {
        m_network.Mac(0)->Sleep();
        EXPECT_FALSE(m_network.Phy(0)->IsAsleep()) << "it transmits";
    });
    At(MilliSeconds(500), [this] {
        EXPECT_TRUE(m_network.Phy(0)->IsAsleep());
        EXPECT_EQ(m_network.Reports().size(), 1) << "the second burst waits";
    });
    RunOneSecond();
    EXPECT_EQ(m_network.Reports().size(), 1);
    EXPECT_THAT(m_network.Fates(), ElementsAre("1 acknowledged"));
    EXPECT_EQ(m_network.Duration(0, D2dRadioState::SLEEP), Seconds(1) - m_network.Report().end);
    ExpectWholeSecond();
}

TEST_P(SleepTest, WhoWaitsForAcknowledgmentsIsNotYetDone)
{
    m_network.Send(0, 1, 4000, ARQ);
    At(MicroSeconds(m_isPacket ? 10944 + 50 : 32832 + 50), [this] {
        EXPECT_EQ(m_network.Phy(0)->GetActivity().transmitting, 0);
        m_network.Mac(0)->Sleep();
        EXPECT_FALSE(m_network.Phy(0)->IsAsleep());
    });
    RunOneSecond();
    EXPECT_EQ(m_network.Reports().size(), 1);
    EXPECT_THAT(m_network.Fates(), ElementsAre("1 acknowledged"));
    EXPECT_TRUE(m_network.Phy(0)->IsAsleep());
}

TEST_P(SleepTest, WakeCallsOffASleepThatHasNotBegun)
{
    m_network.Send(0, 1, 4000);
    m_network.Send(0, 2, 4000);
    At(MilliSeconds(10), [this] { m_network.Mac(0)->Sleep(); });
    At(MilliSeconds(11), [this] { m_network.Mac(0)->Wake(); });
    RunOneSecond();
    EXPECT_EQ(m_network.Reports().size(), 2);
    EXPECT_EQ(m_network.Duration(0, D2dRadioState::SLEEP), Time());
}

TEST_P(SleepTest, BurstIsLostAtAReceiverThatFallsAsleep)
{
    m_network.Send(0, BROADCAST, 4000);
    At(MilliSeconds(10), [this] {
        m_network.Mac(1)->Sleep();
        EXPECT_TRUE(m_network.Phy(1)->IsAsleep()) << "at once: it does not transmit";
        EXPECT_FALSE(m_network.Phy(1)->GetActivity().receiving);
    });
    At(MilliSeconds(20), [this] { m_network.Mac(1)->Wake(); });
    m_network.SendAt(MilliSeconds(500), 0, 1, 4000);
    RunOneSecond();
    ASSERT_EQ(m_network.Reports().size(), 2);
    EXPECT_EQ(m_network.Outcome().reason, D2dLossReason::RECEIVER_OFF);
    EXPECT_TRUE(m_network.Outcome(0, 1).delivered);
    EXPECT_TRUE(m_network.Outcome(1).delivered) << "it hears the next one";
    const double listening = 0.01 + AIRTIME.GetSeconds() + 334e-9;
    EXPECT_NEAR(m_network.Joules(1, EnergyKind::RX), RX_W * listening, 1e-12);
    EXPECT_NEAR(m_network.Joules(1, EnergyKind::SLEEP), SLEEP_W * 0.01, 1e-15);
    EXPECT_NEAR(m_network.Joules(1, EnergyKind::IDLE), IDLE_W * (0.99 - listening), 1e-12);
    ExpectWholeSecond();
}

TEST_P(SleepTest, ReceiverFallsAsleepAfterItsAcknowledgment)
{
    // With stop-and-wait fidelity Burst does not tell when an acknowledgment is on air
    m_network.Set(0, "Arq", "SelectiveRepeat");
    m_network.Send(0, 1, 4000, ARQ);
    int seen = 0;
    // Every 10 us, until it is found while it acknowledges
    for (int i = 0; i < 4000; ++i)
    {
        At(MicroSeconds(10 * i), [this, &seen] {
            if (seen == 0 && m_network.Phy(1)->GetActivity().transmitting > 0)
            {
                ++seen;
                m_network.Mac(1)->Sleep();
                EXPECT_FALSE(m_network.Phy(1)->IsAsleep());
            }
        });
    }
    RunOneSecond();
    EXPECT_EQ(seen, 1);
    EXPECT_TRUE(m_network.Phy(1)->IsAsleep());
    EXPECT_EQ(m_network.Duration(1, D2dRadioState::TX), MicroSeconds(112 * 3)) << "all in one go";
}

TEST_P(SleepTest, SleepCancelsTheBackoff)
{
    for (uint32_t i = 0; i < 3; ++i)
    {
        m_network.Set(i, "ContentionWindow", "1024");
        m_network.Mac(i)->SetAttribute("SlotTime", TimeValue(MilliSeconds(1)));
    }
    m_network.Send(0, 1, 100);
    m_network.Mac(0)->Sleep();
    Simulator::Stop(Seconds(3));
    Simulator::Run();
    EXPECT_TRUE(m_network.Reports().empty());
    m_network.Mac(0)->Wake();
    Simulator::Stop(Seconds(3));
    Simulator::Run();
    EXPECT_EQ(m_network.Reports().size(), 1);
}

TEST_P(SleepTest, OffIsNotAsleep)
{
    m_network.Mac(0)->Sleep();
    At(MilliSeconds(100), [this] {
        m_network.Mac(0)->SwitchOff();
        EXPECT_FALSE(m_network.Phy(0)->IsAsleep());
        m_network.Mac(0)->Sleep();
        EXPECT_FALSE(m_network.Phy(0)->IsAsleep());
    });
    At(MilliSeconds(300), [this] {
        m_network.Mac(0)->SwitchOn();
        EXPECT_FALSE(m_network.Phy(0)->IsAsleep());
        m_network.Send(0, 1, 4000);
    });
    RunOneSecond();
    EXPECT_EQ(m_network.Duration(0, D2dRadioState::SLEEP), MilliSeconds(100));
    EXPECT_EQ(m_network.Duration(0, D2dRadioState::OFF), MilliSeconds(200));
    EXPECT_EQ(m_network.Reports().size(), 1);
    ExpectWholeSecond();
}

TEST_P(SleepTest, RadioThatGoesOffForgetsThatItWasToSleep)
{
    m_network.Send(0, 1, 4000);
    At(MilliSeconds(5), [this] { m_network.Mac(0)->Sleep(); });
    At(MilliSeconds(6), [this] {
        m_network.Mac(0)->SwitchOff();
        EXPECT_FALSE(m_network.Phy(0)->IsAsleep());
    });
    At(MilliSeconds(100), [this] {
        m_network.Mac(0)->SwitchOn();
        m_network.Send(0, 1, 4000);
    });
    RunOneSecond();
    ASSERT_EQ(m_network.Reports().size(), 2);
    EXPECT_TRUE(m_network.Outcome(1).delivered);
    EXPECT_EQ(m_network.Duration(0, D2dRadioState::SLEEP), Time());
    ExpectWholeSecond();
}

} // namespace
} // namespace ns3::collab::tests
