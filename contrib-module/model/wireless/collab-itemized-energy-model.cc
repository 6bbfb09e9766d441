/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-itemized-energy-model.h"

#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/object-vector.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace ns3
{
namespace collab
{

NS_LOG_COMPONENT_DEFINE("CollabItemizedEnergyModel");
NS_OBJECT_ENSURE_REGISTERED(DepletionWatch);
NS_OBJECT_ENSURE_REGISTERED(ItemizedEnergyModel);

namespace
{

/// Charge that counts as none [J]: sources round to the nanojoule
constexpr double EMPTY_J = 4e-9;

} // namespace

std::string
ToString(EnergyKind kind)
{
    static const std::array<std::string, ENERGY_KIND_COUNT> names = {"tx", "rx", "idle", "compute"};
    return names[static_cast<std::size_t>(kind)];
}

TypeId
DepletionWatch::GetTypeId()
{
    static TypeId tid = TypeId("ns3::collab::DepletionWatch")
                            .SetParent<Object>()
                            .SetGroupName("Collab")
                            .AddConstructor<DepletionWatch>()
                            .AddAttribute("RechargedFraction",
                                          "Part of the initial charge that a source which ran "
                                          "empty must hold before its devices are switched on.",
                                          DoubleValue(0.15),
                                          MakeDoubleAccessor(&DepletionWatch::m_rechargedFraction),
                                          MakeDoubleChecker<double>(0.0, 1.0))
                            .AddAttribute("Models",
                                          "What draws from the source.",
                                          TypeId::ATTR_GET,
                                          ObjectVectorValue(),
                                          MakeObjectVectorAccessor(&DepletionWatch::GetModel,
                                                                   &DepletionWatch::GetNModels),
                                          MakeObjectVectorChecker<ItemizedEnergyModel>());
    return tid;
}

Ptr<DepletionWatch>
DepletionWatch::Of(Ptr<EnergySource> source)
{
    Ptr<DepletionWatch> watch = source->GetObject<DepletionWatch>();
    if (!watch)
    {
        watch = CreateObject<DepletionWatch>();
        watch->m_source = source;
        watch->m_initialJ = source->GetRemainingEnergy();
        source->AggregateObject(watch);
    }
    return watch;
}

void
DepletionWatch::Add(ItemizedEnergyModel* model)
{
    m_models.push_back(model);
}

void
DepletionWatch::Remove(ItemizedEnergyModel* model)
{
    m_models.erase(std::remove(m_models.begin(), m_models.end(), model), m_models.end());
}

void
DepletionWatch::Reschedule()
{
    m_event.Cancel();
    const double watts = GetPowerW();
    if (watts <= 0)
    {
        return;
    }
    const double leftJ = m_source->GetRemainingEnergy();
    const double steps = std::max(0.0, leftJ - EMPTY_J / 2) / watts / TimeStep(1).GetSeconds();
    // Far-off moments overflow ns-3's Time and will be looked at again long before
    constexpr double HORIZON_STEPS = 1e18;
    if (steps < HORIZON_STEPS)
    {
        // Cut off: a moment later the source would have given more than it had
        m_event = Simulator::Schedule(
            TimeStep(static_cast<uint64_t>(steps)), &DepletionWatch::Deplete, this);
    }
}

double
DepletionWatch::GetPowerW() const
{
    double watts = 0;
    for (const auto* model : m_models)
    {
        watts += model->GetPowerW();
    }
    return watts;
}

void
DepletionWatch::Deplete()
{
    NS_LOG_FUNCTION(this);
    const double lastStepJ = GetPowerW() * TimeStep(1).GetSeconds();
    if (m_source->GetRemainingEnergy() > EMPTY_J + lastStepJ)
    {
        Reschedule(); // a harvester has brought some in the meantime
        return;
    }
    m_empty = true;
    const auto models = m_models;
    for (auto* model : models)
    {
        model->HandleEnergyDepletion();
    }
}

void
DepletionWatch::HandleCharge()
{
    if (m_empty && m_source->GetEnergyFraction() > m_rechargedFraction)
    {
        m_empty = false;
        const auto models = m_models;
        for (auto* model : models)
        {
            model->HandleEnergyRecharged();
        }
    }
}

std::size_t
DepletionWatch::GetNModels() const
{
    return m_models.size();
}

Ptr<ItemizedEnergyModel>
DepletionWatch::GetModel(std::size_t index) const
{
    return m_models.at(index);
}

double
DepletionWatch::GetSourceLossJ() const
{
    return m_initialJ - m_source->GetRemainingEnergy();
}

double
DepletionWatch::GetRemainingJ() const
{
    return m_source->GetRemainingEnergy();
}

EnergyByKind
DepletionWatch::GetEnergyByKindJ() const
{
    EnergyByKind sum{};
    for (const auto* model : m_models)
    {
        const EnergyByKind joules = model->GetEnergyByKindJ();
        std::transform(sum.begin(), sum.end(), joules.begin(), sum.begin(), std::plus<>());
    }
    return sum;
}

void
DepletionWatch::DoDispose()
{
    m_event.Cancel();
    m_models.clear();
    m_source = nullptr;
    Object::DoDispose();
}

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
            .AddTraceSource("TotalEnergyConsumption",
                            "Energy spent, all kinds together [J].",
                            MakeTraceSourceAccessor(&ItemizedEnergyModel::m_totalJ),
                            "ns3::TracedValueCallback::Double");
    return tid;
}

ItemizedEnergyModel::~ItemizedEnergyModel() = default;

void
ItemizedEnergyModel::DoDispose()
{
    NS_LOG_FUNCTION(this);
    if (m_source)
    {
        if (Ptr<DepletionWatch> watch = m_source->GetObject<DepletionWatch>())
        {
            watch->Remove(this);
        }
        m_source = nullptr;
    }
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
    const double seconds = (Simulator::Now() - m_lastChange).GetSeconds();
    EnergyByKind joules = m_joules;
    for (std::size_t kind = 0; kind < ENERGY_KIND_COUNT; ++kind)
    {
        joules[kind] += m_watts[kind] * seconds;
    }
    return joules;
}

double
ItemizedEnergyModel::GetPowerW() const
{
    return std::accumulate(m_watts.begin(), m_watts.end(), 0.0);
}

Ptr<EnergySource>
ItemizedEnergyModel::GetEnergySource() const
{
    return m_source;
}

bool
ItemizedEnergyModel::IsDepleted() const
{
    return m_depleted;
}

void
ItemizedEnergyModel::SetEnergySource(Ptr<EnergySource> source)
{
    NS_LOG_FUNCTION(this << source);
    m_source = source;
    m_lastChange = Simulator::Now();
    DepletionWatch::Of(source)->Add(this);
}

double
ItemizedEnergyModel::GetTotalEnergyConsumption() const
{
    const EnergyByKind joules = GetEnergyByKindJ();
    return std::accumulate(joules.begin(), joules.end(), 0.0);
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
    Settle();
    m_depleted = true;
    m_watts.fill(0);
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
    // Only a harvester changes the charge by itself. If there is charge left, the end comes later
    // than foreseen: DepletionWatch looks again when the foreseen end comes.
    if (m_depleted)
    {
        DepletionWatch::Of(m_source)->HandleCharge();
    }
}

void
ItemizedEnergyModel::SetPower(const EnergyByKind& watts)
{
    if (m_depleted || watts == m_watts)
    {
        return;
    }
    Settle();
    if (m_source)
    {
        m_source->UpdateEnergySource(); // books the time up to now at the old power
    }
    if (m_depleted)
    {
        return; // the update found the source empty
    }
    m_watts = watts;
    if (m_source)
    {
        DepletionWatch::Of(m_source)->Reschedule();
    }
}

double
ItemizedEnergyModel::DoGetCurrentA() const
{
    return m_source ? GetPowerW() / m_source->GetSupplyVoltage() : 0.0;
}

void
ItemizedEnergyModel::Settle()
{
    m_joules = GetEnergyByKindJ();
    m_lastChange = Simulator::Now();
    m_totalJ = std::accumulate(m_joules.begin(), m_joules.end(), 0.0);
}

} // namespace collab
} // namespace ns3
