/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wireless/wireless-test-support.h"

#include "ns3/d2d-radio-energy-model.h"
#include "ns3/energy-source.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <gtest/gtest.h>

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;

constexpr auto BEST_EFFORT = D2dReliability::BEST_EFFORT;
constexpr auto ARQ = D2dReliability::ARQ;

/// Data rate 1 Mbit/s, and no back-off, so that times can be told by hand.
const Settings EXACT = {
    {"Bandwidth", "5e5"}, {"SpectralEfficiency", "2"}, {"ContentionWindow", "1"}};

constexpr double SLEEP_W = 0.001; //!< default of SleepPower
constexpr double IDLE_W = 0.02;   //!< default of IdlePower
constexpr double RX_W = 0.2;      //!< default of RxPower
const Settings NO_PROCESSOR = {{"IdlePower", "0"}};

const Time AIRTIME = NanoSeconds(3 * 8 * 1368000); //!< of 4000 bytes in 3 fragments

/// What must hold in both fidelities.
class SleepTest : public SimulatorTest, public testing::WithParamInterface<const char*>
{
  protected:
    SleepTest()
        : m_network(3, EXACT, {{"Fidelity", GetParam()}})
    {
        m_network.InstallBatteries({}, {}, NO_PROCESSOR);
    }

    /**
     * @param milliseconds when
     * @param action what to do then
     */
    template <typename Action>
    void
    At(double milliseconds, Action action)
    {
        Simulator::Schedule(NanoSeconds(std::llround(milliseconds * 1e6)), action);
    }

    /// @brief Run the simulation for one second in all.
    void
    RunOneSecond()
    {
        Simulator::Stop(Seconds(1));
        Simulator::Run();
    }

    /**
     * @param index of a device
     * @param kind of energy
     * @return the joules
     */
    double
    Joules(uint32_t index, EnergyKind kind) const
    {
        return m_network.Energy(index)[static_cast<std::size_t>(kind)];
    }

    /**
     * @param index of a device
     * @param state of its radio
     * @return how long it lasted
     */
    Time
    Duration(uint32_t index, D2dRadioState state) const
    {
        const auto models =
            m_network.Source(index)->FindDeviceEnergyModels(D2dRadioEnergyModel::GetTypeId());
        return DynamicCast<D2dRadioEnergyModel>(models.Get(0))->GetStateDuration(state);
    }

    /// @brief Expect that the durations of all states add up to one second at every radio.
    void
    ExpectWholeSecond() const
    {
        for (uint32_t i = 0; i < 3; ++i)
        {
            Time sum;
            for (std::size_t state = 0; state < D2D_RADIO_STATE_COUNT; ++state)
            {
                sum += Duration(i, static_cast<D2dRadioState>(state));
            }
            EXPECT_EQ(sum, Seconds(1));
        }
    }

    TestNetwork m_network; //!< three devices in range of each other
};

INSTANTIATE_TEST_SUITE_P(Fidelities, SleepTest, testing::Values("Packet", "Burst"));

TEST_P(SleepTest, SleepingRadioHearsNothingAndDrawsSleepPower)
{
    m_network.Device(1)->GetMac()->Sleep();
    EXPECT_TRUE(m_network.Device(1)->GetPhy()->IsAsleep());
    EXPECT_TRUE(m_network.Device(1)->GetPhy()->IsOn());
    At(1, [this]() { m_network.Send(0, TestNetwork::BROADCAST, 4000, BEST_EFFORT); });
    RunOneSecond();
    ASSERT_EQ(m_network.Reports().size(), 1);
    const auto& outcomes = m_network.Reports()[0].outcomes;
    EXPECT_FALSE(outcomes[0].delivered);
    EXPECT_EQ(outcomes[0].reason, D2dLossReason::ASLEEP);
    EXPECT_EQ(ToString(outcomes[0].reason), "asleep");
    EXPECT_TRUE(outcomes[1].delivered) << "the other is awake";
    EXPECT_NEAR(Joules(1, EnergyKind::SLEEP), SLEEP_W, 1e-15);
    EXPECT_NEAR(GetTotal(m_network.Energy(1)), SLEEP_W, 1e-15);
    EXPECT_EQ(Duration(1, D2dRadioState::SLEEP), Seconds(1));
    ExpectWholeSecond();
}

TEST_P(SleepTest, AcknowledgedBurstToASleeperIsLost)
{
    m_network.Device(1)->GetMac()->Sleep();
    m_network.Send(0, 1, 4000, ARQ);
    At(20, [this]() { m_network.Device(1)->GetMac()->Wake(); });
    RunOneSecond();
    ASSERT_EQ(m_network.Reports().size(), 1);
    EXPECT_EQ(m_network.Reports()[0].outcomes[0].reason, D2dLossReason::ASLEEP)
        << "who wakes up in the middle of a burst does not follow it";
    EXPECT_EQ(Joules(1, EnergyKind::RX), 0);
    EXPECT_EQ(Joules(1, EnergyKind::TX), 0);
}

