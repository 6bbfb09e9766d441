/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_PROCESSOR_H
#define COLLAB_PROCESSOR_H

#include "collab-state-clock.h"

#include "ns3/callback.h"
#include "ns3/collab-compat.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-energy
/// @brief What a processor is doing.
enum class ProcessorState : std::size_t
{
    OFF,  //!< it is not powered
    IDLE, //!< it is powered and no job runs
    BUSY, //!< a job runs
};

/// Number of states of a processor
constexpr std::size_t PROCESSOR_STATE_COUNT = 3;

/// @ingroup collab-energy
/// @brief At which of its frequencies a processor works until it is told otherwise.
enum class ProcessorGovernor
{
    PERFORMANCE, //!< at the highest one
    POWERSAVE,   //!< at the lowest one
};

/**
 * @ingroup collab-energy
 * @brief The processor of a device; aggregated to its node.
 *
 * A job of F floating-point operations takes F / FlopsPerCycle cycles, so cycles / f seconds, and
 * costs kappa f^2 joules a cycle (the usual CMOS model with effective switched capacitance kappa;
 * Burd, Brodersen, "Processor design for portable systems", 1996). One job runs at a time. With the
 * attribute JobOverhead a job that has operations takes that much longer, at the same power.
 *
 * With the attribute Frequencies the frequency can be chosen among levels (dynamic voltage and
 * frequency scaling); they count from 0, the lowest. A job keeps the frequency at which it began.
 */
class Processor : public Object
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    Processor();

    /// @return frequencies to choose from, in ascending order; at least one [Hz]
    std::vector<double> GetLevels() const;
    /// @return the present level
    uint32_t GetLevel() const;
    /// @param level level of the jobs that begin from now on
    void SetLevel(uint32_t level);
    /// @param flops floating-point operations of a job
    /// @param limit how long it may take
    /// @return the lowest level at which it takes no longer; none if it always does
    std::optional<uint32_t> FindLevel(uint64_t flops, Time limit) const;

    /// @return frequency of the job that runs; if none does, of the next one [Hz]
    double GetFrequencyHz() const;
    /// @param flops floating-point operations of a job
    /// @return how long it takes at GetFrequencyHz()
    Time GetDuration(uint64_t flops) const;
    /// @return power of a job at GetFrequencyHz(), over and above idle: kappa f^3 [W]
    double GetComputePowerW() const;
    /// @return power while it is on [W]
    double GetIdlePowerW() const;
    /// @param changed callback for when the power while it is on has been set to another value
    void SetIdlePowerCallback(Callback<void> changed);

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
    /// @param state a state
    /// @return how long the processor was in it since it was made; all states add up to the time
    /// since
    Time GetStateDuration(ProcessorState state) const;

    /// TracedCallback signature for a change of state.
    /// @param on whether the processor is powered
    /// @param busy whether a job runs
    typedef void (*StateTracedCallback)(bool on, bool busy);
    /// TracedCallback signature for a change of level.
    /// @param before the level before
    /// @param now the level of the jobs that begin from now on
    typedef void (*LevelTracedCallback)(uint32_t before, uint32_t now);

  private:
    /// @param watts attribute IdlePower [W]
    void SetIdlePowerW(double watts);
    /// @param frequencies attribute Frequencies; UserError if it is no list of frequencies
    void SetFrequencies(std::string frequencies);
    /// @return attribute Frequencies
    std::string GetFrequencies() const;
    /// @param flops floating-point operations of a job
    /// @param frequencyHz a frequency [Hz]
    /// @return how long it takes at that
    Time GetDurationAt(uint64_t flops, double frequencyHz) const;
    /// @brief On or busy has changed.
    void NotifyState();

    double m_frequencyHz;            //!< attribute Frequency [Hz]
    std::string m_frequencies;       //!< attribute Frequencies
    std::vector<double> m_levelsHz;  //!< the same as numbers, in ascending order [Hz]
    std::optional<uint32_t> m_level; //!< level that was set; none: the governor's
    ProcessorGovernor m_governor;    //!< attribute Governor
    double m_flopsPerCycle;          //!< attribute FlopsPerCycle
    Time m_jobOverhead;              //!< attribute JobOverhead
    double m_capacitance;            //!< attribute Capacitance, kappa [J s^2]
    double m_idlePowerW;             //!< attribute IdlePower [W]
    bool m_on = true;                //!< whether it is powered
    bool m_busy = false;             //!< whether a job runs
    double m_jobFrequencyHz = 0;     //!< frequency of that job [Hz]
    StateClock<ProcessorState, PROCESSOR_STATE_COUNT> m_clock; //!< durations of the states
    Callback<void> m_idlePowerChanged;                         //!< see SetIdlePowerCallback()
    TracedCallback<bool, bool> m_stateTrace;                   //!< trace source State
    TracedCallback<uint32_t, uint32_t> m_levelTrace;           //!< trace source Level
};

} // namespace ns3::collab

#endif /* COLLAB_PROCESSOR_H */
