/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-processor-energy-model.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("CollabProcessorEnergyModel");
NS_OBJECT_ENSURE_REGISTERED(ProcessorEnergyModel);

TypeId
ProcessorEnergyModel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::collab::ProcessorEnergyModel")
                            .SetParent<ItemizedEnergyModel>()
                            .SetGroupName("Collab")
                            .AddConstructor<ProcessorEnergyModel>();
    return tid;
}

void
ProcessorEnergyModel::SetProcessor(Ptr<Processor> processor)
{
    NS_LOG_FUNCTION(this << processor);
    m_processor = processor;
    m_processor->TraceConnectWithoutContext("State",
                                            MakeCallback(&ProcessorEnergyModel::HandleState, this));
    m_processor->SetIdlePowerCallback(MakeCallback(&ProcessorEnergyModel::HandlePower, this));
    HandlePower();
}

void
ProcessorEnergyModel::HandlePower()
{
    HandleState(m_processor->IsOn(), m_processor->IsBusy());
}

Ptr<Processor>
ProcessorEnergyModel::GetProcessor() const
{
    return m_processor;
}

void
ProcessorEnergyModel::HandleState(bool on, bool busy)
{
    if (on && IsDepleted())
    {
        m_processor->SwitchOff(); // whoever switched it on, it has nothing to run on
        return;
    }
    PowerDraw draw;
    if (on)
    {
        draw.Add(EnergyKind::IDLE, m_processor->GetIdlePowerW());
        draw.Add(EnergyKind::COMPUTE, busy ? m_processor->GetComputePowerW() : 0.0);
    }
    SetPower(draw, Simulator::Now());
}

void
ProcessorEnergyModel::DoSwitchOff()
{
    if (m_processor)
    {
        m_processor->SwitchOff();
    }
}

void
ProcessorEnergyModel::DoSwitchOn()
{
    if (m_processor)
    {
        m_processor->SwitchOn();
    }
}

void
ProcessorEnergyModel::DoDispose()
{
    if (m_processor)
    {
        m_processor->TraceDisconnectWithoutContext(
            "State", MakeCallback(&ProcessorEnergyModel::HandleState, this));
        m_processor->SetIdlePowerCallback({});
    }
    m_processor = nullptr;
    ItemizedEnergyModel::DoDispose();
}

} // namespace ns3::collab
