/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-itemized-energy-model.h"

#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("CollabItemizedEnergyModel");
NS_OBJECT_ENSURE_REGISTERED(ItemizedEnergyModel);

namespace
{

/// What is left by rounding when all of an energy is taken back [J]
constexpr double ROUNDING_J = 1e-9;

} // namespace

TypeId
ItemizedEnergyModel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::ItemizedEnergyModel")
            .SetParent<DeviceEnergyModel>()
            .SetGroupName("Collab")
            .AddAttribute("EnergySource",
                          "Where the energy comes from.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&ItemizedEnergyModel::GetEnergySource),
                          MakePointerChecker<EnergySource>())
            .AddAttribute("DepletionWatch",
                          "What stands between the source and its models.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&ItemizedEnergyModel::GetDepletionWatch),
                          MakePointerChecker<DepletionWatch>())
            .AddTraceSource("TotalEnergyConsumption",
                            "Energy spent, all kinds together [J].",
                            MakeTraceSourceAccessor(&ItemizedEnergyModel::m_totalTrace),
                            "ns3::TracedValueCallback::Double");
    return tid;
}

ItemizedEnergyModel::~ItemizedEnergyModel() = default;

void
ItemizedEnergyModel::DoDispose()
{
    NS_LOG_FUNCTION(this);
    if (m_watch)
    {
        m_watch->Remove(this);
    }
    m_watch = nullptr;
    m_source = nullptr;
    DeviceEnergyModel::DoDispose();
}

double
ItemizedEnergyModel::GetEnergyJ(EnergyKind kind) const
{
    return GetEnergyByKindJ()[static_cast<std::size_t>(kind)];
}

EnergyByKind
ItemizedEnergyModel::GetEnergyByKindJ() const
{
    EnergyByKind joules = m_joules;
    AddEnergy(joules, Simulator::Now());
    return joules;
}

void
ItemizedEnergyModel::AddEnergy(EnergyByKind& joules, const Time& now) const
{
    static const double stepsInSecond = static_cast<double>(Seconds(1).GetTimeStep());
    const int64_t steps = now.GetTimeStep() - m_lastChange.GetTimeStep();
    const double seconds = static_cast<double>(steps) / stepsInSecond;
    m_draw.Spend(seconds, joules);
}

Ptr<EnergySource>
ItemizedEnergyModel::GetEnergySource() const
{
    return m_source;
}

Ptr<DepletionWatch>
ItemizedEnergyModel::GetDepletionWatch() const
{
    return m_watch;
}

void
ItemizedEnergyModel::SetEnergySource(Ptr<EnergySource> source)
{
    NS_LOG_FUNCTION(this << source);
    Ptr<DepletionWatch> watch = DepletionWatch::Of(source);
    if (m_watch)
    {
        m_watch->Remove(this);
    }
    m_source = source;
    m_watch = watch;
    m_lastChange = Simulator::Now();
    m_reportedJ = GetTotal(m_joules);
    m_watch->Add(this);
    m_peakW = m_totalW;
    m_watch->HandlePeak();
}

double
ItemizedEnergyModel::GetTotalEnergyConsumption() const
{
    return GetTotal(GetEnergyByKindJ());
}

double
ItemizedEnergyModel::GetUnreportedJ() const
{
    return GetTotalEnergyConsumption() - m_reportedJ;
}

double
ItemizedEnergyModel::TakeUnreportedJ()
{
    const double totalJ = GetTotalEnergyConsumption();
    return totalJ - std::exchange(m_reportedJ, totalJ);
}

void
ItemizedEnergyModel::ChangeState(int)
{
    // The state is that of the device, told by its trace sources and not by number.
}

void
ItemizedEnergyModel::HandleEnergyDepletion()
{
    NS_LOG_FUNCTION(this);
    if (m_depleted)
    {
        return;
    }
    Settle(Simulator::Now());
    m_depleted = true;
    m_draw = {};
    m_totalW = 0;
    DoSwitchOff();
}

void
ItemizedEnergyModel::HandleEnergyRecharged()
{
    NS_LOG_FUNCTION(this);
    if (m_depleted)
    {
        m_depleted = false;
        DoSwitchOn();
    }
}

void
ItemizedEnergyModel::HandleEnergyChanged()
{
    // DepletionWatch sees every update of the source.
}

void
ItemizedEnergyModel::SetPower(const PowerDraw& draw, const Time& now)
{
    if (m_depleted || draw == m_draw)
    {
        return;
    }
    Settle(now);
    DepletionWatch* watch = PeekPointer(m_watch);
    if (watch)
    {
        watch->PrepareChange();
    }
    if (m_depleted)
    {
        return; // the source was found empty
    }
    m_draw = draw;
    m_totalW = draw.GetTotalW();
    if (m_totalW > m_peakW)
    {
        m_peakW = m_totalW;
        if (watch)
        {
            watch->HandlePeak();
        }
    }
}

void
ItemizedEnergyModel::AddJoules(const EnergyByKind& joules, const Time& now)
{
    Settle(now);
    const double beforeJ = GetTotal(m_joules);
    for (std::size_t kind = 0; kind < ENERGY_KIND_COUNT; ++kind)
    {
        m_joules[kind] += joules[kind];
        if (joules[kind] < 0 && m_joules[kind] < ROUNDING_J)
        {
            m_joules[kind] = 0; // all of it was taken back
        }
    }
    m_totalTrace(beforeJ, GetTotal(m_joules));
    if (m_watch)
    {
        m_watch->HandleSpent();
    }
}

double
ItemizedEnergyModel::DoGetCurrentA() const
{
    return m_source ? m_totalW / m_source->GetSupplyVoltage() : 0.0;
}

void
ItemizedEnergyModel::Settle(const Time& now)
{
    const bool traced = !m_totalTrace.IsEmpty();
    const double beforeJ = traced ? GetTotal(m_joules) : 0.0;
    AddEnergy(m_joules, now);
    m_lastChange = now;
    const double afterJ = traced ? GetTotal(m_joules) : 0.0;
    if (afterJ != beforeJ)
    {
        m_totalTrace(beforeJ, afterJ);
    }
}

} // namespace collab
} // namespace ns3
