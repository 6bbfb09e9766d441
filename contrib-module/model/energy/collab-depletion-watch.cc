/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collab-depletion-watch.h"

#include "ns3/basic-energy-source.h"
#include "ns3/collab-error.h"
#include "ns3/device-energy-model-container.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/object-vector.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace ns3::collab
{

NS_LOG_COMPONENT_DEFINE("CollabDepletionWatch");
NS_OBJECT_ENSURE_REGISTERED(DepletionWatch);

namespace
{

/// BasicEnergySource computes with the class Time, and so in whole joules a time step.
/// @return what it rounds to: a nanojoule, with ns-3's default resolution [J]
double
GetQuantumJ()
{
    return TimeStep(1).GetSeconds();
}

/// Charge that counts as none [quanta]
constexpr double EMPTY_QUANTA = 4;

/// The latest moment that is looked at, from now; ns-3's Time ends not much later [time steps]
constexpr double HORIZON_STEPS = 1e18;

/// Told by name, since ns-3 does not have the class in all releases.
/// @param tid class of an energy source
/// @return whether it is LiIonEnergySource or derives from it
bool
IsLiIon(TypeId tid)
{
    while (tid.HasParent())
    {
        if (tid.GetName() == "ns3::LiIonEnergySource" ||
            tid.GetName() == "ns3::energy::LiIonEnergySource")
        {
            return true;
        }
        tid = tid.GetParent();
    }
    return false;
}

} // namespace

TypeId
DepletionWatch::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::collab::DepletionWatch")
            .SetParent<DeviceEnergyModel>()
            .SetGroupName("Collab")
            .AddConstructor<DepletionWatch>()
            .AddAttribute("RechargedFraction",
                          "Part of the initial charge that a source which ran empty must hold "
                          "before its devices are switched on.",
                          DoubleValue(0.15),
                          MakeDoubleAccessor(&DepletionWatch::m_rechargedFraction),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute(
                "Models",
                "What draws from the source.",
                TypeId::ATTR_GET,
                ObjectVectorValue(),
                MakeObjectVectorAccessor(&DepletionWatch::GetModel, &DepletionWatch::GetNModels),
                MakeObjectVectorChecker<WatchedEnergyModel>())
            .AddAttribute("UpdateMode",
                          "When the source hears of a change of power; set before the source gets "
                          "its first device.",
                          compat::EnumAttribute(EnergyUpdateMode::AUTO),
                          compat::EnumAccessor(&DepletionWatch::m_updateMode),
                          compat::EnumChecker(EnergyUpdateMode::AUTO,
                                              "Auto",
                                              EnergyUpdateMode::EAGER,
                                              "Eager",
                                              EnergyUpdateMode::LAZY,
                                              "Lazy"));
    return tid;
}

Ptr<DepletionWatch>
DepletionWatch::Of(Ptr<EnergySource> source)
{
    if (!source)
    {
        throw UserError("DepletionWatch: no energy source given; give the node one first, such as "
                        "by DeviceProfileHelper");
    }
    const DeviceEnergyModelContainer found = source->FindDeviceEnergyModels(GetTypeId());
    if (found.GetN() > 0)
    {
        return DynamicCast<DepletionWatch>(found.Get(0));
    }
    Ptr<DepletionWatch> watch = CreateObject<DepletionWatch>();
    watch->SetEnergySource(source);
    source->AppendDeviceEnergyModel(watch);
    return watch;
}

void
DepletionWatch::SetEnergySource(Ptr<EnergySource> source)
{
    NS_LOG_FUNCTION(this << source);
    m_source = PeekPointer(source);
    m_initialJ = source->GetRemainingEnergy(); // updates it, so that both count from now on
    m_lastUpdate = Simulator::Now();
    m_basic = dynamic_cast<BasicEnergySource*>(m_source) != nullptr;
    const bool lazy = m_basic || IsLiIon(source->GetInstanceTypeId());
    m_eager = m_updateMode == EnergyUpdateMode::EAGER ||
              (m_updateMode == EnergyUpdateMode::AUTO && !lazy);
}

void
DepletionWatch::Add(WatchedEnergyModel* model)
{
    m_models.push_back(model);
}

void
DepletionWatch::Remove(WatchedEnergyModel* model)
{
    m_models.erase(std::remove(m_models.begin(), m_models.end(), model), m_models.end());
}

double
DepletionWatch::DoGetCurrentA() const
{
    const Time now = Simulator::Now();
    if (now == m_lastUpdate)
    {
        return 0;
    }
    double presentW = 0;
    for (auto* model : m_models)
    {
        m_unbookedJ += model->TakeUnreportedJ();
        presentW += model->GetPowerW();
    }
    const double seconds = (now - m_lastUpdate).GetSeconds();
    m_lastUpdate = now;
    if (m_empty && m_chargeCheck.IsExpired())
    {
        // The source has not yet booked what it asks for: look when it has
        m_chargeCheck =
            Simulator::ScheduleNow(&DepletionWatch::CheckCharge, const_cast<DepletionWatch*>(this));
    }
    return (BookJ() / seconds - presentW) / m_source->GetSupplyVoltage();
}

double
DepletionWatch::BookJ() const
{
    if (!m_basic)
    {
        return std::exchange(m_unbookedJ, 0.0);
    }
    const double quanta = std::floor(m_unbookedJ / GetQuantumJ());
    m_unbookedJ -= quanta * GetQuantumJ();
    // A quarter more, so that it makes no difference whether the source rounds or cuts off
    return (quanta + 0.25) * GetQuantumJ();
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

double
DepletionWatch::GetPeakW() const
{
    double watts = 0;
    for (const auto* model : m_models)
    {
        watts += model->GetPeakW();
    }
    return watts;
}

double
DepletionWatch::GetFloorJ() const
{
    DoubleValue fraction(0);
    if (!m_source->GetAttributeFailSafe("BasicEnergyLowBatteryThreshold", fraction))
    {
        m_source->GetAttributeFailSafe("LiIonEnergyLowBatteryThreshold", fraction);
    }
    return fraction.Get() * m_source->GetInitialEnergy();
}

void
DepletionWatch::HandlePeak()
{
    const double watts = GetPeakW();
    if (watts > m_boundW && m_source)
    {
        m_boundW = 2 * watts; // so that a power that grows in small steps moves the check seldom
        Arm();
    }
}

void
DepletionWatch::HandleSpent()
{
    if (m_source)
    {
        Arm();
    }
}

void
DepletionWatch::Arm()
{
    m_check.Cancel();
    const double floorJ = GetFloorJ();
    const double leftJ = GetRemainingJ() - floorJ;
    if (m_boundW <= 0)
    {
        return;
    }
    const double emptyJ = EMPTY_QUANTA * GetQuantumJ();
    const double stepJ = m_boundW * TimeStep(1).GetSeconds();
    // At zero cut off: a moment later the source would have given more than it had. At a threshold
    // a little later, so that the source itself finds that it is below.
    const double steps =
        floorJ > 0 ? std::ceil((leftJ + emptyJ) / stepJ) : std::floor((leftJ - emptyJ / 2) / stepJ);
    const double inTime = std::clamp(steps, 0.0, HORIZON_STEPS);
    m_check =
        Simulator::Schedule(TimeStep(static_cast<uint64_t>(inTime)), &DepletionWatch::Check, this);
}

void
DepletionWatch::Check()
{
    const double floorJ = GetFloorJ();
    const double leftJ = GetRemainingJ() - floorJ;
    const double watts = GetPowerW();
    const double lastStepJ = watts * TimeStep(1).GetSeconds();
    const bool empty = floorJ > 0 ? leftJ <= 0 : leftJ <= EMPTY_QUANTA * GetQuantumJ() + lastStepJ;
    m_boundW = empty ? 0 : GetPeakW();
    for (auto* model : m_models)
    {
        model->RestartPeak(empty ? 0 : model->GetPowerW());
    }
    if (empty)
    {
        Deplete();
    }
    else
    {
        Arm();
    }
}

void
DepletionWatch::Deplete()
{
    NS_LOG_FUNCTION(this);
    const auto models = m_models;
    const auto isDepleted = [](const WatchedEnergyModel* model) { return model->IsDepleted(); };
    if (std::all_of(models.begin(), models.end(), isDepleted))
    {
        return; // the source has found itself empty, and will find itself recharged
    }
    m_empty = true;
    for (auto* model : models)
    {
        model->HandleEnergyDepletion();
    }
}

void
DepletionWatch::CheckCharge()
{
    const double floor = GetFloorJ() / m_source->GetInitialEnergy();
    if (m_empty && m_source->GetEnergyFraction() > std::max(m_rechargedFraction, floor))
    {
        NS_LOG_LOGIC("recharged");
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

Ptr<WatchedEnergyModel>
DepletionWatch::GetModel(std::size_t index) const
{
    return m_models.at(index);
}

double
DepletionWatch::GetSourceLossJ() const
{
    return m_initialJ - GetRemainingJ();
}

double
DepletionWatch::GetRemainingJ() const
{
    double remainingJ = m_source->GetRemainingEnergy() - m_unbookedJ;
    // Nothing, but for a source that no longer updates itself since the simulation is over
    for (const auto* model : m_models)
    {
        remainingJ -= model->GetUnreportedJ();
    }
    return remainingJ;
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

double
DepletionWatch::GetTotalEnergyConsumption() const
{
    return 0; // the models that it stands for have spent it
}

void
DepletionWatch::ChangeState(int)
{
    // It has no state.
}

void
DepletionWatch::HandleEnergyDepletion()
{
    // BasicEnergySource tells the models when it is recharged; others do not
    m_empty = m_empty || !m_basic;
}

void
DepletionWatch::HandleEnergyRecharged()
{
    m_empty = false;
}

void
DepletionWatch::HandleEnergyChanged()
{
    // Energy that a harvester brings only makes the next check too early.
}

void
DepletionWatch::DoDispose()
{
    m_check.Cancel();
    m_chargeCheck.Cancel();
    m_models.clear();
    m_source = nullptr;
    DeviceEnergyModel::DoDispose();
}

} // namespace ns3::collab
