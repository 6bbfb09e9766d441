/*
 * Copyright (c) 2026 ns-3 collab authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef D2D_NEIGHBOR_TABLE_H
#define D2D_NEIGHBOR_TABLE_H

#include "ns3/nstime.h"

#include <cstdint>
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
    /// @param rssW mean received signal strength, as measured over the burst [W]
    void Hear(uint32_t node, double rssW);
    /// @param node a node
    /// @param timeout how long a device counts that was not heard again
    /// @return its signal strength when it was heard last [W]; nothing if that is too long ago
    std::optional<double> GetRssW(uint32_t node, Time timeout) const;
    /// @param timeout how long a device counts that was not heard again
    /// @return nodes that count, ascending
    std::vector<uint32_t> GetNodes(Time timeout) const;

  private:
    /// What is known of a device
    struct Entry
    {
        double rssW = 0; //!< its signal strength [W]
        Time heard;      //!< when it was heard last
    };

    std::map<uint32_t, Entry> m_entries; //!< by node
};

} // namespace ns3::collab

#endif /* D2D_NEIGHBOR_TABLE_H */
