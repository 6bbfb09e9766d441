/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "energy/energy-bench.h"

namespace
{

using namespace ns3;
using namespace ns3::collab;
using namespace ns3::collab::tests;

constexpr double ACKNOWLEDGMENT_S = 112e-6; //!< 14 bytes
constexpr double WINDOW_S = 132e-6;         //!< and the turnaround
constexpr double DELAY_S = 334e-9;          //!< 100 m

using EnergyTest = SimulatorTest;
using EnergyFidelityTest = FidelitiesTest;

INSTANTIATE_TEST_SUITE_P(Fidelities, EnergyFidelityTest, FIDELITIES);

TEST_F(EnergyTest, KindsHaveNames)
{
    EXPECT_EQ(ToString(EnergyKind::TX), "tx");
    EXPECT_EQ(ToString(EnergyKind::RX), "rx");
    EXPECT_EQ(ToString(EnergyKind::IDLE), "idle");
    EXPECT_EQ(ToString(EnergyKind::SLEEP), "sleep");
    EXPECT_EQ(ToString(EnergyKind::COMPUTE), "compute");
    EXPECT_EQ(ToString(EnergyKind::D2S_TX), "d2s_tx");
    EXPECT_EQ(ToString(EnergyKind::D2S_RX), "d2s_rx");
    EXPECT_EQ(GetTotal({1, 2, 4, 8, 16, 32, 64}), 127);
}

TEST_P(EnergyFidelityTest, BestEffortByHand)
{
    PoweredNetwork network(3, m_channel);
    network.Send(0, 1, 4000);
    RunUntil(1);
    EXPECT_NEAR(network.Joules(0, EnergyKind::TX), TX_W * AIRTIME_S, 1e-12);
    EXPECT_EQ(network.Joules(0, EnergyKind::RX), 0);
    EXPECT_NEAR(network.Joules(0, EnergyKind::IDLE), IDLE_W * (1 - AIRTIME_S) + PROCESSOR_W, 1e-12);
    EXPECT_EQ(network.Joules(0, EnergyKind::COMPUTE), 0);
    const double listening = AIRTIME_S + DELAY_S;
    EXPECT_EQ(network.Joules(1, EnergyKind::TX), 0);
    EXPECT_NEAR(network.Joules(1, EnergyKind::RX), RX_W * listening, 1e-12);
    EXPECT_NEAR(network.Joules(1, EnergyKind::IDLE), IDLE_W * (1 - listening) + PROCESSOR_W, 1e-12);
    EXPECT_NEAR(network.Joules(2, EnergyKind::IDLE), IDLE_W + PROCESSOR_W, 1e-12);
    EXPECT_NEAR(GetTotal(network.Energy(2)), IDLE_W + PROCESSOR_W, 1e-12);
}

TEST_P(EnergyFidelityTest, AcknowledgmentsCost)
{
    PoweredNetwork network(2, m_channel);
    network.Send(0, 1, 4000, ARQ);
    RunUntil(1);
    EXPECT_NEAR(network.Joules(0, EnergyKind::TX), TX_W * AIRTIME_S, 1e-12);
    EXPECT_NEAR(network.Joules(0, EnergyKind::RX), RX_W * 3 * WINDOW_S, 1e-12);
    EXPECT_NEAR(network.Joules(1, EnergyKind::TX), TX_W * 3 * ACKNOWLEDGMENT_S, 1e-12);
    EXPECT_NEAR(
        network.Joules(1, EnergyKind::RX), RX_W * (AIRTIME_S + 3 * WINDOW_S + DELAY_S), 1e-12);
}

TEST_P(EnergyFidelityTest, AcknowledgmentsToSeveralSendersCostEach)
{
    PoweredNetwork network(4, m_channel);
    for (uint32_t sender = 1; sender < 4; ++sender)
    {
        network.Send(sender, 0, 4000, ARQ);
    }
    RunUntil(1);
    EXPECT_NEAR(network.Joules(0, EnergyKind::TX), TX_W * 9 * ACKNOWLEDGMENT_S, 1e-12);
}

TEST_P(EnergyFidelityTest, HearingSeveralSendersCostsNoMoreThanHearingOne)
{
    PoweredNetwork network(4, m_channel);
    for (uint32_t sender = 1; sender < 4; ++sender)
    {
        network.Send(sender, 0, 4000);
    }
    RunUntil(1);
    EXPECT_NEAR(network.Joules(0, EnergyKind::RX), RX_W * (AIRTIME_S + 1001e-9), 1e-12) << "300 m";
}

TEST_P(EnergyFidelityTest, ReceiverThatIsOffSpendsNothing)
{
    PoweredNetwork network(2, m_channel);
    network.Send(0, 1, 4000, ARQ);
    network.SwitchOffAt(MilliSeconds(10), 1);
    RunUntil(1);
    EXPECT_NEAR(network.Joules(1, EnergyKind::RX), RX_W * 0.01, 1e-12);
    EXPECT_EQ(network.Joules(1, EnergyKind::TX), 0) << "it acknowledged nothing";
    EXPECT_NEAR(network.Joules(1, EnergyKind::IDLE), PROCESSOR_W, 1e-12);
}

TEST_P(EnergyFidelityTest, RadioToABaseStationHasAnAccountOfItsOwn)
{
    PoweredNetwork network(2, m_channel, {}, With({{"Account", "D2s"}}, RADIO));
    network.Send(0, 1, 4000);
    RunUntil(1);
    const double listening = AIRTIME_S + DELAY_S;
    EXPECT_NEAR(network.Joules(0, EnergyKind::D2S_TX), TX_W * AIRTIME_S, 1e-12);
    EXPECT_NEAR(network.Joules(1, EnergyKind::D2S_RX), RX_W * listening, 1e-12);
    for (uint32_t i = 0; i < 2; ++i)
    {
        EXPECT_EQ(network.Joules(i, EnergyKind::TX), 0);
        EXPECT_EQ(network.Joules(i, EnergyKind::RX), 0);
        EXPECT_GT(network.Joules(i, EnergyKind::IDLE), PROCESSOR_W);
    }
}

TEST_P(EnergyFidelityTest, DurationsOfTheRadiosStatesAreExact)
{
    PoweredNetwork network(2, m_channel);
    network.Send(0, 1, 4000);
    network.SwitchOffAt(MilliSeconds(600), 1);
    network.SwitchOnAt(MilliSeconds(850), 1);
    RunUntil(1);
    const auto duration = [&](uint32_t i, auto state) { return network.Duration(i, state); };
    const Time airtime = NanoSeconds(3 * 8 * 1368000);
    const Time listening = airtime + NanoSeconds(334);
    EXPECT_EQ(duration(0, D2dRadioState::TX), airtime);
    EXPECT_EQ(duration(0, D2dRadioState::IDLE), Seconds(1) - airtime);
    EXPECT_EQ(duration(0, D2dRadioState::RX), Time());
    EXPECT_EQ(duration(1, D2dRadioState::RX), listening);
    EXPECT_EQ(duration(1, D2dRadioState::OFF), MilliSeconds(250));
    EXPECT_EQ(duration(1, D2dRadioState::IDLE), MilliSeconds(750) - listening);
}

TEST_P(EnergyFidelityTest, WhoTransmitsAndListensIsInStateTx)
{
    TestNetwork network(2, With({{"Duplex", "Full"}}), m_channel);
    network.InstallBatteries({}, RADIO, PROCESSOR);
    network.Send(0, 1, 4000);
    network.Send(1, 0, 4000);
    RunUntil(1);
    EXPECT_EQ(network.Duration(0, D2dRadioState::TX), NanoSeconds(3 * 8 * 1368000));
    EXPECT_EQ(network.Duration(0, D2dRadioState::RX), DELAY_100_M);
    EXPECT_NEAR(network.Joules(0, EnergyKind::RX), RX_W * (AIRTIME_S + DELAY_S), 1e-12);
}

TEST_P(EnergyFidelityTest, TransmitPowerHoldsForAWholeBurst)
{
    for (const D2dReliability reliability : {BEST_EFFORT, ARQ})
    {
        PoweredNetwork network(2, m_channel);
        network.Send(0, 1, 4000, reliability);
        network.Send(0, 1, 4000, reliability);
        At(Seconds(AIRTIME_S / 2), [&] { network.Set(0, "TxPower", "30"); });
        RunUntil(1);
        EXPECT_NEAR(network.Joules(0, EnergyKind::TX), (TX_W + 1 / 0.35 + 0.1) * AIRTIME_S, 1e-9);
    }
}

TEST_F(EnergyTest, ProcessorThatIsOffIsNotBusy)
{
    TestNetwork network(1);
    network.InstallBatteries({}, {{"IdlePower", "0"}}, PROCESSOR);
    Ptr<Processor> processor = network.GetProcessor(0);
    processor->SetBusy(true);
    processor->SwitchOff();
    EXPECT_FALSE(processor->IsBusy());
    processor->SetBusy(true);
    EXPECT_FALSE(processor->IsBusy());
    processor->SwitchOn();
    RunUntil(1);
    EXPECT_FALSE(processor->IsBusy());
    EXPECT_NEAR(GetTotal(network.Energy(0)), PROCESSOR_W, 1e-12);
}

/// Traffic of all devices to each other, and jobs.
void
KeepBusy(TestNetwork& network)
{
    for (int i = 0; i < 200; ++i)
    {
        At(MilliSeconds(7 * i), [&network, i]() {
            const uint32_t to = i % 5 == 0 ? BROADCAST : (i + 1) % 3;
            network.Send(i % 3, to, 100 + 37 * i, i % 2 ? ARQ : BEST_EFFORT);
            network.GetProcessor(i % 3)->SetBusy(i % 4 < 2);
        });
    }
}

TEST_P(EnergyFidelityTest, KindsAddUpToWhatTheBatteryLost)
{
    TestNetwork network(3, {}, m_channel);
    network.InstallBatteries({}, RADIO, PROCESSOR);
    network.SetOutage(0, 1, 0.3);
    network.SetOutage(1, 0, 0.3);
    std::vector<int> updates(3, 0);
    for (uint32_t i = 0; i < 3; ++i)
    {
        OnTrace<double, double>(
            network.Source(i), "RemainingEnergy", [&updates, i](auto...) { ++updates[i]; });
    }
    KeepBusy(network);
    RunUntil(20);
    for (uint32_t i = 0; i < 3; ++i)
    {
        EXPECT_GT(network.Joules(i, EnergyKind::COMPUTE), 0);
        const double loss = network.Battery(i)->GetSourceLossJ();
        EXPECT_LT(updates[i], 10) << "a change of activity is no update of the source";
        EXPECT_NEAR(GetTotal(network.Energy(i)), loss, 2e-9);
        EXPECT_DOUBLE_EQ(loss, 10000 - network.Battery(i)->GetRemainingJ());
    }
}

TEST_P(EnergyFidelityTest, BatteryRunsEmptyInMidBurst)
{
    // Enough to transmit for one second
    const double initialJ = TX_W + PROCESSOR_W;
    PoweredNetwork network(
        3, m_channel, {{"BasicEnergySourceInitialEnergyJ", std::to_string(initialJ)}});
    const double exactJ = std::stod(std::to_string(initialJ));
    const Time end = Seconds(exactJ / initialJ);
    network.Send(0, 1, 200000);
    network.Send(0, 2, 100);
    At(end - NanoSeconds(100), [&network]() {
        EXPECT_TRUE(network.Phy(0)->IsOn());
        EXPECT_TRUE(network.GetProcessor(0)->IsOn());
        network.GetProcessor(0)->SetBusy(false);
    });
    At(end + NanoSeconds(10), [&network]() {
        EXPECT_FALSE(network.Phy(0)->IsOn());
        EXPECT_FALSE(network.GetProcessor(0)->IsOn());
        EXPECT_FALSE(network.Phy(1)->GetActivity().receiving);
    });
    At(Seconds(2), [&network]() { network.Send(1, 2, 100); });
    RunUntil(3);

    // The battery cuts off up to a nanojoule at each change of power
    EXPECT_NEAR(GetTotal(network.Energy(0)), exactJ, 3e-7);
    EXPECT_GE(network.Battery(0)->GetRemainingJ(), 0);
    EXPECT_NEAR(network.Joules(0, EnergyKind::IDLE), PROCESSOR_W * end.GetSeconds(), 1e-7)
        << "nothing more is spent";
    ASSERT_EQ(network.Reports().size(), 3);
    for (std::size_t i = 0; i < 2; ++i)
    {
        EXPECT_EQ(network.Reports()[i].senderNode, network.NodeId(0));
        EXPECT_EQ(network.Reports()[i].outcomes[0].reason, D2dLossReason::TRANSMITTER_OFF);
    }
    EXPECT_TRUE(network.Reports()[2].outcomes[0].delivered) << "the others go on";
    EXPECT_TRUE(network.Phy(1)->IsOn());
}

TEST_F(EnergyTest, StrongProcessorRunsEmptyAtTheForeseenMoment)
{
    // 50 W spend 50 nJ in a nanosecond: the charge ends between two of them, early or late
    for (const std::string initialJ : {"0.123456765", "0.123456789"})
    {
        TestNetwork network(1);
        network.InstallBatteries(
            {{"BasicEnergySourceInitialEnergyJ", initialJ}},
            {{"IdlePower", "0"}},
            {{"Frequency", "1e9"}, {"Capacitance", "5e-26"}, {"IdlePower", "0"}});
        Ptr<Processor> processor = network.GetProcessor(0);
        processor->SetBusy(true);
        At(NanoSeconds(2469134), [processor]() { EXPECT_TRUE(processor->IsOn()); });
        At(NanoSeconds(2469137), [processor]() { EXPECT_FALSE(processor->IsOn()); });
        RunUntil(1);
        EXPECT_NEAR(GetTotal(network.Energy(0)), std::stod(initialJ), 6e-8);
        EXPECT_LE(GetTotal(network.Energy(0)), std::stod(initialJ)) << "it has no more to spend";
    }
}

TEST_F(EnergyTest, EmptyBatteryMeansOffFromTheBeginning)
{
    PoweredNetwork network(1, PACKET, {{"BasicEnergySourceInitialEnergyJ", "0"}});
    RunUntil(1);
    EXPECT_FALSE(network.Phy(0)->IsOn());
    EXPECT_FALSE(network.GetProcessor(0)->IsOn());
    EXPECT_EQ(GetTotal(network.Energy(0)), 0);
}

TEST_F(EnergyTest, WhoIsDepletedCannotBeSwitchedOn)
{
    PoweredNetwork network(2, PACKET, {{"BasicEnergySourceInitialEnergyJ", "0.07"}});
    At(Seconds(2), [&network]() {
        network.Mac(0)->SwitchOn();
        network.GetProcessor(0)->SwitchOn();
        EXPECT_FALSE(network.Phy(0)->IsOn());
        EXPECT_FALSE(network.GetProcessor(0)->IsOn());
        EXPECT_EQ(network.Send(0, 1, 100, BEST_EFFORT), 0);
    });
    RunUntil(3);
    EXPECT_NEAR(GetTotal(network.Energy(0)), 0.07, 1e-8);
}

/*
 * A source with a threshold of its own finds itself drained at one of its updates, often the one
 * that a change of the radio's activity makes.
 */
TEST_P(EnergyFidelityTest, ThresholdOfTheSourceSwitchesOffInMidBurst)
{
    for (int share = 1; share < 10; ++share)
    {
        SCOPED_TRACE("threshold 0." + std::to_string(share));
        PoweredNetwork network(3,
                               m_channel,
                               {{"BasicEnergySourceInitialEnergyJ", "0.2"},
                                {"BasicEnergyLowBatteryThreshold", "0." + std::to_string(share)},
                                {"BasicEnergyHighBatteryThreshold", "1"}});
        network.SetOutage(0, 1, 0.3);
        for (int i = 0; i < 10; ++i)
        {
            network.Send(0, BROADCAST, 4000, ARQ);
        }
        RunUntil(2);
        EXPECT_FALSE(network.Phy(0)->IsOn());
        EXPECT_EQ(network.Phy(0)->GetActivity().transmitting, 0);
        EXPECT_FALSE(network.Phy(1)->GetActivity().receiving);
        EXPECT_EQ(network.Reports().size(), 10);
        EXPECT_LE(network.Battery(0)->GetRemainingJ(), 0.02 * share);
        EXPECT_NEAR(GetTotal(network.Energy(0)), network.Battery(0)->GetSourceLossJ(), 1e-6);
    }
}

} // namespace
