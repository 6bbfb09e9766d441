/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_PROCESSOR_H
#define COLLAB_PROCESSOR_H

#include "collab-itemized-energy-model.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab
 * @brief The processor of a device; aggregated to its node.
 *
 * A job of F floating-point operations takes F / FlopsPerCycle cycles, so cycles / f seconds, and
 * costs kappa f^2 joules a cycle (the usual CMOS model with effective switched capacitance kappa;
 * Burd, Brodersen, "Processor design for portable systems", 1996). One job runs at a time.
 */
class Processor : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param flops floating-point operations of a job
     * @return how long it takes
     */
    Time GetDuration(uint64_t flops) const;
    /// @return power while it computes, over and above idle: kappa f^3 [W]
    double GetComputePowerW() const;
    /// @return power while it is on [W]
    double GetIdlePowerW() const;

    /// @param busy whether a job runs from now on; none does on a processor that is off
    void SetBusy(bool busy);
    /// @return whether a job runs
    bool IsBusy() const;
    /// @brief Power it off; the job that runs is lost.
    void SwitchOff();
    /// @brief Power it on again.
    void SwitchOn();
    /// @return whether it is powered
    bool IsOn() const;

    /**
     * TracedCallback signature for a change of state.
     *
     * @param on whether the processor is powered
     * @param busy whether a job runs
     */
    typedef void (*StateTracedCallback)(bool on, bool busy);

  private:
    double m_frequencyHz;                    //!< attribute Frequency [Hz]
    double m_flopsPerCycle;                  //!< attribute FlopsPerCycle
    double m_capacitance;                    //!< attribute Capacitance, kappa [J s^2]
    double m_idlePowerW;                     //!< attribute IdlePower [W]
    bool m_on = true;                        //!< whether it is powered
    bool m_busy = false;                     //!< whether a job runs
    TracedCallback<bool, bool> m_stateTrace; //!< trace source State
};

/**
 * @ingroup collab
 * @brief Energy of a Processor: computing and idle.
 */
class ProcessorEnergyModel : public ItemizedEnergyModel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param processor the processor; call after SetEnergySource()
     */
    void SetProcessor(Ptr<Processor> processor);

  protected:
    void DoDispose() override;

  private:
    void DoSwitchOff() override;
    void DoSwitchOn() override;
    /**
     * @param on whether the processor is powered from now on
     * @param busy whether a job runs
     */
    void HandleState(bool on, bool busy);

    Ptr<Processor> m_processor; //!< the processor
};

} // namespace collab
} // namespace ns3

#endif /* COLLAB_PROCESSOR_H */