TEST_P(SleepTest, QueuedBurstsWaitUntilTheRadioWakes)
{
    m_network.Device(0)->GetMac()->Sleep();
    At(1, [this]() {
        EXPECT_NE(m_network.Send(0, 1, 4000, BEST_EFFORT), 0);
        EXPECT_NE(m_network.Send(0, 2, 4000, BEST_EFFORT), 0);
    });
    At(500, [this]() {
        EXPECT_TRUE(m_network.Reports().empty());
        m_network.Device(0)->GetMac()->Wake();
        EXPECT_FALSE(m_network.Device(0)->GetPhy()->IsAsleep());
    });
    RunOneSecond();
    ASSERT_EQ(m_network.Reports().size(), 2);
    EXPECT_EQ(m_network.Reports()[0].start, MilliSeconds(500));
    EXPECT_TRUE(m_network.Reports()[0].outcomes[0].delivered);
    EXPECT_TRUE(m_network.Reports()[1].outcomes[0].delivered);
    EXPECT_EQ(Duration(0, D2dRadioState::SLEEP), MilliSeconds(500));
    EXPECT_EQ(Duration(0, D2dRadioState::TX), AIRTIME * 2);
    EXPECT_NEAR(Joules(0, EnergyKind::SLEEP), SLEEP_W / 2, 1e-15);
    ExpectWholeSecond();
}

TEST_P(SleepTest, TransmitterFallsAsleepAfterItsBurst)
{
    m_network.Send(0, 1, 4000, ARQ);
    m_network.Send(0, 2, 4000, BEST_EFFORT);
    At(10, [this]() {
        m_network.Device(0)->GetMac()->Sleep();
        EXPECT_FALSE(m_network.Device(0)->GetPhy()->IsAsleep()) << "it transmits";
    });
    At(500, [this]() {
        EXPECT_TRUE(m_network.Device(0)->GetPhy()->IsAsleep());
        EXPECT_EQ(m_network.Reports().size(), 1) << "the second burst waits";
    });
    RunOneSecond();
    ASSERT_EQ(m_network.Reports().size(), 1);
    EXPECT_TRUE(m_network.Reports()[0].outcomes[0].acknowledged);
    EXPECT_EQ(Duration(0, D2dRadioState::SLEEP), Seconds(1) - m_network.Reports()[0].end);
    ExpectWholeSecond();
}

TEST_P(SleepTest, WhoWaitsForAcknowledgmentsIsNotYetDone)
{
    m_network.Send(0, 1, 4000, ARQ);
    const bool packet = std::string(GetParam()) == "Packet";
    At(packet ? 10.944 + 0.05 : 32.832 + 0.05, [this]() {
        EXPECT_EQ(m_network.Device(0)->GetPhy()->GetActivity().transmitting, 0);
        m_network.Device(0)->GetMac()->Sleep();
        EXPECT_FALSE(m_network.Device(0)->GetPhy()->IsAsleep());
    });
    RunOneSecond();
    ASSERT_EQ(m_network.Reports().size(), 1);
    EXPECT_TRUE(m_network.Reports()[0].outcomes[0].acknowledged);
    EXPECT_TRUE(m_network.Device(0)->GetPhy()->IsAsleep());
}

TEST_P(SleepTest, WakeCallsOffASleepThatHasNotBegun)
{
    m_network.Send(0, 1, 4000, BEST_EFFORT);
    m_network.Send(0, 2, 4000, BEST_EFFORT);
    At(10, [this]() { m_network.Device(0)->GetMac()->Sleep(); });
    At(11, [this]() { m_network.Device(0)->GetMac()->Wake(); });
    RunOneSecond();
    EXPECT_EQ(m_network.Reports().size(), 2);
    EXPECT_EQ(Duration(0, D2dRadioState::SLEEP), Time());
}

