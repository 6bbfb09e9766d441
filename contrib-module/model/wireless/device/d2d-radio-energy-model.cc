/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-radio-energy-model.h"

#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("D2dRadioEnergyModel");
NS_OBJECT_ENSURE_REGISTERED(D2dRadioEnergyModel);

namespace
{

/// @param activity what a radio does
/// @return the same as a state
D2dRadioState
GetState(const D2dRadioActivity& activity)
{
    if (!activity.on)
    {
        return D2dRadioState::OFF;
    }
    if (activity.transmitting > 0 || activity.analogPowerW > 0)
    {
        return D2dRadioState::TX;
    }
    return activity.receiving ? D2dRadioState::RX : D2dRadioState::IDLE;
}

} // namespace

TypeId
D2dRadioEnergyModel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::D2dRadioEnergyModel")
            .SetParent<ItemizedEnergyModel>()
            .SetGroupName("Collab")
            .AddConstructor<D2dRadioEnergyModel>()
            .AddAttribute("AmplifierEfficiency",
                          "Efficiency eta of the power amplifier.",
                          DoubleValue(0.35),
                          MakePartAccessor<&D2dRadioEnergyModel::m_efficiency>(),
                          MakeDoubleChecker<double>(1e-3, 1.0))
            .AddAttribute("CircuitPower",
                          "Power of the transmitter besides the amplifier [W].",
                          DoubleValue(0.1),
                          MakePartAccessor<&D2dRadioEnergyModel::m_circuitPowerW>(),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("RxPower",
                          "Power of a listening receiver [W].",
                          DoubleValue(0.2),
                          MakePartAccessor<&D2dRadioEnergyModel::m_rxPowerW>(),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("IdlePower",
                          "Power of a radio that neither transmits nor listens [W].",
                          DoubleValue(0.02),
                          MakePartAccessor<&D2dRadioEnergyModel::m_idlePowerW>(),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute(
                "Account",
                "Where transmitting and listening go: to tx and rx, or, for a radio that "
                "speaks with a base station, to d2s_tx and d2s_rx.",
                compat::EnumAttribute(D2dRadioAccount::D2D),
                compat::EnumAccessor(&D2dRadioEnergyModel::m_account),
                compat::EnumChecker(D2dRadioAccount::D2D, "D2d", D2dRadioAccount::D2S, "D2s"));
    return tid;
}

void
D2dRadioEnergyModel::SetDevice(Ptr<D2dNetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    m_device = device;
    m_phy = m_device->GetPhy();
    m_state = GetState(m_phy->GetActivity());
    m_cycleSince = Simulator::Now();
    m_clock.Start(m_state);
    m_phy->GetState().RegisterListener(this);
    HandlePowers();
}

void
D2dRadioEnergyModel::HandlePowers()
{
    if (m_phy)
    {
        HandleActivity(m_phy->GetActivity(), Simulator::Now());
    }
}

double
D2dRadioEnergyModel::GetTxPowerW() const
{
    if (m_phy->GetTxPowerDbm() != m_txPowerDbm)
    {
        m_txPowerDbm = m_phy->GetTxPowerDbm();
        m_airPowerW = std::pow(10.0, (m_txPowerDbm - 30) / 10);
    }
    return m_airPowerW / m_efficiency + m_circuitPowerW;
}

Time
D2dRadioEnergyModel::GetStateDuration(D2dRadioState state) const
{
    return m_clock.GetDuration(state) + GetCycled(state);
}

Time
D2dRadioEnergyModel::GetCycled(D2dRadioState state) const
{
    Time cycled = m_cycled[static_cast<std::size_t>(state)];
    const auto elapsed = static_cast<double>((Simulator::Now() - m_cycleSince).GetTimeStep());
    const bool transmits = m_state != D2dRadioState::TX;
    const bool listens = m_state == D2dRadioState::IDLE;
    const auto transmitted =
        TimeStep(std::llround(transmits ? elapsed * m_cycle.transmitting : 0.0));
    const auto listened = TimeStep(std::llround(listens ? elapsed * m_cycle.listening : 0.0));
    cycled += state == D2dRadioState::TX ? transmitted : Time();
    cycled += state == D2dRadioState::RX ? listened : Time();
    cycled -= state == m_state ? transmitted + listened : Time();
    return cycled;
}

void
D2dRadioEnergyModel::EnterState(const D2dRadioActivity& activity, const Time& now)
{
    if (m_cycle.IsAny())
    {
        SettleCycle();
    }
    m_state = GetState(activity);
    m_cycle = activity.cycle;
    m_cycleSince = now;
    m_clock.Enter(m_state, now);
}

void
D2dRadioEnergyModel::SettleCycle()
{
    std::array<Time, D2D_RADIO_STATE_COUNT> cycled;
    for (std::size_t i = 0; i < cycled.size(); ++i)
    {
        cycled[i] = GetCycled(static_cast<D2dRadioState>(i));
    }
    m_cycled = cycled;
}

void
D2dRadioEnergyModel::Correct(const D2dCorrection& correction)
{
    if (IsDepleted())
    {
        return; // it had no more
    }
    const bool d2s = m_account == D2dRadioAccount::D2S;
    EnergyByKind joules{};
    joules[static_cast<std::size_t>(d2s ? EnergyKind::D2S_TX : EnergyKind::TX)] =
        GetTxPowerW() * correction.transmitting.GetSeconds();
    joules[static_cast<std::size_t>(d2s ? EnergyKind::D2S_RX : EnergyKind::RX)] =
        m_rxPowerW * correction.listening.GetSeconds();
    joules[static_cast<std::size_t>(EnergyKind::IDLE)] =
        m_idlePowerW * correction.idle.GetSeconds();
    AddJoules(joules, Simulator::Now());
    const Time others = correction.listening + correction.idle;
    m_cycled[static_cast<std::size_t>(D2dRadioState::TX)] += correction.transmitting;
    m_cycled[static_cast<std::size_t>(D2dRadioState::IDLE)] += correction.idle;
    // Who acknowledges listens all the time
    m_cycled[static_cast<std::size_t>(D2dRadioState::RX)] +=
        correction.listening - (correction.transmitting + others);
}

PowerDraw
D2dRadioEnergyModel::MakeDraw(const D2dRadioActivity& activity) const
{
    PowerDraw draw;
    if (m_state == D2dRadioState::OFF)
    {
        return draw;
    }
    const bool d2s = m_account == D2dRadioAccount::D2S;
    const D2dDutyCycle& cycle = activity.cycle;
    const double signals = activity.transmitting + cycle.transmitting;
    const double analogW = activity.analogPowerW;
    draw.Add(d2s ? EnergyKind::D2S_TX : EnergyKind::TX,
             (signals > 0 ? signals * GetTxPowerW() : 0.0) +
                 (analogW > 0 ? analogW / m_efficiency + m_circuitPowerW : 0.0));
    draw.Add(d2s ? EnergyKind::D2S_RX : EnergyKind::RX,
             (activity.receiving ? 1.0 : cycle.listening) * m_rxPowerW);
    if (m_state == D2dRadioState::IDLE)
    {
        draw.Add(EnergyKind::IDLE,
                 std::max(0.0, 1 - cycle.transmitting - cycle.listening) * m_idlePowerW);
    }
    return draw;
}

bool
D2dRadioEnergyModel::ListensByTurns(const D2dRadioActivity& activity, const Time& now)
{
    const D2dRadioState state = GetState(activity);
    const bool receives = state == D2dRadioState::RX;
    if ((!receives && state != D2dRadioState::IDLE) || m_cycle.IsAny() || activity.cycle.IsAny() ||
        activity.correction.IsAny())
    {
        return false;
    }
    const EnergyKind rx = m_account == D2dRadioAccount::D2S ? EnergyKind::D2S_RX : EnergyKind::RX;
    if (!GoBack(receives ? rx : EnergyKind::IDLE, receives ? m_rxPowerW : m_idlePowerW, now))
    {
        return false;
    }
    m_state = state;
    m_clock.Enter(state, now);
    return true;
}

void
D2dRadioEnergyModel::HandleActivity(const D2dRadioActivity& activity, const Time& now)
{
    if (ListensByTurns(activity, now))
    {
        return;
    }
    EnterState(activity, now);
    if (activity.on && IsDepleted())
    {
        m_device->GetMac()->SwitchOff(); // whoever switched it on, it has nothing to run on
        return;
    }
    SetPower(MakeDraw(activity), now);
    if (activity.correction.IsAny())
    {
        Correct(activity.correction);
    }
}

void
D2dRadioEnergyModel::DoSwitchOff()
{
    if (m_device)
    {
        m_device->GetMac()->SwitchOff();
    }
}

void
D2dRadioEnergyModel::DoSwitchOn()
{
    if (m_device)
    {
        m_device->GetMac()->SwitchOn();
        HandlePowers();
    }
}

void
D2dRadioEnergyModel::DoDispose()
{
    if (m_phy)
    {
        m_phy->GetState().UnregisterListener(this);
    }
    m_device = nullptr;
    m_phy = nullptr;
    ItemizedEnergyModel::DoDispose();
}

} // namespace ns3::collab
