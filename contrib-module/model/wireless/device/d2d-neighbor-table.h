/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_NEIGHBOR_TABLE_H
#define D2D_NEIGHBOR_TABLE_H

#include "ns3/nstime.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace ns3::collab
{

/// @ingroup collab-wireless
/// @brief Which other devices a device has heard lately, and how well.
class D2dNeighborTable
{
  public:
    /// @brief Something of a burst was received.
    /// @param node node of its sender
    /// @param rssW received signal strength, as read off the burst [W]
    /// @param memory time constant of the moving average of it; 0 for what was read last
    void Hear(uint32_t node, double rssW, Time memory = Time());
    /// @brief A beacon was received.
    /// @param node node of its sender
    /// @param window for how long it counts
    void HearBeacon(uint32_t node, Time window);
    /// @param node a node
    /// @param window for how long a beacon counts
    /// @return number of its beacons that count
    uint32_t CountBeacons(uint32_t node, Time window) const;
    /// @param node a node
    /// @param timeout how long a device counts that was not heard again
    /// @return its signal strength [W]; nothing if that is too long ago
    std::optional<double> GetRssW(uint32_t node, Time timeout) const;
    /// @param timeout how long a device counts that was not heard again
    /// @return nodes that count, ascending
    std::vector<uint32_t> GetNodes(Time timeout) const;

  private:
    /// What is known of a device
    struct Entry
    {
        double rssW = 0;          //!< its signal strength [W]
        Time heard;               //!< when it was heard last
        std::deque<Time> beacons; //!< when its beacons were, the first one first
    };

    std::map<uint32_t, Entry> m_entries; //!< by node
};

} // namespace ns3::collab

#endif /* D2D_NEIGHBOR_TABLE_H */
