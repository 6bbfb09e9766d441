/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_ITEMIZED_ENERGY_MODEL_H
#define COLLAB_ITEMIZED_ENERGY_MODEL_H

#include "collab-depletion-watch.h"
#include "collab-energy-kind.h"
#include "collab-power-draw.h"
#include "collab-watched-energy-model.h"

#include "ns3/collab-compat.h"
#include "ns3/energy-source.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3::collab
{

/**
 * @ingroup collab-energy
 * @brief A device energy model that keeps an account by kind.
 *
 * A subclass says what power goes to which kind from now on; joules are power times the exact time
 * that it lasted. A change of power costs only that: the source learns of it through its
 * DepletionWatch. The sum over kinds is what the source loses, to the nanojoule.
 *
 * A radio mostly changes between two powers, listening and idle. Of these only the times are
 * added up; they become joules when a third power comes or somebody asks.
 */
class ItemizedEnergyModel : public WatchedEnergyModel
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    ~ItemizedEnergyModel() override;

    /// @param kind a kind of energy
    /// @return energy spent on it up to now [J]
    double GetEnergyJ(EnergyKind kind) const;
    EnergyByKind GetEnergyByKindJ() const override;
    double
    GetPowerW() const final
    {
        return m_turns[m_present].draw.GetTotalW();
    }

    bool
    IsDepleted() const final
    {
        return m_depleted;
    }
    /// @return where the energy comes from
    Ptr<EnergySource> GetEnergySource() const;
    /// @return what stands between the source and its models
    Ptr<DepletionWatch> GetDepletionWatch() const;

    double
    GetPeakW() const final
    {
        return m_peakW;
    }

    void
    RestartPeak(double watts) final
    {
        m_peakW = watts;
    }

    double GetUnreportedJ() const override;
    double TakeUnreportedJ() override;

    // From DeviceEnergyModel
    /// @param source an energy source; UserError if there is none
    void SetEnergySource(Ptr<EnergySource> source) override;
    double GetTotalEnergyConsumption() const override;
    void ChangeState(int newState) override;
    void HandleEnergyDepletion() override;
    void HandleEnergyRecharged() override;
    void HandleEnergyChanged() override;

  protected:
    void DoDispose() override;

    /// @param draw power of each kind from now on
    /// @param now the present moment
    void SetPower(const PowerDraw& draw, const Time& now);
    /// @brief The same, fast, if it is the power before the present one, and nobody is told.
    /// @param kind what alone gets power from now on
    /// @param watts the power, not 0 [W]
    /// @param now the present moment
    /// @return whether it was so; if not, nothing is done
    bool
    GoBack(EnergyKind kind, double watts, const Time& now)
    {
        const std::size_t before = 1 - m_present;
        const bool fast = m_turns[before].draw.IsOnly(kind, watts) && watts <= m_peakW &&
                          !m_depleted && m_watch && !m_watch->IsEager() && m_totalTrace.IsEmpty();
        if (fast)
        {
            Advance(now);
            m_present = before;
        }
        return fast;
    }

    /// @brief Book energy that was spent besides what the power says, or was not spent.
    /// @param joules energy of each kind, little of it; may be negative [J]
    /// @param now the present moment
    void AddJoules(const EnergyByKind& joules, const Time& now);

  private:
    double DoGetCurrentA() const override;
    /// @brief The source has run empty: switch what draws from it off.
    virtual void DoSwitchOff() = 0;
    /// @brief The source has been recharged: switch it on again.
    virtual void DoSwitchOn() = 0;
    /// A power that the model has by turns with another one
    struct Turn
    {
        PowerDraw draw;    //!< the power
        int64_t steps = 0; //!< for how long it had that, which is not booked yet [time step]
    };

    /// @param moment the last change, the present moment, or one between them
    /// @return energy up to then [J]
    EnergyByKind GetEnergyUntil(const Time& moment) const;
    /// @brief Note for how long the power was as it is.
    /// @param now the present moment
    void
    Advance(const Time& now)
    {
        if (!m_totalTrace.IsEmpty())
        {
            AdvanceTraced(now);
            return;
        }
        m_turns[m_present].steps += now.GetTimeStep() - m_lastChange.GetTimeStep();
        m_lastChange = now;
    }

    /// @brief The same, and show the total.
    /// @param now the present moment
    void AdvanceTraced(const Time& now);
    /// @brief Make joules of the times that have been noted.
    void Book();

    Ptr<EnergySource> m_source;                  //!< where the energy comes from
    Ptr<DepletionWatch> m_watch;                 //!< stands between this and the source
    std::array<Turn, 2> m_turns;                 //!< the present power, and that before
    std::size_t m_present = 0;                   //!< which of them is the present one
    double m_peakW = 0;                          //!< most power since the watch looked [W]
    EnergyByKind m_joules{};                     //!< booked energy [J]
    TracedCallback<double, double> m_totalTrace; //!< trace source TotalEnergyConsumption
    double m_reportedJ = 0;                      //!< energy that the source has been told of [J]
    Time m_lastChange;                           //!< when the power changed
    bool m_depleted = false;                     //!< whether the source has run empty
};

} // namespace ns3::collab

#endif /* COLLAB_ITEMIZED_ENERGY_MODEL_H */