TEST_P(SleepTest, BurstIsLostAtAReceiverThatFallsAsleep)
{
    m_network.Send(0, TestNetwork::BROADCAST, 4000, BEST_EFFORT);
    At(10, [this]() {
        m_network.Device(1)->GetMac()->Sleep();
        EXPECT_TRUE(m_network.Device(1)->GetPhy()->IsAsleep()) << "at once: it does not transmit";
        EXPECT_FALSE(m_network.Device(1)->GetPhy()->GetActivity().receiving);
    });
    At(20, [this]() { m_network.Device(1)->GetMac()->Wake(); });
    At(500, [this]() { m_network.Send(0, 1, 4000, BEST_EFFORT); });
    RunOneSecond();
    ASSERT_EQ(m_network.Reports().size(), 2);
    EXPECT_EQ(m_network.Reports()[0].outcomes[0].reason, D2dLossReason::RECEIVER_OFF);
    EXPECT_TRUE(m_network.Reports()[0].outcomes[1].delivered);
    EXPECT_TRUE(m_network.Reports()[1].outcomes[0].delivered) << "it hears the next one";
    const double listening = 0.01 + AIRTIME.GetSeconds() + 334e-9;
    EXPECT_NEAR(Joules(1, EnergyKind::RX), RX_W * listening, 1e-12);
    EXPECT_NEAR(Joules(1, EnergyKind::SLEEP), SLEEP_W * 0.01, 1e-15);
    EXPECT_NEAR(Joules(1, EnergyKind::IDLE), IDLE_W * (0.99 - listening), 1e-12);
    ExpectWholeSecond();
}

TEST_P(SleepTest, ReceiverFallsAsleepAfterItsAcknowledgment)
{
    // With stop-and-wait fidelity Burst does not tell when an acknowledgment is on air
    m_network.Device(0)->GetMac()->SetAttribute("Arq", StringValue("SelectiveRepeat"));
    m_network.Send(0, 1, 4000, ARQ);
    int seen = 0;
    // Every 10 us, until it is found while it acknowledges
    for (int i = 0; i < 4000; ++i)
    {
        At(0.01 * i, [this, &seen]() {
            if (seen == 0 && m_network.Device(1)->GetPhy()->GetActivity().transmitting > 0)
            {
                ++seen;
                m_network.Device(1)->GetMac()->Sleep();
                EXPECT_FALSE(m_network.Device(1)->GetPhy()->IsAsleep());
            }
        });
    }
    RunOneSecond();
    EXPECT_EQ(seen, 1);
    EXPECT_TRUE(m_network.Device(1)->GetPhy()->IsAsleep());
    EXPECT_EQ(Duration(1, D2dRadioState::TX), MicroSeconds(112 * 3)) << "all in one go";
}

TEST_P(SleepTest, SleepCancelsTheBackoff)
{
    for (uint32_t i = 0; i < 3; ++i)
    {
        m_network.Device(i)->GetMac()->SetAttribute("ContentionWindow", UintegerValue(1024));
        m_network.Device(i)->GetMac()->SetAttribute("SlotTime", TimeValue(MilliSeconds(1)));
    }
    m_network.Send(0, 1, 100, BEST_EFFORT);
    m_network.Device(0)->GetMac()->Sleep();
    Simulator::Stop(Seconds(3));
    Simulator::Run();
    EXPECT_TRUE(m_network.Reports().empty());
    m_network.Device(0)->GetMac()->Wake();
    Simulator::Stop(Seconds(3));
    Simulator::Run();
    EXPECT_EQ(m_network.Reports().size(), 1);
}

TEST_P(SleepTest, OffIsNotAsleep)
{
    m_network.Device(0)->GetMac()->Sleep();
    At(100, [this]() {
        m_network.Device(0)->GetMac()->SwitchOff();
        EXPECT_FALSE(m_network.Device(0)->GetPhy()->IsAsleep());
        m_network.Device(0)->GetMac()->Sleep();
        EXPECT_FALSE(m_network.Device(0)->GetPhy()->IsAsleep());
    });
    At(300, [this]() {
        m_network.Device(0)->GetMac()->SwitchOn();
        EXPECT_FALSE(m_network.Device(0)->GetPhy()->IsAsleep());
        m_network.Send(0, 1, 4000, BEST_EFFORT);
    });
    RunOneSecond();
    EXPECT_EQ(Duration(0, D2dRadioState::SLEEP), MilliSeconds(100));
    EXPECT_EQ(Duration(0, D2dRadioState::OFF), MilliSeconds(200));
    EXPECT_EQ(m_network.Reports().size(), 1);
    ExpectWholeSecond();
}

TEST_P(SleepTest, RadioThatGoesOffForgetsThatItWasToSleep)
{
    m_network.Send(0, 1, 4000, BEST_EFFORT);
    At(5, [this]() { m_network.Device(0)->GetMac()->Sleep(); });
    At(6, [this]() {
        m_network.Device(0)->GetMac()->SwitchOff();
        EXPECT_FALSE(m_network.Device(0)->GetPhy()->IsAsleep());
    });
    At(100, [this]() {
        m_network.Device(0)->GetMac()->SwitchOn();
        m_network.Send(0, 1, 4000, BEST_EFFORT);
    });
    RunOneSecond();
    ASSERT_EQ(m_network.Reports().size(), 2);
    EXPECT_TRUE(m_network.Reports()[1].outcomes[0].delivered);
    EXPECT_EQ(Duration(0, D2dRadioState::SLEEP), Time());
    ExpectWholeSecond();
}

} // namespace
