/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-processor.h"

#include "ns3/double.h"
#include "ns3/log.h"

#include <cmath>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("CollabProcessor");
NS_OBJECT_ENSURE_REGISTERED(Processor);
NS_OBJECT_ENSURE_REGISTERED(ProcessorEnergyModel);

TypeId
Processor::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::Processor")
            .SetParent<Object>()
            .SetGroupName("Collab")
            .AddConstructor<Processor>()
            .AddAttribute("Frequency",
                          "Clock frequency f [Hz].",
                          DoubleValue(1.5e9),
                          MakeDoubleAccessor(&Processor::m_frequencyHz),
                          MakeDoubleChecker<double>(1.0))
            .AddAttribute("FlopsPerCycle",
                          "Floating-point operations of a job that are done in a cycle.",
                          DoubleValue(4.0),
                          MakeDoubleAccessor(&Processor::m_flopsPerCycle),
                          MakeDoubleChecker<double>(1e-6))
            .AddAttribute("Capacitance",
                          "Effective switched capacitance kappa [J s^2]: a cycle costs kappa f^2.",
                          DoubleValue(1e-28),
                          MakeDoubleAccessor(&Processor::m_capacitance),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("IdlePower",
                          "Power while it is on, whether it computes or not [W].",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&Processor::m_idlePowerW),
                          MakeDoubleChecker<double>(0.0))
            .AddTraceSource("State",
                            "The processor begins or ends a job, or is switched on or off.",
                            MakeTraceSourceAccessor(&Processor::m_stateTrace),
                            "ns3::collab::Processor::StateTracedCallback");
    return tid;
}

Time
Processor::GetDuration(uint64_t flops) const
{
    const double cycles = static_cast<double>(flops) / m_flopsPerCycle;
    return NanoSeconds(std::llround(cycles / m_frequencyHz * 1e9));
}

double
Processor::GetComputePowerW() const
{
    return m_capacitance * m_frequencyHz * m_frequencyHz * m_frequencyHz;
}

double
Processor::GetIdlePowerW() const
{
    return m_idlePowerW;
}

void
Processor::SetBusy(bool busy)
{
    NS_LOG_FUNCTION(this << busy);
    m_busy = busy && m_on;
    m_stateTrace(m_on, m_busy);
}

bool
Processor::IsBusy() const
{
    return m_busy;
}

void
Processor::SwitchOff()
{
    NS_LOG_FUNCTION(this);
    m_on = false;
    m_busy = false;
    m_stateTrace(m_on, m_busy);
}

void
Processor::SwitchOn()
{
    NS_LOG_FUNCTION(this);
    m_on = true;
    m_stateTrace(m_on, m_busy);
}

bool
Processor::IsOn() const
{
    return m_on;
}

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
    HandleState(m_processor->IsOn(), m_processor->IsBusy());
}

void
ProcessorEnergyModel::HandleState(bool on, bool busy)
{
    if (on && IsDepleted())
    {
        m_processor->SwitchOff(); // whoever switched it on, it has nothing to run on
        return;
    }
    EnergyByKind watts{};
    if (on)
    {
        watts[static_cast<std::size_t>(EnergyKind::IDLE)] = m_processor->GetIdlePowerW();
        watts[static_cast<std::size_t>(EnergyKind::COMPUTE)] =
            busy ? m_processor->GetComputePowerW() : 0.0;
    }
    SetPower(watts);
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
    m_processor->SwitchOn();
}

void
ProcessorEnergyModel::DoDispose()
{
    m_processor = nullptr;
    ItemizedEnergyModel::DoDispose();
}

} // namespace collab
} // namespace ns3
