/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "d2d-radio-energy-model.h"

#include "ns3/double.h"
#include "ns3/log.h"

#include <cmath>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("D2dRadioEnergyModel");
NS_OBJECT_ENSURE_REGISTERED(D2dRadioEnergyModel);

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
                          MakeDoubleAccessor(&D2dRadioEnergyModel::m_efficiency),
                          MakeDoubleChecker<double>(1e-3, 1.0))
            .AddAttribute("CircuitPower",
                          "Power of the transmitter besides the amplifier [W].",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&D2dRadioEnergyModel::m_circuitPowerW),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("RxPower",
                          "Power of a listening receiver [W].",
                          DoubleValue(0.2),
                          MakeDoubleAccessor(&D2dRadioEnergyModel::m_rxPowerW),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("IdlePower",
                          "Power of a radio that neither transmits nor listens [W].",
                          DoubleValue(0.02),
                          MakeDoubleAccessor(&D2dRadioEnergyModel::m_idlePowerW),
                          MakeDoubleChecker<double>(0.0));
    return tid;
}

void
D2dRadioEnergyModel::SetDevice(Ptr<D2dNetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    m_device = device;
    m_device->TraceConnectWithoutContext("Activity",
                                         MakeCallback(&D2dRadioEnergyModel::HandleActivity, this));
    HandleActivity(m_device->GetActivity());
}

double
D2dRadioEnergyModel::GetTxPowerW() const
{
    return std::pow(10.0, (m_device->GetTxPowerDbm() - 30) / 10) / m_efficiency + m_circuitPowerW;
}

void
D2dRadioEnergyModel::HandleActivity(const D2dRadioActivity& activity)
{
    if (activity.on && IsDepleted())
    {
        m_device->SwitchOff(); // whoever switched it on, it has nothing to run on
        return;
    }
    EnergyByKind watts{};
    if (activity.on)
    {
        const bool idle = activity.transmitting == 0 && !activity.receiving;
        watts[static_cast<std::size_t>(EnergyKind::TX)] = activity.transmitting * GetTxPowerW();
        watts[static_cast<std::size_t>(EnergyKind::RX)] = activity.receiving ? m_rxPowerW : 0.0;
        watts[static_cast<std::size_t>(EnergyKind::IDLE)] = idle ? m_idlePowerW : 0.0;
    }
    SetPower(watts);
}

void
D2dRadioEnergyModel::DoSwitchOff()
{
    if (m_device)
    {
        m_device->SwitchOff();
    }
}

void
D2dRadioEnergyModel::DoSwitchOn()
{
    m_device->SwitchOn();
    HandleActivity(m_device->GetActivity());
}

void
D2dRadioEnergyModel::DoDispose()
{
    m_device = nullptr;
    ItemizedEnergyModel::DoDispose();
}

} // namespace collab
} // namespace ns3
