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

namespace ns3::collab
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
    return GetEnergyUntil(Simulator::Now());
}

EnergyByKind
ItemizedEnergyModel::GetEnergyUntil(const Time& moment) const
{
    static const double stepsInSecond = static_cast<double>(Seconds(1).GetTimeStep());
    EnergyByKind joules = m_joules;
    for (std::size_t i = 0; i < m_turns.size(); ++i)
    {
        const int64_t since =
            i == m_present ? moment.GetTimeStep() - m_lastChange.GetTimeStep() : 0;
        const auto steps = static_cast<double>(m_turns[i].steps + since);
        m_turns[i].draw.Spend(steps / stepsInSecond, joules);
    }
    return joules;
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
    Book();
    m_lastChange = Simulator::Now();
    m_reportedJ = GetTotal(m_joules);
    m_watch->Add(this);
    m_peakW = GetPowerW();
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
    Advance(Simulator::Now());
    Book();
    m_depleted = true;
    m_turns[m_present].draw = {};
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
    if (m_depleted || draw == m_turns[m_present].draw)
    {
        return;
    }
    Advance(now);
    DepletionWatch* watch = PeekPointer(m_watch);
    if (watch)
    {
        watch->PrepareChange();
    }
    if (m_depleted)
    {
        return; // the source was found empty
    }
    Turn& before = m_turns[1 - m_present];
    if (!(draw == before.draw))
    {
        Book();
        before.draw = draw;
    }
    m_present = 1 - m_present;
    if (draw.GetTotalW() > m_peakW)
    {
        m_peakW = draw.GetTotalW();
        if (watch)
        {
            watch->HandlePeak();
        }
    }
}

void
ItemizedEnergyModel::AddJoules(const EnergyByKind& joules, const Time& now)
{
    Advance(now);
    Book();
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
    return m_source ? GetPowerW() / m_source->GetSupplyVoltage() : 0.0;
}

void
ItemizedEnergyModel::AdvanceTraced(const Time& now)
{
    const double beforeJ = GetTotal(GetEnergyUntil(m_lastChange));
    const double afterJ = GetTotal(GetEnergyUntil(now));
    m_turns[m_present].steps += now.GetTimeStep() - m_lastChange.GetTimeStep();
    m_lastChange = now;
    if (afterJ != beforeJ)
    {
        m_totalTrace(beforeJ, afterJ);
    }
}

void
ItemizedEnergyModel::Book()
{
    m_joules = GetEnergyUntil(m_lastChange);
    for (Turn& turn : m_turns)
    {
        turn.steps = 0;
    }
}

} // namespace ns3::collab
