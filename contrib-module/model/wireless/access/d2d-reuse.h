/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_REUSE_H
#define D2D_REUSE_H

#include "d2d-coloring.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{
namespace collab
{

/**
 * @ingroup collab-wireless
 * @brief Which devices may use the same subchannel or slot, by a greedy coloring of the graph of
 * devices in range of each other.
 *
 * Colors are found when they are first asked for, and again every period if there is one. Who is in
 * range of whom is known at no cost.
 */
class D2dReuse
{
  public:
    /// @param findLinks function that tells whom each device reaches now
    explicit D2dReuse(std::function<D2dGraph()> findLinks);

    /**
     * @param colors greatest number of colors, not 0
     * @param hops how near devices are that need different colors: 1 in range of each other, 2 also
     * of a third one
     * @param period how often colors are found anew; 0 for once
     */
    void SetRules(uint32_t colors, uint32_t hops, Time period);
    /// @brief Devices have joined: find colors anew when they are asked for next.
    void Invalidate();
    /// @return color of each device, from 0 on
    const std::vector<uint32_t>& GetColors();
    /// @return how often colors were found
    uint64_t CountFound() const;

  private:
    std::function<D2dGraph()> m_findLinks; //!< see the constructor
    uint32_t m_colors = 0;                 //!< see SetRules()
    uint32_t m_hops = 0;                   //!< see SetRules()
    Time m_period;                         //!< see SetRules()
    std::vector<uint32_t> m_colorOf;       //!< by device
    Time m_foundAt;                        //!< when that was found
    bool m_isValid = false;                //!< whether it holds until the period is over
    uint64_t m_found = 0;                  //!< see CountFound()
};

} // namespace collab
} // namespace ns3

#endif /* D2D_REUSE_H */
