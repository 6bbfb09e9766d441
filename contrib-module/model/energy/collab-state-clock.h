/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_STATE_CLOCK_H
#define COLLAB_STATE_CLOCK_H

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3::collab
{

/**
 * @ingroup collab-energy
 * @brief Measures how long something was in each of its states, exactly.
 *
 * The durations of all states add up to the time since the clock was started.
 *
 * @tparam State an enum class whose enumerators count from 0
 * @tparam COUNT number of enumerators
 */
template <typename State, std::size_t COUNT>
class StateClock
{
  public:
    /// @brief Begin to measure now; what was measured before is forgotten.
    /// @param state the present state
    void
    Start(State state)
    {
        m_durations.fill(0);
        m_state = state;
        m_since = Simulator::Now();
        m_started = true;
    }

    /// @param state the state from now on; Start() it first
    /// @param now the present moment
    void
    Enter(State state, const Time& now)
    {
        if (state != m_state)
        {
            m_durations[static_cast<std::size_t>(m_state)] +=
                now.GetTimeStep() - m_since.GetTimeStep();
            m_state = state;
            m_since = now;
        }
    }

    /// @param state the state from now on; Start() it first
    void
    Enter(State state)
    {
        Enter(state, Simulator::Now());
    }

    /// @param state a state
    /// @return how long it lasted in all, up to now; 0 if the clock was never started
    Time
    GetDuration(State state) const
    {
        const Time before = TimeStep(m_durations[static_cast<std::size_t>(state)]);
        return m_started && state == m_state ? before + (Simulator::Now() - m_since) : before;
    }

  private:
    std::array<int64_t, COUNT> m_durations{}; //!< of each state, before the present one [time step]
    State m_state{};                          //!< the present state
    Time m_since;                             //!< when it began
    bool m_started = false;                   //!< whether Start() was called
};

} // namespace ns3::collab

#endif /* COLLAB_STATE_CLOCK_H */
