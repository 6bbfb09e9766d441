/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_DEPLETION_WATCH_H
#define COLLAB_DEPLETION_WATCH_H

#include "collab-energy-kind.h"
#include "collab-watched-energy-model.h"

#include "ns3/collab-compat.h"
#include "ns3/energy-source.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <vector>

namespace ns3::collab
{

/// @ingroup collab-energy
/// @brief When an energy source hears of a change of power.
enum class EnergyUpdateMode
{
    AUTO,  //!< LAZY for BasicEnergySource and LiIonEnergySource, EAGER for all others
    EAGER, //!< at each change, so that it knows the power at any time
    LAZY,  //!< when it updates itself, so that it knows the energy, and the mean power
};

/**
 * @ingroup collab-energy
 * @brief Stands between an energy source and the itemized models that draw from it.
 *
 * A radio may change its power millions of times a second, and an update of an ns-3 energy source
 * costs much more than that. So the models keep their own account in joules, and the source is told
 * when it updates itself: ns-3's sources multiply the current of their models by the time since
 * their last update, and this object, itself one of these models, adds to the sum of the present
 * currents what is missing to the mean current of that time. Only the source asks it for that.
 *
 * It also finds the moment at which the source runs empty, to the nanosecond. The sources look at
 * their charge now and then, and may fall below zero in between. A check is scheduled for a time at
 * which the source cannot be empty yet, as long as the power stays under a bound; if it does not,
 * the check is moved. Each check looks at the true charge, until what is left would not last for a
 * nanosecond. A source that has a threshold of its own (an attribute with the suffix
 * LowBatteryThreshold) is updated at the moment at which it falls below it.
 *
 * A source that was emptied so may never find itself empty, and some sources never tell that they
 * were recharged, so this object also finds the first update after a harvester has brought enough.
 */
class DepletionWatch : public DeviceEnergyModel
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    /// @param source an energy source; UserError if there is none
    /// @return its watch, made if there is none
    static Ptr<DepletionWatch> Of(Ptr<EnergySource> source);

    /// @param model a model that draws from the source, and is appended to it
    void Add(WatchedEnergyModel* model);
    /// @param model a model that no longer does
    void Remove(WatchedEnergyModel* model);
    /// @brief The power of a model is about to change; may find the source empty.
    void
    PrepareChange()
    {
        if (m_eager && m_source)
        {
            m_source->UpdateEnergySource();
        }
    }
    /// @return whether the source is told of each change
    bool
    IsEager() const
    {
        return m_eager;
    }

    /// @brief A model draws more power than since the last check; may find the source empty.
    void HandlePeak();
    /// @brief A model has spent more than its power says, or less; may find the source empty.
    void HandleSpent();

    /// @return energy that the source has lost since the watch was made, less what was harvested
    /// [J]
    double GetSourceLossJ() const;
    /// @return energy left in the source [J]
    double GetRemainingJ() const;
    /// @return energy that all itemized models have spent on each kind [J]
    EnergyByKind GetEnergyByKindJ() const;
    /// @return number of models that draw from the source
    std::size_t GetNModels() const;
    /// @param index index of a model, in the order of Add()
    /// @return the model
    Ptr<WatchedEnergyModel> GetModel(std::size_t index) const;

    // From DeviceEnergyModel
    void SetEnergySource(Ptr<EnergySource> source) override;
    double GetTotalEnergyConsumption() const override;
    void ChangeState(int newState) override;
    void HandleEnergyDepletion() override;
    void HandleEnergyRecharged() override;
    void HandleEnergyChanged() override;

  protected:
    void DoDispose() override;

  private:
    double DoGetCurrentA() const override;
    /// @return energy that the source is told of now [J]; the rest of a quantum is kept for later
    double BookJ() const;
    /// @return power of all models [W]
    double GetPowerW() const;
    /// @return bound of that since the last check: the most of each model [W]
    double GetPeakW() const;
    /// @return charge at which the source calls itself empty [J]
    double GetFloorJ() const;
    /// @brief Schedule a check for a time before which the source cannot be empty at the bound.
    void Arm();
    /// @brief See whether the source is empty.
    void Check();
    /// @brief The source is empty, or so nearly that the rest is a rounding error.
    void Deplete();
    /// @brief The source has updated itself: see whether there is enough to switch on again.
    void CheckCharge();

    EnergySource* m_source = nullptr;          //!< whose charge is watched; it owns this object
    double m_initialJ = 0;                     //!< charge when the watch was made [J]
    std::vector<WatchedEnergyModel*> m_models; //!< what draws from it; they remove themselves
    EventId m_check;                           //!< next look at the charge
    double m_boundW = 0;                       //!< power for which the check is early enough [W]
    bool m_empty = false;           //!< whether it is empty and will not tell of its recharging
    bool m_basic = false;           //!< whether it is a BasicEnergySource
    bool m_eager = false;           //!< whether it is updated at each change
    mutable double m_unbookedJ = 0; //!< energy spent that the source does not know of [J]
    mutable Time m_lastUpdate;      //!< when the source last updated itself
    mutable EventId m_chargeCheck;  //!< look at the charge of an empty source
    EnergyUpdateMode m_updateMode;  //!< attribute UpdateMode
    double m_rechargedFraction;     //!< attribute RechargedFraction
};

} // namespace ns3::collab

#endif /* COLLAB_DEPLETION_WATCH_H */
