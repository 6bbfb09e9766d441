/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLAB_POWER_DRAW_H
#define COLLAB_POWER_DRAW_H

#include "collab-energy-kind.h"

#include "ns3/abort.h"

#include <array>
#include <cstddef>

namespace ns3::collab
{

/**
 * @ingroup collab-energy
 * @brief What a device draws at one moment: the few kinds of energy that get any power.
 *
 * Most kinds get none, and a radio changes its power twice a reception: booking energy costs by
 * the kinds that are here, with the same sums as by all of them.
 */
class PowerDraw
{
  public:
    /// @param kind a kind of energy that has no power yet
    /// @param watts its power; 0 for none [W]
    void
    Add(EnergyKind kind, double watts)
    {
        if (watts == 0)
        {
            return;
        }
        NS_ABORT_MSG_IF(m_count == MOST_KINDS, "PowerDraw::Add: more than " << MOST_KINDS);
        // By ascending kind, as sums over all kinds are made
        std::size_t place = m_count++;
        for (; place > 0 && m_shares[place - 1].kind > kind; --place)
        {
            m_shares[place] = m_shares[place - 1];
        }
        m_shares[place] = {kind, watts};
        m_totalW = 0;
        for (std::size_t i = 0; i < m_count; ++i)
        {
            m_totalW += m_shares[i].watts;
        }
    }

    /// @param kind a kind of energy
    /// @param watts a power, not 0 [W]
    /// @return whether it is the power of that kind, and no other has any
    bool
    IsOnly(EnergyKind kind, double watts) const
    {
        return m_count == 1 && m_shares[0].kind == kind && m_shares[0].watts == watts;
    }

    /// @return all kinds together [W]
    double
    GetTotalW() const
    {
        return m_totalW;
    }

    /// @param seconds for how long it is drawn [s]
    /// @param joules energy of each kind, to which that is added [J]
    void
    Spend(double seconds, EnergyByKind& joules) const
    {
        for (std::size_t i = 0; i < m_count; ++i)
        {
            joules[static_cast<std::size_t>(m_shares[i].kind)] += m_shares[i].watts * seconds;
        }
    }

    /// @param other another one
    /// @return whether each kind has the same power
    bool
    operator==(const PowerDraw& other) const
    {
        bool same = m_totalW == other.m_totalW && m_count == other.m_count;
        for (std::size_t i = 0; same && i < m_count; ++i)
        {
            same = m_shares[i].kind == other.m_shares[i].kind &&
                   m_shares[i].watts == other.m_shares[i].watts;
        }
        return same;
    }

  private:
    /// Kinds that one device can draw power for at once: tx, rx and idle of a radio by turns
    static constexpr std::size_t MOST_KINDS = 3;

    /// Power of one kind
    struct Share
    {
        EnergyKind kind{}; //!< the kind
        double watts = 0;  //!< its power, not 0 [W]
    };

    double m_totalW = 0;                    //!< all together [W]
    std::size_t m_count = 0;                //!< how many there are
    std::array<Share, MOST_KINDS> m_shares; //!< by ascending kind
};

} // namespace ns3::collab

#endif /* COLLAB_POWER_DRAW_H */
