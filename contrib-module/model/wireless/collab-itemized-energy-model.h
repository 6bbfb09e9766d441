/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_ITEMIZED_ENERGY_MODEL_H
#define COLLAB_ITEMIZED_ENERGY_MODEL_H

#include "ns3/collab-compat.h"
#include "ns3/device-energy-model.h"
#include "ns3/energy-source.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/traced-value.h"

#include <array>
#include <string>
#include <vector>

namespace ns3
{
namespace collab
{

/// @ingroup collab
/// @brief What energy was spent on.
enum class EnergyKind : std::size_t
{
    TX,      //!< the radio transmits
    RX,      //!< the radio listens to a burst or for acknowledgments
    IDLE,    //!< the radio and the processor are powered and do nothing
    COMPUTE, //!< the processor computes, over and above its idle power
};

/// Number of kinds of energy
constexpr std::size_t ENERGY_KIND_COUNT = 4;

/// One number for each kind of energy, e.g. joules or watts; index by EnergyKind
using EnergyByKind = std::array<double, ENERGY_KIND_COUNT>;

/**
 * @param kind a kind of energy
 * @return its name in traces, e.g. "tx"
 */
std::string ToString(EnergyKind kind);

class ItemizedEnergyModel;

/**
 * @ingroup collab
 * @brief Finds the moment at which an energy source runs empty.
 *
 * Aggregated to the source. ns-3's sources look at their charge now and then, and may fall below
 * zero in between; this object knows the power of all itemized models of the source and calls at
 * the very moment, so that no device spends energy that it does not have. What is left of the
 * charge then would not last for a nanosecond. A source that was emptied so may never find itself
 * empty, so this object also finds the moment at which a harvester has recharged it.
 */
class DepletionWatch : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param source an energy source
     * @return its watch, made if there is none
     */
    static Ptr<DepletionWatch> Of(Ptr<EnergySource> source);

    /**
     * @param model a model that draws from the source
     */
    void Add(ItemizedEnergyModel* model);
    /**
     * @param model a model that no longer does
     */
    void Remove(ItemizedEnergyModel* model);
    /// @brief The power of a model has changed: look anew when the source will be empty.
    void Reschedule();
    /// @brief A harvester has brought something: see whether it is enough to switch on again.
    void HandleCharge();
    /// @return energy that the source has lost since the watch was made [J]
    double GetSourceLossJ() const;
    /// @return energy left in the source [J]
    double GetRemainingJ() const;
    /// @return energy that all itemized models have spent on each kind [J]
    EnergyByKind GetEnergyByKindJ() const;
    /// @return number of models that draw from the source
    std::size_t GetNModels() const;
    /**
     * @param index of a model, in the order of Add()
     * @return the model
     */
    Ptr<ItemizedEnergyModel> GetModel(std::size_t index) const;

  protected:
    void DoDispose() override;

  private:
    /// @return power of all models [W]
    double GetPowerW() const;
    /// @brief The source is empty, or so nearly that the rest is a rounding error.
    void Deplete();

    Ptr<EnergySource> m_source;                 //!< whose charge is watched
    double m_initialJ = 0;                      //!< charge when the watch was made [J]
    std::vector<ItemizedEnergyModel*> m_models; //!< what draws from it; they remove themselves
    EventId m_event;                            //!< when it will be empty
    bool m_empty = false;                       //!< whether it has run empty
    double m_rechargedFraction;                 //!< attribute RechargedFraction
};

/**
 * @ingroup collab
 * @brief A device energy model that keeps an account by kind.
 *
 * A subclass says what power goes to which kind from now on. The sum over kinds is what the source
 * loses, up to the nanojoule to which ns-3's BasicEnergySource rounds at each of its updates.
 */
class ItemizedEnergyModel : public DeviceEnergyModel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    ~ItemizedEnergyModel() override;

    /**
     * @param kind a kind of energy
     * @return energy spent on it up to now [J]
     */
    double GetEnergyJ(EnergyKind kind) const;
    /// @return energy spent on each kind up to now [J]
    EnergyByKind GetEnergyByKindJ() const;
    /// @return present power, all kinds together [W]
    double GetPowerW() const;
    /// @return whether the source has run empty
    bool IsDepleted() const;
    /// @return where the energy comes from
    Ptr<EnergySource> GetEnergySource() const;

    // From DeviceEnergyModel
    void SetEnergySource(Ptr<EnergySource> source) override;
    double GetTotalEnergyConsumption() const override;
    void ChangeState(int newState) override;
    void HandleEnergyDepletion() override;
    void HandleEnergyRecharged() override;
    void HandleEnergyChanged() override;

  protected:
    void DoDispose() override;

    /**
     * @param watts power of each kind from now on [W]
     */
    void SetPower(const EnergyByKind& watts);

  private:
    double DoGetCurrentA() const override;
    /// @brief The source has run empty: switch what draws from it off.
    virtual void DoSwitchOff() = 0;
    /// @brief The source has been recharged: switch it on again.
    virtual void DoSwitchOn() = 0;
    /// @brief Book the energy spent since the last change.
    void Settle();

    Ptr<EnergySource> m_source;       //!< where the energy comes from
    EnergyByKind m_watts{};           //!< present power [W]
    EnergyByKind m_joules{};          //!< booked energy [J]
    TracedValue<double> m_totalJ = 0; //!< trace source TotalEnergyConsumption [J]
    Time m_lastChange;                //!< up to when it is booked
    bool m_depleted = false;          //!< whether the source has run empty
};

} // namespace collab
} // namespace ns3

#endif /* COLLAB_ITEMIZED_ENERGY_MODEL_H */
